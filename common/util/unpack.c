/* Reading compressed files.  See unpack.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_LIBZ
# include <zlib.h>
#endif
#ifdef HAVE_LIBLZMA
# include <lzma.h>
#endif
#ifdef HAVE_LIBZSTD
# include <zstd.h>
#endif

#define INPUT_SIZE (256 * 1024)

/* Memory that unpacking may take, whatever a file asks for.  */
#define MEMORY_MOST (UINT64_C (256) << 20)

/* How much may come out of one byte of a file, once RATIO_FROM bytes came out.  Gzip
   reaches 1032 at most; a log, which is no long run of the same, a tenth of that.  */
#define RATIO_MOST 1024
#define RATIO_FROM (UINT64_C (256) << 20)

enum packing
{
  PACKING_NONE, PACKING_GZIP, PACKING_XZ, PACKING_ZSTD
};

static const char *const names[] = { NULL, "gzip", "xz", "zstd" };

struct tb_unpack
{
  char *path;
  struct tb_diag *diag;
  int fd;
  enum packing packing;
  bool at_end, damaged;		/* AT_END: of the file.  */
  uint64_t limit;		/* Bytes of it that may still be read.  */
  uint64_t taken, made;		/* Bytes that were read, and that came out.  */
  bool between;			/* Between two members, where an end is good.  */
  const uint8_t *next;		/* What was read and not unpacked.  */
  size_t left;
  uint8_t input[INPUT_SIZE];
#ifdef HAVE_LIBZ
  z_stream z;
#endif
#ifdef HAVE_LIBLZMA
  lzma_stream xz;
#endif
#ifdef HAVE_LIBZSTD
  ZSTD_DStream *zstd;
#endif
};

static enum packing
recognise (const uint8_t *bytes, size_t size)
{
  if (size >= 2 && memcmp (bytes, "\x1f\x8b", 2) == 0)
    return PACKING_GZIP;
  if (size >= 6 && memcmp (bytes, "\xfd" "7zXZ\0", 6) == 0)
    return PACKING_XZ;
  if (size >= 4 && memcmp (bytes, "\x28\xb5\x2f\xfd", 4) == 0)
    return PACKING_ZSTD;
  return PACKING_NONE;
}

/* Read more of the file, if all that was read is used.  */
static enum tb_status
fill (struct tb_unpack *u)
{
  while (u->left == 0 && !u->at_end)
    {
      size_t want = u->limit < sizeof u->input ? (size_t) u->limit
						: sizeof u->input;
      ssize_t n = want > 0 ? read (u->fd, u->input, want) : 0;
      if (n < 0 && errno == EINTR)
	continue;
      if (n < 0)
	{
	  tb_error (u->diag, "%s: cannot read: %s", u->path,
		    strerror (errno));
	  return TB_ERR_IO;
	}
      u->next = u->input;
      u->left = (size_t) n;
      u->limit -= (size_t) n;
      u->taken += (size_t) n;
      u->at_end = n == 0;
    }
  return TB_OK;
}

/* Prepare unpacking; false: it is not built in, or no memory.  */
static bool
begin (struct tb_unpack *u)
{
  u->between = false;
  switch (u->packing)
    {
    case PACKING_NONE:
      return true;
    case PACKING_GZIP:
#ifdef HAVE_LIBZ
      return inflateInit2 (&u->z, 15 + 16) == Z_OK;
#endif
      break;
    case PACKING_XZ:
#ifdef HAVE_LIBLZMA
      u->xz = (lzma_stream) LZMA_STREAM_INIT;
      return lzma_stream_decoder (&u->xz, MEMORY_MOST, LZMA_CONCATENATED)
	     == LZMA_OK;
#endif
      break;
    case PACKING_ZSTD:
#ifdef HAVE_LIBZSTD
      u->zstd = ZSTD_createDStream ();
      return u->zstd != NULL
	     && !ZSTD_isError (ZSTD_initDStream (u->zstd))
	     && !ZSTD_isError (ZSTD_DCtx_setParameter (u->zstd,
						       ZSTD_d_windowLogMax,
						       27));
#endif
      break;
    }
  return false;
}

