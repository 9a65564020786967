/* State of A64 code: opening, solving, answers.  See a64.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/halt-endian.h"
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

struct tb_a64 *
tb_a64_open (struct tb_recording *recording,
	     const struct tb_state_options *options, uint64_t base,
	     uint64_t steps, const struct tb_value *at_halt,
	     const struct tb_vector *vectors_at_halt)
{
  struct tb_a64 *s = calloc (1, sizeof *s);
  if (s == NULL)
    return NULL;
  s->recording = recording;
  s->at_halt = at_halt;
  s->vectors_at_halt = vectors_at_halt;
  s->explain = options->explain;
  s->zero_block = zero_block (recording, options->core);
  s->witness = options->halt == TB_PROOF_WITNESS;
  s->stored = options->stored;
  s->steps = steps;
  s->base = base;
  tb_graph_init (&s->graph, 64);
  tb_memory_init (&s->memory, &s->graph);
  s->memory.map = tb_recording_memmap (recording);
  s->memory.usable
    = tb_halt_big_endian (options->core, tb_recording_profile (recording))
      == NULL && !(options->doubt & TB_PREMISE_ENDIAN);
  s->memory.doubt = options->doubt;
  s->memory.trace_ram = options->trace_ram;
  s->memory.trace_ram_length = options->trace_ram_length;
  s->initial = options->initial;
  s->ninitial = options->ninitial;
  s->memory.volatiles = options->volatiles;
  s->memory.shared = options->shared;
  s->memory.privates = options->privates;
  if (tb_stated_others (recording))
    s->memory.shared = &tb_stated_everything;
  s->ncheckpoints = s->steps / TB_A64_CHECKPOINT + 1;
  s->checkpoints = malloc (s->ncheckpoints * sizeof *s->checkpoints);
  if (tb_recording_facts (recording) != NULL)
    s->stated = tb_state_log_open (recording, options->volatiles);
  s->lines = options->stated != TB_STATED_ALL;
  if (s->checkpoints == NULL
      || (s->stated == NULL && tb_recording_facts (recording) != NULL)
      || !tb_a64_load (s))
    {
      tb_a64_close (s);
      return NULL;
    }
  return s;
}

bool
tb_a64_no_memory (const struct tb_a64 *s)
{
  return s->graph.failed;
}

void
tb_a64_close (struct tb_a64 *s)
{
  if (s == NULL)
    return;
  tb_graph_fini (&s->graph);
  tb_memory_fini (&s->memory);
  free (s->info);
  free (s->templates);
  free (s->uops);
  free (s->changes);
  free (s->checkpoints);
  free (s->recoded.bits);
  free (s->kept_vectors);
  tb_a64_walk_reset (&s->walk);
  tb_state_log_close (s->stated);
  free (s);
}

void
tb_a64_set_devices (struct tb_a64 *s, const bool *devices)
{
  s->memory.devices = devices;
}

bool
tb_a64_code_at (const struct tb_a64 *s, size_t i, uint64_t *pc)
{
  if (i < s->ntemplates)
    *pc = s->templates[i].pc;
  return i < s->ntemplates;
}

void
tb_a64_rely_on_lines (struct tb_a64 *s)
{
  s->lines = true;
}

uint64_t
tb_a64_base (const struct tb_a64 *s)
{
  return s->base;
}

uint64_t
tb_a64_pc (const struct tb_a64 *s, uint64_t i)
{
  return s->templates[s->info[i] & TB_A64_TEMPLATE].pc;
}

void
tb_a64_set_next (struct tb_a64 *s, uint64_t pc)
{
  s->next_known = true;
  s->next_pc = pc;
}

void
tb_a64_set_visits (struct tb_a64 *s, size_t visits)
{
  s->memory.visits = visits;
}

void
tb_a64_set_borders (struct tb_a64 *s, const struct tb_border *before,
		    const struct tb_border *after)
{
  s->before = before;
  s->after = after;
}

enum tb_space
tb_a64_space (const struct tb_a64 *s)
{
  return s->memory.space;
}

void
tb_a64_give_up (struct tb_a64 *s)
{
  s->base += s->steps;
  s->steps = 0;
  s->nchanges = 0;
  tb_a64_walk_reset (&s->walk);
}

/* Of a window, the part by which the size of the rest is estimated, and how much
   more than that is made room for.  */
#define SAMPLE 16
#define SLACK 1.03

