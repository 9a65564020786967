/* From the bytes of an ETMv4 or ETE: synchronisation, and packets one after the other.  See
   internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include <string.h>

#include "decode/etmv4/waypoint.h"
#include "util/number.h"

/* Synchronisation.  */

/* The zeros of an alignment synchronisation packet; 0x80 follows.  */
#define ASYNC_ZEROS 11

/* Done with COUNT bytes at P.  */
static void
consume (struct tb_etmv4_decoder *d, const uint8_t *p, size_t count)
{
  struct tb_etmv4_state *s = &d->state;
  unsigned zeros = 0;
  while (zeros < count && zeros < ASYNC_ZEROS && p[count - 1 - zeros] == 0)
    zeros++;
  if (zeros == count)
    zeros += s->zeros;
  s->zeros = (uint8_t) (zeros < ASYNC_ZEROS ? zeros : ASYNC_ZEROS);
  s->stats.bytes += count;
  tb_stream_consume (d->stream, count);
}

/* Find the alignment synchronisation packet, eleven or more zeros and 0x80, at
   or after P; BEFORE zeros come before P.  Returns the byte after it, or NULL;
   *KEEP is then where a later one may begin.  */
static const uint8_t *
find_async (const uint8_t *p, const uint8_t *end, unsigned before,
	    const uint8_t **keep)
{
  const uint8_t *from = p;
  while (from < end)
    {
      const uint8_t *mark = memchr (from, 0x80, (size_t) (end - from));
      if (mark == NULL)
	break;
      const uint8_t *zero = mark;
      while (zero > p && mark - zero < ASYNC_ZEROS && zero[-1] == 0)
	zero--;
      if (mark - zero + (zero == p ? before : 0) >= ASYNC_ZEROS)
	return mark + 1;
      from = mark + 1;
    }
  const uint8_t *zero = end;
  while (zero > from && end - zero < ASYNC_ZEROS && zero[-1] == 0)
    zero--;
  *keep = zero;
  return NULL;
}

/* The next byte begins a synchronisation packet behind which to stop.  */
static void
note_sync (struct tb_etmv4_decoder *d)
{
  tb_stream_tell (d->stream, &d->state.sync);
  d->paused = true;
}

void
tb_etmv4_search (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  size_t length;
  bool last;
  const uint8_t *p = tb_stream_peek (d->stream, &length, &last), *keep;
  /* Without a byte there is nothing to be out of synchronisation with, unless
     the trace said that more was lost.  */
  if (s->report
      && (length > 0 || s->lost == TB_REASON_OVERFLOW
	  || s->lost == TB_REASON_DISCARD))
    {
      tb_etmv4_emit (out, TB_ELEMENT_NO_SYNC,
		     length > 0 ? tb_stream_index (d->stream, 0)
				: s->packet_index)->reason = s->lost;
      s->report = false;
    }
  if (length == 0)
    {
      s->phase = TB_PHASE_DRAIN;
      return;
    }
  const uint8_t *found = find_async (p, p + length, s->zeros, &keep);
  size_t used = found != NULL ? (size_t) (found - p)
		: last ? length : (size_t) (keep - p);
  size_t packet = 0;
  if (found != NULL)
    {
      packet = used > ASYNC_ZEROS + 1 ? ASYNC_ZEROS + 1 : used;
      s->phase = TB_PHASE_INFO;
      s->stats.syncs++;
      s->stats.packets++;
      s->packet_index = tb_stream_index (d->stream, used - packet);
    }
  if (tb_packets_noted (&d->base))
    {
      if (used > packet)
	tb_packet_skipped (&d->base, used - packet,
			   tb_stream_index (d->stream, 0));
      if (found != NULL)
	tb_packet_noted (&d->base, TB_ETMV4_ASYNC, 8 * packet,
			 s->packet_index, NULL);
    }
  s->stats.skipped += used - packet;
  if (found != NULL && d->base.stop_at_sync)
    {
      consume (d, p, used - packet);
      note_sync (d);
      p += used - packet;
      used = packet;
    }
  consume (d, p, used);
}

