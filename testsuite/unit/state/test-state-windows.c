/* Traces of several windows: what one knows at its ends is handed to the others.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <dirent.h>
#include <malloc.h>
#include <time.h>

#include "state-program.h"
#include "state/explain/variants.h"

/* Sixteen steps in windows of WINDOW, of which MEMORY bytes are kept.  */
static struct tb_recording *
program (uint64_t window, size_t memory)
{
  struct tb_recording *f
    = BEGIN (0x2011,		/* movs r0,#0x11  */
	     0x2420,		/* movs r4,#0x20  */
	     0x0624,		/* lsls r4,r4,#24  */
	     0x6020,		/* str r0,[r4]  */
	     0x6061,		/* str r1,[r4,#4]  */
	     0xbf00, 0xbf00, 0xbf00,
	     0x6822,		/* ldr r2,[r4]  */
	     0x3203,		/* adds r2,#3  */
	     0xbf00, 0xbf00,
	     0x6863,		/* ldr r3,[r4,#4]  */
	     0x605b,		/* str r3,[r3,#4]  */
	     0x2000,		/* movs r0,#0  */
	     0xbf00);
  fake_reg (f, "R3", FAKE_RAM + 0x20);
  fake_reg (f, "R5", 55);
  ram[1] = ram[9] = FAKE_RAM + 0x20;
  ram[0] = 0x11;
  fake_end (f, fake_run (f, MAIN, 16), true);
  f->options.window = window;
  f->options.memory = memory;
  f->options.jobs = 1 + window % 2;
  return f;
}

/* What must be known, in whatever order it is asked for.  */
static void
check_program (struct tb_state *s, bool forward)
{
  for (unsigned k = 0; k <= 16; k++)
    {
      unsigned i = forward ? k : 16 - k;
      if (i > 0 && i <= 14)
	KNOWN (s, i, TB_R0, 0x11);
      if (i > 14)
	KNOWN (s, i, TB_R0, 0);
      if (i > 9)
	KNOWN (s, i, TB_R2, 0x14);
      if (i == 9)
	KNOWN (s, i, TB_R2, 0x11);
      if (i > 12)
	KNOWN (s, i, TB_R3, FAKE_RAM + 0x20);
      if (i > 2)
	KNOWN (s, i, TB_R4, FAKE_RAM);
      KNOWN (s, i, TB_R5, 55);
      KNOWN (s, i, TB_R1, FAKE_RAM + 0x20);	/* It was stored.  */
      KNOWN (s, i, TB_PC, MAIN + 2 * i);
      if (i > 3)
	WORD (s, i, FAKE_RAM, 0x11);
      else
	NO_WORD (s, i, FAKE_RAM);
      if (i > 4)
	WORD (s, i, FAKE_RAM + 4, FAKE_RAM + 0x20);
      else
	NO_WORD (s, i, FAKE_RAM + 4);
      if (i <= 13)
	NO_WORD (s, i, FAKE_RAM + 0x24);
      WORD (s, i, FAKE_RAM + 0x40, 0);
    }
}

static void
test_hand_over (uint64_t window, size_t memory, bool forward)
{
  struct tb_recording *f = program (window, memory);
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  check_program (s, forward);
  check_program (s, !forward);
  CHECK_INT (f->diag.warnings, 0);
  end (f, s);
}

/* A loop that stores, in windows of WINDOW steps and on JOBS threads, of which MEMORY bytes
   are kept (0: all).  */
