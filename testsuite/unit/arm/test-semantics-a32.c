/* Micro-operations of A32 instructions, and of T32 ones that only the A and R
   profile has, class by class.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Data processing is compared with an emulated core (semantics-a32-rows.h); the
   other values are worked out by hand from DDI 0406.  */

#include "config.h"

#include "semantics-a32-rows.h"
#include "semantics-machine.h"

#define PC 0x8000u

static const struct tb_profile v7a = { .arch = TB_ARCH_V7A };
static const struct tb_profile v6 = { .arch = TB_ARCH_V6AR };

/* Run the A32 instruction OPCODE, or the T32 instruction of SIZE bytes.  */
static struct tb_semantics_result
run (struct machine *m, uint32_t opcode, unsigned size,
     const struct tb_profile *profile)
{
  struct tb_semantics s;
  if (size == 0)
    tb_semantics_a32 (&s, opcode, PC, profile);
  else
    tb_semantics_t32 (&s, opcode, size, PC, profile);
  return run_lifted (m, &s, opcode);
}

/* r0 .. r12 are multiples of 0x100, the SPs and LR elsewhere; memory counts up;
   Supervisor mode.  */
static void
start (struct machine *m)
{
  memset (m, 0, sizeof *m);
  for (unsigned i = 0; i < 13; i++)
    m->p[i] = 0x100 * (i + 1);
  m->p[1] = BASE;
  m->p[2] = 4;
  m->p[TB_SLOT_SP] = BASE + 64;
  m->p[TB_SLOT_LR] = 0x9000;
  m->p[TB_SLOT_SPSR] = 0x20000130;
  m->p[TB_SLOT_MODE] = TB_MODE_SVC;
  for (unsigned i = 0; i < sizeof m->ram; i++)
    m->ram[i] = (uint8_t) (i + 0x41);
}

