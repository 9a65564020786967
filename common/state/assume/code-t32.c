/* Constants through T32 code of the M profile; what A32 code has in common with it.  See
   code-graph.h and code-32.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/code-32.h"

#include <stdlib.h>

#include "arm/machine/vectors.h"

#define REGISTERS TB_CODE_32_REGISTERS

bool
tb_code_32_describe (const struct tb_constants *c, struct tb_insn *i, uint64_t address,
		     enum tb_isa isa, struct tb_uop *uops)
{
  struct tb_template t;
  if (address > UINT32_MAX
      || tb_state_template_of_isa (c->window, (uint32_t) address, isa, &t, uops) == NULL)
    return false;
  i->opcode = t.opcode;
  i->size = t.size;
  i->modelled = t.modelled;
  i->count = t.count;
  return true;
}

static bool
describe (const struct tb_constants *c, struct tb_insn *i,
	  struct tb_uop *uops)
{
  return tb_code_32_describe (c, i, i->pc, TB_ISA_T32, uops);
}

static void
flow (const struct tb_constants *c, const struct tb_insn *i,
      struct tb_flow *result)
{
  /* What is not read in has no size.  */
  *result = (struct tb_flow) { .kind = TB_FLOW_UNDEFINED };
  tb_flow_of (result, TB_ISA_T32, i->opcode, i->size, i->pc, i->it != 0, c->profile);
}

void
tb_code_32_frame (const struct tb_constants *c, const struct tb_insn *i,
		  struct tb_code_places *p)
{
  const struct tb_uop *uops = c->uops + i->first;
  unsigned fp = c->isa->frame_pointer;
  bool on[TB_NPLACES] = { [TB_SLOT_SP] = true }, conditional = false;
  uint32_t offset[TB_NPLACES] = { 0 };
  struct tb_semantics_effect effect;
  on[fp] = p->has_frame;
  offset[fp] = p->frame;
  for (unsigned k = 0; k < i->count; k++)
    {
      const struct tb_uop *u = &uops[k];
      bool is_on = u->a < TB_NPLACES && on[u->a];
      uint32_t at = is_on ? offset[u->a] : 0;
      conditional |= u->when != TB_ALWAYS;
      /* On the A and R profile both may be others then.  */
      if (tb_op_is (u->op, TB_SWITCHES))
	{
	  tb_semantics_effect (u, 1, false, &effect);
	  on[TB_SLOT_SP] &= !(effect.may_write >> TB_SLOT_SP & 1);
	}
      if (!tb_op_is (u->op, TB_WRITES) || u->dst >= TB_NPLACES)
	continue;
      if (u->op == TB_OP_ADD && u->b == TB_PLACE_IMM)
	at += tb_uop_number (u);
      else if (u->op == TB_OP_SUB && u->b == TB_PLACE_IMM)
	at -= tb_uop_number (u);
      else if (u->op == TB_OP_AND && u->b == TB_PLACE_IMM)
	/* SP is a multiple of 4.  */
	is_on &= u->imm == ~UINT32_C (3) && at % 4 == 0;
      else
	is_on &= u->op == TB_OP_MOV;
      on[u->dst] = is_on;
      offset[u->dst] = at;
    }
  bool has_frame = on[TB_SLOT_SP] && on[fp];
  uint32_t difference = offset[fp] - offset[TB_SLOT_SP];
  /* It may not have been done.  */
  p->has_frame = has_frame && (!conditional || (p->has_frame
						&& p->frame == difference));
  p->frame = difference;
}

/* SVC and BKPT; BX.  */
static enum tb_code_role
role (const struct tb_insn *i)
{
  if (i->size != 2)
    return TB_CODE_PLAIN;
  if ((i->opcode & 0xff00) == 0xdf00 || (i->opcode & 0xff00) == 0xbe00)
    return TB_CODE_SERVICE;
  return (i->opcode & 0xff87) == 0x4700 ? TB_CODE_TAIL : TB_CODE_PLAIN;
}

unsigned
tb_code_32_condition (const struct tb_constants *c, const struct tb_insn *i)
{
  const struct tb_uop *u = c->uops + i->first;
  return i->it == 0 && i->count == 1 && u->op == TB_OP_CONDITION ? tb_uop_number (u) : 16;
}

/* Is I CMP of a register with a number (DDI 0403, A7.7.27; the wide form with
   numbers of eight bits only)?  */
static bool
compare (const struct tb_insn *i, unsigned *index, uint64_t *bound)
{
  if (i->it != 0)
    return false;
  if (i->size == 2 && (i->opcode & 0xf800) == 0x2800)
    {
      *index = i->opcode >> 8 & 7;
      *bound = i->opcode & 255;
      return true;
    }
  if (i->size == 4 && (i->opcode & 0xfff0ff00) == 0xf1b00f00)
    {
      *index = i->opcode >> 16 & 15;
      *bound = i->opcode & 255;
      return *index < REGISTERS;
    }
  return false;
}

uint32_t
tb_code_32_writes (const struct tb_constants *c, const struct tb_insn *i,
		   bool *flags)
{
  struct tb_semantics_effect effect;
  tb_semantics_effect (c->uops + i->first, i->count, false, &effect);
  *flags = effect.may_write & TB_SLOTS_NZCV;
  return (uint32_t) effect.may_write;
}

/* BL.  */
static bool
call_at (const uint8_t *b, struct tb_insn *i)
{
  i->size = 4;
  i->opcode = (uint32_t) b[1] << 24 | (uint32_t) b[0] << 16
	      | (uint32_t) b[3] << 8 | b[2];
  return (i->opcode & 0xf800d000) == 0xf000d000;
}

/* Handlers in the vector table.  */
static void
enter (struct tb_constants *c)
{
  struct tb_vectors *vectors = malloc (sizeof *vectors);
  if (vectors == NULL)
    {
      c->failed = c->no_memory = true;
      return;
    }
  if (tb_vectors_find (vectors, c->map, c->profile, c->options->core))
    for (unsigned i = 1; i < vectors->count; i++)
      if (vectors->handler[i] != 0)
	tb_code_enter (c, vectors->handler[i], TB_CODE_FUNCTION);
  free (vectors);
}

const struct tb_code_isa tb_code_t32 = {
  .registers = REGISTERS, .slots = TB_NSLOTS, .lr = TB_SLOT_LR,
  .kept = TB_CODE_32_KEPT, .pointer_bit = 1, .pointer_size = 4, .unit = 2,
  .width = 32, .places = TB_NPLACES, .flags = TB_SLOT_N,
  .describe = describe, .flow = flow,
  /* Compilers keep it in r7 (and their epilogues make SP of it, if they do).  */
  .frame = tb_code_32_frame, .frame_pointer = 7, .sp = TB_SLOT_SP,
  .role = role, .condition = tb_code_32_condition, .compare = compare,
  .writes = tb_code_32_writes, .call_at = call_at,
  .enter = enter
};
