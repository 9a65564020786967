/* Naming along the steps of a window: what lies before each, and the step itself.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/fp.h"
#include "state/window/internal.h"
#include "state/evidence/stated.h"
#include "state/evidence/traced.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Name what the window begins with.  */
static void
start (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  memset (n, 0, sizeof *n);
  n->next_value = 1;
  n->next_access = 1;
  n->context = b->state->context;
  n->regime = b->state->regime;
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
      s->border_accesses = tb_memory_put_border (&s->memory, border,
						 n->epoch);
      s->border_values = (uint32_t) (s->graph.nvalues - values);
    }
  n->next_access += s->border_accesses;
  n->next_value += s->border_values;
  for (unsigned i = 0; border != NULL && i < TB_NSLOTS; i++)
    if (n->slot[i] != 0)
      tb_namer_bits (&b->n, n->slot[i], (uint32_t) border->slots[i].mask,
		     (uint32_t) border->slots[i].bits);
  tb_fp_name_border (b, border);
  if (!s->profile->is_m && !n->lost)
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

void
tb_build_arrive (struct tb_builder *b, uint64_t i)
{
  const struct tb_state *s = b->state;
  bool here = i < s->steps;
  uint32_t written = 0, first = b->names->next_access;

  if (!here || s->info[i] & TB_INFO_EVENTS)
    {
      size_t count;
      const struct tb_change *change = tb_build_changes (s, i, &count);
      if (count > 0 && change[count - 1].kind == TB_CHANGE_WRITTEN)
	written = change[--count].address;
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
      if (kept)
	tb_stated_keep (b, i, before, s->profile->is_m ? GENERAL_M : GENERAL);
    }
  if (!here || s->stated != NULL
      || s->templates[s->info[i] & TB_INFO_TEMPLATE].modelled)
    tb_build_name_all (b);
  if (written != 0 && !b->names->lost)
    name_written (b, written);
  if (i == 0)
    name_border (b);
  if (s->stated != NULL)
    {
      tb_stated_before (b, i);
      tb_stated_stacked (b, i, first);
    }
  else
    tb_traced_stacked (b, i, first);
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

void
tb_build_step (struct tb_builder *b, uint64_t i)
{
  const struct tb_state *s = b->state;
  uint32_t info = s->info[i];
  const struct tb_template *t = &s->templates[info & TB_INFO_TEMPLATE];
  if (!t->modelled)
    {
      tb_vid before[12 + 1];
      memcpy (before, b->names->slot, sizeof before);
      tb_build_lose (b);
      tb_stated_keep (b, i + 1, before, GENERAL);
      return;
    }
  if (t->it >= TB_IT_NONE)
    tb_build_forget_condition (b);
  for (unsigned k = 0; k < t->count; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      bool ends = false;
      if (u->op == TB_OP_IF || u->op == TB_OP_IF_VALUE)
	ends = tb_build_conditional (b, t, k, i, info);
      else
	tb_build_uop (b, u, i, info);
      if (u->op == TB_OP_COND || u->op == TB_OP_BRANCH_IF)
	ends = info & TB_INFO_TAKEN;
      if (ends)
	break;
    }
  b->names->goes_on = 0;
  if (tb_state_calls_out (s, i))
    tb_build_lose (b);
  else if (!b->n.replay)
    tb_graph_mark_stack (&b->state->graph, b->names->slot[TB_SLOT_SP]);
}

/* Of a window, the part by which the size of the rest is estimated, and how much
   more than that is made room for.  */
#define SAMPLE 16
#define SLACK 1.03

/* Room for the checkpoints.  False, and the graph failed: no memory.  */
static bool
make_checkpoints (struct tb_state *s)
{
  size_t size = s->fp ? sizeof (struct tb_names)
		: offsetof (struct tb_names, fp);
  if (s->checkpoints != NULL && s->checkpoint_size == size)
    return true;
  free (s->checkpoints);
  s->ncheckpoints = s->steps / TB_CHECKPOINT_STEPS + 1;
  s->checkpoint_size = size;
  s->checkpoints = calloc (s->ncheckpoints, size);
  s->graph.failed |= s->checkpoints == NULL;
  return s->checkpoints != NULL;
}

void
tb_build_window (struct tb_state *state)
{
  struct tb_names names;
  struct tb_builder b = tb_builder_of (state, &names, false);
  start (&b);
  tb_build_known_start (&b);
  if (!make_checkpoints (state))
    return;
  memset (state->stated_names, 0, sizeof state->stated_names);
  state->stated_nz = 0;
  for (uint64_t i = 0; i <= state->steps && !state->graph.failed; i++)
    {
      if (i != 0 && i == state->steps / SAMPLE)
	{
	  tb_graph_expect (&state->graph, SAMPLE * SLACK);
	  tb_memory_expect (&state->memory, SAMPLE * SLACK);
	}
      if (i % TB_CHECKPOINT_STEPS == 0)
	memcpy (state->checkpoints
		+ i / TB_CHECKPOINT_STEPS * state->checkpoint_size, &names,
		state->checkpoint_size);
      tb_build_arrive (&b, i);
      uint32_t first = names.next_access;
      if (i < state->steps)
	tb_build_step (&b, i);
      if (i < state->steps && state->stated != NULL)
	tb_stated_accesses (&b, i, first);
      else if (i < state->steps)
	tb_traced_accesses (&b, i, first);
    }
  state->names = names;
  state->cursor = state->steps;
  state->cursor_valid = true;
}
