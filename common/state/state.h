/* State: what is known of registers and memory before each step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A value is shown as known only where it is certain; see enum tb_origin
   (arm/machine/regs.h).  "Before step N" is the state when instruction N is about to
   run; N equal to the number of steps is the state at the end of the trace.

   Certain rests on the premises of the table in state/premise.c, save those that the
   option DOUBT gives up, and on what the options say themselves (VOLATILES, SHARED,
   PRIVATES, START).

   Where the decoder finds that code is not what ran, or what ran contradicts
   itself, nothing is known of any stretch between gaps that runs the same dump;
   what one window shows to be so counts in all of them.

   What instructions of ARMv6-M, ARMv7-M, ARMv8-M, A32, T32 and A64 do is followed;
   of FP and vector registers loads, stores, moves, bitwise operations and simple ones
   on integers are, other arithmetic leaves a value that is not known.  One
   instruction that is not described, and any of ThumbEE and Jazelle, may have changed every
   register and all memory: there only stretches between such instructions, and the halt
   itself, are known.  Cores before ARMv7 access memory in other ways where it is not
   aligned, and big-endian data (by what is traced, or by CPSR.E, SCTLR.EE or AIRCR at the
   halt, of which a warning tells) are not followed: nothing is known of memory then, but
   at the halt.  */

/* Of a log's recording (recording/facts.h) what its lines tell is stated.  The same
   is worked out of its steps as of hardware trace, from the opcodes and outcomes that
   the log has and what its lines tell of registers and accesses, and shown where
   lines tell nothing; see state/evidence/stated.h, and enum tb_stated where that does not
   fit.  */

#ifndef TB_STATE_STATE_H
#define TB_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/regs.h"
#include "recording/recording.h"
#include "snapshot/elf-image.h"
#include "snapshot/extents.h"
#include "snapshot/snapshot.h"
#include "state/premise.h"

struct tb_state;
struct tb_trust;
struct tb_relied_set;
struct tb_code_stores;
struct tb_poll;
struct tb_faults;

/* Assumptions, a bit each; off unless asked for.  What holds only under one is
   marked TB_ASSUMED.  One that is disproved is reported and undone.  */
enum
{
  /* A function that returns has kept r4 to r11, S16 to S31 (A64: x19 to x29, D8 to
     D15) and SP, as the procedure call standard asks.  */
  TB_ASSUME_AAPCS = 1,
  /* The registers and RAM of the snapshot are those at the end of the trace,
     although the trace does not reach the halt, or nothing but its PC shows that it
     does.  */
  TB_ASSUME_HALT = 2,
  /* Registers hold the constants that the code of the function puts into them on
     every path from its entry; calls return and keep r4 to r11 (A64: x19 to
     x29).  */
  TB_ASSUME_CONSTANTS = 4,
  /* M profile: a task goes on with the registers and the stack that it was suspended
     with, and what was suspended last has its frame in the dump.  */
  TB_ASSUME_TASKS = 8,
  /* M profile: what functions push of the registers that they keep, and what exceptions
     save, is written through the stack pointer only until they get it back (what software
     asked for may be given r0 to r3).  */
  TB_ASSUME_FRAMES = 16,
  /* An access whose address was computed of the address of an object of an ELF file and of
     something that is not known stays within that object.  */
  TB_ASSUME_OBJECTS = 32
};

/* What is known of the start of the trace, as the user says.  */
enum
{
  /* It begins at a reset: on the M profile SP, LR and the special registers are
     known, if the first step is the handler that a vector table names.  */
  TB_START_RESET = 1,
  /* Memory is as ELF files say (INITIAL); with TB_START_RESET only what they load
     straight to where it is.  */
  TB_START_DATA = 2
};

/* For state itself: what shows that the trace ends where the core was halted, and
   not at an earlier visit of the same PC.  */
enum tb_halt_proof
{
  TB_PROOF_SOUGHT,		/* Not looked for yet.  */
  TB_PROOF_FOUND, TB_PROOF_NONE,
  /* It is being looked for: of the halt only the stack pointers count; the window is
     taken to end at the halt.  */
  TB_PROOF_WITNESS, TB_PROOF_CUT
};

/* What of a log is relied on; for state itself.  */
enum tb_stated
{
  /* All: a register that an instruction writes without a line is as it was.  */
  TB_STATED_ALL,
  /* That leads to a contradiction: only what lines tell.  */
  TB_STATED_LINES,
  /* So does that: nothing is worked out, what lines tell is shown.  */
  TB_STATED_NONE
};

