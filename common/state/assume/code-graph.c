/* Constants through code.  See code-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/code-graph.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

static size_t
hash (const struct tb_constants *c, uint64_t pc)
{
  uint32_t folded = (uint32_t) (pc >> 1 ^ pc >> 33);
  return (size_t) (folded * UINT32_C (2654435761) >> 7)
	 & (c->hash_size - 1);
}

uint32_t
tb_code_find (const struct tb_constants *c, uint64_t pc)
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
tb_code_at (struct tb_constants *c, uint64_t pc)
{
  uint32_t number = tb_code_find (c, pc);
  const struct tb_code_isa *isa = c->isa;
  if (number != TB_CODE_NONE || c->failed || pc & (isa->unit - 1))
    return number;
  c->failed = c->ncode >= TB_CODE_LIMIT;
  if (c->failed)
    return TB_CODE_NONE;
  if (!grow_hash (c) || !TB_GROW (c->code, c->code_room, c->ncode, 1)
      || !TB_GROW (c->uops, c->uops_room, c->nuops, TB_SEM_MAX)
      || !TB_GROW (c->values, c->values_room, c->ncode * isa->registers, isa->registers))
    {
      c->failed = c->no_memory = true;
      return TB_CODE_NONE;
    }
  number = (uint32_t) c->ncode;
  struct tb_insn *i = &c->code[number];
  *i = (struct tb_insn) {
    .pc = pc, .first = (uint32_t) c->nuops, .before = TB_CODE_NONE,
    .from = TB_CODE_NONE, .root = number, .function = pc
  };
  if (!isa->describe (c, i, c->uops + c->nuops))
    return TB_CODE_NONE;
  c->ncode++;
  c->nuops += i->count;
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
  if (c->code[i].flags & TB_CODE_QUEUED)
    return;
  if (!TB_GROW (c->queue, c->queue_room, c->nqueue, 1))
    c->failed = c->no_memory = true;
  if (c->failed)
    return;
  c->code[i].flags |= TB_CODE_QUEUED;
  c->queue[c->nqueue++] = i;
}

bool
tb_code_enter (struct tb_constants *c, uint64_t pc, unsigned flags)
{
  uint32_t number = tb_code_at (c, pc);
  if (number == TB_CODE_NONE)
    return false;
  struct tb_insn *i = &c->code[number];
  flags |= TB_CODE_ENTRY | TB_CODE_SEEN | TB_CODE_LR;
  if ((i->flags & flags) == flags)
    return false;
  i->flags |= (uint16_t) flags;
  i->known = 0;
  i->has_frame = false;
  enqueue (c, number);
  return true;
}

bool
tb_code_is_call (const struct tb_flow *flow)
{
  return (flow->kind == TB_FLOW_BRANCH || flow->kind == TB_FLOW_INDIRECT)
	 && flow->sub == TB_SUB_LINK;
}

void
tb_code_load (const struct tb_constants *c, uint32_t number,
	      struct tb_code_places *p)
{
  const struct tb_insn *i = &c->code[number];
  const uint64_t *values = tb_code_values (c, number);
  memset (p, 0, sizeof *p);
  p->lr = i->flags & TB_CODE_LR;
  p->has_frame = i->has_frame;
  p->frame = i->frame;
  for (unsigned r = 0; r < c->isa->registers; r++)
    if (i->known >> r & 1)
      {
	p->known[r] = true;
	p->value[r] = values[r];
      }
}

void
tb_code_maybe (const struct tb_constants *c, struct tb_code_places *p,
	       const struct tb_code_places *q)
{
  for (unsigned r = 0; r < c->isa->slots; r++)
    p->known[r] = p->known[r] && q->known[r] && p->value[r] == q->value[r];
  p->has_frame = p->has_frame && q->has_frame && p->frame == q->frame;
}

uint32_t
tb_code_edge (struct tb_constants *c, uint32_t from, uint64_t pc,
	      const struct tb_code_places *p, bool jump, unsigned it)
{
  uint32_t number = tb_code_at (c, pc);
  if (number == TB_CODE_NONE)
    return number;
  struct tb_insn *i = &c->code[number];
  uint64_t *values = tb_code_values (c, number);
  uint32_t known = 0, flags = i->flags;

  if (jump && !(i->flags & TB_CODE_JUMPED))
    i->flags |= TB_CODE_JUMPED, i->from = from;
  else if (jump && i->from != from)
    i->flags |= TB_CODE_JUMPED_MORE;
  if (!jump)
    i->before = from;
  if (!(i->flags & TB_CODE_FUNCTION))
    join (c, from, number);
  for (unsigned r = 0; r < c->isa->registers; r++)
    if (p->known[r]
	&& (!(flags & TB_CODE_SEEN)
	    || (i->known >> r & 1 && values[r] == p->value[r])))
      {
	known |= UINT32_C (1) << r;
	values[r] = p->value[r];
      }
  bool has_frame = p->has_frame && !(flags & TB_CODE_ENTRY)
		   && (!(flags & TB_CODE_SEEN)
		       || (i->has_frame && i->frame == p->frame));
  if (p->lr)
    i->flags |= TB_CODE_LR;
  i->flags |= TB_CODE_SEEN;
  if (flags & TB_CODE_ENTRY)
    known = 0;
  bool in_block = it > i->it;
  if (in_block)
    i->it = (uint8_t) it;
  if (!(flags & TB_CODE_SEEN) || known != i->known || in_block
      || has_frame != i->has_frame
      || (p->lr && !(flags & TB_CODE_LR)))
    enqueue (c, number);
  i->known = known;
  i->has_frame = has_frame;
  i->frame = p->frame;
  return number;
}

/* Does the function at PC make use of its return address other than to return?
   Only the instructions up to the first branch are looked at.  */
