/* Tracepoints and state variables.  See tracepoint.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/tracepoint.h"

#include <stdlib.h>
#include <string.h>

#include "frame/agent.h"
#include "frame/moment.h"

bool
tb_tracepoint_set_init (struct tb_tracepoint_set *set,
			const struct tb_profile *profile)
{
  size_t count;
  const struct tb_tsv_def *own = tb_moment_variables (profile, &count);
  *set = (struct tb_tracepoint_set) { 0 };
  set->variables = calloc (count, sizeof *set->variables);
  if (set->variables == NULL)
    return false;
  set->variable_capacity = count;
  for (size_t i = 0; i < count; i++)
    {
      char *name = strdup (own[i].name);
      if (name == NULL)
	{
	  tb_tracepoint_set_fini (set);
	  return false;
	}
      set->variables[set->nvariables++] = (struct tb_trace_variable) {
	.number = own[i].number, .name = name, .initial = own[i].initial,
	.own = own[i].number
      };
    }
  return true;
}

void
tb_expression_fini (struct tb_expression *expression)
{
  free (expression->code);
  *expression = (struct tb_expression) { NULL, 0 };
}

void
tb_tracepoint_set_fini (struct tb_tracepoint_set *set)
{
  for (size_t i = 0; i < set->count; i++)
    {
      struct tb_tracepoint *t = &set->items[i];
      tb_expression_fini (&t->condition);
      for (size_t j = 0; j < t->nactions; j++)
	tb_expression_fini (&t->actions[j].expression);
      for (size_t j = 0; j < t->nsources; j++)
	free (t->sources[j].text);
      free (t->actions);
      free (t->sources);
    }
  for (size_t i = 0; i < set->nvariables; i++)
    free (set->variables[i].name);
  free (set->items);
  free (set->variables);
  *set = (struct tb_tracepoint_set) { 0 };
}

struct tb_tracepoint *
tb_tracepoint_find (const struct tb_tracepoint_set *set, unsigned number,
		    uint64_t address)
{
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i].number == number && set->items[i].address == address)
      return &set->items[i];
  return NULL;
}

struct tb_trace_variable *
tb_trace_variable_find (const struct tb_tracepoint_set *set, unsigned number)
{
  for (size_t i = 0; i < set->nvariables; i++)
    if (set->variables[i].number == number)
      return &set->variables[i];
  return NULL;
}

struct tb_trace_variable *
tb_trace_variable_named (const struct tb_tracepoint_set *set,
			 const char *name)
{
  for (size_t i = 0; i < set->nvariables; i++)
    if (strcmp (set->variables[i].name, name) == 0)
      return &set->variables[i];
  return NULL;
}

bool
tb_tracepoint_sets (const struct tb_tracepoint *t)
{
  for (size_t i = 0; i < t->nactions; i++)
    if (t->actions[i].kind == TB_ACTION_EXPRESSION
	&& tb_agent_sets (t->actions[i].expression.code,
			  t->actions[i].expression.length))
      return true;
  return false;
}

bool
tb_tracepoint_reads (const struct tb_tracepoint *t)
{
  if (t->condition.code != NULL
      && tb_agent_reads (t->condition.code, t->condition.length))
    return true;
  for (size_t i = 0; i < t->nactions && tb_tracepoint_sets (t); i++)
    if (t->actions[i].kind == TB_ACTION_EXPRESSION
	&& tb_agent_reads (t->actions[i].expression.code,
			   t->actions[i].expression.length))
      return true;
  return false;
}
