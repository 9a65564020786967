/* Data processing on a second operand that may be shifted, as micro-operations.
   See lift/emit.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, A5.3.1 and A5.3.11; DDI 0406, A5.2 and A8.4.  */

#include "config.h"
#include "arm/lift/emit.h"

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

void
tb_sem_logical_operand (struct tb_semantics *s, unsigned op, bool flags,
			unsigned rd, unsigned rn,
			const struct tb_sem_operand *o)
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

void
tb_sem_move_operand (struct tb_semantics *s, bool flags, unsigned rd,
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

void
tb_sem_invert_operand (struct tb_semantics *s, struct tb_sem_operand *o)
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

void
tb_sem_add_operand (struct tb_semantics *s, bool subtract, bool flags,
		    unsigned rd, unsigned rn, const struct tb_sem_operand *o)
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
