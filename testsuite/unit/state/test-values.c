/* Searches for values: what stores one, whatever block of steps it is in, and how far the search
   is.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "fake-recording.h"
#include "state/answer/values.h"

#define CODE 0x1000u
#define STEPS 9000

static uint16_t code[STEPS];
static uint32_t ram[16];

/* A search, and where it was when it asked whether to go on.  */
struct search
{
  uint64_t reached, asked[8], found[8];
  unsigned nasked, nfound, most;	/* MOST: it is given up then.  */
};

static bool
go_on (void *context)
{
  struct search *s = context;
  s->asked[s->nasked++ & 7] = s->reached;
  return s->nasked < s->most;
}

static bool
take (void *context, const struct tb_value_found *found)
{
  struct search *s = context;
  CHECK_INT (found->access.address, FAKE_RAM + 4);
  s->found[s->nfound++ & 7] = found->step;
  return s->nfound < 8;
}

/* The steps between which blocks end are those that a search is asked about.  */
static void
test_blocks (void)
{
  static const unsigned stores[] = { 3, 4095, 4096, 4100, 8191, 8999 };
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  for (unsigned i = 0; i < STEPS; i++)
    code[i] = 0xbf00;		/* nop  */
  code[0] = 0x2105;		/* movs r1, #5  */
  code[1] = 0x2020;		/* movs r0, #0x20  */
  code[2] = 0x0600;		/* lsls r0, r0, #24  */
  for (unsigned i = 0; i < sizeof stores / sizeof stores[0]; i++)
    code[stores[i]] = 0x6041;	/* str r1, [r0, #4]  */
  ram[1] = 5;
  fake_dump (f, CODE, code, sizeof code);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  fake_end (f, fake_run (f, CODE, STEPS), true);
  struct tb_state *state = fake_open (f);
  if (!CHECK (state != NULL))
    return;
  CHECK (tb_state_prepare (state, 0, NULL, NULL, &f->diag));
  struct search s = { .most = 8 };
  const struct tb_values_source source = {
    .state = state, .recording = f, .go_on = go_on, .context = &s, .reached = &s.reached
  };
  const struct tb_wanted_value five = { .value = 5, .length = 4 };
  const struct tb_wanted_value six = { .value = 6, .length = 4 };
  struct tb_values_missed missed;
  CHECK_INT (tb_values_find (&source, &five, 0, UINT64_MAX, take, &s, &missed), TB_SEARCH_NONE);
  CHECK_INT (s.nfound, sizeof stores / sizeof stores[0]);
  for (unsigned i = 0; i < sizeof stores / sizeof stores[0]; i++)
    CHECK_INT (s.found[i], stores[i]);
  CHECK (s.nasked == 3 && s.asked[0] == 0 && s.asked[1] == 4096 && s.asked[2] == 8192);
  CHECK (missed.values == 0 && missed.steps == 0 && missed.gaps == 0);

  /* From a step on, up to another one, and none.  */
  s = (struct search) { .most = 8 };
  CHECK_INT (tb_values_find (&source, &five, 4, 8191, take, &s, &missed), TB_SEARCH_NONE);
  CHECK (s.nfound == 3 && s.found[0] == 4095 && s.found[2] == 4100);
  CHECK (s.nasked == 2 && s.asked[0] == 4 && s.asked[1] == 4100);
  s = (struct search) { .most = 8 };
  CHECK_INT (tb_values_find (&source, &six, 0, STEPS, take, &s, &missed), TB_SEARCH_NONE);
  CHECK_INT (s.nfound, 0);

  /* It is given up where it is told to be.  */
  s = (struct search) { .most = 2 };
  CHECK_INT (tb_values_find (&source, &five, 0, STEPS, take, &s, &missed), TB_SEARCH_STOPPED);
  CHECK (s.nasked == 2 && s.nfound == 2 && s.found[1] == 4095);
  tb_state_close (state);
  fake_free (f);
}

int
main (void)
{
  test_blocks ();
  return check_done ();
}
