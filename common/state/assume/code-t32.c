/* Constants through T32 code of the M profile, and the window of its steps; what
   A32 code has in common with it.  See code-graph.h and code-32.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/code-32.h"

#include <stdlib.h>
#include <string.h>

#include "arm/machine/vectors.h"

#define REGISTERS TB_CODE_32_REGISTERS

static const struct tb_uop *
operations (const struct tb_constants *c, const struct tb_insn *i)
{
  return (const struct tb_uop *) c->uops + i->first;
}

static bool
describe (const struct tb_constants *c, struct tb_insn *i, void *uops)
{
  struct tb_template t;
  if (i->pc > UINT32_MAX
      || tb_state_template_at (c->window, (uint32_t) i->pc, &t, uops) == NULL)
    return false;
  i->opcode = t.opcode;
  i->size = t.size;
  i->modelled = t.modelled;
  i->count = t.count;
  return true;
}

static void
flow (const struct tb_constants *c, const struct tb_insn *i,
      struct tb_flow *result)
{
  tb_flow_t32 (result, i->size == 2 ? i->opcode << 16 : i->opcode, i->pc,
	       i->it != 0, c->profile);
}

bool
tb_code_32_constant (const struct tb_constants *c, uint64_t address,
		     unsigned size, uint64_t *value)
{
  const struct tb_state *s = c->window;
  const uint8_t *bytes;
  if (size > 4
      || tb_memory_kind (&s->memory, address, size, &bytes)
	 != TB_MEMORY_CONSTANT)
    return false;
  *value = tb_memory_number (bytes, size);
  return true;
}

static bool
take (const struct tb_code_places *p, unsigned place, uint32_t imm,
      uint32_t *value)
{
  *value = 0;
  if (place >= TB_PLACE_FP)
    return false;
  if (place >= TB_NPLACES)
    {
      *value = imm;
      return true;
    }
  *value = (uint32_t) p->value[place];
  return p->known[place];
}

static void
put (struct tb_code_places *p, unsigned place, bool known, uint32_t value)
{
  if (place >= TB_NPLACES)
    return;
  p->known[place] = known;
  p->value[place] = value;
}

static void
forget (struct tb_code_places *p)
{
  memset (p->known, 0, sizeof p->known);
}

/* A load by I of SIZE bytes from ADDRESS.  On the A and R profile what it loads
   relative to itself (LITERAL), and tables of targets beside the code, are code as
   it is.  */
static bool
load (const struct tb_constants *c, const struct tb_insn *i, bool literal,
      const struct tb_code_places *p, uint32_t address, unsigned size,
      uint32_t *value)
{
  struct tb_state *s = c->window;
  uint64_t loaded;
  tb_word word;
  if (tb_code_32_constant (c, address, size, &loaded))
    {
      *value = (uint32_t) loaded;
      return true;
    }
  if (c->profile->is_m || !(literal || p->table) || size > 4
      || !s->memory.usable
      || !tb_memory_literal (&s->memory, i->pc & ~UINT64_C (1), address, size,
			     &word))
    return false;
  *value = word;
  return true;
}

/* The registers that modes bank are others after U, an MSR of the A and R
   profile.  */
static void
change_mode (struct tb_code_places *p, const struct tb_uop *u)
{
  unsigned first = 8, last = TB_SLOT_LR;
  if (u->op == TB_OP_MSR && u->imm >= TB_SYS_REG (0, 0))
    first = last = TB_SYS_REG_R (u->imm);
  else if (u->op == TB_OP_MSR ? !(u->imm & 1) : !TB_CPS_CHANGE (u->imm))
    return;
  for (unsigned r = first; r <= last; r++)
    put (p, r, false, 0);
}

