/* Micro-operations of T32 instructions beyond ARMv6-M, class by class.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Data processing is compared with an emulated core (semantics-t32-rows.h); the
   other values are worked out by hand from DDI 0403 and DDI 0553.  */

#include "config.h"

#include "arm/ir/semantics.h"
#include "check.h"
#include "semantics-t32-rows.h"

#define PC 0x1002u		/* Not a multiple of 4.  */
#define BASE 0x20001000u

static const struct tb_profile v7em = { .arch = TB_ARCH_V7EM, .is_m = true };
static const struct tb_profile v81m = { .arch = TB_ARCH_V81M_MAIN,
					.is_m = true };

/* A machine: places, 256 bytes at BASE - 128, all elsewhere 0.  */
struct machine
{
  uint32_t p[TB_PLACE_END];
  uint8_t ram[256];
  unsigned stores;
};

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct machine *m = context;
  uint32_t value = 0, at = address - (BASE - 128);
  if (at <= sizeof m->ram - size)
    memcpy (&value, m->ram + at, size);
  return value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct machine *m = context;
  uint32_t at = address - (BASE - 128);
  if (at <= sizeof m->ram - size)
    memcpy (m->ram + at, &value, size);
  m->stores++;
}

static struct tb_semantics_result
run (struct machine *m, uint32_t opcode, unsigned size, unsigned it,
     const struct tb_profile *profile)
{
  struct tb_semantics s;
  struct tb_semantics_memory memory = { load, store, m };
  struct tb_semantics_result result = { 0 };
  struct tb_semantics_effect effect;
  uint32_t before[TB_PLACE_END];
  tb_semantics_t32_it (&s, opcode, size, PC, it, profile);
  if (!CHECK (s.modelled))
    {
      fprintf (stderr, "opcode %#x\n", opcode);
      return result;
    }
  memcpy (before, m->p, sizeof before);
  tb_semantics_run (&s, m->p, &memory, &result);
  tb_semantics_effect (s.uops, s.count, &effect);
  CHECK_INT (effect.writes & ~effect.may_write, 0);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (!CHECK (m->p[i] == before[i] || (effect.may_write >> i & 1)))
      fprintf (stderr, "opcode %#x, slot %u\n", opcode, i);
  return result;
}

static struct tb_semantics_result
run32 (struct machine *m, uint32_t opcode)
{
  return run (m, opcode, 4, TB_IT_NONE, &v7em);
}

static void
clear (struct machine *m)
{
  memset (m, 0, sizeof *m);
  m->p[TB_SLOT_SP] = BASE;
  for (unsigned i = 0; i < sizeof m->ram; i++)
    m->ram[i] = (uint8_t) (i + 1);
}

/* The word at BASE + OFFSET as CLEAR leaves it.  */
static uint32_t
word (int offset)
{
  uint32_t b = (uint32_t) (128 + offset + 1) & 255;
  return b | ((b + 1) & 255) << 8 | ((b + 2) & 255) << 16
	 | ((b + 3) & 255) << 24;
}

static unsigned
flags (const struct machine *m)
{
  return m->p[TB_SLOT_N] << 4 | m->p[TB_SLOT_Z] << 3 | m->p[TB_SLOT_C] << 2
	 | m->p[TB_SLOT_V] << 1 | m->p[TB_SLOT_Q];
}

static void
set_flags (struct machine *m, unsigned nzcvq)
{
  for (unsigned i = 0; i < 4; i++)
    m->p[TB_SLOT_N + i] = nzcvq >> (4 - i) & 1;
  m->p[TB_SLOT_Q] = nzcvq & 1;
}

static void
test_rows (void)
{
  for (size_t i = 0; i < sizeof t32_rows / sizeof t32_rows[0]; i++)
    {
      const struct t32_row *row = &t32_rows[i];
      struct machine m;
      clear (&m);
      memcpy (m.p, row->r, sizeof row->r);
      set_flags (&m, row->flags);
      run32 (&m, row->opcode);
      bool ok = CHECK_INT (m.p[0], row->r0);
      ok &= CHECK_INT (m.p[3], row->r3);
      ok &= CHECK_INT (flags (&m), row->want_flags);
      if (!ok)
	fprintf (stderr, "%s: row %zu\n", row->text, i);
    }
}

