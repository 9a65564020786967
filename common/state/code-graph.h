/* The code of a program as a graph, with the constants that flow through it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Inside of constants.h.  An instruction is visited again whenever less is known
   before it than was; constants only get fewer, so this ends.  */

#ifndef TB_STATE_CODE_GRAPH_H
#define TB_STATE_CODE_GRAPH_H

#include "arm/flow.h"
#include "state/constants.h"

/* Beyond this many instructions the program is not analysed.  */
#define TB_CODE_LIMIT (UINT32_C (1) << 20)

#define TB_CODE_NONE UINT32_MAX

/* Flags of an instruction.  */
enum
{
  TB_CODE_SEEN = 1,		/* Its constants mean something.  */
  TB_CODE_QUEUED = 2,
  /* Reached by other ways than those of the graph: nothing is known.  */
  TB_CODE_ENTRY = 4,
  TB_CODE_FUNCTION = 8,		/* A function begins here.  */
  TB_CODE_JUMPED = 16,		/* A branch leads here: FROM ...  */
  TB_CODE_JUMPED_MORE = 32,	/* ... and others.  */
  TB_CODE_SWITCH = 64,		/* A jump whose targets are all known.  */
  TB_CODE_CASE = 128,		/* One of such targets.  */
  /* Its function cannot be analysed: a jump to who knows where, or a callee
     that may not return to the next instruction.  */
  TB_CODE_WILD = 256,
  TB_CODE_RETURN = 512,		/* Calls return here.  */
  TB_CODE_LR = 1024,		/* LR may be as at the function's entry.  */
  TB_CODE_LR_USED = 2048	/* And is read, not to return.  */
};

/* Registers as constants go through an instruction.  */
struct tb_code_places
{
  bool known[TB_NPLACES];
  uint32_t value[TB_NPLACES];
  bool lr;			/* LR may be as at the function's entry.  */
  bool has_target;		/* Its TARGET operation ...  */
  bool target_known;		/* ... led to TARGET.  */
  uint32_t target;
};

struct tb_code
{
  uint32_t pc, opcode;
  uint32_t first;		/* Micro-operations in the pool.  */
  uint8_t count, size;
  bool modelled;
  uint8_t it;			/* Instructions left of its IT block, with it.  */
  uint16_t flags;
  uint16_t known;		/* Bit N: rN is VALUE[N] before it.  */
  uint32_t value[TB_CONSTANTS_REGS];
  uint32_t before;		/* The instruction that it follows, or NONE.  */
  uint32_t from;		/* A branch that leads here.  */
  uint32_t root;		/* Of the function (union-find).  */
  uint32_t function;		/* In a root: the lowest entry.  */
};

struct tb_constants
{
  struct tb_state *state;
  struct tb_code *code;
  size_t ncode, code_room;
  uint32_t *hash;		/* Number + 1, by PC.  */
  size_t hash_size;
  struct tb_uop *uops;
  size_t nuops, uops_room;
  uint32_t *queue;
  size_t nqueue, queue_room;
  uint32_t *pointers;		/* Stored code pointers, in order.  */
  size_t npointers, pointers_room;
  uint32_t cases;		/* Of jumps through tables, tried so far.  */
  bool failed;			/* No memory, or too much code.  */
};

/* The number of the instruction at PC; NONE: there is none yet.  */
uint32_t tb_code_find (const struct tb_constants *c, uint32_t pc);

/* The same; made if need be.  NONE also where no code is.  */
uint32_t tb_code_at (struct tb_constants *c, uint32_t pc);

/* Execution gets to PC by ways that are not known.  FLAGS: TB_CODE_FUNCTION or
   0.  True if that is news.  */
bool tb_code_enter (struct tb_constants *c, uint32_t pc, unsigned flags);

/* How instruction I goes on.  */
void tb_code_flow (const struct tb_constants *c, const struct tb_code *i,
		   struct tb_flow *flow);

/* Is I a call: does execution go on after it, when the callee returns?  */
bool tb_code_is_call (const struct tb_flow *flow);

/* Visit until nothing changes.  */
void tb_code_run (struct tb_constants *c);

/* The places before instruction I.  */
void tb_code_load (const struct tb_code *i, struct tb_code_places *p);

/* Run COUNT operations on P.  */
void tb_code_eval (const struct tb_constants *c, const struct tb_uop *uops,
		   unsigned count, struct tb_code_places *p);

/* Execution may go from number FROM to PC with P.  JUMP: not in sequence; IT: the
   instructions left of an IT block.  Returns the number of the instruction
   there.  */
uint32_t tb_code_edge (struct tb_constants *c, uint32_t from, uint32_t pc,
		       const struct tb_code_places *p, bool jump, unsigned it);

/* The root of the function of number I.  */
uint32_t tb_code_root (struct tb_constants *c, uint32_t i);

/* Does the function at PC make use of its return address other than to return?
   Only the instructions up to the first branch are looked at.  */
bool tb_code_uses_lr (struct tb_constants *c, uint32_t pc);

/* Number I is an indirect jump, or a call of a function that uses its return
   address, after a bound was checked: flow to all its targets, with P.  False:
   they are not evident.  */
bool tb_code_switch (struct tb_constants *c, uint32_t i,
		     const struct tb_code_places *p);

#endif /* TB_STATE_CODE_GRAPH_H */
