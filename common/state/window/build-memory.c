/* Naming of accesses to memory, along the steps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/builder.h"

/* What an access of SIZE bytes, and TB_ACCESS_ALIGNED, says of its address if it
   happened.  */
static void
align (struct tb_builder *b, tb_vid address, unsigned size)
{
  unsigned bytes = TB_ACCESS_SIZE (size);
  if ((b->state->aligned || size & TB_ACCESS_ALIGNED) && bytes > 1
      && b->condition == 0 && !(address & TB_CONSTANT))
    tb_namer_bits (&b->n, address, bytes - 1, 0);
}

/* Access ID was named: tell who asks.  */
static void
note (struct tb_builder *b, uint32_t id)
{
  if (b->accesses != NULL && b->naccesses < b->accesses_room)
    b->accesses[b->naccesses++] = id;
}

/* A store that may not have happened; see tb_memory_set_condition.  CONDITION 0: there
   is none.  */
static void
add_maybe (struct tb_builder *b, tb_vid address, tb_vid value, unsigned size,
	   tb_vid condition, bool if1, bool if0)
{
  uint32_t id = tb_namer_access (&b->n, TB_MEM_MAYBE, address, value,
				 TB_ACCESS_SIZE (size));
  note (b, id);
  if (!b->n.replay && condition != 0)
    tb_memory_set_condition (&b->state->memory, id, condition, if1, if0);
}

/* A load whose condition failed is no harm: what it would have loaded goes
   nowhere.  */
tb_vid
tb_build_load (struct tb_builder *b, tb_vid address, unsigned size)
{
  tb_vid value = tb_namer_bytes (&b->n, TB_ACCESS_SIZE (size));
  if (b->maybe || b->names->foreign)
    return value;
  align (b, address, size);
  note (b, tb_namer_access (&b->n, TB_MEM_LOAD, address, value,
			    TB_ACCESS_SIZE (size)));
  return value;
}

void
tb_build_store (struct tb_builder *b, unsigned kind, tb_vid address,
		tb_vid value, unsigned size)
{
  if (kind == TB_MEM_STORE)
    align (b, address, size);
  if (kind == TB_MEM_STORE && b->condition == 0)
    note (b, tb_namer_access (&b->n, kind, address, value,
			      TB_ACCESS_SIZE (size)));
  else
    add_maybe (b, address, value, size,
	       kind == TB_MEM_STORE ? b->condition : 0, true, true);
}

void
tb_build_maybe (struct tb_builder *b, tb_vid address, tb_vid value,
		unsigned size, tb_vid condition, bool if1)
{
  add_maybe (b, address, value, size, condition, if1, !if1);
}

/* May what is named now have been done in part before an exception?  */
static bool
may_go_on (struct tb_builder *b)
{
  return b->names->goes_on != 0
	 && b->names->goes_on != tb_namer_constant (&b->n, 0);
}

/* Is the address of the load U, an operation of T, relative to the instruction?  */
static bool
is_literal (const struct tb_state *s, const struct tb_template *t,
	    const struct tb_uop *u)
{
  unsigned place = u->a;
  if (u->op == TB_OP_LOAD_LITERAL || s->a64 != NULL)
    return u->op == TB_OP_LOAD_LITERAL;
  while (u-- > s->uops + t->first && place >= TB_NSLOTS)
    if (u->op <= TB_OP_UNKNOWN && u->dst == place)
      {
	if (u->op != TB_OP_MOV)
	  return false;
	if (u->a == TB_PLACE_IMM)
	  return true;
	place = u->a;
      }
  return false;
}

/* VALUE was loaded from ADDRESS by U of step I of the A and R profile: what an
   instruction loads relative to itself is code.  */
static void
name_literal (struct tb_builder *b, uint64_t i, const struct tb_uop *u,
	      tb_vid address, tb_vid value)
{
  struct tb_state *s = b->state;
  tb_word literal;
  if (b->n.replay || b->maybe || b->names->foreign || !s->memory.usable)
    return;
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  if (is_literal (s, t, u)
      && tb_memory_literal (&s->memory, t->pc,
			    tb_graph_known (&s->graph, address).bits,
			    TB_ACCESS_SIZE (u->imm), &literal))
    tb_namer_bits (&b->n, value, s->graph.ones, literal);
}

void
tb_build_name_load (struct tb_builder *b, const struct tb_uop *u,
		    tb_vid address, uint64_t i)
{
  tb_vid value = tb_build_load (b, address, tb_uop_number (u));
  if (address & TB_CONSTANT && !b->state->profile->is_m)
    name_literal (b, i, u, address, value);
  if (!b->maybe && may_go_on (b))
    value = tb_build_resumed (b, u, i, value);
  tb_build_write (b, u->dst, value, TB_ACCESS_SIZE (u->imm) <= 4);
}

void
tb_build_name_store (struct tb_builder *b, const struct tb_uop *u, tb_vid address,
		     tb_vid value)
{
  unsigned size = tb_uop_number (u);
  if (b->names->foreign)
    return;
  if (!b->maybe && may_go_on (b))
    tb_build_maybe (b, address, value, size,
		    tb_namer_valuei (&b->n, TB_OP_EOR, b->names->goes_on, 1), true);
  else
    tb_build_store (b, b->maybe ? TB_MEM_MAYBE : TB_MEM_STORE, address, value, size);
}
