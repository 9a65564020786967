/* Code up to a place that an ETMv4 or ETE tells: exceptions, Q elements, source
   addresses.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include "decode/exception.h"
#include "decode/etmv4/waypoint.h"
#include "snapshot/m-frame.h"

/* The address of an M-profile exception that was taken when another one ended: no instruction ran
   in between.  A core that locks up stands there, too (ARMv6-M, ARMv7-M), which an exception of the
   number LOCKUP tells.  */
#define TAIL_CHAIN 0xfffffffeu
#define LOCKUP 26

/* What ran from the current address straight on to END.  */
static void
follow_straight (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		 uint64_t index, uint64_t end)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t start = s->address, reached;
  struct tb_flow last;
  enum tb_space space = tb_etmv4_find_space (d, start);
  uint32_t count = tb_follow_straight (d->base.follow, space, s->isa, start,
				       end, &reached, &last);
  const struct tb_block *b = tb_etmv4_find_block (d);
  uint64_t trap = b != NULL ? b->end - b->size : 0;
  if (b != NULL && b->count > 0 && tb_flow_traps (b->kind)
      && (b->kind == TB_FLOW_BREAK ? trap < end : b->end < end))
    {
      tb_etmv4_trapped (d, out, index, space, start, trap);
      return;
    }
  /* An atom would have told of the block's end.  */
  if (b != NULL && b->count > 0 && b->end < end && b->kind != TB_FLOW_OTHER)
    tb_count_fault (&s->stats,
		    b->kind == TB_FLOW_UNDEFINED ? TB_FAULT_UNDEFINED
						 : TB_FAULT_JUMP,
		    index, b->end - b->size);
  if (reached > end || (reached < end && count >= TB_BLOCK_LIMIT))
    {
      /* No instruction ends there: this is not the code that ran.  */
      tb_count_fault (&s->stats,
		      reached > end ? TB_FAULT_JUMP : TB_FAULT_RUNAWAY,
		      index, start);
      tb_etmv4_no_code (d, out, index, start);
      return;
    }
  if (count > 0)
    tb_follow_straight_range (tb_etmv4_emit (out, TB_ELEMENT_RANGE, index),
			      &last, space, (enum tb_isa) s->isa, start,
			      reached, count);
  if (reached < end)
    tb_etmv4_no_code (d, out, index, reached);
}

/* The address of an exception is that of the branch before it too (E1:E0 is
   0b10).  It stands for an address element, which a trace unit does not make
   where the target is on top of its return stack: it says 0b01 then, and the
   stack is popped.  So where the target is not there the stack stays as it is.
   Units with Arm's erratum 1185472 say 0b10 where it is there, and have
   popped it; PENDING: the branch before is one whose target is looked for.  */
static void
set_branch_target (struct tb_etmv4_decoder *d,
		   const struct tb_etmv4_item *address, bool pending)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t target;
  enum tb_isa isa;
  tb_etmv4_set_address (d, address->value, address->is);
  if (pending && tb_return_stack_matches (&s->stack, s->address,
					  (enum tb_isa) s->isa))
    tb_return_stack_pop (&s->stack, &target, &isa);
}

void
tb_etmv4_take_exception (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
			 const struct tb_etmv4_item *item,
			 const struct tb_etmv4_item *context,
			 const struct tb_etmv4_item *address)
{
  struct tb_etmv4_state *s = &d->state;
  bool same = item->flags & TB_ITEM_SAME_ADDRESS;
  bool locked_up = s->locked_up && address != NULL && tb_m_is_lockup (address->value);
  bool tail_chain = d->config.is_m && address != NULL && !locked_up
		    && address->value == TAIL_CHAIN;
  /* The branch before went elsewhere, or nobody will ever know where.  */
  bool pending = s->stack.pending && s->stack.plain;
  if (address == NULL)
    tb_return_stack_doubt (&s->stack);
  else if (same || tail_chain)
    s->stack.pending = false;
  if (!tb_etmv4_pop_pending (d, out))
    return;
  if (context != NULL)
    tb_etmv4_set_context (d, out, context, item->index);
  if (address != NULL)
    {
      if (same)
	set_branch_target (d, address, pending);
      else
	s->is = address->is;
      if (tail_chain || locked_up)
	;
      else if (!s->walkable || !s->have_context)
	tb_etmv4_no_address (d, out, item->index);
      else if (s->address < address->value)
	follow_straight (d, out, item->index, address->value);
    }

  struct tb_element *e = tb_etmv4_emit (out, TB_ELEMENT_EXCEPTION,
					item->index);
  e->u.exception.number = (uint16_t) item->number;
  if (address != NULL)
    e->u.exception.return_address = address->value;
  else
    e->flags |= TB_EXCEPTION_NO_RETURN;
  if (same)
    e->flags |= TB_EXCEPTION_BRANCH_TARGET;
  if (tail_chain)
    e->flags |= TB_EXCEPTION_TAIL_CHAIN;
  if (tb_exception_kind (TB_NUMBERS_V8, d->config.is_m, item->number)
      == TB_EXC_HALT)
    e->flags |= TB_EXCEPTION_HALT;
  s->locked_up = d->config.is_m && item->number == LOCKUP;
  /* The handler's address is yet to come.  */
  s->have_address = s->walkable = s->gap_said = false;
  d->block = NULL;
}

