/* Histories of variables of functions.  See history.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A variable of a function stands elsewhere from one instruction to the next, so the text is
   compiled anew for each PC of the function that runs.  The model of calls
   (recording/levels.h) tells which steps are of which call.  */

#include "config.h"
#include "frame/history-internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/levels.h"
#include "util/fnv.h"

/* A function that is longer is none.  */
#define BYTES_MOST (UINT64_C (1) << 22)

/* Places of a function at which it is tried whether the text means something.  */
#define TRIES 512

/* What the text means at one PC.  */
struct meaning
{
  bool tried, ok;
  struct tb_expression value;
  struct tb_action_list reads;
};

struct tb_history_local
{
  char *text;
  struct tb_expression_scope scope;
  const struct tb_function *function;
  uint64_t begin;		/* Its first PC behind what sets it up.  */
  const struct tb_type *type;
  bool is_own;			/* Names are of FUNCTION itself, not of what is inlined.  */
  uint64_t which;		/* The variables that are meant; 0: not known yet.  */
  bool ambiguous;		/* Somewhere others are.  */
  struct meaning *meanings;	/* One for each two bytes.  */
  size_t count;
};

/* Forget what the text means.  */
static void
forget_meanings (struct tb_history_local *l)
{
  for (size_t i = 0; i < l->count; i++)
    {
      tb_expression_fini (&l->meanings[i].value);
      tb_action_list_fini (&l->meanings[i].reads);
      l->meanings[i] = (struct meaning) { .tried = false };
    }
}

void
tb_history_local_free (struct tb_history_local *l)
{
  if (l == NULL)
    return;
  if (l->meanings != NULL)
    forget_meanings (l);
  free (l->meanings);
  free (l->text);
  free (l);
}

/* What the text means at PC; NULL: nothing, and *ERROR says why if it was not tried
   before.  */
static const struct meaning *
meaning_at (struct tb_history_local *l, uint64_t pc, struct tb_expression_error *error)
{
  uint64_t at = (pc - l->function->address) / 2;
  if (pc < l->function->address || at >= l->count)
    return NULL;
  struct meaning *m = &l->meanings[at];
  if (m->tried)
    return m->ok ? m : NULL;
  const struct tb_type *type;
  size_t length = strlen (l->text);
  struct tb_expression_named named = { .which = TB_FNV_START };
  m->tried = true;
  l->scope.pc = pc;
  l->scope.named = &named;
  m->ok = tb_expression_compile (l->text, length, &l->scope, &m->value, &type, error);
  l->scope.named = NULL;
  if (m->ok && (!named.local || (l->is_own && named.inlined)))
    {
      *error = (struct tb_expression_error) { .offset = 0 };
      snprintf (error->text, sizeof error->text,
		"the function has no variable of that name itself");
      m->ok = false;
    }
  /* Another variable of that name, of a block of its own, an inlined function or none, is
     another thing.  */
  l->ambiguous |= m->ok && l->which != 0 && named.which != l->which;
  m->ok = m->ok && (l->which == 0 || named.which == l->which)
	  && tb_expression_collect (l->text, length, &l->scope, &m->reads, error);
  if (!m->ok)
    return NULL;
  l->which = named.which;
  if (l->type == NULL)
    l->type = type;
  return m;
}

/* Find a place of the function where the text means something, and (not IS_OWN) whether it
   means another thing elsewhere.  False: *ERROR says why there is none.  */
static bool
find_meaning (struct tb_history_local *l, struct tb_expression_error *error)
{
  size_t stride = l->count / TRIES + 1;
  struct tb_expression_error here = { .offset = 0 };
  bool any = false, found = false;
  for (size_t i = 0; i < l->count && !(found && l->is_own); i += stride)
    {
      bool means = meaning_at (l, l->function->address + 2 * i, &here) != NULL;
      found |= means;
      /* Where more of it meant something, what is wrong is told best.  */
      if (!means && (!any || here.offset > error->offset))
	*error = here;
      any = true;
    }
  return found;
}

/* TEXT with the variables of FUNCTION: WHICH, as struct tb_expression_named has them, or (0)
   its own.  */
