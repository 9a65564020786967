/* State: assumptions add what is marked so, and are undone where the trace
   disproves them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

#include "decode/element.h"

/* A function that loses r4 and gets it back from memory nobody knows; FIRST is
   the instruction before its call.  */
static struct tb_recording *
call (uint16_t first)
{
  struct tb_recording *f = BEGIN (first,
				  0xf000, 0xf805, /* bl 0x110  */
				  0x0020,	  /* movs r0,r4  */
				  0xbf00, 0xbf00, 0xbf00, 0xbf00,
				  0x2400,	/* 0x110: movs r4,#0  */
				  0x6804,	/* ldr r4,[r0]  */
				  0x4770);	/* bx lr  */
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, TB_STEP_TAKEN);
  fake_run (f, MAIN + 0x10, 2);
  fake_step (f, MAIN + 0x14, TB_STEP_TAKEN);
  fake_run (f, MAIN + 6, 1);
  fake_reg (f, "R0", 0x77);
  fake_reg (f, "R4", 0x77);
  fake_reg (f, "R5", 0x55);
  fake_end (f, MAIN + 8, true);
  return f;
}

static void
test_aapcs (uint64_t window)
{
  /* Without the assumption r4 before the call is not known ...  */
  struct tb_recording *f = call (0xbf00);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 0, TB_R4);
  KNOWN (s, 0, TB_R5, 0x55);
  end (f, s);

  /* ... with it, it is what it was after the return, and marked.  */
  f = call (0xbf00);
  f->options.assume = TB_ASSUME_AAPCS;
  f->options.window = window;
  s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R4].bits, 0x77);
  CHECK_INT (v[TB_R4].origin, TB_ASSUMED);
  CHECK_INT (v[TB_R5].origin, TB_DERIVED);
  /* In the function and after it nothing is assumed.  */
  tb_state_registers (s, 3, v);
  CHECK_INT (v[TB_R4].bits, 0);
  CHECK_INT (v[TB_R4].origin, TB_DERIVED);
  tb_state_registers (s, 5, v);
  CHECK_INT (v[TB_R4].bits, 0x77);
  CHECK_INT (v[TB_R4].origin, TB_DERIVED);
  end (f, s);
}

static void
test_aapcs_disproved (uint64_t window)
{
  /* r4 was 1 at the call: the function did not keep it.  */
  struct tb_recording *f = call (0x2401);	/* movs r4,#1  */
  f->options.assume = TB_ASSUME_AAPCS;
  f->options.window = window;
  struct tb_state *s = fake_open (f);
  if (!CHECK (s != NULL))
    return;
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  CHECK_INT (f->diag.warnings, 1);
  struct tb_value v[TB_NREGS_MAX];
  for (uint64_t step = 1; step < 3; step++)
    {
      tb_state_registers (s, step, v);
      CHECK_INT (v[TB_R4].bits, 1);
      CHECK_INT (v[TB_R4].origin, TB_DERIVED);
    }
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R4].origin, TB_UNKNOWN);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  end (f, s);
}

/* A function that calls itself comes back by an instruction that is not understood:
   the call that it returns from is that one, not the one around it.  */
static void
test_aapcs_unknown_return (void)
{
  struct tb_recording *f = BEGIN (0x2401,	/* movs r4,#1  */
				  0xb510,	/* 0x102: push {r4,lr}  */
				  0x3401,	/* adds r4,#1  */
				  0x3b01,	/* subs r3,#1  */
				  0xd004,	/* beq 0x114  */
				  0xf7ff, 0xfffa, /* bl 0x102  */
				  0xbf00,	/* nop  */
				  0xbd10,	/* pop {r4,pc}  */
				  0xbf00,
				  0xe8b0, 0x8001); /* ldmia.w r0!,{r0,pc}  */
  f->profile.arch = TB_ARCH_V7M;
  f->options.assume = TB_ASSUME_AAPCS;
  fake_run (f, MAIN, 1);
  for (unsigned i = 0; i < 2; i++)
    {
      fake_run (f, MAIN + 2, 4);
      fake_step (f, MAIN + 0xa, TB_STEP_TAKEN);
    }
  fake_run (f, MAIN + 2, 3);
  fake_step (f, MAIN + 8, TB_STEP_TAKEN);
  fake_step (f, MAIN + 0x14, TB_STEP_TAKEN);	/* Step 15.  */
  fake_run (f, MAIN + 0xe, 1);
  fake_step (f, MAIN + 0x10, TB_STEP_TAKEN);
  fake_run (f, MAIN + 0xe, 1);
  fake_end (f, MAIN + 0x10, false);
  struct tb_state *s = finish (f);
  CHECK (!tb_state_analysed (s, 15));
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 16, v);
  CHECK_INT (v[TB_R4].bits, 3);
  CHECK_INT (v[TB_R4].origin, TB_ASSUMED);
  tb_state_registers (s, 18, v);
  CHECK_INT (v[TB_R4].bits, 2);
  CHECK_INT (v[TB_R4].origin, TB_ASSUMED);
  end (f, s);
}

