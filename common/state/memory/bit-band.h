/* The bit-band alias of the SRAM of ARMv7-M: words that are bits of others.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Cortex-M3 and Cortex-M4 may have it (Cortex-M4 TRM, 3.7 "Bit-banding"): bit B of
   the byte at 0x20000000 + N is bit 0 of the word at 0x22000000 + 32 * N + 4 * B.
   Base assumption: a program that has no address there among its constants does
   not store there.  */

#ifndef TB_STATE_MEMORY_BIT_BAND_H
#define TB_STATE_MEMORY_BIT_BAND_H

#include <stdbool.h>

#include "state/solver/graph.h"

#define TB_BIT_BAND 0x20000000u
#define TB_BIT_ALIAS 0x22000000u
#define TB_BIT_ALIAS_SIZE 0x2000000u

/* May an address of which AT is known be in the alias?  */
static inline bool
tb_bit_band_may_be (struct tb_known at)
{
  return at.hi >= TB_BIT_ALIAS && at.lo < TB_BIT_ALIAS + TB_BIT_ALIAS_SIZE
	 && ((at.bits ^ TB_BIT_ALIAS) & at.mask & ~(TB_BIT_ALIAS_SIZE - 1u))
	    == 0;
}

/* May a store of VALUE to the address AT in the alias have written any of the bytes
   TODO (bit N: byte N) of WORD, and left X there?  */
static inline bool
tb_bit_band_may_write (struct tb_known at, struct tb_known value, tb_word word,
		       unsigned todo, struct tb_known x)
{
  tb_word byte = word - TB_BIT_BAND;
  if (byte >= TB_BIT_ALIAS_SIZE / 32)
    return false;
  if (!tb_known_all (at))
    return true;
  tb_word target = at.bits - TB_BIT_ALIAS;
  if (target / 32 - byte >= 4
      || !(todo >> (target / 32 - byte) & 1))
    return false;
  tb_word bit = (tb_word) 1 << (target / 4 % 8 + 8 * (target / 32 - byte));
  return !((value.mask & 1) != 0 && (x.mask & bit) != 0
	   && (value.bits & 1) != ((x.bits & bit) != 0));
}

#endif /* TB_STATE_MEMORY_BIT_BAND_H */
