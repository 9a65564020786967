/* Naming along the steps of a window: what lies before each, and the step itself.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/fp.h"
#include "state/window/teller.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Name what the window begins with.  */
static void
start (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  const struct tb_state *s = b->state;
  memset (n, 0, sizeof *n);
  n->next_value = 1;
  n->next_access = 1;
  n->context = s->context;
  n->regime = s->regime;
  n->el = s->a64 != NULL ? s->a64->el : 0;
  tb_build_lose (b);
}

/* State what the window before knows at its end.  */
static void
name_border (struct tb_builder *b)
{
  struct tb_state *s = b->state;
  struct tb_names *n = b->names;
  const struct tb_border *border = s->before[s->assuming];
  if (!b->n.replay)
    {
      size_t values = s->graph.nvalues;
      s->graph.cause = TB_CAUSE_BORDER;
      s->border_accesses = n->foreign ? 0
			   : tb_memory_put_border (&s->memory, border,
						   n->epoch);
      s->border_values = (uint32_t) (s->graph.nvalues - values);
    }
  n->next_access += s->border_accesses;
  n->next_value += s->border_values;
  for (unsigned i = 0; border != NULL && !tb_state_states_late (s) && i < tb_nslots (s); i++)
    if (n->slot[i] != 0)
      tb_namer_bits (&b->n, n->slot[i], border->slots[i].mask,
		     border->slots[i].bits);
  tb_fp_name_border (b, border);
  if (s->a64 != NULL)
    {
      if (border != NULL && border->saved_el != 0 && !n->lost)
	n->saved_el = border->saved_el - 1;
    }
  else if (!s->profile->is_m && !n->lost)
    tb_build_border_modes (b, border);
  if (!b->n.replay)
    s->graph.cause = TB_CAUSE_TRACE;
}

/* Others wrote SLOTS.  */
static void
name_written (struct tb_builder *b, uint32_t slots)
{
  if (slots & TB_SLOTS_NZCV)
    tb_build_name_flags (b, NULL);
  for (uint32_t left = slots & ~TB_SLOTS_NZCV; left != 0; left &= left - 1)
    {
      unsigned slot = (unsigned) __builtin_ctz (left);
      b->names->slot[slot] = tb_build_fresh (b, slot);
    }
  tb_build_forget_condition (b);
}

/* R0 to R12, and those of them that the exceptions of the M profile do not touch.  */
#define GENERAL (TB_SLOT_BIT (12 + 1) - 1)
#define GENERAL_M (TB_SLOT_BIT (12) - TB_SLOT_BIT (4))
/* X0 to X30.  */
#define GENERAL_A64 ((UINT64_C (1) << TB_A64_SP) - 1)

/* The changes before step I of A32 and T32; returns the slots that others wrote.  */
static uint32_t
name_changes (struct tb_builder *b, uint64_t i)
{
  const struct tb_state *s = b->state;
  uint32_t written = 0;
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i, &count);
  if (count > 0 && change[count - 1].kind == TB_CHANGE_WRITTEN)
    written = (uint32_t) change[--count].address;
  bool kept = count == 1 && change->kind == TB_CHANGE_LOST
	      && change->address != 0;
  tb_vid before[12 + 1];
  memcpy (before, b->names->slot, sizeof before);
  /* What was before a known start does not matter.  */
  for (; i == 0 && s->start != 0 && count > 0
	 && change->kind == TB_CHANGE_LOST; count--)
    change++;
  if (!s->profile->is_m)
    {
      tb_build_a_change (b, change, count);
      count = 0;
    }
  bool svc = i > 0 && (s->templates[s->info[i - 1] & TB_INFO_TEMPLATE]
		       .opcode & 0xffffff00) == 0xdf00;
  for (size_t k = 0; k < count; k++)
    tb_build_change (b, &change[k], svc && k == 0);
  if (kept && s->teller->keep != NULL)
    s->teller->keep (b, i, before, s->profile->is_m ? GENERAL_M : GENERAL);
  return written;
}

void
tb_build_arrive (struct tb_builder *b, uint64_t i)
{
  const struct tb_state *s = b->state;
  struct tb_names *n = b->names;
  bool here = i < s->steps, a64 = s->a64 != NULL;
  bool changes = !here || s->info[i] & TB_INFO_EVENTS;
  uint32_t written = 0, first = n->next_access;
  const struct tb_template *t
    = here ? &s->templates[s->info[i] & TB_INFO_TEMPLATE] : NULL;

  if (a64 && (changes || n->returning || n->trapped))
    tb_a64_change (b, i);
  else if (!a64 && changes)
    written = name_changes (b, i);
  if (a64)
    {
      /* What another translation regime has at an address is not followed.  */
      bool foreign = here && t->space != s->memory.space;
      n->epoch += foreign != n->foreign;
      n->foreign = foreign;
    }
  if (!here || s->stated != NULL || t->modelled)
    tb_build_name_all (b);
  if (written != 0 && !n->lost)
    name_written (b, written);
  if (i == 0)
    name_border (b);
  if (!b->n.replay && s->tells)
    s->teller->before (b, i, first);
}

/* Is there an exception behind step I, or anything that may be one?  */
static bool
trapped (const struct tb_state *s, uint64_t i)
{
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i + 1, &count);
  for (size_t k = 0; k < count; k++)
    if (change[k].kind != TB_CHANGE_CONTEXT)
      return true;
  return false;
}

bool
tb_state_calls_out (const struct tb_state *s, uint64_t i)
{
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  return t->flags & TB_SEM_TRAPS && !trapped (s, i);
}