static bool
uses_lr (struct tb_constants *c, uint64_t pc)
{
  for (unsigned n = 0; n < 16; n++)
    {
      uint32_t number = tb_code_at (c, pc);
      struct tb_flow flow;
      if (number == TB_CODE_NONE)
	return false;
      const struct tb_insn *i = &c->code[number];
      c->isa->flow (c, i, &flow);
      if (flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_UNDEFINED)
	return false;
      unsigned use = tb_code_lr_use (c, i);
      if (use & TB_LR_READ_FIRST)
	return true;
      if (use & TB_LR_WRITTEN || flow.kind == TB_FLOW_INDIRECT)
	return false;
      pc += i->size;
    }
  return false;
}

void
tb_code_after_call (const struct tb_constants *c, struct tb_code_places *p)
{
  for (unsigned r = 0; r < c->isa->slots; r++)
    if (r >= 32 || !(c->isa->kept >> r & 1))
      p->known[r] = false;
  p->lr = false;
}

static void
visit_call (struct tb_constants *c, uint32_t number,
	    const struct tb_flow *flow, struct tb_code_places *p)
{
  uint64_t next = c->code[number].pc + c->code[number].size;
  uint64_t callee = 0, bit = c->isa->pointer_bit;
  bool direct = flow->kind == TB_FLOW_BRANCH, known = direct;
  unsigned it = c->code[number].it;
  if (direct)
    callee = flow->target;
  else if (p->has_target && p->target_known)
    {
      known = (p->target & bit) == bit;
      callee = p->target & ~bit;
    }
  if (known)
    {
      tb_code_enter (c, callee, TB_CODE_FUNCTION);
      if (uses_lr (c, callee))
	{
	  if (!direct || it != 0 || !tb_code_switch (c, number, p))
	    c->code[number].flags |= TB_CODE_WILD;
	  return;
	}
    }
  bool lr = p->lr && flow->conditional;
  tb_code_after_call (c, p);
  p->lr = lr;
  uint32_t back = tb_code_edge (c, number, next, p, false, it > 1 ? it - 1 : 0);
  if (back != TB_CODE_NONE)
    c->code[back].flags |= TB_CODE_RETURN;
}

/* An indirect jump that is no call.  */
static void
visit_jump (struct tb_constants *c, uint32_t number,
	    const struct tb_flow *flow, const struct tb_code_places *p)
{
  const struct tb_insn *i = &c->code[number];
  if (flow->sub == TB_SUB_V7RETURN || flow->sub == TB_SUB_ERET
      || flow->sub == TB_SUB_RETURN)
    return;
  if (p->has_target && p->target_known)
    {
      tb_code_edge (c, number, p->target & ~c->isa->pointer_bit, p, true, 0);
      return;
    }
  /* Jumps to labels, which some compilers make like tail calls, lead to stored
     code pointers.  */
  if (c->isa->role (i) == TB_CODE_TAIL)
    return;
  if (i->it != 0 || !tb_code_switch (c, number, p))
    c->code[number].flags |= TB_CODE_WILD;
}

static void
visit (struct tb_constants *c, uint32_t number)
{
  struct tb_code_places p, q;
  struct tb_insn *i = &c->code[number];
  struct tb_flow flow;
  uint64_t next = i->pc + i->size;
  unsigned it = i->it;

  tb_code_load (c, number, &p);
  q = p;
  c->isa->flow (c, i, &flow);
  if (!i->modelled)
    memset (p.known, 0, sizeof p.known);
  else
    tb_code_eval (c, i, &p);
  if (!i->modelled || c->isa->frame == NULL)
    p.has_frame = false;
  else
    c->isa->frame (c, i, &p);
  unsigned use = p.lr ? tb_code_lr_use (c, i) : 0;
  if (use & (it == 0 ? TB_LR_READ_FIRST : TB_LR_READ))
    i->flags |= TB_CODE_LR_USED;
  /* Known or not: it is not as at the entry any more.  */
  if (use & TB_LR_WRITTEN && it == 0)
    p.lr = false;
  if (c->isa->role (i) == TB_CODE_SERVICE)
    {
      bool lr = p.lr;
      tb_code_after_call (c, &p);
      p.lr = lr;
    }
  if (it != 0 && !tb_code_is_call (&flow))
    tb_code_maybe (c, &p, &q);
  if (flow.kind == TB_FLOW_UNDEFINED)
    return;
  if (tb_code_is_call (&flow))
    {
      visit_call (c, number, &flow, &p);
      return;
    }
  if (flow.kind == TB_FLOW_BRANCH)
    tb_code_edge (c, number, flow.target, &p, true, 0);
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
