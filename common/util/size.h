/* Sizes in bytes, as options have them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_SIZE_H
#define TB_UTIL_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* What TEXT is to be, for a message.  */
#define TB_SIZE_WORDS "a number of bytes, or of K, M, G, T"

/* Read TEXT, a decimal number other than 0, perhaps with K, M, G or T behind it (times
   1024 ...).  False: it is none.  */
bool tb_size_parse (const char *text, uint64_t *size);

#endif /* TB_UTIL_SIZE_H */
