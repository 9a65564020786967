/* Batches: many inputs, several at once, each in a process of its own.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A process of its own because an input may ask for more memory than there is, or
   find a bug: the others go on.  What became of it is in its verdict (verdict.h),
   by which it is not done again.  There is no other state than the folder of
   outputs, so that several machines can work on one.  */

#ifndef TB_CONVERTER_BATCH_H
#define TB_CONVERTER_BATCH_H

#include "convert.h"

/* Convert all inputs of OPTIONS; the exit status.  */
int batch_run (const struct options *options, struct tb_diag *diag);

#endif /* TB_CONVERTER_BATCH_H */
