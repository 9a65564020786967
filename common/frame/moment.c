/* Moments.  See moment.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/moment.h"

#include <stdlib.h>
#include <string.h>

#include "frame/code.h"

/* Bits of the status registers that say which instruction set runs; GDB reads
   no others.  DDI 0553 (XPSR.T), DDI 0487 (CPSR.T, SPSR_ELx.M[4]).  */
#define XPSR_T UINT32_C (0x01000000)
#define CPSR_T UINT32_C (0x20)
#define PSTATE_A32 UINT32_C (0x10)

#define EVENTS_MAX 16

struct tb_moments
{
  struct tb_state *state;
  struct tb_recording *recording;
  const struct tb_profile *profile;
  const struct tb_tdesc *tdesc;
  struct tb_code *code;
  uint64_t steps;		/* In the recording.  */
  tb_moment_tasks *tasks;	/* NULL: none are told.  */
  void *tasks_context;
};

#define VARIABLE(number, name) { TB_VAR_##number, name, 0 }
static const struct tb_tsv_def variables[] = {
  VARIABLE (STEP, "step"), VARIABLE (UNKNOWN, "unknown_registers"),
  VARIABLE (ASSUMED, "assumed_registers"), VARIABLE (TIMESTAMP, "timestamp"),
  VARIABLE (CYCLES, "cycles"), VARIABLE (EXCEPTION, "exception"),
  VARIABLE (STORED, "stored"), VARIABLE (MSP, "msp"), VARIABLE (PSP, "psp"),
  VARIABLE (CONTEXT, "context_id"), VARIABLE (EL, "el"),
  VARIABLE (UNKNOWN_MEMORY, "unknown_memory"), VARIABLE (TASK, "task"),
  VARIABLE (ASSUMED_MEMORY, "assumed_memory")
};
#undef VARIABLE

const struct tb_tsv_def *
tb_moment_variables (size_t *count)
{
  *count = sizeof variables / sizeof variables[0];
  return variables;
}

struct tb_moments *
tb_moments_new (struct tb_state *state, struct tb_recording *recording,
		const struct tb_tdesc *tdesc)
{
  struct tb_moments *m = calloc (1, sizeof *m);
  if (m == NULL)
    return NULL;
  m->code = tb_code_new (recording, state);
  if (m->code == NULL)
    {
      free (m);
      return NULL;
    }
  m->state = state;
  m->recording = recording;
  m->profile = tb_recording_profile (recording);
  m->tdesc = tdesc;
  m->steps = tb_recording_steps (recording);
  return m;
}

void
tb_moments_free (struct tb_moments *moments)
{
  if (moments == NULL)
    return;
  tb_code_free (moments->code);
  free (moments);
}

const struct tb_tdesc *
tb_moments_tdesc (const struct tb_moments *moments)
{
  return moments->tdesc;
}

bool
tb_moment_whole (const struct tb_value *value, unsigned bytes)
{
  uint64_t all = bytes == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * bytes) - 1;
  return value->origin != TB_UNKNOWN && (value->mask & all) == all;
}

enum tb_origin
tb_moment_vector (const struct tb_vector *vectors,
		  const struct tb_profile *profile,
		  const struct tb_tdesc_reg *reg, uint8_t *bytes)
{
  enum tb_origin origin = TB_DERIVED;
  for (unsigned i = 0; i < reg->size; i++)
    {
      unsigned at = reg->part + i;
      /* Of AArch32 what is longer than a D register goes on in the next.  */
      const struct tb_value *v = profile->has_a64 || reg->reg >= TB_FPSCR
				 ? &vectors[reg->reg].half[at / 8]
				 : &vectors[reg->reg + at / 8].half[0];
      if (v->origin == TB_UNKNOWN || (v->mask >> 8 * (at % 8) & 0xff) != 0xff)
	return TB_UNKNOWN;
      if (v->origin == TB_ASSUMED && (v->assumed >> 8 * (at % 8) & 0xff) != 0)
	origin = TB_ASSUMED;
      bytes[i] = (uint8_t) (v->bits >> 8 * (at % 8));
    }
  return origin;
}

