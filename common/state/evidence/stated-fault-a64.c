/* Where a log first contradicts an A64 instruction.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/evidence/stated.h"

#include <string.h>

#include "recording/facts.h"

#define SLOT(slot) (UINT64_C (1) << (slot))
#define FLAGS (UINT64_C (15) << TB_A64_N)

/* Slots that are compared.  */
#define COMPARED ((SLOT (TB_A64_SP + 1) - 1) | FLAGS)

/* What a step of the log loads.  */
struct loads
{
  struct tb_access_info items[16];
  size_t count;
  bool failed;			/* One is not told.  */
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct loads *loads = context;
  for (size_t i = 0; i < loads->count; i++)
    {
      const struct tb_access_info *a = &loads->items[i];
      if (!a->store && a->value_known && a->address == address
	  && a->length == size)
	return a->value;
    }
  loads->failed = true;
  return 0;
}

static void
store (void *context, uint64_t address, unsigned size, uint64_t value,
       bool certain)
{
  (void) context;
  (void) address;
  (void) size;
  (void) value;
  (void) certain;
}

/* Is U one that is run alike whatever else there is?  */
static bool
is_plain (const struct tb_uop *u)
{
  return tb_op_is (u->op, TB_EXACT) && (u->dst | u->a | u->b) < TB_A64_VECTOR;
}

/* The instruction T, as it can be run, into SEMANTICS, with the slots that it READS and
   WRITES; false: it cannot.  */
static bool
take (const struct tb_state *s, const struct tb_template *t,
      struct tb_semantics *semantics, uint64_t *reads, uint64_t *writes)
{
  *reads = *writes = 0;
  for (unsigned k = 0; k < t->count; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (!is_plain (u))
	return false;
      *reads |= u->a < TB_A64_NSLOTS ? SLOT (u->a) : 0;
      *reads |= u->b < TB_A64_NSLOTS ? SLOT (u->b) : 0;
      *reads |= tb_op_is (u->op, TB_READS_FLAGS) ? FLAGS : 0;
      *writes |= u->dst < TB_A64_NSLOTS ? SLOT (u->dst) : 0;
    }
  semantics->modelled = t->modelled;
  semantics->count = t->count;
  memcpy (semantics->uops, s->uops + t->first,
	  t->count * sizeof *semantics->uops);
  return t->modelled && t->count > 0
	 && ((*reads | *writes) & ~COMPARED) == 0;
}

/* The slots as VALUES tell them; returns which.  */
static uint64_t
take_values (const struct tb_value *values, uint64_t *places)
{
  uint64_t known = 0;
  for (unsigned i = 0; i <= TB_A64_SP; i++)
    {
      places[i] = values[i].bits;
      known |= (uint64_t) (values[i].mask == UINT64_MAX) << i;
    }
  for (unsigned i = 0; i < 4; i++)
    {
      places[TB_A64_N + i] = values[TB_PSTATE].bits >> (31 - i) & 1;
      known |= (values[TB_PSTATE].mask >> (31 - i) & 1) << (TB_A64_N + i);
    }
  return known;
}

/* Does the log have a line for SLOT just before STEP?  */
static bool
has_line (const struct tb_state *s, uint64_t step, unsigned slot)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  unsigned mode = tb_facts_step (f, step - 1)->mode;
  const struct tb_facts_register *r
    = tb_state_log_place (s->stated, mode,
			  slot <= TB_A64_SP ? slot : TB_PSTATE);
  return r != NULL && tb_facts_changed (r, step);
}

/* Does step I of the window contradict the log?  With LINES, lines alone.  */
static void
find_in (const struct tb_state *s, uint64_t i, bool lines,
	 struct tb_stated_fault *fault)
{
  static const char *const flags[] = { "n", "z", "c", "v" };
  uint64_t step = s->base + i, reads, writes;
  uint64_t places[TB_A64_END] = { 0 }, after[TB_A64_END];
  struct tb_semantics semantics;
  struct tb_semantics_result_64 result;
  struct tb_value values[TB_NREGS_MAX];
  struct loads loads = { .failed = false };
  struct tb_semantics_memory_64 memory = { load, store, &loads };
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  if (!t->modelled)
    return;
  tb_state_log_registers (s->stated, step, values);
  uint64_t told = take_values (values, places);
  if (tb_stated_wrong_store (s->stated, step, s->uops + t->first, t->count, places,
			     told, fault)
      || !take (s, t, &semantics, &reads, &writes) || (reads & ~told) != 0)
    return;
  loads.count = tb_state_log_accesses (s->stated, step, loads.items, 16);
  if (loads.count > 16)
    return;
  tb_semantics_run_64 (&semantics, places, &memory, &result);
  if (loads.failed)
    return;
  tb_state_log_registers (s->stated, step + 1, values);
  uint64_t known = take_values (values, after) & writes & ~result.unknown;
  for (; known != 0 && !fault->found; known &= known - 1)
    {
      unsigned slot = (unsigned) __builtin_ctzll (known);
      if (places[slot] != after[slot]
	  && (!lines || has_line (s, step + 1, slot)))
	*fault = (struct tb_stated_fault) {
	  .found = true, .step = step, .told = after[slot],
	  .made = places[slot], .reg = (uint8_t) slot,
	  .name = slot <= TB_A64_SP ? NULL : flags[slot - TB_A64_N]
	};
    }
}

void
tb_a64_find_fault (const struct tb_state *s, bool lines,
		   struct tb_stated_fault *fault)
{
  for (uint64_t i = 0; i + 1 < s->steps && !fault->found; i++)
    if (!(s->info[i + 1] & TB_INFO_EVENTS))
      find_in (s, i, lines, fault);
}
