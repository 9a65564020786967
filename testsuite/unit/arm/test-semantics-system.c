/* Instructions on system registers write no slot but those that their effect says, and what
   they write depends on nothing but what it says they read.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "generator/random.h"
#include "run-32.h"

#include "arm/ir/semantics.h"

/* Random numbers, always the same.  */
static uint32_t
any (void)
{
  static struct gen_random random;
  return (uint32_t) gen_next (&random);
}

/* Give slot R, of the M profile if M, a value that it may have.  */
static void
choose (uint32_t *places, unsigned r, bool m)
{
  static const uint8_t modes[] = {
    TB_MODE_USR, TB_MODE_FIQ, TB_MODE_IRQ, TB_MODE_SVC, TB_MODE_ABT, TB_MODE_UND,
    TB_MODE_SYS, TB_MODE_HYP
  };
  uint32_t value = any ();
  if (!m && r == TB_SLOT_MODE)
    value = modes[value % sizeof modes];
  else if (r == TB_SLOT_GE)
    value &= 15;
  else if (r == TB_SLOT_MASKS)
    value &= m ? 1 : 7;
  else if (m && r == TB_SLOT_IPSR)
    value &= 255;
  else if (r >= TB_SLOT_N)
    value &= 1;
  places[r] = value;
}

/* Describe the instruction OPCODE of PROFILE: A32, or T32 of SIZE bytes.  */
static bool
describe (struct tb_semantics *s, uint32_t opcode, unsigned size,
	  const struct tb_profile *profile)
{
  if (profile->is_m)
    tb_semantics_t32 (s, opcode, size, 0x100, profile);
  else
    tb_semantics_a32 (s, opcode, 0x100, profile);
  return s->modelled;
}

/* Run OPCODE on values at random, twice: the second time what it does not read is other.  */
static void
try (uint32_t opcode, unsigned size, const struct tb_profile *profile)
{
  struct tb_semantics s;
  struct tb_semantics_result result, other;
  struct tb_semantics_effect effect;
  uint32_t before[TB_PLACE_END] = { 0 }, first[TB_PLACE_END], second[TB_PLACE_END];
  char text[60];
  bool m = profile->is_m;
  snprintf (text, sizeof text, "%s, %08x, slot", profile->name, (unsigned) opcode);
  if (!describe (&s, opcode, size, profile))
    return;
  tb_semantics_effect (s.uops, s.count, false, &effect);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    choose (before, r, m);
  memcpy (first, before, sizeof first);
  run_32 (&s, first, NULL, &result);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    check_that (first[r] == before[r] || effect.may_write >> r & 1, text, (int) r,
		"it may be written");
  uint64_t reads = effect.reads | (effect.may_write & ~effect.writes);
  memcpy (second, before, sizeof second);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    if (!(reads >> r & 1))
      choose (second, r, m);
  run_32 (&s, second, NULL, &other);
  check_that (result.banked == other.banked, text, 0, "the same registers take part");
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    if (effect.may_write >> r & 1)
      check_that (first[r] == second[r], text, (int) r, "it depends on what is read");
}

int
main (void)
{
  static const char *const names[] = { "Cortex-M0", "Cortex-M4", "Cortex-M33", "Cortex-M55" };
  struct tb_profile m, a;
  struct tb_semantics s;
  CHECK (tb_profile_find (&a, "Cortex-A15"));
  for (unsigned i = 0; i < 4 * 256; i++)
    {
      uint32_t mask = i & 1 ? 0xc00 : 0x800;
      CHECK (tb_profile_find (&m, names[i / 256]));
      try (0xf3ef8300 | (i & 255), 4, &m);		/* mrs r3, ...  */
      try (0xf3858000 | mask | (i & 255), 4, &m);	/* msr ..., r5  */
      try (i & 16 ? 0xb672 : 0xb662, 2, &m);		/* cpsid i, cpsie i  */
    }
  /* CONTROL's registers are swapped but in handler mode: often enough, both.  */
  for (unsigned i = 0; i < 200; i++)
    try (0xf3858814, 4, &m);
  for (unsigned i = 0; i < 400; i++)
    {
      uint32_t set = any (), banked = 0x200 | (set & 15) << 16 | (set >> 4 & 1) << 8;
      try (0xe10f3000, 4, &a);				/* mrs r3, cpsr  */
      try (0xe14f3000, 4, &a);				/* mrs r3, spsr  */
      try (0xe120f005 | (i & 1) << 22 | (set & 15) << 16, 4, &a);	/* msr cpsr, spsr  */
      try (0xe321f000 | (set & 255), 4, &a);		/* msr cpsr_c, #...  */
      try (0xe120f005 | banked, 4, &a);			/* msr r8_usr, r5 ...  */
      try (0xe1003000 | banked, 4, &a);			/* mrs r3, r8_usr ...  */
      try (0xf1080000 | (set & 4) << 16 | (set & 0x1c0), 4, &a);	/* cpsie, cpsid  */
      try (0xf10a0012 | (set & 4) << 16 | 0x80, 4, &a);	/* cpsid i, #18  */
      try (0xe160006e, 4, &a);				/* eret  */
      try (0xe1b0f00e, 4, &a);				/* movs pc, lr  */
    }
  /* They are modelled.  */
  CHECK (describe (&s, 0xf3ef8314, 4, &m) && describe (&s, 0xf3858814, 4, &m));
  CHECK (describe (&s, 0xe10f3000, 4, &a) && describe (&s, 0xe12ff005, 4, &a));
  CHECK (describe (&s, 0xe120f205, 4, &a) && describe (&s, 0xf10a0092, 4, &a));
  CHECK (describe (&s, 0xe160006e, 4, &a) && describe (&s, 0xe1b0f00e, 4, &a));
  return check_done ();
}