/* The blocks from the current address on for COUNT instructions, stopping at a
   branch.  Returns how many instructions there are up to the end of *LAST, the
   block in which the walk stopped.  */
static uint32_t
walk_blocks (struct tb_etmv4_decoder *d, uint32_t count,
	     struct tb_block *last)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t start = s->address;
  uint32_t walked = 0;
  for (unsigned i = 0; i < TB_ETMV4_JOIN_MAX && walked < count; i++)
    {
      const struct tb_block *b = tb_etmv4_find_block (d);
      if (b == NULL || b->count == 0)
	break;
      *last = *b;
      walked += b->count;
      if (b->kind == TB_FLOW_BRANCH || b->kind == TB_FLOW_INDIRECT)
	break;
      s->address = b->end;
    }
  s->address = start;
  return walked;
}

void
tb_etmv4_follow_q (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		   const struct tb_etmv4_item *item,
		   const struct tb_etmv4_item *address)
{
  struct tb_etmv4_state *s = &d->state;
  uint32_t count = item->number;
  struct tb_block last = { .count = 0 };
  struct tb_flow flow;
  uint64_t reached;
  bool known = false;

  if (!tb_etmv4_pop_pending (d, out))
    return;
  if (count > 0 && s->have_address && s->have_context)
    {
      uint32_t walked = walk_blocks (d, count, &last);
      bool branch = last.kind == TB_FLOW_BRANCH
		    || last.kind == TB_FLOW_INDIRECT;
      enum tb_space space = last.space;
      if (walked == count && branch)
	{
	  /* It did not branch if what is next is what follows.  */
	  bool taken = !last.conditional || address->value != last.end;
	  tb_block_joined_range (out->at++, &last, item->index, s->address,
				 count, taken);
	  known = true;
	}
      else if (walked >= count && address->value > s->address
	       && tb_follow_straight (d->base.follow, space, s->isa,
				      s->address, address->value, &reached,
				      &flow) == count
	       && reached == address->value)
	{
	  follow_straight (d, out, item->index, address->value);
	  known = true;
	}
    }
  if (!known)
    {
      struct tb_element *e = tb_etmv4_emit (out, TB_ELEMENT_Q, item->index);
      e->isa = tb_etmv4_isa_of (d, address->is);
      e->u.q.first = s->address;
      e->u.q.next = address->value;
      e->u.q.count = count;
    }
  tb_etmv4_set_address (d, address->value, address->is);
}

void
tb_etmv4_follow_source (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
			const struct tb_etmv4_item *item)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t source = item->value, before = s->address, reached;
  bool from_before = s->have_address && before <= source;
  struct tb_flow flow;

  if (!s->have_context)
    return;
  if (!s->have_address)
    tb_etmv4_no_address (d, out, item->index);
  /* The one instruction at the source.  The packet's IS tells how its bits are
     packed; a branch at a whole word may be A32 all the same, and the address
     before has told the instruction set.  */
  s->address = source;
  if (s->isa == TB_ISA_A32 && (source & 2))
    s->isa = TB_ISA_T32;
  s->stack.pending = false;
  enum tb_space space = tb_etmv4_find_space (d, source);
  uint32_t opcode;
  unsigned size = tb_follow_opcode (d->base.follow, space, s->isa, source,
				    &opcode);
  if (size == 0)
    {
      tb_etmv4_no_code (d, out, item->index, source);
      return;
    }
  uint32_t count = 1;
  uint64_t start = source, end = source + size;
  tb_follow_straight (d->base.follow, space, s->isa, source, end, &reached,
		      &flow);
  if (from_before && before < source)
    {
      struct tb_flow ignored;
      uint32_t n = tb_follow_straight (d->base.follow, space, s->isa, before,
				       source, &reached, &ignored);
      if (reached == source)
	{
	  start = before;
	  count += n;
	}
      else
	{
	  /* What ran before the branch is not known.  */
	  struct tb_element *e = tb_etmv4_emit (out, TB_ELEMENT_NO_CODE,
						item->index);
	  e->isa = s->isa;
	  e->space = space;
	  e->u.address = reached < source ? reached : before;
	}
    }
  struct tb_block b = {
    .start = start, .end = end, .target = flow.target, .count = count,
    .kind = flow.kind, .sub = flow.sub, .size = flow.size, .isa = s->isa,
    .space = space, .target_isa = flow.target_isa,
    .conditional = flow.conditional,
    .marked_conditional = flow.marked_conditional
  };
  tb_block_joined_range (out->at++, &b, item->index, start, count, true);
  s->atoms_index = item->index;
  s->have_address = s->walkable = true;
  d->block = NULL;
  if (tb_etmv4_pass_waypoint (d, out, &b, true))
    tb_etmv4_step_past (s, &b, true);
}