/* Name the values of the whole window.  */
static void
build (struct tb_a64 *s)
{
  struct tb_a64_builder b = tb_a64_builder_of (s, &s->names, false);
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
      if (i % TB_A64_CHECKPOINT == 0)
	{
	  tb_a64_keep_vectors (s);
	  s->checkpoints[i / TB_A64_CHECKPOINT] = s->names;
	}
      tb_a64_arrive (&b, i);
      uint32_t first = s->names.next_access;
      if (i < s->steps)
	tb_a64_step (&b, i);
      if (i < s->steps && s->stated != NULL)
	tb_a64_stated_accesses (&b, i, first);
    }
  s->cursor = s->steps;
  s->cursor_valid = true;
}

/* State the registers at the halt.  */
static void
use_halt (struct tb_a64 *s)
{
  const struct tb_value *at = s->at_halt;
  for (unsigned i = 0; i <= TB_SP64; i++)
    if (at[i].mask != 0)
      tb_graph_set (&s->graph, s->names.slot[i], at[i].bits);
  for (unsigned i = 0; i < 4 && at[TB_PSTATE].mask != 0; i++)
    tb_graph_set (&s->graph, s->names.slot[TB_A64_N + i],
		  at[TB_PSTATE].bits >> (31 - i) & 1);
  tb_a64_use_halt_vectors (s);
}

/* State what the window after knows at its first border.  */
static void
use_border (struct tb_a64 *s)
{
  for (unsigned i = 0; s->after != NULL && i < TB_A64_NSLOTS; i++)
    if (s->names.slot[i] != 0)
      tb_graph_set_bits (&s->graph, s->names.slot[i], s->after->slots[i].mask,
			 s->after->slots[i].bits);
  tb_a64_use_border_vectors (s, s->after);
}

