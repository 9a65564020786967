/* State of FP registers: what is moved is followed, what is computed is not, and
   what exceptions do with them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/element.h"
#include "state/effect.h"
#include "state-program.h"

#define HANDLER 0x200u

/* ARMv7E-M.  */
#define VLDR_S0_R1 0xed91, 0x0a00
#define VSTR_S0_R1_4 0xed81, 0x0a01
#define VMOV_R2_S0 0xee10, 0x2a10
#define VMOV_S1_R2 0xee00, 0x2a90
#define VMOV_S3_S0 0xeef0, 0x1a40
#define VMOV_D1_R2_R3 0xec43, 0x2b11
#define VPUSH_S16_S17 0xed2d, 0x8a02
#define VPOP_S18_S19 0xecbd, 0x9a02
#define VADD_S0_S1_S2 0xee30, 0x0a81
#define VMSR_FPSCR_R3 0xeee1, 0x3a10
#define VMRS_NZCV 0xeef1, 0xfa10
#define VMOV_S0_S1 0xeeb0, 0x0a60
#define VMOV_S5_1 0xeef7, 0x2a00
#define IT_EQ 0xbf08
#define NOP 0xbf00

/* What is known of S register NUMBER before STEP.  */
static struct tb_value
single (struct tb_state *s, uint64_t step, unsigned number)
{
  struct tb_vector v[TB_NVECTORS];
  if (!tb_state_vectors (s, step, v))
    return (struct tb_value) { 0 };
  struct tb_value d = v[number / 2].half[0];
  unsigned shift = 32 * (number % 2);
  return (struct tb_value) { .bits = d.bits >> shift & UINT32_MAX,
			     .mask = d.mask >> shift & UINT32_MAX,
			     .origin = d.origin };
}

#define FP_KNOWN(state, step, number, want) \
  do \
    { \
      struct tb_value v_ = single ((state), (step), (number)); \
      CHECK_INT (v_.mask, UINT32_MAX); \
      CHECK_INT (v_.bits, (want)); \
    } \
  while (0)
#define FP_UNKNOWN(state, step, number) \
  CHECK (single ((state), (step), (number)).mask != UINT32_MAX)

/* A program whose first instruction is VMOV_S5_1: what is in S0 to S15 before the first
   FP instruction may be another context's, which it saves.  */
static struct tb_recording *
program (const uint16_t *code, size_t count, unsigned steps)
{
  struct tb_recording *f = begin (code, count);
  f->profile.arch = TB_ARCH_V7EM;
  fake_end (f, fake_run (f, MAIN, steps), true);
  return f;
}

/* Step N of the others.  */
#define AT(n) ((n) + 1)

#define PROGRAM(steps, ...) \
  program ((const uint16_t[]) { VMOV_S5_1, __VA_ARGS__ }, \
	   sizeof (uint16_t[]) { VMOV_S5_1, __VA_ARGS__ } / 2, AT (steps))

/* Forward: from memory through an FP register into a core register.  */
static void
test_forward (void)
{
  struct tb_recording *f = PROGRAM (4, VLDR_S0_R1, VMOV_R2_S0, VMOV_S3_S0,
				    0x6008 /* str r0,[r1]  */);
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "S0", 0xcafe);
  ram[0] = 0x77;
  struct tb_state *s = finish (f);
  FP_UNKNOWN (s, AT (0), 0);
  WORD (s, AT (0), FAKE_RAM, 0xcafe);
  FP_KNOWN (s, AT (1), 0, 0xcafe);
  FP_KNOWN (s, AT (4), 3, 0xcafe);
  FP_UNKNOWN (s, AT (2), 3);
  KNOWN (s, AT (2), TB_R2, 0xcafe);
  KNOWN (s, AT (0), TB_R0, 0x77);
  end (f, s);
}

/* Backward: what FP registers hold at the halt tells what was moved there.  */
static void
test_backward (void)
{
  struct tb_recording *f = PROGRAM (4, VMOV_D1_R2_R3, VMOV_S1_R2,
				    0x2200 /* movs r2,#0  */,
				    0x2300 /* movs r3,#0  */);
  fake_reg (f, "D1", UINT64_C (0x1111111122222222));
  struct tb_state *s = finish (f);
  KNOWN (s, AT (0), TB_R2, 0x22222222);
  KNOWN (s, AT (0), TB_R3, 0x11111111);
  FP_KNOWN (s, AT (2), 1, 0x22222222);
  FP_UNKNOWN (s, AT (0), 1);
  FP_UNKNOWN (s, AT (0), 2);
  FP_KNOWN (s, AT (1), 3, 0x11111111);
  end (f, s);
}