struct tb_state_options
{
  /* The device whose "regs" are the halt state; NULL: none is known.  It counts
     only where the trace reaches its PC: where the trace says so or, if it ends
     with an indirect branch, what is known of the branch's register.  */
  const struct tb_device *core;
  /* The trace unit, which may have stopped while the core ran on, so that the PC
     alone does not make the trace end at the halt (see enum tb_halt_proof), and SP
     counts only if it lies in a dump; NULL: the halt is not doubted so.  */
  const struct tb_device *source;
  /* Where there is no trace, look at the dumps of this space alone (and those of no
     space); ANY: from that of the core at the halt.  A trace says itself which
     spaces it ran in.  */
  enum tb_space space;
  /* Memory that the trace unit itself writes (a trace buffer in RAM).  */
  uint64_t trace_ram, trace_ram_length;
  /* Memory of which nothing is known from one moment to another: devices and what
     DMA writes, beside what the architecture's memory map says are devices; and
     RAM that other cores can write.  But nobody else writes PRIVATES, whatever
     SHARED and the memory map say.  Borrowed while the state is open; NULL:
     none.  While some dumped RAM is of these kinds, nothing is concluded from the
     stack being RAM, as it may be there.  */
  const struct tb_extents *volatiles, *shared, *privates;
  uint64_t window;		/* Steps that are worked out together; 0:
				   TB_STATE_WINDOW.  */
  uint64_t glance;		/* Steps before and behind the one that is looked at by
				   tb_state_glance; 0: TB_STATE_GLANCE.  */
  size_t memory;		/* Bytes of windows that are kept beside the last
				   one, those for explanations counted in; 0:
				   TB_STATE_MEMORY.  */
  /* Threads; 0 and 1: the caller's alone.  What is known does not depend on it; while one
     window is worked out, others that come next are begun, which need 64 bytes a step, as many
     as an eighth of the memory that there is in all has room for, but one at least.  */
  unsigned jobs;
  unsigned assume;		/* TB_ASSUME_...  */
  unsigned doubt;		/* TB_PREMISE_... (premise.h) that are not relied on; what
				   else goes with them says tb_state_doubts.  */
  unsigned start;		/* TB_START_...  */
  const struct tb_initial *initial;	/* Borrowed.  */
  size_t ninitial;
  /* Where functions begin, for TB_ASSUME_CONSTANTS (bit 0 does not count);
     borrowed while the state is open.  None: they are found in the code.  */
  const uint64_t *functions;
  size_t nfunctions;
  /* Objects of data by address, for TB_ASSUME_OBJECTS; borrowed while the state is open.  */
  const struct tb_elf_object *objects;
  size_t nobjects;
  /* Of a log only what its lines tell; nothing is worked out.  */
  bool lines_alone;
  /* The search for code that is not what ran (window/faults.h), if it was begun before; it is
     brought to its end and what it found is taken.  NULL: it is to be done.  */
  struct tb_faults *faults;
  /* For state itself, which passes on what one window found out of the whole
     trace.  */
  const struct tb_trust *trust;
  const struct tb_code_stores *stored;	/* By other windows; NULL: unknown.  */
  bool *devices;		/* By region of the memory map: it is no memory.  */
  /* Bytes of the trace buffer whose data are not relied on; memory where they, or what
     is stored there, are not what they seem; and registers at the halt, a bit each by
     arm/machine/regs.h, that are not (evidence/data-doubt.h).  */
  const struct tb_extents *untraced, *disputed;
  uint64_t halt_without;
  struct tb_poll *poll;		/* solver/poll.h  */
  /* Calls are not handed over between windows: one was disproved.  */
  bool calls_apart;
  /* Not to be relied on: a window gave it up when it had told others what it assumed
     (window/relied.h).  NULL: nothing.  */
  const struct tb_relied_set *given_up;
  /* A log: enum tb_stated, as it turned out.  */
  uint8_t stated;
  uint8_t halt;			/* enum tb_halt_proof.  */
  bool explain;			/* Keep what tb_state_why needs; else it works
				   all out once more.  */
  bool makers;			/* Keep how values were made, which
				   tb_reasons_add needs (reasons.h).  */
};

/* The premise that the trace of OPTIONS rests on: how its unit was set was worked out from it,
   or its packets were found in memory; 0: none, a file tells.  */
unsigned tb_state_of_trace (const struct tb_state_options *options);

/* The premises that are not relied on with OPTIONS: those that it doubts, and if that is how the
   trace unit was set, and nobody tells, all that the trace rests on; if it is whether packets that
   were found are of the same run, that it ends at the halt.  */
