/* Running trace experiments over a recording.  See experiment.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   While no tracepoint is stepping the run goes from visit to visit; while one is,
   from step to step.  What GDB leaves open: the steps behind a hit end at a gap
   of the trace, since what ran there is not known; a tracepoint that is hit while
   it is stepping has one frame there, not two; the steps behind the hit that
   fulfils a pass count belong to the run.  */

#include "config.h"
#include "frame/experiment-internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/search.h"

/* The most values of variables that are kept, 24 bytes each.  */
#define VALUES_MAX ((size_t) 1 << 23)

/* How many moments are looked at between two looks at GO_ON.  */
#define POLL_EVERY 64

static void
finish (struct experiment_run *run, enum tb_experiment_end end, unsigned number)
{
  if (run->e->end != TB_EXPERIMENT_NOT_RUN)
    return;
  run->e->end = end;
  run->e->end_tracepoint = number;
}

static bool
has_ended (const struct experiment_run *run)
{
  return run->e->end != TB_EXPERIMENT_NOT_RUN;
}

/* Keep the values that the variables have now.  */
static bool
keep_values (struct experiment_run *run)
{
  struct tb_experiment *e = run->e;
  size_t each = e->set.nvariables;
  if (!run->values_changed)
    return true;
  bool ok = TB_GROW (e->values, e->value_capacity, e->nvalues * each, each);
  if (!ok)
    return false;
  for (size_t i = 0; i < each; i++)
    e->values[e->nvalues * each + i] = e->set.variables[i].value;
  e->nvalues++;
  run->values_changed = false;
  return true;
}

/* Take the first frame out of a circular buffer.  */
static void
drop_first (struct experiment_run *run)
{
  struct tb_experiment *e = run->e;
  const struct tb_trace_frame *f = &e->frames[e->gone++];
  e->dropped++;
  size_t cost = run->cost[f->stepping][f->tracepoint];
  e->usage -= cost;
  e->set.items[f->tracepoint].usage -= cost;
}

/* Is there room for a frame of COST bytes?  */
static bool
make_room (struct experiment_run *run, size_t cost)
{
  struct tb_experiment *e = run->e;
  if (e->nvalues * e->set.nvariables > VALUES_MAX)
    return false;
  while (e->count - e->gone >= TB_EXPERIMENT_FRAMES
	 || e->buffer_size - e->usage < cost)
    {
      if (!e->circular || e->gone == e->count)
	return false;
      drop_first (run);
    }
  /* Those that are gone are half: move the others.  */
  if (e->gone > 1024 && e->gone > e->count / 2)
    {
      e->count -= e->gone;
      memmove (e->frames, e->frames + e->gone, e->count * sizeof *e->frames);
      e->gone = 0;
    }
  return true;
}

static void
add_frame (struct experiment_run *run, size_t place, uint64_t step, uint64_t pc,
	   bool stepping)
{
  struct tb_experiment *e = run->e;
  struct tb_tracepoint *t = &e->set.items[place];
  size_t cost = run->cost[stepping][place];
  if (!make_room (run, cost))
    {
      finish (run, TB_EXPERIMENT_FULL, 0);
      return;
    }
  bool ok = keep_values (run)
	    && TB_GROW (e->frames, e->capacity, e->count, 1);
  if (!ok)
    {
      finish (run, TB_EXPERIMENT_NO_MEMORY, 0);
      return;
    }
  e->frames[e->count++] = (struct tb_trace_frame) {
    .step = step, .pc = pc, .tracepoint = (uint32_t) place,
    .values = (uint32_t) (e->nvalues - 1), .stepping = stepping
  };
  e->usage += cost;
  t->usage += cost;
}

static void
fail (struct experiment_run *run, const struct tb_tracepoint *t,
      enum tb_agent_status error)
{
  run->e->error = error;
  finish (run, TB_EXPERIMENT_FAILED, t->number);
}

