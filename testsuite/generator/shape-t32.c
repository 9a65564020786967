/* T32 instructions of random programs.  See shape.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/shape.h"

#define MIB (1 << 20)
#define NO GEN_NOT_V6M
#define ONE GEN_ONE_WORD
#define TWO GEN_TWO_WORDS

static const struct gen_shape table[] =
{
  { 0xbf00, 2, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* nop  */
  { 0xf3bf8f5f, 4, GEN_BARRIER, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* dmb  */
  { 0xf3af8000, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, NO, 0, 0 },	/* nop.w  */
  { 0x2000, 2, GEN_STRAIGHT, GEN_FIELD_LOW, 11, 0, 0, 0 },	/* movs  */
  { 0x3000, 2, GEN_STRAIGHT, GEN_FIELD_LOW, 11, 0, 0, 0 },	/* adds  */
  { 0x2800, 2, GEN_STRAIGHT, GEN_FIELD_LOW, 11, 0, 0, 0 },	/* cmp  */
  { 0x6800, 2, GEN_STRAIGHT, GEN_FIELD_LOW, 11, ONE, 0, 0 },	/* ldr  */
  { 0x6000, 2, GEN_STRAIGHT, GEN_FIELD_LOW, 11, ONE | GEN_STORES, 0, 0 },	/* str  */
  { 0x4800, 2, GEN_STRAIGHT, GEN_FIELD_LOW, 11, ONE, 0, 0 },	/* ldr literal  */
  { 0xb510, 2, GEN_STRAIGHT, GEN_FIELD_NONE, 0, TWO | GEN_STORES, 0, 0 },	/* push  */
  { 0xbc10, 2, GEN_STRAIGHT, GEN_FIELD_NONE, 0, ONE, 0, 0 },	/* pop  */
  { 0x4408, 2, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* add  */
  { 0x4618, 2, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* mov  */
  { 0xbf40, 2, GEN_STRAIGHT, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* sev  */
  { 0xf04f0000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 8, NO, 0, 0 },	/* mov.w  */
  { 0xf2401000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 8, NO, 0, 0 },	/* movw  */
  { 0xf8d10000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 12, NO | ONE, 0, 0 },	/* ldr.w  */
  { 0xf8c10000, 4, GEN_STRAIGHT, GEN_FIELD_LOW, 12, NO | ONE | GEN_STORES, 0, 0 },	/* str.w  */
  { 0xfb01f002, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, NO, 0, 0 },	/* mul  */
  { 0xe92d4010, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, NO | TWO | GEN_STORES,
    0, 0 },							/* push.w  */
  { 0xe8bd0030, 4, GEN_STRAIGHT, GEN_FIELD_NONE, 0, NO | TWO, 0, 0 },	/* pop.w  */
  { 0xf3bf8f4f, 4, GEN_BARRIER, GEN_FIELD_NONE, 0, 0, 0, 0 },	/* dsb  */
  { 0xbf30, 2, GEN_WAIT, GEN_FIELD_NONE, 0, GEN_NO_IT, 0, 0 },	/* wfi  */
  { 0xbf20, 2, GEN_WAIT, GEN_FIELD_NONE, 0, GEN_NO_IT, 0, 0 },	/* wfe  */
  { 0xf3bf8f6f, 4, GEN_ISB, GEN_FIELD_NONE, 0, GEN_NO_IT, 0, 0 },	/* isb  */
  { 0xdf00, 2, GEN_CALL, GEN_FIELD_LOW, 8, GEN_NO_IT, 0, 0 },	/* svc  */
  { 0xe000, 2, GEN_DIRECT, GEN_T32_11, 0, GEN_IT_END | GEN_LAST,
    -2044, 2050 },						/* b  */
  { 0xd000, 2, GEN_DIRECT, GEN_T32_8, 0, GEN_COND | GEN_NO_IT,
    -252, 258 },						/* bcc  */
  { 0xd000, 2, GEN_DIRECT, GEN_T32_8, 0, GEN_COND | GEN_NO_IT,
    -252, 258 },
  { 0xf0008000, 4, GEN_DIRECT, GEN_T32_20, 0, GEN_COND | GEN_NO_IT | NO,
    -MIB, MIB },						/* bcc.w  */
  { 0xf0009000, 4, GEN_DIRECT, GEN_T32_24, 0, GEN_IT_END | GEN_LAST | NO,
    -16 * MIB, 16 * MIB },					/* b.w  */
  { 0xf000d000, 4, GEN_DIRECT, GEN_T32_24, 0, GEN_IT_END | GEN_LINK,
    -16 * MIB, 16 * MIB },					/* bl  */
  { 0xf000c000, 4, GEN_DIRECT, GEN_T32_BLX, 0,
    GEN_IT_END | GEN_LINK | GEN_OTHER_ISA | GEN_A_ONLY | NO,
    -16 * MIB, 16 * MIB },					/* blx  */
  { 0xb100, 2, GEN_DIRECT, GEN_T32_CB, 0, GEN_COND | GEN_NO_IT | NO,
    4, 130 },							/* cbz  */
  { 0xb900, 2, GEN_DIRECT, GEN_T32_CB, 0, GEN_COND | GEN_NO_IT | NO,
    4, 130 },							/* cbnz  */
  { 0x4700, 2, GEN_INDIRECT, GEN_FIELD_REG, 3,
    GEN_IT_END | GEN_SWITCH | GEN_LAST, 0, 0 },			/* bx  */
  { 0x4780, 2, GEN_INDIRECT, GEN_FIELD_REG, 3,
    GEN_IT_END | GEN_SWITCH | GEN_LINK, 0, 0 },			/* blx  */
  { 0x4770, 2, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_IT_END | GEN_SWITCH | GEN_RET | GEN_LAST, 0, 0 },	/* bx lr  */
  { 0xbd10, 2, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_IT_END | GEN_SWITCH | GEN_RET | GEN_LAST | TWO, 0, 0 },	/* pop {pc}  */
  { 0xe8bd8010, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_IT_END | GEN_SWITCH | GEN_RET | GEN_LAST | NO | TWO, 0, 0 },	/* pop.w  */
  { 0xf85dfb04, 4, GEN_INDIRECT, GEN_FIELD_NONE, 0,
    GEN_IT_END | GEN_SWITCH | GEN_RET | GEN_LAST | NO | ONE, 0, 0 },	/* ldr pc  */
  { 0x4687, 2, GEN_INDIRECT, GEN_FIELD_REG, 3, GEN_IT_END, 0, 0 },	/* mov pc */
  { 0xe8d0f000, 4, GEN_INDIRECT, GEN_FIELD_LOW, 3,
    GEN_IT_END | GEN_LAST | NO | ONE, 0, 0 },				/* tbb  */
  { 0xe8d0f010, 4, GEN_INDIRECT, GEN_FIELD_LOW, 3,
    GEN_IT_END | GEN_LAST | NO | ONE, 0, 0 },				/* tbh  */
  { 0xf3de8f04, 4, GEN_ERET, GEN_FIELD_NONE, 0, GEN_NO_IT | GEN_A_ONLY,
    0, 0 },							/* subs pc  */
  { 0xe9bdc000, 4, GEN_ERET, GEN_FIELD_NONE, 0, GEN_NO_IT | GEN_A_ONLY | TWO,
    0, 0 }							/* rfeia  */
};

const struct gen_shapes gen_shapes_t32
  = { table, sizeof table / sizeof table[0] };

/* BL, B.W: S:I1:I2:imm10:imm11:0 with J = NOT (I XOR S).  */
static uint32_t
wide_branch (uint32_t offset)
{
  uint32_t s = offset >> 24 & 1, i1 = offset >> 23 & 1, i2 = offset >> 22 & 1;
  return s << 26 | (offset >> 12 & 0x3ff) << 16
	 | (~(i1 ^ s) & 1) << 13 | (~(i2 ^ s) & 1) << 11
	 | (offset >> 1 & 0x7ff);
}

uint32_t
gen_opcode_t32 (const struct gen_shape *shape, uint64_t pc, uint64_t target,
		struct gen_random *random)
{
  uint32_t opcode = shape->opcode;
  uint32_t offset = (uint32_t) (target - (pc + 4));

  switch (shape->field)
    {
    case GEN_FIELD_LOW:
      return opcode
	     ^ (gen_next (random) & ((UINT32_C (1) << shape->width) - 1));
    case GEN_FIELD_REG:
      return opcode | gen_below (random, 13) << shape->width;
    case GEN_T32_8:
      return opcode | gen_below (random, 14) << 8 | (offset >> 1 & 0xff);
    case GEN_T32_11:
      return opcode | (offset >> 1 & 0x7ff);
    case GEN_T32_CB:
      return opcode | (offset >> 6 & 1) << 9 | (offset >> 1 & 0x1f) << 3
	     | gen_below (random, 8);
    case GEN_T32_20:		/* S:J2:J1:imm6:imm11:0  */
      return opcode | (offset >> 20 & 1) << 26 | gen_below (random, 14) << 22
	     | (offset >> 12 & 0x3f) << 16 | (offset >> 18 & 1) << 13
	     | (offset >> 19 & 1) << 11 | (offset >> 1 & 0x7ff);
    case GEN_T32_24:
      return opcode | wide_branch (offset);
    case GEN_T32_BLX:		/* From the word that the PC is in.  */
      return opcode | wide_branch ((uint32_t) (target
					       - ((pc + 4) & ~UINT64_C (3))));
    default:
      return opcode;
    }
}
