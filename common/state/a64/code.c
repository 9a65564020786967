/* State of A64 code: reading the steps and events of the window, and describing
   its distinct instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"

#include <stdlib.h>
#include <string.h>

#include "arm/flow/flow.h"
#include "decode/element.h"
#include "util/buffer.h"

#define BATCH 1024

/* A hash from PC and opcode to template number + 1.  */
struct table
{
  uint32_t *slots;
  size_t size;
};

static size_t
hash (uint64_t pc, uint32_t opcode)
{
  uint32_t folded = (uint32_t) (pc >> 2 ^ pc >> 34);
  return (folded * UINT32_C (2654435761) ^ opcode * UINT32_C (40503)) >> 3;
}

static bool
grow_table (struct table *table, const struct tb_state *s)
{
  size_t size = table->size != 0 ? 2 * table->size : 1024;
  uint32_t *slots = calloc (size, sizeof *slots);
  if (slots == NULL)
    return false;
  for (size_t i = 0; i < s->ntemplates; i++)
    {
      size_t at = hash (s->templates[i].pc, s->templates[i].opcode)
		  & (size - 1);
      while (slots[at] != 0)
	at = (at + 1) & (size - 1);
      slots[at] = (uint32_t) i + 1;
    }
  free (table->slots);
  table->slots = slots;
  table->size = size;
  return true;
}

static bool
add_template (struct tb_state *s, const struct tb_step *step)
{
  struct tb_semantics semantics = { .modelled = false };
  void *items = s->templates;
  if (!tb_grow (&items, &s->templates_room, s->ntemplates, 1,
		sizeof *s->templates))
    return false;
  s->templates = items;
  bool is_a64 = step->isa == TB_ISA_A64;
  if (is_a64 && step->size == 4)
    tb_semantics_a64 (&semantics, step->opcode, step->pc, s->a64->zero_block);
  struct tb_flow flow;
  tb_flow_a64 (&flow, step->opcode, step->pc);
  /* A log does not tell whether that was taken.  */
  if (s->stated != NULL && flow.kind == TB_FLOW_BRANCH && flow.conditional
      && flow.target == step->pc + 4)
    semantics.modelled = false;
  if (!semantics.modelled)
    semantics.count = 0;
  s->templates[s->ntemplates++] = (struct tb_template) {
    .pc = step->pc, .opcode = step->opcode, .first = (uint32_t) s->nuops,
    .count = semantics.count, .size = 4, .isa = (uint8_t) step->isa,
    .flags = semantics.count == 1 && semantics.uops[0].op == TB_OP_TRAP
	     ? TB_SEM_TRAPS : 0,
    .space = step->space, .modelled = semantics.modelled
  };
  for (unsigned k = 0; k < semantics.count; k++)
    if (semantics.uops[k].op == TB_OP_FORGET)
      s->templates[s->ntemplates - 1].may_write |= semantics.uops[k].imm != 0;
  items = s->uops;
  if (!tb_grow (&items, &s->uops_room, s->nuops, TB_SEM_MAX,
		sizeof *s->uops))
    return false;
  s->uops = items;
  memcpy (s->uops + s->nuops, semantics.uops,
	  semantics.count * sizeof *s->uops);
  s->nuops += semantics.count;
  tb_a64_note_vectors (s, semantics.uops, semantics.count);
  return true;
}

/* The template of STEP; UINT32_MAX without memory.  */
static uint32_t
template_of (struct tb_state *s, struct table *table,
	     const struct tb_step *step)
{
  size_t at;
  if (2 * (s->ntemplates + 1) > table->size && !grow_table (table, s))
    return UINT32_MAX;
  for (at = hash (step->pc, step->opcode) & (table->size - 1);
       table->slots[at] != 0; at = (at + 1) & (table->size - 1))
    {
      const struct tb_template *t = &s->templates[table->slots[at] - 1];
      if (t->pc == step->pc && t->opcode == step->opcode
	  && t->space == step->space
	  && (t->isa == TB_ISA_A64) == (step->isa == TB_ISA_A64))
	return table->slots[at] - 1;
    }
  if (!add_template (s, step))
    return UINT32_MAX;
  table->slots[at] = (uint32_t) s->ntemplates;
  return (uint32_t) s->ntemplates - 1;
}

