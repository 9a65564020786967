/* A32 instructions of random programs.  See shape.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/shape.h"

#define ONE GEN_ONE_WORD
#define TWO GEN_TWO_WORDS
#define REACH -32 * (1 << 20), 32 * (1 << 20) - 4

/* GEN_COND: the condition field of OPCODE, which is 0, gets a condition.  */
static const struct gen_shape table[] =
{
  { 0xe1a00000, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* nop  */
  { 0xe2800000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 12, 0, 0, 0 },	/* add  */
  { 0xe5910000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 12, ONE, 0, 0 },	/* ldr  */
  { 0xe5810000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 12, ONE | GEN_STORES, 0, 0 },	/* str  */
  { 0xe0000291, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* mul  */
  { 0xe92d4010, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, TWO | GEN_STORES, 0, 0 },	/* push  */
  { 0xe8bd0030, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, TWO, 0, 0 },	/* pop  */
  { 0xe3500000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 8, 0, 0, 0 },	/* cmp  */
  { 0x03a00000, 4, GEN_STRAIGHT, GEN_FIELD_COND, 0, GEN_COND, 0, 0 }, /* mov  */
  { 0x05900000, 4, GEN_STRAIGHT, GEN_FIELD_COND, 0, GEN_COND | ONE, 0, 0 }, /* ldr  */
  { 0xe320f000, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* nop  */
  { 0xf57ff05f, 4, GEN_BARRIER, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* dmb  */
  { 0xf57ff04f, 4, GEN_BARRIER, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* dsb  */
  { 0xe320f003, 4, GEN_WAIT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* wfi  */
  { 0xf57ff06f, 4, GEN_ISB, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* isb  */
  { 0xef000000, 4, GEN_CALL, GEN_FIELD_LOW, 24, 0, 0, 0 },	/* svc  */
  { 0xea000000, 4, GEN_DIRECT, GEN_A32_24, 0, GEN_LAST, REACH },	/* b  */
  { 0x0a000000, 4, GEN_DIRECT, GEN_A32_24_COND, 0, GEN_COND, REACH },
  { 0x0a000000, 4, GEN_DIRECT, GEN_A32_24_COND, 0, GEN_COND, REACH },
  { 0xeb000000, 4, GEN_DIRECT, GEN_A32_24, 0, GEN_LINK, REACH },	/* bl  */
  { 0x0b000000, 4, GEN_DIRECT, GEN_A32_24_COND, 0, GEN_LINK | GEN_COND,
    REACH },							/* blcc  */
  { 0xfa000000, 4, GEN_DIRECT, GEN_A32_BLX, 0, GEN_LINK | GEN_OTHER_ISA,
    REACH },							/* blx  */
  { 0xe12fff10, 4, GEN_INDIRECT, GEN_FIELD_REG, 0, GEN_SWITCH | GEN_LAST,
    0, 0 },							/* bx  */
  { 0xe12fff30, 4, GEN_INDIRECT, GEN_FIELD_REG, 0, GEN_SWITCH | GEN_LINK,
    0, 0 },							/* blx  */
  { 0xe12fff1e, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_SWITCH | GEN_RET | GEN_LAST, 0, 0 },			/* bx lr  */
  { 0x012fff1e, 4, GEN_INDIRECT, GEN_FIELD_COND, 0,
    GEN_SWITCH | GEN_RET | GEN_COND, 0, 0 },			/* bxcc lr  */
  { 0xe8bd8010, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_SWITCH | GEN_RET | GEN_LAST | TWO, 0, 0 },			/* pop {r4, pc}  */
  { 0xe49df004, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_SWITCH | GEN_RET | GEN_LAST | ONE, 0, 0 },			/* pop {pc}  */
  { 0xe1a0f00e, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_SWITCH | GEN_RET | GEN_LAST, 0, 0 },			/* mov pc, lr  */
  { 0xe790f101, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0, GEN_SWITCH | ONE, 0, 0 },
  { 0x079ff102, 4, GEN_INDIRECT, GEN_FIELD_COND, 0, GEN_SWITCH | GEN_COND | ONE,
    0, 0 },							/* ldrcc pc  */
  { 0xe25ef004, 4, GEN_ERET, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* subs pc  */
  { 0xe1b0f00e, 4, GEN_ERET, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* movs pc  */
  { 0xf8bd0a00, 4, GEN_ERET, GEN_FIELD_NONE, 0, TWO, 0, 0 }	/* rfeia  */
};

const struct gen_shapes gen_shapes_a32
  = { table, sizeof table / sizeof table[0] };

uint32_t
gen_opcode_a32 (const struct gen_shape *shape, uint64_t pc, uint64_t target,
		struct gen_random *random)
{
  uint32_t opcode = shape->opcode;
  uint32_t offset = (uint32_t) (target - (pc + 8));

  switch (shape->field)
    {
    case GEN_FIELD_LOW:
      return opcode
	     ^ (gen_next (random) & ((UINT32_C (1) << shape->width) - 1));
    case GEN_FIELD_COND:
      return opcode | gen_below (random, 14) << 28;
    case GEN_FIELD_REG:
      return opcode | gen_below (random, 13);
    case GEN_A32_24:
      return opcode | (offset >> 2 & 0xffffff);
    case GEN_A32_24_COND:
      return opcode | gen_below (random, 14) << 28 | (offset >> 2 & 0xffffff);
    case GEN_A32_BLX:
      return opcode | (offset >> 1 & 1) << 24 | (offset >> 2 & 0xffffff);
    default:
      return opcode;
    }
}
