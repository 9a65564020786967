/* What one of several windows has from its neighbours, and tells them.  See windows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/builder.h"
#include "state/window/windows.h"

#include <stdlib.h>

void
tb_state_drop_borders (struct tb_state *s)
{
  for (unsigned i = 0; i < 2; i++)
    {
      tb_border_unref (s->before[i]);
      tb_border_unref (s->after[i]);
      s->before[i] = s->after[i] = NULL;
    }
}

/* What S knows of NAME.  */
static struct tb_border_register
value_known (const struct tb_state *s, tb_vid name)
{
  if (name == 0)
    return (struct tb_border_register) { 0, 0 };
  return tb_border_known (&s->graph, name);
}

/* What S, with assumptions, knows of OPEN, a call that did not return in it.  */
static struct tb_border_call
open_call (const struct tb_state *s, const struct tb_left_open *open)
{
  struct tb_border_call call = {
    .step = s->base + open->call.step, .back = open->call.back,
    .exception = open->call.exception
  };
  if (open->kept.outside != NULL)
    call = *open->kept.outside;
  call.banked |= open->call.banked != 0;
  for (unsigned k = 0; k < TB_KEPT_MOST && open->kept.outside == NULL; k++)
    call.kept[k] = value_known (s, open->kept.names[k]);
  return call;
}

/* Did CALL, of an earlier window, return in S, with assumptions, or later?  *RETURNED
   is what is known of that.  */
static bool
find_return (const struct tb_state *s, const struct tb_border_call *call,
	     struct tb_border_call *returned)
{
  const struct tb_facts *facts = &s->facts;
  for (size_t i = 0; i < facts->pairs.count; i++)
    {
      const struct tb_assumed_pair *pair = &facts->pairs.items[i];
      if (pair->outside != call || pair->disproved)
	continue;
      *returned = (struct tb_border_call) {
	.step = call->step, .to = s->base + pair->to
      };
      for (unsigned k = 0; k < TB_KEPT_MOST; k++)
	returned->kept[k] = value_known (s, pair->after[k]);
      return true;
    }
  const struct tb_border_call *later = tb_border_call (s->after[1], call->step);
  for (size_t i = 0; i < facts->nopen; i++)
    if (facts->open[i].kept.outside == call && later != NULL)
      {
	*returned = *later;
	return true;
      }
  return false;
}

/* The calls across the border of S, with assumptions.  */
static bool
add_calls (const struct tb_state *s, bool end, struct tb_border *border)
{
  const struct tb_border *before = s->before[1];
  size_t n = end ? s->facts.nopen : before != NULL ? before->ncalls : 0;
  if (n == 0 || s->options.calls_apart)
    return true;
  border->calls = calloc (n, sizeof *border->calls);
  for (size_t i = 0; border->calls != NULL && i < n; i++)
    if (end)
      border->calls[border->ncalls++] = open_call (s, &s->facts.open[i]);
    else if (find_return (s, &before->calls[i],
			  &border->calls[border->ncalls]))
      border->ncalls++;
  return border->calls != NULL;
}

struct tb_border *
tb_state_border (struct tb_state *s, bool end)
{
  struct tb_border *border = tb_border_new ();
  bool ok = border != NULL;
  ok = ok && tb_build_take_border (s, end, border);
  if (ok && s->assuming)
    ok = add_calls (s, end, border);
  if (ok)
    return border;
  tb_border_unref (border);
  return NULL;
}

void
tb_state_freeze (struct tb_state *s)
{
  if (s->options.makers)
    return;
  tb_graph_freeze (&s->graph);
  tb_memory_freeze (&s->memory);
  if (s->assumed != NULL)
    tb_state_freeze (s->assumed);
}

bool
tb_state_use_more (struct tb_state *s, const struct tb_state *from)
{
  const bool *theirs[] = { &from->has_fp, &from->has_psp, &from->two_worlds,
			   &from->has_monitor, &from->has_hyp,
			   &from->big_endian };
  bool *own[] = { &s->has_fp, &s->has_psp, &s->two_worlds, &s->has_monitor,
		  &s->has_hyp, &s->big_endian };
  bool more = false;
  for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++)
    {
      more |= *theirs[i] && !*own[i];
      *own[i] |= *theirs[i];
    }
  s->memory.usable &= !s->big_endian;
  /* What was written is no flash or ROM at any time.  */
  return tb_memory_take_written (&s->memory, &from->memory) || more;
}
