/* Following the program by what an ETMv4 or ETE has committed.  See
   internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include "decode/etmv4/exception.h"

/* How many blocks one range may join: each ends at what is no instruction or is
   TB_BLOCK_LIMIT long.  What is no instruction may be one that the tables do
   not know, so it is passed, and counted; beyond this it is not what ran.  */
#define JOIN_MAX 256

/* The block at the current address, in the first space that has code there;
   NULL: no memory.  */
static const struct tb_block *
find_block (struct tb_etmv4_decoder *d)
{
  const struct tb_etmv4_state *s = &d->state;
  const struct tb_block *block = NULL;
  for (unsigned i = 0; i < s->nspaces; i++)
    {
      block = tb_follow_block (d->base.follow, s->spaces[i], s->isa,
			       s->address);
      if (block == NULL || block->count > 0)
	return block;
    }
  return block;
}

/* The space to read code at ADDRESS from.  */
static enum tb_space
find_space (const struct tb_etmv4_decoder *d, uint64_t address)
{
  const struct tb_etmv4_state *s = &d->state;
  uint32_t opcode;
  for (unsigned i = 0; i < s->nspaces; i++)
    if (tb_follow_opcode (d->base.follow, s->spaces[i], s->isa, address,
			  &opcode) > 0)
      return s->spaces[i];
  return s->nspaces > 0 ? s->spaces[0] : TB_SPACE_ANY;
}

static inline void
fill_range (struct tb_element *e, const struct tb_block *b, uint64_t index,
	    uint64_t start, uint32_t count, bool taken)
{
  e->index = index;
  e->kind = TB_ELEMENT_RANGE;
  e->reason = TB_REASON_NONE;
  e->flags = (taken ? TB_RANGE_EXECUTED : 0)
	     | (b->conditional ? TB_RANGE_CONDITIONAL : 0)
	     | (b->conditional != b->marked_conditional ? TB_RANGE_UNMARKED
							: 0);
  e->isa = b->isa;
  e->last_kind = b->kind;
  e->last_sub = b->sub;
  e->last_size = b->size;
  e->space = b->space;
  e->u.range.start = start;
  e->u.range.end = b->end;
  e->u.range.count = count;
}

/* The code at ADDRESS cannot be read: nothing is known until the trace gives an
   address.  */
static void
no_code (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	 uint64_t index, uint64_t address)
{
  struct tb_etmv4_state *s = &d->state;
  struct tb_element *e = tb_etmv4_emit (out, TB_ELEMENT_NO_CODE, index);
  e->isa = s->isa;
  e->space = s->nspaces > 0 ? s->spaces[0] : TB_SPACE_ANY;
  e->u.address = address;
  s->address = address;
  s->have_address = false;
  s->walkable = true;
  s->gap_said = true;
  s->stack.lost = true;
  tb_return_stack_flush (&s->stack);
  d->block = NULL;
}

/* Instructions ran from an address that the trace does not tell.  Said once
   until it tells one.  */
static void
no_address (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	    uint64_t index)
{
  if (d->state.gap_said)
    return;
  tb_etmv4_emit (out, TB_ELEMENT_NO_CODE, index)->flags
    = TB_NO_CODE_UNKNOWN | TB_NO_CODE_SILENT;
  d->state.gap_said = true;
}

/* What a taken or not taken waypoint that ends BLOCK does, but for finding the
   next block.  Returns whether the next address is known.  */
static inline bool
pass_waypoint (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	       const struct tb_block *b, bool taken)
{
  struct tb_etmv4_state *s = &d->state;
  if (!taken)
    {
      if ((b->kind == TB_FLOW_BRANCH || b->kind == TB_FLOW_INDIRECT)
	  && !b->conditional)
	s->stats.bad_image++;
      return true;
    }
  if (b->sub == TB_SUB_LINK)
    tb_return_stack_push (&s->stack, b->end, b->isa);
  if (b->kind != TB_FLOW_INDIRECT)
    return true;
  s->stack.pending = s->stack.enabled;
  s->have_address = s->walkable = s->gap_said = false;
  s->address = b->end;
  if (b->sub == TB_SUB_ERET && tb_etmv4_is_ete (&d->config))
    tb_etmv4_emit (out, TB_ELEMENT_EXCEPTION_RETURN, s->atoms_index);
  return false;
}

