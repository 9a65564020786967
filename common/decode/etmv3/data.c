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

/* Whose a transfer is, as its elements say it.  */
struct tie
{
  uint64_t pc;
  uint32_t back;
  uint8_t flags, part, entry;
};

static inline struct tie
tie_of (const struct tb_etmv3_decoder *d, const struct tb_v7_transfer *t)
{
  static const uint8_t flags[] = {
    [TB_V7_NOBODY] = TB_DATA_UNTIED, [TB_V7_INSTRUCTION] = 0,
    [TB_V7_ENTRY] = TB_DATA_PUSHED, [TB_V7_RETURN] = TB_DATA_POPPED
  };
  uint64_t back = d->v7.state.data.count - t->at;
  bool tied = t->owner != TB_V7_NOBODY && back <= UINT32_MAX;

  return (struct tie) {
    .pc = tied ? t->pc : 0, .back = tied ? (uint32_t) back : 0,
    .flags = flags[tied ? t->owner : TB_V7_NOBODY], .part = t->part,
    .entry = t->entry
  };
}

static inline void
put_element (struct tb_element **out, const struct tb_v7_state *s,
	     enum tb_element_kind kind, const struct tie *tie, unsigned flags,
	     uint32_t value, uint8_t bits, uint8_t sent)
{
  struct tb_element *e = (*out)++;

  *e = (struct tb_element) {
    .index = s->index, .kind = kind, .isa = s->isa,
    .flags = (uint8_t) (tie->flags | flags)
  };
  e->u.data.value = value;
  e->u.data.pc = tie->pc;
  e->u.data.back = tie->back;
  e->u.data.part = tie->part;
  e->u.data.bits = bits;
  e->u.data.entry = tie->entry;
  e->u.data.sent = sent;
}

static uint32_t
low_bits (unsigned bits)
{
  return (uint32_t) ((UINT64_C (1) << bits) - 1);
}

/* The address of the next transfer, which TOLD is of and TIE, if it is known.  */
static inline void
decode_address (struct tb_etmv3_decoder *d, struct tb_element **out,
		const struct tb_etmv3_transfer *told, const struct tie *tie)
{
  struct tb_v7_data *data = &d->v7.state.data;
  uint32_t address = data->follows;

  if (!d->table.data_addresses)
    return;
  if (told->address_bits > 0)
    {
      uint32_t mask = low_bits (told->address_bits);
      if (data->bits < told->address_bits)
	data->bits = told->address_bits;
      address = data->address = (data->address & ~mask) | told->address;
      if (told->has_endianness)
	data->big_endian = told->big_endian;
    }
  /* Moves to and from coprocessors have none.  */
  else if (data->next.part == 0)
    return;
  data->follows = address + WORD;
  if (data->bits == 0)
    return;
  put_element (out, &d->v7.state, TB_ELEMENT_DATA_ADDRESS, tie,
	       data->big_endian ? TB_DATA_BIG_ENDIAN : 0,
	       address & low_bits (data->bits), data->bits, told->address_bits);
}

/* The value TOLD of a transfer of TIE, which FLAGS are of; the packet ends at AT of the
   view.  A packet may follow at once that says that it was not stored (7.4.7).  */
static inline void
decode_value (struct tb_etmv3_decoder *d, struct tb_element **out,
	      const struct tb_etmv3_transfer *told,
	      const struct tie *tie, size_t at, unsigned flags)
{
  const struct tb_v7_decoder *v7 = &d->v7;
  bool failed = at < v7->length
		&& d->table.header[v7->view[at]].type
		   == TB_ETMV3_STORE_FAILED;

  put_element (out, &d->v7.state, TB_ELEMENT_DATA_VALUE, tie,
	       flags | (failed ? TB_DATA_FAILED : 0), told->value,
	       told->has_value ? 32 : 0, at < v7->length && !failed);
}

/* The instruction has one transfer more.  */
static inline void
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
  struct tie tie = tie_of (d, t->waits ? t : &nobody);

  decode_value (d, out, &p->data, &tie, d->v7.at, TB_DATA_LATE);
  *t = nobody;
}

/* The address of the transfer that TOLD is of, and WITH_VALUE its value, of a packet that
   ends at AT of the view.  */
static inline void
decode_transfer (struct tb_etmv3_decoder *d, struct tb_element **out,
		 const struct tb_etmv3_transfer *told, size_t at,
		 bool with_value, unsigned flags)
{
  struct tb_v7_transfer *next = &d->v7.state.data.next;

  /* Without instructions an address is all that shows that another one began.  */
  if (next->owner == TB_V7_NOBODY && told->address_bits > 0)
    next->part = 0;
  struct tie tie = tie_of (d, next);
  decode_address (d, out, told, &tie);
  if (with_value)
    decode_value (d, out, told, &tie, at, flags);
}

void
tb_etmv3_decode_data (struct tb_etmv3_decoder *d, struct tb_element **out,
		      const struct tb_etmv3_packet *p)
{
  struct tb_v7_data *data = &d->v7.state.data;
  size_t at = d->v7.at;

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
      struct tie tie = tie_of (d, &data->next);
      decode_value (d, out, &p->data, &tie, at, TB_DATA_SUPPRESSED);
      tb_etmv3_disown_data (d);
      return;
    }
  bool placeholder = p->type == TB_ETMV3_DATA_PLACEHOLDER;
  decode_transfer (d, out, &p->data, at, d->table.data_values && !placeholder,
		   p->type == TB_ETMV3_DATA_NOT_TRACED ? TB_DATA_NOT_TRACED : 0);
  if (placeholder)
    {
      data->late[p->tag] = data->next;
      data->late[p->tag].waits = true;
    }
  next_part (&data->next);
}

size_t
tb_etmv3_decode_normal_data (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  const uint8_t *bytes = d->v7.view + d->v7.at;
  bool values = d->table.data_values;
  struct tb_etmv3_transfer told;
  size_t size = tb_etmv3_data_read (&d->table.header[bytes[0]], values, bytes, &told);

  decode_transfer (d, out, &told, d->v7.at + size, values, 0);
  next_part (&d->v7.state.data.next);
  return size;
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
