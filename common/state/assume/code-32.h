/* Constants through the code of cores with registers of 32 bits: what A32 and T32
   code have in common (code-t32.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   See struct tb_code_isa for what the functions do.  */

#ifndef TB_STATE_ASSUME_CODE_32_H
#define TB_STATE_ASSUME_CODE_32_H

#include "state/assume/code-graph.h"
#include "state/window/internal.h"

/* r0 to r12; calls keep r4 to r11.  */
#define TB_CODE_32_REGISTERS 13
#define TB_CODE_32_KEPT 0xff0

/* Describe I as the instruction of ISA at ADDRESS.  */
bool tb_code_32_describe (const struct tb_constants *c, struct tb_insn *i,
			  uint64_t address, enum tb_isa isa, struct tb_uop *uops);
void tb_code_32_frame (const struct tb_constants *c, const struct tb_insn *i,
		       struct tb_code_places *p);
/* Of T32: an instruction that does nothing but look at a condition is a branch.  */
unsigned tb_code_32_condition (const struct tb_constants *c, const struct tb_insn *i);
uint32_t tb_code_32_writes (const struct tb_constants *c,
			    const struct tb_insn *i, bool *flags);

#endif /* TB_STATE_ASSUME_CODE_32_H */
