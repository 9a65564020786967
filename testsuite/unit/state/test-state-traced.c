/* State with data trace: what is told of accesses is used with just the precision that
   it has.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state/explain/why.h"
#include "state-program.h"

/* ldr r0,[r1,#4]; adds r2,r0,#0; nop */
static struct tb_recording *
load (void)
{
  struct tb_recording *f = BEGIN (0x6848, 0x1c02, 0xbf00);
  fake_run (f, MAIN, 1);
  return f;
}

static struct tb_state *
go_on (struct tb_recording *f)
{
  fake_end (f, fake_run (f, MAIN + 2, 2), false);
  return finish (f);
}

static void
test_address_and_value (void)
{
  struct tb_recording *f = load ();
  fake_transfer (f, FAKE_RAM + 8, 0x1234);
  struct tb_state *s = go_on (f);
  KNOWN (s, 0, TB_R1, FAKE_RAM + 4);
  UNKNOWN (s, 0, TB_R0);
  KNOWN (s, 1, TB_R0, 0x1234);
  KNOWN (s, 2, TB_R2, 0x1234);
  WORD (s, 0, FAKE_RAM + 8, 0x1234);
  end (f, s);
}

/* A value of an unknown address, an address of an unknown value, parts of an
   address.  */
static void
test_one_of_both (void)
{
  struct tb_recording *f = load ();
  fake_transfer (f, 0, 0x1234)->address_bits = 0;
  struct tb_state *s = go_on (f);
  UNKNOWN (s, 0, TB_R1);
  KNOWN (s, 2, TB_R2, 0x1234);
  NO_WORD (s, 0, FAKE_RAM + 8);
  end (f, s);

  f = load ();
  fake_transfer (f, FAKE_RAM + 8, 0)->has_value = false;
  s = go_on (f);
  KNOWN (s, 0, TB_R1, FAKE_RAM + 4);
  UNKNOWN (s, 2, TB_R2);
  end (f, s);

  f = load ();
  fake_transfer (f, 0x88, 0)->address_bits = 14;
  s = go_on (f);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  CHECK_INT (v[TB_R1].mask, 0x3fff);
  CHECK_INT (v[TB_R1].bits, 0x84);
  end (f, s);
}

/* As many transfers as accesses, each told, or none counts.  */
static void
test_not_all (void)
{
  for (unsigned i = 0; i < 3; i++)
    {
      struct tb_recording *f = load ();
      struct tb_transfer *t = fake_transfer (f, FAKE_RAM + 8, 0x1234);
      if (i == 0)
	fake_transfer (f, FAKE_RAM + 12, 0x5678);
      else if (i == 1)
	t->doubtful = true;
      else
	t->big_endian = true;
      struct tb_state *s = go_on (f);
      UNKNOWN (s, 0, TB_R1);
      UNKNOWN (s, 2, TB_R2);
      end (f, s);
    }
}

/* ldrb, ldrsb: what the trace unit has of the bits above the byte is not used, and
   a value of more than a byte is none of a byte.  */
