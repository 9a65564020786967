/* Naming: a new value for each write along the steps, and the nodes that tie
   them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/fp.h"

#define LOW_WORD UINT64_C (0xffffffff)

/* Is the value of A64 in PLACE, or IMM, below 2^32 as it is written?  */
static bool
is_narrow (const struct tb_builder *b, unsigned place, uint64_t imm)
{
  if (place >= TB_A64_VECTOR)
    return tb_a64_vector_narrow (b, place);
  return place == TB_PLACE_IMM ? imm <= LOW_WORD
	 : place >= TB_A64_NPLACES || b->names->narrow >> place & 1;
}

/* Is the value that U, of A64, computes below 2^32 by those of its operands that are?  */
static bool
narrows (const struct tb_builder *b, const struct tb_uop *u)
{
  switch (tb_ops[u->op].size)
    {
    case TB_SIZE_A:
      return is_narrow (b, u->a, u->imm)
	     || (u->op == TB_OP_LSR && u->b == TB_PLACE_IMM && u->imm >= 32);
    case TB_SIZE_LEAST:
      return is_narrow (b, u->a, u->imm) || is_narrow (b, u->b, u->imm);
    case TB_SIZE_MOST:
      return is_narrow (b, u->a, u->imm) && is_narrow (b, u->b, u->imm);
    default:
      return tb_ops[u->op].size == TB_SIZE_FEW;
    }
}

/* DST of U becomes X OP Y.  */
static void
name_value (struct tb_builder *b, const struct tb_uop *u, tb_vid x, tb_vid y)
{
  if (!b->wide)
    {
      tb_build_write (b, u->dst, tb_namer_value (&b->n, u->op, x, y), false);
      return;
    }
  bool narrow = narrows (b, u), mask = u->op == TB_OP_AND && narrow;
  tb_vid d = x;
  if (!(mask && u->b == TB_PLACE_IMM && u->imm == LOW_WORD && is_narrow (b, u->a, u->imm)))
    {
      d = tb_namer_value (&b->n, u->op, x, y);
      if (mask)
	tb_namer_bits (&b->n, d, ~LOW_WORD, 0);
    }
  if (u->when != TB_ALWAYS)
    {
      d = tb_namer_select (&b->n, tb_build_read (b, u->when, 0), d,
			   tb_build_read (b, u->dst, 0));
      narrow &= is_narrow (b, u->dst, 0);
    }
  tb_build_write (b, u->dst, d, narrow);
}

/* A value of DST of U of which only the bits of its immediate may be 1.  */
static tb_vid
at_most (struct tb_builder *b, const struct tb_uop *u)
{
  tb_vid id = tb_build_fresh (b, u->dst);
  tb_word never = b->state->graph.ones & ~u->imm;
  if (never != 0)
    tb_namer_bits (&b->n, id, never, 0);
  return id;
}

/* A store of A64 is done if its own predicate is 1; those of the others share that of a run
   (conditional.c).  */
static void
name_store_if (struct tb_builder *b, const struct tb_uop *u, tb_vid address, tb_vid value)
{
  if (u->when != TB_ALWAYS)
    b->condition = tb_build_read (b, u->when, 0);
  if (b->condition == tb_namer_constant (&b->n, 1))
    b->condition = 0;
  tb_build_name_store (b, u, address, value);
  b->condition = 0;
}

/* The operations that are of A64 alone.  */
static void
name_a64 (struct tb_builder *b, const struct tb_uop *u, tb_vid x, tb_vid y)
{
  struct tb_names *n = b->names;
  switch (u->op)
    {
    case TB_OP_COMPARED:
      n->x = x;
      n->y = y;
      n->bits = (uint8_t) u->imm;
      break;
    case TB_OP_TRAP:
      n->trapped = true;
      break;
    case TB_OP_READ_SP:
      tb_build_write (b, u->dst, tb_a64_read_sp (b, tb_uop_number (u)), false);
      break;
    case TB_OP_WRITE_SP:
      tb_a64_write_sp (b, tb_uop_number (u), x);
      break;
    case TB_OP_FORGET_SAVED:
      n->saved_el = TB_A64_NO_EL;
      break;
    case TB_OP_MERGED:
      tb_a64_merge_vector (b, u->dst, u->imm);
      break;
    case TB_OP_FORGET_VECTORS:
      tb_a64_forget_vectors (b);
      break;
    case TB_OP_FPSR:
      if (tb_fp_follows (b->state, u->dst))
	tb_build_write (b, u->dst,
			tb_namer_value (&b->n, TB_OP_ORR, tb_build_read (b, u->dst, 0),
					at_most (b, u)), false);
      break;
    }
}

