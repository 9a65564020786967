/* State: each rule of the reconstruction alone, by a few instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

/* Forward: a constant, and a literal from flash.  */
static void
test_flash_constant (void)
{
  struct tb_recording *f = BEGIN (0x4901,	/* ldr r1,[pc,#4]  */
				  0x2205,	/* movs r2,#5  */
				  0x1888,	/* adds r0,r1,r2  */
				  0xbf00, 0x5678, 0x1234);
  fake_end (f, fake_run (f, MAIN, 3), false);
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_NONE);
  UNKNOWN (s, 0, TB_R1);
  KNOWN (s, 1, TB_R1, 0x12345678);
  KNOWN (s, 3, TB_R0, 0x1234567d);
  UNKNOWN (s, 3, TB_R3);
  WORD (s, 0, MAIN + 8, 0x12345678);
  end (f, s);
}

/* Backward through what can be inverted, not through what destroys.  */
static void
test_inversion (void)
{
  struct tb_recording *f = BEGIN (0x3005,	/* adds r0,#5  */
				  0x1a40,	/* subs r0,r0,r1  */
				  0x43d2,	/* mvns r2,r2  */
				  0xba1b,	/* rev r3,r3  */
				  0x0064,	/* lsls r4,r4,#1  */
				  0x4075,	/* eors r5,r6  */
				  0x2700);	/* movs r7,#0  */
  fake_reg (f, "R0", 0x100);
  fake_reg (f, "R1", 1);
  fake_reg (f, "R2", 0xf0f0f0f0);
  fake_reg (f, "R3", 0x12345678);
  fake_reg (f, "R4", 6);
  fake_reg (f, "R5", 0xff);
  fake_reg (f, "R6", 0x0f);
  fake_reg (f, "R7", 0);
  fake_reg (f, "R13", FAKE_RAM + 0x80);
  fake_end (f, fake_run (f, MAIN, 7), true);
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 0, TB_R0, 0xfc);
  KNOWN (s, 1, TB_R0, 0x101);
  KNOWN (s, 0, TB_R1, 1);
  KNOWN (s, 0, TB_R2, 0x0f0f0f0f);
  KNOWN (s, 0, TB_R3, 0x78563412);
  /* The bit that was shifted out is gone, the others are not.  */
  UNKNOWN (s, 0, TB_R4);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R4].mask, 0x7fffffff);
  CHECK_INT (v[TB_R4].bits, 3);
  KNOWN (s, 0, TB_R5, 0xf0);
  UNKNOWN (s, 0, TB_R7);
  KNOWN (s, 0, TB_SP, FAKE_RAM + 0x80);
  UNKNOWN (s, 0, TB_R8);
  KNOWN (s, 0, TB_PC, MAIN);
  KNOWN (s, 7, TB_PC, MAIN + 14);
  end (f, s);
}

/* The dump at the end goes back to the last store, and through it.  */
static void
test_final_ram (void)
{
  struct tb_recording *f = BEGIN (0x6008,	/* str r0,[r1]  */
				  0x2000,	/* movs r0,#0  */
				  0x684a,	/* ldr r2,[r1,#4]  */
				  0x2200);	/* movs r2,#0  */
  ram[0] = 0xcafe;
  ram[1] = 0xbeef;
  ram[2] = 0x77;
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R0, 0xcafe);
  NO_WORD (s, 0, FAKE_RAM);
  WORD (s, 1, FAKE_RAM, 0xcafe);
  KNOWN (s, 3, TB_R2, 0xbeef);
  WORD (s, 0, FAKE_RAM + 4, 0xbeef);
  WORD (s, 0, FAKE_RAM + 8, 0x77);
  struct tb_access_info a[4];
  CHECK_INT (tb_state_accesses (s, 0, a, 4), 1);
  CHECK (a[0].store && a[0].address_known);
  CHECK_INT (a[0].address, FAKE_RAM);
  CHECK_INT (a[0].length, 4);
  CHECK_INT (tb_state_accesses (s, 1, a, 4), 0);
  end (f, s);
}

/* A branch tells equality, a bit, a range.  */
static void
test_branch_facts (void)
{
  struct tb_recording *f = BEGIN (0x2807,	/* cmp r0,#7  */
				  0xd1fe,	/* bne .: not taken  */
				  0x2100,	/* movs r1,#0  */
				  0x2a01,	/* cmp r2,#1  */
				  0xd900,	/* bls +0: taken  */
				  0xbf00,
				  0x0892,	/* lsrs r2,r2,#2  */
				  0x2400);	/* movs r4,#0  */
  uint32_t pc = fake_run (f, MAIN, 4);
  fake_step (f, pc, TB_STEP_TAKEN);
  fake_end (f, fake_run (f, pc + 4, 2), false);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R0, 7);
  KNOWN (s, 1, TB_R0, 7);
  UNKNOWN (s, 0, TB_R2);	/* 0 or 1.  */
  KNOWN (s, 6, TB_R2, 0);
  UNKNOWN (s, 0, TB_R1);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 1, v);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_NZCV, TB_PSR_NZCV);
  CHECK_INT (v[TB_PSR].bits & TB_PSR_NZCV, TB_PSR_Z | TB_PSR_C);
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_NZCV, 0);
  CHECK_INT (v[TB_PSR].bits >> 24 & 1, 1);
  end (f, s);
}

