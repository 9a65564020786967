/* The stream of a PTM decoder, and its interface.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/ptm/internal.h"

#include <stdlib.h>
#include <string.h>

/* The stream.  */

/* Let the stream know what is done with.  */
static void
settle (struct tb_ptm_decoder *d)
{
  tb_stream_consume (d->stream, d->at);
  d->state.stats.bytes += d->at;
  d->view += d->at;
  d->length -= d->at;
  d->at = 0;
}

static void
end (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_ptm_state *s = &d->state;

  s->index = tb_stream_index (d->stream, d->at);
  struct tb_element *e = tb_ptm_emit (d, out, TB_ELEMENT_END);
  if (s->have_address && !s->halted)
    {
      e->flags = TB_END_ADDRESS;
      e->u.address = s->address;
    }
  s->phase = TB_PTM_ENDED;
}

/* At AT an A-sync packet begins; who wants to stop behind it will.  */
static void
note_sync (struct tb_ptm_decoder *d)
{
  if (!d->base.stop_at_sync)
    return;
  settle (d);
  tb_stream_tell (d->stream, &d->state.sync);
  d->paused = true;
}

/* Look for an A-sync packet in what the stream shows.  */
static void
search (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_ptm_state *s = &d->state;
  bool found;

  /* Without a byte there is nothing to be out of synchronisation with.  */
  if (s->report)
    {
      s->index = tb_stream_index (d->stream, d->at);
      tb_ptm_emit (d, out, TB_ELEMENT_NO_SYNC)->reason = s->lost;
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
      tb_count_packet (&d->base, TB_PTM_ASYNC, 8 * TB_V7_ASYNC_SIZE);
      s->phase = TB_PTM_SYNC;
    }
  else
    {
      if (d->last)
	used = length;
      d->at += used;
    }
  s->stats.skipped += used;
}

/* One packet, or one stretch of bytes without synchronisation.  */
static void
step (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_ptm_state *s = &d->state;

  if (__builtin_expect (d->length - d->at < TB_STREAM_LOOKAHEAD
			&& !(d->last && d->at < d->length), 0))
    {
      settle (d);
      d->view = tb_stream_peek (d->stream, &d->length, &d->last);
      if (d->length == 0)
	{
	  if (tb_stream_pass_break (d->stream))
	    tb_ptm_start_over (d);
	  else
	    end (d, out);
	  return;
	}
    }
  if (s->phase == TB_PTM_SEARCH)
    {
      search (d, out);
      return;
    }
  const struct tb_ptm_header *header = &d->table.header[d->view[d->at]];
  s->index = tb_stream_index (d->stream, d->at);
  if (__builtin_expect (header->type == TB_PTM_ATOM
			&& !d->table.cycle_accurate
			&& s->phase == TB_PTM_DECODE, 1))
    {
      d->at++;
      s->stats.packets++;
      tb_count_packet (&d->base, TB_PTM_ATOM, 8);
      tb_ptm_follow (d, out, header->natoms, header->atoms, false, NULL);
      return;
    }
  struct tb_ptm_packet packet;
  size_t zeros = 0;		/* More than an A-sync packet needs.  */
  size_t size = tb_ptm_packet_read (&d->table, d->view + d->at,
				    d->length - d->at, &packet);
  if (size == 0)
    {
      /* The trace ends within a packet, which says nothing then.  */
      tb_count_packet (&d->base, TB_PTM_PACKET_TYPES, 8 * (d->length - d->at));
      d->at = d->length;
      return;
    }
  if (packet.type == TB_PTM_ASYNC)
    {
      zeros = size - TB_V7_ASYNC_SIZE;
      d->at += zeros;
      note_sync (d);
      size = TB_V7_ASYNC_SIZE;
    }
  /* After what is no packet, the next one may begin anywhere.  */
  if (packet.type == TB_PTM_BAD)
    size = 1;
  d->at += size;
  tb_count_packet (&d->base, packet.type, 8 * (size + zeros));
  s->stats.packets += packet.type != TB_PTM_BAD;
  tb_ptm_decode_packet (d, out, &packet);
}

/* The interface.  */

static size_t
ptm_read (struct tb_decoder *base, struct tb_element *elements,
	  size_t capacity)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) base;
  struct tb_ptm_state *s = &d->state;
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
      else if (s->phase == TB_PTM_ENDED)
	break;
      else if (stop - out >= TB_PTM_STEP)
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
ptm_close (struct tb_decoder *base)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) base;

  tb_follow_free (d->base.follow);
  if (d->stream != NULL)
    tb_stream_close (d->stream);
  free (d);
}

static struct tb_decoder *
ptm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  struct tb_ptm_decoder *d = calloc (1, sizeof *d);

  if (d == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = &tb_protocol_ptm, .read = ptm_read, .close = ptm_close,
    .counts = &d->state.stats
  };
  tb_ptm_checkpoint_init (d);
  tb_v7_settings_read (&d->settings, config->source, config->profile, true,
		       diag);
  tb_ptm_table_init (&d->table, &d->settings);
  tb_v7_spaces_find (&d->spaces, config->map);
  /* ETMCCER[24]: DMB and DSB are waypoints; ETMCCER[23] and ETMCR[29]: the
     return stack is there and in use.  */
  const struct tb_follow_options options = {
    .barrier_is_waypoint = d->settings.ccer >> 24 & 1,
    .it_is_unmarked = true
  };
  d->state.stack.enabled = (d->settings.ccer >> 23 & 1)
			   && (d->settings.cr >> 29 & 1);
  d->base.follow = tb_follow_new (config->map, config->profile, &options);
  d->stream = tb_v7_stream_open (config, diag);
  if (d->base.follow == NULL || d->stream == NULL)
    {
      if (d->base.follow == NULL)
	tb_error (diag, "no memory to decode %s", config->source->name);
      ptm_close (&d->base);
      return NULL;
    }
  d->state.isa = d->state.packet_isa = TB_ISA_UNKNOWN;
  tb_ptm_lose_sync (d, TB_REASON_INIT);
  return &d->base;
}

/* "PTM", "PTM1.1", "PFT1.1"; the second is the architecture's name.  */
static bool
ptm_matches (const char *type)
{
  return tb_v7_type_matches (type, "PTM", 0)
	 || tb_v7_type_matches (type, "PFT", 0);
}

const struct tb_protocol tb_protocol_ptm =
{
  .name = "PTM",
  .matches = ptm_matches,
  .trace_id = tb_v7_trace_id,
  .open = ptm_open,
  .packet_names = tb_ptm_packet_names,
  .npacket_types = TB_PTM_PACKET_TYPES
};