/* It cannot be told whether T was hit before step STEP.  */
static void
note_undecided (struct tb_experiment *e, struct tb_tracepoint *t,
		uint64_t step)
{
  if (t->unknown++ == 0)
    t->first_unknown = step;
  if (e->nundecided < TB_UNDECIDED_MAX)
    e->undecided[e->nundecided++]
      = (struct tb_undecided) { step, (uint32_t) (t - e->set.items) };
}

/* Evaluate T's condition in SCENE: TB_MAYBE also after an error.  */
static enum tb_truth
evaluate_condition (struct experiment_run *run, struct tb_tracepoint *t,
		    struct tb_scene *scene)
{
  struct tb_value value;
  enum tb_agent_status status = tb_scene_evaluate (scene, &t->condition,
						   &value);
  if (status != TB_AGENT_DONE && status != TB_AGENT_UNKNOWN)
    {
      fail (run, t, status);
      return TB_MAYBE;
    }
  return status == TB_AGENT_DONE ? tb_agent_truth (&value) : TB_MAYBE;
}

/* The same of what is said at this moment, each thing for itself: is it true of one, or
   may it be?  Those of which it is are counted.  */
static enum tb_truth
evaluate_said (struct experiment_run *run, struct tb_tracepoint *t,
	       struct tb_scene *scene)
{
  enum tb_truth all = TB_FALSE;
  size_t at;
  TB_LOWER_BOUND (at, t->nmoments, t->moments[at] < scene->number);
  for (; at < t->nmoments && t->moments[at] == scene->number && !has_ended (run); at++)
    {
      scene->said = &t->said[at];
      enum tb_truth truth = t->condition.code == NULL ? TB_TRUE
			    : evaluate_condition (run, t, scene);
      t->things += truth == TB_TRUE;
      if (truth == TB_TRUE || all == TB_FALSE)
	all = truth;
    }
  scene->said = NULL;
  return all;
}

static enum tb_truth
test_condition (struct experiment_run *run, struct tb_tracepoint *t,
		struct tb_scene *scene)
{
  if (t->condition.code == NULL && t->said == NULL)
    return TB_TRUE;
  enum tb_truth truth = t->said != NULL ? evaluate_said (run, t, scene)
			: evaluate_condition (run, t, scene);
  if (truth == TB_MAYBE && !has_ended (run))
    note_undecided (run->e, t, scene->number);
  return truth;
}

/* Let the actions of tracepoint PLACE set variables.  */
static void
act (struct experiment_run *run, size_t place, struct tb_scene *scene, bool stepping)
{
  struct tb_tracepoint_set *set = &run->e->set;
  const struct tb_tracepoint *t = &set->items[place];
  if (!run->sets[place])
    return;
  for (size_t i = 0; i < t->nactions; i++)
    {
      const struct tb_action *a = &t->actions[i];
      if (a->stepping != stepping || a->kind != TB_ACTION_EXPRESSION)
	continue;
      enum tb_agent_status status = tb_scene_act (scene, a);
      run->values_changed = true;
      if (status == TB_AGENT_UNKNOWN)
	/* Whichever way it went: what it may have set is not known.  */
	for (size_t v = 0; v < set->nvariables; v++)
	  set->variables[v].value = (struct tb_value) { 0 };
      else if (status != TB_AGENT_DONE)
	{
	  fail (run, t, status);
	  return;
	}
    }
}

/* Tracepoint PLACE, whose address SCENE is at: was it hit?  */
static bool
hit (struct experiment_run *run, size_t place, struct tb_scene *scene, uint64_t pc)
{
  struct tb_tracepoint *t = &run->e->set.items[place];
  if (test_condition (run, t, scene) != TB_TRUE)
    return false;
  t->hits++;
  act (run, place, scene, false);
  if (!has_ended (run))
    add_frame (run, place, scene->number, pc, false);
  if (t->steps != 0)
    {
      run->nstepping += run->left[place] == 0;
      run->left[place] = t->steps;
    }
  if (t->pass != 0 && t->hits >= t->pass)
    {
      run->passed = true;
      run->e->end_tracepoint = t->number;
    }
  return true;
}

