/* Histories of variables of functions, call by call.  See history.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The model of calls (recording/levels.h) tells which steps are of which call.  */

#include "config.h"
#include "frame/history-internal.h"

#include <stdlib.h>
#include <string.h>

#include "recording/levels.h"

/* Instructions between two looks at whether to go on, where no state is worked out.  */
#define RAN_PATIENCE (UINT64_C (1) << 16)

/* So many are told as soon as there are.  */
#define SPANS_MOST 4096

/* Steps of one call, one behind the other; COUNT 0: it is over before STEP.  */
struct call_steps
{
  uint64_t step, count;
  size_t call;
};

/* What a call's last value was; or a place for one.  */
struct call
{
  bool any;
  uint64_t step;		/* Before which.  */
  uint64_t which;		/* Of which variables; 0: of none yet.  */
  struct tb_value value;
  size_t next;			/* Where it is free: of the next free one plus 1.  */
};

struct call_walk
{
  const struct tb_history_source *source;
  const struct tb_history_expression *expression;
  bool (*take) (void *context, const struct tb_history_change *change);
  void *context;
  struct tb_history_missed *missed;
  uint64_t from, end;
  struct tb_buffer spans;	/* struct call_steps that are to be told.  */
  struct tb_buffer calls;	/* struct call: of the levels that are open, and of SPANS.  */
  size_t free;			/* The first free one plus 1; 0: none is.  */
  bool any;			/* Something was told: last of  */
  size_t last;			/* this call,  */
  uint64_t last_end;		/* up to this step.  */
  uint64_t ran;			/* Instructions since the last look at whether to go on.  */
  bool done;			/* What runs now is behind the end.  */
  enum tb_search result;
};

static struct call *
call_at (const struct call_walk *w, size_t number)
{
  return (struct call *) (void *) w->calls.data + number;
}

static void
free_call (struct call_walk *w, size_t number)
{
  call_at (w, number)->next = w->free;
  w->free = number + 1;
}

/* The number of a new call; *OK false: no memory.  */
static size_t
new_call (struct call_walk *w, bool *ok)
{
  const struct call none = { .any = false };
  size_t number = w->free - 1;
  *ok = true;
  if (w->free != 0)
    {
      w->free = call_at (w, number)->next;
      *call_at (w, number) = none;
      return number;
    }
  number = w->calls.size / sizeof none;
  tb_buffer_append (&w->calls, &none, sizeof none);
  *ok = !w->calls.failed;
  return number;
}

/* Do all PIECES hold, before step A, as much as is known of them before step B, and the
   same?  */
static bool
same_memory (const struct tb_history_source *s, const struct tb_history_read *pieces,
	     uint64_t a, uint64_t b)
{
  enum { MOST = 64 };
  struct tb_moment moments[2];
  uint8_t bytes[2][MOST], origins[2][MOST];
  if (!tb_moment_find (s->stage->moments, a, &moments[0])
      || !tb_moment_find (s->stage->moments, b, &moments[1]))
    return false;
  for (size_t i = 0; i < pieces->count; i++)
    for (uint64_t at = 0; at < pieces->ranges[i].length; at += MOST)
      {
	uint64_t left = pieces->ranges[i].length - at;
	size_t n = left < MOST ? (size_t) left : MOST;
	for (unsigned k = 0; k < 2; k++)
	  if (s->stage->memory != NULL)
	    s->stage->memory (s->stage->data, &moments[k], pieces->ranges[i].address + at,
			      bytes[k], origins[k], n);
	  else
	    tb_moment_memory (s->stage->moments, &moments[k],
			      pieces->ranges[i].address + at, bytes[k], origins[k], n);
	for (size_t j = 0; j < n; j++)
	  if ((origins[0][j] == TB_UNKNOWN) != (origins[1][j] == TB_UNKNOWN)
	      || (origins[0][j] != TB_UNKNOWN && bytes[0][j] != bytes[1][j]))
	    return false;
      }
  return true;
}

/* Find what made the value of M another one, CHANGE->after, which it is not before step FROM,
   and is before step TO: the step FROM itself, or behind a callee the last store to what is
   read.  Only if the value was the old one up to that store, and the new one from there on:
   else something made it so of which it is not known what it stores, or several did.
   TB_SEARCH_FOUND: CHANGE->step and CHANGE->maybe are set.  */
