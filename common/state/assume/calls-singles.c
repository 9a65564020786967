/* Which calls keep the FP registers of their callers.  See calls.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Kernels save S16 to S31 of a thread only if it has used FP registers, which CONTROL.FPCA
   tells.  The registers of a thread that has not hold what others left there.  */

#include "config.h"
#include "state/assume/calls.h"

#include <stdlib.h>
#include <string.h>

#include "decode/element.h"
#include "recording/tasks.h"
#include "state/window/internal.h"
#include "util/search.h"

/* The steps before which exceptions come that kernels switch in; *COUNT of them.  NULL: no
   memory.  */
static uint64_t *
find_switches (const struct tb_state *s, size_t *count)
{
  uint64_t *steps = malloc ((s->nchanges + 1) * sizeof *steps);
  *count = 0;
  for (size_t i = 0; steps != NULL && i < s->nchanges; i++)
    {
      const struct tb_change *change = &s->changes[i];
      if ((change->kind == TB_CHANGE_ENTRY || change->kind == TB_CHANGE_TAIL)
	  && (change->number == TB_SVCALL || change->number == TB_PENDSV
	      || change->number == TB_EXCEPTION_UNKNOWN))
	steps[(*count)++] = change->step;
    }
  return steps;
}

/* Is there one of the COUNT steps SWITCHES from FROM to TO?  */
static bool
lies_between (const uint64_t *switches, size_t count, uint64_t from, uint64_t to)
{
  size_t at = 0;
  TB_LOWER_BOUND (at, count, switches[at] < from);
  return at < count && switches[at] <= to;
}

/* Is it known that FPCA is 1 before step I of the window?  */
static bool
uses_fp (struct tb_state *s, uint64_t i)
{
  if (i >= s->steps)
    return false;
  tb_state_seek (s, i);
  tb_vid fpca = s->names.slot[TB_SLOT_FPCA];
  struct tb_known k = fpca != 0 ? tb_graph_known (&s->graph, fpca) : (struct tb_known) { 0 };
  return tb_known_all (k) && k.bits == 1;
}

bool
tb_assume_untie_singles (struct tb_state *s, size_t first, unsigned singles)
{
  size_t count;
  struct tb_pairs *pairs = &s->facts.pairs;
  if (!s->profile->is_m || !s->fp)
    return true;
  uint64_t *switches = find_switches (s, &count);
  /* What lies in other windows may have switched, too.  */
  bool others = tb_recording_info (s->recording)->exceptions != 0;
  for (size_t i = first; i < pairs->count && switches != NULL; i++)
    {
      struct tb_assumed_pair *pair = &pairs->items[i];
      bool elsewhere = pair->outside != NULL && others;
      if ((!elsewhere && !lies_between (switches, count, pair->from, pair->to))
	  || uses_fp (s, pair->from) || uses_fp (s, pair->to))
	continue;
      memset (pair->before, 0, singles * sizeof pair->before[0]);
      memset (pair->after, 0, singles * sizeof pair->after[0]);
    }
  free (switches);
  return switches != NULL;
}
