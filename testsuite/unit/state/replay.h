/* Replaying steps on what state claims: what is claimed before a step must lead to
   what is claimed after it, take the way that the trace tells, and load what is
   claimed of memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Cores of 32 bits here, those with A64 in replay-a64.h.  What is not claimed stays
   unknown on the way, so that each claim is only held against others.  */

#ifndef TB_UNIT_REPLAY_H
#define TB_UNIT_REPLAY_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arm/ir/semantics.h"
#include "recording/recording.h"
#include "state/effect.h"
#include "state/state.h"

#define REPLAY_STORES 80

struct replay_store
{
  uint64_t address, value;
  unsigned size;
  bool known;			/* The value.  */
};

struct replay
{
  struct tb_state *state;
  struct tb_recording *recording;
  bool loud;			/* Say what is wrong.  */
  bool sweep;			/* Hold all of RAM together now and then.  */
  /* Windows are worked out as they are asked for, which may show that what was
     claimed before does not hold: what is wrong counts if it is when it is asked
     for again.  */
  bool again;
  uint64_t compared;		/* Claims.  */
  unsigned wrong;
  /* T32: ITSTATE, and how many steps may still be in a block that is not known.  */
  uint8_t it;
  unsigned unsure;
  /* The step that is run.  */
  uint64_t step;
  bool known[TB_NPLACES];
  uint32_t value[TB_NPLACES];
  struct tb_access_info accesses[REPLAY_STORES];
  size_t naccesses, access;
  struct replay_store stores[REPLAY_STORES];
  unsigned nstores;
  bool elsewhere;		/* It may store who knows where.  */
  bool lost;			/* What it does from here on is not known.  */
};

static inline void
replay_wrong (struct replay *r, const char *what, uint64_t which,
	      uint64_t claimed, uint64_t expected)
{
  if (r->loud && r->wrong < 10)
    fprintf (stderr, "step %" PRIu64 ": %s %" PRIx64 " is %" PRIx64
	     ", not %" PRIx64 "\n", r->step, what, which, claimed, expected);
  r->wrong++;
}

static inline void
replay_set (struct replay *r, unsigned place, bool known, uint32_t value)
{
  if (place >= TB_NPLACES)
    return;
  r->known[place] = known;
  r->value[place] = value;
}

static inline bool
replay_get (const struct replay *r, unsigned place, uint32_t imm,
	    uint32_t *value)
{
  *value = place == TB_PLACE_IMM ? imm : 0;
  if (place >= TB_NPLACES)
    return place == TB_PLACE_IMM || place == TB_PLACE_NONE;
  *value = r->value[place];
  return r->known[place];
}

/* The access that comes next; NULL: state does not tell.  */
static inline const struct tb_access_info *
replay_access (struct replay *r, bool store, bool known, uint64_t address)
{
  if (r->access >= r->naccesses)
    return NULL;
  const struct tb_access_info *a = &r->accesses[r->access++];
  if (a->store != store)
    {
      r->access = r->naccesses;
      return NULL;
    }
  if (known && a->address_known && a->address != address)
    replay_wrong (r, "address of access", r->access - 1, a->address, address);
  return a;
}

/* What is claimed of SIZE bytes at ADDRESS before step STEP.  */
static inline bool
replay_memory (struct replay *r, uint64_t step, uint64_t address,
	       unsigned size, uint64_t *value)
{
  uint8_t bytes[8], origins[8];
  *value = 0;
  if (size > 8 || tb_state_memory (r->state, step, address, bytes, origins,
				   size) != size)
    return false;
  for (unsigned i = 0; i < size; i++)
    *value |= (uint64_t) bytes[i] << 8 * i;
  return true;
}

static inline bool
replay_load (struct replay *r, bool known, uint64_t address, unsigned size,
	     uint64_t *value)
{
  const struct tb_access_info *a = replay_access (r, false, known, address);
  uint64_t there = 0;
  /* What the instruction stored itself.  */
  bool own = r->elsewhere || r->nstores != 0;
  if (!known && a != NULL && a->address_known)
    {
      known = true;
      address = a->address;
    }
  bool found = known && !own && replay_memory (r, r->step, address, size,
					       &there);
  if (a == NULL || !a->value_known)
    {
      *value = there;
      return found;
    }
  r->compared += found;
  if (found && a->value != there)
    replay_wrong (r, "value loaded from", address, a->value, there);
  *value = a->value;
  return true;
}

