/* Constants through code.  See code-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/code-graph.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

static size_t
hash (const struct tb_constants *c, uint32_t pc)
{
  return (size_t) ((pc >> 1) * UINT32_C (2654435761) >> 7)
	 & (c->hash_size - 1);
}

uint32_t
tb_code_find (const struct tb_constants *c, uint32_t pc)
{
  if (c->hash_size == 0)
    return TB_CODE_NONE;
  for (size_t at = hash (c, pc); c->hash[at] != 0;
       at = (at + 1) & (c->hash_size - 1))
    if (c->code[c->hash[at] - 1].pc == pc)
      return c->hash[at] - 1;
  return TB_CODE_NONE;
}

static bool
grow_hash (struct tb_constants *c)
{
  if (2 * (c->ncode + 1) <= c->hash_size)
    return true;
  size_t size = c->hash_size != 0 ? 2 * c->hash_size : 1024;
  uint32_t *slots = calloc (size, sizeof *slots);
  if (slots == NULL)
    return false;
  free (c->hash);
  c->hash = slots;
  c->hash_size = size;
  for (size_t i = 0; i < c->ncode; i++)
    {
      size_t at = hash (c, c->code[i].pc);
      while (slots[at] != 0)
	at = (at + 1) & (size - 1);
      slots[at] = (uint32_t) i + 1;
    }
  return true;
}

uint32_t
tb_code_at (struct tb_constants *c, uint32_t pc)
{
  uint32_t number = tb_code_find (c, pc);
  if (number != TB_CODE_NONE || c->failed)
    return number;
  struct tb_template t;
  struct tb_uop uops[TB_SEM_MAX];
  if (pc & 1 || tb_state_template_at (c->state, pc, &t, uops) == NULL)
    return TB_CODE_NONE;
  void *code = c->code, *pool = c->uops;
  bool ok = c->ncode < TB_CODE_LIMIT && grow_hash (c)
	    && tb_grow (&code, &c->code_room, c->ncode, 1, sizeof *c->code);
  c->code = code;
  ok = ok && tb_grow (&pool, &c->uops_room, c->nuops, TB_SEM_MAX,
		      sizeof *c->uops);
  c->uops = pool;
  if (!ok)
    {
      c->failed = true;
      return TB_CODE_NONE;
    }
  number = (uint32_t) c->ncode++;
  c->code[number] = (struct tb_code) {
    .pc = pc, .opcode = t.opcode, .size = t.size, .modelled = t.modelled,
    .first = (uint32_t) c->nuops, .count = t.count, .before = TB_CODE_NONE,
    .from = TB_CODE_NONE, .root = number, .function = pc
  };
  memcpy (c->uops + c->nuops, uops, t.count * sizeof *uops);
  c->nuops += t.count;
  size_t at = hash (c, pc);
  while (c->hash[at] != 0)
    at = (at + 1) & (c->hash_size - 1);
  c->hash[at] = number + 1;
  return number;
}

uint32_t
tb_code_root (struct tb_constants *c, uint32_t i)
{
  while (c->code[i].root != i)
    i = c->code[i].root = c->code[c->code[i].root].root;
  return i;
}

static void
join (struct tb_constants *c, uint32_t a, uint32_t b)
{
  a = tb_code_root (c, a);
  b = tb_code_root (c, b);
  if (a == b)
    return;
  c->code[b].root = a;
  if (c->code[b].function < c->code[a].function)
    c->code[a].function = c->code[b].function;
}

static void
enqueue (struct tb_constants *c, uint32_t i)
{
  void *items = c->queue;
  if (c->code[i].flags & TB_CODE_QUEUED)
    return;
  if (!tb_grow (&items, &c->queue_room, c->nqueue, 1, sizeof *c->queue))
    c->failed = true;
  c->queue = items;
  if (c->failed)
    return;
  c->code[i].flags |= TB_CODE_QUEUED;
  c->queue[c->nqueue++] = i;
}

bool
tb_code_enter (struct tb_constants *c, uint32_t pc, unsigned flags)
{
  uint32_t number = tb_code_at (c, pc);
  if (number == TB_CODE_NONE)
    return false;
  struct tb_code *i = &c->code[number];
  flags |= TB_CODE_ENTRY | TB_CODE_SEEN | TB_CODE_LR;
  if ((i->flags & flags) == flags)
    return false;
  i->flags |= flags;
  i->known = 0;
  enqueue (c, number);
  return true;
}

void
tb_code_flow (const struct tb_constants *c, const struct tb_code *i,
	      struct tb_flow *flow)
{
  tb_flow_t32 (flow, i->size == 2 ? i->opcode << 16 : i->opcode, i->pc,
	       i->it != 0, c->state->profile);
}

bool
tb_code_is_call (const struct tb_flow *flow)
{
  return (flow->kind == TB_FLOW_BRANCH || flow->kind == TB_FLOW_INDIRECT)
	 && flow->sub == TB_SUB_LINK;
}

void
tb_code_load (const struct tb_code *i, struct tb_code_places *p)
{
  memset (p, 0, sizeof *p);
  p->lr = i->flags & TB_CODE_LR;
  for (unsigned r = 0; r < TB_CONSTANTS_REGS; r++)
    if (i->known >> r & 1)
      {
	p->known[r] = true;
	p->value[r] = i->value[r];
      }
}

/* The SIZE bytes at ADDRESS, which do not change; false: they may.  */
static bool
read_constant (const struct tb_constants *c, uint32_t address, unsigned size,
	       uint32_t *value)
{
  const uint8_t *bytes;
  if (size > 4
      || tb_memory_kind (&c->state->memory, address, size, &bytes)
	 != TB_MEMORY_CONSTANT)
    return false;
  *value = 0;
  for (unsigned b = 0; b < size; b++)
    *value |= (uint32_t) bytes[b] << 8 * b;
  return true;
}

