/* Reading the steps and events of the window, and describing its distinct
   instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/internal.h"
#include "state/window/it.h"
#include "state/window/a64.h"
#include "state/window/teller.h"

#include <stdlib.h>
#include <string.h>

#include "decode/exception.h"
#include "util/buffer.h"

#define BATCH 1024

/* A hash from (PC, opcode, IT) to template number + 1.  */
struct code_table
{
  uint32_t *slots;
  size_t size;
};

static size_t
hash (uint64_t pc, uint32_t opcode, unsigned it)
{
  uint32_t folded = (uint32_t) (pc >> 1 ^ pc >> 33);
  return (folded * UINT32_C (2654435761) ^ opcode * UINT32_C (40503)
	  ^ it * UINT32_C (0x10310)) >> 3;
}

static bool
grow_table (struct code_table *table, const struct tb_state *s)
{
  size_t size = table->size != 0 ? 2 * table->size : 1024;
  uint32_t *slots = calloc (size, sizeof *slots);
  if (slots == NULL)
    return false;
  for (size_t i = 0; i < s->ntemplates; i++)
    {
      size_t at = hash (s->templates[i].pc, s->templates[i].opcode,
			s->templates[i].it) & (size - 1);
      while (slots[at] != 0)
	at = (at + 1) & (size - 1);
      slots[at] = (uint32_t) i + 1;
    }
  free (table->slots);
  table->slots = slots;
  table->size = size;
  return true;
}

static void
describe (struct tb_state *s, struct tb_template *t,
	  struct tb_semantics *semantics)
{
  struct tb_semantics_effect effect;
  semantics->modelled = false;
  semantics->count = 0;
  semantics->flags = 0;
  if (s->a64 != NULL)
    tb_a64_describe (s, t, semantics);
  else if (t->isa == TB_ISA_T32 && t->it == TB_IT_SKIPPED)
    semantics->modelled = true;
  else if (s->stated != NULL && t->isa == TB_ISA_T32 && t->size != 0
	   && t->it == TB_IT_UNSURE)
    tb_it_describe_unsure (semantics, t, s->profile);
  else if (t->isa == TB_ISA_T32 && t->size != 0 && t->it != TB_IT_UNSURE)
    tb_semantics_t32_it (semantics, t->opcode, t->size, (uint32_t) t->pc, t->it,
			 s->profile);
  else if (t->isa == TB_ISA_A32 && t->size == 4)
    tb_semantics_a32 (semantics, t->opcode, (uint32_t) t->pc, s->profile);
  if (s->teller->unsure != NULL && s->teller->unsure (s, t))
    semantics->modelled = false;
  t->modelled = semantics->modelled;
  t->flags = semantics->flags;
  t->count = semantics->modelled ? semantics->count : 0;
  t->may_write = false;
  for (unsigned k = 0; k < t->count; k++)
    if (semantics->uops[k].op == TB_OP_FORGET)
      t->may_write |= semantics->uops[k].imm != 0;
  t->reads = 0;
  t->writes = 15;
  if (!t->modelled || s->a64 != NULL)
    return;
  tb_semantics_effect (semantics->uops, semantics->count, false, &effect);
  t->reads = effect.reads >> TB_SLOT_N & 15;
  t->writes = effect.writes >> TB_SLOT_N & 15;
  /* A flag that may keep its value passes it on.  */
  t->reads |= (effect.may_write & ~effect.writes) >> TB_SLOT_N & 15;
}

