/* Finding tasks.  See tasks.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tasks-find.h"

#include <stdlib.h>

#include "recording/levels-tasks.h"
#include "recording/task-proof.h"
#include "util/column.h"

/* What was chosen where several tasks might have gone on, and nothing that followed decided
   before the next switch.  */
struct choice
{
  uint64_t step;
  size_t chosen, count;		/* Which candidate, of how many.  */
  size_t first;			/* The one that was taken before others were tried.  */
  bool tried;			/* Others were.  */
  bool settled;			/* None of them is better.  */
};

/* If a choice turns out to be wrong later on, all is walked over again with another one, as
   long as these are not more walks, and not more steps.  */
#define WALKS_MOST 100
#define WALKED_MOST (UINT64_C (1) << 25)

/* One walk over levels.  What is asleep waits; those of them that may be what runs are
   candidates, and one of these is chosen: its levels are open in the walk.  Returns out of
   functions that it had been in when it went to sleep confirm or refute it.  */
struct tb_task_finder
{
  struct tb_tasks *found;
  struct choice *choices;
  size_t nchoices, choices_room;
  size_t offered, ordinal;	/* Of this slice: how many candidates there were at
				   first, which one was taken.  */
  /* The choice that is being tried again, from 1 on, until the walk has come past
     what refuted it; 0: none.  */
  size_t trial;
  uint64_t refuted;
  unsigned walks_left;
  bool again;
  size_t ncandidates;		/* 0: nothing is open.  */
  size_t base;			/* So many levels of the chosen one are still open.  */
  size_t left;			/* So many it has left since.  */
  bool switched;		/* Some task has gone on elsewhere.  */
  struct tb_task_proof proof;
};

static bool
add_slice (struct tb_level_walk *w, uint64_t step, unsigned task, uint64_t begin)
{
  struct tb_tasks *t = w->finder->found;
  bool ok = TB_GROW (t->slices, t->slices_room, t->nslices, 1);
  if (ok)
    t->slices[t->nslices++] = (struct tb_task_slice) { .step = step, .task = task,
						       .begin = begin,
						       .suspended = UINT64_MAX,
						       .handed = UINT64_MAX };
  ok = ok && tb_task_proof_add (&w->finder->proof) != NULL;
  w->stopped |= !ok;
  return ok;
}

static struct tb_task_slice *
last_slice (struct tb_level_walk *w)
{
  struct tb_tasks *t = w->finder->found;
  return &t->slices[t->nslices - 1];
}

/* A task that was not seen before runs.  */
static void
run_new (struct tb_level_walk *w)
{
  struct tb_tasks *t = w->finder->found;
  bool ok = TB_GROW (t->tasks, t->room, t->count, 1);
  w->stopped |= !ok;
  if (!ok)
    return;
  t->tasks[t->count] = (struct tb_task) { .number = (unsigned) t->count + 1,
					  .unsure = UINT64_MAX, .guessed = UINT64_MAX };
  w->sleepers->running = t->tasks[t->count++].number;
}

/* The task that runs has COUNT levels: the outermost tells what to call it.  */
static void
learn_name (struct tb_level_walk *w, size_t count)
{
  unsigned running = w->sleepers->running;
  if (running != 0 && count > 0 && level (w, 0)->kind != TB_LEVEL_EXCEPTION
      && level (w, 0)->function != NULL)
    w->finder->found->tasks[running - 1].function = level (w, 0)->function;
}

/* The choice that was made for the slice that begins before STEP.  */
static struct choice *
find_choice (struct tb_task_finder *f, uint64_t step)
{
  for (size_t i = f->nchoices; i-- > 0;)
    if (f->choices[i].step == step)
      return &f->choices[i];
  return NULL;
}

/* Nothing more will be learned of which one runs.  */
static void
settle_candidates (struct tb_level_walk *w)
{
  struct tb_sleepers *s = w->sleepers;
  struct tb_task_finder *f = w->finder;
  if (f->ncandidates > 1)
    {
      struct tb_task_slice *slice = last_slice (w);
      slice->open = true;
      for (size_t i = 0; i < s->count; i++)
	if (s->items[i].candidate)
	  f->found->tasks[s->items[i].task - 1].unsure = slice->step;
      if (find_choice (f, slice->step) == NULL
	  && TB_GROW (f->choices, f->choices_room, f->nchoices, 1))
	{
	  f->choices[f->nchoices++]
	    = (struct choice) { .step = slice->step, .chosen = f->ordinal,
			      .count = f->offered };
	}
    }
  for (size_t i = s->count; i-- > 0;)
    {
      s->items[i].candidate = false;
      if (s->items[i].chosen)
	tb_levels_forget (w, i);
    }
  w->finder->ncandidates = 0;
}

