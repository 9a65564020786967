/* Elements of facts: what a log says, in the form of hardware trace.  Facts have the byte of
   events in the log, not those of instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/facts.h"

#include <stdlib.h>
#include <string.h>

#include "recording/window.h"

/* Between two elements: the next step, and the next event.  */
struct fact_place
{
  uint64_t step;
  size_t event;
  bool started, ended;
};

/* Steps that are read at once.  */
#define BATCH 64

struct decoder
{
  struct tb_decoder base;	/* First.  */
  const struct tb_columns *facts;
  struct tb_profile profile;
  struct fact_place at;
  bool counted;
  /* The steps from FIRST on, NSTEPS of them; those behind a range are the next one's.  */
  struct tb_step steps[BATCH];
  uint64_t first;
  size_t nsteps;
};

/* Which instruction LAST is, into E.  */
static void
describe_last (const struct decoder *d, struct tb_element *e,
	       const struct tb_step *last)
{
  struct tb_flow flow = { .kind = TB_FLOW_OTHER, .size = last->size };
  tb_flow_of (&flow, last->isa, last->opcode, last->size, last->pc, false, &d->profile);
  e->last_kind = flow.kind;
  e->last_sub = flow.sub;
  e->last_size = last->size;
  e->flags = (last->flags & TB_STEP_NOT_TAKEN ? 0 : TB_RANGE_EXECUTED)
	     | (flow.conditional || (last->flags & TB_STEP_NOT_TAKEN)
		? TB_RANGE_CONDITIONAL : 0);
}

/* Does the code in memory have an instruction as long as S?  */
static bool
is_mapped (const struct decoder *d, const struct tb_step *s)
{
  uint32_t opcode;
  return tb_follow_opcode (d->base.follow, s->space, s->isa, s->pc, &opcode)
	 == s->size;
}

/* The step at D's place; NULL: there is none.  */
static inline const struct tb_step *
step_at (struct decoder *d)
{
  uint64_t at = d->at.step - d->first;
  if (at >= d->nsteps)
    {
      d->first = d->at.step;
      d->nsteps = tb_facts_read (d->facts, d->first, d->steps, BATCH);
      at = 0;
    }
  return d->nsteps > 0 ? &d->steps[at] : NULL;
}

/* The steps in sequence from D's place on.  False: there is none.  */
static bool
make_range (struct decoder *d, struct tb_element *e)
{
  struct tb_step last = { 0 };
  const struct tb_step *s;
  uint32_t count = 0;
  while (count < UINT32_MAX && (s = step_at (d)) != NULL)
    {
      bool alone = !is_mapped (d, s);
      if (count > 0
	  && ((s->flags & (TB_STEP_EVENTS | TB_STEP_AFTER_GAP))
	      || last.flags & (TB_STEP_TAKEN | TB_STEP_NOT_TAKEN)
	      || s->pc != last.pc + last.size || s->isa != last.isa
	      || alone))
	break;
      if (count == 0)
	*e = (struct tb_element) { .index = TB_INDEX_UNKNOWN,
				   .kind = TB_ELEMENT_RANGE,
				   .isa = s->isa, .space = s->space,
				   .u.range.start = s->pc };
      last = *s;
      count++;
      d->at.step++;
      if (alone)
	break;
    }
  if (count == 0)
    return false;
  e->u.range.count = count;
  e->u.range.end = last.pc + (last.size != 0 ? last.size : 2);
  describe_last (d, e, &last);
  return true;
}

/* The element that EVENT is; false: it makes none.  */
static bool
make_event (struct tb_element *e, const struct tb_event *event)
{
  *e = (struct tb_element) { .index = event->index, .flags = event->flags };
  switch (event->kind)
    {
    case TB_EVENT_GAP:
      e->kind = TB_ELEMENT_TRACE_ON;
      e->reason = event->reason;
      return true;
    case TB_EVENT_EXCEPTION:
      e->kind = TB_ELEMENT_EXCEPTION;
      e->u.exception.number = event->exception;
      e->u.exception.return_address = event->address;
      return true;
    case TB_EVENT_EXCEPTION_RETURN:
      e->kind = TB_ELEMENT_EXCEPTION_RETURN;
      return true;
    default:
      return false;
    }
}

