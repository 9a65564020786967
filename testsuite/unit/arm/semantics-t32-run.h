/* T32 instructions on a machine, for tests of what they are lifted to.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_SEMANTICS_T32_RUN_H
#define TB_UNIT_SEMANTICS_T32_RUN_H

#include "semantics-machine.h"

#define PC 0x1002u		/* Not a multiple of 4.  */

static const struct tb_profile v7em = { .arch = TB_ARCH_V7EM, .is_m = true };
static const struct tb_profile v81m = { .arch = TB_ARCH_V81M_MAIN,
					.is_m = true };

static inline struct tb_semantics_result
run (struct machine *m, uint32_t opcode, unsigned size, unsigned it,
     const struct tb_profile *profile)
{
  struct tb_semantics s;
  tb_semantics_t32_it (&s, opcode, size, PC, it, profile);
  return run_lifted (m, &s, opcode);
}

static inline struct tb_semantics_result
run32 (struct machine *m, uint32_t opcode)
{
  return run (m, opcode, 4, TB_IT_NONE, &v7em);
}

static inline void
clear (struct machine *m)
{
  memset (m, 0, sizeof *m);
  m->p[TB_SLOT_SP] = BASE;
  for (unsigned i = 0; i < sizeof m->ram; i++)
    m->ram[i] = (uint8_t) (i + 1);
}

/* The word at BASE + OFFSET as CLEAR leaves it.  */
static inline uint32_t
word (int offset)
{
  uint32_t b = (uint32_t) (128 + offset + 1) & 255;
  return b | ((b + 1) & 255) << 8 | ((b + 2) & 255) << 16
	 | ((b + 3) & 255) << 24;
}

static inline unsigned
flags (const struct machine *m)
{
  return m->p[TB_SLOT_N] << 4 | m->p[TB_SLOT_Z] << 3 | m->p[TB_SLOT_C] << 2
	 | m->p[TB_SLOT_V] << 1 | m->p[TB_SLOT_Q];
}

static inline void
set_flags (struct machine *m, unsigned nzcvq)
{
  for (unsigned i = 0; i < 4; i++)
    m->p[TB_SLOT_N + i] = nzcvq >> (4 - i) & 1;
  m->p[TB_SLOT_Q] = nzcvq & 1;
}

#endif /* TB_UNIT_SEMANTICS_T32_RUN_H */
