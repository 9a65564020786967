/* Where a log first contradicts an instruction.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The instruction is run on what the log says before it, where that tells all that it
   reads.  */

#include "config.h"
#include "state/evidence/stated.h"

#include <string.h>

#include "recording/facts.h"
#include "state/window/a64.h"

/* What a step of the log loads.  */
struct fault_loads
{
  struct tb_access_info items[16];
  size_t count;
  bool failed;			/* One is not told.  */
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct fault_loads *loads = context;
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

/* An instruction that can be run on what the log tells.  */
struct fault_run
{
  struct tb_semantics semantics;
  struct tb_semantics_effect effect;
};

/* The instruction T, as it can be run, into RUN; false: it cannot, as more than general
   registers and flags has to do with it.  */
static bool
take (const struct tb_state *s, const struct tb_template *t, struct fault_run *run)
{
  const struct tb_uop *uops = s->uops + t->first;
  bool a64 = s->a64 != NULL;
  unsigned last = a64 ? (unsigned) TB_A64_SP : (unsigned) TB_LR;
  uint64_t compared = ((UINT64_C (2) << last) - 1) | tb_slots_nzcv (s);
  for (unsigned k = 0; k < t->count; k++)
    if (!tb_op_is (uops[k].op, TB_EXACT)
	|| (uops[k].dst | uops[k].a | uops[k].b) >= TB_PLACE_FP)
      return false;
  run->semantics.modelled = t->modelled;
  run->semantics.wide = a64;
  run->semantics.flags = t->flags;
  run->semantics.count = t->count;
  memcpy (run->semantics.uops, uops, t->count * sizeof *uops);
  tb_semantics_effect (uops, t->count, a64, &run->effect);
  return t->count != 0
	 && ((run->effect.reads | run->effect.may_write) & ~compared) == 0;
}

/* Run RUN on PLACES, with LOADS; returns the slots that it makes known.  */
static uint64_t
do_run (const struct fault_run *run, uint64_t *places, struct fault_loads *loads)
{
  struct tb_semantics_memory memory = { load, store, loads };
  struct tb_semantics_result result;
  tb_semantics_run (&run->semantics, places, &memory, &result);
  return run->effect.writes & ~result.unknown;
}

/* The slots as VALUES tell them; returns which.  */
static uint64_t
take_values (const struct tb_state *s, const struct tb_value *values,
	     uint64_t *places)
{
  bool a64 = s->a64 != NULL;
  const struct tb_value *status = &values[a64 ? TB_PSTATE : TB_PSR];
  unsigned last = a64 ? (unsigned) TB_A64_SP : (unsigned) TB_LR, n = tb_slot_n (s);
  uint64_t known = 0;
  for (unsigned i = 0; i <= last; i++)
    {
      places[i] = values[i].bits;
      known |= (uint64_t) (values[i].mask == s->graph.ones) << i;
    }
  for (unsigned i = 0; i < 4; i++)
    {
      places[n + i] = status->bits >> (31 - i) & 1;
      known |= (status->mask >> (31 - i) & 1) << (n + i);
    }
  return known;
}

/* Does the log have a line for SLOT just before STEP?  */
static bool
has_line (const struct tb_state *s, uint64_t step, unsigned slot)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  unsigned mode = tb_facts_step (f, step - 1)->mode;
  unsigned status = s->a64 != NULL ? (unsigned) TB_PSTATE : (unsigned) TB_PSR;
  const struct tb_facts_register *r
    = tb_state_log_place (s->stated, mode, slot < tb_slot_n (s) ? slot : status);
  return r != NULL && tb_facts_changed (r, step);
}

/* Does STEP, whose instruction has COUNT micro-operations UOPS, store the value of a slot,
   which is not what the log tells of the store?  Then it is the FAULT.  VALUES has the
   slots that KNOWN has a bit for.  */
static bool
is_wrong_store (struct tb_state_log *log, uint64_t step,
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
  n = tb_state_log_accesses (log, step, told, MOST);
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
static void
find_in (const struct tb_state *s, uint64_t i, bool lines,
	 struct tb_stated_fault *fault)
{
  static const char *const flags[] = { "n", "z", "c", "v" };
  uint64_t step = s->base + i;
  uint64_t places[TB_A64_END] = { 0 }, after[TB_A64_END];
  const struct tb_template *t
    = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  struct fault_run run;
  struct tb_value values[TB_NREGS_MAX];
  struct fault_loads loads = { .failed = false };
  if (!t->modelled)
    return;
  tb_state_log_registers (s->stated, step, values);
  uint64_t told = take_values (s, values, places);
  if (is_wrong_store (s->stated, step, s->uops + t->first, t->count, places, told,
		      fault)
      || !take (s, t, &run) || (run.effect.reads & ~told) != 0)
    return;
  loads.count = tb_state_log_accesses (s->stated, step, loads.items, 16);
  if (loads.count > 16)
    return;
  uint64_t made = do_run (&run, places, &loads);
  if (loads.failed)
    return;
  tb_state_log_registers (s->stated, step + 1, values);
  uint64_t known = take_values (s, values, after) & made;
  for (; known != 0 && !fault->found; known &= known - 1)
    {
      unsigned slot = (unsigned) __builtin_ctzll (known);
      if (places[slot] != after[slot]
	  && (!lines || has_line (s, step + 1, slot)))
	*fault = (struct tb_stated_fault) {
	  .found = true, .step = step, .told = after[slot],
	  .made = places[slot], .reg = (uint8_t) slot,
	  .name = slot < tb_slot_n (s) ? NULL : flags[slot - tb_slot_n (s)]
	};
    }
}

void
tb_stated_find_fault (const struct tb_state *s, bool lines,
		      struct tb_stated_fault *fault)
{
  for (uint64_t i = 0; i + 1 < s->steps && !fault->found; i++)
    if (!(s->info[i + 1] & TB_INFO_EVENTS))
      find_in (s, i, lines, fault);
}
