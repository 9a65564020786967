/* Reading the steps and events of the window, and describing its distinct
   instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/internal.h"
#include "state/window/it.h"
#include "state/evidence/stated.h"
#include "state/evidence/traced.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

#define BATCH 1024

/* A hash from (PC, opcode, IT) to template number + 1.  */
struct code_table
{
  uint32_t *slots;
  size_t size;
};

static size_t
hash (uint32_t pc, uint32_t opcode, unsigned it)
{
  return ((pc >> 1) * UINT32_C (2654435761) ^ opcode * UINT32_C (40503)
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
describe (const struct tb_state *s, struct tb_template *t,
	  struct tb_semantics *semantics)
{
  struct tb_semantics_effect effect;
  semantics->modelled = false;
  semantics->count = 0;
  semantics->flags = 0;
  if (t->isa == TB_ISA_T32 && t->it == TB_IT_SKIPPED)
    semantics->modelled = true;
  else if (s->stated != NULL && t->isa == TB_ISA_T32 && t->size != 0
	   && t->it == TB_IT_UNSURE)
    tb_it_describe_unsure (semantics, t, s->profile);
  else if (t->isa == TB_ISA_T32 && t->size != 0 && t->it != TB_IT_UNSURE)
    tb_semantics_t32_it (semantics, t->opcode, t->size, t->pc, t->it,
			 s->profile);
  else if (t->isa == TB_ISA_A32 && t->size == 4)
    tb_semantics_a32 (semantics, t->opcode, t->pc, s->profile);
  if (s->stated != NULL && tb_stated_unsure (s, t))
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
  if (!t->modelled)
    return;
  tb_semantics_effect (semantics->uops, semantics->count, &effect);
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
  uint32_t pc = (uint32_t) step->pc;
  size_t at;
  if (2 * (s->ntemplates + 1) > table->size && !grow_table (table, s))
    return UINT32_MAX;
  for (at = hash (pc, step->opcode, it) & (table->size - 1);
       table->slots[at] != 0; at = (at + 1) & (table->size - 1))
    {
      const struct tb_template *t = &s->templates[table->slots[at] - 1];
      if (t->pc == pc && t->opcode == step->opcode && t->size == step->size
	  && t->isa == step->isa && t->it == it)
	return table->slots[at] - 1;
    }
  void *items = s->templates;
  if (!tb_grow (&items, &s->templates_room, s->ntemplates, 1,
		sizeof *s->templates))
    return UINT32_MAX;
  s->templates = items;
  struct tb_template *t = &s->templates[s->ntemplates];
  struct tb_semantics semantics;
  *t = (struct tb_template) {
    .pc = pc, .opcode = step->opcode, .size = step->size, .isa = step->isa,
    .it = (uint8_t) it, .first = (uint32_t) s->nuops
  };
  describe (s, t, &semantics);
  items = s->uops;
  if (!tb_grow (&items, &s->uops_room, s->nuops, TB_SEM_MAX, sizeof *s->uops))
    return UINT32_MAX;
  s->uops = items;
  memcpy (s->uops + s->nuops, semantics.uops, t->count * sizeof *s->uops);
  s->nuops += t->count;
  table->slots[at] = (uint32_t) ++s->ntemplates;
  return (uint32_t) s->ntemplates - 1;
}

const struct tb_template *
tb_state_template_of_isa (struct tb_state *s, uint32_t address,
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
  t->size = isa == TB_ISA_A32 ? 4 : (uint8_t) tb_t32_size (t->opcode);
  if (t->size == 4)
    {
      if (tb_memmap_read (map, s->memory.space, address, bytes, 4) != 4)
	return NULL;
      uint32_t other = bytes[2] | (uint32_t) bytes[3] << 8;
      t->opcode = isa == TB_ISA_A32 ? t->opcode | other << 16
		  : t->opcode << 16 | other;
    }
  describe (s, t, &semantics);
  memcpy (uops, semantics.uops, t->count * sizeof *uops);
  return t;
}

const struct tb_template *
tb_state_template_at (struct tb_state *s, uint32_t address,
		      struct tb_template *t, struct tb_uop *uops)
{
  return tb_state_template_of_isa (s, address, TB_ISA_T32, t, uops);
}

bool
tb_state_add_change (struct tb_state *s, const struct tb_change *change)
{
  void *items = s->changes;
  if (!tb_grow (&items, &s->changes_room, s->nchanges, 1,
		sizeof *s->changes))
    return false;
  s->changes = items;
  s->changes[s->nchanges++] = *change;
  return true;
}

/* An EXCEPTION event.  */
static struct tb_change
entry_change (const struct tb_state *s, const struct tb_event *e)
{
  struct tb_change change = {
    .kind = TB_CHANGE_ENTRY, .taken = e->taken, .number = e->exception,
    .address = (uint32_t) e->address & ~UINT32_C (1)
  };
  /* Reset leaves nothing as it was; a debug halt anything.  */
  if (e->taken == TB_EXC_RESET || (e->flags & TB_EXCEPTION_HALT)
      || (!s->profile->is_m && (e->flags & TB_EXCEPTION_NO_RETURN)))
    change.kind = TB_CHANGE_LOST;
  else if (s->profile->is_m && (e->flags & TB_EXCEPTION_TAIL_CHAIN))
    change.kind = TB_CHANGE_TAIL;
  return change;
}

static bool
load_changes (struct tb_state *s)
{
  struct tb_event *events;
  uint64_t end = s->base + s->steps;
  size_t count = tb_recording_events (s->recording, s->base, end, NULL, 0);
  bool ok = true;

  if (s->stated != NULL)
    return s->steps == 0 || tb_stated_changes (s);
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
	  change = entry_change (s, e);
	  break;
	case TB_EVENT_CONTEXT:
	  if (s->profile->is_m)
	    continue;
	  change.kind = TB_CHANGE_CONTEXT;
	  change.address = (uint32_t) e->value;
	  change.el = e->el;
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

/* Where CHANGE, an exception's entry or return, led; false: not told.  */
static bool
led_to (const struct tb_state *s, const struct tb_change *change,
	uint32_t *pc)
{
  if (change + 1 < s->changes + s->nchanges
      && change[1].step == change->step)
    {
      *pc = change[1].address;
      return change[1].kind == TB_CHANGE_ENTRY;
    }
  if (change->step >= s->steps)
    return false;
  *pc = s->templates[s->info[change->step] & TB_INFO_TEMPLATE].pc;
  return true;
}

static int
compare (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return x < y ? -1 : x > y;
}

/* Where the exception entries of the window led, in order; *COUNT of them.
   NULL: no memory.  */
static uint32_t *
find_handlers (const struct tb_state *s, size_t *count)
{
  uint32_t *handlers = malloc ((s->nchanges + 1) * sizeof *handlers);
  *count = 0;
  for (size_t i = 0; handlers != NULL && i < s->nchanges; i++)
    if ((s->changes[i].kind == TB_CHANGE_ENTRY
	 || s->changes[i].kind == TB_CHANGE_TAIL)
	&& led_to (s, &s->changes[i], &handlers[*count]))
      ++*count;
  if (handlers != NULL)
    qsort (handlers, *count, sizeof *handlers, compare);
  return handlers;
}

/* Tell returns from tail chains.  Where the trace shows EXC_RETURN it
   shows both alike; it was a return if execution went on at the return address
   of the entry that it belongs to, and no handler begins there.  */
static bool
settle_returns (struct tb_state *s)
{
  enum { DEPTH = 64 };
  uint32_t returns[DEPTH];
  size_t depth = 0, kept = 0, nhandlers;
  uint32_t *handlers = find_handlers (s, &nhandlers);

  if (handlers == NULL)
    return false;
  /* Where it does not number them, a reset is shown like any other.  */
  for (size_t i = 0; i < s->nchanges; i++)
    {
      uint32_t pc;
      if (s->changes[i].kind == TB_CHANGE_ENTRY
	  && s->changes[i].number == TB_EXCEPTION_UNKNOWN
	  && led_to (s, &s->changes[i], &pc)
	  && tb_state_resets_to (s, pc))
	s->changes[i].kind = TB_CHANGE_LOST;
    }

  for (size_t i = 0; i < s->nchanges; i++)
    {
      struct tb_change change = s->changes[i];
      bool chained = i + 1 < s->nchanges
		     && s->changes[i + 1].kind == TB_CHANGE_TAIL
		     && s->changes[i + 1].step == change.step;
      if (change.kind == TB_CHANGE_LOST)
	depth = 0;
      else if (change.kind == TB_CHANGE_ENTRY)
	{
	  if (depth == DEPTH)
	    memmove (returns, returns + 1, --depth * sizeof returns[0]);
	  returns[depth++] = change.address;
	}
      else if (change.kind == TB_CHANGE_RETURN && chained)
	{
	  /* Without the entry the decoder may be mistaken: what was returned to
	     may have been interrupted right before a handler's first
	     instruction.  */
	  if (depth == 0)
	    {
	      change.kind = TB_CHANGE_RETURN_MAYBE;
	      change.unless_seen = true;
	    }
	  else
	    {
	      uint32_t exc_return = change.exc_return;
	      change = s->changes[i + 1];
	      change.exc_return = exc_return;
	    }
	  i++;
	}
      else if (change.kind == TB_CHANGE_RETURN)
	{
	  uint32_t to = (uint32_t) change.address;
	  if (to == 0 && !led_to (s, &s->changes[i], &to))
	    to = 0;
	  change.address = to;
	  bool handler = bsearch (&to, handlers, nhandlers, sizeof *handlers,
				  compare) != NULL;
	  bool expected = depth > 0 && returns[depth - 1] == change.address;
	  if (change.exc_return != 0 && (!expected || handler))
	    {
	      change.kind = TB_CHANGE_RETURN_MAYBE;
	      change.unless_seen = handler;
	    }
	  depth -= depth > 0;
	}
      s->changes[kept++] = change;
    }
  s->nchanges = kept;
  free (handlers);
  return true;
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

static bool
load_steps (struct tb_state *s)
{
  struct tb_step steps[BATCH];
  struct code_table table = { NULL, 0 };
  struct tb_it_tracker it = { .unsure = true };
  bool ok = true;
  uint64_t i = 0;

  tb_it_before (s, &it);
  while (ok && i < s->steps)
    {
      size_t want = s->steps - i < BATCH ? (size_t) (s->steps - i) : BATCH;
      size_t got = tb_recording_read (s->recording, s->base + i, steps, want);
      if (i == 0 && got != 0)
	s->memory.space = steps[0].space;
      for (size_t k = 0; k < got && ok; k++)
	{
	  if (s->stated != NULL)
	    tb_stated_step (s, i + k, &steps[k]);
	  unsigned governs = tb_it_arrive (s, &it, i + k, &steps[k]);
	  if (s->stated != NULL && governs == TB_IT_UNSURE
	      && steps[k].flags & TB_STEP_NOT_TAKEN)
	    governs = TB_IT_SKIPPED;
	  uint32_t number = template_of (s, &table, &steps[k], governs);
	  ok = number <= TB_INFO_TEMPLATE;
	  if (!ok)
	    break;
	  s->info[i + k] |= number;
	  if (steps[k].flags & TB_STEP_TAKEN
	      || (s->conditions_told && governs != TB_IT_NONE
		  && !(s->templates[number].flags & TB_SEM_BRANCH)
		  && !(steps[k].flags & TB_STEP_NOT_TAKEN)))
	    s->info[i + k] |= TB_INFO_TAKEN;
	  tb_it_leave (s, &it, &steps[k], &s->templates[number]);
	  /* Nothing is known of big-endian data, nor of what unaligned accesses
	     do before ARMv7.  */
	  if (!s->profile->is_m
	      && (s->templates[number].flags & TB_SEM_BIG_ENDIAN
		  || s->profile->arch < TB_ARCH_V7A))
	    s->big_endian = true;
	  /* One address may then be two places.  */
	  if (steps[k].space != s->memory.space)
	    s->memory.usable = false;
	}
      if (got == 0)
	s->steps = i;
      i += got;
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

bool
tb_state_load (struct tb_state *s)
{
  s->info = calloc (s->steps + 1, sizeof *s->info);
  if (s->info == NULL || !load_changes (s) || !load_steps (s)
      || !tb_traced_load (s))
    return false;
  if (s->stated != NULL ? !tb_stated_written (s)
      : s->exceptions && !settle_returns (s))
    return false;
  struct tb_event context;
  if (!s->profile->is_m
      && tb_recording_context (s->recording, s->base, &context))
    {
      s->context = (uint32_t) context.value;
      s->regime = ((uint32_t) context.security << 8 & 0xff00)
		  | (context.el == 2);
    }
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
