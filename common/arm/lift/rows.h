/* Tables of encodings: which opcodes are an instruction, and what describes it; for the
   files of arm/lift only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A set of instructions is an array of tables, found by the bits of an opcode that say
   most; a table is a list of rows, of which the first that fits counts.  An instruction
   is one row, and an emitter where no other says the same of other operands.  What no
   row fits is not modelled: it may do anything.  */

#ifndef TB_ARM_LIFT_ROWS_H
#define TB_ARM_LIFT_ROWS_H

#include <stddef.h>

#include "arm/ir/semantics.h"

/* What an emitter gets: an opcode, and its registers as places.  */
struct tb_fields
{
  uint32_t op;
  unsigned arg;			/* What the row says.  */
  uint64_t pc;
  uint8_t d, n, m, a;
  bool wide;			/* A64: bit 31, X registers.  */
  unsigned zero_block;		/* A64: as tb_semantics_a64 gets it.  */
  /* A32, T32: the immediate of a shift and its type, the immediate of 5 bits beside
     it, and what PC reads as.  */
  uint8_t amount, type, width;
  uint32_t here;
  uint8_t words;		/* Of FP registers; see lift/fp.h.  */
  const struct tb_profile *profile;
};

/* Emit what the instruction does.  It clears MODELLED if it is none after all.  */
typedef void tb_emitter (struct tb_semantics *s, const struct tb_fields *f);

struct tb_row
{
  uint32_t mask, value;		/* Opcodes with these bits are it.  */
  uint32_t fields;		/* What the set says of its registers; see below.  */
  uint16_t arg;			/* For the emitter.  */
  tb_emitter *emit;
};

struct tb_rows
{
  const struct tb_row *rows;
  unsigned count;
};

#define TB_ROWS(a) { (a), sizeof (a) / sizeof (a)[0] }

/* The row of OP, or NULL.  Bits 31:28 of its fields are the number of a group of
   architectures, all of which are bits of GROUPS.  */
static inline const struct tb_row *
tb_find_row (const struct tb_rows *table, uint32_t op, unsigned groups)
{
  for (unsigned i = 0; i < table->count; i++)
    if ((op & table->rows[i].mask) == table->rows[i].value
	&& groups >> (table->rows[i].fields >> 28) & 1)
      return &table->rows[i];
  return NULL;
}

#endif /* TB_ARM_LIFT_ROWS_H */
