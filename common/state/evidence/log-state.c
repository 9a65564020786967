/* The state of a log.  See log-state.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/log-state.h"

#include <string.h>

#include "recording/facts.h"
#include "recording/step-flow.h"
#include "state/window/a64.h"
#include "state/evidence/stated.h"

/* Is all of what instructions compute with known?  */
static bool
is_complete (const struct tb_state *s, const struct tb_value *values)
{
  bool wide = s->profile->has_a64;
  unsigned last = wide ? TB_SP64 : TB_LR;
  uint64_t all = wide ? UINT64_MAX : UINT32_MAX;
  for (unsigned i = 0; i <= last; i++)
    if (values[i].mask != all)
      return false;
  return (values[wide ? TB_PSTATE : TB_PSR].mask & TB_PSR_NZCV) == TB_PSR_NZCV;
}

/* What VALUES do not tell MORE may.  */
static void
add (struct tb_value *values, const struct tb_value *more)
{
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    {
      uint64_t new = more[i].mask & ~values[i].mask;
      if (new == 0)
	continue;
      values[i].assumed = more[i].assumed & new;
      values[i].bits |= more[i].bits & new;
      values[i].mask |= new;
      values[i].origin = values[i].assumed != 0 ? TB_ASSUMED : TB_DERIVED;
    }
}

/* Only what is in DERIVED holds, some of which VALUES, of lines, tell.  */
static void
replace (struct tb_value *values, const struct tb_value *derived)
{
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    {
      bool told = (derived[i].mask & ~values[i].mask) == 0
		  && (values[i].bits & derived[i].mask) == derived[i].bits;
      values[i] = derived[i];
      if (derived[i].origin == TB_DERIVED && told)
	values[i].origin = TB_STATED;
    }
}

static bool
relies_on_lines (const struct tb_state *s)
{
  return s->derived != NULL && s->derived->options.stated == TB_STATED_LINES;
}

static bool
derives (const struct tb_state *s)
{
  return s->derived != NULL && s->derived->options.stated != TB_STATED_NONE;
}

/* Do the lines contradict what the instructions do?  */
static bool
contradicted (const struct tb_state *s)
{
  return s->derived != NULL && s->derived->options.stated == TB_STATED_NONE;
}

/* Does what is derived of STEP hold alone?  The lines of the last step may have been
   cut off.  */
static bool
holds_alone (struct tb_state *s, uint64_t step)
{
  return relies_on_lines (s)
	 || (step != 0 && step == tb_recording_steps (s->recording)
	     && tb_state_analysed (s->derived, step - 1));
}

/* What lines told of registers before the last instruction, VALUES, holds behind it
   where it does not write them, though its own lines may have been cut off.  */
static void
keep_told (struct tb_state *s, const struct tb_value *values,
	   struct tb_value *derived)
{
  struct tb_effect effect;
  unsigned last = s->profile->has_a64 ? TB_SP64 : TB_LR;
  tb_state_effect (s->derived, tb_recording_steps (s->recording) - 1, &effect);
  for (unsigned i = 0; i <= last; i++)
    if (!(effect.may_write >> i & 1) && derived[i].mask == 0)
      derived[i] = values[i];
}

/* Before STEP or, if AFTER, right behind it.  */
static void
get_registers (struct tb_state *s, uint64_t step, bool after,
	       struct tb_value *values)
{
  struct tb_value more[TB_NREGS_MAX];
  if (contradicted (s))
    tb_state_log_doubt (s->log);
  if (after)
    tb_state_log_after (s->log, step, s->profile, values);
  else
    tb_state_log_registers (s->log, step, values);
  uint64_t end = step + after;
  if (!derives (s) || (is_complete (s, values) && !holds_alone (s, end)))
    return;
  if (after)
    tb_state_after (s->derived, step, more);
  else
    tb_state_registers (s->derived, step, more);
  if (!derives (s))
    return;
  if (holds_alone (s, end))
    {
      if (!relies_on_lines (s))
	keep_told (s, values, more);
      replace (values, more);
    }
  else
    add (values, more);
}

void
tb_log_state_registers (struct tb_state *s, uint64_t step,
			struct tb_value *values)
{
  get_registers (s, step, false, values);
}

void
tb_log_state_after (struct tb_state *s, uint64_t step,
		    struct tb_value *values)
{
  get_registers (s, step, true, values);
}

