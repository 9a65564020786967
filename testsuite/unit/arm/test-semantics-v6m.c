/* Micro-operations of ARMv6-M, instruction by instruction.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Expected values are worked out by hand from DDI 0419.  */

#include "config.h"

#include "arm/machine/regs.h"
#include "arm/ir/semantics.h"
#include "check.h"
#include "run-32.h"
#include "target-memory.h"

#define PC 0x1000u
#define SPA 0x20001000u

static const struct tb_profile v6m = { .arch = TB_ARCH_V6M, .is_m = true };

/* A machine: places, 256 bytes at SPA - 128, a log of stores.  */
struct machine
{
  uint32_t p[TB_NPLACES];
  uint8_t ram[256];
};

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct machine *m = context;
  uint32_t value = 0, at = address - (SPA - 128);
  if (CHECK (at <= sizeof m->ram - size))
    value = (uint32_t) TARGET_LOAD (m->ram, at, size);
  return value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct machine *m = context;
  uint32_t at = address - (SPA - 128);
  if (CHECK (at <= sizeof m->ram - size))
    TARGET_STORE (m->ram, at, size, value);
}

static struct tb_semantics_result
run (struct machine *m, uint32_t opcode, unsigned size)
{
  struct tb_semantics s;
  struct tb_forward_memory memory = { load, store, m };
  struct tb_semantics_result result = { 0 };
  tb_semantics_t32 (&s, opcode, size, PC, &v6m);
  if (CHECK (s.modelled))
    run_32 (&s, m->p, &memory, &result);
  else
    fprintf (stderr, "opcode %#x\n", opcode);
  return result;
}

static void
clear (struct machine *m)
{
  memset (m, 0, sizeof *m);
  m->p[TB_SLOT_SP] = SPA;
  for (unsigned i = 0; i < sizeof m->ram; i++)
    m->ram[i] = (uint8_t) (i + 1);
}

static unsigned
flags (const struct machine *m)
{
  return m->p[TB_SLOT_N] << 3 | m->p[TB_SLOT_Z] << 2 | m->p[TB_SLOT_C] << 1
	 | m->p[TB_SLOT_V];
}

static void
set_flags (struct machine *m, unsigned nzcv)
{
  for (unsigned i = 0; i < 4; i++)
    m->p[TB_SLOT_N + i] = nzcv >> (3 - i) & 1;
}

/* Data processing: r0 op r1 (or an immediate) in the usual register r0.  */
struct row
{
  const char *text;
  uint16_t opcode;
  uint32_t r0, r1;		/* Before.  */
  uint8_t nzcv;			/* Before.  */
  uint32_t want;		/* r0 afterwards.  */
  uint8_t want_nzcv;
};

enum { N = 8, Z = 4, C = 2, V = 1 };

