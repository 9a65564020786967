/* State: why values are not known, each reason in a program of its own.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/element.h"
#include "state-program.h"
#include "state-reasons.h"

#define HANDLER 0x140u
#define FLAG_N TB_EFFECT_N
#define FLAG_C (TB_EFFECT_N + 2)

/* F, which is kept so that reasons can be told.  */
static struct tb_state *
keep (struct tb_recording *f)
{
  f->options.makers = true;
  return finish (f);
}

/* From before the trace, and made of that.  */
static void
test_start (void)
{
  struct tb_recording *f = BEGIN (0x1c65,	/* adds r5,r4,#1  */
				  0x4288,	/* cmp r0,r1  */
				  0xbf00, 0xbf00);
  fake_reg (f, "R1", 1);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 0, TB_R4, START);
  WHY_NOT (s, 3, TB_R4, START);
  WHY_NOT (s, 2, TB_R5, START);
  WHY_NOT (s, 0, FLAG_N, START);
  WHY_NOT (s, 2, FLAG_N, START);	/* Of r0 - r1.  */
  WHY_NOT (s, 2, FLAG_C, START);
  CHECK (check_all (s, f, TB_WHY_NOT_START) > 10);
  end (f, s);
}

/* From before a gap.  */
static void
test_gap (void)
{
  struct tb_recording *f = BEGIN (0xbf00, 0x1c65,	/* adds r5,r4,#1  */
				  0xbf00);
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_GAP, 0)->reason = TB_REASON_OVERFLOW;
  fake_run (f, MAIN + 2, 2);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 0, TB_R4, START);
  WHY_NOT (s, 1, TB_R4, GAP);
  WHY_NOT (s, 2, TB_R5, GAP);
  /* Of r0 to lr and the flags, r5 and the flags are not live before step 1.  */
  CHECK_INT (check_all (s, f, TB_WHY_NOT_GAP), 14 + 16);
  end (f, s);
}

/* What a handler finds undefined, and what goes through its entry.  */
static void
test_exception (void)
{
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00);
  static const uint16_t handler[] = { 0x1c41,	/* adds r1,r0,#1  */
				      0xbf00 };
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 15;
  fake_run (f, HANDLER, 2);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 0, TB_R0, START);
  WHY_NOT (s, 1, TB_R0, EXCEPTION);
  WHY_NOT (s, 1, FLAG_N, EXCEPTION);
  WHY_NOT (s, 1, TB_LR, EXCEPTION);
  WHY_NOT (s, 2, TB_R1, EXCEPTION);
  WHY_NOT (s, 1, TB_R4, START);
  WHY_NOT (s, 1, TB_SP, START);
  check_all (s, f, TB_WHY_NOT_EXCEPTION);
  end (f, s);
}

/* Made by an instruction that says no more; all registers behind one that is not
   followed; and where two of these are in a row.  */
static void
test_instruction (void)
{
  struct tb_recording *f = BEGIN (0xf3ef, 0x8011,	/* mrs r0,basepri  */
				  0xbf00,
				  0xee01, 0x2513,	/* mcr p5,0,r2,c1,c3  */
				  0xee01, 0x2513,
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_end (f, fake_run (f, MAIN, 5), false);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 1, TB_R0, INSTRUCTION);
  WHY_NOT (s, 1, TB_R4, START);
  WHY_NOT (s, 3, TB_R4, ANALYSED);
  WHY_NOT (s, 4, TB_R4, INSTRUCTION);
  check_all (s, f, TB_WHY_NOT_INSTRUCTION);
  end (f, s);
}

/* ldr r0,[r1] where r1 holds AT, and then another load there that is lost, too.  */
static struct tb_recording *
loaded (uint32_t at)
{
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  0x1c42,	/* adds r2,r0,#1  */
				  0x2000,	/* movs r0,#0  */
				  0x600b,	/* str r3,[r1]  */
				  0x2200);	/* movs r2,#0  */
  ram[0] = 7;
  if (at != 0)
    fake_reg (f, "R1", at);
  fake_end (f, fake_run (f, MAIN, 5), true);
  return f;
}

