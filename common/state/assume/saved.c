/* Assumption: what is saved on a stack is written through its stack pointer only.  See
   saved.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/saved.h"

#include <stdlib.h>
#include <string.h>

#include "arm/ir/operands.h"
#include "decode/exception.h"
#include "state/assume/tasks.h"
#include "state/window/builder.h"
#include "util/buffer.h"
#include "util/number.h"
#include "util/search.h"

/* Whose stack it is: that of what handles exceptions, that of a thread (a task's number is
   added), or that of one of them, where it is not known of which.  */
enum { OWNER_HANDLER, OWNER_FIRST, OWNER_UNKNOWN = -1 };

/* A register that is saved.  */
struct saved_register
{
  int owner;
  uint8_t reg;
  tb_vid address, value;
  uint64_t step;
  uint64_t pc;			/* Of what saved it.  */
};

struct saves
{
  struct tb_state *s;
  struct saved_register *items;
  size_t count, room;
  const struct tb_task_slice *parts;
  size_t nparts, part;
  int owner;		/* Of the last step.  */
  tb_vid sp;			/* Behind it.  */
  bool doubts;			/* It is not certain which task went on somewhere.  */
  bool failed;
};

/* More than so many are not kept, the outermost go.  */
#define SAVED_MOST 512

static void
drop (struct saves *v, size_t at)
{
  v->count--;
  memmove (v->items + at, v->items + at + 1, (v->count - at) * sizeof *v->items);
}

/* Forget what is of a thread (HANDLERS: of handlers) on any stack.  */
static void
drop_all (struct saves *v, bool threads, bool handlers)
{
  for (size_t i = v->count; i-- > 0;)
    if (v->items[i].owner == OWNER_HANDLER ? handlers : threads)
      drop (v, i);
}

/* OWNER runs with stack pointer SP: what is below it is no longer saved, and if nothing
   tells how far from SP something of that stack is it may have been.  */
static void
drop_below (struct saves *v, int owner, tb_vid sp)
{
  for (size_t i = v->count; i-- > 0;)
    {
      tb_word apart;
      if (v->items[i].owner == owner
	  && (sp == 0
	      || !tb_graph_difference (&v->s->graph, v->items[i].address, sp, &apart)
	      || (int32_t) apart < 0))
	drop (v, i);
    }
}

/* Something was stored to SIZE bytes at ADDRESS: is that where it is said to be saved?  */
static void
drop_hit (struct saves *v, tb_vid address, unsigned size)
{
  for (size_t i = v->count; i-- > 0;)
    {
      tb_word apart;
      if (tb_graph_difference (&v->s->graph, address, v->items[i].address, &apart)
	  && ((uint32_t) apart < 4 || (uint32_t) -apart < size))
	drop (v, i);
    }
}

/* The register of r4 to r11 and LR that access number K of an instruction like T loads or
   stores; 0: none.  It is what the instruction says: another register may have the same
   value.  */
static unsigned
register_of (const struct tb_state *s, const struct tb_template *t, uint32_t k)
{
  const struct tb_uop *access = tb_operands_access (&s->uops[t->first], t->count, k);
  unsigned place = access != NULL ? tb_operands_data (access) : 0;
  return (place >= 4 && place <= 11) || place == TB_SLOT_LR ? place : 0;
}

/* Is ADDRESS in what lies from LOW up to HIGH?  */
static bool
is_between (const struct tb_graph *graph, tb_vid address, tb_vid low, tb_vid high)
{
  tb_word all, part;
  return low != 0 && high != 0 && tb_graph_difference (graph, high, low, &all)
	 && tb_graph_difference (graph, address, low, &part)
	 && (int32_t) all > 0 && (uint32_t) part < (uint32_t) all;
}

static struct tb_assumed_pair *
add_pair (struct saves *v, unsigned kind, uint64_t from, uint64_t to, uint64_t pc)
{
  struct tb_pairs *pairs = &v->s->facts.pairs;
  v->failed |= !TB_GROW (pairs->items, pairs->room, pairs->count, 1);
  if (v->failed)
    return NULL;
  struct tb_assumed_pair *pair = &pairs->items[pairs->count++];
  *pair = (struct tb_assumed_pair) { .kind = (uint8_t) kind, .from = from, .to = to,
				     .callee = pc };
  return pair;
}

/* Register REG is pushed, by access A of step I.  */
static void
push (struct saves *v, int owner, unsigned reg, const struct tb_mem_access *a,
      uint64_t i, uint64_t pc)
{
  if (v->count == SAVED_MOST)
    drop (v, 0);
  v->failed |= !TB_GROW (v->items, v->room, v->count, 1);
  if (!v->failed)
    v->items[v->count++] = (struct saved_register) {
      .owner = owner, .reg = (uint8_t) reg, .address = a->address, .value = a->value,
      .step = i, .pc = pc
    };
}