static const struct row rows[] = {
  /* Shifts by an immediate; 0 stands for 32 to the right.  */
  { "lsls r0,r1,#1", 0x0048, 0, 0x80000001, 0, 2, C },
  { "lsls r0,r1,#31", 0x07c8, 0, 3, V, 0x80000000, N | C | V },
  { "movs r0,r1", 0x0008, 5, 0, C | V, 0, Z | C | V },
  { "lsrs r0,r1,#1", 0x0848, 0, 3, 0, 1, C },
  { "lsrs r0,r1,#32", 0x0808, 0, 0x80000000, 0, 0, Z | C },
  { "lsrs r0,r1,#32", 0x0808, 0, 0x7fffffff, C, 0, Z },
  { "asrs r0,r1,#4", 0x1108, 0, 0x80000008, 0, 0xf8000000, N | C },
  { "asrs r0,r1,#32", 0x1008, 0, 0x80000000, 0, 0xffffffff, N | C },
  { "asrs r0,r1,#32", 0x1008, 0, 0x7fffffff, C, 0, Z },
  /* Shifts by a register: the low byte; 0 leaves the carry alone.  */
  { "lsls r0,r1", 0x4088, 3, 0x100, C, 3, C },
  { "lsls r0,r1", 0x4088, 3, 31, 0, 0x80000000, N | C },
  { "lsls r0,r1", 0x4088, 3, 32, 0, 0, Z | C },
  { "lsls r0,r1", 0x4088, 3, 33, C, 0, Z },
  { "lsrs r0,r1", 0x40c8, 0x80000000, 32, 0, 0, Z | C },
  { "lsrs r0,r1", 0x40c8, 0x80000000, 33, C, 0, Z },
  { "asrs r0,r1", 0x4108, 0x80000000, 40, 0, 0xffffffff, N | C },
  { "asrs r0,r1", 0x4108, 0x40000000, 255, C, 0, Z },
  { "rors r0,r1", 0x41c8, 0x12345678, 8, 0, 0x78123456, 0 },
  { "rors r0,r1", 0x41c8, 0x80000001, 32, 0, 0x80000001, N | C },
  { "rors r0,r1", 0x41c8, 0x80000001, 0, 0, 0x80000001, N },
  { "rors r0,r1", 0x41c8, 0x00000001, 33, 0, 0x80000000, N | C },
  /* Addition and subtraction.  */
  { "adds r0,r0,r1", 0x1840, 0xffffffff, 1, 0, 0, Z | C },
  { "adds r0,r0,r1", 0x1840, 0x7fffffff, 1, 0, 0x80000000, N | V },
  { "adds r0,r0,r1", 0x1840, 0x80000000, 0x80000000, 0, 0, Z | C | V },
  { "subs r0,r0,r1", 0x1a40, 5, 5, 0, 0, Z | C },
  { "subs r0,r0,r1", 0x1a40, 4, 5, C, 0xffffffff, N },
  { "subs r0,r0,r1", 0x1a40, 0x80000000, 1, 0, 0x7fffffff, C | V },
  { "adds r0,r1,#7", 0x1dc8, 0, 0xfffffffa, 0, 1, C },
  { "subs r0,r1,#7", 0x1fc8, 0, 7, 0, 0, Z | C },
  { "movs r0,#255", 0x20ff, 0, 0, C | V, 255, C | V },
  { "movs r0,#0", 0x2000, 1, 0, N | C, 0, Z | C },
  { "cmp r0,#5", 0x2805, 4, 0, V, 4, N },
  { "adds r0,#255", 0x30ff, 1, 0, 0, 256, 0 },
  { "subs r0,#255", 0x38ff, 254, 0, 0, 0xffffffff, N },
  { "adcs r0,r1", 0x4148, 0xffffffff, 0, C, 0, Z | C },
  { "adcs r0,r1", 0x4148, 0x7fffffff, 0, C, 0x80000000, N | V },
  { "adcs r0,r1", 0x4148, 0xffffffff, 0xffffffff, C, 0xffffffff, N | C },
  { "adcs r0,r1", 0x4148, 1, 2, 0, 3, 0 },
  { "sbcs r0,r1", 0x4188, 5, 3, C, 2, C },
  { "sbcs r0,r1", 0x4188, 5, 3, 0, 1, C },
  { "sbcs r0,r1", 0x4188, 0, 0, 0, 0xffffffff, N },
  { "sbcs r0,r1", 0x4188, 0, 0, C, 0, Z | C },
  { "sbcs r0,r1", 0x4188, 0x80000000, 0, 0, 0x7fffffff, C | V },
  { "rsbs r0,r1,#0", 0x4248, 0, 0, 0, 0, Z | C },
  { "rsbs r0,r1,#0", 0x4248, 0, 0x80000000, 0, 0x80000000, N | V },
  { "rsbs r0,r1,#0", 0x4248, 0, 1, C, 0xffffffff, N },
  { "cmp r0,r1", 0x4288, 1, 2, C, 1, N },
  { "cmn r0,r1", 0x42c8, 0xffffffff, 1, 0, 0xffffffff, Z | C },
  { "cmn r0,r1", 0x42c8, 0x7fffffff, 1, 0, 0x7fffffff, N | V },
  { "muls r0,r1", 0x4348, 0x10000, 0x10000, C | V, 0, Z | C | V },
  { "muls r0,r1", 0x4348, 0xffffffff, 3, 0, 0xfffffffd, N },
  /* Logic: C and V stay.  */
  { "ands r0,r1", 0x4008, 0xf0, 0x0f, C | V, 0, Z | C | V },
  { "eors r0,r1", 0x4048, 0xff, 0x80000000, 0, 0x800000ff, N },
  { "tst r0,r1", 0x4208, 6, 4, C, 6, C },
  { "orrs r0,r1", 0x4308, 1, 0x80000000, 0, 0x80000001, N },
  { "bics r0,r1", 0x4388, 7, 5, 0, 2, 0 },
  { "mvns r0,r1", 0x43c8, 0, 0xffffffff, V, 0, Z | V },
  /* No flags.  */
  { "add r0,r1", 0x4408, 0xffffffff, 1, N, 0, N },
  { "mov r0,r1", 0x4608, 0, 9, Z, 9, Z },
  { "mov r0,pc", 0x4678, 0, 0, 0, PC + 4, 0 },
  { "add r0,pc", 0x4478, 1, 0, 0, PC + 5, 0 },
  { "sxth r0,r1", 0xb208, 0, 0x12348000, N, 0xffff8000, N },
  { "sxtb r0,r1", 0xb248, 0, 0x1234567f, 0, 0x7f, 0 },
  { "sxtb r0,r1", 0xb248, 0, 0x80, 0, 0xffffff80, 0 },
  { "uxth r0,r1", 0xb288, 0, 0xffff8001, 0, 0x8001, 0 },
  { "uxtb r0,r1", 0xb2c8, 0, 0xffffff81, 0, 0x81, 0 },
  { "rev r0,r1", 0xba08, 0, 0x12345678, 0, 0x78563412, 0 },
  { "rev16 r0,r1", 0xba48, 0, 0x12345678, 0, 0x34127856, 0 },
  { "revsh r0,r1", 0xbac8, 0, 0x12347f80, 0, 0xffff807f, 0 },
  { "revsh r0,r1", 0xbac8, 0, 0x1234807f, 0, 0x7f80, 0 },
  { "adr r0,#8", 0xa002, 0, 0, 0, PC + 12, 0 },
  { "add r0,sp,#16", 0xa804, 0, 0, C, SPA + 16, C },
};

