/* Where a kernel keeps the stack pointers of tasks.  See task-heads.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/task-heads.h"

#include <stdlib.h>

#include "state/assume/frames.h"
#include "state/assume/task-pointer.h"
#include "state/assume/tasks.h"
#include "util/buffer.h"
#include "util/number.h"

/* Add the stores of step I.  */
static bool
add_stores (struct tb_state *s, struct tb_task_heads *h, const struct tb_task_head *like,
	    uint64_t i)
{
  tb_state_seek (s, i);
  uint32_t first = s->names.next_access;
  tb_state_seek (s, i + 1);
  bool ok = true;
  for (uint32_t id = first; id < s->names.next_access && ok; id++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[id];
      if (a->kind != TB_MEM_STORE || tb_access_size (a) != 4)
	continue;
      ok = TB_GROW (h->items, h->room, h->count, 1);
      if (!ok)
	break;
      struct tb_task_head *head = &h->items[h->count++];
      *head = *like;
      head->pc = s->templates[s->info[i] & TB_INFO_TEMPLATE].pc;
      head->step = i;
      head->access = id;
      head->address = a->address;
      head->value = a->value;
    }
  return ok;
}

/* Add the stores on the way from SLICE to what begins at step END, as long as the process
   stack is still SLICE's: behind that another task may be made to go on and be left before
   its first instruction.  */
static bool
add_switch (struct tb_state *s, struct tb_task_heads *h, const struct tb_task_slice *slice,
	    uint64_t end)
{
  size_t entry;
  if (slice->task == 0 || end < s->base || end - s->base >= s->steps
      || !tb_assume_find_entry (s, slice, &entry))
    return true;
  uint64_t i = s->changes[entry].step;
  if (end - s->base - i > TB_TASK_SWITCH_MOST)
    return true;
  tb_state_seek (s, i);
  tb_vid psp = s->names.slot[TB_SLOT_SP_OTHER];
  struct tb_task_head like = { .slice = slice };
  if (psp == 0)
    return true;
  like.psp = tb_graph_known (&s->graph, psp);
  bool ok = true;
  like.stacked = true;
  if (i > 0)
    ok = add_stores (s, h, &like, i - 1);
  like.stacked = false;
  for (; i < end - s->base && ok; i++)
    {
      tb_state_seek (s, i);
      if (s->names.slot[TB_SLOT_SP_OTHER] != psp)
	break;
      ok = add_stores (s, h, &like, i);
    }
  return ok;
}

/* Is what HEAD stores where registers may have been saved below the frame of what is
   suspended?  */
static bool
is_saved (const struct tb_state *s, const struct tb_task_head *head)
{
  struct tb_known value = tb_graph_known (&s->graph, head->value);
  return !head->stacked && tb_known_all (head->psp) && tb_known_all (value)
	 && head->psp.bits - value.bits <= TB_TASK_SAVED_MOST;
}

bool
tb_task_is_keeper (const struct tb_task_heads *h, uint64_t pc)
{
  for (unsigned i = 0; i < h->nkeepers; i++)
    if (h->keepers[i] == pc)
      return true;
  return false;
}

bool
tb_task_add_pair (struct tb_state *s, const struct tb_assumed_pair *pair)
{
  struct tb_pairs *pairs = &s->facts.pairs;
  bool ok = TB_GROW (pairs->items, pairs->room, pairs->count, 1);
  if (ok)
    pairs->items[pairs->count++] = *pair;
  return ok;
}

/* HEAD is of its task's last switch: is what it stores in one word of the dump alone?  */
static bool
tie_word (struct tb_state *s, struct tb_task_heads *h, const struct tb_task_head *head)
{
  uint32_t address;
  if (!is_saved (s, head)
      || !tb_frames_find_word (s, (uint32_t) tb_graph_known (&s->graph, head->value).bits,
			       &address))
    return true;
  struct tb_known at = tb_graph_known (&s->graph, head->address);
  if (((at.bits ^ address) & at.mask) != 0)
    return true;
  if (!tb_task_is_keeper (h, head->pc)
      && h->nkeepers < sizeof h->keepers / sizeof h->keepers[0])
    h->keepers[h->nkeepers++] = head->pc;
  if (tb_known_all (at))
    return true;
  const struct tb_assumed_pair pair = {
    .kind = TB_PAIR_FRAME, .from = head->step, .to = address,
    .callee = head->slice->task, .before = { head->address }
  };
  return tb_task_add_pair (s, &pair);
}

