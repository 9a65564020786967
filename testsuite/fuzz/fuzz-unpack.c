/* Compressed files: what is unpacked does not depend on how it is read, and no more comes than
   was packed.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses how the rest is taken: as the file; or as what a compressed
   file has, behind patches of that file: a count, and for each a place (2 bytes) and a value.
   Formats are checked by sums, so that bytes by chance alone do not come far.  */

#include "config.h"
#include "fuzz.h"

#ifdef HAVE_LIBLZMA
#include <lzma.h>
#endif
#ifdef HAVE_LIBZ
#include <zlib.h>
#endif
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "util/unpack.h"

/* What is unpacked of one file at most; there may be bombs.  */
#define ENOUGH (1 << 20)

static uint8_t packed[1 << 16];

/* Pack the SIZE bytes DATA by KIND into PACKED; returns the size, 0: that library is not
   here.  */
static size_t
pack (unsigned kind, const uint8_t *data, size_t size)
{
  size_t length = 0;
#ifdef HAVE_LIBZ
  if (kind == 0)
    {
      z_stream z = { 0 };
      MUST (deflateInit2 (&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
      z.next_in = (Bytef *) data;
      z.avail_in = (uInt) size;
      z.next_out = packed;
      z.avail_out = sizeof packed;
      MUST (deflate (&z, Z_FINISH) == Z_STREAM_END);
      length = z.total_out;
      deflateEnd (&z);
    }
#endif
#ifdef HAVE_LIBLZMA
  if (kind == 1)
    MUST (lzma_easy_buffer_encode (0, LZMA_CHECK_CRC32, NULL, data, size, packed, &length,
				   sizeof packed) == LZMA_OK);
#endif
#ifdef HAVE_LIBZSTD
  if (kind == 2)
    length = ZSTD_compress (packed, sizeof packed, data, size, 3);
#endif
  return length;
}

/* Unpack PATH, at most MOST bytes a call, into ALL, which has room for ENOUGH.  */
static size_t
unpack (const char *path, size_t most, uint8_t *all, bool *damaged)
{
  size_t count = 0, got = 0;
  struct tb_unpack *u = tb_unpack_open (path, NULL);
  *damaged = u == NULL;
  if (u == NULL)
    return 0;
  do
    {
      size_t room = ENOUGH - count < most ? ENOUGH - count : most;
      if (room == 0 || tb_unpack_read (u, all + count, room, &got) != TB_OK)
	break;
      count += got;
    }
  while (got > 0);
  *damaged = tb_unpack_damaged (u);
  tb_unpack_close (u);
  return count;
}

FUZZ_TARGET (unpack)
{
  static uint8_t one[ENOUGH], other[ENOUGH];
  struct fuzz_reader in = { data, data + size };
  unsigned kind = fuzz_u8 (&in) % 4, patches = kind < 3 ? fuzz_u8 (&in) % 8 : 0;
  struct { uint32_t at; uint8_t value; } patch[8];
  for (unsigned i = 0; i < patches; i++)
    {
      patch[i].at = fuzz_u16 (&in);
      patch[i].value = (uint8_t) fuzz_u8 (&in);
    }
  size_t rest = sizeof packed / 2;
  const uint8_t *content = fuzz_bytes (&in, &rest);
  size_t length = kind < 3 ? pack (kind, content, rest) : 0;
  if (length == 0)
    {
      kind = 3;
      patches = 0;
      length = rest;
      memcpy (packed, content, rest);
    }
  bool harmless = true;
  for (unsigned i = 0; i < patches; i++)
    {
      harmless &= packed[patch[i].at % length] == patch[i].value;
      packed[patch[i].at % length] = patch[i].value;
    }
  char path[40];
  int fd = fuzz_file (packed, length, path);
  bool damaged, again;
  size_t count = unpack (path, SIZE_MAX, one, &damaged);
  size_t same = unpack (path, 777, other, &again);
  MUST (count == same && (count == ENOUGH || damaged == again));
  MUST (memcmp (one, other, count) == 0);
  MUST (kind == 3 || !harmless
	|| (count == rest && !damaged && memcmp (one, content, rest) == 0));
  close (fd);
  return 0;
}
