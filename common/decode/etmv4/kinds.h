/* Kinds of ETMv4 and ETE trace units.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_ETMV4_KINDS_H
#define TB_DECODE_ETMV4_KINDS_H

#include "decode/kind.h"

#define TB_ETMV4_KINDS 3
extern const struct tb_kind tb_etmv4_kinds[TB_ETMV4_KINDS];

#endif /* TB_DECODE_ETMV4_KINDS_H */
