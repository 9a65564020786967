/* State: gaps in the trace, and halts that it does not reach.  Across a gap is known
   only what nothing that was not traced can have changed.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each test has a twin without the gap.  */

#include "config.h"

#include "decode/element.h"
#include "state-program.h"

#define HANDLER 0x140u
#define FUNCTION 0x160u
#define SP (FAKE_RAM + 0x80)

/* A gap, if there is one.  */
static void
pass (struct tb_recording *f, bool gap)
{
  if (gap)
    fake_event (f, TB_EVENT_GAP, 0)->reason = TB_REASON_OVERFLOW;
}

/* What is stored need not be there, nor the outcome of a comparison hold, however
   the same registers are used on both sides.  */
static void
test_forward (bool gap)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x2420,	/* movs r4,#0x20  */
				  0x0624,	/* lsls r4,r4,#24  */
				  0x6024,	/* str r4,[r4]  */
				  0xbf00,
				  0x6822,	/* ldr r2,[r4]  */
				  0xbf00,
				  0x4803,	/* ldr r0,[pc,#12]  */
				  0x6826,	/* ldr r6,[r4]  */
				  0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00,
				  0x1234, 0x5678);
  fake_run (f, MAIN, 5);
  pass (f, gap);
  fake_run (f, MAIN + 10, 5);
  struct tb_state *s = finish (f);
  uint32_t got;
  KNOWN (s, 4, TB_R4, FAKE_RAM);
  KNOWN (s, 4, TB_R0, 5);
  CHECK_INT (fake_known (s, 5, TB_R0, &got), !gap);
  CHECK_INT (fake_known (s, 6, TB_R2, &got), !gap);
  CHECK_INT (fake_known (s, 9, TB_R6, &got), !gap);
  CHECK_INT (fake_word (s, 5, FAKE_RAM, &got), !gap);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 5, v);
  CHECK_INT (v[TB_PSR].mask >> 31, !gap);
  /* Constant memory is the same on both sides.  */
  KNOWN (s, 8, TB_R0, 0x56781234);
  WORD (s, 2, MAIN + 28, 0x56781234);
  end (f, s);
}

/* What is pushed need not come back.  */
static void
test_stack (bool gap)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0xb401,	/* push {r0}  */
				  0xbc02,	/* pop {r1}  */
				  0xbf00);
  fake_run (f, MAIN, 2);
  pass (f, gap);
  fake_run (f, MAIN + 4, 2);
  struct tb_state *s = finish (f);
  uint32_t got;
  CHECK_INT (fake_known (s, 3, TB_R1, &got), !gap);
  end (f, s);
}

/* The halt state, registers and RAM, is that of the last stretch.  */
static void
test_backward (bool gap)
{
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  0xbf00,
				  0x680a,	/* ldr r2,[r1]  */
				  0xbf00);
  ram[0] = 7;
  fake_run (f, MAIN, 2);
  pass (f, gap);
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R7", 77);
  fake_end (f, fake_run (f, MAIN + 4, 2), true);
  struct tb_state *s = finish (f);
  uint32_t got;
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 2, TB_R7, 77);
  KNOWN (s, 3, TB_R2, 7);
  WORD (s, 2, FAKE_RAM, 7);
  CHECK_INT (fake_known (s, 1, TB_R7, &got), !gap);
  CHECK_INT (fake_known (s, 1, TB_R0, &got), !gap);
  CHECK_INT (fake_known (s, 0, TB_R1, &got), !gap);
  CHECK_INT (fake_word (s, 1, FAKE_RAM, &got), !gap);
  CHECK_INT (fake_word (s, 0, FAKE_RAM + 16, &got), !gap);
  end (f, s);
}

/* An exception's return belongs to no entry before a gap: r0 to r3 come from a
   frame that may be another one, and r4 is not kept.  */
