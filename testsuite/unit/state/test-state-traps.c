/* State: what must not be concluded from the trace, the dump and the code.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each test has a twin in which the same may be concluded, so that none passes
   because nothing is ever known.  */

#include "config.h"

#include "state-program.h"

/* Nothing crosses a gap but what never changes.  */
static void
gap (bool there)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0x600c,	/* str r4,[r1]  */
				  0xbf00);
  ram[0] = 0x44;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R7", 7);
  uint32_t pc = fake_run (f, MAIN, 2);
  if (there)
    fake_event (f, TB_EVENT_GAP, 0);
  fake_end (f, fake_run (f, pc, 1), true);
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 2, TB_R7, 7);
  WORD (s, 2, FAKE_RAM, 0x44);
  KNOWN (s, 1, TB_R0, 0x11);
  WORD (s, 0, MAIN, 0x600c2011);
  if (there)
    {
      UNKNOWN (s, 2, TB_R0);
      UNKNOWN (s, 1, TB_R7);
      UNKNOWN (s, 1, TB_R4);
      NO_WORD (s, 1, FAKE_RAM + 4);
    }
  else
    {
      KNOWN (s, 2, TB_R0, 0x11);
      KNOWN (s, 1, TB_R7, 7);
      KNOWN (s, 1, TB_R4, 0x44);
      WORD (s, 1, FAKE_RAM + 4, 0);
    }
  end (f, s);
}

/* The halt state counts only where the trace ends at it.  */
static void
halt_elsewhere (unsigned how)
{
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00);
  ram[0] = 5;
  fake_reg (f, "R7", 7);
  uint32_t pc = fake_run (f, MAIN, 2);
  fake_end (f, pc, false);
  fake_reg (f, "PC", how == 1 ? pc + 2 : pc);
  if (how == 2)
    fake_event (f, TB_EVENT_GAP, 0);
  if (how == 3)
    f->info.end_known = false;
  struct tb_state *s = finish (f);
  if (how == 0)
    {
      KNOWN (s, 0, TB_R7, 7);
      WORD (s, 0, FAKE_RAM, 5);
    }
  else
    {
      CHECK_INT (tb_state_halt (s), TB_HALT_ELSEWHERE);
      UNKNOWN (s, 0, TB_R7);
      UNKNOWN (s, 2, TB_R7);
      NO_WORD (s, 0, FAKE_RAM);
      NO_WORD (s, 2, FAKE_RAM);
    }
  end (f, s);
}

/* The trace unit writes its buffer; the dump says nothing of before.  */
static void
trace_buffer (bool buffer)
{
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  0xbf00);
  ram[0] = 0x99;
  ram[8] = 0x88;
  fake_reg (f, "R1", FAKE_RAM);
  if (buffer)
    {
      f->options.trace_ram = FAKE_RAM;
      f->options.trace_ram_length = 32;
    }
  fake_end (f, fake_run (f, MAIN, 1), true);
  struct tb_state *s = finish (f);
  if (buffer)
    {
      UNKNOWN (s, 1, TB_R0);
      NO_WORD (s, 0, FAKE_RAM);
      WORD (s, 0, FAKE_RAM + 32, 0x88);
    }
  else
    {
      KNOWN (s, 1, TB_R0, 0x99);
      WORD (s, 0, FAKE_RAM, 0x99);
    }
  end (f, s);
}

/* What looks like flash is not where the trace writes it.  */
static void
code_region (bool written)
{
  struct tb_recording *f = BEGIN (0x4a01,	/* ldr r2,[pc,#4]  */
				  0x600c,	/* str r4,[r1]  */
				  0x2200,	/* movs r2,#0  */
				  0xbf00, 0x1111, 0x1111);
  fake_reg (f, "R1", written ? 0x180 : FAKE_RAM);
  fake_reg (f, "R4", 0);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  /* The literal was not written: it is what the dump says, as RAM is.  */
  KNOWN (s, 1, TB_R2, 0x11111111);
  WORD (s, 1, MAIN, 0x600c4a01);
  WORD (s, 2, 0x180, 0);
  if (written)
    NO_WORD (s, 1, 0x180);
  else
    WORD (s, 1, 0x180, 0);
  end (f, s);
}

/* Code in RAM: its literals are RAM, not constants.  */
static void
test_code_in_ram (void)
{
  static uint16_t code[16] = { 0x4a01,		/* ldr r2,[pc,#4]  */
			       0x600c,		/* str r4,[r1]  */
			       0x2200, 0xbf00, 0x1111, 0x1111 };
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  fake_dump (f, FAKE_RAM, code, sizeof code);
  fake_end (f, fake_run (f, FAKE_RAM, 3), true);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 1, TB_R2);	/* R1 may be its address.  */
  NO_WORD (s, 1, FAKE_RAM + 8);
  WORD (s, 2, FAKE_RAM + 8, 0x11111111);
  end (f, s);
}