/* The template of STEP, governed by IT; UINT32_MAX without memory.  */
static uint32_t
template_of (struct tb_state *s, struct code_table *table,
	     const struct tb_step *step, unsigned it)
{
  uint64_t pc = step->pc;
  uint8_t space = s->a64 != NULL ? (uint8_t) step->space : 0;
  size_t at;
  if (2 * (s->ntemplates + 1) > table->size && !grow_table (table, s))
    return UINT32_MAX;
  for (at = hash (pc, step->opcode, it) & (table->size - 1);
       table->slots[at] != 0; at = (at + 1) & (table->size - 1))
    {
      const struct tb_template *t = &s->templates[table->slots[at] - 1];
      if (t->pc == pc && t->opcode == step->opcode && t->size == step->size
	  && t->isa == step->isa && t->space == space && t->it == it)
	return table->slots[at] - 1;
    }
  if (!TB_GROW (s->templates, s->templates_room, s->ntemplates, 1))
    return UINT32_MAX;
  struct tb_template *t = &s->templates[s->ntemplates];
  struct tb_semantics semantics;
  *t = (struct tb_template) {
    .pc = pc, .opcode = step->opcode, .size = step->size, .isa = step->isa,
    .space = space, .it = (uint8_t) it, .first = (uint32_t) s->nuops
  };
  describe (s, t, &semantics);
  if (s->a64 != NULL)
    tb_a64_note_vectors (s, semantics.uops, t->count);
  if (!TB_GROW (s->uops, s->uops_room, s->nuops, TB_SEM_MAX))
    return UINT32_MAX;
  memcpy (s->uops + s->nuops, semantics.uops, t->count * sizeof *s->uops);
  s->nuops += t->count;
  table->slots[at] = (uint32_t) ++s->ntemplates;
  return (uint32_t) s->ntemplates - 1;
}

const struct tb_template *
tb_state_template_of_isa (struct tb_state *s, uint64_t address,
			  enum tb_isa isa, struct tb_template *t,
			  struct tb_uop *uops)
{
  uint8_t bytes[4];
  struct tb_semantics semantics;
  const struct tb_memmap *map = tb_recording_memmap (s->recording);
  if (tb_memmap_read (map, s->memory.space, address, bytes, 2) != 2)
    return NULL;
  *t = (struct tb_template) { .pc = address, .isa = (uint8_t) isa,
			      .it = TB_IT_NONE };
  /* Its condition, if it has one, does not count here.  */
  t->opcode = bytes[0] | (uint32_t) bytes[1] << 8;
  t->size = isa != TB_ISA_T32 ? 4 : (uint8_t) tb_t32_size (t->opcode);
  if (t->size == 4)
    {
      if (tb_memmap_read (map, s->memory.space, address, bytes, 4) != 4)
	return NULL;
      uint32_t other = bytes[2] | (uint32_t) bytes[3] << 8;
      t->opcode = isa != TB_ISA_T32 ? t->opcode | other << 16
		  : t->opcode << 16 | other;
    }
  describe (s, t, &semantics);
  memcpy (uops, semantics.uops, t->count * sizeof *uops);
  return t;
}

const struct tb_template *
tb_state_template_at (struct tb_state *s, uint64_t address,
		      struct tb_template *t, struct tb_uop *uops)
{
  return tb_state_template_of_isa (s, address, TB_ISA_T32, t, uops);
}

bool
tb_state_add_change (struct tb_state *s, const struct tb_change *change)
{
  if (!TB_GROW (s->changes, s->changes_room, s->nchanges, 1))
    return false;
  s->changes[s->nchanges++] = *change;
  return true;
}

/* An EXCEPTION event.  */
static struct tb_change
entry_change (const struct tb_state *s, const struct tb_event *e)
{
  struct tb_change change = {
    .kind = TB_CHANGE_ENTRY, .taken = e->taken, .number = e->exception,
    .address = s->a64 != NULL ? e->address
	       : (uint32_t) e->address & ~UINT32_C (1)
  };
  /* Reset leaves nothing as it was; a debug halt anything.  What is no entry stacks nothing; what a
     lockup does is not looked at.  */
  if ((e->taken == TB_EXC_RESET && s->a64 == NULL)
      || !tb_exception_enters ((enum tb_exception) e->taken)
      || (e->flags & TB_EXCEPTION_HALT)
      || (!s->profile->is_m && (e->flags & TB_EXCEPTION_NO_RETURN)))
    change.kind = TB_CHANGE_LOST;
  else if (s->profile->is_m && (e->flags & TB_EXCEPTION_TAIL_CHAIN))
    change.kind = TB_CHANGE_TAIL;
  return change;
}

