/* Histories.  See history.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/history-internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that is read, of a struct tb_history_read.  */
static void
note (void *data, uint64_t address, uint64_t length)
{
  struct tb_history_read *r = data;
  for (size_t i = 0; i < r->count; i++)
    if (r->ranges[i].address == address && r->ranges[i].length == length)
      return;
  r->too_many |= r->count == TB_HISTORY_RANGES;
  if (length != 0 && r->count < TB_HISTORY_RANGES)
    r->ranges[r->count++] = (struct tb_watch_range) {
      .address = address, .length = length, .stores = true
    };
}

void
tb_history_expression_fini (struct tb_history_expression *e)
{
  tb_expression_fini (&e->value);
  tb_action_list_fini (&e->reads);
  tb_history_local_free (e->local);
  e->local = NULL;
}

static bool
refuse (struct tb_history_expression *e, struct tb_expression_error *error,
	const char *text)
{
  error->offset = 0;
  snprintf (error->text, sizeof error->text, "%s", text);
  tb_history_expression_fini (e);
  return false;
}

bool
tb_history_has_value (const struct tb_type *type, struct tb_expression_error *error)
{
  error->offset = 0;
  switch ((enum tb_type_kind) type->kind)
    {
    case TB_TYPE_INTEGER: case TB_TYPE_CHAR: case TB_TYPE_BOOL: case TB_TYPE_ENUM:
    case TB_TYPE_POINTER: case TB_TYPE_REFERENCE:
      return true;
    case TB_TYPE_FLOAT:
      if (type->size == 4 || type->size == 8)
	return true;
      snprintf (error->text, sizeof error->text, "expected floating point of 4 or 8 bytes, "
		"found %" PRIu64, type->size);
      return false;
    default:
      snprintf (error->text, sizeof error->text,
		"expected a number or a pointer, a member or an element");
      return false;
    }
}

/* Compile TEXT, which needs no PC.  */
static bool
compile_global (struct tb_history_expression *e, const char *text,
		const struct tb_expression_scope *scope, struct tb_expression_error *error)
{
  size_t length = strlen (text);
  struct tb_expression_error no_place;
  bool memory = false;
  if (!tb_expression_compile (text, length, scope, &e->value, &e->type, error))
    return false;
  if (!tb_history_has_value (e->type, error))
    {
      tb_expression_fini (&e->value);
      return false;
    }
  if (!tb_expression_collect (text, length, scope, &e->reads, error))
    {
      tb_expression_fini (&e->value);
      return false;
    }
  e->registers = tb_agent_reads_registers (e->value.code, e->value.length);
  for (size_t i = 0; i < e->reads.count; i++)
    {
      const struct tb_action *a = &e->reads.items[i];
      memory |= a->kind == TB_ACTION_MEMORY
		|| (a->kind == TB_ACTION_EXPRESSION
		    && tb_agent_reads (a->expression.code, a->expression.length));
      memory |= a->kind == TB_ACTION_EXPRESSION
		&& tb_agent_reads (e->value.code, e->value.length);
    }
  /* The value of an array is where it is.  */
  if (memory && !e->registers && !tb_agent_reads (e->value.code, e->value.length))
    return refuse (e, error, "expected a number or a pointer, found an array; name an element");
  if (!memory && !e->registers)
    return refuse (e, error, "nothing that could change is read");
  e->is_place = tb_expression_place (text, length, scope, &e->address, &e->size,
				     &no_place);
  return true;
}

