/* Names: which value each register holds before a step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_NAMES_H
#define TB_STATE_WINDOW_NAMES_H

#include "arm/ir/semantics-a64.h"
#include "arm/ir/semantics.h"
#include "state/border.h"
#include "state/solver/graph.h"

/* How a flag that nobody reads can be worked out from other values.  */
struct tb_flag_rule
{
  uint8_t op;			/* TB_OP_CV_ADD, TB_OP_CV_SUB, a shift, or
				   TB_OP_UNKNOWN.  */
  tb_vid a, b, carry, result;
};

/* A and R profile: the registers that modes bank (modes.c).  */
#define TB_NBANKED TB_BORDER_BANKED

/* M profile: S0 to S15 and the two parts of FPSCR, which exceptions save.  */
#define TB_FP_LEFT 18

/* Slots of the instruction sets that have most: enum tb_place or tb_place_a64.  */
#define TB_SLOTS_MOST TB_A64_NSLOTS
_Static_assert ((int) TB_NSLOTS <= (int) TB_SLOTS_MOST, "They have room.");
_Static_assert (TB_NFP == TB_A64_NVECTOR, "As many halves as words.");

/* No exception level.  */
#define TB_A64_NO_EL 0xff

/* The names of the values that the registers hold.  Those up to Y are what most steps
   change (walk-code.c).  */
struct tb_names
{
  tb_vid slot[TB_SLOTS_MOST];	/* 0: nothing is known and nobody asked; for a
				   flag: see below.  */
  tb_vid target;		/* Of the last step, if that is an indirect branch;
				   A64: else 0.  */
  /* A32 and T32: */
  tb_vid nz;			/* N and Z without a name are those of this. */
  struct tb_flag_rule c, v;	/* C and V without a name.  */
  /* A64: the flags are those of X - Y of BITS bits; BITS 0: of no comparison.  */
  tb_vid x, y;

  tb_vid next_value;		/* Numbers that are given next.  */
  uint32_t next_access;
  uint32_t epoch;
  uint64_t context;		/* What the trace said last (tb_context_number).  */
  uint32_t regime;
  bool lost;			/* Some slots may have no name.  */

  /* A64: */
  bool returning, trapped;	/* The last instruction was ERET, SVC ...  */
  bool foreign;			/* In another space than the halt.  */
  uint8_t bits;			/* See X.  */
  uint8_t el;			/* Or TB_A64_NO_EL.  */
  uint8_t saved_el;		/* The SAVED places are SPSR of this level.  */
  uint64_t narrow;		/* Places whose values are below 2^32, as it is
				   written; bit number is enum tb_place_a64. */
  uint32_t narrow_vectors;	/* The same of the lower halves of vector registers;
				   bit number is the register's.  */
  tb_vid merges;		/* By FPCR: see vectors-a64.c; 0: no name yet.  */

  /* A32 and T32: */
  tb_vid fp_frame;		/* Where FP registers may still be saved; 0: not
				   known.  */
  tb_vid fp_owed;		/* 0: they are not to be saved there; 1: they may
				   be.  No name: nothing is known of it.  */
  /* 1: the next instruction goes on where it was interrupted; constant 0 (or 0):
     it does not.  */
  tb_vid goes_on;
  tb_vid next;			/* M profile, then: with register 0 or that.  */
  bool ran;			/* An instruction has run since an exception returned, or since
				   anything may have.  */
  /* In an IT block: the condition CC (and that the opposite) holds, unless 0;
     and the values that were chosen by it, and what they are if it held.  */
  uint8_t cc, nchosen;
  tb_vid holds[2];
  struct { tb_vid made, if1; uint8_t cc; } chosen[4];
  /* A and R profile: registers of modes that the core is not in; 0: no name.  */
  tb_vid bank[TB_NBANKED];
  struct { tb_vid psr, mode; } psr[4];	/* Values of PSRs, and the mode in them. */
  uint8_t npsr;			/* Which comes next.  */
  bool privileged;		/* The mode is not User mode.  */
  bool fp_used;			/* An FP instruction ran since the last exception
				   or return, or write to CONTROL.  */
  bool fp_untold;		/* FPCA may be 1 although they may be saved: it may
				   have been written since then.  */
  /* Only where the state has FP (fp.h): */
  tb_vid fp[TB_NFP];		/* From TB_PLACE_FP or TB_A64_VECTOR on; 0: no name.  */
  tb_vid fp_left[TB_FP_LEFT];	/* What is to be saved at FP_FRAME.  */
};

#endif /* TB_STATE_WINDOW_NAMES_H */
