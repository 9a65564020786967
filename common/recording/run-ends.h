/* Run ends: how a run of instructions goes on, and in which function it is, worked
   out once for each piece of code.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_RUN_ENDS_H
#define TB_RECORDING_RUN_ENDS_H

#include "recording/recording.h"
#include "recording/window.h"
#include "snapshot/symbols.h"

struct tb_run_end
{
  uint64_t start, end;		/* The run.  */
  uint64_t last, next;		/* Its last instruction, and behind that.  */
  uint64_t target;		/* KIND TB_FLOW_BRANCH: where to.  */
  /* The last instruction is a branch, no call by itself, but the link register was
     set before: where what it branches to returns.  TB_BACK_NONE: not so.  */
  uint64_t back;
  const struct tb_function *function;	/* That START is in; or NULL.  */
  /* The first PART instructions, which end at PART_END, are in it; 0: all.  */
  uint64_t part_end;
  uint32_t part;
  uint32_t opcode;		/* Of the last one, in a log.  */
  uint8_t space, isa;
  uint8_t kind, sub;		/* Of struct tb_flow, as is */
  bool conditional;
  uint8_t stack;		/* Of the M profile: tb_stack_code of its last part.  */
};

struct tb_run_ends;

/* RECORDING and SYMBOLS (NULL: none) are borrowed.  NULL: no memory.  */
struct tb_run_ends *tb_run_ends_new (struct tb_recording *recording,
				     const struct tb_symbols *symbols);
void tb_run_ends_free (struct tb_run_ends *ends);

/* How RUN ends; valid until the next call, and so is *KEPT, of one before: it is
   made to point to a copy if need be.  *ASKED is set if RECORDING was asked.  NULL:
   no memory.  */
const struct tb_run_end *tb_run_ends_find (struct tb_run_ends *ends,
					   const struct tb_run *run,
					   const struct tb_run_end **kept,
					   bool *asked);

#endif /* TB_RECORDING_RUN_ENDS_H */
