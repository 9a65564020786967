/* Searches by value.  See values.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/values.h"

#include <stdlib.h>

#include "recording/event-steps.h"
#include "state/answer/stacked.h"
#include "state/effect.h"

/* Memory accesses of one step that are looked at.  */
#define OF_ONE_STEP 128

/* What lies between steps is found out for so many steps at a time.  */
#define BLOCK 4096

static uint64_t
mask_of (unsigned size)
{
  return size >= 8 ? UINT64_MAX : (UINT64_C (1) << 8 * size) - 1;
}

bool
tb_value_is_wanted (const struct tb_wanted_value *w, uint64_t value, unsigned size)
{
  uint64_t mask = mask_of (size), sign = mask ^ mask >> 1;
  bool fits = w->negative ? (w->value | (mask >> 1)) == UINT64_MAX && (w->value & sign) != 0
			  : w->value <= mask;
  return fits && (value & mask) == (w->value & mask);
}

/* Is one of the COUNT accesses a store of what is wanted?  */
static bool
look_at_stores (const struct tb_wanted_value *w, const struct tb_access_info *accesses,
		size_t count, struct tb_value_found *found, struct tb_values_missed *missed)
{
  for (size_t i = 0; i < count && i < (size_t) OF_ONE_STEP; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      if (!a->store || (w->length != 0 && a->length != w->length))
	continue;
      missed->values += !a->value_known;
      if (!a->value_known || !tb_value_is_wanted (w, a->value, a->length))
	continue;
      found->access = *a;
      found->assumed = a->value_assumed;
      return true;
    }
  return false;
}

static bool
look_at_registers (const struct tb_values_source *s, const struct tb_wanted_value *w,
		   struct tb_value_found *found, struct tb_values_missed *missed)
{
  struct tb_effect effect;
  struct tb_value before[TB_NREGS_MAX], after[TB_NREGS_MAX];
  unsigned size = tb_recording_profile (s->recording)->has_a64 ? 8 : 4;
  uint64_t all = mask_of (size);
  if (!tb_state_effect (s->state, found->step, &effect))
    {
      missed->steps++;
      return false;
    }
  uint64_t written = effect.may_write & w->registers;
  if (written == 0)
    return false;
  tb_state_after (s->state, found->step, after);
  bool has_before = false, open = false;
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    {
      const struct tb_value *v = &after[i];
      if ((written >> i & 1) == 0)
	continue;
      if ((v->mask & all) != all)
	{
	  open |= ((v->bits ^ w->value) & v->mask & all) == 0;
	  continue;
	}
      if (!tb_value_is_wanted (w, v->bits, size))
	continue;
      if (!has_before)
	tb_state_registers (s->state, found->step, before);
      has_before = true;
      if ((before[i].mask & all) == all && ((before[i].bits ^ v->bits) & all) == 0)
	continue;
      found->reg = i;
      found->assumed = (v->assumed & all) != 0;
      return true;
    }
  missed->values += open;
  return false;
}

/* What lies before the steps behind one, in order; the steps are ended by UINT64_MAX.  */
struct between
{
  uint64_t *exceptions, *gaps;
  size_t next_exception, next_gap;
};

/* Those of the steps behind BEGIN up to END.  */
static bool
find_between (struct between *b, struct tb_recording *recording, uint64_t begin, uint64_t end)
{
  *b = (struct between) {
    .exceptions = tb_event_steps (recording, begin, end, TB_EVENT_EXCEPTION),
    .gaps = tb_event_steps (recording, begin, end, TB_EVENT_GAP)
  };
  return b->exceptions != NULL && b->gaps != NULL;
}

static void
fini_between (struct between *b)
{
  free (b->exceptions);
  free (b->gaps);
}

/* Does FOUND->step store what is wanted, or what an exception behind it puts on the stack?  */
static bool
look_at_step (const struct tb_values_source *s, const struct tb_wanted_value *w,
	      struct between *b, struct tb_value_found *found, struct tb_values_missed *missed)
{
  struct tb_access_info some[OF_ONE_STEP];
  uint64_t step = found->step;
  bool gap = b->gaps[b->next_gap] == step + 1;
  bool exception = b->exceptions[b->next_exception] == step + 1;
  b->next_gap += gap;
  b->next_exception += exception;
  missed->gaps += gap;
  if (w->registers != 0)
    return look_at_registers (s, w, found, missed);
  missed->steps += !tb_state_analysed (s->state, step);
  size_t count = tb_state_accesses (s->state, step, some, OF_ONE_STEP);
  if (look_at_stores (w, some, count, found, missed))
    return true;
  if (!exception)
    return false;
  count = tb_state_stacked (s->state, step + 1, some, OF_ONE_STEP);
  return look_at_stores (w, some, count, found, missed);
}

enum tb_search
tb_values_find (const struct tb_values_source *s, const struct tb_wanted_value *w,
		uint64_t from, uint64_t end,
		bool (*take) (void *context, const struct tb_value_found *found),
		void *context, struct tb_values_missed *missed)
{
  uint64_t steps = tb_recording_steps (s->recording);
  if (end > steps)
    end = steps;
  *missed = (struct tb_values_missed) { 0 };
  for (uint64_t begin = from; begin < end; begin += BLOCK)
    {
      uint64_t last = end - begin < BLOCK ? end : begin + BLOCK;
      struct between between;
      if (s->reached != NULL)
	*s->reached = begin;
      if (s->go_on != NULL && !s->go_on (s->context))
	return TB_SEARCH_STOPPED;
      bool ok = find_between (&between, s->recording, begin, last), wanted = true;
      for (uint64_t step = begin; ok && wanted && step < last; step++)
	{
	  struct tb_value_found found = { .step = step };
	  if (look_at_step (s, w, &between, &found, missed))
	    wanted = take (context, &found);
	}
      fini_between (&between);
      if (!ok || !wanted)
	return ok ? TB_SEARCH_STOPPED : TB_SEARCH_NO_MEMORY;
    }
  return TB_SEARCH_NONE;
}
