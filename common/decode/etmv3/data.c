/* ETMv3 data trace to elements.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: IHI 0014, 7.4 "Data tracing", 7.5.3 "Automatic stack push on exception entry
   and pop on exception exit", 7.4.10 "Data-only mode".  A packet without an address is
   of the word behind the transfer before, if it is not the first one of its
   instruction.  Addresses are compressed by the last one that was sent, not by such
   a word's.  */

#include "config.h"
#include "decode/etmv3/internal.h"

#include <inttypes.h>

/* Bytes of a transfer that is one of several.  */
#define WORD 4

/* An element of transfer T.  */
static struct tb_element *
emit (struct tb_etmv3_decoder *d, struct tb_element **out,
      enum tb_element_kind kind, const struct tb_v7_transfer *t)
{
  static const uint8_t flags[] = {
    [TB_V7_NOBODY] = TB_DATA_UNTIED, [TB_V7_INSTRUCTION] = 0,
    [TB_V7_ENTRY] = TB_DATA_PUSHED, [TB_V7_RETURN] = TB_DATA_POPPED
  };
  uint64_t back = d->v7.state.data.count - t->at;
  bool tied = t->owner != TB_V7_NOBODY && back <= UINT32_MAX;
  struct tb_element *e = tb_v7_emit (&d->v7, out, kind);

  e->flags = flags[tied ? t->owner : TB_V7_NOBODY];
  e->u.data.part = t->part;
  if (tied)
    {
      e->u.data.pc = t->pc;
      e->u.data.back = (uint32_t) back;
    }
  return e;
}

static uint32_t
low_bits (unsigned bits)
{
  return bits >= 32 ? UINT32_MAX : (UINT32_C (1) << bits) - 1;
}

/* The address of the next transfer, which packet P is of, if it is known.  */
static void
decode_address (struct tb_etmv3_decoder *d, struct tb_element **out,
		const struct tb_etmv3_packet *p)
{
  struct tb_v7_data *data = &d->v7.state.data;
  uint32_t address = data->follows;

  if (!d->table.data_addresses)
    return;
  if (p->data_address_bits > 0)
    {
      uint32_t told = low_bits (p->data_address_bits);
      if (data->bits < p->data_address_bits)
	data->bits = p->data_address_bits;
      address = data->address = (data->address & ~told) | p->data_address;
      if (p->has_endianness)
	data->big_endian = p->big_endian;
    }
  /* Moves to and from coprocessors have none.  */
  else if (data->next.part == 0)
    return;
  data->follows = address + WORD;
  if (data->bits == 0)
    return;
  struct tb_element *e = emit (d, out, TB_ELEMENT_DATA_ADDRESS, &data->next);
  e->flags |= data->big_endian ? TB_DATA_BIG_ENDIAN : 0;
  e->u.data.value = address & low_bits (data->bits);
  e->u.data.bits = data->bits;
}

/* The value of transfer T, which FLAGS are of.  A packet may follow at once that says
   that it was not stored (7.4.7).  */
static void
decode_value (struct tb_etmv3_decoder *d, struct tb_element **out,
	      const struct tb_v7_transfer *t,
	      const struct tb_etmv3_packet *p, unsigned flags)
{
  const struct tb_v7_decoder *v7 = &d->v7;
  bool failed = v7->at < v7->length
		&& d->table.header[v7->view[v7->at]].type
		   == TB_ETMV3_STORE_FAILED;
  struct tb_element *e = emit (d, out, TB_ELEMENT_DATA_VALUE, t);

  e->flags |= (uint8_t) (flags | (failed ? TB_DATA_FAILED : 0));
  e->u.data.value = p->data;
  e->u.data.bits = p->has_data ? 32 : 0;
}

/* The instruction has one transfer more.  */
static void
next_part (struct tb_v7_transfer *t)
{
  if (t->part < UINT8_MAX)
    t->part++;
  else
    *t = (struct tb_v7_transfer) { .owner = TB_V7_NOBODY, .part = t->part };
}

/* The value that the placeholder of P's tag stood for.  Without one it is not known
   whose it is.  */
static void
decode_late (struct tb_etmv3_decoder *d, struct tb_element **out,
	     const struct tb_etmv3_packet *p)
{
  struct tb_v7_transfer *t = &d->v7.state.data.late[p->tag];
  static const struct tb_v7_transfer nobody = { .owner = TB_V7_NOBODY };

  decode_value (d, out, t->waits ? t : &nobody, p, TB_DATA_LATE);
  *t = nobody;
}

void
tb_etmv3_decode_data (struct tb_etmv3_decoder *d, struct tb_element **out,
		      const struct tb_etmv3_packet *p)
{
  struct tb_v7_data *data = &d->v7.state.data;

  if (p->type == TB_ETMV3_DATA_LATE)
    {
      decode_late (d, out, p);
      return;
    }
  if (p->type == TB_ETMV3_STORE_FAILED)
    return;			/* The value before has it.  */
  if (p->type == TB_ETMV3_DATA_SUPPRESSED)
    {
      /* More of the same instruction, or of others, may be missing (7.4.6).  */
      decode_value (d, out, &data->next, p, TB_DATA_SUPPRESSED);
      tb_etmv3_disown_data (d);
      return;
    }
  /* Without instructions an address is all that shows that another one began.  */
  if (data->next.owner == TB_V7_NOBODY && p->data_address_bits > 0)
    data->next.part = 0;
  decode_address (d, out, p);
  if (p->type == TB_ETMV3_DATA_PLACEHOLDER)
    {
      data->late[p->tag] = data->next;
      data->late[p->tag].waits = true;
    }
  else if (d->table.data_values)
    decode_value (d, out, &data->next, p,
		  p->type == TB_ETMV3_DATA_NOT_TRACED ? TB_DATA_NOT_TRACED : 0);
  next_part (&data->next);
}

void
tb_etmv3_disown_unlisted (struct tb_etmv3_decoder *d,
			  const struct tb_etmv3_instruction *in,
			  bool not_known)
{
  const struct tb_v7_state *s = &d->v7.state;

  if (!not_known && in == NULL && s->have_address)
    in = tb_etmv3_code_at (d->code, tb_v7_space (&d->v7.spaces, &s->context),
			   (enum tb_isa) s->isa, s->address);
  if (not_known || in == NULL || in->transfers != TB_ETMV3_NEVER)
    tb_etmv3_disown_data (d);
}
