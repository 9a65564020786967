/* Does the trace end where the core was halted, or at an earlier visit of the same
   PC?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A trace unit may have stopped early (a trigger, a filter, a full buffer) while the
   core ran on; where the halt is at the PC of the trace's end all the same, as in a
   loop, its registers and RAM are not those of the end.  So the PC alone does not
   do.  One of these does:

   - the trace unit: it traced the debugger's halt; or its registers show that it
     was tracing then (tb_recording_reaches_halt);
   - the code: it cannot come back to that PC, as it ends in an endless loop; where the
     packets of an MTB were found, no interrupt may leave the loop if the PC is in it;
   - the values: the halt contradicts a trace that ended at any of the visits of that PC
     before, so it would one that ended too early; where there are few such visits,
     several places in RAM that the trace stores different values to have also what it,
     without the halt, makes certain that it stored there last.

   What is taken for granted is the premise ends-at-halt (state/premise.c).  */

#ifndef TB_STATE_EVIDENCE_HALT_H
#define TB_STATE_EVIDENCE_HALT_H

#include "state/state.h"

/* The registers of CORE at the halt, by arm/machine/regs.h, into VALUES, which is zero.  */
void tb_state_at_halt (const struct tb_device *core,
		       const struct tb_profile *profile,
		       struct tb_value *values);

/* Of the registers VALUES only what tells of stacks stays.  */
void tb_halt_keep_stack (const struct tb_profile *profile,
			 struct tb_value *values);

/* The stack pointer in use at the halt, VALUES, lies in no dump of MAP, although RAM
   was dumped: then it is none of the halt's, nor is what it was copied from, and all
   of them are taken out of VALUES.  PC is that of the halt.  */
bool tb_halt_drop_stack (const struct tb_memmap *map,
			 const struct tb_profile *profile, uint64_t pc,
			 struct tb_value *values);

/* What shows that the trace of RECORDING ends at the halt of OPTIONS, as far as it
   ends at its PC.  */
enum tb_halt_proof tb_halt_prove (struct tb_recording *recording,
				  const struct tb_state_options *options);

/* Say of STATE, which was just made, what of its halt is not used.  */
void tb_halt_say (const struct tb_state *state, struct tb_diag *diag);

#endif /* TB_STATE_EVIDENCE_HALT_H */
