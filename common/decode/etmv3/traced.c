/* Instructions that are traced with their data.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Data come behind the atom of their instruction, so that most atoms come alone.  A pass
   reads them, with the data and short branches between, and keeps what changes in
   variables of its own.  Whether an instruction was cancelled is told by what follows its
   data, which most often is the next atom; where it is not, and it is not seen that the
   instruction stands, the pass is made again, up to that atom.  Nothing but elements and the cache
   of code was changed by the first one.  */

#include "config.h"
#include "decode/etmv3/transfer.h"

/* A pass took all that it could.  */
#define DONE SIZE_MAX

/* One pass up to UNTIL of the view or further elements than FULL; in sequence, or where
   d->v7.indexes has the index of each byte.  Packets of data have ADDRESSES and VALUES.  Returns
   DONE, or where the atom is that may have been cancelled; then nothing was passed.  */
static inline __attribute__ ((always_inline)) size_t
follow (struct tb_etmv3_decoder *d, struct tb_element **out,
	const struct tb_element *full, size_t until, bool addresses, bool values)
{
  struct tb_v7_decoder *v7 = &d->v7;
  struct tb_v7_state *s = &v7->state;
  const struct tb_etmv3_header *headers = d->table.header;
  const uint8_t *const view = v7->view;
  const uint64_t *const indexes = v7->indexes;
  const size_t seen = v7->length - TB_STREAM_LOOKAHEAD + 1;
  const uint8_t *const first = view + v7->at, *const end = view + (until < seen ? until : seen);
  const uint64_t base = v7->first - (uintptr_t) view;
  const enum tb_isa packet_isa = (enum tb_isa) s->packet_isa;
  const enum tb_space space = tb_v7_space (&v7->spaces, &s->context);
  /* What comes next; NULL: that is told by a branch, or not readable at ADDRESS; in ISA.  */
  const struct tb_etmv3_instruction *in = v7->here;
  struct tb_v7_in_order now = s->data.now;
  struct tb_element *e = *out;
  const uint8_t *at = first, *atom = NULL;
  size_t size = 0;
  uint64_t packets = 0;
  uint32_t address = s->address, last = s->last;
  uint8_t isa = s->isa;
  bool have_address = true, branched = false;

#define INDEX(at) (indexes != NULL ? indexes[(at) - view] : base + (uintptr_t) (at))
  while (at < end && e <= full)
    {
      const struct tb_etmv3_header *header = &headers[*at];
      if (header->natoms == 1)
	{
	  bool executed = header->atoms != 0;
	  if (in == NULL)
	    break;
	  const struct tb_etmv3_instruction *next = tb_etmv3_successor (in, executed);
	  if (__builtin_expect (next == NULL, 0))
	    {
	      if (!executed || in->kind != TB_FLOW_INDIRECT)
		break;
	      address = (uint32_t) tb_etmv3_end (in);
	      isa = in->isa;
	      have_address = false;
	    }
	  atom = at;
	  tb_etmv3_range (e++, in, INDEX (at), executed);
	  tb_etmv3_own_data (&now, in, 1, executed);
	  in = next;
	  size = 1;
	}
      else if (header->type == TB_ETMV3_DATA && now.next.owner == TB_V7_INSTRUCTION)
	{
	  struct tb_etmv3_transfer told;
	  size = tb_etmv3_data_read (header, values, at, &told);
	  const struct tb_etmv3_tie tie = {
	    .index = INDEX (at), .pc = now.next.pc,
	    .back = (uint32_t) (now.count - now.next.at), .part = now.next.part,
	    .isa = in != NULL ? in->isa : isa
	  };
	  if (addresses)
	    tb_etmv3_put_address (&now, &e, &told, &tie);
	  if (values)
	    tb_etmv3_put_value (&e, &told, &tie, true, headers[at[size]].type, 0);
	  tb_etmv3_next_part (&now.next);
	}
      else if (header->type == TB_ETMV3_BRANCH && atom != NULL)
	{
	  struct tb_v7_address told;
	  unsigned bytes = tb_v7_address_short (&told, (enum tb_v7_address_form) d->table.form,
						at, 2);
	  if (bytes == 0)
	    break;
	  uint32_t target = tb_v7_address_apply (&told, last, packet_isa);
	  /* It leads elsewhere than the code: that is counted.  */
	  if (have_address && target != (in != NULL ? in->start : address))
	    break;
	  size = bytes;
	  last = address = target;
	  isa = (uint8_t) packet_isa;
	  have_address = branched = true;
	  in = tb_etmv3_code_at (d->code, space, packet_isa, target);
	}
      else
	break;
      at += size;
      packets++;
    }
  if (at == first)
    return DONE;
  if (atom != NULL && headers[*at].natoms == 0 && !tb_etmv3_stands (d, (size_t) (at - view)))
    return (size_t) (atom - view);
  if (atom != NULL)
    {
      s->returned = false;
      s->address = in != NULL ? in->start : address;
      s->isa = in != NULL ? in->isa : isa;
      s->have_address = have_address;
      s->last = last;
      v7->here = in;
    }
  if (branched)
    s->halted = false;
  s->data.now = now;
  s->index = INDEX (at - size);
  s->stats.packets += packets;
  v7->at = (size_t) (at - view);
  *out = e;
  return DONE;
}

/* The same, by what the trace unit sends.  */
static size_t
follow_until (struct tb_etmv3_decoder *d, struct tb_element **out,
	      const struct tb_element *full, size_t until)
{
  if (!d->table.data_addresses)
    return follow (d, out, full, until, false, true);
  return d->table.data_values ? follow (d, out, full, until, true, true)
	 : follow (d, out, full, until, true, false);
}

void
tb_etmv3_follow_traced (struct tb_etmv3_decoder *d, struct tb_element **out,
			const struct tb_element *full)
{
  struct tb_v7_decoder *v7 = &d->v7;
  struct tb_v7_state *s = &v7->state;

  if (v7->indexes == NULL && !v7->in_sequence)
    return;
  /* What an element says of it has 32 bits, and a pass lists fewer instructions.  */
  if (s->data.now.count - s->data.now.next.at > UINT32_MAX / 2)
    return;
  if (v7->here == NULL && s->have_address && !s->trapped)
    v7->here = tb_etmv3_code_at (d->code, tb_v7_space (&v7->spaces, &s->context),
				 (enum tb_isa) s->isa, s->address);
  if (v7->here == NULL)
    return;
  size_t cancelled = follow_until (d, out, full, SIZE_MAX);
  if (cancelled != DONE)
    follow_until (d, out, full, cancelled);
}