/* Set the place of the next instruction after BLOCK.  */
static void
step_past (struct tb_etmv4_state *s, const struct tb_block *b, bool taken)
{
  bool jumps = taken && b->kind == TB_FLOW_BRANCH;
  s->address = jumps ? b->target : b->end;
  s->isa = jumps ? b->target_isa : b->isa;
}

/* An atom where the block at the current address does not end in a waypoint:
   code is missing, or is no code, or the range is very long.  */
static void
follow_odd (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	    const struct tb_block *b, bool taken)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t start = s->address, index = s->atoms_index;
  uint32_t count = 0;
  struct tb_block last = { .count = 0 };
  d->block = NULL;
  for (unsigned i = 0; i < JOIN_MAX && b != NULL && b->count > 0; i++)
    {
      last = *b;
      count += b->count;
      if (b->kind == TB_FLOW_UNDEFINED)
	s->stats.bad_image++;
      else if (b->kind != TB_FLOW_OTHER)
	{
	  fill_range (out->at++, b, index, start, count, taken);
	  if (pass_waypoint (d, out, b, taken))
	    step_past (s, b, taken);
	  return;
	}
      s->address = b->end;
      if (b->kind == TB_FLOW_OTHER && !b->limit)
	{
	  b = NULL;
	  break;
	}
      b = tb_follow_next (d->base.follow, b);
    }
  if (b != NULL && b->count > 0)
    {
      s->stats.bad_image++;
      tb_etmv4_lose_sync (d, TB_REASON_BAD_IMAGE);
      return;
    }
  if (count > 0)
    fill_range (out->at++, &last, index, start, count, true);
  no_code (d, out, index, s->address);
}

bool
tb_etmv4_pop_pending (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  enum tb_isa isa;
  if (!s->stack.pending)
    return true;
  s->stack.pending = false;
  d->block = NULL;
  if (tb_return_stack_pop (&s->stack, &s->address, &isa))
    {
      s->isa = isa;
      s->have_address = s->walkable = true;
      return true;
    }
  /* It may have been pushed by code that is not in the image; else there is no
     such packet stream.  */
  if (s->stack.lost)
    return true;
  tb_etmv4_bad (d, out);
  return false;
}

void
tb_etmv4_follow_atoms (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  const struct tb_block *b = d->block;
  uint32_t atoms = s->atoms, left = s->atoms_left;

  while (left > 0 && out->at < out->stop)
    {
      if (__builtin_expect (b == NULL, 0))
	{
	  if (!tb_etmv4_pop_pending (d, out))
	    return;
	  if (!s->have_address || !s->have_context)
	    {
	      no_address (d, out, s->atoms_index);
	      left = 0;
	      break;
	    }
	  b = find_block (d);
	}
      bool taken = atoms & 1;
      atoms >>= 1;
      left--;
      if (__builtin_expect (b == NULL || b->kind == TB_FLOW_OTHER
			    || b->kind == TB_FLOW_UNDEFINED, 0))
	{
	  s->atoms_left = left;
	  s->atoms = atoms;
	  follow_odd (d, out, b, taken);
	  left = s->atoms_left;	/* 0 if synchronisation was lost.  */
	  b = NULL;
	  continue;
	}
      fill_range (out->at++, b, s->atoms_index, b->start, b->count, taken);
      if (!pass_waypoint (d, out, b, taken))
	{
	  b = NULL;
	  continue;
	}
      const struct tb_block *next
	= taken && b->kind == TB_FLOW_BRANCH
	  ? tb_follow_taken (d->base.follow, b)
	  : tb_follow_next (d->base.follow, b);
      if (__builtin_expect (next == NULL || next->count == 0, 0))
	{
	  step_past (s, b, taken);
	  next = NULL;
	}
      b = next;
    }
  if (b != NULL)
    {
      s->address = b->start;
      s->isa = b->isa;
    }
  d->block = b;
  s->atoms = atoms;
  s->atoms_left = left;
}

/* Addresses and contexts.  */

