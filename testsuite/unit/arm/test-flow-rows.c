/* What leads away by its micro-operations does so for flow, and the other way round:
   a row that says an instruction's micro-operations says what it is for flow, too.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "generator/random.h"

#include "arm/flow/flow.h"
#include "arm/ir/semantics-a64.h"
#include "arm/ir/semantics.h"
#include "arm/lift/aarch32.h"

/* Random numbers, always the same.  */
static uint32_t
any (void)
{
  static struct gen_random random;
  return (uint32_t) gen_next (&random);
}

/* S, of OPCODE, and FLOW say the same.  */
static void
compare (const struct tb_semantics *s, const struct tb_flow *flow, uint32_t opcode,
	 enum tb_isa isa)
{
  char text[32];
  bool target = false, chooses = false, away = flow->kind == TB_FLOW_INDIRECT;
  if (!s->modelled)
    return;
  for (unsigned i = 0; i < s->count; i++)
    {
      target |= s->uops[i].op == TB_OP_TARGET || s->uops[i].op == TB_OP_ERET;
      chooses |= s->uops[i].op == TB_OP_BRANCH_IF
		 || (s->uops[i].op == TB_OP_CONDITION && isa != TB_ISA_A64
		     && s->flags & TB_SEM_BRANCH && !away);
    }
  snprintf (text, sizeof text, "%s %08" PRIx32, tb_isa_name (isa), opcode);
  if (target)
    check_that (away, text, 0, "indirect");
  /* Where A64 authenticates a target, or takes an exception, is not worked out.  */
  if (away && isa != TB_ISA_A64)
    check_that (target, text, 0, "to a target");
  if (chooses)
    check_that (flow->kind == TB_FLOW_BRANCH && flow->conditional, text, 0,
		"conditional");
}

static void
a32 (uint32_t opcode, const struct tb_profile *profile)
{
  struct tb_semantics s;
  struct tb_flow flow;
  tb_semantics_a32 (&s, opcode, 0x8000, profile);
  tb_flow_a32 (&flow, opcode, 0x8000, profile);
  compare (&s, &flow, opcode, TB_ISA_A32);
  bool branches = flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_INDIRECT;
  if (flow.conditional)
    check_that (!(s.flags & TB_SEM_BRANCH) == !branches, "A32", (int) opcode,
		"the trace tells the outcome of conditional branches");
}

static void
t32 (uint32_t opcode, unsigned size, const struct tb_profile *profile)
{
  struct tb_semantics s;
  struct tb_flow flow;
  tb_semantics_t32 (&s, opcode, size, 0x8000, profile);
  tb_flow_t32 (&flow, size == 2 ? opcode << 16 : opcode, 0x8000, false, profile);
  compare (&s, &flow, opcode, TB_ISA_T32);
}

static void
a64 (uint32_t opcode)
{
  struct tb_semantics s;
  struct tb_flow flow;
  tb_semantics_a64 (&s, opcode, 0x8000, 0);
  tb_flow_a64 (&flow, opcode, 0x8000);
  compare (&s, &flow, opcode, TB_ISA_A64);
}

/* Where the row of OPCODE says more than that it goes on, tb_t32_may_go does.  */
static void
may_go (uint32_t opcode, unsigned groups)
{
  bool wide = opcode >> 16 >= 0xe800;
  const struct tb_row *row = wide ? tb_t32_row (opcode, groups)
			     : tb_t16_row (opcode >> 16, groups);
  if (row != NULL && (tb_row_kind (row, wide ? opcode : opcode >> 16) != TB_FLOW_OTHER
		      || TB_GOES_HOW (row->fields) == TB_HOW_IT))
    check_that (tb_t32_may_go (opcode), "may go", (int) (opcode >> 16), "its row says so");
}

