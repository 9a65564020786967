/* The instructions that programs are made of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm Architecture Reference Manuals (DDI 0487 for A64, DDI 0406 for
   A32 and T32, DDI 0403 and DDI 0553 for the M profile).  */

#ifndef GEN_SHAPE_H
#define GEN_SHAPE_H

#include "generator/program.h"

/* Bits of gen_shape.flags.  */
enum
{
  GEN_COND = 1,			/* Conditional by its own encoding.  */
  GEN_LINK = 2,
  GEN_RET = 4,			/* Used to return from a function.  */
  GEN_SWITCH = 8,		/* Indirect, may change the instruction set.  */
  GEN_OTHER_ISA = 16,		/* Direct, changes the instruction set.  */
  GEN_NO_IT = 32,		/* Not in an IT block.  */
  GEN_IT_END = 64,		/* In an IT block only as the last one.  */
  GEN_A_ONLY = 128,		/* A and R profile.  */
  GEN_M_ONLY = 256,
  GEN_NOT_V6M = 512,
  GEN_LAST = 1024,		/* Fit to end a function.  */
  /* A32 and T32: loads or stores one word; two in sequence.  */
  GEN_ONE_WORD = 2048, GEN_TWO_WORDS = 4096,
  GEN_STORES = 8192		/* Of these: it stores.  */
};

/* Where the condition, target or register goes.  */
enum gen_field
{
  GEN_FIELD_NONE,
  GEN_FIELD_LOW,		/* Random low bits that change nothing.  */
  GEN_FIELD_COND,		/* A condition, no target.  */
  GEN_FIELD_REG,		/* A register.  */
  /* Targets of direct branches, by ISA.  */
  GEN_A64_26, GEN_A64_19, GEN_A64_COND, GEN_A64_14,
  GEN_A32_24, GEN_A32_24_COND, GEN_A32_BLX,
  GEN_T32_8, GEN_T32_11, GEN_T32_CB, GEN_T32_20, GEN_T32_24, GEN_T32_BLX
};

struct gen_shape
{
  uint32_t opcode;
  uint8_t size, kind, field;
  uint8_t width;		/* LOW: bits.  REG: the lowest bit.  */
  uint16_t flags;
  int32_t low, high;		/* Direct branches: how far the target may be from
				   the instruction's address.  */
};

struct gen_shapes
{
  const struct gen_shape *shape;
  size_t count;
};

/* The table of an instruction set.  Shape 0 (and, for T32, shape 1 with four
   bytes) goes straight on and can stand for any other.  */
struct gen_shapes gen_shapes_of (enum gen_isa isa);
extern const struct gen_shapes gen_shapes_a64, gen_shapes_a32, gen_shapes_t32;

/* The opcode of SHAPE at PC.  */
uint32_t gen_opcode_a64 (const struct gen_shape *shape, uint64_t pc,
			 uint64_t target, struct gen_random *random);
uint32_t gen_opcode_a32 (const struct gen_shape *shape, uint64_t pc,
			 uint64_t target, struct gen_random *random);
uint32_t gen_opcode_t32 (const struct gen_shape *shape, uint64_t pc,
			 uint64_t target, struct gen_random *random);

#endif /* GEN_SHAPE_H */