/* The bytes end within a packet.  */
static void
end_truncated (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  if (s->phase == TB_PHASE_DECODE)
    tb_etmv4_bad (d, out);
  s->phase = TB_PHASE_DRAIN;
}

/* Bytes that the stream showed: AT of LENGTH are done with.  */
struct peeked
{
  const uint8_t *p;
  const uint64_t *indexes;	/* Of each in the buffer, or NULL.  */
  size_t at, length;
};

/* What the stream shows; *LAST: that is all.  */
static struct peeked
show (struct tb_etmv4_decoder *d, bool *last)
{
  struct peeked v = { .at = 0 };
  v.p = tb_stream_peek (d->stream, &v.length, last);
  v.indexes = tb_stream_indexes (d->stream);
  return v;
}

/* Where in the buffer the next byte of VIEW is.  */
static inline uint64_t
index_of (const struct tb_etmv4_decoder *d, const struct peeked *view)
{
  return view->indexes != NULL ? view->indexes[view->at]
			       : tb_stream_index (d->stream, view->at);
}

/* Addresses and atoms when nothing is in the queue and nothing is ever
   speculated.  Returns how many bytes of VIEW the packet took, 0: it is another
   one.  */
static inline unsigned
decode_direct (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	       const struct peeked *view)
{
  struct tb_etmv4_state *s = &d->state;
  const uint8_t *p = view->p + view->at;
  const struct tb_etmv4_header *header = &d->table.header[p[0]];
  unsigned size;
  bool whole = false;		/* All 64 bits of the address are told.  */
  if (header->natoms > 0)
    {
      uint32_t atoms = header->atoms, left = header->natoms;
      const struct tb_block *b = d->block;
      uint64_t index = index_of (d, view);
      s->packet_index = s->atoms_index = index;
      if (b != NULL && out->stop - out->at >= (ptrdiff_t) left)
	{
	  left = tb_etmv4_follow_known (s, out, &b, &atoms, left);
	  s->address = b->start;
	  s->isa = b->isa;
	  d->block = b;
	  if (left == 0)
	    return 1;
	}
      /* Nobody knows what ran, and that was said, or is now: there is much of both where
	 code is missing.  */
      else if (tb_etmv4_is_lost (s))
	return 1;
      else if (b == NULL && tb_etmv4_is_in_hole (d))
	{
	  tb_etmv4_no_code (d, out, index, s->address);
	  return 1;
	}
      s->atoms = atoms;
      s->atoms_left = left;
      tb_etmv4_follow_atoms (d, out);
      return 1;
    }
  if (header->type == TB_ETMV4_ADDRESS_EXACT)
    {
      tb_etmv4_addresses_exact (&s->addresses, header->arg);
      size = 1;
    }
  else if (header->type == TB_ETMV4_ADDRESS_SHORT)
    {
      unsigned shift = header->arg ? 1 : 2, bits = 7;
      uint64_t value = p[1] & 0x7f;
      size = 2;
      if (p[1] & 0x80)
	{
	  value |= (uint64_t) p[2] << 7;
	  bits = 15;
	  size = 3;
	}
      tb_etmv4_addresses_update (&s->addresses, value << shift, bits + shift,
				 header->arg);
    }
  else if (header->type == TB_ETMV4_ADDRESS_32 || header->type == TB_ETMV4_ADDRESS_64)
    {
      whole = header->type == TB_ETMV4_ADDRESS_64;
      uint64_t raw = whole ? tb_number_64 (p + 1) : tb_number_32 (p + 1);
      size = whole ? 9 : 5;
      tb_etmv4_addresses_update (&s->addresses, tb_etmv4_long_address (raw, header->arg),
				 whole ? 64 : 32, header->arg);
    }
  else
    return 0;
  s->packet_index = index_of (d, view);
  if (!s->sf && !whole)
    s->addresses.value[0] &= UINT32_MAX;
  tb_etmv4_take_address (d, s->addresses.value[0], s->addresses.is[0],
			 s->packet_index);
  return size;
}