static struct tb_recording *
loop (uint64_t window, unsigned jobs, size_t memory)
{
  struct tb_recording *f
    = BEGIN (0x2011,		/* movs r0,#0x11  */
	     0x3101,		/* loop: adds r1,#1  */
	     0x6021,		/* str r1,[r4]  */
	     0x6822,		/* ldr r2,[r4]  */
	     0x1853,		/* adds r3,r2,r1  */
	     0xe7fa);		/* b loop  */
  fake_run (f, MAIN, 1);
  for (unsigned i = 0; i < 3000; i++)
    {
      fake_run (f, MAIN + 2, 4);
      fake_step (f, MAIN + 10, TB_STEP_TAKEN);
    }
  fake_reg (f, "R1", 3000);
  fake_reg (f, "R4", FAKE_RAM + 8);
  fake_reg (f, "R5", 55);
  ram[2] = 3000;
  fake_end (f, MAIN + 2, true);
  f->options.window = window;
  f->options.jobs = jobs;
  f->options.memory = memory;
  return f;
}

/* What is known does not depend on how many threads work it out, nor on whether they come back
   to what was let go of.  */
static void
test_jobs (uint64_t window, size_t memory)
{
  static const unsigned jobs[] = { 1, 2, 4, 16 };
  uint64_t hash[4], told = 0;
  for (unsigned k = 0; k < 4; k++)
    {
      struct tb_recording *f = loop (window, jobs[k], memory);
      struct tb_state *s = finish (f);
      hash[k] = 0;
      if (memory == 0)
	CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
      /* Back from the end, then forth.  */
      for (uint64_t i = 0; i < 2 * 15001; i++)
	{
	  struct tb_value v[TB_NREGS_MAX];
	  uint32_t word = 0;
	  uint64_t step = i <= 15000 ? 15000 - i : i - 15001;
	  tb_state_registers (s, step, v);
	  for (unsigned r = TB_R0; r <= TB_PC; r++)
	    hash[k] = (hash[k] ^ v[r].bits ^ v[r].mask << 32 ^ v[r].origin) * 0x100000001b3u;
	  word = fake_word (s, step, FAKE_RAM + 8, &word) ? word : 0xbad;
	  hash[k] = (hash[k] ^ word) * 0x100000001b3u;
	  if (i == 7000)
	    told = v[TB_R1].bits;
	}
      KNOWN (s, 1, TB_R1, 0);
      KNOWN (s, 1, TB_R0, 0x11);
      KNOWN (s, 14000, TB_R0, 0x11);
      KNOWN (s, 14000, TB_R5, 55);
      CHECK (hash[k] == hash[0] && told == 1600);
      end (f, s);
    }
}

/* Going back from the end nothing needs to be prepared.  */
static void
test_on_demand (void)
{
  struct tb_recording *f = program (3, 0);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R5, 55);
  KNOWN (s, 4, TB_R1, FAKE_RAM + 0x20);
  end (f, s);
}

static size_t
heap (void)
{
  return mallinfo2 ().uordblks;
}

/* What is kept for explanations, and with premises doubted, is within what a state may
   keep in all.  */
static void
test_memory (void)
{
  enum { STEPS = 1 << 16, DOUBTS = 4 };
  size_t most = 0;
  /* First all that there is.  */
  for (unsigned round = 0; round < 2; round++)
    {
      struct tb_recording *f = BEGIN (0x6022,	/* str r2,[r4]  */
				      0x6822,	/* ldr r2,[r4]  */
				      0x3203,	/* adds r2,#3  */
				      0xe7fb);	/* b, to the first one  */
      fake_reg (f, "R4", FAKE_RAM);
      for (unsigned i = 0; i < STEPS; i += 4)
	{
	  fake_run (f, MAIN, 3);
	  fake_step (f, MAIN + 6, TB_STEP_TAKEN);
	}
      fake_end (f, MAIN, true);
      f->options.window = STEPS / 16;
      f->options.memory = most;
      struct tb_state *s = finish (f);
      size_t opened = heap ();
      CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
      if (round == 0)
	most = heap () - opened;
      else
	{
	  for (unsigned i = 0; i < DOUBTS; i++)
	    {
	      struct tb_state *v = tb_variant_doubting (s, 1u << i);
	      CHECK (v != NULL && tb_variant_prepare (v));
	    }
	  struct tb_state *explained = tb_variant_explained (s);
	  CHECK (explained != NULL && tb_variant_prepare (explained));
	  for (unsigned i = 0; i < STEPS; i += STEPS / 16)
	    KNOWN (s, i, TB_R4, FAKE_RAM);
	  CHECK (heap () - opened <= 2 * most);
	}
      end (f, s);
    }
}

