/* Code that is shown as memory: of RAM that the trace writes, before and behind.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "frame/code.h"
#include "state-program.h"

/* Nobody asks for what ran far away.  */
bool
tb_visits_ran (const struct tb_visits *visits, enum tb_space space,
	       uint64_t address, uint64_t *length)
{
  (void) visits;
  (void) space;
  (void) address;
  *length = 0;
  return false;
}

/* The LENGTH bytes of memory at ADDRESS before step NUMBER are known and VALUE, or not
   known if that is -1.  */
static void
check_memory (struct tb_recording *f, struct tb_state *s, struct tb_code *code,
	      uint64_t number, uint32_t address, unsigned length, int64_t value)
{
  uint8_t bytes[4], origins[4];
  struct tb_step step = { .size = 0 };
  tb_recording_read (f, number, &step, 1);
  tb_state_memory (s, number, address, bytes, origins, length);
  tb_code_fill (code, number, &step, address, bytes, origins, length);
  for (unsigned i = 0; i < length; i++)
    if (value < 0)
      CHECK_INT (origins[i], TB_UNKNOWN);
    else if (CHECK (origins[i] != TB_UNKNOWN))
      CHECK_INT (bytes[i], value >> 8 * i & 255);
}

/* Is the opcode of step NUMBER known?  */
static bool
is_certain (struct tb_recording *f, struct tb_state *s, uint64_t number)
{
  struct tb_step step;
  CHECK (tb_recording_read (f, number, &step, 1) == 1);
  return tb_code_is_certain (s, f, number, &step);
}

/* Instructions that ran are written again later, in the same window or in another one:
   what the dump holds is known only from then on.  */
static void
test_rewritten (uint64_t window)
{
  static uint16_t text[16] = { 0x2011,		/* movs r0,#0x11  */
			       0x2222,		/* movs r2,#0x22  */
			       0xbf00, 0xbf00,
			       0x600d,		/* str r5,[r1]  */
			       0xbf00, 0xbf00, 0xbf00, 0x1234 };
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  fake_dump (f, FAKE_RAM, text, sizeof text);
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, FAKE_RAM, 8), true);
  f->options.window = window;
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  struct tb_code *code = tb_code_new (f, s);
  check_memory (f, s, code, 0, FAKE_RAM, 4, -1);
  check_memory (f, s, code, 1, FAKE_RAM + 2, 2, -1);
  check_memory (f, s, code, 4, FAKE_RAM, 4, -1);
  check_memory (f, s, code, 5, FAKE_RAM, 4, 0x22222011);
  check_memory (f, s, code, 8, FAKE_RAM, 4, 0x22222011);
  CHECK (!is_certain (f, s, 0));
  CHECK (!is_certain (f, s, 1));
  CHECK (is_certain (f, s, 2));
  CHECK (is_certain (f, s, 4));
  tb_code_free (code);
  end (f, s);
}

/* Code that is copied to RAM, and then runs: it was not there before.  */
static void
test_copied (void)
{
  struct tb_recording *f
    = BEGIN (0x4a02,			/* ldr r2,[pc,#8]  */
	     0x4b03,			/* ldr r3,[pc,#12]  */
	     0x6013,			/* str r3,[r2]  */
	     0x3201,			/* adds r2,#1  */
	     0x4710,			/* bx r2  */
	     0xbf00, 0x0020, 0x2000,	/* RAM + 32  */
	     0x2005, 0x2106);		/* movs r0,#5; movs r1,#6  */
  ram[8] = 0x21062005;
  fake_run (f, MAIN, 4);
  fake_step (f, MAIN + 8, TB_STEP_TAKEN);
  fake_end (f, fake_run (f, FAKE_RAM + 32, 2), false);
  struct tb_state *s = finish (f);
  struct tb_code *code = tb_code_new (f, s);
  KNOWN (s, 6, TB_R0, 5);
  check_memory (f, s, code, 2, FAKE_RAM + 32, 4, -1);
  check_memory (f, s, code, 3, FAKE_RAM + 32, 4, 0x21062005);
  CHECK (is_certain (f, s, 5));
  CHECK (is_certain (f, s, 6));
  tb_code_free (code);
  end (f, s);
}

/* Code in RAM that nobody writes is known at any time, what stands beside it is
   not: that may be a variable.  */
static void
test_beside (void)
{
  static uint16_t text[16] = { 0xbf00, 0xf3ef, 0x8000,	/* mrs r0,apsr  */
			       0xbf00, 0xbf00, 0x1234, 0x5678 };
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  fake_dump (f, FAKE_RAM, text, sizeof text);
  fake_end (f, fake_run (f, FAKE_RAM, 4), false);
  struct tb_state *s = finish (f);
  struct tb_code *code = tb_code_new (f, s);
  for (uint64_t step = 0; step < 4; step++)
    {
      check_memory (f, s, code, step, FAKE_RAM, 4, 0xf3efbf00);
      check_memory (f, s, code, step, FAKE_RAM + 4, 4, 0xbf008000);
      check_memory (f, s, code, step, FAKE_RAM + 8, 2, 0xbf00);
      check_memory (f, s, code, step, FAKE_RAM + 10, 4, -1);
      CHECK (is_certain (f, s, step));
    }
  tb_code_free (code);
  end (f, s);
}

/* A dump that is found not to be what ran.  */
static void
test_other_code (void)
{
  struct tb_recording *f = BEGIN (0xe7fe,	/* b .  */
				  0xbf00, 0xbf00);
  fake_run (f, MAIN, 3);
  f->stats.bad_image = 1;
  struct tb_state *s = fake_open (f);
  CHECK_INT (f->diag.warnings, 1);
  struct tb_code *code = tb_code_new (f, s);
  for (uint64_t step = 0; step < 3; step++)
    {
      check_memory (f, s, code, step, MAIN + 2, 4, -1);
      CHECK (!is_certain (f, s, step));
    }
  tb_code_free (code);
  end (f, s);
}

int
main (void)
{
  test_rewritten (0);
  test_rewritten (3);
  test_copied ();
  test_beside ();
  test_other_code ();
  return check_done ();
}
