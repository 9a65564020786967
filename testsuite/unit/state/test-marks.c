/* Marks on numbers are taken off in their order, forward and backward in turns.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"

#include "state/solver/marks.h"

/* Take one off M; it must be NUMBER.  */
static void
expect (struct tb_marks *m, size_t number)
{
  size_t got;
  CHECK (tb_marks_take (m, &got));
  CHECK_INT (got, number);
  CHECK (!tb_marks_has (m, number));
}

int
main (void)
{
  struct tb_marks m = { 0 };
  size_t got;
  CHECK (!tb_marks_take (&m, &got));
  CHECK (tb_marks_room (&m, 100000));
  static const size_t some[] = { 0, 63, 64, 70, 4095, 4096, 99999, 100000 };
  for (size_t i = 0; i < 8; i++)
    tb_marks_set (&m, some[i]);
  tb_marks_set (&m, 64);
  CHECK_INT (m.count, 8);
  CHECK (tb_marks_has (&m, 4095) && !tb_marks_has (&m, 4094));

  expect (&m, 0);
  expect (&m, 63);
  /* What is behind has to wait for the way back, what is ahead has not.  */
  tb_marks_set (&m, 5);
  tb_marks_set (&m, 65);
  expect (&m, 64);
  expect (&m, 65);
  expect (&m, 70);
  tb_marks_clear (&m, 4096);
  expect (&m, 4095);
  expect (&m, 99999);
  /* More room keeps them.  */
  CHECK (tb_marks_room (&m, 1000000));
  tb_marks_set (&m, 1000000);
  expect (&m, 100000);
  expect (&m, 1000000);
  expect (&m, 5);
  CHECK (!tb_marks_take (&m, &got));
  CHECK_INT (m.count, 0);
  /* It goes on where it was, and turns.  */
  tb_marks_set (&m, 4096);
  tb_marks_set (&m, 3);
  expect (&m, 3);
  expect (&m, 4096);
  CHECK (tb_marks_bytes (&m) > 1000000 / 8);
  tb_marks_fini (&m);
  return check_done ();
}