uint64_t
tb_moment_vectors (struct tb_moments *m, const struct tb_moment *moment,
		   uint64_t *known, uint8_t *block)
{
  struct tb_vector vectors[TB_NVECTORS];
  uint64_t assumed = 0;
  *known = 0;
  if (moment->waits || !tb_state_vectors (m->state, moment->number, vectors))
    return 0;
  unsigned count = block != NULL ? m->tdesc->nblock : m->tdesc->nregs;
  for (unsigned i = 0; i < count; i++)
    {
      const struct tb_tdesc_reg *reg = &m->tdesc->regs[i];
      bool has_bit = i < 63 && i < m->tdesc->nblock;
      uint8_t bytes[16];
      enum tb_origin origin = reg->kind == TB_TDESC_VECTOR
			      ? tb_moment_vector (vectors, m->profile, reg, bytes)
			      : TB_UNKNOWN;
      if (origin == TB_UNKNOWN)
	continue;
      if (block != NULL)
	memcpy (block + reg->offset, bytes, reg->size);
      if (origin == TB_ASSUMED)
	assumed |= UINT64_C (1) << (has_bit ? i : 63);
      /* The last bit stands for several, one of which may not be known.  */
      if (has_bit)
	*known |= UINT64_C (1) << i;
    }
  return assumed;
}

struct tb_value
tb_moment_vector_low (struct tb_moments *m, const struct tb_moment *moment,
		      const struct tb_tdesc_reg *reg)
{
  struct tb_vector vectors[TB_NVECTORS];
  struct tb_value value = { 0 };
  unsigned at = reg->part;
  if (at % 8 != 0 || !tb_state_vectors (m->state, moment->number, vectors))
    return value;
  value = m->profile->has_a64 || reg->reg >= TB_FPSCR
	  ? vectors[reg->reg].half[at / 8 % 2] : vectors[reg->reg + at / 8].half[0];
  if (reg->size < 8)
    {
      value.mask |= UINT64_MAX << 8 * reg->size;
      value.bits &= ~(UINT64_MAX << 8 * reg->size);
    }
  if (value.origin == TB_UNKNOWN)
    value = (struct tb_value) { 0 };
  return value;
}

/* The step and the PC of MOMENT; false when the latter is not known.  */
static bool
find_place (struct tb_moments *m, struct tb_moment *moment)
{
  if (!moment->at_end)
    {
      if (tb_recording_read (m->recording, moment->number, &moment->step, 1)
	  != 1)
	return false;
      moment->pc = moment->step.pc;
      return true;
    }

  if (m->steps > 0)
    tb_recording_read (m->recording, m->steps - 1, &moment->step, 1);
  moment->step.size = 0;
  const struct tb_tdesc_slot *pc = &m->tdesc->slots[m->tdesc->pc];
  const struct tb_value *value = &moment->values[pc->reg];
  const struct tb_recording_info *info = tb_recording_info (m->recording);
  if (tb_moment_whole (value, pc->size))
    moment->pc = value->bits;
  else if (info->end_known)
    moment->pc = info->end_pc;
  else
    return false;
  if (pc->size == 4)
    moment->pc &= ~UINT64_C (1);
  return true;
}

/* Say in MOMENT what its step tells of the registers: the PC, and the
   instruction set's bits of the status register.  */
static void
state_step_registers (const struct tb_moments *m, struct tb_moment *moment)
{
  struct tb_value *pc = &moment->values[m->tdesc->slots[m->tdesc->pc].reg];
  *pc = tb_value_stated (moment->pc, UINT64_MAX);

  struct tb_value *psr = &moment->values[m->tdesc->slots[m->tdesc->psr].reg];
  uint32_t bit = 0;
  bool set = false;
  if (m->profile->is_m)
    {
      /* T is 1 in whatever runs; also at the end: a core with T clear faults
	 before it executes anything.  */
      bit = XPSR_T;
      set = true;
    }
  else if (moment->step.isa == TB_ISA_UNKNOWN
	   || (moment->at_end && (psr->mask & CPSR_T) != 0))
    return;
  else
    {
      bit = m->profile->has_a64 ? PSTATE_A32 : CPSR_T;
      set = m->profile->has_a64 ? moment->step.isa != TB_ISA_A64
				: moment->step.isa != TB_ISA_A32;
    }
  psr->bits = set ? psr->bits | bit : psr->bits & ~(uint64_t) bit;
  psr->mask |= bit;
  if (psr->origin == TB_UNKNOWN)
    psr->origin = TB_STATED;
}

