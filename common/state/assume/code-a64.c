/* Constants through A64 code.  See code-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 (encodings); AAPCS64, 6.1.1 (what calls keep).  */

#include "config.h"
#include "state/window/a64.h"
#include "state/assume/code-graph.h"

#include <string.h>

#include "util/number.h"

/* X0 to X29.  */
#define REGISTERS 30

_Static_assert ((unsigned) TB_A64_NPLACES <= TB_CODE_PLACES, "places");

static bool
describe (const struct tb_constants *c, struct tb_insn *i,
	  struct tb_uop *uops)
{
  uint8_t b[4];
  struct tb_semantics semantics;
  const struct tb_state *s = c->window;
  if (tb_memmap_read (c->map, c->space, i->pc, b, 4) != 4)
    return false;
  i->opcode = tb_number_32 (b);
  i->size = 4;
  tb_semantics_a64 (&semantics, i->opcode, i->pc, s->a64->zero_block);
  i->modelled = semantics.modelled;
  i->count = semantics.modelled ? semantics.count : 0;
  memcpy (uops, semantics.uops, i->count * sizeof *semantics.uops);
  return true;
}

static void
flow (const struct tb_constants *c, const struct tb_insn *i,
      struct tb_flow *result)
{
  (void) c;
  tb_flow_a64 (result, i->opcode, i->pc);
}

/* SVC, HVC, SMC; BR through the registers that are for it.  */
static enum tb_code_role
role (const struct tb_insn *i)
{
  if ((i->opcode & 0xffe0001c) == 0xd4000000 && (i->opcode & 3) != 0)
    return TB_CODE_SERVICE;
  if (i->opcode == (0xd61f0000 | 16 << 5) || i->opcode == (0xd61f0000 | 17 << 5))
    return TB_CODE_TAIL;
  return TB_CODE_PLAIN;
}

static unsigned
condition (const struct tb_constants *c, const struct tb_insn *i)
{
  (void) c;
  return (i->opcode & 0xff000010) == 0x54000000 ? i->opcode & 15 : 16;
}

/* CMP of a register with a number: SUBS (immediate) to XZR.  */
static bool
compare (const struct tb_insn *i, unsigned *index, uint64_t *bound)
{
  if ((i->opcode & 0x7fc0001f) != 0x7100001f)
    return false;
  *index = i->opcode >> 5 & 31;
  *bound = i->opcode >> 10 & 0xfff;
  return *index < REGISTERS;
}

static uint32_t
writes (const struct tb_constants *c, const struct tb_insn *i, bool *flags)
{
  const struct tb_uop *uops = c->uops + i->first;
  uint32_t registers = 0;
  *flags = false;
  for (unsigned k = 0; k < i->count; k++)
    {
      if (uops[k].dst < 32)
	registers |= UINT32_C (1) << uops[k].dst;
      *flags |= uops[k].dst >= TB_A64_N && uops[k].dst <= TB_A64_V;
    }
  return registers;
}

/* BL.  */
static bool
call_at (const uint8_t *bytes, struct tb_insn *i)
{
  i->size = 4;
  i->opcode = tb_number_32 (bytes);
  return (i->opcode & 0xfc000000) == 0x94000000;
}

const struct tb_code_isa tb_code_a64 = {
  .registers = REGISTERS, .slots = TB_A64_NSLOTS, .lr = 30,
  .kept = 0x3ff80000, .pointer_bit = 0, .pointer_size = 8, .unit = 4,
  .width = 64, .places = TB_A64_NPLACES, .flags = TB_A64_N,
  .describe = describe, .flow = flow,
  .role = role, .condition = condition, .compare = compare, .writes = writes,
  .call_at = call_at
};