/* Tracepoint PLACE has steps to make: this is one.  */
static void
make_step (struct experiment_run *run, size_t place, struct tb_scene *scene, uint64_t pc)
{
  act (run, place, scene, true);
  if (!has_ended (run))
    add_frame (run, place, scene->number, pc, true);
}

/* The next moment of P, which is listed, from NUMBER on; UINT64_MAX: none.  */
static uint64_t
next_listed (const struct experiment_run *run, struct point *p, uint64_t number)
{
  const struct tb_tracepoint *t = &run->e->set.items[p->place];
  while (p->next < t->nmoments && t->moments[p->next] < number)
    p->next++;
  return p->next < t->nmoments ? t->moments[p->next] : UINT64_MAX;
}

/* Is P at moment NUMBER, which is at PC?  */
static bool
is_here (const struct experiment_run *run, struct point *p, uint64_t number, uint64_t pc)
{
  return p->listed ? next_listed (run, p, number) == number
		   : p->address == pc;
}

/* The points at PC.  */
static size_t
points_at (const struct experiment_run *run, uint64_t pc)
{
  size_t low;
  TB_LOWER_BOUND (low, run->nplaced, run->points[low].address < pc);
  return low;
}

/* One step less is left of tracepoint PLACE.  */
static void
count_down (struct experiment_run *run, size_t place)
{
  run->nstepping -= --run->left[place] == 0;
}

/* SCENE is where P is: a hit, or else a step of the one before.  */
static void
arrive (struct experiment_run *run, const struct point *p, struct tb_scene *scene,
	uint64_t pc)
{
  bool stepping = run->left[p->place] != 0;
  if (stepping)
    count_down (run, p->place);
  if (!hit (run, p->place, scene, pc) && stepping && !has_ended (run))
    make_step (run, p->place, scene, pc);
}

/* Look at moment NUMBER, at PC: steps of tracepoints elsewhere, then those that are
   here.  */
static void
look_at (struct experiment_run *run, uint64_t number, uint64_t pc)
{
  struct tb_scene scene;
  tb_scene_init (&scene, &run->in->stage, &run->e->set, number);
  scene.may_set = true;
  for (size_t i = 0; run->nstepping != 0 && i < run->npoints; i++)
    {
      struct point *p = &run->points[i];
      if (run->left[p->place] == 0 || has_ended (run)
	  || (!run->passed && is_here (run, p, number, pc)))
	continue;
      count_down (run, p->place);
      make_step (run, p->place, &scene, pc);
    }
  for (size_t i = points_at (run, pc);
       i < run->nplaced && run->points[i].address == pc && !run->passed
       && !has_ended (run); i++)
    arrive (run, &run->points[i], &scene, pc);
  for (size_t i = run->nplaced;
       i < run->npoints && !run->passed && !has_ended (run); i++)
    if (next_listed (run, &run->points[i], number) == number)
      arrive (run, &run->points[i], &scene, pc);
}

/* Does a gap stand behind the last step?  */
static bool
ends_in_gap (struct experiment_run *run)
{
  struct tb_event events[16];
  size_t count = tb_recording_events (run->in->recording, run->steps,
				      run->steps, events, 16);
  for (size_t i = 0; i < count && i < 16; i++)
    if (events[i].kind == TB_EVENT_GAP)
      return true;
  return false;
}

/* What ran behind a gap is no step of what ran before.  */
static void
stop_stepping (struct experiment_run *run)
{
  memset (run->left, 0, run->e->set.count * sizeof *run->left);
  run->nstepping = 0;
}

