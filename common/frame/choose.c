/* Choice of steps and tracepoints.  See choose.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/choose.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif

struct tb_choice
tb_choose_steps (uint64_t moments, const struct tb_choose_options *options)
{
  struct tb_choice choice = { options->from, options->to };
  if (choice.end > moments)
    choice.end = moments;
  if (choice.begin > choice.end)
    choice.begin = choice.end;
  if (options->first != 0 && choice.end - choice.begin > options->first)
    choice.end = choice.begin + options->first;
  uint64_t last = options->last;
  if (last == 0 && options->first == 0)
    last = options->frames;
  if (last != 0 && choice.end - choice.begin > last)
    choice.begin = choice.end - last;
  return choice;
}

/* A set of PCs.  */
struct pc_set
{
  htab_t table;			/* Of pointers into PCS.  */
  uint64_t pcs[TB_CHOOSE_TP_MOST];
  size_t count;
  bool failed;			/* No memory.  */
};

_Static_assert (TB_CHOOSE_TP_MANY <= TB_CHOOSE_TP_MOST,
		"the set must hold the most tracepoints there can be");

static hashval_t
hash_pc (const void *entry)
{
  const uint64_t *pc = entry;
  /* Fibonacci hashing: the upper bits of the product depend on all of PC.  */
  return (hashval_t) (*pc * UINT64_C (0x9e3779b97f4a7c15) >> 32);
}

static int
same_pc (const void *x, const void *y)
{
  const uint64_t *a = x, *b = y;
  return *a == *b;
}

/* Add PC unless there are LIMIT others; false when it is not in the set.  */
static bool
add_pc (struct pc_set *set, uint64_t pc, size_t limit)
{
  bool full = set->count >= limit;
  void **slot = htab_find_slot (set->table, &pc, full ? NO_INSERT : INSERT);
  set->failed |= slot == NULL && !full;
  if (slot == NULL)
    return false;
  if (*slot == NULL)
    {
      set->pcs[set->count] = pc;
      *slot = &set->pcs[set->count++];
    }
  return true;
}

/* Add the PCs of FRAMES (only of the bare ones where BARE) from the last on;
   false when they are more than LIMIT: the set then has the LIMIT last.  */
static bool
add_frames (struct pc_set *set, const struct tb_choose_frame *frames,
	    size_t count, bool bare, size_t limit)
{
  set->count = 0;
  htab_empty (set->table);
  for (size_t i = count; i > 0; i--)
    if ((!bare || frames[i - 1].bare)
	&& !add_pc (set, frames[i - 1].pc, limit))
      return false;
  return true;
}

static int
by_address (const void *left, const void *right)
{
  const struct tb_chosen_tracepoint *a = left, *b = right;
  return (a->address > b->address) - (a->address < b->address);
}

/* A tracepoint for each PC of SET, by address, with room for one more.  */
static bool
tracepoints_of_set (struct tb_tracepoints *tracepoints,
		    const struct pc_set *set)
{
  tracepoints->items = calloc (set->count + 1, sizeof *tracepoints->items);
  if (tracepoints->items == NULL)
    return false;
  for (size_t i = 0; i < set->count; i++)
    tracepoints->items[tracepoints->count++].address = set->pcs[i];
  qsort (tracepoints->items, tracepoints->count, sizeof *tracepoints->items,
	 by_address);
  tracepoints->own = tracepoints->count;
  return true;
}

/* Add the one that all frames with registers share.  */
static void
add_common (struct tb_tracepoints *tracepoints,
	    const struct tb_choose_frame *frames, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!frames[i].bare)
      {
	tracepoints->items[tracepoints->count++].address = frames[i].pc;
	return;
      }
}

enum tb_status
tb_choose_tracepoints (struct tb_tracepoints *tracepoints,
		       const struct tb_choose_frame *frames, size_t count)
{
  *tracepoints = (struct tb_tracepoints) { 0 };
  struct pc_set *set = calloc (1, sizeof *set);
  if (set != NULL)
    set->table = htab_create_alloc (1024, hash_pc, same_pc, NULL, calloc, free);
  if (set == NULL || set->table == NULL)
    {
      free (set);
      return TB_ERR_MEMORY;
    }
  bool each = add_frames (set, frames, count, false, TB_CHOOSE_TP_MANY);
  if (!each)
    add_frames (set, frames, count, true, TB_CHOOSE_TP_MOST - 1);
  bool good = !set->failed && tracepoints_of_set (tracepoints, set);
  htab_delete (set->table);
  free (set);
  if (!good)
    return TB_ERR_MEMORY;
  tracepoints->each = each;
  if (!each)
    add_common (tracepoints, frames, count);
  for (size_t i = 0; i < count; i++)
    {
      unsigned number = tb_tracepoints_find (tracepoints, &frames[i]);
      if (number != 0)
	tracepoints->items[number - 1].hits++;
    }
  return TB_OK;
}

void
tb_tracepoints_fini (struct tb_tracepoints *tracepoints)
{
  free (tracepoints->items);
  *tracepoints = (struct tb_tracepoints) { 0 };
}

unsigned
tb_tracepoints_find (const struct tb_tracepoints *tracepoints,
		     const struct tb_choose_frame *frame)
{
  if (!tracepoints->each && !frame->bare)
    return (unsigned) tracepoints->count;
  struct tb_chosen_tracepoint key = { frame->pc, 0 };
  const struct tb_chosen_tracepoint *found = NULL;
  if (tracepoints->own != 0)
    found = bsearch (&key, tracepoints->items, tracepoints->own, sizeof key,
		     by_address);
  return found != NULL ? (unsigned) (found - tracepoints->items) + 1 : 0;
}