static void
test_exception (bool gap, unsigned assume)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0x2444,	/* movs r4,#0x44  */
				  0xbf00, 0xbf00);
  static const uint16_t handler[] = { 0x2400, 0xbf00, 0x4770 };
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  uint32_t pc = fake_run (f, MAIN, 2);
  fake_event (f, TB_EVENT_EXCEPTION, pc)->exception = 15;
  fake_run (f, HANDLER, 1);
  pass (f, gap);
  fake_run (f, HANDLER + 2, 1);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, pc)->value = 0xfffffff9;
  fake_run (f, pc, 1);
  f->options.assume = assume;
  struct tb_state *s = fake_open (f);
  uint32_t got;
  /* Without the gap the trace disproves that the handler keeps r4.  */
  CHECK_INT (f->diag.warnings, !gap && assume != 0);
  CHECK_INT (fake_known (s, 5, TB_R0, &got), !gap);
  CHECK_INT (fake_known (s, 5, TB_R4, &got), !gap);
  if (!gap)
    CHECK_INT (got, 0);
  end (f, s);
}

/* A function that is called before a gap and returns after it: nothing is assumed
   of what it keeps, nor of the constants in its registers.  */
static void
test_assumptions (bool gap)
{
  struct tb_recording *f = BEGIN (0x2444,	/* movs r4,#0x44  */
				  0xf000, 0xf82d,	/* bl FUNCTION  */
				  0xbf00, 0xbf00);
  static const uint16_t function[] = { 0x1c64,	/* adds r4,r4,#1  */
				       0x2507,	/* movs r5,#7  */
				       0xbf00,
				       0x4770 };	/* bx lr  */
  memcpy (flash + FUNCTION / 2, function, sizeof function);
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, TB_STEP_TAKEN);
  fake_run (f, FUNCTION, 2);
  pass (f, gap);
  fake_run (f, FUNCTION + 4, 1);
  fake_step (f, FUNCTION + 6, TB_STEP_TAKEN);
  fake_run (f, MAIN + 6, 1);
  f->options.assume = TB_ASSUME_AAPCS;
  struct tb_state *s = fake_open (f);
  uint32_t got;
  /* Without the gap the trace itself disproves it.  */
  CHECK_INT (f->diag.warnings, !gap);
  CHECK_INT (fake_known (s, 6, TB_R4, &got), !gap);
  CHECK_INT (fake_known (s, 4, TB_R5, &got), !gap);
  end (f, s);
}

/* Where the trace ends.  */
enum ending
{
  REACHED,			/* The halt.  */
  BEFORE,			/* Somewhere else, as an MTB that stopped.  */
  UNTOLD,			/* By something whose target is not told.  */
  LOST,				/* Right there, but with a gap behind it.  */
  HALTED,			/* The same with a debug halt.  */
  NO_PC				/* The snapshot does not say where it halted.  */
};

static void
test_ending (enum ending how, bool used)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0xbf00, 0xbf00);
  ram[4] = 0x44;
  fake_reg (f, "R7", 77);
  uint32_t pc = fake_run (f, MAIN, 2);
  if (how != UNTOLD)
    fake_end (f, pc, how != NO_PC && how != BEFORE);
  if (how == BEFORE || how == UNTOLD)
    fake_reg (f, "PC", MAIN + 0x10);
  if (how == LOST)
    fake_event (f, TB_EVENT_GAP, 0)->reason = TB_REASON_PAUSED;
  else if (how == HALTED)
    fake_event (f, TB_EVENT_HALT, 0);
  struct tb_state *s = finish (f);
  uint32_t got;
  CHECK_INT (tb_state_halt (s), used ? TB_HALT_USED
	     : how == NO_PC ? TB_HALT_NONE : TB_HALT_ELSEWHERE);
  CHECK_INT (fake_known (s, 1, TB_R7, &got), used);
  CHECK_INT (fake_known (s, 2, TB_R7, &got), used);
  CHECK_INT (fake_word (s, 1, FAKE_RAM + 16, &got), used);
  CHECK_INT (fake_word (s, 2, FAKE_RAM + 16, &got), used);
  KNOWN (s, 1, TB_R0, 5);
  end (f, s);
}

int
main (void)
{
  for (int gap = 0; gap < 2; gap++)
    {
      test_forward (gap);
      test_stack (gap);
      test_backward (gap);
      test_exception (gap, 0);
      test_exception (gap, TB_ASSUME_AAPCS);
      test_assumptions (gap);
    }
  test_ending (REACHED, true);
  test_ending (BEFORE, false);
  test_ending (UNTOLD, false);
  test_ending (LOST, false);
  test_ending (HALTED, true);
  test_ending (NO_PC, false);
  return check_done ();
}
