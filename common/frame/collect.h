/* Collection: the trace frame of a step out of what is known before it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A frame has, as far as it is known for certain (or assumed, where an
   assumption is on):
   - the registers;
   - the state variables of enum tb_variable;
   - the code around the PC: GDB falls back to guessing frames, and shows locals
     at wrong addresses, where it cannot read four bytes there.  In memory that
     is not known to be constant it is the instructions that ran nearby;
   - the bytes from the stack pointer upwards;
   - what the step's instruction loads or stores over (its value before);
   - ranges that the user asked for.
   What is not known is not collected; GDB shows it as <unavailable>.  */

#ifndef TB_FRAME_COLLECT_H
#define TB_FRAME_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/frame.h"
#include "frame/moment.h"
#include "recording/recording.h"
#include "state/state.h"

/* What becomes of a frame with unknown registers.  A trace file has no word for
   "this register is not known in this frame".  Measured with GDB 13.1:
   - with the poison, all of tfind works everywhere, also where nothing but the
     PC is known; a backtrace ends at a caller in the poison, or says that it
     lacks a value;
   - without a register block, AArch64 works, and 32-bit Arm in code that has
     DWARF unwinding information; in any other code (no ELF, assembly) tfind says
     "Register 13 is not available" and does so until "tfind end".  */
enum tb_unknown_policy
{
  TB_POLICY_MASK,		/* Its register block has TB_POISON32/64 there.  */
  TB_POLICY_OMIT,		/* It has no register block.  */
  TB_POLICY_SKIP		/* It is left out.  */
};

/* Memory that every frame shall have, where it is known.  */
/* The longest that a frame is asked for in one piece; far more than it can take.  */
#define TB_COLLECT_MOST ((uint64_t) 1 << 20)

struct tb_collect_range
{
  uint64_t address, length;
};

struct tb_collect_options
{
  enum tb_unknown_policy policy;
  unsigned code_before;		/* Bytes of code before the PC.  */
  unsigned code_after;		/* And from it on; at least 4.  */
  unsigned stack;		/* Bytes from SP upwards.  */
  size_t limit;			/* Bytes of a frame's blocks: memory that would
				   exceed it is left out, the user's ranges and
				   the farthest of the stack first.  */
  const struct tb_collect_range *ranges;
  size_t nranges;
  tb_moment_tasks *tasks;	/* See tb_moments_set_tasks.  */
  void *tasks_context;
};

/* The defaults: 64 bytes of code on either side, 256 of stack, 1024 in all.
   Measured on recorded runs of M profile and AArch64 cores: 320 to 700 bytes a
   frame with the filling, so that the default number of frames makes a file of
   6 to 14 MB.  */
#define TB_COLLECT_DEFAULTS { TB_POLICY_MASK, 64, 64, 256, 1024, NULL, 0, \
			      NULL, NULL }

/* What a frame turned out to be.  */
enum tb_collected
{
  TB_COLLECTED,			/* It has a register block.  */
  TB_COLLECTED_BARE,		/* It has none (TB_POLICY_OMIT): GDB takes its
				   tracepoint's address for the PC, so that must
				   be the frame's.  */
  TB_COLLECTED_SKIP,		/* To be left out (TB_POLICY_SKIP).  */
  TB_COLLECTED_NO_PC		/* No frame: its PC is not known.  Only the state
				   at the end of the trace can be so.  */
};

struct tb_collect_info
{
  uint64_t pc;
  uint64_t unknown;		/* As $unknown_registers and $assumed_registers, of */
  uint64_t assumed;		/* registers that are followed.  */
};

struct tb_collector;

/* Collect from STATE and RECORDING, which are borrowed, as are TDESC, of the same core,
   and OPTIONS->ranges.  Frames have the register blocks of TDESC; what is not followed is
   poison there.  NULL: no memory.  */
struct tb_collector *tb_collector_new (struct tb_state *state,
				       struct tb_recording *recording,
				       const struct tb_tdesc *tdesc,
				       const struct tb_collect_options *options);
void tb_collector_free (struct tb_collector *collector);

/* From now on frames shall have the COUNT ranges, which are borrowed, in place of
   those of the options, and LIMIT grows by their length.  */
void tb_collector_want (struct tb_collector *collector,
			const struct tb_collect_range *ranges, size_t count);

/* Make the frame of STEP (the number of steps: the state at the end) into
   FRAME, which is cleared first; FRAME->bytes.failed: no memory.  INFO may be
   NULL.  */
enum tb_collected tb_collect (struct tb_collector *collector, uint64_t step,
			      struct tb_frame *frame,
			      struct tb_collect_info *info);

#endif /* TB_FRAME_COLLECT_H */
