/* Tests of util/pairs.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include "util/pairs.h"

#define MOST 6

/* The least sum of the weights of ROW and those behind it, where the columns TAKEN are.  */
static uint64_t
least (const uint64_t *weights, size_t rows, size_t columns, size_t row, unsigned taken)
{
  uint64_t best = UINT64_MAX;
  if (row == rows)
    return 0;
  for (size_t j = 0; j < columns; j++)
    if (!(taken >> j & 1))
      {
	uint64_t sum = weights[row * columns + j]
		       + least (weights, rows, columns, row + 1, taken | 1u << j);
	best = sum < best ? sum : best;
      }
  return best;
}

static void
check_pairs (const uint64_t *weights, size_t rows, size_t columns)
{
  size_t chosen[MOST];
  uint64_t sum = 0;
  unsigned taken = 0;
  CHECK_INT (tb_pairs_least (weights, rows, columns, chosen), true);
  for (size_t i = 0; i < rows; i++)
    {
      CHECK_INT (taken >> chosen[i] & 1, 0);
      taken |= 1u << chosen[i];
      sum += weights[i * columns + chosen[i]];
    }
  CHECK_INT (sum, least (weights, rows, columns, 0, 0));
}

/* All pairings of some are tried.  */
static void
test_random (void)
{
  uint64_t weights[MOST * MOST], x = 1;
  for (unsigned n = 0; n < 3000; n++)
    {
      size_t columns = 1 + n % MOST, rows = 1 + n / MOST % columns;
      for (size_t i = 0; i < rows * columns; i++)
	{
	  x = x * UINT64_C (6364136223846793005) + 1442695040888963407;
	  weights[i] = x >> 33 & (n % 2 ? 7 : UINT64_C (0xfffff));
	}
      check_pairs (weights, rows, columns);
    }
}

static void
test_order (void)
{
  uint64_t weights[MOST * MOST] = { 0 };
  size_t chosen[MOST];
  CHECK_INT (tb_pairs_least (weights, MOST - 1, MOST, chosen), true);
  for (size_t i = 0; i < MOST - 1; i++)
    CHECK_INT (chosen[i], i);
}

/* Each row alone has least weight in the first column.  */
static void
test_exchange (void)
{
  static const uint64_t weights[] = { 1, 2, 9, 1, 9, 9, 1, 9, 3 };
  size_t chosen[3];
  CHECK_INT (tb_pairs_least (weights, 3, 3, chosen), true);
  CHECK_INT (chosen[0], 1);
  CHECK_INT (chosen[1], 0);
  CHECK_INT (chosen[2], 2);
}

int
main (void)
{
  test_random ();
  test_order ();
  test_exchange ();
  return check_done ();
}
