/* Inside of state: the window of steps that is analysed.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Opening makes a description of each distinct instruction (code.c), names a
   new value for each write along the steps (build.c, exceptions.c), states what
   is known at the end (ends.c) and solves.  Names are not kept for each step:
   naming is repeated from the checkpoint before a step that is asked for, and
   gives the same numbers.  */

#ifndef TB_STATE_WINDOW_INTERNAL_H
#define TB_STATE_WINDOW_INTERNAL_H

#include "state/window/facts.h"
#include "state/solver/graph.h"
#include "state/memory/memory.h"
#include "state/memory/namer.h"
#include "state/state.h"
#include "state/window/code-stores.h"
#include "state/window/names.h"
#include "state/window/owners.h"
#include "state/window/trust.h"
#include "state/window/walk.h"

/* A distinct instruction.  */
struct tb_template
{
  uint64_t pc;
  uint32_t opcode;
  uint32_t first;		/* Its micro-operations in the pool.  */
  uint8_t count;
  uint8_t size;
  uint8_t isa;
  uint8_t space;		/* enum tb_space; A64.  */
  uint8_t flags;		/* TB_SEM_...  */
  uint8_t it;			/* The condition that governs it, TB_IT_NONE, or
				   IT_UNSURE.  */
  bool modelled;
  bool may_write;		/* It may change memory where nobody knows.  */
  uint8_t reads, writes;	/* Of N Z C V, bits 0 .. 3.  */
};

/* Bytes of T; where nothing was read, as many as it may have.  */
static inline unsigned
tb_template_size (const struct tb_template *t)
{
  return t->size != 0 ? t->size : 4;
}

/* What is kept of each step: its template and these bits.  */
#define TB_INFO_TEMPLATE UINT32_C (0x03ffffff)
#define TB_INFO_TAKEN UINT32_C (0x04000000)	/* Or its condition passed.  */
#define TB_INFO_EVENTS UINT32_C (0x08000000)
#define TB_INFO_LIVE 28		/* Bits 28 .. 31: N Z C V are read later.  */
#define TB_INFO_NOT_TAKEN UINT32_C (0x10000000)	/* A64, instead of those.  */

/* What happens between two steps, as far as state is concerned.  */
enum tb_change_kind
{
  TB_CHANGE_LOST,		/* Anything may have happened.  */
  TB_CHANGE_ENTRY,		/* Exception entry; M profile: with stacking.  */
  TB_CHANGE_RETURN,		/* Exception return with unstacking.  */
  TB_CHANGE_RETURN_MAYBE,	/* That or a tail chain.  */
  TB_CHANGE_TAIL,		/* From one handler to the next.  */
  TB_CHANGE_CONTEXT,		/* A and R profile, A64: a context is stated.  */
  TB_CHANGE_WRITTEN		/* A log: others wrote the slots ADDRESS; the last
				   one before a step.  */
};

struct tb_change
{
  uint64_t step;		/* It lies before this step.  */
  uint8_t kind;
  bool unless_seen;		/* RETURN_MAYBE: the stacked return address
				   proves nothing.  */
  uint8_t el;			/* CONTEXT: exception level, if 0 to 3 (A64: or
				   TB_A64_NO_EL).  */
  uint8_t taken;		/* ENTRY, TAIL: enum tb_exception  */
  uint16_t number;		/* M profile: exception; TB_EXCEPTION_UNKNOWN.
				   CONTEXT: the security state << 8.  */
  uint64_t address;		/* Return address, or where it resumes (0: not
				   told); CONTEXT: as of
				   tb_context_number; LOST: 1 if a log
				   shows what it changed of general registers.  */
  uint32_t exc_return;		/* RETURN, TAIL; 0: not told.  */
};

/* By which number the memory of the CONTEXT event E is told from others': a context ID is
   that of one machine.  */
static inline uint64_t
tb_context_number (const struct tb_event *e)
{
  return (uint32_t) e->value | e->address << 32;
}

#define TB_CHECKPOINT_STEPS 256

/* Where a log contradicts an instruction.  */
struct tb_stated_fault
{
  bool found;			/* Else it takes several of FIRST to LAST.  */
  bool stored;			/* It is what is stored at ADDRESS, not REG.  */
  uint8_t reg;			/* By arm/machine/regs.h, ...  */
  const char *name;		/* ... unless this is a flag's name.  */
  uint64_t step, told, made, first, last, address;
};

