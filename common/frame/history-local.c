/* Histories of variables of functions, call by call.  See history.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The model of calls (recording/levels.h) tells which steps are of which call.  */

#include "config.h"
#include "frame/history-internal.h"

#include <stdlib.h>

#include "recording/levels.h"

/* Steps of one call, one behind the other; COUNT 0: it is over before STEP.  */
struct call_steps
{
  uint64_t step, count;
  size_t call;
};

/* What a call's last value was.  */
struct call
{
  bool any;
  uint64_t step;		/* Before which.  */
  struct tb_value value;
};

struct call_walk
{
  const struct tb_history_source *source;
  const struct tb_function *function;
  uint64_t from, end;
  struct tb_buffer spans;	/* struct call_steps */
  size_t ncalls;
  bool stopped;
};

static bool
open_level (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  struct call_walk *w = context;
  struct tb_level *level = &levels[count - 1];
  (void) step;
  /* Numbered from 1 on; it keeps its number where its task goes on.  */
  if (level->function == w->function && level->data == NULL)
    level->data = (void *) (uintptr_t) ++w->ncalls;
  return true;
}

static bool
close_level (void *context, struct tb_level *levels, size_t count, uint64_t step,
	     enum tb_level_end end, uint64_t by)
{
  struct call_walk *w = context;
  const struct tb_level *level = &levels[count - 1];
  (void) by;
  if (level->data == NULL || end == TB_LEVEL_SUSPENDED || step <= w->from || step >= w->end)
    return true;
  const struct call_steps over = { .step = step, .call = (size_t) (uintptr_t) level->data - 1 };
  tb_buffer_append (&w->spans, &over, sizeof over);
  return !w->spans.failed;
}

static bool
ran (void *context, struct tb_level *levels, size_t count, uint64_t step, uint64_t address,
     uint32_t instructions)
{
  struct call_walk *w = context;
  const struct tb_level *level = &levels[count - 1];
  uint64_t end = step + instructions;
  (void) address;
  if (level->function != w->function || level->data == NULL || end <= w->from
      || step >= w->end)
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
  if (w->source->go_on != NULL && have % TB_HISTORY_PATIENCE == 0)
    w->stopped = !w->source->go_on (w->source->context);
  return !w->stopped && !w->spans.failed;
}

/* Find the step that made a value another one, which is not so before FROM, and so before TO:
   FROM itself, or behind a callee the last store to what it is read from by READS.  */
static enum tb_search
find_changer (const struct tb_history_source *s, const struct tb_history_meaning *m, uint64_t from,
	      uint64_t to, uint64_t *step, struct tb_history_missed *missed)
{
  struct tb_history_read r;
  struct tb_access_found found;
  *step = from;
  if (to == from + 1)
    return TB_SEARCH_FOUND;
  tb_history_read_at (s, &m->value, &m->reads, to, &r);
  missed->places |= r.too_many;
  if (r.count == 0)
    return TB_SEARCH_NONE;
  tb_accesses_set_poll (s->accesses, s->go_on, s->context);
  enum tb_search result
    = tb_accesses_previous (s->accesses, r.ranges, r.count, to, from, &found);
  tb_accesses_set_poll (s->accesses, NULL, NULL);
  *step = found.step;
  return result;
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

/* Look at the value before STEP, at PC; AGAIN: another call ran before.  False: TAKE has
   enough.  */
static bool
look (const struct tb_history_source *s, struct tb_history_local *l, struct call *call,
      bool again, uint64_t step, uint64_t pc,
      bool (*take) (void *context, const struct tb_history_change *change), void *context,
      struct tb_history_missed *missed)
{
  struct tb_expression_error error;
  struct tb_history_read now = { .value = { .origin = TB_UNKNOWN } };
  if (!call->any && pc >= l->function->address && pc < l->begin)
    return true;
  const struct tb_history_meaning *m = tb_history_meaning_at (l, pc, &error);
  if (m != NULL)
    tb_history_read_at (s, &m->value, NULL, step, &now);
  bool first = !call->any || again, enough = false;
  if (first || !tb_history_same (&call->value, &now.value, tb_history_mask (l->type)))
    {
      uint64_t by = step - 1;
      enum tb_search found = TB_SEARCH_FOUND;
      if (!first && m != NULL)
	found = find_changer (s, m, call->step, step, &by, missed);
      if (found == TB_SEARCH_STOPPED)
	return false;
      /* Where it is not known what did it, only from where on it is so.  */
      first |= found != TB_SEARCH_FOUND;
      const struct tb_history_change change = {
	.step = first ? step : by, .is_first = first, .before = call->value, .after = now.value
      };
      enough = !take (context, &change);
    }
  *call = (struct call) { true, step, now.value };
  return !enough;
}

/* Tell that the call of SPANS is over, unless another one, or it, goes on right there (LEFT
   more follow).  False: TAKE has enough.  */
static bool
tell_over (const struct call_steps *spans, size_t left, const struct call *call,
	   bool (*take) (void *context, const struct tb_history_change *change), void *context)
{
  const struct tb_history_change change = {
    .step = spans->step, .is_first = true, .is_over = true, .before = call->value,
    .after = { .origin = TB_UNKNOWN }
  };
  for (size_t i = 1; i <= left && spans[i].step == spans->step; i++)
    if (spans[i].count != 0)
      return true;
  return !call->any || take (context, &change);
}

/* Look at the steps of SPAN.  */
static enum tb_search
look_at_span (const struct tb_history_source *s, struct tb_history_local *l,
	      const struct call_steps *span, struct call *call, bool again,
	      bool (*take) (void *context, const struct tb_history_change *change),
	      void *context, struct tb_history_missed *missed)
{
  enum { MOST = 64 };
  struct tb_step steps[MOST];
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
	if (!look (s, l, call, again && at + i == span->step, at + i, steps[i].pc, take,
		   context, missed))
	  return TB_SEARCH_STOPPED;
      at += n;
    }
  return TB_SEARCH_NONE;
}