bool
tb_task_is_alone (const struct tb_task_heads *h, size_t at)
{
  const struct tb_task_head *head = &h->items[at];
  for (size_t i = at; i > 0 && h->items[i - 1].slice == head->slice; i--)
    if (h->items[i - 1].pc == head->pc)
      return false;
  for (size_t i = at + 1; i < h->count && h->items[i].slice == head->slice; i++)
    if (h->items[i].pc == head->pc)
      return false;
  return true;
}

/* Tie head number AT to the one before of its task by the same instruction.  */
static bool
tie_last (struct tb_state *s, const struct tb_task_heads *h, size_t at)
{
  const struct tb_task_head *head = &h->items[at];
  size_t i = at;
  while (i > 0 && !(h->items[i - 1].slice->task == head->slice->task
		    && h->items[i - 1].pc == head->pc))
    i--;
  if (i == 0 || !tb_task_is_alone (h, at) || !tb_task_is_alone (h, i - 1))
    return true;
  const struct tb_assumed_pair pair = {
    .kind = TB_PAIR_TASK, .from = h->items[i - 1].step, .to = head->step,
    .callee = head->slice->task, .before = { h->items[i - 1].address },
    .after = { head->address }
  };
  return tb_task_add_pair (s, &pair);
}

/* Is VALUE where registers may have been saved below PSP?  */
static bool
is_below (const struct tb_state *s, tb_vid psp, tb_vid value)
{
  tb_word apart;
  return tb_graph_difference (&s->graph, psp, value, &apart)
	 && apart <= TB_TASK_SAVED_MOST;
}

/* The load of what becomes the process stack pointer that SLICE goes on with, from elsewhere
   than that stack; 0: there is none, or there are several.  */
static uint32_t
find_resume (struct tb_state *s, const struct tb_task_slice *slice)
{
  if (slice->step <= s->base || slice->step - s->base >= s->steps)
    return 0;
  uint64_t i = slice->step - s->base;
  tb_state_seek (s, i - 1);
  uint32_t id = s->names.next_access, found = 0;
  tb_vid psp = s->names.slot[TB_SLOT_SP_OTHER];
  for (unsigned k = 0; k < TB_TASK_NEAR && psp != 0 && --id > 0; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[id];
      if (a->kind != TB_MEM_LOAD || tb_access_size (a) != 4
	  || !is_below (s, psp, a->value) || is_below (s, psp, a->address))
	continue;
      if (found != 0)
	return 0;
      found = id;
    }
  return found;
}

/* What SLICE's task goes on with is loaded from where it was stored, by head number LAST - 1;
   0: there is none.  */
static bool
tie_resume (struct tb_state *s, const struct tb_task_heads *h,
	    const struct tb_task_slice *slice, size_t last)
{
  uint32_t load = last != 0 ? find_resume (s, slice) : 0;
  tb_word apart;
  if (load == 0)
    return true;
  const struct tb_task_head *head = &h->items[last - 1];
  const struct tb_mem_access *a = &s->memory.accesses[load];
  if (!tb_task_is_alone (h, last - 1)
      || !tb_graph_difference (&s->graph, a->value, head->value, &apart) || apart != 0)
    return true;
  const struct tb_assumed_pair pair = {
    .kind = TB_PAIR_TASK, .from = head->step, .to = slice->step - s->base,
    .callee = slice->task, .before = { head->address }, .after = { a->address }
  };
  return tb_task_add_pair (s, &pair);
}

/* HEAD, number AT, is of what waits at the halt: what was saved from there to the end of
   the frame is in the dump.  */
