/* State of A64 code: assumptions add what is marked so, and are undone where the
   trace disproves them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program-a64.h"

#define X19 (TB_X0 + 19)
#define X20 (TB_X0 + 20)

static void
assumed (struct tb_state *s, uint64_t step, unsigned reg, uint64_t want)
{
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, step, v);
  CHECK_INT (v[reg].mask, UINT64_MAX);
  CHECK_INT (v[reg].bits, want);
  CHECK_INT (v[reg].origin, TB_ASSUMED);
}

/* A function that loses x19 and gets it back from memory nobody knows; FIRST is
   the instruction before its call, LAST how it goes back.  */
static struct tb_recording *
call (uint32_t first, uint32_t last)
{
  struct tb_recording *f = BEGIN (first,
				  0x94000003,	/* bl MAIN+0x10  */
				  0xd503201f,	/* nop  */
				  0xd503201f,
				  0xd2800013,	/* MAIN+0x10: mov x19,#0  */
				  0xf9400013,	/* ldr x19,[x0]  */
				  last);
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 4, TB_STEP_TAKEN);
  fake_run (f, MAIN + 0x10, 2);
  fake_step (f, MAIN + 0x18, TB_STEP_TAKEN);
  fake_run (f, MAIN + 8, 1);
  fake_reg (f, "X0", 0x77);
  fake_reg (f, "X19", 0x123456789a);
  fake_reg (f, "X20", 0x55);
  fake_end (f, MAIN + 12, true);
  return f;
}

#define NOP 0xd503201f
#define RET 0xd65f03c0

static void
test_aapcs (void)
{
  struct tb_recording *f = call (NOP, RET);
  struct tb_state *s = finish (f);
  CHECK (!all_known (s, 0, X19));
  KNOWN (s, 0, X20, 0x55);
  end (f, s);

  f = call (NOP, RET);
  f->options.assume = TB_ASSUME_AAPCS;
  s = finish (f);
  assumed (s, 0, X19, 0x123456789a);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[X20].origin, TB_DERIVED);
  tb_state_registers (s, 3, v);
  CHECK_INT (v[X19].bits, 0);
  CHECK_INT (v[X19].origin, TB_DERIVED);
  end (f, s);

  /* RETAA, which is not followed, is a return all the same.  */
  f = call (NOP, 0xd65f0bff);
  f->options.assume = TB_ASSUME_AAPCS;
  s = finish (f);
  assumed (s, 0, X19, 0x123456789a);
  end (f, s);
}

/* A callee that does not keep x19: that is told, and nothing claimed.  */
static void
test_disproved (void)
{
  struct tb_recording *f = call (0xd28000b3 /* mov x19,#5  */, RET);
  f->options.assume = TB_ASSUME_AAPCS;
  struct tb_state *s = fake_open (f);
  CHECK_INT (f->diag.warnings, 1);
  KNOWN (s, 1, X19, 5);
  CHECK (!all_known (s, 0, X19));
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 1, v);
  CHECK_INT (v[X19].origin, TB_DERIVED);
  end (f, s);
}

/* A function that never keeps x19: after the second call that is so of all.  */
static void
test_conventions (void)
{
  struct tb_recording *f = BEGIN (0xd28000b3,	/* mov x19,#5  */
				  0x94000003,	/* bl MAIN+0x10  */
				  0x17fffffe,	/* b MAIN  */
				  NOP,
				  0xd28000f3,	/* MAIN+0x10: mov x19,#7  */
				  RET);
  for (unsigned i = 0; i < 5; i++)
    {
      fake_step (f, MAIN, 0);
      fake_step (f, MAIN + 4, TB_STEP_TAKEN);
      fake_step (f, MAIN + 0x10, 0);
      fake_step (f, MAIN + 0x14, TB_STEP_TAKEN);
      fake_step (f, MAIN + 8, TB_STEP_TAKEN);
    }
  fake_end (f, MAIN, true);
  f->options.assume = TB_ASSUME_AAPCS;
  struct tb_state *s = fake_open (f);
  CHECK_INT (f->diag.warnings, 2);
  KNOWN (s, 1, X19, 5);
  KNOWN (s, 3, X19, 7);
  end (f, s);
}

/* A function that calls itself may branch to behind the call without any
   return.  */
static void
test_no_return (void)
{
  struct tb_recording *f = call (NOP, 0x17fffffc /* b MAIN+8  */);
  f->options.assume = TB_ASSUME_AAPCS;
  struct tb_state *s = finish (f);
  CHECK (!all_known (s, 0, X19));
  end (f, s);
}

/* An interrupt's handler keeps x19 as well; one that goes back to elsewhere
   (another thread) tells nothing.  */
