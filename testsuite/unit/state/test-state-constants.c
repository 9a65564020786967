/* State: constants of functions, what makes them and what ends them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All programs begin with a call of the function at F.  The traces begin in the
   middle of a function, so nothing but the code says what registers hold.  */

#include "config.h"

#include "state-program.h"

#define F (MAIN + 8)
#define START \
  0xf000, 0xf802,		/* bl F  */ \
  0xe7fe,			/* b .  */ \
  0xbf00

/* COUNT steps from PC, solved with the assumption.  */
static struct tb_state *
assume (struct tb_recording *f, uint32_t pc, unsigned count)
{
  fake_end (f, fake_run (f, pc, count), true);
  f->options.assume = TB_ASSUME_CONSTANTS;
  return finish (f);
}

static void
assumed (struct tb_state *s, uint64_t step, unsigned reg, uint32_t value)
{
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, step, v);
  CHECK_INT (v[reg].mask, UINT32_MAX);
  CHECK_INT (v[reg].bits, value);
  CHECK_INT (v[reg].origin, TB_ASSUMED);
}

static const uint16_t loop[] = {
  START,
  0x2307,			/* F: movs r3,#7  */
  0x4a01,			/* ldr r2,[pc,#4]  */
  0x4018,			/* F+4: ands r0,r3  */
  0xe7fd,			/* b F+4  */
  0x5678, 0x1234
};

static struct tb_recording *
begin_loop (void)
{
  struct tb_recording *f = begin (loop, sizeof loop / 2);
  fake_step (f, F + 4, 0);
  fake_step (f, F + 6, TB_STEP_TAKEN);
  fake_step (f, F + 4, 0);
  fake_end (f, F + 6, true);
  return f;
}

/* What was set before a loop is known in it.  */
static void
test_loop (void)
{
  struct tb_recording *f = begin_loop ();
  struct tb_state *s = finish (f);
  UNKNOWN (s, 0, TB_R3);
  UNKNOWN (s, 2, TB_R2);
  end (f, s);

  f = begin_loop ();
  f->options.assume = TB_ASSUME_CONSTANTS;
  s = finish (f);
  for (uint64_t i = 0; i < 3; i++)
    {
      assumed (s, i, TB_R3, 7);
      assumed (s, i, TB_R2, 0x12345678);
      UNKNOWN (s, i, TB_R0);
    }
  end (f, s);
}

/* Two ways with different constants, or with the same.  */
static void
test_join (void)
{
  for (uint16_t other = 1; other <= 2; other++)
    {
      struct tb_recording *f = BEGIN (START,
				      0x2405,	/* F: movs r4,#5  */
				      0x2800,	/* cmp r0,#0  */
				      0xd001,	/* beq F+10  */
				      0x2301,	/* movs r3,#1  */
				      0xe000,	/* b F+12  */
				      0x2300 | other,
				      0x4018);	/* F+12: ands r0,r3  */
      struct tb_state *s = assume (f, F + 12, 1);
      assumed (s, 0, TB_R4, 5);
      if (other == 1)
	assumed (s, 0, TB_R3, 1);
      else
	UNKNOWN (s, 0, TB_R3);
      end (f, s);
    }
}

/* A call leaves r4 to r11.  */
static void
test_call (void)
{
  struct tb_recording *f = BEGIN (START,
				  0x2301,	/* F: movs r3,#1  */
				  0x2402,	/* movs r4,#2  */
				  0x469c,	/* mov r12,r3  */
				  0xf000, 0xf801, /* bl F+12  */
				  0xbf00,	/* F+10  */
				  0x4770);	/* F+12: bx lr  */
  struct tb_state *s = assume (f, F + 10, 1);
  assumed (s, 0, TB_R4, 2);
  UNKNOWN (s, 0, TB_R3);
  UNKNOWN (s, 0, TB_R12);
  end (f, s);
}

