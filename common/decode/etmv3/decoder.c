/* The stream of an ETMv3 decoder, and its interface.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/internal.h"

#include <stdlib.h>
#include <string.h>

/* The stream.  */

/* Let the stream know what is done with.  */
static void
settle (struct tb_etmv3_decoder *d)
{
  tb_stream_consume (d->stream, d->at);
  d->state.stats.bytes += d->at;
  d->view += d->at;
  d->length -= d->at;
  d->at = 0;
}

void
tb_etmv3_refill (struct tb_etmv3_decoder *d)
{
  settle (d);
  d->view = tb_stream_peek (d->stream, &d->length, &d->last);
}

static void
end (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_etmv3_state *s = &d->state;

  s->index = tb_stream_index (d->stream, d->at);
  struct tb_element *e = tb_etmv3_emit (d, out, TB_ELEMENT_END);
  if (s->have_address && !s->halted)
    {
      e->flags = TB_END_ADDRESS;
      e->u.address = s->address;
    }
  s->phase = TB_ETMV3_ENDED;
}

/* At AT an A-sync packet begins; who wants to stop behind it will.  */
static void
note_sync (struct tb_etmv3_decoder *d)
{
  if (!d->base.stop_at_sync)
    return;
  settle (d);
  tb_stream_tell (d->stream, &d->state.sync);
  d->paused = true;
}

/* Look for an A-sync packet in what the stream shows.  */
static void
search (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_etmv3_state *s = &d->state;
  bool found;

  /* Without a byte there is nothing to be out of synchronisation with.  */
  if (s->report)
    {
      s->index = tb_stream_index (d->stream, d->at);
      tb_etmv3_emit (d, out, TB_ELEMENT_NO_SYNC)->reason = s->lost;
      s->report = false;
    }
  size_t length = d->length - d->at;
  size_t used = tb_v7_async_find (d->view + d->at, length, &found);
  if (found)
    {
      used -= TB_V7_ASYNC_SIZE;
      d->at += used;
      note_sync (d);
      d->at += TB_V7_ASYNC_SIZE;
      s->stats.packets++;
      s->stats.syncs++;
      tb_count_packet (&d->base, TB_ETMV3_ASYNC, 8 * TB_V7_ASYNC_SIZE);
      s->phase = TB_ETMV3_SYNC;
    }
  else
    {
      if (d->last)
	used = length;
      d->at += used;
    }
  s->stats.skipped += used;
}

/* A branch packet without exception information, of one or two bytes.  Returns
   how many; 0: it is none.  */
static inline unsigned
decode_short_branch (struct tb_etmv3_decoder *d)
{
  struct tb_etmv3_state *s = &d->state;
  enum tb_isa isa = (enum tb_isa) s->packet_isa;
  struct tb_v7_address address;
  unsigned size
    = tb_v7_address_short (&address, (enum tb_v7_address_form) d->table.form,
			   d->view + d->at, d->length - d->at);

  if (size == 0)
    return 0;
  s->last = tb_v7_address_apply (&address, s->last, isa);
  tb_etmv3_check_target (d, s->last);
  s->returned = s->halted = false;
  tb_etmv3_set_address (d, s->last, isa);
  return size;
}

/* One packet, or one stretch of bytes without synchronisation.  */
static void
step (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_etmv3_state *s = &d->state;

  if (__builtin_expect (d->length - d->at < TB_STREAM_LOOKAHEAD
			&& !(d->last && d->at < d->length), 0))
    {
      tb_etmv3_refill (d);
      if (d->length == 0)
	{
	  if (tb_stream_pass_break (d->stream))
	    tb_etmv3_start_over (d);
	  else
	    end (d, out);
	  return;
	}
    }
  if (s->phase == TB_ETMV3_SEARCH)
    {
      search (d, out);
      return;
    }
  const struct tb_etmv3_header *header = &d->table.header[d->view[d->at]];
  s->index = tb_stream_index (d->stream, d->at);
  if (__builtin_expect (header->type == TB_ETMV3_P_HEADER
			&& s->phase == TB_ETMV3_DECODE, 1))
    {
      d->at++;
      s->stats.packets++;
      tb_count_packet (&d->base, TB_ETMV3_P_HEADER, 8);
      tb_etmv3_follow (d, out, header);
      return;
    }
  if (header->type == TB_ETMV3_BRANCH && s->phase == TB_ETMV3_DECODE)
    {
      unsigned used = decode_short_branch (d);
      d->at += used;
      s->stats.packets += used > 0;
      if (used > 0)
	{
	  tb_count_packet (&d->base, TB_ETMV3_BRANCH, 8 * used);
	  return;
	}
    }
  struct tb_etmv3_packet packet;
  size_t zeros = 0;		/* More than an A-sync packet needs.  */
  size_t size = tb_etmv3_packet_read (&d->table, d->view + d->at,
				      d->length - d->at, &packet);
  if (size == 0)
    {
      /* The trace ends within a packet, which says nothing then.  */
      tb_count_packet (&d->base, TB_ETMV3_PACKET_TYPES, 8 * (d->length - d->at));
      d->at = d->length;
      return;
    }
  if (packet.type == TB_ETMV3_ASYNC)
    {
      zeros = size - TB_V7_ASYNC_SIZE;
      d->at += zeros;
      note_sync (d);
      size = TB_V7_ASYNC_SIZE;
    }
  /* After what is no packet, the next one may begin anywhere.  */
  if (packet.type == TB_ETMV3_BAD)
    size = 1;
  d->at += size;
  tb_count_packet (&d->base, packet.type, 8 * (size + zeros));
  s->stats.packets += packet.type != TB_ETMV3_BAD;
  tb_etmv3_decode_packet (d, out, &packet);
}

