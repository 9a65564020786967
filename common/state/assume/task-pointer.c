/* The pointer to what a kernel keeps of the task that runs.  See task-pointer.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/task-pointer.h"

#include <string.h>

#include "arm/ir/operands.h"
#include "recording/open-calls.h"

/* The value of the register that HEAD stores through; 0: it is none.  */
static tb_vid
find_base (struct tb_state *s, const struct tb_task_head *head)
{
  const struct tb_template *t = &s->templates[s->info[head->step] & TB_INFO_TEMPLATE];
  const struct tb_uop *first = s->uops + t->first, *u = first;
  while (u < first + t->count && u->op != TB_OP_STORE)
    u++;
  uint32_t offset;
  unsigned slot = u < first + t->count ? tb_operands_base (first, u, &offset) : TB_PLACE_NONE;
  tb_state_seek (s, head->step);
  return slot != TB_PLACE_NONE ? s->names.slot[slot] : 0;
}

/* The load of the pointer that HEAD stores through, from a known address; 0: there is
   none.  */
static uint32_t
find_pointer (struct tb_state *s, const struct tb_task_head *head)
{
  tb_vid base = find_base (s, head);
  uint32_t id = base != 0 ? head->access : 1;
  for (unsigned i = 0; i < TB_TASK_NEAR && --id > 0; i++)
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

void
tb_task_find_place (struct tb_state *s, struct tb_task_heads *h)
{
  size_t votes = 0, count = 0, all = 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < h->count; i++)
      {
	const struct tb_task_head *head = &h->items[i];
	if (head->slice->open || head->slice->guessed
	    || head->stacked || !tb_task_is_keeper (h, head->pc))
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
  for (uint32_t id = first; id-- > after && first - id < TB_TASK_SWITCH_MOST;)
    if (is_access (s, id, TB_MEM_STORE, address))
      return id;
  return first;
}

/* While SLICE's task runs the word at ADDRESS points to what is kept of it: the accesses
   FROM to END to it load POINTER, or (the first of them) store it.  What is stored there
   later than FROM is for another task, or the trace began before SLICE's was chosen.  */
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
  for (uint32_t id = end; id-- > from;)
    if (is_access (s, id, TB_MEM_STORE, address))
      from = id;
  for (uint32_t id = from; id < end && ok; id++)
    {
      if (!is_access (s, id, TB_MEM_LOAD, address)
	  && !(id == from && is_access (s, id, TB_MEM_STORE, address)))
	continue;
      tb_vid value = s->memory.accesses[id].value;
      if (value == pointer)
	continue;
      pair.before[count] = pointer;
      pair.after[count++] = value;
      if (count == TB_KEPT_MOST)
	{
	  ok = tb_task_add_pair (s, &pair);
	  count = 0;
	  memset (pair.before, 0, sizeof pair.before);
	}
    }
  return ok && (count == 0 || tb_task_add_pair (s, &pair));
}

/* The slice in which the task of head number AT went on last: an exception that saved nothing
   may have interrupted it since, and have left nothing but another slice of it.  */
static const struct tb_task_slice *
find_begin (const struct tb_task_heads *h, size_t at, const struct tb_task_slice *first)
{
  const struct tb_task_slice *slice = h->items[at].slice;
  for (; slice > first && !slice->open && !slice->guessed && slice[-1].task == slice->task; slice--)
    {
      while (at > 0 && h->items[at].slice >= slice)
	at--;
      for (size_t i = at; h->items[i].slice == slice - 1; i--)
	if (tb_task_is_keeper (h, h->items[i].pc))
	  return slice;
	else if (i == 0)
	  break;
    }
  return slice;
}

bool
tb_task_tie_pointer (struct tb_state *s, const struct tb_task_heads *h, size_t at,
	     const struct tb_task_slice *first, uint32_t *after)
{
  const struct tb_task_head *head = &h->items[at];
  const struct tb_task_slice *begin = find_begin (h, at, first);
  uint32_t load = find_pointer (s, head);
  tb_word address = place_of (s, load);
  /* Where the trace or a part of it begins, another task may have been left in a handler
     before this one went on.  */
  if (load == 0 || address != h->place || begin->step < s->base
      || begin->begin == TB_BACK_NONE || !tb_task_is_alone (h, at))
    return true;
  const struct tb_mem_access *a = &s->memory.accesses[load];
  uint32_t from = first_access (s, begin, address, *after);
  *after = head->access;
  return tie_accesses (s, begin, address, from, load, a->value);
}
