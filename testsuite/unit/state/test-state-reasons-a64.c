/* State of A64 code: why values are not known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/element.h"
#include "state-program-a64.h"
#include "state-reasons.h"

#define FLAG_N TB_EFFECT_N
#define NOP 0xd503201fu

static struct tb_state *
keep (struct tb_recording *f)
{
  f->options.makers = true;
  return finish (f);
}

static void
test_made (void)
{
  struct tb_recording *f = BEGIN (0x91000485,	/* add x5,x4,#1  */
				  0xf9400020,	/* ldr x0,[x1]  */
				  0xeb01001f,	/* cmp x0,x1  */
				  0x9a840062,	/* csel x2,x3,x4,eq  */
				  0xd53be047,	/* mrs x7,cntvct_el0  */
				  0x91000406,	/* add x6,x0,#1  */
				  NOP, NOP);
  fake_run (f, MAIN, 7);
  fake_event (f, TB_EVENT_GAP, 0)->reason = TB_REASON_OVERFLOW;
  fake_event (f, TB_EVENT_CONTEXT, 0)->el = 1;
  fake_run (f, MAIN + 28, 1);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 0, TB_X0 + 4, START);
  WHY_NOT (s, 1, TB_X0 + 5, START);
  WHY_NOT (s, 0, FLAG_N, START);
  WHY_NOT (s, 2, TB_X0, ADDRESS);
  WHY_NOT (s, 3, FLAG_N, ADDRESS);
  WHY_NOT (s, 4, TB_X0 + 2, CONDITION);
  WHY_NOT (s, 5, TB_X0 + 7, INSTRUCTION);
  WHY_NOT (s, 6, TB_X0 + 6, ADDRESS);
  WHY_NOT (s, 7, TB_X0 + 6, GAP);
  /* All 32 and the flags.  */
  CHECK_INT (check_all (s, f, TB_WHY_NOT_GAP), 33);
  end (f, s);
}

static void
test_memory (bool there)
{
  struct tb_recording *f = BEGIN (0xf9400020,	/* ldr x0,[x1]  */
				  there ? 0xf9000083	/* str x3,[x4]  */
				  : NOP,
				  0xd2800000,	/* mov x0,#0  */
				  0xf9400422,	/* ldr x2,[x1,#8]  */
				  0xf9000426,	/* str x6,[x1,#8]  */
				  0xd2800002);	/* mov x2,#0  */
  ram[0] = 7;
  fake_reg (f, "X1", RAM);
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = keep (f);
  if (there)
    BLOCKED (s, 1, TB_X0, 1);
  else
    KNOWN (s, 1, TB_X0, 7);
  WHY_NOT (s, 4, TB_X0 + 2, CONTENTS);
  check_all (s, f, TB_WHY_NOT_CONTENTS);
  end (f, s);
}

/* Flags in a handler, and its stack pointer; what is loaded in another translation
   regime.  */
static void
test_levels (void)
{
  struct tb_recording *f = BEGIN (0xf100041f,	/* cmp x0,#1  */
				  0xf9400022,	/* ldr x2,[x1]  */
				  NOP);
  code[(HANDLER - MAIN) / 4] = NOP;
  f->events[0].el = 0;
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 4, 0);
  for (unsigned i = 0; i < 2; i++)
    f->steps[i].space = TB_SPACE_EL2;
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 8);
  fake_event (f, TB_EVENT_CONTEXT, 0)->el = 1;
  fake_step (f, HANDLER, 0);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 1, FLAG_N, START);
  WHY_NOT (s, 2, FLAG_N, EXCEPTION);
  WHY_NOT (s, 2, TB_X0 + 2, SPACE);
  WHY_NOT (s, 2, TB_X0 + 4, START);
  check_all (s, f, TB_WHY_NOT_SPACE);
  end (f, s);
}

/* In windows of two steps.  */
static void
test_windows (void)
{
  struct tb_recording *f = BEGIN (0xf9400020,	/* ldr x0,[x1]  */
				  NOP, NOP, NOP,
				  0x91000406,	/* add x6,x0,#1  */
				  NOP);
  fake_run (f, MAIN, 6);
  f->options.window = 2;
  struct tb_state *s = keep (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  WHY_NOT (s, 3, TB_X0, WINDOW);
  /* x0 and, at the end, x6; the address and the value of the load.  */
  CHECK_INT (check_all (s, f, TB_WHY_NOT_ADDRESS), 5 + 1);
  end (f, s);
}

int
main (void)
{
  test_made ();
  test_memory (true);
  test_memory (false);
  test_levels ();
  test_windows ();
  return check_done ();
}
