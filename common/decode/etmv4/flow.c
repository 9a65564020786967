/* Following the program by what an ETMv4 or ETE has committed.  See
   internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include "decode/etmv4/waypoint.h"

const struct tb_block *
tb_etmv4_find_block (struct tb_etmv4_decoder *d)
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

enum tb_space
tb_etmv4_find_space (const struct tb_etmv4_decoder *d, uint64_t address)
{
  const struct tb_etmv4_state *s = &d->state;
  uint32_t opcode;
  for (unsigned i = 0; i < s->nspaces; i++)
    if (tb_follow_opcode (d->base.follow, s->spaces[i], s->isa, address,
			  &opcode) > 0)
      return s->spaces[i];
  return s->nspaces > 0 ? s->spaces[0] : TB_SPACE_ANY;
}

void
tb_etmv4_no_code (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
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

void
tb_etmv4_no_address (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		     uint64_t index)
{
  if (d->state.gap_said)
    return;
  tb_etmv4_emit (out, TB_ELEMENT_NO_CODE, index)->flags
    = TB_NO_CODE_UNKNOWN | TB_NO_CODE_SILENT;
  d->state.gap_said = true;
}

void
tb_etmv4_trapped (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		  uint64_t index, enum tb_space space, uint64_t start,
		  uint64_t trap)
{
  struct tb_etmv4_state *s = &d->state;
  uint64_t reached;
  struct tb_flow last;
  uint32_t count = tb_follow_straight (d->base.follow, space, s->isa, start,
				       trap, &reached, &last);
  if (count > 0 && reached == trap)
    tb_follow_straight_range (tb_etmv4_emit (out, TB_ELEMENT_RANGE, index),
			      &last, space, (enum tb_isa) s->isa, start,
			      reached, count);
  tb_count_fault (&s->stats, TB_FAULT_TRAP, index, trap);
  tb_etmv4_emit (out, TB_ELEMENT_NO_SYNC, index)->reason = TB_REASON_BAD_IMAGE;
  s->have_address = s->walkable = false;
  s->gap_said = true;
  s->stack.lost = true;
  tb_return_stack_flush (&s->stack);
  d->block = NULL;
}

/* An atom where the block at the current address does not end in a waypoint:
   code is missing, or is no code, or the range is very long.  */
static void
follow_odd (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	    const struct tb_block *b, bool taken)
{
  struct tb_etmv4_state *s = &d->state;
  if (b != NULL)
    {
      s->address = b->start;
      s->isa = b->isa;
    }
  uint64_t start = s->address, index = s->atoms_index;
  uint32_t count = 0;
  struct tb_block last = { .count = 0 };
  bool undefined = false;
  d->block = NULL;
  for (unsigned i = 0; i < TB_ETMV4_JOIN_MAX && b != NULL && b->count > 0; i++)
    {
      last = *b;
      count += b->count;
      if (b->kind == TB_FLOW_UNDEFINED)
	{
	  /* Once a range, which may be data for long.  */
	  if (!undefined)
	    tb_count_fault (&s->stats, TB_FAULT_UNDEFINED, index,
			    b->end - b->size);
	  undefined = true;
	}
      else if (tb_flow_traps (b->kind))
	{
	  tb_etmv4_trapped (d, out, index, (enum tb_space) b->space, start,
			    b->end - b->size);
	  return;
	}
      else if (b->kind != TB_FLOW_OTHER)
	{
	  tb_block_joined_range (out->at++, b, index, start, count, taken);
	  if (tb_etmv4_pass_waypoint (d, out, b, taken))
	    tb_etmv4_step_past (s, b, taken);
	  return;
	}
      s->address = b->end;
      if (b->kind == TB_FLOW_OTHER && !b->limit)
	{
	  b = NULL;
	  break;
	}
      b = tb_follow_block (d->base.follow, b->space, b->isa, b->end);
    }
  if (b != NULL && b->count > 0)
    {
      tb_count_fault (&s->stats, TB_FAULT_RUNAWAY, index, start);
      tb_etmv4_lose_sync (d, TB_REASON_BAD_IMAGE);
      return;
    }
  if (count > 0)
    tb_block_joined_range (out->at++, &last, index, start, count, true);
  tb_etmv4_no_code (d, out, index, s->address);
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
	      tb_etmv4_no_address (d, out, s->atoms_index);
	      left = 0;
	      break;
	    }
	  if (tb_etmv4_is_in_hole (d))
	    {
	      /* As follow_odd does, of which there is much then.  */
	      atoms >>= 1;
	      left--;
	      tb_etmv4_no_code (d, out, s->atoms_index, s->address);
	      continue;
	    }
	  b = tb_etmv4_find_block (d);
	}
      if (__builtin_expect (b != NULL, 1))
	{
	  size_t room = (size_t) (out->stop - out->at);
	  uint32_t now = left < room ? left : (uint32_t) room;
	  left -= now;
	  now = tb_etmv4_follow_known (s, out, &b, &atoms, now);
	  left += now;
	  if (now == 0)
	    continue;
	}
      bool taken = atoms & 1;
      atoms >>= 1;
      left--;
      if (__builtin_expect (b == NULL || b->kind == TB_FLOW_OTHER
			    || b->kind >= TB_FLOW_UNDEFINED, 0))
	{
	  s->atoms_left = left;
	  s->atoms = atoms;
	  follow_odd (d, out, b, taken);
	  left = s->atoms_left;	/* 0 if synchronisation was lost.  */
	  b = NULL;
	  continue;
	}
      tb_block_range (out->at++, b, s->atoms_index, taken);
      if (!tb_etmv4_pass_waypoint (d, out, b, taken))
	{
	  b = NULL;
	  continue;
	}
      /* The block keeps what comes next where its waypoint is one to pass
	 without further ado: not a branch that cannot have been passed.  */
      bool wrong = !taken && !b->conditional
		   && (b->kind == TB_FLOW_BRANCH || b->kind == TB_FLOW_INDIRECT
		       || b->kind == TB_FLOW_ACCESS);
      const struct tb_block *next
	= wrong
	  ? tb_follow_block (d->base.follow, b->space, b->isa, b->end)
	  : taken && b->kind == TB_FLOW_BRANCH
	  ? tb_follow_taken (d->base.follow, b)
	  : tb_follow_next (d->base.follow, b);
      if (__builtin_expect (next == NULL || next->count == 0, 0))
	{
	  tb_etmv4_step_past (s, b, taken);
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

enum tb_isa
tb_etmv4_isa_of (const struct tb_etmv4_decoder *d, unsigned is)
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
  s->is = (uint8_t) is;
  s->isa = tb_etmv4_isa_of (d, is);
  s->have_address = s->walkable = true;
  s->may_jump = false;
  d->block = NULL;
}