static bool
load_steps (struct tb_state *s)
{
  struct tb_step steps[BATCH];
  struct table table = { NULL, 0 };
  bool ok = true;
  uint64_t i = 0;

  while (ok && i < s->steps)
    {
      size_t want = s->steps - i < BATCH ? (size_t) (s->steps - i) : BATCH;
      size_t got = tb_recording_read (s->recording, s->base + i, steps, want);
      for (size_t k = 0; k < got && ok; k++)
	{
	  if (s->stated != NULL)
	    tb_a64_stated_step (s, i + k, &steps[k]);
	  uint32_t number = template_of (s, &table, &steps[k]);
	  ok = number <= TB_INFO_TEMPLATE;
	  s->info[i + k] |= number;
	  if (steps[k].flags & TB_STEP_TAKEN)
	    s->info[i + k] |= TB_INFO_TAKEN;
	  if (steps[k].flags & TB_STEP_NOT_TAKEN)
	    s->info[i + k] |= TB_INFO_NOT_TAKEN;
	  s->memory.space = steps[k].space;
	}
      if (got == 0)
	s->steps = i;
      i += got;
    }
  free (table.slots);
  return ok;
}

/* What EVENT changes; false: nothing.  */
static bool
change_of (const struct tb_event *e, uint64_t end,
	   struct tb_change *change)
{
  *change = (struct tb_change) { .kind = TB_CHANGE_LOST };
  switch (e->kind)
    {
    case TB_EVENT_EXCEPTION:
      if (!(e->flags & (TB_EXCEPTION_HALT | TB_EXCEPTION_NO_RETURN)))
	change->kind = TB_CHANGE_ENTRY;
      else if (e->flags & TB_EXCEPTION_HALT && e->step == end)
	return false;		/* At the very end it is the halt itself.  */
      change->address = e->address;
      return true;
    case TB_EVENT_CONTEXT:
      change->kind = TB_CHANGE_CONTEXT;
      change->address = (uint32_t) e->value;
      change->el = e->el <= 3 ? e->el : TB_A64_NO_EL;
      return true;
    case TB_EVENT_HALT:
      return e->step != end;
    default:
      return e->kind == TB_EVENT_GAP;
    }
}

static bool
load_changes (struct tb_state *s)
{
  uint64_t end = s->base + s->steps;
  uint64_t halt = tb_recording_steps (s->recording);
  size_t count = tb_recording_events (s->recording, s->base, end, NULL, 0);
  if (count == 0)
    return true;
  struct tb_event *events = calloc (count, sizeof *events);
  s->changes = calloc (count, sizeof *s->changes);
  if (events == NULL || s->changes == NULL)
    {
      free (events);
      return false;
    }
  count = tb_recording_events (s->recording, s->base, end, events, count);
  for (size_t i = 0; i < count; i++)
    {
      struct tb_change *change = &s->changes[s->nchanges];
      if (!change_of (&events[i], halt, change))
	continue;
      change->step = events[i].step - s->base;
      s->nchanges++;
      if (change->step < s->steps)
	s->info[change->step] |= TB_INFO_EVENTS;
    }
  free (events);
  return true;
}

bool
tb_a64_load (struct tb_state *s)
{
  struct tb_event context;
  s->info = calloc (s->steps + 1, sizeof *s->info);
  if (s->info == NULL)
    return false;
  if (s->stated != NULL
      ? !tb_a64_stated_changes (s) || !load_steps (s)
	|| !tb_a64_stated_written (s)
      : !load_steps (s) || !load_changes (s))
    return false;
  s->a64->el = s->stated != NULL ? tb_a64_stated_level (s, s->base)
	  : TB_A64_NO_EL;
  if (tb_recording_context (s->recording, s->base, &context))
    {
      s->context = (uint32_t) context.value;
      if (context.el <= 3)
	s->a64->el = context.el;
    }
  return true;
}

bool
tb_a64_describe (const struct tb_state *s, uint64_t address,
		 struct tb_semantics *semantics)
{
  uint8_t b[4];
  if (tb_memmap_read (s->memory.map, s->memory.space, address, b, 4) != 4)
    return false;
  tb_semantics_a64 (semantics, b[0] | (uint32_t) b[1] << 8
		    | (uint32_t) b[2] << 16 | (uint32_t) b[3] << 24, address,
		    s->a64->zero_block);
  return semantics->modelled;
}