/* The $unknown_registers and $assumed_registers of MOMENT.  */
static void
classify_registers (const struct tb_moments *m, struct tb_moment *moment)
{
  for (unsigned i = 0; i < m->tdesc->count; i++)
    {
      const struct tb_tdesc_slot *slot = &m->tdesc->slots[i];
      const struct tb_value *value = &moment->values[slot->reg];
      if (!tb_moment_whole (value, slot->size))
	moment->unknown |= UINT64_C (1) << slot->bit;
      if (value->origin == TB_ASSUMED)
	moment->assumed |= UINT64_C (1) << slot->bit;
    }
}

bool
tb_moment_find (struct tb_moments *m, uint64_t number,
		struct tb_moment *moment)
{
  *moment = (struct tb_moment) { .number = number,
				 .at_end = number >= m->steps };
  moment->step.isa = TB_ISA_UNKNOWN;
  tb_state_registers (m->state, number, moment->values);
  if (!find_place (m, moment))
    return false;
  state_step_registers (m, moment);
  classify_registers (m, moment);
  return true;
}

void
tb_moment_wait (struct tb_moments *m, const struct tb_moment *moment,
		const struct tb_value *values, const uint64_t *pc,
		struct tb_moment *waiting)
{
  unsigned reg = m->tdesc->slots[m->tdesc->pc].reg;
  *waiting = (struct tb_moment) { .number = moment->number, .at_end = moment->at_end,
				  .step = moment->step };
  waiting->waits = true;
  waiting->step.isa = TB_ISA_T32;
  memcpy (waiting->values, values, sizeof waiting->values);
  waiting->values[reg] = (struct tb_value) { .origin = TB_UNKNOWN };
  if (pc != NULL)
    {
      waiting->pc = *pc;
      state_step_registers (m, waiting);
    }
  classify_registers (m, waiting);
}

/* The $exception of MOMENT, if known.  */
static bool
find_exception (struct tb_moments *m, const struct tb_moment *moment,
		int64_t *number)
{
  if (m->profile->is_m)
    {
      const struct tb_value *psr = &moment->values[TB_PSR];
      if (psr->origin != TB_UNKNOWN
	  && (psr->mask & TB_PSR_IPSR) == TB_PSR_IPSR)
	{
	  *number = (int64_t) (psr->bits & TB_PSR_IPSR);
	  return true;
	}
    }
  if (!moment->at_end && (moment->step.flags & TB_STEP_EVENTS) == 0)
    return false;

  struct tb_event events[EVENTS_MAX];
  size_t count = tb_recording_events (m->recording, moment->number,
				      moment->number, events, EVENTS_MAX);
  bool found = false;
  for (size_t i = 0; i < count && i < EVENTS_MAX; i++)
    switch (events[i].kind)
      {
      case TB_EVENT_EXCEPTION:
	found = events[i].exception != TB_EXCEPTION_UNKNOWN;
	*number = events[i].exception;
	break;
      case TB_EVENT_EXCEPTION_RETURN:
      case TB_EVENT_GAP:
	/* What ran since then is not the exception's.  */
	found = false;
	break;
      default:
	break;
      }
  /* More events than fit: the last exception may be among the rest.  */
  return found && count <= EVENTS_MAX;
}

