/* Explanations: which state, and which of its values.  See why.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/why.h"

#include <stdlib.h>

#include "recording/facts.h"
#include "state/answer/sve.h"
#include "state/evidence/log.h"
#include "state/window/fp.h"
#include "state/evidence/log-state.h"
#include "state/explain/variants.h"
#include "state/explain/why-chain.h"
#include "state/window/windows.h"

/* Flag NUMBER, which has no value of its own where no one reads it.  */
static void
explain_flag (struct tb_why_chain *c, const struct tb_names *names,
	      unsigned number, uint64_t step, const struct tb_value *psr)
{
  const struct tb_state *s = c->window;
  const tb_vid *slot = &s->names.slot[tb_slot_n (s) + number];
  if (*slot != 0)
    {
      c->place = slot;
      tb_why_value (c, *slot, step);
      return;
    }
  const struct tb_flag_rule *rule = number == 2 ? &names->c : &names->v;
  tb_vid from[3] = { rule->a, rule->b, rule->carry };
  if (number < 2)
    from[0] = names->nz;
  else if (rule->op == TB_OP_UNKNOWN)
    from[0] = from[1] = from[2] = 0;
  tb_why_values (c, from, number < 2 ? 1 : 3, step,
		 psr->mask >> (31 - number) & 1,
		 psr->bits >> (31 - number) & 1);
}

/* The words of the FP register, or the half of the vector register, that Q asks for.  */
static void
explain_vector (struct tb_why_chain *c, const struct tb_state *s,
		const struct tb_why_query *q, uint64_t step)
{
  bool a64 = s->a64 != NULL, whole = true;
  unsigned at = 2 * q->number + (unsigned) (q->address / (a64 ? 8 : 4));
  unsigned count = a64 ? 1 : q->number == TB_FPSCR ? 2 : q->size / 4;
  tb_vid ids[2] = { 0, 0 };
  struct tb_vector vectors[TB_NVECTORS] = { 0 };
  if (!a64 && (q->number > TB_FPSCR || !s->fp))
    return;
  if (a64 && q->number >= TB_FPSCR)
    at = TB_A64_FPCR - TB_A64_VECTOR + (q->number - TB_FPSCR);
  for (unsigned i = 0; i < count; i++)
    ids[i] = s->names.fp[at + i];
  tb_fp_values (s, vectors);
  const struct tb_value *v = &vectors[q->number].half[q->address / 8];
  uint64_t mask = q->size == 8 ? UINT64_MAX : UINT64_C (0xffffffff);
  unsigned shift = 8 * (unsigned) (q->address % 8);
  if (a64 && q->size != 8)
    whole = tb_known_all (tb_graph_known (&s->graph, ids[0]));
  c->place = &s->names.fp[at];
  if (count == 1 && ids[0] != 0 && whole)
    tb_why_value (c, ids[0], step);
  else
    tb_why_values (c, ids, count, step, (v->mask >> shift & mask) == mask,
		   v->bits >> shift & mask);
}

/* Explain by S alone.  */
static size_t
explain (struct tb_state *s, uint64_t step, const struct tb_why_query *q,
	 const struct tb_value *values, struct tb_why *items, tb_vid *ids,
	 size_t capacity)
{
  if (step < s->base || step - s->base > s->steps)
    return 0;
  struct tb_why_chain c = {
    .window = s, .items = items, .ids = ids, .capacity = capacity
  };
  tb_state_seek (s, step - s->base);
  struct tb_names names = s->names;
  if (q->kind == TB_WHY_BYTES)
    tb_why_bytes (&c, q->address, q->size, step, names.next_access,
		  names.epoch);
  else if (q->kind == TB_WHY_FLAG)
    explain_flag (&c, &names, q->number, step,
		  &values[s->a64 != NULL ? TB_PSTATE : TB_PSR]);
  else if (q->kind == TB_WHY_VECTOR)
    explain_vector (&c, s, q, step);
  else if (names.slot[q->number] != 0)
    {
      c.place = &s->names.slot[q->number];
      tb_why_value (&c, names.slot[q->number], step);
    }
  else
    tb_why_values (&c, NULL, 0, step, false, 0);
  return c.count;
}

/* The bits of what Q asks for.  */
static uint64_t
bits_of (const struct tb_why_query *q)
{
  return q->size < 8 ? (UINT64_C (1) << 8 * q->size) - 1 : UINT64_MAX;
}

/* The bytes of the FP, vector or SVE register that Q asks for, before STEP: which are
   known, and what they are.  */
static struct tb_value
vector_value (struct tb_state *s, uint64_t step, const struct tb_why_query *q)
{
  struct tb_vector vectors[TB_NVECTORS];
  if (q->kind == TB_WHY_SVE)
    {
      struct tb_sve sve;
      struct tb_value part = { .bits = 0 };
      tb_state_sve (s, step, q->number, &sve);
      for (unsigned i = 0; i < q->size && q->address + i < TB_SVE_MAX; i++)
	{
	  part.bits |= (uint64_t) sve.bytes[q->address + i] << 8 * i;
	  part.mask |= (uint64_t) sve.mask[q->address + i] << 8 * i;
	}
      part.origin = part.mask != 0 ? TB_STATED : TB_UNKNOWN;
      return part;
    }
  if (!tb_state_vectors (s, step, vectors))
    return (struct tb_value) { 0 };
  struct tb_value v = vectors[q->number].half[q->address / 8];
  unsigned shift = 8 * (q->address % 8);
  v.bits >>= shift;
  v.mask >>= shift;
  v.assumed >>= shift;
  return v;
}