/* Not all: what is asked is whether rows need be looked for.  */
static void
check_may_go (unsigned groups)
{
  /* What few opcodes are: barriers by CP15, returns, table branches, loads of PC.  */
  static const uint32_t rare[] = {
    0xee070f95, 0xee070f9a, 0xee070fba, 0xe810c000, 0xe830c000, 0xe990c000, 0xe9b0c000,
    0xe8bd8000, 0xe8908000, 0xe9108000, 0xe8d0f000, 0xe8d0f010, 0xe97fe97f, 0xf85dfb04,
    0xf8dff000, 0xf85ff000, 0xf8d0f000, 0xf850f800, 0xf850f000, 0xfb5e0f10, 0xfb500f10
  };
  for (uint32_t half = 0; half < 0xe800; half++)
    may_go (half << 16, groups);
  for (unsigned i = 0; i < sizeof rare / sizeof rare[0]; i++)
    may_go (rare[i], groups);
  for (uint32_t high = 0xe80; high <= 0xfff; high++)
    for (unsigned i = 0; i < 400; i++)
      may_go (high << 20 | (any () & 0xfffff) | (i & 1 ? 0xf000 : i & 2 ? 0x8000 : 0),
	      groups);
  CHECK (!tb_t32_may_go (0x40c00000) && !tb_t32_may_go (0xf8c01000));
  /* MOV r8, r0; LDM r0, {r1}; LDR r1, [r0].  */
  CHECK (!tb_t32_may_go (0x46800000) && !tb_t32_may_go (0xe8900002)
	 && !tb_t32_may_go (0xf8d01000));
  /* LDR r8, [sp, #4]; POP {r12}: of registers with bit 15 set PC alone goes.  */
  CHECK (!tb_t32_may_go (0xf8dd8004) && !tb_t32_may_go (0xf85dcb04)
	 && tb_t32_may_go (0xf85dfb04));
}

int
main (void)
{
  static const char *const names[] = { "ARMv6-M", "Cortex-M4", "Cortex-M23", "Cortex-M33",
				       "Cortex-M55", "Cortex-A9", "ARMv8-A" };
  for (unsigned p = 0; p < sizeof names / sizeof names[0]; p++)
    {
      struct tb_profile profile;
      CHECK (tb_profile_find (&profile, names[p]));
      /* What ARMv6-M has of 32 bits is control; the rest is undefined without a row.  */
      if (profile.arch != TB_ARCH_V6M)
	check_may_go (tb_profile_groups (&profile));
      for (uint32_t half = 0; half < 0xe800; half++)
	t32 (half, 2, &profile);
      for (unsigned i = 0; i < 100000; i++)
	{
	  uint32_t wide = any () | 0xe8000000;
	  t32 (i & 1 ? wide : wide | 0xf000, 4, &profile);
	  /* Control, and system instructions with all fields as they should be.  */
	  t32 ((wide & 0x07ffffff) | 0xf0008000, 4, &profile);
	  t32 ((wide & 0x00ffffff) | 0xe8000000, 4, &profile);
	}
      for (unsigned i = 0; i < 200000 && !profile.is_m; i++)
	{
	  uint32_t opcode = any ();
	  a32 (i & 1 ? opcode | 0xf000 : opcode, &profile);
	  a32 ((opcode & 0xf000000f) | 0x012fff10 | (i & 1) << 5, &profile);
	}
    }
  /* What goes on need not be looked for: ADD, LDR, FADD.  */
  CHECK (!tb_flow_a64_may_go (0x91000400) && !tb_flow_a64_may_go (0xf9400021)
	 && !tb_flow_a64_may_go (0x1e622820));
  for (unsigned i = 0; i < 200000; i++)
    {
      a64 (any ());
      a64 ((any () & ~UINT32_C (0x1c000000)) | 0x14000000);
      a64 ((any () & 0x01fffc1f) | 0xd6000000);
      a64 ((any () & 0x3e0) | 0xd61f0000 | (i & 3) << 21);
    }
  return check_done ();
}
