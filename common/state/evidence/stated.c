/* What a log says, put to the values of a window.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/stated.h"

#include "recording/facts.h"
#include "state/memory/fpccr.h"
#include "state/window/a64.h"
#include "util/number.h"

#define REG(reg) (UINT64_C (1) << (reg))

static struct tb_extent everything = { 0, UINT64_MAX };
const struct tb_extents tb_stated_everything = { &everything, 1, 1 };

bool
tb_stated_others (const struct tb_recording *recording)
{
  const struct tb_columns *facts = tb_recording_facts (recording);
  return facts != NULL && facts->totals.others != 0;
}

/* Bits of CONTROL.  */
enum { CONTROL_NPRIV = 0, CONTROL_SPSEL = 1, CONTROL_FPCA = 2 };

/* Where the bits of a slot are in a register of a log.  */
static const struct stated_place
{
  uint8_t reg, at, width;
} places_m[TB_SLOTS_MOST] = {
  [TB_SLOT_N] = { TB_PSR, 31, 1 }, [TB_SLOT_Z] = { TB_PSR, 30, 1 },
  [TB_SLOT_C] = { TB_PSR, 29, 1 }, [TB_SLOT_V] = { TB_PSR, 28, 1 },
  [TB_SLOT_Q] = { TB_PSR, 27, 1 }, [TB_SLOT_GE] = { TB_PSR, 16, 4 },
  [TB_SLOT_IPSR] = { TB_PSR, 0, 9 },
  [TB_SLOT_NPRIV] = { TB_CONTROL, CONTROL_NPRIV, 1 },
  [TB_SLOT_FPCA] = { TB_CONTROL, CONTROL_FPCA, 1 },
  [TB_SLOT_PRIMASK] = { TB_PRIMASK, 0, 1 }
}, places_ar[TB_SLOTS_MOST] = {
  [TB_SLOT_N] = { TB_PSR, 31, 1 }, [TB_SLOT_Z] = { TB_PSR, 30, 1 },
  [TB_SLOT_C] = { TB_PSR, 29, 1 }, [TB_SLOT_V] = { TB_PSR, 28, 1 },
  [TB_SLOT_Q] = { TB_PSR, 27, 1 }, [TB_SLOT_GE] = { TB_PSR, 16, 4 },
  [TB_SLOT_MASKS] = { TB_PSR, 6, 3 }, [TB_SLOT_MODE] = { TB_PSR, 0, 5 }
}, places_a64[TB_SLOTS_MOST] = {
  [TB_A64_N] = { TB_PSTATE, 31, 1 }, [TB_A64_Z] = { TB_PSTATE, 30, 1 },
  [TB_A64_C] = { TB_PSTATE, 29, 1 }, [TB_A64_V] = { TB_PSTATE, 28, 1 }
};

static const struct stated_place *
places_of (const struct tb_state *s)
{
  return s->a64 != NULL ? places_a64 : s->profile->is_m ? places_m : places_ar;
}

/* The last slot that is a register of the log with the same number.  */
static unsigned
last_register (const struct tb_state *s)
{
  return s->a64 != NULL ? (unsigned) TB_SP64 : (unsigned) TB_LR;
}

static void
put (struct tb_builder *b, unsigned slot, uint64_t mask, uint64_t bits)
{
  if (mask != 0)
    tb_namer_bits (&b->n, b->names->slot[slot], mask, bits & mask);
}

/* Of SLOT, a part of the register VALUE at PLACE.  */
static void
put_part (struct tb_builder *b, unsigned slot, const struct stated_place *place,
	  const struct tb_value *value)
{
  uint32_t all = UINT32_MAX >> (32 - place->width);
  uint64_t mask = value->mask >> place->at & all;
  /* The rest of the slot is 0.  */
  put (b, slot, mask == all ? UINT64_MAX : mask, value->bits >> place->at & mask);
}

