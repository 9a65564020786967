/* Borders: what is known where one window ends and the next begins.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A border lies right before a step, behind the events before it.  What a window
   knows of its first border holds at the end of the window before it, and what it
   knows at its end holds where the next one begins: certain facts of both remain
   certain, assumed ones assumed, and with these go the calls that are open there.
   All that is handed over are numbers (registers and words of RAM, wholly or in
   part); that two unknown values are the same is not.  */

#ifndef TB_STATE_BORDER_H
#define TB_STATE_BORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word of RAM (of as many bytes as a word of the window's graph has).  */
struct tb_border_word
{
  uint64_t address, value;
  uint64_t mask;		/* The bits of VALUE that are known, if any are
				   where not the whole byte is; else 0.  */
  uint8_t bytes;		/* Those that are known, a bit each.  */
};

/* A store behind the border of which is not known where it went.  */
struct tb_border_suspect
{
  uint64_t mask, bits, lo, hi;	/* Of its address.  */
  uint64_t value_mask, value_bits;
  uint8_t size;
};

#define TB_BORDER_SLOTS 64
#define TB_BORDER_BANKED 33
#define TB_BORDER_FP 66		/* TB_NFP, TB_A64_NVECTOR  */

/* What is known of a register.  */
struct tb_border_register
{
  uint64_t mask, bits;
};

/* The most registers that a function gives back to its caller: S16 to S31, r4 to r11
   and SP.  (A64: D8 to D15, x19 to x29 and SP.)  */
#define TB_KEPT_MOST 25

/* A call that has not returned where a window ends: what is known of the registers
   that it keeps, before it; at the begin of the next one: after it returned
   there.  */
struct tb_border_call
{
  uint64_t step;		/* The call.  */
  uint64_t to;			/* The step that it returned to.  */
  uint64_t back;		/* Return address.  */
  uint64_t exception, banked;	/* See struct tb_open_call.  */
  struct tb_border_register kept[TB_KEPT_MOST];
};

/* More are not handed over, the outermost.  */
#define TB_BORDER_CALLS 64

struct tb_border
{
  unsigned references;
  /* Registers, by the numbers that places have (enum tb_place, tb_place_a64).  */
  struct tb_border_register slots[TB_BORDER_SLOTS];
  /* A and R profile: those of modes that the core is not in (modes.c).  */
  struct tb_border_register banked[TB_BORDER_BANKED];
  /* FP and vector registers, from TB_PLACE_FP (TB_A64_VECTOR) on.  */
  struct tb_border_register fp[TB_BORDER_FP];
  /* M profile: no exception has left any of them to be saved, and an FP instruction
     ran since the last one.  */
  bool fp_saved, fp_used;
  struct tb_border_register fpccr;	/* What is followed of it (memory/fpccr.h).  */
  bool privileged;		/* The mode is not User mode.  */
  /* A64: what was saved in an SPSR is that of this exception level + 1; 0: not
     known which.  */
  uint8_t saved_el;
  bool memory;			/* Something is known of that: */
  uint8_t space;		/* Where, enum tb_space.  */
  struct tb_border_word *words;	/* By address.  */
  size_t nwords, words_room;
  /* Words that are not listed are as they were dumped, but for what the suspects
     wrote.  */
  bool rest;
  struct tb_border_suspect *suspects;
  size_t nsuspects, suspects_room;
  /* Of an assumed state, the innermost last.  */
  struct tb_border_call *calls;
  size_t ncalls;
};

/* An empty one, with one reference.  NULL: no memory.  */
struct tb_border *tb_border_new (void);
/* BORDER may be NULL.  */
struct tb_border *tb_border_ref (struct tb_border *border);
void tb_border_unref (struct tb_border *border);

/* The call of step STEP; NULL where it is not listed, or BORDER is NULL.  */
const struct tb_border_call *tb_border_call (const struct tb_border *border,
					     uint64_t step);

/* The word at ADDRESS; NULL where it is not listed.  */
const struct tb_border_word *tb_border_find (const struct tb_border *border,
					     uint64_t address);

/* Do they say of a register or word that it holds different things?  */
bool tb_border_contradicts (const struct tb_border *a,
			    const struct tb_border *b);

/* Do they say the same?  Either may be NULL.  */
bool tb_border_same (const struct tb_border *a, const struct tb_border *b);

/* Do they say the same of all but registers?  Neither may be NULL.  */
bool tb_border_same_beside_registers (const struct tb_border *a, const struct tb_border *b);

#endif /* TB_STATE_BORDER_H */