static void
test_loads (void)
{
  struct tb_extent item = { FAKE_RAM, 4 };
  const struct tb_extents here = { &item, 1, 1 };
  static const struct
  {
    uint32_t at;
    enum tb_why_not why;
    bool is_volatile, shared, trace;
  } rows[] = {
    { 0, TB_WHY_NOT_ADDRESS, false, false, false },
    { FAKE_RAM, TB_WHY_NOT_CONTENTS, false, false, false },
    { FAKE_RAM, TB_WHY_NOT_DEVICE, true, false, false },
    { FAKE_RAM, TB_WHY_NOT_SHARED, false, true, false },
    { FAKE_RAM, TB_WHY_NOT_DEVICE, false, false, true },
    { 0x40000000, TB_WHY_NOT_DEVICE, false, false, false },
    { 0x20010000, TB_WHY_NOT_DUMPED, false, false, false },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_recording *f = loaded (rows[i].at);
      if (rows[i].is_volatile)
	f->options.volatiles = &here;
      if (rows[i].shared)
	f->options.shared = &here;
      f->options.trace_ram = FAKE_RAM;
      f->options.trace_ram_length = rows[i].trace ? 16 : 0;
      struct tb_state *s = keep (f);
      check_why_not (s, 1, TB_R0, rows[i].why, NOBODY, __LINE__);
      check_why_not (s, 2, TB_R2, rows[i].why, NOBODY, __LINE__);
      CHECK_INT (check_all (s, f, rows[i].why), 1 + 1 + 1 + 1);
      end (f, s);
    }
}

/* Accesses: the addresses and values of loads and stores count by themselves.  */
static void
test_accesses (void)
{
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  0x6010,	/* str r0,[r2]  */
				  0xbf00);
  fake_end (f, fake_run (f, MAIN, 3), false);
  struct tb_state *s = keep (f);
  struct tb_reasons r = { .window = NULL };
  struct tb_access_info a[4];
  for (unsigned i = 0; i < 2; i++)
    tb_reasons_add (&r, s, i, 0, a, tb_state_accesses (s, i, a, 4));
  tb_reasons_end (&r);
  CHECK_INT (r.counts[TB_WHY_NOT_START].load_addresses, 1);
  CHECK_INT (r.counts[TB_WHY_NOT_ADDRESS].load_values, 1);
  CHECK_INT (r.counts[TB_WHY_NOT_START].store_addresses, 1);
  CHECK_INT (r.counts[TB_WHY_NOT_ADDRESS].store_values, 1);
  tb_reasons_fini (&r);
  check_all (s, f, TB_WHY_NOT_START);
  end (f, s);
}

/* Stores through r4, which is not known, are in the way.  Without them (a NOP in
   their place) the same is known.  */

#define STORE(there) ((there) ? 0x6023 : 0xbf00)	/* str r3,[r4]  */

/* What is loaded is what the dump has, if nothing came in between.  */
static void
test_store_behind (bool there)
{
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  STORE (there),
				  0x680a,	/* ldr r2,[r1]  */
				  STORE (there),
				  0x1c40,	/* adds r0,r0,#1  */
				  0x2000,	/* movs r0,#0  */
				  0x2200);	/* movs r2,#0  */
  ram[0] = 7;
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 7), true);
  struct tb_state *s = keep (f);
  if (there)
    {
      BLOCKED (s, 1, TB_R0, 1);
      BLOCKED (s, 3, TB_R2, 3);
      BLOCKED (s, 5, TB_R0, 1);
      /* r0 before steps 1 to 4, its carry then; r2 is never read.  */
      CHECK_INT (check_all (s, f, TB_WHY_NOT_STORE), 4 + 2);
    }
  else
    {
      KNOWN (s, 1, TB_R0, 7);
      KNOWN (s, 3, TB_R2, 7);
    }
  end (f, s);
}

