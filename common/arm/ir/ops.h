/* Operations: what micro-operations do, those of all instruction sets.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A value is a number of 32 bits (A32 and T32) or of 64 bits (A64): its width.  An
   operation means the same for both; arithmetic is modulo 2^width.  Places are those
   of enum tb_place, or of enum tb_place_a64, and of enum tb_place_any.  */

#ifndef TB_ARM_IR_OPS_H
#define TB_ARM_IR_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* What else is true of an operation.  */
enum tb_op_property
{
  TB_WRITES = 1,		/* DST is a place that gets a value.  */
  TB_READS_DST = 2,		/* DST is a place that is read (or none).  */
  TB_FLAG = 4,			/* The value is 0 or 1.  */
  TB_ZERO_KEEPS = 8,		/* The value is A where B is 0.  */
  /* A follows from the value and B.  */
  TB_REVERSIBLE = 16,
  TB_READS_FLAGS = 32,		/* It reads the flags of condition IMM.  */
  TB_LOADS = 64, TB_STORES = 128, /* IMM tells of an access of memory.  */
  /* The registers in use may be others then.  */
  TB_SWITCHES = 256,
  /* All that it does follows from numbers in places and memory.  */
  TB_EXACT = 512,
  /* It does nothing but with places, memory, and which instruction comes next.  */
  TB_PLAIN = 1024,
  TB_SETS_NZ = 2048, TB_SETS_C = 4096, TB_SETS_V = 8192
};

/* Which operands have to be below 2^32 for a value of 64 bits to be.  */
enum tb_op_size
{
  TB_SIZE_ANY,			/* None will do.  */
  TB_SIZE_A,			/* A.  */
  TB_SIZE_LEAST,		/* A or B.  */
  TB_SIZE_MOST,			/* A and B.  */
  TB_SIZE_FEW			/* It always is.  */
};

/* All operations; those up to TB_OP_LAST_VALUE compute DST from A (and B).  */
enum tb_op
{
#define TB_OP(name, operands, size, properties) TB_OP_##name,
#include "arm/ir/ops.def"
  TB_OP_COUNT,
  TB_OP_LAST_VALUE = TB_OP_C_ROR
};

/* A row of the table of operations, arm/ir/ops.def.  */
struct tb_op_row
{
  const char *name;
  uint8_t operands;
  uint8_t size;			/* enum tb_op_size  */
  uint16_t properties;		/* enum tb_op_property  */
};
extern const struct tb_op_row tb_ops[TB_OP_COUNT];

/* Has OP one of PROPERTIES?  */
static inline bool
tb_op_is (unsigned op, unsigned properties)
{
  return (tb_ops[op].properties & properties) != 0;
}

/* The immediate of loads and stores: bytes, and whether the access faults where
   it is not aligned to them, even where others need not be.  */
#define TB_ACCESS_SIZE(imm) ((unsigned) ((imm) & 15))
#define TB_ACCESS_ALIGNED 16

/* Places of all instruction sets.  Their own are below these; FP and vector registers, which
   live on as slots do, are above.  */
enum tb_place_any
{
  TB_PLACE_ZERO = 54,		/* A64: XZR, read.  */
  TB_PLACE_IMM,			/* The operation's immediate.  */
  TB_PLACE_NONE,
  TB_PLACE_FP = 64
};

struct tb_uop
{
  uint8_t op;			/* enum tb_op  */
  uint8_t dst, a, b;		/* Places.  */
  /* The operation's predicate: TB_ALWAYS, or a place that is 0 or 1.  Where it is 0
     nothing is done: DST and memory stay.  It is the same from the first operation of a
     run of them to the last; of A32 and T32 a temporary that a run writes means nothing
     behind it where the predicate was 0.  */
  uint8_t when;
  uint64_t imm;
};

/* No place that can be a predicate.  */
#define TB_ALWAYS 0

/* The immediate of U, which has at most 32 bits: of A32 and T32 all have; of A64 so have
   conditions, sizes of accesses and exception levels.  */
static inline uint32_t
tb_uop_number (const struct tb_uop *u)
{
  return (uint32_t) u->imm;
}

/* Are the COUNT micro-operations X the same as Y?  */
bool tb_uops_same (const struct tb_uop *x, const struct tb_uop *y,
		   unsigned count);

/* The value of a TB_OP_... up to TB_OP_LAST_VALUE, of WIDTH (32 or 64) bits, as A
   and B are.  */
uint64_t tb_op_value (unsigned op, unsigned width, uint64_t a, uint64_t b);

#endif /* TB_ARM_IR_OPS_H */
