/* What the decoders of ETMv3 and PTM have in common.  See v7shell.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/v7shell.h"

#include <stdlib.h>
#include <string.h>

/* The stream.  */

void
tb_v7_settle (struct tb_v7_decoder *d)
{
  tb_stream_consume (d->stream, d->at);
  d->state.stats.bytes += d->at;
  if (d->at != 0)		/* There may be no view.  */
    d->view += d->at;
  if (d->indexes != NULL)
    d->indexes += d->at;
  d->first += d->at;
  d->length -= d->at;
  d->at = 0;
}

void
tb_v7_refill (struct tb_v7_decoder *d)
{
  tb_v7_settle (d);
  d->view = tb_stream_peek (d->stream, &d->length, &d->last);
  d->indexes = tb_stream_indexes (d->stream);
  d->in_sequence = tb_stream_in_sequence (d->stream);
  d->first = tb_stream_index (d->stream, 0);
}

/* At AT an A-sync packet begins; who wants to stop behind it will.  */
static void
note_sync (struct tb_v7_decoder *d)
{
  if (!d->base.stop_at_sync)
    return;
  tb_v7_settle (d);
  tb_stream_tell (d->stream, &d->state.sync);
  d->paused = true;
}

static void
end (struct tb_v7_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->state;

  s->index = tb_stream_index (d->stream, d->at);
  struct tb_element *e = tb_v7_emit (d, out, TB_ELEMENT_END);
  if (s->have_address && !s->halted)
    {
      e->flags = TB_END_ADDRESS;
      e->u.address = s->address;
    }
  s->phase = TB_V7_ENDED;
}

/* Look for an A-sync packet in what the stream shows.  */
static void
search (struct tb_v7_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->state;
  bool found;

  /* Without a byte there is nothing to be out of synchronisation with.  */
  if (s->report)
    {
      s->index = tb_stream_index (d->stream, d->at);
      tb_v7_emit (d, out, TB_ELEMENT_NO_SYNC)->reason = s->lost;
      s->report = false;
    }
  size_t length = d->length - d->at;
  size_t used = tb_v7_async_find (d->view + d->at, length, &found);
  if (found)
    used -= TB_V7_ASYNC_SIZE;
  else if (d->last)
    used = length;
  if (tb_packets_noted (&d->base))
    {
      tb_packet_skipped (&d->base, used, tb_stream_index (d->stream, d->at));
      if (found)
	tb_packet_noted (&d->base, d->async, 8 * TB_V7_ASYNC_SIZE,
			 tb_stream_index (d->stream, d->at + used), NULL);
    }
  if (found)
    {
      d->at += used;
      note_sync (d);
      d->at += TB_V7_ASYNC_SIZE;
      s->stats.packets++;
      s->stats.syncs++;
      s->phase = TB_V7_SYNC;
    }
  else
    d->at += used;
  s->stats.skipped += used;
}

/* Forget where execution stands and look for synchronisation; say why.  */
static void
lose_sync (struct tb_v7_decoder *d, enum tb_reason reason)
{
  struct tb_v7_state *s = &d->state;

  tb_v7_lose_address (d);
  tb_return_stack_flush (&s->stack);
  s->data = (struct tb_v7_data) { .now.count = 0 };
  s->packet_isa = TB_ISA_UNKNOWN;
  s->phase = TB_V7_SEARCH;
  s->report = true;
  s->lost = reason;
}

void
tb_v7_forget_context (struct tb_v7_decoder *d)
{
  d->state.context = (struct tb_v7_context) { .space = d->spaces.unnamed };
}

/* Nothing of what was before a break in the buffer counts behind it.  */
static void
start_over (struct tb_v7_decoder *d)
{
  struct tb_v7_state *s = &d->state;

  tb_v7_forget_context (d);
  s->timestamp = 0;
  s->last = 0;
  s->isa = s->packet_isa = TB_ISA_UNKNOWN;
  s->hole_told = s->returned = s->alternative = s->halted = false;
  lose_sync (d, tb_break_reason (s->report, s->lost));
}

bool
tb_v7_pass_on (struct tb_v7_decoder *d, struct tb_element **out)
{
  if (d->length - d->at < TB_STREAM_LOOKAHEAD
      && !(d->last && d->at < d->length))
    {
      tb_v7_refill (d);
      if (d->length == 0)
	{
	  if (tb_stream_pass_break (d->stream))
	    start_over (d);
	  else
	    end (d, out);
	  return false;
	}
    }
  if (d->state.phase != TB_V7_SEARCH)
    return true;
  search (d, out);
  return false;
}

