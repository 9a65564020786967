/* The code of a program as a graph, with the constants that flow through it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Inside of constants.h.  An instruction is visited again whenever less is known
   before it than was; constants only get fewer, so this ends.

   What there is to know of an instruction set is in a struct tb_code_isa.  */

#ifndef TB_STATE_ASSUME_CODE_GRAPH_H
#define TB_STATE_ASSUME_CODE_GRAPH_H

#include "arm/flow/flow.h"
#include "arm/ir/semantics.h"
#include "snapshot/memmap.h"
#include "state/window/facts.h"
#include "state/state.h"

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

/* The most places of an instruction set, and registers that are followed.  */
#define TB_CODE_PLACES 56
#define TB_CODE_REGISTERS 30

/* Registers as constants go through an instruction.  */
struct tb_code_places
{
  bool known[TB_CODE_PLACES];
  uint64_t value[TB_CODE_PLACES];
  bool lr;			/* LR may be as at the function's entry.  */
  bool table;			/* What is loaded is of a table of targets.  */
  bool has_target;		/* Its branch to a register ...  */
  bool target_known;		/* ... led to TARGET.  */
  uint64_t target;
  bool has_frame;		/* The frame pointer is SP + FRAME.  */
  uint32_t frame;
};

struct tb_insn
{
  uint64_t pc;
  uint32_t opcode;
  uint32_t first;		/* Micro-operations in the pool.  */
  uint8_t count, size;
  bool modelled;
  uint8_t it;			/* Instructions left of its IT block, with it.  */
  uint16_t flags;
  uint32_t known;		/* Bit N: register N is constant before it.  */
  uint32_t before;		/* The instruction that it follows, or NONE.  */
  uint32_t from;		/* A branch that leads here.  */
  uint32_t frame;		/* See struct tb_code_places; with HAS_FRAME.  */
  bool has_frame;
  uint32_t root;		/* Of the function (union-find).  */
  uint64_t function;		/* In a root: the lowest entry.  */
};

struct tb_constants
{
  const struct tb_code_isa *isa;
  struct tb_state *window;
  const struct tb_profile *profile;
  const struct tb_memmap *map;
  enum tb_space space;
  const struct tb_state_options *options;
  struct tb_insn *code;
  size_t ncode, code_room;
  uint64_t *values;		/* So many of each instruction as registers.  */
  size_t values_room;
  uint32_t *hash;		/* Number + 1, by PC.  */
  size_t hash_size;
  struct tb_uop *uops;
  size_t nuops, uops_room;
  uint32_t *queue;
  size_t nqueue, queue_room;
  uint64_t *pointers;		/* Stored code pointers, in order.  */
  size_t npointers, pointers_room;
  uint64_t *branches;		/* Where code before an entry that was found by a
				   pointer may branch to.  */
  size_t nbranches, branches_room;
  uint32_t cases;		/* Of jumps through tables, tried so far.  */
  bool failed;			/* No memory, or too much code.  */
  bool no_memory;		/* The former.  */
};

/* An instruction of the window, and a step.  */
struct tb_code_step
{
  uint64_t pc;
  uint32_t opcode;
  uint8_t size;
  bool ours;			/* It is of the code that is analysed.  */
  bool taken;
  bool changed;			/* There are changes before it.  */
};

/* What happened between two steps.  */
enum tb_code_change_kind
{
  TB_CODE_ENTERED,		/* An exception, to return to ADDRESS.  */
  TB_CODE_CHAINED,		/* From one handler to the next.  */
  TB_CODE_RETURNED,		/* To ADDRESS.  */
  TB_CODE_LOST
};

struct tb_code_change
{
  uint8_t kind;
  uint64_t address;
};

/* How an instruction uses the return address as a number.  */
enum
{
  TB_LR_READ = 1, TB_LR_READ_FIRST = 2,		/* Before it is written.  */
  TB_LR_WRITTEN = 4
};

enum tb_code_role
{
  TB_CODE_PLAIN,
  TB_CODE_SERVICE,		/* What serves it may give back results.  */
  TB_CODE_TAIL			/* A jump that is a tail call.  */
};

struct tb_code_isa
{
  unsigned registers;		/* Those that are followed are places 0 ...  */
  unsigned slots;		/* Places that live on.  */
  unsigned lr;
  uint32_t kept;		/* Registers that calls keep.  */
  uint64_t pointer_bit;		/* Set in pointers to code.  */
  unsigned pointer_size, unit;	/* Bytes of pointers; code is aligned to UNIT. */
  /* Of micro-operations: the width of values, how many places instructions may know
     (slots and temporaries), and the first of the flags.  */
  unsigned width, places, flags;