static inline void
replay_store (struct replay *r, bool ka, uint64_t address, bool kv,
	      uint64_t value, unsigned size)
{
  const struct tb_access_info *a = replay_access (r, true, ka, address);
  uint64_t all = size < 8 ? ((uint64_t) 1 << 8 * size) - 1 : UINT64_MAX;
  value &= all;
  if (a != NULL && a->value_known && kv && a->value != value)
    replay_wrong (r, "value stored to", address, a->value, value);
  if (a != NULL && a->value_known && !kv)
    {
      kv = true;
      value = a->value;
    }
  if (a != NULL && a->address_known && !ka)
    {
      ka = true;
      address = a->address;
    }
  if (ka && r->nstores < REPLAY_STORES)
    r->stores[r->nstores++] = (struct replay_store) { address, value, size,
						      kv };
  else
    r->elsewhere = true;
}

static inline bool
replay_condition (const struct replay *r, unsigned cc, bool *holds)
{
  uint32_t reads = tb_condition_reads (cc);
  for (unsigned k = TB_SLOT_N; k <= TB_SLOT_V; k++)
    if (reads >> k & 1 && !r->known[k])
      return false;
  *holds = tb_condition_holds (cc, r->value[TB_SLOT_N], r->value[TB_SLOT_Z],
			       r->value[TB_SLOT_C], r->value[TB_SLOT_V]);
  return true;
}

static inline void
replay_flags (struct replay *r, const struct tb_uop *u, bool known,
	      uint32_t a, uint32_t b)
{
  uint32_t carry = u->op == TB_OP_CV_SUB;
  if (u->dst < TB_NPLACES)
    {
      known = known && r->known[u->dst];
      carry = r->value[u->dst];
    }
  if (u->op == TB_OP_CV_SUB)
    b = ~b;
  uint64_t sum = (uint64_t) a + b + carry;
  replay_set (r, TB_SLOT_C, known, sum >> 32 & 1);
  replay_set (r, TB_SLOT_V, known, (~(a ^ b) & (a ^ (uint32_t) sum)) >> 31);
}

static inline void
replay_outcome (struct replay *r, bool known, bool taken, bool expected)
{
  r->compared += known;
  if (known && taken != expected)
    replay_wrong (r, "outcome of branch", 0, taken, expected);
}

/* One operation of STEP, which NEXT follows (NULL: none that is known).  False: those
   behind it are not done.  */
static inline bool
replay_uop (struct replay *r, const struct tb_semantics *s,
	    const struct tb_uop *u, const struct tb_step *step,
	    const struct tb_step *next)
{
  uint32_t a, b;
  uint64_t loaded;
  bool ka = replay_get (r, u->a, u->imm, &a);
  bool kb = replay_get (r, u->b, u->imm, &b), known, holds = false;
  bool taken = step->flags & TB_STEP_TAKEN;
  unsigned size = TB_ACCESS_SIZE (u->imm);
  if (u->when != TB_ALWAYS && (!r->known[u->when] || !r->value[u->when]))
    {
      bool store = tb_op_is (u->op, TB_STORES);
      r->elsewhere |= store;
      r->lost |= !store && !r->known[u->when];
      r->access = r->naccesses;
      return !r->lost;
    }
  switch (u->op)
    {
    case TB_OP_UNKNOWN: case TB_OP_ASPEN:
      replay_set (r, u->dst, false, 0);
      break;
    case TB_OP_NZ:
      replay_set (r, TB_SLOT_N, ka, a >> 31);
      replay_set (r, TB_SLOT_Z, ka, a == 0);
      break;
    case TB_OP_CV_ADD: case TB_OP_CV_SUB:
      replay_flags (r, u, ka && kb, a, b);
      break;
    case TB_OP_C_SHIFT:
      if (!kb || (b & 255) != 0)
	replay_set (r, TB_SLOT_C, ka && kb,
		    tb_op_value (u->dst - TB_OP_LSL + TB_OP_C_LSL, 32, a, b));
      break;
    case TB_OP_LOAD:
      known = replay_load (r, ka, a, size, &loaded);
      replay_set (r, u->dst, known, (uint32_t) loaded);
      break;
    case TB_OP_STORE:
      replay_store (r, ka, a, kb, b, size);
      break;
    case TB_OP_BRANCH_IF:
      replay_outcome (r, ka, a == u->imm, taken);
      break;
    case TB_OP_CONDITION:
      known = replay_condition (r, u->imm, &holds);
      if (s->flags & TB_SEM_BRANCH)
	{
	  replay_outcome (r, known, holds, taken);
	  known = true;
	  holds = taken;
	}
      replay_set (r, u->dst, known, holds);
      break;
    case TB_OP_TARGET:
      if (ka && next != NULL)
	{
	  r->compared++;
	  if (((a ^ (uint32_t) next->pc) & u->imm & ~UINT32_C (1)) != 0)
	    replay_wrong (r, "target of branch", 0, a, next->pc);
	}
      break;
    case TB_OP_FP: case TB_OP_FORGET: case TB_OP_PRIVILEGED:
      r->elsewhere = true;
      break;
    case TB_OP_MODE: case TB_OP_READ_BANKED: case TB_OP_WRITE_BANKED: case TB_OP_ERET:
    case TB_OP_IS_PRIVILEGED: case TB_OP_FIELD:
    case TB_OP_WRITE_SPSEL:
      r->lost = true;
      return false;
    default:
      replay_set (r, u->dst, ka && kb, tb_op_value (u->op, 32, a, b));
      break;
    }
  return true;
}

