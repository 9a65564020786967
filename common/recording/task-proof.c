/* Proof that slices are of their tasks.  See task-proof.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/task-proof.h"

#include <stdlib.h>

#include "recording/task-code.h"
#include "util/column.h"
#include "util/fnv.h"

/* More slices in a row than this are not proved by the one behind them.  */
#define CHAIN_MOST 64

void
tb_task_proof_fini (struct tb_task_proof *proof)
{
  free (proof->notes);
  free (proof->outermost);
}

void
tb_task_proof_restart (struct tb_task_proof *proof)
{
  proof->count = proof->ntasks = 0;
  proof->arrived = UINT64_MAX;
}

struct tb_slice_note *
tb_task_proof_add (struct tb_task_proof *proof)
{
  bool ok = TB_GROW (proof->notes, proof->room, proof->count, 1);
  if (!ok)
    return NULL;
  proof->arrived = UINT64_MAX;
  proof->notes[proof->count] = (struct tb_slice_note) { .before = TB_NOTE_NONE,
							.base = UINT64_MAX };
  return &proof->notes[proof->count++];
}

static struct tb_slice_note *
last_note (struct tb_task_proof *proof)
{
  return &proof->notes[proof->count - 1];
}

/* A number made of where the calls return to that SLEEPER is in.  */
static uint64_t
callers_of (const struct tb_sleeper *sleeper)
{
  uint64_t made = TB_FNV_START;
  for (size_t i = 1; i < sleeper->count; i++)
    made = tb_fnv_u64 (made, sleeper->open[i].back);
  return made;
}

/* The slice that runs came behind a wait to SITE, in the outermost function, which begins with
   step BASE.  */
static void
arrive (struct tb_task_proof *proof, uint64_t base, uint64_t site)
{
  proof->arrived = base;
  proof->site = site;
}

void
tb_task_proof_wake (struct tb_task_proof *proof, const struct tb_sleeper *sleeper,
		    size_t count, uint64_t address)
{
  struct tb_slice_note *note = last_note (proof);
  note->before = TB_NOTE_NONE;
  if (sleeper == NULL)
    return;
  note->before = sleeper->slice;
  note->base = sleeper->count > 0 ? sleeper->levels[0].step : UINT64_MAX;
  note->callers = callers_of (sleeper);
  note->told = sleeper->told;
  note->chance = sleeper->chance;
  note->matched = false;
  if (count == 1)
    tb_task_proof_match (proof, address);
}

void
tb_task_proof_match (struct tb_task_proof *proof, uint64_t address)
{
  last_note (proof)->matched = true;
  arrive (proof, last_note (proof)->base, address);
}

void
tb_task_proof_leave (struct tb_task_proof *proof, unsigned task, uint64_t step,
		     uint64_t address)
{
  if (task != 0 && task <= proof->ntasks)
    proof->outermost[task - 1] = (struct tb_outermost) { .base = UINT64_MAX };
  arrive (proof, step, address);
}

/* The outermost function of TASK, which begins with step BASE.  NULL: no memory.  */
static struct tb_outermost *
find_outermost (struct tb_task_proof *proof, unsigned task, uint64_t base)
{
  size_t more = task > proof->ntasks ? task - proof->ntasks : 0;
  bool ok = TB_GROW (proof->outermost, proof->tasks_room, proof->ntasks, more);
  if (!ok)
    return NULL;
  while (proof->ntasks < task)
    proof->outermost[proof->ntasks++] = (struct tb_outermost) { .base = UINT64_MAX };
  struct tb_outermost *outermost = &proof->outermost[task - 1];
  /* What has been left is no task's own.  */
  if (outermost->base != base)
    *outermost = (struct tb_outermost) { .base = base };
  return outermost;
}

static bool
has_site (const struct tb_outermost *outermost, uint64_t site)
{
  for (unsigned i = 0; i < outermost->nsites; i++)
    if (outermost->sites[i] == site)
      return true;
  return false;
}

static bool
is_asked (unsigned exception)
{
  return exception == TB_SVCALL || exception == TB_PENDSV;
}

/* Does EXCEPTION come when a device or the timer wants it to?  */
static bool
is_interrupt (unsigned exception)
{
  return exception >= TB_SYSTICK && exception != TB_EXCEPTION_UNKNOWN;
}

/* Does level number AT of W ask for a switch?  */
static bool
asks (const struct tb_level_walk *w, size_t at)
{
  return !w->open.open[at].exception || is_asked (level (w, at)->first);
}

/* The task that runs in W, whose outermost level is open, is suspended (ENTRY 0: ends) at PC, in
   COUNT levels: look at OUTERMOST, its function.  */
static void
look (struct tb_task_proof *proof, struct tb_level_walk *w, size_t entry, uint64_t pc,
      size_t count, unsigned space, struct tb_outermost *outermost)
{
  uint64_t site = count > 1 ? w->open.open[1].back : pc;
  if (proof->arrived == outermost->base && !has_site (outermost, proof->site)
      && outermost->nsites < TB_SITES_MOST)
    outermost->sites[outermost->nsites++] = proof->site;
  if (site == TB_BACK_NONE || outermost->own)
    return;
  if (entry != 0 && asks (w, entry - 1))
    outermost->own = has_site (outermost, site);
  if (!outermost->looked)
    outermost->own |= tb_code_is_endless (w->recording, space, site);
  outermost->looked = true;
}