size_t
tb_log_state_memory (struct tb_state *s, uint64_t step, uint64_t address,
		     uint8_t *bytes, uint8_t *origins, size_t length)
{
  enum { PIECE = 256 };
  uint8_t more[PIECE], from[PIECE];
  size_t known = tb_state_log_memory (s->log, step, address, bytes, origins,
				      length);
  for (size_t at = 0; derives (s) && known < length && at < length;
       at += PIECE)
    {
      size_t n = length - at < PIECE ? length - at : PIECE;
      if (address + at < address
	  || memchr (origins + at, TB_UNKNOWN, n) == NULL)
	continue;
      tb_state_memory (s->derived, step, address + at, more, from, n);
      for (size_t i = 0; i < n; i++)
	if (origins[at + i] == TB_UNKNOWN && from[i] != TB_UNKNOWN)
	  {
	    bytes[at + i] = more[i];
	    origins[at + i] = from[i];
	    known++;
	  }
    }
  return known;
}

/* Add what MORE knows of the same access.  */
static void
add_access (struct tb_access_info *access, const struct tb_access_info *more)
{
  if (access->value_known || !more->value_known || !more->address_known
      || more->address_assumed || access->address != more->address
      || access->length != more->length || access->store != more->store)
    return;
  access->value_known = true;
  access->value_assumed = more->value_assumed;
  access->value = more->value;
}

/* Does the log tell of accesses?  */
static bool
has_memory (const struct tb_state *s)
{
  const struct tb_columns *f = tb_state_log_facts (s->log);
  return f->totals.reads + f->totals.writes != 0;
}

/* Of the N ACCESSES, which have room for CAPACITY, those that took place for certain: of
   others the log would have a line.  Returns how many.  */
static size_t
without_maybe (struct tb_access_info *accesses, size_t n, size_t capacity)
{
  size_t kept = 0;
  if (n > capacity)
    return n;
  for (size_t i = 0; i < n; i++)
    if (!accesses[i].maybe)
      accesses[kept++] = accesses[i];
  return kept;
}

size_t
tb_log_state_accesses (struct tb_state *s, uint64_t step,
		       struct tb_access_info *accesses, size_t capacity)
{
  enum { MOST = 64 };
  struct tb_access_info more[MOST];
  size_t n = tb_state_log_accesses (s->log, step, accesses, capacity);
  bool all = n <= capacity;
  for (size_t i = 0; i < n && i < capacity; i++)
    all &= accesses[i].value_known;
  if (!derives (s) || (n > 0 && all))
    return n;
  /* Logs need not have lines of memory.  */
  if (n == 0)
    {
      n = tb_state_accesses (s->derived, step, accesses, capacity);
      return has_memory (s) ? without_maybe (accesses, n, capacity) : n;
    }
  size_t others = tb_state_accesses (s->derived, step, more, MOST);
  for (size_t i = 0; others == n && i < n && i < capacity && i < MOST; i++)
    add_access (&accesses[i], &more[i]);
  return n;
}

/* Does a log of ours say that STEP may have written anywhere?  */
static bool
writes_anywhere (const struct tb_columns *f, uint64_t step)
{
  enum { MOST = 64 };
  struct tb_facts_access some[MOST];
  size_t n = tb_facts_accesses (f, step, some, MOST);
  /* That stands behind all others.  */
  for (size_t i = n < MOST ? n : MOST; i > 0; i--)
    if (some[i - 1].flags & TB_FACTS_ANYWHERE)
      return true;
  return n > MOST;
}

bool
tb_log_state_analysed (struct tb_state *s, uint64_t step)
{
  const struct tb_columns *f = tb_state_log_facts (s->log);
  if (step >= f->steps)
    return false;
  if (f->own)
    return !writes_anywhere (f, step);
  return has_memory (s)
	 || (derives (s) && tb_state_analysed (s->derived, step));
}

/* The registers that CODE may write.  */
static uint64_t
may_write (const struct tb_state *s, const struct tb_facts_code *code)
{
  bool wide = code->isa == TB_ISA_A64;
  uint64_t all = s->profile->has_a64 ? TB_EFFECT_ALL64 : TB_EFFECT_ALL32;
  uint64_t set = tb_stated_may_write (s->profile, code, 0);
  if (set == UINT64_MAX)
    return all;
  uint64_t flags = set >> (wide ? (unsigned) TB_A64_N : (unsigned) TB_SLOT_N) & 15;
  return (set & all & ~TB_EFFECT_NZCV) | flags << TB_EFFECT_N;
}

/* The condition of the IT block that the instruction of STEP is in (TB_IT_NONE: none).
   False: that cannot be told, as something came in between.  */
