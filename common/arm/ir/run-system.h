/* The A and R profile's micro-operations on system registers, on numbers; for
   the files of arm/ir only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_IR_RUN_SYSTEM_H
#define TB_ARM_IR_RUN_SYSTEM_H

#include "arm/ir/semantics.h"

uint32_t tb_sem_run_mrs (const uint32_t *p, uint32_t number,
			 struct tb_semantics_result *result);
void tb_sem_run_msr (uint32_t *p, uint32_t number, uint32_t value,
		     struct tb_semantics_result *result);
void tb_sem_run_cps (uint32_t *p, uint32_t imm,
		     struct tb_semantics_result *result);
void tb_sem_run_eret (uint32_t *p, uint32_t psr,
		      struct tb_semantics_result *result);
/* Add the slots that U, if it is an operation on system registers (of any profile), reads
   and may write.  */
void tb_system_effect (const struct tb_uop *u, uint32_t *reads, uint32_t *may);

#endif /* TB_ARM_IR_RUN_SYSTEM_H */