bool
tb_history_compile (struct tb_history_expression *e, const char *text,
		    const struct tb_expression_scope *scope,
		    const struct tb_symbols *symbols, struct tb_expression_error *error)
{
  struct tb_expression_scope global = *scope;
  *e = (struct tb_history_expression) { .type = NULL };
  global.float_bits = true;
  struct tb_expression_traits traits = { .index = 0 };
  global.traits = &traits;
  /* What a PC means is the function there, if the text has a variable of it: never one of
     that name elsewhere.  */
  enum tb_history_compiled compiled
    = scope->no_pc ? TB_HISTORY_NOT_LOCAL
		   : tb_history_compile_here (e, text, &global, symbols, error);
  e->traits = traits;
  if (compiled != TB_HISTORY_NOT_LOCAL)
    return compiled == TB_HISTORY_COMPILED;
  /* Of static variables of one name that of the unit at the PC is meant; but where a
     function is named, the frame there is not its own.  */
  global.no_pc |= strstr (text, "::") != NULL;
  bool ok = compile_global (e, text, &global, error);
  if (!ok)
    {
      global.no_pc = true;
      ok = tb_history_compile_local (e, text, &global, symbols, error) == TB_HISTORY_COMPILED;
    }
  e->traits = traits;
  return ok;
}

void
tb_history_read_at (const struct tb_history_source *s, const struct tb_expression *value,
		    const struct tb_action_list *reads, uint64_t number,
		    struct tb_history_read *r)
{
  struct tb_scene scene;
  *r = (struct tb_history_read) { .count = 0 };
  tb_scene_init (&scene, s->stage, NULL, number);
  if (tb_scene_evaluate (&scene, value, &r->value) != TB_AGENT_DONE)
    r->value = (struct tb_value) { .origin = TB_UNKNOWN };
  if (reads == NULL)
    return;
  scene.collect = note;
  scene.collect_data = r;
  for (size_t i = 0; i < reads->count; i++)
    scene.left_out |= tb_scene_act (&scene, &reads->items[i]) != TB_AGENT_DONE;
  r->left_out = scene.left_out;
}

/* What E is at moment NUMBER.  */
static void
read_at (const struct tb_history_source *s, const struct tb_history_expression *e,
	 uint64_t number, struct tb_history_read *r)
{
  tb_history_read_at (s, &e->value, e->registers ? NULL : &e->reads, number, r);
}

void
tb_history_look_at_store (const struct tb_history_source *s,
			  const struct tb_history_expression *e,
			  const struct tb_history_read *r, struct tb_history_change *change)
{
  enum { MOST = 32 };
  struct tb_access_info accesses[MOST];
  size_t n = tb_state_accesses (s->state, change->step, accesses, MOST), certain = 0;
  size_t unsure = 0;
  for (size_t i = 0; i < n && i < MOST; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      bool hits = false;
      for (size_t k = 0; k < r->count; k++)
	hits |= a->store && a->address_known
		&& a->address < r->ranges[k].address + r->ranges[k].length
		&& r->ranges[k].address < a->address + a->length;
      if (!hits)
	continue;
      certain += !a->maybe;
      unsure += a->maybe;
      uint64_t wanted = tb_history_mask (e->type), size = e->type->size;
      if (e->is_place && !a->maybe && a->value_known && a->length == size
	  && a->address == e->address && e->size == size
	  && (change->after.mask & wanted) != wanted)
	{
	  change->after = tb_value_stated (a->value & wanted, wanted);
	  if (a->value_assumed || a->address_assumed)
	    tb_value_set_origin (&change->after, TB_ASSUMED);
	}
    }
  change->maybe = unsure > 0 && certain == 0;
}

/* Before every step.  */
static enum tb_search
walk_steps (const struct tb_history_source *s, const struct tb_history_expression *e,
	    uint64_t from, uint64_t end, struct tb_history_read *before,
	    bool (*take) (void *context, const struct tb_history_change *change),
	    void *context)
{
  uint64_t mask = tb_history_mask (e->type);
  for (uint64_t step = from; step < end; step++)
    {
      struct tb_history_read after;
      if (s->reached != NULL)
	*s->reached = step;
      if (step % TB_HISTORY_PATIENCE == 0 && s->go_on != NULL && !s->go_on (s->context))
	return TB_SEARCH_STOPPED;
      read_at (s, e, step + 1, &after);
      const struct tb_history_change change = {
	.step = step, .before = before->value, .after = after.value
      };
      if (!tb_history_same (&before->value, &after.value, mask) && !take (context, &change))
	return TB_SEARCH_STOPPED;
      *before = after;
    }
  return TB_SEARCH_NONE;
}