struct tb_state
{
  struct tb_recording *recording;
  const struct tb_profile *profile;
  struct tb_state_options options;
  enum tb_halt halt;
  enum tb_space halt_space;	/* Its dumps are looked at from it.  */
  bool stack_lost;		/* SP at the halt lies in no dump.  */
  bool end_open;		/* The trace ends with a branch to where it does
				   not tell.  */
  bool find_end;		/* It is looked for (tb_state_ends_at_halt).  */
  bool aligned;			/* Unaligned accesses fault (v6-M).  */
  bool exceptions;		/* Entry and return are modelled.  */
  bool has_fp;			/* FP registers may be in use (M profile).  */
  bool saves_fp;		/* They are, once an instruction has used them:
				   FPCCR.ASPEN, which is assumed.  */
  bool fp;			/* They are followed (fp.h).  */
  tb_vid fpccr[2];		/* The byte of FPCCR that is followed (memory/fpccr.h)
				   where the window begins and ends; 0: it is not.  */
  bool has_psp;			/* So may PSP.  */
  bool two_worlds;		/* ARMv8-M: both security states may be.  */
  bool has_monitor;		/* A and R profile: Monitor mode is used.  */
  bool has_hyp;			/* And Hyp mode.  */
  bool big_endian;		/* Data may be, or what is not aligned is accessed
				   in other ways.  */
  uint32_t plain_tables[8];	/* Vector tables that are not Monitor mode's.  */
  unsigned nplain_tables;
  bool stkalign;		/* Frames are aligned to 8 bytes.  */
  bool conditions_told;		/* The trace tells of every instruction whether
				   its condition passed.  */

  uint64_t base, steps;		/* The window: steps BASE to BASE + STEPS.  */
  uint64_t context;		/* A and R profile: at its begin.  */
  uint32_t regime;
  bool last;			/* It is the last of the trace.  */
  bool worked;			/* It was solved before.  */
  bool next_known;		/* The instruction after it: where it is.  */
  uint64_t next_pc;
  /* What is known at its ends by the windows before and after it; NULL: nothing.
     The second ones hold under assumptions.  */
  struct tb_border *before[2], *after[2];
  bool assuming;		/* Those it is to be solved with.  */
  uint32_t border_accesses, border_values;	/* That BEFORE made.  */
  uint32_t *info;		/* STEPS entries.  */
  struct tb_template *templates;
  size_t ntemplates, templates_room;
  /* So many come first, followed by their twins (trust.h); 0: there are none.  */
  size_t own_templates;
  struct tb_uop *uops;
  size_t nuops, uops_room;
  struct tb_change *changes;
  size_t nchanges, changes_room;
  /* Names every TB_CHECKPOINT_STEPS, CHECKPOINT_SIZE bytes each: all but those of
     FP registers where there are none.  */
  unsigned char *checkpoints;
  size_t ncheckpoints, checkpoint_size;
  struct tb_owners owners;	/* Of the accesses.  */

  struct tb_graph graph;
  struct tb_memory memory;
  struct tb_trust trust;	/* In the window.  */
  struct tb_trust all_trust;	/* In the whole trace, if nobody else knew.  */
  /* Steps that did not run what the dump holds.  */
  struct tb_recoded recoded;
  struct tb_code_stores code;	/* Of the last window: what all ran and stored.  */
  bool *devices;		/* As in the options; NULL: others found them.  */
  struct tb_extents untraced, disputed;	/* The same, found here.  */
  unsigned start;		/* TB_START_... that is used.  */
  /* Disproved assumptions that the user was told of, when it was solved before:
     steps of calls, and addresses of functions with bit 63.  */
  uint64_t told[32];
  unsigned ntold;
  unsigned start_used;		/* Of the last window: that of the first.  */
  uint32_t reset_sp;		/* SP at the reset; 0: not known.  */

  /* A log's recording: what it states of registers and memory, and the state of the
     same steps where that and the code tell more (NULL: nothing does); nothing else
     is in use then.  */
  struct tb_state_log *log;
  struct tb_state *derived;
  /* In DERIVED: what the log states, and the names that it was put to so far.  */
  struct tb_state_log *stated;
  const struct tb_teller *teller;	/* What tells by that, or else by TRACED.  */
  tb_vid stated_names[TB_BORDER_SLOTS];	/* By slot.  */
  tb_vid stated_nz;		/* Of the flags without names.  */
  struct tb_stated_fault stated_fault;	/* In that of the last window.  */
  struct tb_traced *traced;	/* What data trace tells; NULL: nothing.  */
  bool tells;			/* TELLER has something to tell of values.  */

  /* Cores with AArch64: what only they have; NULL: others.  */
  struct tb_a64 *a64;

  /* The registers at the halt, by arm/machine/regs.h, whatever the core.  */
  struct tb_value at_halt[TB_NREGS_MAX];
  struct tb_vector vectors_at_halt[TB_NVECTORS];

