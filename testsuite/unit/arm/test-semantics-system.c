/* Operations on system registers write no slot but those that their effect says, and what
   they write depends on nothing but what it says they read.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "generator/random.h"

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

/* Run U on values at random, twice: the second time what it does not read is other.  */
static void
try (const struct tb_uop *u, bool m)
{
  struct tb_semantics s = { .modelled = true, .is_m = m, .count = 1, .uops = { *u } };
  struct tb_semantics_result result, other;
  struct tb_semantics_effect effect;
  uint32_t before[TB_PLACE_END] = { 0 }, first[TB_PLACE_END], second[TB_PLACE_END];
  char text[40];
  snprintf (text, sizeof text, "%s %#x, slot", tb_ops[u->op].name, (unsigned) u->imm);
  tb_semantics_effect (u, 1, &effect);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    choose (before, r, m);
  memcpy (first, before, sizeof first);
  tb_semantics_run (&s, first, NULL, &result);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    check_that (first[r] == before[r] || effect.may_write >> r & 1, text, (int) r,
		"it may be written");
  memcpy (second, before, sizeof second);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    if (!((effect.reads | effect.may_write) >> r & 1))
      choose (second, r, m);
  tb_semantics_run (&s, second, NULL, &other);
  check_that (result.banked == other.banked, text, 0, "the same registers take part");
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    if (effect.may_write >> r & 1)
      check_that (first[r] == second[r], text, (int) r, "it depends on what is read");
}

int
main (void)
{
  /* APSR, MSP, PSP, PRIMASK, CONTROL.  */
  static const uint8_t kept[] = { 0, 8, 9, 16, 20 };
  static const uint32_t reads_ar[] = { TB_SYS_CPSR, TB_SYS_RETURN };
  for (unsigned i = 0; i < 400; i++)
    {
      uint32_t set = any (), number = any () & 255;
      struct tb_uop cps = { .op = TB_OP_CPS, .dst = TB_PLACE_NONE, .a = TB_PLACE_NONE,
			    .b = TB_PLACE_NONE, .imm = set & 1 };
      try (&cps, true);
      cps.imm = TB_CPS (set & 7, (set >> 3 & set) & 7, set >> 8 & 1, TB_MODE_IRQ);
      try (&cps, false);
      struct tb_uop mrs = { .op = TB_OP_MRS, .dst = 3, .a = TB_PLACE_NONE,
			    .b = TB_PLACE_NONE, .imm = number };
      try (&mrs, true);
      mrs.imm = reads_ar[i & 1];
      try (&mrs, false);
      struct tb_uop msr = { .op = TB_OP_MSR, .dst = TB_PLACE_NONE, .a = 5,
			    .b = TB_PLACE_NONE, .imm = i < 256 ? i : kept[i % 5] };
      try (&msr, true);
      msr.imm = TB_SYS_CPSR | (set & 15);
      try (&msr, false);
      msr.imm = mrs.imm = TB_SYS_REG (i & 1 ? TB_MODE_FIQ : TB_MODE_SVC, 8 + i / 2 % 8);
      try (&msr, false);
      try (&mrs, false);
      struct tb_uop eret = { .op = TB_OP_ERET, .dst = TB_PLACE_NONE, .a = 5,
			     .b = TB_PLACE_NONE };
      try (&eret, false);
    }
  return check_done ();
}
