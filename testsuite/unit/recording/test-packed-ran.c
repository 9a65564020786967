/* Packed ranges of addresses: what is joined has all of both, in few ranges, and bytes that
   are none are refused.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "recording/packed-ran.h"

static uint64_t seed = 1;

static uint64_t
random_number (uint64_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (seed >> 24) % below;
}

/* COUNT ranges below 2^BITS.  */
static void
fill (struct tb_ran *ran, size_t count, unsigned bits)
{
  ran->count = 0;
  for (size_t i = 0; i < count; i++)
    {
      uint64_t first = (random_number (1 << 20) << 20 | random_number (1 << 20))
		       & ((UINT64_C (1) << bits) - 1);
      CHECK (tb_ran_append (ran, first, first + random_number (40)));
    }
  tb_ran_merge (ran);
}

static void
pack (const struct tb_ran *ran, struct tb_packed_ran *packed)
{
  static struct tb_gather gather;
  for (size_t i = 0; i < ran->count; i++)
    CHECK (tb_ran_append (&gather.ran, ran->items[i].first, ran->items[i].last));
  CHECK (tb_gather_pack (&gather, false, packed));
  free (gather.ran.items);
  gather.ran = (struct tb_ran) { 0 };
}

static size_t
count_of (const struct tb_packed_ran *packed)
{
  struct tb_packed_ran_cursor cursor = tb_packed_ran_begin (packed);
  struct tb_visit_range range;
  size_t n = 0;
  while (tb_packed_ran_next (&cursor, &range))
    n++;
  return n;
}

static void
test_join (size_t count, unsigned bits)
{
  struct tb_ran a = { 0 }, b = { 0 };
  struct tb_packed_ran x = { 0 }, y = { 0 };
  fill (&a, count, bits);
  fill (&b, count / 2, bits);
  pack (&a, &x);
  pack (&b, &y);
  CHECK_INT (count_of (&x), a.count);
  CHECK (tb_packed_ran_valid (x.bytes, x.size));
  CHECK (tb_packed_ran_has (&x, &a) && (b.count == 0 || !tb_packed_ran_has (&x, &b)));
  CHECK (tb_packed_ran_join (&x, &y));
  CHECK (tb_packed_ran_has (&x, &a) && tb_packed_ran_has (&x, &b));
  CHECK (tb_packed_ran_valid (x.bytes, x.size));
  CHECK (count_of (&x) <= TB_PACKED_RAN_FEW);
  for (size_t size = 1; size < y.size; size++)
    if (tb_packed_ran_valid (y.bytes, size))
      CHECK ((y.bytes[size - 1] & 128) == 0);
  free (x.bytes);
  free (y.bytes);
  free (a.items);
  free (b.items);
}

static void
test_bytes (void)
{
  static const uint8_t none[][12] = {
    { 0x80 }, { 0x01 }, { 0x01, 0x80 },
    /* More than 64 bits; the end lies behind the last address.  */
    { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x01 },
    { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x01 }
  };
  static const uint8_t last[]
    = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00 };
  static const size_t sizes[] = { 1, 1, 2, 11, 11 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    CHECK (!tb_packed_ran_valid (none[i], sizes[i]));
  CHECK (tb_packed_ran_valid (last, sizeof last));
  CHECK (tb_packed_ran_valid (NULL, 0));
}

/* Who does not know what ran in one piece does not know what ran in both.  */
static void
test_unknown (void)
{
  struct tb_ran ran = { 0 };
  struct tb_packed_ran known = { 0 }, unknown = { 0 };
  fill (&ran, 5, 16);
  pack (&ran, &known);
  CHECK (tb_packed_ran_join (&unknown, &known) && unknown.bytes == NULL);
  CHECK (tb_packed_ran_join (&known, &unknown) && known.bytes == NULL);
  free (ran.items);
}

int
main (void)
{
  for (unsigned bits = 12; bits <= 40; bits += 7)
    for (size_t count = 1; count < 2000; count = count * 3 + 1)
      test_join (count, bits);
  test_bytes ();
  test_unknown ();
  return check_done ();
}