/* Run sleeper number AT, or none of those, at ADDRESS before STEP, which has left as many
   functions as the one before.  */
static void
choose (struct tb_level_walk *w, size_t at, uint64_t step, uint64_t address)
{
  struct tb_sleepers *s = w->sleepers;
  struct tb_task_finder *f = w->finder;
  for (size_t i = 0; i < s->count; i++)
    s->items[i].chosen = false;
  tb_levels_close (w, 0, step, TB_LEVEL_SUSPENDED);
  if (at < s->count)
    {
      struct tb_sleeper *chosen = &s->items[at];
      size_t count = chosen->count > f->left ? chosen->count - f->left : 0;
      tb_task_proof_wake (&f->proof, chosen, count, address);
      chosen->chosen = true;
      s->running = chosen->task;
      tb_levels_wake (w, chosen, count, step);
    }
  else
    {
      tb_task_proof_wake (&f->proof, NULL, 0, address);
      run_new (w);
    }
  f->base = w->open.count;
  last_slice (w)->task = s->running;
}

/* Farther back than so many open slices no wrong choice is looked for.  */
#define CHOICES_MOST 16

/* The last choice that may be made otherwise: of the task that runs, and the first time
   (OWN), or any.  */
static struct choice *
last_choice (const struct tb_level_walk *w, bool own)
{
  const struct tb_tasks *t = w->finder->found;
  size_t seen = 0;
  for (size_t i = t->nslices; i-- > 0 && seen < CHOICES_MOST;)
    if (t->slices[i].open)
      {
	struct choice *choice = find_choice (w->finder, t->slices[i].step);
	seen += choice != NULL;
	if (choice != NULL && !choice->settled
	    && (!own || (t->slices[i].task == w->sleepers->running
			 && !choice->tried)))
	  return choice;
      }
  return NULL;
}

/* The task that runs does what it cannot do.  Was it another one that went on where several
   might have?  True: all is to be walked over again.  */
static bool
choose_again (struct tb_level_walk *w)
{
  struct tb_task_finder *f = w->finder;
  struct choice *choice = NULL;
  if (f->walks_left == 0)
    return false;
  if (f->trial != 0)
    choice = &f->choices[f->trial - 1];
  /* Before that choice all is as it was in the walk before, and was borne there.  */
  if (choice != NULL && w->last_step < choice->step)
    return false;
  if (choice == NULL || choice->settled || w->last_step > f->refuted)
    {
      choice = last_choice (w, true);
      if (choice == NULL)
	choice = last_choice (w, false);
      if (choice == NULL)
	return false;
      choice->first = choice->chosen;
      choice->tried = true;
      f->trial = (size_t) (choice - f->choices) + 1;
      f->refuted = w->last_step;
    }
  choice->chosen = (choice->chosen + 1) % choice->count;
  choice->settled = choice->chosen == choice->first;
  f->walks_left--;
  w->stopped = f->again = true;
  return true;
}

/* May the task that exception level NUMBER ENTRY - 1 interrupted go on at ADDRESS?  */
static bool
goes_on (const struct tb_level_walk *w, size_t entry, uint64_t address)
{
  const struct tb_level *exception = level (w, entry - 1);
  uint64_t back = w->open.open[entry - 1].back;
  /* Handlers of faults may go on wherever they like.  */
  return back == TB_BACK_NONE || address - back <= TB_BACK_OVER
	 || (exception->number >= 2 && exception->number <= 7);
}

/* Mark those that wait where execution goes on at ADDRESS: the number of the one that has
   waited longest; the number of sleepers: none does.  */
static size_t
find_candidates (struct tb_level_walk *w, uint64_t address)
{
  struct tb_sleepers *s = w->sleepers;
  size_t first = s->count;
  for (unsigned exact = 2; exact-- > 0 && first == s->count;)
    for (size_t i = s->count; i-- > 0;)
      {
	struct tb_sleeper *item = &s->items[i];
	if (item->pc != TB_BACK_NONE
	    && (exact ? item->pc == address
		: !item->told && address - item->pc <= TB_BACK_OVER))
	  {
	    item->candidate = true;
	    w->finder->ncandidates++;
	    first = i;
	  }
      }
  return first;
}