/* The stack pointers of the M profile.  */
static void
put_stacks (struct tb_builder *b, uint64_t step, uint32_t slots,
	    const struct tb_value *values)
{
  const struct tb_state *s = b->state;
  unsigned active = tb_state_log_active_sp (s->stated, step);
  if (slots & TB_SLOT_BIT (TB_SLOT_SP))
    put (b, TB_SLOT_SP, values[TB_SP].mask, values[TB_SP].bits);
  if (active == TB_FACTS_SP_UNKNOWN)
    return;
  const struct tb_value *other
    = &values[active == TB_FACTS_SP_PSP ? TB_MSP : TB_PSP];
  if (slots & TB_SLOT_BIT (TB_SLOT_SP_OTHER))
    put (b, TB_SLOT_SP_OTHER, other->mask, other->bits);
  if (slots & TB_SLOT_BIT (TB_SLOT_SPSEL))
    put (b, TB_SLOT_SPSEL, UINT32_MAX, active == TB_FACTS_SP_PSP);
}

/* Of the registers SET those for which there is a line just before STEP.  */
static uint64_t
with_lines (const struct tb_state *s, uint64_t step, uint64_t set)
{
  unsigned mode = tb_state_log_mode (s->stated, step);
  uint64_t look = set, with = 0;
  bool is_m = s->profile->is_m;
  if (is_m && set & REG (TB_SP))
    look |= REG (TB_MSP) | REG (TB_PSP);
  for (uint64_t left = look; left != 0; left &= left - 1)
    {
      unsigned i = (unsigned) __builtin_ctzll (left);
      const struct tb_facts_register *reg
	= tb_state_log_place (s->stated, mode, i);
      if (reg == NULL || !tb_facts_changed (reg, step))
	continue;
      with |= is_m && (i == TB_MSP || i == TB_PSP) ? REG (TB_SP) : REG (i);
    }
  return with & set;
}

/* State those of the slots CHANGED of which the registers SET, before STEP, tell.  */
static void
put_registers (struct tb_builder *b, uint64_t step, uint64_t changed,
	       uint64_t set)
{
  struct tb_state *s = b->state;
  const struct stated_place *places = places_of (s);
  struct tb_value values[TB_NREGS_MAX];
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_LOG;
  tb_state_log_some (s->stated, step, set, values);
  bool stacks = s->profile->is_m && set & REG (TB_SP);
  if (stacks && tb_state_log_active_sp (s->stated, step)
		== TB_FACTS_SP_UNKNOWN)
    {
      /* Which of the two is not told, but the log may have SP itself.  */
      if (changed & TB_SLOT_BIT (TB_SLOT_SP))
	put (b, TB_SLOT_SP, values[TB_SP].mask, values[TB_SP].bits);
    }
  else if (stacks)
    put_stacks (b, step, (uint32_t) changed, values);
  for (uint64_t left = changed; left != 0; left &= left - 1)
    {
      unsigned k = (unsigned) __builtin_ctzll (left);
      if (k == TB_SLOT_SP && s->profile->is_m)
	continue;
      if (k <= last_register (s) && set & REG (k))
	put (b, k, values[k].mask, values[k].bits);
      else if (k > last_register (s) && places[k].width != 0 && set & REG (places[k].reg))
	put_part (b, k, &places[k], &values[places[k].reg]);
    }
  s->graph.cause = cause;
}

/* Flags that nobody reads have no names, but are shown: do they contradict what the
   log says before STEP?  */
static void
check_flags (struct tb_builder *b, uint64_t step)
{
  struct tb_state *s = b->state;
  struct tb_slots slots;
  struct tb_value values[TB_NREGS_MAX];
  if (b->names->nz == s->stated_nz)
    return;
  s->stated_nz = b->names->nz;
  uint32_t known = tb_slots_by_names (s, b->names, TB_SLOTS_NZCV, &slots);
  if (known == 0
      || ((s->options.stated != TB_STATED_ALL
	   || step == tb_recording_steps (s->recording))
	  && with_lines (s, step, REG (TB_PSR)) == 0))
    return;
  tb_state_log_some (s->stated, step, REG (TB_PSR), values);
  for (unsigned k = 0; k < 4; k++)
    if (known >> (TB_SLOT_N + k) & 1 && values[TB_PSR].mask >> (31 - k) & 1
	&& (values[TB_PSR].bits >> (31 - k) & 1) != slots.bits[TB_SLOT_N + k])
      /* 0 is 1.  */
      tb_namer_bits (&b->n, tb_namer_constant (&b->n, 0), 1, 1);
}

