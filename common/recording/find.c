/* Finding places in the trace of a recording.  See find.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/element-stats.h"
#include "recording/recording-internal.h"

/* Elements that come behind a checkpoint may be of packets before it, as far as a trace
   unit speculates.  */
#define BEFORE_MOST 65536

/* Have elements of KIND a number to ask for?  */
static bool
is_numbered (unsigned kind)
{
  return kind == TB_ELEMENT_EXCEPTION || kind == TB_ELEMENT_CONTEXT
	 || kind == TB_ELEMENT_EVENT;
}

void
tb_find_expected (struct tb_buffer *text)
{
  tb_buffer_printf (text, "byte:N, step:N, timestamp:N, or one of exception, context and "
		    "event, perhaps with :N, trigger, or another kind of element (");
  const char *comma = "";
  for (unsigned kind = 0; kind < TB_ELEMENT_KINDS; kind++)
    if (!is_numbered (kind))
      {
	tb_buffer_printf (text, "%s%s", comma,
			  tb_element_kind_name ((enum tb_element_kind) kind));
	comma = ", ";
      }
  tb_buffer_printf (text, ")");
}

bool
tb_find_parse (const char *text, struct tb_find_query *query)
{
  static const struct { const char *name; uint8_t what; } places[] = {
    { "byte", TB_FIND_BYTE }, { "step", TB_FIND_STEP },
    { "timestamp", TB_FIND_TIMESTAMP }
  };
  const char *colon = strchr (text, ':');
  size_t length = colon != NULL ? (size_t) (colon - text) : strlen (text);
  *query = (struct tb_find_query) { .any = colon == NULL };
  if (colon != NULL)
    {
      char *end;
      errno = 0;
      query->value = strtoull (colon + 1, &end, 0);
      if (colon[1] < '0' || colon[1] > '9' || *end != 0 || errno != 0)
	return false;
    }
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (strlen (places[i].name) == length
	&& memcmp (places[i].name, text, length) == 0 && colon != NULL)
      {
	query->what = places[i].what;
	return true;
      }
  query->what = TB_FIND_ELEMENTS;
  if (strcmp (text, "trigger") == 0)
    {
      query->kind = TB_ELEMENT_EVENT;
      query->trigger = true;
      return true;
    }
  for (unsigned kind = 0; kind < TB_ELEMENT_KINDS; kind++)
    {
      const char *name = tb_element_kind_name ((enum tb_element_kind) kind);
      if (strlen (name) != length || memcmp (name, text, length) != 0)
	continue;
      query->kind = (uint8_t) kind;
      return query->any || is_numbered (kind);
    }
  return false;
}

/* Does E have the number that Q asks for?  */
static bool
has_number (const struct tb_find_query *q, const struct tb_element *e)
{
  switch (e->kind)
    {
    case TB_ELEMENT_EXCEPTION:
      return q->any || e->u.exception.number == q->value;
    case TB_ELEMENT_CONTEXT:
      return q->any
	     || (e->flags & TB_CONTEXT_CID && e->u.context.cid == q->value);
    case TB_ELEMENT_EVENT:
      return q->trigger == ((e->flags & TB_EVENT_TRIGGER) != 0)
	     && (q->any || e->u.value == q->value);
    default:
      return true;
    }
}

/* What the index counts elements of KIND as; TB_ID_KINDS: it does not.  */
static enum tb_id_entry_kind
counted_as (unsigned kind)
{
  switch (kind)
    {
    case TB_ELEMENT_TIMESTAMP: return TB_ID_TIMESTAMP;
    case TB_ELEMENT_CONTEXT: return TB_ID_CONTEXT;
    case TB_ELEMENT_EVENT: return TB_ID_TRIGGER;
    case TB_ELEMENT_NO_SYNC: case TB_ELEMENT_TRACE_ON: return TB_ID_GAP;
    default: return TB_ID_KINDS;
    }
}

/* May the part of R behind checkpoint NUMBER have an element that Q asks for, by the
   index of its bytes?  */
