/* Assumption: tasks keep their registers and stacks.  See tasks.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "arm/machine/m-frame.h"
#include "state/assume/frames.h"
#include "state/window/builder.h"
#include "util/buffer.h"

/* R0 to r3 come first.  */
const uint8_t tb_task_own[] = {
  0, 1, 2, 3, 12, TB_SLOT_LR, TB_SLOT_N, TB_SLOT_Z, TB_SLOT_C, TB_SLOT_V,
  TB_SLOT_SP, TB_SLOT_SPSEL, TB_SLOT_HANDLER, 4, 5, 6, 7, 8, 9, 10, 11
};
#define OWN TB_TASK_OWN
#define ARGUMENTS 4		/* R0 to r3.  */
#define OWN_SP 10
#define OWN_KEPT 13		/* From here on handlers keep them.  */
_Static_assert (OWN <= TB_KEPT_MOST, "");

/* So are S16 to S31 of a task that has used FP registers (CONTROL.FPCA); kernels save them of no
   other one.  */
#define FIRST_KEPT_SINGLE 16
#define KEPT_SINGLES 16
_Static_assert (KEPT_SINGLES < TB_KEPT_MOST, "FPCA has room behind them.");

bool
tb_assume_make_tasks (struct tb_state *home)
{
  if (home->tasks == NULL && home->profile->is_m)
    home->tasks = tb_tasks_new (home->recording, NULL);
  return home->tasks != NULL || !home->profile->is_m;
}

bool
tb_assume_find_entry (const struct tb_state *s, const struct tb_task_slice *slice,
		      size_t *entry)
{
  if (slice->by_call || slice->suspended == UINT64_MAX || slice->suspended <= s->base
      || slice->suspended - s->base > s->steps || slice->step < s->base)
    return false;
  /* Exceptions that returned before: what they interrupted may be at the same address.  */
  unsigned returned = 0;
  for (size_t i = s->nchanges; i-- > 0;)
    {
      const struct tb_change *change = &s->changes[i];
      if (change->step > slice->suspended - s->base)
	continue;
      if (change->step <= slice->step - s->base
	  || change->kind == TB_CHANGE_LOST || change->kind == TB_CHANGE_WRITTEN)
	return false;
      *entry = i;
      if (change->kind == TB_CHANGE_RETURN || change->kind == TB_CHANGE_RETURN_MAYBE)
	returned++;
      else if (change->kind == TB_CHANGE_ENTRY && returned > 0)
	returned--;
      else if (change->kind == TB_CHANGE_ENTRY && change->address == slice->address)
	return true;
    }
  return false;
}

bool
tb_assume_moved (struct tb_state *s, size_t entry, uint64_t to, unsigned slot, tb_word *distance)
{
  tb_state_seek (s, s->changes[entry].step);
  tb_vid first = s->names.slot[slot];
  tb_state_seek (s, to - 1);
  struct tb_names last = s->names;
  struct tb_builder b = tb_builder_of (s, &last, true);
  tb_build_step (&b, to - 1);
  tb_vid name = last.slot[slot];
  tb_state_seek (s, to);
  *distance = 0;
  return first != 0 && name != 0
	 && (first == name || tb_graph_difference (&s->graph, name, first, distance));
}

/* Is step I of the window an SVC?  */
static bool
is_svc (const struct tb_state *s, uint64_t i)
{
  return (s->templates[s->info[i] & TB_INFO_TEMPLATE].opcode & 0xffffff00) == 0xdf00;
}

/* The slots (a bit for each) that may be changed already where an exception comes before the
   instruction at ADDRESS: load multiple may have been done in part, but its base is restored then
   (DDI 0403, B1.5.10).  */
