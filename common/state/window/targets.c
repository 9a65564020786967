/* Naming of where indirect branches and exception returns lead.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/builder.h"
#include "util/search.h"

const struct tb_change *
tb_build_changes (const struct tb_state *s, uint64_t i, size_t *count)
{
  size_t low, end;
  TB_LOWER_BOUND (low, s->nchanges, s->changes[low].step < i);
  for (end = low; end < s->nchanges && s->changes[end].step == i; end++)
    continue;
  *count = end - low;
  return end != low ? s->changes + low : NULL;
}

/* May a branch to TO on ARMv8-M be a return from Non-secure to Secure code?  Its
   target is then not what was in the register, but on the Secure stack.  Only
   BLXNS calls so.  */
static bool
may_return_secure (const struct tb_state *s, uint32_t to)
{
  uint8_t bytes[2];
  if (s->profile->arch < TB_ARCH_V8M_BASE || !s->profile->is_m)
    return false;
  if (tb_memmap_read (s->memory.map, s->memory.space, to - 2, bytes, 2) != 2)
    return true;
  return ((bytes[0] | bytes[1] << 8) & 0xff87) == 0x4784;
}

/* tb_build_target on the A and R profile.  Bit 0, where it counts, is that of T32; an A32
   address has no low bits.  */
static void
name_a_target (struct tb_builder *b, uint64_t i, tb_vid value, uint32_t bits)
{
  const struct tb_state *s = b->state;
  size_t count, k = 0;
  const struct tb_change *change = tb_build_changes (s, i + 1, &count);
  uint32_t to;
  bool is_a32 = false;

  while (k < count && change[k].kind == TB_CHANGE_CONTEXT)
    k++;
  if (k < count)
    {
      if (change[k].kind != TB_CHANGE_ENTRY)
	return;
      to = (uint32_t) change[k].address;
      bits &= ~UINT32_C (1);
    }
  else if (i + 1 < s->steps)
    {
      const struct tb_template *t
	= &s->templates[s->info[i + 1] & TB_INFO_TEMPLATE];
      to = (uint32_t) t->pc;
      is_a32 = t->isa == TB_ISA_A32;
    }
  else if (s->next_known)
    {
      to = (uint32_t) s->next_pc;
      bits &= ~UINT32_C (1);
    }
  else
    return;
  /* A return (bit 0 does not count) may have more low bits.  */
  if (!(bits & 1) && !(to & 2))
    bits &= ~UINT32_C (3);
  tb_namer_bits (&b->n, value, bits, is_a32 ? to : to | 1);
}

/* The other security state has registers of its own.  In Handler mode the number of
   the exception is hidden from Non-secure code.  */
static void
change_security (struct tb_builder *b)
{
  static const uint8_t slots[] = {
    TB_SLOT_SP, TB_SLOT_SP_OTHER, TB_SLOT_SPSEL, TB_SLOT_NPRIV,
    TB_SLOT_PRIMASK, TB_SLOT_FPCA, TB_SLOT_IPSR
  };
  for (unsigned k = 0; k < sizeof slots; k++)
    b->names->slot[slots[k]] = tb_build_fresh (b, slots[k]);
}

/* The same of A64, whose addresses have nothing beside them.  */
static void
name_a64_target (struct tb_builder *b, uint64_t i, tb_vid value, uint64_t bits)
{
  const struct tb_state *s = b->state;
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i + 1, &count);
  for (size_t k = 0; k < count; k++)
    if (change[k].kind != TB_CHANGE_CONTEXT)
      return;
  if (i + 1 < s->steps)
    tb_namer_bits (&b->n, value, bits,
		   s->templates[s->info[i + 1] & TB_INFO_TEMPLATE].pc);
  else if (s->next_known)
    tb_namer_bits (&b->n, value, bits, s->next_pc);
}

/* The same of the M profile.  */
static void
name_m_target (struct tb_builder *b, uint64_t i, tb_vid value, uint32_t bits)
{
  const struct tb_state *s = b->state;
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i + 1, &count);
  uint32_t to;
  if (count == 0)
    {
      if (i + 1 < s->steps)
	to = (uint32_t) s->templates[s->info[i + 1] & TB_INFO_TEMPLATE].pc;
      else if (s->next_known)
	to = (uint32_t) s->next_pc;
      else
	return;
      if (bits & 1 && may_return_secure (s, to))
	{
	  change_security (b);
	  return;
	}
      /* An interworking branch needs bit 0 (B1.4.7: else it faults).  */
      tb_namer_bits (&b->n, value, bits, to | 1);
    }
  else if (change->kind == TB_CHANGE_ENTRY && bits & 1
	   && may_return_secure (s, (uint32_t) change->address))
    change_security (b);
  else if (change->kind == TB_CHANGE_ENTRY)
    tb_namer_bits (&b->n, value, bits & ~UINT32_C (1), change->address);
  else if (change->kind != TB_CHANGE_LOST && change->exc_return != 0)
    tb_namer_bits (&b->n, value, bits, change->exc_return);
}

tb_vid
tb_build_branched_to (struct tb_builder *b, const struct tb_change *change)
{
  const struct tb_state *s = b->state;
  size_t count;
  if (change->step == 0)
    return 0;
  const struct tb_template *t
    = &s->templates[s->info[change->step - 1] & TB_INFO_TEMPLATE];
  /* Nothing is said where the code is not what ran.  */
  if (change->exc_return != 0)
    return t->modelled ? tb_namer_constant (&b->n, change->exc_return) : 0;
  if (change != tb_build_changes (s, change->step, &count))
    return 0;
  for (unsigned k = 0; t->modelled && k < t->count; k++)
    if (s->uops[t->first + k].op == TB_OP_TARGET)
      return b->names->target;
  return 0;
}

void
tb_build_target (struct tb_builder *b, uint64_t i, tb_vid value, uint64_t bits)
{
  b->names->target = value;
  if (b->state->a64 != NULL)
    name_a64_target (b, i, value, bits);
  else if (b->state->profile->is_m)
    name_m_target (b, i, value, (uint32_t) bits);
  else
    name_a_target (b, i, value, (uint32_t) bits);
}

void
tb_build_return (struct tb_builder *b, tb_vid psr, uint64_t i)
{
  const struct tb_state *s = b->state;
  size_t count;
  tb_build_changes (s, i + 1, &count);
  if (count == 0 && i + 1 < s->steps)
    {
      bool is_t32 = s->templates[s->info[i + 1] & TB_INFO_TEMPLATE].isa
		    == TB_ISA_T32;
      tb_namer_bits (&b->n, psr, 0x20, is_t32 ? 0x20 : 0);
    }
}
