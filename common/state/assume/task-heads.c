/* Where a kernel keeps the stack pointers of tasks.  See task-heads.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/task-heads.h"

#include <stdlib.h>

#include "state/assume/frames.h"
#include "state/assume/tasks.h"
#include "util/buffer.h"

/* A switch of more steps is not looked at.  */
#define SWITCH_MOST 4096

/* A store of a word while SLICE is left.  */
struct head
{
  const struct tb_task_slice *slice;
  uint64_t pc, step;		/* STEP: of the window.  */
  tb_vid address, value;
  struct tb_known psp;		/* Of what is suspended.  */
};

struct heads
{
  struct head *items;
  size_t count, room;
  /* Addresses of instructions that keep stack pointers.  */
  uint64_t keepers[4];
  unsigned nkeepers;
};

/* Add the stores of step I.  */
static bool
add_stores (struct tb_state *s, struct heads *h, const struct head *like, uint64_t i)
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
      void *items = h->items;
      ok = tb_grow (&items, &h->room, h->count, 1, sizeof *h->items);
      h->items = items;
      if (!ok)
	break;
      struct head *head = &h->items[h->count++];
      *head = *like;
      head->pc = s->templates[s->info[i] & TB_INFO_TEMPLATE].pc;
      head->step = i;
      head->address = a->address;
      head->value = a->value;
    }
  return ok;
}

/* Add the stores on the way from SLICE to what begins at step END.  */
static bool
add_switch (struct tb_state *s, struct heads *h, const struct tb_task_slice *slice,
	    uint64_t end)
{
  size_t entry;
  if (slice->task == 0 || end < s->base || end - s->base >= s->steps
      || !tb_assume_find_entry (s, slice, &entry))
    return true;
  uint64_t i = s->changes[entry].step;
  if (end - s->base - i > SWITCH_MOST)
    return true;
  tb_state_seek (s, i);
  tb_vid psp = s->names.slot[TB_SLOT_SP_OTHER];
  struct head like = { .slice = slice };
  if (psp == 0)
    return true;
  like.psp = tb_graph_known (&s->graph, psp);
  bool ok = true;
  for (; i < end - s->base && ok; i++)
    ok = add_stores (s, h, &like, i);
  return ok;
}

/* Is what HEAD stores where registers may have been saved below the frame of what is
   suspended?  */
static bool
is_saved (const struct tb_state *s, const struct head *head)
{
  struct tb_known value = tb_graph_known (&s->graph, head->value);
  return tb_known_all (head->psp) && tb_known_all (value)
	 && head->psp.bits - value.bits <= TB_TASK_SAVED_MOST;
}

static bool
is_keeper (const struct heads *h, uint64_t pc)
{
  for (unsigned i = 0; i < h->nkeepers; i++)
    if (h->keepers[i] == pc)
      return true;
  return false;
}

static bool
add_pair (struct tb_state *s, const struct tb_assumed_pair *pair)
{
  struct tb_pairs *pairs = &s->facts.pairs;
  void *items = pairs->items;
  bool ok = tb_grow (&items, &pairs->room, pairs->count, 1, sizeof *pairs->items);
  pairs->items = items;
  if (ok)
    pairs->items[pairs->count++] = *pair;
  return ok;
}

/* HEAD is of its task's last switch: is what it stores in one word of the dump alone?  */
static bool
tie_word (struct tb_state *s, struct heads *h, const struct head *head)
{
  uint32_t address;
  if (!is_saved (s, head)
      || !tb_frames_find_word (s, (uint32_t) tb_graph_known (&s->graph, head->value).bits,
			       &address))
    return true;
  struct tb_known at = tb_graph_known (&s->graph, head->address);
  if (((at.bits ^ address) & at.mask) != 0)
    return true;
  if (!is_keeper (h, head->pc) && h->nkeepers < sizeof h->keepers / sizeof h->keepers[0])
    h->keepers[h->nkeepers++] = head->pc;
  if (tb_known_all (at))
    return true;
  const struct tb_assumed_pair pair = {
    .kind = TB_PAIR_FRAME, .from = head->step, .to = address,
    .callee = head->slice->task, .before = { head->address }
  };
  return add_pair (s, &pair);
}

/* Does the instruction of HEAD, number AT, store once in its switch?  */
static bool
is_alone (const struct heads *h, size_t at)
{
  const struct head *head = &h->items[at];
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
tie_last (struct tb_state *s, const struct heads *h, size_t at)
{
  const struct head *head = &h->items[at];
  size_t i = at;
  while (i > 0 && !(h->items[i - 1].slice->task == head->slice->task
		    && h->items[i - 1].pc == head->pc))
    i--;
  if (i == 0 || !is_alone (h, at) || !is_alone (h, i - 1))
    return true;
  const struct tb_assumed_pair pair = {
    .kind = TB_PAIR_TASK, .from = h->items[i - 1].step, .to = head->step,
    .callee = head->slice->task, .before = { h->items[i - 1].address },
    .after = { head->address }
  };
  return add_pair (s, &pair);
}

bool
tb_assume_find_heads (struct tb_state *s, const struct tb_tasks *tasks)
{
  size_t n;
  const struct tb_task_slice *slices = tb_tasks_slices (tasks, &n);
  const struct tb_task_slice **last
    = calloc (tb_tasks_count (tasks) + 1, sizeof *last);
  struct heads h = { NULL, 0, 0, { 0 }, 0 };
  bool ok = last != NULL, open = false;
  for (size_t i = 0; i + 1 < n && ok; i++)
    {
      ok = add_switch (s, &h, &slices[i], slices[i + 1].step);
      if (slices[i].suspended != UINT64_MAX)
	last[slices[i].task] = &slices[i];
    }
  /* Who is suspended last must be certain for the dump to tell.  */
  for (size_t i = 0; i < n; i++)
    open |= slices[i].open;
  for (size_t i = 0; i < h.count && ok && s->halt == TB_HALT_USED && !open; i++)
    if (h.items[i].slice == last[h.items[i].slice->task] && is_alone (&h, i))
      ok = tie_word (s, &h, &h.items[i]);
  size_t count = h.nkeepers != 0 ? h.count : 0;
  for (size_t i = 0; i < count && ok; i++)
    if (!h.items[i].slice->open && is_keeper (&h, h.items[i].pc))
      ok = tie_last (s, &h, i);
  free (last);
  free (h.items);
  s->facts.ntasks = s->facts.pairs.count;
  return ok;
}
