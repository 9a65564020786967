/* Forward: an instruction's micro-operations, compiled to be run fast.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   tb_semantics_run looks at each micro-operation as it comes.  Where the same
   instruction runs again and again, as along a trace, most of that is done once:
   here several micro-operations that always come together become one operation
   (an addition with its flags, an address with its access), a value goes straight
   to the register that a temporary would have been moved to, and immediates are
   told from places.  What an instruction does is still said by its
   micro-operations alone: whatever has no operation of its own here is the same
   operation, and an instruction that touches system registers or FP registers is
   not compiled.

   The flags are worked out at once: they are asked for at each step.  */

#ifndef TB_ARM_IR_FORWARD_H
#define TB_ARM_IR_FORWARD_H

#include "arm/ir/semantics.h"

struct tb_forward_op
{
  uint8_t code;
  uint8_t dst, a, b;		/* enum tb_place, mostly.  */
  uint32_t imm;
};

/* The most operations that COUNT micro-operations become.  */
#define TB_FORWARD_MOST(count) (2 * (count) + 1)

/* Compile the COUNT micro-operations UOPS of an instruction with FLAGS
   (TB_SEM_...) to OPS, which has room for TB_FORWARD_MOST (COUNT).  Returns how many there are
   then; 0: it cannot be.  */
unsigned tb_forward_compile (struct tb_forward_op *ops,
			     const struct tb_uop *uops, unsigned count,
			     unsigned flags);

/* As those of tb_semantics_run, of 32 bits.  */
struct tb_forward_memory
{
  uint32_t (*load) (void *context, uint32_t address, unsigned size);
  void (*store) (void *context, uint32_t address, unsigned size, uint32_t value);
  void *context;
};
struct tb_forward_result
{
  bool conditional, taken, skipped, indirect;
  uint32_t target;
};

/* As tb_semantics_run with the micro-operations that OPS were compiled from, but
   what is left in the temporaries means nothing.  */
void tb_forward_run (const struct tb_forward_op *ops, uint32_t *places,
		     const struct tb_forward_memory *memory,
		     struct tb_forward_result *result);

#endif /* TB_ARM_IR_FORWARD_H */
