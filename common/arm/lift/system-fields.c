/* Fields of system registers as micro-operations: MRS and MSR, exception returns.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/lift/system-fields.h"

void
tb_sem_privileged (struct tb_semantics *s)
{
  if (s->is_m)
    tb_sem_emit (s, TB_OP_IS_PRIVILEGED, T3, TB_SLOT_HANDLER, TB_SLOT_NPRIV, 0);
  else
    tb_sem_emit (s, TB_OP_IS_PRIVILEGED, T3, TB_SLOT_MODE, NONE, 0);
}

void
tb_sem_read_field (struct tb_semantics *s, unsigned place, unsigned allowed, uint32_t field)
{
  uint8_t before = s->when;
  if (allowed != NONE)
    tb_sem_only_if (s, allowed);
  tb_sem_emit (s, TB_OP_FIELD, T0, place, NONE, field);
  s->when = before;
}

void
tb_sem_read_fields (struct tb_semantics *s, const struct tb_system_register *reg,
		    uint32_t which, unsigned allowed)
{
  for (unsigned i = 0; i < reg->count; i++)
    {
      const struct tb_system_field *f = &reg->fields[i];
      if (tb_field_ones (f->width) << f->at & which)
	tb_sem_read_field (s, f->slot, f->system ? allowed : NONE,
			   TB_FIELD (f->at, f->width));
    }
}

void
tb_sem_extract (struct tb_semantics *s, unsigned dst, unsigned reg, unsigned at,
		uint32_t ones)
{
  if (ones == 1)
    tb_sem_emit (s, TB_OP_BIT, dst, reg, IMM, at);
  else
    {
      if (at != 0)
	tb_sem_emit (s, TB_OP_LSR, T1, reg, IMM, at);
      tb_sem_emit (s, TB_OP_AND, dst, at != 0 ? T1 : reg, IMM, ones);
    }
}

void
tb_sem_write_fields (struct tb_semantics *s, const struct tb_system_field *fields,
		     unsigned count, unsigned reg, uint32_t which, unsigned allowed)
{
  for (unsigned i = 0; i < count; i++)
    {
      const struct tb_system_field *f = &fields[i];
      uint32_t all = tb_field_ones (f->width), ones = which >> f->at & all;
      bool checked = f->system && allowed != NONE, whole = ones == all;
      if (ones == 0)
	continue;
      tb_sem_extract (s, checked || !whole ? T1 : f->slot, reg, f->at, ones);
      if (!whole)
	{
	  tb_sem_emit (s, TB_OP_AND, T2, f->slot, IMM, all & ~ones);
	  tb_sem_emit (s, TB_OP_ORR, checked ? T1 : f->slot, T1, T2, 0);
	}
      if (checked)
	tb_sem_move_if (s, allowed, f->slot, T1, 0);
    }
}

void
tb_sem_may_keep (struct tb_semantics *s, uint32_t bits)
{
  tb_sem_unknown (s, T1);
  tb_sem_emit (s, TB_OP_ORR, T1, T1, IMM, ~bits);
  tb_sem_emit (s, TB_OP_AND, T0, T0, T1, 0);
}
