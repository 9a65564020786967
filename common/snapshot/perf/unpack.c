/* Compressed records of perf.data.  See unpack.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/unpack.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBZSTD
# include <zstd.h>
# include <zstd_errors.h>
#endif

#include "util/buffer.h"

/* Unpacked at a time; a record is shorter than 64 KiB.  */
#define PIECE 131072

struct tb_perf_unpacker
{
#ifdef HAVE_LIBZSTD
  ZSTD_DStream *zstd;
#endif
  struct tb_buffer left;
};

struct tb_perf_unpacker *
tb_perf_unpacker_new (void)
{
  struct tb_perf_unpacker *u = calloc (1, sizeof *u);
#ifdef HAVE_LIBZSTD
  if (u != NULL)
    {
      u->zstd = ZSTD_createDStream ();
      if (u->zstd == NULL || ZSTD_isError (ZSTD_initDStream (u->zstd)))
	{
	  tb_perf_unpacker_free (u);
	  return NULL;
	}
    }
#endif
  return u;
}

void
tb_perf_unpacker_free (struct tb_perf_unpacker *u)
{
  if (u == NULL)
    return;
#ifdef HAVE_LIBZSTD
  ZSTD_freeDStream (u->zstd);
#endif
  tb_buffer_fini (&u->left);
  free (u);
}

bool
tb_perf_unpacks (void)
{
#ifdef HAVE_LIBZSTD
  return true;
#else
  return false;
#endif
}

#ifdef HAVE_LIBZSTD
enum tb_perf_unpacked
tb_perf_unpack (struct tb_perf_unpacker *u, const uint8_t *packed, size_t length,
		size_t (*take) (void *context, const uint8_t *bytes, size_t count),
		void *context)
{
  ZSTD_inBuffer in = { packed, length, 0 };
  for (bool more = true; more;)
    {
      size_t before = u->left.size;
      uint8_t *room = tb_buffer_extend (&u->left, PIECE);
      if (room == NULL)
	return TB_PERF_UNPACK_NO_MEMORY;
      ZSTD_outBuffer out = { room, PIECE, 0 };
      size_t status = ZSTD_decompressStream (u->zstd, &out, &in);
      if (ZSTD_isError (status))
	return ZSTD_getErrorCode (status) == ZSTD_error_memory_allocation
	       ? TB_PERF_UNPACK_NO_MEMORY : TB_PERF_UNPACK_BROKEN;
      u->left.size = before + out.pos;
      size_t done = take (context, u->left.data, u->left.size);
      memmove (u->left.data, u->left.data + done, u->left.size - done);
      u->left.size -= done;
      /* What filled its room may have more behind it.  */
      more = in.pos < in.size || out.pos == PIECE;
    }
  return TB_PERF_UNPACKED;
}
#else
enum tb_perf_unpacked
tb_perf_unpack (struct tb_perf_unpacker *u, const uint8_t *packed, size_t length,
		size_t (*take) (void *context, const uint8_t *bytes, size_t count),
		void *context)
{
  (void) u;
  (void) packed;
  (void) length;
  (void) take;
  (void) context;
  return TB_PERF_UNPACK_BROKEN;
}
#endif
