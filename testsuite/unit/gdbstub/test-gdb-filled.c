/* Bytes that were filled and not marked: what is asked about goes, all else is told.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "filled.h"

#define BYTES 512
#define BASE 0x20000000u

/* FILLED has what IS says, or more where not all fitted.  */
static bool
agrees (const struct filled *filled, const bool *is)
{
  uint64_t first, lowest = UINT64_MAX, count = 0;
  for (size_t i = 0; i < BYTES; i++)
    if (is[i])
      {
	count++;
	lowest = lowest == UINT64_MAX ? BASE + i : lowest;
      }
  uint64_t bytes = filled_bytes (filled, &first);
  return filled->more == 0 ? bytes == count && first == lowest
	 : bytes >= count && first <= lowest;
}

int
main (void)
{
  static struct filled filled;
  bool is[BYTES] = { false };
  uint64_t first;
  CHECK_INT (filled_bytes (&filled, &first), 0);
  /* Around the ends of memory.  */
  filled_add (&filled, UINT64_MAX);
  filled_add (&filled, 0);
  CHECK_INT (filled_bytes (&filled, &first), 2);
  CHECK_INT (first, 0);
  filled_drop (&filled, 0);
  CHECK_INT (filled_bytes (&filled, &first), 1);
  CHECK (first == UINT64_MAX);
  filled_drop (&filled, UINT64_MAX);
  CHECK_INT (filled_bytes (&filled, &first), 0);
  /* A piece, twice, of which the middle is asked about.  */
  for (unsigned i = 0; i < 40; i++)
    filled_add (&filled, BASE + i % 20);
  CHECK_INT (filled_bytes (&filled, &first), 20);
  CHECK_INT (filled.count, 1);
  for (unsigned i = 4; i < 12; i++)
    filled_drop (&filled, BASE + i);
  CHECK_INT (filled_bytes (&filled, &first), 12);
  for (unsigned i = 0; i < 4; i++)
    filled_drop (&filled, BASE + i);
  CHECK_INT (filled_bytes (&filled, &first), 8);
  CHECK_INT (first, BASE + 12);
  /* Any order, with and without more than there is room for.  */
  unsigned seed = 1, wrong = 0;
  for (unsigned spread = 1; spread <= 4; spread++)
    {
      memset (&filled, 0, sizeof filled);
      memset (is, 0, sizeof is);
      for (unsigned i = 0; i < 20000; i++)
	{
	  seed = seed * 1103515245 + 12345;
	  unsigned at = (seed >> 8) % (BYTES * spread / 4);
	  is[at] = seed >> 30 != 0;
	  if (is[at])
	    filled_add (&filled, BASE + at);
	  else
	    filled_drop (&filled, BASE + at);
	  wrong += !agrees (&filled, is);
	}
    }
  CHECK_INT (wrong, 0);
  CHECK (filled.more != 0);
  return check_done ();
}