void
tb_code_32_eval (const struct tb_constants *c, const struct tb_insn *i,
		 struct tb_code_places *p)
{
  const struct tb_uop *uops = operations (c, i);
  struct tb_code_places before;
  bool conditional = false, is_m = c->profile->is_m;
  uint64_t literals = 0;	/* Temporaries that hold the PC plus a number.  */
  for (unsigned k = 0; k < i->count; k++)
    {
      const struct tb_uop *u = &uops[k];
      uint32_t a, b, value = 0;
      bool literal = u->a == TB_PLACE_IMM
		     || (u->a < TB_NPLACES && literals >> u->a & 1);
      bool has_a = take (p, u->a, u->imm, &a);
      bool has_b = take (p, u->b, u->imm, &b);
      switch (u->op)
	{
	case TB_OP_NZ: case TB_OP_CV_ADD: case TB_OP_CV_SUB:
	case TB_OP_C_SHIFT:
	case TB_OP_STORE: case TB_OP_STORE_MAYBE: case TB_OP_FP:
	case TB_OP_ERET:
	  break;
	case TB_OP_CPS:
	  if (!is_m)
	    change_mode (p, u);
	  break;
	case TB_OP_COND: case TB_OP_BRANCH_IF: case TB_OP_IF:
	case TB_OP_IF_VALUE: case TB_OP_PRIVILEGED:
	  if (!conditional)
	    before = *p;
	  conditional = true;
	  break;
	case TB_OP_UNKNOWN: case TB_OP_MRS:
	  put (p, u->dst, false, 0);
	  break;
	case TB_OP_MSR:
	  if (!is_m)
	    {
	      change_mode (p, u);
	      break;
	    }
	  put (p, TB_SLOT_SP, false, 0);
	  put (p, TB_SLOT_SP_OTHER, false, 0);
	  break;
	case TB_OP_LOAD:
	  has_a = has_a && load (c, i, literal, p, a, TB_ACCESS_SIZE (u->imm),
				 &value);
	  put (p, u->dst, has_a, value);
	  break;
	case TB_OP_TARGET:
	  p->has_target = true;
	  p->target_known = has_a;
	  p->target = a & u->imm;
	  /* It stays in T32.  */
	  if (!is_m && i->pc & 1 && !(u->imm & 1))
	    p->target |= 1;
	  break;
	default:
	  if (u->op > TB_OP_LAST_VALUE)
	    forget (p);
	  else
	    put (p, u->dst, has_a && has_b, tb_op_value (u->op, 32, a, b));
	  break;
	}
      if (u->dst < TB_NPLACES && u->dst >= TB_NSLOTS)
	literals &= ~(UINT64_C (1) << u->dst);
      if (u->op == TB_OP_MOV && u->dst < TB_NPLACES && u->dst >= TB_NSLOTS
	  && literal)
	literals |= UINT64_C (1) << u->dst;
    }
  if (conditional)
    tb_code_maybe (c, p, &before);
  /* Flags are not followed.  */
  for (unsigned slot = TB_SLOT_N; slot <= TB_SLOT_V; slot++)
    p->known[slot] = false;
}

