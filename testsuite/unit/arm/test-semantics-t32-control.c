/* Micro-operations of T32 instructions beyond ARMv6-M: branches, IT blocks, system
   instructions, what is not modelled, and any opcode.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The values are worked out by hand from DDI 0403 and DDI 0553.  */

#include "config.h"

#include "arm/flow/flow.h"
#include "semantics-t32-run.h"

static void
test_branches (void)
{
  struct machine m;
  clear (&m);
  m.p[1] = BASE + 4;
  m.p[2] = 2;
  struct tb_semantics_result r = run32 (&m, 0xe8d1f002);  /* tbb [r1,r2]  */
  CHECK_INT (r.target, PC + 4 + 2 * (word (6) & 255));
  r = run32 (&m, 0xe8d1f012);	/* tbh [r1,r2,lsl #1]  */
  CHECK_INT (r.target, PC + 4 + 2 * (word (8) & 0xffff));
  for (unsigned zero = 0; zero < 2; zero++)
    {
      m.p[0] = !zero;
      r = run (&m, 0xb140, 2, TB_IT_NONE, &v7em);	/* cbz r0  */
      CHECK (r.conditional && r.taken == zero);
      r = run (&m, 0xb940, 2, TB_IT_NONE, &v7em);	/* cbnz r0  */
      CHECK (r.conditional && r.taken == !zero);
      m.p[TB_SLOT_Z] = zero;
      r = run32 (&m, 0xf0008030);	/* beq.w  */
      CHECK (r.conditional && r.taken == zero);
    }
  run32 (&m, 0xf000f830);	/* bl  */
  CHECK_INT (m.p[TB_SLOT_LR], (PC + 4) | 1);
}

static void
test_loops (void)
{
  struct machine m;
  clear (&m);
  m.p[1] = 2;
  run (&m, 0xf041e001, 4, TB_IT_NONE, &v81m);	/* dls lr,r1  */
  CHECK_INT (m.p[TB_SLOT_LR], 2);
  struct tb_semantics_result r
    = run (&m, 0xf00fc00f, 4, TB_IT_NONE, &v81m);	/* le lr  */
  CHECK (r.conditional && r.taken);
  CHECK_INT (m.p[TB_SLOT_LR], 1);
  r = run (&m, 0xf00fc00f, 4, TB_IT_NONE, &v81m);
  CHECK (r.conditional && !r.taken);
  CHECK_INT (m.p[TB_SLOT_LR], 1);
  r = run (&m, 0xf02fc011, 4, TB_IT_NONE, &v81m);	/* le  */
  CHECK (!r.conditional);
  m.p[TB_SLOT_LR] = 77;
  r = run (&m, 0xf041c005, 4, TB_IT_NONE, &v81m);	/* wls lr,r1  */
  CHECK (r.conditional && !r.taken);
  CHECK_INT (m.p[TB_SLOT_LR], 2);
  m.p[1] = 0;
  r = run (&m, 0xf041c005, 4, TB_IT_NONE, &v81m);
  CHECK (r.conditional && r.taken);
  CHECK_INT (m.p[TB_SLOT_LR], 2);
}

