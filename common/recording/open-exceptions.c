/* Exceptions under way.  See open-exceptions.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/open-exceptions.h"

#include <stdlib.h>

#include "decode/exception.h"
#include "recording/levels.h"
#include "util/column.h"
#include "util/search.h"

/* A level that was open: an exception, or a call that its handler's outermost function
   made.  */
struct span
{
  uint64_t first, end;		/* Steps; END is behind the last.  */
  size_t outer;			/* One more than the number of the innermost one that
				   was open when it was opened; 0: none was.  */
  bool is_call;
  bool left;			/* What it interrupted, or called it, went on at END.  */
  bool innermost;		/* It did not, and none that was open in it ended there so.  */
};

/* A call that was under way when an exception was taken before its first instruction.  */
struct first_step
{
  uint64_t step, end;
};

/* Entries that are looked at.  */
#define ENTRIES_LOOKED 4096

/* In the order in which they were opened.  What is open at a step is the last one that
   was opened up to there, or what it lies within.  */
struct tb_open_exceptions
{
  struct span *spans;
  size_t count, room;
  struct first_step *entries;
  size_t nentries, entries_room;
  uint64_t steps;
  uint64_t lost;		/* The last step at which an exception ended, and what it had
				   interrupted did not go on; UINT64_MAX: none.  */
  const struct tb_open_exceptions_user *user;	/* During the walk.  */
};

void
tb_open_exceptions_free (struct tb_open_exceptions *all)
{
  if (all == NULL)
    return;
  free (all->spans);
  free (all->entries);
  free (all);
}

/* In the data of a level, beside the number of its entry.  */
#define IS_ENTRY ((uintptr_t) 1 << (sizeof (uintptr_t) * 8 - 1))

/* An exception was taken before STEP; a call that has been opened there is the last but one of
   LEVELS.  */
static bool
note_entry (struct tb_open_exceptions *all, struct tb_level *levels, size_t count,
	    uint64_t step)
{
  struct tb_level *call = count >= 2 ? &levels[count - 2] : NULL;
  if (call == NULL || call->kind != TB_LEVEL_CALL || call->step != step
      || call->data != NULL)
    return true;
  bool ok = TB_GROW (all->entries, all->entries_room, all->nentries, 1);
  if (!ok)
    return false;
  all->entries[all->nentries++] = (struct first_step) { step, UINT64_MAX };
  call->data = (void *) (IS_ENTRY | all->nentries);
  return true;
}

/* One more than the number of the span of LEVEL; 0: it has none.  */
static size_t
span_of (const struct tb_level *level)
{
  uintptr_t number = (uintptr_t) level->data;
  return number & IS_ENTRY ? 0 : (size_t) number;
}

/* The last of LEVELS has been opened.  The data of a level is one more than the number
   of its span, or of its entry.  */
static bool
opened (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  struct tb_open_exceptions *all = context;
  const struct tb_open_exceptions_user *user = all->user;
  struct tb_level *level = &levels[count - 1];
  struct span span = { .first = step, .end = UINT64_MAX };
  if (user->poll != NULL && !user->poll (user->poll_context))
    return false;
  span.is_call = level->kind == TB_LEVEL_CALL && count >= 3
		 && levels[count - 3].kind == TB_LEVEL_EXCEPTION;
  if (!span.is_call && level->kind != TB_LEVEL_EXCEPTION)
    return true;
  if (!span.is_call && !note_entry (all, levels, count, step))
    return false;
  for (size_t i = count - 1; i-- > 0 && span.outer == 0;)
    span.outer = span_of (&levels[i]);
  bool ok = TB_GROW (all->spans, all->room, all->count, 1);
  if (!ok)
    return false;
  all->spans[all->count++] = span;
  level->data = (void *) (uintptr_t) all->count;
  return true;
}

static bool
closed (void *context, struct tb_level *levels, size_t count, uint64_t step,
	enum tb_level_end end, uint64_t by)
{
  struct tb_open_exceptions *all = context;
  uintptr_t number = (uintptr_t) levels[count - 1].data;
  (void) by;
  /* What the recording ends in goes on.  */
  if (number == 0 || (step == all->steps && end == TB_LEVEL_LOST))
    return true;
  if (number & IS_ENTRY)
    {
      all->entries[(number & ~IS_ENTRY) - 1].end = step;
      return true;
    }
  struct span *span = &all->spans[number - 1];
  span->end = step;
  span->left = end != TB_LEVEL_LOST;
  span->innermost = !span->left && !span->is_call && all->lost != step;
  if (span->innermost)
    all->lost = step;
  return true;
}

