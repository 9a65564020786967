/* Names of the code that a core's dumps have from files, at the addresses at which these were
   mapped: programs and shared libraries of Linux.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_PROGRAMS_H
#define TB_RECORDING_PROGRAMS_H

#include "snapshot/snapshot.h"
#include "snapshot/symbols.h"

/* Has DEVICE, which may be NULL, any?  */
bool tb_programs_any (const struct tb_device *device);

/* Add to SYMBOLS the names of the files that DEVICE, which may be NULL, has mapped (struct
   tb_dump).  An address where processes have different files has no name of theirs; DIAG is told
   how many files that leaves out.  Files without symbols are none.  False: no memory.  */
bool tb_programs_add (struct tb_symbols *symbols, const struct tb_device *device,
		      struct tb_diag *diag);

#endif /* TB_RECORDING_PROGRAMS_H */
