/* What is known of the slots and registers by the names there are.  See slots.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/internal.h"
#include "state/window/slots.h"

static void
set (struct tb_slots *slots, unsigned slot, uint32_t mask, uint32_t bits)
{
  slots->mask[slot] = mask;
  slots->bits[slot] = bits;
}

/* The constant that ID is; false when it is not known.  */
static bool
constant (const struct tb_state *s, tb_vid id, uint32_t *c)
{
  if (id == 0)
    return false;
  struct tb_known k = tb_graph_known (&s->graph, id);
  *c = (uint32_t) k.bits;
  return tb_known_all (k);
}

/* C (or V) by RULE, for a flag that has no value of its own because no one
   reads it.  */
static void
read_rule (const struct tb_state *s, const struct tb_flag_rule *rule,
	   bool overflow, struct tb_slots *slots)
{
  uint32_t a, b, carry;
  unsigned slot = overflow ? TB_SLOT_V : TB_SLOT_C;
  if (rule->op == TB_OP_UNKNOWN || rule->a == 0 || !constant (s, rule->b, &b))
    return;
  if (rule->op != TB_OP_CV_ADD && rule->op != TB_OP_CV_SUB)
    {
      /* It is one bit of A, if that is known: whatever the others are.  */
      unsigned op = rule->op - TB_OP_LSL + TB_OP_C_LSL;
      struct tb_known k = tb_graph_known (&s->graph, rule->a);
      uint64_t least = tb_op_value (op, 32, (uint32_t) (k.bits & k.mask), b);
      uint64_t most = tb_op_value (op, 32, (uint32_t) (k.bits | ~k.mask), b);
      if ((b & 255) != 0 && least == most)
	set (slots, slot, UINT32_MAX, (uint32_t) least);
      return;
    }
  if (!constant (s, rule->a, &a))
    return;
  carry = rule->op == TB_OP_CV_SUB;
  if (rule->carry != 0 && !constant (s, rule->carry, &carry))
    return;
  if (rule->op == TB_OP_CV_SUB)
    b = ~b;
  uint64_t sum = (uint64_t) a + b + carry;
  uint32_t low = (uint32_t) sum;
  set (slots, slot, UINT32_MAX,
       overflow ? (~(a ^ b) & (a ^ low)) >> 31 : (uint32_t) (sum >> 32));
}

/* N and Z without names: bit 31 and zero-ness of the value that made them.  */
static void
read_nz (const struct tb_state *s, const struct tb_names *n, bool zero,
	 struct tb_slots *slots)
{
  if (n->nz == 0)
    return;
  struct tb_known k = tb_graph_known (&s->graph, n->nz);
  if (!zero && k.mask >> 31 & 1)
    set (slots, TB_SLOT_N, UINT32_MAX, (uint32_t) k.bits >> 31);
  else if (zero && (k.hi == 0 || k.lo > 0))
    set (slots, TB_SLOT_Z, UINT32_MAX, k.hi == 0);
}

uint32_t
tb_slots_read (const struct tb_state *s, uint32_t which,
	       struct tb_slots *slots)
{
  return tb_slots_by_names (s, &s->names, which, slots);
}

uint32_t
tb_slots_by_names (const struct tb_state *s, const struct tb_names *n,
		   uint32_t which, struct tb_slots *slots)
{
  uint32_t known = 0;
  for (uint32_t left = which; left != 0; left &= left - 1)
    {
      unsigned slot = (unsigned) __builtin_ctz (left);
      set (slots, slot, 0, 0);
      if (n->slot[slot] != 0)
	{
	  struct tb_known k = tb_graph_known (&s->graph, n->slot[slot]);
	  set (slots, slot, (uint32_t) k.mask, (uint32_t) (k.bits & k.mask));
	}
      else if (slot == TB_SLOT_N || slot == TB_SLOT_Z)
	read_nz (s, n, slot == TB_SLOT_Z, slots);
      else if (slot == TB_SLOT_C)
	read_rule (s, &n->c, false, slots);
      else if (slot == TB_SLOT_V)
	read_rule (s, &n->v, true, slots);
      if (slots->mask[slot] == UINT32_MAX)
	known |= TB_SLOT_BIT (slot);
    }
  return known;
}

