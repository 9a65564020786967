/* Constants through A64 code, and the window of its steps.  See code-graph.h.

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

static bool
constant (const struct tb_constants *c, uint64_t address, unsigned size,
	  uint64_t *value)
{
  const struct tb_state *s = c->window;
  const uint8_t *bytes;
  if (size > 8
      || tb_memory_kind (&s->memory, address, size, &bytes)
	 != TB_MEMORY_CONSTANT)
    return false;
  *value = tb_number (bytes, size);
  return true;
}

static bool
literal (const struct tb_constants *c, uint64_t pc, uint64_t address,
	 unsigned size, uint64_t *value)
{
  struct tb_state *s = c->window;
  return size <= 8
	 && tb_memory_literal (&s->memory, pc, address, size, value);
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

/* Vectors are where VBAR says, which is not told; the trace shows those that
   count.  */
static void
enter (struct tb_constants *c)
{
  (void) c;
}

static size_t
templates (const void *window)
{
  return ((const struct tb_state *) window)->ntemplates;
}

static void
template (const void *window, size_t number, struct tb_code_step *step)
{
  const struct tb_state *s = window;
  const struct tb_template *t = &s->templates[number];
  *step = (struct tb_code_step) {
    .pc = t->pc, .opcode = t->opcode, .size = 4,
    .ours = t->isa == TB_ISA_A64 && t->space == s->memory.space
  };
}

static uint64_t
steps (const void *window)
{
  return ((const struct tb_state *) window)->steps;
}

/* Is step I ERET?  */
static bool
returns (const struct tb_state *s, uint64_t i)
{
  const struct tb_template *t
    = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  for (unsigned k = 0; k < t->count; k++)
    if (s->uops[t->first + k].op == TB_OP_ERET)
      return true;
  return false;
}

static unsigned
changes (const void *window, uint64_t i, struct tb_code_change *result,
	 unsigned capacity)
{
  const struct tb_state *s = window;
  size_t n;
  const struct tb_change *change = tb_build_changes (s, i, &n);
  unsigned count = 0;
  uint64_t to = s->templates[s->info[i] & TB_INFO_TEMPLATE].pc;
  for (size_t k = n; k-- > 0;)
    if (change[k].kind == TB_CHANGE_ENTRY)
      to = change[k].address;
  if (i > 0 && returns (s, i - 1) && count < capacity)
    result[count++] = (struct tb_code_change) { TB_CODE_RETURNED, to };
  for (size_t k = 0; k < n && count < capacity; k++)
    if (change[k].kind != TB_CHANGE_CONTEXT)
      result[count++] = (struct tb_code_change) {
	change[k].kind == TB_CHANGE_ENTRY ? TB_CODE_ENTERED : TB_CODE_LOST,
	change[k].address
      };
  return count;
}

static size_t
step (const void *window, uint64_t i, struct tb_code_step *result)
{
  const struct tb_state *s = window;
  struct tb_code_change one;
  uint32_t info = s->info[i];
  template (window, info & TB_INFO_TEMPLATE, result);
  result->taken = info & TB_INFO_TAKEN;
  result->changed = changes (window, i, &one, 1) != 0;
  return info & TB_INFO_TEMPLATE;
}

static const tb_vid *
names (void *window, uint64_t i)
{
  struct tb_state *s = window;
  tb_state_seek (s, i);
  return s->names.slot;
}

static bool
known (const void *window, tb_vid name, uint64_t *value)
{
  struct tb_known k
    = tb_graph_known (&((const struct tb_state *) window)->graph, name);
  *value = k.bits;
  return tb_known_all (k);
}

const struct tb_code_isa tb_code_a64 = {
  .registers = REGISTERS, .slots = TB_A64_NSLOTS, .lr = 30,
  .kept = 0x3ff80000, .pointer_bit = 0, .pointer_size = 8, .unit = 4,
  .width = 64, .places = TB_A64_NPLACES, .flags = TB_A64_N, .imm = TB_A64_IMM,
  .describe = describe, .flow = flow,
  .role = role, .condition = condition, .compare = compare, .writes = writes,
  .call_at = call_at, .constant = constant, .literal = literal, .enter = enter,
  .templates = templates, .template = template, .steps = steps, .step = step,
  .changes = changes, .names = names, .known = known
};