/* Loads of r0 (and r3) by r1, which is BASE + 32, and r2, which is 3.  */
static void
test_loads (void)
{
  static const struct
  {
    const char *text;
    uint32_t opcode;
    int from;			/* Offset of what is loaded from r1.  */
    uint8_t size;
    bool is_signed;
    int back;			/* What r1 grows by.  */
    bool two;
  } rows[] = {
    { "ldr.w r0,[r1,#16]", 0xf8d10010, 16, 4, false, 0, false },
    { "ldr r0,[r1,#-8]", 0xf8510c08, -8, 4, false, 0, false },
    { "ldr r0,[r1],#4", 0xf8510b04, 0, 4, false, 4, false },
    { "ldr r0,[r1,#-4]!", 0xf8510d04, -4, 4, false, -4, false },
    { "ldr.w r0,[r1,r2,lsl #2]", 0xf8510022, 12, 4, false, 0, false },
    { "ldr.w r0,[r1,#3]", 0xf8d10003, 3, 4, false, 0, false },
    { "ldrsb.w r0,[r1,#3]", 0xf9910003, 3, 1, true, 0, false },
    { "ldrsh r0,[r1],#-2", 0xf9310902, 0, 2, true, -2, false },
    { "ldrb.w r0,[r1,r2]", 0xf8110002, 3, 1, false, 0, false },
    { "ldrh.w r0,[r1,#2]", 0xf8b10002, 2, 2, false, 0, false },
    { "ldrt r0,[r1,#4]", 0xf8510e04, 4, 4, false, 0, false },
    { "ldrd r0,r3,[r1,#8]", 0xe9d10302, 8, 4, false, 0, true },
    { "ldrd r0,r3,[r1],#8", 0xe8f10302, 0, 4, false, 8, true },
    { "ldrd r0,r3,[r1,#-8]!", 0xe9710302, -8, 4, false, -8, true },
    { "ldmdb r1,{r0,r3}", 0xe9110009, -8, 4, false, 0, true },
    { "ldmdb r1!,{r0,r3}", 0xe9310009, -8, 4, false, -8, true },
    { "ldmia.w r1!,{r0,r3}", 0xe8b10009, 0, 4, false, 8, true },
    { "ldrex r0,[r1,#4]", 0xe8510f01, 4, 4, false, 0, false },
    { "ldrexb r0,[r1]", 0xe8d10f4f, 0, 1, false, 0, false },
    { "ldaex r0,[r1]", 0xe8d10fef, 0, 4, false, 0, false },
    { "lda r0,[r1]", 0xe8d10faf, 0, 4, false, 0, false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct machine m;
      clear (&m);
      m.p[1] = BASE + 32;
      m.p[2] = 3;
      m.p[3] = 33;
      run32 (&m, rows[i].opcode);
      uint32_t want = word (32 + rows[i].from);
      if (rows[i].size < 4)
	{
	  unsigned shift = 32 - 8 * rows[i].size;
	  want = rows[i].is_signed
		 ? (uint32_t) ((int32_t) (want << shift) >> shift)
		 : want << shift >> shift;
	}
      bool ok = CHECK_INT (m.p[0], want);
      ok &= CHECK_INT (m.p[1], BASE + 32 + (uint32_t) rows[i].back);
      ok &= CHECK_INT (m.p[3], rows[i].two ? word (36 + rows[i].from) : 33);
      if (!ok)
	fprintf (stderr, "%s\n", rows[i].text);
    }
}

/* Stores of r0 (and r3).  */
static void
test_stores (void)
{
  static const struct
  {
    const char *text;
    uint32_t opcode;
    int to;
    uint8_t size;
    int back;
    bool two;
  } rows[] = {
    { "str.w r0,[r1,#16]", 0xf8c10010, 16, 4, 0, false },
    { "str r0,[r1,#-4]!", 0xf8410d04, -4, 4, -4, false },
    { "strb r0,[r1],#1", 0xf8010b01, 0, 1, 1, false },
    { "strh.w r0,[r1,r2,lsl #1]", 0xf8210012, 6, 2, 0, false },
    { "strd r0,r3,[r1,#-8]", 0xe9410302, -8, 4, 0, true },
    { "strd r0,r3,[r1],#-8", 0xe8610302, 0, 4, -8, true },
    { "stmia.w r1!,{r0,r3}", 0xe8a10009, 0, 4, 8, true },
    { "stmdb r1!,{r0,r3}", 0xe9210009, -8, 4, -8, true },
    { "stl r0,[r1]", 0xe8c10faf, 0, 4, 0, false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct machine m;
      clear (&m);
      m.p[0] = 0xa1b2c3d4;
      m.p[1] = BASE + 32;
      m.p[2] = 3;
      m.p[3] = 0x11223344;
      run32 (&m, rows[i].opcode);
      uint32_t at = BASE + 32 + (uint32_t) rows[i].to;
      bool ok = CHECK_INT (load (&m, at, rows[i].size),
			   m.p[0] & UINT32_MAX >> (32 - 8 * rows[i].size));
      ok &= CHECK_INT (m.stores, rows[i].two ? 2 : 1);
      ok &= CHECK_INT (m.p[1], BASE + 32 + (uint32_t) rows[i].back);
      if (rows[i].two)
	ok &= CHECK_INT (load (&m, at + 4, 4), m.p[3]);
      if (!ok)
	fprintf (stderr, "%s\n", rows[i].text);
    }
}

/* What reads the PC: its address + 4, aligned where the manual says so.  */
static void
test_pc (void)
{
  struct machine m;
  clear (&m);
  run32 (&m, 0xf2af0006);	/* adr.w r0: subw r0,pc,#6  */
  CHECK_INT (m.p[0], ((PC + 4) & ~3u) - 6);
  struct tb_semantics s;
  tb_semantics_t32 (&s, 0xf8df0008, 4, PC, &v7em);	/* ldr.w r0,[pc,#8]  */
  CHECK (s.modelled && s.uops[0].imm == ((PC + 4) & ~3u) + 8);
  tb_semantics_t32 (&s, 0xf85f0008, 4, PC, &v7em);	/* ldr.w r0,[pc,#-8]  */
  CHECK (s.modelled && s.uops[0].imm == ((PC + 4) & ~3u) - 8);
}

/* SP stays a multiple of 4.  */
static void
test_sp (void)
{
  struct machine m;
  clear (&m);
  run32 (&m, 0xf10d0d03);	/* add.w sp,sp,#3  */
  CHECK_INT (m.p[TB_SLOT_SP], BASE);
  m.p[1] = 2;
  run32 (&m, 0xebad0d81);	/* sub.w sp,sp,r1,lsl #2  */
  CHECK_INT (m.p[TB_SLOT_SP], BASE - 8);
  m.p[1] = BASE + 8;
  run32 (&m, 0xf8d1d000);	/* ldr.w sp,[r1]  */
  CHECK_INT (m.p[TB_SLOT_SP], word (8) & ~3u);
  run32 (&m, 0xea4f000d);	/* mov.w r0,sp  */
  CHECK_INT (m.p[0], m.p[TB_SLOT_SP]);
}

static void
test_stack (void)
{
  struct machine m;
  clear (&m);
  m.p[0] = 10;
  m.p[3] = 13;
  m.p[4] = 14;
  run32 (&m, 0xe92d0019);	/* push.w {r0,r3,r4}  */
  CHECK_INT (m.p[TB_SLOT_SP], BASE - 12);
  CHECK_INT (load (&m, BASE - 12, 4), 10);
  CHECK_INT (load (&m, BASE - 4, 4), 14);
  m.p[0] = m.p[3] = m.p[4] = 0;
  run32 (&m, 0xe8bd0019);	/* pop.w {r0,r3,r4}  */
  CHECK_INT (m.p[0] << 16 | m.p[3] << 8 | m.p[4], 0x0a0d0e);
  struct tb_semantics_result r = run32 (&m, 0xe8bd8001);  /* pop.w {r0,pc}  */
  CHECK (r.indirect && !r.conditional);
  CHECK_INT (r.target, word (4));
  CHECK_INT (m.p[TB_SLOT_SP], BASE + 8);
  r = run32 (&m, 0xf85dfb04);	/* ldr.w pc,[sp],#4  */
  CHECK (r.indirect);
  CHECK_INT (r.target, word (8));
  CHECK_INT (m.p[TB_SLOT_SP], BASE + 12);
}

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
  tb_semantics_effect (s.uops, s.count, &effect);
  CHECK_INT (effect.may_write, 3 | TB_SLOT_BIT (TB_SLOT_Q));
  tb_semantics_t32 (&s, 0xea5001cf, 4, PC, &v7em);
  CHECK (!s.modelled);
}

/* The store happens where the status is 0, which the run takes it to be.  */
static void
test_exclusive (void)
{
  struct tb_semantics s;
  struct tb_semantics_effect effect;
  struct machine m;
  clear (&m);
  m.p[0] = 9;
  m.p[1] = BASE;
  m.p[3] = 0x55;
  run32 (&m, 0xe8410300);	/* strex r3,r0,[r1]  */
  CHECK_INT (m.p[3], 0);
  CHECK_INT (load (&m, BASE, 4), 9);
  tb_semantics_t32 (&s, 0xe8c13fe0, 4, PC, &v81m);  /* stlex r0,r3,[r1]  */
  tb_semantics_effect (s.uops, s.count, &effect);
  CHECK_INT (effect.writes, 1);
  CHECK_INT (effect.may_write, 1);
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
  struct machine before = m;
  static const uint32_t nothing[] = { 0xf3bf8f4f, 0xf3bf8f2f, 0xf3af8000,
				      0xf891f004, 0xf3808811 };
  for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
    run32 (&m, nothing[i]);
  CHECK (memcmp (&m, &before, sizeof m) == 0);
}

/* Core registers and memory that FP instructions reach.  */
static void
test_fp (void)
{
  static const struct
  {
    const char *text;
    uint32_t opcode;
    uint32_t may_write;		/* But for FPCA.  */
    unsigned loads, stores;
    uint32_t base;		/* r1 or SP afterwards, from BASE.  */
  } rows[] = {
    { "vldr s0,[r1,#4]", 0xed910a01, 0, 1, 0, 0 },
    { "vstr d0,[r1]", 0xed810b00, 0, 0, 2, 0 },
    { "vpush {s0-s3}", 0xed2d0a04, 0x2000, 0, 4, -16u },
    { "vpop {d0-d1}", 0xecbd0b04, 0x2000, 4, 0, 16 },
    { "vldmia r1!,{s0-s2}", 0xecb10a03, 2, 3, 0, 12 },
    { "vmov r0,s1", 0xee100a90, 1, 0, 0, 0 },
    { "vmov s1,r0", 0xee000a90, 0, 0, 0, 0 },
    { "vmov r0,r3,d1", 0xec530b11, 9, 0, 0, 0 },
    { "vmrs APSR_nzcv,fpscr", 0xeef1fa10, TB_SLOTS_NZCV, 0, 0, 0 },
    { "vmrs r0,fpscr", 0xeef10a10, 1, 0, 0, 0 },
    { "vadd.f32 s0,s1,s2", 0xee300a81, 0, 0, 0, 0 },
    { "vsel.f32", 0xfe200a00, 0, 0, 0, 0 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_semantics s;
      struct tb_semantics_effect effect;
      tb_semantics_t32 (&s, rows[i].opcode, 4, PC, &v7em);
      unsigned loads = 0, stores = 0;
      for (unsigned k = 0; k < s.count; k++)
	{
	  loads += s.uops[k].op == TB_OP_LOAD;
	  stores += s.uops[k].op == TB_OP_STORE;
	}
      tb_semantics_effect (s.uops, s.count, &effect);
      bool ok = CHECK (s.modelled);
      ok &= CHECK_INT (effect.may_write,
		       rows[i].may_write | TB_SLOT_BIT (TB_SLOT_FPCA));
      ok &= CHECK_INT (loads, rows[i].loads);
      ok &= CHECK_INT (stores, rows[i].stores);
      struct machine m;
      clear (&m);
      m.p[1] = BASE;
      run32 (&m, rows[i].opcode);
      unsigned base = rows[i].may_write & 0x2000 ? TB_SLOT_SP : 1;
      ok &= CHECK_INT (m.p[base], BASE + rows[i].base);
      if (!ok)
	fprintf (stderr, "%s\n", rows[i].text);
    }
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
      tb_semantics_effect (s.uops, s.count, &effect);
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

int
main (void)
{
  test_rows ();
  test_loads ();
  test_stores ();
  test_pc ();
  test_sp ();
  test_stack ();
  test_branches ();
  test_loops ();
  test_v81m ();
  test_exclusive ();
  test_it ();
  test_system ();
  test_fp ();
  test_security ();
  test_not_modelled ();
  test_all ();
  return check_done ();
}