/* An indirect branch tells its register, bit 0 only where it counts.  */
static void
test_indirect (void)
{
  struct tb_recording *f = BEGIN (0x4718,	/* bx r3  */
				  0xbf00, 0xbf00, 0xbf00,
				  0x46a7);	/* mov pc,r4  */
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_step (f, MAIN + 8, TB_STEP_TAKEN);
  fake_end (f, MAIN + 4, false);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R3, (MAIN + 8) | 1);
  UNKNOWN (s, 0, TB_R4);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R4].mask, 0xfffffffe);
  CHECK_INT (v[TB_R4].bits, MAIN + 4);
  end (f, s);
}

/* What is stored comes back from the stack, also by bytes.  */
static void
test_store_load (void)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0xb401,	/* push {r0}  */
				  0x2100,	/* movs r1,#0  */
				  0x466a,	/* mov r2,sp  */
				  0x7091,	/* strb r1,[r2,#2]  */
				  0x7813,	/* ldrb r3,[r2]  */
				  0x8854,	/* ldrh r4,[r2,#2]  */
				  0xbc20,	/* pop {r5}  */
				  0xb001);	/* add sp,#4  */
  ram[31] = 0x11;
  fake_reg (f, "SP", FAKE_RAM + 0x84);
  fake_end (f, fake_run (f, MAIN, 9), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_SP, FAKE_RAM + 0x80);
  KNOWN (s, 6, TB_R3, 0x11);
  KNOWN (s, 7, TB_R4, 0);
  KNOWN (s, 8, TB_R5, 0x11);
  WORD (s, 2, FAKE_RAM + 0x7c, 0x11);
  end (f, s);
}

/* What is pushed comes back although no one knows where the stack is; a store
   through another pointer may hit it, unless something else was stored.  */
static void
test_symbolic_stack (uint16_t between, bool known)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0x2511,	/* movs r5,#0x11  */
				  0x2622,	/* movs r6,#0x22  */
				  0xb403,	/* push {r0,r1}  */
				  between,
				  0xbc0c,	/* pop {r2,r3}  */
				  0x2b22);	/* cmp r3,#0x22  */
  fake_end (f, fake_run (f, MAIN, 7), false);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 3, TB_SP);
  if (known)
    KNOWN (s, 6, TB_R2, 0x11);
  else
    UNKNOWN (s, 6, TB_R2);
  end (f, s);
}

/* Which of four bytes of RAM was loaded is found by trying: the product does not
   say what was multiplied.  Where two of them are alike it stays open.  */
static void
test_split (bool alike)
{
  struct tb_recording *f = BEGIN (0x2a03,	/* cmp r2,#3  */
				  0xd800,	/* bhi .+4  */
				  0x5c81,	/* ldrb r1,[r0,r2]  */
				  0x000b,	/* movs r3,r1  */
				  0x434b,	/* muls r3,r1  */
				  0x2100);	/* movs r1,#0  */
  ram[4] = alike ? 0x09070709 : 0x09080706;
  fake_reg (f, "R0", FAKE_RAM + 16);
  fake_reg (f, "R3", 49);
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 3, TB_R1, 7);
  if (alike)
    UNKNOWN (s, 0, TB_R2);
  else
    KNOWN (s, 0, TB_R2, 1);
  KNOWN (s, 5, TB_R3, 49);
  end (f, s);
}

/* Windows: what is known at the ends of one is known to the others.  */
static void
test_window (void)
{
  struct tb_recording *f = BEGIN (0x2011, 0x2022, 0x2033, 0x2044);
  fake_reg (f, "R1", 5);
  fake_end (f, fake_run (f, MAIN, 4), true);
  f->options.window = 2;
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_R0, 0x11);
  KNOWN (s, 1, TB_R1, 5);
  KNOWN (s, 1, TB_PC, MAIN + 2);
  UNKNOWN (s, 0, TB_R0);
  KNOWN (s, 2, TB_R1, 5);
  KNOWN (s, 3, TB_R0, 0x33);
  WORD (s, 1, FAKE_RAM, 0);
  WORD (s, 1, MAIN, 0x20222011);
  WORD (s, 2, FAKE_RAM, 0);
  end (f, s);
}