/* What LEFT says is left before STEP, by level number ENTRY - 1, an exception or (CALL) a function;
   ENTRY 0: by an exception before the recording.  Sleeper number FIRST, if any are candidates,
   or another one goes on at ADDRESS.  False: no memory.  */
static bool
hand_over (struct tb_level_walk *w, size_t entry, const struct tb_swap *left, bool call,
	   const struct waiting *waiting, size_t first, uint64_t step, uint64_t address)
{
  struct tb_sleepers *s = w->sleepers;
  struct tb_task_finder *f = w->finder;
  size_t current = SIZE_MAX;
  struct tb_sleeper *old = entry != 0 && left->known ? tb_levels_sleep (w, left->levels) : NULL;
  if (old != NULL)
    {
      old->pc = left->pc;
      old->told = call || w->open.open[entry - 1].told;
      old->waits = waiting != NULL;
      if (waiting != NULL)
	old->waiting = *waiting;
      old->candidate = left->same;
      f->ncandidates += left->same;
      w->stopped |= !tb_task_proof_suspend (&f->proof, w, entry, f->base, old);
      current = s->count - 1;
    }
  if (old != NULL || call)
    {
      last_slice (w)->suspended = left->step;
      last_slice (w)->address = left->pc;
      last_slice (w)->by_call = call;
      if (!call)
	last_slice (w)->handed = level (w, entry - 1)->handed;
    }
  if (!add_slice (w, step, 0, address))
    return false;
  last_slice (w)->from_call = call;
  last_slice (w)->open = !left->known && call;
  f->left = 0;
  const struct choice *before = find_choice (f, step);
  f->offered = f->ncandidates;
  f->ordinal = before != NULL && before->chosen < f->offered ? before->chosen : 0;
  /* Exceptions return to what they interrupted rather than to another task; functions that
     switch do not.  */
  size_t others = f->ncandidates - (left->same && old != NULL);
  size_t at = left->same && old != NULL && (!call || others == 0) ? current
	      : f->ncandidates > 0 ? first : s->count;
  if (f->ordinal > 0)
    {
      size_t skip = f->ordinal;
      for (size_t i = 0; i < s->count && skip > 0; i++)
	if (s->items[i].candidate && i != at && --skip == 0)
	  {
	    at = i;
	    break;
	  }
    }
  choose (w, at, step, address);
  return true;
}

void
tb_finder_swap (struct tb_level_walk *w, const struct tb_swap *swap, uint64_t step,
		uint64_t address)
{
  settle_candidates (w);
  size_t first = find_candidates (w, address);
  if (swap->known)
    learn_name (w, swap->levels);
  /* Where nobody is known to wait, what leaves several functions at once looks the same.  */
  w->finder->switched |= swap->known && (w->finder->ncandidates > 0 || !swap->same);
  hand_over (w, w->open.count, swap, true, NULL, first, step, address);
}

bool
tb_finder_switch (struct tb_level_walk *w, size_t entry, uint64_t step,
		  uint64_t address, const struct waiting *waiting)
{
  struct tb_sleepers *s = w->sleepers;
  struct tb_task_finder *f = w->finder;
  bool same = entry != 0 && goes_on (w, entry, address), waits_there = false;
  for (size_t i = 0; i < s->count && !waits_there; i++)
    waits_there = !s->items[i].chosen && s->items[i].pc != TB_BACK_NONE
		  && address - s->items[i].pc <= TB_BACK_OVER;
  /* What is not for software to ask for goes on where it was, unless somebody is known
     to wait right there.  */
  bool asked = entry != 0 && level (w, entry - 1)->asked;
  if (same && !waits_there && !asked)
    return false;
  settle_candidates (w);
  size_t first = find_candidates (w, address);
  if (same && f->ncandidates == 0 && !asked)
    return false;
  if (entry != 0)
    learn_name (w, entry - 1);
  else
    /* What ran since the gap, or the start, was a handler.  */
    last_slice (w)->task = s->running = 0;
  struct tb_swap left = { .known = true, .same = same };
  if (entry != 0)
    {
      left.levels = entry - 1;
      left.pc = w->open.open[entry - 1].back;
      left.step = level (w, entry - 1)->step;
    }
  if (!hand_over (w, entry, &left, false, waiting, first, step, address))
    return true;
  f->switched |= !same && entry != 0;
  for (size_t i = 0; i < s->count; i++)
    if (s->items[i].chosen && s->items[i].waits)
      {
	const struct waiting branch = s->items[i].waiting;
	tb_levels_waited (w, &branch, step, address);
	break;
      }
  return true;
}

