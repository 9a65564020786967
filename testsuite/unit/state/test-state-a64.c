/* State of A64 code: rules, exceptions and traps, by a few instructions each.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program-a64.h"

#include "state/effect.h"

/* Constants of 64 bits forward; a W result has no upper half.  */
static void
test_forward (void)
{
  struct tb_recording *f = BEGIN (0xd2a24680,	/* mov x0,#0x12340000  */
				  0xf2eacf00,	/* movk x0,#0x5678,lsl #48  */
				  0x2a0003e1,	/* mov w1,w0  */
				  0x91400402,	/* add x2,x0,#1,lsl #12  */
				  0x580000c3,	/* ldr x3,MAIN+0x28  */
				  0xd503201f,	/* nop  */
				  0, 0, 0, 0, 0x89abcdef, 0x01234567);
  fake_end (f, fake_run (f, MAIN, 6), false);
  struct tb_state *s = finish (f);
  CHECK (!all_known (s, 0, TB_X0));
  KNOWN (s, 1, TB_X0, 0x12340000);
  KNOWN (s, 2, TB_X0, UINT64_C (0x5678000012340000));
  KNOWN (s, 3, TB_X0 + 1, 0x12340000);
  KNOWN (s, 4, TB_X0 + 2, UINT64_C (0x5678000012341000));
  KNOWN (s, 5, TB_X0 + 3, UINT64_C (0x0123456789abcdef));
  CHECK (!all_known (s, 5, TB_X0 + 4));
  end (f, s);
}

/* Backward: through what can be inverted; a W result hides the upper half of
   what it was computed from.  */
static void
test_backward (void)
{
  struct tb_recording *f = BEGIN (0x91001400,	/* add x0,x0,#5  */
				  0x11001421,	/* add w1,w1,#5  */
				  0xcb030042,	/* sub x2,x2,x3  */
				  0xdac00c84,	/* rev x4,x4  */
				  0xd2800005);	/* mov x5,#0  */
  fake_reg (f, "X0", UINT64_C (0x100000004));
  fake_reg (f, "X1", 4);
  fake_reg (f, "X2", 1);
  fake_reg (f, "X3", UINT64_C (0xff00000000));
  fake_reg (f, "X4", UINT64_C (0x0102030405060708));
  fake_reg (f, "X5", 0);
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 0, TB_X0, UINT64_C (0xffffffff));
  tb_state_registers (s, 0, v);
  CHECK_INT (v[1].mask, UINT32_MAX);
  CHECK_INT (v[1].bits, UINT32_MAX);
  KNOWN (s, 0, TB_X0 + 2, UINT64_C (0xff00000001));
  KNOWN (s, 0, TB_X0 + 4, UINT64_C (0x0807060504030201));
  CHECK (!all_known (s, 0, TB_X0 + 5));
  end (f, s);
}

/* Outcomes of branches: CBZ, an equal comparison, a bit.  */
static void
test_branches (void)
{
  struct tb_recording *f = BEGIN (0xb4000060,	/* cbz x0,+12  */
				  0, 0,
				  0xeb02003f,	/* cmp x1,x2  */
				  0x54000041,	/* b.ne +8  */
				  0xd503201f);	/* nop  */
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_step (f, MAIN + 12, 0);
  fake_step (f, MAIN + 16, TB_STEP_NOT_TAKEN);
  fake_step (f, MAIN + 20, 0);
  fake_reg (f, "X2", 77);
  fake_end (f, MAIN + 24, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_X0, 0);
  KNOWN (s, 0, TB_X0 + 1, 77);
  flags (s, 2, 15, 6);
  end (f, s);
}

/* Memory: stores and loads at known addresses, of several sizes; RAM as it was
   dumped, backward to the last store.  */
