/* System instructions of the A and R profile as micro-operations, for A32 and T32
   alike.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, B9.3; MRS and MSR of banked registers, B9.2.3.  */

#include "config.h"
#include "arm/lift/system-fields.h"

void
tb_sem_mrs (struct tb_semantics *s, unsigned rd, bool spsr,
	    const struct tb_profile *profile)
{
  struct tb_system_register psr = tb_system_psr (profile);
  if (spsr)
    {
      tb_sem_emit (s, TB_OP_MOV, rd, TB_SLOT_SPSR, NONE, 0);
      return;
    }
  /* In User mode the bits of the system are read as anything.  */
  tb_sem_privileged (s);
  tb_sem_emit (s, TB_OP_UNKNOWN, T0, NONE, NONE, ~TB_CPSR_EXECUTION);
  tb_sem_read_fields (s, &psr, UINT32_MAX, T3);
  tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, 0);
  for (unsigned at = 0; at < 32; at++)
    if (psr.zero >> at & 1)
      tb_sem_read_field (s, T1, T3, TB_FIELD (at, 1));
  tb_sem_emit (s, TB_OP_MOV, rd, T0, NONE, 0);
}

/* What SPSR keeps of a number in T0: bits 23:20 are reserved or are there on some cores
   only (DDI 0487, G8.2.33: SSBS, PAN, DIT, IL).  */
#define SPSR_MAY_KEEP UINT32_C (0x00f00000)

bool
tb_sem_msr (struct tb_semantics *s, unsigned rn, uint32_t imm,
	    unsigned fields, bool spsr)
{
  uint32_t mask = 0;
  if (fields == 0 || rn == 15)
    return false;
  for (unsigned i = 0; i < 4; i++)
    if (fields >> i & 1)
      mask |= UINT32_C (0xff) << 8 * i;
  if (!spsr)
    {
      if (rn == IMM)
	{
	  tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, imm);
	  rn = T0;
	}
      tb_sem_privileged (s);
      tb_sem_write_fields (s, tb_cpsr_fields, TB_CPSR_FIELDS - 1, rn, mask, T3);
      if (fields & 1)
	tb_sem_emit_if (s, T3, TB_OP_MODE, NONE, rn, NONE, 0);
      /* CPSR.E  */
      if (fields & 2)
	s->flags |= TB_SEM_BIG_ENDIAN;
      return true;
    }
  if (rn == IMM)
    tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, imm & mask);
  else
    tb_sem_emit (s, TB_OP_AND, T0, rn, IMM, mask);
  tb_sem_may_keep (s, SPSR_MAY_KEEP);
  tb_sem_emit (s, TB_OP_AND, T1, TB_SLOT_SPSR, IMM, ~mask);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_SPSR, T0, T1, 0);
  return true;
}

bool
tb_sem_banked (struct tb_semantics *s, bool is_msr, unsigned reg,
	       unsigned sysm, bool spsr)
{
  /* By SYSm from 16 up: LR and SP of these modes.  */
  static const uint8_t modes[8] = { TB_MODE_IRQ, TB_MODE_SVC, TB_MODE_ABT,
				    TB_MODE_UND, 0, 0, TB_MODE_MON,
				    TB_MODE_HYP };
  unsigned mode, r = 15;
  if (reg == 15 || reg == 13)
    return false;
  if (sysm < 16)
    {
      mode = sysm < 8 ? TB_MODE_USR : TB_MODE_FIQ;
      r = 8 + (sysm & 7);
      if (r == 15 || (spsr && sysm != 14))
	return false;
    }
  else
    {
      mode = modes[sysm >> 1 & 7];
      if (mode == 0 || (spsr && sysm & 1))
	return false;
      r = sysm & 1 ? 13 : mode == TB_MODE_HYP ? 0 : 14;
    }
  if (spsr)
    r = 15;
  if (is_msr && spsr)
    {
      tb_sem_emit (s, TB_OP_MOV, T0, reg, NONE, 0);
      tb_sem_may_keep (s, SPSR_MAY_KEEP);
      reg = T0;
    }
  if (is_msr)
    tb_sem_emit (s, TB_OP_WRITE_BANKED, NONE, reg, NONE, TB_SYS_REG (mode, r));
  else
    tb_sem_emit (s, TB_OP_READ_BANKED, reg, NONE, NONE, TB_SYS_REG (mode, r));
  return true;
}