/* Register REG is popped, by access A of step I.  */
static void
pop (struct saves *v, int owner, unsigned reg, const struct tb_mem_access *a, uint64_t i)
{
  for (size_t k = v->count; k-- > 0;)
    {
      const struct saved_register *item = &v->items[k];
      tb_word apart;
      if (item->owner != owner || item->reg != reg
	  || !tb_graph_difference (&v->s->graph, a->address, item->address, &apart)
	  || apart != 0)
	continue;
      struct tb_assumed_pair *pair = add_pair (v, TB_PAIR_SAVED, item->step, i, item->pc);
      if (pair != NULL)
	{
	  pair->before[0] = item->value;
	  pair->after[0] = a->value;
	}
      return;
    }
}

/* Did the handlers from change number ENTRY to the return before step TO leave both stacks where
   they were?  Then whoever goes on is the thread that was interrupted.  S is before TO then.  */
static bool
keeps_stacks (struct tb_state *s, size_t entry, uint64_t to)
{
  tb_word own, other;
  return tb_assume_moved (s, entry, to, TB_SLOT_SP, &own) && own == 0
	 && tb_assume_moved (s, entry, to, TB_SLOT_SP_OTHER, &other) && other == 0;
}

/* Is it certain that the part that begins with step I is of the task that it is said to be of?
   S is before I.  */
static bool
is_certain (struct saves *v, uint64_t i)
{
  const struct tb_task_slice *part = &v->parts[v->part];
  size_t entry;
  return (!part->open && !part->guessed)
	 || (part->step == v->s->base + i && i > 0 && part[-1].task == part->task
	     && tb_assume_find_entry (v->s, part - 1, &entry)
	     && keeps_stacks (v->s, entry, i));
}

/* Whose stack is used before step I, by the names there.  */
static int
find_owner (struct saves *v, uint64_t i)
{
  const struct tb_state *s = v->s;
  while (v->part + 1 < v->nparts && v->parts[v->part + 1].step <= s->base + i)
    {
      v->part++;
      if (!is_certain (v, i))
	{
	  drop_all (v, true, false);
	  v->doubts = true;
	}
    }
  tb_vid handler = s->names.slot[TB_SLOT_HANDLER];
  if (handler == 0)
    return OWNER_UNKNOWN;
  struct tb_known k = tb_graph_known (&s->graph, handler);
  return !tb_known_all (k) ? OWNER_UNKNOWN
	 : k.bits != 0 ? OWNER_HANDLER
	 : OWNER_FIRST + (v->nparts != 0 ? (int) v->parts[v->part].task : 0);
}

/* Step I, which accesses FIRST up to END; SP and NAMES are those behind it.  */
static void
follow_step (struct saves *v, int owner, uint64_t i, uint32_t first, uint32_t end,
	     const struct tb_names *names)
{
  struct tb_state *s = v->s;
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  tb_vid sp = s->names.slot[TB_SLOT_SP], behind = names->slot[TB_SLOT_SP];
  for (uint32_t id = first; id < end && !v->failed; id++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[id];
      unsigned size = tb_access_size (a), reg;
      if (a->kind == TB_MEM_LOAD)
	{
	  if (size == 4 && is_between (&s->graph, a->address, sp, behind)
	      && (reg = register_of (s, t, id - first)) != 0
	      && names->slot[reg] == a->value)
	    pop (v, owner, reg, a, i);
	  continue;
	}
      drop_hit (v, a->address, size);
      if (a->kind == TB_MEM_STORE && size == 4
	  && is_between (&s->graph, a->address, behind, sp)
	  && (reg = register_of (s, t, id - first)) != 0
	  && names->slot[reg] == a->value)
	push (v, owner, reg, a, i, t->pc);
    }
}

/* Follow all steps.  */
static void
follow (struct saves *v)
{
  struct tb_state *s = v->s;
  size_t change = 0;
  for (uint64_t i = 0; i < s->steps && !v->failed; i++)
    {
      for (; change < s->nchanges && s->changes[change].step <= i; change++)
	if (s->changes[change].kind == TB_CHANGE_LOST
	    || s->changes[change].kind == TB_CHANGE_WRITTEN)
	  drop_all (v, true, true);
      tb_state_seek (s, i);
      int owner = find_owner (v, i);
      if (owner != v->owner && (owner == OWNER_UNKNOWN || v->owner == OWNER_UNKNOWN))
	drop_all (v, true, true);
      tb_vid sp = s->names.slot[TB_SLOT_SP];
      if (owner != v->owner || sp != v->sp)
	{
	  /* No handler is left.  */
	  if (owner >= OWNER_FIRST)
	    drop_all (v, false, true);
	  drop_below (v, owner, sp);
	}
      struct tb_names names = s->names;
      struct tb_builder b = tb_builder_of (s, &names, true);
      tb_build_step (&b, i);
      if (names.next_access != s->names.next_access)
	follow_step (v, owner, i, s->names.next_access, names.next_access, &names);
      v->owner = owner;
      v->sp = names.slot[TB_SLOT_SP];
      if (v->sp != sp)
	drop_below (v, owner, v->sp);
    }
}

/* Exceptions that interrupt each other deeper than this are not paired with their returns.  */
#define DEPTH 64