static void
test_memory (void)
{
  struct tb_recording *f = BEGIN (0xd2900000,	/* mov x0,#0x8000  */
				  0xa9010801,	/* stp x1,x2,[x0,#16]  */
				  0xf9400c03,	/* ldr x3,[x0,#24]  */
				  0xb9401404,	/* ldr w4,[x0,#20]  */
				  0x39c04005,	/* ldrsb w5,[x0,#16]  */
				  0xf8408c06);	/* ldr x6,[x0,#8]!  */
  ram[1] = 0x1111;
  ram[2] = UINT64_C (0xaabbccdd00000080);
  ram[3] = 0x3333;
  fake_reg (f, "X1", UINT64_C (0xaabbccdd00000080));
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_X0 + 2, 0x3333);
  KNOWN (s, 3, TB_X0 + 3, 0x3333);
  KNOWN (s, 4, TB_X0 + 4, 0xaabbccdd);
  KNOWN (s, 5, TB_X0 + 5, 0xffffff80);
  KNOWN (s, 6, TB_X0 + 6, 0x1111);
  KNOWN (s, 6, TB_X0, RAM + 8);
  struct tb_access_info a[4];
  CHECK_INT (tb_state_accesses (s, 1, a, 4), 2);
  CHECK (a[1].address_known && a[1].address == RAM + 24 && a[1].store);
  uint8_t bytes[8], origins[8];
  CHECK_INT (tb_state_memory (s, 2, RAM + 24, bytes, origins, 8), 8);
  CHECK_INT (bytes[0], 0x33);
  CHECK_INT (tb_state_memory (s, 0, RAM + 24, bytes, origins, 8), 0);
  CHECK_INT (tb_state_memory (s, 0, RAM + 8, bytes, origins, 8), 8);
  end (f, s);
}

/* A store whose address is not known may have hit a word, unless it left
   something else.  */
static void
test_suspect (void)
{
  struct tb_recording *f = BEGIN (0xd2900000,	/* mov x0,#0x8000  */
				  0xf9000001,	/* str x1,[x0]  */
				  0xf9000043,	/* str x3,[x2]  */
				  0xd2800001,	/* mov x1,#0  */
				  0xd2800002);	/* mov x2,#0  */
  ram[0] = 5;
  fake_reg (f, "X3", 5);
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  CHECK (!all_known (s, 1, TB_X0 + 1));
  end (f, s);

  f = BEGIN (0xd2900000, 0xf9000001, 0xf9000043, 0xd2800001, 0xd2800002);
  ram[0] = 5;
  fake_reg (f, "X3", 6);
  fake_end (f, fake_run (f, MAIN, 5), true);
  s = finish (f);
  KNOWN (s, 1, TB_X0 + 1, 5);
  end (f, s);
}

/* A literal that the trace itself writes is no constant.  */
static void
test_written_literal (void)
{
  struct tb_recording *f = BEGIN (0xd2820200,	/* mov x0,#0x1010  */
				  0xf9000001,	/* str x1,[x0]  */
				  0x58000042,	/* ldr x2,MAIN+0x10  */
				  0xd2800001,	/* mov x1,#0  */
				  7, 0);
  fake_end (f, fake_run (f, MAIN, 4), false);
  struct tb_state *s = finish (f);
  CHECK (!all_known (s, 3, TB_X0 + 2));
  end (f, s);
}

/* Interrupt EL1 from EL0 and come back: general registers stay, stack pointers
   are banked, the flags are not known in the handler and come back, unless the
   handler writes SPSR.  AT_ONCE: it is interrupted again before EL0 does anything, and
   what was interrupted then is known, too.  */