/* Code that wrote itself: the dump need not be what ran before, even if the first
   store already left what the dump holds (not OTHER).  Where the stores are ELSEWHERE
   it is.  */
static void
rewritten (bool other, bool elsewhere)
{
  static uint16_t code[16] = { 0x2011,		/* movs r0,#0x11  */
			       0x2222,		/* movs r2,#0x22  */
			       0x600c,		/* str r4,[r1]  */
			       0x600d,		/* str r5,[r1]  */
			       0x2633 };	/* movs r6,#0x33  */
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  fake_dump (f, FAKE_RAM, code, sizeof code);
  memcpy (code + 8, code, 4);
  uint32_t at = elsewhere ? FAKE_RAM + 16 : FAKE_RAM;
  fake_reg (f, "R1", at);
  fake_reg (f, "R4", other ? 0x22222012 : 0x22222011);
  fake_end (f, fake_run (f, FAKE_RAM, 5), true);
  struct tb_state *s = finish (f);
  if (!elsewhere)
    {
      UNKNOWN (s, 1, TB_R0);
      UNKNOWN (s, 2, TB_R2);
      UNKNOWN (s, 0, TB_R7);
    }
  else
    {
      KNOWN (s, 1, TB_R0, 0x11);
      KNOWN (s, 2, TB_R2, 0x22);
    }
  KNOWN (s, 5, TB_R6, 0x33);
  KNOWN (s, 2, TB_R5, 0x22222011);
  WORD (s, 4, at, 0x22222011);
  end (f, s);
}

/* A function in RAM runs as it is before the first store to it (of which nothing
   is known), between two stores and behind the last one, which leaves what the dump
   holds.  The first one LEAVES that, too, or does not.  */
static void
run_between (bool leaves)
{
  static uint16_t code[2] = { 0x1c80,		/* adds r0,r0,#2  */
			      0x4770 };		/* bx lr  */
  struct tb_recording *f
    = BEGIN (0x47b0,		/* blx r6  */
	     0x802a,		/* strh r2,[r5]  */
	     0x2000,		/* movs r0,#0  */
	     0x47b0,		/* blx r6  */
	     0x8029,		/* strh r1,[r5]  */
	     0x0007,		/* movs r7,r0  */
	     0x47b0,		/* blx r6  */
	     0xbf00);
  fake_dump (f, FAKE_RAM + 0x1000, code, sizeof code);
  fake_reg (f, "R0", leaves ? 4 : 3);
  fake_reg (f, "R1", 0x1c80);
  fake_reg (f, "R2", leaves ? 0x1c80 : 0x1c40);
  fake_reg (f, "R5", FAKE_RAM + 0x1000);
  fake_reg (f, "R6", FAKE_RAM + 0x1001);
  fake_reg (f, "R7", leaves ? 2 : 1);
  uint32_t at = MAIN;
  for (unsigned round = 0; round < 3; round++)
    {
      fake_run (f, at, 1);
      f->steps[f->info.steps - 1].flags |= TB_STEP_TAKEN;
      fake_run (f, FAKE_RAM + 0x1000, 2);
      f->steps[f->info.steps - 1].flags |= TB_STEP_TAKEN;
      at = fake_run (f, at + 2, round == 2 ? 1 : 2);
    }
  fake_end (f, at, true);
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  /* Before the first one.  */
  UNKNOWN (s, 1, TB_R0);
  UNKNOWN (s, 2, TB_R0);
  /* Between them.  */
  KNOWN (s, 6, TB_R0, 0);
  KNOWN (s, 7, TB_R0, leaves ? 2 : 1);	/* As R7 has it at the halt.  */
  if (leaves)
    KNOWN (s, 6, TB_R5, FAKE_RAM + 0x1000);
  else
    UNKNOWN (s, 6, TB_R5);
  /* Behind the last one.  */
  KNOWN (s, 11, TB_R0, leaves ? 2 : 1);
  KNOWN (s, 12, TB_R0, leaves ? 4 : 3);
  KNOWN (s, 12, TB_R7, leaves ? 2 : 1);
  end (f, s);
}

/* A call of a debugger (semihosting), or of a supervisor, that no exception follows:
   somebody else acted on it, and gives back what he likes.  */