  /* Describe the instruction at I->pc; its operations go to UOPS.  False: no code
     is there.  */
  bool (*describe) (const struct tb_constants *c, struct tb_insn *i,
		    struct tb_uop *uops);
  void (*flow) (const struct tb_constants *c, const struct tb_insn *i,
		struct tb_flow *flow);
  /* What becomes of P's frame in I; NULL: none is followed.  */
  void (*frame) (const struct tb_constants *c, const struct tb_insn *i,
		 struct tb_code_places *p);
  unsigned frame_pointer, sp;	/* Places.  */
  enum tb_code_role (*role) (const struct tb_insn *i);
  /* The condition of the conditional branch I; 16: it is none.  */
  unsigned (*condition) (const struct tb_constants *c,
			 const struct tb_insn *i);
  /* The condition that governs I by itself; 16: none does.  NULL: there are no such
     instructions.  */
  unsigned (*governs) (const struct tb_insn *i);
  /* Is I a comparison of register *INDEX with *BOUND?  */
  bool (*compare) (const struct tb_insn *i, unsigned *index, uint64_t *bound);
  /* The registers that I may write; *FLAGS: and the flags.  */
  uint32_t (*writes) (const struct tb_constants *c, const struct tb_insn *i,
		      bool *flags);
  /* Are BYTES, at I->pc, a direct call?  Fills in I.  */
  bool (*call_at) (const uint8_t *bytes, struct tb_insn *i);
  /* Enter where execution is known to begin.  NULL: vectors are where VBAR says, which is
     not told; the trace shows those that count.  */
  void (*enter) (struct tb_constants *c);
};

/* Of the M profile, of the A and R profile (A32, T32), and of A64.  */
extern const struct tb_code_isa tb_code_t32, tb_code_ar, tb_code_a64;

/* code-window.c.  The SIZE bytes at ADDRESS, which do not change; false: they may.  */
bool tb_code_constant (const struct tb_constants *c, uint64_t address,
		       unsigned size, uint64_t *value);
/* The SIZE bytes at ADDRESS as the instruction at PC has them beside it; false: they
   are not known.  */
bool tb_code_literal (const struct tb_constants *c, uint64_t pc, uint64_t address,
		      unsigned size, uint64_t *value);
/* Of the window: a distinct instruction; step I, which returns the number of its
   instruction; changes before it, and the names of the registers.  */
void tb_code_template (const struct tb_constants *c, size_t number,
		       struct tb_code_step *step);
size_t tb_code_step_at (const struct tb_constants *c, uint64_t i,
			struct tb_code_step *step);
unsigned tb_code_changes (const struct tb_constants *c, uint64_t i,
			  struct tb_code_change *changes, unsigned capacity);
const tb_vid *tb_code_names (const struct tb_constants *c, uint64_t i);
bool tb_code_known (const struct tb_constants *c, tb_vid name, uint64_t *value);

/* The number of the instruction at PC; NONE: there is none yet.  */
uint32_t tb_code_find (const struct tb_constants *c, uint64_t pc);

/* The same; made if need be.  NONE also where no code is.  */
uint32_t tb_code_at (struct tb_constants *c, uint64_t pc);

/* Execution gets to PC by ways that are not known.  FLAGS: TB_CODE_FUNCTION or
   0.  True if that is news.  */
bool tb_code_enter (struct tb_constants *c, uint64_t pc, unsigned flags);

/* The constants before number I: an array of as many as there are registers.  */
static inline uint64_t *
tb_code_values (const struct tb_constants *c, uint32_t i)
{
  return c->values + (size_t) i * c->isa->registers;
}

/* Is I a call: does execution go on after it, when the callee returns?  */
bool tb_code_is_call (const struct tb_flow *flow);

/* Visit until nothing changes.  */
void tb_code_run (struct tb_constants *c);

/* The places before instruction I.  */
void tb_code_load (const struct tb_constants *c, uint32_t i,
		   struct tb_code_places *p);

/* code-eval.c: run I on P.  */
void tb_code_eval (const struct tb_constants *c, const struct tb_insn *i,
		   struct tb_code_places *p);

/* How I uses the return address: TB_LR_...  */
unsigned tb_code_lr_use (const struct tb_constants *c, const struct tb_insn *i);

/* For tb_code_eval: P keeps only what is as in Q, as what ran between Q and P may not
   have.  */
void tb_code_maybe (const struct tb_constants *c, struct tb_code_places *p,
		    const struct tb_code_places *q);

/* What a call leaves of the registers.  */
void tb_code_after_call (const struct tb_constants *c,
			 struct tb_code_places *p);

/* Execution may go from number FROM to PC with P.  JUMP: not in sequence; IT: the
   instructions left of an IT block.  Returns the number of the instruction
   there.  */
uint32_t tb_code_edge (struct tb_constants *c, uint32_t from, uint64_t pc,
		       const struct tb_code_places *p, bool jump, unsigned it);

/* The root of the function of number I.  */
uint32_t tb_code_root (struct tb_constants *c, uint32_t i);

/* Number I is an indirect jump, or a call of a function that uses its return
   address, after a bound was checked: flow to all its targets, with P.  False:
   they are not evident.  */
bool tb_code_switch (struct tb_constants *c, uint32_t i,
		     const struct tb_code_places *p);

#endif /* TB_STATE_ASSUME_CODE_GRAPH_H */
