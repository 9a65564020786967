/* Where a kernel keeps the stack pointers of tasks.  See task-heads.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/task-heads.h"

#include <stdlib.h>
#include <string.h>

#include "state/assume/frames.h"
#include "state/assume/tasks.h"
#include "util/buffer.h"
#include "util/number.h"

/* A switch of more steps is not looked at.  */
#define SWITCH_MOST 4096

/* A store of a word while SLICE is left.  */
struct task_head
{
  const struct tb_task_slice *slice;
  uint64_t pc, step;		/* STEP: of the window.  */
  bool stacked;			/* By the exception, or before it.  */
  uint32_t access;
  tb_vid address, value;
  struct tb_known psp;		/* Of what is suspended.  */
};

struct task_heads
{
  struct task_head *items;
  size_t count, room;
  /* Addresses of instructions that keep stack pointers.  */
  uint64_t keepers[4];
  unsigned nkeepers;
};

/* Add the stores of step I.  */
static bool
add_stores (struct tb_state *s, struct task_heads *h, const struct task_head *like, uint64_t i)
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
      struct task_head *head = &h->items[h->count++];
      *head = *like;
      head->pc = s->templates[s->info[i] & TB_INFO_TEMPLATE].pc;
      head->step = i;
      head->access = id;
      head->address = a->address;
      head->value = a->value;
    }
  return ok;
}

/* Add the stores on the way from SLICE to what begins at step END.  */
static bool
add_switch (struct tb_state *s, struct task_heads *h, const struct tb_task_slice *slice,
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
  struct task_head like = { .slice = slice };
  if (psp == 0)
    return true;
  like.psp = tb_graph_known (&s->graph, psp);
  bool ok = true;
  like.stacked = true;
  if (i > 0)
    ok = add_stores (s, h, &like, i - 1);
  like.stacked = false;
  for (; i < end - s->base && ok; i++)
    ok = add_stores (s, h, &like, i);
  return ok;
}

/* Is what HEAD stores where registers may have been saved below the frame of what is
   suspended?  */
static bool
is_saved (const struct tb_state *s, const struct task_head *head)
{
  struct tb_known value = tb_graph_known (&s->graph, head->value);
  return !head->stacked && tb_known_all (head->psp) && tb_known_all (value)
	 && head->psp.bits - value.bits <= TB_TASK_SAVED_MOST;
}