static void
test_semihosting (void)
{
  static const struct { uint16_t opcode; bool kept; } rows[] = {
    { 0xbeab, false }, { 0xbe00, false }, { 0xdfab, false },
    { 0xbf00, true }		/* nop  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				      0x600c,	/* str r4,[r1]  */
				      rows[i].opcode,
				      0x2207,	/* movs r2,#7  */
				      0x6013);	/* str r3,[r2]  */
      ram[0] = 0x44;
      fake_reg (f, "R1", FAKE_RAM);
      fake_reg (f, "R5", 55);
      fake_end (f, fake_run (f, MAIN, 5), true);
      struct tb_state *s = finish (f);
      KNOWN (s, 2, TB_R0, 5);
      KNOWN (s, 4, TB_R2, 7);
      KNOWN (s, 3, TB_R5, 55);
      if (rows[i].kept)
	{
	  KNOWN (s, 3, TB_R0, 5);
	  KNOWN (s, 0, TB_R4, 0x44);
	  KNOWN (s, 2, TB_R5, 55);
	}
      else
	{
	  UNKNOWN (s, 3, TB_R0);
	  UNKNOWN (s, 0, TB_R4);
	  UNKNOWN (s, 2, TB_R5);
	}
      end (f, s);
    }
}

/* An instruction that is not modelled may have done anything; before and after
   it everything goes on as always.  */
static void
test_not_modelled (void)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0x600c,	/* str r4,[r1]  */
				  0xee01, 0x2513,	/* mcr p5,0,r2,c1,c3  */
				  0x2522,	/* movs r5,#0x22  */
				  0x6808);	/* ldr r0,[r1]  */
  f->profile.arch = TB_ARCH_V7M;
  memset (flash + MAIN / 2 - 16, 0, 32);
  ram[0] = 4;
  fake_reg (f, "R1", FAKE_RAM);
  fake_reg (f, "R6", 6);
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_R0, 0x11);
  KNOWN (s, 2, TB_R0, 0x11);
  UNKNOWN (s, 3, TB_R0);
  UNKNOWN (s, 2, TB_R1);
  UNKNOWN (s, 2, TB_R4);
  UNKNOWN (s, 2, TB_R6);
  KNOWN (s, 3, TB_R6, 6);
  KNOWN (s, 3, TB_R1, FAKE_RAM);
  KNOWN (s, 5, TB_R0, 4);
  KNOWN (s, 4, TB_R5, 0x22);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 3, v);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_NZCV, 0);
  end (f, s);
}

/* In an IT block an instruction may not be executed, and sets no flags; where
   the trace begins it cannot be seen, so the code before is looked at.  */
static void
it_block (bool before)
{
  struct tb_recording *f = BEGIN (0xbf08,	/* it eq  */
				  0x2011,	/* movs r0,#0x11  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  if (!before)
    flash[MAIN / 2] = 0xbf00;
  fake_end (f, fake_run (f, MAIN + 2, 2), false);
  struct tb_state *s = finish (f);
  if (before)
    UNKNOWN (s, 1, TB_R0);
  else
    KNOWN (s, 1, TB_R0, 0x11);
  end (f, s);
}

/* It governs as many instructions as it says, of either size, and no more.  */
static void
it_length (uint16_t it, bool wide, bool governed)
{
  struct tb_recording *f = BEGIN (0xbf00,
				  it, 0xbf00,
				  wide ? 0xf04f : 0xbf00,	/* mov r2,#0  */
				  wide ? 0x0200 : 0xbf00,
				  0x2011,	/* movs r0,#0x11  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_end (f, fake_run (f, MAIN + 10, 2), false);
  struct tb_state *s = finish (f);
  if (governed)
    UNKNOWN (s, 1, TB_R0);
  else
    KNOWN (s, 1, TB_R0, 0x11);
  end (f, s);
}

static void
test_it_length (void)
{
  /* One, two, three or four after it.  */
  it_length (0xbf08, false, false);
  it_length (0xbf04, false, false);
  it_length (0xbf02, false, false);
  it_length (0xbf01, false, true);
  /* The fourth is the third where one before it is wide.  */
  it_length (0xbf08, true, false);
  it_length (0xbf04, true, false);
  it_length (0xbf02, true, true);
  it_length (0xbf01, true, true);
  it_length (0xbf00, true, false);
}

int
main (void)
{
  gap (false);
  gap (true);
  for (unsigned how = 0; how < 4; how++)
    halt_elsewhere (how);
  trace_buffer (false);
  trace_buffer (true);
  code_region (false);
  code_region (true);
  test_code_in_ram ();
  rewritten (false, false);
  rewritten (true, false);
  rewritten (false, true);
  run_between (false);
  run_between (true);
  test_semihosting ();
  test_not_modelled ();
  it_block (false);
  test_it_length ();
  it_block (true);
  return check_done ();
}