static enum tb_search
find_changer (const struct call_walk *w, const struct tb_history_meaning *m, uint64_t from,
	      uint64_t to, struct tb_history_change *change)
{
  const struct tb_history_source *s = w->source;
  uint64_t mask = tb_history_mask (w->expression->type);
  struct tb_history_read old, now;
  struct tb_access_found found;
  change->step = from;
  if (to == from + 1)
    return TB_SEARCH_FOUND;
  tb_history_read_at (s, &m->value, &m->reads, to, &now);
  w->missed->places |= now.too_many;
  if (now.count == 0)
    return TB_SEARCH_NONE;
  tb_accesses_set_poll (s->accesses, s->go_on, s->context);
  enum tb_search result
    = tb_accesses_previous (s->accesses, now.ranges, now.count, to, from, &found);
  tb_accesses_set_poll (s->accesses, NULL, NULL);
  w->missed->stores += found.unknown_stores;
  w->missed->steps += found.unknown_steps;
  w->missed->gaps += found.gaps;
  if (result != TB_SEARCH_FOUND)
    return result;
  tb_history_read_at (s, &m->value, NULL, from, &old);
  if (!tb_history_same (&old.value, &change->before, mask)
      || !same_memory (s, &now, from, found.step)
      || !same_memory (s, &now, found.step + 1, to))
    return TB_SEARCH_NONE;
  change->step = found.step;
  tb_history_look_at_store (s, w->expression, &now, change);
  return TB_SEARCH_FOUND;
}

/* The end of the first line of FUNCTION, which sets its variables up: what stands in their
   places before is not theirs.  */
static uint64_t
prologue_end (struct tb_symbols *symbols, const struct tb_function *function)
{
  struct tb_line line;
  return tb_symbols_line_at (symbols, function->address, &line) && line.end < function->end
	 ? line.end : function->address;
}

/* Look at the value before STEP, at PC, in CALL; AGAIN: another call ran before.  False: TAKE
   has enough.  */
static bool
look (const struct call_walk *w, struct call *call, bool again, uint64_t step, uint64_t pc)
{
  struct tb_history_local *l = w->expression->local;
  struct tb_expression_error error;
  struct tb_history_read now = { .value = { .origin = TB_UNKNOWN } };
  if (!call->any && pc >= l->function->address && pc < l->begin)
    return true;
  const struct tb_history_meaning *m = tb_history_meaning_at (l, pc, &error);
  if (m != NULL)
    tb_history_read_at (w->source, &m->value, NULL, step, &now);
  /* Where another variable of that name is meant now, that one begins.  */
  bool first = !call->any || again
	       || (m != NULL && call->which != 0 && call->which != m->which);
  bool enough = false;
  if (first || !tb_history_same (&call->value, &now.value, tb_history_mask (l->type)))
    {
      struct tb_history_change change = {
	.step = step - 1, .before = call->value, .after = now.value
      };
      enum tb_search found = TB_SEARCH_FOUND;
      if (!first && m != NULL)
	found = find_changer (w, m, call->step, step, &change);
      if (found == TB_SEARCH_STOPPED)
	return false;
      /* Where it is not known what did it, only from where on it is so.  */
      change.is_first = first || found != TB_SEARCH_FOUND;
      if (change.is_first)
	change.step = step;
      enough = !w->take (w->context, &change);
    }
  *call = (struct call) { true, step, m != NULL ? m->which : call->which, now.value, 0 };
  return !enough;
}

/* Tell that the call of SPANS is over, unless another one, or it, goes on right there (LEFT
   more follow).  False: TAKE has enough.  */
static bool
tell_over (const struct call_walk *w, const struct call_steps *spans, size_t left)
{
  const struct call *call = call_at (w, spans->call);
  const struct tb_history_change change = {
    .step = spans->step, .is_first = true, .is_over = true, .before = call->value,
    .after = { .origin = TB_UNKNOWN }
  };
  for (size_t i = 1; i <= left && spans[i].step == spans->step; i++)
    if (spans[i].count != 0)
      return true;
  return !call->any || w->take (w->context, &change);
}

/* Look at the steps of SPAN.  */
static enum tb_search
look_at_span (const struct call_walk *w, const struct call_steps *span)
{
  enum { MOST = 64 };
  const struct tb_history_source *s = w->source;
  struct tb_step steps[MOST];
  bool again = w->any && w->last != span->call;
  uint64_t at = span->step, end = span->step + span->count;
  while (at < end)
    {
      size_t n = end - at < MOST ? (size_t) (end - at) : MOST;
      n = tb_recording_read (s->recording, at, steps, n);
      if (n == 0)
	return TB_SEARCH_NO_MEMORY;
      if (s->go_on != NULL && !s->go_on (s->context))
	return TB_SEARCH_STOPPED;
      for (size_t i = 0; i < n; i++)
	if (!look (w, call_at (w, span->call), again && at + i == span->step, at + i,
		   steps[i].pc))
	  return TB_SEARCH_STOPPED;
      at += n;
    }
  return TB_SEARCH_NONE;
}

/* Tell the spans, but (unless ALL) those at the last step, of which more may follow.  False:
   W->result is not TB_SEARCH_NONE.  */
static bool
tell_spans (struct call_walk *w, bool all)
{
  struct call_steps *spans = (struct call_steps *) (void *) w->spans.data;
  size_t count = w->spans.size / sizeof *spans, told = count;
  while (!all && told > 0 && spans[told - 1].step == spans[count - 1].step)
    told--;
  for (size_t i = 0; i < told && w->result == TB_SEARCH_NONE; i++)
    if (spans[i].count == 0)
      {
	if (!tell_over (w, &spans[i], count - 1 - i))
	  w->result = TB_SEARCH_STOPPED;
	free_call (w, spans[i].call);
      }
    else
      {
	w->result = look_at_span (w, &spans[i]);
	w->any = true;
	w->last = spans[i].call;
	w->last_end = spans[i].step + spans[i].count;
      }
  if (told > 0)
    memmove (spans, spans + told, (count - told) * sizeof *spans);
  w->spans.size -= told * sizeof *spans;
  return w->result == TB_SEARCH_NONE;
}