static uint64_t
lost_in_part (struct tb_state *s, uint64_t address)
{
  struct tb_template t;
  struct tb_uop uops[TB_SEM_MAX];
  uint64_t lost = 0;
  if (tb_state_template_at (s, (uint32_t) address, &t, uops) == NULL
      || (t.flags & TB_SEM_CONTINUES && s->profile->arch == TB_ARCH_V81M_MAIN))
    return UINT64_MAX;
  for (unsigned i = 0; i < t.count && t.flags & TB_SEM_MULTIPLE; i++)
    if (uops[i].op == TB_OP_LOAD && uops[i].dst < TB_NSLOTS)
      lost |= TB_SLOT_BIT (uops[i].dst);
  return lost;
}

void
tb_assume_find_own (struct tb_state *s, size_t entry, tb_vid *own, tb_vid *fpca,
		    uint32_t *accesses)
{
  const struct tb_change *change = &s->changes[entry];
  uint64_t i = change->step;
  uint64_t lost = lost_in_part (s, change->address);
  tb_state_seek (s, i - 1);
  struct tb_names names = s->names;
  struct tb_builder b = tb_builder_of (s, &names, true);
  tb_build_step (&b, i - 1);
  bool svc = is_svc (s, i - 1), alone = true;
  for (size_t k = entry; k > 0 && s->changes[k - 1].step == i; k--)
    alone = false;
  tb_build_name_all (&b);
  *fpca = names.slot[TB_SLOT_FPCA];
  *accesses = names.next_access;
  tb_state_seek (s, i);
  for (unsigned k = 0; k < OWN; k++)
    if (k >= OWN_KEPT)
      own[k] = s->names.slot[tb_task_own[k]];
    else
      own[k] = alone && !(lost >> tb_task_own[k] & 1) ? names.slot[tb_task_own[k]] : 0;
  /* What an SVC gives back is written into the frame.  */
  for (unsigned k = 0; svc && k < ARGUMENTS; k++)
    own[k] = 0;
}

/* What a task has that is suspended, as tb_assume_find_own has it.  */
struct suspended
{
  tb_vid own[OWN];
  tb_vid fpca;
  uint32_t accesses;
};

static void
names_before (struct tb_state *s, size_t entry, struct suspended *was)
{
  tb_assume_find_own (s, entry, was->own, &was->fpca, &was->accesses);
}

/* A new pair of task NUMBER from step FROM to TO; NULL: no memory.  */
static struct tb_assumed_pair *
add_pair (struct tb_state *s, unsigned kind, unsigned number, uint64_t from, uint64_t to)
{
  struct tb_pairs *pairs = &s->facts.pairs;
  bool ok = TB_GROW (pairs->items, pairs->room, pairs->count, 1);
  if (!ok)
    return NULL;
  struct tb_assumed_pair *pair = &pairs->items[pairs->count++];
  *pair = (struct tb_assumed_pair) { .kind = (uint8_t) kind, .from = from, .to = to,
				     .callee = number };
  return pair;
}

/* Does SLICE begin in the window, by an exception's return?  */
static bool
begins_here (const struct tb_state *s, const struct tb_task_slice *slice)
{
  size_t count;
  if (slice->from_call || slice->step < s->base || slice->step - s->base >= s->steps)
    return false;
  const struct tb_change *change = tb_build_changes (s, slice->step - s->base, &count);
  return count > 0 && (change[count - 1].kind == TB_CHANGE_RETURN
		       || change[count - 1].kind == TB_CHANGE_RETURN_MAYBE);
}

/* Is the value of ID known, and VALUE?  */
static bool
is_number (const struct tb_state *s, tb_vid id, tb_word value)
{
  struct tb_known k = id != 0 ? tb_graph_known (&s->graph, id) : (struct tb_known) { 0 };
  return tb_known_all (k) && k.bits == value;
}