bool
tb_v7_pass_any (struct tb_v7_decoder *d, unsigned type, size_t size,
		const void *packet)
{
  size_t zeros = 0;		/* More than an A-sync packet needs.  */

  if (size == 0)
    {
      tb_packet_cut (&d->base, 8 * (d->length - d->at), d->state.index);
      d->at = d->length;
      return false;
    }
  if (type == d->async)
    {
      zeros = size - TB_V7_ASYNC_SIZE;
      d->at += zeros;
      note_sync (d);
      size = TB_V7_ASYNC_SIZE;
    }
  /* After what is no packet, the next one may begin anywhere.  */
  if (type == 0)
    size = 1;
  d->at += size;
  if (tb_packets_noted (&d->base))
    tb_packet_noted (&d->base, type, 8 * (size + zeros), d->state.index, packet);
  d->state.stats.packets += type != 0;
  return true;
}

/* Elements.  */

void
tb_v7_bad_packet (struct tb_v7_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->state;
  s->stats.bad_packets++;
  /* Nothing ran where the packet before it led, which need not be one either: that says
     nothing of the code.  */
  if (s->jump != 0 && s->jump == s->stats.packets)
    tb_uncount_fault (&s->stats, TB_FAULT_JUMP);
  s->jump = 0;
  if (s->phase == TB_V7_SYNC)
    {
      /* Nothing was known, so nothing is lost.  */
      s->phase = TB_V7_SEARCH;
      return;
    }
  tb_v7_emit (d, out, TB_ELEMENT_BAD_PACKET);
  lose_sync (d, TB_REASON_BAD_PACKET);
}

void
tb_v7_emit_context (struct tb_v7_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->state;

  d->here = NULL;
  const struct tb_v7_context *c = &s->context;
  const struct tb_context named = {
    .has_cid = c->has_cid, .has_vmid = c->has_vmid, .cid = c->cid, .vmid = c->vmid
  };
  s->context.space = tb_decoder_context (&s->stats, d->spaces.map, &named,
					 (enum tb_space) d->spaces.unnamed);
  tb_v7_context_element ((*out)++, &s->context, (enum tb_isa) s->isa,
			 s->index);
}

void
tb_v7_count_jump (struct tb_v7_decoder *d)
{
  struct tb_v7_state *s = &d->state;
  tb_count_fault (&s->stats, TB_FAULT_JUMP, s->index, s->address);
  s->jump = s->stats.packets;
}

void
tb_v7_jumped (struct tb_v7_decoder *d, struct tb_element **out)
{
  tb_v7_count_jump (d);
  tb_v7_emit (d, out, TB_ELEMENT_NO_SYNC)->reason = TB_REASON_BAD_IMAGE;
}

/* Saved, restored, sent elsewhere and compared.  */

static uint64_t
v7_tell (const struct tb_decoder *base, struct tb_stream_place *place)
{
  const struct tb_v7_decoder *d = (const struct tb_v7_decoder *) base;

  return tb_stream_tell_next (d->stream, place);
}

/* A copy has only those spilled elements that are still to be delivered.  */
static void *
v7_save (const struct tb_decoder *base)
{
  const struct tb_v7_decoder *d = (const struct tb_v7_decoder *) base;
  const struct tb_v7_state *s = &d->state;
  unsigned left = s->spill_end - s->spill_at;
  size_t head = offsetof (struct tb_v7_state, spill);
  struct tb_v7_state *copy = malloc (head + left * sizeof s->spill[0]);

  if (copy == NULL)
    return NULL;
  memcpy (copy, s, head);
  if (left > 0)
    memcpy ((char *) copy + head, s->spill + s->spill_at,
	    left * sizeof s->spill[0]);
  copy->spill_at = 0;
  copy->spill_end = (uint8_t) left;
  v7_tell (base, &copy->place);
  return copy;
}

