/* ELF core files: notes, segments, an MTB's packets in memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

FUZZ_TARGET (core)
{
  static const struct tb_mtb_told told = {
    .text = "0x20000000,0x100,0x80000006",
    .registers = { .value = { 0x100, 0x80000006, 0, 0x20000000 }, .known = 1 | 1 << 1 | 1 << 3 }
  };
  bool is_m = size % 2 == 0;
  const struct tb_session_options options = {
    .core_type = is_m ? "Cortex-M0+" : "Cortex-A53",
    .mtbs = &told, .nmtbs = is_m && size % 4 != 0
  };
  fuzz_input (data, size, &options);
  return 0;
}
