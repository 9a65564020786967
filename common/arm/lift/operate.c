/* Data processing on a second operand that may be shifted, as micro-operations.
   See emit.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A5.3.1 and A5.3.11; DDI 0406, A5.2 and A8.4.  */

#include "config.h"
#include "arm/lift/aarch32.h"

const uint8_t tb_sem_shifts[4] = { TB_OP_LSL, TB_OP_LSR, TB_OP_ASR, TB_OP_ROR };

struct tb_sem_operand
tb_sem_shifted (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_operand o = { .place = f->m, .rm = f->m, .by = IMM };
  if (f->amount == 0 && f->type == 0)
    return o;
  o.place = T1;
  if (f->amount == 0 && f->type == 3)	/* RRX  */
    {
      tb_sem_emit (s, TB_OP_LSR, T1, f->m, IMM, 1);
      tb_sem_emit (s, TB_OP_LSL, T0, TB_SLOT_C, IMM, 31);
      tb_sem_emit (s, TB_OP_ORR, T1, T1, T0, 0);
      o.carry = TB_CARRY_LOW_BIT;
      return o;
    }
  o.carry = TB_CARRY_SHIFT;
  o.shift = tb_sem_shifts[f->type];
  o.amount = f->amount != 0 ? f->amount : 32;
  tb_sem_emit (s, o.shift, T1, f->m, IMM, o.amount);
  return o;
}

static void
set_carry (struct tb_semantics *s, const struct tb_sem_operand *o)
{
  switch (o->carry)
    {
    case TB_CARRY_STAYS:
      break;
    case TB_CARRY_IS:
      tb_sem_emit (s, TB_OP_MOV, TB_SLOT_C, IMM, NONE, o->value >> 31);
      break;
    case TB_CARRY_SHIFT:
      tb_sem_emit (s, TB_OP_C_SHIFT, o->shift, o->rm, o->by, o->amount);
      break;
    case TB_CARRY_LOW_BIT:
      tb_sem_emit (s, TB_OP_BIT, TB_SLOT_C, o->rm, IMM, 0);
      break;
    }
}

/* A logical operation; with flags RD 15 stands for none.  */
static void
logical_operand (struct tb_semantics *s, unsigned op, bool flags, unsigned rd,
		 unsigned rn, const struct tb_sem_operand *o)
{
  if (!flags)
    {
      tb_sem_emit (s, op, rd == SP ? T0 : rd, rn, o->place, o->value);
      if (rd == SP)
	tb_sem_write_any (s, rd, T0);
      return;
    }
  tb_sem_emit (s, op, T0, rn, o->place, o->value);
  set_carry (s, o);
  tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  if (rd != 15)
    tb_sem_write_any (s, rd, T0);
}

/* MOV  */
static void
move_operand (struct tb_semantics *s, bool flags, unsigned rd,
	      const struct tb_sem_operand *o)
{
  if (!flags)
    {
      if (o->place == IMM)
	tb_sem_emit (s, TB_OP_MOV, rd, IMM, NONE,
		     rd == SP && s->is_m ? o->value & ~UINT32_C (3)
		     : o->value);
      else
	tb_sem_write_any (s, rd, o->place);
      return;
    }
  tb_sem_emit (s, TB_OP_MOV, T0, o->place, NONE, o->value);
  set_carry (s, o);
  tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  tb_sem_write_any (s, rd, T0);
}

/* Invert O, which is in T1 then.  */
static void
invert_operand (struct tb_semantics *s, struct tb_sem_operand *o)
{
  if (o->place == IMM)
    {
      /* The carry is that of the operand.  */
      if (o->carry == TB_CARRY_IS)
	{
	  tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, ~o->value);
	  o->place = T1;
	}
      else
	o->value = ~o->value;
      return;
    }
  tb_sem_emit (s, TB_OP_EOR, T1, o->place, IMM, UINT32_MAX);
  o->place = T1;
}

/* ADD, SUB; with flags RD 15 stands for none.  */
static void
add_operand (struct tb_semantics *s, bool subtract, bool flags, unsigned rd,
	     unsigned rn, const struct tb_sem_operand *o)
{
  if (flags)
    {
      tb_sem_add_flags (s, subtract, rd == 15 || rd == SP ? NONE : rd, rn,
			o->place, o->value);
      if (rd == SP)
	tb_sem_write_any (s, rd, T0);
      return;
    }
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, rd == SP ? T0 : rd, rn,
	       o->place, o->value);
  if (rd == SP)
    tb_sem_write_any (s, rd, T0);
}

/* RD = O - RN, and ADC, SBC, RSC.  */
static void
with_carry_or_reverse (struct tb_semantics *s, unsigned which, bool flags,
		       unsigned rd, unsigned rn, struct tb_sem_operand *o)
{
  if (o->place == IMM)
    {
      tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, o->value);
      o->place = T1;
    }
  switch (which)
    {
    case 3:
      if (flags)
	tb_sem_add_flags (s, true, rd, o->place, rn, 0);
      else
	tb_sem_emit (s, TB_OP_SUB, rd, o->place, rn, 0);
      break;
    case 7:
      tb_sem_adc (s, true, flags, rd, o->place, rn);
      break;
    default:
      tb_sem_adc (s, which == 6, flags, rd, rn, o->place);
      break;
    }
}

void
tb_sem_operate (struct tb_semantics *s, unsigned which, bool flags,
		unsigned rd, unsigned rn, struct tb_sem_operand *o)
{
  switch (which)
    {
    case 0: case 8:
      logical_operand (s, TB_OP_AND, flags, rd, rn, o);
      break;
    case 1: case 9:
      logical_operand (s, TB_OP_EOR, flags, rd, rn, o);
      break;
    case 2: case 10:
      add_operand (s, true, flags, rd, rn, o);
      break;
    case 4: case 11:
      add_operand (s, false, flags, rd, rn, o);
      break;
    case 12:
      logical_operand (s, TB_OP_ORR, flags, rd, rn, o);
      break;
    case 14:
      logical_operand (s, TB_OP_BIC, flags, rd, rn, o);
      break;
    case 15:
      invert_operand (s, o);
      move_operand (s, flags, rd, o);
      break;
    case TB_SEM_ORN:
      invert_operand (s, o);
      logical_operand (s, TB_OP_ORR, flags, rd, rn, o);
      break;
    case 13:
      move_operand (s, flags, rd, o);
      break;
    default:
      with_carry_or_reverse (s, which, flags, rd, rn, o);
      break;
    }
}