/* What SLICE was suspended with it, or a later one of its task, NEXT, goes on with.  */
static bool
tie_slices (struct tb_state *s, const struct tb_task_slice *slice,
	    const struct tb_task_slice *next)
{
  size_t entry;
  struct suspended was;
  if (next->open || next->guessed
      || !begins_here (s, next) || !tb_assume_find_entry (s, slice, &entry))
    return true;
  uint64_t from = s->changes[entry].step, to = next->step - s->base;
  struct tb_assumed_pair *pair = add_pair (s, TB_PAIR_TASK, slice->task, from, to);
  if (pair == NULL)
    return false;
  names_before (s, entry, &was);
  memcpy (pair->before, was.own, sizeof was.own);
  tb_vid singles[KEPT_SINGLES];
  memcpy (singles, s->names.fp + FIRST_KEPT_SINGLE, sizeof singles);
  tb_state_seek (s, to);
  for (unsigned k = 0; k < OWN; k++)
    pair->after[k] = s->names.slot[tb_task_own[k]];
  if (!s->fp)
    return true;
  pair = add_pair (s, TB_PAIR_TASK, slice->task, from, to);
  if (pair == NULL)
    return false;
  tb_vid fpca = s->names.slot[TB_SLOT_FPCA];
  pair->before[KEPT_SINGLES] = was.fpca;
  pair->after[KEPT_SINGLES] = fpca;
  if (!is_number (s, was.fpca, 1) && !is_number (s, fpca, 1))
    return true;
  memcpy (pair->before, singles, sizeof singles);
  memcpy (pair->after, s->names.fp + FIRST_KEPT_SINGLE, sizeof singles);
  return true;
}

/* All tasks use the same one of the two stack pointers, and the other one, which handlers
   use, is the same whenever one goes on: tie it where SLICE begins to where the last one
   did, *STEP with the names NAMES (0: none did), and let these be SLICE's.  */
static bool
tie_handlers (struct tb_state *s, const struct tb_task_slice *slice, uint64_t *step,
	      tb_vid names[2])
{
  if (slice->task == 0 || !begins_here (s, slice))
    return true;
  uint64_t to = slice->step - s->base;
  tb_state_seek (s, to);
  tb_vid now[2] = { s->names.slot[TB_SLOT_SPSEL], s->names.slot[TB_SLOT_SP_OTHER] };
  struct tb_assumed_pair *pair = NULL;
  if (names[0] != 0)
    {
      pair = add_pair (s, TB_PAIR_TASK, slice->task, *step, to);
      if (pair == NULL)
	return false;
      memcpy (pair->before, names, sizeof now);
      memcpy (pair->after, now, sizeof now);
    }
  *step = to;
  memcpy (names, now, sizeof now);
  return true;
}

bool
tb_assume_find_tasks (struct tb_state *s, const struct tb_state *home)
{
  size_t n, ntasks = tb_tasks_count (home->tasks);
  const struct tb_task_slice *slices = tb_tasks_parts (home->tasks, &n);
  const struct tb_task_slice **last = calloc (ntasks + 1, sizeof *last);
  tb_vid handlers[2] = { 0, 0 };
  uint64_t step = 0;
  bool ok = last != NULL;
  for (size_t i = 0; i < n && ok; i++)
    {
      unsigned task = slices[i].task;
      if (task == 0)
	continue;
      ok = tie_handlers (s, &slices[i], &step, handlers)
	   && (last[task] == NULL || tie_slices (s, last[task], &slices[i]));
      last[task] = &slices[i];
    }
  free (last);
  s->facts.ntasks = s->facts.pairs.count;
  return ok;
}

/* Find what the stack of what WAS suspended holds, by the accesses that are as far from its
   stack pointer, whose number is not known, as their addresses are from each other's.  */