/* What runs behind a gap is not what an exception before it returned to, although the
   addresses are the same; without the gap it is.  */
static void
test_aapcs_gap (bool gap)
{
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00, 0xbf00, 0xbf00,
				  0x6804,	/* 0x108: ldr r4,[r0]  */
				  0x4770);	/* bx lr  */
  f->options.assume = TB_ASSUME_AAPCS;
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 15;
  fake_run (f, MAIN + 8, 1);
  fake_step (f, MAIN + 10, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN + 2)->value = 0xfffffff9;
  if (gap)
    fake_event (f, TB_EVENT_GAP, 0)->reason = TB_REASON_PAUSED;
  fake_run (f, MAIN + 2, 1);
  fake_reg (f, "R4", 0x77);
  fake_end (f, MAIN + 4, true);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R4].origin, gap ? TB_UNKNOWN : TB_ASSUMED);
  KNOWN (s, 3, TB_R4, 0x77);
  end (f, s);
}

/* What a function is assumed to have kept is where its caller stores to.  VALUE is in
   r4 after it returned, if it kept it.  */
static struct tb_recording *
store_kept (uint32_t value)
{
  struct tb_recording *f = BEGIN (0x6020,	/* str r0,[r4]  */
				  0xf000, 0xf805, /* bl 0x110  */
				  0x0020,	  /* movs r0,r4  */
				  0xbf00, 0xbf00, 0xbf00, 0xbf00,
				  0x2400,	/* 0x110: movs r4,#0  */
				  0x6804,	/* ldr r4,[r0]  */
				  0x4770);	/* bx lr  */
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, TB_STEP_TAKEN);
  fake_run (f, MAIN + 0x10, 2);
  fake_step (f, MAIN + 0x14, TB_STEP_TAKEN);
  fake_run (f, MAIN + 6, 1);
  fake_reg (f, "R4", value);
  fake_reg (f, "R5", 0x55);
  ram[0] = FAKE_RAM + 4;	/* r0 */
  ram[1] = FAKE_RAM;
  fake_end (f, MAIN + 8, true);
  f->options.assume = TB_ASSUME_AAPCS;
  return f;
}

/* Flash is not written, as the certain tier has it: that the store goes there
   disproves the assumption.  */
static void
test_store_to_flash (void)
{
  struct tb_recording *f = store_kept (FAKE_RAM);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R4].bits, FAKE_RAM);
  CHECK_INT (v[TB_R4].origin, TB_ASSUMED);
  end (f, s);

  f = store_kept (MAIN);
  s = fake_open (f);
  if (!CHECK (s != NULL))
    return;
  CHECK_INT (f->diag.warnings, 1);
  UNKNOWN (s, 0, TB_R4);
  UNKNOWN (s, 1, TB_R4);
  KNOWN (s, 1, TB_R5, 0x55);
  WORD (s, 1, MAIN, 0xf0006020);
  end (f, s);
}

/* What one window assumes another one may know to be otherwise: there it is given up,
   and not all that is assumed.  Two windows of 6 steps, with a call each; only the
   first keeps what it should.  */