/* Is MODE one?  */
static bool
is_mode (unsigned mode)
{
  static const uint8_t modes[] = {
    TB_MODE_USR, TB_MODE_FIQ, TB_MODE_IRQ, TB_MODE_SVC, TB_MODE_MON,
    TB_MODE_ABT, TB_MODE_HYP, TB_MODE_UND, TB_MODE_SYS
  };
  for (unsigned i = 0; i < sizeof modes; i++)
    if (modes[i] == mode)
      return true;
  return false;
}

bool
tb_sem_cps (struct tb_semantics *s, unsigned imod, unsigned masks,
	    bool change, unsigned mode)
{
  /* IMOD 2 enables (clears masks), 3 disables.  */
  if (imod == 1 || (imod >= 2) != (masks != 0) || (!change && mode != 0)
      || (imod < 2 && !change) || (change && !is_mode (mode)))
    return false;
  tb_sem_privileged (s);
  if (masks != 0)
    {
      tb_sem_emit (s, TB_OP_AND, T1, TB_SLOT_MASKS, IMM, ~masks & 7);
      tb_sem_emit (s, TB_OP_ORR, T1, T1, IMM, imod == 3 ? masks : 0);
      tb_sem_move_if (s, T3, TB_SLOT_MASKS, T1, 0);
    }
  if (change)
    tb_sem_emit_if (s, T3, TB_OP_MODE, NONE, IMM, NONE, mode);
  return true;
}

void
tb_sem_setend (struct tb_semantics *s, bool big)
{
  if (big)
    s->flags |= TB_SEM_BIG_ENDIAN;
}

/* T2 = the place BASE + START.  */
static void
begin (struct tb_semantics *s, unsigned base, int start)
{
  tb_sem_emit (s, TB_OP_ADD, T2, base, IMM, (uint32_t) start);
}

bool
tb_sem_srs (struct tb_semantics *s, unsigned mode, int start, int end,
	    bool write_back)
{
  if (!is_mode (mode) || mode == TB_MODE_HYP)
    return false;
  tb_sem_emit (s, TB_OP_PRIVILEGED, NONE, NONE, NONE, 0);
  tb_sem_emit (s, TB_OP_READ_BANKED, T3, NONE, NONE, TB_SYS_REG (mode, 13));
  begin (s, T3, start);
  tb_sem_store (s, LR, T2, IMM, 0, 4 | TB_ACCESS_ALIGNED);
  tb_sem_store (s, TB_SLOT_SPSR, T2, IMM, 4, 4 | TB_ACCESS_ALIGNED);
  if (write_back)
    {
      tb_sem_emit (s, TB_OP_ADD, T3, T3, IMM, (uint32_t) end);
      tb_sem_emit (s, TB_OP_WRITE_BANKED, NONE, T3, NONE, TB_SYS_REG (mode, 13));
    }
  s->flags |= TB_SEM_MULTIPLE;
  return true;
}

void
tb_sem_rfe (struct tb_semantics *s, unsigned rn, int start, int end,
	    bool write_back)
{
  begin (s, rn, start);
  tb_sem_emit (s, TB_OP_LOAD, T1, T2, NONE, 4 | TB_ACCESS_ALIGNED);
  tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, 4);
  tb_sem_emit (s, TB_OP_LOAD, T3, T0, NONE, 4 | TB_ACCESS_ALIGNED);
  if (write_back)
    tb_sem_emit (s, TB_OP_ADD, rn, T2, IMM, (uint32_t) (end - start));
  s->flags |= TB_SEM_LOADS | TB_SEM_MULTIPLE;
  tb_sem_exception_return (s, T1, T3);
}

void
tb_sem_exception_return (struct tb_semantics *s, unsigned place, unsigned psr)
{
  tb_sem_emit (s, TB_OP_TARGET, NONE, place, NONE, ~UINT32_C (1));
  tb_sem_emit (s, TB_OP_ERET, NONE, psr, NONE, 0);
  tb_sem_write_fields (s, tb_cpsr_fields, TB_CPSR_FIELDS - 1, psr, UINT32_MAX, NONE);
  tb_sem_emit (s, TB_OP_MODE, NONE, psr, NONE, 0);
  s->flags |= TB_SEM_RETURNS;
}

bool
tb_sem_t16_system (struct tb_semantics *s, uint32_t op)
{
  if ((op & 0xfff7) == 0xb650)	/* SETEND  */
    {
      tb_sem_setend (s, op >> 3 & 1);
      return true;
    }
  return (op & 0xffe8) == 0xb660
	 && tb_sem_cps (s, 2 | (op >> 4 & 1), op & 7, false, 0);
}