/* Arithmetic leaves what is not known, and takes nothing from its operands.  */
static void
test_arithmetic (void)
{
  struct tb_recording *f = PROGRAM (3, VSTR_S0_R1_4, VADD_S0_S1_S2,
				    VMOV_R2_S0);
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "S1", 0x3f800000);
  ram[1] = 0x77;
  struct tb_state *s = finish (f);
  FP_KNOWN (s, AT (0), 0, 0x77);
  FP_KNOWN (s, AT (1), 0, 0x77);
  FP_UNKNOWN (s, AT (2), 0);
  UNKNOWN (s, AT (3), TB_R2);
  FP_KNOWN (s, AT (0), 1, 0x3f800000);
  struct tb_effect effect;
  CHECK (tb_state_effect (s, AT (1), &effect));
  CHECK_INT (effect.vectors, 1);
  CHECK_INT (effect.may_vectors, 1);
  end (f, s);
}

static void
test_stack (void)
{
  struct tb_recording *f = PROGRAM (2, VPUSH_S16_S17, VPOP_S18_S19);
  fake_reg (f, "S18", 0x18);
  fake_reg (f, "S17", 0x17);
  struct tb_state *s = finish (f);
  FP_KNOWN (s, AT (0), 16, 0x18);
  FP_KNOWN (s, AT (2), 19, 0x17);
  FP_UNKNOWN (s, AT (0), 18);
  end (f, s);
}

/* The flags through FPSCR.  */
static void
test_status (void)
{
  struct tb_recording *f = PROGRAM (2, VMSR_FPSCR_R3, VMRS_NZCV);
  fake_reg (f, "R3", 0x60c00000);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  struct tb_vector fp[TB_NVECTORS];
  tb_state_registers (s, AT (2), v);
  CHECK_INT (v[TB_PSR].bits & TB_PSR_NZCV, 0x60000000);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_NZCV, TB_PSR_NZCV);
  CHECK (tb_state_vectors (s, AT (1), fp));
  CHECK_INT (fp[TB_FPSCR].half[0].mask & 0xf7c00000, 0xf7c00000);
  CHECK_INT (fp[TB_FPSCR].half[0].bits & 0xf7c00000, 0x60c00000);
  end (f, s);
}

/* Where FP registers are not in use, as CONTROL says, the next FP instruction begins with
   another FPSCR; CONDITIONAL: that CONTROL is written is not certain.  */
static void
test_control (bool writes, bool conditional)
{
  uint16_t first = writes ? 0xf383 : 0xf3af, second = writes ? 0x8814 : 0x8000;
  struct tb_recording *f
    = PROGRAM (5, VMSR_FPSCR_R3, conditional ? IT_EQ : NOP,
	       first, second,	/* msr(eq) control,r3; else nop.w  */
	       VMOV_S0_S1, NOP);
  fake_reg (f, "FPSCR", 0x00c00000);
  struct tb_state *s = finish (f);
  struct tb_vector fp[TB_NVECTORS];
  CHECK (tb_state_vectors (s, AT (5), fp));
  CHECK_INT (fp[TB_FPSCR].half[0].mask & 0xc00000, 0xc00000);
  CHECK (tb_state_vectors (s, AT (1), fp));
  CHECK_INT (fp[TB_FPSCR].half[0].mask & 0xc00000, writes ? 0 : 0xc00000);
  end (f, s);
}

/* A move under a condition that the trace does not tell.  */
static void
test_condition (bool known, bool equal)
{
  struct tb_recording *f = PROGRAM (3, 0x2a00 /* cmp r2,#0  */, IT_EQ,
				    VMOV_S0_S1);
  if (known)
    fake_reg (f, "R2", equal ? 0 : 1);
  fake_reg (f, "S0", 0x10);
  fake_reg (f, "S1", equal ? 0x10 : 0x11);
  struct tb_state *s = finish (f);
  /* Where they differ, that shows that it did not move.  */
  if (!equal)
    FP_KNOWN (s, AT (0), 0, 0x10);
  else
    FP_UNKNOWN (s, AT (0), 0);
  FP_KNOWN (s, AT (0), 1, equal ? 0x10 : 0x11);
  end (f, s);
}

/* What is in FP registers at the halt may not be what was there: a debugger that
   cannot read them says 0.  All else counts all the same.  */
static void
test_halt (bool wrong)
{
  struct tb_recording *f = PROGRAM (1, NOP);
  fake_reg (f, "R7", 7);
  fake_reg (f, "S5", wrong ? 0 : 0x3f800000);
  fake_reg (f, "S6", 6);
  struct tb_state *s = fake_open (f);
  CHECK_INT (f->diag.warnings, wrong);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 0, TB_R7, 7);
  FP_KNOWN (s, 1, 5, 0x3f800000);
  if (wrong)
    FP_UNKNOWN (s, 1, 6);
  else
    FP_KNOWN (s, 1, 6, 6);
  end (f, s);
}

/* An exception with room for FP registers in its frame, whose handler uses them or
   does not.  */