static void
test_bytes (void)
{
  static const struct { uint32_t told; bool used; } rows[] = {
    { 0x85, true }, { 0xffffff85, true }, { 0x85858585, false },
    { 0x185, false }, { 0xffffff05, false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_recording *f = BEGIN (0x7808,	/* ldrb r0,[r1]  */
				      0x570a,	/* ldrsb r2,[r1,r4]  */
				      0xbf00);
      fake_run (f, MAIN, 1);
      fake_transfer (f, FAKE_RAM, rows[i].told);
      fake_run (f, MAIN + 2, 1);
      fake_transfer (f, FAKE_RAM + 1, rows[i].told);
      fake_end (f, fake_run (f, MAIN + 4, 1), false);
      struct tb_state *s = finish (f);
      KNOWN (s, 0, TB_R1, FAKE_RAM);
      if (rows[i].used)
	{
	  KNOWN (s, 1, TB_R0, 0x85);
	  KNOWN (s, 2, TB_R2, 0xffffff85);
	}
      else
	{
	  UNKNOWN (s, 1, TB_R0);
	  UNKNOWN (s, 2, TB_R2);
	}
      end (f, s);
    }
}

/* Several registers; what is stored is loaded again.  */
static void
test_multiple (void)
{
  struct tb_recording *f = BEGIN (0xc30c,	/* stmia r3!,{r2,r3}  */
				  0xc818,	/* ldmia r0!,{r3,r4}  */
				  0x680d,	/* ldr r5,[r1]  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_run (f, MAIN, 1);
  fake_transfer (f, FAKE_RAM + 16, 0x11);
  fake_transfer (f, FAKE_RAM + 20, 0x22)->has_value = false;
  fake_run (f, MAIN + 2, 1);
  fake_transfer (f, 0, 0x33)->address_bits = 0;
  fake_transfer (f, 0, 0x44)->address_bits = 0;
  fake_end (f, fake_run (f, MAIN + 4, 2), false);
  struct tb_state *s = finish (f);
  /* The register that it goes by is stored as it was.  */
  KNOWN (s, 0, TB_R3, FAKE_RAM + 16);
  KNOWN (s, 0, TB_R2, 0x11);
  KNOWN (s, 2, TB_R3, 0x33);
  KNOWN (s, 2, TB_R4, 0x44);
  WORD (s, 1, FAKE_RAM + 16, 0x11);
  end (f, s);
}

/* An exclusive store that failed stored nothing; its status says which.  */
static void
test_failed (bool failed, bool done)
{
  struct tb_recording *f = BEGIN (0xe842, 0x0300,	/* strex r3,r0,[r2]  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_run (f, MAIN, 1);
  struct tb_transfer *t = fake_transfer (f, FAKE_RAM + 16, failed ? 0 : 7);
  t->failed = failed;
  t->done = done;
  fake_end (f, fake_run (f, MAIN + 4, 1), false);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R2, FAKE_RAM + 16);
  if (failed)
    UNKNOWN (s, 0, TB_R0);
  else
    KNOWN (s, 0, TB_R0, 7);
  if (failed || done)
    KNOWN (s, 1, TB_R3, failed);
  else
    UNKNOWN (s, 1, TB_R3);
  if (done)
    WORD (s, 1, FAKE_RAM + 16, 7);
  else
    NO_WORD (s, 1, FAKE_RAM + 16);
  end (f, s);
}

/* ldmia r1!,{r0,r2,r3}, of which the unit tells the last two; nothing is concluded where the trace
   breaks off behind it, nor without ADDRESSES: one whose value was lost does not show then.  */
static void
test_last_of_several (bool gap, bool addresses)
{
  struct tb_recording *f = BEGIN (0xc90d, 0xbf00);
  f->profile.arch = TB_ARCH_V7M;
  fake_run (f, MAIN, 1);
  fake_transfer (f, FAKE_RAM + 20, 0x22)->address_bits = addresses ? 32 : 0;
  fake_transfer (f, FAKE_RAM + 24, 0x33)->address_bits = addresses ? 32 : 0;
  if (gap)
    fake_event (f, TB_EVENT_GAP, 0);
  fake_end (f, fake_run (f, MAIN + 2, 1), false);
  struct tb_state *s = finish (f);
  if (gap || !addresses)
    {
      UNKNOWN (s, 0, TB_R1);
      UNKNOWN (s, 1, TB_R2);
    }
  else
    {
      KNOWN (s, 0, TB_R1, FAKE_RAM + 16);
      UNKNOWN (s, 1, TB_R0);
      KNOWN (s, 1, TB_R2, 0x22);
      KNOWN (s, 1, TB_R3, 0x33);
    }
  end (f, s);
}

/* mrc p15,0,r0,c1,c0,0; mcr p15,0,r1,c1,c0,0: a word without an address; not where there is
   one.  */
static void
test_coprocessor (bool address)
{
  static const uint32_t words[] = { 0xee110f10, 0xee011f10, 0xe320f000 };
  struct tb_recording *f = fake_new (TB_ARCH_V7A);
  memset (flash, 0, sizeof flash);
  memset (ram, 0, sizeof ram);
  for (size_t i = 0; i < 3; i++)
    TARGET_STORE (flash, MAIN + 4 * i, 4, words[i]);
  fake_dump (f, 0, flash, sizeof flash);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  fake_run (f, MAIN, 1);
  fake_transfer (f, FAKE_RAM, 0x1234)->address_bits = address ? 32 : 0;
  fake_run (f, MAIN + 4, 1);
  fake_transfer (f, FAKE_RAM, 0x5678)->address_bits = address ? 32 : 0;
  fake_end (f, fake_run (f, MAIN + 8, 1), false);
  struct tb_state *s = finish (f);
  if (address)
    {
      UNKNOWN (s, 1, TB_R0);
      UNKNOWN (s, 0, TB_R1);
    }
  else
    {
      KNOWN (s, 1, TB_R0, 0x1234);
      KNOWN (s, 0, TB_R1, 0x5678);
    }
  end (f, s);
}

/* vldr s0,[r1] on a Cortex-M4: what an exception left to be saved may be before its word.  */
static void
test_fp (void)
{
  struct tb_recording *f = BEGIN (0xed91, 0x0a00,	/* vldr s0,[r1]  */
				  0xee10, 0x0a10,	/* vmov r0,s0  */
				  0xbf00);
  f->profile.arch = TB_ARCH_V7EM;
  f->profile.has_fp = true;
  fake_run (f, MAIN, 1);
  fake_transfer (f, FAKE_RAM + 4, 0x1234);
  fake_run (f, MAIN + 4, 1);
  fake_end (f, fake_run (f, MAIN + 8, 1), false);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R1, FAKE_RAM + 4);
  KNOWN (s, 2, TB_R0, 0x1234);
  end (f, s);
}

/* An exception's frame, in the order of no specification, and half of one.  */
static void
test_frame (unsigned words)
{
  enum { FRAME = FAKE_RAM + 0x40 };
  static const uint8_t order[8] = { 6, 7, 0, 1, 2, 3, 4, 5 };
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00, 0xbf00);
  memcpy (flash + 0x180 / 2, (uint16_t[]) { 0xbf00, 0xbf00 }, 4);
  flash[2 * 15] = 0x181;
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 15;
  fake_run (f, 0x180, 1);
  for (unsigned i = 0; i < words; i++)
    {
      struct tb_transfer *t
	= fake_transfer (f, FRAME + 4 * order[i],
			 order[i] == 6 ? MAIN + 2 : order[i] == 7 ? 0x01000000u
			 : 0x1110u + order[i]);
      t->by = TB_BY_ENTRY;
      t->part = i;
    }
  fake_end (f, fake_run (f, 0x182, 1), false);
  struct tb_state *s = finish (f);
  if (words == 8)
    {
      KNOWN (s, 0, TB_R0, 0x1110);
      KNOWN (s, 0, TB_R3, 0x1113);
      KNOWN (s, 0, TB_R12, 0x1114);
      KNOWN (s, 1, TB_SP, FRAME);
      WORD (s, 1, FRAME + 4, 0x1111);
    }
  else
    {
      UNKNOWN (s, 0, TB_R0);
      UNKNOWN (s, 1, TB_SP);
    }
  end (f, s);
}

/* A handler is preempted before its first instruction: each exception has its frame.  */
static void
test_nested (void)
{
  enum { FRAME = FAKE_RAM + 0x80 };
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00, 0xbf00);
  memcpy (flash + 0x180 / 2, (uint16_t[]) { 0xbf00, 0xbf00 }, 4);
  flash[2 * 15] = 0x181;
  flash[2 * 16] = 0x191;
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 16;
  fake_event (f, TB_EVENT_EXCEPTION, 0x190)->exception = 15;
  fake_run (f, 0x180, 1);
  for (unsigned i = 0; i < 16; i++)
    {
      bool second = i >= 8;
      uint32_t word = i % 8;
      uint32_t value = word == 6 ? (second ? 0x190 : MAIN + 2u)
		       : word == 7 ? 0x01000000u + (second ? 16 : 0)
		       : word == 5 ? (second ? 0xfffffff9u : 0x135u) : 0x1110u + word;
      struct tb_transfer *t
	= fake_transfer (f, FRAME - (second ? 32 : 0) + 4 * word, value);
      t->by = TB_BY_ENTRY;
      t->entry = second;
      t->part = (uint8_t) word;
    }
  fake_end (f, fake_run (f, 0x182, 1), false);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_LR, 0x135);
  KNOWN (s, 0, TB_R3, 0x1113);
  KNOWN (s, 0, TB_SP, FRAME + 32);
  KNOWN (s, 1, TB_SP, FRAME - 32);
  WORD (s, 1, FRAME + 20, 0x135);
  WORD (s, 1, FRAME - 12, 0xfffffff9);
  end (f, s);
}