/* Of v8.1-M: conditional select, clearing, long shifts.  */
static void
test_v81m (void)
{
  static const struct { uint32_t opcode, yes, no; unsigned z; } rows[] = {
    { 0xea518002, 10, 20, 1 },		/* csel r0,r1,r2,eq  */
    { 0xea519012, 10, 21, 0 },		/* csinc r0,r1,r2,ne  */
    { 0xea51a002, 10, ~20u, 1 },	/* csinv r0,r1,r2,eq  */
    { 0xea51b002, 10, -20u, 1 }		/* csneg r0,r1,r2,eq  */
  };
  struct machine m;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned holds = 0; holds < 2; holds++)
      {
	clear (&m);
	m.p[1] = 10;
	m.p[2] = 20;
	m.p[TB_SLOT_Z] = holds ? rows[i].z : !rows[i].z;
	run (&m, rows[i].opcode, 4, TB_IT_NONE, &v81m);
	CHECK_INT (m.p[0], holds ? rows[i].yes : rows[i].no);
      }
  clear (&m);
  m.p[0] = m.p[1] = m.p[3] = 5;
  set_flags (&m, 31);
  run (&m, 0xe89f8009, 4, TB_IT_NONE, &v81m);	/* clrm {r0,r3,apsr}  */
  CHECK_INT (m.p[0] | m.p[3] | flags (&m), 0);
  CHECK_INT (m.p[1], 5);
  /* lsll r0,r1,#3: both are not worked out, the rest stays.  */
  struct tb_semantics s;
  struct tb_semantics_effect effect;
  tb_semantics_t32 (&s, 0xea5001cf, 4, PC, &v81m);
  CHECK (s.modelled);
  tb_semantics_effect (s.uops, s.count, false, &effect);
  CHECK_INT (effect.may_write, 3 | TB_SLOT_BIT (TB_SLOT_Q));
  tb_semantics_t32 (&s, 0xea5001cf, 4, PC, &v7em);
  CHECK (!s.modelled);
}

/* Under each condition, and which flags a 16-bit instruction sets.  */
static void
test_it (void)
{
  struct machine m;
  for (unsigned cc = 0; cc < 14; cc++)
    for (unsigned nzcv = 0; nzcv < 16; nzcv++)
      {
	bool holds = tb_condition_holds (cc, nzcv >> 3, nzcv >> 2 & 1,
					 nzcv >> 1 & 1, nzcv & 1);
	clear (&m);
	set_flags (&m, nzcv << 1);
	m.p[0] = 7;
	struct tb_semantics_result r
	  = run (&m, 0x2000, 2, cc, &v7em);	/* mov<c> r0,#0  */
	CHECK_INT (m.p[0], holds ? 0 : 7);
	CHECK_INT (flags (&m), nzcv << 1);
	CHECK (!r.conditional && r.skipped == !holds);
	r = run (&m, 0x2805, 2, cc, &v7em);	/* cmp<c> r0,#5  */
	unsigned want = !holds ? nzcv : 8;
	CHECK_INT (flags (&m), want << 1);
	set_flags (&m, nzcv << 1);
	m.p[1] = BASE;
	run (&m, 0x6008, 2, cc, &v7em);		/* str<c> r0,[r1]  */
	CHECK_INT (m.stores, holds);
	run (&m, 0xf8410b04, 4, cc, &v7em);	/* str<c> r0,[r1],#4  */
	CHECK_INT (m.p[1], BASE + 4 * holds);
	r = run (&m, 0x4770, 2, cc, &v7em);	/* bx<c> lr  */
	CHECK (r.conditional && r.taken == holds && r.indirect == holds);
	r = run (&m, 0xe7fe, 2, cc, &v7em);	/* b<c>  */
	CHECK (r.conditional && r.taken == holds);
      }
  /* Always, but within the block.  */
  clear (&m);
  set_flags (&m, 30);
  run (&m, 0x2000, 2, 14, &v7em);
  CHECK_INT (flags (&m), 30);
  run (&m, 0xf0110000, 4, 14, &v7em);		/* ands.w r0,r1,#0  */
  CHECK_INT (flags (&m), 14);

  /* ITSTATE: itete eq, and what follows.  */
  uint8_t state = tb_it_next (0, 0xbf0b, 2);
  static const unsigned conditions[4] = { 0, 1, 0, 1 };
  for (unsigned i = 0; i < 4; i++)
    {
      CHECK_INT (tb_it_condition (state), conditions[i]);
      state = tb_it_next (state, 0xbf00, 2);
    }
  CHECK_INT (tb_it_condition (state), TB_IT_NONE);
  state = tb_it_next (0, 0xbfe8, 2);		/* it al  */
  CHECK_INT (tb_it_condition (state), 14);
  CHECK_INT (tb_it_next (state, 0xbf00, 2), 0);
}

