/* State: each rule alone.  A program in which one rule is what makes a value known,
   and a control, the same program but for what that rule rests on, in which it is
   not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

struct given
{
  const char *reg;		/* NULL: no more.  */
  uint32_t value;
};

struct row
{
  const char *rule;
  uint16_t code[8];		/* Executed in sequence, COUNT of them.  */
  unsigned count;
  /* The control: another instruction here, or another value of a register at
     the halt (or, if NULL, of the first word of RAM), or none.  */
  enum { CODE, VALUE, NO_VALUE } control;
  unsigned where;
  uint32_t instead;
  struct given regs[5];		/* At the halt.  */
  uint32_t ram;			/* The first word.  */
  uint64_t step;		/* Asked for.  */
  unsigned reg;
  uint32_t want;
};

static const struct row rows[] = {
  { "registers at the halt",
    { 0xbf00, 0xbf00 }, 2, NO_VALUE, 0, 0, { { "R7", 0x77 } }, 0,
    0, TB_R7, 0x77 },
  { "constants of instructions, forward",
    { 0x2005 /* movs r0,#5  */, 0x1c41 /* adds r1,r0,#1  */ }, 2,
    CODE, 0, 0x6010 /* str r0,[r2]  */, { { NULL, 0 } }, 0, 2, TB_R1, 6 },
  { "inversion",
    { 0x3005 /* adds r0,#5  */, 0xbf00 }, 2,
    CODE, 0, 0x4008 /* ands r0,r1  */, { { "R0", 0x105 } }, 0,
    0, TB_R0, 0x100 },
  { "inversion with two operands",
    { 0x4048 /* eors r0,r1  */, 0xbf00 }, 2,
    CODE, 0, 0x40c8 /* lsrs r0,r1  */, { { "R0", 0xff }, { "R1", 0x0f } }, 0,
    0, TB_R0, 0xf0 },
  { "constants in flash",
    { 0x4900 /* ldr r1,[pc]  */, 0xbf00, 0xbf00, 0xbf00 }, 2,
    CODE, 0, 0x6811 /* ldr r1,[r2]  */, { { NULL, 0 } }, 0,
    1, TB_R1, 0xbf00bf00 },
  { "known bits",
    { 0xb2c1 /* uxtb r1,r0  */, 0x0a0a /* lsrs r2,r1,#8  */ }, 2,
    CODE, 0, 0xb281 /* uxth r1,r0  */, { { NULL, 0 } }, 0, 2, TB_R2, 0 },
  { "alignment of what was accessed",
    { 0x6808 /* ldr r0,[r1]  */, 0x078a /* lsls r2,r1,#30  */ }, 2,
    CODE, 0, 0x7808 /* ldrb r0,[r1]  */, { { NULL, 0 } }, 0, 2, TB_R2, 0 },
  { "a branch, equality",
    { 0x2807 /* cmp r0,#7  */, 0xd1fe /* bne, not taken  */ }, 2,
    CODE, 0, 0x2907 /* cmp r1,#7  */, { { NULL, 0 } }, 0, 0, TB_R0, 7 },
  { "a branch, range",
    { 0x2a03 /* cmp r2,#3  */, 0xd8fe /* bhi, not taken  */,
      0x0892 /* lsrs r2,r2,#2  */ }, 3,
    CODE, 0, 0x2b03 /* cmp r3,#3  */, { { NULL, 0 } }, 0, 3, TB_R2, 0 },
  { "final RAM, backward",
    { 0x6008 /* str r0,[r1]  */, 0x2000 /* movs r0,#0  */ }, 2,
    NO_VALUE, 0, 0, { { "R1", FAKE_RAM } }, 0xcafe, 0, TB_R0, 0xcafe },
  { "a load of what was stored",
    { 0x6008 /* str r0,[r1]  */, 0x680a /* ldr r2,[r1]  */,
      0x2000 /* movs r0,#0  */, 0x6008 /* str r0,[r1]  */ }, 4,
    CODE, 1, 0x6822 /* ldr r2,[r4]  */,
    { { "R1", FAKE_RAM }, { "R2", 0x77 } }, 0, 0, TB_R0, 0x77 },
  { "two loads of the same",
    { 0x680a /* ldr r2,[r1]  */, 0x2200 /* movs r2,#0  */,
      0x680b /* ldr r3,[r1]  */, 0x600a /* str r2,[r1]  */ }, 4,
    CODE, 2, 0x6823 /* ldr r3,[r4]  */,
    { { "R1", FAKE_RAM }, { "R3", 0x77 } }, 0, 1, TB_R2, 0x77 },
  { "suspected stores, refuted by value",
    { 0x6008 /* str r0,[r1]  */, 0x6013 /* str r3,[r2]  */,
      0x2200 /* movs r2,#0  */, 0x2000 /* movs r0,#0  */ }, 4,
    VALUE, 1, 0xcafe, { { "R1", FAKE_RAM }, { "R3", 0xbabe } }, 0xcafe,
    0, TB_R0, 0xcafe },
  { "symbol plus constant",
    { 0x1d01 /* adds r1,r0,#4  */, 0x3008 /* adds r0,#8  */,
      0x1a43 /* subs r3,r0,r1  */ }, 3,
    CODE, 1, 0x4060 /* eors r0,r4  */, { { NULL, 0 } }, 0, 3, TB_R3, 4 },
  { "the stack, by symbol",
    { 0x2011 /* movs r0,#0x11  */, 0xb401 /* push {r0}  */, 0xbf00,
      0xbc04 /* pop {r2}  */ }, 4,
    CODE, 2, 0x6026 /* str r6,[r4]  */, { { NULL, 0 } }, 0, 4, TB_R2, 0x11 },
  { "one symbol, other offsets",
    { 0x2011 /* movs r0,#0x11  */, 0xb403 /* push {r0,r1}  */,
      0x9601 /* str r6,[sp,#4]  */, 0xbc04 /* pop {r2}  */ }, 4,
    CODE, 2, 0x6066 /* str r6,[r4,#4]  */, { { NULL, 0 } }, 0,
    4, TB_R2, 0x11 },
  { "what is in a table tells the index",
    { 0x2a03 /* cmp r2,#3  */, 0xd8fe /* bhi, not taken  */,
      0xa001 /* adr r0,0x10c  */, 0x5c81 /* ldrb r1,[r0,r2]  */,
      0x2000 /* movs r0,#0  */, 0xbf00, 0x0706, 0x0908 }, 5,
    CODE, 7, 0x0907, { { "R1", 7 } }, 0, 0, TB_R2, 1 },
  { "trying what has few values",
    { 0x2a03 /* cmp r2,#3  */, 0xd8fe /* bhi, not taken  */,
      0x5c81 /* ldrb r1,[r0,r2]  */, 0x000b /* movs r3,r1  */,
      0x434b /* muls r3,r1  */, 0x2100 /* movs r1,#0  */ }, 6,
    VALUE, 2, 0x09070709, { { "R0", FAKE_RAM }, { "R3", 49 } }, 0x09080706,
    0, TB_R2, 1 },
  { "a store is not to a device that is known",
    { 0x6010 /* str r0,[r2]  */, 0x600c /* str r4,[r1]  */,
      0x2000 /* movs r0,#0  */ }, 3,
    NO_VALUE, 0, 0, { { "R1", 0x40000000 }, { "R2", FAKE_RAM } }, 0x77,
    0, TB_R0, 0x77 },
};