/* Find the next moment from *AT on that has to be looked at.  */
static enum tb_search
find_next (struct experiment_run *run, uint64_t *at)
{
  uint64_t listed = UINT64_MAX;
  if (run->nstepping != 0)
    return TB_SEARCH_FOUND;
  if (run->passed)
    return TB_SEARCH_NONE;
  for (size_t i = run->nplaced; i < run->npoints; i++)
    {
      uint64_t next = next_listed (run, &run->points[i], *at);
      listed = next < listed ? next : listed;
    }
  uint64_t end = run->end < run->steps ? run->end : run->steps;
  if (listed < end)
    end = listed;
  const struct tb_visit_query query = { run->ranges, run->nranges, false };
  if (run->nranges != 0 && *at < end)
    {
      enum tb_search found = tb_visits_next (run->in->visits, &query, *at, end,
					     at);
      if (found != TB_SEARCH_NONE)
	return found;
    }
  *at = end;
  if (end == listed && end < run->end)
    return TB_SEARCH_FOUND;
  /* The moment behind the last step.  */
  return end == run->steps && end < run->end && run->nranges != 0
	 && run->in->end_known ? TB_SEARCH_FOUND : TB_SEARCH_NONE;
}

static bool
may_go_on (struct experiment_run *run)
{
  return run->polled++ % POLL_EVERY != 0 || run->in->go_on == NULL
	 || run->in->go_on (run->in->context);
}

static void
walk (struct experiment_run *run)
{
  struct tb_step step;
  for (uint64_t at = run->in->first; at < run->end; at++)
    {
      enum tb_search found = find_next (run, &at);
      if (found == TB_SEARCH_NO_MEMORY)
	finish (run, TB_EXPERIMENT_NO_MEMORY, 0);
      else if (found == TB_SEARCH_STOPPED || !may_go_on (run))
	finish (run, TB_EXPERIMENT_INTERRUPTED, 0);
      if (found != TB_SEARCH_FOUND || has_ended (run))
	return;
      if (at == run->steps)
	{
	  if (!run->in->end_known)
	    return;
	  if (run->nstepping != 0 && ends_in_gap (run))
	    stop_stepping (run);
	  look_at (run, at, run->in->end_pc);
	  return;
	}
      if (tb_recording_read (run->in->recording, at, &step, 1) != 1)
	{
	  finish (run, TB_EXPERIMENT_NO_MEMORY, 0);
	  return;
	}
      if (step.flags & TB_STEP_AFTER_GAP)
	stop_stepping (run);
      look_at (run, at, step.pc);
    }
}

/* Forget an earlier run.  */
static void
begin (struct tb_experiment *e)
{
  e->count = e->gone = e->nvalues = e->nundecided = 0;
  e->usage = e->dropped = 0;
  e->end = TB_EXPERIMENT_NOT_RUN;
  e->end_tracepoint = 0;
  e->error = TB_AGENT_DONE;
  for (size_t i = 0; i < e->set.count; i++)
    {
      struct tb_tracepoint *t = &e->set.items[i];
      t->hits = t->things = t->usage = t->unknown = t->first_unknown = 0;
    }
  for (size_t i = 0; i < e->set.nvariables; i++)
    {
      struct tb_trace_variable *v = &e->set.variables[i];
      v->value = tb_value_stated ((uint64_t) v->initial, UINT64_MAX);
    }
}

void
tb_experiment_run (struct tb_experiment *e,
		   const struct tb_experiment_input *in)
{
  struct experiment_run run = { .e = e, .in = in, .values_changed = true,
		     .steps = tb_recording_steps (in->recording) };
  run.end = in->end != 0 && in->end <= run.steps ? in->end : run.steps + 1;
  begin (e);
  if (tb_run_init (&run))
    walk (&run);
  else
    finish (&run, TB_EXPERIMENT_NO_MEMORY, 0);
  if (run.passed)
    finish (&run, TB_EXPERIMENT_PASSED, e->end_tracepoint);
  else
    finish (&run, TB_EXPERIMENT_DONE, 0);
  if (e->gone != 0)
    {
      e->count -= e->gone;
      memmove (e->frames, e->frames + e->gone, e->count * sizeof *e->frames);
      e->gone = 0;
    }
  tb_run_fini (&run);
}