bool
tb_task_proof_suspend (struct tb_task_proof *proof, struct tb_level_walk *w, size_t entry,
		       size_t old, struct tb_sleeper *sleeper)
{
  unsigned space = w->last != NULL ? w->last->space : 0;
  size_t count = 0;
  while (count < w->open.count && !w->open.open[count].exception)
    count++;
  if (sleeper != NULL && sleeper->count < count)
    count = sleeper->count;
  if (count > 0 && w->sleepers->running != 0)
    {
      struct tb_outermost *outermost
	= find_outermost (proof, w->sleepers->running, level (w, 0)->step);
      if (outermost == NULL)
	return false;
      look (proof, w, entry, sleeper != NULL ? sleeper->pc : TB_BACK_NONE, count, space,
	    outermost);
    }
  if (sleeper == NULL)
    return true;
  const struct tb_slice_note *note = last_note (proof);
  sleeper->slice = proof->count - 1;
  sleeper->unproved = note->before == TB_NOTE_NONE || note->matched ? 0
		      : old < count ? old : count;
  sleeper->chance = is_interrupt (level (w, entry - 1)->first)
		    && sleeper->pc != TB_BACK_NONE
		    && !tb_code_is_waiting (w->recording, space, sleeper->pc);
  return true;
}

bool
tb_task_proof_refuse (struct tb_task_proof *proof, const struct tb_sleeper *sleeper,
		      size_t left)
{
  bool old = sleeper->count > left && sleeper->count - left <= sleeper->unproved;
  if (old)
    proof->notes[sleeper->slice].refuted = true;
  return old;
}

/* Is the outermost function of TASK that begins with step BASE its own?  */
static bool
is_own (const struct tb_task_proof *proof, unsigned task, uint64_t base)
{
  return task != 0 && task <= proof->ntasks && base != UINT64_MAX
	 && proof->outermost[task - 1].base == base && proof->outermost[task - 1].own;
}

/* Does slice LATER go on where slice EARLY did, in the same calls?  */
static bool
same_place (const struct tb_task_proof *proof, const struct tb_task_slice *slices, size_t early,
	    size_t later)
{
  uint64_t a = slices[early].begin, b = slices[later].begin;
  return proof->notes[early].callers == proof->notes[later].callers
	 && (proof->notes[early].told ? a == b
	     : a - b <= TB_BACK_OVER || b - a <= TB_BACK_OVER);
}

/* Slice LAST, of SLICES, is sure to have the callers of its task: mark it PROVED, and those before
   that only it proves.  */
static void
prove (const struct tb_task_proof *proof, const struct tb_task_slice *slices, size_t last,
       bool *proved)
{
  size_t chain[CHAIN_MOST], n = 0;
  for (size_t at = last; n < CHAIN_MOST; at = proof->notes[at].before)
    {
      const struct tb_slice_note *note = &proof->notes[at];
      if (note->before == TB_NOTE_NONE || note->base != proof->notes[last].base
	  || (at != last && note->matched))
	break;
      chain[n++] = at;
    }
  /* From slice I of the chain to the last that goes on at the same place.  */
  size_t sure = n;
  for (size_t i = n; i-- > 0;)
    {
      for (size_t later = 0; later < i && later < sure; later++)
	if (same_place (proof, slices, chain[i], chain[later]))
	  sure = later;
      proved[chain[i]] = i < sure;
    }
}

/* What went on behind slice LAST was not its task: nothing proves that it was, nor that those
   before were that nothing else proves.  */
static void
refute (const struct tb_task_proof *proof, size_t last, const bool *proved,
	struct tb_task_slice *slices)
{
  for (size_t at = last; at != TB_NOTE_NONE && !proved[at]; at = proof->notes[at].before)
    if (proof->notes[at].before != TB_NOTE_NONE)
      slices[at].guessed = true;
}

bool
tb_task_proof_judge (const struct tb_task_proof *proof, struct tb_tasks *tasks)
{
  size_t n = proof->count < tasks->nslices ? proof->count : tasks->nslices;
  struct tb_task_slice *slices = tasks->slices;
  bool *proved = calloc (n + 1, sizeof *proved);
  if (proved == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    if (proof->notes[i].matched
	&& is_own (proof, slices[i].task, proof->notes[i].base))
      prove (proof, slices, i, proved);
  for (size_t i = 0; i < n; i++)
    slices[i].guessed = proof->notes[i].before != TB_NOTE_NONE && !proved[i]
			&& !proof->notes[i].chance;
  for (size_t i = 0; i < n; i++)
    if (proof->notes[i].refuted)
      refute (proof, i, proved, slices);
  for (size_t i = 0; i < n; i++)
    if (slices[i].guessed && slices[i].task != 0)
      {
	struct tb_task *task = &tasks->tasks[slices[i].task - 1];
	if (task->guessed == UINT64_MAX || task->guessed < slices[i].step)
	  task->guessed = slices[i].step;
      }
  free (proved);
  return true;
}