static bool
tell_many (struct call_walk *w)
{
  return w->spans.size < SPANS_MOST * sizeof (struct call_steps) || tell_spans (w, false);
}

static bool
open_level (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  struct call_walk *w = context;
  struct tb_level *level = &levels[count - 1];
  bool ok = true;
  (void) step;
  /* Numbered from 1 on; it keeps its number where its task goes on.  */
  if (level->function == w->expression->local->function && level->data == NULL)
    level->data = (void *) (uintptr_t) (new_call (w, &ok) + 1);
  return ok && tell_many (w);
}

static bool
close_level (void *context, struct tb_level *levels, size_t count, uint64_t step,
	     enum tb_level_end end, uint64_t by)
{
  struct call_walk *w = context;
  const struct tb_level *level = &levels[count - 1];
  (void) by;
  if (level->data == NULL || end == TB_LEVEL_SUSPENDED || step >= w->end)
    return true;
  const struct call_steps over = { .step = step, .call = (size_t) (uintptr_t) level->data - 1 };
  /* None of its steps was listed.  */
  if (step <= w->from)
    {
      free_call (w, over.call);
      return true;
    }
  tb_buffer_append (&w->spans, &over, sizeof over);
  return !w->spans.failed && tell_many (w);
}

static bool
ran (void *context, struct tb_level *levels, size_t count, uint64_t step, uint64_t address,
     uint32_t instructions)
{
  struct call_walk *w = context;
  const struct tb_level *level = &levels[count - 1];
  const struct tb_history_source *source = w->source;
  uint64_t end = step + instructions;
  (void) address;
  w->ran += instructions;
  if (w->ran >= RAN_PATIENCE && source->go_on != NULL)
    {
      w->ran = 0;
      if (!source->go_on (source->context))
	w->result = TB_SEARCH_STOPPED;
    }
  w->done |= step >= w->end;
  if (w->done || w->result != TB_SEARCH_NONE)
    return false;
  if (level->function != w->expression->local->function || level->data == NULL
      || end <= w->from)
    return true;
  struct call_steps s = { .step = step > w->from ? step : w->from,
			  .call = (size_t) (uintptr_t) level->data - 1 };
  s.count = (end < w->end ? end : w->end) - s.step;
  size_t have = w->spans.size / sizeof s;
  struct call_steps *all = (struct call_steps *) (void *) w->spans.data;
  struct call_steps *last = have > 0 ? all + have - 1 : NULL;
  if (last != NULL && last->count != 0 && last->call == s.call
      && last->step + last->count == s.step)
    last->count += s.count;
  else
    tb_buffer_append (&w->spans, &s, sizeof s);
  return !w->spans.failed;
}

/* What the last step did shows at the end only.  False: TAKE has enough.  */
static bool
look_at_end (const struct call_walk *w)
{
  const struct tb_history_source *s = w->source;
  const struct tb_function *function = w->expression->local->function;
  struct tb_moment moment;
  uint64_t steps = tb_recording_steps (s->recording);
  return !w->any || w->end < steps || w->last_end != steps
	 || !tb_moment_find (s->stage->moments, steps, &moment)
	 || moment.pc < function->address || moment.pc >= function->end
	 || look (w, call_at (w, w->last), false, steps, moment.pc);
}

enum tb_search
tb_history_walk_local (const struct tb_history_source *s,
		       const struct tb_history_expression *e, uint64_t from, uint64_t end,
		       bool (*take) (void *context, const struct tb_history_change *change),
		       void *context, struct tb_history_missed *missed)
{
  struct call_walk w = {
    .source = s, .expression = e, .take = take, .context = context, .missed = missed,
    .from = from, .end = end, .result = TB_SEARCH_NONE
  };
  const struct tb_level_user user = {
    .open = open_level, .close = close_level, .ran = ran, .context = &w, .sp = s->sp,
    .sp_context = s->sp_context,
    .tasks = s->tasks
  };
  *missed = (struct tb_history_missed) { 0 };
  e->local->begin = prologue_end (s->symbols, e->local->function);
  bool walked = tb_levels_walk (s->recording, s->symbols, &user) || w.done;
  if (w.result == TB_SEARCH_NONE && !walked)
    w.result = TB_SEARCH_NO_MEMORY;
  if (w.result == TB_SEARCH_NONE && tell_spans (&w, true) && !look_at_end (&w))
    w.result = TB_SEARCH_STOPPED;
  missed->no_call = !w.any;
  tb_buffer_fini (&w.calls);
  tb_buffer_fini (&w.spans);
  return w.result;
}
