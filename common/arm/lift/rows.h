/* Tables of encodings: which opcodes are an instruction, and what describes it; for the
   files of arm/lift, and for arm/flow, which reads of the rows what goes elsewhere.

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
#include "arm/lift/kinds.h"

/* Bits HIGH down to LOW of OPCODE.  */
static inline uint32_t
tb_bits (uint32_t opcode, unsigned high, unsigned low)
{
  return opcode >> low & (UINT32_C (0xffffffff) >> (31 - (high - low)));
}

/* VALUE, a number of WIDTH bits in two's complement, as 64 bits.  */
static inline uint64_t
tb_sign_extend (uint64_t value, unsigned width)
{
  uint64_t sign = UINT64_C (1) << (width - 1);

  return (value ^ sign) - sign;
}

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

#define IMM TB_PLACE_IMM
#define NONE TB_PLACE_NONE

/* Append operation OP to S, done if S->when is 1.  IMM of A32 and T32 has 32 bits.  */
void tb_sem_emit (struct tb_semantics *s, unsigned op, unsigned dst,
		  unsigned a, unsigned b, uint64_t imm);

/* Nothing that is kept is done.  */
tb_emitter tb_sem_nothing;

struct tb_row
{
  uint32_t mask, value;		/* Opcodes with these bits are it.  */
  /* Bits 31:0: what the set says of its registers; see below.  Above: TB_GOES.  */
  uint64_t fields;
  uint16_t arg;			/* For the emitter.  */
  tb_emitter *emit;
};

struct tb_rows
{
  const struct tb_row *rows;
  unsigned count;
};

#define TB_ROWS(a) { (a), sizeof (a) / sizeof (a)[0] }

/* What an instruction is for flow: enum tb_flow_kind, enum tb_flow_sub, and how that is
   worked out.  A row without it goes on.  */
#define TB_GOES(kind, sub, how) \
  ((uint64_t) ((unsigned) (kind) | (unsigned) (sub) << 4 | (unsigned) (how) << 8) << 32)
#define TB_GOES_KIND(fields) ((fields) >> 32 & 15)
#define TB_GOES_SUB(fields) ((fields) >> 36 & 15)
#define TB_GOES_HOW(fields) ((fields) >> 40 & 31)
/* Only if its register D, bits 4:0 of the fields, is PC.  */
#define TB_GOES_IF_PC (UINT64_C (1) << 63)

/* Short for those that are, without the prefixes of the words.  */
#define TB_IS(kind) TB_GOES (TB_FLOW_##kind, TB_SUB_NONE, TB_HOW_PLAIN)
#define TB_INDIRECT(sub) TB_GOES (TB_FLOW_INDIRECT, TB_SUB_##sub, TB_HOW_PLAIN)
#define TB_DIRECT(sub, how) TB_GOES (TB_FLOW_BRANCH, TB_SUB_##sub, TB_HOW_##how)
#define TB_IF_PC(how) \
  (TB_GOES (TB_FLOW_INDIRECT, TB_SUB_NONE, TB_HOW_##how) | TB_GOES_IF_PC)
#define TB_BEGINS_IT TB_GOES (TB_FLOW_OTHER, TB_SUB_NONE, TB_HOW_IT)
#define TB_EXCHANGE TB_GOES (TB_FLOW_INDIRECT, TB_SUB_NONE, TB_HOW_BY_M)	/* BX  */

enum tb_how
{
  TB_HOW_PLAIN,
  /* TB_SUB_V7RETURN if register M is LR; TB_SUB_ERET if bit 20 is set.  */
  TB_HOW_BY_M, TB_HOW_BY_S,
  /* Direct branches, by the width of their offset or what is special: of A32; of T32 (of
     which the third one leads to A32, and the next three are loops); of A64.  */
  TB_HOW_24, TB_HOW_24_T32,
  TB_HOW_11, TB_HOW_25, TB_HOW_25_A32, TB_HOW_LOOP, TB_HOW_BACK, TB_HOW_PAST,
  TB_HOW_8, TB_HOW_21, TB_HOW_ZERO, TB_HOW_T32EE,
  TB_HOW_26, TB_HOW_19, TB_HOW_14, TB_HOW_9,
  TB_HOW_IT			/* None: it begins an IT block.  */
};

/* What OP, whose row is ROW, is for flow: enum tb_flow_kind.  */
static inline unsigned
tb_row_kind (const struct tb_row *row, uint32_t op)
{
  if (row->fields & TB_GOES_IF_PC
      && (((uint64_t) op << 4 | 15) >> (row->fields & 31) & 15) != 15)
    return TB_FLOW_OTHER;
  return TB_GOES_KIND (row->fields);
}

/* The row of OP, or NULL.  Bits 31:28 of its fields are the number of a group of
   architectures, all of which are bits of GROUPS.  */
static inline const struct tb_row *
tb_find_row (const struct tb_rows *table, uint32_t op, unsigned groups)
{
  for (unsigned i = 0; i < table->count; i++)
    if ((op & table->rows[i].mask) == table->rows[i].value
	&& groups >> (table->rows[i].fields >> 28 & 15) & 1)
      return &table->rows[i];
  return NULL;
}

#endif /* TB_ARM_LIFT_ROWS_H */
