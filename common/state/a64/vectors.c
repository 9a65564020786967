/* State of A64 code: vector registers, FPCR and FPSR.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each half of a vector register has a name, as slots do.  Much code uses few of
   them or none, so that only those get names of which something can become known:
   that are read or get a value that is told, or that the halt state or a border
   tells of.  Exceptions leave them alone (DDI 0487, D1.3).  */

#include "config.h"
#include "state/a64/internal.h"

#include <string.h>

#include "util/buffer.h"

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

static bool
any_followed (const struct tb_state *s)
{
  return (s->a64->followed[0] | s->a64->followed[1]) != 0;
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

/* What AT says of the place that is number I of them.  */
static const struct tb_value *
of_vector (const struct tb_vector *at, unsigned i)
{
  return i < 64 ? &at[i / 2].half[i % 2] : &at[TB_FPSCR + (i - 64)].half[0];
}

/* What BORDER (NULL: nothing) tells of is followed.  */
static void
follow (struct tb_state *s, const struct tb_border *border)
{
  for (unsigned i = 0; border != NULL && i < TB_A64_NVECTOR; i++)
    if (border->fp[i].mask != 0)
      add_to (s->a64->followed, TB_A64_VECTOR + i);
}

void
tb_a64_begin_vectors (struct tb_state *s, bool halt)
{
  struct tb_a64 *a = s->a64;
  memcpy (a->followed, a->vectors_used, sizeof a->followed);
  for (unsigned i = 0; halt && i < TB_A64_NVECTOR; i++)
    if (of_vector (s->vectors_at_halt, i)->mask != 0)
      add_to (a->followed, TB_A64_VECTOR + i);
  follow (s, s->before[s->assuming]);
  follow (s, s->after[s->assuming]);
  for (unsigned k = 0; tb_a64_follows (s, TB_A64_FPCR) && k < 2; k++)
    a->followed[k] |= a->vectors_merged[k];
  a->vectors_changed = true;
  a->nkept_vectors = 0;
}

void
tb_a64_keep_vectors (struct tb_state *s)
{
  struct tb_a64 *a = s->a64;
  if (a->vectors_changed)
    {
      void *items = a->kept_vectors;
      if (!tb_grow (&items, &a->kept_vectors_room, a->nkept_vectors, 1,
		    sizeof *a->kept_vectors))
	{
	  s->graph.failed = true;
	  return;
	}
      a->kept_vectors = items;
      a->kept_vectors[a->nkept_vectors++] = a->vectors;
    }
  a->vectors_changed = false;
  a->names.vectors = (uint32_t) a->nkept_vectors - 1;
}

void
tb_a64_lose_vectors (struct tb_a64_builder *b)
{
  memset (&b->state->a64->vectors, 0, sizeof b->state->a64->vectors);
  b->state->a64->vectors_changed = true;
}

void
tb_a64_fresh_vectors (struct tb_a64_builder *b)
{
  struct tb_state *s = b->state;
  if (!any_followed (s))
    return;
  for (unsigned i = 0; i < TB_A64_NVECTOR; i++)
    if (tb_a64_follows (s, TB_A64_VECTOR + i))
      tb_a64_write_vector (b, TB_A64_VECTOR + i, tb_namer_new (&b->n), false);
}

tb_vid
tb_a64_read_vector (struct tb_a64_builder *b, unsigned place)
{
  tb_vid id = b->state->a64->vectors.half[INDEX (place)];
  /* Only an instruction that is not among the steps reads others.  */
  return id != 0 ? id : tb_namer_new (&b->n);
}

/* The bit for the lower half PLACE of a vector register; 0 for any other.  */
static uint32_t
narrow_bit (unsigned place)
{
  unsigned i = INDEX (place);
  return i < 64 && i % 2 == 0 ? UINT32_C (1) << i / 2 : 0;
}

bool
tb_a64_vector_narrow (const struct tb_a64_builder *b, unsigned place)
{
  return b->state->a64->vectors.narrow & narrow_bit (place);
}

void
tb_a64_write_vector (struct tb_a64_builder *b, unsigned place, tb_vid id,
		     bool narrow)
{
  struct tb_state *s = b->state;
  uint32_t bit = narrow_bit (place);
  if (!tb_a64_follows (s, place))
    return;
  s->a64->vectors.half[INDEX (place)] = id;
  if (place == TB_A64_FPCR)
    s->a64->vectors.merges = 0;
  s->a64->vectors.narrow = (s->a64->vectors.narrow & ~bit) | (narrow ? bit : 0);
  s->a64->vectors_changed = true;
}

/* All ones where FPCR.NEP is set, else 0.  */
static tb_vid
merges (struct tb_a64_builder *b)
{
  struct tb_state *s = b->state;
  if (s->a64->vectors.merges == 0)
    {
      tb_vid up = tb_namer_value (&b->n, TB_OP_LSL,
				  tb_a64_read_vector (b, TB_A64_FPCR),
				  tb_namer_constant (&b->n, 63 - TB_FPCR_NEP));
      s->a64->vectors.merges = tb_namer_value (&b->n, TB_OP_ASR, up,
					  tb_namer_constant (&b->n, 63));
      s->a64->vectors_changed = true;
    }
  return s->a64->vectors.merges;
}

void
tb_a64_merge_vector (struct tb_a64_builder *b, unsigned place, uint64_t most)
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
  tb_a64_write_vector (b, place, value, false);
}

