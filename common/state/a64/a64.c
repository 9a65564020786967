/* State of A64 code: opening, solving, answers.  See a64.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "recording/facts.h"
#include "state/evidence/facts.h"
#include "state/evidence/log.h"
#include "state/evidence/stated.h"

#include <stdlib.h>
#include <string.h>

/* How many bytes DC ZVA makes zero, as the snapshot's CORE says (DDI 0487, D24.2
   "DCZID_EL0": BS, in words, by powers of 2), or all cores of the kind have it.  */
static unsigned
zero_block (const struct tb_recording *recording, const struct tb_device *core)
{
  const struct tb_device_reg *reg
    = core != NULL ? tb_device_reg (core, "DCZID_EL0") : NULL;
  if (reg != NULL)
    return 4u << (reg->value & 15);
  return tb_recording_profile (recording)->zero_block;
}

bool
tb_a64_open (struct tb_state *s)
{
  struct tb_a64 *a = s->a64 = calloc (1, sizeof *a);
  if (a == NULL)
    return false;
  a->zero_block = zero_block (s->recording, s->options.core);
  s->ncheckpoints = s->steps / TB_CHECKPOINT_STEPS + 1;
  a->checkpoints = malloc (s->ncheckpoints * sizeof *a->checkpoints);
  return a->checkpoints != NULL;
}

void
tb_a64_close (struct tb_a64 *a)
{
  if (a == NULL)
    return;
  free (a->checkpoints);
  free (a->kept_vectors);
  tb_a64_walk_reset (&a->walk);
  free (a);
}

size_t
tb_a64_bytes (const struct tb_state *s)
{
  const struct tb_a64 *a = s->a64;
  return sizeof *a + s->ncheckpoints * sizeof *a->checkpoints
	 + a->kept_vectors_room * sizeof *a->kept_vectors
	 + tb_a64_walk_bytes (&a->walk);
}

/* Of a window, the part by which the size of the rest is estimated, and how much
   more than that is made room for.  */
#define SAMPLE 16
#define SLACK 1.03

void
tb_a64_build (struct tb_state *s, bool halt, tb_vid *target, uint32_t *epoch)
{
  tb_a64_walk_reset (&s->a64->walk);
  tb_a64_begin_vectors (s, halt);
  struct tb_a64_builder b = tb_a64_builder_of (s, &s->a64->names, false);
  tb_a64_start (&b);
  tb_a64_known_start (&b);
  memset (s->stated_names, 0, sizeof s->stated_names);
  for (uint64_t i = 0; i <= s->steps && !s->graph.failed; i++)
    {
      if (i != 0 && i == s->steps / SAMPLE)
	{
	  tb_graph_expect (&s->graph, SAMPLE * SLACK);
	  tb_memory_expect (&s->memory, SAMPLE * SLACK);
	}
      if (i % TB_CHECKPOINT_STEPS == 0)
	{
	  tb_a64_keep_vectors (s);
	  s->a64->checkpoints[i / TB_CHECKPOINT_STEPS] = s->a64->names;
	}
      tb_a64_arrive (&b, i);
      uint32_t first = s->a64->names.next_access;
      if (i < s->steps)
	tb_a64_step (&b, i);
      if (i < s->steps && s->stated != NULL)
	tb_a64_stated_accesses (&b, i, first);
    }
  s->cursor = s->steps;
  s->cursor_valid = true;
  *target = s->a64->names.target;
  *epoch = s->a64->names.epoch;
}

void
tb_a64_use_halt (struct tb_state *s)
{
  const struct tb_value *at = s->at_halt;
  const tb_vid *slot = s->a64->names.slot;
  for (unsigned i = 0; i <= TB_SP64; i++)
    if (at[i].mask != 0)
      tb_graph_set (&s->graph, slot[i], at[i].bits);
  for (unsigned i = 0; i < 4 && at[TB_PSTATE].mask != 0; i++)
    tb_graph_set (&s->graph, slot[TB_A64_N + i],
		  at[TB_PSTATE].bits >> (31 - i) & 1);
  tb_a64_use_halt_vectors (s);
}

void
tb_a64_use_border (struct tb_state *s)
{
  const struct tb_border *after = s->after[s->assuming];
  const tb_vid *slot = s->a64->names.slot;
  for (unsigned i = 0; after != NULL && i < TB_A64_NSLOTS; i++)
    if (slot[i] != 0)
      tb_graph_set_bits (&s->graph, slot[i], after->slots[i].mask,
			 after->slots[i].bits);
  tb_a64_use_border_vectors (s, after);
}

bool
tb_a64_border (struct tb_state *s, bool end, struct tb_border *border)
{
  tb_a64_seek (s, end ? s->steps : 0);
  const struct tb_a64_names *n = &s->a64->names;
  for (unsigned i = 0; i < TB_A64_NSLOTS; i++)
    if (n->slot[i] != 0)
      border->slots[i] = tb_border_known (&s->graph, n->slot[i]);
  tb_a64_border_vectors (s, border);
  if (!n->lost && n->saved_el != TB_A64_NO_EL)
    border->saved_el = n->saved_el + 1;
  if (n->foreign)
    return true;
  return tb_memory_take_border (&s->memory, border, n->next_access, n->epoch);
}

