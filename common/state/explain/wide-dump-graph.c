/* dump-graph.c for words of 64 bits.  See word.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#define TB_STATE_WIDE 1
#include "state/explain/dump-graph.c"