enum tb_search
tb_history_walk_local (const struct tb_history_source *s,
		       const struct tb_history_expression *e, uint64_t from, uint64_t end,
		       bool (*take) (void *context, const struct tb_history_change *change),
		       void *context, struct tb_history_missed *missed)
{
  struct call_walk w = { .source = s, .function = e->local->function, .from = from, .end = end };
  const struct tb_level_user user = {
    .open = open_level, .close = close_level, .ran = ran, .context = &w, .sp = s->sp,
    .sp_context = s->sp_context,
    .tasks = s->tasks
  };
  *missed = (struct tb_history_missed) { 0 };
  e->local->begin = prologue_end (s->symbols, w.function);
  bool walked = tb_levels_walk (s->recording, s->symbols, &user);
  struct call *calls = calloc (w.ncalls + 1, sizeof *calls);
  enum tb_search result = w.stopped ? TB_SEARCH_STOPPED
			  : walked && calls != NULL && !w.spans.failed ? TB_SEARCH_NONE
			  : TB_SEARCH_NO_MEMORY;
  size_t count = w.spans.size / sizeof (struct call_steps);
  const struct call_steps *spans = (const struct call_steps *) (const void *) w.spans.data;
  const struct call_steps *last = NULL;
  for (size_t i = 0; i < count && result == TB_SEARCH_NONE; i++)
    if (spans[i].count == 0)
      {
	if (!tell_over (&spans[i], count - 1 - i, &calls[spans[i].call], take, context))
	  result = TB_SEARCH_STOPPED;
      }
    else
      {
	result = look_at_span (s, e->local, &spans[i], &calls[spans[i].call],
			       last != NULL && last->call != spans[i].call, take, context,
			       missed);
	last = &spans[i];
      }
  missed->no_call = last == NULL;
  /* What the last step did shows at the end only.  */
  const struct tb_moments *moments = s->stage->moments;
  struct tb_moment moment;
  uint64_t steps = tb_recording_steps (s->recording);
  if (result == TB_SEARCH_NONE && last != NULL && end >= steps
      && last->step + last->count == steps && moments != NULL
      && tb_moment_find (s->stage->moments, steps, &moment)
      && moment.pc >= w.function->address && moment.pc < w.function->end
      && !look (s, e->local, &calls[last->call], false, steps, moment.pc, take, context,
		missed))
    result = TB_SEARCH_STOPPED;
  free (calls);
  tb_buffer_fini (&w.spans);
  return result;
}
