/* What code tells of the tasks that run it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The M profile's code only (T32), as the dump or the program has it.  */

#ifndef TB_RECORDING_TASK_CODE_H
#define TB_RECORDING_TASK_CODE_H

#include "recording/recording.h"

/* Does nothing lead out of the function that has ADDRESS in SPACE, once execution is there?
   That is the function of a task, then, or of main: nobody called it, and nobody else waits
   in a call of it.  False where the code is not known, or is not understood.  */
bool tb_code_is_endless (const struct tb_recording *recording, unsigned space,
			 uint64_t address);

/* May it be no chance that an interrupt comes right before the instruction at ADDRESS in
   SPACE?  Interrupts that waited are taken where they are let in, and where software asks
   for a switch: behind barriers and instructions that write special registers, also of what was
   called right before; and where software waits.  True where the code is not known.  */
bool tb_code_is_waiting (const struct tb_recording *recording, unsigned space,
			 uint64_t address);

#endif /* TB_RECORDING_TASK_CODE_H */