static void
put_before (struct tb_builder *b, uint64_t i)
{
  struct tb_state *s = b->state;
  const tb_vid *slot = b->names->slot;
  const struct stated_place *places = places_of (s);
  uint64_t changed = 0, set = 0, step = s->base + i;
  for (unsigned k = 0; k < tb_nslots (s); k++)
    if (slot[k] != s->stated_names[k])
      {
	s->stated_names[k] = slot[k];
	changed |= (uint64_t) (slot[k] != 0) << k;
      }
  for (uint64_t left = changed; left != 0; left &= left - 1)
    {
      unsigned k = (unsigned) __builtin_ctzll (left);
      if (k <= last_register (s))
	set |= REG (k);
      else if (places[k].width != 0)
	set |= REG (places[k].reg);
      else if (s->profile->is_m
	       && (k == TB_SLOT_SP_OTHER || k == TB_SLOT_SPSEL))
	set |= REG (TB_SP);
    }
  /* The lines of the last step may have been cut off.  */
  bool end = step == tb_recording_steps (s->recording);
  if (set != 0 && (s->options.stated != TB_STATED_ALL || end))
    set = with_lines (s, step, set);
  if (set != 0)
    put_registers (b, step, changed, set);
  check_flags (b, step);
}

uint64_t
tb_stated_writes (const struct tb_uop *uops, unsigned count, bool a64,
		  bool *switches)
{
  struct tb_semantics_effect effect;
  *switches = false;
  for (unsigned k = 0; k < count; k++)
    *switches |= tb_op_is (uops[k].op, TB_SWITCHES);
  tb_semantics_effect (uops, count, a64, &effect);
  return effect.may_write;
}

uint64_t
tb_stated_may_write (const struct tb_profile *profile,
		     const struct tb_facts_code *code, unsigned zero_block)
{
  struct tb_semantics semantics = { .modelled = false };
  bool a64 = code->isa == TB_ISA_A64, switches;
  if (code->flags & TB_CODE_SKIPPED)
    return 0;
  if (a64 && code->size != 0)
    tb_semantics_a64 (&semantics, code->opcode, code->pc, zero_block);
  else if (!a64)
    tb_semantics_of (&semantics, code->isa, code->opcode, code->size, code->pc,
		     TB_IT_NONE, profile);
  if (!semantics.modelled)
    return UINT64_MAX;
  uint64_t set = tb_stated_writes (semantics.uops, semantics.count, a64, &switches);
  /* It may be the mode that changes, or a register that is no slot.  */
  unsigned sp = a64 ? (unsigned) TB_A64_SP : (unsigned) TB_SLOT_SP;
  return switches ? set | ~((UINT64_C (1) << sp) - 1) : set;
}

/* Those are as they were that no line tells of here, but one before or, if the
   instruction before does not write them, none.  */
static void
keep (struct tb_builder *b, uint64_t i, const tb_vid *before,
      uint64_t set)
{
  const struct tb_state *s = b->state;
  uint64_t step = s->base + i;
  /* The lines of the last step may have been cut off.  */
  if (s->options.stated != TB_STATED_ALL || step == 0
      || step >= tb_recording_steps (s->recording))
    return;
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  unsigned mode = tb_facts_step (f, step)->mode;
  bool same = tb_facts_step (f, step - 1)->mode == mode;
  uint64_t wrote
    = tb_stated_may_write (s->profile, tb_facts_step (f, step - 1),
			   s->a64 != NULL ? s->a64->zero_block : 0);
  for (uint64_t left = set; left != 0; left &= left - 1)
    {
      unsigned k = (unsigned) __builtin_ctzll (left);
      const struct tb_facts_register *reg
	= tb_state_log_place (s->stated, mode, k);
      /* FIQ mode has others.  */
      bool banked = s->a64 == NULL && k >= 8 && !same;
      bool stays = reg != NULL && tb_facts_stayed (reg, step);
      if ((wrote >> k & 1) == 0)
	stays |= reg == NULL || !tb_facts_told (reg, step);
      if (!banked && stays)
	b->names->slot[k] = before[k];
    }
}