/* The $stored of MOMENT.  */
static bool
find_stored (struct tb_moments *m, const struct tb_moment *moment, int64_t *value)
{
  enum { MOST = 32 };
  struct tb_access_info accesses[MOST];
  if (moment->at_end || !tb_state_analysed (m->state, moment->number))
    return false;
  size_t n = tb_state_accesses (m->state, moment->number, accesses, MOST);
  unsigned stores = 0;
  bool known = false;
  for (size_t i = 0; i < n && i < MOST; i++)
    if (accesses[i].store)
      {
	stores++;
	known = accesses[i].value_known;
	*value = (int64_t) accesses[i].value;
      }
  return stores == 1 && known && n <= MOST;
}

/* The $task of MOMENT.  */
static bool
find_task (struct tb_moments *m, const struct tb_moment *moment, int64_t *number)
{
  const struct tb_tasks *tasks = m->tasks != NULL ? m->tasks (m->tasks_context) : NULL;
  const struct tb_task_slice *slice = tb_tasks_at (tasks, moment->number);
  if (slice == NULL || slice->task == 0 || slice->open || slice->guessed
      || moment->number >= slice->handed)
    return false;
  *number = slice->task;
  return true;
}

/* A register as a variable.  */
static bool
find_register (const struct tb_moment *moment, unsigned reg, int64_t *value)
{
  *value = (int64_t) moment->values[reg].bits;
  return tb_moment_whole (&moment->values[reg], 4);
}

bool
tb_moment_can_have (unsigned number, const struct tb_profile *profile)
{
  switch (number)
    {
    case TB_VAR_MSP: case TB_VAR_PSP: case TB_VAR_UNKNOWN_MEMORY: case TB_VAR_TASK:
      return profile->is_m;
    case TB_VAR_CONTEXT: case TB_VAR_EL:
      return !profile->is_m;
    default:
      return true;
    }
}

bool
tb_moment_variable (struct tb_moments *m, const struct tb_moment *moment,
		    unsigned number, int64_t *value)
{
  uint64_t count = 0;
  struct tb_event context;
  bool is_known = false;
  if (!tb_moment_can_have (number, m->profile))
    return false;
  switch (number)
    {
    case TB_VAR_STEP:
      *value = (int64_t) moment->number;
      return true;
    case TB_VAR_UNKNOWN:
      *value = (int64_t) moment->unknown;
      return true;
    case TB_VAR_ASSUMED:
      *value = (int64_t) (moment->assumed | tb_moment_vectors (m, moment, &count, NULL));
      return *value != 0;
    case TB_VAR_TIMESTAMP:
      is_known = tb_recording_timestamp (m->recording, moment->number, &count);
      break;
    case TB_VAR_CYCLES:
      is_known = tb_recording_cycles (m->recording, moment->number, &count);
      break;
    case TB_VAR_EXCEPTION:
      return find_exception (m, moment, value);
    case TB_VAR_STORED:
      return find_stored (m, moment, value);
    case TB_VAR_TASK:
      return find_task (m, moment, value);
    case TB_VAR_MSP:
      return find_register (moment, TB_MSP, value);
    case TB_VAR_PSP:
      return find_register (moment, TB_PSP, value);
    case TB_VAR_CONTEXT:
      if (!tb_recording_context (m->recording, moment->number, &context))
	return false;
      count = context.value;
      is_known = (context.flags & TB_CONTEXT_CID) != 0;
      break;
    case TB_VAR_EL:
      if (!tb_recording_context (m->recording, moment->number, &context))
	return false;
      count = context.el;
      is_known = context.el != TB_EL_UNKNOWN;
      break;
    default:
      return false;
    }
  *value = (int64_t) count;
  return is_known;
}

void
tb_moments_set_visits (struct tb_moments *moments,
		       const struct tb_visits *visits)
{
  tb_code_set_visits (moments->code, visits);
}

void
tb_moments_set_tasks (struct tb_moments *moments, tb_moment_tasks *tasks, void *context)
{
  moments->tasks = tasks;
  moments->tasks_context = context;
}

void
tb_moment_memory (struct tb_moments *m, const struct tb_moment *moment,
		  uint64_t address, uint8_t *bytes, uint8_t *origins,
		  size_t length)
{
  tb_state_memory (m->state, moment->number, address, bytes, origins, length);
  tb_code_fill (m->code, moment->number, &moment->step, address, bytes,
		origins, length);
}
