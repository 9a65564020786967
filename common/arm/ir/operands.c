/* Operands: what the accesses of an instruction load, store and go through.  See operands.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/operands.h"

#include <stddef.h>

const struct tb_uop *
tb_operands_access (const struct tb_uop *uops, unsigned count, unsigned k)
{
  for (const struct tb_uop *u = uops; u < uops + count; u++)
    if (tb_op_is (u->op, TB_LOADS | TB_STORES) && k-- == 0)
      return u;
  return NULL;
}

unsigned
tb_operands_base (const struct tb_uop *uops, const struct tb_uop *access, uint32_t *offset)
{
  unsigned place = access->a;
  *offset = 0;
  for (const struct tb_uop *u = access; u-- > uops && place != TB_PLACE_NONE;)
    {
      if (!tb_op_is (u->op, TB_WRITES) || u->dst != place)
	continue;
      bool by_number = u->b == TB_PLACE_IMM;
      if (by_number && u->op == TB_OP_ADD)
	*offset += tb_uop_number (u);
      else if (by_number && u->op == TB_OP_SUB)
	*offset -= tb_uop_number (u);
      else if (u->op != TB_OP_MOV)
	return TB_PLACE_NONE;
      place = u->a;
    }
  return place < TB_NSLOTS ? place : TB_PLACE_NONE;
}