bool
tb_a64_ends_at (struct tb_state *s, uint64_t pc)
{
  if (s->steps == 0)
    return false;
  tb_a64_seek (s, s->steps);
  if (s->a64->names.target == 0)
    return false;
  struct tb_known k = tb_graph_known (&s->graph, s->a64->names.target);
  return tb_known_all (k) && k.bits == pc;
}

void
tb_a64_seek (struct tb_state *s, uint64_t i)
{
  uint64_t checkpoint = i / TB_CHECKPOINT_STEPS;
  if (!s->cursor_valid || s->cursor > i
      || s->cursor / TB_CHECKPOINT_STEPS < checkpoint)
    {
      s->a64->names = s->a64->checkpoints[checkpoint];
      s->a64->vectors = s->a64->kept_vectors[s->a64->names.vectors];
      s->cursor = checkpoint * TB_CHECKPOINT_STEPS;
      s->cursor_valid = true;
      struct tb_a64_builder b = tb_a64_builder_of (s, &s->a64->names, true);
      tb_a64_arrive (&b, s->cursor);
    }
  while (s->cursor < i)
    tb_a64_walk_step (s);
}

void
tb_a64_numbers (struct tb_state *s, uint64_t i, tb_vid *value, uint32_t *access)
{
  tb_a64_seek (s, i);
  *value = s->a64->names.next_value;
  *access = s->a64->names.next_access;
}

/* What is known of ID in the bits ALL; the value's bits are AT higher.  */
static struct tb_value
value_of (const struct tb_state *s, tb_vid id, uint64_t all, unsigned at)
{
  struct tb_value value = { 0 };
  if (s->a64->names.lost)
    return value;
  struct tb_known k = tb_graph_known (&s->graph, id);
  value.mask = (k.mask & all) << at;
  value.bits = (k.bits & k.mask & all) << at;
  value.origin = value.mask != 0 ? TB_DERIVED : TB_UNKNOWN;
  return value;
}

void
tb_a64_values (const struct tb_state *s, uint64_t which,
	       struct tb_value *values)
{
  const uint64_t flags = UINT64_C (15) << TB_A64_N;
  const tb_vid *slot = s->a64->names.slot;
  for (uint64_t left = which & ((UINT64_C (2) << TB_SP64) - 1); left != 0;
       left &= left - 1)
    {
      unsigned i = (unsigned) __builtin_ctzll (left);
      values[i] = value_of (s, slot[i], UINT64_MAX, 0);
    }
  if ((which & flags) == 0)
    return;
  struct tb_value *to = &values[TB_PSTATE];
  *to = (struct tb_value) { 0 };
  for (unsigned i = 0; i < 4; i++)
    {
      struct tb_value flag = value_of (s, slot[TB_A64_N + i], 1, 31 - i);
      to->mask |= flag.mask;
      to->bits |= flag.bits;
    }
  to->origin = to->mask != 0 ? TB_DERIVED : TB_UNKNOWN;
}

const struct tb_value *
tb_a64_registers (struct tb_state *s, uint64_t step)
{
  if (step < s->base || step > s->base + s->steps)
    return NULL;
  return tb_a64_walk_registers (s, step - s->base);
}

size_t
tb_a64_memory (struct tb_state *s, uint64_t step, uint64_t address,
	       uint8_t *bytes, uint8_t *origins, size_t length)
{
  /* Before the window no access is known; epoch 0 is never used.  */
  uint32_t time = 1, epoch = 0;
  if (step >= s->base && step <= s->base + s->steps)
    {
      tb_a64_seek (s, step - s->base);
      time = s->a64->names.next_access;
      epoch = s->a64->names.epoch;
    }
  if (!s->a64->names.foreign)
    return tb_memory_read (&s->memory, address, time, epoch, bytes, origins,
			   length);
  memset (origins, TB_UNKNOWN, length);
  memset (bytes, 0, length);
  return 0;
}

size_t
tb_a64_accesses (struct tb_state *s, uint64_t step,
		 struct tb_access_info *accesses, size_t capacity)
{
  if (step < s->base || step - s->base >= s->steps)
    return 0;
  uint64_t i = step - s->base;
  tb_a64_seek (s, i);
  const struct tb_template *t
    = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  uint32_t id = s->a64->names.next_access;
  size_t count = 0;
  for (unsigned k = 0; k < t->count; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      bool is_store = tb_op_is (u->op, TB_STORES);
      if (!is_store && !tb_op_is (u->op, TB_LOADS))
	continue;
      struct tb_known at = { 0, 0, 0, UINT64_MAX }, value = at;
      if (!s->a64->names.foreign)
	{
	  at = tb_graph_known (&s->graph, s->memory.accesses[id].address);
	  value = tb_graph_known (&s->graph, s->memory.accesses[id++].value);
	}
      uint64_t all = u->imm < 8 ? (UINT64_C (1) << 8 * u->imm) - 1
		     : UINT64_MAX;
      bool known = u->imm <= 8 && (value.mask & all) == all
		   && u->op != TB_OP_STORE_MAYBE;
      if (count < capacity)
	accesses[count] = (struct tb_access_info) {
	  .address = tb_known_all (at) ? at.bits : 0,
	  .length = (uint32_t) u->imm, .store = is_store,
	  .maybe = u->op == TB_OP_STORE_MAYBE,
	  .address_known = tb_known_all (at),
	  .value = known ? value.bits & all : 0, .value_known = known
	};
      count++;
    }
  return count;
}
