/* Coverage.  See coverage.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/coverage.h"

#include "state/effect.h"
#include "state/explain/variants.h"
#include "state/explain/why.h"
#include "state/window/internal.h"

/* Accesses of a step that are looked at.  */
#define ACCESSES 64

static void
count (struct tb_coverage_count *c, bool known, bool assumed)
{
  if (known && assumed)
    c->assumed++;
  else if (known)
    c->certain++;
}

static void
share (struct tb_coverage_share *s, bool known, bool assumed)
{
  s->count++;
  count (&s->known, known, assumed);
}

/* Count the registers VALUES that are in SET; the flags are those of number PSR.
   Returns those of them that are not known.  */
static uint64_t
add_registers (struct tb_coverage_registers *c, const struct tb_value *values,
	       const struct tb_profile *profile, uint64_t set)
{
  size_t n;
  const struct tb_reg_info *regs = tb_regs (profile, &n);
  bool wide = regs[0].bits == 64;
  const struct tb_value *psr = &values[wide ? TB_PSTATE : TB_PSR];
  uint64_t whole = wide ? UINT64_MAX : UINT32_MAX, flags = 0, unknown = 0;
  for (size_t i = 0; i < n && i < TB_EFFECT_N; i++)
    if (set >> i & 1)
      {
	bool known = values[i].origin != TB_UNKNOWN && values[i].mask == whole;
	share (&c->registers[i], known, values[i].origin == TB_ASSUMED);
	unknown |= (uint64_t) !known << i;
      }
  for (unsigned i = 0; i < 4; i++)
    {
      uint64_t flag = (set >> (TB_EFFECT_N + i) & 1) << (31 - i);
      flags |= flag;
      if ((flag & ~psr->mask) != 0)
	unknown |= UINT64_C (1) << (TB_EFFECT_N + i);
    }
  enum tb_origin origin = tb_value_origin (psr, flags);
  if (flags != 0)
    share (&c->flags, origin != TB_UNKNOWN, origin == TB_ASSUMED);
  return unknown;
}

static void
add_vectors (struct tb_coverage_share *s, struct tb_state *state,
	     uint64_t step, const struct tb_profile *profile)
{
  struct tb_vector vectors[TB_NVECTORS];
  bool wide = !profile->is_m && profile->has_a64;
  unsigned n = profile->is_m ? 16 : 32;
  if (!tb_state_vectors (state, step, vectors))
    return;
  for (unsigned i = 0; i < n; i++)
    {
      const struct tb_value *half = vectors[i].half;
      uint64_t mask = wide ? half[0].mask & half[1].mask : half[0].mask;
      bool assumed = half[0].origin == TB_ASSUMED
		     || (wide && half[1].origin == TB_ASSUMED);
      share (s, mask == UINT64_MAX, assumed);
    }
}

/* The registers of SET that are wholly known by VALUES.  */
static uint64_t
known_of (const struct tb_value *values, const struct tb_profile *profile, uint64_t set)
{
  struct tb_coverage_registers nobody = { 0 };
  return set & ~add_registers (&nobody, values, profile, set);
}

/* Count for the doubt what is known before STEP by S, which doubts nothing: of the registers
   UNKNOWN, and of the N ACCESSES, which are changed to known.  Returns the other
   registers.  */
static uint64_t
take_doubted (struct tb_reasons_count *doubt, struct tb_state *s, uint64_t step,
	      const struct tb_profile *profile, uint64_t unknown,
	      struct tb_access_info *accesses, size_t n)
{
  struct tb_access_info others[ACCESSES];
  struct tb_value values[TB_NREGS_MAX];
  tb_state_registers (s, step, values);
  uint64_t known = known_of (values, profile, unknown);
  doubt->pairs += (uint64_t) __builtin_popcountll (known & ~TB_EFFECT_NZCV)
		  + ((unknown & TB_EFFECT_NZCV) != 0
		     && (known & TB_EFFECT_NZCV) == (unknown & TB_EFFECT_NZCV));
  if (tb_state_accesses (s, step, others, ACCESSES) != n)
    n = 0;
  for (size_t i = 0; i < n; i++)
    {
      struct tb_access_info *a = &accesses[i];
      if (!a->address_known && others[i].address_known)
	{
	  a->address_known = true;
	  ++*(a->store ? &doubt->store_addresses : &doubt->load_addresses);
	}
      if (!a->value_known && others[i].value_known)
	{
	  a->value_known = true;
	  ++*(a->store ? &doubt->store_values : &doubt->load_values);
	}
    }
  return unknown & ~known;
}

void
tb_coverage_add (struct tb_coverage *c, struct tb_state *state, uint64_t step,
		 const struct tb_profile *profile, const uint64_t *live)
{
  struct tb_access_info accesses[ACCESSES];
  struct tb_value values[TB_NREGS_MAX];
  struct tb_effect effect;
  uint64_t unknown = 0;
  size_t n = 0;
  c->steps++;
  tb_state_registers (state, step, values);
  add_registers (&c->all, values, profile, UINT64_MAX);
  add_vectors (&c->vectors, state, step, profile);
  if (live != NULL)
    unknown = add_registers (&c->live, values, profile, *live);
  if (tb_state_effect (state, step, &effect))
    {
      c->analysed++;
      add_registers (&c->read, values, profile, effect.reads);
      n = tb_state_accesses (state, step, accesses, ACCESSES);
      if (n > ACCESSES)
	n = ACCESSES;
    }
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      struct tb_coverage_accesses *kind = a->store ? &c->stores : &c->loads;
      kind->count++;
      count (&kind->addresses, a->address_known, a->address_assumed);
      count (&kind->values, a->value_known, a->value_assumed);
    }
  if (c->reasons != NULL && tb_why_doubted (state) != 0)
    {
      struct tb_state *relying = tb_variant_relying (state->derived ? state->derived : state);
      if (relying == NULL)
	c->reasons->failed = true;
      else
	unknown = take_doubted (&c->reasons->counts[TB_WHY_NOT_DOUBT], relying, step,
				profile, unknown, accesses, n);
    }
  if (c->reasons != NULL)
    tb_reasons_add (c->reasons, state, step, unknown, accesses, n);
}
