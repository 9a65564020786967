/* What the instructions of a Tarmac log do, as far as their opcodes tell at once.  See
   tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include "arm/ir/semantics.h"
#include "recording/facts-memory.h"

struct tb_step
tb_tarmac_step_of (const struct tb_facts_code *code)
{
  return (struct tb_step) {
    .pc = code->pc, .opcode = code->opcode, .size = code->size,
    .isa = code->isa,
    .flags = code->flags & TB_CODE_SKIPPED ? TB_STEP_NOT_TAKEN : 0
  };
}

struct tb_profile
tb_tarmac_profile_of (const struct tb_columns *f)
{
  return (struct tb_profile) { .arch = f->is_m ? TB_ARCH_V81M_MAIN
					       : TB_ARCH_V8A, .is_m = f->is_m };
}

/* The class of CODE, without its effect.  */
static uint16_t
classify (const struct tb_columns *f, const struct tb_facts_code *code)
{
  const struct tb_step step = tb_tarmac_step_of (code);
  const struct tb_profile profile = tb_tarmac_profile_of (f);
  struct tb_flow flow;
  uint32_t op = code->opcode;
  /* PUSH; STMDB SP!.  */
  if (f->is_m && !(step.flags & TB_STEP_NOT_TAKEN)
      && (code->size == 2 ? (op & 0xfe00) == 0xb400 : op >> 16 == 0xe92d))
    return TB_CLASS_KNOWN | TB_CLASS_PUSH;
  /* MSR; CPS of FAULTMASK.  */
  if (f->is_m && !(step.flags & TB_STEP_NOT_TAKEN)
      && (code->size == 2 ? (op & 0xffe1) == 0xb661
			  : (op & UINT32_C (0xfff0d000)) == UINT32_C (0xf3808000)))
    return TB_CLASS_KNOWN | TB_CLASS_MASKS;
  tb_step_flow (&flow, &step, &profile);
  if (step.flags & TB_STEP_NOT_TAKEN || flow.kind != TB_FLOW_INDIRECT)
    return TB_CLASS_KNOWN;
  if (!f->is_m)
    return TB_CLASS_KNOWN | TB_CLASS_ANYWHERE
	   | (flow.sub == TB_SUB_ERET ? TB_CLASS_ERET : 0);
  /* BX, BXNS; all others of the M profile load the PC, save table
     branches and MOV PC, which return from nothing.  */
  if (code->size == 2 && (op & 0xff83) == 0x4700)
    return (uint16_t) (TB_CLASS_KNOWN | TB_CLASS_ANYWHERE | TB_CLASS_REGISTER
		       | (op >> 3 & 15) << TB_CLASS_NUMBER);
  bool pop = code->size == 2 && op >> 8 == 0xbd;
  bool many = code->size == 4
	      && (op & UINT32_C (0xfe508000)) == UINT32_C (0xe8108000);
  bool one = code->size == 4
	     && (op & UINT32_C (0xff70f000)) == UINT32_C (0xf850f000);
  unsigned words = pop ? 1 + (unsigned) __builtin_popcount (op & 0xff)
		   : many ? (unsigned) __builtin_popcount (op & 0xffff) : 1;
  return (uint16_t) (TB_CLASS_KNOWN | TB_CLASS_ANYWHERE
		     | (pop || many || one
			? TB_CLASS_LOAD | words << TB_CLASS_NUMBER : 0));
}

uint16_t *
tb_tarmac_core_class (struct tb_tarmac_core *c, const struct tb_facts_code *code)
{
  const struct tb_columns *f = c->facts;
  size_t n = (size_t) (code - (const struct tb_facts_code *) f->codes.data);
  while (TB_COLUMN_COUNT (&c->classes, uint16_t) <= n)
    {
      uint16_t *new = tb_column_extend (&c->classes, sizeof *new);
      if (new == NULL)
	return NULL;
      *new = 0;
    }
  uint16_t *class = (uint16_t *) c->classes.data + n;
  if (*class == 0)
    *class = classify (f, code)
	     | (tb_tarmac_uses_vectors (code, f->is_m) ? TB_CLASS_VECTORS : 0);
  return class;
}

uint32_t
tb_tarmac_core_may_write (const struct tb_tarmac_core *c)
{
  const struct tb_facts_code *code = tb_facts_build_code (c->builder);
  const struct tb_profile profile = tb_tarmac_profile_of (c->facts);
  struct tb_semantics s;
  struct tb_semantics_effect effect;
  if (code->flags & TB_CODE_SKIPPED)
    return 0;
  if (code->isa != TB_ISA_T32 || code->size == 0)
    return UINT32_MAX;
  tb_semantics_t32 (&s, code->opcode, code->size, (uint32_t) code->pc, &profile);
  if (!s.modelled)
    return UINT32_MAX;
  tb_semantics_effect (s.uops, s.count, false, &effect);
  return (uint32_t) effect.may_write;
}

/* Is CODE known to load, and to store nothing?  */
static bool
only_loads (const struct tb_columns *f, const struct tb_facts_code *code)
{
  const struct tb_step step = tb_tarmac_step_of (code);
  const struct tb_profile profile = tb_tarmac_profile_of (f);
  bool loads, stores;
  tb_step_transfers (&step, &profile, &loads, &stores);
  return loads && !stores;
}

bool
tb_tarmac_core_only_loads (struct tb_tarmac_core *c, uint64_t step)
{
  const struct tb_facts_code *code
    = step + 1 == c->facts->steps ? tb_facts_build_code (c->builder)
				  : tb_facts_step (c->facts, step);
  uint16_t *class = tb_tarmac_core_class (c, code);
  if (class == NULL)
    return false;
  if (!(*class & TB_CLASS_EFFECT_KNOWN))
    *class |= TB_CLASS_EFFECT_KNOWN | (only_loads (c->facts, code)
				    ? TB_CLASS_LOADS_ONLY : 0);
  return *class & TB_CLASS_LOADS_ONLY;
}