static bool
is_keeper (const struct task_heads *h, uint64_t pc)
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
tie_word (struct tb_state *s, struct task_heads *h, const struct task_head *head)
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
is_alone (const struct task_heads *h, size_t at)
{
  const struct task_head *head = &h->items[at];
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
tie_last (struct tb_state *s, const struct task_heads *h, size_t at)
{
  const struct task_head *head = &h->items[at];
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

/* HEAD, number AT, is of what waits at the halt: what was saved from there to the end of
   the frame is in the dump.  */
static bool
tie_saved (struct tb_state *s, const struct task_heads *h, size_t at)
{
  const struct task_head *head = &h->items[at];
  uint64_t low = tb_graph_known (&s->graph, head->value).bits;
  uint64_t length = head->psp.bits + TB_M_FRAME_SIZE - low;
  bool ok = true;
  if (!is_saved (s, head))
    return true;
  while (at > 0 && h->items[at - 1].slice == head->slice)
    at--;
  for (; at < h->count && h->items[at].slice == head->slice && ok; at++)
    {
      const struct task_head *store = &h->items[at];
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
      ok = add_pair (s, &pair);
    }
  return ok;
}

/* Accesses before a store in which the load of its address is looked for.  */
#define NEAR 32

/* The load of the pointer that HEAD stores through, from a known address; 0: there is
   none.  */
static uint32_t
find_pointer (const struct tb_state *s, const struct task_head *head)
{
  tb_word apart;
  uint32_t id = head->access;
  for (unsigned i = 0; i < NEAR && --id > 0; i++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[id];
      if (a->kind == TB_MEM_LOAD && tb_access_size (a) == 4
	  && tb_known_all (tb_graph_known (&s->graph, a->address))
	  && (a->value == head->address
	      || tb_graph_difference (&s->graph, head->address, a->value, &apart)))
	return id;
    }
  return 0;
}

/* Is ID an access of kind KIND to the word at ADDRESS?  */
static bool
is_access (const struct tb_state *s, uint32_t id, unsigned kind, tb_word address)
{
  const struct tb_mem_access *a = &s->memory.accesses[id];
  struct tb_known at = tb_graph_known (&s->graph, a->address);
  return a->kind == kind && tb_access_size (a) == 4 && tb_known_all (at)
	 && at.bits == address;
}

/* The first access with which the pointer at ADDRESS may be to SLICE's task: where it is
   stored last before that goes on, but not before access AFTER.  */
static uint32_t
first_access (struct tb_state *s, const struct tb_task_slice *slice, tb_word address,
	      uint32_t after)
{
  tb_state_seek (s, slice->step - s->base);
  uint32_t first = s->names.next_access;
  for (uint32_t id = first; id-- > after && first - id < SWITCH_MOST;)
    if (is_access (s, id, TB_MEM_STORE, address))
      return id;
  return first;
}

/* While SLICE's task runs the word at ADDRESS points to what is kept of it: the accesses
   FROM to END to it load POINTER (0: the first of them), or (FROM) store it.  */
static bool
tie_accesses (struct tb_state *s, const struct tb_task_slice *slice, tb_word address,
	      uint32_t from, uint32_t end, tb_vid pointer)
{
  struct tb_assumed_pair pair = {
    .kind = TB_PAIR_TASK, .from = slice->step - s->base,
    .to = slice->step - s->base, .callee = slice->task
  };
  unsigned count = 0;
  bool ok = true;
  for (uint32_t id = from; id < end && ok; id++)
    {
      if (!is_access (s, id, TB_MEM_LOAD, address)
	  && !(id == from && is_access (s, id, TB_MEM_STORE, address)))
	continue;
      tb_vid value = s->memory.accesses[id].value;
      if (pointer == 0)
	pointer = value;
      if (value == pointer)
	continue;
      pair.before[count] = pointer;
      pair.after[count++] = value;
      if (count == TB_KEPT_MOST)
	{
	  ok = add_pair (s, &pair);
	  count = 0;
	  memset (pair.before, 0, sizeof pair.before);
	}
    }
  return ok && (count == 0 || add_pair (s, &pair));
}

/* Tie the pointers to what the kernel keeps of the task that runs, by head number AT.  */
static bool
tie_pointer (struct tb_state *s, const struct task_heads *h, size_t at, uint32_t *after)
{
  const struct task_head *head = &h->items[at];
  uint32_t load = find_pointer (s, head);
  if (load == 0 || head->slice->step < s->base || !is_alone (h, at))
    return true;
  const struct tb_mem_access *a = &s->memory.accesses[load];
  tb_word address = tb_graph_known (&s->graph, a->address).bits;
  uint32_t from = first_access (s, head->slice, address, *after);
  *after = head->access;
  return tie_accesses (s, head->slice, address, from, load, a->value);
}

/* Does the task of SLICE, one of TASKS, not go on after it?  */
static bool
waits (const struct tb_tasks *tasks, const struct tb_task_slice *slice)
{
  size_t n;
  const struct tb_task_slice *slices = tb_tasks_slices (tasks, &n);
  for (const struct tb_task_slice *later = slice + 1; later < slices + n; later++)
    if (later->task == slice->task)
      return false;
  return tb_assume_is_last (tasks, slice);
}

bool
tb_assume_find_heads (struct tb_state *s, const struct tb_tasks *tasks)
{
  size_t n;
  const struct tb_task_slice *slices = tb_tasks_slices (tasks, &n);
  const struct tb_task_slice **last
    = calloc (tb_tasks_count (tasks) + 1, sizeof *last);
  struct task_heads h = { NULL, 0, 0, { 0 }, 0 };
  bool ok = last != NULL, dump = s->halt == TB_HALT_USED;
  for (size_t i = 0; i + 1 < n && ok; i++)
    {
      ok = add_switch (s, &h, &slices[i], slices[i + 1].step);
      if (slices[i].suspended != UINT64_MAX)
	last[slices[i].task] = &slices[i];
    }
  for (size_t i = 0; i < h.count && ok && dump; i++)
    if (h.items[i].slice == last[h.items[i].slice->task] && is_alone (&h, i)
	&& tb_assume_is_last (tasks, h.items[i].slice))
      ok = tie_word (s, &h, &h.items[i]);
  size_t count = h.nkeepers != 0 ? h.count : 0;
  uint32_t after = 1;
  for (size_t i = 0; i < count && ok; i++)
    if (!h.items[i].slice->open && !h.items[i].stacked
	&& is_keeper (&h, h.items[i].pc))
      ok = tie_last (s, &h, i) && tie_pointer (s, &h, i, &after)
	   && (!dump || !waits (tasks, h.items[i].slice) || !is_alone (&h, i)
	       || tie_saved (s, &h, i));
  free (last);
  free (h.items);
  s->facts.ntasks = s->facts.pairs.count;
  return ok;
}