static void
state_known (struct tb_state *s, unsigned i, uint64_t mask, uint64_t bits)
{
  if (s->a64->vectors.half[i] != 0 && mask != 0)
    tb_graph_set_bits (&s->graph, s->a64->vectors.half[i], mask, bits);
}

void
tb_a64_use_halt_vectors (struct tb_state *s)
{
  for (unsigned i = 0; i < TB_A64_NVECTOR; i++)
    {
      const struct tb_value *at = of_vector (s->vectors_at_halt, i);
      state_known (s, i, at->mask, at->bits);
    }
}

void
tb_a64_use_border_vectors (struct tb_state *s, const struct tb_border *border)
{
  for (unsigned i = 0; border != NULL && i < TB_A64_NVECTOR; i++)
    state_known (s, i, border->fp[i].mask, border->fp[i].bits);
}

void
tb_a64_border_vectors (const struct tb_state *s, struct tb_border *border)
{
  for (unsigned i = 0; i < TB_A64_NVECTOR; i++)
    if (s->a64->vectors.half[i] != 0)
      border->fp[i] = tb_border_known (&s->graph, s->a64->vectors.half[i]);
}

/* Put what is known by the names there are into VECTORS.  */
static void
put_known (const struct tb_state *s, struct tb_vector *vectors)
{
  memset (vectors, 0, TB_NVECTORS * sizeof *vectors);
  for (unsigned i = 0; i < TB_A64_NVECTOR; i++)
    {
      tb_vid id = s->a64->vectors.half[i];
      struct tb_value *to = (struct tb_value *) of_vector (vectors, i);
      if (id == 0)
	continue;
      struct tb_known known = tb_graph_known (&s->graph, id);
      to->mask = known.mask;
      to->bits = known.bits & known.mask;
      to->origin = known.mask != 0 ? TB_DERIVED : TB_UNKNOWN;
    }
}

bool
tb_a64_vectors (struct tb_state *s, uint64_t step, struct tb_vector *vectors)
{
  if (step < s->base || step - s->base > s->steps || !any_followed (s))
    return false;
  tb_a64_seek (s, step - s->base);
  put_known (s, vectors);
  return true;
}

bool
tb_a64_vectors_after (struct tb_state *s, uint64_t step,
		      struct tb_vector *vectors)
{
  if (step < s->base || step - s->base >= s->steps || !any_followed (s))
    return false;
  tb_a64_seek (s, step - s->base);
  struct tb_a64_names before = s->a64->names;
  struct tb_a64_vectors names = s->a64->vectors;
  struct tb_a64_builder b = tb_a64_builder_of (s, &s->a64->names, true);
  tb_a64_step (&b, step - s->base);
  put_known (s, vectors);
  s->a64->names = before;
  s->a64->vectors = names;
  return true;
}

const tb_vid *
tb_a64_vector_names (struct tb_state *s, uint64_t step, size_t *count)
{
  *count = 0;
  if (step < s->base || step - s->base > s->steps || !any_followed (s))
    return NULL;
  tb_a64_seek (s, step - s->base);
  *count = TB_A64_NVECTOR;
  return s->a64->vectors.half;
}

tb_vid
tb_a64_vector_name (const struct tb_state *s, unsigned number, unsigned half)
{
  return s->a64->vectors.half[number < TB_FPSCR ? 2 * number + half
			 : 64 + (number - TB_FPSCR)];
}