/* What came before step FROM, a store or a gap, may have changed E; NOW is what is read since.
   Where that is elsewhere than PIECES, and all of it is known, those become PIECES.  TAKE is told
   where the value is another one than *TOLD, or is known no more.  False: it has enough.  */
static bool
look_again (const struct tb_history_expression *e, struct tb_history_read *pieces,
	    const struct tb_history_read *now, uint64_t from, uint64_t end,
	    struct tb_value *told,
	    bool (*take) (void *context, const struct tb_history_change *change),
	    void *context)
{
  if (!now->left_out)
    *pieces = *now;
  if (from >= end || tb_history_same (told, &now->value, tb_history_mask (e->type)))
    return true;
  *told = now->value;
  const struct tb_history_change change = {
    .step = from, .is_first = true, .after = now->value
  };
  return take (context, &change);
}

enum tb_search
tb_history_walk (const struct tb_history_source *s,
		 const struct tb_history_expression *e, uint64_t from, uint64_t end,
		 bool (*take) (void *context, const struct tb_history_change *change),
		 void *context, struct tb_history_missed *missed)
{
  struct tb_history_read before, after;
  struct tb_value told;
  *missed = (struct tb_history_missed) { 0 };
  if (e->local != NULL)
    return tb_history_walk_local (s, e, from, end, take, context, missed);
  read_at (s, e, from, &before);
  const struct tb_history_change first = {
    .step = from, .is_first = true, .after = before.value
  };
  if (!take (context, &first))
    return TB_SEARCH_STOPPED;
  if (e->registers)
    return walk_steps (s, e, from, end, &before, take, context);
  told = before.value;
  for (uint64_t looks = 0; from < end && before.count > 0; looks++)
    {
      struct tb_access_found found;
      missed->places |= before.too_many;
      if (s->reached != NULL)
	*s->reached = from;
      if (looks % TB_HISTORY_PATIENCE == 0 && s->go_on != NULL && !s->go_on (s->context))
	return TB_SEARCH_STOPPED;
      /* Where a store may be to that, what is read may be known no more, or from there on.  */
      for (size_t i = 0; i < before.count; i++)
	before.ranges[i].possible = true;
      tb_accesses_set_poll (s->accesses, s->go_on, s->context);
      enum tb_search result = tb_accesses_next (s->accesses, before.ranges, before.count,
						from, end, &found);
      tb_accesses_set_poll (s->accesses, NULL, NULL);
      missed->stores += found.unknown_stores;
      missed->steps += found.unknown_steps;
      missed->gaps += found.gaps;
      if (result != TB_SEARCH_FOUND)
	return result;
      from = found.step + 1;
      read_at (s, e, from, &after);
      if (found.possible)
	{
	  if (!look_again (e, &before, &after, from, end, &told, take, context))
	    return TB_SEARCH_STOPPED;
	  continue;
	}
      struct tb_history_change change = { .step = found.step };
      const struct tb_history_read pieces = before;
      read_at (s, e, found.step, &before);
      change.before = before.value;
      change.after = after.value;
      tb_history_look_at_store (s, e, before.left_out ? &pieces : &before, &change);
      /* What is computed may have stayed the same, and may be known from here on.  */
      uint64_t mask = tb_history_mask (e->type);
      bool stayed = !e->traits.is_object && !change.maybe
		    && tb_history_same (&change.before, &change.after, mask);
      if (stayed)
	change.is_first = true;
      if (!(stayed && tb_history_same (&told, &change.after, mask)) && !take (context, &change))
	return TB_SEARCH_STOPPED;
      told = change.after;
      before = after;
    }
  return TB_SEARCH_NONE;
}