/* What serves SVC may give back results.  */
static void
test_svc (void)
{
  struct tb_recording *f = BEGIN (START,
				  0x2001,	/* F: movs r0,#1  */
				  0x2402,	/* movs r4,#2  */
				  0xdf00,	/* svc 0  */
				  0xbf00);
  struct tb_state *s = assume (f, F + 6, 1);
  assumed (s, 0, TB_R4, 2);
  UNKNOWN (s, 0, TB_R0);
  end (f, s);
}

/* A jump through a table, with a bound and without.  */
static void
test_table (void)
{
  for (unsigned bound = 0; bound < 2; bound++)
    {
      struct tb_recording *f
	= BEGIN (START,
		 0x2409,		/* F: movs r4,#9  */
		 0x2801,		/* cmp r0,#1  */
		 bound ? 0xd804 : 0xbf00, /* bhi F+16  */
		 0x0080,		/* lsls r0,r0,#2  */
		 0x4902,		/* ldr r1,[pc,#8]: F+20  */
		 0x5809,		/* ldr r1,[r1,r0]  */
		 0x468f,		/* mov pc,r1  */
		 0x2406,		/* F+14: movs r4,#6  */
		 0xbf00,		/* F+16  */
		 0xbf00,		/* F+18  */
		 F + 24, 0,		/* F+20  */
		 F + 18, 0, F + 14, 0);	/* F+24: the table  */
      struct tb_state *s = assume (f, F + 18, 1);
      /* From the table with 9, from F+14 with 6.  */
      UNKNOWN (s, 0, TB_R4);
      end (f, s);
    }
  for (unsigned bound = 0; bound < 2; bound++)
    {
      struct tb_recording *f
	= BEGIN (START,
		 0x2409,		/* F: movs r4,#9  */
		 0x2801,		/* cmp r0,#1  */
		 bound ? 0xd804 : 0xbf00, /* bhi F+16  */
		 0x0080,		/* lsls r0,r0,#2  */
		 0x4902,		/* ldr r1,[pc,#8]: F+20  */
		 0x5809,		/* ldr r1,[r1,r0]  */
		 0x468f,		/* mov pc,r1  */
		 0xe7fe,		/* F+14: b .  */
		 0xe7fe,		/* F+16: b .  */
		 0xbf00,		/* F+18  */
		 F + 24, 0,		/* F+20  */
		 F + 18, 0, F + 14, 0);	/* F+24: the table  */
      struct tb_state *s = assume (f, F + 18, 1);
      if (bound)
	assumed (s, 0, TB_R4, 9);
      else
	UNKNOWN (s, 0, TB_R4);
      end (f, s);
    }
}

/* A helper that finds its table behind the call: it does not return there.  */
static void
test_helper (void)
{
  for (unsigned bound = 0; bound < 2; bound++)
    {
      struct tb_recording *f
	= BEGIN (START,
		 0x2409,		/* F: movs r4,#9  */
		 0x2801,		/* cmp r0,#1  */
		 bound ? 0xd804 : 0xbf00, /* bhi F+16  */
		 0xf000, 0xf805,	/* bl F+20  */
		 0x0302,		/* F+10: 2 * 2 and 2 * 3 from here  */
		 0xbf00,
		 0xe7fe,		/* F+14: b .  */
		 0xbf00,		/* F+16  */
		 0xbf00,
		 0xb402,		/* F+20: push {r1}  */
		 0x4671,		/* mov r1,lr  */
		 0x0849,		/* lsrs r1,r1,#1  */
		 0x0049,		/* lsls r1,r1,#1  */
		 0x5c09,		/* ldrb r1,[r1,r0]  */
		 0x0049,		/* lsls r1,r1,#1  */
		 0x448e,		/* add lr,r1  */
		 0xbc02,		/* pop {r1}  */
		 0x4770);		/* bx lr  */
      struct tb_state *s = assume (f, F + 16, 1);
      if (bound)
	assumed (s, 0, TB_R4, 9);
      else
	UNKNOWN (s, 0, TB_R4);
      end (f, s);
    }
}