/* movs r0,#5; str r0,[r1]; nop, and that it stored VALUE.  */
static struct tb_recording *
store (uint32_t value)
{
  struct tb_recording *f = BEGIN (0x2005, 0x6008, 0xbf00);
  fake_run (f, MAIN, 2);
  fake_transfer (f, FAKE_RAM, value);
  fake_end (f, fake_run (f, MAIN + 4, 1), false);
  return f;
}

/* What code cannot have moved was not moved: the transfer does not count, nor what memory
   holds there, and all else does.  */
static void
test_contradiction (void)
{
  struct tb_recording *f = store (6);
  struct tb_state *s = fake_open (f);
  CHECK_INT (f->diag.warnings, 1);
  KNOWN (s, 1, TB_R0, 5);
  KNOWN (s, 2, TB_R0, 5);
  UNKNOWN (s, 0, TB_R1);
  NO_WORD (s, 2, FAKE_RAM);
  end (f, s);
}

/* ldr r0,[r1]; ldr r2,[r1]; nop: of two loads that cannot both be neither is used, but what
   they agree in.  */
static void
test_two_contradict (uint64_t window)
{
  struct tb_recording *f = BEGIN (0x6808, 0x680a, 0x6823, 0xbf00);
  f->options.window = window;
  fake_run (f, MAIN, 1);
  fake_transfer (f, FAKE_RAM, 7);
  fake_run (f, MAIN + 2, 1);
  fake_transfer (f, FAKE_RAM, 6);
  fake_run (f, MAIN + 4, 1);
  fake_transfer (f, FAKE_RAM + 8, 3);
  fake_end (f, fake_run (f, MAIN + 6, 1), false);
  struct tb_state *s = fake_open (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  CHECK (f->diag.warnings > 0);
  UNKNOWN (s, 1, TB_R0);
  UNKNOWN (s, 2, TB_R2);
  if (window == 0)
    KNOWN (s, 3, TB_R3, 3);
  end (f, s);
}

/* An address that is wrong takes along those that were sent relative to it.  */
static void
test_relative (bool relative)
{
  struct tb_recording *f = BEGIN (0x2120,	/* movs r1,#32  */
				  0x0609,	/* lsls r1,r1,#24  */
				  0x6808,	/* ldr r0,[r1]  */
				  0x6822,	/* ldr r2,[r4]  */
				  0xbf00);
  fake_run (f, MAIN, 3);
  fake_transfer (f, FAKE_RAM + 0x400, 7);
  fake_run (f, MAIN + 6, 1);
  fake_transfer (f, FAKE_RAM + 0x408, 9)->relative = relative;
  fake_end (f, fake_run (f, MAIN + 8, 1), false);
  struct tb_state *s = fake_open (f);
  CHECK_INT (f->diag.warnings, 1);
  KNOWN (s, 2, TB_R1, FAKE_RAM);
  if (relative)
    UNKNOWN (s, 3, TB_R4);
  else
    KNOWN (s, 3, TB_R4, FAKE_RAM + 0x408);
  end (f, s);
}

/* The premise traced-data.  */
static void
test_doubted (void)
{
  for (unsigned doubted = 0; doubted < 2; doubted++)
    {
      struct tb_recording *f = load ();
      f->options.doubt = doubted ? TB_PREMISE_DATA : 0;
      fake_transfer (f, FAKE_RAM + 8, 0x1234);
      struct tb_state *s = go_on (f);
      const struct tb_why_query query = { .kind = TB_WHY_REGISTER, .number = TB_R0,
					  .size = 4 };
      struct tb_why_grounds g = tb_why_find_grounds (s, 1, &query);
      CHECK_INT (g.rests, doubted ? 0 : TB_PREMISE_DATA | TB_PREMISE_CODE);
      CHECK_INT (g.missing, doubted ? TB_PREMISE_DATA : 0);
      if (doubted)
	UNKNOWN (s, 1, TB_R0);
      end (f, s);
    }
}

int
main (void)
{
  test_address_and_value ();
  test_one_of_both ();
  test_not_all ();
  test_bytes ();
  test_multiple ();
  test_failed (false, false);
  test_failed (false, true);
  test_failed (true, false);
  test_last_of_several (false, true);
  test_last_of_several (true, true);
  test_last_of_several (false, false);
  test_coprocessor (false);
  test_coprocessor (true);
  test_fp ();
  test_frame (8);
  test_frame (7);
  test_nested ();
  test_contradiction ();
  test_two_contradict (0);
  test_two_contradict (1);
  test_relative (true);
  test_relative (false);
  test_doubted ();
  return check_done ();
}
