/* Coprocessor instructions of the A and R profile as micro-operations, for A32 and
   T32 alike.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What comes from a coprocessor is not known.  A write of a register that takes
   part in the translation of addresses, and of one of which it is not known that
   it does not, makes what is remembered of memory void.

   Source: DDI 0406, A8.8 (MCR and its kin), B3.17 and B5.8 (CP15).  */

#include "config.h"
#include "arm/lift/transfer.h"

/* May a write of CP15 register CRN, opc1, CRm, opc2 of OP change where addresses
   lead, or what memory holds?  */
static bool
changes_memory (uint32_t op)
{
  unsigned crn = op >> 16 & 15, crm = op & 15, opc2 = op >> 5 & 7;
  switch (crn)
    {
    case 3: case 5: case 6: case 10: case 12: case 14:
      return false;
    case 7:			/* Barriers, cleaning: not invalidation.  */
      return crm == 6;
    case 9:			/* The performance monitor.  */
      return crm < 12;
    case 13:			/* Thread IDs.  */
      return crm != 0 || opc2 < 2;
    default:
      return true;
    }
}

/* Does it change what memory holds?  DCIMVAC, DCISW; implementation-defined ones.  */
static bool
may_write (uint32_t op)
{
  unsigned crn = op >> 16 & 15;
  return (crn == 7 && (op & 15) == 6) || crn == 9 || crn == 11 || crn == 15;
}

/* Can User mode never access that register?  It may be allowed the performance
   monitor, the thread IDs, the timers and barriers.  */
static bool
is_privileged (uint32_t op)
{
  unsigned crn = op >> 16 & 15;
  return (op >> 8 & 15) == 15 && crn != 7 && crn != 9 && crn != 11 && crn < 13;
}

/* MCR, MRC: bits 27:24 are 1110, 4 is 1.  */
static bool
move_one (struct tb_semantics *s, uint32_t op)
{
  unsigned rt = op >> 12 & 15, number = op >> 8 & 15;
  if (is_privileged (op))
    tb_sem_emit (s, TB_OP_PRIVILEGED, NONE, NONE, NONE, 0);
  if (op >> 20 & 1)
    {
      if (rt != 15)
	tb_sem_unknown (s, rt);
      else
	for (unsigned i = 0; i < 4; i++)
	  tb_sem_unknown (s, TB_SLOT_N + i);
      return rt != 13;
    }
  if (number == 15 && changes_memory (op))
    tb_sem_emit (s, TB_OP_FORGET, NONE, NONE, NONE, may_write (op));
  return rt != 15;
}

/* MCRR, MRRC: bits 27:21 are 1100010.  */
static bool
move_two (struct tb_semantics *s, uint32_t op)
{
  unsigned rt = op >> 12 & 15, rt2 = op >> 16 & 15, crm = op & 15;
  if (rt == 15 || rt2 == 15)
    return false;
  if (op >> 20 & 1)
    {
      tb_sem_unknown (s, rt);
      tb_sem_unknown (s, rt2);
      return rt != rt2;
    }
  if ((op >> 8 & 15) == 15 && crm != 12 && crm != 14)
    tb_sem_emit (s, TB_OP_FORGET, NONE, NONE, NONE, 0);
  return true;
}

/* LDC, STC of the debug registers: one word.  */
static bool
debug_word (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_addressing a = tb_sem_addressing (f, f->here & ~UINT32_C (3));
  bool is_load = f->op >> 20 & 1;
  a.imm = 4 * (f->op & 255);
  if ((f->op & 0x0040ff00) != 0x00005e00
      || (a.rn == 15 && (a.write_back || !is_load))
      || (!a.index && !a.write_back && !a.add))
    return false;
  unsigned at = tb_sem_address (s, &a);
  if (is_load)
    tb_sem_load (s, T1, at, IMM, 0, 4 | TB_ACCESS_ALIGNED, TB_OP_MOV);
  else
    {
      tb_sem_unknown (s, T1);
      tb_sem_store (s, T1, at, IMM, 0, 4 | TB_ACCESS_ALIGNED);
    }
  if (a.write_back)
    tb_sem_write_any (s, a.rn, T2);
  return true;
}

void
tb_sem_coprocessor (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  unsigned number = op >> 8 & 15, major = op >> 24 & 15;
  bool two = op >> 28 == 15;	/* The form that has no condition.  */
  if (number >= 9 && number < 12)
    tb_sem_fp (s, f);
  else if (two && number >= 8 && number < 14)
    tb_sem_simd_later (s, f);
  else if (major == 14)		/* CDP does nothing that is kept.  */
    s->modelled = !(op >> 4 & 1) || move_one (s, op);
  else if ((op >> 21 & 0x7f) == 0x62)
    s->modelled = move_two (s, op);
  else
    s->modelled = (op & 0x0fa00000) != 0x0c000000 && number == 14 && !two
		  && debug_word (s, f);
}