/* Between the stores through r6 and the end its target is not known.  */
static void
test_suspects (void)
{
  struct tb_recording *f
    = BEGIN (0xbf00, 0xbf00, 0xbf00,
	     0x6037,		/* str r7,[r6]  */
	     0x2600,		/* movs r6,#0  */
	     0xbf00, 0xbf00, 0xbf00);
  fake_reg (f, "R7", 7);
  ram[2] = 7;
  ram[3] = 8;
  fake_end (f, fake_run (f, MAIN, 8), true);
  f->options.window = 2;
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  KNOWN (s, 1, TB_R7, 7);
  WORD (s, 5, FAKE_RAM + 8, 7);
  WORD (s, 4, FAKE_RAM + 8, 7);
  NO_WORD (s, 1, FAKE_RAM + 8);	/* It may have gone there, */
  NO_WORD (s, 3, FAKE_RAM + 8);
  WORD (s, 1, FAKE_RAM + 12, 8);	/* but not where 8 is.  */
  WORD (s, 3, FAKE_RAM + 12, 8);
  end (f, s);
}

/* A window that contradicts the halt, far from it.  */
static void
test_contradiction (void)
{
  struct tb_recording *f = BEGIN (0x2001,	/* movs r0,#1  */
				  0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00,
				  0xbf00, 0xbf00);
  fake_reg (f, "R0", 2);
  fake_reg (f, "R1", 3);
  fake_end (f, fake_run (f, MAIN, 8), true);
  f->options.window = 2;
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 7, TB_R0, 2);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  CHECK_INT (f->diag.warnings, 1);
  CHECK_INT (tb_state_halt (s), TB_HALT_CONTRADICTED);
  for (unsigned i = 1; i <= 8; i++)
    {
      KNOWN (s, i, TB_R0, 1);
      UNKNOWN (s, i, TB_R1);
    }
  end (f, s);
}

/* One far away is worked out alone; then it knows less, but nothing else.  */
static void
test_far (void)
{
  enum { STEPS = 1 << 21 };
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0xe7fe);	/* b .  */
  fake_reg (f, "R1", 5);
  fake_run (f, MAIN, 1);
  for (unsigned i = 1; i < STEPS; i++)
    fake_step (f, MAIN + 2, TB_STEP_TAKEN);
  fake_end (f, MAIN + 2, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_R0, 0x11);
  UNKNOWN (s, 1, TB_R1);
  UNKNOWN (s, STEPS - 1, TB_R0);
  KNOWN (s, STEPS - 1, TB_R1, 5);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  for (unsigned i = 1; i < STEPS; i += 99991)
    {
      KNOWN (s, i, TB_R0, 0x11);
      KNOWN (s, i, TB_R1, 5);
    }
  KNOWN (s, STEPS, TB_R0, 0x11);
  end (f, s);
}

/* What looks read only is written in the last of two windows: it is not what the dump
   holds in the first, either.  */
static void
test_written (bool written)
{
  struct tb_recording *f
    = BEGIN (0x2180,		/* movs r1,#0x80  */
	     0x6808,		/* ldr r0,[r1]  */
	     0xbf00, 0xbf00,
	     0x2205,		/* movs r2,#5  */
	     written ? 0x600a : 0xbf00,	/* str r2,[r1]  */
	     0x2000,		/* movs r0,#0  */
	     0xbf00);
  flash[0x40] = 5;
  fake_end (f, fake_run (f, MAIN, 8), true);
  f->options.window = 4;
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  if (written)
    {
      UNKNOWN (s, 2, TB_R0);
      NO_WORD (s, 0, 0x80);
    }
  else
    {
      KNOWN (s, 2, TB_R0, 5);
      WORD (s, 0, 0x80, 5);
    }
  KNOWN (s, 2, TB_R1, 0x80);
  end (f, s);
}

