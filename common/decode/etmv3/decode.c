/* ETMv3 packets to elements.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/internal.h"

#include <stdlib.h>
#include <string.h>

/* Exception numbers of the A and R profiles.  */
#define EXCEPTION_DEBUG_HALT 1

static void
lose_sync (struct tb_etmv3_decoder *d, enum tb_reason reason)
{
  struct tb_etmv3_state *s = &d->state;

  tb_etmv3_lose_address (d);
  s->phase = TB_ETMV3_SEARCH;
  s->zeros = 0;
  s->report = true;
  s->lost = reason;
}

/* Nothing of what was before a break in the buffer counts behind it.  */
static void
start_over (struct tb_etmv3_decoder *d)
{
  struct tb_etmv3_state *s = &d->state;

  s->context = (struct tb_v7_context) { .cid = 0 };
  s->timestamp = 0;
  s->last = 0;
  s->isa = s->packet_isa = TB_ISA_UNKNOWN;
  s->hole_told = s->returned = s->alternative = s->halted = false;
  /* Before the first byte there was nothing to lose.  */
  lose_sync (d, s->report ? (enum tb_reason) s->lost : TB_REASON_RESET);
}

static void
bad_packet (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  tb_etmv3_emit (d, out, TB_ELEMENT_BAD_PACKET);
  d->state.stats.bad_packets++;
  lose_sync (d, TB_REASON_BAD_PACKET);
}

static void
emit_context (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_etmv3_state *s = &d->state;

  d->current = NULL;
  tb_v7_context_element ((*out)++, &s->context, (enum tb_isa) s->isa,
			 s->index);
}

/* Packets.  */

/* A load or store ran before tracing began, and was not done when it did
   (7.14.2: only there an I-sync packet implies that an instruction was
   executed).  What ran between it and the address of the packet is not told. */
static void
decode_in_progress (struct tb_etmv3_decoder *d, struct tb_element **out,
		    const struct tb_etmv3_packet *p)
{
  static const struct tb_etmv3_header one = { .natoms = 1, .atoms = 1 };
  struct tb_etmv3_state *s = &d->state;
  enum tb_isa isa;
  uint32_t target = tb_etmv3_branch_target (d, p, &isa);
  bool cycle_accurate = d->cycle_accurate;

  d->cycle_accurate = false;
  tb_etmv3_follow (d, out, &one);
  d->cycle_accurate = cycle_accurate;
  if (!s->have_address || s->address != target)
    tb_etmv3_emit (d, out, TB_ELEMENT_TRACE_ON)->reason = TB_REASON_BEGIN;
  s->last = target;
  s->packet_isa = isa;
  tb_etmv3_set_address (d, target, isa);
}

static void
decode_isync (struct tb_etmv3_decoder *d, struct tb_element **out,
	      const struct tb_etmv3_packet *p)
{
  static const uint8_t reasons[] =
  {
    [TB_V7_PERIODIC] = TB_REASON_BEGIN, [TB_V7_TRACE_ON] = TB_REASON_BEGIN,
    [TB_V7_OVERFLOW] = TB_REASON_OVERFLOW,
    [TB_V7_DEBUG_EXIT] = TB_REASON_DEBUG
  };
  struct tb_etmv3_state *s = &d->state;
  bool first = s->phase == TB_ETMV3_SYNC;

  if (first)
    {
      s->phase = TB_ETMV3_DECODE;
      s->context = (struct tb_v7_context) { .cid = 0 };
    }
  if (first || p->reason != TB_V7_PERIODIC)
    tb_etmv3_emit (d, out, TB_ELEMENT_TRACE_ON)->reason = reasons[p->reason];
  else if (p->has_address && s->have_address && s->address != p->value)
    {
      /* Elsewhere than the atoms led: the code is not what ran.  */
      s->stats.bad_image++;
      tb_etmv3_emit (d, out, TB_ELEMENT_NO_SYNC)->reason = TB_REASON_BAD_IMAGE;
    }
  s->context.nonsecure = p->nonsecure;
  s->context.hyp = p->hyp;
  if (p->has_id)
    {
      s->context.cid = p->id;
      s->context.has_cid = true;
    }
  s->alternative = p->alternative;
  s->returned = s->halted = false;
  if (p->has_address)
    {
      s->last = (uint32_t) p->value;
      s->packet_isa = p->isa;
      tb_etmv3_set_address (d, s->last, (enum tb_isa) p->isa);
    }
  emit_context (d, out);
  if (p->has_cycles)
    {
      struct tb_element *e = tb_etmv3_emit (d, out, TB_ELEMENT_CYCLES);
      e->flags = TB_CYCLES_WITH_PREVIOUS;
      e->u.value = p->cycles;
    }
  if (p->in_progress)
    decode_in_progress (d, out, p);
}

