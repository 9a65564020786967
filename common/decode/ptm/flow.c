/* Following the program by PTM atoms.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An atom stands for all instructions up to the next waypoint (IHI 0035, 2.2
   "Waypoint instructions").  */

#include "config.h"
#include "decode/ptm/internal.h"

/* How many blocks one range may join: each ends at what is no instruction or is
   TB_BLOCK_LIMIT long.  The trace unit itself tells of waypoints that are
   further away than 4096 bytes.  */
#define JOIN_MAX 64

/* The code at ADDRESS cannot be read: nothing is known until the trace gives an
   address, nor what calls on the way put on the return stack.  */
static void
no_code (struct tb_ptm_decoder *d, struct tb_element **out, uint32_t address)
{
  struct tb_element *e = tb_v7_emit (&d->v7, out, TB_ELEMENT_NO_CODE);

  e->space = tb_v7_space (&d->v7.spaces, &d->v7.state.context);
  e->u.address = address;
  tb_return_stack_flush (&d->v7.state.stack);
  tb_v7_lose_address (&d->v7);
}

static const struct tb_block *
find_block (struct tb_ptm_decoder *d)
{
  const struct tb_v7_state *s = &d->v7.state;

  return tb_follow_block (d->v7.base.follow,
			  tb_v7_space (&d->v7.spaces, &s->context),
			  (enum tb_isa) s->isa, s->address);
}

static void
count_fault (struct tb_ptm_decoder *d, enum tb_fault fault, uint64_t address)
{
  tb_count_fault (&d->v7.state.stats, fault, d->v7.state.index, address);
}

/* The code is not what ran.  */
static void
bad_image (struct tb_ptm_decoder *d, struct tb_element **out,
	   enum tb_fault fault, uint32_t address)
{
  count_fault (d, fault, address);
  tb_v7_emit (&d->v7, out, TB_ELEMENT_NO_SYNC)->reason = TB_REASON_BAD_IMAGE;
  tb_return_stack_flush (&d->v7.state.stack);
  tb_v7_lose_address (&d->v7);
}

/* The code at TRAP would have stopped the core: it is not what ran, save what
   there is from the current address up to it.  */
static void
trapped (struct tb_ptm_decoder *d, struct tb_element **out, uint64_t trap)
{
  struct tb_v7_state *s = &d->v7.state;
  enum tb_space space = tb_v7_space (&d->v7.spaces, &s->context);
  struct tb_flow last;
  uint64_t reached;
  uint32_t count = tb_follow_straight (d->v7.base.follow, space,
				       (enum tb_isa) s->isa, s->address, trap,
				       &reached, &last);
  if (count > 0 && reached == trap)
    tb_follow_straight_range (tb_v7_emit (&d->v7, out, TB_ELEMENT_RANGE),
			      &last, space, (enum tb_isa) s->isa, s->address,
			      reached, count);
  bad_image (d, out, TB_FAULT_TRAP, (uint32_t) trap);
}

/* A block at the current address that does not end in a waypoint: code is
   missing, or is no code, or there is very much of it.  What is found goes to
   *JOINED: all instructions up to the waypoint.  False: there is none, which
   was said.  */
static bool
join_blocks (struct tb_ptm_decoder *d, struct tb_element **out,
	     const struct tb_block *b, struct tb_block *joined)
{
  struct tb_v7_state *s = &d->v7.state;
  uint64_t start = s->address;
  uint32_t count = 0;
  bool undefined = false;

  for (unsigned i = 0; i < JOIN_MAX && b != NULL && b->count > 0; i++)
    {
      *joined = *b;
      joined->start = start;
      joined->count = count += b->count;
      if (b->kind == TB_FLOW_UNDEFINED)
	{
	  /* Once a range, which may be data for long.  */
	  if (!undefined)
	    count_fault (d, TB_FAULT_UNDEFINED, b->end - b->size);
	  undefined = true;
	}
      else if (tb_flow_traps (b->kind))
	{
	  s->address = (uint32_t) start;
	  trapped (d, out, b->end - b->size);
	  return false;
	}
      else if (b->kind != TB_FLOW_OTHER)
	return true;
      else if (!b->limit)
	{
	  tb_block_joined_range ((*out)++, joined, s->index, start, count,
				 true);
	  no_code (d, out, (uint32_t) b->end);
	  return false;
	}
      s->address = (uint32_t) b->end;
      b = find_block (d);
    }
  if (b != NULL && b->count > 0)
    bad_image (d, out, TB_FAULT_RUNAWAY, (uint32_t) start);
  else
    {
      if (count > 0)
	tb_block_joined_range ((*out)++, joined, s->index, start, count,
			       true);
      no_code (d, out, s->address);
    }
  return false;
}

/* An indirect branch was taken by an E atom: its target is on the return stack
   (IHI 0035, 3.16 "Return stack").  False: nothing is there.  */
