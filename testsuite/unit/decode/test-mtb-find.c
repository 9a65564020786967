/* Tests of finding the packets of an MTB in RAM: decode/mtb/find.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include "decode/mtb/find.h"
#include "decode/mtb/mtb.h"

static uint8_t flash[0x200];

static void
put_code (unsigned at, const uint16_t *code, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < 2; k++)
      flash[at + 2 * i + k] = (uint8_t) (code[i] >> 8 * k);
}

/* A loop that now and then passes 0x120 fills all of a buffer, so that its packets lead to each
   other all around.  It does so twice, at FIRST and at SECOND, and halted there: of these two one
   is the newest, and what is sure goes from behind one to before the other.  WANT packets, from
   that at WANT_FIRST on.  */
static void
test_round (unsigned first, unsigned second, uint64_t want_first, uint64_t want)
{
  enum { COUNT = 32 };
  static const uint16_t code[] = { 0xbf00,	/* 100  nop  */
				   0xd00d,	/* 102  beq 120  */
				   0xe7fc };	/* 104  b 100  */
  static const uint16_t there[] = { 0xbf00,	/* 120  nop  */
				    0xe7ed };	/* 122  b 100  */
  uint8_t packets[8 * COUNT];
  put_code (0x100, code, 3);
  put_code (0x120, there, 2);
  for (unsigned i = 0; i < COUNT; i++)
    {
      bool leaves = i == first || i == second, comes_back = i == first + 1 || i == second + 1;
      uint32_t words[] = { leaves ? 0x102 : comes_back ? 0x122 : 0x104, leaves ? 0x120 : 0x100 };
      for (unsigned k = 0; k < 8; k++)
	packets[8 * i + k] = (uint8_t) (words[k / 4] >> 8 * (k % 4));
    }
  struct tb_profile profile;
  struct tb_memmap *map = tb_memmap_new ();
  const struct tb_region region = {
    .address = 0, .length = sizeof flash, .data = flash, .name = "flash"
  };
  struct tb_mtb_area area = { .packets = 0 };
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  const uint64_t halt = 0x120;
  if (!CHECK (map != NULL && tb_profile_find (&profile, "Cortex-M0+")
	      && tb_memmap_add (map, &region, NULL) == TB_OK
	      && tb_memmap_seal (map, NULL) == TB_OK))
    return;
  CHECK_INT (tb_mtb_find (&area, 1, packets, 0x20000000, sizeof packets, true, &halt, map, &profile,
			  &effort), 1);
  CHECK_INT (area.packets, COUNT);
  CHECK (area.round && !area.open);
  CHECK_INT (area.sure, want);
  if (want != 0)
    CHECK_INT (area.sure_first, TB_MTB_PACKET_SIZE * want_first);
  tb_memmap_free (map);
}

int
main (void)
{
  test_round (5, 20, 21, 16);
  test_round (5, 25, 6, 19);
  test_round (20, 30, 31, 21);
  return check_done ();
}
