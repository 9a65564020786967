/* The hash of PCs range by range is that of PC by PC.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "decode/element-text.h"
#include "decode/pc-hash.h"
#include "util/fnv.h"

int
main (void)
{
  /* T32 instructions of both sizes.  */
  static uint8_t code[4096];
  for (size_t i = 0; i < sizeof code; i += 2)
    code[i + 1] = i % 12 == 0 ? 0xf0 : 0x20;
  struct tb_profile profile;
  struct tb_memmap *map = tb_memmap_new ();
  const struct tb_region region = { .address = 0x1000, .length = sizeof code,
				    .data = code, .name = "code" };
  static const struct tb_follow_options options = { 0 };
  tb_profile_find (&profile, "Cortex-A9");
  CHECK (map != NULL && tb_memmap_add (map, &region, NULL) == TB_OK
	 && tb_memmap_seal (map, NULL) == TB_OK);
  struct tb_follow *follow = tb_follow_new (map, &profile, &options);
  struct tb_pc_ranges *ranges = tb_pc_ranges_new ();
  if (!CHECK (follow != NULL && ranges != NULL))
    return check_done ();

  struct tb_element_sum sum = TB_ELEMENT_SUM_START;
  uint64_t hash = TB_FNV_START, random = 1;
  for (unsigned i = 0; i < 200000; i++)
    {
      random = random * UINT64_C (6364136223846793005) + 1442695040888963407u;
      unsigned which = random >> 40 & 0x3ff;
      /* A few ranges often, many seldom.  */
      if (which > 40 && i % 16 != 0)
	which %= 7;
      struct tb_element e = { .kind = TB_ELEMENT_RANGE };
      e.isa = which % 3 == 0 ? TB_ISA_T32 : TB_ISA_A64;
      e.u.range.start = e.isa == TB_ISA_T32
			? 0x1000 + which * 2
			: UINT64_C (0xffffffc000080000) + which * 8;
      e.u.range.count = 1 + which % 23;
      struct tb_pc_note note;
      tb_pc_note (ranges, &e, &note);
      hash = tb_pc_hash (hash, &note, 1, follow);
      tb_element_sum_add (&sum, &e, follow);
      if (!CHECK_INT (hash, sum.pc_hash))
	break;
    }

  /* All in one.  */
  static struct tb_pc_note notes[1000];
  for (unsigned i = 0; i < 1000; i++)
    {
      struct tb_element e = { .kind = TB_ELEMENT_RANGE, .isa = TB_ISA_A64 };
      e.u.range.start = 0x400000 + i % 7 * 64;
      e.u.range.count = 1 + i % 7;
      tb_pc_note (ranges, &e, &notes[i]);
      tb_element_sum_add (&sum, &e, follow);
    }
  CHECK_INT (tb_pc_hash (hash, notes, 1000, follow), sum.pc_hash);
  tb_pc_ranges_free (ranges);
  tb_follow_free (follow);
  tb_memmap_free (map);
  return check_done ();
}
