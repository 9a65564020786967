/* What a log says of A64 code: what lies between its steps, and what is put to the
   values of a window.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Exceptions are told by name only, if at all: anything may have happened there.  The
   mode of each instruction tells the exception level.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/evidence/stated.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "recording/facts-memory.h"
#include "util/buffer.h"

#define BATCH 1024
#define SLOT(slot) (UINT64_C (1) << (slot))
#define FLAGS (UINT64_C (15) << TB_A64_N)

/* The name of the mode of STEP.  */
static const char *
mode_at (const struct tb_columns *f, uint64_t step)
{
  return f->modes[tb_facts_step (f, step)->mode];
}

uint8_t
tb_a64_stated_level (const struct tb_state *s, uint64_t step)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  const char *mode = step < f->steps ? mode_at (f, step) : "";
  return strncasecmp (mode, "EL", 2) == 0 && mode[2] >= '0' && mode[2] <= '3'
	 ? (uint8_t) (mode[2] - '0') : TB_A64_NO_EL;
}

static bool
add (struct tb_state *s, struct tb_change change)
{
  void *items = s->changes;
  if (!tb_grow (&items, &s->changes_room, s->nchanges, 1, sizeof *s->changes))
    return false;
  s->changes = items;
  s->changes[s->nchanges++] = change;
  if (change.step < s->steps)
    s->info[change.step] |= TB_INFO_EVENTS;
  return true;
}

/* What lies between PREVIOUS and NEXT (NULL: it is the end), which is number STEP.  */
static bool
look_between (struct tb_state *s, uint64_t step, const struct tb_step *previous,
	      const struct tb_step *next)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  const struct tb_profile *profile = tb_recording_profile (s->recording);
  struct tb_change change = { .step = step - s->base,
				  .kind = TB_CHANGE_LOST };
  struct tb_event events[TB_STATED_EVENTS];
  size_t count = next == NULL || next->flags & TB_STEP_EVENTS
		 ? tb_stated_events (s->recording, step, events) : 0;
  struct tb_flow flow = { .kind = TB_FLOW_OTHER };
  bool lost = count != 0 || !tb_stated_goes_on (f, step, previous,
						next != NULL ? next->pc : 0,
						profile);
  if (next != NULL && count != 0)
    change.address = tb_stated_goes_through (f, events, count);
  else if (next != NULL)
    change.address = tb_stated_takes_exception (f, step);
  if (next == NULL)
    return !lost || add (s, change);
  if (previous->flags & TB_STEP_TAKEN)
    tb_step_flow (&flow, previous, profile);
  bool returns = flow.sub == TB_SUB_ERET;
  const char *before = mode_at (f, step - 1), *mode = mode_at (f, step);
  if (!lost && !returns && before == mode)
    return true;
  if (lost && !add (s, change))
    return false;
  change.kind = TB_CHANGE_CONTEXT;
  change.address = 0;
  change.el = tb_a64_stated_level (s, step);
  return add (s, change);
}

bool
tb_a64_stated_changes (struct tb_state *s)
{
  struct tb_step steps[BATCH], previous = { 0 };
  uint64_t total = tb_recording_steps (s->recording);
  uint64_t end = s->base + s->steps, at = s->base;
  bool ok = true;
  if (at > 0 && tb_recording_read (s->recording, at - 1, &previous, 1) != 1)
    return true;
  while (at <= end && at < total && ok)
    {
      size_t want = end - at + 1 < BATCH ? (size_t) (end - at + 1) : BATCH;
      size_t got = tb_recording_read (s->recording, at, steps, want);
      for (size_t k = 0; k < got && ok; k++)
	{
	  ok = at + k == 0 || look_between (s, at + k, &previous, &steps[k]);
	  previous = steps[k];
	}
      if (got == 0)
	return true;
      at += got;
    }
  return ok && (end != total || end == 0
		|| look_between (s, end, &previous, NULL));
}

void
tb_a64_stated_step (const struct tb_state *s, uint64_t i, struct tb_step *step)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  unsigned how = tb_facts_step (f, s->base + i)->flags;
  bool last = s->base + i + 1 == f->steps;
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i + 1, &count);
  bool lost = count > 0 && change->kind == TB_CHANGE_LOST;
  /* It was not done, or may not have been.  */
  if (how & TB_CODE_SKIPPED || lost)
    step->isa = TB_ISA_UNKNOWN;
  else if (!last && !(step->flags & TB_STEP_TAKEN))
    step->flags |= TB_STEP_NOT_TAKEN;
}

/* The slots that T may write; UINT64_MAX: any.  */
static uint64_t
effect_of (const struct tb_state *s, const struct tb_template *t)
{
  uint64_t slots = t->modelled ? 0 : UINT64_MAX;
  for (unsigned k = 0; k < t->count; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (u->dst < TB_A64_NSLOTS)
	slots |= SLOT (u->dst);
      if (tb_op_is (u->op, TB_SWITCHES))
	slots = UINT64_MAX;
    }
  return slots;
}

struct written
{
  uint64_t step, slots;
};