static bool
index_has (const struct tb_recording *r, const struct tb_find_query *q, size_t number)
{
  const struct tb_id_index *ids = &r->ids;
  const struct tb_checkpoint *c = &r->checkpoints.items[number];
  enum tb_id_entry_kind kind = counted_as (q->kind);
  bool last = number + 1 == r->checkpoints.count;
  if (ids->block_size == 0 || ids->cut || kind == TB_ID_KINDS
      || (number > 0 && !c->has_sync) || (!last && !c[1].has_sync))
    return true;
  uint64_t from = number > 0 && c->index > BEFORE_MOST ? c->index - BEFORE_MOST : 0;
  const struct tb_id_block *block = tb_id_index_after (ids, kind, from);
  const struct tb_id_block *end = ids->blocks + ids->nblocks;
  for (; block != NULL && block < end; block++)
    {
      if (!last && block->number > c[1].index / ids->block_size)
	return false;
      /* Of one context it is known which.  */
      if (block->counts[kind] > 0
	  && !(kind == TB_ID_CONTEXT && !q->any && block->counts[kind] == 1
	       && block->last_context != q->value))
	return true;
    }
  return false;
}

/* The first part to look into, and how many from there on.  */
static size_t
first_part (const struct tb_recording *r, const struct tb_find *f, size_t *count)
{
  const struct tb_checkpoint *items = r->checkpoints.items;
  size_t n = r->checkpoints.count, first = 0;
  *count = 1;
  switch ((enum tb_find_what) f->query.what)
    {
    case TB_FIND_STEP:
      return tb_recording_window_at (r, f->query.value);
    case TB_FIND_BYTE:
      /* Behind the first one of later bytes there is nothing; where that is in a part
	 of which it is not known, that part is looked through to its end.  */
      for (size_t i = 1; i < n; i++)
	if (items[i].has_sync && items[i].index <= f->query.value)
	  first = i;
      for (size_t i = first + 1; i < n && !items[i].has_sync; i++)
	++*count;
      return first;
    case TB_FIND_TIMESTAMP:
      while (first + 1 < n
	     && !(items[first + 1].start.has_timestamp
		  && items[first + 1].start.timestamp >= f->query.value))
	first++;
      return first;
    case TB_FIND_ELEMENTS:
      break;
    }
  first = f->from > 0 ? tb_recording_window_at (r, f->from - 1) : 0;
  *count = n - first;
  return first;
}

struct search_state
{
  struct tb_find *find;
  struct tb_find_hit last;	/* BYTE: the best one so far.  */
  uint64_t skipped;
  bool found, enough;
};

static void
hit (struct search_state *s, const struct tb_element *e, uint64_t step)
{
  const struct tb_find_hit here = { .step = step, .element = *e };
  s->found = true;
  s->enough = !s->find->take (s->find->context, &here)
	      || s->find->query.what != TB_FIND_ELEMENTS;
}

/* The system's time that E tells; false: none.  */
static bool
tells_time (const struct tb_element *e, uint64_t *time)
{
  switch (e->kind)
    {
    case TB_ELEMENT_TIMESTAMP:
      *time = e->u.value;
      return true;
    case TB_ELEMENT_ITM_GLOBAL_TIME:
      *time = e->u.time.value;
      return true;
    case TB_ELEMENT_SOFTWARE:
      *time = e->u.software.timestamp;
      return e->flags & TB_SOFTWARE_TIMESTAMP;
    default:
      return false;
    }
}

/* Look at E, which lies before STEP.  */
static void
look_at (struct search_state *s, const struct tb_element *e, uint64_t step)
{
  const struct tb_find_query *q = &s->find->query;
  uint64_t time;
  switch ((enum tb_find_what) q->what)
    {
    case TB_FIND_STEP:
      if (e->kind == TB_ELEMENT_RANGE && q->value >= step
	  && q->value - step < e->u.range.count)
	hit (s, e, step);
      break;
    case TB_FIND_TIMESTAMP:
      if (tells_time (e, &time) && time >= q->value)
	hit (s, e, step);
      break;
    case TB_FIND_BYTE:
      if (e->index <= q->value
	  && (!s->found || e->index >= s->last.element.index))
	{
	  s->last = (struct tb_find_hit) { .step = step, .element = *e };
	  s->found = true;
	}
      break;
    case TB_FIND_ELEMENTS:
      if (e->kind != q->kind || step < s->find->from || !has_number (q, e))
	break;
      if (step == s->find->from && s->skipped < s->find->skip)
	s->skipped++;
      else
	hit (s, e, step);
      break;
    }
}

