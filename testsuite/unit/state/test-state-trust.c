/* State: code that is not what ran, and input that contradicts itself.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

#include "decode/element.h"
#include "recording/packed-ran.h"
#include "state/window/faults.h"

/* A second dump with code.  */
#define OTHER 0x8000u
static const uint16_t other[16] = { 0x2107,	/* movs r1,#7  */
				    0x46c0, 0x46c0 };

/* What an index says that ran, if there is one; of fake-recording.c nothing is said.  */
static struct tb_packed_ran ran;
static struct tb_gather gather;
static bool has_index;

const struct tb_packed_ran *
tb_recording_window_ran (const struct tb_recording *f, size_t number)
{
  (void) f, (void) number;
  return has_index ? &ran : NULL;
}

/* There is an index: the other dump ran, and if MAIN_RAN the first one.  */
static void
set_index (bool main_ran)
{
  free (ran.bytes);
  has_index = (!main_ran || tb_ran_append (&gather.ran, MAIN, MAIN + 9))
	      && tb_ran_append (&gather.ran, OTHER, OTHER + 3)
	      && tb_gather_pack (&gather, false, &ran);
  CHECK (has_index);
}

/* What shows that the first dump is not what ran.  */
enum sign
{
  NOTHING,			/* The twin.  */
  UNSEEN,			/* Nothing that can be found again.  */
  JUMP, NOT_TAKEN, UNDEFINED, LOST_SYNC, PLACE
};

static void
mark (struct tb_recording *f, enum sign sign)
{
  f->stats.bad_image = sign != NOTHING;
  f->stats.places[0].address = sign == PLACE ? MAIN : 0x12345678;
}

/* Three stretches: in the first dump, with a sign of being wrong; in the other one; in
   the first one again.  KNOWN: is what is loaded in each known after it?  */
static void
test_signs (enum sign sign, unsigned known, uint64_t window)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x46c0,	/* nop  */
				  0xe7fc,	/* b MAIN  */
				  0xde00,	/* udf  */
				  0x46c0);
  fake_dump (f, OTHER, other, sizeof other);
  mark (f, sign);
  fake_step (f, MAIN, 0);
  switch (sign)
    {
    case JUMP:
      fake_step (f, MAIN + 8, 0);	/* Nothing leads there.  */
      break;
    case NOT_TAKEN:
      fake_step (f, MAIN + 2, 0);
      fake_step (f, MAIN + 4, 0);
      fake_step (f, MAIN + 6, 0);
      fake_step (f, MAIN + 8, 0);
      break;
    case UNDEFINED:
      fake_step (f, MAIN + 2, 0);
      fake_step (f, MAIN + 4, TB_STEP_TAKEN);
      fake_step (f, MAIN, 0);
      fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 3;
      fake_step (f, MAIN + 6, 0);
      fake_step (f, MAIN + 8, 0);
      break;
    default:
      fake_step (f, MAIN + 2, 0);
      break;
    }
  uint64_t first = f->info.steps - 1;
  fake_event (f, TB_EVENT_GAP, 0)->reason
    = sign == LOST_SYNC ? TB_REASON_BAD_IMAGE : TB_REASON_OVERFLOW;
  fake_run (f, OTHER, 2);
  uint64_t second = f->info.steps - 1;
  fake_event (f, TB_EVENT_GAP, 0);
  fake_run (f, MAIN, 2);
  uint64_t third = f->info.steps - 1;
  f->options.window = window;
  struct tb_state *s = fake_open (f);
  uint32_t got;
  CHECK_INT (f->diag.warnings, sign != NOTHING);
  if (sign != NOTHING)
    CHECK (!fake_known (s, first, TB_R0, &got));
  else if (window == 0)		/* A window alone knows less.  */
    CHECK (fake_known (s, first, TB_R0, &got));
  if (window == 0 || !(known >> 1 & 1))
    CHECK_INT (fake_known (s, second, TB_R1, &got), known >> 1 & 1);
  if (window == 0 || !(known >> 2 & 1))
    CHECK_INT (fake_known (s, third, TB_R0, &got), known >> 2 & 1);
  CHECK_INT (tb_state_analysed (s, first), sign == NOTHING);
  CHECK_INT (tb_state_analysed (s, second), known >> 1 & 1);
  /* Nor is what else is in the dump.  */
  uint8_t byte, origin;
  if (window == 0 || (sign != NOTHING && sign != UNSEEN))
    CHECK_INT (tb_state_memory (s, second, MAIN, &byte, &origin, 1),
	       sign == NOTHING || sign == UNSEEN);
  end (f, s);
}