static bool
take (const struct tb_code_places *p, unsigned place, uint32_t imm,
      uint32_t *value)
{
  if (place >= TB_NPLACES)
    {
      *value = imm;
      return true;
    }
  *value = p->value[place];
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

/* What ran between Q and P may not have: P keeps only what is as before.  */
static void
maybe (struct tb_code_places *p, const struct tb_code_places *q)
{
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    p->known[r] = p->known[r] && q->known[r] && p->value[r] == q->value[r];
}

void
tb_code_eval (const struct tb_constants *c, const struct tb_uop *uops,
	      unsigned count, struct tb_code_places *p)
{
  struct tb_code_places before;
  bool conditional = false;
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      uint32_t a, b, value = 0;
      bool has_a = take (p, u->a, u->imm, &a);
      bool has_b = take (p, u->b, u->imm, &b);
      switch (u->op)
	{
	case TB_OP_NZ: case TB_OP_CV_ADD: case TB_OP_CV_SUB:
	case TB_OP_C_SHIFT:
	case TB_OP_STORE: case TB_OP_STORE_MAYBE: case TB_OP_CPS:
	case TB_OP_FP:
	  break;
	case TB_OP_COND: case TB_OP_BRANCH_IF: case TB_OP_IF:
	case TB_OP_IF_VALUE:
	  if (!conditional)
	    before = *p;
	  conditional = true;
	  break;
	case TB_OP_UNKNOWN: case TB_OP_MRS:
	  put (p, u->dst, false, 0);
	  break;
	case TB_OP_MSR:
	  put (p, TB_SLOT_SP, false, 0);
	  put (p, TB_SLOT_SP_OTHER, false, 0);
	  break;
	case TB_OP_LOAD:
	  has_a = has_a && read_constant (c, a, TB_ACCESS_SIZE (u->imm),
					  &value);
	  put (p, u->dst, has_a, value);
	  break;
	case TB_OP_TARGET:
	  p->has_target = true;
	  p->target_known = has_a;
	  p->target = a & u->imm;
	  break;
	default:
	  if (u->op > TB_OP_LAST_VALUE)
	    forget (p);
	  else
	    put (p, u->dst, has_a && has_b, tb_op_value (u->op, a, b));
	  break;
	}
    }
  if (conditional)
    maybe (p, &before);
  /* Flags are not followed.  */
  for (unsigned i = TB_SLOT_N; i <= TB_SLOT_V; i++)
    p->known[i] = false;
}

