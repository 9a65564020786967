/* Naming: a new value for each write along the steps, and the nodes that tie
   them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/fp.h"

#include <string.h>

tb_vid
tb_build_fresh (struct tb_builder *b, unsigned slot)
{
  if ((slot == TB_SLOT_SPSEL && !b->state->has_psp)
      || (slot == TB_SLOT_FPCA && !b->state->has_fp))
    return tb_namer_constant (&b->n, 0);
  if (slot >= TB_PLACE_FP)
    return tb_fp_fresh (b, slot);
  tb_vid id = tb_namer_new (&b->n);
  if (!b->state->profile->is_m
      && (slot == TB_SLOT_SP || slot == TB_SLOT_SPSR || slot == TB_SLOT_MODE
	  || slot == TB_SLOT_MASKS))
    {
      if (slot == TB_SLOT_MODE)
	tb_namer_range (&b->n, id, 16, 31);
      else if (slot == TB_SLOT_MASKS)
	tb_namer_bits (&b->n, id, ~UINT32_C (7), 0);
      return id;
    }
  switch (slot)
    {
    case TB_SLOT_SP: case TB_SLOT_SP_OTHER:
      tb_namer_bits (&b->n, id, 3, 0);
      break;
    case TB_SLOT_N: case TB_SLOT_Z: case TB_SLOT_C: case TB_SLOT_V:
    case TB_SLOT_SPSEL: case TB_SLOT_NPRIV: case TB_SLOT_PRIMASK:
    case TB_SLOT_HANDLER: case TB_SLOT_Q: case TB_SLOT_FPCA:
      tb_namer_bits (&b->n, id, ~UINT32_C (1), 0);
      break;
    case TB_SLOT_GE:
      tb_namer_bits (&b->n, id, ~UINT32_C (15), 0);
      break;
    case TB_SLOT_IPSR:
      tb_namer_bits (&b->n, id, ~TB_PSR_IPSR, 0);
      break;
    }
  return id;
}

void
tb_build_lose (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  memset (n->slot, 0, sizeof n->slot);
  memset (n->fp, 0, sizeof n->fp);
  n->lost = true;
  n->epoch++;
  if (b->state->a64 != NULL)
    {
      n->narrow = n->narrow_vectors = 0;
      n->merges = 0;
      n->bits = 0;
      n->saved_el = TB_A64_NO_EL;
      return;
    }
  n->nz = 0;
  n->c.op = n->v.op = TB_OP_UNKNOWN;
  n->target = 0;
  n->fp_frame = 0;
  n->fp_pending = true;
  n->fp_used = false;
  n->fp_untold = true;
  n->goes_on = 0;
  n->holds[0] = 0;
  n->nchosen = 0;
  memset (n->bank, 0, sizeof n->bank);
  n->privileged = false;
}

void
tb_build_name_all (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  if (!n->lost)
    return;
  n->lost = false;
  if (b->state->a64 != NULL)
    {
      for (unsigned i = 0; i < TB_A64_NSLOTS; i++)
	if (n->slot[i] == 0)
	  n->slot[i] = tb_a64_fresh (b, i);
      tb_a64_fresh_vectors (b);
      return;
    }
  bool mode = n->slot[TB_SLOT_HANDLER] == 0;
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (n->slot[i] == 0
	&& !((i == TB_SLOT_N || i == TB_SLOT_Z) && n->nz != 0)
	&& !(i == TB_SLOT_C && n->c.op != TB_OP_UNKNOWN)
	&& !(i == TB_SLOT_V && n->v.op != TB_OP_UNKNOWN))
      n->slot[i] = tb_build_fresh (b, i);
  tb_fp_name_all (b);
  if (!mode || !b->state->exceptions)
    return;
  /* Thread mode is exception number 0; a handler's stack is MSP.  */
  tb_vid handler = n->slot[TB_SLOT_HANDLER];
  tb_vid thread = tb_namer_value (&b->n, TB_OP_ISZERO, n->slot[TB_SLOT_IPSR],
				  0);
  tb_namer_node (&b->n, TB_OP_EOR, handler, thread,
		 tb_namer_constant (&b->n, 1));
  tb_namer_node (&b->n, TB_NODE_IF1, n->slot[TB_SLOT_SPSEL],
		 tb_namer_constant (&b->n, 0), handler);
}

tb_vid
tb_build_read (struct tb_builder *b, unsigned place, uint32_t imm)
{
  if (place == TB_PLACE_IMM)
    return tb_namer_constant (&b->n, imm);
  if (place >= TB_PLACE_FP)
    return tb_fp_read (b, place);
  if (place >= TB_NSLOTS)
    return place < TB_NPLACES ? b->temporaries[place - TB_NSLOTS] : 0;
  if (b->names->slot[place] == 0)
    b->names->slot[place] = tb_build_fresh (b, place);
  return b->names->slot[place];
}

void
tb_build_write (struct tb_builder *b, unsigned place, tb_vid id)
{
  if (place >= TB_PLACE_FP)
    tb_fp_write (b, place, id);
  else if (place == TB_SLOT_FPCA && !b->state->has_fp)
    ;				/* It stays 0.  */
  else if (place >= TB_NSLOTS)
    b->temporaries[place - TB_NSLOTS] = id;
  else
    b->names->slot[place] = id;
  /* They are no longer those of a comparison.  */
  if (place == TB_SLOT_C)
    b->names->c.op = TB_OP_UNKNOWN;
  else if (place == TB_SLOT_V)
    b->names->v.op = TB_OP_UNKNOWN;
}