unsigned tb_state_doubts (const struct tb_state_options *options);

/* A trace is worked out window by window, counted from the end, when a step of one
   is asked for: the last one at opening.  What is known where a window ends is
   handed on to its neighbours, if they are worked out later or asked for again:
   certain facts as certain, assumed ones as assumed.  A window not further than
   2^20 steps before what is worked out already gets all of those in between
   worked out, too; one further away is worked out alone and knows less, until
   tb_state_prepare is called or those next to it are asked for.  So the same
   question may be answered with more later, never with anything else; with less
   where a window that was not worked out before shows a contradiction.  What a window
   assumed, told its neighbours and has then to give up none relies on from then on, and
   all begin again; when that has happened 8 times, none tells any longer what it assumes.
   Windows
   that no one asked for for long make room for others; they are worked out again
   from what is known at their ends.

   Time and memory to work out a window grow with its steps: about 50 to 65 bytes
   a step (A64: 70), of which about 25 (A64: 33) are kept.  */
#define TB_STATE_WINDOW (UINT64_C (1) << 18)
#define TB_STATE_GLANCE (UINT64_C (1) << 13)
#define TB_STATE_MEMORY (tb_state_memory_within (TB_MEMORY_LIMIT))

/* What a program should need at most, beside the files that it maps.  */
#define TB_MEMORY_LIMIT (UINT64_C (512) << 20)

/* How much of LIMIT bytes windows may have, so that there is room for the one that is
   being worked out and all the rest.  */
static inline size_t
tb_state_memory_within (uint64_t limit)
{
  uint64_t kept = limit / 4 * 3;
  return kept < SIZE_MAX ? (size_t) kept : SIZE_MAX;
}

/* Why the halt state counts or not, for the summary.  */
enum tb_halt
{
  TB_HALT_USED,			/* The trace ends at the halt PC.  */
  TB_HALT_NONE,			/* The snapshot has no usable registers.  */
  TB_HALT_ELSEWHERE,		/* The trace ends before the halt PC.  */
  TB_HALT_UNCONFIRMED,		/* It ends at the halt PC, but nothing else shows
				   that the core did not run on and come back
				   there; a warning said so.  */
  TB_HALT_CONTRADICTED		/* It cannot follow from the trace; a warning
				   said so.  */
};

/* Reconstruct.  RECORDING is borrowed.  NULL after a diagnostic.  */
struct tb_state *tb_state_open (struct tb_recording *recording,
				const struct tb_state_options *options,
				struct tb_diag *diag);
void tb_state_close (struct tb_state *state);

/* Was there once no memory for something that STATE, or the recording below it, was
   asked for?  What it answered as unknown may then be known.  */
bool tb_state_no_memory (const struct tb_state *state);

/* Work out all windows from the end back to that of STEP that never were, then,
   where their neighbours know more now, forth and back again some times; what
   contradicts the halt is reported.
   GO_ON, if not NULL, is asked before each window whether to go on.  False without
   memory.  */
bool tb_state_prepare (struct tb_state *state, uint64_t step,
		       bool (*go_on) (void *context), void *context,
		       struct tb_diag *diag);

/* From now on GO_ON is asked each millisecond or so whether to go on with what
   tb_state_prepare, tb_state_ready and tb_state_catch_up work out; perhaps on another thread,
   while the caller's waits for it.  Where it says no they return; what they were at goes on
   when they are called again.  GO_ON NULL: they come to their ends.  */
void tb_state_set_poll (struct tb_state *state, bool (*go_on) (void *context), void *context);

/* Work out what asking for STEP needs, if a poll is set.  False: that said no.  */
bool tb_state_ready (struct tb_state *state, uint64_t step);

/* While ON, what is asked of a step in a window that was never worked out is answered by some
   thousand steps around it, if no assumption is made, and in one whose neighbours know more by
   now by what it knew before: soon, and all that is said is so, but the window may know more.
   For who looks at one moment and does not search.  Returns what it was before.  */
bool tb_state_glance (struct tb_state *state, bool on);

/* Was what is known of STEP told so, and its window not worked out since?  */
bool tb_state_glanced (struct tb_state *state, uint64_t step);

/* Work out the window that was looked at so last, and what comes between that and what is
   known.  False: there is none.  */
bool tb_state_catch_up (struct tb_state *state);

enum tb_halt tb_state_halt (const struct tb_state *state);

/* Do registers and memory at the halt, which do not count for certain, count by
   TB_ASSUME_HALT, which nothing disproved?  */
bool tb_state_halt_assumed (const struct tb_state *state);

