/* Answers: registers, memory and accesses at a step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/system-registers.h"
#include "snapshot/m-frame.h"
#include "state/window/internal.h"
#include "state/window/walk.h"
#include "state/evidence/log-state.h"
#include "state/effect.h"
#include "state/window/windows.h"

#include <limits.h>
#include <string.h>

/* The PC before STEP.  */
static void
get_pc (struct tb_state *s, uint64_t step, struct tb_value *value,
	uint64_t mask)
{
  const struct tb_recording_info *info = tb_recording_info (s->recording);
  struct tb_step one;
  uint64_t pc;
  if (step >= s->base && step - s->base < s->steps)
    pc = s->templates[s->info[step - s->base] & TB_INFO_TEMPLATE].pc;
  else if (step < info->steps)
    {
      if (tb_recording_read (s->recording, step, &one, 1) != 1)
	return;
      pc = one.pc;
    }
  else if (info->end_known)
    pc = info->end_pc;
  else
    return;
  *value = tb_value_pc (pc, mask);
}

/* Bits that xPSR has only where an exception saves it.  */
#define SAVED_ONLY (UINT32_C (1) << TB_M_FRAME_MOVED | UINT32_C (1) << TB_M_FRAME_SFPA)

/* What is always so of xPSR, before STEP (it is in the window).  */
static void
add_fixed_psr (struct tb_state *s, uint64_t step, struct tb_value *psr)
{
  uint64_t i = step - s->base;
  uint32_t zero = tb_system_psr (s->profile).zero | SAVED_ONLY;
  const struct tb_template *t
    = i < s->steps ? &s->templates[s->info[i] & TB_INFO_TEMPLATE] : NULL;
  /* An instruction that a return goes on with may have come some way.  */
  if (t != NULL && t->it == TB_IT_NONE
      && !(t->flags & (TB_SEM_MULTIPLE | TB_SEM_CONTINUES)
	   && s->info[i] & TB_INFO_EVENTS))
    zero |= TB_PSR_IT;
  psr->mask |= zero;
  psr->bits &= ~(uint64_t) zero;
}

static void
certain_registers (struct tb_state *s, uint64_t step, struct tb_value *values)
{
  size_t count;
  const struct tb_reg_info *regs = tb_regs (s->profile, &count);
  bool wide = regs[0].bits == 64;
  uint64_t total = tb_recording_steps (s->recording);

  const struct tb_value *known = NULL;
  if (step <= total && step >= s->base && step - s->base <= s->steps)
    known = tb_walk_registers (s, step - s->base);
  size_t taken = known != NULL ? count : 0;
  if (known != NULL)
    memcpy (values, known, taken * sizeof *values);
  memset (values + taken, 0, (TB_NREGS_MAX - taken) * sizeof *values);
  if (step > total)
    return;
  if (known != NULL && s->profile->is_m)
    add_fixed_psr (s, step, &values[TB_PSR]);
  get_pc (s, step, &values[wide ? TB_PC64 : TB_PC],
	  wide ? UINT64_MAX : UINT32_MAX);
  /* Without a trace there is nothing else to go by.  */
  if (step == total && (s->halt == TB_HALT_USED || total == 0))
    for (size_t i = 0; i < count; i++)
      if (s->at_halt[i].mask != 0)
	values[i] = s->at_halt[i];
}

static void
certain_after (struct tb_state *s, uint64_t step, struct tb_value *values)
{
  if (step >= s->base && step - s->base < s->steps)
    tb_walk_after (s, step - s->base, values);
  else
    memset (values, 0, TB_NREGS_MAX * sizeof *values);
}

/* Memory at the halt: what the dumps have of SPACE, wherever in the LENGTH bytes.  */
static size_t
halted_memory (const struct tb_state *s, enum tb_space space, uint64_t address,
	       uint8_t *bytes, uint8_t *origins, size_t length)
{
  const struct tb_memmap *map = s->memory.map;
  size_t known = 0, at = 0;
  memset (origins, TB_UNKNOWN, length);
  memset (bytes, 0, length);
  while (at < length && address + at >= address)
    {
      size_t run = tb_memmap_read (map, space, address + at, bytes + at,
				   length - at);
      memset (origins + at, TB_DERIVED, run);
      known += run;
      at += run + 1;
    }
  return known;
}

