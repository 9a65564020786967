/* Trace files of GDB: header, target description, frames.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char path[40];
  int fd = fuzz_file (data, size, path);
  const struct tb_session_options options = { .core_type = "ARMv7-A" };
  struct tb_session session;
  if (tb_session_open (&session, path, &options, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  close (fd);
  return 0;
}