/* Is what PACKING needs built in?  */
static bool
built_in (enum packing packing)
{
  bool has[] = { true, false, false, false };
#ifdef HAVE_LIBZ
  has[PACKING_GZIP] = true;
#endif
#ifdef HAVE_LIBLZMA
  has[PACKING_XZ] = true;
#endif
#ifdef HAVE_LIBZSTD
  has[PACKING_ZSTD] = true;
#endif
  return has[packing];
}

struct tb_unpack *
tb_unpack_open (const char *path, struct tb_diag *diag)
{
  struct stat st;
  struct tb_unpack *u = calloc (1, sizeof *u);
  if (u == NULL || (u->path = strdup (path)) == NULL)
    {
      tb_error (diag, "%s: no memory", path);
      free (u);
      return NULL;
    }
  u->diag = diag;
  u->limit = UINT64_MAX;
  u->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool ok = u->fd >= 0 && fstat (u->fd, &st) == 0;
  if (!ok)
    tb_error (diag, "%s: cannot open: %s", path, strerror (errno));
  else if (!S_ISREG (st.st_mode))
    {
      tb_error (diag, "%s: expected a regular file", path);
      ok = false;
    }
  ok = ok && fill (u) == TB_OK;
  if (ok)
    {
      u->packing = recognise (u->next, u->left);
      if (!built_in (u->packing))
	{
	  tb_error (diag, "%s: is compressed by %s, which this program was "
		    "built without; unpack it first", path,
		    names[u->packing]);
	  u->packing = PACKING_NONE;
	  ok = false;
	}
      else if (!begin (u))
	{
	  tb_error (diag, "%s: no memory to unpack it", path);
	  ok = false;
	}
    }
  if (ok)
    return u;
  tb_unpack_close (u);
  return NULL;
}

void
tb_unpack_limit (struct tb_unpack *u, uint64_t size)
{
  /* The beginning has been read to see what the file is.  */
  if (u->left > size)
    u->left = (size_t) size;
  u->limit = size - u->left;
}

void
tb_unpack_close (struct tb_unpack *u)
{
  if (u == NULL)
    return;
#ifdef HAVE_LIBZ
  if (u->packing == PACKING_GZIP)
    inflateEnd (&u->z);
#endif
#ifdef HAVE_LIBLZMA
  if (u->packing == PACKING_XZ)
    lzma_end (&u->xz);
#endif
#ifdef HAVE_LIBZSTD
  ZSTD_freeDStream (u->zstd);
#endif
  if (u->fd >= 0)
    close (u->fd);
  free (u->path);
  free (u);
}

bool
tb_unpack_damaged (const struct tb_unpack *u)
{
  return u->damaged;
}

const char *
tb_unpack_format (const struct tb_unpack *u)
{
  return names[u->packing];
}

/* What unpacking some input came to.  */
enum unpack_outcome
{
  WENT_ON, MEMBER_ENDED, BROKEN, NO_MEMORY
};

/* Unpack from what was read into the ROOM bytes TO, *MADE of them.  At the end of
   the file there may be nothing left to unpack from.  */