static void
test_exception (bool writes_spsr, bool at_once)
{
  uint64_t last = at_once ? 10 : 6;
  struct tb_recording *f = BEGIN (0xf100041f,	/* cmp x0,#1  */
				  0xd503201f,	/* nop  */
				  0xd503201f);	/* nop  */
  code[(HANDLER - MAIN) / 4] = 0xd10043ff;	/* sub sp,sp,#16  */
  code[(HANDLER - MAIN) / 4 + 1] = writes_spsr ? 0xd5184001	/* msr spsr_el1 */
				   : 0xd503201f;
  code[(HANDLER - MAIN) / 4 + 2] = 0x910043ff;	/* add sp,sp,#16  */
  code[(HANDLER - MAIN) / 4 + 3] = 0xd69f03e0;	/* eret  */
  f->events[0].el = 0;
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 4, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 8);
  fake_event (f, TB_EVENT_CONTEXT, 0)->el = 1;
  for (unsigned i = 0; i < 4; i++)
    fake_step (f, HANDLER + 4 * i, i == 3 ? TB_STEP_TAKEN : 0);
  fake_event (f, TB_EVENT_CONTEXT, 0)->el = 0;
  if (at_once)
    {
      fake_event (f, TB_EVENT_EXCEPTION, MAIN + 8);
      fake_event (f, TB_EVENT_CONTEXT, 0)->el = 1;
      for (unsigned i = 0; i < 4; i++)
	fake_step (f, HANDLER + 4 * i, i == 3 ? TB_STEP_TAKEN : 0);
      fake_event (f, TB_EVENT_CONTEXT, 0)->el = 0;
    }
  fake_step (f, MAIN + 8, 0);
  fake_reg (f, "X0", 1);
  fake_reg (f, "X9", 99);
  fake_reg (f, "SP", RAM + 0x40);
  fake_end (f, MAIN + 12, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_X0 + 9, 99);
  KNOWN (s, 3, TB_X0 + 9, 99);
  KNOWN (s, 0, TB_SP64, RAM + 0x40);
  CHECK (!all_known (s, 2, TB_SP64));
  KNOWN (s, last, TB_SP64, RAM + 0x40);
  if (at_once)
    CHECK (!all_known (s, 6, TB_SP64));
  /* The return is what changes SP.  */
  struct tb_effect effect;
  CHECK (tb_state_effect (s, 5, &effect));
  CHECK (effect.may_write >> TB_SP64 & 1);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_after (s, 5, v);
  CHECK_INT (v[TB_SP64].bits, RAM + 0x40);
  CHECK_INT (v[TB_PSTATE].mask & TB_PSR_NZCV,
	     writes_spsr ? 0 : TB_PSR_NZCV);
  CHECK_INT (v[TB_PSTATE].bits & TB_PSR_NZCV,
	     writes_spsr ? 0 : UINT32_C (0x60000000));
  flags (s, 1, 15, 6);
  flags (s, 2, 0, 0);
  if (writes_spsr)
    flags (s, last, 0, 0);
  else
    flags (s, last, 15, 6);
  end (f, s);
}

/* An exception within one level goes on with its stack.  */
static void
test_same_level (void)
{
  struct tb_recording *f = BEGIN (0xd5004000 | 0x1bf,	/* msr spsel,#1  */
				  0x910003e1,	/* mov x1,sp  */
				  0xd503201f);
  code[(HANDLER - MAIN) / 4] = 0x910003e2;	/* mov x2,sp  */
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 4, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 8);
  fake_step (f, HANDLER, 0);
  fake_reg (f, "X2", RAM + 0x20);
  fake_end (f, HANDLER + 4, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 2, TB_X0 + 1, RAM + 0x20);
  KNOWN (s, 1, TB_SP64, RAM + 0x20);
  end (f, s);
}

/* Of a pair that an exception interrupted, one register may have been loaded,
   or one word stored.  */
static void
test_abandoned (void)
{
  struct tb_recording *f = BEGIN (0xd503201f,	/* nop  */
				  0xa9400001);	/* ldp x1,x0,[x0]  */
  code[(HANDLER - MAIN) / 4] = 0xd503201f;
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 4);
  fake_step (f, HANDLER, 0);
  fake_reg (f, "X1", 7);
  fake_reg (f, "X3", 9);
  fake_end (f, HANDLER + 4, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_X0 + 1, 7);
  CHECK (!all_known (s, 0, TB_X0 + 1));
  KNOWN (s, 0, TB_X0 + 3, 9);
  end (f, s);
}

/* What must not be gone across: a gap, an instruction that is not described,
   SVC without its exception.  */
static void
test_walls (void)
{
  struct tb_recording *f = BEGIN (0xd503201f, 0xd503201f);
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_GAP, 0);
  fake_step (f, MAIN + 4, 0);
  fake_reg (f, "X3", 9);
  fake_end (f, MAIN + 8, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_X0 + 3, 9);
  CHECK (!all_known (s, 0, TB_X0 + 3));
  end (f, s);

  static const uint32_t walls[] = {
    0xd503501f,			/* Of no instruction.  */
    0xd4000001,			/* svc #0  */
    0xd45e0000			/* hlt #0xf000  */
  };
  for (unsigned i = 0; i < 3; i++)
    {
      f = BEGIN (walls[i], 0xd503201f);
      fake_end (f, fake_run (f, MAIN, 2), true);
      fake_reg (f, "X3", 9);
      s = finish (f);
      KNOWN (s, 1, TB_X0 + 3, 9);
      if (!CHECK (!all_known (s, 0, TB_X0 + 3)))
	fprintf (stderr, "wall %u\n", i);
      end (f, s);
    }
}

