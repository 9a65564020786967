/* State of A64 code: vector registers, FPCR and FPSR.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each half of a vector register has a name, as slots do.  Much code uses few of
   them or none, so that only those get names of which something can become known:
   that are read or get a value that is told, or that the halt state or a border
   tells of.  Exceptions leave them alone (DDI 0487, D1.3).  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/fp.h"

#include <string.h>

/* The number that PLACE has among them.  */
#define INDEX(place) ((place) - TB_A64_VECTOR)

static void
add_to (uint64_t *set, unsigned place)
{
  set[INDEX (place) / 64] |= UINT64_C (1) << INDEX (place) % 64;
}

bool
tb_a64_follows (const struct tb_state *s, unsigned place)
{
  return s->a64->followed[INDEX (place) / 64] >> INDEX (place) % 64 & 1;
}

void
tb_a64_note_vectors (struct tb_state *s, const struct tb_uop *uops,
		     unsigned count)
{
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      bool told = u->op != TB_OP_UNKNOWN && u->op != TB_OP_FPSR
		  && u->op != TB_OP_FORGET_VECTORS;
      if (u->op == TB_OP_MERGED)
	{
	  if (u->imm == 0)
	    add_to (s->a64->vectors_merged, u->dst);
	  continue;
	}
      if (u->a >= TB_A64_VECTOR)
	add_to (s->a64->vectors_used, u->a);
      if (u->b >= TB_A64_VECTOR)
	add_to (s->a64->vectors_used, u->b);
      if (u->dst >= TB_A64_VECTOR && told)
	add_to (s->a64->vectors_used, u->dst);
    }
}

/* What BORDER (NULL: nothing) tells of is followed.  */
static void
follow (struct tb_state *s, const struct tb_border *border)
{
  for (unsigned i = 0; border != NULL && i < TB_NFP; i++)
    if (border->fp[i].mask != 0)
      add_to (s->a64->followed, TB_A64_VECTOR + i);
}

void
tb_a64_begin_vectors (struct tb_state *s, bool halt)
{
  struct tb_a64 *a = s->a64;
  memcpy (a->followed, a->vectors_used, sizeof a->followed);
  for (unsigned i = 0; halt && i < TB_NFP; i++)
    {
      const struct tb_vector *at = &s->vectors_at_halt[i < 64 ? i / 2 : TB_FPSCR + i - 64];
      if (at->half[i < 64 ? i % 2 : 0].mask != 0)
	add_to (a->followed, TB_A64_VECTOR + i);
    }
  follow (s, s->before[s->assuming]);
  follow (s, s->after[s->assuming]);
  for (unsigned k = 0; tb_a64_follows (s, TB_A64_FPCR) && k < 2; k++)
    a->followed[k] |= a->vectors_merged[k];
  s->fp = (a->followed[0] | a->followed[1]) != 0;
}

void
tb_a64_forget_vectors (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  memset (n->fp, 0, sizeof n->fp);
  n->narrow_vectors = 0;
  n->merges = 0;
  tb_fp_name_all (b);
}

/* The bit for the lower half PLACE of a vector register; 0 for any other.  */
static uint32_t
narrow_bit (unsigned place)
{
  unsigned i = INDEX (place);
  return i < 64 && i % 2 == 0 ? UINT32_C (1) << i / 2 : 0;
}

bool
tb_a64_vector_narrow (const struct tb_builder *b, unsigned place)
{
  return b->names->narrow_vectors & narrow_bit (place);
}

void
tb_a64_note_written (struct tb_names *n, unsigned place, bool narrow)
{
  uint32_t bit = narrow_bit (place);
  if (place == TB_A64_FPCR)
    n->merges = 0;
  n->narrow_vectors = (n->narrow_vectors & ~bit) | (narrow ? bit : 0);
}

/* All ones where FPCR.NEP is set, else 0.  */
static tb_vid
merges (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  if (n->merges == 0)
    {
      tb_vid up = tb_namer_value (&b->n, TB_OP_LSL,
				  tb_fp_read (b, TB_A64_FPCR),
				  tb_namer_constant (&b->n, 63 - TB_FPCR_NEP));
      n->merges = tb_namer_value (&b->n, TB_OP_ASR, up,
				  tb_namer_constant (&b->n, 63));
    }
  return n->merges;
}

void
tb_a64_merge_vector (struct tb_builder *b, unsigned place, uint64_t most)
{
  struct tb_state *s = b->state;
  if (!tb_a64_follows (s, place))
    return;
  tb_vid value = tb_namer_new (&b->n);
  if (tb_a64_follows (s, TB_A64_FPCR))
    {
      tb_vid mask = tb_namer_value (&b->n, TB_OP_ORR, merges (b),
				    tb_namer_constant (&b->n, most));
      value = tb_namer_value (&b->n, TB_OP_AND, value, mask);
    }
  tb_fp_write (b, place, value, false);
}