static void
test_system (void)
{
  struct machine m;
  clear (&m);
  m.p[0] = 0xf80f0000;
  run32 (&m, 0xf3808800);	/* msr apsr_nzcvq,r0  */
  CHECK_INT (flags (&m), 31);
  CHECK_INT (m.p[TB_SLOT_GE], 0);
  run32 (&m, 0xf3808c00);	/* msr apsr_nzcvqg,r0  */
  CHECK_INT (m.p[TB_SLOT_GE], 15);
  run32 (&m, 0xf3ef8300);	/* mrs r3,apsr  */
  CHECK_INT (m.p[3], 0xf80f0000);
  run (&m, 0xb672, 2, TB_IT_NONE, &v7em);	/* cpsid i  */
  CHECK_INT (m.p[TB_SLOT_PRIMASK], 1);
  run (&m, 0xb661, 2, TB_IT_NONE, &v7em);	/* cpsie f  */
  CHECK_INT (m.p[TB_SLOT_PRIMASK], 1);
  m.p[0] = 5;
  run32 (&m, 0xf3808814);	/* msr control,r0: nPRIV and FPCA  */
  CHECK (m.p[TB_SLOT_NPRIV] && m.p[TB_SLOT_FPCA] && !m.p[TB_SLOT_SPSEL]);
  run32 (&m, 0xf3ef8314);	/* mrs r3,control  */
  CHECK_INT (m.p[3], 5);
  m.p[0] = 0;
  run32 (&m, 0xf3808814);	/* msr control,r0, not privileged  */
  CHECK (m.p[TB_SLOT_NPRIV] && m.p[TB_SLOT_FPCA]);
  m.p[TB_SLOT_NPRIV] = m.p[TB_SLOT_FPCA] = 0;
  struct machine before = m;
  static const uint32_t nothing[] = { 0xf3bf8f4f, 0xf3bf8f2f, 0xf3af8000,
				      0xf891f004, 0xf3808811 };
  for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
    run32 (&m, nothing[i]);
  CHECK (memcmp (&m, &before, sizeof m) == 0);
}

/* Of ARMv8-M: what may change the security state.  */
static void
test_security (void)
{
  static const struct { uint32_t opcode; unsigned size; uint32_t keeps; } rows[]
    = { { 0x470c, 2, 0x5fff },		/* bxns r1  */
	{ 0x478c, 2, 0x1fff },		/* blxns r1  */
	{ 0xe97fe97f, 4, 0x1fff } };	/* sg: LR may lose bit 0.  */
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_semantics s;
      struct tb_semantics_effect effect;
      tb_semantics_t32 (&s, rows[i].opcode, rows[i].size, PC, &v81m);
      CHECK (s.modelled);
      tb_semantics_effect (s.uops, s.count, false, &effect);
      CHECK_INT (~effect.may_write & 0x7fff, rows[i].keeps);
      CHECK_INT (effect.may_write >> TB_SLOT_SP & 1, 1);
      CHECK_INT (effect.may_write & TB_SLOTS_NZCV, 0);
      tb_semantics_t32 (&s, rows[i].opcode, rows[i].size, PC, &v7em);
      CHECK (!s.modelled);
    }
}

/* What is not an instruction, or not followed.  */
static void
test_not_modelled (void)
{
  static const uint32_t opcodes[] = {
    0xee010510,			/* mcr p5  */
    0xee110510,			/* mrc p5  */
    0xec510500,			/* mrrc p5  */
    0xef000040,			/* a vector instruction  */
    0xec200a00,			/* vlstm r0  */
    0xf8510d04 | 0x1000,	/* ldr r1,[r1,#-4]!  */
    0xe8b10002,			/* ldm r1!,{r1}  */
    0xe8bd2001,			/* pop {r0,sp}  */
    0xfb910fff			/* sdiv pc  */
  };
  for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++)
    {
      struct tb_semantics s;
      tb_semantics_t32 (&s, opcodes[i], 4, PC, &v7em);
      if (!CHECK (!s.modelled))
	fprintf (stderr, "opcode %#x\n", opcodes[i]);
    }
}

