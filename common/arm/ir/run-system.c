/* System registers of the A and R profile on numbers: without the registers of
   other modes, which have no places.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, B1.3.3 (CPSR), B9.3 (MRS, MSR, CPS).  */

#include "config.h"
#include "arm/ir/run-system.h"

/* The mode that has the bank of MODE.  */
static unsigned
bank (unsigned mode)
{
  return mode == TB_MODE_SYS ? TB_MODE_USR : mode;
}

/* Go to MODE.  */
static void
set_mode (uint32_t *p, unsigned mode, struct tb_semantics_result *result)
{
  if (bank (mode) != bank (p[TB_SLOT_MODE]))
    result->banked = true;
  p[TB_SLOT_MODE] = mode;
}

static void
set_flags (uint32_t *p, uint32_t psr)
{
  for (unsigned i = 0; i < 4; i++)
    p[TB_SLOT_N + i] = psr >> (31 - i) & 1;
  p[TB_SLOT_Q] = psr >> 27 & 1;
}

uint32_t
tb_sem_run_mrs (const uint32_t *p, uint32_t number,
		struct tb_semantics_result *result)
{
  unsigned r = TB_SYS_REG_R (number);
  if (number == TB_SYS_CPSR)
    {
      uint32_t value = p[TB_SLOT_N] << 31 | p[TB_SLOT_Z] << 30
		       | p[TB_SLOT_C] << 29 | p[TB_SLOT_V] << 28
		       | p[TB_SLOT_Q] << 27 | p[TB_SLOT_GE] << 16;
      if (p[TB_SLOT_MODE] == TB_MODE_USR)
	return value;
      return value | p[TB_SLOT_MASKS] << 6 | p[TB_SLOT_MODE];
    }
  if (number == TB_SYS_RETURN)
    {
      result->banked |= p[TB_SLOT_MODE] == TB_MODE_HYP;
      return p[TB_SLOT_LR];
    }
  if (bank (TB_SYS_REG_MODE (number)) == bank (p[TB_SLOT_MODE]) && r != 0)
    return r == 15 ? p[TB_SLOT_SPSR] : p[r];
  result->banked = true;
  return 0;
}

void
tb_sem_run_msr (uint32_t *p, uint32_t number, uint32_t value,
		struct tb_semantics_result *result)
{
  unsigned r = TB_SYS_REG_R (number);
  if (number >= 0x200)
    {
      bool here = bank (TB_SYS_REG_MODE (number)) == bank (p[TB_SLOT_MODE]);
      if (here && r != 0)
	p[r == 15 ? TB_SLOT_SPSR : r] = value;
      else
	result->banked = true;
      return;
    }
  if (number & 8)
    set_flags (p, value);
  if (number & 4)
    p[TB_SLOT_GE] = value >> 16 & 15;
  if (p[TB_SLOT_MODE] == TB_MODE_USR)
    return;
  if (number & 2)
    p[TB_SLOT_MASKS] = (p[TB_SLOT_MASKS] & 3) | (value >> 6 & 4);
  if (number & 1)
    {
      p[TB_SLOT_MASKS] = (p[TB_SLOT_MASKS] & 4) | (value >> 6 & 3);
      set_mode (p, value & 31, result);
    }
}

void
tb_sem_run_cps (uint32_t *p, uint32_t imm, struct tb_semantics_result *result)
{
  if (p[TB_SLOT_MODE] == TB_MODE_USR)
    return;
  p[TB_SLOT_MASKS] = (p[TB_SLOT_MASKS] & ~TB_CPS_MASKS (imm))
		     | TB_CPS_SET (imm);
  if (TB_CPS_CHANGE (imm))
    set_mode (p, TB_CPS_MODE (imm), result);
}

void
tb_sem_run_eret (uint32_t *p, uint32_t psr,
		 struct tb_semantics_result *result)
{
  set_flags (p, psr);
  p[TB_SLOT_GE] = psr >> 16 & 15;
  p[TB_SLOT_MASKS] = psr >> 6 & 7;
  set_mode (p, psr & 31, result);
}

/* What operations on system registers read and may write: all rows count that fit OP and
   the bits MASK of the immediate.  */
void
tb_system_effect (const struct tb_uop *u, uint32_t *reads, uint32_t *may)
{
  enum
  {
    FLAGS = TB_SLOTS_NZCV | TB_SLOT_BIT (TB_SLOT_Q),
    GE = TB_SLOT_BIT (TB_SLOT_GE),
    STACK = TB_SLOT_BIT (TB_SLOT_SP) | TB_SLOT_BIT (TB_SLOT_SP_OTHER)
	    | TB_SLOT_BIT (TB_SLOT_SPSEL),
    /* The A and R profile; r8 to r14 and SPSR.  */
    MODE = TB_SLOT_BIT (TB_SLOT_MODE) | TB_SLOT_BIT (TB_SLOT_MASKS),
    BANKED = 0x7f00 | TB_SLOT_BIT (TB_SLOT_SPSR)
  };
  static const struct { uint32_t op, mask, value, reads, may; } rows[] = {
    { TB_OP_WRITE_SPSEL, 0, 0, STACK, STACK },
    { TB_OP_CPS, TB_CPS (0, 0, 0, 0), TB_CPS (0, 0, 0, 0), MODE, MODE },
    { TB_OP_CPS, TB_CPS (0, 0, 1, 0), TB_CPS (0, 0, 1, 0), MODE, BANKED },
    { TB_OP_MRS, ~0u, TB_SYS_CPSR, FLAGS | GE | MODE, 0 },
    { TB_OP_MRS, ~0u, TB_SYS_RETURN, BANKED | MODE, 0 },
    { TB_OP_MRS, 0x200, 0x200, BANKED | MODE, 0 },
    /* Fields f, s, x, c of the CPSR; a register of a mode.  */
    { TB_OP_MSR, 0x308, 0x108, MODE, FLAGS },
    { TB_OP_MSR, 0x304, 0x104, MODE, GE },
    { TB_OP_MSR, 0x302, 0x102, MODE, MODE },
    { TB_OP_MSR, 0x301, 0x101, MODE, BANKED | MODE },
    { TB_OP_MSR, 0x200, 0x200, MODE, 0 },
    { TB_OP_ERET, 0, 0, MODE, BANKED | MODE | FLAGS | GE },
  };
  if (u->op != TB_OP_MRS && !tb_op_is (u->op, TB_SWITCHES))
    return;
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (u->op == rows[i].op && (u->imm & rows[i].mask) == rows[i].value)
      {
	*reads |= rows[i].reads;
	*may |= rows[i].may;
      }
  if (u->op == TB_OP_MSR && u->imm >= TB_SYS_REG (0, 0))
    *may |= TB_SLOT_BIT (TB_SYS_REG_R (u->imm)) & BANKED;
}