/* Is what Q asks for known, and only under an assumption?  */
static bool
is_assumed (struct tb_state *s, uint64_t step, const struct tb_why_query *q,
	    const struct tb_value *values)
{
  bool wide = s->profile->has_a64, assumed = false;
  const struct tb_value *v = &values[q->kind == TB_WHY_REGISTER ? q->number : 0];
  if (q->kind == TB_WHY_BYTES)
    {
      uint8_t bytes[8], origins[8];
      if (tb_state_memory (s, step, q->address, bytes, origins, q->size)
	  != q->size)
	return false;
      for (unsigned i = 0; i < q->size; i++)
	assumed |= origins[i] == TB_ASSUMED;
      return assumed;
    }
  struct tb_value vector;
  uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
  if (q->kind == TB_WHY_FLAG)
    {
      v = &values[wide ? TB_PSTATE : TB_PSR];
      mask = TB_PSR_N >> q->number;
    }
  else if (q->kind == TB_WHY_VECTOR)
    {
      vector = vector_value (s, step, q);
      v = &vector;
      mask = bits_of (q);
    }
  return tb_value_origin (v, mask) == TB_ASSUMED;
}

/* Explain by the windows of S, which has what that needs.  */
static size_t
explain_in (struct tb_state *s, uint64_t step, const struct tb_why_query *q,
	    struct tb_why *items, size_t capacity)
{
  struct tb_value values[TB_NREGS_MAX];
  s = tb_windows_at (s, step);
  tb_vid *ids = calloc (capacity, sizeof *ids);
  size_t count = 0;
  if (ids == NULL)
    tb_recording_lacks_memory (s->recording);
  else
    {
      tb_state_registers (s, step, values);
      bool assumed = is_assumed (s, step, q, values);
      /* What is not known either way is not for what is left with the assumptions.  */
      bool more = s->assumed != NULL
		  && !tb_why_find_verdict (s, step, q, s->profile).whole;
      count = explain (assumed || more ? s->assumed : s, step, q, values, items, ids,
		       capacity);
      for (size_t i = 0; i < count; i++)
	items[i].assumed = assumed;
    }
  free (ids);
  return count;
}

/* Does ITEM say what S says of Q before STEP?  */
static bool
fits (struct tb_state *s, uint64_t step, const struct tb_why_query *q,
      const struct tb_why *item)
{
  struct tb_why_verdict verdict = tb_why_find_verdict (s, step, q, s->profile);
  return item->known == verdict.whole
	 && (!item->known || item->value == verdict.value);
}

/* ITEMS, COUNT of them, are of bytes that the steps leave unknown.  If WHOLE, what is
   asked for, knows them all the same, that is by the dump, which tells what devices and
   memory of others hold at the halt, whatever the core stored there.  */
static size_t
correct_bytes (struct tb_state *whole, uint64_t step, const struct tb_why_query *q,
	       struct tb_why *items, size_t count)
{
  if (q->kind != TB_WHY_BYTES || count == 0 || items[0].known)
    return count;
  const struct tb_why_verdict v
    = tb_why_find_verdict (whole, step, q, whole->profile);
  if (!v.whole)
    return count;
  if (step != tb_recording_steps (whole->recording))
    return 0;
  items[0] = (struct tb_why) { .step = step, .known = true, .value = v.value,
			       .rule = TB_WHY_HALT };
  return 1;
}

bool
tb_why_is_told (struct tb_state *s, uint64_t step, const struct tb_why_query *q)
{
  bool wide = s->profile->has_a64;
  /* Of vector registers only lines tell.  */
  if (s->log == NULL || s->derived == NULL || q->kind == TB_WHY_VECTOR
      || q->kind == TB_WHY_SVE)
    return s->log != NULL;
  if (q->kind == TB_WHY_BYTES)
    return tb_log_state_tells_memory (s, step, q->address, q->size);
  if (q->kind == TB_WHY_FLAG)
    return tb_log_state_tells_register (s, step, wide ? TB_PSTATE : TB_PSR,
					TB_PSR_N >> q->number);
  return tb_log_state_tells_register (s, step, q->number,
				      wide ? UINT64_MAX : UINT32_MAX);
}

enum tb_why_rule
tb_why_of_frame (const struct tb_why_query *query, const struct tb_why_verdict *verdict)
{
  if (verdict->origin == TB_ASSUMED)
    return TB_WHY_MARKED;
  /* What frames have is stated: this is of --elf.  */
  return verdict->origin == TB_DERIVED && query->kind == TB_WHY_BYTES ? TB_WHY_MEMORY
	 : TB_WHY_FRAME;
}

