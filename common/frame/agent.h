/* Agent expressions: the bytecode in which GDB sends conditions and what to
   collect.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, appendix "The GDB Agent Expression Mechanism"; the numbers
   of the operations as GDB 13.1 sends them.

   Values may be known in part, bit by bit (struct tb_value).  What is computed
   from unknown bits is unknown.  Where a jump depends on them both ways are tried,
   and what both lead to is known: "a || b" holds where b does.  */

#ifndef TB_FRAME_AGENT_H
#define TB_FRAME_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/regs.h"

/* How deep the stack of an expression may be, and how many operations may be
   executed: expressions can loop.  */
#define TB_AGENT_STACK 64
#define TB_AGENT_OPERATIONS 10000

/* What an expression is evaluated over.  The functions get DATA.  */
struct tb_agent_world
{
  void *data;
  /* Register NUMBER of the remote protocol; false: there is none.  */
  bool (*reg) (void *data, unsigned number, struct tb_value *value);
  /* LENGTH bytes of memory; ORIGINS[i] is TB_UNKNOWN where BYTES[i] means
     nothing.  */
  void (*memory) (void *data, uint64_t address, uint8_t *bytes,
		  uint8_t *origins, size_t length);
  /* Read and set state variable NUMBER; false: there is none.  */
  bool (*get) (void *data, unsigned number, struct tb_value *value);
  bool (*set) (void *data, unsigned number, const struct tb_value *value);
  /* The expression collects LENGTH bytes at ADDRESS; NULL: nobody asks.  */
  void (*collect) (void *data, uint64_t address, uint64_t length);
  /* It would, but the address or the length is not known; NULL: nobody asks.  */
  void (*leave_out) (void *data);
  uint64_t address_mask;	/* The bits that addresses have.  */
};

enum tb_agent_status
{
  TB_AGENT_DONE,		/* To its end.  */
  TB_AGENT_UNKNOWN,		/* Where it goes on depends on what is not known,
				   and it sets variables or does so too often.  */
  TB_AGENT_MALFORMED,		/* It ends in the middle, jumps outside, or has
				   operations that do not exist.  */
  TB_AGENT_STACK_ERROR,		/* Too deep, or too little on the stack.  */
  TB_AGENT_NO_FLOAT,		/* Floating point is not supported (GDB does not
				   send it).  */
  TB_AGENT_DIVIDED_BY_ZERO,
  TB_AGENT_NO_REGISTER,
  TB_AGENT_NO_VARIABLE,
  TB_AGENT_TOO_LONG		/* More than TB_AGENT_OPERATIONS.  */
};

/* Why an evaluation failed: "division by zero".  */
const char *tb_agent_text (enum tb_agent_status status);

/* Evaluate the LENGTH bytes of CODE.  *VALUE is what is on top of the stack at
   the end: unknown (mask 0) if that is nothing, or unless TB_AGENT_DONE.  What
   comes before an error has taken effect.  */
enum tb_agent_status tb_agent_run (const uint8_t *code, size_t length,
				   const struct tb_agent_world *world,
				   struct tb_value *value);

/* Can CODE set a state variable?  Does it read registers or memory?  */
bool tb_agent_sets (const uint8_t *code, size_t length);
bool tb_agent_reads (const uint8_t *code, size_t length);
bool tb_agent_reads_registers (const uint8_t *code, size_t length);

enum tb_truth
{
  TB_FALSE, TB_TRUE, TB_MAYBE
};

/* VALUE as a condition.  */
enum tb_truth tb_agent_truth (const struct tb_value *value);

#endif /* TB_FRAME_AGENT_H */