static void
test_rows (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const struct row *row = &rows[i];
      struct machine m;
      clear (&m);
      m.p[0] = row->r0;
      m.p[1] = row->r1;
      set_flags (&m, row->nzcv);
      run (&m, row->opcode, 2);
      bool ok = CHECK_INT (m.p[0], row->want);
      ok &= CHECK_INT (flags (&m), row->want_nzcv);
      ok &= CHECK_INT (m.p[TB_SLOT_SP], SPA);
      if (!ok)
	fprintf (stderr, "row %zu: %s\n", i, row->text);
    }
}

static void
test_loads (void)
{
  struct machine m;
  clear (&m);
  m.p[1] = SPA;
  m.ram[128] = 0x80;
  m.ram[129] = 0xff;
  run (&m, 0x6808, 2);		/* ldr r0,[r1]  */
  CHECK_INT (m.p[0], 0x8483ff80);
  run (&m, 0x8808, 2);		/* ldrh r0,[r1]  */
  CHECK_INT (m.p[0], 0xff80);
  run (&m, 0x7808, 2);		/* ldrb r0,[r1]  */
  CHECK_INT (m.p[0], 0x80);
  m.p[2] = 0;
  run (&m, 0x5688, 2);		/* ldrsb r0,[r1,r2]  */
  CHECK_INT (m.p[0], 0xffffff80);
  run (&m, 0x5e88, 2);		/* ldrsh r0,[r1,r2]  */
  CHECK_INT (m.p[0], 0xffffff80);
  m.p[2] = 4;
  run (&m, 0x5888, 2);		/* ldr r0,[r1,r2]  */
  CHECK_INT (m.p[0], 0x88878685);
  run (&m, 0x7908, 2);		/* ldrb r0,[r1,#4]  */
  CHECK_INT (m.p[0], 0x85);
  run (&m, 0x8888, 2);		/* ldrh r0,[r1,#4]  */
  CHECK_INT (m.p[0], 0x8685);
  run (&m, 0x9801, 2);		/* ldr r0,[sp,#4]  */
  CHECK_INT (m.p[0], 0x88878685);
  m.p[0] = 0x11223344;
  run (&m, 0x7048, 2);		/* strb r0,[r1,#1]  */
  CHECK_INT (load (&m, SPA, 4), 0x84834480);
  run (&m, 0x8048, 2);		/* strh r0,[r1,#2]  */
  CHECK_INT (load (&m, SPA, 4), 0x33444480);
  run (&m, 0x5088, 2);		/* str r0,[r1,r2]  */
  CHECK_INT (load (&m, SPA + 4, 4), 0x11223344);
  run (&m, 0x9003, 2);		/* str r0,[sp,#12]  */
  CHECK_INT (load (&m, SPA + 12, 4), 0x11223344);
}

