/* Constants through the code of cores with registers of 32 bits: what A32 and T32
   code have in common (code-t32.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   See struct tb_code_isa for what the functions do; the window is a struct
   tb_state.  */

#ifndef TB_STATE_ASSUME_CODE_32_H
#define TB_STATE_ASSUME_CODE_32_H

#include "state/assume/code-graph.h"
#include "state/window/internal.h"

/* r0 to r12; calls keep r4 to r11.  */
#define TB_CODE_32_REGISTERS 13
#define TB_CODE_32_KEPT 0xff0

void tb_code_32_frame (const struct tb_constants *c, const struct tb_insn *i,
		       struct tb_code_places *p);
uint32_t tb_code_32_writes (const struct tb_constants *c,
			    const struct tb_insn *i, bool *flags);
bool tb_code_32_constant (const struct tb_constants *c, uint64_t address,
			  unsigned size, uint64_t *value);
bool tb_code_32_literal (const struct tb_constants *c, uint64_t pc,
			 uint64_t address, unsigned size, uint64_t *value);
size_t tb_code_32_templates (const void *window);
uint64_t tb_code_32_steps (const void *window);
const tb_vid *tb_code_32_names (void *window, uint64_t i);
bool tb_code_32_known (const void *window, tb_vid name, uint64_t *value);

#endif /* TB_STATE_ASSUME_CODE_32_H */