struct writes
{
  struct written *items;
  size_t count, room;
};

/* Collect the changes of SLOTS (one or the flags), which CHANGES tell of, that no
   instruction of the window makes.  */
static bool
collect (const struct tb_state *s, const uint64_t *effects,
	 const struct tb_facts_changes *changes, uint64_t slots,
	 struct writes *w)
{
  const uint32_t *steps = (const uint32_t *) changes->steps.data;
  const uint32_t *values = (const uint32_t *) changes->values.data;
  size_t n = TB_COLUMN_COUNT (&changes->steps, uint32_t), at = 0, high = n;
  while (at < high)
    {
      size_t middle = at + (high - at) / 2;
      if (steps[middle] <= s->base)
	at = middle + 1;
      else
	high = middle;
    }
  for (; at < n && steps[at] <= s->base + s->steps; at++)
    {
      uint64_t i = steps[at] - s->base, changed = slots;
      if (at == 0 || (i < s->steps && s->info[i] & TB_INFO_EVENTS))
	continue;
      uint32_t differ = values[at] ^ values[at - 1];
      if (slots == FLAGS)
	{
	  changed = 0;
	  for (unsigned k = 0; k < 4; k++)
	    changed |= (uint64_t) (differ >> (31 - k) & 1) << (TB_A64_N + k);
	}
      uint64_t wrote = effects[s->info[i - 1] & TB_INFO_TEMPLATE];
      if (differ == 0 || (changed & ~wrote) == 0)
	continue;
      void *items = w->items;
      if (!tb_grow (&items, &w->room, w->count, 1, sizeof *w->items))
	return false;
      w->items = items;
      w->items[w->count++] = (struct written) { i, slots };
    }
  return true;
}

static int
by_step (const void *a, const void *b)
{
  const struct written *x = a, *y = b;
  return x->step < y->step ? -1 : x->step > y->step;
}

/* Put W behind the changes that there are, one a step.  */
static bool
merge (struct tb_state *s, struct writes *w)
{
  struct tb_change *old = s->changes;
  size_t nold = s->nchanges, at = 0;
  bool ok = true;
  s->changes = NULL;
  s->nchanges = s->changes_room = 0;
  qsort (w->items, w->count, sizeof *w->items, by_step);
  for (size_t i = 0; ok && i < w->count;)
    {
      struct tb_change change = { .kind = TB_CHANGE_WRITTEN,
				      .step = w->items[i].step };
      for (; i < w->count && w->items[i].step == change.step; i++)
	change.address |= w->items[i].slots;
      for (; ok && at < nold && old[at].step <= change.step; at++)
	ok = add (s, old[at]);
      ok = ok && add (s, change);
    }
  for (; ok && at < nold; at++)
    ok = add (s, old[at]);
  free (old);
  return ok;
}

/* The slots that REG of the log is, in any mode.  */
static uint64_t
slots_of (const struct tb_state *s, const struct tb_facts_register *reg)
{
  if (strcmp (reg->name, "psr") == 0)
    return FLAGS;
  for (unsigned i = 0; i <= 30; i++)
    if (tb_state_log_place (s->stated, 0, i) == reg)
      return SLOT (i);
  return 0;
}

bool
tb_a64_stated_written (struct tb_state *s)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  struct writes w = { NULL, 0, 0 };
  uint64_t *effects = calloc (s->ntemplates + 1, sizeof *effects);
  bool ok = effects != NULL;
  for (size_t i = 0; ok && i < s->ntemplates; i++)
    {
      const struct tb_template *t = &s->templates[i];
      uint8_t bytes[4];
      effects[i] = effect_of (s, t);
      /* The snapshot is of something else.  */
      if (t->isa == TB_ISA_A64
	  && tb_memmap_read (s->memory.map, s->memory.space, t->pc, bytes, 4)
	     == 4
	  && tb_memory_number (bytes, 4) != t->opcode)
	s->memory.usable = false;
    }
  for (size_t r = 0; ok && r < f->nregisters; r++)
    {
      const struct tb_facts_register *reg = &f->registers[r];
      uint64_t slots = slots_of (s, reg);
      for (unsigned lane = 0; ok && slots != 0 && lane < reg->nlanes
			      && lane < 2; lane++)
	ok = collect (s, effects, &reg->lanes[lane].values, slots, &w);
    }
  ok = ok && (w.count == 0 || merge (s, &w));
  free (effects);
  free (w.items);
  return ok;
}

/* Of the registers SET those for which there is a line just before STEP.  */
static uint64_t
with_lines (const struct tb_state *s, uint64_t step, uint64_t set)
{
  unsigned mode = tb_state_log_mode (s->stated, step);
  uint64_t with = 0;
  for (uint64_t left = set; left != 0; left &= left - 1)
    {
      unsigned i = (unsigned) __builtin_ctzll (left);
      const struct tb_facts_register *reg
	= tb_state_log_place (s->stated, mode, i);
      if (reg != NULL && tb_facts_changed (reg, step))
	with |= SLOT (i);
    }
  return with;
}

