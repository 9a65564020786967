/* Where ELF files have call frame information, whole and damaged ones.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "../gdbstub/cfi.h"
#include "check.h"

static struct cfi *
open_cfi (const char *path)
{
  struct cfi *cfi;
  CHECK (cfi_open (&cfi, path, NULL));
  return cfi;
}

static const char *
source (void)
{
  const char *path = getenv ("srcdir");
  return path != NULL ? path : ".";
}

static void
test_sample (void)
{
  static const struct { uint64_t pc; bool covered; } rows[] = {
    { 0x2e0, true },		/* The first instruction of a C function ... */
    { 0x2e2, true },
    { 0xec, true },
    { 0x184, true },
    { 0, false },		/* ... the vectors, and nowhere.  */
    { 0x20000000, false },
    { UINT64_MAX, false }
  };
  char path[4096];
  snprintf (path, sizeof path, "%s/samples/crash-m0/program.elf", source ());
  struct cfi *cfi = open_cfi (path);
  if (!CHECK (cfi != NULL))
    return;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (!CHECK (cfi_covers (cfi, rows[i].pc) == rows[i].covered))
      fprintf (stderr, "row %zu\n", i);
  cfi_close (cfi);
}

/* AArch64 has .eh_frame or .debug_frame by the compiler's choice.  */
static void
test_a64 (void)
{
  const char *shared = getenv ("TB_SHARED");
  char path[4096];
  if (shared == NULL)
    return;
  snprintf (path, sizeof path,
	    "%s/corpus/cases/p11-etm4-a57-sort/program.elf", shared);
  if (access (path, R_OK) != 0)
    return;
  struct cfi *cfi = open_cfi (path);
  if (!CHECK (cfi != NULL))
    return;
  CHECK (cfi_covers (cfi, 0x400110e4));
  CHECK (!cfi_covers (cfi, 0x40000000));
  cfi_close (cfi);
}

/* Damaged files give some answer.  */
static void
test_damage (void)
{
  char path[4096], copy[] = "test-gdb-cfi-XXXXXX";
  snprintf (path, sizeof path, "%s/samples/crash-m0/program.elf", source ());
  FILE *in = fopen (path, "rb");
  static uint8_t whole[1 << 20], bytes[1 << 20];
  size_t size = in != NULL ? fread (whole, 1, sizeof whole, in) : 0;
  if (in != NULL)
    fclose (in);
  int fd = mkstemp (copy);
  if (!CHECK (size > 0 && fd >= 0))
    return;
  uint32_t seed = 1;
  for (unsigned round = 0; round < 300; round++)
    {
      memcpy (bytes, whole, size);
      size_t length = size;
      for (unsigned i = 0; i < 1 + round % 40; i++)
	{
	  seed = seed * 1664525 + 1013904223;
	  bytes[(seed >> 8) % size] = (uint8_t) (seed >> 3);
	}
      if (round % 10 == 0)
	length = size * round / 300;
      CHECK (ftruncate (fd, 0) == 0
	     && pwrite (fd, bytes, length, 0) == (ssize_t) length);
      struct cfi *cfi = open_cfi (copy);
      if (cfi != NULL)
	cfi_covers (cfi, seed);
      cfi_close (cfi);
    }
  close (fd);
  unlink (copy);
  CHECK (open_cfi ("no such file") == NULL);
}

int
main (void)
{
  test_sample ();
  test_a64 ();
  test_damage ();
  return check_done ();
}
