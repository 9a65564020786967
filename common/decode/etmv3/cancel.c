/* Looking ahead for branches that cancel.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: IHI 0014, 7.3.5 "Branch Packets" (several branch packets may belong
   to one instruction; the last one counts), 7.6 "Tracing of exception return",
   and for the M profile DDI 0337, 15.5.2 "Exception return": there the cancel
   bit after an exception return packet takes the return back, not the
   instruction.  Between an instruction and the branch packet that cancels it
   only packets may stand that are no instruction's: cycles, timestamps,
   contexts, data, synchronisation.  */

#include "config.h"
#include "decode/etmv3/internal.h"

enum answer { UNDECIDED, CANCELLED, STANDS };

/* What packet P, which follows, says.  OF_RETURN: of an exception return, else
   of an instruction.  */
static inline enum answer
judge (const struct tb_etmv3_decoder *d, const struct tb_etmv3_packet *p,
       bool of_return)
{
  switch ((enum tb_etmv3_packet_type) p->type)
    {
    case TB_ETMV3_BRANCH:
      if (p->has_exception && p->exception.cancel)
	return CANCELLED;
      /* A plain branch may be followed by one with an exception.  */
      return p->has_exception && p->exception.number != 0 ? STANDS
							   : UNDECIDED;
    case TB_ETMV3_P_HEADER:
      return p->atoms.natoms > 0 ? STANDS : UNDECIDED;
    case TB_ETMV3_EXCEPTION_RETURN:
      return of_return || d->v7.settings.is_m ? STANDS : UNDECIDED;
    case TB_ETMV3_ISYNC:
    case TB_ETMV3_ISYNC_CYCLES:
      /* With a transfer in progress it is an instruction's (7.14.2).  */
      return p->reason == TB_V7_PERIODIC && !p->in_progress ? UNDECIDED : STANDS;
    case TB_ETMV3_BAD:
      return STANDS;
    default:
      return UNDECIDED;
    }
}

/* Is the packet at BYTES, of which LENGTH are there, an I-sync packet with which trace begins
   again?  It decides, and needs not be read for that.  False if in doubt.  */
static bool
begins_trace (const struct tb_etmv3_table *table, const uint8_t *bytes, size_t length)
{
  unsigned type = table->header[bytes[0]].type;
  size_t at = 1;

  if (type != TB_ETMV3_ISYNC && type != TB_ETMV3_ISYNC_CYCLES)
    return false;
  if (type == TB_ETMV3_ISYNC_CYCLES)
    while (at < length && (bytes[at++] & 0x80) != 0 && at <= 5)
      continue;
  at += table->cid_bytes;
  return at < length && (bytes[at] >> 5 & 3) != TB_V7_PERIODIC;
}

/* Look at the packets ahead until one decides; a plain branch on the way goes
   to *BRANCH.  What decides does not depend on how much the stream shows at a
   time.  */
static bool
look_ahead (struct tb_etmv3_decoder *d, bool of_return,
	    struct tb_etmv3_packet *branch)
{
  const uint8_t *view = d->v7.view;
  size_t at = d->v7.at, length = d->v7.length;
  bool last = d->v7.last, far = false;
  struct tb_stream_place place;
  enum answer answer = UNDECIDED;

  branch->type = TB_ETMV3_BAD;
  while (answer == UNDECIDED)
    {
      if (length - at < TB_ETMV3_PACKET_MAX && !last)
	{
	  if (!far)
	    {
	      at -= d->v7.at;
	      tb_stream_consume (d->v7.stream, d->v7.at);
	      d->v7.at = 0;
	      tb_stream_tell (d->v7.stream, &place);
	      far = true;
	    }
	  tb_stream_consume (d->v7.stream, at);
	  at = 0;
	  view = tb_stream_peek (d->v7.stream, &length, &last);
	}
      if (at == length)
	break;
      const struct tb_etmv3_header *header = &d->table.header[view[at]];
      if (header->type == TB_ETMV3_P_HEADER)
	{
	  if (header->natoms > 0)
	    break;
	  at++;
	  continue;
	}
      struct tb_v7_address address;
      if (header->type == TB_ETMV3_BRANCH && !of_return)
	{
	  unsigned n = tb_v7_address_short (&address,
					    (enum tb_v7_address_form)
					    d->table.form, view + at,
					    length - at);
	  at += n;
	  if (n > 0)
	    continue;
	}
      if (begins_trace (&d->table, view + at, length - at))
	break;
      struct tb_etmv3_packet packet;
      size_t size = tb_etmv3_packet_read (&d->table, view + at, length - at,
					  &packet);
      if (size == 0)
	break;
      answer = judge (d, &packet, of_return);
      if (packet.type == TB_ETMV3_BRANCH && answer == UNDECIDED)
	*branch = packet;
      at += size;
    }
  if (far)
    {
      tb_stream_seek (d->v7.stream, &place);
      tb_v7_refill (&d->v7);
    }
  return answer == CANCELLED;
}

/* Go from AT of the view behind packets that decide nothing, as far as that is quick.  What
   is there then has atoms: true.  */
static inline __attribute__ ((always_inline)) bool
atoms_come (const struct tb_etmv3_decoder *d, size_t *at)
{
  const struct tb_v7_decoder *v7 = &d->v7;

  while (*at < v7->length)
    {
      const uint8_t *bytes = v7->view + *at;
      const struct tb_etmv3_header *header = &d->table.header[bytes[0]];
      struct tb_v7_address address;
      size_t size = 1, left = v7->length - *at;
      if (header->natoms > 0)
	return true;
      if (header->type == TB_ETMV3_BRANCH)
	size = tb_v7_address_short (&address,
				    (enum tb_v7_address_form) d->table.form,
				    bytes, left);
      else if (header->type == TB_ETMV3_DATA)
	size = left > TB_ETMV3_DATA_ROOM ? tb_etmv3_data_size (header, bytes) : 0;
      else if (header->type != TB_ETMV3_P_HEADER)
	break;
      if (size == 0)
	break;
      *at += size;
    }
  return false;
}

bool
tb_etmv3_stands (const struct tb_etmv3_decoder *d, size_t at)
{
  struct tb_etmv3_packet packet;

  for (;;)
    {
      if (atoms_come (d, &at))
	return true;
      size_t left = d->v7.length - at;
      if (left < TB_ETMV3_PACKET_MAX)
	return false;
      at += tb_etmv3_packet_read (&d->table, d->v7.view + at, left, &packet);
      enum answer answer = judge (d, &packet, false);
      if (answer != UNDECIDED)
	return answer == STANDS;
    }
}

/* The packets ahead tell it: not inline, for the sake of those that need not be read.  */
static __attribute__ ((noinline)) bool
is_cancelled (struct tb_etmv3_decoder *d)
{
  struct tb_etmv3_packet branch;

  return look_ahead (d, false, &branch);
}

bool
tb_etmv3_cancelled_later (struct tb_etmv3_decoder *d)
{
  /* Most often atoms come soon, after cycles, data or a branch.  */
  size_t at = d->v7.at;

  return !atoms_come (d, &at) && is_cancelled (d);
}

bool
tb_etmv3_return_cancelled (struct tb_etmv3_decoder *d, uint32_t *resume,
			   bool *known)
{
  struct tb_etmv3_packet branch;
  enum tb_isa isa;

  bool cancelled = look_ahead (d, true, &branch);
  *known = !cancelled && branch.type == TB_ETMV3_BRANCH;
  if (*known)
    *resume = tb_etmv3_branch_target (d, &branch, &isa);
  return cancelled;
}