static void
test_multiple (void)
{
  struct machine m;
  struct tb_semantics_result result;

  clear (&m);
  m.p[0] = 0x10;
  m.p[7] = 0x17;
  m.p[TB_SLOT_LR] = 0x1e;
  run (&m, 0xb581, 2);		/* push {r0,r7,lr}  */
  CHECK_INT (m.p[TB_SLOT_SP], SPA - 12);
  CHECK_INT (load (&m, SPA - 12, 4), 0x10);
  CHECK_INT (load (&m, SPA - 8, 4), 0x17);
  CHECK_INT (load (&m, SPA - 4, 4), 0x1e);
  m.p[0] = m.p[7] = 0;
  result = run (&m, 0xbd82, 2);	/* pop {r1,r7,pc}  */
  CHECK_INT (m.p[1], 0x10);
  CHECK_INT (m.p[7], 0x17);
  CHECK_INT (m.p[TB_SLOT_SP], SPA);
  CHECK (result.indirect);
  CHECK_INT (result.target, 0x1e);

  clear (&m);
  m.p[1] = SPA;
  run (&m, 0xc906, 2);		/* ldm r1,{r1,r2}: no write-back.  */
  CHECK_INT (m.p[1], 0x84838281);
  CHECK_INT (m.p[2], 0x88878685);
  m.p[1] = SPA;
  run (&m, 0xc90c, 2);		/* ldm r1!,{r2,r3}  */
  CHECK_INT (m.p[1], SPA + 8);
  CHECK_INT (m.p[2], 0x84838281);
  CHECK_INT (m.p[3], 0x88878685);
  m.p[0] = SPA;
  m.p[1] = 0xaa;
  run (&m, 0xc003, 2);		/* stm r0!,{r0,r1}: the old base.  */
  CHECK_INT (m.p[0], SPA + 8);
  CHECK_INT (load (&m, SPA, 4), SPA);
  CHECK_INT (load (&m, SPA + 4, 4), 0xaa);
}

/* A base in the list that is not its lowest register is stored as anything. */
static void
test_stored_base (void)
{
  struct tb_semantics s;
  unsigned unknown = 0;
  tb_semantics_t32 (&s, 0xc103, 2, PC, &v6m);	/* stm r1!,{r0,r1}  */
  for (unsigned i = 0; i < s.count; i++)
    unknown += s.uops[i].op == TB_OP_UNKNOWN;
  CHECK_INT (unknown, 1);
}

static void
test_branches (void)
{
  struct machine m;
  struct tb_semantics_result result;
  clear (&m);
  m.p[3] = 0x2001;
  m.p[TB_SLOT_LR] = 0x3001;
  result = run (&m, 0x4718, 2);	/* bx r3  */
  CHECK (result.indirect);
  CHECK_INT (result.target, 0x2001);
  CHECK_INT (m.p[TB_SLOT_LR], 0x3001);
  result = run (&m, 0x4798, 2);	/* blx r3  */
  CHECK_INT (result.target, 0x2001);
  CHECK_INT (m.p[TB_SLOT_LR], PC + 3);
  result = run (&m, 0x47f0, 2);	/* blx lr: the old LR.  */
  CHECK_INT (result.target, PC + 3);
  result = run (&m, 0x469f, 2);	/* mov pc,r3: bit 0 does not count.  */
  CHECK_INT (result.target, 0x2000);
  m.p[3] = 0x10;
  result = run (&m, 0x449f, 2);	/* add pc,r3  */
  CHECK_INT (result.target, PC + 0x14);
  run (&m, 0xf000f801, 4);	/* bl  */
  CHECK_INT (m.p[TB_SLOT_LR], PC + 5);
  m.p[3] = SPA + 7;
  run (&m, 0x469d, 2);		/* mov sp,r3: low bits are dropped.  */
  CHECK_INT (m.p[TB_SLOT_SP], SPA + 4);
  run (&m, 0xb082, 2);		/* sub sp,#8  */
  CHECK_INT (m.p[TB_SLOT_SP], SPA - 4);
  run (&m, 0xb001, 2);		/* add sp,#4  */
  CHECK_INT (m.p[TB_SLOT_SP], SPA);
}