/* Which of what the user says of the start (TB_START_...) is used: what agrees with
   the trace.  A trace of several windows is worked out as a whole at opening to see
   that; one of more than 2^20 steps when tb_state_prepare goes back to its first
   step, and until then it is not used.  All that follows
   from it counts as certain; tb_state_why tells where it does.  */
unsigned tb_state_start (const struct tb_state *state);

/* Is the trace's first instruction, of an M profile, that which a vector table has for a reset
   alone, and nothing of the start is used?  If a reset led there TB_START_RESET makes more
   known; software may have gone there, too.  */
bool tb_state_begins_as_reset (const struct tb_state *state);

/* START as --start names it; NULL: nothing.  */
const char *tb_state_start_name (unsigned start);

/* May what runs use the process stack (M profile: PSP)?  */
bool tb_state_uses_psp (const struct tb_state *state);

/* All registers before STEP, indexed by arm/machine/regs.h; VALUES has
   TB_NREGS_MAX entries.  */
void tb_state_registers (struct tb_state *state, uint64_t step,
			 struct tb_value *values);

/* FP and vector registers before STEP: VECTORS has TB_NVECTORS entries, by
   arm/machine/regs.h.  False, and VECTORS means nothing: nothing is known of any.  */
bool tb_state_vectors (struct tb_state *state, uint64_t step,
		       struct tb_vector *vectors);

/* What FP and vector registers were when they were asked for last: for who asks for them
   at one step after the other.  Zero-initialise before use.  */
struct tb_vectors_mark
{
  bool valid;
  uint64_t step;
  uint64_t until;		/* Of a log: the first step at which they may be others.  */
  const void *window;
  uint32_t names[2][66];	/* Of their values: certain, and with assumptions.  */
};

/* Is what tb_state_vectors says of STEP for certain what it says of the step that was
   asked with MARK last, the one before?  MARK is of STEP then.  That costs little, where
   tb_state_registers was asked for STEP next to nothing.  Between the two calls no other
   steps may be asked for than those two.  */
bool tb_state_vectors_same (struct tb_state *state, uint64_t step,
			    struct tb_vectors_mark *mark);

/* LENGTH bytes of memory at ADDRESS before STEP; ORIGINS[i] is
   TB_UNKNOWN where BYTES[i] means nothing.  Returns how many are known.  */
size_t tb_state_memory (struct tb_state *state, uint64_t step,
			uint64_t address, uint8_t *bytes, uint8_t *origins,
			size_t length);

/* Is all of the LENGTH bytes at ADDRESS, at least 1, in memory that is taken for
   constant around STEP, so that it holds what the map has there?  Such is memory that
   an ELF file says is read only, and on M profile flash or ROM (premise.c).  */
bool tb_state_is_constant (struct tb_state *state, uint64_t step,
			   uint64_t address, uint64_t length);

/* Is what the dumps hold in the LENGTH bytes at ADDRESS, where instructions ran near
   STEP, what memory held before STEP?  Not where a store of the trace is found to go
   there, as then the order of events decides, which tb_state_memory knows; nor where
   the dump is found not to be what ran.  */
bool tb_state_holds_code (struct tb_state *state, uint64_t step,
			  enum tb_space space, uint64_t address,
			  unsigned length);

/* A memory access of a step.  */
struct tb_access_info
{
  uint64_t address;		/* Meaningful when ADDRESS_KNOWN.  */
  uint32_t length;		/* Bytes.  */
  bool store;
  bool maybe;			/* A store that need not have happened: its address,
				   if known, is where it would be.  */
  bool address_known;
  bool address_assumed;		/* Known only under an assumption.  */
  /* Where it is not known: it is one from LOW to HIGH, for certain or under an assumption.  */
  bool address_bounded;
  uint64_t low, high;
  /* What it loads or stores, known even where the address is not.  */
  bool value_known, value_assumed;
  uint64_t value;
};

/* The memory accesses of STEP in the order of the instruction's transfers;
   returns how many there are, at most CAPACITY stored.  */
size_t tb_state_accesses (struct tb_state *state, uint64_t step,
			  struct tb_access_info *accesses, size_t capacity);

/* Does tb_state_accesses list all of what the instruction of STEP accesses?  Not
   for instructions that are not understood, and those that may change memory nobody
   knows where (DC IVAC, DC ZVA where the size of its block is not known).  (What
   exceptions put on the stack is not an instruction's.)  */
bool tb_state_analysed (struct tb_state *state, uint64_t step);

#endif /* TB_STATE_STATE_H */