/* Of traces that are too long to look at each step it is enough to know where all
   faults are: two stretches of two dumps.  */
static void
test_long (uint64_t faults, bool found)
{
  struct tb_recording *f = BEGIN (0x2005, 0x46c0, 0x46c0, 0x46c0);
  fake_dump (f, OTHER, other, sizeof other);
  for (uint64_t i = 0; i < 6; i++)
    {
      fake_run (f, MAIN, 2);
      fake_event (f, TB_EVENT_GAP, 0)->reason
	= i < 5 ? TB_REASON_BAD_IMAGE : TB_REASON_OVERFLOW;
    }
  fake_run (f, OTHER, 2);
  f->stats.bad_image = faults;
  for (unsigned i = 0; i < TB_FAULT_PLACES; i++)
    f->stats.places[i].address = MAIN + 2;
  struct tb_state *s = fake_open (f);
  struct tb_trust trust;
  uint64_t lost;
  CHECK (tb_trust_find_faults (&trust, f, 0));
  CHECK_INT (tb_trust_lost (&trust, &lost), found ? 6 : 7);
  CHECK_INT (lost, found ? 12 : 14);
  tb_trust_fini (&trust);
  end (f, s);
}

/* Faults are looked for once, not for each of the states that say whether the trace ends at the
   halt.  */
static unsigned
read_whole (bool faults)
{
  static const struct tb_device source = { .name = "source" };
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x46c0,	/* nop  */
				  0xe7fc);	/* b MAIN  */
  f->stats.bad_image = faults;
  f->options.source = &source;
  for (unsigned i = 0; i < 8; i++)
    {
      fake_run (f, MAIN, 2);
      fake_step (f, MAIN + 4, TB_STEP_TAKEN);
    }
  fake_end (f, MAIN, true);
  struct tb_state *s = fake_open (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_UNCONFIRMED);
  unsigned read = f->read_whole;
  end (f, s);
  return read;
}

/* A search that rests where it may finds the same.  */
static bool
rest (void *context)
{
  ++*(unsigned *) context;
  return false;
}

static void
test_rests (uint64_t most)
{
  struct tb_recording *f = BEGIN (0x2005, 0x46c0, 0xe7fc, 0xde00, 0x46c0);
  fake_dump (f, OTHER, other, sizeof other);
  f->stats.bad_image = 1;
  f->stats.places[0].address = most != 0 ? 0x12345678 : MAIN;
  for (unsigned i = 0; i < 9000; i++)
    {
      bool first = i % 300 < 150;
      fake_run (f, first ? MAIN : OTHER, 2);
      if (i == 8100)
	fake_step (f, MAIN + 8, 0);	/* Nothing leads there.  */
      if (i % 150 == 149)
	fake_event (f, TB_EVENT_GAP, 0);
      else if (first)
	fake_step (f, MAIN + 4, TB_STEP_TAKEN);
      else
	fake_event (f, TB_EVENT_EXCEPTION, OTHER);
    }
  struct tb_state *s = fake_open (f);
  struct tb_trust whole, parts;
  unsigned asked = 0, rests = 0;
  uint64_t lost[2];
  CHECK (tb_trust_find_faults (&whole, f, most));
  struct tb_faults *faults = tb_faults_new (f, most);
  if (!CHECK (faults != NULL))
    return;
  enum tb_faults_found found;
  do
    {
      struct tb_poll poll = { .go_on = rest, .context = &asked };
      found = tb_faults_search (faults, &poll);
      rests += found == TB_FAULTS_MORE;
    }
  while (found == TB_FAULTS_MORE);
  CHECK_INT (found, TB_FAULTS_FOUND);
  CHECK_INT (rests, asked);
  CHECK (rests > 5);
  tb_faults_take (faults, &parts);
  tb_faults_free (faults);
  CHECK_INT (parts.count, 60);
  CHECK_INT (whole.count, 60);
  CHECK_INT (tb_trust_lost (&parts, &lost[0]), 30);
  CHECK_INT (tb_trust_lost (&whole, &lost[1]), 30);
  CHECK_INT (lost[0], lost[1]);
  for (size_t i = 0; i < whole.count && i < parts.count; i++)
    {
      CHECK_INT (parts.stretches[i].first, whole.stretches[i].first);
      CHECK_INT (parts.stretches[i].lost, whole.stretches[i].lost);
    }
  tb_trust_fini (&whole);
  tb_trust_fini (&parts);
  end (f, s);
}

/* Two stretches in two dumps, the first of which cannot have run.  The halt is
   that of the second one.  WINDOW: whatever window shows that.  */
