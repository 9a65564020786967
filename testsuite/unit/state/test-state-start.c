/* State: the start of the trace as the user says it is.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

#include "decode/element.h"

/* A table of vectors: where the stack begins, and MAIN for a reset.  */
static struct tb_recording *
with_table (struct tb_recording *f, uint32_t handler)
{
  const uint32_t words[] = { FAKE_RAM + 0x83, handler | 1 };
  for (unsigned i = 0; i < 2; i++)
    TARGET_STORE (flash, 4 * i, 4, words[i]);
  /* Trace begins: what was before is not in it.  */
  fake_event (f, TB_EVENT_GAP, 0)->reason = TB_REASON_BEGIN;
  return f;
}

#define PROGRAM \
  with_table (BEGIN (0x4668,	/* mov r0,sp  */ \
		     0xb500,	/* push {lr}  */ \
		     0x9900,	/* ldr r1,[sp]  */ \
		     0xbf00), MAIN)

static void
test_reset (enum tb_arch arch, bool lr, uint64_t window)
{
  struct tb_recording *f = PROGRAM;
  struct tb_value v[TB_NREGS_MAX];
  f->profile.arch = arch;
  f->options.start = TB_START_RESET;
  f->options.window = window;
  fake_run (f, MAIN, 4);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_SP, FAKE_RAM + 0x80);
  KNOWN (s, 0, TB_MSP, FAKE_RAM + 0x80);
  KNOWN (s, 1, TB_R0, FAKE_RAM + 0x80);
  UNKNOWN (s, 0, TB_R0);
  UNKNOWN (s, 0, TB_R12);
  UNKNOWN (s, 0, TB_PSP);
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_PSR].mask >> 28, 0);
  CHECK_INT (v[TB_PSR].mask & 0x3f, 0x3f);
  CHECK_INT (v[TB_PSR].bits & 0x3f, 0);
  CHECK_INT (v[TB_CONTROL].mask & 3, 3);
  CHECK_INT (v[TB_CONTROL].bits & 3, 0);
  KNOWN (s, 0, TB_PRIMASK, 0);
  if (lr)
    {
      KNOWN (s, 0, TB_LR, UINT32_MAX);
      WORD (s, 2, FAKE_RAM + 0x7c, UINT32_MAX);
      KNOWN (s, 3, TB_R1, UINT32_MAX);
    }
  else
    UNKNOWN (s, 0, TB_LR);
  end (f, s);
}

/* The twin: nobody says so; and where it cannot be, which is said.  */
static void
test_no_reset (bool stated, uint32_t handler, bool in_ram, unsigned warnings,
	       uint64_t window)
{
  struct tb_recording *f = PROGRAM;
  with_table (f, handler);
  f->options.window = window;
  f->options.start = stated ? TB_START_RESET : 0;
  fake_run (f, MAIN, 4);
  if (in_ram)			/* The table is changed as the program runs.  */
    {
      f->regions[0].address = FAKE_RAM + 0x10000;
      for (size_t i = 0; i < f->info.steps; i++)
	f->steps[i].pc += FAKE_RAM + 0x10000;
    }
  struct tb_state *s = fake_open (f);
  uint32_t got;
  CHECK_INT (f->diag.warnings, warnings);
  CHECK (!fake_known (s, 1, TB_R0, &got));
  CHECK (!fake_known (s, 0, TB_SP, &got));
  end (f, s);
}

static const uint8_t contents[] = { 5, 0, 0, 0, 6, 7 };
static const struct tb_initial initial[] = {
  { FAKE_RAM, sizeof contents, contents, true },
  { FAKE_RAM + 8, 4, contents, false },
  { FAKE_RAM + 16, 8, NULL, false },
  { FAKE_RAM + 0x100000, 0xd0000000, NULL, true }	/* Not dumped.  */
};

static struct tb_recording *
data_program (void)
{
  struct tb_recording *f = with_table (BEGIN (0x2120,	/* movs r1,#0x20  */
					      0x0609,	/* lsls r1,r1,#24  */
					      0x6808,	/* ldr r0,[r1]  */
					      0x790a,	/* ldrb r2,[r1,#4]  */
					      0x688b,	/* ldr r3,[r1,#8]  */
					      0x694c,	/* ldr r4,[r1,#20]  */
					      0x600d,	/* str r5,[r1]  */
					      0x680e,	/* ldr r6,[r1]  */
					      0x6037,	/* str r7,[r6]  */
					      0x790a,	/* ldrb r2,[r1,#4]  */
					      0xbf00), MAIN);
  f->options.initial = initial;
  f->options.ninitial = 4;
  return f;
}

