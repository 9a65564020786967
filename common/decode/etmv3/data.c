/* ETMv3 data trace to elements.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: IHI 0014, 7.4 "Data tracing", 7.5.3 "Automatic stack push on exception entry
   and pop on exception exit", 7.4.10 "Data-only mode".  */

#include "config.h"
#include "decode/etmv3/transfer.h"

#include <inttypes.h>

/* Whose T is, as the elements of the packet at hand say it.  */
static struct tb_etmv3_tie
tie_of (const struct tb_etmv3_decoder *d, const struct tb_v7_transfer *t)
{
  const struct tb_v7_state *s = &d->v7.state;
  return tb_etmv3_tie (t, s->data.now.count, s->index, s->isa);
}

/* The value TOLD of a transfer of TIE, which FLAGS are of; the packet ends at AT of the
   view.  */
static void
decode_value (struct tb_etmv3_decoder *d, struct tb_element **out,
	      const struct tb_etmv3_transfer *told,
	      const struct tb_etmv3_tie *tie, size_t at, unsigned flags)
{
  const struct tb_v7_decoder *v7 = &d->v7;
  bool followed = at < v7->length;

  tb_etmv3_put_value (out, told, tie, followed,
		      followed ? d->table.header[v7->view[at]].type : TB_ETMV3_BAD, flags);
}

/* The value that the placeholder of P's tag stood for.  Without one it is not known
   whose it is.  */
static void
decode_late (struct tb_etmv3_decoder *d, struct tb_element **out,
	     const struct tb_etmv3_packet *p)
{
  struct tb_v7_transfer *t = &d->v7.state.data.late[p->tag];
  static const struct tb_v7_transfer nobody = { .owner = TB_V7_NOBODY };
  struct tb_etmv3_tie tie = tie_of (d, t->waits ? t : &nobody);

  decode_value (d, out, &p->data, &tie, d->v7.at, TB_DATA_LATE);
  *t = nobody;
}

/* The address of the transfer that TOLD is of, and WITH_VALUE its value, of a packet that
   ends at AT of the view.  */
static void
decode_transfer (struct tb_etmv3_decoder *d, struct tb_element **out,
		 const struct tb_etmv3_transfer *told, size_t at,
		 bool with_value, unsigned flags)
{
  struct tb_v7_in_order *now = &d->v7.state.data.now;

  /* Without instructions an address is all that shows that another one began.  */
  if (now->next.owner == TB_V7_NOBODY && told->address_bits > 0)
    now->next.part = 0;
  struct tb_etmv3_tie tie = tie_of (d, &now->next);
  if (d->table.data_addresses)
    tb_etmv3_put_address (now, out, told, &tie);
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
      struct tb_etmv3_tie tie = tie_of (d, &data->now.next);
      decode_value (d, out, &p->data, &tie, at, TB_DATA_SUPPRESSED);
      tb_etmv3_disown_data (d);
      return;
    }
  bool placeholder = p->type == TB_ETMV3_DATA_PLACEHOLDER;
  decode_transfer (d, out, &p->data, at, d->table.data_values && !placeholder,
		   p->type == TB_ETMV3_DATA_NOT_TRACED ? TB_DATA_NOT_TRACED : 0);
  if (placeholder)
    {
      data->late[p->tag] = data->now.next;
      data->late[p->tag].waits = true;
    }
  tb_etmv3_next_part (&data->now.next);
}

size_t
tb_etmv3_decode_normal_data (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  const uint8_t *bytes = d->v7.view + d->v7.at;
  bool values = d->table.data_values;
  struct tb_etmv3_transfer told;
  size_t size = tb_etmv3_data_read (&d->table.header[bytes[0]], values, bytes, &told);

  decode_transfer (d, out, &told, d->v7.at + size, values, 0);
  tb_etmv3_next_part (&d->v7.state.data.now.next);
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
