/* Files that are unpacked while they are read: whole, in several parts, cut, and damaged.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef HAVE_LIBZ
#include <zlib.h>
#endif
#ifdef HAVE_LIBLZMA
#include <lzma.h>
#endif
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "util/unpack.h"

#define MOST 65536

static char name[] = "test-unpack-XXXXXX";
static char said[1024];
static unsigned warnings, errors;

static void
report (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  warnings += severity == TB_WARNING;
  errors += severity == TB_ERROR;
  snprintf (said, sizeof said, "%s", message);
}

static struct tb_diag diag = { .report = report };

/* Pack the SIZE bytes FROM into the MOST bytes TO; how many that takes.  */
typedef size_t packer (const uint8_t *from, size_t size, uint8_t *to);

#ifdef HAVE_LIBZ
static size_t
pack_gzip (const uint8_t *from, size_t size, uint8_t *to)
{
  z_stream z = { .next_in = (Bytef *) from, .avail_in = (uInt) size, .next_out = to,
		 .avail_out = MOST };
  CHECK (deflateInit2 (&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  CHECK (deflate (&z, Z_FINISH) == Z_STREAM_END);
  deflateEnd (&z);
  return MOST - z.avail_out;
}
#endif

#ifdef HAVE_LIBLZMA
static size_t
pack_xz (const uint8_t *from, size_t size, uint8_t *to)
{
  size_t at = 0;
  CHECK (lzma_easy_buffer_encode (1, LZMA_CHECK_CRC32, NULL, from, size, to, &at, MOST)
	 == LZMA_OK);
  return at;
}
#endif

#ifdef HAVE_LIBZSTD
static size_t
pack_zstd (const uint8_t *from, size_t size, uint8_t *to)
{
  /* Without a sum other bytes are not noticed.  */
  ZSTD_CCtx *context = ZSTD_createCCtx ();
  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
  size_t n = ZSTD_compress2 (context, to, MOST, from, size);
  CHECK (!ZSTD_isError (n));
  ZSTD_freeCCtx (context);
  return n;
}
#endif

/* Write the file of the SIZE bytes BYTES.  */
static void
put (const uint8_t *bytes, size_t size)
{
  FILE *file = fopen (name, "wb");
  CHECK (file != NULL && fwrite (bytes, 1, size, file) == size && fclose (file) == 0);
}

/* Read the file by STEP bytes, of which FORMAT is told, into the MOST bytes TO.  Returns
   how many there are; *DAMAGED is what is told of them.  */
static size_t
get (uint8_t *to, size_t step, const char *format, bool *damaged)
{
  size_t n = 0, got = 1;
  warnings = errors = 0;
  struct tb_unpack *u = tb_unpack_open (name, &diag);
  *damaged = false;
  if (!CHECK (u != NULL))
    return 0;
  const char *told = tb_unpack_format (u);
  CHECK (format == NULL ? told == NULL : told != NULL && strcmp (told, format) == 0);
  while (got > 0 && n < MOST)
    {
      CHECK_INT (tb_unpack_read (u, to + n, step < MOST - n ? step : MOST - n, &got), TB_OK);
      n += got;
    }
  *damaged = tb_unpack_damaged (u);
  CHECK_INT (warnings, *damaged);
  CHECK_INT (errors, 0);
  /* The end stays the end.  */
  CHECK (tb_unpack_read (u, to, 1, &got) == TB_OK && got == 0);
  tb_unpack_close (u);
  return n;
}

static void
test_format (const char *format, packer *pack)
{
  static uint8_t text[20000], packed[2 * MOST], out[MOST];
  bool damaged;
  uint32_t seed = 1;
  /* Some of it can be made shorter.  */
  for (size_t i = 0; i < sizeof text; i++)
    {
      seed = seed * 1664525 + 1013904223;
      text[i] = i % 3 == 0 ? (uint8_t) (seed >> 24) : (uint8_t) "tick"[i % 4];
    }
  static const size_t steps[] = { 1, 7, 4096, MOST };
  size_t first = pack (text, 12000, packed);
  size_t size = first + pack (text + 12000, sizeof text - 12000, packed + first);
  for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
    {
      put (packed, first);
      CHECK_INT (get (out, steps[i], format, &damaged), 12000);
      CHECK (!damaged && memcmp (out, text, 12000) == 0);
      /* One packed behind the other is one content behind the other.  */
      put (packed, size);
      CHECK_INT (get (out, steps[i], format, &damaged), sizeof text);
      CHECK (!damaged && memcmp (out, text, sizeof text) == 0);
    }
  /* What is cut gives what comes before, and says so; not between two parts.  */
  for (size_t end = 20; end < size; end += end < 60 || end + 40 > size ? 1 : 701)
    {
      put (packed, end);
      size_t n = get (out, 4096, format, &damaged);
      CHECK_INT (damaged, end != first);
      CHECK (n <= sizeof text && memcmp (out, text, n) == 0);
      if (damaged && !CHECK (strstr (said, "is cut off") != NULL
			     && strstr (said, format) != NULL))
	fprintf (stderr, "  %s\n", said);
    }
  /* Nothing, packed.  */
  size_t empty = pack (text, 0, packed + MOST);
  put (packed + MOST, empty);
  CHECK_INT (get (out, 4096, format, &damaged), 0);
  CHECK (!damaged);
  /* Bytes that are no longer packed data.  */
  memset (packed + first / 2, 0xff, 64);
  put (packed, first);
  size_t n = get (out, 4096, format, &damaged);
  if (!CHECK (damaged && n <= sizeof text && strstr (said, "is damaged") != NULL))
    fprintf (stderr, "  %s: %zu bytes, %s\n", format, n, said);
}

static void
test_plain (void)
{
  uint8_t bytes[300], out[MOST];
  bool damaged;
  for (unsigned i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t) i;
  put (bytes, sizeof bytes);
  CHECK_INT (get (out, 7, NULL, &damaged), sizeof bytes);
  CHECK (!damaged && memcmp (out, bytes, sizeof bytes) == 0);
  struct tb_unpack *u = tb_unpack_open (name, &diag);
  size_t got;
  tb_unpack_limit (u, 10);
  CHECK_INT (tb_unpack_read (u, out, sizeof out, &got), TB_OK);
  CHECK_INT (got, 10);
  CHECK_INT (tb_unpack_read (u, out, sizeof out, &got), TB_OK);
  CHECK_INT (got, 0);
  tb_unpack_close (u);
  unlink (name);
  errors = 0;
  CHECK (tb_unpack_open (name, &diag) == NULL);
  CHECK_INT (errors, 1);
}

int
main (void)
{
  int fd = mkstemp (name);
  if (!CHECK (fd >= 0))
    return check_done ();
  close (fd);
#ifdef HAVE_LIBZ
  test_format ("gzip", pack_gzip);
#endif
#ifdef HAVE_LIBLZMA
  test_format ("xz", pack_xz);
#endif
#ifdef HAVE_LIBZSTD
  test_format ("zstd", pack_zstd);
#endif
  test_plain ();
  unlink (name);
  return check_done ();
}