/* Is it certain that the thread of S that change number ENTRY interrupts has the core before TO?
   A kernel may give it to another one that waits at the same address.  */
static bool
is_same_thread (const struct saves *v, size_t entry, uint64_t to)
{
  uint64_t from = v->s->base + v->s->changes[entry].step;
  size_t next = 0;
  TB_LOWER_BOUND (next, v->nparts, v->parts[next].step <= from);
  for (; next < v->nparts && v->parts[next].step <= v->s->base + to; next++)
    if (next == 0 || v->parts[next].task != v->parts[next - 1].task
	|| v->parts[next].open || v->parts[next].guessed)
      return false;
  return true;
}

/* What the exception that change number ENTRY enters has saved comes back before step TO.  */
static void
tie_exception (struct saves *v, size_t entry, uint64_t to)
{
  struct tb_state *s = v->s;
  const struct tb_change *change = &s->changes[entry];
  tb_vid own[TB_TASK_OWN], fpca;
  uint32_t accesses;
  /* Handlers of faults, and debuggers, may change what they like.  */
  if (change->step == 0 || to >= s->steps || change->taken == TB_EXC_FAULT
      || change->taken == TB_EXC_OTHER || change->taken == TB_EXC_MONITOR
      || s->templates[s->info[to] & TB_INFO_TEMPLATE].pc != change->address
      || (!is_same_thread (v, entry, to) && !keeps_stacks (s, entry, to)))
    return;
  /* What is like it is of the same handler.  */
  uint64_t handler = s->templates[s->info[change->step] & TB_INFO_TEMPLATE].pc;
  struct tb_assumed_pair *pair = add_pair (v, TB_PAIR_SAVED, change->step, to, handler);
  if (pair == NULL)
    return;
  tb_assume_find_own (s, entry, own, &fpca, &accesses);
  memcpy (pair->before, own, TB_TASK_STACKED * sizeof *own);
  tb_state_seek (s, to);
  for (unsigned k = 0; k < TB_TASK_STACKED; k++)
    pair->after[k] = s->names.slot[tb_task_own[k]];
}

/* Pair the exceptions with their returns.  */
static void
follow_exceptions (struct saves *v)
{
  const struct tb_state *s = v->s;
  size_t open[DEPTH], depth = 0;
  for (size_t k = 0; k < s->nchanges && !v->failed; k++)
    {
      const struct tb_change *change = &s->changes[k];
      bool last = k + 1 == s->nchanges || change[1].step != change->step;
      if (change->kind == TB_CHANGE_ENTRY)
	{
	  depth = depth < DEPTH ? depth : 0;
	  open[depth++] = k;
	}
      else if (change->kind == TB_CHANGE_RETURN
	       || change->kind == TB_CHANGE_RETURN_MAYBE)
	{
	  if (depth > 0 && last)
	    tie_exception (v, open[depth - 1], change->step);
	  depth -= depth > 0;
	}
      else if (change->kind != TB_CHANGE_TAIL)
	depth = 0;
    }
}

/* Is what OWNER has saved still so where the trace ends?  */
static bool
is_last (const struct saves *v, const struct tb_tasks *tasks, int owner)
{
  if (owner == v->owner || v->nparts == 0)
    return owner == v->owner;
  for (size_t i = v->nparts; i-- > 0 && owner > OWNER_FIRST;)
    if ((int) v->parts[i].task == owner - OWNER_FIRST)
      return v->parts[i].suspended != UINT64_MAX && tb_assume_is_last (tasks, &v->parts[i]);
  return false;
}

/* What is saved where the window ends, at the halt, is in the dump.  */
static void
tie_dump (struct saves *v, const struct tb_tasks *tasks)
{
  struct tb_state *s = v->s;
  for (size_t i = 0; i < v->count && !v->failed; i++)
    {
      const struct saved_register *item = &v->items[i];
      struct tb_known at = tb_graph_known (&s->graph, item->address);
      const uint8_t *bytes;
      if (!tb_known_all (at) || !tb_graph_open (&s->graph, item->value)
	  || !is_last (v, tasks, item->owner)
	  || tb_memory_kind (&s->memory, at.bits, 4, &bytes) != TB_MEMORY_RAM)
	continue;
      struct tb_assumed_pair *pair
	= add_pair (v, TB_PAIR_LEFT, item->step, tb_number (bytes, 4), item->pc);
      if (pair != NULL)
	pair->before[0] = item->value;
    }
}

bool
tb_assume_find_saved (struct tb_state *s, const struct tb_state *home, bool *doubts)
{
  struct saves v = { .s = s };
  v.parts = tb_tasks_resumes (home->tasks, &v.nparts);
  follow (&v);
  if (!v.failed)
    follow_exceptions (&v);
  if (s->halt == TB_HALT_USED && !v.failed
      && s->base + s->steps == tb_recording_steps (s->recording))
    tie_dump (&v, home->tasks);
  free (v.items);
  *doubts = v.doubts;
  return !v.failed;
}