static void
v7_restore (struct tb_decoder *base, const void *saved)
{
  struct tb_v7_decoder *d = (struct tb_v7_decoder *) base;
  const struct tb_v7_state *from = saved;
  size_t head = offsetof (struct tb_v7_state, spill);

  memcpy (&d->state, saved,
	  head + from->spill_end * sizeof d->state.spill[0]);
  d->here = NULL;
  d->paused = base->at_sync = false;
  base->stats = d->state.stats;
  base->sync = d->state.sync;
  tb_stream_seek (d->stream, &d->state.place);
}

/* Begin with nothing, at the stream's place.  */
static void
begin (struct tb_v7_decoder *d)
{
  struct tb_v7_state *s = &d->state;
  bool stack = s->stack.enabled;

  memset (s, 0, sizeof *s);
  s->stack.enabled = stack;
  s->isa = s->packet_isa = TB_ISA_UNKNOWN;
  tb_v7_forget_context (d);
  lose_sync (d, TB_REASON_INIT);
  d->paused = d->base.at_sync = false;
  d->base.stats = s->stats;
}

static void
v7_seek (struct tb_decoder *base, const struct tb_stream_place *place)
{
  struct tb_v7_decoder *d = (struct tb_v7_decoder *) base;

  begin (d);
  tb_stream_seek (d->stream, place);
}

/* Only how long ago it was matters of a transfer, and nothing of one that nobody
   waits for.  */
static void
normalise_transfer (struct tb_v7_transfer *t, uint64_t count, bool open)
{
  struct tb_v7_transfer to;
  memset (&to, 0, sizeof to);
  if (open)
    {
      to.part = t->part;
      to.entry = t->entry;
      to.owner = t->owner;
      to.waits = t->waits;
    }
  if (to.owner != TB_V7_NOBODY)
    to.at = t->at - count;
  if (to.owner == TB_V7_INSTRUCTION)
    to.pc = t->pc;
  memcpy (t, &to, sizeof to);
}

/* A copy of what was saved in which all that has no bearing on the elements to
   come is zero.  A field that is not thought of here is compared as it is.  */
static void
normalise (struct tb_v7_state *to, const struct tb_v7_state *from)
{
  memset (to, 0, sizeof *to);
  memcpy (to, from, offsetof (struct tb_v7_state, spill));
  memset (&to->stats, 0, sizeof to->stats);
  memset (&to->sync, 0, sizeof to->sync);
  to->index = 0;
  if (!to->report)
    to->lost = 0;
  if (to->have_address)
    to->hole_told = false;
  else
    to->address = 0;
  for (unsigned i = 0; i < 4; i++)
    normalise_transfer (&to->data.late[i], to->data.now.count,
			to->data.late[i].waits);
  normalise_transfer (&to->data.taken, to->data.now.count,
		      to->data.taken.at == to->data.now.count);
  normalise_transfer (&to->data.now.next, to->data.now.count, true);
  to->data.now.count = 0;
  tb_return_stack_normalise (&to->stack);
}

static bool
v7_same (const void *saved, const void *other)
{
  const struct tb_v7_state *a = saved, *b = other;
  struct tb_v7_state x, y;

  if (a->spill_end > 0 || b->spill_end > 0)
    return false;
  normalise (&x, a);
  normalise (&y, b);
  return memcmp (&x, &y, sizeof x) == 0;
}

/* The decoder as a whole.  */

bool
tb_v7_shell_init (struct tb_v7_decoder *d, const struct tb_protocol *protocol,
		  unsigned async, const struct tb_decoder_config *config,
		  bool is_ptm, struct tb_diag *diag)
{
  d->base = (struct tb_decoder) {
    .protocol = protocol, .save = v7_save, .restore = v7_restore,
    .seek = v7_seek, .tell = v7_tell, .same = v7_same,
    .close = tb_v7_close, .counts = &d->state.stats
  };
  d->async = (uint8_t) async;
  struct tb_unit_report report = { .source = config->source };
  tb_v7_settings_read (&d->settings, config->profile, is_ptm, &report);
  tb_unit_say (&report, diag);
  tb_v7_spaces_find (&d->spaces, config->map, config->space);
  d->stream = tb_v7_stream_open (config, diag);
  begin (d);
  return d->stream != NULL;
}

void
tb_v7_close (struct tb_decoder *base)
{
  struct tb_v7_decoder *d = (struct tb_v7_decoder *) base;

  tb_follow_free (base->follow);
  if (d->stream != NULL)
    tb_stream_close (d->stream);
  free (d);
}
