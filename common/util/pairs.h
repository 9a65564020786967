/* Pairing things with least weight.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_PAIRS_H
#define TB_UTIL_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Give each of ROWS rows a column of its own, of COLUMNS, at least as many: that of row I
   goes to CHOSEN[I], so that the sum of WEIGHTS[I * COLUMNS + CHOSEN[I]] is least.  Where
   all weigh the same, row I has column I.  Each weight is below 2^50, and there are fewer
   than 2^12 rows.  False: no memory.  */
bool tb_pairs_least (const uint64_t *weights, size_t rows, size_t columns, size_t *chosen);

#endif /* TB_UTIL_PAIRS_H */