/* The registers of state as places.  */
static inline void
replay_take (struct replay *r, const struct tb_value *v)
{
  memset (r->known, 0, sizeof r->known);
  memset (r->value, 0, sizeof r->value);
  for (unsigned k = 0; k <= TB_LR; k++)
    replay_set (r, k, v[k].mask == UINT32_MAX, (uint32_t) v[k].bits);
  for (unsigned k = 0; k < 4; k++)
    replay_set (r, TB_SLOT_N + k, v[TB_PSR].mask >> (31 - k) & 1,
		v[TB_PSR].bits >> (31 - k) & 1);
}

/* Hold what was worked out against what is claimed after the step.  BEFORE: what
   was claimed before it, MAY_WRITE: what it may have changed.  */
static inline void
replay_compare (struct replay *r, const struct tb_value *before,
		const struct tb_value *after, uint32_t may_write)
{
  for (unsigned k = 0; k <= TB_LR; k++)
    {
      uint32_t mask = (uint32_t) after[k].mask, bits = (uint32_t) before[k].bits;
      if (!(may_write >> k & 1))
	mask &= (uint32_t) before[k].mask;
      else if (r->known[k])
	bits = r->value[k];
      else
	continue;
      r->compared += mask != 0;
      if (((after[k].bits ^ bits) & mask) != 0)
	replay_wrong (r, "register", k, after[k].bits, bits);
    }
  for (unsigned k = 0; k < 4; k++)
    if (after[TB_PSR].mask >> (31 - k) & 1 && r->known[TB_SLOT_N + k])
      {
	r->compared++;
	if ((after[TB_PSR].bits >> (31 - k) & 1) != r->value[TB_SLOT_N + k])
	  replay_wrong (r, "flag", k, after[TB_PSR].bits >> (31 - k) & 1,
			r->value[TB_SLOT_N + k]);
      }
}

/* Does one of the stores change the byte at ADDRESS?  *BYTE: to what; *KNOWN: it
   is.  */
static inline bool
replay_stored (const struct replay *r, uint64_t address, uint8_t *byte,
	       bool *known)
{
  bool hit = false;
  for (unsigned i = 0; i < r->nstores; i++)
    if (address - r->stores[i].address < r->stores[i].size)
      {
	hit = true;
	*known = r->stores[i].known;
	*byte = (uint8_t) (r->stores[i].value
			   >> 8 * (address - r->stores[i].address));
      }
  return hit;
}

/* LENGTH bytes (256 at most) at FIRST: what is claimed of them after the step is
   what was before, or what it stored.  */
static inline void
replay_bytes (struct replay *r, uint64_t first, size_t length)
{
  uint8_t before[256], known[256], after[256], known_after[256];
  if (length > sizeof before)
    length = sizeof before;
  tb_state_memory (r->state, r->step, first, before, known, length);
  tb_state_memory (r->state, r->step + 1, first, after, known_after, length);
  for (size_t i = 0; i < length; i++)
    {
      bool sure = known[i] != TB_UNKNOWN;
      uint8_t byte = before[i];
      if (!replay_stored (r, first + i, &byte, &sure) && r->elsewhere)
	continue;
      if (!sure || known_after[i] == TB_UNKNOWN)
	continue;
      r->compared++;
      if (after[i] != byte)
	replay_wrong (r, "memory at", first + i, after[i], byte);
    }
}

static inline void
replay_ram (struct replay *r)
{
  const struct tb_region *regions;
  const struct tb_memmap *map = tb_recording_memmap (r->recording);
  size_t n = tb_memmap_regions (map, &regions);
  bool other = r->elsewhere;
  /* Each store may have gone only where it did: what several may have done is not
     told apart.  */
  for (unsigned i = 0; i < r->nstores; i++)
    replay_bytes (r, r->stores[i].address - 8, 24);
  if (!r->sweep || other || r->step % 127 != 0)
    return;
  for (size_t i = 0; i < n; i++)
    for (uint64_t at = 0; at < regions[i].length && at < 0x10000; at += 256)
      if (regions[i].halt_contents)
	replay_bytes (r, regions[i].address + at,
		      (size_t) (regions[i].length - at));
}