static bool
pop_target (struct tb_ptm_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->v7.state;
  uint64_t address;
  enum tb_isa isa;

  if (tb_return_stack_pop (&s->stack, &address, &isa))
    {
      tb_v7_set_address (&d->v7, (uint32_t) address, isa);
      return true;
    }
  tb_v7_lose_address (&d->v7);
  tb_v7_emit (&d->v7, out, TB_ELEMENT_NO_CODE)->flags = TB_NO_CODE_UNKNOWN;
  return false;
}

/* The waypoint that ends B had atom TAKEN; the next block, or NULL where it is
   to be looked up, or the address is not known.  */
static inline const struct tb_block *
pass_waypoint (struct tb_ptm_decoder *d, struct tb_element **out,
	       const struct tb_block *b, bool taken, bool by_packet)
{
  struct tb_v7_state *s = &d->v7.state;
  const struct tb_block *next;

  if (!taken || (b->kind != TB_FLOW_BRANCH && b->kind != TB_FLOW_INDIRECT))
    {
      if (!taken && !b->conditional
	  && (b->kind == TB_FLOW_BRANCH || b->kind == TB_FLOW_INDIRECT))
	count_fault (d, TB_FAULT_NOT_TAKEN, b->end - b->size);
      next = tb_follow_next (d->v7.base.follow, b);
      s->address = (uint32_t) b->end;
      s->isa = b->isa;
      return next;
    }
  if (b->kind == TB_FLOW_BRANCH)
    {
      if (b->sub == TB_SUB_LINK)
	tb_return_stack_push (&s->stack, b->end, b->isa);
      next = tb_follow_taken (d->v7.base.follow, b);
      s->address = (uint32_t) b->target;
      s->isa = b->target_isa;
      return next;
    }
  bool link = b->sub == TB_SUB_LINK;
  uint32_t end = (uint32_t) b->end;
  enum tb_isa isa = (enum tb_isa) b->isa;
  if (by_packet)
    tb_v7_lose_address (&d->v7);
  else
    pop_target (d, out);
  if (link)
    tb_return_stack_push (&s->stack, end, isa);
  return NULL;
}

void
tb_ptm_follow (struct tb_ptm_decoder *d, struct tb_element **out,
	       unsigned natoms, unsigned atoms, bool by_packet,
	       const uint32_t *cycles)
{
  struct tb_v7_state *s = &d->v7.state;
  const struct tb_block *b = d->v7.here;
  struct tb_block joined = { .count = 0 };

  for (; natoms > 0 && s->have_address; natoms--, atoms >>= 1)
    {
      bool taken = atoms & 1;
      if (__builtin_expect (b == NULL || b->count == 0, 0))
	b = find_block (d);
      if (__builtin_expect (b == NULL || b->count == 0
			    || b->kind == TB_FLOW_OTHER
			    || b->kind >= TB_FLOW_UNDEFINED, 0))
	{
	  if (!join_blocks (d, out, b, &joined))
	    {
	      b = NULL;
	      continue;
	    }
	  tb_block_joined_range ((*out)++, &joined, s->index, joined.start,
				 joined.count, taken);
	  /* The last block of it, which is one that stays.  */
	  b = find_block (d);
	  if (b == NULL)
	    {
	      tb_v7_lose_address (&d->v7);
	      continue;
	    }
	}
      else
	tb_block_range ((*out)++, b, s->index, taken);
      if (cycles != NULL)
	{
	  tb_v7_add_cycles (&d->v7, out, *cycles);
	}
      b = pass_waypoint (d, out, b, taken, by_packet);
    }
  d->v7.here = b;
}

void
tb_ptm_follow_to (struct tb_ptm_decoder *d, struct tb_element **out,
		  uint32_t target)
{
  struct tb_v7_state *s = &d->v7.state;
  enum tb_space space = tb_v7_space (&d->v7.spaces, &s->context);
  uint64_t start = s->address, reached = start;
  struct tb_flow last;

  /* Exceptions come behind what ran last, which may be an SVC.  */
  const struct tb_block *b = find_block (d);
  if (b != NULL && b->count > 0 && tb_flow_traps (b->kind)
      && b->end - b->size < target)
    {
      trapped (d, out, b->end - b->size);
      return;
    }
  uint32_t count
    = target < start ? 0
      : tb_follow_straight (d->v7.base.follow, space, (enum tb_isa) s->isa,
			    start, (uint64_t) target + 1, &reached, &last);
  bool arrived = count > 0 && reached - last.size == target;
  if (!arrived && (target < start || reached > target
		   || count >= TB_BLOCK_LIMIT))
    {
      bad_image (d, out, count >= TB_BLOCK_LIMIT ? TB_FAULT_RUNAWAY
						 : TB_FAULT_JUMP, (uint32_t) start);
      return;
    }
  if (count > 0)
    tb_follow_straight_range (tb_v7_emit (&d->v7, out, TB_ELEMENT_RANGE),
			      &last, space, (enum tb_isa) s->isa, start,
			      reached, count);
  if (arrived)
    tb_v7_set_address (&d->v7, (uint32_t) reached, (enum tb_isa) s->isa);
  else
    no_code (d, out, (uint32_t) reached);
}