static struct tb_state *
open_row (const struct row *r, bool control, struct tb_recording **f)
{
  uint16_t code[8];
  memcpy (code, r->code, sizeof code);
  if (control && r->control == CODE)
    code[r->where] = (uint16_t) r->instead;
  *f = begin (code, 8);
  ram[0] = r->ram;
  bool halted = false;
  for (unsigned i = 0; i < 5 && r->regs[i].reg != NULL; i++)
    {
      bool changed = control && r->control != CODE && r->where == i;
      halted = true;
      if (!changed || r->control == VALUE)
	fake_reg (*f, r->regs[i].reg,
		  changed ? r->instead : r->regs[i].value);
    }
  if (control && r->control == VALUE
      && (r->where >= 5 || r->regs[r->where].reg == NULL))
    ram[0] = r->instead;
  fake_end (*f, fake_run (*f, MAIN, r->count), halted);
  return finish (*f);
}

static void
test_rows (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned control = 0; control < 2; control++)
      {
	const struct row *r = &rows[i];
	struct tb_recording *f;
	struct tb_state *s = open_row (r, control, &f);
	uint32_t got = 0;
	bool known = fake_known (s, r->step, r->reg, &got);
	if (!CHECK (known == !control) || !CHECK (control || got == r->want))
	  fprintf (stderr, "%s%s: %sknown, 0x%x\n", r->rule,
		   control ? ", control" : "", known ? "" : "not ", got);
	end (f, s);
      }
}

/* Where an indirect branch went tells its register; a direct one nothing.  */
static void
indirect (bool control)
{
  struct tb_recording *f = BEGIN (control ? 0xe002 /* b .+8  */
				  : 0x4718 /* bx r3  */);
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_end (f, fake_run (f, MAIN + 8, 1), false);
  struct tb_state *s = finish (f);
  if (control)
    UNKNOWN (s, 0, TB_R3);
  else
    KNOWN (s, 0, TB_R3, (MAIN + 8) | 1);
  end (f, s);
}

