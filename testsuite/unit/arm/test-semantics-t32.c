/* Micro-operations of T32 instructions beyond ARMv6-M: data processing, loads and stores.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Data processing is compared with an emulated core (semantics-t32-rows.h and its
   neighbours); the other values are worked out by hand from DDI 0403 and DDI 0553.  */

#include "config.h"

#include "semantics-t32-multiply-rows.h"
#include "semantics-t32-register-rows.h"
#include "semantics-t32-rows.h"
#include "semantics-t32-run.h"

static void
test_rows (const struct t32_row *rows, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      const struct t32_row *row = &rows[i];
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
  tb_semantics_effect (s.uops, s.count, false, &effect);
  CHECK_INT (effect.writes, 1);
  CHECK_INT (effect.may_write, 1);
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
      tb_semantics_effect (s.uops, s.count, false, &effect);
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

int
main (void)
{
  test_rows (t32_rows, NROWS (t32_rows));
  test_rows (t32_register_rows, NROWS (t32_register_rows));
  test_rows (t32_multiply_rows, NROWS (t32_multiply_rows));
  test_loads ();
  test_stores ();
  test_pc ();
  test_sp ();
  test_stack ();
  test_exclusive ();
  test_fp ();
  return check_done ();
}