static enum tb_isa
isa_of (const struct tb_etmv4_decoder *d, unsigned is)
{
  if (d->config.is_m)
    return TB_ISA_T32;
  if (d->state.context.flags & TB_CONTEXT_A64)
    return TB_ISA_A64;
  return is ? TB_ISA_T32 : TB_ISA_A32;
}

void
tb_etmv4_set_address (struct tb_etmv4_decoder *d, uint64_t value,
		      unsigned is)
{
  struct tb_etmv4_state *s = &d->state;
  s->stack.pending = s->stack.waiting = false;
  s->address = value;
  s->is = is;
  s->isa = isa_of (d, is);
  s->have_address = s->walkable = true;
  d->block = NULL;
}

/* Which regions hold the code of a context, the likeliest first.  */
static void
choose_spaces (struct tb_etmv4_decoder *d)
{
  enum { LEVELS = 4, CHOICES = TB_ETMV4_SPACES - 1 };
  static const uint8_t choices[][LEVELS][CHOICES] =
  {
    [TB_NONSECURE] =
    {
      { TB_SPACE_EL1N, TB_SPACE_N, TB_SPACE_NP, TB_SPACE_P },
      { TB_SPACE_EL1N, TB_SPACE_N, TB_SPACE_NP, TB_SPACE_P },
      { TB_SPACE_EL2, TB_SPACE_H, TB_SPACE_N, TB_SPACE_NP, TB_SPACE_P },
      { TB_SPACE_EL3, TB_SPACE_N, TB_SPACE_NP, TB_SPACE_P }
    },
    [TB_SECURE] =
    {
      { TB_SPACE_EL1S, TB_SPACE_S, TB_SPACE_SP, TB_SPACE_P },
      { TB_SPACE_EL1S, TB_SPACE_S, TB_SPACE_SP, TB_SPACE_P },
      { TB_SPACE_S, TB_SPACE_SP, TB_SPACE_P },
      { TB_SPACE_EL3, TB_SPACE_S, TB_SPACE_SP, TB_SPACE_P }
    },
    [TB_REALM] =
    {
      { TB_SPACE_REALM }, { TB_SPACE_REALM }, { TB_SPACE_REALM },
      { TB_SPACE_ROOT, TB_SPACE_EL3 }
    },
    [TB_ROOT] =
    {
      { TB_SPACE_ROOT, TB_SPACE_EL3 }, { TB_SPACE_ROOT, TB_SPACE_EL3 },
      { TB_SPACE_ROOT, TB_SPACE_EL3 }, { TB_SPACE_ROOT, TB_SPACE_EL3 }
    }
  };
  struct tb_etmv4_state *s = &d->state;
  s->nspaces = 0;
  for (unsigned i = 0; i < CHOICES; i++)
    {
      uint8_t space = choices[s->context.security][s->context.el][i];
      if (space != TB_SPACE_ANY && d->has_region[space])
	s->spaces[s->nspaces++] = space;
    }
  /* A look-up in any space falls back on ANY by itself.  */
  if (s->nspaces == 0)
    s->spaces[s->nspaces++] = TB_SPACE_ANY;
}

void
tb_etmv4_set_context (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		      const struct tb_etmv4_item *item, uint64_t index)
{
  struct tb_etmv4_state *s = &d->state;
  s->context.el = item->is;
  if (item->flags & TB_ITEM_NSE)
    s->context.security = item->flags & TB_ITEM_NS ? TB_REALM : TB_ROOT;
  else
    s->context.security = item->flags & TB_ITEM_NS ? TB_NONSECURE : TB_SECURE;
  s->context.flags &= ~TB_CONTEXT_A64;
  if (item->flags & TB_ITEM_SF)
    s->context.flags |= TB_CONTEXT_A64;
  if (item->flags & TB_ITEM_HAS_VMID)
    {
      s->context.flags |= TB_CONTEXT_VMID;
      s->context.vmid = item->value >> 32;
    }
  if (item->flags & TB_ITEM_HAS_CID)
    {
      s->context.flags |= TB_CONTEXT_CID;
      s->context.cid = item->value;
    }
  s->isa = isa_of (d, s->is);
  s->have_context = true;
  d->block = NULL;
  choose_spaces (d);

  struct tb_element *e = tb_etmv4_emit (out, TB_ELEMENT_CONTEXT, index);
  e->isa = s->isa;
  e->flags = s->context.flags;
  e->u.context.vmid = s->context.vmid;
  e->u.context.cid = s->context.cid;
  e->u.context.el = s->context.el;
  e->u.context.security = s->context.security;
}