/* What an exception interrupted is in its frame, if the handler lets it be.  */
static void
frame (bool control)
{
  struct tb_recording *f = BEGIN (0x2000 /* movs r0,#0  */, 0xbf00);
  static const uint16_t handler[] = {
    0x2011,			/* movs r0,#0x11  */
    0xbf00, 0x4770		/* bx lr  */
  };
  memcpy (flash + 0x140 / 2, handler, sizeof handler);
  if (control)
    flash[0x142 / 2] = 0x9400;	/* str r4,[sp]  */
  fake_step (f, MAIN + 2, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN)->exception = 15;
  fake_run (f, 0x140, 2);
  fake_step (f, 0x144, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN)->value = 0xfffffff9;
  fake_reg (f, "SP", FAKE_RAM + 0x80);
  static const uint32_t words[8] = { 0x55, 0, 0, 0, 0, 0, MAIN, 0x01000000 };
  memcpy (ram + (0x80 - 32) / 4, words, sizeof words);
  fake_reg (f, "R1", 0);
  fake_end (f, fake_run (f, MAIN, 1), true);
  struct tb_state *s = finish (f);
  if (control)
    UNKNOWN (s, 0, TB_R0);
  else
    KNOWN (s, 0, TB_R0, 0x55);
  end (f, s);
}

/* A function that loses r4 and a loop that was entered before the window: what
   each assumption adds, and that it adds nothing else.  */
static void
assumption (unsigned assume, unsigned reg, uint32_t want)
{
  struct tb_recording *f = BEGIN (0x2520,	  /* movs r5,#0x20  */
				  0xf000, 0xf805, /* 2: bl 0x110  */
				  0x0020,	  /* movs r0,r4  */
				  0xe7fb,	  /* b 2  */
				  0xbf00, 0xbf00, 0xbf00,
				  0x2400,	/* 0x110: movs r4,#0  */
				  0x6804,	/* ldr r4,[r0]  */
				  0x4770);	/* bx lr  */
  uint64_t entries[] = { MAIN, MAIN + 0x10 };
  fake_step (f, MAIN + 2, TB_STEP_TAKEN);
  fake_run (f, MAIN + 0x10, 2);
  fake_step (f, MAIN + 0x14, TB_STEP_TAKEN);
  fake_run (f, MAIN + 6, 1);
  fake_reg (f, "R4", 0x77);
  fake_end (f, MAIN + 8, true);
  f->options.assume = assume;
  f->options.functions = entries;
  f->options.nfunctions = 2;
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  for (unsigned r = TB_R4; r <= TB_R5; r++)
    {
      CHECK_INT (v[r].origin, r == reg ? TB_ASSUMED : TB_UNKNOWN);
      CHECK_INT (v[r].bits, r == reg ? want : 0);
    }
  end (f, s);
}

/* SP in a function that makes it of its frame pointer in the end, and that was
   entered before the window.  CONTROL: one way leads there without that frame
   pointer.  */
static void
frame_pointer (bool control)
{
  struct tb_recording *f = BEGIN (0xb580,	/* push {r7,lr}  */
				  0xb082,	/* sub sp,#8  */
				  0xaf01,	/* add r7,sp,#4  */
				  0xbf00, 0xbf00,
				  0x2200,	/* movs r2,#0  */
				  0x3704,	/* adds r7,#4  */
				  0x46bd,	/* mov sp,r7  */
				  0xbd80);	/* pop {r7,pc}  */
  uint64_t entries[] = { MAIN };
  if (control)
    {
      flash[MAIN / 2] = 0xd000;		/* beq .+4  */
      flash[MAIN / 2 + 1] = 0xaf01;
      flash[MAIN / 2 + 2] = 0xbf00;
    }
  fake_run (f, MAIN + 10, 3);
  fake_reg (f, "SP", FAKE_RAM + 0x80);
  fake_end (f, MAIN + 16, true);
  f->options.assume = TB_ASSUME_CONSTANTS;
  f->options.functions = entries;
  f->options.nfunctions = 1;
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R7].bits, FAKE_RAM + 0x7c);
  if (control)
    UNKNOWN (s, 0, TB_SP);
  else
    {
      CHECK_INT (v[TB_SP].origin, TB_ASSUMED);
      CHECK_INT (v[TB_SP].bits, FAKE_RAM + 0x78);
    }
  end (f, s);
}

int
main (void)
{
  test_rows ();
  for (unsigned control = 0; control < 2; control++)
    {
      indirect (control);
      frame (control);
      frame_pointer (control);
    }
  assumption (0, 0, 0);
  assumption (TB_ASSUME_AAPCS, TB_R4, 0x77);
  assumption (TB_ASSUME_CONSTANTS, TB_R5, 0x20);
  return check_done ();
}