/* Exception information; the address is not yet the branch's.  */
static void
decode_exception (struct tb_etmv3_decoder *d, struct tb_element **out,
		  const struct tb_v7_exception *x)
{
  struct tb_etmv3_state *s = &d->state;
  bool is_m = d->settings.is_m;

  if (x->number == 0)
    return;
  struct tb_element *e = tb_etmv3_emit (d, out, TB_ELEMENT_EXCEPTION);
  e->u.exception.number = x->number;
  if (s->returned)
    e->flags |= TB_EXCEPTION_TAIL_CHAIN;
  else if (s->have_address)
    e->u.exception.return_address = s->address + (s->half ? 2 : 0);
  else
    e->flags |= TB_EXCEPTION_NO_RETURN;
  s->halted = !is_m && x->number == EXCEPTION_DEBUG_HALT;
  if (s->halted)
    e->flags |= TB_EXCEPTION_HALT;
}

static void
decode_branch (struct tb_etmv3_decoder *d, struct tb_element **out,
	       const struct tb_etmv3_packet *p)
{
  struct tb_etmv3_state *s = &d->state;
  const struct tb_v7_exception *x = &p->exception;
  enum tb_isa isa;
  uint32_t target = tb_etmv3_branch_target (d, p, &isa);

  if (p->has_exception && !p->address.old_exception)
    {
      bool hyp = x->has_hyp && d->table.has_hyp ? x->hyp : s->context.hyp;
      if (x->nonsecure != s->context.nonsecure || hyp != s->context.hyp)
	{
	  s->context.nonsecure = x->nonsecure;
	  s->context.hyp = hyp;
	  emit_context (d, out);
	}
      s->alternative = x->alternative;
    }
  s->halted = false;
  if (p->has_exception)
    decode_exception (d, out, x);
  s->returned = false;
  s->last = target;
  s->packet_isa = isa;
  tb_etmv3_set_address (d, target, isa);
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
  s->returned = s->halted = false;
  s->last = tb_v7_address_apply (&address, s->last, isa);
  tb_etmv3_set_address (d, s->last, isa);
  return size;
}

static void
decode_return (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_etmv3_state *s = &d->state;
  uint32_t resume = 0;
  bool known, cancelled = tb_etmv3_return_cancelled (d, &resume, &known);

  s->returned = d->settings.is_m;
  if (cancelled)
    return;
  struct tb_element *e
    = tb_etmv3_emit (d, out, TB_ELEMENT_EXCEPTION_RETURN);
  e->u.ret.resume = known ? resume : 0;
}

static void
decode_packet (struct tb_etmv3_decoder *d, struct tb_element **out,
	       const struct tb_etmv3_packet *p)
{
  struct tb_etmv3_state *s = &d->state;

  switch ((enum tb_etmv3_packet_type) p->type)
    {
    case TB_ETMV3_P_HEADER:
      tb_etmv3_follow (d, out, &p->atoms);
      break;
    case TB_ETMV3_BRANCH:
      decode_branch (d, out, p);
      break;
    case TB_ETMV3_ISYNC:
    case TB_ETMV3_ISYNC_CYCLES:
      decode_isync (d, out, p);
      break;
    case TB_ETMV3_ASYNC:
      s->stats.syncs++;
      break;
    case TB_ETMV3_CYCLES:
      tb_etmv3_emit (d, out, TB_ELEMENT_CYCLES)->u.value = p->cycles;
      break;
    case TB_ETMV3_TRIGGER:
      tb_etmv3_emit (d, out, TB_ELEMENT_EVENT)->flags = TB_EVENT_TRIGGER;
      break;
    case TB_ETMV3_CONTEXT_ID:
      if (p->has_id)
	{
	  s->context.cid = p->id;
	  s->context.has_cid = true;
	  emit_context (d, out);
	}
      break;
    case TB_ETMV3_VMID:
      s->context.vmid = p->id;
      s->context.has_vmid = true;
      emit_context (d, out);
      break;
    case TB_ETMV3_TIMESTAMP:
      tb_etmv3_emit (d, out, TB_ELEMENT_TIMESTAMP)->u.value
	= tb_v7_timestamp (&s->timestamp, p->value, p->value_bits,
			   &d->settings);
      break;
    case TB_ETMV3_EXCEPTION_RETURN:
      decode_return (d, out);
      break;
    case TB_ETMV3_BAD:
      bad_packet (d, out);
      break;
    case TB_ETMV3_IGNORE:
    case TB_ETMV3_EXCEPTION_ENTRY:
    case TB_ETMV3_DATA:
    case TB_ETMV3_DATA_LATE:
    case TB_ETMV3_DATA_PLACEHOLDER:
    case TB_ETMV3_DATA_NOT_TRACED:
    case TB_ETMV3_DATA_SUPPRESSED:
    case TB_ETMV3_STORE_FAILED:
      break;
    }
}