/* Would sleeper NUMBER return to ADDRESS now?  */
static enum tb_same
would_return (const struct tb_level_walk *w, const struct tb_sleeper *item,
	      uint64_t address)
{
  size_t left = w->finder->left;
  uint64_t back = item->count > left ? item->open[item->count - 1 - left].back
		  : TB_BACK_NONE;
  return back == TB_BACK_NONE ? TB_SAME_UNSURE
	 : back == address ? TB_SAME : TB_SAME_NOT;
}

/* ITEM was to go on, but what does returns from a call to elsewhere.  */
static void
refuse (struct tb_level_walk *w, struct tb_sleeper *item)
{
  struct tb_task_finder *f = w->finder;
  item->candidate = false;
  f->ncandidates--;
  if (tb_task_proof_refuse (&f->proof, item, f->left))
    f->found->tasks[item->task - 1].guessed = last_slice (w)->step;
}

void
tb_finder_returns (struct tb_level_walk *w, uint64_t address)
{
  struct tb_sleepers *s = w->sleepers;
  struct tb_task_finder *f = w->finder;
  size_t count = w->open.count, best = s->count;
  enum tb_same chosen = TB_SAME_NOT;
  if (tb_open_exception (&w->open) != 0
      || (count > f->base
	  && (count > 1 || w->open.open[0].back != TB_BACK_NONE)))
    return;
  if (count <= 1)
    tb_task_proof_leave (&f->proof, s->running, w->last_step + 1, address);
  if (f->ncandidates == 0)
    return;
  /* Those that would go on elsewhere are none.  */
  for (size_t i = s->count; i-- > 0;)
    {
      struct tb_sleeper *item = &s->items[i];
      if (!item->candidate)
	continue;
      enum tb_same would = would_return (w, item, address);
      if (item->chosen)
	chosen = would;
      if (would == TB_SAME_NOT)
	refuse (w, item);
      else if (best == s->count || would == TB_SAME)
	best = i;
    }
  /* One that is known to is better than one that may.  */
  if (chosen == TB_SAME_NOT && best == s->count && choose_again (w))
    return;
  if (chosen == TB_SAME_NOT
      || (chosen == TB_SAME_UNSURE && best < s->count
	  && would_return (w, &s->items[best], address) == TB_SAME))
    {
      f->switched = true;
      choose (w, best, w->last_step + 1, address);
      chosen = best < s->count ? would_return (w, &s->items[best], address)
	       : TB_SAME_NOT;
    }
  if (chosen == TB_SAME && f->base == 2 && count == 2)
    tb_task_proof_match (&f->proof, address);
  if (f->ncandidates > 0)
    f->left++;
  f->base = f->base > 0 ? f->base - 1 : 0;
}

void
tb_finder_gap (struct tb_level_walk *w, uint64_t step)
{
  settle_candidates (w);
  learn_name (w, w->open.count);
  while (w->sleepers->count > 0)
    tb_levels_forget (w, w->sleepers->count - 1);
  run_new (w);
  if (w->finder->found->nslices > 0 && last_slice (w)->step == step)
    last_slice (w)->task = w->sleepers->running;
  else
    add_slice (w, step, w->sleepers->running, TB_BACK_NONE);
}

void
tb_finder_end (struct tb_level_walk *w)
{
  struct tb_task_finder *f = w->finder;
  settle_candidates (w);
  for (size_t i = w->open.count; i-- > 0 && f->found->nslices > 0;)
    if (w->open.open[i].exception)
      last_slice (w)->handed = level (w, i)->handed;
  w->stopped |= !tb_task_proof_suspend (&f->proof, w, 0, 0, NULL);
  learn_name (w, w->open.count);
}

bool
tb_tasks_find (struct tb_tasks *t, struct tb_recording *recording,
	       const struct tb_symbols *symbols, bool *switched)
{
  uint64_t walks = WALKED_MOST / (tb_recording_steps (recording) + 1);
  struct tb_task_finder f = {
    .found = t,
    .walks_left = walks < WALKS_MOST ? (unsigned) walks : WALKS_MOST
  };
  bool ok;
  do
    {
      f.again = f.switched = false;
      f.ncandidates = 0;
      t->count = t->nslices = 0;
      tb_task_proof_restart (&f.proof);
      ok = tb_levels_find_tasks (recording, symbols, &f);
    }
  while (f.again);
  ok = ok && tb_task_proof_judge (&f.proof, t);
  tb_task_proof_fini (&f.proof);
  free (f.choices);
  *switched = f.switched;
  return ok;
}