static bool
compile (struct tb_history_expression *e, const char *text,
	 const struct tb_expression_scope *scope, const struct tb_function *function,
	 uint64_t which, struct tb_expression_error *error)
{
  uint64_t bytes = function->end > function->address ? function->end - function->address : 0;
  struct tb_history_local *l = calloc (1, sizeof *l);
  if (l == NULL || bytes > BYTES_MOST)
    {
      free (l);
      return false;
    }
  l->text = strdup (text);
  l->scope = *scope;
  l->scope.no_pc = false;
  l->scope.named = NULL;
  l->function = function;
  l->is_own = which == 0;
  l->which = which;
  l->count = (size_t) (bytes / 2);
  l->meanings = calloc (l->count + 1, sizeof *l->meanings);
  bool found = l->text != NULL && l->meanings != NULL && find_meaning (l, error);
  /* What only functions have that are a part of it: if it is one.  */
  if (!found && l->is_own && l->text != NULL && l->meanings != NULL)
    {
      l->is_own = false;
      forget_meanings (l);
      found = find_meaning (l, error);
      if (found && l->ambiguous)
	{
	  *error = (struct tb_expression_error) { .offset = 0 };
	  snprintf (error->text, sizeof error->text,
		    "more than one inlined function has a variable of that name");
	  found = false;
	}
    }
  if (!found || !tb_history_has_value (l->type))
    {
      tb_history_local_free (l);
      return false;
    }
  e->local = l;
  e->type = l->type;
  return true;
}

bool
tb_history_compile_here (struct tb_history_expression *e, const char *text,
			 const struct tb_expression_scope *scope,
			 const struct tb_symbols *symbols, struct tb_expression_error *error)
{
  struct tb_expression_scope here = *scope;
  struct tb_expression code;
  struct tb_expression_named named = { .which = TB_FNV_START };
  const struct tb_function *function
    = symbols != NULL ? tb_symbols_function_at (symbols, scope->pc) : NULL;
  here.named = &named;
  if (function == NULL
      || !tb_expression_compile (text, strlen (text), &here, &code, NULL, error))
    return false;
  tb_expression_fini (&code);
  return named.local && compile (e, text, scope, function, named.which, error);
}

static bool
in_name (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || c == ':';
}

/* The function of a name with "::" that begins at TEXT and has LENGTH characters; *PREFIX is
   how many of these name it.  NULL: none.  */
static const struct tb_function *
function_of (const char *text, size_t length, const struct tb_expression_scope *scope,
	     const struct tb_symbols *symbols, size_t *prefix)
{
  struct tb_object object;
  for (size_t at = length; at > 2; at--)
    if (text[at - 1] == ':' && text[at - 2] == ':'
	&& tb_variables_find (scope->variables, UINT64_MAX, text, at - 2, &object)
	&& (object.kind == TB_OBJECT_FUNCTION || object.kind == TB_OBJECT_SYMBOL))
      {
	const struct tb_function *function
	  = tb_symbols_function_at (symbols, object.value & ~UINT64_C (1));
	*prefix = at;
	if (function == NULL)
	  function = tb_symbols_function_at (symbols, object.value);
	return function;
      }
  return NULL;
}

bool
tb_history_compile_local (struct tb_history_expression *e, const char *text,
			  const struct tb_expression_scope *scope,
			  const struct tb_symbols *symbols, struct tb_expression_error *error)
{
  const struct tb_function *function = NULL;
  char *plain = strdup (text);
  bool one = plain != NULL && symbols != NULL && scope->variables != NULL;
  /* The name of the function becomes blanks, so that errors are told where they are.  */
  for (size_t i = 0, end; one && text[i] != 0; i = end)
    {
      end = i + 1;
      if (!in_name (text[i]))
	continue;
      while (in_name (text[end]))
	end++;
      size_t prefix = 0;
      const struct tb_function *f = function_of (text + i, end - i, scope, symbols, &prefix);
      if (f == NULL)
	continue;
      one = function == NULL || f == function;
      function = f;
      memset (plain + i, ' ', prefix);
    }
  bool ok = one && function != NULL
	    && compile (e, plain, scope, function, 0, error);
  free (plain);
  return ok;
}

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
find_changer (const struct tb_history_source *s, const struct meaning *m, uint64_t from,
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
  const struct meaning *m = meaning_at (l, pc, &error);
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
