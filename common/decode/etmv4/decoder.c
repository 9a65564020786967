/* The ETMv4 and ETE decoder: bytes to packets, and its interface.  See
   internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include <stdlib.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "decode/etmv4/waypoint.h"
#include "decode/etmv4/kinds.h"
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

/* Look for synchronisation in what the stream has.  */
static void
search (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
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

/* Addresses and atoms when nothing is in the queue and nothing is ever
   speculated.  INDEX is the place in the buffer of the bytes at P.  Returns how
   many of them the packet took, 0: it is another one.  */
static inline unsigned
decode_direct (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	       const uint8_t *p, uint64_t index)
{
  struct tb_etmv4_state *s = &d->state;
  const struct tb_etmv4_header *header = &d->table.header[p[0]];
  unsigned size;
  bool whole = false;		/* All 64 bits of the address are told.  */
  if (header->natoms > 0)
    {
      uint32_t atoms = header->atoms, left = header->natoms;
      const struct tb_block *b = d->block;
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
      /* Nobody knows what ran, and that was said: there is much of it where code is
	 missing.  */
      else if (tb_etmv4_is_lost (s))
	return 1;
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
  s->packet_index = index;
  if (!s->sf && !whole)
    s->addresses.value[0] &= UINT32_MAX;
  tb_etmv4_take_address (d, s->addresses.value[0], s->addresses.is[0],
			 index);
  return size;
}

/* Read packets until there is no room, something is to be done with the queue,
   or synchronisation is lost.  */
static void
decode_packets (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  /* What goes past the queue goes past the counting, too.  */
  bool can_be_direct = d->config.max_speculation == 0
		       && !tb_packets_noted (&d->base);
  size_t length, at = 0;
  bool last;
  const uint8_t *p = tb_stream_peek (d->stream, &length, &last);
  const uint64_t *indexes = tb_stream_indexes (d->stream);
  uint64_t packets = 0;

  while (out->at < out->stop)
    {
      if (length - at < TB_STREAM_LOOKAHEAD)
	{
	  consume (d, p, at);
	  at = 0;
	  p = tb_stream_peek (d->stream, &length, &last);
	  indexes = tb_stream_indexes (d->stream);
	  if (length == 0)
	    {
	      s->phase = TB_PHASE_DRAIN;
	      break;
	    }
	}
      uint64_t index = indexes != NULL ? indexes[at]
				       : tb_stream_index (d->stream, at);
      if (can_be_direct && tb_etmv4_queue_empty (d)
	  && s->phase == TB_PHASE_DECODE
	  && (!last || length - at >= TB_ETMV4_PACKET_MAX))
	{
	  unsigned size = decode_direct (d, out, p + at, index);
	  at += size;
	  if (size > 0)
	    {
	      packets++;
	      if (s->atoms_left > 0 || s->phase != TB_PHASE_DECODE)
		break;
	      continue;
	    }
	}
      struct tb_etmv4_packet packet;
      s->packet_index = index;
      size_t size = tb_etmv4_packet_read (&d->table, p + at, length - at,
					  &packet);
      if (size == 0)
	{
	  tb_packet_cut (&d->base, 8 * (length - at), index);
	  at = length;
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
	  consume (d, p, at);
	  note_sync (d);
	  p += at;
	  if (indexes != NULL)
	    indexes += at;
	  length -= at;
	  at = 0;
	}
      at += size;
      /* Events may come between the two.  */
      if (s->phase == TB_PHASE_INFO && packet.type != TB_ETMV4_TRACE_INFO
	  && packet.type != TB_ETMV4_EVENT && !d->paused)
	continue;
      tb_etmv4_decode_packet (d, out, &packet);
      if (s->phase == TB_PHASE_SEARCH || tb_etmv4_must_resolve (s)
	  || d->paused)
	break;
    }
  consume (d, p, at);
  s->stats.packets += packets;
}

/* The interface.  */

/* Fill OUT as far as whole steps fit, and as there is anything.  */
static void
advance (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  while (out->at < out->stop && s->phase != TB_PHASE_ENDED && !d->paused)
    {
      if (s->atoms_left > 0)
	tb_etmv4_follow_atoms (d, out);
      else if (tb_etmv4_must_resolve (s))
	tb_etmv4_resolve (d, out);
      else if (s->phase == TB_PHASE_SEARCH)
	search (d, out);
      else if (s->phase == TB_PHASE_DRAIN)
	tb_etmv4_drain (d, out);
      else
	decode_packets (d, out);
    }
}

static size_t
etmv4_read (struct tb_decoder *base, struct tb_element *elements,
	    size_t capacity)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  struct tb_etmv4_state *s = &d->state;
  size_t n = 0;
  base->at_sync = false;
  while (n < capacity)
    {
      if (s->spill_at < s->spill_end)
	{
	  elements[n++] = s->spill[s->spill_at++];
	  continue;
	}
      if (d->paused)
	{
	  d->paused = false;
	  base->at_sync = true;
	  base->sync = s->sync;
	  break;
	}
      if (s->phase == TB_PHASE_ENDED)
	break;
      struct tb_etmv4_out out;
      if (capacity - n >= TB_ETMV4_STEP)
	{
	  out.at = elements + n;
	  out.stop = elements + capacity - (TB_ETMV4_STEP - 1);
	  advance (d, &out);
	  n = (size_t) (out.at - elements);
	}
      else
	{
	  out.at = s->spill;
	  out.stop = s->spill + TB_ETMV4_SPILL - (TB_ETMV4_STEP - 1);
	  advance (d, &out);
	  s->spill_at = 0;
	  s->spill_end = (uint8_t) (out.at - s->spill);
	}
    }
  base->stats = s->stats;
  return n;
}

static void
etmv4_close (struct tb_decoder *base)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  tb_stream_close (d->stream);
  tb_follow_free (base->follow);
  free (d->items);
  free (d);
}