uint32_t
tb_code_edge (struct tb_constants *c, uint32_t from, uint32_t pc,
	      const struct tb_code_places *p, bool jump, unsigned it)
{
  uint32_t number = tb_code_at (c, pc);
  if (number == TB_CODE_NONE)
    return number;
  struct tb_code *i = &c->code[number];
  unsigned known = 0, flags = i->flags;

  if (jump && !(i->flags & TB_CODE_JUMPED))
    i->flags |= TB_CODE_JUMPED, i->from = from;
  else if (jump && i->from != from)
    i->flags |= TB_CODE_JUMPED_MORE;
  if (!jump)
    i->before = from;
  if (!(i->flags & TB_CODE_FUNCTION))
    join (c, from, number);
  for (unsigned r = 0; r < TB_CONSTANTS_REGS; r++)
    if (p->known[r]
	&& (!(flags & TB_CODE_SEEN)
	    || (i->known >> r & 1 && i->value[r] == p->value[r])))
      {
	known |= 1u << r;
	i->value[r] = p->value[r];
      }
  if (p->lr)
    i->flags |= TB_CODE_LR;
  i->flags |= TB_CODE_SEEN;
  if (flags & TB_CODE_ENTRY)
    known = 0;
  bool in_block = it > i->it;
  if (in_block)
    i->it = (uint8_t) it;
  if (!(flags & TB_CODE_SEEN) || known != i->known || in_block
      || (p->lr && !(flags & TB_CODE_LR)))
    enqueue (c, number);
  i->known = (uint16_t) known;
  return number;
}

/* Does U read LR as a number?  */
static bool
reads_lr (const struct tb_uop *u)
{
  return (u->a == TB_SLOT_LR && u->op != TB_OP_TARGET)
	 || (u->b == TB_SLOT_LR && u->op != TB_OP_STORE
	     && u->op != TB_OP_STORE_MAYBE);
}

static bool
writes_lr (const struct tb_uop *u)
{
  return u->dst == TB_SLOT_LR && (u->op <= TB_OP_LAST_VALUE
				  || u->op == TB_OP_LOAD
				  || u->op == TB_OP_UNKNOWN
				  || u->op == TB_OP_MRS);
}

bool
tb_code_uses_lr (struct tb_constants *c, uint32_t pc)
{
  for (unsigned n = 0; n < 16; n++)
    {
      uint32_t number = tb_code_at (c, pc);
      struct tb_flow flow;
      if (number == TB_CODE_NONE)
	return false;
      const struct tb_code *i = &c->code[number];
      tb_code_flow (c, i, &flow);
      if (flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_UNDEFINED)
	return false;
      for (unsigned k = 0; k < i->count; k++)
	{
	  if (reads_lr (&c->uops[i->first + k]))
	    return true;
	  if (writes_lr (&c->uops[i->first + k]))
	    return false;
	}
      if (flow.kind == TB_FLOW_INDIRECT)
	return false;
      pc += i->size;
    }
  return false;
}

/* What a call leaves of the registers.  */
static void
after_call (struct tb_code_places *p)
{
  for (unsigned r = 0; r < 4; r++)
    p->known[r] = false;
  p->known[12] = p->known[TB_SLOT_SP] = p->known[TB_SLOT_LR] = false;
  p->lr = false;
}

/* SVC and BKPT: what serves them may give back results in r0 to r3, r12.  */
static bool
is_service (const struct tb_code *i)
{
  return i->size == 2 && ((i->opcode & 0xff00) == 0xdf00
			  || (i->opcode & 0xff00) == 0xbe00);
}

