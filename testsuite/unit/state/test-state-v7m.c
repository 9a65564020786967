/* State on ARMv7-M and ARMv8-M: IT blocks, tables, frames with FP registers,
   instructions that go on, returns from Non-secure functions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/element.h"
#include "state-program.h"

#define HANDLER 0x200u

/* Whether a conditional instruction executed is not told: it is chosen by what
   its condition was.  */
static void
test_select (bool z_known, bool z)
{
  struct tb_recording *f = BEGIN (0x2900,	/* cmp r1,#0  */
				  0xbf08,	/* it eq  */
				  0x2011,	/* moveq r0,#0x11  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  if (z_known)
    fake_reg (f, "R1", z ? 0 : 5);
  fake_reg (f, "R0", z_known && !z ? 0x22 : 0x11);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  if (z_known && !z)
    KNOWN (s, 0, TB_R0, 0x22);
  else
    UNKNOWN (s, 0, TB_R0);
  KNOWN (s, 3, TB_R0, z_known && !z ? 0x22 : 0x11);
  end (f, s);
}

/* What came out tells of the condition: r0 is not 0x11, so r1 was not 0.  */
static void
test_select_backward (void)
{
  struct tb_recording *f = BEGIN (0xbf08,	/* it eq  */
				  0x2011,	/* moveq r0,#0x11  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_reg (f, "R0", 0x22);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_Z, TB_PSR_Z);
  CHECK_INT (v[TB_PSR].bits & TB_PSR_Z, 0);
  KNOWN (s, 0, TB_R0, 0x22);
  end (f, s);
}

/* One of two constants: what they have in common is known.  */
static void
test_either (void)
{
  struct tb_recording *f = BEGIN (0xbf0c,	/* ite eq  */
				  0x2011,	/* moveq r0,#0x11  */
				  0x2013,	/* movne r0,#0x13  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_end (f, fake_run (f, MAIN, 4), false);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 3, v);
  CHECK_INT (v[TB_R0].mask & 0xfd, 0xfd);
  CHECK_INT (v[TB_R0].bits & 0xfd, 0x11);
  end (f, s);
}

/* ETMv3 tells of each instruction whether it executed.  */
static void
test_told (bool executed)
{
  struct tb_recording *f = BEGIN (0xbf08,	/* it eq  */
				  0x2011,	/* moveq r0,#0x11  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  f->decoder = &fake_etmv3;
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, executed ? 0 : TB_STEP_NOT_TAKEN);
  fake_step (f, MAIN + 4, 0);
  fake_reg (f, "R0", executed ? 0x11 : 0x22);
  fake_end (f, MAIN + 6, true);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_Z, TB_PSR_Z);
  CHECK_INT (v[TB_PSR].bits & TB_PSR_Z, executed ? TB_PSR_Z : 0);
  if (executed)
    UNKNOWN (s, 0, TB_R0);
  else
    KNOWN (s, 0, TB_R0, 0x22);
  end (f, s);
}

/* A branch in a block tells its condition, and so whether the instruction before
   it executed.  */
static void
test_branch_in_it (bool taken)
{
  struct tb_recording *f = BEGIN (0xbf04,	/* itt eq  */
				  0x2011,	/* moveq r0,#0x11  */
				  0xe000,	/* beq .+4  */
				  0xbf00, 0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, 0);
  fake_step (f, MAIN + 4, taken ? TB_STEP_TAKEN : TB_STEP_NOT_TAKEN);
  fake_step (f, MAIN + (taken ? 8 : 6), 0);
  fake_end (f, MAIN + (taken ? 10 : 8), false);
  struct tb_state *s = finish (f);
  if (taken)
    KNOWN (s, 2, TB_R0, 0x11);
  else
    UNKNOWN (s, 2, TB_R0);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_PSR].bits & TB_PSR_Z, taken ? TB_PSR_Z : 0);
  end (f, s);
}

/* A conditional store is a suspect until its condition is known.  HOW 0: unknown;
   1: it did not store; 2: it did.  */
static void
test_store (unsigned how)
{
  struct tb_recording *f = BEGIN (0x600c,	/* str r4,[r1]  */
				  0x2a00,	/* cmp r2,#0  */
				  0xbf08,	/* it eq  */
				  0x600b,	/* streq r3,[r1]  */
				  0x6808,	/* ldr r0,[r1]  */
				  0x2000,	/* movs r0,#0  */
				  0x600d);	/* str r5,[r1]  */
  f->profile.arch = TB_ARCH_V7M;
  ram[0] = 5;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R3", 3);
  fake_reg (f, "R4", 4);
  fake_reg (f, "R5", 5);
  if (how != 0)
    fake_reg (f, "R2", how == 1);
  fake_end (f, fake_run (f, MAIN, 7), true);
  struct tb_state *s = finish (f);
  struct tb_access_info a[4];
  if (how == 0)
    {
      UNKNOWN (s, 5, TB_R0);
      NO_WORD (s, 4, FAKE_RAM);
    }
  else
    {
      KNOWN (s, 5, TB_R0, how == 1 ? 4 : 3);
      WORD (s, 4, FAKE_RAM, how == 1 ? 4 : 3);
    }
  WORD (s, 3, FAKE_RAM, 4);
  CHECK_INT (tb_state_accesses (s, 3, a, 4), how == 1 ? 0 : 1);
  if (how != 1)
    CHECK_INT (a[0].address_known, how == 2);
  CHECK_INT (tb_state_accesses (s, 4, a, 4), 1);
  end (f, s);
}

/* STREX stored if the status that the loop tests was 0.  */
static void
test_exclusive (void)
{
  struct tb_recording *f = BEGIN (0xe842, 0x1000,	/* strex r0,r1,[r2]  */
				  0xb900,	/* cbnz r0,.+4  */
				  0x6813,	/* ldr r3,[r2]  */
				  0x2400,	/* movs r4,#0  */
				  0x6014);	/* str r4,[r2]  */
  f->profile.arch = TB_ARCH_V7M;
  fake_reg (f, "R1", 0x77);
  fake_reg (f, "R2", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 3, TB_R3, 0x77);
  KNOWN (s, 1, TB_R0, 0);
  end (f, s);
}

/* A comparison within a block may not have been made.  */
static void
test_compare (void)
{
  struct tb_recording *f = BEGIN (0x2905,	/* cmp r1,#5  */
				  0xbf08,	/* it eq  */
				  0x2a07,	/* cmpeq r2,#7  */
				  0xd100,	/* bne .+4  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  /* Not taken: both were equal.  */
  fake_end (f, fake_run (f, MAIN, 5), false);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 3, v);
  CHECK_INT (v[TB_PSR].bits & TB_PSR_Z, TB_PSR_Z);
  /* Had r1 not been 5, Z would be 0 still.  */
  KNOWN (s, 0, TB_R1, 5);
  KNOWN (s, 0, TB_R2, 7);
  end (f, s);
  /* r1 is 5: it was made, and r2 is 7.  */
  f = BEGIN (0x2905, 0xbf08, 0x2a07, 0xd100, 0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_reg (f, "R1", 5);
  fake_end (f, fake_run (f, MAIN, 5), true);
  s = finish (f);
  KNOWN (s, 0, TB_R2, 7);
  end (f, s);
}

/* A table in flash: the value tells the index, and the index's range the
   value's.  */
static void
test_table (bool value_known)
{
  struct tb_recording *f = BEGIN (0x2a03,	/* cmp r2,#3  */
				  0xd800,	/* bhi .+4  */
				  0xa101,	/* adr r1,.+8  */
				  0x5c88,	/* ldrb r0,[r1,r2]  */
				  0xbf00, 0xbf00,
				  0x3010, 0x3230);
  if (value_known)
    fake_reg (f, "R0", 0x32);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 4, v);
  if (value_known)
    KNOWN (s, 0, TB_R2, 3);
  else
    {
      UNKNOWN (s, 0, TB_R2);
      CHECK_INT (v[TB_R0].mask & 0xdd, 0xdd);
      CHECK_INT (v[TB_R0].bits & 0xdd, 0x10);
    }
  end (f, s);
}

/* TBB: where it went tells the index, in each direction.  */
static void
test_table_branch (void)
{
  struct tb_recording *f = BEGIN (0x2a02,	/* cmp r2,#2  */
				  0xd807,	/* bhi away  */
				  0xe8df, 0xf002,	/* tbb [pc,r2]  */
				  0x0302, 0x0004,
				  0xbf00, 0xbf00, 0xbf00, 0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_run (f, MAIN, 2);
  fake_step (f, MAIN + 4, TB_STEP_TAKEN);
  fake_end (f, fake_run (f, MAIN + 8 + 6, 1), false);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R2, 1);
  end (f, s);
}

/* FP registers may be saved late, when a handler uses them: what is above a frame
   is then a suspect.  */
static void
test_late_fp (bool used)
{
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00,
				  0xee30, 0x0a81);	/* vadd.f32  */
  static const uint16_t use[] = { 0xee30, 0x0a81, 0x4770 };
  static const uint16_t leave[] = { 0x0000, 0x1111, 0x4770 };
  f->profile.arch = TB_ARCH_V7EM;
  memcpy (flash + HANDLER / 2, used ? use : leave, sizeof use);
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 16;
  fake_step (f, HANDLER, 0);
  if (!used)
    fake_step (f, HANDLER + 2, 0);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN + 2)->value = 0xffffffe9;
  fake_run (f, MAIN + 2, 1);
  /* The frame has 26 words; its lowest is at FAKE_RAM + 0x20.  */
  uint32_t sp = FAKE_RAM + 0x20 + 0x68;
  ram[8 + 5] = 0x1235;
  ram[8 + 6] = MAIN + 2;
  ram[8 + 7] = 0x01000000;
  ram[8 + 10] = 0x4444;
  fake_reg (f, "SP", sp);
  fake_end (f, MAIN + 4, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_SP, sp);
  KNOWN (s, 1, TB_SP, sp - 0x68);
  KNOWN (s, 1, TB_LR, 0xffffffe9);
  NO_WORD (s, 0, sp - 0x68 + 40);
  if (used)
    NO_WORD (s, 1, sp - 0x68 + 40);
  else
    WORD (s, 1, sp - 0x68 + 40, 0x4444);
  end (f, s);
}

/* A load multiple that was interrupted may go on: what it had loaded then it does
   not load again.  Here that was the same.  */
static void
test_goes_on (enum tb_arch arch, uint32_t ici)
{
  struct tb_recording *f = BEGIN (0xbf00,
				  0xc930,	/* ldm r1!,{r4,r5}  */
				  0xbf00);
  static const uint16_t handler[] = { 0xbf00, 0x4770 };
  f->profile.arch = arch;
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 16;
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN + 2)->value = 0xfffffff9;
  fake_run (f, MAIN + 2, 2);
  uint32_t sp = FAKE_RAM + 0x80;
  ram[0] = 0x99;
  ram[32 - 7] = FAKE_RAM;
  ram[32 - 3] = 0x1235;
  ram[32 - 2] = MAIN + 2;
  ram[32 - 1] = 0x01000000 | ici;
  fake_reg (f, "R1", FAKE_RAM + 8);
  fake_reg (f, "SP", sp);
  fake_end (f, MAIN + 6, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 4, TB_R4, 0x99);
  /* The base is certain.  */
  KNOWN (s, 3, TB_R1, FAKE_RAM);
  end (f, s);
}

/* BX LR to behind BLXNS may be a return to Secure code, which has a stack of its
   own: LR does not say where it goes.  */
static void
test_function_return (bool behind)
{
  struct tb_recording *f = BEGIN (0x4770,	/* bx lr  */
				  0xbf00, 0xbf00,
				  0x4784,	/* blxns r0  */
				  0xbf00, 0xbf00);
  f->profile.arch = TB_ARCH_V8M_MAIN;
  uint32_t to = MAIN + (behind ? 8 : 2);
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_step (f, to, 0);
  fake_reg (f, "SP", FAKE_RAM + 0x80);
  fake_reg (f, "R4", 4);
  fake_end (f, to + 2, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R4, 4);
  if (behind)
    {
      UNKNOWN (s, 0, TB_SP);
      KNOWN (s, 1, TB_SP, FAKE_RAM + 0x80);
    }
  else
    {
      KNOWN (s, 0, TB_SP, FAKE_RAM + 0x80);
      KNOWN (s, 0, TB_LR, to | 1);
    }
  end (f, s);
}

/* An interrupt in the middle of a block: the rest of it is conditional after the
   return.  */
static void
test_it_interrupted (void)
{
  struct tb_recording *f = BEGIN (0x2905,	/* cmp r1,#5  */
				  0xbf04,	/* itt eq  */
				  0x2011,	/* moveq r0,#0x11  */
				  0x2222,	/* moveq r2,#0x22  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  flash[HANDLER / 2] = 0x4770;
  fake_run (f, MAIN, 3);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 6)->exception = 16;
  fake_step (f, HANDLER, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN + 6)->value = 0xfffffff9;
  fake_run (f, MAIN + 6, 2);
  fake_end (f, MAIN + 10, false);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 5, TB_R2);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 5, v);
  CHECK_INT (v[TB_R2].mask, 0);
  end (f, s);
}

/* Code that is not optimised returns by "mov sp, r7", which clears two bits.  Where the
   trace has r7 made from SP both are known again, through a call as well; where r7 is from
   before the trace, SP before that move is not.  */
static void
test_frame_pointer (bool made)
{
  static const uint16_t callee[] = { 0xb580,	/* push {r7,lr}  */
				     0xb082,	/* sub sp,#8  */
				     0xaf00,	/* add r7,sp,#0  */
				     0x6078,	/* str r0,[r7,#4]  */
				     0x3708,	/* adds r7,#8  */
				     0x46bd,	/* mov sp,r7  */
				     0xbd80 };	/* pop {r7,pc}  */
  struct tb_recording *f = BEGIN (0xaf00,	/* add r7,sp,#0  */
				  0xf000, 0xf81d,	/* bl callee  */
				  0x3708,	/* adds r7,#8  */
				  0x46bd,	/* mov sp,r7  */
				  0xbc80);	/* pop {r7}  */
  const uint32_t sp = FAKE_RAM + 0x80;
  memcpy (flash + (MAIN + 0x40) / 2, callee, sizeof callee);
  f->profile.arch = TB_ARCH_V7M;
  ram[0x78 / 4] = sp;
  ram[0x7c / 4] = MAIN + 7;
  if (made)
    fake_step (f, MAIN, 0);
  fake_step (f, MAIN + 2, TB_STEP_TAKEN);
  fake_run (f, MAIN + 0x40, 6);
  fake_step (f, MAIN + 0x4c, TB_STEP_TAKEN);
  fake_reg (f, "SP", sp + 12);
  fake_end (f, fake_run (f, MAIN + 6, 3), true);
  struct tb_state *s = finish (f);
  uint64_t moved = made ? 10 : 9;
  KNOWN (s, moved + 1, TB_SP, sp + 8);
  if (made)
    {
      KNOWN (s, 1, TB_SP, sp);
      KNOWN (s, 1, TB_R7, sp);
      KNOWN (s, 5, TB_SP, sp - 16);
      KNOWN (s, moved, TB_SP, sp);
      KNOWN (s, moved, TB_R7, sp + 8);
    }
  else
    {
      UNKNOWN (s, 0, TB_SP);
      UNKNOWN (s, moved, TB_SP);
    }
  end (f, s);
}

int
main (void)
{
  test_select (false, false);
  test_select (true, false);
  test_select (true, true);
  test_select_backward ();
  test_either ();
  test_told (false);
  test_told (true);
  test_branch_in_it (false);
  test_branch_in_it (true);
  for (unsigned how = 0; how < 3; how++)
    test_store (how);
  test_exclusive ();
  test_compare ();
  test_table (false);
  test_table (true);
  test_table_branch ();
  test_late_fp (false);
  test_late_fp (true);
  test_goes_on (TB_ARCH_V7M, 0);
  test_goes_on (TB_ARCH_V7M, 0x5000);
  test_goes_on (TB_ARCH_V6M, 0);
  test_function_return (false);
  test_function_return (true);
  test_it_interrupted ();
  test_frame_pointer (true);
  test_frame_pointer (false);
  return check_done ();
}
