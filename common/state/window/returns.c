/* Which exceptions of the M profile returned, and where they returned to.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/internal.h"

#include <stdlib.h>
#include <string.h>

/* Where CHANGE, an exception's entry or return, led; false: not told.  */
static bool
led_to (const struct tb_state *s, const struct tb_change *change,
	uint64_t *pc)
{
  if (change + 1 < s->changes + s->nchanges
      && change[1].step == change->step)
    {
      *pc = change[1].address;
      return change[1].kind == TB_CHANGE_ENTRY;
    }
  if (change->step >= s->steps)
    return false;
  *pc = s->templates[s->info[change->step] & TB_INFO_TEMPLATE].pc;
  return true;
}

static int
compare (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

/* Where the exception entries of the window led, in order; *COUNT of them.
   NULL: no memory.  */
static uint64_t *
find_handlers (const struct tb_state *s, size_t *count)
{
  uint64_t *handlers = malloc ((s->nchanges + 1) * sizeof *handlers);
  *count = 0;
  for (size_t i = 0; handlers != NULL && i < s->nchanges; i++)
    if ((s->changes[i].kind == TB_CHANGE_ENTRY
	 || s->changes[i].kind == TB_CHANGE_TAIL)
	&& led_to (s, &s->changes[i], &handlers[*count]))
      ++*count;
  if (handlers != NULL)
    qsort (handlers, *count, sizeof *handlers, compare);
  return handlers;
}

/* Where the trace shows EXC_RETURN it shows returns and tail chains alike; it was a
   return if execution went on at the return address of the entry that it belongs to,
   and no handler begins there.  */
bool
tb_state_settle_returns (struct tb_state *s)
{
  enum { DEPTH = 64 };
  uint64_t returns[DEPTH];
  size_t depth = 0, kept = 0, nhandlers;
  uint64_t *handlers = find_handlers (s, &nhandlers);

  if (handlers == NULL)
    return false;
  /* Where it does not number them, a reset is shown like any other.  */
  for (size_t i = 0; i < s->nchanges; i++)
    {
      uint64_t pc;
      if (s->changes[i].kind == TB_CHANGE_ENTRY
	  && s->changes[i].number == TB_EXCEPTION_UNKNOWN
	  && led_to (s, &s->changes[i], &pc)
	  && tb_state_resets_to (s, pc))
	s->changes[i].kind = TB_CHANGE_LOST;
    }

  for (size_t i = 0; i < s->nchanges; i++)
    {
      struct tb_change change = s->changes[i];
      bool chained = i + 1 < s->nchanges
		     && s->changes[i + 1].kind == TB_CHANGE_TAIL
		     && s->changes[i + 1].step == change.step;
      if (change.kind == TB_CHANGE_LOST)
	depth = 0;
      else if (change.kind == TB_CHANGE_ENTRY)
	{
	  if (depth == DEPTH)
	    memmove (returns, returns + 1, --depth * sizeof returns[0]);
	  returns[depth++] = change.address;
	}
      else if (change.kind == TB_CHANGE_RETURN && chained)
	{
	  /* Without the entry the decoder may be mistaken: what was returned to
	     may have been interrupted right before a handler's first
	     instruction.  */
	  if (depth == 0)
	    {
	      change.kind = TB_CHANGE_RETURN_MAYBE;
	      change.unless_seen = true;
	    }
	  else
	    {
	      uint32_t exc_return = change.exc_return;
	      change = s->changes[i + 1];
	      change.exc_return = exc_return;
	    }
	  i++;
	}
      else if (change.kind == TB_CHANGE_RETURN)
	{
	  uint64_t to = change.address;
	  if (to == 0 && !led_to (s, &s->changes[i], &to))
	    to = 0;
	  change.address = to;
	  bool handler = bsearch (&to, handlers, nhandlers, sizeof *handlers,
				  compare) != NULL;
	  bool expected = depth > 0 && returns[depth - 1] == change.address;
	  if (change.exc_return != 0 && (!expected || handler))
	    {
	      change.kind = TB_CHANGE_RETURN_MAYBE;
	      change.unless_seen = handler;
	    }
	  depth -= depth > 0;
	}
      s->changes[kept++] = change;
    }
  s->nchanges = kept;
  free (handlers);
  return true;
}