static void
test_interrupt (bool elsewhere)
{
  struct tb_recording *f = BEGIN (NOP, NOP, NOP, NOP);
  code[(HANDLER - MAIN) / 4] = 0xf9400013;	/* ldr x19,[x0]  */
  code[(HANDLER - MAIN) / 4 + 1] = 0xd69f03e0;	/* eret  */
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 4);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  uint32_t back = elsewhere ? MAIN + 12 : MAIN + 4;
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, back);
  fake_step (f, back, 0);
  fake_reg (f, "X19", 0x77);
  fake_end (f, back + 4, true);
  f->options.assume = TB_ASSUME_AAPCS;
  struct tb_state *s = finish (f);
  if (elsewhere)
    CHECK (!all_known (s, 0, X19));
  else
    assumed (s, 0, X19, 0x77);
  end (f, s);
}

/* What runs behind a gap is not what an exception before it returned to.  */
static void
test_gap (bool gap)
{
  struct tb_recording *f = BEGIN (NOP, NOP, NOP, NOP);
  code[(HANDLER - MAIN) / 4] = 0xf9400013;	/* ldr x19,[x0]  */
  code[(HANDLER - MAIN) / 4 + 1] = 0xd69f03e0;	/* eret  */
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 4);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  if (gap)
    fake_event (f, TB_EVENT_GAP, 0);
  fake_step (f, MAIN + 4, 0);
  fake_reg (f, "X19", 0x77);
  fake_end (f, MAIN + 8, true);
  f->options.assume = TB_ASSUME_AAPCS;
  struct tb_state *s = finish (f);
  if (gap)
    CHECK (!all_known (s, 0, X19));
  else
    assumed (s, 0, X19, 0x77);
  end (f, s);
}

/* Another process, by its context ID, has nothing to do with an open call.  */
static void
test_context (bool same)
{
  struct tb_recording *f = BEGIN (0x94000004,	/* bl MAIN+0x10  */
				  NOP, NOP, NOP,
				  0xf9400013,	/* MAIN+0x10: ldr x19,[x0]  */
				  NOP, RET);
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_step (f, MAIN + 0x10, 0);
  struct tb_event *e = fake_event (f, TB_EVENT_CONTEXT, 0);
  e->el = 1;
  e->value = same ? 0 : 7;
  fake_run (f, MAIN + 0x14, 1);
  fake_step (f, MAIN + 0x18, TB_STEP_TAKEN);
  fake_run (f, MAIN + 4, 1);
  fake_reg (f, "X19", 0x77);
  fake_end (f, MAIN + 8, true);
  f->options.assume = TB_ASSUME_AAPCS;
  struct tb_state *s = finish (f);
  if (same)
    assumed (s, 0, X19, 0x77);
  else
    CHECK (!all_known (s, 0, X19));
  end (f, s);
}

/* The halt's registers where the trace does not reach it; undone where they
   contradict what is known.  */
static void
test_halt (bool contradicted)
{
  struct tb_recording *f = BEGIN (0xd2800020 /* mov x0,#1  */, NOP);
  fake_end (f, fake_run (f, MAIN, 2), false);
  fake_reg (f, "X0", contradicted ? 2 : 1);
  fake_reg (f, "X19", 0x77);
  fake_reg (f, "PC", MAIN + 0x40);
  f->options.assume = TB_ASSUME_HALT;
  struct tb_state *s = fake_open (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_ELSEWHERE);
  CHECK_INT (f->diag.warnings, contradicted);
  if (contradicted)
    CHECK (!all_known (s, 0, X19));
  else
    assumed (s, 0, X19, 0x77);
  KNOWN (s, 1, TB_X0, 1);
  end (f, s);
}

/* A function with a loop, at MAIN+0x20; what is called at MAIN is it.  */
static struct tb_recording *
loop (void)
{
  struct tb_recording *f = BEGIN (0x94000008,	/* bl MAIN+0x20  */
				  0x14000000, 0, 0, 0, 0, 0, 0,
				  0xd28000e3,	/* mov x3,#7  */
				  0xd28acf02,	/* mov x2,#0x5678  */
				  0xf2a24682,	/* movk x2,#0x1234,lsl #16  */
				  0xb0000004,	/* adrp x4,MAIN+0x1000  */
				  0x91004084,	/* add x4,x4,#16  */
				  0x58000165,	/* ldr x5,MAIN+0x60  */
				  0xf1000400,	/* MAIN+0x38: subs x0,x0,#1  */
				  0x8b030021,	/* add x1,x1,x3  */
				  0x54ffffc1,	/* b.ne MAIN+0x38  */
				  RET);
  code[24] = 0x89abcdef;
  code[25] = 0x01234567;
  for (unsigned i = 0; i < 2; i++)
    {
      fake_run (f, MAIN + 0x38, 2);
      fake_step (f, MAIN + 0x40, i == 0 ? TB_STEP_TAKEN : TB_STEP_NOT_TAKEN);
    }
  fake_end (f, MAIN + 0x44, true);
  return f;
}