/* Without trace the halt state is all there is.  */
static void
test_no_steps (void)
{
  struct tb_recording *f = BEGIN (0xbf00);
  fake_reg (f, "R3", 0x33);
  fake_reg (f, "PC", MAIN);
  fake_reg (f, "xPSR", 0x61000003);
  ram[3] = 9;
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 0, TB_R3, 0x33);
  KNOWN (s, 0, TB_PC, MAIN);
  KNOWN (s, 0, TB_PSR, 0x61000003);
  UNKNOWN (s, 0, TB_R4);
  WORD (s, 0, FAKE_RAM + 12, 9);
  end (f, s);
}

/* The stack pointers by SPSEL, and MSR and MRS.  */
static void
test_banks (void)
{
  struct tb_recording *f = BEGIN (0xf380, 0x8809,	/* msr psp,r0  */
				  0xf3ef, 0x8108,	/* mrs r1,msp  */
				  0xb672,		/* cpsid i  */
				  0xf3ef, 0x8210);	/* mrs r2,primask  */
  fake_reg (f, "R0", FAKE_RAM + 0x40);
  fake_reg (f, "SP", FAKE_RAM + 0x80);
  fake_reg (f, "xPSR", 0x01000000);
  fake_reg (f, "CONTROL", 0);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 0, TB_PSP);
  KNOWN (s, 1, TB_PSP, FAKE_RAM + 0x40);
  KNOWN (s, 0, TB_MSP, FAKE_RAM + 0x80);
  KNOWN (s, 2, TB_R1, FAKE_RAM + 0x80);
  KNOWN (s, 4, TB_R2, 1);
  KNOWN (s, 3, TB_PRIMASK, 1);
  UNKNOWN (s, 2, TB_PRIMASK);
  end (f, s);
}

/* Without CONTROL thread mode might not be privileged: MSR might do nothing. */
static void
test_unprivileged (void)
{
  struct tb_recording *f = BEGIN (0xf380, 0x8809);	/* msr psp,r0  */
  fake_reg (f, "R0", FAKE_RAM + 0x40);
  fake_reg (f, "SP", FAKE_RAM + 0x80);
  fake_reg (f, "xPSR", 0x01000000);
  fake_end (f, fake_run (f, MAIN, 1), true);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 1, TB_PSP);
  KNOWN (s, 1, TB_SP, FAKE_RAM + 0x80);
  UNKNOWN (s, 1, TB_MSP);
  end (f, s);
}

/* The trace ends with BX and does not tell where that went.  If it is known all
   the same the halt counts where it is there.  */
static void
test_end (void)
{
  for (unsigned i = 0; i < 3; i++)
    {
      struct tb_recording *f = BEGIN (i == 2 ? 0xbf00 : 0x2311,	/* movs r3,#17  */
				      0x4718);			/* bx r3  */
      fake_step (f, MAIN, 0);
      fake_step (f, MAIN + 2, TB_STEP_TAKEN);
      fake_reg (f, "R5", 5);
      fake_reg (f, "PC", i == 1 ? 18 : 16);
      struct tb_state *s = finish (f);
      CHECK_INT (tb_state_halt (s), i == 0 ? TB_HALT_USED
				    : TB_HALT_ELSEWHERE);
      if (i == 0)
	KNOWN (s, 0, TB_R5, 5);
      else
	UNKNOWN (s, 0, TB_R5);
      end (f, s);
    }
}

/* CONTROL.nPRIV need not be there on ARMv6-M; FPCA is written, too.  */
static void
control (enum tb_arch arch, uint32_t mask, uint32_t bits)
{
  struct tb_recording *f = BEGIN (0x2005,		/* movs r0,#5  */
				  0xf380, 0x8814,	/* msr control,r0  */
				  0xf3ef, 0x8114,	/* mrs r1,control  */
				  0x2100, 0xbf00,
				  0xeeb0, 0x0a40);	/* vmov.f32 s0,s0  */
  f->profile.arch = arch;
  fake_step (f, MAIN + 12, 0);
  /* A handler is privileged.  */
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 14)->exception = 15;
  fake_end (f, fake_run (f, MAIN, 4), false);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 4, v);
  CHECK_INT (v[TB_R1].mask & 7, mask);
  CHECK_INT (v[TB_R1].bits & 7, bits);
  end (f, s);
}

int
main (void)
{
  test_flash_constant ();
  test_inversion ();
  test_final_ram ();
  test_branch_facts ();
  test_indirect ();
  test_store_load ();
  test_symbolic_stack (0xbf00, true);
  test_symbolic_stack (0x9500, true);	/* str r5,[sp]: the same.  */
  test_symbolic_stack (0x9501, true);	/* str r5,[sp,#4]  */
  test_symbolic_stack (0x6026, false);	/* str r6,[r4]  */
  test_symbolic_stack (0x682c, true);	/* ldr r4,[r5]  */
  test_split (false);
  test_split (true);
  test_window ();
  test_no_steps ();
  test_banks ();
  test_unprivileged ();
  control (TB_ARCH_V6M, 6, 0);
  control (TB_ARCH_V7EM, 7, 5);
  test_end ();
  return check_done ();
}