/* What is stored is what the dump has, or is loaded later.  */
static void
test_stored (bool there, bool loaded_again)
{
  struct tb_recording *f = BEGIN (0x1c75,	/* adds r5,r6,#1  */
				  0x600d,	/* str r5,[r1]  */
				  0x2600,	/* movs r6,#0  */
				  0x2500,	/* movs r5,#0  */
				  STORE (there),
				  loaded_again ? 0x680d	/* ldr r5,[r1]  */
				  : 0xbf00);
  ram[0] = 7;
  fake_reg (f, "R1", FAKE_RAM);
  if (loaded_again)
    fake_reg (f, "R5", 7);
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = keep (f);
  if (there)
    {
      BLOCKED (s, 0, TB_R6, 4);
      BLOCKED (s, 1, TB_R5, 4);
      /* The carry of step 0 stays to the end.  */
      CHECK_INT (check_all (s, f, TB_WHY_NOT_STORE), 1 + 1 + 5);
    }
  else
    {
      KNOWN (s, 0, TB_R6, 6);
      KNOWN (s, 1, TB_R5, 7);
    }
  end (f, s);
}

/* The address of a load is a value that a store is in the way of.  */
static void
test_store_of_address (void)
{
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  STORE (true),
				  0x6802,	/* ldr r2,[r0]  */
				  0x2000,	/* movs r0,#0  */
				  0x1c55,	/* adds r5,r2,#1  */
				  0x2200,	/* movs r2,#0  */
				  0x2500);	/* movs r5,#0  */
  ram[0] = FAKE_RAM + 4;
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 7), true);
  struct tb_state *s = keep (f);
  BLOCKED (s, 2, TB_R0, 1);
  check_why_not (s, 3, TB_R2, TB_WHY_NOT_ADDRESS, 1, __LINE__);
  struct tb_reasons r = { .window = NULL };
  tb_reasons_add (&r, s, 2, 1u << TB_R0, NULL, 0);
  tb_reasons_add (&r, s, 3, 1u << TB_R2, NULL, 0);
  tb_reasons_add (&r, s, 5, 1u << TB_R5, NULL, 0);
  tb_reasons_end (&r);
  CHECK_INT (r.nstores, 1);
  CHECK_INT (r.stores[0].pairs, 1);
  CHECK_INT (r.stores[0].through, 2);
  tb_reasons_fini (&r);
  check_all (s, f, TB_WHY_NOT_ADDRESS);
  end (f, s);
}

/* What was stored is what is loaded, and then lost.  */
static void
test_store_before (bool there)
{
  struct tb_recording *f = BEGIN (0x2207,	/* movs r2,#7  */
				  0x600a,	/* str r2,[r1]  */
				  STORE (there),
				  0x6808,	/* ldr r0,[r1]  */
				  0x600e,	/* str r6,[r1]  */
				  0x2000);	/* movs r0,#0  */
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = keep (f);
  if (there)
    {
      BLOCKED (s, 4, TB_R0, 2);
      CHECK_INT (check_all (s, f, TB_WHY_NOT_STORE), 0);
    }
  else
    KNOWN (s, 4, TB_R0, 7);
  end (f, s);
}

/* A value that was not known goes through memory: for the reason that it has.  */
static void
test_carried_by_memory (void)
{
  struct tb_recording *f = BEGIN (0x6822,	/* ldr r2,[r4]  */
				  0x600a,	/* str r2,[r1]  */
				  0x6808,	/* ldr r0,[r1]  */
				  0x600e,	/* str r6,[r1]  */
				  0x2200,	/* movs r2,#0  */
				  0xbf00);
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 5, TB_R0, ADDRESS);
  check_all (s, f, TB_WHY_NOT_ADDRESS);
  end (f, s);
}

