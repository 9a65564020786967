/* Core dumps of kernels: header, registers, memory, lines of a console.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

FUZZ_TARGET (crash)
{
  /* The second is a core of AArch64, too.  */
  const struct tb_session_options options = {
    .core_type = size % 2 == 0 ? "Cortex-M33" : "ARMv8-A"
  };
  fuzz_input (data, size, &options);
  return 0;
}
