/* What an ETMv4's or ETE's atoms do at the end of a block.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_ETMV4_WAYPOINT_H
#define TB_DECODE_ETMV4_WAYPOINT_H

#include "decode/etmv4/internal.h"

/* How many blocks one range may join: each ends at what is no instruction or is
   TB_BLOCK_LIMIT long.  What is no instruction may be one that the tables do
   not know, so it is passed, and counted; beyond this it is not what ran.  */
#define TB_ETMV4_JOIN_MAX 256

/* Follow ATOMS, LEFT of them and at least 1, from *BLOCK as far as it is known
   from before what comes next; OUT has room for all.  Returns how many are
   left.

   Only waypoints that pass without further ado have successors: see
   tb_etmv4_follow_atoms.  */
static inline uint32_t
tb_etmv4_follow_known (struct tb_etmv4_state *s, struct tb_etmv4_out *out,
		       const struct tb_block **block, uint32_t *atoms,
		       uint32_t left)
{
  const struct tb_block *b = *block;
  struct tb_element *e = out->at;
  const uint64_t index = s->atoms_index;
  const bool pushes = s->stack.enabled;
  uint32_t rest = *atoms;

  do
    {
      bool taken = rest & 1;
      const struct tb_block *next = b->successor[taken];
      if (__builtin_expect (next == NULL, 0))
	break;
      tb_block_range (e++, b, index, taken);
      if (pushes && taken && b->sub == TB_SUB_LINK)
	tb_return_stack_push (&s->stack, b->end, b->isa);
      rest >>= 1;
      b = next;
    }
  while (--left > 0);
  out->at = e;
  *atoms = rest;
  *block = b;
  return left;
}

/* What a taken or not taken waypoint that ends BLOCK does, but for finding the
   next block.  Returns whether the next address is known.  */
static inline bool
tb_etmv4_pass_waypoint (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
			const struct tb_block *b, bool taken)
{
  struct tb_etmv4_state *s = &d->state;
  if (!taken)
    {
      if ((b->kind == TB_FLOW_BRANCH || b->kind == TB_FLOW_INDIRECT
	   || b->kind == TB_FLOW_ACCESS)
	  && !b->conditional)
	tb_count_fault (&s->stats, TB_FAULT_NOT_TAKEN, s->atoms_index,
			b->end - b->size);
      return true;
    }
  if (b->sub == TB_SUB_LINK)
    tb_return_stack_push (&s->stack, b->end, b->isa);
  if (b->kind != TB_FLOW_INDIRECT)
    return true;
  s->stack.pending = s->stack.enabled;
  s->stack.plain = b->sub != TB_SUB_LINK && b->sub != TB_SUB_ERET;
  s->have_address = s->walkable = s->gap_said = false;
  s->address = b->end;
  if (b->sub == TB_SUB_ERET && tb_etmv4_is_ete (&d->config))
    tb_etmv4_emit (out, TB_ELEMENT_EXCEPTION_RETURN, s->atoms_index);
  return false;
}

/* Set the place of the next instruction after BLOCK.  */
static inline void
tb_etmv4_step_past (struct tb_etmv4_state *s, const struct tb_block *b,
		    bool taken)
{
  bool jumps = taken && b->kind == TB_FLOW_BRANCH;
  s->address = jumps ? b->target : b->end;
  s->isa = jumps ? b->target_isa : b->isa;
}

#endif /* TB_DECODE_ETMV4_WAYPOINT_H */
