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
  emit_unknown (s, T1, UINT64_MAX);
  emit_imm (s, TB_OP_AND, T1, T1, TAG);
  emit_imm (s, TB_OP_AND, T0, a, ~TAG);
  emit (s, TB_OP_ORR, dst, T0, T1);
}

/* LDGM, STGM, STZGM: a block whose size is not known.  */
void
tb_a64_tags_bulk (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned opc = tb_bits (f->op, 23, 22);
  if (opc == 0)			/* STZGM makes the data zero.  */
    emit_forget_memory (s, true);
  else if (opc == 3)		/* LDGM */
    emit_unknown (s, tb_a64_write (f->d), UINT64_MAX);
}

void
tb_a64_tags (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned opc = tb_bits (f->op, 23, 22), form = tb_bits (f->op, 11, 10);
  uint64_t offset = tb_sign_extend (tb_bits (f->op, 20, 12), 9) << 4;
  if (form == 0)		/* LDG */
    {
      if (f->d != 31)
	tb_a64_any_tag (s, f->d, f->d);
      return;
    }
  /* 1: post-indexed, 2: with an offset, 3: pre-indexed.  STZG makes 16 bytes zero,
     STZ2G 32; STG and ST2G none.  */
  unsigned zeros = opc == 1 ? 16 : opc == 3 ? 32 : 0;
  emit_imm (s, TB_OP_ADD, T0, f->n, form == 1 ? 0 : offset);
  for (unsigned at = 0; at < zeros; at += 8)
    {
      emit_imm (s, TB_OP_ADD, T1, T0, at);
      emit_store (s, T1, ZERO, 8);
    }
  if (form & 1)
    emit_imm (s, TB_OP_ADD, f->n, f->n, offset);
}