static void
visit_call (struct tb_constants *c, uint32_t number,
	    const struct tb_flow *flow, struct tb_code_places *p)
{
  uint32_t next = c->code[number].pc + c->code[number].size;
  uint32_t callee = 0;
  bool direct = flow->kind == TB_FLOW_BRANCH, known = direct;
  unsigned it = c->code[number].it;
  if (direct)
    callee = (uint32_t) flow->target;
  else if (p->has_target && p->target_known)
    {
      known = p->target & 1;
      callee = p->target & ~UINT32_C (1);
    }
  if (known)
    {
      tb_code_enter (c, callee, TB_CODE_FUNCTION);
      if (tb_code_uses_lr (c, callee))
	{
	  if (!direct || it != 0 || !tb_code_switch (c, number, p))
	    c->code[number].flags |= TB_CODE_WILD;
	  return;
	}
    }
  after_call (p);
  uint32_t back = tb_code_edge (c, number, next, p, false, it > 1 ? it - 1 : 0);
  if (back != TB_CODE_NONE)
    c->code[back].flags |= TB_CODE_RETURN;
}

/* An indirect jump that is no call.  */
static void
visit_jump (struct tb_constants *c, uint32_t number,
	    const struct tb_flow *flow, const struct tb_code_places *p)
{
  const struct tb_code *i = &c->code[number];
  if (flow->sub == TB_SUB_V7RETURN || flow->sub == TB_SUB_ERET)
    return;
  if (p->has_target && p->target_known)
    {
      tb_code_edge (c, number, p->target & ~UINT32_C (1), p, true, 0);
      return;
    }
  /* BX: a tail call.  Jumps to labels, which some compilers make of it, lead to
     stored code pointers.  */
  if (i->size == 2 && (i->opcode & 0xff87) == 0x4700)
    return;
  if (i->it != 0 || !tb_code_switch (c, number, p))
    c->code[number].flags |= TB_CODE_WILD;
}

static void
visit (struct tb_constants *c, uint32_t number)
{
  struct tb_code_places p, q;
  struct tb_code *i = &c->code[number];
  struct tb_flow flow;
  uint32_t next = i->pc + i->size;
  unsigned it = i->it;

  tb_code_load (i, &p);
  q = p;
  tb_code_flow (c, i, &flow);
  if (!i->modelled)
    forget (&p);
  else
    tb_code_eval (c, c->uops + i->first, i->count, &p);
  for (unsigned k = 0; k < i->count && p.lr; k++)
    {
      if (reads_lr (&c->uops[i->first + k]))
	i->flags |= TB_CODE_LR_USED;
      /* Known or not: it is not as at the entry any more.  */
      if (writes_lr (&c->uops[i->first + k]) && it == 0)
	p.lr = false;
    }
  if (is_service (i))
    {
      bool lr = p.lr;
      after_call (&p);
      p.lr = lr;
    }
  if (it != 0 && !tb_code_is_call (&flow))
    maybe (&p, &q);
  if (flow.kind == TB_FLOW_UNDEFINED)
    return;
  if (tb_code_is_call (&flow))
    {
      visit_call (c, number, &flow, &p);
      return;
    }
  if (flow.kind == TB_FLOW_BRANCH)
    tb_code_edge (c, number, (uint32_t) flow.target, &p, true, 0);
  else if (flow.kind == TB_FLOW_INDIRECT)
    visit_jump (c, number, &flow, &p);
  if ((flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_INDIRECT)
      && !flow.conditional)
    return;
  it = flow.it_length != 0 ? flow.it_length : it > 1 ? it - 1 : 0;
  tb_code_edge (c, number, next, &p, false, it);
}

void
tb_code_run (struct tb_constants *c)
{
  while (c->nqueue > 0 && !c->failed)
    {
      uint32_t number = c->queue[--c->nqueue];
      c->code[number].flags &= (uint16_t) ~TB_CODE_QUEUED;
      visit (c, number);
    }
}