/* Add what is known of SLOT in the low WIDTH bits, at bit AT of VALUE.  */
static inline void
add (const struct tb_slots *slots, unsigned slot, unsigned width, unsigned at,
     struct tb_value *value)
{
  uint32_t mask = slots->mask[slot] & (UINT32_MAX >> (32 - width));
  value->mask |= (uint64_t) mask << at;
  value->bits |= (uint64_t) (slots->bits[slot] & mask) << at;
}

/* A value that is known now in as much as it says.  */
static inline void
put (struct tb_value *to, struct tb_value value)
{
  value.origin = value.mask != 0 ? TB_DERIVED : TB_UNKNOWN;
  *to = value;
}

static void
put_psr (const struct tb_state *s, const struct tb_slots *slots,
	 struct tb_value *to)
{
  struct tb_value value = { 0 };
  for (unsigned i = 0; i < 4; i++)
    add (slots, TB_SLOT_N + i, 1, 31 - i, &value);
  if (s->profile->is_m)
    {
      value.mask |= UINT32_C (1) << 24;	/* The Thumb bit.  */
      value.bits |= UINT32_C (1) << 24;
    }
  if (!s->profile->is_m || s->profile->arch != TB_ARCH_V6M)
    {
      add (slots, TB_SLOT_Q, 1, 27, &value);
      add (slots, TB_SLOT_GE, 4, 16, &value);
    }
  if (s->profile->is_m)
    add (slots, TB_SLOT_IPSR, 9, 0, &value);
  else
    {
      add (slots, TB_SLOT_MASKS, 3, 6, &value);
      add (slots, TB_SLOT_MODE, 5, 0, &value);
    }
  put (to, value);
}

/* MSP, PSP and CONTROL from the slots that they share.  */
static void
put_banked (const struct tb_slots *slots, struct tb_value *values)
{
  struct tb_value msp = { 0 }, psp = { 0 }, control = { 0 }, primask = { 0 };
  if (slots->mask[TB_SLOT_SPSEL] == UINT32_MAX)
    {
      bool is_psp = slots->bits[TB_SLOT_SPSEL] != 0;
      add (slots, TB_SLOT_SP, 32, 0, is_psp ? &psp : &msp);
      add (slots, TB_SLOT_SP_OTHER, 32, 0, is_psp ? &msp : &psp);
    }
  add (slots, TB_SLOT_NPRIV, 1, 0, &control);
  add (slots, TB_SLOT_SPSEL, 1, 1, &control);
  add (slots, TB_SLOT_PRIMASK, 32, 0, &primask);
  put (&values[TB_MSP], msp);
  put (&values[TB_PSP], psp);
  put (&values[TB_CONTROL], control);
  put (&values[TB_PRIMASK], primask);
}

void
tb_slots_values (const struct tb_state *s, const struct tb_slots *slots,
		 uint32_t which, struct tb_value *values)
{
  enum
  {
    STACKS = TB_SLOT_BIT (TB_SLOT_SP) | TB_SLOT_BIT (TB_SLOT_SP_OTHER)
	     | TB_SLOT_BIT (TB_SLOT_SPSEL) | TB_SLOT_BIT (TB_SLOT_NPRIV)
	     | TB_SLOT_BIT (TB_SLOT_PRIMASK),
    /* Those of the A and R profile are among them.  */
    PSR = TB_SLOTS_NZCV | TB_SLOT_BIT (TB_SLOT_Q) | TB_SLOT_BIT (TB_SLOT_GE)
	  | TB_SLOT_BIT (TB_SLOT_IPSR) | TB_SLOT_BIT (TB_SLOT_PRIMASK)
  };
  for (uint32_t left = which & ((1u << (TB_LR + 1)) - 1); left != 0;
       left &= left - 1)
    {
      unsigned slot = (unsigned) __builtin_ctz (left);
      put (&values[slot], (struct tb_value) { .bits = slots->bits[slot],
					      .mask = slots->mask[slot] });
    }
  if (which & PSR)
    put_psr (s, slots, &values[TB_PSR]);
  if (which & STACKS && s->profile->is_m)
    put_banked (slots, values);
}