void
tb_etmv4_take_address (struct tb_etmv4_decoder *d, uint64_t value,
		       unsigned is, uint64_t index)
{
  struct tb_etmv4_state *s = &d->state;
  if (__builtin_expect (s->have_address && s->address != value, 0)
      && !s->may_jump)
    tb_count_fault (&s->stats, TB_FAULT_JUMP, index, s->address);
  tb_etmv4_set_address (d, value, is);
}

/* Which regions hold the code of a context, the likeliest first.  */
static void
choose_spaces (struct tb_etmv4_decoder *d)
{
  enum { LEVELS = 4, CHOICES = TB_ETMV4_SPACES - 2 };
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
  const struct tb_context named = {
    .has_cid = s->context.flags & TB_CONTEXT_CID, .cid = s->context.cid,
    .has_vmid = s->context.flags & TB_CONTEXT_VMID, .vmid = s->context.vmid
  };
  enum tb_space own = tb_decoder_context (&s->stats, d->map, &named,
					  (enum tb_space) d->unnamed);
  /* EL3 has what is not of the context that it interrupted.  Nor has EL2, but with
     Linux there the context is its process.  */
  bool first = own != TB_SPACE_ANY && s->context.el < 2
	       && (s->context.security == TB_NONSECURE
		   || s->context.security == TB_SECURE);
  s->nspaces = 0;
  if (first)
    s->spaces[s->nspaces++] = own;
  for (unsigned i = 0; i < CHOICES; i++)
    {
      uint8_t space = choices[s->context.security][s->context.el][i];
      if (space != TB_SPACE_ANY && d->has_region[space])
	s->spaces[s->nspaces++] = space;
    }
  if (own != TB_SPACE_ANY && s->context.el == 2 && s->nspaces == 0)
    s->spaces[s->nspaces++] = own;
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
  bool a64 = item->flags & TB_ITEM_SF;
  /* IS is that of the newest address; a branch may have changed between A32 and
     T32 since.  */
  bool keep_isa = s->have_context
		  && a64 == ((s->context.flags & TB_CONTEXT_A64) != 0);
  s->context.flags &= (uint8_t) ~TB_CONTEXT_A64;
  if (a64)
    s->context.flags |= TB_CONTEXT_A64;
  if (item->flags & TB_ITEM_HAS_VMID)
    {
      s->context.flags |= TB_CONTEXT_VMID;
      s->context.vmid = (uint32_t) (item->value >> 32);
    }
  if (item->flags & TB_ITEM_HAS_CID)
    {
      s->context.flags |= TB_CONTEXT_CID;
      s->context.cid = (uint32_t) item->value;
    }
  if (!keep_isa)
    s->isa = tb_etmv4_isa_of (d, s->is);
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