bool
tb_a64_border (struct tb_a64 *s, bool end, struct tb_border *border)
{
  tb_a64_seek (s, end ? s->steps : 0);
  const struct tb_a64_names *n = &s->names;
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

void
tb_a64_freeze (struct tb_a64 *s)
{
  tb_graph_freeze (&s->graph);
  tb_memory_freeze (&s->memory);
}

size_t
tb_a64_bytes (const struct tb_a64 *s)
{
  return sizeof *s + s->templates_room * sizeof *s->templates
	 + s->uops_room * sizeof *s->uops + s->nchanges * sizeof *s->changes
	 + s->ncheckpoints * sizeof *s->checkpoints
	 + s->kept_vectors_room * sizeof *s->kept_vectors
	 + s->steps * sizeof *s->info + tb_graph_bytes (&s->graph)
	 + tb_memory_bytes (&s->memory) + tb_a64_walk_bytes (&s->walk);
}

/* Is it known by now that the trace ends where the core was halted?  Then use that.  */
static bool
find_halt (struct tb_a64 *s)
{
  tb_graph_solve_for (&s->graph, s->names.target);
  if (s->graph.conflict || s->graph.failed
      || !tb_a64_ends_at (s, s->at_halt[TB_PC64].bits))
    return false;
  s->graph.cause = TB_CAUSE_HALT;
  use_halt (s);
  s->graph.cause = TB_CAUSE_MEMORY;
  if (!s->witness)
    tb_memory_use_final (&s->memory);
  return true;
}

bool
tb_a64_solve (struct tb_a64 *s, bool *halt, bool find_end,
	      struct tb_facts *facts, size_t pairs, size_t constants,
	      bool *conflict)
{
  bool is_told = *halt;
  do
    {
      *halt = is_told;
      tb_graph_fini (&s->graph);
      tb_graph_init (&s->graph, 64);
      s->graph.causes_on = s->explain;
      s->graph.access_changed = tb_memory_changed;
      s->graph.context = &s->memory;
      tb_memory_clear (&s->memory);
      s->memory.border = s->after;
      s->memory.final = (*halt && !s->witness)
			|| (s->after != NULL && s->after->memory
			    && s->after->space == s->memory.space);
      s->graph.cause = TB_CAUSE_TRACE;
      tb_a64_walk_reset (&s->walk);
      tb_a64_begin_vectors (s, halt);
      build (s);
      if (s->graph.failed)
	return false;
      s->graph.cause = TB_CAUSE_HALT;
      if (*halt)
	use_halt (s);
      s->graph.cause = TB_CAUSE_BORDER;
      use_border (s);
      tb_facts_state (facts, &s->graph, pairs, constants);
      s->graph.cause = TB_CAUSE_MEMORY;
      tb_memory_begin (&s->memory, s->names.epoch);
      if (find_end)
	*halt = find_halt (s);
      if (!tb_memory_solve (&s->memory))
	return false;
      s->memory.restart |= tb_a64_distrust_code (s);
      if (s->graph.failed)
	return false;
    }
  while (s->memory.restart);
  *conflict = s->graph.conflict;
  return true;
}

bool
tb_a64_ends_at (struct tb_a64 *s, uint64_t pc)
{
  if (s->steps == 0)
    return false;
  tb_a64_seek (s, s->steps);
  if (s->names.target == 0)
    return false;
  struct tb_known k = tb_graph_known (&s->graph, s->names.target);
  return tb_known_all (k) && k.bits == pc;
}

void
tb_a64_seek (struct tb_a64 *s, uint64_t i)
{
  uint64_t checkpoint = i / TB_A64_CHECKPOINT;
  if (!s->cursor_valid || s->cursor > i
      || s->cursor / TB_A64_CHECKPOINT < checkpoint)
    {
      s->names = s->checkpoints[checkpoint];
      s->vectors = s->kept_vectors[s->names.vectors];
      s->cursor = checkpoint * TB_A64_CHECKPOINT;
      s->cursor_valid = true;
      struct tb_a64_builder b = tb_a64_builder_of (s, &s->names, true);
      tb_a64_arrive (&b, s->cursor);
    }
  while (s->cursor < i)
    tb_a64_walk_step (s);
}

/* What is known of ID in the bits ALL; the value's bits are AT higher.  */
static struct tb_value
value_of (const struct tb_a64 *s, tb_vid id, uint64_t all, unsigned at)
{
  struct tb_value value = { 0 };
  if (s->names.lost)
    return value;
  struct tb_known k = tb_graph_known (&s->graph, id);
  value.mask = (k.mask & all) << at;
  value.bits = (k.bits & k.mask & all) << at;
  value.origin = value.mask != 0 ? TB_DERIVED : TB_UNKNOWN;
  return value;
}

void
tb_a64_values (const struct tb_a64 *s, uint64_t which,
	       struct tb_value *values)
{
  const uint64_t flags = UINT64_C (15) << TB_A64_N;
  const tb_vid *slot = s->names.slot;
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
tb_a64_registers (struct tb_a64 *s, uint64_t step)
{
  if (step < s->base || step > s->base + s->steps)
    return NULL;
  return tb_a64_walk_registers (s, step - s->base);
}

size_t
tb_a64_memory (struct tb_a64 *s, uint64_t step, uint64_t address,
	       uint8_t *bytes, uint8_t *origins, size_t length)
{
  /* Before the window no access is known; epoch 0 is never used.  */
  uint32_t time = 1, epoch = 0;
  if (step >= s->base && step <= s->base + s->steps)
    {
      tb_a64_seek (s, step - s->base);
      time = s->names.next_access;
      epoch = s->names.epoch;
    }
  if (!s->names.foreign)
    return tb_memory_read (&s->memory, address, time, epoch, bytes, origins,
			   length);
  memset (origins, TB_UNKNOWN, length);
  memset (bytes, 0, length);
  return 0;
}

size_t
tb_a64_accesses (struct tb_a64 *s, uint64_t step,
		 struct tb_access_info *accesses, size_t capacity)
{
  if (step < s->base || step - s->base >= s->steps)
    return 0;
  uint64_t i = step - s->base;
  tb_a64_seek (s, i);
  const struct tb_a64_template *t
    = &s->templates[s->info[i] & TB_A64_TEMPLATE];
  uint32_t id = s->names.next_access;
  size_t count = 0;
  for (unsigned k = 0; k < t->count; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      bool is_store = tb_op_is (u->op, TB_STORES);
      if (!is_store && !tb_op_is (u->op, TB_LOADS))
	continue;
      struct tb_known at = { 0, 0, 0, UINT64_MAX }, value = at;
      if (!s->names.foreign)
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

bool
tb_a64_calls_out (const struct tb_a64 *s, uint64_t i)
{
  const struct tb_a64_template *t = &s->templates[s->info[i] & TB_A64_TEMPLATE];
  size_t count;
  if (t->count != 1 || s->uops[t->first].op != TB_OP_TRAP)
    return false;
  const struct tb_a64_change *change = tb_a64_changes (s, i + 1, &count);
  return count == 0 || change[0].kind == TB_A64_CONTEXT;
}

bool
tb_a64_analysed (const struct tb_a64 *s, uint64_t step)
{
  if (step < s->base || step - s->base >= s->steps)
    return false;
  const struct tb_a64_template *t
    = &s->templates[s->info[step - s->base] & TB_A64_TEMPLATE];
  return t->modelled && !t->may_write && !tb_a64_calls_out (s, step - s->base);
}