static inline bool
replay_has_it (const struct replay *r)
{
  enum tb_arch arch = tb_recording_profile (r->recording)->arch;
  return arch != TB_ARCH_V6M && arch != TB_ARCH_V8M_BASE;
}

/* Before step STEP: what governs it; 16: that is not known.  */
static inline unsigned
replay_it (struct replay *r, const struct tb_step *step, bool events)
{
  if (!replay_has_it (r))
    return TB_IT_NONE;
  if (events)
    {
      r->unsure = 4;
      r->it = 0;
    }
  if (step->isa != TB_ISA_T32)
    return TB_IT_NONE;
  bool starts = step->size == 2 && (step->opcode & 0xff00) == 0xbf00
		&& (step->opcode & 15) != 0;
  unsigned it = r->unsure != 0 ? 16 : tb_it_condition (r->it);
  r->it = tb_it_next (r->it, step->opcode, step->size);
  if (step->flags & TB_STEP_TAKEN)
    r->it = 0;
  r->unsure = starts ? 0 : r->unsure - (r->unsure != 0);
  return it;
}

static inline bool
replay_events (struct replay *r, uint64_t step)
{
  struct tb_event events[16];
  size_t n = tb_recording_events (r->recording, step, step, events, 16);
  for (size_t i = 0; i < n && i < 16; i++)
    if (events[i].kind != TB_EVENT_TIMESTAMP
	&& events[i].kind != TB_EVENT_CYCLES)
      return true;
  return false;
}

/* Replay the step that is TWO[0], governed by IT and followed by TWO[1] if that is not
   LAST.  */
static inline void
replay_step (struct replay *r, const struct tb_step *two, bool last,
	     const struct tb_semantics *s)
{
  struct tb_value before[TB_NREGS_MAX], after[TB_NREGS_MAX];
  struct tb_semantics_effect effect;
  r->nstores = 0;
  r->access = 0;
  r->elsewhere = r->lost = false;
  tb_state_registers (r->state, r->step, before);
  tb_state_registers (r->state, r->step + 1, after);
  r->naccesses = tb_state_accesses (r->state, r->step, r->accesses,
				    REPLAY_STORES);
  if (r->naccesses > REPLAY_STORES)
    r->naccesses = 0;
  replay_take (r, before);
  tb_semantics_effect (s->uops, s->count, false, &effect);
  for (unsigned k = 0; k < s->count; k++)
    if (!replay_uop (r, s, &s->uops[k], &two[0], last ? NULL : &two[1]))
      break;
  if (r->lost)
    r->elsewhere = true;
  for (unsigned k = 0; r->lost && k < TB_NSLOTS; k++)
    if (effect.may_write >> k & 1)
      r->known[k] = false;
  replay_compare (r, before, after, effect.may_write);
  replay_ram (r);
}

/* Replay steps FIRST to END - 1; returns how many claims are wrong.  */
static inline unsigned
replay_steps (struct replay *r, uint64_t first, uint64_t end)
{
  const struct tb_profile *profile = tb_recording_profile (r->recording);
  uint64_t total = tb_recording_steps (r->recording);
  r->unsure = 4;
  r->it = 0;
  for (uint64_t i = first; i < end && i < total; i++)
    {
      struct tb_step two[2];
      struct tb_semantics s;
      bool last = i + 1 == total, loud = r->loud;
      if (tb_recording_read (r->recording, i, two, last ? 1 : 2) == 0)
	break;
      unsigned it = replay_it (r, &two[0], replay_events (r, i));
      if (it > TB_IT_NONE || two[0].size == 0
	  || (two[0].isa != TB_ISA_T32 && two[0].isa != TB_ISA_A32))
	continue;
      if (two[0].isa == TB_ISA_A32)
	tb_semantics_a32 (&s, two[0].opcode, (uint32_t) two[0].pc, profile);
      else
	tb_semantics_t32_it (&s, two[0].opcode, two[0].size,
			     (uint32_t) two[0].pc, it, profile);
      r->step = i;
      /* What events lie behind may have been given up half-way.  */
      if (!s.modelled || s.flags & TB_SEM_TRAPS || replay_events (r, i + 1))
	continue;
      unsigned wrong = r->wrong;
      r->loud = loud && !r->again;
      replay_step (r, two, last, &s);
      r->loud = loud;
      if (r->again && r->wrong != wrong)
	{
	  r->wrong = wrong;
	  replay_step (r, two, last, &s);
	}
    }
  return r->wrong;
}

#endif /* TB_UNIT_REPLAY_H */