/* Chosen by what nothing tells; a load that is not aligned is not remembered.  */
static void
test_condition (void)
{
  struct tb_recording *f = BEGIN (0x4288,	/* cmp r0,r1  */
				  0xbf08,	/* it eq  */
				  0x461a,	/* moveq r2,r3  */
				  0x6825,	/* ldr r5,[r4]  */
				  0x6026,	/* str r6,[r4]  */
				  0x2500,	/* movs r5,#0  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_reg (f, "R4", FAKE_RAM + 1);
  fake_end (f, fake_run (f, MAIN, 7), true);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 3, TB_R2, CONDITION);
  WHY_NOT (s, 2, TB_R2, START);
  WHY_NOT (s, 2, FLAG_N, START);
  WHY_NOT (s, 4, TB_R5, ENOUGH);
  check_all (s, f, TB_WHY_NOT_CONDITION);
  end (f, s);
}

/* In windows of four steps: what is not known where one ends is so in the next one for
   the same reason, if both are counted.  */
static void
test_windows (void)
{
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  STORE (true),
				  0xbf00, 0xbf00,
				  0xbf00, 0xbf00,
				  0x1c42,	/* adds r2,r0,#1  */
				  0x2000,	/* movs r0,#0  */
				  0xbf00, 0xbf00,
				  0x2200,	/* movs r2,#0  */
				  0xbf00);
  ram[0] = 7;
  fake_reg (f, "R1", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 12), true);
  f->options.window = 4;
  struct tb_state *s = keep (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  WHY_NOT (s, 9, TB_R4, WINDOW);
  WHY_NOT (s, 3, TB_R4, START);
  BLOCKED (s, 3, TB_R0, 1);
  WHY_NOT (s, 5, TB_R0, WINDOW);
  struct tb_reasons r = { .window = NULL };
  for (uint64_t i = 0; i < 12; i++)
    tb_reasons_add (&r, s, i, 1u << TB_R4 | (i > 0 && i < 8) << TB_R0
		    | (i > 6 && i < 11 ? 4 : 0), NULL, 0);
  tb_reasons_end (&r);
  CHECK_INT (r.counts[TB_WHY_NOT_START].pairs, 12);
  CHECK_INT (r.counts[TB_WHY_NOT_STORE].pairs, 7 + 4);
  CHECK_INT (r.nstores, 1);
  CHECK_INT (r.stores[0].step, 1);
  CHECK_INT (r.stores[0].pairs, 7 + 4);
  tb_reasons_fini (&r);
  check_all (s, f, TB_WHY_NOT_STORE);
  end (f, s);
}

/* With assumptions, of what is not known with them either.  */
static void
test_assumed (void)
{
  struct tb_recording *f = BEGIN (0xf000, 0xf802,	/* bl .+8  */
				  0xbf00, 0xbf00,
				  0x2400,	/* movs r4,#0 (called)  */
				  0x6814,	/* ldr r4,[r2]  */
				  0x4770);	/* bx lr  */
  f->options.assume = TB_ASSUME_AAPCS;
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_run (f, MAIN + 8, 2);
  fake_step (f, MAIN + 12, TB_STEP_TAKEN);
  fake_run (f, MAIN + 4, 2);
  fake_reg (f, "R5", 5);
  fake_end (f, MAIN + 8, true);
  struct tb_state *s = keep (f);
  WHY_NOT (s, 0, TB_R6, START);
  WHY_NOT (s, 3, TB_R4, ADDRESS);
  check_all (s, f, TB_WHY_NOT_START);
  end (f, s);
}

int
main (void)
{
  test_start ();
  test_gap ();
  test_exception ();
  test_instruction ();
  test_loads ();
  test_accesses ();
  test_store_behind (true);
  test_store_behind (false);
  test_stored (true, false);
  test_stored (false, false);
  test_stored (true, true);
  test_stored (false, true);
  test_store_of_address ();
  test_store_before (true);
  test_store_before (false);
  test_carried_by_memory ();
  test_condition ();
  test_windows ();
  test_assumed ();
  for (unsigned i = 0; i < TB_WHY_NOTS; i++)
    CHECK (strlen (tb_why_not_words (i)) <= 28);
  return check_done ();
}
