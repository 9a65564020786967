/* Kinds of ETMv3 and PTM trace units.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_V7KINDS_H
#define TB_DECODE_V7KINDS_H

#include "decode/kind.h"

#define TB_ETMV3_KINDS 2
extern const struct tb_kind tb_etmv3_kinds[TB_ETMV3_KINDS];
#define TB_PTM_KINDS 1
extern const struct tb_kind tb_ptm_kinds[TB_PTM_KINDS];

#endif /* TB_DECODE_V7KINDS_H */