/* What a function puts into registers before its loop, whatever the way: MOVZ
   and MOVK, ADRP and ADD, a literal.  */
static void
test_constants (void)
{
  struct tb_recording *f = loop ();
  struct tb_state *s = finish (f);
  CHECK (!all_known (s, 0, TB_X0 + 3));
  end (f, s);

  f = loop ();
  f->options.assume = TB_ASSUME_CONSTANTS;
  s = finish (f);
  for (uint64_t i = 0; i < 6; i++)
    {
      assumed (s, i, TB_X0 + 3, 7);
      assumed (s, i, TB_X0 + 2, 0x12345678);
      assumed (s, i, TB_X0 + 4, MAIN + 0x1010);
      assumed (s, i, TB_X0 + 5, UINT64_C (0x0123456789abcdef));
      CHECK (!all_known (s, i, TB_X0 + 1));
    }
  end (f, s);

  /* Of another way in, by symbol or by a pointer beside the code, nothing is
     known.  */
  uint64_t entry = MAIN + 0x38;
  for (unsigned i = 0; i < 2; i++)
    {
      f = loop ();
      f->options.assume = TB_ASSUME_CONSTANTS;
      if (i == 0)
	{
	  f->options.functions = &entry;
	  f->options.nfunctions = 1;
	}
      else
	code[26] = (uint32_t) entry;
      s = finish (f);
      CHECK (!all_known (s, 0, TB_X0 + 3));
      end (f, s);
    }

  /* Where the halt says otherwise that is told, and nothing assumed.  */
  f = loop ();
  f->options.assume = TB_ASSUME_CONSTANTS;
  fake_reg (f, "X3", 8);
  s = fake_open (f);
  CHECK_INT (f->diag.warnings, 1);
  KNOWN (s, 0, TB_X0 + 3, 8);
  CHECK (!all_known (s, 0, TB_X0 + 2));
  end (f, s);
}

/* A call leaves x19 to x29 only; SVC may give back results.  */
static void
test_constants_call (bool svc)
{
  struct tb_recording *f = BEGIN (0x94000004,	/* bl MAIN+0x10  */
				  0x14000000, 0, 0,
				  0xd2800021,	/* mov x1,#1  */
				  0xd2800053,	/* mov x19,#2  */
				  svc ? 0xd4000001	/* svc #0  */
				  : 0x94000004,		/* bl MAIN+0x28  */
				  NOP, RET, 0,
				  RET);		/* MAIN+0x28  */
  fake_run (f, MAIN + 0x1c, 1);
  fake_step (f, MAIN + 0x20, TB_STEP_TAKEN);
  fake_end (f, MAIN + 4, true);
  f->options.assume = TB_ASSUME_CONSTANTS;
  struct tb_state *s = finish (f);
  assumed (s, 0, X19, 2);
  CHECK (!all_known (s, 0, TB_X0 + 1));
  end (f, s);
}

/* A jump through a table beside the code: with its bound all targets are known;
   without it the function is not analysed.  */
static void
test_constants_switch (bool bounded)
{
  struct tb_recording *f
    = BEGIN (0x94000004,	/* bl MAIN+0x10  */
	     0x14000000, 0, 0,
	     0xd2800053,	/* mov x19,#2  */
	     bounded ? 0x7100041f	/* cmp w0,#1  */
	     : NOP,
	     0x54000128,	/* b.hi MAIN+0x3c  */
	     0x100001a1,	/* adr x1,MAIN+0x50  */
	     0x38604821,	/* ldrb w1,[x1,w0,uxtw]  */
	     0x10000062,	/* adr x2,MAIN+0x30  */
	     0x8b218841,	/* add x1,x2,w1,sxtb #2  */
	     0xd61f0020,	/* br x1  */
	     NOP,		/* MAIN+0x30  */
	     0x14000002,	/* b MAIN+0x3c  */
	     NOP,
	     RET);		/* MAIN+0x3c  */
  code[20] = 0x0200;	/* MAIN+0x30, MAIN+0x38  */
  fake_run (f, MAIN + 0x38, 1);
  fake_end (f, MAIN + 0x3c, true);
  f->options.assume = TB_ASSUME_CONSTANTS;
  struct tb_state *s = finish (f);
  if (bounded)
    assumed (s, 0, X19, 2);
  else
    CHECK (!all_known (s, 0, X19));
  end (f, s);
}

int
main (void)
{
  test_constants ();
  test_constants_call (false);
  test_constants_call (true);
  test_constants_switch (true);
  test_constants_switch (false);
  test_aapcs ();
  test_disproved ();
  test_conventions ();
  test_no_return ();
  test_interrupt (false);
  test_interrupt (true);
  test_gap (false);
  test_gap (true);
  test_context (true);
  test_context (false);
  test_halt (false);
  test_halt (true);
  return check_done ();
}
