/* State: the two security states of ARMv8-M.  The registers of the other one are
   unknown rather than wrong.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/element.h"
#include "state-program.h"

#define HANDLER 0x140u
#define SP (FAKE_RAM + 0x80)

/* One INSTRUCTION, perhaps to the other state, to TARGET; then a nop.  What is
   stacked, and which exception is handled, is not what it was before.  */
static void
test_switch (uint16_t first, uint16_t second, uint32_t target, bool same)
{
  struct tb_recording *f = BEGIN (first, second, 0xbf00, 0xbf00,
				  0x4784,	/* blxns r0  */
				  0xbf00, 0xbf00);
  struct tb_value v[TB_NREGS_MAX];
  unsigned size = second != 0xbf00 ? 4 : 2;
  f->profile.arch = TB_ARCH_V8M_MAIN;
  if (size == 4)
    fake_raw_step (f, MAIN, (uint32_t) first << 16 | second, 4, 0);
  else
    fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_run (f, target, 1);
  fake_reg (f, "R4", 4);
  fake_reg (f, "SP", SP);
  fake_reg (f, "MSP", SP);
  fake_reg (f, "PSP", FAKE_RAM + 0xc0);
  fake_reg (f, "CONTROL", 0);
  fake_reg (f, "PRIMASK", 1);
  fake_reg (f, "xPSR", 0x01000005);
  fake_end (f, target + 2, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R4, 4);
  KNOWN (s, 1, TB_SP, SP);
  KNOWN (s, 1, TB_PRIMASK, 1);
  tb_state_registers (s, 0, v);
  if (same)
    {
      KNOWN (s, 0, TB_SP, SP);
      KNOWN (s, 0, TB_MSP, SP);
      KNOWN (s, 0, TB_PSP, FAKE_RAM + 0xc0);
      KNOWN (s, 0, TB_PRIMASK, 1);
    }
  else
    {
      UNKNOWN (s, 0, TB_SP);
      UNKNOWN (s, 0, TB_MSP);
      UNKNOWN (s, 0, TB_PSP);
      UNKNOWN (s, 0, TB_PRIMASK);
      CHECK_INT (v[TB_CONTROL].mask & 1, 0);
    }
  end (f, s);
}

/* A return to Secure code, right behind which an exception is taken: LR held
   FNC_RETURN, not the address.  */
static void
test_return_interrupted (bool behind)
{
  struct tb_recording *f = BEGIN (0x4770,	/* bx lr  */
				  0xbf00, 0xbf00,
				  0x4784,	/* blxns r0  */
				  0xbf00, 0xbf00);
  uint32_t to = MAIN + (behind ? 8 : 4);
  f->profile.arch = TB_ARCH_V8M_MAIN;
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION, to)->exception = 15;
  fake_step (f, HANDLER, 0);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_LR].mask, behind ? 0 : 0xfffffffe);
  if (!behind)
    CHECK_INT (v[TB_LR].bits, to);
  end (f, s);
}

/* An interrupt that the frame and EXC_RETURN (TOLD; 0: the trace does not tell) show to
   be one of the same state, or not.  BOTH: the trace tells of both states.  */
static void
test_interrupt (uint32_t told, bool both, bool known)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0x2505,	/* movs r5,#5  */
				  0xbf00, 0xbf00);
  static const uint16_t handler[] = { 0x2099, 0xbf00, 0x4770 };	/* bx lr  */
  f->profile.arch = TB_ARCH_V8M_MAIN;
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  fake_event (f, TB_EVENT_CONTEXT, 0)->security = TB_SECURE;
  uint32_t pc = fake_run (f, MAIN, 2);
  fake_event (f, TB_EVENT_EXCEPTION, pc)->exception = 16;
  fake_event (f, TB_EVENT_CONTEXT, 0)->security
    = both ? TB_NONSECURE : TB_SECURE;
  fake_run (f, HANDLER, 2);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, pc)->value = told;
  fake_event (f, TB_EVENT_CONTEXT, 0)->security = TB_SECURE;
  pc = fake_run (f, pc, 1);
  uint32_t frame[8] = { 0x11, 1, 2, 3, 12, 14, MAIN + 4, 0x01000000 };
  memcpy (ram + (SP - 32 - FAKE_RAM) / 4, frame, sizeof frame);
  fake_reg (f, "R0", 0x11);
  fake_reg (f, "R1", 1);
  fake_reg (f, "R4", 0x44);
  fake_reg (f, "SP", SP);
  fake_reg (f, "xPSR", 0x01000000);
  fake_end (f, pc, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_R0, 0x11);
  KNOWN (s, 5, TB_R4, 0x44);
  KNOWN (s, 5, TB_SP, SP);
  if (known)
    {
      KNOWN (s, 3, TB_SP, SP - 32);
      KNOWN (s, 0, TB_R4, 0x44);
      KNOWN (s, 3, TB_R5, 5);
      if (!both)
	{
	  KNOWN (s, 0, TB_SP, SP);
	  KNOWN (s, 0, TB_R1, 1);
	}
    }
  else
    {
      UNKNOWN (s, 3, TB_SP);
      UNKNOWN (s, 0, TB_SP);
      UNKNOWN (s, 0, TB_R4);
      UNKNOWN (s, 0, TB_R1);
      UNKNOWN (s, 3, TB_R5);
    }
  end (f, s);
}

int
main (void)
{
  test_switch (0x4770, 0xbf00, MAIN + 4, true);	/* bx lr: elsewhere  */
  test_switch (0x4770, 0xbf00, MAIN + 10, false);	/* bx lr: back from there  */
  test_switch (0xbd00, 0xbf00, MAIN + 10, false);	/* pop {pc}: the same  */
  test_switch (0x4774, 0xbf00, MAIN + 4, false);	/* bxns lr  */
  test_switch (0x4784, 0xbf00, MAIN + 4, false);	/* blxns r0  */
  test_switch (0xe97f, 0xe97f, MAIN + 4, false);	/* sg  */
  test_return_interrupted (false);
  test_return_interrupted (true);
  /* FFFFFFF9: Secure to Secure; F8: Secure stack, Non-secure handler; DB without
     what the callee saves.  */
  test_interrupt (0xfffffff9, false, true);
  test_interrupt (0, false, true);
  test_interrupt (0, true, false);
  test_interrupt (0xfffffff9, true, true);
  test_interrupt (0xfffffff8, true, false);
  test_interrupt (0xfffffff8, false, false);
  return check_done ();
}
