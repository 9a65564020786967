/* Naming of an instruction that an exception gave up half-way.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   It is begun again, or gone on with (continued.c), after the return; until then it may have
   done some of its accesses.  The registers that it makes addresses of are as they were, or it
   could not be begun again.

   Source: ARMv7-M (DDI 0403), B1.5.10; ARMv7-A (DDI 0406), A3.5.3; A64 (DDI 0487), D1.3
   (exceptions during accesses of several registers).  */

#include "config.h"
#include "state/window/builder.h"
#include "state/window/fp.h"

/* Places whose values may come from memory.  */
struct loaded
{
  bool place[TB_A64_END];
};
_Static_assert ((int) TB_PLACE_FP + TB_NFP <= (int) TB_A64_END, "They have room.");

static bool
is_loaded (const struct loaded *l, unsigned place)
{
  return place < TB_A64_END && l->place[place];
}

/* U, which may have been done, is named.  */
static void
name_maybe (struct tb_builder *b, struct loaded *l, const struct tb_uop *u)
{
  bool is_load = tb_op_is (u->op, TB_LOADS);
  bool loaded = is_load || u->op == TB_OP_UNKNOWN
		|| (u->op < TB_OP_UNKNOWN && (is_loaded (l, u->a) || is_loaded (l, u->b)));
  if (u->op <= TB_OP_UNKNOWN || is_load || tb_op_is (u->op, TB_STORES)
      || u->op == TB_OP_READ_BANKED || u->op == TB_OP_FORGET)
    tb_build_uop (b, u, 0, 0);
  else if (tb_op_is (u->op, TB_WRITES))
    tb_build_write (b, u->dst, tb_namer_new (&b->n), false);
  if (!tb_op_is (u->op, TB_WRITES))
    return;
  /* A temporary is used again for something else.  */
  if (u->dst >= b->slots && u->dst < TB_PLACE_ZERO && u->when == TB_ALWAYS)
    l->place[u->dst] = false;
  l->place[u->dst] |= loaded;
}

/* What the load U would load, which may not have been done.  */
static tb_vid
load_perhaps (struct tb_builder *b, const struct tb_uop *u)
{
  b->maybe = false;
  b->condition = tb_namer_new (&b->n);
  tb_vid value = tb_build_load (b, tb_build_read (b, u->a, 0), tb_uop_number (u));
  b->condition = 0;
  b->maybe = true;
  return value;
}

/* A register that U writes may hold what was loaded.  */
static void
forget_loaded (struct tb_builder *b, const struct loaded *l, const struct tb_uop *u)
{
  if (u->op == TB_OP_WRITE_BANKED)
    tb_build_write_banked (b, tb_uop_number (u), tb_namer_new (&b->n));
  else if (u->dst < b->slots ? l->place[u->dst] : u->dst >= TB_PLACE_FP && u->dst < TB_A64_END)
    tb_build_write (b, u->dst, tb_build_fresh (b, u->dst), false);
}

/* If the instruction, COUNT UOPS, uses FP registers of the M profile, what that does is named.  It
   comes before its accesses, one of which may have faulted.  */
static void
name_fp (struct tb_builder *b, const struct tb_uop *uops, unsigned count)
{
  bool uses = false, accesses = false;
  for (unsigned k = 0; k < count; k++)
    {
      uses |= uops[k].op == TB_OP_FP && uops[k].imm == 0;
      accesses |= tb_op_is (uops[k].op, TB_LOADS) || tb_op_is (uops[k].op, TB_STORES);
    }
  if (uses && accesses)
    tb_fp_use_perhaps (b);
  else if (uses)
    tb_fp_save_perhaps (b);
}

void
tb_build_abandon (struct tb_builder *b, uint64_t address, enum tb_isa isa, bool single,
		  tb_vid psr)
{
  struct tb_template t;
  struct tb_uop uops[TB_SEM_MAX];
  struct loaded l = { { false } };
  struct tb_names *n = b->names;
  /* Of A64 what is not described may be anything; of the others it is undefined.  */
  if (tb_state_template_of_isa (b->state, address, isa, &t, uops) == NULL
      || (b->wide && !t.modelled))
    {
      tb_build_lose (b);
      return;
    }
  name_fp (b, uops, t.count);
  if (!(t.flags & TB_SEM_MULTIPLE) && !(single && t.flags & TB_SEM_STORES))
    return;
  tb_vid next = psr != 0 ? tb_build_next_register (b, &t, address, psr) : 0;
  tb_vid values[TB_NSLOTS] = { 0 };	/* What registers hold if they were loaded.  */
  struct tb_names before = *n;
  b->maybe = true;
  for (unsigned k = 0; k < t.count; k++)
    {
      if (next != 0 && tb_build_is_listed (&uops[k], uops, t.count))
	values[uops[k].dst] = load_perhaps (b, &uops[k]);
      name_maybe (b, &l, &uops[k]);
    }
  b->maybe = false;
  before.next_value = n->next_value;
  before.next_access = n->next_access;
  before.epoch = n->epoch;
  *n = before;
  for (unsigned k = 0; k < t.count && t.flags & TB_SEM_MULTIPLE; k++)
    forget_loaded (b, &l, &uops[k]);
  for (unsigned r = 0; r < TB_NSLOTS; r++)
    if (values[r] != 0)
      tb_namer_node (&b->n, TB_NODE_IF1, n->slot[r], values[r],
		     tb_build_was_loaded (b, r, next));
}
