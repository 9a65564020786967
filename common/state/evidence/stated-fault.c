/* Where a log first contradicts an instruction.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The instruction is run on what the log says before it, where that tells all that it
   reads.  */

#include "config.h"
#include "state/evidence/stated.h"

#include <string.h>

#include "recording/facts.h"

/* Registers that are compared.  */
#define COMPARED (((UINT32_C (2) << TB_LR) - 1) | TB_SLOTS_NZCV)

/* What a step of the log loads.  */
struct fault_loads
{
  struct tb_access_info items[16];
  size_t count;
  bool failed;			/* One is not told.  */
};

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct fault_loads *loads = context;
  for (size_t i = 0; i < loads->count; i++)
    {
      const struct tb_access_info *a = &loads->items[i];
      if (!a->store && a->value_known && a->address == address
	  && a->length == size)
	return (uint32_t) a->value;
    }
  loads->failed = true;
  return 0;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  (void) context;
  (void) address;
  (void) size;
  (void) value;
}

/* Is U one that is run alike whatever else there is?  */
static bool
is_plain (const struct tb_uop *u)
{
  return tb_op_is (u->op, TB_EXACT) && u->dst < TB_PLACE_FP && u->a < TB_PLACE_FP
	 && u->b < TB_PLACE_FP;
}

/* The instruction T, as it can be run, into SEMANTICS; false: it cannot.  */
static bool
take (const struct tb_state *s, const struct tb_template *t,
      struct tb_semantics *semantics, struct tb_semantics_effect *effect)
{
  if (!t->modelled || t->count == 0)
    return false;
  for (unsigned k = 0; k < t->count; k++)
    if (!is_plain (&s->uops[t->first + k]))
      return false;
  semantics->flags = t->flags;
  semantics->count = t->count;
  memcpy (semantics->uops, s->uops + t->first,
	  t->count * sizeof *semantics->uops);
  tb_semantics_effect (semantics->uops, semantics->count, effect);
  return ((effect->reads | effect->may_write) & ~COMPARED) == 0;
}

/* The slots as VALUES tell them; returns which.  */
static uint32_t
take_values (const struct tb_value *values, uint32_t *places)
{
  uint32_t known = 0;
  for (unsigned i = 0; i <= TB_LR; i++)
    {
      places[i] = (uint32_t) values[i].bits;
      known |= (uint32_t) (values[i].mask == UINT32_MAX) << i;
    }
  for (unsigned i = 0; i < 4; i++)
    {
      places[TB_SLOT_N + i] = values[TB_PSR].bits >> (31 - i) & 1;
      known |= (values[TB_PSR].mask >> (31 - i) & 1) << (TB_SLOT_N + i);
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
    = tb_state_log_place (s->stated, mode, slot <= TB_LR ? slot : TB_PSR);
  return r != NULL && tb_facts_changed (r, step);
}

bool
tb_stated_wrong_store (const struct tb_state_log *log, uint64_t step,
		       const struct tb_uop *uops, unsigned count,
		       const uint64_t *values, uint64_t known,
		       struct tb_stated_fault *fault)
{
  enum { MOST = 16 };
  struct tb_access_info told[MOST];
  const struct tb_uop *stores[MOST];
  size_t nstores = 0, n, at = 0;
  /* Operands that an operation before the store changes are not those of before.  */
  uint64_t written = 0;
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      if (u->op == TB_OP_STORE && nstores < MOST)
	stores[nstores++] = u->b < 64 && !(written >> u->b & 1) ? u : NULL;
      else if (tb_op_is (u->op, TB_STORES))
	return false;
      else if (u->dst < 64)
	written |= UINT64_C (1) << u->dst;
    }
  if (nstores == 0)
    return false;
  n = tb_state_log_accesses ((struct tb_state_log *) log, step, told, MOST);
  if (n > MOST)
    return false;
  for (size_t i = 0; i < n; i++)
    at += told[i].store;
  if (at != nstores)
    return false;
  at = 0;
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_access_info *a = &told[i];
      const struct tb_uop *u = a->store ? stores[at++] : NULL;
      unsigned size = u != NULL ? TB_ACCESS_SIZE (u->imm) : 0;
      if (size == 0 || size > 8 || size != a->length || !a->value_known
	  || !(known >> u->b & 1))
	continue;
      uint64_t all = UINT64_MAX >> (64 - 8 * size);
      if (((values[u->b] ^ a->value) & all) == 0)
	continue;
      *fault = (struct tb_stated_fault) {
	.found = true, .stored = true, .step = step, .address = a->address,
	.told = a->value & all, .made = values[u->b] & all
      };
      return true;
    }
  return false;
}

/* Does step I of the window contradict the log?  With LINES, lines alone.  */
static bool
find_in (const struct tb_state *s, uint64_t i, bool lines,
	 struct tb_stated_fault *fault)
{
  static const char *const flags[] = { "n", "z", "c", "v" };
  uint64_t step = s->base + i;
  const struct tb_template *t
    = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  struct tb_semantics semantics;
  struct tb_semantics_effect effect;
  struct tb_semantics_result result;
  struct tb_value values[TB_NREGS_MAX];
  uint32_t places[TB_PLACE_END] = { 0 }, after[TB_PLACE_END];
  struct fault_loads loads = { .failed = false };
  struct tb_semantics_memory memory = { load, store, &loads };
  uint64_t slots[TB_NSLOTS];
  if (!t->modelled)
    return false;
  tb_state_log_registers (s->stated, step, values);
  uint32_t known = take_values (values, places);
  for (unsigned k = 0; k < TB_NSLOTS; k++)
    slots[k] = places[k];
  if (tb_stated_wrong_store (s->stated, step, s->uops + t->first, t->count, slots,
			     known, fault))
    return true;
  if (!take (s, t, &semantics, &effect))
    return false;
  if ((effect.reads & ~known) != 0)
    return false;
  loads.count = tb_state_log_accesses (s->stated, step, loads.items, 16);
  if (loads.count > 16)
    return false;
  tb_semantics_run (&semantics, places, &memory, &result);
  if (loads.failed)
    return false;
  tb_state_log_registers (s->stated, step + 1, values);
  known = take_values (values, after) & effect.writes;
  for (; known != 0; known &= known - 1)
    {
      unsigned slot = (unsigned) __builtin_ctz (known);
      if (places[slot] == after[slot]
	  || (lines && !has_line (s, step + 1, slot)))
	continue;
      *fault = (struct tb_stated_fault) {
	.found = true, .step = step, .told = after[slot],
	.made = places[slot],
	.name = slot <= TB_LR ? NULL : flags[slot - TB_SLOT_N],
	.reg = (uint8_t) slot
      };
      return true;
    }
  return false;
}

void
tb_stated_find_fault (const struct tb_state *s, bool lines,
		      struct tb_stated_fault *fault)
{
  for (uint64_t i = 0; i + 1 < s->steps && !fault->found; i++)
    if (!(s->info[i + 1] & TB_INFO_EVENTS))
      find_in (s, i, lines, fault);
}