/* Code in RAM ran in the first of two windows and is written in the last one, twice:
   the dump need not be what ran, whether OTHER was stored first or what it holds.
   Where the stores are ELSEWHERE it is.  */
static void
test_rewritten (bool other, bool elsewhere)
{
  static uint16_t code[16] = { 0x2011,		/* movs r0,#0x11  */
			       0x2222,		/* movs r2,#0x22  */
			       0xbf00, 0xbf00,
			       0x600c,		/* str r4,[r1]  */
			       0x600d,		/* str r5,[r1]  */
			       0x2633,		/* movs r6,#0x33  */
			       0xbf00 };
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  fake_dump (f, FAKE_RAM, code, sizeof code);
  memcpy (code + 8, code, 4);
  fake_reg (f, "R1", elsewhere ? FAKE_RAM + 16 : FAKE_RAM);
  fake_reg (f, "R4", other ? 0x22222012 : 0x22222011);
  fake_end (f, fake_run (f, FAKE_RAM, 8), true);
  f->options.window = 4;
  struct tb_state *s = finish (f);
  for (unsigned again = 0; again < 2; again++)
    {
      if (!elsewhere)
	{
	  UNKNOWN (s, 1, TB_R0);
	  UNKNOWN (s, 2, TB_R2);
	}
      else
	{
	  KNOWN (s, 1, TB_R0, 0x11);
	  KNOWN (s, 2, TB_R2, 0x22);
	}
      KNOWN (s, 7, TB_R6, 0x33);
      KNOWN (s, 4, TB_R5, 0x22222011);
      CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
    }
  end (f, s);
}

/* Code that one window copies to RAM, and a later one runs, is what the dump holds,
   even where the last window stores that AGAIN.  */
static void
test_copied (bool again_stored)
{
  static uint16_t code[4] = { 0x2011,		/* movs r0,#0x11  */
			      0xbf00, 0xbf00,
			      0x4738 };		/* bx r7  */
  struct tb_recording *f
    = BEGIN (0x600c,				/* str r4,[r1]  */
	     0xbf00, 0xbf00,
	     0x4730,				/* bx r6  */
	     0xbf00,
	     again_stored ? 0x600c : 0xbf00,	/* str r4,[r1]  */
	     0xbf00, 0xbf00);
  fake_dump (f, FAKE_RAM + 0x1000, code, sizeof code);
  fake_reg (f, "R1", FAKE_RAM + 0x1000);
  fake_reg (f, "R4", 0xbf002011);
  fake_reg (f, "R6", FAKE_RAM + 0x1001);
  fake_reg (f, "R7", MAIN + 9);
  for (unsigned round = 0; round < 2; round++)
    {
      fake_run (f, round == 0 ? MAIN : FAKE_RAM + 0x1000, 4);
      f->steps[f->info.steps - 1].flags |= TB_STEP_TAKEN;
    }
  fake_end (f, fake_run (f, MAIN + 8, 4), true);
  f->options.window = 4;
  struct tb_state *s = finish (f);
  for (unsigned again = 0; again < 2; again++)
    {
      CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
      KNOWN (s, 0, TB_R4, 0xbf002011);
      KNOWN (s, 5, TB_R0, 0x11);
    }
  end (f, s);
}

/* A look at a step of a window that was not worked out is answered by what is near; what it
   leaves out is known as soon as the window has been worked out, and a search, which does
   not look, waits for that.  */
