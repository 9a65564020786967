/* Coverage.  See coverage.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/coverage.h"

/* Accesses of a step that are looked at.  */
#define ACCESSES 64

static void
count (struct tb_coverage_count *c, bool assumed)
{
  if (assumed)
    c->assumed++;
  else
    c->certain++;
}

static void
add_registers (struct tb_coverage *c, struct tb_state *state, uint64_t step,
	       const struct tb_profile *profile)
{
  struct tb_value values[TB_NREGS_MAX];
  size_t n;
  const struct tb_reg_info *regs = tb_regs (profile, &n);
  unsigned psr = regs[0].bits == 64 ? TB_PSTATE : TB_PSR;
  tb_state_registers (state, step, values);
  for (size_t i = 0; i < n; i++)
    {
      uint64_t whole = regs[i].bits == 64 ? UINT64_MAX : UINT32_MAX;
      if (values[i].origin != TB_UNKNOWN && values[i].mask == whole)
	count (&c->registers[i], values[i].origin == TB_ASSUMED);
    }
  if ((values[psr].mask & TB_PSR_NZCV) == TB_PSR_NZCV)
    count (&c->flags, values[psr].origin == TB_ASSUMED);
}

/* Are the bytes of ACCESS known before STEP?  */
static bool
is_known (struct tb_state *state, uint64_t step,
	  const struct tb_access_info *access, bool *assumed)
{
  uint8_t bytes[16], origins[16];
  if (access->length > sizeof bytes
      || tb_state_memory (state, step, access->address, bytes, origins,
			  access->length) != access->length)
    return false;
  *assumed = access->address_assumed;
  for (uint32_t i = 0; i < access->length; i++)
    *assumed |= origins[i] == TB_ASSUMED;
  return true;
}

void
tb_coverage_add (struct tb_coverage *c, struct tb_state *state, uint64_t step,
		 const struct tb_profile *profile)
{
  struct tb_access_info accesses[ACCESSES];
  c->steps++;
  add_registers (c, state, step, profile);
  if (!tb_state_analysed (state, step))
    return;
  c->analysed++;
  size_t n = tb_state_accesses (state, step, accesses, ACCESSES);
  for (size_t i = 0; i < n && i < ACCESSES; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      struct tb_coverage_accesses *kind = a->store ? &c->stores : &c->loads;
      bool assumed = false;
      kind->count++;
      if (!a->address_known)
	continue;
      count (&kind->addresses, a->address_assumed);
      /* What was stored is there after the step.  */
      if (is_known (state, step + a->store, a, &assumed))
	count (&kind->values, assumed);
    }
}