/* An instruction that is not modelled may have changed anything.  */
static void
test_unmodelled (void)
{
  struct tb_recording *f = BEGIN (START,
				  0x2409,	/* F: movs r4,#9  */
				  0xee00, 0x0010, /* mcr p0,0,r0,c0,c0,0  */
				  0x2503,	/* movs r5,#3  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  struct tb_state *s = assume (f, F + 8, 1);
  UNKNOWN (s, 0, TB_R4);
  assumed (s, 0, TB_R5, 3);
  end (f, s);
}

/* Ways into the middle: a branch of another function, a stored pointer, and what
   the trace shows.  */
static void
test_middle (void)
{
  enum { NONE, BRANCH, POINTER, TRACE };
  for (unsigned how = NONE; how <= TRACE; how++)
    {
      struct tb_recording *f
	= BEGIN (0xf000, 0xf802,	/* bl F  */
		 0xf000, 0xf808,	/* bl F+16  */
		 0x2409,		/* F: movs r4,#9  */
		 0x2508,		/* movs r5,#8  */
		 0xbf00,		/* F+4  */
		 0xbf00,		/* F+6  */
		 0x4770,		/* bx lr  */
		 0xbf00,
		 how == POINTER ? (F + 4) | 1 : 0, 0,
		 0x2509,		/* F+16: movs r5,#9  */
		 how == BRANCH ? 0xe7f7	/* b F+4  */
		 : how == TRACE ? 0x4710 /* bx r2  */
		 : 0x4770);		/* bx lr  */
      if (how == TRACE)
	fake_step (f, F + 18, TB_STEP_TAKEN);
      struct tb_state *s = assume (f, F + 4, 2);
      uint64_t at = how == TRACE ? 1 : 0;
      if (how == NONE)
	{
	  assumed (s, at, TB_R4, 9);
	  assumed (s, at, TB_R5, 8);
	}
      else
	{
	  UNKNOWN (s, at, TB_R4);
	  /* The trace comes from where it is 9.  */
	  if (how == TRACE)
	    assumed (s, at, TB_R5, 9);
	  else
	    UNKNOWN (s, at, TB_R5);
	}
      end (f, s);
    }
}

/* Symbols say where functions begin that nothing calls.  */
static void
test_symbols (void)
{
  static const uint64_t functions[] = { (F + 8) | 1 };
  for (size_t n = 0; n < 2; n++)
    {
      struct tb_recording *f = BEGIN (START,
				      0x4770,	/* F: bx lr  */
				      0xbf00, 0xbf00, 0xbf00,
				      0x2409,	/* F+8: movs r4,#9  */
				      0xbf00);
      f->options.functions = functions;
      f->options.nfunctions = n;
      struct tb_state *s = assume (f, F + 10, 1);
      if (n == 1)
	assumed (s, 0, TB_R4, 9);
      else
	UNKNOWN (s, 0, TB_R4);
      end (f, s);
    }
}

/* So do words that point to code before what ran, as a task's function has before it runs;
   unless something that may be a branch goes round them.  */
static void
test_pointed (void)
{
  enum { NONE, POINTER, ROUND };
  for (unsigned how = NONE; how <= ROUND; how++)
    {
      struct tb_recording *f
	= BEGIN (START,
		 how == ROUND ? 0xd104	/* F: bne F+12  */
		 : 0x4770,		/* bx lr  */
		 0x4770, 0xbf00, 0xbf00,
		 0x2409,		/* F+8: movs r4,#9  */
		 0x2508,		/* movs r5,#8  */
		 0x2607,		/* F+12: movs r6,#7  */
		 0xbf00,		/* F+14  */
		 0xbf00, 0xbf00,
		 how != NONE ? (F + 8) | 1 : 0, 0);
      struct tb_state *s = assume (f, F + 14, 2);
      if (how == POINTER)
	{
	  assumed (s, 0, TB_R4, 9);
	  assumed (s, 0, TB_R5, 8);
	}
      else
	UNKNOWN (s, 0, TB_R4);
      if (how == NONE)
	UNKNOWN (s, 0, TB_R6);
      else
	assumed (s, 0, TB_R6, 7);
      end (f, s);
    }
}

/* A handler that moves its return address skips instructions.  */
static void
test_moved_return (void)
{
  for (unsigned moved = 0; moved < 2; moved++)
    {
      struct tb_recording *f = BEGIN (START,
				      0x2405,	/* F: movs r4,#5  */
				      0x2409,	/* movs r4,#9  */
				      0xbf00,	/* F+4  */
				      0xbf00,
				      0x6001,	/* F+8: str r1,[r0]  */
				      0x4770);	/* bx lr  */
      fake_event (f, TB_EVENT_EXCEPTION, F + 2)->exception = 3;
      fake_step (f, F + 8, 0);
      fake_step (f, F + 10, TB_STEP_TAKEN);
      fake_event (f, TB_EVENT_EXCEPTION_RETURN, moved ? F + 4 : F + 2);
      struct tb_state *s = moved ? assume (f, F + 4, 2)
			   : assume (f, F + 2, 3);
      if (moved)
	UNKNOWN (s, 2, TB_R4);
      else
	assumed (s, 2, TB_R4, 5);
      end (f, s);
    }
}

/* The trace says that r3 is something else: that function's are undone, the
   other's stay.  */
static void
test_disproved (void)
{
  struct tb_recording *f = BEGIN (0xf000, 0xf802, /* bl F  */
				  0xf000, 0xf804, /* bl F+8  */
				  0x2307,	/* F: movs r3,#7  */
				  0x2406,	/* movs r4,#6  */
				  0xbf00,	/* F+4  */
				  0x4770,	/* bx lr  */
				  0x2501,	/* F+8: movs r5,#1  */
				  0xbf00,
				  0x4770);
  fake_run (f, F + 4, 1);
  fake_step (f, F + 6, TB_STEP_TAKEN);
  fake_step (f, MAIN + 4, TB_STEP_TAKEN);
  fake_end (f, fake_run (f, F + 8, 2), true);
  fake_reg (f, "R3", 8);
  f->options.assume = TB_ASSUME_CONSTANTS;
  struct tb_state *s = fake_open (f);
  if (!CHECK (s != NULL))
    return;
  CHECK_INT (f->diag.warnings, 1);
  KNOWN (s, 0, TB_R3, 8);
  UNKNOWN (s, 0, TB_R4);
  end (f, s);
}

/* Code and traces of random bytes: nothing bad happens.  */
static void
test_nonsense (void)
{
  static uint8_t code[1 << 14];
  uint32_t x = 1;
  for (unsigned round = 0; round < 60; round++)
    {
      for (unsigned i = 0; i < sizeof code; i++)
	{
	  x = x * 1664525 + 1013904223;
	  code[i] = (uint8_t) (x >> 24);
	  /* Mostly instructions of 16 bits in every other round.  */
	  if (round & 1 && i & 1 && x >> 20 & 7)
	    code[i] &= 0x7f;
	}
      struct tb_recording *f = fake_new (round & 2 ? TB_ARCH_V6M
						   : TB_ARCH_V8M_MAIN);
      fake_dump (f, 0, code, sizeof code);
      for (unsigned i = 0; i < 200; i++)
	{
	  x = x * 1664525 + 1013904223;
	  uint32_t at = x >> 8 & (sizeof code - 4) & ~UINT32_C (1);
	  if (x >> 27 == 1)
	    fake_event (f, TB_EVENT_EXCEPTION, at)->exception = 11;
	  else if (x >> 27 == 2)
	    fake_event (f, TB_EVENT_EXCEPTION_RETURN, at);
	  fake_step (f, at, x >> 26 & 1 ? TB_STEP_TAKEN : 0);
	}
      fake_end (f, 0, false);
      f->options.assume = TB_ASSUME_CONSTANTS;
      struct tb_state *s = fake_open (f);
      CHECK (s != NULL);
      end (f, s);
    }
}

int
main (void)
{
  test_loop ();
  test_join ();
  test_call ();
  test_svc ();
  test_table ();
  test_helper ();
  test_unmodelled ();
  test_middle ();
  test_symbols ();
  test_pointed ();
  test_moved_return ();
  test_disproved ();
  test_nonsense ();
  return check_done ();
}