static void
test_glance (bool caught_up)
{
  struct tb_recording *f
    = BEGIN (0x2011,		/* movs r0,#0x11  */
	     0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00,
	     0x2122,		/* movs r1,#0x22  */
	     0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00,
	     0x2000,		/* movs r0,#0  */
	     0x2100,		/* movs r1,#0  */
	     0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00,
	     0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00);
  fake_end (f, fake_run (f, MAIN, 32), true);
  f->options.window = 16;
  f->options.glance = 3;
  struct tb_state *s = finish (f);
  CHECK (!tb_state_glanced (s, 8) && !tb_state_catch_up (s));
  CHECK (!tb_state_glance (s, true));
  KNOWN (s, 8, TB_R1, 0x22);
  UNKNOWN (s, 8, TB_R0);
  KNOWN (s, 8, TB_PC, MAIN + 16);
  CHECK (tb_state_glanced (s, 8) && !tb_state_glanced (s, 14));
  UNKNOWN (s, 4, TB_R0);
  CHECK (tb_state_glance (s, false));
  if (caught_up)
    {
      CHECK (tb_state_catch_up (s) && !tb_state_catch_up (s));
      tb_state_glance (s, true);
    }
  KNOWN (s, 8, TB_R0, 0x11);
  KNOWN (s, 8, TB_R1, 0x22);
  KNOWN (s, 4, TB_R0, 0x11);
  CHECK (!tb_state_glanced (s, 8));
  end (f, s);
}

/* Of two windows that were looked at only the last one is worked out then; the other one is
   when it is looked at again.  */
static void
test_glances (void)
{
  uint16_t code[48] = { 0x2011 };	/* movs r0,#0x11  */
  for (unsigned i = 1; i < 48; i++)
    code[i] = 0xbf00;
  struct tb_recording *f = begin (code, 48);
  fake_end (f, fake_run (f, MAIN, 48), true);
  f->options.window = 16;
  f->options.glance = 3;
  struct tb_state *s = finish (f);
  tb_state_glance (s, true);
  UNKNOWN (s, 8, TB_R0);
  UNKNOWN (s, 24, TB_R1);
  CHECK (tb_state_catch_up (s));
  tb_state_glance (s, true);
  CHECK (tb_state_glanced (s, 8) && !tb_state_glanced (s, 24));
  UNKNOWN (s, 8, TB_R0);
  CHECK (tb_state_catch_up (s));
  CHECK (!tb_state_glanced (s, 8));
  KNOWN (s, 8, TB_R0, 0x11);
  end (f, s);
}

static bool
refuse (void *asked)
{
  ++*(unsigned *) asked;
  return false;
}

/* A state of three windows, of which nothing was asked but a look at step 5000, and which ASKED
   counts how often work that nobody waits for is to rest: always.  */
static struct tb_state *
begin_resting (struct tb_recording **recording, unsigned *asked)
{
  struct tb_recording *f
    = BEGIN (0x2011,		/* movs r0,#0x11  */
	     0x3101,		/* loop: adds r1,#1  */
	     0xe7fd);		/* b loop  */
  fake_run (f, MAIN, 1);
  for (unsigned i = 0; i < 9000; i++)
    {
      fake_run (f, MAIN + 2, 1);
      fake_step (f, MAIN + 4, TB_STEP_TAKEN);
    }
  fake_reg (f, "R1", 9000);
  fake_end (f, MAIN + 2, true);
  f->options.window = 8192;
  f->options.glance = 3;
  f->options.jobs = 2;
  struct tb_state *s = finish (f);
  tb_state_glance (s, true);
  UNKNOWN (s, 5000, TB_R1);
  tb_state_set_poll (s, refuse, asked);
  *recording = f;
  return s;
}

/* Work that nobody waits for rests when somebody asks for something, leaves what was known as
   it was, goes on later where it was, and so is done at last.  Until then, and where a
   neighbour has more to tell by now, a look is answered by what is known.  */
