/* State where a load multiple is interrupted, once or twice, and begins again or goes on:
   random runs, as ARMv7-M (DDI 0403, B1.5.10) has it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/element.h"
#include "rounds.h"
#include "state-program.h"

#define HANDLER 0x200u
#define WORDS 4			/* That it loads, ...  */
#define DATA (FAKE_RAM + 160)	/* ... from there on.  */
#define STACK (FAKE_RAM + 128)
#define FRAME 8
#define SP 13
#define LR 14
#define ROUNDS 600
#define STEPS 40

static uint32_t seed = 1;

static uint32_t
random_number (uint32_t below)
{
  seed = seed * 1103515245 + 12345;
  return (seed >> 16) % below;
}

/* The core now, and before each step.  */
static uint32_t core[16], truth[STEPS][16];
static unsigned steps;

static void
step (struct tb_recording *f, uint32_t pc, unsigned flags)
{
  memcpy (truth[steps++], core, sizeof core);
  fake_step (f, pc, flags);
}

static uint32_t *
word_at (uint32_t address)
{
  return &ram[(address - FAKE_RAM) / 4];
}

/* r0 = VALUE, and to word INDEX of the data: two steps at PC.  */
static void
store (struct tb_recording *f, uint32_t pc, uint32_t value, unsigned index)
{
  uint32_t to = DATA + 4 * index;
  flash[pc / 2] = (uint16_t) (0x2000 | value);	/* movs r0,#VALUE  */
  flash[pc / 2 + 1] = (uint16_t) (0x9000 | (to - core[SP]) / 4);	/* str r0,[sp,#...]  */
  step (f, pc, 0);
  core[0] = value;
  step (f, pc + 2, 0);
  *word_at (to) = value;
}

/* What the instruction at PC, which loads the registers LIST, has done.  */
struct load
{
  uint32_t pc;
  const unsigned *list;
  unsigned next;		/* So many are loaded.  */
};

static void
load (const struct load *l, unsigned from, unsigned to)
{
  for (unsigned i = from; i < to; i++)
    core[l->list[i]] = *word_at (DATA + 4 * i);
}

/* An exception comes, its handler at HANDLER + PLACE runs, and returns.  */
static void
interrupt (struct tb_recording *f, struct load *l, uint32_t place)
{
  unsigned done = l->next + random_number (WORDS - l->next), old = l->next;
  bool goes_on = done > 0 && random_number (3) != 0;
  load (l, old, done);
  l->next = goes_on ? done : 0;
  core[SP] -= 4 * FRAME;
  uint32_t *frame = word_at (core[SP]);
  memcpy (frame, core, 4 * 4);
  frame[4] = core[12];
  frame[5] = core[LR];
  frame[6] = l->pc;
  frame[7] = 0x01000000 | (goes_on ? l->list[done] << 12 : 0);
  for (unsigned i = 0; i < 4; i++)
    core[i] = 0x8000 + random_number (0x7000);
  core[12] = random_number (0x7000);
  core[LR] = 0xfffffff9;
  fake_event (f, TB_EVENT_EXCEPTION, l->pc)->exception = 16;

  uint32_t pc = HANDLER + place;
  unsigned changed = random_number (4) == 0 ? 2 + random_number (6) : 0;
  store (f, pc, 1 + random_number (200), random_number (2) ? random_number (WORDS) : 6);
  flash[pc / 2 + 2] = (uint16_t) (changed != 0 ? 0x2000 | changed << 8 | 0x55 : 0xbf00);
  flash[pc / 2 + 3] = 0x4770;	/* bx lr  */
  step (f, pc + 4, 0);
  if (changed != 0)
    core[changed] = 0x55;
  step (f, pc + 6, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, l->pc)->value = 0xfffffff9;
  memcpy (core, frame, 4 * 4);
  core[12] = frame[4];
  core[LR] = frame[5];
  core[SP] += 4 * FRAME;
}

static unsigned known, kept;

static void
compare (struct tb_state *s, unsigned behind, const unsigned *list, bool went_on)
{
  for (unsigned i = 0; i < steps; i++)
    for (unsigned r = 0; r <= LR; r++)
      {
	uint32_t got;
	if ((r > 7 && r < SP) || !fake_known (s, i, r, &got))
	  continue;
	CHECK_INT (got, truth[i][r]);
	known++;
      }
  for (unsigned i = 0; i < WORDS && went_on; i++)
    {
      uint32_t got;
      kept += fake_known (s, behind, list[i], &got);
    }
}

static void
run (void)
{
  struct tb_recording *f = fake_new (TB_ARCH_V7M);
  unsigned list[WORDS], n = 0;
  memset (flash, 0, sizeof flash);
  memset (ram, 0, sizeof ram);
  fake_dump (f, 0, flash, sizeof flash);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  steps = 0;
  for (unsigned r = 0; r < 16; r++)
    core[r] = 0x100000 + random_number (0x8000);
  core[1] = DATA;
  core[SP] = STACK;
  for (unsigned r = 2; r < 8; r++)
    if (n < WORDS && random_number (8 - r) < WORDS - n)
      list[n++] = r;

  uint32_t pc = MAIN;
  for (unsigned i = 0; i < WORDS; i++, pc += 4)
    store (f, pc, 1 + random_number (200), i);
  struct load l = { pc, list, 0 };
  flash[pc / 2] = 0xc900;	/* ldm r1!,{...}  */
  for (unsigned i = 0; i < WORDS; i++)
    flash[pc / 2] |= (uint16_t) (1u << list[i]);
  for (unsigned times = random_number (3), i = 0; i < times; i++)
    interrupt (f, &l, 16 * i);
  bool went_on = l.next != 0, hides = random_number (2);
  step (f, pc, 0);
  load (&l, l.next, WORDS);
  core[1] += 4 * WORDS;
  unsigned behind = steps;
  /* It overwrites the xPSR of the frame.  */
  flash[pc / 2 + 1] = hides ? 0xb401 : 0xbf00;	/* push {r0}  */
  step (f, pc + 2, 0);
  if (hides)
    *word_at (core[SP] -= 4) = core[0];
  flash[pc / 2 + 2] = 0xbf00;
  step (f, pc + 4, 0);
  fake_reg (f, "R1", core[1]);
  fake_reg (f, "SP", core[SP]);
  fake_end (f, pc + 6, true);
  f->profile.arch = TB_ARCH_V7M;
  struct tb_state *s = finish (f);
  compare (s, behind, list, went_on);
  end (f, s);
}

int
main (void)
{
  for (unsigned i = rounds_of (ROUNDS); i > 0; i--)
    run ();
  printf ("%u known, %u of what an instruction that went on had loaded or loads\n", known, kept);
  CHECK (kept > 0);
  return check_done ();
}