static void
test_exception (bool used)
{
  static const uint16_t use[] = { VADD_S0_S1_S2, 0x4770 };
  static const uint16_t leave[] = { 0x0000, 0x1111, 0x4770 };
  struct tb_recording *f = BEGIN (VMOV_S3_S0, NOP, VMOV_S5_1);
  f->profile.arch = TB_ARCH_V7EM;
  memcpy (flash + HANDLER / 2, used ? use : leave, sizeof use);
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 4)->exception = 16;
  fake_step (f, HANDLER, 0);
  if (!used)
    fake_step (f, HANDLER + 2, 0);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN + 4)->value = 0xffffffe9;
  fake_run (f, MAIN + 4, 2);
  /* The frame has 26 words; its lowest is at FAKE_RAM + 0x20.  */
  uint32_t sp = FAKE_RAM + 0x20 + 0x68;
  ram[8 + 5] = 0x1235;
  ram[8 + 6] = MAIN + 4;
  ram[8 + 7] = 0x01000000;
  ram[8 + 8] = 0x50;		/* S0  */
  ram[8 + 8 + 3] = 0x53;	/* S3  */
  fake_reg (f, "SP", sp);
  fake_reg (f, "S16", 0x16);
  if (!used)
    fake_reg (f, "S0", 0x50);
  fake_end (f, MAIN + 10, true);
  struct tb_state *s = finish (f);
  unsigned back = used ? 3 : 4;
  FP_KNOWN (s, back, 0, 0x50);
  FP_KNOWN (s, 0, 16, 0x16);
  /* What is in them in the handler is not defined.  */
  FP_UNKNOWN (s, 1, 0);
  if (used)
    /* Whether that is what was saved, FPCCR says.  */
    FP_KNOWN (s, back, 3, 0x53);
  else
    FP_KNOWN (s, back, 3, 0x50);
  end (f, s);
}

/* Through windows without any FP instruction.  */
static void
test_windows (uint64_t window)
{
  struct tb_recording *f = PROGRAM (8, VMOV_S1_R2, NOP, NOP, NOP, NOP, NOP,
				    NOP, VADD_S0_S1_S2);
  fake_reg (f, "S1", 0x11);
  fake_reg (f, "R2", 0x11);
  fake_reg (f, "S9", 0x99);
  f->options.window = window;
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  FP_KNOWN (s, AT (0), 9, 0x99);
  FP_KNOWN (s, AT (4), 1, 0x11);
  FP_UNKNOWN (s, AT (0), 1);
  end (f, s);
}

/* Whether another context's registers are still to be saved CONTROL told before it was
   written: what is in them after the next FP instruction need not be what was before.  */
static void
test_left (bool written)
{
  struct tb_recording *f
    = written ? BEGIN (0x2004 /* movs r0,#4  */, 0xf380,
		       0x8814 /* msr control,r0  */, VMOV_S5_1)
      : BEGIN (VMOV_S5_1, NOP, NOP);
  f->profile.arch = TB_ARCH_V7EM;
  fake_reg (f, "S0", 0x10);
  fake_reg (f, "S20", 0x20);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  FP_KNOWN (s, 3, 0, 0x10);
  FP_UNKNOWN (s, 0, 0);
  if (written)
    FP_UNKNOWN (s, 2, 0);
  else
    FP_KNOWN (s, 1, 0, 0x10);
  FP_KNOWN (s, 0, 20, 0x20);
  end (f, s);
}

/* A callee gives S16 back as it was, of which only the convention tells.  */
static void
test_call (bool assume)
{
  struct tb_recording *f = BEGIN (0xf000, 0xf87e /* bl HANDLER  */, NOP, NOP);
  static const uint16_t keeps[] = { 0xed92, 0x8a00 /* vldr s16,[r2]  */,
				    0x4770 };
  f->profile.arch = TB_ARCH_V7EM;
  f->options.assume = assume ? TB_ASSUME_AAPCS : 0;
  memcpy (flash + HANDLER / 2, keeps, sizeof keeps);
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  fake_run (f, MAIN + 4, 2);
  fake_reg (f, "S16", 0x16);
  fake_end (f, MAIN + 8, true);
  struct tb_state *s = finish (f);
  struct tb_value before = single (s, 0, 16);
  CHECK_INT (before.mask, assume ? UINT32_MAX : 0);
  if (assume)
    {
      CHECK_INT (before.bits, 0x16);
      CHECK_INT (before.origin, TB_ASSUMED);
    }
  end (f, s);
}

int
main (void)
{
  test_forward ();
  test_backward ();
  test_arithmetic ();
  test_stack ();
  test_status ();
  test_control (false, false);
  test_control (true, false);
  test_control (true, true);
  test_condition (true, true);
  test_condition (true, false);
  test_condition (false, false);
  test_condition (false, true);
  test_halt (false);
  test_halt (true);
  test_exception (false);
  test_exception (true);
  test_windows (0);
  test_windows (2);
  test_left (false);
  test_left (true);
  test_call (false);
  test_call (true);
  return check_done ();
}
