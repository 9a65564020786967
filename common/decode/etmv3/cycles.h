/* ETMv3 atoms that have cycles.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Private to flow.c.  What runs for each atom is inline.  */

#ifndef TB_DECODE_ETMV3_CYCLES_H
#define TB_DECODE_ETMV3_CYCLES_H

#include <string.h>

#include "decode/etmv3/internal.h"

/* Where tracing is cycle-accurate: the cycles of the next atom and of each later
   one, and what else their elements have.  */
struct tb_etmv3_counted
{
  uint32_t next, more;
  uint8_t isa;
};

/* What cycles are of an element.  */
static inline void
tb_etmv3_put_cycles (struct tb_element *e, uint64_t index, uint8_t isa,
		     unsigned flags, uint32_t cycles)
{
  /* Field by field: each second element is such, and clearing all of it first takes twice as
     many instructions.  */
  tb_element_begin (e, index, TB_ELEMENT_CYCLES, flags, isa);
  memset (&e->u, 0, sizeof e->u);
  e->u.value = cycles;
}

/* Make *E the cycles of the element before, as tb_v7_add_cycles does.  */
static inline void
tb_etmv3_fill_cycles (struct tb_element *e, struct tb_etmv3_counted *cycles, uint64_t index)
{
  tb_etmv3_put_cycles (e, index, cycles->isa, TB_CYCLES_WITH_PREVIOUS, cycles->next);
  cycles->next = cycles->more;
}

/* Follow ATOMS, LEFT of them, from *AT as far as there is nothing to do but to go
   on; elements go to *OUT.  DATA is NULL where there is no data trace.  Returns how
   many are left; they come first in *ATOMS.  */
static inline __attribute__ ((always_inline)) unsigned
tb_etmv3_follow_known (const struct tb_etmv3_instruction **at, struct tb_element **out,
		       uint64_t index, unsigned *atoms, unsigned left,
		       struct tb_v7_in_order *data, struct tb_etmv3_counted *cycles)
{
  const struct tb_etmv3_instruction *in = *at;
  struct tb_element *e = *out;
  unsigned rest = *atoms;

  for (; left > 0 && in != NULL; left--, rest >>= 1)
    {
      const struct tb_etmv3_instruction *next = tb_etmv3_successor (in, rest & 1);
      if (next == NULL)
	break;
      tb_etmv3_range (e++, in, index, rest & 1);
      if (data != NULL)
	tb_etmv3_own_data (data, in, 1, rest & 1);
      tb_etmv3_fill_cycles (e++, cycles, index);
      in = next;
    }
  *at = in;
  *out = e;
  *atoms = rest;
  return left;
}

/* P-headers with cycles whose instructions are known with what comes behind them: nothing is
   to be done but to list them, and what all of them change is stored once.  A packet may
   begin up to FULL.  That the newest atom was not cancelled the next atoms show: where there are
   none, its packet and those behind it are left.  */
static inline __attribute__ ((always_inline)) void
tb_etmv3_follow_counted (struct tb_etmv3_decoder *d, struct tb_element **out,
			 const struct tb_element *full)
{
  struct tb_v7_decoder *v7 = &d->v7;
  struct tb_v7_state *s = &v7->state;
  const struct tb_etmv3_header *headers = d->table.header;
  const struct tb_etmv3_instruction *in = v7->here;
  /* Copies, as elements might be stored over the fields, for all that compilers know.  */
  const uint8_t *view = v7->view;
  const uint64_t *indexes = v7->indexes;
  const size_t first = v7->at;
  struct tb_element *e = *out;
  size_t at = first;
  uint8_t isa = s->isa;

  if (in == NULL || !tb_v7_sees_packet (v7))
    return;
  /* What there was before the newest packet with atoms, if there was one.  */
  const struct tb_etmv3_instruction *sure_in = NULL;
  struct tb_element *sure_e = e;
  size_t sure_at = first;
  bool ran = false;
  for (const size_t end = v7->length - TB_STREAM_LOOKAHEAD; e <= full && at <= end; at++)
    {
      const struct tb_etmv3_header *header = &headers[view[at]];
      if (header->type != TB_ETMV3_P_HEADER)
	break;
      uint64_t here = indexes != NULL ? indexes[at] : v7->first + at;
      if (header->natoms == 0)
	{
	  tb_etmv3_put_cycles (e++, here, isa, 0, header->first_cycles);
	  continue;
	}
      ran = sure_in != NULL;
      sure_in = in;
      sure_e = e;
      sure_at = at;
      /* All of its instructions or none.  */
      const struct tb_etmv3_instruction *now = in, *next;
      struct tb_element *listed = e;
      unsigned atoms = header->atoms, left = header->natoms;
      uint32_t cycles = header->first_cycles;
      for (; left > 0 && (next = tb_etmv3_successor (now, atoms & 1)) != NULL; left--)
	{
	  tb_etmv3_range (listed, now, here, atoms & 1);
	  tb_etmv3_put_cycles (listed + 1, here, isa, TB_CYCLES_WITH_PREVIOUS, cycles);
	  listed += 2;
	  now = next;
	  atoms >>= 1;
	  cycles = header->more_cycles;
	}
      if (left > 0)
	break;
      e = listed;
      in = now;
      isa = in->isa;
    }
  if (sure_in != NULL)
    {
      in = sure_in;
      e = sure_e;
      at = sure_at;
    }
  if (at == first)
    return;
  if (ran)
    {
      s->address = in->start;
      s->isa = in->isa;
      s->returned = false;
      v7->here = in;
    }
  s->index = indexes != NULL ? indexes[at - 1] : v7->first + at - 1;
  s->stats.packets += at - first;
  v7->at = at;
  *out = e;
}

#endif /* TB_DECODE_ETMV3_CYCLES_H */