static size_t
certain_memory (struct tb_state *s, uint64_t step, uint64_t address,
		uint8_t *bytes, uint8_t *origins, size_t length)
{
  uint64_t total = tb_recording_steps (s->recording);
  /* Before the window no access is known; epoch 0 is never used.  */
  uint32_t time = 1, epoch = 0;
  if (step > total)
    step = total;
  /* Without a trace: what other spaces have there is not there for this one.  */
  if (total == 0
      && (s->halt == TB_HALT_USED || s->options.space != TB_SPACE_ANY))
    return halted_memory (s, s->halt_space, address, bytes, origins, length);
  if (step == total && s->halt == TB_HALT_USED
      && s->options.halt != TB_PROOF_WITNESS)
    return halted_memory (s, s->memory.space, address, bytes, origins, length);
  bool foreign = false;
  if (step >= s->base && step - s->base <= s->steps)
    {
      tb_state_seek (s, step - s->base);
      time = s->names.next_access;
      epoch = s->names.epoch;
      foreign = s->names.foreign;
    }
  if (foreign)
    {
      memset (origins, TB_UNKNOWN, length);
      memset (bytes, 0, length);
      return 0;
    }
  return tb_memory_read (&s->memory, address, time, epoch, bytes, origins,
			 length);
}

static size_t
certain_accesses (struct tb_state *s, uint64_t step,
		  struct tb_access_info *accesses, size_t capacity)
{
  if (step < s->base || step - s->base >= s->steps)
    return 0;
  enum { MOST = 64 };
  struct tb_walk_access list[MOST];
  size_t n = tb_walk_accesses (s, step - s->base, list, MOST);
  size_t count = 0;
  for (size_t k = 0; k < n; k++)
    {
      const struct tb_walk_access *a = &list[k];
      if (a->kind == TB_MEM_NONE)
	continue;
      struct tb_known address = { 0, 0, 0, UINT64_MAX }, value = address;
      if (a->address != 0)
	{
	  address = tb_graph_known (&s->graph, a->address);
	  value = tb_graph_known (&s->graph, a->value);
	}
      unsigned size = a->size;
      uint64_t all = size < 8 ? (UINT64_C (1) << 8 * size) - 1 : UINT64_MAX;
      bool value_known = (value.mask & all) == all && a->kind != TB_MEM_MAYBE;
      /* What may not have happened has no address that is certain, but where it is an
	 exclusive store of A64, which is done there or nowhere.  */
      bool is_known = tb_known_all (address)
		      && (a->kind != TB_MEM_MAYBE || s->a64 != NULL);
      bool is_bounded = !is_known && (address.lo > 0 || address.hi < s->graph.ones);
      if (count < capacity)
	accesses[count] = (struct tb_access_info) {
	  .address = is_known ? address.bits : 0, .length = size,
	  .address_bounded = is_bounded,
	  .low = is_bounded ? address.lo : 0, .high = is_bounded ? address.hi : 0,
	  .store = a->kind != TB_MEM_LOAD, .maybe = a->kind == TB_MEM_MAYBE,
	  .address_known = is_known,
	  .value_known = value_known,
	  .value = value_known ? value.bits & all : 0
	};
      count++;
    }
  return count;
}

/* What the certain state does not know the assumed one may.  */
static void
add_assumed (struct tb_value *values, const struct tb_value *more)
{
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    if ((more[i].mask & ~values[i].mask) != 0)
      {
	values[i].assumed = more[i].mask & ~values[i].mask;
	values[i].bits |= more[i].bits & ~values[i].mask;
	values[i].mask |= more[i].mask;
	values[i].origin = TB_ASSUMED;
      }
}

