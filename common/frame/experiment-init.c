/* What a run of tracepoints begins with.  See experiment-internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/experiment-internal.h"

#include <stdlib.h>

/* The number of the tracepoint and the size.  */
#define FRAME_HEAD 6

static int
by_address (const void *a, const void *b)
{
  const struct point *x = a, *y = b;
  if (x->listed != y->listed)
    return x->listed ? 1 : -1;
  if (!x->listed && x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* The bytes of the registers and memory that T's actions collect.  */
static size_t
cost_of (const struct experiment_run *run, const struct tb_tracepoint *t, bool stepping)
{
  size_t bytes = FRAME_HEAD;
  bool has_registers = false;
  for (size_t i = 0; i < t->nactions; i++)
    {
      const struct tb_action *a = &t->actions[i];
      if (a->stepping != stepping)
	continue;
      has_registers |= a->kind == TB_ACTION_REGISTERS;
      if (a->kind == TB_ACTION_MEMORY && a->length < TB_BLOCK_M_LIMIT)
	bytes += TB_BLOCK_M_HEAD + (size_t) a->length;
    }
  if (has_registers)
    bytes += TB_BLOCK_R_HEAD + run->in->register_bytes;
  return bytes;
}

void
tb_run_fini (struct experiment_run *run)
{
  free (run->points);
  free (run->ranges);
  free (run->left);
  free (run->cost[0]);
  free (run->cost[1]);
  free (run->sets);
}

bool
tb_run_init (struct experiment_run *run)
{
  const struct tb_tracepoint_set *set = &run->e->set;
  size_t room = set->count + 1;
  run->points = calloc (room, sizeof *run->points);
  run->ranges = calloc (room, sizeof *run->ranges);
  run->left = calloc (room, sizeof *run->left);
  run->cost[0] = calloc (room, sizeof *run->cost[0]);
  run->cost[1] = calloc (room, sizeof *run->cost[1]);
  run->sets = calloc (room, sizeof *run->sets);
  if (run->points == NULL || run->ranges == NULL || run->left == NULL
      || run->cost[0] == NULL || run->cost[1] == NULL || run->sets == NULL)
    return false;
  for (size_t i = 0; i < set->count; i++)
    {
      const struct tb_tracepoint *t = &set->items[i];
      run->cost[false][i] = cost_of (run, t, false);
      run->cost[true][i] = cost_of (run, t, true);
      run->sets[i] = tb_tracepoint_sets (t);
      if (!t->enabled)
	continue;
      run->points[run->npoints++] = (struct point) {
	.address = t->address, .place = i, .listed = t->listed
      };
      run->nplaced += !t->listed;
    }
  qsort (run->points, run->npoints, sizeof *run->points, by_address);
  for (size_t i = 0; i < run->nplaced; i++)
    if (i == 0 || run->points[i].address != run->points[i - 1].address)
      run->ranges[run->nranges++]
	= (struct tb_visit_range) { run->points[i].address,
				    run->points[i].address };
  return true;
}
