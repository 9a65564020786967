/* What experiments made.  See experiment.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/experiment.h"

#include <stdlib.h>

void
tb_experiment_fini (struct tb_experiment *e)
{
  tb_tracepoint_set_fini (&e->set);
  free (e->frames);
  free (e->values);
  *e = (struct tb_experiment) { 0 };
}

const struct tb_trace_frame *
tb_experiment_frame (const struct tb_experiment *e, size_t number)
{
  return &e->frames[number];
}

const struct tb_value *
tb_experiment_value (const struct tb_experiment *e,
		     const struct tb_trace_frame *frame,
		     const struct tb_trace_variable *v)
{
  size_t at = (size_t) (v - e->set.variables);
  return frame != NULL ? &e->values[frame->values * e->set.nvariables + at]
		       : &v->value;
}

size_t
tb_experiment_find_tracepoint (const struct tb_experiment *e, size_t from,
			       unsigned number)
{
  while (from < e->count
	 && e->set.items[e->frames[from].tracepoint].number != number)
    from++;
  return from;
}

size_t
tb_experiment_find_pc (const struct tb_experiment *e, size_t from,
		       uint64_t first, uint64_t last, bool outside)
{
  while (from < e->count
	 && (e->frames[from].pc >= first && e->frames[from].pc <= last)
	    == outside)
    from++;
  return from;
}

void
tb_experiment_collect (struct tb_experiment *e, const struct tb_stage *stage,
		       const struct tb_trace_frame *frame,
		       void (*collect) (void *data, uint64_t address,
					uint64_t length), void *data)
{
  const struct tb_tracepoint *t = &e->set.items[frame->tracepoint];
  struct tb_scene scene;
  tb_scene_init (&scene, stage, &e->set, frame->step);
  scene.values = e->values + frame->values * e->set.nvariables;
  scene.collect = collect;
  scene.collect_data = data;
  for (size_t i = 0; i < t->nactions; i++)
    if (t->actions[i].stepping == frame->stepping)
      tb_scene_act (&scene, &t->actions[i]);
}

uint64_t
tb_experiment_unknown (const struct tb_experiment *e,
		       const struct tb_tracepoint **first)
{
  uint64_t count = 0;
  *first = NULL;
  for (size_t i = 0; i < e->set.count; i++)
    {
      const struct tb_tracepoint *t = &e->set.items[i];
      if (t->unknown != 0
	  && (*first == NULL || t->first_unknown < (*first)->first_unknown))
	*first = t;
      count += t->unknown;
    }
  return count;
}
