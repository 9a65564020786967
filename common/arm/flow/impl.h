/* What the three flow decoders share; for them only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_FLOW_IMPL_H
#define TB_ARM_FLOW_IMPL_H

#include "arm/flow/flow.h"
#include "arm/lift/rows.h"

/* What ROW, that of OPCODE, says, but for the target.  What is conditional and calls for
   service goes on.  */
static inline void
tb_flow_row (struct tb_flow *flow, const struct tb_row *row, uint32_t opcode)
{
  unsigned kind = tb_row_kind (row, opcode);
  if (kind == TB_FLOW_OTHER || (kind == TB_FLOW_SERVICE && flow->conditional))
    return;
  flow->kind = (uint8_t) kind;
  flow->sub = TB_GOES_SUB (row->fields);
  if (TB_GOES_HOW (row->fields) == TB_HOW_BY_S && tb_bits (opcode, 20, 20))
    flow->sub = TB_SUB_ERET;
  /* T16 has its register in other bits.  */
  if (TB_GOES_HOW (row->fields) == TB_HOW_BY_M
      && tb_bits (opcode, flow->size == 2 ? 6 : 3, flow->size == 2 ? 3 : 0) == 14)
    flow->sub = TB_SUB_V7RETURN;
}

#endif /* TB_ARM_FLOW_IMPL_H */
