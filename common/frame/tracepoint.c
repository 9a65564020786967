/* Tracepoints and state variables.  See tracepoint.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/tracepoint.h"

#include <stdlib.h>
#include <string.h>

#include "frame/agent.h"
#include "frame/moment.h"
#include "util/buffer.h"

bool
tb_tracepoint_set_init (struct tb_tracepoint_set *set)
{
  size_t count;
  const struct tb_tsv_def *own = tb_moment_variables (&count);
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
      free (t->moments);
      free (t->said);
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

struct tb_tracepoint *
tb_tracepoint_add (struct tb_tracepoint_set *set, unsigned number,
		   uint64_t address)
{
  bool ok = set->count < TB_TRACEPOINTS_MAX
	    && TB_GROW (set->items, set->capacity, set->count, 1);
  if (!ok)
    return NULL;
  struct tb_tracepoint *t = &set->items[set->count++];
  *t = (struct tb_tracepoint) { .number = number, .address = address,
				.enabled = true };
  return t;
}

bool
tb_tracepoint_add_action (struct tb_tracepoint_set *set,
			  struct tb_tracepoint *t,
			  const struct tb_action *action)
{
  size_t cost = sizeof *action + action->expression.length;
  bool ok = cost <= TB_TRACEPOINT_BYTES_MAX - set->bytes
	    && TB_GROW (t->actions, t->action_capacity, t->nactions, 1);
  if (!ok)
    return false;
  set->bytes += cost;
  t->actions[t->nactions++] = *action;
  return true;
}

bool
tb_tracepoint_add_source (struct tb_tracepoint_set *set,
			  struct tb_tracepoint *t, enum tb_source_kind kind,
			  const char *text, size_t length)
{
  size_t cost = length + sizeof (struct tb_source);
  bool ok = cost <= TB_TRACEPOINT_BYTES_MAX - set->bytes
	    && TB_GROW (t->sources, t->source_capacity, t->nsources, 1);
  char *copy = ok ? strndup (text, length) : NULL;
  if (copy == NULL)
    return false;
  set->bytes += cost;
  t->sources[t->nsources++] = (struct tb_source) { (uint8_t) kind, copy };
  return true;
}

bool
tb_source_needs_symbols (const struct tb_source *source)
{
  const char *at = source->text;
  at += strspn (at, " \t");
  /* All words but the first one of a command must be registers or variables of
     GDB's.  */
  if (source->kind == TB_SOURCE_COMMAND)
    at += strcspn (at, " \t");
  for (; *at != 0; at++)
    {
      size_t number = strspn (at, "0123456789abcdefxABCDEFX");
      if (*at >= '0' && *at <= '9')
	at += number - 1;
      else if (*at == '$')
	at += strspn (at + 1, "abcdefghijklmnopqrstuvwxyz"
		      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
      else if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')
	       || *at == '_')
	return true;
    }
  return false;
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
