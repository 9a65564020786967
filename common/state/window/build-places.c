/* Naming: what the places of an instruction hold, of all instruction sets.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/fp.h"

#include <string.h>

/* The bits that slots may have; 0: all.  */
static const uint32_t m_bits[TB_NSLOTS] = {
  [TB_SLOT_SP] = ~UINT32_C (3), [TB_SLOT_SP_OTHER] = ~UINT32_C (3),
  [TB_SLOT_N] = 1, [TB_SLOT_Z] = 1, [TB_SLOT_C] = 1, [TB_SLOT_V] = 1,
  [TB_SLOT_SPSEL] = 1, [TB_SLOT_NPRIV] = 1, [TB_SLOT_PRIMASK] = 1,
  [TB_SLOT_IPSR] = TB_PSR_IPSR, [TB_SLOT_HANDLER] = 1, [TB_SLOT_Q] = 1,
  [TB_SLOT_GE] = 15, [TB_SLOT_FPCA] = 1
};
static const uint32_t ar_bits[TB_NSLOTS] = {
  [TB_SLOT_N] = 1, [TB_SLOT_Z] = 1, [TB_SLOT_C] = 1, [TB_SLOT_V] = 1,
  [TB_SLOT_SPSEL] = 1, [TB_SLOT_NPRIV] = 1, [TB_SLOT_MASKS] = 7,
  [TB_SLOT_HANDLER] = 1, [TB_SLOT_Q] = 1, [TB_SLOT_GE] = 15, [TB_SLOT_FPCA] = 1
};
static const uint32_t a64_bits[TB_A64_NSLOTS] = {
  [TB_A64_N] = 1, [TB_A64_Z] = 1, [TB_A64_C] = 1, [TB_A64_V] = 1, [TB_A64_SPSEL] = 1,
  [TB_A64_SAVED_N] = 1, [TB_A64_SAVED_Z] = 1, [TB_A64_SAVED_C] = 1, [TB_A64_SAVED_V] = 1,
  [TB_A64_SAVED_SPSEL] = 1
};

tb_vid
tb_build_fresh (struct tb_builder *b, unsigned place)
{
  const struct tb_state *s = b->state;
  if (place >= TB_PLACE_FP)
    return tb_fp_fresh (b, place);
  if (!b->wide && ((place == TB_SLOT_SPSEL && !s->has_psp)
	       || (place == TB_SLOT_FPCA && !s->has_fp)))
    return tb_namer_constant (&b->n, 0);
  const uint32_t *bits = b->wide ? a64_bits : s->profile->is_m ? m_bits : ar_bits;
  tb_vid id = tb_namer_new (&b->n);
  if (bits == ar_bits && place == TB_SLOT_MODE)
    tb_namer_range (&b->n, id, 16, 31);
  else if (place < b->slots && bits[place] != 0)
    tb_namer_bits (&b->n, id, s->graph.ones & ~(tb_word) bits[place], 0);
  return id;
}

tb_vid
tb_build_read (struct tb_builder *b, unsigned place, uint64_t imm)
{
  if (place < b->slots)
    {
      tb_vid *slot = &b->names->slot[place];
      return *slot != 0 ? *slot : (*slot = tb_build_fresh (b, place));
    }
  if (place < TB_PLACE_ZERO)
    return b->temporaries[place - b->slots];
  if (place == TB_PLACE_NONE)
    return 0;
  return place >= TB_PLACE_FP ? tb_fp_read (b, place)
	 : tb_namer_constant (&b->n, place == TB_PLACE_IMM ? imm : 0);
}

void
tb_build_write (struct tb_builder *b, unsigned place, tb_vid id, bool narrow)
{
  struct tb_names *n = b->names;
  if (place >= TB_PLACE_FP)
    {
      tb_fp_write (b, place, id, narrow);
      return;
    }
  tb_vid *at = place < b->slots ? &n->slot[place] : &b->temporaries[place - b->slots];
  if (b->wide)
    {
      *at = id;
      n->narrow = (n->narrow & ~(UINT64_C (1) << place)) | (uint64_t) narrow << place;
      /* They are no longer those of a comparison.  */
      if (place >= TB_A64_N && place <= TB_A64_V)
	n->bits = 0;
      return;
    }
  if (place != TB_SLOT_FPCA || b->state->has_fp)
    *at = id;
  if (place == TB_SLOT_C)
    n->c.op = TB_OP_UNKNOWN;
  else if (place == TB_SLOT_V)
    n->v.op = TB_OP_UNKNOWN;
}

void
tb_build_lose (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  memset (n->slot, 0, sizeof n->slot);
  memset (n->fp, 0, sizeof n->fp);
  n->lost = true;
  n->epoch++;
  if (b->wide)
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
  n->fp_owed = 0;
  n->fp_used = false;
  n->fp_untold = true;
  n->goes_on = 0;
  n->ran = false;
  n->holds[0] = 0;
  n->nchosen = 0;
  memset (n->bank, 0, sizeof n->bank);
  n->privileged = false;
}

/* Can flag SLOT of A32 and T32 be worked out where it has no name?  */
static bool
is_ruled (const struct tb_names *n, unsigned slot)
{
  return slot == TB_SLOT_N || slot == TB_SLOT_Z ? n->nz != 0
	 : slot == TB_SLOT_C ? n->c.op != TB_OP_UNKNOWN
	 : slot == TB_SLOT_V && n->v.op != TB_OP_UNKNOWN;
}

void
tb_build_name_all (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  if (!n->lost)
    return;
  n->lost = false;
  bool mode = b->state->exceptions && n->slot[TB_SLOT_HANDLER] == 0;
  for (unsigned i = 0; i < b->slots; i++)
    if (n->slot[i] == 0 && (b->wide || !is_ruled (n, i)))
      n->slot[i] = tb_build_fresh (b, i);
  tb_fp_name_all (b);
  if (!mode)
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