/* The interface.  */

static size_t
etmv3_read (struct tb_decoder *base, struct tb_element *elements,
	    size_t capacity)
{
  struct tb_etmv3_decoder *d = (struct tb_etmv3_decoder *) base;
  struct tb_etmv3_state *s = &d->state;
  struct tb_element *out = elements, *stop = elements + capacity;

  base->at_sync = false;
  d->length = d->at = 0;
  d->last = false;
  while (out < stop)
    {
      if (s->spill_at < s->spill_end)
	*out++ = s->spill[s->spill_at++];
      else if (d->paused)
	{
	  d->paused = false;
	  base->at_sync = true;
	  base->sync = s->sync;
	  break;
	}
      else if (s->phase == TB_ETMV3_ENDED)
	break;
      else if (stop - out >= TB_ETMV3_STEP)
	step (d, &out);
      else
	{
	  struct tb_element *spilled = s->spill;
	  step (d, &spilled);
	  s->spill_at = 0;
	  s->spill_end = spilled - s->spill;
	}
    }
  settle (d);
  base->stats = s->stats;
  return out - elements;
}

static void
etmv3_close (struct tb_decoder *base)
{
  struct tb_etmv3_decoder *d = (struct tb_etmv3_decoder *) base;

  tb_etmv3_code_free (d->code);
  tb_follow_free (d->base.follow);
  if (d->stream != NULL)
    tb_stream_close (d->stream);
  free (d);
}

static struct tb_decoder *
etmv3_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  static const struct tb_follow_options options = { .it_is_unmarked = true };
  struct tb_etmv3_decoder *d = calloc (1, sizeof *d);

  if (d == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = &tb_protocol_etmv3, .read = etmv3_read, .close = etmv3_close,
    .counts = &d->state.stats
  };
  tb_etmv3_checkpoint_init (d);
  tb_v7_settings_read (&d->settings, config->source, config->profile, false,
		       diag);
  tb_etmv3_table_init (&d->table, &d->settings);
  d->cycle_accurate = tb_v7_cycle_accurate (&d->settings);
  d->halves = !(d->settings.idr >> 18 & 1);
  tb_v7_spaces_find (&d->spaces, config->map);
  d->base.follow = tb_follow_new (config->map, config->profile, &options);
  if (d->base.follow != NULL)
    d->code = tb_etmv3_code_new (d->base.follow);
  d->stream = tb_v7_stream_open (config, diag);
  if (d->code == NULL || d->stream == NULL)
    {
      if (d->code == NULL)
	tb_error (diag, "no memory to decode %s", config->source->name);
      etmv3_close (&d->base);
      return NULL;
    }
  d->state.isa = d->state.packet_isa = TB_ISA_UNKNOWN;
  tb_etmv3_lose_sync (d, TB_REASON_INIT);
  return &d->base;
}

static bool
etmv3_matches (const char *type)
{
  return tb_v7_type_matches (type, "ETM", 3);
}

static unsigned
etmv3_vector (const struct tb_profile *profile, unsigned number)
{
  return profile->is_m ? tb_etmv3_m_vector (number) : number;
}

const struct tb_protocol tb_protocol_etmv3 =
{
  .name = "ETMv3",
  .matches = etmv3_matches,
  .trace_id = tb_v7_trace_id,
  .open = etmv3_open,
  .vector = etmv3_vector,
  .packet_names = tb_etmv3_packet_names,
  .npacket_types = TB_ETMV3_PACKET_TYPES
};