/* Does E tell no more than that FP registers were saved late?  The FP instruction that runs next
   stands for what that writes (fp.h); it runs where E says that execution goes on.  */
static bool
only_saves_fp (const struct tb_state *s, const struct tb_event *e)
{
  struct tb_step step;
  return e->taken == TB_EXC_FP_SAVED && !(e->flags & TB_EXCEPTION_NO_RETURN)
	 && tb_recording_read (s->recording, e->step, &step, 1) == 1
	 && step.pc == (e->address & ~UINT64_C (1));
}

static bool
load_changes (struct tb_state *s)
{
  struct tb_event *events;
  uint64_t end = s->base + s->steps;
  size_t count = tb_recording_events (s->recording, s->base, end, NULL, 0);
  bool ok = true;

  if (s->teller->changes != NULL)
    return s->steps == 0 || s->teller->changes (s);
  if (count == 0)
    return true;
  events = calloc (count, sizeof *events);
  if (events == NULL)
    return false;
  count = tb_recording_events (s->recording, s->base, end, events, count);
  for (size_t i = 0; i < count && ok; i++)
    {
      const struct tb_event *e = &events[i];
      struct tb_change change = { .kind = TB_CHANGE_LOST };
      switch (e->kind)
	{
	case TB_EVENT_EXCEPTION:
	  if (s->a64 != NULL && e->flags & TB_EXCEPTION_HALT
	      && e->step == tb_recording_steps (s->recording))
	    continue;
	  if (only_saves_fp (s, e))
	    continue;
	  change = entry_change (s, e);
	  break;
	case TB_EVENT_CONTEXT:
	  if (s->profile->is_m)
	    continue;
	  change.kind = TB_CHANGE_CONTEXT;
	  change.address = tb_context_number (e);
	  change.el = s->a64 != NULL && e->el > 3 ? TB_A64_NO_EL : e->el;
	  change.number = (uint16_t) (e->security << 8);
	  break;
	case TB_EVENT_EXCEPTION_RETURN:
	  /* There they are instructions.  */
	  if (!s->profile->is_m)
	    continue;
	  /* Whether it is certain is seen later (settle_returns).  */
	  change.kind = TB_CHANGE_RETURN;
	  change.exc_return = (uint32_t) e->value;
	  change.address = (uint32_t) e->address & ~UINT32_C (1);
	  break;
	case TB_EVENT_GAP:
	  break;
	case TB_EVENT_HALT:
	  /* At the very end it is the halt itself.  */
	  if (e->step == tb_recording_steps (s->recording))
	    continue;
	  break;
	default:
	  continue;
	}
      change.step = e->step - s->base;
      ok = tb_state_add_change (s, &change);
      if (change.step < s->steps)
	s->info[change.step] = TB_INFO_EVENTS;
    }
  free (events);
  return ok;
}

/* Which flags each step leaves for a later reader.  */
static void
find_live (struct tb_state *s)
{
  unsigned live = 15;
  for (uint64_t i = s->steps; i-- > 0;)
    {
      const struct tb_template *t
	= &s->templates[s->info[i] & TB_INFO_TEMPLATE];
      s->info[i] |= (uint32_t) live << TB_INFO_LIVE;
      live = (live & ~t->writes) | t->reads;
      if (s->info[i] & TB_INFO_EVENTS)
	live = 15;
    }
}

/* Put STEP, number I of the window, into its info; IT follows IT blocks.  False: no
   memory.  */