/* Without names of functions, so that none takes a call over.  */
struct tb_open_exceptions *
tb_open_exceptions_new (struct tb_recording *recording,
			const struct tb_open_exceptions_user *user)
{
  struct tb_open_exceptions *all = calloc (1, sizeof *all);
  if (all == NULL)
    return NULL;
  all->steps = tb_recording_steps (recording);
  all->lost = UINT64_MAX;
  all->user = user;
  const struct tb_level_user levels = {
    .open = opened, .close = closed, .context = all,
    .sp = user->sp, .sp_context = user->sp_context
  };
  bool ok = tb_levels_walk (recording, NULL, &levels);
  all->user = NULL;
  if (ok)
    return all;
  tb_open_exceptions_free (all);
  return NULL;
}

/* One more than the number of the last span that was opened before STEP; 0: none was. */
static size_t
find_span (const struct tb_open_exceptions *all, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, all->count, all->spans[low].first <= step);
  return low;
}

size_t
tb_open_exceptions_entries (const struct tb_open_exceptions *all, uint64_t step,
			    uint64_t *found, size_t most)
{
  size_t low, count = 0;
  TB_LOWER_BOUND (low, all->nentries, all->entries[low].step <= step);
  for (size_t i = low; i > 0 && low - i < ENTRIES_LOOKED && count < most; i--)
    if (all->entries[i - 1].end > step)
      found[count++] = all->entries[i - 1].step;
  return count;
}

bool
tb_open_exceptions_outermost (const struct tb_open_exceptions *all,
			      uint64_t step, uint64_t from, uint64_t end,
			      uint64_t *first, uint64_t *over)
{
  bool found = false;
  for (size_t at = find_span (all, step); at != 0; at = all->spans[at - 1].outer)
    {
      const struct span *span = &all->spans[at - 1];
      if (span->is_call || !span->left || step >= span->end
	  || span->first < from || span->end > end)
	continue;
      *first = span->first;
      *over = span->end;
      found = true;
    }
  return found;
}

bool
tb_open_exceptions_return (const struct tb_open_exceptions *all, uint64_t position,
			   bool backward, uint64_t *step)
{
  bool found = false;
  for (size_t i = 0; i < all->count; i++)
    {
      uint64_t end = all->spans[i].end;
      if (all->spans[i].is_call || !all->spans[i].left
	  || (backward ? end >= position : end <= position))
	continue;
      if (!found || (backward ? end > *step : end < *step))
	*step = end;
      found = true;
    }
  return found;
}

size_t
tb_open_exceptions_at (const struct tb_open_exceptions *all, uint64_t step,
		       struct tb_open_exception *found, size_t most)
{
  size_t count = 0;
  uint64_t called = UINT64_MAX;
  for (size_t at = find_span (all, step); at != 0 && count < most; at = all->spans[at - 1].outer)
    {
      const struct span *span = &all->spans[at - 1];
      if (step >= span->end)
	continue;
      if (span->is_call)
	called = span->first;
      else
	{
	  found[count++] = (struct tb_open_exception) { span->first, called };
	  called = UINT64_MAX;
	}
    }
  return count;
}

size_t
tb_open_exceptions_taken (const struct tb_open_exceptions *all, uint64_t step,
			  struct tb_exception_over *found, size_t most)
{
  size_t low, count = 0;
  TB_LOWER_BOUND (low, all->count, all->spans[low].first < step);
  for (; low < all->count && all->spans[low].first == step && count < most; low++)
    if (!all->spans[low].is_call)
      found[count++] = (struct tb_exception_over) { all->spans[low].end, all->spans[low].left,
						    all->spans[low].innermost };
  return count;
}

bool
tb_exception_taken (struct tb_recording *recording, uint64_t step,
		    struct tb_event *event)
{
  enum { MOST = 16 };
  struct tb_event events[MOST];
  size_t count = tb_recording_events (recording, step, step, events, MOST);
  for (size_t i = count < MOST ? count : MOST; i-- > 0;)
    if (events[i].kind == TB_EVENT_EXCEPTION
	&& tb_exception_enters ((enum tb_exception) events[i].taken))
      {
	*event = events[i];
	return true;
      }
  return false;
}
