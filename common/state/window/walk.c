/* Walk: from one step to the next.  See walk.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/fpccr.h"
#include "state/window/walk.h"
#include "state/window/walk-code.h"
#include "state/window/a64.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* May the names change before step I (of the window, or its end) by what does not follow
   from the instruction before?  */
static bool
has_changes (const struct tb_state *s, uint64_t i)
{
  return i == s->steps || s->info[i] & TB_INFO_EVENTS
	 || (s->a64 != NULL
	     && s->templates[s->info[i] & TB_INFO_TEMPLATE].space
		!= s->memory.space);
}

/* Go on to the next step, by CODE or, if that is NULL, anew; CHANGES: see
   has_changes.  */
static void
step (struct tb_state *s, const struct tb_walk_code *code, bool changes)
{
  struct tb_builder b = tb_builder_of (s, &s->names, true);
  if (code != NULL)
    tb_walk_name (&s->walk, code, &s->names);
  else
    tb_build_step (&b, s->cursor);
  s->cursor++;
  if (code == NULL || changes)
    tb_build_arrive (&b, s->cursor);
}

void
tb_walk_step (struct tb_state *s)
{
  step (s, tb_walk_code (s, s->cursor), has_changes (s, s->cursor + 1));
}

/* The slots whose names, or what makes them if they have none, are other ones than with
   the words BEFORE.  */
static uint64_t
differences (const struct tb_state *s, const tb_vid *before)
{
  const tb_vid *words = (const tb_vid *) &s->names;
  uint64_t slots = 0;
  for (size_t i = 0; i < TB_NAME_WORDS; i++)
    if (words[i] != before[i])
      slots |= tb_walk_slots (s, i);
  return slots;
}

/* The loads of a step that is run.  */
struct walk_run
{
  const struct tb_state *state;
  uint32_t access, end;		/* The next one, and that behind the last.  */
  bool failed;			/* A value is not known.  */
};

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct walk_run *run = context;
  const struct tb_state *s = run->state;
  struct tb_known k = { 0, 0, 0, 0 };
  (void) address;
  (void) size;
  if (run->access < run->end)
    k = tb_graph_known (&s->graph, s->memory.accesses[run->access++].value);
  run->failed |= !tb_known_all (k);
  return (uint32_t) k.bits;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct walk_run *run = context;
  (void) address;
  (void) size;
  (void) value;
  run->access++;
}

/* Compute what step I, which does CODE, writes, of what it reads.  False: that is not
   known, or not what the trace says.  */
static bool
compute (struct tb_state *s, const struct tb_walk_code *code, uint64_t i)
{
  struct tb_walk *w = &s->walk;
  uint32_t access = s->names.next_access;
  struct walk_run run = { s, access, access + code->accesses, false };
  struct tb_forward_memory memory = { load, store, &run };
  struct tb_forward_result result;
  bool taken = s->info[i] & TB_INFO_TAKEN;
  tb_forward_run (w->ops + code->op, w->slots.bits, &memory, &result);
  return !run.failed && !(result.conditional && result.taken != taken)
	 && !(code->skips && result.skipped == taken);
}

/* The next value's number at checkpoint NUMBER.  */
static tb_vid
next_value_at (const struct tb_state *s, size_t number)
{
  tb_vid next;
  memcpy (&next, s->checkpoints + number * s->checkpoint_size
	  + offsetof (struct tb_names, next_value), sizeof next);
  return next;
}

/* Go on to the next step by naming anew; returns the slots whose names may be others
   then.  */
static uint64_t
go_on_anew (struct tb_state *s, bool changes)
{
  tb_vid before[TB_NAME_WORDS];
  uint64_t changed;
  bool bounded = !changes && tb_walk_bounds (s, s->cursor, &changed);
  if (!bounded)
    memcpy (before, &s->names, sizeof before);
  step (s, NULL, changes);
  return bounded ? changed : differences (s, before);
}

/* Go on to the next step, which nothing else changes, by CODE; returns the slots whose
   names are others then.  */
static uint64_t
go_on (struct tb_state *s, const struct tb_walk_code *code)
{
  tb_walk_name (&s->walk, code, &s->names);
  s->cursor++;
  assert (s->cursor % TB_CHECKPOINT_STEPS != 0
	  || next_value_at (s, s->cursor / TB_CHECKPOINT_STEPS)
	     == s->names.next_value);
  return code->writes;
}

