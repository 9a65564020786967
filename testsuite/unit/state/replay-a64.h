/* Replaying steps of cores with A64 on what state claims.  See replay.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_REPLAY_A64_H
#define TB_UNIT_REPLAY_A64_H

#include "arm/ir/semantics-a64.h"
#include "replay.h"

struct replay_a64
{
  struct replay r;
  bool known[TB_A64_NPLACES];
  uint64_t value[TB_A64_NPLACES];
};

static inline void
replay_set_a64 (struct replay_a64 *w, unsigned place, bool known,
		uint64_t value)
{
  if (place >= TB_A64_NPLACES)
    return;
  w->known[place] = known;
  w->value[place] = value;
}

static inline bool
replay_get_a64 (const struct replay_a64 *w, unsigned place, uint64_t imm,
		uint64_t *value)
{
  *value = place == TB_PLACE_IMM ? imm : 0;
  if (place >= TB_A64_NPLACES)
    return place <= TB_PLACE_NONE;
  *value = w->value[place];
  return w->known[place];
}

static inline void
replay_uop_a64 (struct replay_a64 *w, const struct tb_uop *u,
		const struct tb_step *step, const struct tb_step *next)
{
  struct replay *r = &w->r;
  const uint64_t *v = w->value;
  const bool *k = w->known;
  uint64_t a, b, value = 0;
  bool ka = replay_get_a64 (w, u->a, u->imm, &a), flags;
  bool kb = replay_get_a64 (w, u->b, u->imm, &b);
  if (u->when != TB_ALWAYS && (!k[u->when] || !v[u->when]))
    {
      if (tb_op_is (u->op, TB_STORES))
	{
	  r->elsewhere |= !k[u->when];
	  r->access = r->naccesses;
	}
      else if (!k[u->when])
	replay_set_a64 (w, u->dst, false, 0);
      return;
    }
  switch (u->op)
    {
    case TB_OP_UNKNOWN: case TB_OP_READ_SP:
      replay_set_a64 (w, u->dst, false, 0);
      break;
    case TB_OP_CONDITION:
      flags = k[TB_A64_N] && k[TB_A64_Z] && k[TB_A64_C] && k[TB_A64_V];
      replay_set_a64 (w, u->dst, flags, flags
		      && tb_condition_holds (u->imm, v[TB_A64_N], v[TB_A64_Z],
					     v[TB_A64_C], v[TB_A64_V]));
      break;
    case TB_OP_BRANCH_IF:
      replay_outcome (r, ka, a == u->imm, step->flags & TB_STEP_TAKEN);
      break;
    case TB_OP_TARGET:
      if (ka && next != NULL)
	{
	  r->compared++;
	  if (a != next->pc)
	    replay_wrong (r, "target of branch", 0, a, next->pc);
	}
      break;
    case TB_OP_LOAD: case TB_OP_LOAD_LITERAL:
      ka = replay_load (r, ka, a, (unsigned) u->imm, &value);
      replay_set_a64 (w, u->dst, ka, value);
      break;
    case TB_OP_STORE:
      replay_store (r, ka, a, kb, b, (unsigned) u->imm);
      break;
    case TB_OP_WRITE_SP: case TB_OP_WRITE_SPSEL:
      replay_set_a64 (w, TB_A64_SP, false, 0);
      break;
    case TB_OP_COMPARED: case TB_OP_ERET: case TB_OP_TRAP:
    case TB_OP_FORGET_SAVED:
      break;
    case TB_OP_FORGET:
      r->elsewhere = true;
      break;
    default:
      replay_set_a64 (w, u->dst, ka && kb, tb_op_value (u->op, 64, a, b));
      break;
    }
}

static inline void
replay_compare_a64 (struct replay_a64 *w, const struct tb_value *after)
{
  struct replay *r = &w->r;
  for (unsigned k = 0; k <= TB_SP64; k++)
    if (w->known[k] && after[k].mask != 0)
      {
	r->compared++;
	if (after[k].bits != (w->value[k] & after[k].mask))
	  replay_wrong (r, "register", k, after[k].bits, w->value[k]);
      }
  for (unsigned k = 0; k < 4; k++)
    if (w->known[TB_A64_N + k] && after[TB_PSTATE].mask >> (31 - k) & 1)
      {
	r->compared++;
	if ((after[TB_PSTATE].bits >> (31 - k) & 1) != w->value[TB_A64_N + k])
	  replay_wrong (r, "flag", k, after[TB_PSTATE].bits >> (31 - k) & 1,
			w->value[TB_A64_N + k]);
      }
}

/* As replay_step.  */
static inline void
replay_step_a64 (struct replay_a64 *w, const struct tb_step *two, bool last,
		 const struct tb_semantics *s)
{
  struct replay *r = &w->r;
  struct tb_value before[TB_NREGS_MAX], after[TB_NREGS_MAX];
  r->nstores = 0;
  r->access = 0;
  r->elsewhere = false;
  tb_state_registers (r->state, r->step, before);
  tb_state_registers (r->state, r->step + 1, after);
  r->naccesses = tb_state_accesses (r->state, r->step, r->accesses,
				    REPLAY_STORES);
  if (r->naccesses > REPLAY_STORES)
    r->naccesses = 0;
  memset (w->known, 0, sizeof w->known);
  for (unsigned k = 0; k <= TB_SP64; k++)
    replay_set_a64 (w, k, before[k].mask == UINT64_MAX, before[k].bits);
  for (unsigned k = 0; k < 4; k++)
    replay_set_a64 (w, TB_A64_N + k, before[TB_PSTATE].mask >> (31 - k) & 1,
		    before[TB_PSTATE].bits >> (31 - k) & 1);
  for (unsigned k = 0; k < s->count; k++)
    replay_uop_a64 (w, &s->uops[k], &two[0], last ? NULL : &two[1]);
  replay_compare_a64 (w, after);
  replay_ram (r);
}

/* Replay steps FIRST to END - 1; returns how many claims are wrong.  */
static inline unsigned
replay_steps_a64 (struct replay_a64 *w, uint64_t first, uint64_t end)
{
  struct replay *r = &w->r;
  uint64_t total = tb_recording_steps (r->recording);
  for (uint64_t i = first; i < end && i < total; i++)
    {
      struct tb_step two[2];
      struct tb_semantics s;
      bool last = i + 1 == total, loud = r->loud;
      if (tb_recording_read (r->recording, i, two, last ? 1 : 2) == 0)
	break;
      r->step = i;
      tb_semantics_a64 (&s, two[0].opcode, two[0].pc, 0);
      /* Not where something else happens in between.  */
      bool eret = false;
      for (unsigned k = 0; k < s.count; k++)
	eret |= s.uops[k].op == TB_OP_ERET || s.uops[k].op == TB_OP_TRAP;
      if (!s.modelled || eret || two[0].isa != TB_ISA_A64
	  || replay_events (r, i + 1))
	continue;
      unsigned wrong = r->wrong;
      r->loud = loud && !r->again;
      replay_step_a64 (w, two, last, &s);
      r->loud = loud;
      if (r->again && r->wrong != wrong)
	{
	  r->wrong = wrong;
	  replay_step_a64 (w, two, last, &s);
	}
    }
  return r->wrong;
}

#endif /* TB_UNIT_REPLAY_A64_H */