static void
put_accesses (struct tb_builder *b, uint64_t i, uint32_t first)
{
  enum { MOST = 64 };
  struct tb_access_info told[MOST];
  uint32_t ids[MOST];
  struct tb_state *s = b->state;
  if (s->graph.failed)
    return;
  uint32_t count = tb_fpccr_leave_out (&s->memory, first, b->names->next_access, ids, MOST);
  if (count == 0 || count > MOST)
    return;
  size_t n = tb_state_log_accesses (s->stated, s->base + i, told, MOST);
  /* They are those of the instruction where each is what it should be.  */
  if (n != count)
    return;
  for (uint32_t k = 0; k < count; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[ids[k]];
      struct tb_known at = tb_graph_known (&s->graph, a->address);
      if (a->kind > TB_MEM_STORE || tb_access_size (a) != told[k].length
	  || (a->kind == TB_MEM_STORE) != told[k].store
	  || told[k].address > s->graph.ones
	  || (told[k].address & at.mask) != (at.bits & at.mask))
	return;
    }
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_LOG;
  for (uint32_t k = 0; k < count; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[ids[k]];
      tb_vid value = a->value;
      uint64_t mask = told[k].store ? tb_stated_moved (told[k].length) : UINT64_MAX;
      tb_namer_bits (&b->n, a->address, UINT64_MAX, told[k].address);
      if (told[k].value_known)
	tb_namer_bits (&b->n, value, mask, told[k].value & mask);
    }
  s->graph.cause = cause;
}

uint32_t
tb_stated_find_frame (const struct tb_state *s, unsigned kind,
		      uint32_t first, uint32_t end)
{
  unsigned run = 0;
  for (uint32_t id = first; id < end; id++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[id];
      run = a->kind == kind && tb_access_size (a) == 4 ? run + 1 : 0;
      if (run == TB_STATED_FRAME / 4)
	return id + 1 - run;
    }
  return 0;
}

/* The accesses FIRST on, of an exception's frame before step I.  */
static void
put_stacked (struct tb_builder *b, uint64_t i, uint32_t first)
{
  struct tb_state *s = b->state;
  uint64_t step = s->base + i;
  uint32_t frame;
  size_t count;
  uint8_t bytes[TB_STATED_FRAME], known[TB_STATED_FRAME];
  if (b->names->next_access == first || s->graph.failed)
    return;
  const struct tb_columns *facts = tb_state_log_facts (s->stated);
  const struct tb_change *change = tb_build_changes (s, i, &count);
  bool enters = count == 1 && change->kind == TB_CHANGE_ENTRY;
  bool returns = count == 1 && change->kind == TB_CHANGE_RETURN;
  uint32_t at = enters || returns
		? tb_stated_find_frame (s, enters ? TB_MEM_STORE : TB_MEM_LOAD,
					first, b->names->next_access) : 0;
  if (at == 0)
    return;
  /* A return's accesses are no lines; memory is as lines told.  */
  struct tb_known from = tb_graph_known (&s->graph,
					 s->memory.accesses[at].address);
  frame = (uint32_t) from.bits;
  if (enters ? !tb_stated_frame (facts, step, &frame) : !tb_known_all (from))
    return;
  tb_facts_memory (facts, step, frame, bytes, known, sizeof bytes);
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_LOG;
  for (unsigned k = 0; k < TB_STATED_FRAME / 4; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[at + k];
      tb_vid value = a->value;
      tb_namer_bits (&b->n, a->address, UINT32_MAX, frame + 4 * k);
      if (known[4 * k] && known[4 * k + 1] && known[4 * k + 2]
	  && known[4 * k + 3])
	tb_namer_bits (&b->n, value, UINT32_MAX,
		       tb_number_32 (bytes + 4 * k));
    }
  s->graph.cause = cause;
}

static void
before (struct tb_builder *b, uint64_t i, uint32_t first)
{
  put_before (b, i);
  put_stacked (b, i, first);
}

const struct tb_teller tb_teller_log = {
  .changes = tb_stated_changes, .step = tb_stated_step,
  .unsure = tb_stated_unsure, .level = tb_a64_stated_level,
  .load = tb_stated_written, .keep = keep, .before = before,
  .accesses = put_accesses
};