static void
test_neighbour (void)
{
  struct tb_recording *f = BEGIN (0x2401,	/* movs r4,#1  */
				  0xf000, 0xf80d, /* bl 0x120  */
				  0xbf00,	  /* 0x106  */
				  0xf000, 0xf812, /* 0x108: bl 0x130  */
				  0xbf00, 0xbf00); /* 0x10c  */
  static const uint16_t good[] = { 0x2500,	/* 0x120: movs r5,#0  */
				   0x6805,	/* ldr r5,[r0]  */
				   0x4770 };	/* bx lr  */
  static const uint16_t bad[] = { 0x2400,	/* 0x130: movs r4,#0  */
				  0x6804,	/* ldr r4,[r0]  */
				  0x4770 };
  memcpy (flash + 0x120 / 2, good, sizeof good);
  memcpy (flash + 0x130 / 2, bad, sizeof bad);
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, TB_STEP_TAKEN);
  fake_run (f, 0x120, 2);
  fake_step (f, 0x124, TB_STEP_TAKEN);
  fake_run (f, 0x106, 1);
  fake_step (f, 0x108, TB_STEP_TAKEN);
  fake_run (f, 0x130, 2);
  fake_step (f, 0x134, TB_STEP_TAKEN);
  fake_run (f, 0x10c, 2);
  fake_reg (f, "R4", 0x77);
  fake_reg (f, "R5", 0x55);
  fake_end (f, 0x110, true);
  f->options.assume = TB_ASSUME_AAPCS;
  f->options.window = 6;
  struct tb_state *s = fake_open (f);
  struct tb_value v[TB_NREGS_MAX];
  if (!CHECK (s != NULL))
    return;
  /* At first the second window knows no better.  */
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R5].origin, TB_ASSUMED);
  CHECK_INT (v[TB_R5].bits, 0x55);
  tb_state_registers (s, 1, v);
  CHECK_INT (v[TB_R4].origin, TB_DERIVED);
  CHECK_INT (v[TB_R4].bits, 1);
  /* Then it does, and says so.  */
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  CHECK_INT (f->diag.warnings, 1);
  tb_state_registers (s, 6, v);
  CHECK_INT (v[TB_R4].origin, TB_DERIVED);
  CHECK_INT (v[TB_R4].bits, 1);
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R5].origin, TB_ASSUMED);
  end (f, s);
}

/* The halt is elsewhere: its registers count only by assumption.  */
static void
test_halt (void)
{
  for (unsigned assume = 0; assume <= TB_ASSUME_HALT;
       assume += TB_ASSUME_HALT)
    {
      struct tb_recording *f = BEGIN (0x3005,	/* adds r0,#5  */
				      0xbf00);
      fake_reg (f, "R0", 0x100);
      fake_reg (f, "PC", MAIN + 0x40);
      fake_end (f, fake_run (f, MAIN, 2), false);
      f->options.assume = assume;
      struct tb_state *s = finish (f);
      CHECK_INT (tb_state_halt (s), TB_HALT_ELSEWHERE);
      struct tb_value v[TB_NREGS_MAX];
      tb_state_registers (s, 0, v);
      CHECK_INT (v[TB_R0].origin, assume ? TB_ASSUMED : TB_UNKNOWN);
      CHECK_INT (v[TB_R0].bits, assume ? 0xfb : 0);
      end (f, s);
    }
}

/* What is false of the halt is found out, and undone.  */
static void
test_halt_disproved (void)
{
  struct tb_recording *f = BEGIN (0x2005, 0xbf00);	/* movs r0,#5  */
  fake_reg (f, "R0", 6);
  fake_reg (f, "R1", 7);
  fake_reg (f, "PC", MAIN + 0x40);
  fake_end (f, fake_run (f, MAIN, 2), false);
  f->options.assume = TB_ASSUME_HALT;
  struct tb_state *s = fake_open (f);
  if (!CHECK (s != NULL))
    return;
  CHECK_INT (f->diag.warnings, 1);
  KNOWN (s, 1, TB_R0, 5);
  UNKNOWN (s, 0, TB_R1);
  end (f, s);
}

int
main (void)
{
  /* Whatever windows the call and its return are in.  */
  for (uint64_t window = 0; window <= 6; window++)
    {
      test_aapcs (window);
      test_aapcs_disproved (window);
    }
  test_aapcs_unknown_return ();
  test_aapcs_gap (false);
  test_aapcs_gap (true);
  test_store_to_flash ();
  test_neighbour ();
  test_halt ();
  test_halt_disproved ();
  return check_done ();
}
