/* Tests of borders of windows: state/border.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "state/border.h"

/* What two borders say of a register is told apart only in bits that both know.  */
static void
test_registers (void)
{
  static struct tb_border a, b;
  struct tb_border_register *const pairs[][2] = {
    { &a.slots[0], &b.slots[0] }, { &a.slots[TB_BORDER_SLOTS - 1], &b.slots[TB_BORDER_SLOTS - 1] },
    { &a.banked[TB_BORDER_BANKED - 1], &b.banked[TB_BORDER_BANKED - 1] },
    { &a.fp[TB_BORDER_FP - 1], &b.fp[TB_BORDER_FP - 1] }
  };
  CHECK (!tb_border_contradicts (&a, &b));
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    {
      struct tb_border_register *one = pairs[i][0], *other = pairs[i][1];
      *one = (struct tb_border_register) { .mask = 0xff, .bits = 0x55 };
      CHECK (!tb_border_contradicts (&a, &b));
      *other = (struct tb_border_register) { .mask = 0xff00, .bits = 0xaa00 };
      CHECK (!tb_border_contradicts (&a, &b));
      *other = (struct tb_border_register) { .mask = 0xfff0, .bits = 0xaa50 };
      CHECK (!tb_border_contradicts (&a, &b));
      *other = (struct tb_border_register) { .mask = 0xfff0, .bits = 0xaa40 };
      CHECK (tb_border_contradicts (&a, &b));
      CHECK (tb_border_contradicts (&b, &a));
      *other = *one;
    }
}

/* So is it of words, by the bytes or the bits that are known of them.  */
static void
test_words (void)
{
  struct tb_border_word of_a[] = {
    { .address = 0x100, .value = 0x11, .bytes = 1 },
    { .address = 0x108, .value = 0x2200, .mask = 0xff00 }
  };
  struct tb_border_word of_b[] = {
    { .address = 0x104, .value = 0x99, .bytes = 1 },
    { .address = 0x108, .value = 0x33, .bytes = 1 },
    { .address = 0x10c, .value = 0x11, .bytes = 1 }
  };
  struct tb_border a = { .memory = true, .words = of_a, .nwords = 2 };
  struct tb_border b = { .memory = true, .words = of_b, .nwords = 3 };
  CHECK (!tb_border_contradicts (&a, &b));
  of_b[1].bytes = 3;
  CHECK (tb_border_contradicts (&a, &b));
  CHECK (tb_border_contradicts (&b, &a));
  of_b[1].value = 0x2233;
  CHECK (!tb_border_contradicts (&a, &b));
  of_b[2] = (struct tb_border_word) { .address = 0x10c, .value = 1, .bytes = 1 };
  of_a[1] = (struct tb_border_word) { .address = 0x10c, .value = 2, .bytes = 1 };
  CHECK (tb_border_contradicts (&a, &b));
  a.memory = false;
  CHECK (!tb_border_contradicts (&a, &b));
}

/* Registers are told apart from all else that a border says.  */
static void
test_same (void)
{
  static struct tb_border a, b;
  CHECK (tb_border_same (&a, &b) && tb_border_same_beside_registers (&a, &b));
  a.slots[1].mask = a.fp[2].mask = a.banked[3].mask = 1;
  CHECK (!tb_border_same (&a, &b) && tb_border_same_beside_registers (&a, &b));
  a = b;
  a.saved_el = 1;
  CHECK (!tb_border_same (&a, &b) && !tb_border_same_beside_registers (&a, &b));
  a = b;
  struct tb_border_word word = { .address = 0x100, .value = 1, .bytes = 1 };
  a.words = &word;
  a.nwords = 1;
  CHECK (!tb_border_same (&a, &b) && !tb_border_same_beside_registers (&a, &b));
  b = a;
  CHECK (tb_border_same (&a, &b));
  a.rest = true;
  CHECK (!tb_border_same (&a, &b) && !tb_border_same_beside_registers (&a, &b));
}

int
main (void)
{
  test_same ();
  test_registers ();
  test_words ();
  return check_done ();
}
