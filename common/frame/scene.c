/* Scenes.  See scene.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/scene.h"

#define ABOVE_32 UINT64_C (0xffffffff00000000)

void
tb_scene_init (struct tb_scene *s, const struct tb_stage *stage,
	       struct tb_tracepoint_set *set, uint64_t number)
{
  s->stage = stage;
  s->number = number;
  s->has_moment = false;
  s->set = set;
  s->may_set = false;
  s->values = NULL;
  s->collect = NULL;
  s->collect_data = NULL;
  s->left_out = false;
}

static const struct tb_moment *
moment_of (struct tb_scene *s)
{
  if (!s->has_moment)
    tb_moment_find (s->stage->moments, s->number, &s->moment);
  s->has_moment = true;
  return &s->moment;
}

/* The value of the program's own variable NUMBER.  Most of them need no registers,
   which would have to be worked out.  */
static bool
own_variable (struct tb_scene *s, unsigned number, int64_t *value)
{
  struct tb_moments *moments = s->stage->moments;
  switch (number)
    {
    case TB_VAR_STEP: case TB_VAR_TIMESTAMP: case TB_VAR_CYCLES:
    case TB_VAR_CONTEXT: case TB_VAR_EL: case TB_VAR_TASK:
      if (!s->has_moment)
	s->moment.number = s->number;
      return tb_moment_variable (moments, &s->moment, number, value);
    default:
      return tb_moment_variable (moments, moment_of (s), number, value);
    }
}

static bool
read_register (void *data, unsigned number, struct tb_value *value)
{
  struct tb_scene *s = data;
  const struct tb_tdesc *tdesc = tb_moments_tdesc (s->stage->moments);
  const struct tb_tdesc_reg *reg = tb_tdesc_find (tdesc, number);
  size_t nregs, core = TB_NREGS_MAX;
  const struct tb_reg_info *regs = tb_regs (&tdesc->profile, &nregs);
  if (reg != NULL && reg->kind == TB_TDESC_CORE)
    core = reg->reg;
  else if (number >= TB_TDESC_BARE (0) && number < TB_TDESC_BARE (nregs))
    core = number - TB_TDESC_BARE (0);
  *value = (struct tb_value) { 0 };
  if (core < nregs)
    {
      *value = moment_of (s)->values[core];
      if (regs[core].bits == 32)
	value->mask |= ABOVE_32;
      value->bits &= value->mask & (regs[core].bits == 32
				    ? ~ABOVE_32 : UINT64_MAX);
      return true;
    }
  if (reg != NULL && reg->kind == TB_TDESC_VECTOR)
    {
      *value = tb_moment_vector_low (s->stage->moments, moment_of (s), reg);
      return true;
    }
  /* Others that are described are not followed in expressions.  */
  return reg != NULL || number == TB_TDESC_NOTHING;
}

static void
read_memory (void *data, uint64_t address, uint8_t *bytes, uint8_t *origins,
	     size_t length)
{
  struct tb_scene *s = data;
  const struct tb_moment *moment = moment_of (s);
  if (s->stage->memory != NULL)
    s->stage->memory (s->stage->data, moment, address, bytes, origins,
		      length);
  else
    tb_moment_memory (s->stage->moments, moment, address, bytes, origins,
		      length);
}

static bool
read_variable (void *data, unsigned number, struct tb_value *value)
{
  struct tb_scene *s = data;
  unsigned own = number;
  int64_t bits;
  if (number == TB_SCENE_SAID && s->said != NULL)
    {
      *value = (struct tb_value) { 0 };
      if (s->said->known)
	*value = tb_value_stated (s->said->value, UINT64_MAX);
      return true;
    }
  if (s->set != NULL)
    {
      const struct tb_trace_variable *v = tb_trace_variable_find (s->set,
								  number);
      if (v == NULL)
	return false;
      own = v->own;
      if (own == 0)
	{
	  *value = s->values != NULL ? s->values[v - s->set->variables]
				     : v->value;
	  return true;
	}
    }
  else if (own == 0 || own >= TB_VAR_COUNT)
    return false;
  *value = (struct tb_value) { 0 };
  if (own_variable (s, own, &bits))
    *value = tb_value_stated ((uint64_t) bits, UINT64_MAX);
  return true;
}

static bool
set_variable (void *data, unsigned number, const struct tb_value *value)
{
  struct tb_scene *s = data;
  struct tb_trace_variable *v = s->set != NULL
				? tb_trace_variable_find (s->set, number)
				: NULL;
  if (v == NULL || v->own != 0)
    return false;
  if (s->may_set)
    v->value = *value;
  return true;
}

static void
collect_memory (void *data, uint64_t address, uint64_t length)
{
  struct tb_scene *s = data;
  if (s->collect != NULL)
    s->collect (s->collect_data, address, length);
}

static void
leave_out (void *data)
{
  struct tb_scene *s = data;
  s->left_out = true;
}

enum tb_agent_status
tb_scene_evaluate (struct tb_scene *s, const struct tb_expression *expression,
		   struct tb_value *value)
{
  const struct tb_tdesc *tdesc = tb_moments_tdesc (s->stage->moments);
  const struct tb_agent_world world = {
    .data = s, .reg = read_register, .memory = read_memory,
    .get = read_variable, .set = set_variable, .collect = collect_memory,
    .leave_out = leave_out,
    .address_mask = tdesc->slots[tdesc->pc].size == 8 ? UINT64_MAX
							: UINT32_MAX
  };
  return tb_agent_run (expression->code, expression->length, &world, value);
}

enum tb_agent_status
tb_scene_act (struct tb_scene *s, const struct tb_action *action)
{
  struct tb_value value = tb_value_stated (0, UINT64_MAX);
  switch ((enum tb_action_kind) action->kind)
    {
    case TB_ACTION_EXPRESSION:
      return tb_scene_evaluate (s, &action->expression, &value);
    case TB_ACTION_MEMORY:
      if (action->base >= 0
	  && !read_register (s, (unsigned) action->base, &value))
	return TB_AGENT_NO_REGISTER;
      if (value.mask == UINT64_MAX)
	collect_memory (s, value.bits + action->offset, action->length);
      else
	leave_out (s);
      break;
    case TB_ACTION_REGISTERS:
      break;
    }
  return TB_AGENT_DONE;
}
