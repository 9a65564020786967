/* Random walks over random programs: what ran, in no trace protocol's terms.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_WALK_H
#define GEN_WALK_H

#include "generator/program.h"

enum gen_event
{
  GEN_STEP,			/* One instruction was executed.  */
  GEN_EXCEPTION,
  GEN_RETURN,			/* M profile: the branch before was the return
				   from an exception.  */
  GEN_CONTEXT,			/* From here on.  Only after a waypoint, an
				   exception or a gap.  */
  GEN_TIME,			/* A timestamp.  */
  GEN_TRIGGER,			/* An event of the trace unit.  */
  GEN_SYNC,			/* A good moment for synchronisation.  */
  GEN_OFF,			/* Tracing stops; what runs meanwhile is not in
				   the walk.  */
  GEN_HALTED,			/* As OFF, for the debugger.  */
  GEN_LOST			/* As OFF, by an overflow of the trace unit.  */
};

/* Exceptions of the A profile.  Of the M profile they are vector numbers.  */
enum gen_exception
{
  GEN_EXC_CALL, GEN_EXC_TRAP, GEN_EXC_SYSTEM_ERROR, GEN_EXC_FETCH_FAULT,
  GEN_EXC_DATA_FAULT, GEN_EXC_IRQ, GEN_EXC_FIQ, GEN_EXC_COUNT,
  GEN_EXC_HALT = 0x1000		/* Of either profile; a HALTED follows.  */
};

struct gen_context
{
  uint32_t cid, vmid;
  uint8_t el;
  bool nonsecure;
};

static inline bool
gen_context_same (const struct gen_context *a, const struct gen_context *b)
{
  return a->cid == b->cid && a->vmid == b->vmid && a->el == b->el
	 && a->nonsecure == b->nonsecure;
}

struct gen_item
{
  uint8_t kind;			/* enum gen_event  */
  bool passed;			/* STEP: the condition, if any, passed.  */
  bool tail_chain;		/* EXCEPTION: taken instead of a return.  RETURN:
				   such an exception follows.  */
  uint8_t next_isa;		/* STEP: of NEXT.  */
  uint16_t number;		/* EXCEPTION, TRIGGER.  */
  uint16_t cycles;		/* STEP: it took.  */
  uint32_t insn;		/* STEP: number in the program.  */
  /* STEP: where a taken branch led, else the next in sequence.  EXCEPTION: the
     preferred return address.  TIME: the value.  RETURN: where execution goes
     on if no tail chain follows.  */
  uint64_t value;
  uint64_t handler;		/* EXCEPTION: where it led.  */
  struct gen_context context;	/* CONTEXT  */
};

struct gen_walk
{
  const struct gen_program *program;
  struct gen_item *items;	/* One more follows them, all zero.  */
  size_t count, capacity;
  struct gen_context start;	/* Context of the first step.  */
  uint64_t end;			/* Address of what would run next.  */
  uint8_t end_isa;
};

/* What a walk has; in 10000th of its steps.  */
struct gen_walk_options
{
  unsigned steps;		/* How long.  */
  unsigned exceptions, contexts, times, triggers, gaps, losses, syncs;
};

void gen_walk_make (struct gen_walk *walk, const struct gen_program *program,
		    const struct gen_walk_options *options,
		    struct gen_random *random);
void gen_walk_free (struct gen_walk *walk);

#endif /* GEN_WALK_H */
