/* Fields of system registers as micro-operations; for the files of arm/lift only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_LIFT_SYSTEM_FIELDS_H
#define TB_ARM_LIFT_SYSTEM_FIELDS_H

#include "arm/ir/system-registers.h"
#include "arm/lift/emit.h"

/* T3 = 1 where code is privileged, else 0.  */
void tb_sem_privileged (struct tb_semantics *s);

/* The bits FIELD (TB_FIELD) of T0, whose value is not defined, become PLACE, only where
   ALLOWED (a place, or NONE) is 1.  */
void tb_sem_read_field (struct tb_semantics *s, unsigned place, unsigned allowed,
			uint32_t field);

/* T0, whose value is not defined where fields of REG are, gets those that have bits in
   WHICH; system fields only where ALLOWED (a place, or NONE) is 1.  */
void tb_sem_read_fields (struct tb_semantics *s, const struct tb_system_register *reg,
			 uint32_t which, unsigned allowed);

/* DST = the bits ONES, from bit 0 up, of REG shifted right by AT.  Uses T1.  */
void tb_sem_extract (struct tb_semantics *s, unsigned dst, unsigned reg, unsigned at,
		     uint32_t ones);

/* The COUNT FIELDS become the bits WHICH of the place REG; system fields only where
   ALLOWED, which is T3 or NONE, is 1.  Uses T1 and T2.  */
void tb_sem_write_fields (struct tb_semantics *s, const struct tb_system_field *fields,
			  unsigned count, unsigned reg, uint32_t which,
			  unsigned allowed);

/* The bits BITS of T0 that are 1 may be kept or not.  Uses T1.  */
void tb_sem_may_keep (struct tb_semantics *s, uint32_t bits);

#endif /* TB_ARM_LIFT_SYSTEM_FIELDS_H */