static bool
it_condition (const struct tb_columns *f, uint64_t step, unsigned *condition)
{
  /* A block has at most four instructions.  */
  uint64_t most = step < 4 ? step : 4;
  uint8_t state = 0;
  for (uint64_t at = step - most; at < step; at++)
    {
      const struct tb_facts_code *code = tb_facts_step (f, at);
      if (code->isa != TB_ISA_T32 || code->size == 0)
	return false;
      bool goes_on = code->pc + code->size == tb_facts_step (f, at + 1)->pc;
      state = goes_on ? tb_it_next (state, code->opcode, code->size) : 0;
      if (state != 0
	  && tb_facts_event_at (f, at + 1) != tb_facts_event_at (f, at + 2))
	return false;
    }
  *condition = tb_it_condition (state);
  /* The first ones may be in a block that began before the log, or before what was
     looked at, in which case it has ended.  */
  return most == 4;
}

/* What the instruction of STEP, of CODE, which ran, writes in any case: general registers
   and, as far as it is certain that it sets them, flags.  */
static uint64_t
surely_writes (const struct tb_state *s, uint64_t step,
	       const struct tb_facts_code *code)
{
  const struct tb_columns *f = tb_state_log_facts (s->log);
  struct tb_semantics semantics;
  struct tb_effect effect;
  bool wide = code->isa == TB_ISA_A64;
  unsigned it = TB_IT_NONE;
  if (code->size == 0 || code->flags & TB_CODE_SKIPPED)
    return 0;
  bool flags = code->isa != TB_ISA_T32 || it_condition (f, step, &it);
  if (!tb_semantics_of (&semantics, code->isa, code->opcode, code->size, code->pc, it,
			s->profile))
    return 0;
  /* As it ran its condition held.  */
  for (unsigned k = 0; k < semantics.count && !(semantics.flags & TB_SEM_BRANCH); k++)
    if (semantics.uops[k].when == TB_PLACE_IF)
      semantics.uops[k].when = TB_ALWAYS;
  tb_effect_of_uops (&effect, semantics.uops, semantics.count, wide);
  return flags ? effect.writes : effect.writes & ~TB_EFFECT_NZCV;
}

bool
tb_log_state_effect (struct tb_state *s, uint64_t step,
		     struct tb_effect *effect)
{
  struct tb_effect more;
  if (step >= tb_recording_steps (s->recording))
    return false;
  tb_state_log_effect (s->log, step, effect);
  const struct tb_columns *f = tb_state_log_facts (s->log);
  const struct tb_facts_code *code = tb_facts_step (f, step);
  bool event = tb_facts_event_at (f, step + 1) != tb_facts_event_at (f, step + 2);
  bool done = derives (s) && tb_state_effect (s->derived, step, &more);
  if (event)
    {
      /* What else changed here the exception wrote, which the instruction may have been
	 given up for.  */
      uint64_t may = may_write (s, code);
      effect->writes = tb_state_log_before_entry (s->log, step, s->profile) & may;
      effect->may_write = done ? effect->writes : may;
      const struct tb_step ran = { .pc = code->pc, .opcode = code->opcode,
				   .size = code->size, .isa = code->isa };
      bool loads, stores;
      tb_step_transfers (&ran, s->profile, &loads, &stores);
      effect->no_stores = !stores;
    }
  else if (!done)
    {
      /* What changes nothing need not have a line, and a line of the PSR shows all
	 flags.  */
      uint64_t may = may_write (s, code);
      effect->writes = (effect->writes & (may | ~TB_EFFECT_NZCV))
		       | surely_writes (s, step, code);
      effect->may_write = effect->writes | may;
    }
  if (!done)
    return true;
  effect->reads = more.reads;
  effect->writes |= more.writes;
  effect->may_write |= more.may_write;
  return true;
}

bool
tb_log_state_tells_memory (struct tb_state *s, uint64_t step, uint64_t address,
			   unsigned size)
{
  uint8_t bytes[8], origins[8];
  return !derives (s)
	 || tb_state_log_memory (s->log, step, address, bytes, origins, size) == size
	 || tb_log_state_memory (s, step, address, bytes, origins, size) != size;
}

bool
tb_log_state_tells_register (struct tb_state *s, uint64_t step, unsigned number,
			     uint64_t bits)
{
  struct tb_value values[TB_NREGS_MAX];
  tb_log_state_registers (s, step, values);
  if (!derives (s))
    return true;
  struct tb_value known = values[number];
  tb_state_log_registers (s->log, step, values);
  return (values[number].mask & bits) == bits
	 && ((values[number].bits ^ known.bits) & bits) == 0;
}