static uint32_t
next_random (uint32_t x)
{
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

static void
test_rows (void)
{
  static const uint32_t corners[8] = { 0, 1, 0x7f, 0x80, 0xffff, 0x7fffffff,
				       0x80000000, 0xffffffff };
  for (uint32_t i = 0; i < NROWS (a32_rows); i++)
    {
      const struct a32_row *row = &a32_rows[i];
      struct machine m;
      uint32_t x = 0x9e3779b9 * (i + 1), want[13];
      start (&m);
      for (unsigned k = 0; k < 13; k++)
	{
	  x = next_random (x);
	  want[k] = m.p[k] = x & 1 ? corners[x >> 3 & 7] : x;
	}
      for (unsigned k = 0; k < 5; k++)
	m.p[k < 4 ? TB_SLOT_N + k : TB_SLOT_Q] = row->flags >> (8 - k) & 1;
      m.p[TB_SLOT_GE] = row->flags & 15;
      m.p[TB_SLOT_MASKS] = 7;	/* As the emulated core had.  */
      for (unsigned k = 0; k < 2; k++)
	if (row->want[k].r < 16)
	  want[row->want[k].r] = row->want[k].value;
      run (&m, row->opcode, 0, &v7a);
      uint32_t flags = m.p[TB_SLOT_GE] | m.p[TB_SLOT_Q] << 4;
      for (unsigned k = 0; k < 4; k++)
	flags |= m.p[TB_SLOT_N + k] << (8 - k);
      bool ok = CHECK_INT (flags, row->want_flags);
      for (unsigned k = 0; k < 13; k++)
	ok &= CHECK_INT (m.p[k], want[k]);
      if (!ok)
	fprintf (stderr, "row %u, opcode %#x\n", i, row->opcode);
    }
}

/* Loads: RT is WANT, the base (r1) moves by MOVES.  Byte N of memory at BASE is
   N + 0xc1.  */
static void
test_loads (void)
{
  static const struct
  {
    uint32_t opcode;
    uint8_t rt;
    uint32_t want;
    int moves;
  } row[] = {
    { 0xe5910000, 0, 0xc4c3c2c1, 0 },	/* ldr r0, [r1]  */
    { 0xe5910004, 0, 0xc8c7c6c5, 0 },	/* ldr r0, [r1, #4]  */
    { 0xe5110004, 0, 0xc0bfbebd, 0 },	/* ldr r0, [r1, #-4]  */
    { 0xe5b10004, 0, 0xc8c7c6c5, 4 },	/* ldr r0, [r1, #4]!  */
    { 0xe4910004, 0, 0xc4c3c2c1, 4 },	/* ldr r0, [r1], #4  */
    { 0xe4110008, 0, 0xc4c3c2c1, -8 },	/* ldr r0, [r1], #-8  */
    { 0xe4b10004, 0, 0xc4c3c2c1, 4 },	/* ldrt r0, [r1], #4  */
    { 0xe7910002, 0, 0xc8c7c6c5, 0 },	/* ldr r0, [r1, r2]  */
    { 0xe7910082, 0, 0xcccbcac9, 0 },	/* ldr r0, [r1, r2, lsl #1]  */
    { 0xe7110002, 0, 0xc0bfbebd, 0 },	/* ldr r0, [r1, -r2]  */
    { 0xe6910102, 0, 0xc4c3c2c1, 16 },	/* ldr r0, [r1], r2, lsl #2  */
    { 0xe79100a2, 0, 0xc6c5c4c3, 0 },	/* ldr r0, [r1, r2, lsr #1]  */
    { 0xe7910062, 0, 0xc6c5c4c3, 0 },	/* ldr r0, [r1, r2, rrx]  */
    { 0xe5d10003, 0, 0xc4, 0 },		/* ldrb r0, [r1, #3]  */
    { 0xe4f10001, 0, 0xc1, 1 },		/* ldrbt r0, [r1], #1  */
    { 0xe1d100b2, 0, 0xc4c3, 0 },	/* ldrh r0, [r1, #2]  */
    { 0xe1d100d1, 0, 0xffffffc2, 0 },	/* ldrsb r0, [r1, #1]  */
    { 0xe1d100f2, 0, 0xffffc4c3, 0 },	/* ldrsh r0, [r1, #2]  */
    { 0xe19100b2, 0, 0xc6c5, 0 },	/* ldrh r0, [r1, r2]  */
    { 0xe0d100b2, 0, 0xc2c1, 2 },	/* ldrh r0, [r1], #2  */
    { 0xe17100b2, 0, 0xc0bf, -2 },	/* ldrh r0, [r1, #-2]!  */
    { 0xe0f100b2, 0, 0xc2c1, 2 },	/* ldrht r0, [r1], #2  */
    { 0xe1c140d8, 4, 0xcccbcac9, 0 },	/* ldrd r4, [r1, #8]  */
    { 0xe1c140d8, 5, 0xd0cfcecd, 0 },
    { 0xe0c140d8, 5, 0xc8c7c6c5, 8 },	/* ldrd r4, [r1], #8  */
    { 0xe18140d2, 4, 0xc8c7c6c5, 0 },	/* ldrd r4, [r1, r2]  */
    { 0xe1910f9f, 0, 0xc4c3c2c1, 0 },	/* ldrex r0, [r1]  */
    { 0xe1d10f9f, 0, 0xc1, 0 },		/* ldrexb r0, [r1]  */
    { 0xe1f10f9f, 0, 0xc2c1, 0 },	/* ldrexh r0, [r1]  */
    { 0xe1b10f9f, 0, 0xc4c3c2c1, 0 },	/* ldrexd r0, [r1]: and r1.  */
    { 0xe1910e9f, 0, 0xc4c3c2c1, 0 },	/* ldaex r0, [r1]  */
    { 0xe1d10c9f, 0, 0xc1, 0 },		/* ldab r0, [r1]  */
    { 0xe1012090, 2, 0xc4c3c2c1, 0 },	/* swp r2, r0, [r1]  */
    { 0xe1412090, 2, 0xc1, 0 }		/* swpb r2, r0, [r1]  */
  };
  for (size_t i = 0; i < NROWS (row); i++)
    {
      struct machine m;
      start (&m);
      run (&m, row[i].opcode, 0, &v7a);
      bool ok = CHECK_INT (m.p[row[i].rt], row[i].want);
      if (row[i].opcode == 0xe1b10f9f)
	ok &= CHECK_INT (m.p[1], 0xc8c7c6c5);
      else
	ok &= CHECK_INT (m.p[1], BASE + (uint32_t) row[i].moves);
      if (!ok)
	fprintf (stderr, "opcode %#x\n", row[i].opcode);
    }
}

/* Stores of r0 (0x11223344) and what follows it: SIZE bytes at BASE + AT.  */
static void
test_stores (void)
{
  static const struct
  {
    uint32_t opcode;
    int at;
    unsigned size;
    uint32_t want;
    int moves;
  } row[] = {
    { 0xe5810000, 0, 4, 0x11223344, 0 },	/* str r0, [r1]  */
    { 0xe5a10008, 8, 4, 0x11223344, 8 },	/* str r0, [r1, #8]!  */
    { 0xe4010004, 0, 4, 0x11223344, -4 },	/* str r0, [r1], #-4  */
    { 0xe7810102, 16, 4, 0x11223344, 0 },	/* str r0, [r1, r2, lsl #2] */
    { 0xe581f004, 4, 4, PC + 8, 0 },		/* str pc, [r1, #4]  */
    { 0xe5c10001, 1, 1, 0x44, 0 },		/* strb r0, [r1, #1]  */
    { 0xe4e10001, 0, 1, 0x44, 1 },		/* strbt r0, [r1], #1  */
    { 0xe1c100b2, 2, 2, 0x3344, 0 },		/* strh r0, [r1, #2]  */
    { 0xe0e100b2, 0, 2, 0x3344, 2 },		/* strht r0, [r1], #2  */
    { 0xe1c140f8, 12, 4, 0x600, 0 },		/* strd r4, [r1, #8]  */
    { 0xe1814f90, 0, 4, 0x11223344, 0 },	/* strex r4, r0, [r1]  */
    { 0xe1c14f90, 0, 1, 0x44, 0 },		/* strexb r4, r0, [r1]  */
    { 0xe1a1af94, 4, 4, 0x600, 0 },		/* strexd r10, r4, [r1]  */
    { 0xe181fc90, 0, 4, 0x11223344, 0 },	/* stl r0, [r1]  */
    { 0xe1c1fc90, 0, 1, 0x44, 0 },		/* stlb r0, [r1]  */
    { 0xe1814e90, 0, 4, 0x11223344, 0 },	/* stlex r4, r0, [r1]  */
    { 0xe1012090, 0, 4, 0x11223344, 0 }		/* swp r2, r0, [r1]  */
  };
  for (size_t i = 0; i < NROWS (row); i++)
    {
      struct machine m;
      start (&m);
      m.p[0] = 0x11223344;
      run (&m, row[i].opcode, 0, &v7a);
      bool ok = CHECK_INT (load (&m, BASE + (uint32_t) row[i].at,
				 row[i].size), row[i].want);
      ok &= CHECK_INT (m.p[1], BASE + (uint32_t) row[i].moves);
      /* The byte behind it is as it was.  */
      uint32_t behind = (uint32_t) row[i].at + row[i].size;
      ok &= CHECK_INT (load (&m, BASE + behind, 1), (behind + 0xc1) & 255);
      if (!ok)
	fprintf (stderr, "opcode %#x\n", row[i].opcode);
    }
}

/* LDM and STM of {r4, r6} by r1: the lower word is at AT.  */
static void
test_multiple (void)
{
  static const struct
  {
    uint32_t mode;
    int at, moves;
  } row[] = {
    { 0x08810050, 0, 0 }, { 0x08a10050, 0, 8 },		/* IA  */
    { 0x09810050, 4, 0 }, { 0x09a10050, 4, 8 },		/* IB  */
    { 0x08010050, -4, 0 }, { 0x08210050, -4, -8 },	/* DA  */
    { 0x09010050, -8, 0 }, { 0x09210050, -8, -8 }	/* DB  */
  };
  for (size_t i = 0; i < NROWS (row); i++)
    {
      struct machine m;
      uint32_t at = BASE + (uint32_t) row[i].at;
      start (&m);
      uint32_t low = load (&m, at, 4), high = load (&m, at + 4, 4);
      run (&m, 0xe0100000 | row[i].mode, 0, &v7a);
      CHECK_INT (m.p[4], low);
      CHECK_INT (m.p[6], high);
      CHECK_INT (m.p[5], 0x600);
      CHECK_INT (m.p[1], BASE + (uint32_t) row[i].moves);
      start (&m);
      run (&m, 0xe0000000 | row[i].mode, 0, &v7a);
      CHECK_INT (load (&m, at, 4), 0x500);
      CHECK_INT (load (&m, at + 4, 4), 0x700);
      CHECK_INT (m.stores, 2);
      CHECK_INT (m.p[1], BASE + (uint32_t) row[i].moves);
    }
  struct machine m;
  start (&m);
  struct tb_semantics_result r = run (&m, 0xe8bd8010, 0, &v7a);
  CHECK (r.indirect);		/* pop {r4, pc}  */
  CHECK_INT (m.p[TB_SLOT_SP], BASE + 72);
  CHECK_INT (m.p[4], 0x04030201);
  CHECK_INT (r.target, 0x08070605);
  start (&m);
  run (&m, 0xe92d8010, 0, &v7a);	/* push {r4, pc}  */
  CHECK_INT (load (&m, BASE + 60, 4), PC + 8);
  start (&m);
  m.p[TB_SLOT_MODE] = TB_MODE_SYS;
  run (&m, 0xe8c16000, 0, &v7a);	/* stmia r1, {sp, lr}^  */
  CHECK_INT (load (&m, BASE, 4), BASE + 64);
  CHECK_INT (load (&m, BASE + 4, 4), 0x9000);
  start (&m);
  r = run (&m, 0xe8c16000, 0, &v7a);	/* The same elsewhere.  */
  CHECK (r.banked);
}

static void
test_branches (void)
{
  static const struct
  {
    uint32_t opcode;
    bool indirect;
    uint32_t target, lr;
  } row[] = {
    { 0xea000010, false, 0, 0x9000 },		/* b  */
    { 0xeb000010, false, 0, PC + 4 },		/* bl  */
    { 0xfa000010, false, 0, PC + 4 },		/* blx  */
    { 0xe12fff13, true, 0x8401, 0x9000 },	/* bx r3  */
    { 0xe12fff33, true, 0x8401, PC + 4 },	/* blx r3  */
    { 0xe12fff3e, true, 0x9000, PC + 4 },	/* blx lr  */
    { 0xe12fff1e, true, 0x9000, 0x9000 },	/* bx lr  */
    { 0xe1a0f00e, true, 0x9000, 0x9000 },	/* mov pc, lr  */
    { 0xe08ff003, true, 0x10409, 0x9000 },	/* add pc, pc, r3  */
    { 0xe08ff103, true, PC + 8 + (0x8401 << 2), 0x9000 },	/* lsl #2  */
    { 0xe591f000, true, 0xc4c3c2c1, 0x9000 },	/* ldr pc, [r1]  */
    { 0xe79ff102, true, 0, 0x9000 }		/* ldr pc, [pc, r2, lsl #2] */
  };
  for (size_t i = 0; i < NROWS (row); i++)
    {
      struct machine m;
      start (&m);
      m.p[3] = 0x8401;
      struct tb_semantics_result r = run (&m, row[i].opcode, 0, &v7a);
      bool ok = CHECK_INT (r.indirect, row[i].indirect);
      ok &= CHECK_INT (m.p[TB_SLOT_LR], row[i].lr);
      if (r.indirect)
	ok &= CHECK_INT (r.target, row[i].target);
      if (!ok)
	fprintf (stderr, "opcode %#x\n", row[i].opcode);
    }
  struct machine m;
  start (&m);
  m.p[3] = 0x8403;		/* Before ARMv7 it did not change state.  */
  struct tb_semantics_result r = run (&m, 0xe1a0f003, 0, &v6);
  CHECK_INT (r.target, 0x8400);
  /* A branch with a condition; and one that is not taken.  */
  start (&m);
  r = run (&m, 0x012fff1e, 0, &v7a);	/* bxeq lr  */
  CHECK (r.conditional && !r.taken && !r.indirect);
  m.p[TB_SLOT_Z] = 1;
  r = run (&m, 0x0b000010, 0, &v7a);	/* bleq  */
  CHECK (r.conditional && r.taken);
  CHECK_INT (m.p[TB_SLOT_LR], PC + 4);
}

/* CPSR, SPSR, modes and exception returns.  */
static void
test_system (void)
{
  struct machine m;
  struct tb_semantics_result r;
  start (&m);
  m.p[TB_SLOT_C] = 1;
  m.p[TB_SLOT_GE] = 9;
  m.p[TB_SLOT_MASKS] = 2;
  run (&m, 0xe10f0000, 0, &v7a);	/* mrs r0, cpsr  */
  CHECK_INT (m.p[0], 0x20090093);
  run (&m, 0xe14f0000, 0, &v7a);	/* mrs r0, spsr  */
  CHECK_INT (m.p[0], 0x20000130);
  run (&m, 0xf3ef8300, 4, &v7a);	/* T32: mrs r3, cpsr  */
  CHECK_INT (m.p[3], 0x20090093);
  run (&m, 0xf3ff8300, 4, &v7a);	/* mrs r3, spsr  */
  CHECK_INT (m.p[3], 0x20000130);
  r = run (&m, 0xe321f0d3, 0, &v7a);	/* msr cpsr_c, #0xd3  */
  CHECK_INT (m.p[TB_SLOT_MASKS], 3);
  CHECK (!r.banked);
  r = run (&m, 0xe321f0d2, 0, &v7a);	/* msr cpsr_c, #0xd2: IRQ mode.  */
  CHECK_INT (m.p[TB_SLOT_MODE], TB_MODE_IRQ);
  CHECK (r.banked);
  m.p[0] = 0xf80f0000;
  run (&m, 0xe12cf000, 0, &v7a);	/* msr cpsr_fs, r0  */
  CHECK_INT (m.p[TB_SLOT_N] + m.p[TB_SLOT_Z] + m.p[TB_SLOT_C]
	     + m.p[TB_SLOT_V] + m.p[TB_SLOT_Q], 5);
  CHECK_INT (m.p[TB_SLOT_GE], 15);
  run (&m, 0xf3808800, 4, &v7a);	/* T32: msr cpsr_f, r0  */
  start (&m);
  m.p[0] = 0x600000df;
  run (&m, 0xe161f000, 0, &v7a);	/* msr spsr_c, r0  */
  CHECK_INT (m.p[TB_SLOT_SPSR], 0x200001df);
  run (&m, 0xe169f000, 0, &v7a);	/* msr spsr_fc, r0  */
  CHECK_INT (m.p[TB_SLOT_SPSR], 0x600001df);
  run (&m, 0xf10c0080, 0, &v7a);	/* cpsid i  */
  CHECK_INT (m.p[TB_SLOT_MASKS], 2);
  run (&m, 0xf10801c0, 0, &v7a);	/* cpsie aif  */
  CHECK_INT (m.p[TB_SLOT_MASKS], 0);
  run (&m, 0xb671, 2, &v7a);		/* T16: cpsid f  */
  CHECK_INT (m.p[TB_SLOT_MASKS], 1);
  run (&m, 0xb662, 2, &v7a);		/* T16: cpsie i  */
  CHECK_INT (m.p[TB_SLOT_MASKS], 1);
  r = run (&m, 0xf102001f, 0, &v7a);	/* cps #31  */
  CHECK (r.banked);
  CHECK_INT (m.p[TB_SLOT_MODE], TB_MODE_SYS);
  r = run (&m, 0xf3af8113, 4, &v7a);	/* T32: cps #19  */
  CHECK_INT (m.p[TB_SLOT_MODE], TB_MODE_SVC);
  start (&m);
  m.p[TB_SLOT_MODE] = TB_MODE_USR;	/* Where it does nothing.  */
  run (&m, 0xf102001f, 0, &v7a);
  CHECK_INT (m.p[TB_SLOT_MODE], TB_MODE_USR);
}

static void
test_returns (void)
{
  /* movs pc, lr; subs pc, lr, #4; eret; T32: subs pc, lr, #4, eret.  */
  static const struct { uint32_t opcode; uint8_t size; uint32_t target; }
    row[] = { { 0xe1b0f00e, 0, 0x9000 }, { 0xe25ef004, 0, 0x8ffc },
	      { 0xe160006e, 0, 0x9000 }, { 0xf3de8f04, 4, 0x8ffc },
	      { 0xf3de8f00, 4, 0x9000 } };
  struct machine m;
  struct tb_semantics_result r;
  for (size_t i = 0; i < NROWS (row); i++)
    {
      start (&m);
      m.p[TB_SLOT_SPSR] = 0x80050193;
      r = run (&m, row[i].opcode, row[i].size, &v7a);
      CHECK (r.indirect && !r.banked);
      CHECK_INT (r.target, row[i].target);
      CHECK_INT (m.p[TB_SLOT_N], 1);
      CHECK_INT (m.p[TB_SLOT_GE], 5);
      CHECK_INT (m.p[TB_SLOT_MASKS], 6);
      CHECK_INT (m.p[TB_SLOT_LR], 0x9000);
    }
  start (&m);
  r = run (&m, 0xe8fd8011, 0, &v7a);	/* ldm sp!, {r0, r4, pc}^  */
  CHECK (r.indirect && r.banked);	/* To User mode.  */
  CHECK_INT (r.target, 0x0c0b0a08);
  CHECK_INT (m.p[0], 0x04030201);
  CHECK_INT (m.p[4], 0x08070605);
  CHECK_INT (m.p[TB_SLOT_MODE], TB_MODE_USR);
  CHECK_INT (m.p[TB_SLOT_C], 1);
  /* srsdb sp!, #19; rfeia sp!  */
  static const struct { uint32_t srs, rfe; uint8_t size; } pair[]
    = { { 0xf96d0513, 0xf8bd0a00, 0 }, { 0xe82dc013, 0xe9bdc000, 4 } };
  for (size_t i = 0; i < NROWS (pair); i++)
    {
      start (&m);
      m.p[TB_SLOT_SPSR] = 0x40000013;
      run (&m, pair[i].srs, pair[i].size, &v7a);
      CHECK_INT (m.p[TB_SLOT_SP], BASE + 56);
      CHECK_INT (load (&m, BASE + 56, 4), 0x9000);
      CHECK_INT (load (&m, BASE + 60, 4), 0x40000013);
      m.p[TB_SLOT_SPSR] = 0;
      r = run (&m, pair[i].rfe, pair[i].size, &v7a);
      CHECK (r.indirect && !r.banked);
      CHECK_INT (r.target, 0x9000);
      CHECK_INT (m.p[TB_SLOT_SP], BASE + 64);
      CHECK_INT (m.p[TB_SLOT_Z], 1);
    }
  start (&m);
  r = run (&m, 0xf96d0512, 0, &v7a);	/* srsdb sp!, #18 from elsewhere.  */
  CHECK (r.banked);
}

/* What comes from coprocessors, and what goes there; vectors.  */
static void
test_coprocessors (void)
{
  /* Which registers and slots may be written; accesses.  */
  static const struct
  {
    uint32_t opcode;
    uint8_t size;
    uint32_t writes;
    uint8_t loads, stores;
  } row[] = {
    { 0xee110f10, 0, 1, 0, 0 },		/* mrc p15, 0, r0, c1, c0, 0  */
    { 0xee010f10, 0, 0, 0, 0 },		/* mcr  */
    { 0xec510f0e, 0, 3, 0, 0 },		/* mrrc p15, 0, r0, r1, c14  */
    { 0xeef1fa10, 0, TB_SLOTS_NZCV, 0, 0 },	/* vmrs apsr_nzcv, fpscr  */
    { 0xeef10a10, 0, 1, 0, 0 },		/* vmrs r0, fpscr  */
    { 0xee100a10, 0, 1, 0, 0 },		/* vmov r0, s0  */
    { 0xee000a10, 0, 0, 0, 0 },		/* vmov s0, r0  */
    { 0xec510b10, 0, 3, 0, 0 },		/* vmov r0, r1, d0  */
    { 0xee300a20, 0, 0, 0, 0 },		/* vadd.f32 s0, s0, s1  */
    { 0xed910b02, 0, 0, 2, 0 },		/* vldr d0, [r1, #8]  */
    { 0xed810a00, 0, 0, 0, 1 },		/* vstr s0, [r1]  */
    { 0xecbd8b04, 0, 1u << 13, 4, 0 },	/* vpop {d8-d9}  */
    { 0xed2d8b04, 0, 1u << 13, 0, 4 },	/* vpush {d8-d9}  */
    { 0xf421070f, 0, 0, 2, 0 },		/* vld1.8 {d0}, [r1]  */
    { 0xf421028d, 0, 2, 8, 0 },		/* vld1.32 {d0-d3}, [r1]!  */
    { 0xf4010a4f, 0, 0, 0, 4 },		/* vst1.16 {d0-d1}, [r1]  */
    { 0xf4a10002, 0, 2, 1, 0 },		/* vld1.8 {d0[0]}, [r1], r2  */
    { 0xf4a10caf, 0, 0, 1, 0 },		/* vld1.32 {d0[], d1[]}, [r1]  */
    { 0xf2000150, 0, 0, 0, 0 },		/* vand q0, q0, q0  */
    { 0xef000150, 4, 0, 0, 0 },		/* the same in T32  */
    { 0xf921070f, 4, 0, 2, 0 },		/* vld1.8 {d0}, [r1]  */
    { 0xee110f10, 4, 1, 0, 0 },		/* mrc  */
    { 0xf5d1f000, 0, 0, 0, 0 },		/* pld [r1]  */
    { 0xf57ff05f, 0, 0, 0, 0 },		/* dmb sy  */
    { 0xe320f003, 0, 0, 0, 0 },		/* wfi  */
    { 0xe1200070, 0, 0, 0, 0 },		/* bkpt  */
    { 0xe1600070, 0, 0, 0, 0 },		/* smc  */
    { 0xe1400070, 0, 0, 0, 0 },		/* hvc  */
    { 0xef000000, 0, 0, 0, 0 },		/* svc  */
    { 0xe1010042, 0, 1, 0, 0 }		/* crc32b r0, r1, r2  */
  };
  for (size_t i = 0; i < NROWS (row); i++)
    {
      struct tb_semantics s;
      struct tb_semantics_effect effect;
      unsigned loads = 0, stores = 0;
      if (row[i].size == 0)
	tb_semantics_a32 (&s, row[i].opcode, PC, &v7a);
      else
	tb_semantics_t32 (&s, row[i].opcode, row[i].size, PC, &v7a);
      bool ok = CHECK (s.modelled);
      tb_semantics_effect (s.uops, s.count, false, &effect);
      for (unsigned k = 0; k < s.count; k++)
	{
	  loads += s.uops[k].op == TB_OP_LOAD;
	  stores += s.uops[k].op == TB_OP_STORE;
	}
      ok &= CHECK_INT (effect.may_write, row[i].writes);
      ok &= CHECK_INT (loads, row[i].loads);
      ok &= CHECK_INT (stores, row[i].stores);
      if (!ok)
	fprintf (stderr, "opcode %#x\n", row[i].opcode);
    }
}

/* What a write of a CP15 register makes of what is remembered of memory: nothing, void
   as an address may lead elsewhere, or void as memory may have been written.  */
static void
test_forgets (void)
{
  enum { KEEPS = -1, LEADS_ELSEWHERE, WRITES };
  static const struct
  {
    uint32_t opcode;
    int forgets;
  } row[] = {
    { 0xee020f10, LEADS_ELSEWHERE },	/* mcr p15, 0, r0, c2, c0, 0: TTBR0  */
    { 0xee080f36, LEADS_ELSEWHERE },	/* c8, c6, 1: a line of the TLB  */
    { 0xee0d0f30, LEADS_ELSEWHERE },	/* c13, c0, 1: CONTEXTIDR  */
    { 0xee0d0f50, KEEPS },		/* c13, c0, 2: a thread ID  */
    { 0xee070f36, WRITES },		/* c7, c6, 1: DCIMVAC  */
    { 0xee070f56, WRITES },		/* c7, c6, 2: DCISW  */
    { 0xee070f3a, KEEPS },		/* c7, c10, 1: DCCMVAC  */
    { 0xee090f1b, WRITES },		/* c9, c11: implementation defined  */
    { 0xee090f1c, KEEPS },		/* c9, c12: PMCR  */
    { 0xee0b0f10, WRITES },		/* c11  */
    { 0xee0f0f10, WRITES },		/* c15  */
    { 0xee0e0f16, KEEPS },		/* c14, c6: timers  */
    { 0xee120f10, KEEPS },		/* mrc p15, 0, r0, c2, c0, 0  */
    { 0xec420f02, LEADS_ELSEWHERE },	/* mcrr p15, 0, r0, r2, c2  */
    { 0xec420f0e, KEEPS }		/* c14  */
  };
  for (size_t i = 0; i < NROWS (row); i++)
    {
      struct tb_semantics s;
      int forgets = KEEPS;
      tb_semantics_a32 (&s, row[i].opcode, PC, &v7a);
      for (unsigned k = 0; k < s.count; k++)
	if (s.uops[k].op == TB_OP_FORGET)
	  forgets = (int) s.uops[k].imm;
      if (!CHECK (s.modelled) || !CHECK_INT (forgets, row[i].forgets))
	fprintf (stderr, "opcode %#x\n", row[i].opcode);
    }
}

/* What is undefined or unpredictable is not modelled; on M profile nothing is.  */
static void
test_not_modelled (void)
{
  static const uint32_t row[] = {
    0xe5b11004,			/* ldr r1, [r1, #4]!  */
    0xe8b10002,			/* ldm r1!, {r1}  */
    0xe8910000,			/* ldm r1, {}  */
    0xe00f0291,			/* mul pc, r1, r2  */
    0xe0000f11,			/* and r0, r0, r1, lsl pc  */
    0xe00f0211,			/* and r0, pc, r1, lsl r2  */
    0xe000f211,			/* and pc, r0, r1, lsl r2  */
    0xe000021f,			/* and r0, r0, pc, lsl r2  */
    0xe1c110d0,			/* ldrd r1, [r1]  */
    0xe12fff3f,			/* blx pc  */
    0xe1f10000,			/* mvns with Rn  */
    0xe1501000,			/* cmp with Rd  */
    0xe6000010,			/* not a media instruction  */
    0xff000000
  };
  struct tb_semantics s;
  const struct tb_profile m = { .arch = TB_ARCH_V7M, .is_m = true };
  for (size_t i = 0; i < NROWS (row); i++)
    {
      tb_semantics_a32 (&s, row[i], PC, &v7a);
      if (!CHECK (!s.modelled))
	fprintf (stderr, "opcode %#x\n", row[i]);
    }
  tb_semantics_a32 (&s, 0xe1a00001, PC, &m);
  CHECK (!s.modelled);
}

int
main (void)
{
  test_rows ();
  test_loads ();
  test_stores ();
  test_multiple ();
  test_branches ();
  test_system ();
  test_returns ();
  test_coprocessors ();
  test_forgets ();
  test_not_modelled ();
  return check_done ();
}