static void
find_stack (const struct tb_state *s, const struct suspended *was,
	    struct tb_task_frame *frame)
{
  const struct tb_memory *m = &s->memory;
  tb_word of_sp, at;
  tb_vid root = tb_graph_class (&s->graph, was->own[OWN_SP], &of_sp);
  bool seen[TB_TASK_STACK] = { false };
  for (uint32_t id = was->accesses; id-- > 1;)
    {
      const struct tb_mem_access *a = &m->accesses[id];
      if (!tb_graph_open (&s->graph, a->address)
	  || tb_graph_class (&s->graph, a->address, &at) != root)
	continue;
      uint32_t above = (uint32_t) (at - of_sp), word = above / 4;
      if (word >= TB_TASK_STACK || seen[word])
	continue;
      seen[word] = true;
      if (above % 4 == 0 && tb_access_size (a) == 4
	  && (a->kind == TB_MEM_LOAD || a->kind == TB_MEM_STORE))
	frame->stack[word] = tb_border_known (&s->graph, a->value);
    }
}

/* Is the frame of change number ENTRY gone when NEXT begins?  Handlers may take it, or another one
   above it, from the same stack, and go on elsewhere: nothing waits then.  */
static bool
is_dropped (struct tb_state *s, size_t entry, const struct tb_task_slice *next)
{
  uint64_t i = s->changes[entry].step;
  tb_word distance;
  if (!begins_here (s, next))
    return true;
  tb_state_seek (s, i - 1);
  unsigned slot = is_number (s, s->names.slot[TB_SLOT_SPSEL], 0) ? TB_SLOT_SP : TB_SLOT_SP_OTHER;
  if (!tb_assume_moved (s, entry, next->step - s->base, slot, &distance)
      || (int32_t) distance < 0)
    return false;
  /* Of two numbers anything is known to be apart: then the stack is the same if they are near.  */
  tb_state_seek (s, i);
  return tb_graph_open (&s->graph, s->names.slot[slot]) || distance <= TB_TASK_SAVED_MOST;
}

/* SLICE is its task's last one, NEXT follows it: find its frame in the dump.  */
static bool
tie_dump (struct tb_state *s, const struct tb_task_slice *slice, const struct tb_task_slice *next)
{
  size_t entry;
  struct suspended was;
  struct tb_task_frame frame = { .address = (uint32_t) slice->address };
  if (!tb_assume_find_entry (s, slice, &entry) || is_dropped (s, entry, next))
    return true;
  names_before (s, entry, &was);
  for (unsigned i = 0; i < TB_M_FRAME_GENERAL; i++)
    if (was.own[i] != 0)
      frame.general[i] = tb_border_known (&s->graph, was.own[i]);
  tb_vid sp = was.own[OWN_SP];
  if (sp == 0 || !tb_graph_open (&s->graph, sp))
    return true;
  frame.sp = tb_border_known (&s->graph, sp);
  if (s->has_fp)
    frame.fp = tb_border_known (&s->graph, was.fpca);
  else
    frame.fp.mask = 1;
  find_stack (s, &was, &frame);
  uint32_t above;
  if (!tb_frames_find (s, &frame, &above))
    return true;
  struct tb_assumed_pair *pair
    = add_pair (s, TB_PAIR_FRAME, slice->task, s->changes[entry].step, above);
  if (pair != NULL)
    pair->before[0] = sp;
  return pair != NULL;
}

bool
tb_assume_find_suspended (struct tb_state *s, const struct tb_state *home)
{
  size_t n, ntasks = tb_tasks_count (home->tasks);
  const struct tb_task_slice *slices = tb_tasks_parts (home->tasks, &n);
  bool *later = calloc (ntasks + 1, sizeof *later);
  bool ok = later != NULL;
  for (size_t i = n; i-- > 0 && ok && s->halt == TB_HALT_USED;)
    {
      unsigned task = slices[i].task;
      if (task == 0 || later[task])
	continue;
      later[task] = true;
      if (i + 1 < n && tb_assume_is_last (home->tasks, &slices[i]))
	ok = tie_dump (s, &slices[i], &slices[i + 1]);
    }
  free (later);
  s->facts.ntasks = s->facts.pairs.count;
  return ok;
}
