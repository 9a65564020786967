/* Whole Tarmac logs, compressed or not, and what is worked out of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "recording/tarmac.h"

FUZZ_TARGET (tarmac)
{
  fuzz_input (data, size, NULL);
  return 0;
}