/* Any opcode: no more operations than there is room for, and what a run changes
   is what the effect says.  */
static void
test_all (void)
{
  uint64_t seed = 1;
  for (unsigned i = 0; i < 400000; i++)
    {
      seed = seed * UINT64_C (6364136223846793005)
	     + UINT64_C (1442695040888963407);
      uint32_t opcode = (uint32_t) (seed >> 32);
      const struct tb_profile *profile = i & 1 ? &v7em : &v81m;
      unsigned it = i % 7 == 0 ? opcode % 15 : TB_IT_NONE;
      opcode |= 0xe0000000;
      if (opcode >> 27 == 0x1c)
	opcode |= 0x08000000;
      struct tb_semantics s;
      tb_semantics_t32_it (&s, opcode, 4, PC, it, profile);
      if (!s.modelled)
	continue;
      struct machine m;
      clear (&m);
      for (unsigned r = 0; r < 13; r++)
	m.p[r] = r % 3 == 0 ? BASE + 4 * r : (uint32_t) seed >> r;
      set_flags (&m, opcode >> 3 & 31);
      run (&m, opcode, 4, it, profile);
      if (!CHECK_INT (m.p[TB_SLOT_SP] & 3, 0))
	fprintf (stderr, "opcode %#x\n", opcode);
    }
}

/* What flow says of an opcode holds for what it is lifted to, on all profiles: what is no
   instruction is not modelled, and what is conditional or goes where a register says
   has an operation that says so.  */
static void
test_agrees_with_flow (void)
{
  static const struct tb_profile profiles[] = {
    { .arch = TB_ARCH_V6M, .is_m = true },
    { .arch = TB_ARCH_V7EM, .is_m = true },
    { .arch = TB_ARCH_V8M_BASE, .is_m = true },
    { .arch = TB_ARCH_V8M_MAIN, .is_m = true },
    { .arch = TB_ARCH_V81M_MAIN, .is_m = true },
    { .arch = TB_ARCH_V7A }, { .arch = TB_ARCH_V8A }
  };
  uint64_t seed = 2;
  unsigned modelled = 0;
  for (unsigned i = 0; i < 300000; i++)
    {
      seed = seed * UINT64_C (6364136223846793005)
	     + UINT64_C (1442695040888963407);
      uint32_t opcode = (uint32_t) (seed >> 32) | 0xe8000000;
      if (i % 4 != 0)		/* Branches and miscellaneous control.  */
	opcode = (opcode & 0x07ff7fff) | 0xf0008000;
      const struct tb_profile *profile = &profiles[i % 7];
      struct tb_flow flow;
      struct tb_semantics s;
      bool conditional = false, indirect = false;
      tb_flow_t32 (&flow, opcode, PC, false, profile);
      tb_semantics_t32 (&s, opcode, 4, PC, profile);
      if (!s.modelled)
	continue;
      modelled++;
      for (unsigned k = 0; k < s.count; k++)
	{
	  unsigned op = s.uops[k].op;
	  conditional |= op == TB_OP_BRANCH_IF
			 || (op == TB_OP_CONDITION && s.flags & TB_SEM_BRANCH);
	  indirect |= op == TB_OP_TARGET || op == TB_OP_ERET;
	}
      bool ok = CHECK (flow.kind != TB_FLOW_UNDEFINED);
      ok &= CHECK_INT (conditional, flow.conditional);
      ok &= CHECK_INT (indirect, flow.kind == TB_FLOW_INDIRECT);
      if (!ok)
	fprintf (stderr, "opcode %#x, profile %u\n", opcode, i % 7);
    }
  CHECK (modelled > 50000);
}

int
main (void)
{
  test_branches ();
  test_loops ();
  test_v81m ();
  test_it ();
  test_system ();
  test_security ();
  test_not_modelled ();
  test_all ();
  test_agrees_with_flow ();
  return check_done ();
}
