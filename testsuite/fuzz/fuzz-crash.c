/* Core dumps of kernels: header, registers, memory, lines of a console.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char path[40];
  int fd = fuzz_file (data, size, path);
  /* The second is a core of AArch64, too.  */
  static const char *const types[] = { "Cortex-M33", "ARMv8-A" };
  for (unsigned i = 0; i < 2; i++)
    {
      const struct tb_session_options options = { .core_type = types[i] };
      struct tb_session session;
      if (tb_session_open (&session, path, &options, NULL) == TB_OK)
	{
	  fuzz_session (&session);
	  tb_session_close (&session);
	}
    }
  close (fd);
  return 0;
}
