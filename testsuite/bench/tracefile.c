/* How fast trace files are written.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arm/machine/tdesc.h"
#include "frame/tracefile.h"

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Frames of one tracepoint: the registers of an M profile core, 16 bytes of
   stack and one variable.  */
static bool
write_frames (const char *path, uint64_t frames,
	      const struct tb_tracefile_header *header)
{
  struct tb_tracefile *file = tb_tracefile_create (path, header, NULL);
  uint8_t registers[TB_TDESC_SIZE_MAX] = { 0 };
  uint8_t stack[16] = { 0 };

  if (file == NULL)
    return false;
  for (uint64_t i = 0; i < frames; i++)
    {
      memcpy (registers, &i, sizeof i);
      memcpy (stack, &i, sizeof i);
      tb_tracefile_begin (file, 1);
      tb_tracefile_registers (file, registers);
      tb_tracefile_memory (file, 0x20000000, stack, sizeof stack);
      tb_tracefile_variable (file, 1, (int64_t) i);
      if (tb_tracefile_end (file) != TB_OK)
	{
	  tb_tracefile_abandon (file);
	  return false;
	}
    }
  return tb_tracefile_finish (file) == TB_OK;
}

double
bench_tracefile (uint64_t frames, uint64_t *size)
{
  static const struct tb_tracepoint_def tracepoint = {
    .number = 1, .address = 0x100
  };
  static const struct tb_tsv_def variable = {
    .number = 1, .name = "n"
  };
  const char *folder = getenv ("TMPDIR");
  struct tb_tracepoint_def definition = tracepoint;
  struct tb_profile profile;
  struct stat status;
  double seconds = -1;
  char *path;

  tb_profile_find (&profile, "Cortex-M0");
  struct tb_tdesc *tdesc = tb_tdesc_own (&profile, NULL);
  if (tdesc == NULL)
    return seconds;
  definition.hits = frames;
  struct tb_tracefile_header header = {
    .register_bytes = tdesc->size,
    .tdesc = tdesc->text,
    .frames = frames, .created = frames,
    .tracepoints = &definition, .ntracepoints = 1,
    .variables = &variable, .nvariables = 1
  };
  if (asprintf (&path, "%s/tracebridge-bench-%ld.tf",
		folder != NULL ? folder : "/tmp", (long) getpid ()) >= 0)
    {
      double start = now ();
      if (write_frames (path, frames, &header))
	{
	  seconds = now () - start;
	  *size = stat (path, &status) == 0 ? (uint64_t) status.st_size : 0;
	  unlink (path);
	}
      free (path);
    }
  tb_tdesc_free (tdesc);
  return seconds;
}
