/* Decoding ETMv4 bytes over code in memory, for tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_ETMV4_RUN_H
#define TB_UNIT_ETMV4_RUN_H

#include "decode-run.h"

/* A trace unit, its core and the core's code.  */
struct run_unit
{
  const char *type;		/* "ETM4.2", "ETE".  */
  const char *core;		/* "Cortex-A57".  */
  uint32_t configr, idr0, idr1, idr2, idr8, devarch;
  struct run_code code;
};

static inline bool
run_init (struct run *run, const struct run_unit *unit, const uint8_t *trace,
	  size_t size)
{
  /* Conditional instructions have one key; where the flags are told (CONDTYPE), four, of
     which one is special.  */
  bool flags = unit->idr0 >> 12 & 1;
  const struct run_register regs[] = {
    { "TRCCONFIGR", 0x004, unit->configr }, { "TRCTRACEIDR", 0x010, 0x10 },
    { "TRCIDR0", 0x078, unit->idr0 }, { "TRCIDR1", 0x079, unit->idr1 },
    { "TRCIDR2", 0x07a, unit->idr2 }, { "TRCIDR8", 0x060, unit->idr8 },
    { "TRCIDR12", 0x064, flags ? 4 : 1 }, { "TRCIDR13", 0x065, flags },
    { "TRCDEVARCH", 0x3ef, unit->devarch }
  };
  return run_begin (run, unit->type, unit->core, regs, sizeof regs / sizeof regs[0],
		    unit->code, trace, size);
}

#endif /* TB_UNIT_ETMV4_RUN_H */
