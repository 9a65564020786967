/* Which registers of a log others wrote than its instructions.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/stated.h"

#include <stdlib.h>
#include <string.h>

#include "recording/facts-memory.h"
#include "util/buffer.h"
#include "util/search.h"

/* What others wrote: before a step of the window, these slots.  */
struct fact_written
{
  uint64_t step, slots;
};

struct fact_writes
{
  struct fact_written *items;
  size_t count, room;
};

/* The slots that the register REG of a log is, whatever the mode.  */
static uint64_t
slots_of (const struct tb_state *s, const struct tb_facts_register *reg)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  unsigned last = s->a64 != NULL ? (unsigned) TB_X30 : (unsigned) TB_LR;
  uint64_t slots = 0;
  if (strcmp (reg->name, "psr") == 0)
    return tb_slots_nzcv (s);
  for (size_t m = 0; m < f->nmodes; m++)
    for (unsigned i = 0; i <= last; i++)
      if (tb_state_log_place (s->stated, (unsigned) m, i) == reg)
	slots |= UINT64_C (1) << i;
  return slots;
}

/* Which slots each template may write; UINT64_MAX: any.  */
static uint64_t *
find_effects (const struct tb_state *s)
{
  uint64_t *effects = calloc (s->ntemplates + 1, sizeof *effects);
  for (size_t i = 0; effects != NULL && i < s->ntemplates; i++)
    {
      const struct tb_template *t = &s->templates[i];
      bool switches;
      effects[i] = tb_stated_writes (s->uops + t->first, t->count,
				     s->a64 != NULL, &switches);
      if (!t->modelled || switches)
	effects[i] = UINT64_MAX;
    }
  return effects;
}

static bool
add_written (struct fact_writes *w, uint64_t step, uint64_t slots)
{
  if (!TB_GROW (w->items, w->room, w->count, 1))
    return false;
  w->items[w->count++] = (struct fact_written) { step, slots };
  return true;
}

/* Collect the changes of SLOTS (one or the flags), which CHANGES tell of, that no
   instruction of the window makes.  */
static bool
collect (const struct tb_state *s, const uint64_t *effects,
	 const struct tb_facts_changes *changes, uint64_t slots,
	 struct fact_writes *w)
{
  const uint32_t *steps = (const uint32_t *) changes->steps.data;
  const uint32_t *values = (const uint32_t *) changes->values.data;
  size_t n = TB_COLUMN_COUNT (&changes->steps, uint32_t), low;
  TB_LOWER_BOUND (low, n, steps[low] <= s->base);
  for (; low < n && steps[low] <= s->base + s->steps; low++)
    {
      uint64_t i = steps[low] - s->base;
      if (low == 0 || (i < s->steps && s->info[i] & TB_INFO_EVENTS))
	continue;
      uint64_t wrote = effects[s->info[i - 1] & TB_INFO_TEMPLATE], changed = 0;
      uint32_t differ = values[low] ^ values[low - 1];
      if (slots != tb_slots_nzcv (s))
	changed = differ != 0 ? slots : 0;
      else
	for (unsigned k = 0; k < 4; k++)
	  changed |= (uint64_t) (differ >> (31 - k) & 1) << (tb_slot_n (s) + k);
      if ((changed & ~wrote) != 0 && !add_written (w, i, slots))
	return false;
    }
  return true;
}

static int
by_step (const void *a, const void *b)
{
  const struct fact_written *x = a, *y = b;
  return x->step < y->step ? -1 : x->step > y->step;
}

/* Put W behind the changes that there are, one a step.  */
static bool
merge (struct tb_state *s, struct fact_writes *w)
{
  size_t nold = s->nchanges, at = 0;
  struct tb_change *old = s->changes;
  s->changes = NULL;
  s->nchanges = s->changes_room = 0;
  bool ok = true;
  if (w->count > 0)
    qsort (w->items, w->count, sizeof *w->items, by_step);
  for (size_t i = 0; ok && i < w->count;)
    {
      struct tb_change change = { .kind = TB_CHANGE_WRITTEN,
				  .step = w->items[i].step };
      for (; i < w->count && w->items[i].step == change.step; i++)
	change.address |= w->items[i].slots;
      for (; ok && at < nold && old[at].step <= change.step; at++)
	ok = tb_state_add_change (s, &old[at]);
      ok = ok && tb_state_add_change (s, &change);
      if (change.step < s->steps)
	s->info[change.step] |= TB_INFO_EVENTS;
    }
  for (; ok && at < nold; at++)
    ok = tb_state_add_change (s, &old[at]);
  free (old);
  return ok;
}

/* Is what the log ran what the snapshot has there?  */
static bool
is_of_snapshot (const struct tb_state *s)
{
  uint8_t bytes[4];
  for (size_t i = 0; i < s->ntemplates; i++)
    {
      const struct tb_template *t = &s->templates[i];
      uint32_t word = t->isa == TB_ISA_T32 && t->size == 4
		      ? t->opcode >> 16 | t->opcode << 16 : t->opcode;
      bool ran = s->a64 != NULL ? t->isa == TB_ISA_A64 : t->size != 0;
      if (ran
	  && tb_memmap_read (s->memory.map, s->memory.space, t->pc, bytes,
			     t->size) == t->size
	  && memcmp (bytes, (uint8_t[4]) { (uint8_t) word,
					   (uint8_t) (word >> 8),
					   (uint8_t) (word >> 16),
					   (uint8_t) (word >> 24) },
		     t->size) != 0)
	return false;
    }
  return true;
}

bool
tb_stated_written (struct tb_state *s)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  struct fact_writes w = { NULL, 0, 0 };
  uint64_t *effects = find_effects (s);
  bool ok = effects != NULL;
  s->memory.usable &= is_of_snapshot (s);
  for (size_t r = 0; ok && r < f->nregisters; r++)
    {
      const struct tb_facts_register *reg = &f->registers[r];
      uint64_t slots = slots_of (s, reg);
      for (unsigned lane = 0; ok && slots != 0 && lane < reg->nlanes && lane < 2;
	   lane++)
	ok = collect (s, effects, &reg->lanes[lane].values, slots, &w);
    }
  ok = ok && (w.count == 0 || merge (s, &w));
  free (effects);
  free (w.items);
  return ok;
}
