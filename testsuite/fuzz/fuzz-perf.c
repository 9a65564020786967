/* perf.data: records, metadata of trace units, maps of files, and the trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   It is read for the CPUs, and for the threads that it names.  The one file that can be mapped
   is "/code/cpu-0".  An input of files, as fuzz-folder.h has them, is a folder as perf makes
   one, with the files that are mapped in it.  */

#include "config.h"
#include "fuzz.h"
#include "fuzz-folder.h"

/* The target's files: what testsuite/perfdata.py lets its records map.  */
static const char *
make_root (void)
{
  /* A64: nop; b.eq; nop; b.  */
  static const uint32_t code[] = { 0xd503201f, 0x54000060, 0xd503201f, 0x17fffffd };
  static uint8_t file[4096 + sizeof code];
  const char *root = fuzz_folder ((const uint8_t *) "", 0);
  memcpy (file + 4096, code, sizeof code);
  fuzz_put ("code/cpu-0", 10, file, sizeof file);
  return root;
}

FUZZ_TARGET (perf)
{
  static const char *sysroot;
  struct tb_session_options options = { .snapshot = { .sysroot = NULL } };
  struct tb_session session;
  if (!fuzz_is_folder (data, size))
    {
      if (sysroot == NULL)
	sysroot = make_root ();
      options.snapshot.sysroot = sysroot;
      fuzz_input (data, size, &options);
      options.recordings = TB_RECORD_CPUS | TB_RECORD_THREADS;
      fuzz_input (data, size, &options);
      return 0;
    }
  options.snapshot.sysroot = fuzz_folder (data, size);
  options.recordings = TB_RECORD_CPUS | TB_RECORD_THREADS;
  sysroot = NULL;
  if (tb_session_open (&session, options.snapshot.sysroot, &options, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  return 0;
}