static void
test_data (unsigned start)
{
  struct tb_recording *f = data_program ();
  struct tb_extent item = { FAKE_RAM + 4, 1 };
  const struct tb_extents at = { &item, 1, 1 };
  bool all = start == TB_START_DATA, some = start & TB_START_DATA;
  bool is_volatile = start & 0x100;
  f->options.start = start & 3;
  if (is_volatile)
    f->options.volatiles = &at;
  fake_run (f, MAIN, 11);
  struct tb_state *s = finish (f);
  uint32_t got;
  CHECK_INT (fake_known (s, 3, TB_R0, &got), some);
  if (some)
    CHECK_INT (got, 5);
  CHECK_INT (fake_known (s, 4, TB_R2, &got), some && !is_volatile);
  if (some && !is_volatile)
    CHECK_INT (got, 6);
  CHECK_INT (fake_known (s, 5, TB_R3, &got), all || is_volatile);
  if (all)
    CHECK_INT (got, 5);
  CHECK_INT (fake_known (s, 6, TB_R4, &got), all || is_volatile);
  if (all)
    CHECK_INT (got, 0);
  /* Written meanwhile; and what a store to nobody knows where may have hit.  */
  UNKNOWN (s, 8, TB_R6);
  CHECK_INT (fake_word (s, 0, FAKE_RAM, &got), some);
  NO_WORD (s, 8, FAKE_RAM);
  UNKNOWN (s, 10, TB_R2);
  end (f, s);
}

/* What the ELF file says cannot have been: it is reported and not used; the halt
   is.  */
static void
test_contradiction (bool wrong, uint64_t window)
{
  struct tb_recording *f = with_table (BEGIN (0x2120,	/* movs r1,#0x20  */
					      0x0609,	/* lsls r1,r1,#24  */
					      0x6808,	/* ldr r0,[r1]  */
					      0x2805,	/* cmp r0,#5  */
					      0xd000,	/* beq  */
					      0xbf00, 0xbf00), MAIN);
  f->options.initial = initial;
  f->options.ninitial = 1;
  f->options.start = TB_START_DATA;
  f->options.window = window;
  fake_run (f, MAIN, 4);
  fake_step (f, MAIN + 8, wrong ? 0 : TB_STEP_TAKEN);
  fake_reg (f, "R0", wrong ? 8 : 5);
  fake_reg (f, "R4", 44);
  ram[0] = wrong ? 8 : 5;
  ram[1] = 0x00000706;
  fake_end (f, fake_run (f, wrong ? MAIN + 10 : MAIN + 12, 1), true);
  struct tb_state *s = fake_open (f);
  CHECK_INT (f->diag.warnings, wrong);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 3, TB_R0, wrong ? 8 : 5);
  KNOWN (s, 0, TB_R4, 44);
  end (f, s);
}

/* The same where another window than the first one shows it: neither the code nor
   the halt is to blame.  */
static void
test_contradiction_later (uint64_t window)
{
  struct tb_recording *f = with_table (BEGIN (0xbf00, 0xbf00,
					      0x2120,	/* movs r1,#0x20  */
					      0x0609,	/* lsls r1,r1,#24  */
					      0x6808,	/* ldr r0,[r1]  */
					      0xbf00,
					      0x2805,	/* cmp r0,#5  */
					      0xd000,	/* beq  */
					      0x2307),	/* movs r3,#7  */
				       MAIN);
  f->options.initial = initial;
  f->options.ninitial = 1;
  f->options.start = TB_START_DATA;
  f->options.window = window;
  fake_end (f, fake_run (f, MAIN, 9), false);
  struct tb_state *s = fake_open (f);
  /* That is so before anything is asked, and said once.  */
  NO_WORD (s, 0, FAKE_RAM);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  CHECK_INT (f->diag.warnings, 1);
  CHECK_INT (tb_state_start (s), 0);
  NO_WORD (s, 0, FAKE_RAM);
  KNOWN (s, 4, TB_R1, FAKE_RAM);
  KNOWN (s, 9, TB_R3, 7);
  end (f, s);
}

/* A trace that is too long to be worked out at once: what is said of its start is
   not shown before it was held against all of it.  */
static void
test_long (void)
{
  struct tb_recording *f = PROGRAM;
  f->options.start = TB_START_RESET;
  fake_run (f, MAIN, 4);
  for (unsigned i = 0; i < 0x100000; i++)
    fake_raw_step (f, MAIN + 6, 0xbf00, 2, 0);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 0, TB_SP);
  CHECK_INT (tb_state_start (s), 0);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  KNOWN (s, 0, TB_SP, FAKE_RAM + 0x80);
  KNOWN (s, 0x100000, TB_R0, FAKE_RAM + 0x80);
  CHECK_INT (tb_state_start (s), TB_START_RESET);
  end (f, s);
}

int
main (void)
{
  test_long ();
  test_reset (TB_ARCH_V6M, false, 0);
  test_reset (TB_ARCH_V7M, true, 0);
  test_reset (TB_ARCH_V8M_BASE, false, 0);
  test_reset (TB_ARCH_V8M_MAIN, true, 0);
  test_reset (TB_ARCH_V7M, true, 3);
  for (unsigned window = 0; window <= 4; window++)
    {
      test_no_reset (false, MAIN, false, 0, window);
      test_no_reset (true, MAIN + 2, false, 1, window);
      test_no_reset (true, MAIN, true, 1, window);
      test_contradiction (false, window);
      test_contradiction (true, window);
    }
  test_data (0);
  test_data (TB_START_DATA);
  test_data (TB_START_DATA | TB_START_RESET);
  test_data (TB_START_DATA | 0x100);
  for (unsigned window = 1; window <= 9; window++)
    test_contradiction_later (window);
  return check_done ();
}