static void
put (struct tb_state *s, unsigned slot, uint64_t mask, uint64_t bits)
{
  if (mask != 0 && !s->graph.failed)
    tb_graph_set_bits (&s->graph, s->names.slot[slot], mask, bits & mask);
}

uint64_t
tb_a64_stated_may_write (const struct tb_facts_code *code, unsigned zero_block)
{
  struct tb_semantics semantics;
  uint64_t slots = 0;
  if (code->isa != TB_ISA_A64 || code->size == 0)
    return UINT64_MAX;
  tb_semantics_a64 (&semantics, code->opcode, code->pc, zero_block);
  for (unsigned k = 0; k < semantics.count; k++)
    {
      const struct tb_uop *u = &semantics.uops[k];
      if (u->dst < TB_A64_NSLOTS)
	slots |= SLOT (u->dst);
      if (tb_op_is (u->op, TB_SWITCHES))
	slots |= ~(SLOT (TB_A64_SP) - 1);
    }
  return semantics.modelled ? slots : UINT64_MAX;
}

void
tb_a64_stated_keep (struct tb_builder *b, uint64_t i, const tb_vid *before)
{
  const struct tb_state *s = b->state;
  uint64_t step = s->base + i;
  /* The lines of the last step may have been cut off.  */
  if (s->stated == NULL || s->options.stated != TB_STATED_ALL || step == 0
      || step >= tb_recording_steps (s->recording))
    return;
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  unsigned mode = tb_facts_step (f, step)->mode;
  uint64_t wrote = tb_a64_stated_may_write (tb_facts_step (f, step - 1),
					    s->a64->zero_block);
  for (unsigned k = 0; k <= TB_X30; k++)
    {
      const struct tb_facts_register *reg
	= tb_state_log_place (s->stated, mode, k);
      bool stays = reg != NULL && tb_facts_stayed (reg, step);
      if ((wrote & SLOT (k)) == 0)
	stays |= reg == NULL || !tb_facts_told (reg, step);
      if (stays)
	b->names->slot[k] = before[k];
    }
}

void
tb_a64_stated_before (struct tb_builder *b, uint64_t i)
{
  struct tb_state *s = b->state;
  const struct tb_names *n = b->names;
  struct tb_value values[TB_NREGS_MAX];
  uint64_t changed = 0, set = 0, step = s->base + i;
  if (b->n.replay || n->lost)
    return;
  for (unsigned k = 0; k <= TB_A64_V; k++)
    if (n->slot[k] != s->stated_names[k])
      {
	s->stated_names[k] = n->slot[k];
	changed |= SLOT (k);
      }
  set = changed & (SLOT (TB_A64_SP + 1) - 1);
  if (changed & FLAGS)
    set |= SLOT (TB_PSTATE);
  /* The lines of the last step may have been cut off.  */
  if (set != 0 && (s->options.stated != TB_STATED_ALL
		   || step == tb_recording_steps (s->recording)))
    set = with_lines (s, step, set);
  if (set == 0)
    return;
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_LOG;
  tb_state_log_some (s->stated, step, set, values);
  for (uint64_t left = set & (SLOT (TB_A64_SP + 1) - 1); left != 0;
       left &= left - 1)
    {
      unsigned k = (unsigned) __builtin_ctzll (left);
      put (s, k, values[k].mask, values[k].bits);
    }
  for (unsigned k = 0; k < 4 && set & SLOT (TB_PSTATE); k++)
    if (changed & SLOT (TB_A64_N + k)
	&& values[TB_PSTATE].mask >> (31 - k) & 1)
      put (s, TB_A64_N + k, UINT64_MAX, values[TB_PSTATE].bits >> (31 - k) & 1);
  s->graph.cause = cause;
}

void
tb_a64_stated_accesses (struct tb_builder *b, uint64_t i, uint32_t first)
{
  enum { MOST = 64 };
  struct tb_access_info told[MOST];
  struct tb_state *s = b->state;
  uint32_t count = b->names->next_access - first;
  if (b->n.replay || count == 0 || count > MOST || s->graph.failed
      || tb_state_log_accesses (s->stated, s->base + i, told, MOST) != count)
    return;
  for (uint32_t k = 0; k < count; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[first + k];
      struct tb_known at = tb_graph_known (&s->graph, a->address);
      if (a->kind > TB_MEM_STORE || tb_access_size (a) != told[k].length
	  || (a->kind == TB_MEM_STORE) != told[k].store
	  || (told[k].address & at.mask) != (at.bits & at.mask))
	return;
    }
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_LOG;
  for (uint32_t k = 0; k < count; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[first + k];
      tb_vid value = a->value;
      unsigned bits = 8 * told[k].length;
      uint64_t mask = told[k].store && bits < 64
		      ? (UINT64_C (1) << bits) - 1 : UINT64_MAX;
      tb_graph_set_bits (&s->graph, a->address, UINT64_MAX, told[k].address);
      if (told[k].value_known)
	tb_graph_set_bits (&s->graph, value, mask, told[k].value & mask);
    }
  s->graph.cause = cause;
}
