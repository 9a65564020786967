/* Semantics of A64: which table an opcode is in, and what the tables share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1.  */

#include "config.h"
#include "arm/lift/a64-impl.h"

void
tb_a64_unknown (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_unknown (s, f->d, ones (f->arg));
}

/* By bits 29:24.  */
static const struct tb_rows *const tables[64] = {
  [0x00] = &tb_a64_scalable_rows, [0x01] = &tb_a64_scalable_rows,
  [0x20] = &tb_a64_scalable_rows, [0x21] = &tb_a64_scalable_rows,
  [0x04] = &tb_a64_scalable_rows, [0x05] = &tb_a64_scalable_rows,
  [0x24] = &tb_a64_scalable_rows, [0x25] = &tb_a64_scalable_rows,
  [0x10] = &tb_a64_addresses_rows, [0x30] = &tb_a64_addresses_rows,
  [0x11] = &tb_a64_add_immediate_rows, [0x31] = &tb_a64_add_immediate_rows,
  [0x12] = &tb_a64_constants_rows, [0x32] = &tb_a64_constants_rows,
  [0x13] = &tb_a64_bit_fields_rows, [0x33] = &tb_a64_bit_fields_rows,
  [0x0a] = &tb_a64_logical_rows, [0x2a] = &tb_a64_logical_rows,
  [0x0b] = &tb_a64_add_rows, [0x2b] = &tb_a64_add_rows,
  [0x1a] = &tb_a64_registers_rows, [0x3a] = &tb_a64_registers_rows,
  [0x1b] = &tb_a64_multiply_rows, [0x14] = &tb_a64_branches_rows,
  [0x15] = &tb_a64_branches_rows, [0x16] = &tb_a64_branches_rows,
  [0x17] = &tb_a64_branches_rows, [0x34] = &tb_a64_branches_rows,
  [0x35] = &tb_a64_branches_rows, [0x36] = &tb_a64_branches_rows,
  [0x37] = &tb_a64_branches_rows, [0x08] = &tb_a64_exclusives_rows,
  [0x0c] = &tb_a64_structures_rows, [0x0d] = &tb_a64_structures_rows,
  [0x18] = &tb_a64_literals_rows, [0x1c] = &tb_a64_literals_rows,
  [0x19] = &tb_a64_ordered_rows, [0x1d] = &tb_a64_ordered_rows,
  [0x28] = &tb_a64_pairs_rows, [0x29] = &tb_a64_pairs_rows,
  [0x2c] = &tb_a64_pairs_rows, [0x2d] = &tb_a64_pairs_rows,
  [0x38] = &tb_a64_single_rows, [0x39] = &tb_a64_single_rows,
  [0x3c] = &tb_a64_single_rows, [0x3d] = &tb_a64_single_rows,
  [0x0e] = &tb_a64_vectors_rows, [0x0f] = &tb_a64_vectors_rows,
  [0x2e] = &tb_a64_vectors_rows, [0x2f] = &tb_a64_vectors_rows,
  [0x1e] = &tb_a64_scalars_rows, [0x1f] = &tb_a64_scalars_rows,
  [0x3e] = &tb_a64_scalars_rows, [0x3f] = &tb_a64_scalars_rows
};

void
tb_semantics_a64 (struct tb_semantics *s, uint32_t opcode, uint64_t pc,
		  unsigned zero_block)
{
  const struct tb_rows *table = tables[opcode >> 24 & 63];
  const struct tb_row *row
    = table != NULL ? tb_find_row (table, opcode, 1) : NULL;
  s->count = 0;
  s->flags = 0;
  s->when = TB_ALWAYS;
  s->wide = true;
  s->modelled = row != NULL;
  if (row == NULL)
    return;
  struct tb_fields f = {
    .op = opcode, .arg = row->arg, .pc = pc, .d = opcode & 31,
    .n = (uint8_t) tb_bits (opcode, 9, 5), .m = (uint8_t) tb_bits (opcode, 20, 16),
    .a = (uint8_t) tb_bits (opcode, 14, 10), .wide = opcode >> 31,
    .zero_block = zero_block
  };
  if (row->fields & W_FIVE && !f.wide && tb_bits (opcode, 15, 15))
    s->modelled = false;
  if (!(row->fields & RAW))
    {
      if (f.d == 31 && !(row->fields & D_SP))
	f.d = TB_A64_SINK;
      if (f.n == 31 && !(row->fields & N_SP))
	f.n = ZERO;
      if (f.m == 31 && !(row->fields & M_SP))
	f.m = ZERO;
      f.a = (uint8_t) tb_a64_read (f.a);
    }
  if (s->modelled)
    row->emit (s, &f);
}