/* CSEL of two known values by flags that are not: it is one of the two, so a store
   there did not hit what is elsewhere.  */
static void
test_select (void)
{
  struct tb_recording *f = BEGIN (0xf80084c4,	/* str x4,[x6],#8  */
				  0x9a831041,	/* csel x1,x2,x3,ne  */
				  0xf9000024,	/* str x4,[x1]  */
				  0xd2800001,	/* mov x1,#0  */
				  0xd2800004);	/* mov x4,#0  */
  ram[4] = 0x77;
  fake_reg (f, "X2", RAM);
  fake_reg (f, "X3", RAM + 8);
  fake_reg (f, "X6", RAM + 40);
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_X0 + 4, 0x77);
  CHECK (!all_known (s, 2, TB_X0 + 1));
  end (f, s);
}

/* One of four bytes by an unknown index: the square of it that is known at the end
   tells which.  Where two of them are alike the index stays open.  */
static void
test_split (bool alike)
{
  struct tb_recording *f = BEGIN (0xf1000c5f,	/* cmp x2,#3  */
				  0x54000048,	/* b.hi +8  */
				  0x38626801,	/* ldrb w1,[x0,x2]  */
				  0x9b017c23,	/* mul x3,x1,x1  */
				  0xd2800001);	/* mov x1,#0  */
  ram[2] = alike ? 0x09070709 : 0x09080706;
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 4, TB_STEP_NOT_TAKEN);
  fake_reg (f, "X0", RAM + 16);
  fake_reg (f, "X3", 49);
  fake_end (f, fake_run (f, MAIN + 8, 3), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 3, TB_X0 + 1, 7);
  if (alike)
    CHECK (!all_known (s, 0, TB_X0 + 2));
  else
    KNOWN (s, 0, TB_X0 + 2, 1);
  end (f, s);
}

/* The trace ends with RET and does not tell where that went.  If it is known all
   the same, by LR, the halt counts where it is there, and only there.  */
static void
test_end (void)
{
  for (unsigned i = 0; i < 4; i++)
    {
      struct tb_recording *f
	= BEGIN (i == 3 ? 0xd503201f : 0xd282001e,  /* mov x30,#0x1000  */
		 0xd65f03c0);			    /* ret  */
      fake_step (f, MAIN, 0);
      fake_step (f, MAIN + 4, TB_STEP_TAKEN);
      fake_reg (f, "X5", 5);
      fake_reg (f, "PC", i == 1 ? MAIN + 4 : MAIN);
      if (i == 2)
	fake_event (f, TB_EVENT_GAP, 0);
      struct tb_state *s = finish (f);
      CHECK_INT (tb_state_halt (s), i == 0 ? TB_HALT_USED
				    : TB_HALT_ELSEWHERE);
      CHECK_INT (all_known (s, 0, TB_X0 + 5), i == 0);
      CHECK_INT (all_known (s, 2, TB_X0 + 5), i == 0);
      end (f, s);
    }
}

/* A halt state that the steps cannot lead to is not used.  */
static void
test_contradiction (void)
{
  struct tb_recording *f = BEGIN (0xd2800020,	/* mov x0,#1  */
				  0xd503201f);
  fake_end (f, fake_run (f, MAIN, 2), true);
  fake_reg (f, "X0", 2);
  struct tb_state *s = fake_open (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_CONTRADICTED);
  CHECK_INT (f->diag.warnings, 1);
  KNOWN (s, 1, TB_X0, 1);
  end (f, s);
}

int
main (void)
{
  test_forward ();
  test_backward ();
  test_branches ();
  test_memory ();
  test_suspect ();
  test_written_literal ();
  test_exception (false, false);
  test_exception (false, true);
  test_exception (true, false);
  test_exception (true, true);
  test_same_level ();
  test_abandoned ();
  test_walls ();
  test_select ();
  test_split (false);
  test_split (true);
  test_end ();
  test_contradiction ();
  return check_done ();
}