static bool
tie_saved (struct tb_state *s, const struct tb_task_heads *h, size_t at)
{
  const struct tb_task_head *head = &h->items[at];
  uint64_t low = tb_graph_known (&s->graph, head->value).bits;
  uint64_t length = head->psp.bits + TB_M_FRAME_SIZE - low;
  bool ok = true;
  if (!is_saved (s, head))
    return true;
  while (at > 0 && h->items[at - 1].slice == head->slice)
    at--;
  for (; at < h->count && h->items[at].slice == head->slice && ok; at++)
    {
      const struct tb_task_head *store = &h->items[at];
      struct tb_known address = tb_graph_known (&s->graph, store->address);
      const uint8_t *bytes;
      if (!tb_known_all (address) || address.bits - low >= length
	  || !tb_graph_open (&s->graph, store->value)
	  || tb_memory_kind (&s->memory, address.bits, 4, &bytes) != TB_MEMORY_RAM)
	continue;
      const struct tb_assumed_pair pair = {
	.kind = TB_PAIR_FRAME, .from = store->step, .to = tb_number (bytes, 4),
	.callee = head->slice->task, .before = { store->value }
      };
      ok = tb_task_add_pair (s, &pair);
    }
  return ok;
}

/* Does the task of SLICE, one of TASKS, not go on after it?  */
static bool
waits (const struct tb_tasks *tasks, const struct tb_task_slice *slice)
{
  size_t n;
  const struct tb_task_slice *slices = tb_tasks_parts (tasks, &n);
  for (const struct tb_task_slice *later = slice + 1; later < slices + n; later++)
    if (later->task == slice->task)
      return false;
  return tb_assume_is_last (tasks, slice);
}

bool
tb_assume_find_heads (struct tb_state *s, const struct tb_tasks *tasks)
{
  size_t n;
  const struct tb_task_slice *slices = tb_tasks_parts (tasks, &n);
  const struct tb_task_slice **last
    = calloc (tb_tasks_count (tasks) + 1, sizeof *last);
  struct tb_task_heads h = { NULL, 0, 0, { 0 }, 0, 0 };
  bool ok = last != NULL, dump = s->halt == TB_HALT_USED;
  for (size_t i = 0; i + 1 < n && ok; i++)
    {
      ok = add_switch (s, &h, &slices[i], slices[i + 1].step);
      if (slices[i].suspended != UINT64_MAX)
	last[slices[i].task] = &slices[i];
    }
  for (size_t i = 0; i < h.count && ok && dump; i++)
    if (h.items[i].slice == last[h.items[i].slice->task] && tb_task_is_alone (&h, i)
	&& tb_assume_is_last (tasks, h.items[i].slice))
      ok = tie_word (s, &h, &h.items[i]);
  size_t count = h.nkeepers != 0 ? h.count : 0, i = 0;
  size_t *left = calloc (tb_tasks_count (tasks) + 1, sizeof *left);
  uint32_t after = 1;
  if (count != 0)
    tb_task_find_place (s, &h);
  ok = ok && left != NULL;
  for (size_t k = 0; k < n && count != 0 && ok; k++)
    {
      unsigned task = slices[k].task;
      if (slices[k].open || slices[k].guessed)
	left[task] = 0;
      else if (task != 0)
	ok = tie_resume (s, &h, &slices[k], left[task]);
      for (; i < count && h.items[i].slice == &slices[k] && ok; i++)
	if (!slices[k].open && !slices[k].guessed
	    && !h.items[i].stacked && tb_task_is_keeper (&h, h.items[i].pc))
	  {
	    left[task] = i + 1;
	    ok = tie_last (s, &h, i) && tb_task_tie_pointer (s, &h, i, slices, &after)
		 && (!dump || !waits (tasks, h.items[i].slice) || !tb_task_is_alone (&h, i)
		     || tie_saved (s, &h, i));
	  }
    }
  free (left);
  free (last);
  free (h.items);
  s->facts.ntasks = s->facts.pairs.count;
  return ok;
}