/* The operations of step I, T.  */
static void
name_operations (struct tb_builder *b, const struct tb_template *t, uint64_t i)
{
  if (t->it >= TB_IT_NONE)
    tb_build_forget_condition (b);
  tb_build_operations (b, t, i);
  b->n.folds = false;
  b->names->goes_on = 0;
  b->names->ran = true;
}

void
tb_build_step (struct tb_builder *b, uint64_t i)
{
  struct tb_state *s = b->state;
  struct tb_names *n = b->names;
  bool a64 = s->a64 != NULL;
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  if (a64)
    n->target = 0;
  if (!t->modelled)
    {
      tb_vid before[TB_A64_SP];
      memcpy (before, n->slot, sizeof before);
      tb_build_lose (b);
      if (s->teller->keep != NULL)
	s->teller->keep (b, i + 1, before, a64 ? GENERAL_A64 : GENERAL);
      return;
    }
  if (a64)
    for (unsigned k = 0; k < t->count; k++)
      tb_build_uop (b, &s->uops[t->first + k], i, s->info[i]);
  else
    name_operations (b, t, i);
  if (!a64 && tb_state_calls_out (s, i))
    tb_build_lose (b);
  else if (!b->n.replay)
    tb_graph_mark_stack (&s->graph, n->slot[tb_slot_sp (s)]);
}

/* Of a window, the part by which the size of the rest is estimated, and how much
   more than that is made room for.  */
#define SAMPLE 16
#define SLACK 1.03

/* Room for the checkpoints.  False, and the graph failed: no memory.  */
static bool
make_checkpoints (struct tb_state *s)
{
  size_t size = !s->fp ? offsetof (struct tb_names, fp)
		: s->a64 != NULL ? offsetof (struct tb_names, fp_left)
		: sizeof (struct tb_names);
  if (s->checkpoints != NULL && s->checkpoint_size == size)
    return true;
  free (s->checkpoints);
  s->ncheckpoints = s->steps / TB_CHECKPOINT_STEPS + 1;
  s->checkpoint_size = size;
  s->checkpoints = calloc (s->ncheckpoints, size);
  s->graph.failed |= s->checkpoints == NULL;
  return s->checkpoints != NULL;
}

/* Step I was named, if OWN, or only what is before it.  */
static void
note_owner (struct tb_state *s, uint64_t i, bool own)
{
  if (s->owners.count < s->names.next_access
      && !tb_owners_add (&s->owners, s->names.next_access, i, own))
    s->graph.failed = true;
}

void
tb_build_window (struct tb_state *s, bool halt)
{
  struct tb_names *names = &s->names;
  struct tb_builder b = tb_builder_of (s, names, false);
  tb_walk_reset (&s->walk);
  if (s->a64 != NULL)
    tb_a64_begin_vectors (s, halt);
  else
    tb_fp_find (s);
  start (&b);
  tb_build_known_start (&b);
  if (!make_checkpoints (s))
    return;
  memset (s->stated_names, 0, sizeof s->stated_names);
  s->stated_nz = 0;
  s->owners.count = s->owners.at = 0;
  for (uint64_t i = 0; i <= s->steps && !s->graph.failed; i++)
    {
      if (i != 0 && i == s->steps / SAMPLE)
	{
	  tb_graph_expect (&s->graph, SAMPLE * SLACK);
	  tb_memory_expect (&s->memory, SAMPLE * SLACK);
	}
      if (i % TB_CHECKPOINT_STEPS == 0)
	{
	  memcpy (s->checkpoints + i / TB_CHECKPOINT_STEPS * s->checkpoint_size,
		  names, s->checkpoint_size);
	  s->graph.failed |= !tb_poll_goes_on (s->options.poll, TB_CHECKPOINT_STEPS);
	}
      tb_build_arrive (&b, i);
      if (i == s->steps)
	tb_fp_name_fpccr (&b, true);
      note_owner (s, i, false);
      uint32_t first = names->next_access;
      if (i == s->steps)
	break;
      tb_build_step (&b, i);
      note_owner (s, i, true);
      if (s->tells)
	s->teller->accesses (&b, i, first);
    }
  tb_owners_fit (&s->owners);
  s->cursor = s->steps;
  s->cursor_valid = true;
}

bool
tb_build_is_current (struct tb_state *s)
{
  bool fp = s->fp;
  if (s->a64 == NULL)
    {
      s->fp = false;
      tb_fp_find (s);
      return s->fp == fp;
    }
  uint64_t followed[2];
  _Static_assert (sizeof followed == sizeof s->a64->followed, "All that are followed.");
  memcpy (followed, s->a64->followed, sizeof followed);
  tb_a64_begin_vectors (s, false);
  return s->fp == fp && memcmp (followed, s->a64->followed, sizeof followed) == 0;
}

void
tb_state_seek (struct tb_state *s, uint64_t i)
{
  uint64_t checkpoint = i / TB_CHECKPOINT_STEPS;
  if (!s->cursor_valid || s->cursor > i
      || s->cursor / TB_CHECKPOINT_STEPS < checkpoint)
    {
      memcpy (&s->names, s->checkpoints + checkpoint * s->checkpoint_size,
	      s->checkpoint_size);
      s->cursor = checkpoint * TB_CHECKPOINT_STEPS;
      s->cursor_valid = true;
      struct tb_builder b = tb_builder_of (s, &s->names, true);
      tb_build_arrive (&b, s->cursor);
    }
  while (s->cursor < i)
    tb_walk_step (s);
}
