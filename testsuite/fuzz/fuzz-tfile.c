/* Trace files of GDB: header, target description, frames.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

FUZZ_TARGET (tfile)
{
  const struct tb_session_options options = { .core_type = "ARMv7-A" };
  fuzz_input (data, size, &options);
  return 0;
}
