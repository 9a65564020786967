/* The window whose code is followed: its instructions, its steps, and what is known
   there.  See code-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/code-graph.h"

#include "state/window/internal.h"
#include "util/number.h"

bool
tb_code_constant (const struct tb_constants *c, uint64_t address, unsigned size,
		  uint64_t *value)
{
  const uint8_t *bytes;
  if (size > c->isa->pointer_size
      || tb_memory_kind (&c->window->memory, address, size, &bytes)
	 != TB_MEMORY_CONSTANT)
    return false;
  *value = tb_number (bytes, size);
  return true;
}

bool
tb_code_literal (const struct tb_constants *c, uint64_t pc, uint64_t address,
		 unsigned size, uint64_t *value)
{
  struct tb_memory *memory = &c->window->memory;
  /* On the M profile nothing is known of code but where it is constant.  */
  return !c->profile->is_m && size <= c->isa->pointer_size && memory->usable
	 && tb_memory_literal (memory, pc & ~UINT64_C (1), address, size, value);
}

static const struct tb_template *
template_of (const struct tb_constants *c, uint64_t i)
{
  return &c->window->templates[c->window->info[i] & TB_INFO_TEMPLATE];
}

/* Where T is, as struct tb_insn has it.  */
static uint64_t
place_of (const struct tb_constants *c, const struct tb_template *t)
{
  return t->pc | (!c->profile->is_m && t->isa == TB_ISA_T32);
}

void
tb_code_template (const struct tb_constants *c, size_t number,
		  struct tb_code_step *step)
{
  const struct tb_template *t = &c->window->templates[number];
  *step = (struct tb_code_step) {
    .pc = place_of (c, t), .opcode = t->opcode, .size = t->size,
    .ours = c->isa->width == 64
	    ? t->isa == TB_ISA_A64 && t->space == c->space
	    : t->isa == TB_ISA_T32 || t->isa == TB_ISA_A32
  };
}

/* Did step I return from an exception?  On the M profile a change says so.  */
static bool
returns (const struct tb_constants *c, uint64_t i)
{
  const struct tb_template *t = template_of (c, i);
  if (t->isa != TB_ISA_A64)
    return t->flags & TB_SEM_RETURNS && c->window->info[i] & TB_INFO_TAKEN;
  for (unsigned k = 0; k < t->count; k++)
    if (c->window->uops[t->first + k].op == TB_OP_ERET)
      return true;
  return false;
}

unsigned
tb_code_changes (const struct tb_constants *c, uint64_t i,
		 struct tb_code_change *result, unsigned capacity)
{
  static const uint8_t kinds[] = {
    [TB_CHANGE_LOST] = TB_CODE_LOST, [TB_CHANGE_ENTRY] = TB_CODE_ENTERED,
    [TB_CHANGE_RETURN] = TB_CODE_RETURNED,
    [TB_CHANGE_RETURN_MAYBE] = TB_CODE_RETURNED,
    [TB_CHANGE_TAIL] = TB_CODE_CHAINED, [TB_CHANGE_WRITTEN] = TB_CODE_LOST
  };
  size_t n;
  const struct tb_change *change = tb_build_changes (c->window, i, &n);
  unsigned count = 0;
  /* What is returned to is of the instruction set that is left.  */
  uint64_t bit = i > 0 ? place_of (c, template_of (c, i - 1)) & 1 : 0;
  uint64_t to = place_of (c, template_of (c, i));
  for (size_t k = n; k-- > 0;)
    if (change[k].kind == TB_CHANGE_ENTRY)
      to = change[k].address | bit;
  if (i > 0 && returns (c, i - 1) && count < capacity)
    result[count++] = (struct tb_code_change) { TB_CODE_RETURNED, to };
  for (size_t k = 0; k < n && count < capacity; k++)
    if (change[k].kind != TB_CHANGE_CONTEXT)
      result[count++] = (struct tb_code_change) { kinds[change[k].kind],
						  change[k].address | bit };
  return count;
}

size_t
tb_code_step_at (const struct tb_constants *c, uint64_t i,
		 struct tb_code_step *result)
{
  struct tb_code_change one;
  uint32_t info = c->window->info[i];
  tb_code_template (c, info & TB_INFO_TEMPLATE, result);
  result->taken = info & TB_INFO_TAKEN;
  result->changed = c->profile->is_m ? info & TB_INFO_EVENTS
		    : tb_code_changes (c, i, &one, 1) != 0;
  return info & TB_INFO_TEMPLATE;
}

const tb_vid *
tb_code_names (const struct tb_constants *c, uint64_t i)
{
  tb_state_seek (c->window, i);
  return c->window->names.slot;
}

bool
tb_code_known (const struct tb_constants *c, tb_vid name, uint64_t *value)
{
  struct tb_known k = tb_graph_known (&c->window->graph, name);
  *value = k.bits;
  return tb_known_all (k);
}