static void
test_contradiction (bool wrong, bool halt_wrong, bool same_code,
		    uint64_t window)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x2805,	/* cmp r0,#5  */
				  0xd1fc,	/* bne MAIN  */
				  0x46c0,
				  0x2107,	/* movs r1,#7  */
				  0x3101);	/* adds r1,#1  */
  fake_dump (f, OTHER, flash + (MAIN + 8) / 2, 32);
  fake_run (f, MAIN, 2);
  fake_step (f, MAIN + 4, wrong ? TB_STEP_TAKEN : 0);
  fake_step (f, wrong ? MAIN : MAIN + 6, 0);
  fake_event (f, TB_EVENT_GAP, 0);
  uint32_t at = same_code ? MAIN + 8 : OTHER;
  fake_reg (f, "R1", halt_wrong ? 9 : 8);
  fake_reg (f, "R4", 44);
  fake_end (f, fake_run (f, at, 2), true);
  f->options.window = window;
  struct tb_state *s = fake_open (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  uint32_t got;
  CHECK_INT (f->diag.warnings, wrong + halt_wrong);
  CHECK_INT (fake_known (s, 1, TB_R0, &got), !wrong);
  CHECK_INT (fake_known (s, 5, TB_R1, &got), !(wrong && same_code));
  if (!(wrong && same_code))
    CHECK_INT (got, 7);
  /* What only the halt says.  */
  CHECK_INT (fake_known (s, 5, TB_R4, &got),
	     !halt_wrong && !(wrong && same_code));
  CHECK_INT (tb_state_halt (s), halt_wrong ? TB_HALT_CONTRADICTED
	     : TB_HALT_USED);
  end (f, s);
}

/* What is loaded is not what was stored: a device wrote it, or the code is wrong;
   all is lost, as both are possible, unless the memory is said to be volatile.  */
static void
test_dma (bool is_volatile)
{
  struct tb_extent item = { FAKE_RAM, 4 };
  const struct tb_extents at = { &item, 1, 1 };
  struct tb_recording *f = BEGIN (0x2120,	/* movs r1,#0x20  */
				  0x0609,	/* lsls r1,r1,#24  */
				  0x2005,	/* movs r0,#5  */
				  0x6008,	/* str r0,[r1]  */
				  0x680a,	/* ldr r2,[r1]  */
				  0x2a06,	/* cmp r2,#6  */
				  0xd000,	/* beq  */
				  0x46c0, 0x46c0);
  fake_reg (f, "R1", FAKE_RAM);
  if (is_volatile)
    f->options.volatiles = &at;
  fake_run (f, MAIN, 6);
  fake_step (f, MAIN + 12, TB_STEP_TAKEN);
  fake_end (f, fake_run (f, MAIN + 16, 1), true);
  ram[0] = 6;
  struct tb_state *s = fake_open (f);
  uint32_t got;
  CHECK_INT (f->diag.warnings, !is_volatile);
  CHECK_INT (fake_known (s, 3, TB_R0, &got), is_volatile);
  CHECK_INT (fake_known (s, 5, TB_R2, &got), is_volatile);
  if (is_volatile)
    CHECK_INT (got, 6);
  end (f, s);
}

int
main (void)
{
  /* However the trace is cut into windows, and whether an index says what ran or not.  */
  for (unsigned i = 0; i < 12; i++)
    {
      uint64_t window = i % 6;
      if (i == 6)
	set_index (true);
      test_signs (NOTHING, 7, window);
      test_signs (UNSEEN, 0, window);
      test_signs (JUMP, 2, window);
      test_signs (NOT_TAKEN, 2, window);
      test_signs (UNDEFINED, 2, window);
      test_signs (LOST_SYNC, 2, window);
      test_signs (PLACE, 2, window);
    }
  /* What it says did not run is not looked for.  */
  set_index (false);
  test_signs (JUMP, 6, 0);
  has_index = false;
  free (ran.bytes);
  free (gather.ran.items);
  for (uint64_t window = 0; window < 6; window++)
    {
      test_contradiction (false, false, false, window);
      test_contradiction (false, true, false, window);
      test_contradiction (true, false, false, window);
      test_contradiction (true, true, false, window);
      test_contradiction (false, false, true, window);
      test_contradiction (true, false, true, window);
    }
  test_long (4, true);		/* All of which the decoder kept the place.  */
  test_long (5, true);		/* One more lost the way.  */
  test_long (6, false);
  CHECK (read_whole (true) <= read_whole (false) + 3);
  test_rests (0);
  test_rests (1000000);
  test_dma (false);
  test_dma (true);
  return check_done ();
}