  /* The same steps solved with assumptions; NULL: there are none.  */
  struct tb_state *assumed;
  /* The same under other options: the first of a list (explain/variants.h).  */
  struct tb_state *variants;
  const struct tb_state *origin;	/* A variant: what it is one of.  */
  /* The other windows, in the state of the last one; NULL: there are none.  */
  struct tb_windows *windows;
  bool glance;			/* It is a part of a window (glance.c).  */
  bool named;			/* See tb_state_name.  */
  bool in_parts;		/* It is solved in two parts.  */
  /* In that state.  */
  struct tb_facts facts;
  struct tb_tasks *tasks;	/* NULL: nobody asked (assume/tasks.h).  */
  /* The names before step BASE + CURSOR; VALID: there are any.  */
  struct tb_names names;
  uint64_t cursor;
  bool cursor_valid;
  struct tb_walk walk;
};

/* Are registers stated that are known before S, in the second of two parts, so that what is known
   of them may change until then?  In A and R profile modes are named by them.  */
static inline bool
tb_state_states_late (const struct tb_state *s)
{
  return s->in_parts && (s->a64 != NULL || s->profile->is_m);
}

/* The number of templates of S, without their twins (trust.h).  */
static inline size_t
tb_own_templates (const struct tb_state *s)
{
  return s->own_templates != 0 ? s->own_templates : s->ntemplates;
}

/* state.c: as tb_state_open, whatever the recording's source: all its windows.  */
struct tb_state *
tb_state_open_windows (struct tb_recording *recording,
		       const struct tb_state_options *options,
		       struct tb_diag *diag);

/* state.c: a state of the STEPS steps of RECORDING from BASE on, not solved.
   NULL: no memory.  */
struct tb_state *tb_state_make (struct tb_recording *recording,
				const struct tb_state_options *options,
				uint64_t base, uint64_t steps);

/* start.c: see which of what the user says of the start can be, and tell DIAG what
   cannot.  */
void tb_state_find_start (struct tb_state *state, struct tb_diag *diag);

/* Is the handler at PC the one that a vector table, if dumps and images begin with
   one, has for a reset, and for nothing else?  */
bool tb_state_resets_to (const struct tb_state *state, uint64_t pc);

/* evidence.c: if there is a contradiction because of what is said of the start, that
   is not used.  False: no memory.  */
bool tb_state_try_start (struct tb_state *state, struct tb_diag *diag);

/* If STATE, of the last window, has been solved without the halt and knows that the
   branch the trace ends with goes there, solve with it.  False: no memory.  */
bool tb_state_find_end (struct tb_state *state);

/* The trace ends with an indirect branch and does not tell where to: is it known
   all the same, and is it where the core was halted?  */
bool tb_state_ends_at_halt (struct tb_state *state);

/* Find what of the window is not to be reasoned about, by what the decoder
   found.  False: no memory.  */
bool tb_state_find_trust (struct tb_state *state);

/* Give up what FROM has given up, a state of the same window.  False: no memory.  */
bool tb_state_take_trust (struct tb_state *state, const struct tb_state *from);

/* Solve, and if the input contradicts itself with less and less of it, as DIAG is
   told.  False: no memory.  */
bool tb_state_solve_sound (struct tb_state *state, struct tb_diag *diag);

/* S, a window of the log of HOME, contradicts itself: rely on less (enum tb_stated).
   False: no memory.  */
bool tb_state_doubt_log (struct tb_state *s, struct tb_state *home);

/* Tell DIAG what of the log of HOME is not relied on.  */
void tb_state_say_doubt (const struct tb_state *home, struct tb_diag *diag);

/* Solve the window, with the assumptions that are asked for; where it contradicts
   itself or the halt with less and less.  *MORE: another window, and so all of
   them, must be solved again, as less of what was taken for granted holds.  False
   without memory.  */
bool tb_state_work (struct tb_state *state, struct tb_state *home, bool *more,
		    struct tb_diag *diag);

/* What STATE knows at its first or, if END, its last border.  NULL: no memory.  */
struct tb_border *tb_state_border (struct tb_state *state, bool end);

/* Let go of what only solving needs.  */
void tb_state_freeze (struct tb_state *state);

/* Name, state what is known and the first PAIRS and CONSTANTS of STATE->facts,
   and solve; false without memory.  */
bool tb_state_solve (struct tb_state *state, size_t pairs, size_t constants);

/* state.c: do what of tb_state_solve does not depend on the windows behind, of STATE, which
   is not the last window and has what is known before it, of registers perhaps not all
   (tb_state_states_late): make names of the steps; NAMED says that it is done.  */
void tb_state_name (struct tb_state *state);

