/* A64 instructions of random programs.  See shape.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/shape.h"

#define MIB (1 << 20)

static const struct gen_shape table[] =
{
  { 0xd503201f, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* nop  */
  { 0x91000400, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 10, 0, 0, 0 },	/* add  */
  { 0xf9400000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 10, 0, 0, 0 },	/* ldr  */
  { 0xf9000000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 10, 0, 0, 0 },	/* str  */
  { 0xa9bf7bfd, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* stp  */
  { 0xd2800000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 21, 0, 0, 0 },	/* movz  */
  { 0x9b007c00, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 10, 0, 0, 0 },	/* mul  */
  { 0x9a820020, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* csel  */
  { 0x1e602820, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* fadd  */
  { 0x4e208400, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 10, 0, 0, 0 },	/* add v  */
  { 0xd53bd040, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 5, 0, 0, 0 },	/* mrs  */
  { 0xd503233f, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* paciasp  */
  { 0xd5033fbf, 4, GEN_BARRIER, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* dmb  */
  { 0xd5033f9f, 4, GEN_BARRIER, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* dsb  */
  { 0xd503205f, 4, GEN_WAIT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* wfe  */
  { 0xd503207f, 4, GEN_WAIT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* wfi  */
  { 0xd5033fdf, 4, GEN_ISB, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* isb  */
  { 0xd4000001, 4, GEN_CALL, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* svc  */
  { 0xd4000002, 4, GEN_CALL, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* hvc  */
  { 0x14000000, 4, GEN_DIRECT, GEN_A64_26, 0, GEN_LAST,		/* b  */
    -128 * MIB, 128 * MIB - 4 },
  { 0x94000000, 4, GEN_DIRECT, GEN_A64_26, 0, GEN_LINK,		/* bl  */
    -128 * MIB, 128 * MIB - 4 },
  { 0x54000000, 4, GEN_DIRECT, GEN_A64_COND, 0, GEN_COND,	/* b.cond  */
    -MIB, MIB - 4 },
  { 0x34000000, 4, GEN_DIRECT, GEN_A64_19, 0, GEN_COND, -MIB, MIB - 4 },
  { 0xb5000000, 4, GEN_DIRECT, GEN_A64_19, 0, GEN_COND, -MIB, MIB - 4 },
  { 0x36000000, 4, GEN_DIRECT, GEN_A64_14, 0, GEN_COND, -32768, 32764 },
  { 0xb7000000, 4, GEN_DIRECT, GEN_A64_14, 0, GEN_COND, -32768, 32764 },
  { 0xd61f0000, 4, GEN_INDIRECT, GEN_FIELD_REG, 5, GEN_LAST, 0, 0 },  /* br  */
  { 0xd71f0801, 4, GEN_INDIRECT, GEN_FIELD_REG, 5, 0, 0, 0 },	/* braa  */
  { 0xd63f0000, 4, GEN_INDIRECT, GEN_FIELD_REG, 5, GEN_LINK, 0, 0 },	/* blr  */
  { 0xd73f0c02, 4, GEN_INDIRECT, GEN_FIELD_REG, 5, GEN_LINK, 0, 0 },	/* blrab */
  { 0xd65f03c0, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0, GEN_RET | GEN_LAST,
    0, 0 },							/* ret  */
  { 0xd65f0bff, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0, GEN_RET | GEN_LAST,
    0, 0 },							/* retaa  */
  { 0xd69f03e0, 4, GEN_ERET, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* eret  */
  { 0xd69f0bff, 4, GEN_ERET, GEN_FIELD_NONE, 0, 0, 0, 0 }	/* eretaa  */
};

const struct gen_shapes gen_shapes_a64
  = { table, sizeof table / sizeof table[0] };

uint32_t
gen_opcode_a64 (const struct gen_shape *shape, uint64_t pc, uint64_t target,
		struct gen_random *random)
{
  uint32_t opcode = shape->opcode;
  uint32_t words = (uint32_t) ((int64_t) (target - pc) >> 2);

  switch (shape->field)
    {
    case GEN_FIELD_LOW:
      return opcode
	     ^ (gen_next (random) & ((UINT32_C (1) << shape->width) - 1));
    case GEN_FIELD_REG:
      return opcode | gen_below (random, 31) << shape->width;
    case GEN_A64_26:
      return opcode | (words & 0x3ffffff);
    case GEN_A64_19:
      return opcode | (words & 0x7ffff) << 5 | gen_below (random, 32);
    case GEN_A64_COND:
      return opcode | (words & 0x7ffff) << 5 | gen_below (random, 14);
    case GEN_A64_14:
      return opcode | gen_below (random, 32) << 19 | (words & 0x3fff) << 5
	     | gen_below (random, 32);
    default:
      return opcode;
    }
}