static enum unpack_outcome
unpack (struct tb_unpack *u, uint8_t *to, size_t room, size_t *made)
{
  enum unpack_outcome outcome = BROKEN;
  *made = 0;
  /* Without any of the libraries nobody needs these.  */
  (void) to;
  (void) room;
  switch (u->packing)
    {
    case PACKING_GZIP:
#ifdef HAVE_LIBZ
      {
	if (room > 1 << 30)
	  room = 1 << 30;
	u->z.next_in = (Bytef *) u->next;
	u->z.avail_in = (uInt) u->left;
	u->z.next_out = to;
	u->z.avail_out = (uInt) room;
	int status = inflate (&u->z, Z_NO_FLUSH);
	*made = room - u->z.avail_out;
	u->next += u->left - u->z.avail_in;
	u->left = u->z.avail_in;
	if (status == Z_STREAM_END)
	  {
	    outcome = MEMBER_ENDED;
	    inflateReset (&u->z);
	  }
	else if (status == Z_OK || status == Z_BUF_ERROR)
	  outcome = WENT_ON;
	else if (status == Z_MEM_ERROR)
	  outcome = NO_MEMORY;
      }
#endif
      break;
    case PACKING_XZ:
#ifdef HAVE_LIBLZMA
      {
	u->xz.next_in = u->next;
	u->xz.avail_in = u->left;
	u->xz.next_out = to;
	u->xz.avail_out = room;
	lzma_ret status = lzma_code (&u->xz, u->at_end ? LZMA_FINISH
						       : LZMA_RUN);
	*made = room - u->xz.avail_out;
	u->next = u->xz.next_in;
	u->left = u->xz.avail_in;
	outcome = status == LZMA_STREAM_END ? MEMBER_ENDED
		  : status == LZMA_OK ? WENT_ON
		  : status == LZMA_MEM_ERROR || status == LZMA_MEMLIMIT_ERROR
		  ? NO_MEMORY : BROKEN;
      }
#endif
      break;
    case PACKING_ZSTD:
#ifdef HAVE_LIBZSTD
      {
	ZSTD_inBuffer in = { u->next, u->left, 0 };
	ZSTD_outBuffer out = { to, room, 0 };
	errno = 0;
	size_t status = ZSTD_decompressStream (u->zstd, &out, &in);
	*made = out.pos;
	u->next += in.pos;
	u->left -= in.pos;
	outcome = ZSTD_isError (status) ? (errno == ENOMEM ? NO_MEMORY : BROKEN)
		  : status == 0 ? MEMBER_ENDED : WENT_ON;
      }
#endif
      break;
    case PACKING_NONE:
      break;
    }
  return outcome;
}

enum tb_status
tb_unpack_read (struct tb_unpack *u, void *to, size_t room, size_t *got)
{
  *got = 0;
  while (*got == 0 && room > 0 && !u->damaged)
    {
      enum tb_status status = fill (u);
      if (status != TB_OK)
	return status;
      if (u->packing == PACKING_NONE)
	{
	  size_t n = u->left < room ? u->left : room;
	  if (n > 0)
	    memcpy (to, u->next, n);
	  u->next += n;
	  u->left -= n;
	  *got = n;
	  break;
	}
      if (u->at_end && u->between)
	break;
      size_t before = u->left;
      enum unpack_outcome outcome = unpack (u, to, room, got);
      u->made += *got;
      if (outcome == NO_MEMORY)
	{
	  tb_error (u->diag, "%s: no memory to unpack it, or it asks for more than %"
		    PRIu64 " MiB", u->path, MEMORY_MOST >> 20);
	  return TB_ERR_MEMORY;
	}
      if (u->made > RATIO_FROM && u->made / RATIO_MOST > u->taken - u->left)
	{
	  tb_error (u->diag, "%s: expected a log, found data that the %s file makes more "
		    "than %d times as long; unpack it first if it is one", u->path,
		    names[u->packing], RATIO_MOST);
	  *got = 0;
	  return TB_ERR_INPUT;
	}
      if (outcome == BROKEN
	  || (outcome == WENT_ON && u->at_end && *got == 0 && before == u->left))
	{
	  u->damaged = true;
	  tb_warning (u->diag, "%s: the %s data %s; what comes before is read",
		      u->path, names[u->packing],
		      outcome == BROKEN ? "is damaged" : "is cut off");
	}
      if (outcome == MEMBER_ENDED || u->left != before)
	u->between = outcome == MEMBER_ENDED;
    }
  return TB_OK;
}