/* Each condition against all flags.  */
static void
test_conditions (void)
{
  for (unsigned cc = 0; cc < 14; cc++)
    for (unsigned f = 0; f < 16; f++)
      {
	bool n = f & N, z = f & Z, c = f & C, v = f & V;
	bool want[14] = { z, !z, c, !c, n, !n, v, !v, c && !z, !c || z,
			  n == v, n != v, !z && n == v, z || n != v };
	struct machine m;
	clear (&m);
	set_flags (&m, f);
	struct tb_semantics_result result = run (&m, 0xd000 | cc << 8, 2);
	CHECK (result.conditional);
	CHECK_INT (result.taken, want[cc]);
	/* Flags that it does not read change nothing.  */
	uint32_t reads = tb_condition_reads (cc);
	for (unsigned i = 0; i < 4; i++)
	  if (!(reads >> (TB_SLOT_N + i) & 1))
	    {
	      set_flags (&m, f ^ 8u >> i);
	      CHECK_INT (run (&m, 0xd000 | cc << 8, 2).taken, want[cc]);
	    }
      }
}

static void
test_system (void)
{
  struct machine m;
  clear (&m);
  set_flags (&m, N | C);
  m.p[TB_SLOT_IPSR] = 15;
  m.p[TB_SLOT_HANDLER] = 1;
  m.p[TB_SLOT_SP_OTHER] = 0x20000800;
  run (&m, 0xf3ef8003, 4);	/* mrs r0,xpsr  */
  CHECK_INT (m.p[0], 0xa000000f);
  run (&m, 0xf3ef8000, 4);	/* mrs r0,apsr  */
  CHECK_INT (m.p[0], 0xa0000000);
  run (&m, 0xf3ef8005, 4);	/* mrs r0,ipsr  */
  CHECK_INT (m.p[0], 15);
  run (&m, 0xf3ef8108, 4);	/* mrs r1,msp  */
  CHECK_INT (m.p[1], SPA);
  run (&m, 0xf3ef8109, 4);	/* mrs r1,psp  */
  CHECK_INT (m.p[1], 0x20000800);
  m.p[2] = 0x50000000;
  run (&m, 0xf3828800, 4);	/* msr apsr,r2  */
  CHECK_INT (flags (&m), Z | V);
  m.p[2] = 0x20000903;
  run (&m, 0xf3828809, 4);	/* msr psp,r2  */
  CHECK_INT (m.p[TB_SLOT_SP_OTHER], 0x20000900);
  run (&m, 0xb672, 2);		/* cpsid i  */
  CHECK_INT (m.p[TB_SLOT_PRIMASK], 1);
  run (&m, 0xf3ef8010, 4);	/* mrs r0,primask  */
  CHECK_INT (m.p[0], 1);
  run (&m, 0xb662, 2);		/* cpsie i  */
  CHECK_INT (m.p[TB_SLOT_PRIMASK], 0);
  m.p[2] = 3;
  /* In a handler SPSEL stays; nPRIV may stay, so it is not told.  */
  run (&m, 0xf3828814, 4);	/* msr control,r2  */
  CHECK_INT (m.p[TB_SLOT_SPSEL], 0);
  CHECK_INT (m.p[TB_SLOT_NPRIV], 0);
  m.p[TB_SLOT_NPRIV] = 1;
  m.p[TB_SLOT_HANDLER] = 0;
  run (&m, 0xf3828810, 4);	/* msr primask,r2, not privileged  */
  CHECK_INT (m.p[TB_SLOT_PRIMASK], 0);
  run (&m, 0xf3ef8008, 4);	/* mrs r0,msp, not privileged  */
  CHECK_INT (m.p[0], 0);
  m.p[TB_SLOT_NPRIV] = 0;
  m.p[2] = 2;
  run (&m, 0xf3828814, 4);	/* msr control,r2: to PSP.  */
  CHECK_INT (m.p[TB_SLOT_SPSEL], 1);
  CHECK_INT (m.p[TB_SLOT_SP], 0x20000900);
  CHECK_INT (m.p[TB_SLOT_SP_OTHER], SPA);
  run (&m, 0xf3ef8014, 4);	/* mrs r0,control  */
  CHECK_INT (m.p[0], 2);
}

