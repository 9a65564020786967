/* The address space that a core was in at the halt.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_MACHINE_HALT_SPACE_H
#define TB_ARM_MACHINE_HALT_SPACE_H

#include "arm/machine/profile.h"
#include "snapshot/snapshot.h"

/* By the registers of CORE (NULL: none), of PROFILE: exception level or mode by CPSR,
   security state by SCR, non-secure where there is none (format, 4.1).  ANY on M
   profile, and where CPSR is not there.  */
enum tb_space tb_halt_space (const struct tb_device *core,
			     const struct tb_profile *profile);

/* The space from which to look at the dumps of CORE (NULL: none), of PROFILE: that of
   all dumps, if they are of one; else that which the core was in at the halt.  ANY: it
   is not known; then bytes count in which all spaces agree.  */
enum tb_space tb_halt_view (const struct tb_device *core,
			    const struct tb_profile *profile);

#endif /* TB_ARM_MACHINE_HALT_SPACE_H */
