/* The operations of agent expressions (private to frame/agent*.c and what looks
   into them).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_AGENT_OPS_H
#define TB_FRAME_AGENT_OPS_H

#include "frame/agent.h"

/* GDB manual, "Bytecode Descriptions".  */
enum tb_agent_code
{
  AGENT_FLOAT = 0x01,
  AGENT_ADD, AGENT_SUB, AGENT_MUL, AGENT_DIV_SIGNED, AGENT_DIV_UNSIGNED,
  AGENT_REM_SIGNED, AGENT_REM_UNSIGNED, AGENT_LSH, AGENT_RSH_SIGNED,
  AGENT_RSH_UNSIGNED, AGENT_TRACE, AGENT_TRACE_QUICK, AGENT_LOG_NOT,
  AGENT_BIT_AND, AGENT_BIT_OR, AGENT_BIT_XOR, AGENT_BIT_NOT, AGENT_EQUAL,
  AGENT_LESS_SIGNED, AGENT_LESS_UNSIGNED, AGENT_EXT,
  AGENT_REF8, AGENT_REF16, AGENT_REF32, AGENT_REF64,
  AGENT_REF_FLOAT, AGENT_REF_DOUBLE, AGENT_REF_LONG_DOUBLE,
  AGENT_L_TO_D, AGENT_D_TO_L,
  AGENT_IF_GOTO = 0x20, AGENT_GOTO,
  AGENT_CONST8, AGENT_CONST16, AGENT_CONST32, AGENT_CONST64,
  AGENT_REG, AGENT_END, AGENT_DUP, AGENT_POP, AGENT_ZERO_EXT, AGENT_SWAP,
  AGENT_GETV, AGENT_SETV, AGENT_TRACEV, AGENT_TRACENZ, AGENT_TRACE16,
  AGENT_PICK = 0x32, AGENT_ROT, AGENT_PRINTF,
  AGENT_CODES
};

struct tb_agent_op
{
  uint8_t operand;		/* Bytes behind it.  */
  uint8_t pops, pushes;		/* On the stack.  */
  bool exists, is_float;
};

/* NULL: there is no such operation.  */
const struct tb_agent_op *tb_agent_op (unsigned code);

/* Where the operation behind the one at AT begins, which is one; LENGTH or more: there
   is none.  */
size_t tb_agent_next (const uint8_t *code, size_t length, size_t at);

/* *A becomes *A CODE *B (CODE *A where it takes one).  */
enum tb_agent_status tb_agent_compute (enum tb_agent_code code,
				       struct tb_value *a,
				       const struct tb_value *b);

/* *A becomes its low BITS bits (1 to 64), with their sign or with zeros.  */
void tb_agent_extend (struct tb_value *a, unsigned bits, bool is_signed);

/* The weaker of two origins.  */
uint8_t tb_agent_weaker (uint8_t a, uint8_t b);

#endif /* TB_FRAME_AGENT_OPS_H */