/* Nothing happens, or nothing is said.  */
static void
test_modelled (void)
{
  static const struct { uint32_t opcode; uint8_t size; bool v6m, v7m; } row[]
    = { { 0xbf00, 2, true, true }, { 0xbf30, 2, true, true },
	{ 0xdf05, 2, true, true }, { 0xbe00, 2, true, true },
	{ 0xde00, 2, true, true }, { 0xe7fe, 2, true, true },
	{ 0xf3bf8f4f, 4, true, true }, { 0xf3bf8f5f, 4, true, true },
	{ 0xf3bf8f6f, 4, true, true }, { 0xf7f0a000, 4, true, true },
	{ 0xf3ef8014, 4, true, true }, { 0xf3808814, 4, true, true },
	{ 0xbf08, 2, false, true },	/* it eq  */
	{ 0xb101, 2, false, true },	/* cbz  */
	{ 0xe92d4ff0, 4, false, true },	/* push.w  */
	{ 0xf8d10004, 4, false, true },	/* ldr.w  */
	{ 0xfb90f0f1, 4, false, true },	/* sdiv  */
	{ 0xc800, 2, false, false },	/* ldm with nothing  */
	{ 0xb400, 2, false, false } };
  const struct tb_profile v7m = { .arch = TB_ARCH_V7M, .is_m = true };
  const struct tb_profile v7a = { .arch = TB_ARCH_V7A };
  struct tb_semantics s;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
    {
      tb_semantics_t32 (&s, row[i].opcode, row[i].size, PC, &v6m);
      bool ok = CHECK_INT (s.modelled, row[i].v6m);
      tb_semantics_t32 (&s, row[i].opcode, row[i].size, PC, &v7m);
      ok &= CHECK_INT (s.modelled, row[i].v7m);
      tb_semantics_t32 (&s, row[i].opcode, row[i].size, PC, &v7a);
      /* There system registers have other numbers.  */
      ok &= CHECK_INT (s.modelled, row[i].v7m && i != 10 && i != 11);
      if (!ok)
	fprintf (stderr, "row %zu\n", i);
    }
}

/* All 16-bit opcodes: what a run changes is what the effect says.  */
static void
test_effects (void)
{
  for (uint32_t opcode = 0; opcode < 0xe800; opcode += 1)
    {
      struct tb_semantics s;
      struct tb_semantics_effect effect;
      tb_semantics_t32 (&s, opcode, 2, PC, &v6m);
      if (!s.modelled || (s.flags & (TB_SEM_LOADS | TB_SEM_STORES)))
	continue;
      struct machine m, before;
      clear (&m);
      for (unsigned i = 0; i < 13; i++)
	m.p[i] = 0x01010101 * (i + 1) << (opcode & 15);
      set_flags (&m, opcode >> 3 & 15);
      before = m;
      struct tb_forward_memory memory = { load, store, &m };
      struct tb_semantics_result result;
      run_32 (&s, m.p, &memory, &result);
      tb_semantics_effect (s.uops, s.count, false, &effect);
      bool ok = (effect.writes & ~effect.may_write) == 0;
      for (unsigned i = 0; i < TB_NSLOTS; i++)
	ok &= m.p[i] == before.p[i] || (effect.may_write >> i & 1);
      if (!CHECK (ok))
	fprintf (stderr, "opcode %#x\n", opcode);
    }
}

int
main (void)
{
  test_rows ();
  test_loads ();
  test_multiple ();
  test_stored_base ();
  test_branches ();
  test_conditions ();
  test_system ();
  test_modelled ();
  test_effects ();
  return check_done ();
}
