/* Operands: what the accesses of an instruction load, store and go through.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_IR_OPERANDS_H
#define TB_ARM_IR_OPERANDS_H

#include "arm/ir/semantics.h"

/* Access number K (from 0) among the COUNT micro-operations UOPS of an instruction; NULL: it
   has no more.  */
const struct tb_uop *tb_operands_access (const struct tb_uop *uops, unsigned count, unsigned k);

/* The register (enum tb_place, below TB_NSLOTS) that ACCESS, one of UOPS of an A32 or T32
   instruction, goes through: its address is that register before the instruction plus
   *OFFSET, modulo 2^32.  TB_PLACE_NONE: it is of several, or of none.  */
unsigned tb_operands_base (const struct tb_uop *uops, const struct tb_uop *access,
			   uint32_t *offset);

/* The place that ACCESS loads to, or stores from.  */
static inline unsigned
tb_operands_data (const struct tb_uop *access)
{
  return tb_op_is (access->op, TB_LOADS) ? access->dst : access->b;
}

#endif /* TB_ARM_IR_OPERANDS_H */
