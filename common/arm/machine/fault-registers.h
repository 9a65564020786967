/* What the fault registers of an M-profile core tell.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Their bits stay set until software clears them: they tell of all faults since then.

   Sources: DDI 0403, B3.2.15 to B3.2.18 (CFSR, HFSR, MMFAR, BFAR); DDI 0553, D1.2 (CFSR.STKOF,
   SFSR, SFAR).  */

#ifndef TB_ARM_MACHINE_FAULT_REGISTERS_H
#define TB_ARM_MACHINE_FAULT_REGISTERS_H

#include "arm/machine/profile.h"
#include "snapshot/memmap.h"
#include "util/buffer.h"

/* Append what the fault registers of CORE, of PROFILE, say, each register that is not zero on a
   line behind PREFIX, with the names of its bits.  They are listed registers of CORE, or in the
   dumps that MAP has.  None: there are none of PROFILE, they are not known, or all are zero.  */
void tb_fault_registers_text (struct tb_buffer *text, const struct tb_device *core,
		     const struct tb_memmap *map, const struct tb_profile *profile,
		     const char *prefix);

#endif /* TB_ARM_MACHINE_FAULT_REGISTERS_H */