/* Instructions up to a place that the trace tells.  */

/* What ran from the current address straight on to END.  */
static void
follow_straight (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		 uint64_t index, uint64_t end)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t start = s->address, reached;
  struct tb_flow last;
  enum tb_space space = find_space (d, start);
  uint32_t count = tb_follow_straight (d->base.follow, space, s->isa, start,
				       end, &reached, &last);
  if (reached > end || (reached < end && count >= TB_BLOCK_LIMIT))
    {
      /* No instruction ends there: this is not the code that ran.  */
      s->stats.bad_image++;
      no_code (d, out, index, start);
      return;
    }
  if (count > 0)
    {
      struct tb_element *e = tb_etmv4_emit (out, TB_ELEMENT_RANGE, index);
      e->flags = TB_RANGE_EXECUTED;
      if (last.conditional)
	e->flags |= TB_RANGE_CONDITIONAL;
      if (last.conditional != last.marked_conditional)
	e->flags |= TB_RANGE_UNMARKED;
      e->isa = s->isa;
      e->last_kind = last.kind;
      e->last_sub = last.sub;
      e->last_size = last.size;
      e->space = space;
      e->u.range.start = start;
      e->u.range.end = reached;
      e->u.range.count = count;
    }
  if (reached < end)
    no_code (d, out, index, reached);
}

void
tb_etmv4_take_exception (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
			 const struct tb_etmv4_item *item,
			 const struct tb_etmv4_item *context,
			 const struct tb_etmv4_item *address)
{
  struct tb_etmv4_state *s = &d->state;
  bool same = item->flags & TB_ITEM_SAME_ADDRESS;
  bool tail_chain = d->config.is_m && address != NULL
		    && address->value == TB_ETMV4_TAIL_CHAIN;
  if (!tb_etmv4_pop_pending (d, out))
    return;
  if (context != NULL)
    tb_etmv4_set_context (d, out, context, item->index);
  if (address != NULL)
    {
      if (same)
	tb_etmv4_set_address (d, address->value, address->is);
      else
	s->is = address->is;
      if (tail_chain)
	;
      else if (!s->walkable || !s->have_context)
	no_address (d, out, item->index);
      else if (s->address < address->value)
	follow_straight (d, out, item->index, address->value);
    }

  struct tb_element *e = tb_etmv4_emit (out, TB_ELEMENT_EXCEPTION,
					item->index);
  e->u.exception.number = item->number;
  e->u.exception.return_address = address != NULL ? address->value : 0;
  if (same)
    e->flags |= TB_EXCEPTION_BRANCH_TARGET;
  if (tail_chain)
    e->flags |= TB_EXCEPTION_TAIL_CHAIN;
  if (tb_etmv4_is_halt (item->number, d->config.is_m))
    e->flags |= TB_EXCEPTION_HALT;
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
  for (unsigned i = 0; i < JOIN_MAX && walked < count; i++)
    {
      const struct tb_block *b = find_block (d);
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
	  fill_range (out->at++, &last, item->index, s->address, count, true);
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
      e->isa = isa_of (d, address->is);
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
    no_address (d, out, item->index);
  /* The one instruction at the source.  The packet's IS tells how its bits are
     packed; a branch at a whole word may be A32 all the same, and the address
     before has told the instruction set.  */
  s->address = source;
  if (s->isa == TB_ISA_A32 && (source & 2))
    s->isa = TB_ISA_T32;
  s->stack.pending = false;
  enum tb_space space = find_space (d, source);
  uint32_t opcode;
  unsigned size = tb_follow_opcode (d->base.follow, space, s->isa, source,
				    &opcode);
  if (size == 0)
    {
      no_code (d, out, item->index, source);
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
  fill_range (out->at++, &b, item->index, start, count, true);
  s->atoms_index = item->index;
  s->have_address = s->walkable = true;
  d->block = NULL;
  if (pass_waypoint (d, out, &b, true))
    step_past (s, &b, true);
}