/* Those that are of A32 and T32 alone; LIVE: see flags.c.  */
static void
name_aarch32 (struct tb_builder *b, const struct tb_uop *u, tb_vid x, tb_vid y, unsigned live)
{
  uint32_t imm = tb_uop_number (u);
  switch (u->op)
    {
    case TB_OP_NZ:
      tb_build_nz (b, x, live);
      break;
    case TB_OP_CV_ADD: case TB_OP_CV_SUB:
      tb_build_cv (b, u, x, y, live);
      break;
    case TB_OP_C_SHIFT:
      tb_build_shift (b, u, x, y, live);
      break;
    case TB_OP_FP:
      if (imm != 0)
	tb_fp_control (b);
      else
	tb_fp_use (b);
      break;
    case TB_OP_ASPEN:
      tb_build_write (b, u->dst, tb_fp_is_saved (b), false);
      break;
    case TB_OP_IS_PRIVILEGED:
      /* The step is named anew each time it is passed, and mostly both are constants.  */
      b->n.folds = true;
      tb_build_write (b, u->dst, tb_build_privileged (b), false);
      break;
    case TB_OP_FIELD:
      tb_build_field (b, u);
      break;
    case TB_OP_MODE:
      tb_build_mode (b, x);
      break;
    case TB_OP_READ_BANKED:
      tb_build_write (b, u->dst, tb_build_read_banked (b, imm), false);
      break;
    case TB_OP_WRITE_BANKED:
      tb_build_write_banked (b, imm, x);
      break;
    case TB_OP_PRIVILEGED:
      b->names->privileged |= b->condition == 0;
      break;
    }
}

void
tb_build_uop (struct tb_builder *b, const struct tb_uop *u, uint64_t i, uint32_t info)
{
  bool wide = b->wide;
  tb_vid x = tb_build_read (b, u->a, u->imm), y = tb_build_read (b, u->b, u->imm);
  if (u->op <= TB_OP_LAST_VALUE)
    {
      name_value (b, u, x, y);
      return;
    }
  switch (u->op)
    {
    case TB_OP_UNKNOWN:
      if (u->dst < TB_PLACE_FP || tb_fp_follows (b->state, u->dst))
	tb_build_write (b, u->dst, at_most (b, u), u->imm <= LOW_WORD);
      break;
    case TB_OP_CONDITION:
      tb_build_write (b, u->dst, wide ? tb_build_holds (b, tb_uop_number (u))
				 : tb_build_holds_now (b, tb_uop_number (u)), true);
      break;
    case TB_OP_BRANCH_IF:
      if (!wide || info & (TB_INFO_TAKEN | TB_INFO_NOT_TAKEN))
	tb_namer_bits (&b->n, x, b->state->graph.ones,
		       info & TB_INFO_TAKEN ? u->imm : !u->imm);
      break;
    case TB_OP_TARGET:
      tb_build_target (b, i, x, u->imm);
      break;
    case TB_OP_LOAD: case TB_OP_LOAD_LITERAL:
      tb_build_name_load (b, u, x, i);
      break;
    case TB_OP_STORE:
      if (wide)
	name_store_if (b, u, x, y);
      else
	tb_build_name_store (b, u, x, y);
      break;
    case TB_OP_FORGET:
      b->names->epoch++;
      break;
    case TB_OP_ERET:
      if (wide)
	b->names->returning = true;
      else
	tb_build_return (b, x, i);
      break;
    case TB_OP_WRITE_SPSEL:
      if (wide)
	tb_a64_write_spsel (b, x);
      else
	tb_build_spsel (b, x);
      break;
    default:
      if (wide)
	name_a64 (b, u, x, y);
      else
	name_aarch32 (b, u, x, y, info >> TB_INFO_LIVE);
      break;
    }
}