/* What is known before the next step.  */
static void
advance (struct tb_state *s)
{
  struct tb_walk *w = &s->walk;
  bool changes = has_changes (s, s->cursor + 1);
  const struct tb_walk_code *code
    = changes ? NULL : tb_walk_code (s, s->cursor);
  if (s->a64 != NULL)
    {
      tb_a64_values (s, code != NULL ? go_on (s, code) : go_on_anew (s, changes),
		     w->values);
      return;
    }
  bool tried = code != NULL && code->computes && (code->reads & ~w->known) == 0;
  bool computed = tried && compute (s, code, s->cursor);
  uint32_t changed = (uint32_t) (code != NULL ? go_on (s, code)
				 : go_on_anew (s, changes));
  if (tried && !computed)
    changed |= code->may_write;
  w->known &= ~changed;
  if (!computed)
    w->known |= tb_slots_read (s, changed, &w->slots);
  else
    {
      for (uint32_t left = changed; left != 0; left &= left - 1)
	w->slots.mask[__builtin_ctz (left)] = UINT32_MAX;
      w->known |= changed;
    }
  tb_slots_values (s, &w->slots, changed, w->values);
}

const struct tb_value *
tb_walk_registers (struct tb_state *s, uint64_t i)
{
  struct tb_walk *w = &s->walk;
  if (w->valid && w->at == i)
    return w->values;
  if (w->valid && w->at + 1 == i && s->cursor_valid && s->cursor == w->at)
    advance (s);
  else
    {
      tb_state_seek (s, i);
      memset (w->values, 0, sizeof w->values);
      if (s->a64 != NULL)
	tb_a64_values (s, UINT64_MAX, w->values);
      else
	{
	  w->known = tb_slots_read (s, TB_SLOTS_ALL, &w->slots);
	  tb_slots_values (s, &w->slots, TB_SLOTS_ALL, w->values);
	}
    }
  w->valid = true;
  w->at = i;
  return w->values;
}

void
tb_walk_after (struct tb_state *s, uint64_t i, struct tb_value *values)
{
  memcpy (values, tb_walk_registers (s, i), sizeof s->walk.values);
  struct tb_slots slots = s->walk.slots;
  tb_state_seek (s, i);
  const struct tb_walk_code *code = tb_walk_code (s, i);
  struct tb_names before = s->names;
  struct tb_builder b = tb_builder_of (s, &s->names, true);
  if (code != NULL)
    tb_walk_name (&s->walk, code, &s->names);
  else
    tb_build_step (&b, i);
  bool unknown = s->names.returning && !tb_a64_follow_return (&b, i + 1);
  uint64_t changed = code != NULL ? code->writes
		     : differences (s, (const tb_vid *) &before);
  if (s->a64 != NULL)
    tb_a64_values (s, changed, values);
  else
    {
      tb_slots_read (s, (uint32_t) changed, &slots);
      tb_slots_values (s, &slots, (uint32_t) changed, values);
    }
  if (unknown)
    values[TB_SP64] = values[TB_PSTATE] = (struct tb_value) { 0 };
  s->names = before;
  if (unknown && tb_a64_keeps_sp (s, i + 1))
    values[TB_SP64] = tb_walk_registers (s, i + 1)[TB_SP64];
}

/* Access ID.  */
static struct tb_walk_access
access_of (const struct tb_state *s, uint32_t id)
{
  const struct tb_mem_access *a = &s->memory.accesses[id];
  return (struct tb_walk_access) { a->address, a->value, tb_access_size (a),
				   a->kind };
}

/* What micro-operation U of A64 accesses, of which nothing is followed.  */
static struct tb_walk_access
access_by (const struct tb_uop *u)
{
  return (struct tb_walk_access) {
    .size = (uint32_t) u->imm,
    .kind = tb_op_is (u->op, TB_LOADS) ? TB_MEM_LOAD
	    : u->when != TB_ALWAYS ? TB_MEM_MAYBE : TB_MEM_STORE
  };
}

size_t
tb_walk_accesses (struct tb_state *s, uint64_t i,
		  struct tb_walk_access *accesses, size_t room)
{
  uint32_t end, id = tb_owners_first (&s->owners, i, &end);
  size_t count = 0;
  if (s->a64 == NULL)
    {
      for (; id < end && count < room; id++)
	if (!tb_fpccr_asks (&s->memory, id))
	  accesses[count++] = access_of (s, id);
      return count;
    }
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  for (unsigned k = 0; k < t->count && count < room; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (!tb_op_is (u->op, TB_LOADS | TB_STORES))
	continue;
      /* There is none in another space, nor of a load that may not have been done.  */
      bool is_there = id < end && (s->memory.accesses[id].kind == TB_MEM_LOAD)
				  == tb_op_is (u->op, TB_LOADS);
      accesses[count++] = is_there ? access_of (s, id++) : access_by (u);
    }
  return count;
}