/* Between A-sync and the first I-sync packet the time is known, and where each
   packet begins.  */
static void
decode_before_isync (struct tb_etmv3_decoder *d, struct tb_element **out,
		     const struct tb_etmv3_packet *p)
{
  struct tb_etmv3_state *s = &d->state;

  switch ((enum tb_etmv3_packet_type) p->type)
    {
    case TB_ETMV3_P_HEADER:
    case TB_ETMV3_CYCLES:
      if (d->cycle_accurate)
	decode_packet (d, out, p);
      break;
    case TB_ETMV3_ISYNC:
    case TB_ETMV3_TIMESTAMP:
    case TB_ETMV3_ASYNC:
      decode_packet (d, out, p);
      break;
    case TB_ETMV3_BAD:
      /* Nothing was known, so nothing is lost.  */
      s->stats.bad_packets++;
      s->phase = TB_ETMV3_SEARCH;
      s->zeros = 0;
      break;
    default:
      break;
    }
}

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
  size_t used = tb_v7_async_find (d->view + d->at, d->length - d->at,
				  &s->zeros, &found);
  d->at += used;
  s->stats.skipped += used;
  if (found)
    {
      s->stats.skipped -= used < TB_V7_ASYNC_ZEROS + 1 ? used
						       : TB_V7_ASYNC_ZEROS + 1;
      s->stats.packets++;
      s->stats.syncs++;
      s->phase = TB_ETMV3_SYNC;
    }
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
	    start_over (d);
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
      tb_etmv3_follow (d, out, header);
      return;
    }
  if (header->type == TB_ETMV3_BRANCH && s->phase == TB_ETMV3_DECODE)
    {
      unsigned used = decode_short_branch (d);
      d->at += used;
      s->stats.packets += used > 0;
      if (used > 0)
	return;
    }
  struct tb_etmv3_packet packet;
  size_t size = tb_etmv3_packet_read (&d->table, d->view + d->at,
				      d->length - d->at, &packet);
  if (size == 0)
    {
      /* The trace ends within a packet, which says nothing then.  */
      d->at = d->length;
      return;
    }
  /* After what is no packet, the next one may begin anywhere.  */
  d->at += packet.type == TB_ETMV3_BAD ? 1 : size;
  s->stats.packets += packet.type != TB_ETMV3_BAD;
  if (s->phase == TB_ETMV3_SYNC)
    decode_before_isync (d, out, &packet);
  else
    decode_packet (d, out, &packet);
}

/* The interface.  */

static size_t
etmv3_read (struct tb_decoder *base, struct tb_element *elements,
	    size_t capacity)
{
  struct tb_etmv3_decoder *d = (struct tb_etmv3_decoder *) base;
  struct tb_etmv3_state *s = &d->state;
  struct tb_element *out = elements, *stop = elements + capacity;

  d->length = d->at = 0;
  d->last = false;
  while (out < stop)
    {
      if (s->spill_at < s->spill_end)
	*out++ = s->spill[s->spill_at++];
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

/* A copy has only those spilled elements that are still to be delivered.  */
static void *
etmv3_save (const struct tb_decoder *base)
{
  const struct tb_etmv3_decoder *d = (const struct tb_etmv3_decoder *) base;
  const struct tb_etmv3_state *s = &d->state;
  unsigned left = s->spill_end - s->spill_at;
  size_t head = offsetof (struct tb_etmv3_state, spill);
  struct tb_etmv3_state *copy = malloc (head + left * sizeof s->spill[0]);

  if (copy == NULL)
    return NULL;
  memcpy (copy, s, head);
  if (left > 0)
    memcpy ((char *) copy + head, s->spill + s->spill_at,
	    left * sizeof s->spill[0]);
  copy->spill_at = 0;
  copy->spill_end = left;
  tb_stream_tell (d->stream, &copy->place);
  return copy;
}

static void
etmv3_restore (struct tb_decoder *base, const void *saved)
{
  struct tb_etmv3_decoder *d = (struct tb_etmv3_decoder *) base;
  const struct tb_etmv3_state *from = saved;
  size_t head = offsetof (struct tb_etmv3_state, spill);

  memcpy (&d->state, saved,
	  head + from->spill_end * sizeof d->state.spill[0]);
  d->base.stats = d->state.stats;
  d->current = NULL;
  tb_stream_seek (d->stream, &d->state.place);
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
    .protocol = &tb_protocol_etmv3, .read = etmv3_read, .save = etmv3_save,
    .restore = etmv3_restore, .close = etmv3_close
  };
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
  d->state.report = true;
  d->state.lost = TB_REASON_INIT;
  d->state.isa = d->state.packet_isa = TB_ISA_UNKNOWN;
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
  .vector = etmv3_vector
};