static bool
etmv4_matches (const char *type)
{
  return strncasecmp (type, "ETM4", 4) == 0
	 || strncasecmp (type, "ETMv4", 5) == 0
	 || strncasecmp (type, "ETE", 3) == 0;
}

static unsigned
etmv4_trace_id (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, tb_etmv4_traceidr->id,
			tb_etmv4_traceidr->name);
  return reg != NULL ? reg->value & 0x7f : TB_ID_NONE;
}

/* Data have a stream of their own (IHI 0064; DDI 0459, TRCTRACEIDR: its trace ID
   is the next one).  */
static const char *
etmv4_further_stream (const struct tb_device *source, unsigned number,
		      bool *on)
{
  struct tb_etmv4_config config;
  struct tb_unit_report report = { .source = source };
  tb_etmv4_config_read (&config, NULL, &report);
  *on = tb_etmv4_traces_data (&config);
  return number == 1 && !tb_etmv4_is_ete (&config) ? "data trace" : NULL;
}

static void
etmv4_unit (const struct tb_decoder_config *config,
	    struct tb_unit_report *report)
{
  struct tb_etmv4_config settings;
  tb_etmv4_config_read (&settings, config->profile, report);
}

static struct tb_decoder *
etmv4_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  unsigned id = etmv4_trace_id (config->source);
  if (config->buffer == NULL)
    {
      tb_error (diag, "%s: no trace buffer holds this source's trace",
		config->source->file);
      return NULL;
    }
  if (config->buffer->format == TB_FORMAT_SOURCE_DATA)
    id = TB_ID_NONE;
  else if (id == TB_ID_NONE)
    {
      tb_error (diag, "%s: [regs]: expected %s (0x%03" PRIx32 "), which says %s; "
		"found none", config->source->file, tb_etmv4_traceidr->name,
		tb_etmv4_traceidr->id, tb_etmv4_traceidr->tells);
      return NULL;
    }
  struct tb_etmv4_decoder *d = calloc (1, sizeof *d);
  if (d == NULL)
    goto no_memory;
  d->base.protocol = &tb_protocol_etmv4;
  d->base.read = etmv4_read;
  d->base.counts = &d->state.stats;
  d->base.close = etmv4_close;
  tb_etmv4_checkpoint_init (d);
  struct tb_unit_report report = { .source = config->source };
  tb_etmv4_config_read (&d->config, config->profile, &report);
  tb_unit_say (&report, diag);
  tb_etmv4_table_init (&d->table, &d->config);
  const struct tb_region *regions;
  size_t nregions = tb_memmap_regions (config->map, &regions);
  for (size_t i = 0; i < nregions; i++)
    if (regions[i].space < TB_SPACE_CONTEXTS)
      d->has_region[regions[i].space] = true;
  d->map = config->map;
  d->unnamed = (uint8_t) config->space;
  struct tb_follow_options options = {
    .wait_is_branch = tb_etmv4_wait_is_branch (&d->config),
    .tstart_is_waypoint = tb_etmv4_is_ete (&d->config),
    .accesses = (unsigned char) tb_etmv4_accesses (&d->config)
  };
  d->base.follow = tb_follow_new (config->map, config->profile, &options);
  d->stream = tb_stream_open (config->buffer, id);
  d->capacity = 16;
  d->items = malloc (d->capacity * sizeof *d->items);
  if (d->base.follow == NULL || d->stream == NULL || d->items == NULL)
    {
      etmv4_close (&d->base);
      goto no_memory;
    }
  d->state.stack.enabled = tb_etmv4_uses_return_stack (&d->config);
  tb_etmv4_lose_sync (d, TB_REASON_INIT);
  return &d->base;

no_memory:
  tb_error (diag, "no memory to decode %s", config->source->name);
  return NULL;
}

const struct tb_protocol tb_protocol_etmv4 = {
  .name = "ETMv4",
  .matches = etmv4_matches,
  .trace_id = etmv4_trace_id,
  .further_stream = etmv4_further_stream,
  .unit = etmv4_unit,
  .open = etmv4_open,
  .exceptions = TB_NUMBERS_V8,
  .packet_names = tb_etmv4_packet_names,
  .npacket_types = TB_ETMV4_PACKET_TYPES,
  .packet_text = tb_etmv4_packet_text,
  .kinds = tb_etmv4_kinds,
  .nkinds = TB_ETMV4_KINDS
};
