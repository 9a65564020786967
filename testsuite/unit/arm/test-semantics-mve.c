/* Vector instructions of the M profile: what they may touch, and what stays.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Which registers an instruction names as written is what a disassembler says.  */

#include "config.h"

#include "arm/ir/semantics.h"
#include "check.h"

static const struct tb_profile v81m = { .arch = TB_ARCH_V81M_MAIN,
					.is_m = true };
static const struct tb_profile v8m = { .arch = TB_ARCH_V8M_MAIN, .is_m = true };

/* What is stored.  */
enum memory { NOTHING, WORDS, SOMEWHERE };

static const struct
{
  uint32_t opcode, core;	/* Core registers that may change, as bits.  */
  uint8_t vectors;		/* Q registers.  */
  uint8_t memory;		/* enum memory  */
  const char *text;
} rows[] = {
  { 0xef242846, 0, 1 << 1, NOTHING, "vadd.i32 q1,q2,q3" },
  { 0xee250fee, 1 << 4, 1 << 0, NOTHING, "vidup.u32 q0,r4,#4" },
  { 0xeea30fc7, 1 << 7, 1 << 0, NOTHING, "vshlc q0,r7,#3" },
  { 0xec094f01, 1 << 1 | 1 << 9, 0, NOTHING, "vmov r1,r9,q2[2],q2[0]" },
  { 0xec194f01, 0, 1 << 2, NOTHING, "vmov q2[2],q2[0],r1,r9" },
  { 0xecb67f04, 1 << 6, 1 << 3, NOTHING, "vldrw.u32 q3,[r6],#16" },
  { 0xed867f08, 0, 0, WORDS, "vstrw.32 q3,[r6,#32]" },
  { 0xeda67f08, 1 << 6, 0, WORDS, "vstrw.32 q3,[r6,#32]!" },
  { 0xec866f42, 0, 0, SOMEWHERE, "vstrw.32 q3,[r6,q1]" },
  { 0xfc981f01, 0, 15, NOTHING, "vld40.32 {q0-q3},[r8]" },
  { 0xecb32f81, 1 << 3, 0, NOTHING, "vldr fpscr,[r3],#4" },
  { 0xf023e001, 1 << 14, 0, NOTHING, "dlstp.32 lr,r3" },
  { 0xf01fc003, 1 << 14, 0, NOTHING, "letp lr,#-4" },
};

static void
test_touched (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_semantics s;
      uint32_t core = 0;
      unsigned vectors = 0, memory = NOTHING;
      tb_semantics_t32 (&s, rows[i].opcode, 4, 0x1000, &v81m);
      CHECK (s.modelled);
      for (unsigned k = 0; k < s.count; k++)
	{
	  const struct tb_uop *u = &s.uops[k];
	  if (tb_op_is (u->op, TB_WRITES) && u->dst < 15)
	    core |= 1u << u->dst;
	  if (tb_op_is (u->op, TB_WRITES) && u->dst >= TB_PLACE_FP
	      && u->dst < TB_PLACE_FPSCR)
	    vectors |= 1u << (u->dst - TB_PLACE_FP) / 4;
	  if (u->op == TB_OP_STORE && u->when == TB_PLACE_T3)
	    memory = WORDS;
	  if (u->op == TB_OP_FORGET && u->imm == 1)
	    memory = SOMEWHERE;
	}
      if (!CHECK (core == rows[i].core && vectors == rows[i].vectors
		  && memory == rows[i].memory))
	fprintf (stderr, "%s: core %#x, vectors %#x, memory %u\n", rows[i].text,
		 (unsigned) core, vectors, memory);
    }
}

/* What reduces a vector to core registers loses these, and none but its own.  */
static void
test_reduced (void)
{
  static const struct { uint32_t opcode, core; } reduced[] = {
    { 0xfef92f02, 1 << 2 },		/* vaddv.u32 r2,q1  */
    { 0xeea22e04, 1 << 2 | 1 << 5 },	/* vmlaldav.s16 r2,r5,q1,q2  */
  };
  for (size_t i = 0; i < sizeof reduced / sizeof reduced[0]; i++)
    {
      struct tb_semantics s;
      struct tb_semantics_effect effect;
      tb_semantics_t32 (&s, reduced[i].opcode, 4, 0x1000, &v81m);
      CHECK (s.modelled);
      tb_semantics_effect (s.uops, s.count, false, &effect);
      CHECK_INT (effect.may_write & reduced[i].core, reduced[i].core);
      CHECK_INT (effect.may_write & (1 << 0 | 1 << 1 | 1 << 8 | 1 << 13), 0);
      CHECK_INT (effect.may_write & TB_SLOTS_NZCV, 0);
    }
}

/* Cores without vectors have none of these.  */
static void
test_other_cores (void)
{
  struct tb_semantics s;
  tb_semantics_t32 (&s, 0xef242846, 4, 0x1000, &v8m);
  CHECK (!s.modelled);
  tb_semantics_t32 (&s, 0xecb67f04, 4, 0x1000, &v8m);
  CHECK (!s.modelled);
}

int
main (void)
{
  test_touched ();
  test_reduced ();
  test_other_cores ();
  return check_done ();
}