/* Decode addresses and atoms from VIEW on as decode_direct does, as long as such come and
   whole packets are sure to be there.  Returns how many.  Not inline: what it needs for each
   packet has registers so.  */
static __attribute__ ((noinline)) uint64_t
decode_stretch (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out, struct peeked *view)
{
  const struct tb_etmv4_state *s = &d->state;
  struct peeked v = *view;
  uint64_t packets = 0;

  while (out->at < out->stop && v.length - v.at >= TB_ETMV4_PACKET_MAX)
    {
      unsigned size = decode_direct (d, out, &v);
      if (size == 0)
	break;
      v.at += size;
      packets++;
      if (s->atoms_left > 0 || s->phase != TB_PHASE_DECODE)
	break;
    }
  view->at = v.at;
  return packets;
}

void
tb_etmv4_decode_packets (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  /* What goes past the queue goes past the counting, too.  */
  bool can_be_direct = d->config.max_speculation == 0
		       && !tb_packets_noted (&d->base);
  bool last;
  struct peeked v = show (d, &last);
  uint64_t packets = 0;

  while (out->at < out->stop)
    {
      if (v.length - v.at < TB_STREAM_LOOKAHEAD)
	{
	  consume (d, v.p, v.at);
	  v = show (d, &last);
	  if (v.length == 0)
	    {
	      s->phase = TB_PHASE_DRAIN;
	      break;
	    }
	}
      if (can_be_direct && tb_etmv4_queue_empty (d) && s->phase == TB_PHASE_DECODE)
	{
	  packets += decode_stretch (d, out, &v);
	  if (s->atoms_left > 0 || s->phase != TB_PHASE_DECODE || out->at >= out->stop)
	    break;
	  size_t left = v.length - v.at;
	  if (left < TB_STREAM_LOOKAHEAD && (!last || left == 0))
	    continue;
	}
      uint64_t index = index_of (d, &v);
      struct tb_etmv4_packet packet;
      s->packet_index = index;
      size_t size = tb_etmv4_packet_read (&d->table, v.p + v.at, v.length - v.at,
					  &packet);
      if (size == 0)
	{
	  tb_packet_cut (&d->base, 8 * (v.length - v.at), index);
	  v.at = v.length;
	  end_truncated (d, out);
	  break;
	}
      packets++;
      if (tb_packets_noted (&d->base))
	tb_packet_noted (&d->base, packet.type,
			 packet.type == TB_ETMV4_BAD ? 0 : 8 * size, index,
			 &packet);
      if (packet.type == TB_ETMV4_BAD)
	{
	  /* Search from here, and not from behind it: what is wrong may be the
	     packet before, which then took zeros of a synchronisation.  */
	  if (s->phase == TB_PHASE_INFO)
	    {
	      s->stats.bad_packets++;
	      s->phase = TB_PHASE_SEARCH;
	    }
	  else
	    tb_etmv4_bad (d, out);
	  break;
	}
      if (packet.type == TB_ETMV4_ASYNC && d->base.stop_at_sync)
	{
	  consume (d, v.p, v.at);
	  note_sync (d);
	  v.p += v.at;
	  if (v.indexes != NULL)
	    v.indexes += v.at;
	  v.length -= v.at;
	  v.at = 0;
	}
      v.at += size;
      /* Events may come between the two.  */
      if (s->phase == TB_PHASE_INFO && packet.type != TB_ETMV4_TRACE_INFO
	  && packet.type != TB_ETMV4_EVENT && !d->paused)
	continue;
      tb_etmv4_decode_packet (d, out, &packet);
      if (s->phase == TB_PHASE_SEARCH || tb_etmv4_must_resolve (s)
	  || d->paused)
	break;
    }
  consume (d, v.p, v.at);
  s->stats.packets += packets;
}