static bool
load_step (struct tb_state *s, struct code_table *table, struct tb_it_tracker *it,
	   uint64_t i, struct tb_step *step)
{
  if (s->teller->step != NULL)
    s->teller->step (s, i, step);
  unsigned governs = s->a64 != NULL ? TB_IT_NONE : tb_it_arrive (s, it, i, step);
  if (s->stated != NULL && governs == TB_IT_UNSURE
      && step->flags & TB_STEP_NOT_TAKEN)
    governs = TB_IT_SKIPPED;
  uint32_t number = template_of (s, table, step, governs);
  if (number > TB_INFO_TEMPLATE)
    return false;
  const struct tb_template *t = &s->templates[number];
  s->info[i] |= number;
  if (step->flags & TB_STEP_TAKEN
      || (s->conditions_told && governs != TB_IT_NONE
	  && !(t->flags & TB_SEM_BRANCH) && !(step->flags & TB_STEP_NOT_TAKEN)))
    s->info[i] |= TB_INFO_TAKEN;
  if (s->a64 != NULL)
    {
      if (step->flags & TB_STEP_NOT_TAKEN)
	s->info[i] |= TB_INFO_NOT_TAKEN;
      s->memory.space = step->space;
      return true;
    }
  tb_it_leave (s, it, step, t);
  /* Nothing is known of big-endian data, nor of what unaligned accesses do before
     ARMv7.  */
  if (!s->profile->is_m && (t->flags & TB_SEM_BIG_ENDIAN
			    || s->profile->arch < TB_ARCH_V7A))
    s->big_endian = true;
  /* One address may then be two places.  */
  if (step->space != s->memory.space)
    s->memory.usable = false;
  return true;
}

static bool
load_steps (struct tb_state *s)
{
  struct tb_step steps[BATCH];
  struct code_table table = { NULL, 0 };
  struct tb_it_tracker it = { .unsure = true };
  bool ok = true;
  uint64_t i = 0;

  if (s->a64 == NULL)
    tb_it_before (s, &it);
  while (ok && i < s->steps)
    {
      size_t want = s->steps - i < BATCH ? (size_t) (s->steps - i) : BATCH;
      size_t got = tb_recording_read (s->recording, s->base + i, steps, want);
      if (i == 0 && got != 0)
	s->memory.space = steps[0].space;
      for (size_t k = 0; k < got && ok; k++)
	ok = load_step (s, &table, &it, i + k, &steps[k]);
      if (got == 0)
	s->steps = i;
      i += got;
      ok = ok && tb_poll_goes_on (s->options.poll, (unsigned) got);
    }
  s->memory.usable &= !s->big_endian;
  while (s->nchanges != 0 && s->changes[s->nchanges - 1].step > s->steps)
    s->nchanges--;
  free (table.slots);
  return ok;
}

bool
tb_state_reload (struct tb_state *s)
{
  free (s->info);
  free (s->templates);
  free (s->uops);
  free (s->changes);
  s->info = NULL;
  s->templates = NULL;
  s->uops = NULL;
  s->changes = NULL;
  s->ntemplates = s->templates_room = s->own_templates = 0;
  s->nuops = s->uops_room = s->nchanges = s->changes_room = 0;
  s->cursor_valid = false;
  return tb_state_load (s);
}

/* What the trace says of the core where the window begins.  */
static void
find_context (struct tb_state *s)
{
  struct tb_event context;
  bool told = !s->profile->is_m
	      && tb_recording_context (s->recording, s->base, &context);
  if (told)
    s->context = tb_context_number (&context);
  if (s->a64 != NULL)
    tb_a64_set_level (s, told ? context.el : TB_A64_NO_EL);
  else if (told)
    s->regime = ((uint32_t) context.security << 8 & 0xff00) | (context.el == 2);
}

bool
tb_state_load (struct tb_state *s)
{
  s->info = calloc (s->steps + 1, sizeof *s->info);
  if (s->info == NULL || !load_changes (s) || !load_steps (s)
      || !s->teller->load (s))
    return false;
  s->tells = s->stated != NULL || s->traced != NULL;
  if (s->stated == NULL && s->exceptions && !tb_state_settle_returns (s))
    return false;
  find_context (s);
  if (s->a64 != NULL)
    return true;
  if (s->profile->is_m)
    tb_state_find_features (s);
  else
    {
      tb_state_find_a_features (s);
      tb_state_find_tables (s);
    }
  find_live (s);
  return true;
}