void
tb_code_32_frame (const struct tb_constants *c, const struct tb_insn *i,
		  struct tb_code_places *p)
{
  const struct tb_uop *uops = operations (c, i);
  unsigned fp = c->isa->frame_pointer;
  bool on[TB_NPLACES] = { [TB_SLOT_SP] = true }, conditional = false;
  uint32_t offset[TB_NPLACES] = { 0 };
  on[fp] = p->has_frame;
  offset[fp] = p->frame;
  for (unsigned k = 0; k < i->count; k++)
    {
      const struct tb_uop *u = &uops[k];
      bool is_on = u->a < TB_NPLACES && on[u->a];
      uint32_t at = is_on ? offset[u->a] : 0;
      conditional |= tb_op_is (u->op, TB_MAY_SKIP);
      /* On the A and R profile both may be others then.  */
      if (u->op == TB_OP_MSR || u->op == TB_OP_ERET
	  || (u->op == TB_OP_CPS && !c->profile->is_m))
	on[TB_SLOT_SP] = false;
      if (!tb_op_is (u->op, TB_WRITES) || u->dst >= TB_NPLACES)
	continue;
      if (u->op == TB_OP_ADD && u->b == TB_PLACE_IMM)
	at += u->imm;
      else if (u->op == TB_OP_SUB && u->b == TB_PLACE_IMM)
	at -= u->imm;
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

/* Does U read LR as a number?  */
static bool
reads_lr (const struct tb_uop *u)
{
  return (u->a == TB_SLOT_LR && u->op != TB_OP_TARGET)
	 || (u->b == TB_SLOT_LR && !tb_op_is (u->op, TB_STORES));
}

static bool
writes_lr (const struct tb_uop *u)
{
  return u->dst == TB_SLOT_LR && tb_op_is (u->op, TB_WRITES);
}

unsigned
tb_code_32_lr_use (const struct tb_constants *c, const struct tb_insn *i)
{
  const struct tb_uop *uops = operations (c, i);
  unsigned use = 0;
  bool maybe = false;
  struct tb_flow flows;
  c->isa->flow (c, i, &flows);
  for (unsigned k = 0; k < i->count; k++)
    {
      /* MOV PC, LR, for one, returns.  */
      if (reads_lr (&uops[k]) && flows.sub != TB_SUB_V7RETURN)
	use |= use & TB_LR_WRITTEN ? TB_LR_READ
	       : TB_LR_READ | TB_LR_READ_FIRST;
      if (writes_lr (&uops[k]) && !maybe)
	use |= TB_LR_WRITTEN;
      maybe |= tb_op_is (uops[k].op, TB_MAY_SKIP);
    }
  return use;
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

/* The condition of the conditional branch I; 16: it is none.  */
static unsigned
condition (const struct tb_constants *c, const struct tb_insn *i)
{
  if (i->it == 0)
    for (unsigned k = 0; k < i->count; k++)
      if (operations (c, i)[k].op == TB_OP_COND)
	return operations (c, i)[k].imm;
  return 16;
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
  tb_semantics_effect (operations (c, i), i->count, &effect);
  *flags = effect.may_write & TB_SLOTS_NZCV;
  return effect.may_write;
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
      c->failed = true;
      return;
    }
  if (tb_vectors_find (vectors, c->map, c->profile, c->options->core))
    for (unsigned i = 1; i < vectors->count; i++)
      if (vectors->handler[i] != 0)
	tb_code_enter (c, vectors->handler[i], TB_CODE_FUNCTION);
  free (vectors);
}

size_t
tb_code_32_templates (const void *window)
{
  return ((const struct tb_state *) window)->ntemplates;
}

static void
template (const void *window, size_t number, struct tb_code_step *step)
{
  const struct tb_template *t
    = &((const struct tb_state *) window)->templates[number];
  *step = (struct tb_code_step) {
    .pc = t->pc, .opcode = t->opcode, .size = t->size,
    .ours = t->isa == TB_ISA_T32
  };
}

uint64_t
tb_code_32_steps (const void *window)
{
  return ((const struct tb_state *) window)->steps;
}

static size_t
step (const void *window, uint64_t i, struct tb_code_step *result)
{
  uint32_t info = ((const struct tb_state *) window)->info[i];
  size_t number = info & TB_INFO_TEMPLATE;
  template (window, number, result);
  result->taken = info & TB_INFO_TAKEN;
  result->changed = info & TB_INFO_EVENTS;
  return number;
}

static unsigned
changes (const void *window, uint64_t i, struct tb_code_change *result,
	 unsigned capacity)
{
  const struct tb_state *s = window;
  size_t low = 0, high = s->nchanges;
  unsigned count = 0;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (s->changes[middle].step < i)
	low = middle + 1;
      else
	high = middle;
    }
  for (; low < s->nchanges && s->changes[low].step == i && count < capacity;
       low++)
    {
      const struct tb_change *change = &s->changes[low];
      static const uint8_t kinds[] = {
	[TB_CHANGE_LOST] = TB_CODE_LOST, [TB_CHANGE_ENTRY] = TB_CODE_ENTERED,
	[TB_CHANGE_RETURN] = TB_CODE_RETURNED,
	[TB_CHANGE_RETURN_MAYBE] = TB_CODE_RETURNED,
	[TB_CHANGE_TAIL] = TB_CODE_CHAINED, [TB_CHANGE_WRITTEN] = TB_CODE_LOST
      };
      result[count++] = (struct tb_code_change) { kinds[change->kind],
						  change->address };
    }
  return count;
}

const tb_vid *
tb_code_32_names (void *window, uint64_t i)
{
  struct tb_state *s = window;
  tb_state_seek (s, i);
  return s->names.slot;
}

bool
tb_code_32_known (const void *window, tb_vid name, uint64_t *value)
{
  struct tb_known k
    = tb_graph_known (&((const struct tb_state *) window)->graph, name);
  *value = k.bits;
  return tb_known_all (k);
}

const struct tb_code_isa tb_code_t32 = {
  .registers = REGISTERS, .slots = TB_NSLOTS, .lr = TB_SLOT_LR,
  .kept = TB_CODE_32_KEPT, .pointer_bit = 1, .pointer_size = 4, .unit = 2,
  .uop_size = sizeof (struct tb_uop), .uop_most = TB_SEM_MAX,
  .describe = describe, .flow = flow, .eval = tb_code_32_eval,
  .lr_use = tb_code_32_lr_use,
  /* Compilers keep it in r7 (and their epilogues make SP of it, if they do).  */
  .frame = tb_code_32_frame, .frame_pointer = 7, .sp = TB_SLOT_SP,
  .role = role, .condition = condition, .compare = compare,
  .writes = tb_code_32_writes, .call_at = call_at,
  .constant = tb_code_32_constant, .enter = enter,
  .templates = tb_code_32_templates, .template = template,
  .steps = tb_code_32_steps, .step = step, .changes = changes,
  .names = tb_code_32_names, .known = tb_code_32_known
};
