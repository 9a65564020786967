/* Another run beside a recorded one.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The run is of the M profile without floating point, and its threads use the process stack; it
   is told by steps.  Its twin goes the same way with other values in registers or RAM, as long as
   nothing that a trace of its flow or a device can see is other.  */

#ifndef TB_GENERATOR_TWIN_H
#define TB_GENERATOR_TWIN_H

#include "generator/case-run.h"
#include "generator/ghosts.h"

/* r0 to r12, SP, LR.  */
#define TWIN_REGISTERS UINT32_C (0x7fff)
/* r0 to r3, r12 and flags.  */
#define TWIN_LOST_BY_ENTRY (UINT32_C (0x100f) | TB_SLOTS_NZCV)
#define TWIN_PLACES (TWIN_REGISTERS | TB_SLOTS_NZCV | TB_SLOT_BIT (TB_SLOT_SP_OTHER))
/* The frame of an exception: r0 to r3, r12 and so on.  */
#define FRAME_WORDS 8
enum { FRAME_PC = 6, FRAME_PSR };

/* What comes behind a step.  */
enum passage { PLAIN, ENTERS, RETURNS, RETURNS_AND_ENTERS, CHAINS, OPAQUE };

struct twin_step
{
  const struct corpus_step *s;
  struct tb_semantics semantics;
  uint32_t before[TB_NSLOTS];	/* The truth's places.  */
  bool followed;		/* Run on the truth it gives the truth's next registers.  */
  uint32_t touches;		/* Places that it reads or may write.  */
  size_t first;			/* Of the accesses.  */
  unsigned count;
  enum passage passage;
  uint32_t frame[FRAME_WORDS];	/* That is left (ENTERS) or taken.  */
  uint32_t left[FRAME_WORDS];	/* RETURNS_AND_ENTERS.  */
};

struct twin_run
{
  struct case_run run;
  struct twin_step *steps;
  size_t nsteps;
  struct case_access *accesses;
  size_t naccesses, room;
  uint32_t *differing;		/* Of each step: places of the twin.  */
  bool *written;		/* By word of RAM: the trace stores to it.  */
};

/* RAM of a twin, and the truth's beside it.  */
struct twin_memory
{
  uint8_t *has, *set, *truth;
  size_t differ;		/* Bytes.  */
};

struct twin
{
  struct twin_run *b;
  const struct twin_step *at;
  struct twin_memory m;
  struct ghosts *ghosts;	/* NULL: it has none.  */
  uint32_t p[TB_PLACE_END];
  unsigned done;
  bool fails;
};

/* Where in RAM are the SIZE bytes at ADDRESS?  False: not there.  */
bool twin_in_ram (const struct twin_run *b, uint32_t address, unsigned size, size_t *at);

/* The places of X and Y that differ.  */
uint32_t twin_difference (const uint32_t *x, const uint32_t *y);

/* Make room for T's memory.  False: there is none.  */
bool twin_open (struct twin *t, struct twin_run *b);
void twin_close (struct twin *t);

/* Let T be what the truth is before step AT, but that nothing is known of its RAM; TRUTH is the
   truth's.  */
void twin_begin (struct twin *t, const uint8_t *truth, const struct twin_step *at);

/* Byte AT of RAM is VALUE in M's twin from now on.  */
void twin_put (struct twin_memory *m, size_t at, uint8_t value);

/* Run AT on the truth's places; those behind it are put into PLACES.  T->done: so many
   accesses.  */
void twin_run_truth (struct twin *t, const struct twin_step *at, uint32_t *places,
		     struct tb_semantics_result *result);

/* T goes from AT to the step behind it, which is AT[1].  */
void twin_pass (struct twin *t, const struct twin_step *at);

/* The truth's RAM becomes what it is before the step behind AT.  */
void twin_pass_truth (struct twin *t, const struct twin_step *at);

/* T runs AT and goes to the step behind it.  False: that proves nothing.  */
bool twin_go (struct twin *t, const struct twin_step *at);

/* Run T from step FIRST on.  Returns whether nothing tells it from the truth; *END: where it
   differs is in DIFFERING up to there.  */
bool twin_try (struct twin *t, size_t first, size_t *end);

#endif /* TB_GENERATOR_TWIN_H */