/* The line that tells the register of S that Q asks for, which is a log.  */
static size_t
by_line (struct tb_state *s, uint64_t step, const struct tb_why_query *q,
	 struct tb_why *items)
{
  uint64_t made;
  unsigned reg = q->number, lane = (unsigned) q->address / 4, count = (q->size + 3u) / 4;
  bool frames = tb_state_log_facts (s->log)->frames;
  if (frames)
    made = step;
  else if (q->kind == TB_WHY_REGISTER)
    {
      if (s->profile->has_a64 || !tb_state_log_since (s->log, step, reg, &made))
	return 0;
    }
  else
    {
      /* Two D registers of AArch32 are in each V register.  */
      if (q->kind == TB_WHY_VECTOR && reg >= TB_FPSCR)
	reg += TB_NSVE - TB_FPSCR;
      else if (q->kind == TB_WHY_VECTOR && !s->profile->has_a64)
	{
	  lane += reg % 2 * 2;
	  reg /= 2;
	}
      if (!tb_state_log_lanes_since (s->log, step, reg, lane, count, &made))
	return 0;
    }
  const struct tb_why_verdict v = tb_why_find_verdict (s, step, q, s->profile);
  if (!v.whole)
    return 0;
  items[0] = (struct tb_why) { .step = made, .known = true, .value = v.value,
			       .rule = (uint8_t) (frames ? tb_why_of_frame (q, &v)
						 : TB_WHY_LOG) };
  return 1;
}

size_t
tb_state_why (struct tb_state *s, uint64_t step, const struct tb_why_query *q,
	      struct tb_why *items, size_t capacity)
{
  if (capacity > UINT16_MAX)
    capacity = UINT16_MAX;
  if (capacity == 0
      || (q->kind == TB_WHY_REGISTER
	  && q->number > (s->profile->has_a64 ? (unsigned) TB_SP64
			  : (unsigned) TB_LR))
      || (q->kind == TB_WHY_FLAG && q->number > 3)
      || (q->kind == TB_WHY_VECTOR && q->number >= TB_NVECTORS)
      || (q->kind == TB_WHY_SVE && (q->number >= TB_NSVE || q->size > 8))
      || (q->kind == TB_WHY_BYTES && (q->size == 0 || q->size > 8)))
    return 0;
  if (s->log != NULL && !tb_why_is_told (s, step, q))
    return tb_state_why (s->derived, step, q, items, capacity);
  if (s->log != NULL)
    return q->kind == TB_WHY_REGISTER || q->kind == TB_WHY_VECTOR
	   || q->kind == TB_WHY_SVE ? by_line (s, step, q, items) : 0;
  if (q->kind == TB_WHY_SVE)
    return 0;
  struct tb_state *e = tb_variant_explained (s);
  if (e == NULL)
    return 0;
  size_t count = explain_in (e, step, q, items, capacity);
  bool by_dump = q->kind == TB_WHY_BYTES && count != 0 && !items[0].known
		 && step == tb_recording_steps (s->recording);
  /* Its windows may not have heard of each other what those of S have, however far
     from here that is.  */
  if (e != s && count != 0 && !by_dump && !fits (s, step, q, &items[0])
      && tb_state_prepare (e, 0, NULL, NULL, NULL))
    count = explain_in (e, step, q, items, capacity);
  return correct_bytes (s, step, q, items, count);
}

struct tb_why_verdict
tb_why_find_verdict (struct tb_state *state, uint64_t step,
		     const struct tb_why_query *query,
		     const struct tb_profile *profile)
{
  struct tb_why_verdict verdict = { 0 };
  if (query->kind == TB_WHY_BYTES)
    {
      uint8_t bytes[8], origins[8];
      verdict.whole = tb_state_memory (state, step, query->address, bytes,
				       origins, query->size) == query->size;
      for (unsigned i = 0; i < query->size; i++)
	{
	  verdict.value |= (uint64_t) bytes[i] << 8 * i;
	  if (origins[i] > verdict.origin)
	    verdict.origin = origins[i];
	}
      return verdict;
    }
  struct tb_value values[TB_NREGS_MAX];
  struct tb_value vector;
  const struct tb_value *v
    = &values[query->kind == TB_WHY_REGISTER ? query->number : 0];
  uint64_t mask = bits_of (query);
  tb_state_registers (state, step, values);
  if (query->kind == TB_WHY_VECTOR || query->kind == TB_WHY_SVE)
    {
      vector = vector_value (state, step, query);
      v = &vector;
    }
  else if (query->kind == TB_WHY_FLAG)
    {
      v = &values[profile->has_a64 ? TB_PSTATE : TB_PSR];
      mask = TB_PSR_N >> query->number;
    }
  verdict.whole = (v->mask & mask) == mask;
  verdict.value = query->kind == TB_WHY_FLAG ? (v->bits & mask) != 0
						: v->bits & mask;
  verdict.origin = tb_value_origin (v, v->mask & mask);
  return verdict;
}