/* Then work out a part of what follows from those alone.  It needs nothing but STATE and
   the memory map, and however much of it is done before tb_state_solve, that comes to the
   same.  False: there is no more.  */
bool tb_state_solve_alone (struct tb_state *state);

/* code.c: read the window's steps and events, describe the instructions.  */
bool tb_state_load (struct tb_state *state);

/* returns.c: tell returns from tail chains among the changes.  False: no memory.  */
bool tb_state_settle_returns (struct tb_state *state);

/* The same again, as less of a log is relied on now.  */
bool tb_state_reload (struct tb_state *state);

/* Add CHANGE behind those that there are.  False: no memory.  */
bool tb_state_add_change (struct tb_state *state,
			  const struct tb_change *change);

/* The description of the instruction at ADDRESS, from memory, in *SPACE and UOPS
   (TB_SEM_MAX entries); NULL when it is not readable.  What ARMv6-M does not
   define has no micro-operations: it faults without doing anything.  */
const struct tb_template *tb_state_template_at (struct tb_state *state,
						uint64_t address,
						struct tb_template *space,
						struct tb_uop *uops);

/* The same where it is one of ISA.  */
const struct tb_template *
tb_state_template_of_isa (struct tb_state *state, uint64_t address,
			  enum tb_isa isa, struct tb_template *space,
			  struct tb_uop *uops);

/* rewritten.c: where the steps, which have been solved, are found to write
   instructions, no longer trust those that ran others (code-stores.h); true if that
   is news.  */
bool tb_state_distrust_code (struct tb_state *state);

/* How many steps are not trusted for that.  */
size_t tb_state_recoded (const struct tb_state *state);

/* stretches.c: leave these out.  False: no memory.  */
bool tb_state_apply_recoded (struct tb_state *state);

/* Let HOME, the state of the last window, know what S, one of the windows and solved,
   ran and stored.  *MORE is set if another window is not to be trusted for it.
   False: no memory.  */
bool tb_state_share_code (struct tb_state *home, struct tb_state *s,
			  bool *more);

/* devices.c: find out which dumps are no memory, if nobody has.  False: no memory.  */
bool tb_state_find_devices (struct tb_state *state);

/* STATE, solved by SOLVE when its halt was HALT, contradicts itself: if it does not
   where some dumps that no code ran in and no stack is in are no memory, that is so
   from now on, it is solved so, and DIAG is told (*FOUND).  False: no memory.  */
bool tb_state_try_devices (struct tb_state *state,
			   bool (*solve) (struct tb_state *state),
			   enum tb_halt halt, bool *found,
			   struct tb_diag *diag);

/* features.c: fill in HAS_FP, HAS_PSP and TWO_WORLDS.  */
void tb_state_find_features (struct tb_state *state);

/* features-a.c: fill in HAS_MONITOR and HAS_HYP.  */
void tb_state_find_a_features (struct tb_state *state);

/* exceptions-a.c: fill in PLAIN_TABLES.  */
void tb_state_find_tables (struct tb_state *state);

/* system.c: the bits of ITSTATE in the xPSR of the M profile, or those of how far an
   instruction has come; 0 if they may be set before the T32 instruction at PC.  */
uint32_t tb_state_it_zero (struct tb_state *state, uint64_t pc);

/* build-steps.c: does step I of the window ask somebody else, as semihosting calls do, who may have
   changed anything?  */
bool tb_state_calls_out (const struct tb_state *state, uint64_t i);

/* targets.c: the changes before step I of the window, *COUNT of them.  */
const struct tb_change *tb_build_changes (const struct tb_state *state,
					  uint64_t i, size_t *count);

/* build-steps.c: names before step I of the window, in STATE->names.  */
void tb_state_seek (struct tb_state *state, uint64_t i);

/* Where the stack pointer in use is, and the flag N, which Z, C and V follow.  */
static inline unsigned
tb_slot_sp (const struct tb_state *state)
{
  return state->a64 != NULL ? (unsigned) TB_A64_SP : (unsigned) TB_SLOT_SP;
}

static inline unsigned
tb_slot_n (const struct tb_state *state)
{
  return state->a64 != NULL ? (unsigned) TB_A64_N : (unsigned) TB_SLOT_N;
}

/* The slots N, Z, C and V.  */
static inline uint64_t
tb_slots_nzcv (const struct tb_state *state)
{
  return UINT64_C (15) << tb_slot_n (state);
}

/* How many slots there are.  */
static inline unsigned
tb_nslots (const struct tb_state *state)
{
  return state->a64 != NULL ? (unsigned) TB_A64_NSLOTS : (unsigned) TB_NSLOTS;
}

#endif /* TB_STATE_WINDOW_INTERNAL_H */
