/* State: memory that others than the core change.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each test has a twin in which nobody else does.  */

#include "config.h"

#include "state-program.h"

/* The extent of LENGTH bytes at ADDRESS in EXTENTS.  */
static const struct tb_extents *
extent (struct tb_extents *extents, uint64_t address, uint64_t length)
{
  *extents = (struct tb_extents) { NULL, 0, 0 };
  if (!tb_extents_add (extents, address, length))
    abort ();
  return extents;
}

/* Store and load again at AT, of which the dump (if any) holds 7 at the end.  Is
   what was loaded, lost since, known?  */
static void
test_load (uint32_t at, const struct tb_extents *volatiles,
	   const struct tb_extents *shared, const struct tb_extents *privates,
	   bool known)
{
  static const uint32_t there[16] = { 7, 8 };
  struct tb_recording *f = BEGIN (0x6808,	/* ldr r0,[r1]  */
				  0x684a,	/* ldr r2,[r1,#4]  */
				  0x1880,	/* adds r0,r0,r2  */
				  0x2000,	/* movs r0,#0  */
				  0x2200);	/* movs r2,#0  */
  if (at >= FAKE_RAM + sizeof ram)
    fake_dump (f, at, there, sizeof there);
  else
    memcpy (ram + (at - FAKE_RAM) / 4, there, sizeof there);
  f->options.volatiles = volatiles;
  f->options.shared = shared;
  f->options.privates = privates;
  fake_reg (f, "R1", at);
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  if (known)
    {
      KNOWN (s, 1, TB_R0, 7);
      KNOWN (s, 2, TB_R2, 8);
      WORD (s, 0, at, 7);
    }
  else
    {
      UNKNOWN (s, 1, TB_R0);
      UNKNOWN (s, 2, TB_R2);
      NO_WORD (s, 0, at);
    }
  /* What is there at the halt is known in any case.  */
  WORD (s, 5, at, 7);
  end (f, s);
}

static void
test_loads (void)
{
  struct tb_extents here, all, other;
  extent (&here, FAKE_RAM, 8);
  extent (&other, FAKE_RAM + 64, 8);
  extent (&all, 0, UINT64_MAX);
  test_load (FAKE_RAM, NULL, NULL, NULL, true);
  test_load (FAKE_RAM, &other, &other, &other, true);
  test_load (FAKE_RAM, &here, NULL, NULL, false);
  test_load (FAKE_RAM, NULL, &here, NULL, false);
  test_load (FAKE_RAM, NULL, &here, &here, true);
  test_load (FAKE_RAM, NULL, &all, &here, true);
  test_load (FAKE_RAM, NULL, &here, &other, false);
  /* What the user calls volatile is, whatever else is said.  */
  test_load (FAKE_RAM, &here, NULL, &all, false);
  /* Devices by the memory map of the M profile (DDI 0419 B3.1): Peripheral,
     Device, and what lies above; RAM beside them.  */
  test_load (0x3fffffc0, NULL, NULL, NULL, true);
  test_load (0x40000000, NULL, NULL, NULL, false);
  test_load (0x5fffffc0, NULL, NULL, NULL, false);
  test_load (0x60000000, NULL, NULL, NULL, true);
  test_load (0x9fffffc0, NULL, NULL, NULL, true);
  test_load (0xa0000000, NULL, NULL, NULL, false);
  test_load (0xdfffffc0, NULL, NULL, NULL, false);
  test_load (0xe0000000, NULL, NULL, NULL, false);
  test_load (0xffffffc0, NULL, NULL, NULL, false);
  /* RAM behind a controller at such an address, as the user knows.  */
  test_load (0xc0000000, NULL, NULL, &all, true);
  tb_extents_fini (&here);
  tb_extents_fini (&all);
  tb_extents_fini (&other);
}

/* The code that ran is volatile?  What it loads relative to itself then is
   not known.  */
static void
test_literal (bool is_volatile)
{
  struct tb_extents at = { NULL, 0, 0 };
  struct tb_recording *f = BEGIN (0x4800,	/* ldr r0,[pc]  */
				  0x46c0,	/* nop  */
				  0x1234, 0x5678);
  if (is_volatile)
    f->options.volatiles = extent (&at, MAIN + 4, 4);
  fake_run (f, MAIN, 2);
  struct tb_state *s = finish (f);
  if (is_volatile)
    UNKNOWN (s, 1, TB_R0);
  else
    KNOWN (s, 1, TB_R0, 0x56781234);
  end (f, s);
  tb_extents_fini (&at);
}

/* A store to a word of which others change some bytes changes the rest, too.  */
static void
test_partial (bool is_volatile)
{
  struct tb_extents at = { NULL, 0, 0 };
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x7008,	/* strb r0,[r1]  */
				  0x600a,	/* str r2,[r1]  */
				  0x780b,	/* ldrb r3,[r1]  */
				  0x2300,	/* movs r3,#0  */
				  0x2200);	/* movs r2,#0  */
  ram[0] = 0x11223344;
  fake_reg (f, "R1", FAKE_RAM);
  if (is_volatile)
    f->options.volatiles = extent (&at, FAKE_RAM + 2, 1);
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = finish (f);
  if (is_volatile)
    {
      UNKNOWN (s, 4, TB_R3);
      UNKNOWN (s, 2, TB_R2);
      WORD (s, 0, FAKE_RAM + 4, 0);
    }
  else
    {
      KNOWN (s, 4, TB_R3, 0x44);
      KNOWN (s, 2, TB_R2, 0x11223344);
    }
  end (f, s);
  tb_extents_fini (&at);
}

/* The stack may be where others write: what is pushed need not come back.  */
static void
test_stack (bool is_volatile, bool is_shared)
{
  struct tb_extents at = { NULL, 0, 0 };
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0xb401,	/* push {r0}  */
				  0xbc02,	/* pop {r1}  */
				  0x46c0);	/* nop  */
  if (is_volatile)
    f->options.volatiles = extent (&at, FAKE_RAM, 4);
  if (is_shared)
    f->options.shared = extent (&at, FAKE_RAM, 4);
  fake_run (f, MAIN, 4);
  struct tb_state *s = finish (f);
  if (is_volatile || is_shared)
    UNKNOWN (s, 3, TB_R1);
  else
    KNOWN (s, 3, TB_R1, 5);
  end (f, s);
  tb_extents_fini (&at);
}

/* A dump that ends within a word: of its last bytes nothing is remembered, since a
   word's store cannot be told from theirs.  */
static void
test_odd_dump (void)
{
  static const uint8_t bytes[6] = { 1, 2, 3, 4, 5, 6 };
  struct tb_recording *f = BEGIN (0x7008,	/* strb r0,[r1]  */
				  0x7148,	/* strb r0,[r1,#5]  */
				  0x2000);	/* movs r0,#0  */
  fake_dump (f, 0x30000000, bytes, sizeof bytes);
  fake_reg (f, "R1", 0x30000000);
  fake_end (f, fake_run (f, MAIN, 3), true);
  struct tb_state *s = finish (f);
  uint8_t got[6], origins[6];
  CHECK_INT (tb_state_memory (s, 2, 0x30000000, got, origins, 6), 4);
  CHECK_INT (got[0], 1);
  CHECK_INT (origins[5], TB_UNKNOWN);
  end (f, s);
}

int
main (void)
{
  test_loads ();
  test_literal (false);
  test_literal (true);
  test_partial (false);
  test_partial (true);
  test_stack (false, false);
  test_stack (true, false);
  test_stack (false, true);
  test_odd_dump ();
  return check_done ();
}