static void
test_resting (void)
{
  struct tb_recording *f;
  unsigned asked = 0, turns = 2;
  struct tb_state *s = begin_resting (&f, &asked);
  CHECK (!tb_state_ready (s, 5000) && asked == 1);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag) && asked == 2);
  for (; tb_state_glanced (s, 5000) && turns < 1000; turns++)
    {
      UNKNOWN (s, 5000, TB_R1);
      CHECK (asked == turns);
      CHECK (tb_state_catch_up (s));
      tb_state_glance (s, true);
    }
  CHECK (turns > 3 && turns < 1000 && asked == turns - 1);
  CHECK (!tb_state_glanced (s, 5000) && !tb_state_catch_up (s));
  KNOWN (s, 5000, TB_R1, 2500);
  UNKNOWN (s, 5000, TB_R0);
  /* What the first window says of r0.  */
  tb_state_glance (s, false);
  KNOWN (s, 1000, TB_R0, 0x11);
  tb_state_glance (s, true);
  UNKNOWN (s, 5000, TB_R0);
  KNOWN (s, 5000, TB_R1, 2500);
  CHECK (tb_state_glanced (s, 5000));
  CHECK (tb_state_catch_up (s) && asked == turns);
  CHECK (tb_state_glanced (s, 5000));
  tb_state_glance (s, true);
  UNKNOWN (s, 5000, TB_R0);
  KNOWN (s, 5000, TB_R1, 2500);
  tb_state_set_poll (s, NULL, NULL);
  CHECK (tb_state_catch_up (s) && !tb_state_glanced (s, 5000));
  KNOWN (s, 5000, TB_R0, 0x11);
  KNOWN (s, 5000, TB_R1, 2500);
  end (f, s);
}

/* How many threads this program has; 1 where that cannot be seen.  */
static unsigned
threads (void)
{
  DIR *folder = opendir ("/proc/self/task");
  unsigned count = 0;
  for (const struct dirent *e = NULL; folder != NULL && (e = readdir (folder)) != NULL; )
    count += e->d_name[0] != '.';
  if (folder != NULL)
    closedir (folder);
  return count != 0 ? count : 1;
}

/* Who waits for a window that rests gets it, whole; one that is wanted no longer, as another
   window or the end comes first, is let go of, with its thread, after TURNS turns.  */
static void
test_rested (unsigned turns)
{
  struct tb_recording *f;
  unsigned asked = 0, before = threads ();
  struct tb_state *s = begin_resting (&f, &asked);
  for (unsigned i = 0; i < turns; i++)
    CHECK (!tb_state_ready (s, 5000) && asked == i + 1);
  tb_state_glance (s, false);
  KNOWN (s, 5000, TB_R1, 2500);
  CHECK (asked == turns);
  end (f, s);
  asked = 0;
  s = begin_resting (&f, &asked);
  for (unsigned i = 0; i < turns; i++)
    CHECK (!tb_state_ready (s, 5000) && asked == i + 1);
  tb_state_glance (s, false);
  KNOWN (s, 1000, TB_R0, 0x11);
  KNOWN (s, 5000, TB_R0, 0x11);
  end (f, s);
  s = begin_resting (&f, &asked);
  for (unsigned i = 0; i < turns; i++)
    CHECK (!tb_state_ready (s, 5000));
  end (f, s);
  /* A thread that was waited for is listed a moment longer.  */
  const struct timespec moment = { .tv_nsec = 10000000 };
  for (unsigned i = 0; i < 6000 && threads () > before; i++)
    nanosleep (&moment, NULL);
  CHECK_INT (threads (), before);
}

int
main (void)
{
  test_resting ();
  for (unsigned turns = 1; turns <= 5; turns++)
    test_rested (turns);
  test_glances ();
  test_glance (false);
  test_glance (true);
  test_memory ();
  test_rewritten (false, false);
  test_rewritten (true, false);
  test_rewritten (false, true);
  test_copied (false);
  test_written (false);
  test_written (true);
  for (unsigned window = 1; window <= 16; window++)
    {
      test_hand_over (window, 0, true);
      test_hand_over (window, 1, false);
    }
  test_jobs (3000, 0);
  test_jobs (700, 0);
  test_jobs (700, 100000);
  test_on_demand ();
  test_suspects ();
  test_contradiction ();
  test_far ();
  return check_done ();
}
