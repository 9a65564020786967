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

/* Accesses before a store, or before a task goes on, in which the load of the pointer is
   looked for.  */
#define NEAR 32

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
  tb_word place;		/* Where the pointer to what is kept of the task that
				   runs is; 0: not found.  */
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

/* Add the stores on the way from SLICE to what begins at step END, as long as the process
   stack is still SLICE's: behind that another task may be made to go on and be left before
   its first instruction.  */
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
  for (unsigned k = 0; k < NEAR && psp != 0 && --id > 0; k++)
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
tie_resume (struct tb_state *s, const struct task_heads *h,
	    const struct tb_task_slice *slice, size_t last)
{
  uint32_t load = last != 0 ? find_resume (s, slice) : 0;
  tb_word apart;
  if (load == 0)
    return true;
  const struct task_head *head = &h->items[last - 1];
  const struct tb_mem_access *a = &s->memory.accesses[load];
  if (!is_alone (h, last - 1)
      || !tb_graph_difference (&s->graph, a->value, head->value, &apart) || apart != 0)
    return true;
  const struct tb_assumed_pair pair = {
    .kind = TB_PAIR_TASK, .from = head->step, .to = slice->step - s->base,
    .callee = slice->task, .before = { head->address }, .after = { a->address }
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

/* The value of the register that HEAD stores through; 0: it is none.  */
static tb_vid
find_base (struct tb_state *s, const struct task_head *head)
{
  const struct tb_template *t = &s->templates[s->info[head->step] & TB_INFO_TEMPLATE];
  const struct tb_uop *first = s->uops + t->first, *u = first;
  while (u < first + t->count && u->op != TB_OP_STORE)
    u++;
  unsigned place = u < first + t->count ? u->a : TB_NPLACES;
  while (place >= TB_NSLOTS && u > first)
    if (u--, tb_op_is (u->op, TB_WRITES) && u->dst == place)
      place = u->op == TB_OP_ADD || u->op == TB_OP_MOV ? u->a : TB_NPLACES;
  tb_state_seek (s, head->step);
  return place < TB_NSLOTS ? s->names.slot[place] : 0;
}

/* The load of the pointer that HEAD stores through, from a known address; 0: there is
   none.  */
static uint32_t
find_pointer (struct tb_state *s, const struct task_head *head)
{
  tb_vid base = find_base (s, head);
  uint32_t id = base != 0 ? head->access : 1;
  for (unsigned i = 0; i < NEAR && --id > 0; i++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[id];
      if (a->kind == TB_MEM_LOAD && tb_access_size (a) == 4
	  && tb_known_all (tb_graph_known (&s->graph, a->address)) && a->value == base)
	return id;
    }
  return 0;
}

/* The address that load ID of S, as find_pointer has it, is from; 0: there is none.  */
static tb_word
place_of (const struct tb_state *s, uint32_t id)
{
  return id != 0 ? tb_graph_known (&s->graph, s->memory.accesses[id].address).bits : 0;
}

/* Find where most of the pointers that keepers store through are loaded from: others are
   from a stack that they were on in between.  */
static void
find_place (struct tb_state *s, struct task_heads *h)
{
  size_t votes = 0, count = 0, all = 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < h->count; i++)
      {
	const struct task_head *head = &h->items[i];
	if (head->slice->open || head->stacked || !is_keeper (h, head->pc))
	  continue;
	tb_word place = place_of (s, find_pointer (s, head));
	if (pass == 0 && votes == 0)
	  h->place = place;
	if (pass == 0)
	  votes += place == h->place ? 1 : (size_t) -1;
	count += pass == 1 && place == h->place;
	all += pass;
      }
  if (2 * count <= all)
    h->place = 0;
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

/* The slice in which the task of head number AT went on last: an exception that saved nothing
   may have interrupted it since, and have left nothing but another slice of it.  */
static const struct tb_task_slice *
find_begin (const struct task_heads *h, size_t at, const struct tb_task_slice *first)
{
  const struct tb_task_slice *slice = h->items[at].slice;
  for (; slice > first && !slice->open && slice[-1].task == slice->task; slice--)
    {
      while (at > 0 && h->items[at].slice >= slice)
	at--;
      for (size_t i = at; h->items[i].slice == slice - 1; i--)
	if (is_keeper (h, h->items[i].pc))
	  return slice;
	else if (i == 0)
	  break;
    }
  return slice;
}

/* Tie the pointers to what the kernel keeps of the task that runs, by head number AT; FIRST
   is the first slice of all.  */
static bool
tie_pointer (struct tb_state *s, const struct task_heads *h, size_t at,
	     const struct tb_task_slice *first, uint32_t *after)
{
  const struct task_head *head = &h->items[at];
  const struct tb_task_slice *begin = find_begin (h, at, first);
  uint32_t load = find_pointer (s, head);
  tb_word address = place_of (s, load);
  if (load == 0 || address != h->place || begin->step < s->base || !is_alone (h, at))
    return true;
  const struct tb_mem_access *a = &s->memory.accesses[load];
  uint32_t from = first_access (s, begin, address, *after);
  *after = head->access;
  return tie_accesses (s, begin, address, from, load, a->value);
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
  struct task_heads h = { NULL, 0, 0, { 0 }, 0, 0 };
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
  size_t count = h.nkeepers != 0 ? h.count : 0, i = 0;
  size_t *left = calloc (tb_tasks_count (tasks) + 1, sizeof *left);
  uint32_t after = 1;
  if (count != 0)
    find_place (s, &h);
  ok = ok && left != NULL;
  for (size_t k = 0; k < n && count != 0 && ok; k++)
    {
      unsigned task = slices[k].task;
      if (slices[k].open)
	left[task] = 0;
      else if (task != 0)
	ok = tie_resume (s, &h, &slices[k], left[task]);
      for (; i < count && h.items[i].slice == &slices[k] && ok; i++)
	if (!slices[k].open && !h.items[i].stacked && is_keeper (&h, h.items[i].pc))
	  {
	    left[task] = i + 1;
	    ok = tie_last (s, &h, i) && tie_pointer (s, &h, i, slices, &after)
		 && (!dump || !waits (tasks, h.items[i].slice) || !is_alone (&h, i)
		     || tie_saved (s, &h, i));
	  }
    }
  free (left);
  free (last);
  free (h.items);
  s->facts.ntasks = s->facts.pairs.count;
  return ok;
}
