/* Semantics of A64: memory tags (FEAT_MTE).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Tags of memory are no data and are not followed; those in addresses, bits 59:56,
   are not told.  What stores tags may store zeros, too.

   Source: DDI 0487, C4.1 "Load/store memory tags"; C6.2 LDG, STG, STZG, ST2G, STZ2G,
   LDGM, STGM, STZGM.  */

#include "config.h"
#include "arm/lift/a64-impl.h"

#define TAG (UINT64_C (15) << 56)

void
tb_a64_any_tag (struct tb_semantics *s, unsigned dst, unsigned a)
{
  emit_unknown (s, TB_A64_T1, UINT64_MAX);
  emit_imm (s, TB_OP_AND, TB_A64_T1, TB_A64_T1, TAG);
  emit_imm (s, TB_OP_AND, TB_A64_T0, a, ~TAG);
  emit (s, TB_OP_ORR, dst, TB_A64_T0, TB_A64_T1);
}

/* Bulk operations, of a block whose size is not known.  */
static void
bulk (struct tb_semantics *s, unsigned opc, unsigned rt)
{
  if (opc == 0)			/* STZGM makes the data zero.  */
    tb_emit_64 (s, TB_OP_FORGET, TB_A64_NONE, TB_A64_NONE,
		TB_A64_NONE, 1);
  else if (opc == 3)		/* LDGM */
    emit_unknown (s, tb_a64_write (rt), UINT64_MAX);
}

void
tb_semantics_a64_tags (struct tb_semantics *s, uint32_t opcode)
{
  unsigned opc = tb_bits (opcode, 23, 22), form = tb_bits (opcode, 11, 10);
  unsigned n = tb_bits (opcode, 9, 5), rt = opcode & 31;
  uint64_t offset = tb_sign_extend (tb_bits (opcode, 20, 12), 9) << 4;
  if (form == 0 && opc == 1)	/* LDG */
    {
      if (rt != 31)
	tb_a64_any_tag (s, rt, rt);
      return;
    }
  if (form == 0)
    {
      s->modelled = offset == 0;
      if (s->modelled)
	bulk (s, opc, rt);
      return;
    }
  /* 1: post-indexed, 2: with an offset, 3: pre-indexed.  STZG makes 16 bytes zero,
     STZ2G 32; STG and ST2G none.  */
  unsigned zeros = opc == 1 ? 16 : opc == 3 ? 32 : 0;
  emit_imm (s, TB_OP_ADD, TB_A64_T0, n, form == 1 ? 0 : offset);
  for (unsigned at = 0; at < zeros; at += 8)
    {
      emit_imm (s, TB_OP_ADD, TB_A64_T1, TB_A64_T0, at);
      tb_emit_64 (s, TB_OP_STORE, TB_A64_NONE, TB_A64_T1, TB_A64_ZERO, 8);
    }
  if (form & 1)
    emit_imm (s, TB_OP_ADD, n, n, offset);
}