void
tb_build_uop (struct tb_builder *b, const struct tb_uop *u, uint64_t i,
	  uint32_t info)
{
  unsigned live = info >> TB_INFO_LIVE;
  uint32_t imm = tb_uop_number (u);
  tb_vid x = tb_build_read (b, u->a, imm), y = tb_build_read (b, u->b, imm);
  switch (u->op)
    {
    case TB_OP_UNKNOWN:
      x = tb_build_fresh (b, u->dst);
      if (u->imm != UINT32_MAX)
	tb_namer_bits (&b->n, x, (uint32_t) ~u->imm, 0);
      tb_build_write (b, u->dst, x);
      break;
    case TB_OP_NZ:
      tb_build_nz (b, x, live);
      break;
    case TB_OP_CV_ADD: case TB_OP_CV_SUB:
      tb_build_cv (b, u, x, y, live);
      break;
    case TB_OP_C_SHIFT:
      tb_build_shift (b, u, x, y, live);
      break;
    case TB_OP_LOAD:
      tb_build_name_load (b, u, x, i);
      break;
    case TB_OP_STORE:
      if (tb_build_may_go_on (b))
	tb_build_maybe (b, x, y, imm,
			tb_namer_valuei (&b->n, TB_OP_EOR, b->names->goes_on,
					 1),
			true);
      else
	tb_build_store (b, TB_MEM_STORE, x, y, imm);
      break;
    case TB_OP_CONDITION:
      tb_build_write (b, u->dst, tb_build_holds_now (b, imm));
      break;
    case TB_OP_BRANCH_IF:
      tb_namer_bits (&b->n, x, UINT32_MAX,
		     info & TB_INFO_TAKEN ? imm : !imm);
      break;
    case TB_OP_FP:
      if (u->imm != 0)
	tb_fp_control (b);
      else
	tb_fp_use (b);
      break;
    case TB_OP_TARGET:
      tb_build_target (b, i, x, imm);
      break;
    case TB_OP_IS_PRIVILEGED:
      /* The step is named anew each time it is passed, and mostly both are constants.  */
      b->n.folds = true;
      tb_build_write (b, u->dst, tb_build_privileged (b));
      break;
    case TB_OP_FIELD:
      tb_build_field (b, u);
      break;
    case TB_OP_WRITE_SPSEL:
      tb_build_spsel (b, x);
      break;
    case TB_OP_MODE:
      tb_build_mode (b, x);
      break;
    case TB_OP_READ_BANKED:
      tb_build_write (b, u->dst, tb_build_read_banked (b, imm));
      break;
    case TB_OP_WRITE_BANKED:
      tb_build_write_banked (b, imm, x);
      break;
    case TB_OP_ERET:
      tb_build_return (b, x, i);
      break;
    case TB_OP_PRIVILEGED:
      b->names->privileged |= b->condition == 0;
      break;
    case TB_OP_FORGET:
      b->names->epoch++;
      break;
    default:
      if (u->b == TB_PLACE_IMM)
	tb_build_write (b, u->dst, tb_namer_valuei (&b->n, u->op, x, imm));
      else
	tb_build_write (b, u->dst, tb_namer_value (&b->n, u->op, x, y));
      break;
    }
}

void
tb_build_abandoned (struct tb_builder *b, const struct tb_uop *uops,
		    unsigned count)
{
  uint32_t loaded = 0;
  struct tb_names *n = b->names;
  tb_vid before[TB_NSLOTS], fp[TB_NFP];

  memcpy (before, n->slot, sizeof before);
  memcpy (fp, n->fp, sizeof fp);
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      if (u->op == TB_OP_LOAD && u->dst < TB_NSLOTS)
	loaded |= TB_SLOT_BIT (u->dst);
      else if (u->op == TB_OP_LOAD && u->dst >= TB_PLACE_FP)
	tb_build_write (b, u->dst, tb_namer_new (&b->n));
      else if (u->op == TB_OP_LOAD)
	b->temporaries[u->dst - TB_NSLOTS] = tb_namer_new (&b->n);
      else if (u->op == TB_OP_STORE)
	tb_build_store (b, TB_MEM_MAYBE, tb_build_read (b, u->a, 0),
			tb_build_read (b, u->b, 0), tb_uop_number (u));
      else if (u->op == TB_OP_WRITE_BANKED)
	{
	  loaded |= TB_SLOT_BIT (TB_SYS_REG_R (u->imm));
	  tb_build_uop (b, u, 0, 0);
	}
      else if (u->op == TB_OP_CONDITION)
	tb_build_write (b, u->dst, tb_namer_new (&b->n));
      else if (u->op <= TB_OP_UNKNOWN || u->op == TB_OP_READ_BANKED)
	tb_build_uop (b, u, 0, 0);
    }
  /* Its base is restored; other registers of the list may have been loaded. */
  memcpy (n->slot, before, sizeof before);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    if (loaded >> r & 1)
      n->slot[r] = tb_build_fresh (b, r);
  for (unsigned i = 0; i < TB_NFP; i++)
    if (n->fp[i] != fp[i])
      n->fp[i] = tb_fp_fresh (b, TB_PLACE_FP + i);
}