static void
count_lines (struct decoder *d)
{
  tb_facts_stats (d->facts, &d->base.stats);
  for (unsigned i = 0; d->base.packet_counts != NULL
		       && i < d->base.protocol->npacket_types; i++)
    d->base.packet_counts[i] = (struct tb_packet_count) {
      .packets = i != TB_TARMAC_BLANK ? d->facts->kinds[i].lines : 0,
      .bits = 8 * d->facts->kinds[i].bytes
    };
}

static size_t
decode (struct tb_decoder *base, struct tb_element *elements, size_t capacity)
{
  struct decoder *d = (struct decoder *) base;
  const struct tb_event *events
    = (const struct tb_event *) d->facts->events.data;
  size_t nevents = d->facts->events.size / sizeof *events, n = 0;
  if (!d->counted)
    count_lines (d);
  d->counted = true;
  while (n < capacity && !d->at.ended)
    {
      struct tb_element *e = &elements[n];
      if (!d->at.started && d->facts->steps > 0)
	{
	  *e = (struct tb_element) { .index = TB_INDEX_UNKNOWN,
				     .kind = TB_ELEMENT_TRACE_ON,
				     .reason = TB_REASON_BEGIN };
	  d->at.started = true;
	  n++;
	}
      else if (d->at.event < nevents
	       && events[d->at.event].step <= d->at.step)
	n += make_event (e, &events[d->at.event++]);
      else if (make_range (d, e))
	n++;
      else
	{
	  *e = (struct tb_element) { .index = TB_INDEX_UNKNOWN,
				     .kind = TB_ELEMENT_END };
	  if (d->facts->end_known)
	    {
	      e->flags = TB_END_ADDRESS;
	      e->u.address = d->facts->end_pc;
	    }
	  d->at.ended = true;
	  n++;
	}
    }
  return n;
}

static void *
save (const struct tb_decoder *base)
{
  struct fact_place *saved = malloc (sizeof *saved);
  if (saved != NULL)
    *saved = ((const struct decoder *) base)->at;
  return saved;
}

static void
restore (struct tb_decoder *base, const void *saved)
{
  memcpy (&((struct decoder *) base)->at, saved, sizeof (struct fact_place));
}

static void
close_decoder (struct tb_decoder *base)
{
  tb_follow_free (base->follow);
  free (base);
}

static struct tb_decoder *
open_decoder (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  static const struct tb_follow_options options;
  struct decoder *d = calloc (1, sizeof *d);
  if (d != NULL)
    {
      d->base = (struct tb_decoder) {
	.protocol = config->protocol, .read = decode, .save = save,
	.restore = restore, .close = close_decoder
      };
      d->facts = config->facts;
      d->profile = *config->profile;
      d->base.follow = tb_follow_new (config->map, config->profile, &options);
      if (d->base.follow != NULL)
	return &d->base;
    }
  free (d);
  tb_error (diag, "no memory to read a log");
  return NULL;
}

static bool
matches (const char *type)
{
  return strcmp (type, "TARMAC") == 0;
}

static unsigned
trace_id (const struct tb_device *source)
{
  (void) source;
  return TB_ID_NONE;
}

static const char *const kind_names[TB_TARMAC_KINDS] = {
  NULL, "instruction", "register", "memory", "bus", "event", "own", "note",
  "text", "unknown", "bad"
};

const struct tb_protocol tb_protocol_tarmac = {
  .name = "Tarmac", .matches = matches, .trace_id = trace_id,
  .open = open_decoder, .exceptions = TB_NUMBERS_VECTORS, .packet_names = kind_names,
  .npacket_types = TB_TARMAC_KINDS
};

static bool
matches_tfile (const char *type)
{
  return strcmp (type, "trace file") == 0;
}

/* A trace file has frames, no packets.  */
const struct tb_protocol tb_protocol_tfile = {
  .name = "GDB trace file", .matches = matches_tfile, .trace_id = trace_id,
  .open = open_decoder, .exceptions = TB_NUMBERS_VECTORS
};