/* What CERTAIN tells of the window of STEP, and what is assumed there beside that.  */
static inline void
ask_registers (struct tb_state *s, uint64_t step, struct tb_value *values,
	       void (*certain) (struct tb_state *, uint64_t, struct tb_value *))
{
  struct tb_value more[TB_NREGS_MAX];
  s = tb_windows_at (s, step);
  certain (s, step, values);
  if (s->assumed == NULL)
    return;
  certain (s->assumed, step, more);
  add_assumed (values, more);
}

void
tb_state_registers (struct tb_state *s, uint64_t step,
		    struct tb_value *values)
{
  if (s->log != NULL)
    {
      tb_log_state_registers (s, step, values);
      return;
    }
  ask_registers (s, step, values, certain_registers);
}

bool
tb_state_is_constant (struct tb_state *s, uint64_t step, uint64_t address,
		      uint64_t length)
{
  const uint8_t *bytes;
  if (s->log != NULL || length > UINT_MAX)
    return false;
  s = tb_windows_at (s, step);
  return tb_memory_kind (&s->memory, address, (unsigned) length, &bytes)
	 == TB_MEMORY_CONSTANT;
}

void
tb_state_after (struct tb_state *s, uint64_t step, struct tb_value *values)
{
  if (s->log != NULL)
    {
      tb_log_state_after (s, step, values);
      return;
    }
  ask_registers (s, step, values, certain_after);
}

size_t
tb_state_memory (struct tb_state *s, uint64_t step, uint64_t address,
		 uint8_t *bytes, uint8_t *origins, size_t length)
{
  if (s->log != NULL)
    return tb_log_state_memory (s, step, address, bytes, origins, length);
  s = tb_windows_at (s, step);
  size_t known = certain_memory (s, step, address, bytes, origins, length);
  for (size_t i = 0; i < length && s->assumed != NULL && known < length;)
    {
      size_t end = i;
      while (end < length && origins[end] == TB_UNKNOWN)
	end++;
      if (end > i)
	known += certain_memory (s->assumed, step, address + i, bytes + i,
				 origins + i, end - i);
      for (; i < end; i++)
	if (origins[i] != TB_UNKNOWN)
	  origins[i] = TB_ASSUMED;
      i = end + 1;
    }
  return known;
}

size_t
tb_state_accesses (struct tb_state *s, uint64_t step,
		   struct tb_access_info *accesses, size_t capacity)
{
  if (s->log != NULL)
    return tb_log_state_accesses (s, step, accesses, capacity);
  s = tb_windows_at (s, step);
  size_t count = certain_accesses (s, step, accesses, capacity);
  if (s->assumed == NULL)
    return count;
  enum { MOST = 64 };
  struct tb_access_info more[MOST];
  size_t n = certain_accesses (s->assumed, step, more, MOST);
  /* A store that under an assumption did not happen is not among them.  */
  for (size_t i = 0; n == count && i < n && i < capacity && i < MOST; i++)
    {
      struct tb_access_info *a = &accesses[i];
      if (!a->address_known && more[i].address_known)
	{
	  a->address = more[i].address;
	  a->address_known = a->address_assumed = true;
	  a->address_bounded = false;
	}
      else if (!a->address_known && more[i].address_bounded)
	{
	  a->address_bounded = true;
	  a->low = more[i].low;
	  a->high = more[i].high;
	}
      if (!a->value_known && more[i].value_known)
	{
	  a->value = more[i].value;
	  a->value_known = a->value_assumed = true;
	}
    }
  return count;
}

bool
tb_state_analysed (struct tb_state *s, uint64_t step)
{
  if (s->log != NULL)
    return tb_log_state_analysed (s, step);
  s = tb_windows_at (s, step);
  if (step < s->base || step - s->base >= s->steps)
    return false;
  const struct tb_template *t
    = &s->templates[s->info[step - s->base] & TB_INFO_TEMPLATE];
  return t->modelled && !t->may_write
	 && !tb_state_calls_out (s, step - s->base);
}
