/* The order of bytes in data of a core, as its registers at the halt tell.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_MACHINE_HALT_ENDIAN_H
#define TB_ARM_MACHINE_HALT_ENDIAN_H

#include "arm/machine/profile.h"
#include "snapshot/snapshot.h"

/* The bit, of a register of CORE (NULL: none), of PROFILE, by which data are big-endian
   at some level or after some exception: "CPSR.E".  NULL: there is none that is set, or
   it is not in the snapshot.  Sources: DDI 0406, B1.3.3 (CPSR.E) and B4.1.130
   (SCTLR.EE); DDI 0487, SCTLR_ELx (EE, bit 25; E0E, bit 24); DDI 0403, B3.2.6
   (AIRCR.ENDIANNESS, bit 15).  */
const char *tb_halt_big_endian (const struct tb_device *core,
				const struct tb_profile *profile);

#endif /* TB_ARM_MACHINE_HALT_ENDIAN_H */