/* Decode the part of R behind checkpoint NUMBER.  False: it could not be.  */
static bool
look_into (struct search_state *s, struct tb_recording *r, size_t number)
{
  const struct tb_checkpoint *c = &r->checkpoints.items[number];
  uint64_t stop = number + 1 < r->checkpoints.count ? c[1].start.elements
						     : UINT64_MAX;
  struct tb_window_start at = c->start;
  struct tb_element some[256];
  size_t n;
  if (!tb_checkpoint_reach (c, r->decoder))
    return false;
  while (at.elements < stop && !s->enough
	 && (n = r->decoder->read (r->decoder, some,
				   sizeof some / sizeof some[0])) > 0)
    for (size_t i = 0; i < n && at.elements < stop && !s->enough; i++)
      {
	uint32_t lines = tb_element_lines (&some[i]);
	for (uint32_t k = 0; k < lines && !s->enough; k++)
	  {
	    struct tb_element line;
	    tb_element_line (&line, &some[i], k);
	    look_at (s, &line, at.step + k);
	  }
	tb_window_advance (&at, &some[i]);
      }
  return !tb_decoder_no_memory (r->decoder);
}

/* Look into the parts of R from NUMBER on, up to END.  FOUND: perhaps not yet.  */
static enum tb_search
look_through (struct search_state *s, struct tb_recording *r, size_t number, size_t end)
{
  struct tb_find *f = s->find;
  for (; number < end && !s->enough; number++)
    {
      if (f->query.what == TB_FIND_ELEMENTS && !index_has (r, &f->query, number))
	continue;
      if (f->go_on != NULL && !f->go_on (f->context))
	return TB_SEARCH_STOPPED;
      f->decoded++;
      if (!look_into (s, r, number))
	return TB_SEARCH_NO_MEMORY;
    }
  return TB_SEARCH_FOUND;
}

enum tb_search
tb_recording_find (struct tb_recording *r, struct tb_find *f)
{
  struct search_state s = { .find = f };
  size_t count;
  f->parts = r->checkpoints.count;
  f->decoded = 0;
  if (r->decoder == NULL || f->parts == 0)
    return TB_SEARCH_NONE;
  /* Something is decoded first: with an index that does not fit, the parts
     are others then.  */
  size_t number = first_part (r, f, &count);
  if (tb_recording_window (r, number) == NULL)
    return TB_SEARCH_NO_MEMORY;
  f->parts = r->checkpoints.count;
  number = first_part (r, f, &count);
  enum tb_search status = look_through (&s, r, number, number + count);
  /* Where the clock was set back it may be in a part behind this one, or before it.  */
  if (status == TB_SEARCH_FOUND && !s.enough && f->query.what == TB_FIND_TIMESTAMP)
    status = look_through (&s, r, number + count, f->parts);
  if (status == TB_SEARCH_FOUND && !s.enough && f->query.what == TB_FIND_TIMESTAMP)
    status = look_through (&s, r, 0, number);
  /* A part begins with bytes that make no element: the last one is in a part before it.  */
  while (status == TB_SEARCH_FOUND && !s.found && f->query.what == TB_FIND_BYTE && number-- > 0)
    status = look_through (&s, r, number, number + 1);
  if (status != TB_SEARCH_FOUND)
    return status;
  if (f->query.what == TB_FIND_BYTE && s.found)
    f->take (f->context, &s.last);
  return s.found ? TB_SEARCH_FOUND : TB_SEARCH_NONE;
}

bool
tb_find_is_of_software (const struct tb_find_query *query)
{
  return query->what == TB_FIND_ELEMENTS
	 && (query->kind == TB_ELEMENT_SOFTWARE || query->kind == TB_ELEMENT_ITM
	     || query->kind == TB_ELEMENT_DWT || query->kind == TB_ELEMENT_ITM_LOCAL_TIME
	     || query->kind == TB_ELEMENT_ITM_GLOBAL_TIME);
}

enum tb_search
tb_software_find (struct tb_decoder *decoder, struct tb_find *f)
{
  struct search_state s = { .find = f };
  struct tb_element some[256];
  size_t n;
  while (!s.enough
	 && (n = decoder->read (decoder, some, sizeof some / sizeof some[0])) > 0)
    {
      if (f->go_on != NULL && !f->go_on (f->context))
	return TB_SEARCH_STOPPED;
      for (size_t i = 0; i < n && !s.enough; i++)
	look_at (&s, &some[i], some[i].index);
    }
  if (f->query.what == TB_FIND_BYTE && s.found)
    f->take (f->context, &s.last);
  return s.found ? TB_SEARCH_FOUND : TB_SEARCH_NONE;
}
