/* The return stack of PTM (IHI 0035, 4.13 "Use of a return stack"), ETMv4 and ETE
   (IHI 0064, 2.11 "Return stack").

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_RETURN_STACK_H
#define TB_DECODE_RETURN_STACK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "arm/machine/profile.h"

/* The deepest that a trace unit may have; with fewer entries it loses the
   oldest, which then are never asked for.  */
#define TB_RETURN_STACK_DEPTH 16

/* A ring; all zero is empty.  */
struct tb_return_stack
{
  uint64_t address[TB_RETURN_STACK_DEPTH];
  uint8_t isa[TB_RETURN_STACK_DEPTH];
  uint8_t top;			/* Where the newest entry is.  */
  uint8_t count;
  bool enabled;
  bool pending;			/* An indirect branch was taken: if no address
				   comes, the newest entry is its target.  */
  bool plain;			/* ... a branch that neither links nor returns
				   from an exception.  */
  bool waiting;			/* From Trace Info to the next address nothing
				   is pushed.  */
  bool lost;			/* Code was passed that is not in the image: what
				   lies below is not known.  */
};

static inline void
tb_return_stack_flush (struct tb_return_stack *stack)
{
  stack->count = 0;
}

static inline void
tb_return_stack_push (struct tb_return_stack *stack, uint64_t address,
		      enum tb_isa isa)
{
  if (!stack->enabled || stack->waiting)
    return;
  stack->top = (uint8_t) ((stack->top + 1) % TB_RETURN_STACK_DEPTH);
  stack->address[stack->top] = address;
  stack->isa[stack->top] = isa;
  if (stack->count < TB_RETURN_STACK_DEPTH)
    stack->count++;
}

/* False: it is empty.  */
static inline bool
tb_return_stack_pop (struct tb_return_stack *stack, uint64_t *address,
		     enum tb_isa *isa)
{
  if (stack->count == 0)
    return false;
  *address = stack->address[stack->top];
  *isa = stack->isa[stack->top];
  stack->top = (uint8_t) ((stack->top + TB_RETURN_STACK_DEPTH - 1)
			  % TB_RETURN_STACK_DEPTH);
  stack->count--;
  return true;
}

/* Whether the branch that is pending was matched will never be told: what the
   trace unit has left is not known.  */
static inline void
tb_return_stack_doubt (struct tb_return_stack *stack)
{
  if (!stack->pending)
    return;
  stack->pending = false;
  stack->lost = true;
  tb_return_stack_flush (stack);
}

/* Put the newest entry first and make zero what is none, so that stacks can be
   compared.  */
static inline void
tb_return_stack_normalise (struct tb_return_stack *stack)
{
  struct tb_return_stack from = *stack;
  enum tb_isa isa = TB_ISA_UNKNOWN;

  memset (stack->address, 0, sizeof stack->address);
  memset (stack->isa, 0, sizeof stack->isa);
  for (unsigned i = 0; tb_return_stack_pop (&from, &stack->address[i], &isa);
       i++)
    stack->isa[i] = isa;
  stack->top = 0;
  if (!stack->pending)
    stack->plain = false;
}

/* Is the newest entry ADDRESS in ISA?  */
static inline bool
tb_return_stack_matches (const struct tb_return_stack *stack, uint64_t address,
			 enum tb_isa isa)
{
  return stack->count > 0 && stack->address[stack->top] == address
	 && stack->isa[stack->top] == isa;
}

#endif /* TB_DECODE_RETURN_STACK_H */
