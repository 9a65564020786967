/* State: stores of which the address is not known, but between which it lies.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

#include "state/answer/accesses.h"

/* How many stores a search for LENGTH bytes at ADDRESS cannot tell of.  */
static uint64_t
unknown_stores (struct tb_recording *f, struct tb_state *s, uint64_t address, uint64_t length)
{
  const struct tb_watch_range watch = { .address = address, .length = length, .stores = true };
  struct tb_access_found there, back;
  struct tb_accesses *a = tb_accesses_new (s, f, 0);
  if (!CHECK (a != NULL))
    abort ();
  CHECK_INT (tb_accesses_next (a, &watch, 1, 0, UINT64_MAX, &there), TB_SEARCH_NONE);
  CHECK_INT (tb_accesses_previous (a, &watch, 1, UINT64_MAX, 0, &back), TB_SEARCH_NONE);
  CHECK_INT (back.unknown_stores, there.unknown_stores);
  tb_accesses_free (a);
  return there.unknown_stores;
}

/* An index of three bits: one of eight bytes is written.  */
static void
test_index (void)
{
  /* ldr r3,[pc,#8]; movs r2,#7; ands r0,r2; strb r1,[r3,r0]; two nops; the word.  */
  struct tb_recording *f = BEGIN (0x4b02, 0x2207, 0x4010, 0x5419, 0x46c0, 0x46c0,
				  (FAKE_RAM + 32) & 0xffff, (FAKE_RAM + 32) >> 16);
  struct tb_access_info a;
  fake_run (f, MAIN, 5);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 3, TB_R0);
  CHECK_INT (tb_state_accesses (s, 3, &a, 1), 1);
  CHECK (a.store && !a.address_known && a.address_bounded);
  CHECK_INT (a.low, FAKE_RAM + 32);
  CHECK_INT (a.high, FAKE_RAM + 39);
  CHECK_INT (unknown_stores (f, s, FAKE_RAM + 28, 4), 0);
  CHECK_INT (unknown_stores (f, s, FAKE_RAM + 28, 5), 1);
  CHECK_INT (unknown_stores (f, s, FAKE_RAM + 39, 1), 1);
  CHECK_INT (unknown_stores (f, s, FAKE_RAM + 40, 4), 0);
  CHECK_INT (unknown_stores (f, s, FAKE_RAM, 256), 1);
  end (f, s);
}

/* An index that may be anything: so may be the address.  */
static void
test_anywhere (void)
{
  struct tb_recording *f = BEGIN (0x4b02, 0x2207, 0x46c0, 0x5419, 0x46c0, 0x46c0,
				  (FAKE_RAM + 32) & 0xffff, (FAKE_RAM + 32) >> 16);
  struct tb_access_info a;
  fake_run (f, MAIN, 5);
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_accesses (s, 3, &a, 1), 1);
  CHECK (a.store && !a.address_known && !a.address_bounded);
  CHECK_INT (unknown_stores (f, s, FAKE_RAM + 128, 4), 1);
  CHECK_INT (unknown_stores (f, s, 0xfffffffc, 4), 1);
  end (f, s);
}

int
main (void)
{
  test_index ();
  test_anywhere ();
  return check_done ();
}
