/* Collection.  See collect.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/collect.h"

#include <stdlib.h>
#include <string.h>

#include "frame/code.h"
#include "frame/ranges.h"

/* Bits of the status registers that say which instruction set runs; GDB reads
   no others.  DDI 0553 (XPSR.T), DDI 0487 (CPSR.T, SPSR_ELx.M[4]).  */
#define XPSR_T UINT32_C (0x01000000)
#define CPSR_T UINT32_C (0x20)
#define PSTATE_A32 UINT32_C (0x10)
#define XPSR_EXCEPTION UINT32_C (0x1ff)

/* LDM of all registers makes 16 transfers; SIMD structures of 4 x 16 bytes are
   reported in fewer.  Any beyond this are left out.  */
#define ACCESSES_MAX 32
#define EVENTS_MAX 16
/* Longer accesses than a cache line are not one instruction's.  */
#define ACCESS_LENGTH_MAX 64

struct tb_collector
{
  struct tb_state *state;
  struct tb_recording *recording;
  const struct tb_profile *profile;
  const struct tb_tdesc_layout *layout;
  struct tb_collect_options options;
  uint64_t steps;		/* In the recording.  */
  uint64_t last_address;	/* The highest there is.  */
  struct tb_code *code;
  struct tb_ranges ranges;
  bool no_memory;		/* RANGES lacks one.  */
};

/* What is being collected.  */
struct moment
{
  uint64_t number;
  bool at_end;			/* No instruction follows.  */
  struct tb_step step;		/* AT_END: the last one, if there is one; its
				   size is 0.  */
  uint64_t pc;
  struct tb_value values[TB_NREGS_MAX];
};

#define VARIABLE(number, name) { TB_VAR_##number, name, 0 }
static const struct tb_tsv_def variables[] = {
  VARIABLE (STEP, "step"),
  VARIABLE (UNKNOWN, "unknown_registers"),
  VARIABLE (ASSUMED, "assumed_registers"),
  VARIABLE (TIMESTAMP, "timestamp"),
  VARIABLE (CYCLES, "cycles"),
  VARIABLE (EXCEPTION, "exception"),
  /* The M profile's.  */
  VARIABLE (MSP, "msp"),
  VARIABLE (PSP, "psp")
};
#undef VARIABLE

const struct tb_tsv_def *
tb_collect_variables (const struct tb_profile *profile, size_t *count)
{
  *count = profile->is_m ? TB_VAR_COUNT - 1 : TB_VAR_EXCEPTION;
  return variables;
}

struct tb_collector *
tb_collector_new (struct tb_state *state, struct tb_recording *recording,
		  const struct tb_collect_options *options)
{
  struct tb_collector *c = calloc (1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->code = tb_code_new (recording);
  if (c->code == NULL)
    {
      free (c);
      return NULL;
    }
  c->state = state;
  c->recording = recording;
  c->profile = tb_recording_profile (recording);
  c->layout = tb_tdesc_layout (c->profile);
  c->options = *options;
  if (c->options.code_after < 4)
    c->options.code_after = 4;
  c->steps = tb_recording_steps (recording);
  c->last_address = c->layout->slots[c->layout->pc].size == 4
    ? UINT32_MAX : UINT64_MAX;
  return c;
}

void
tb_collector_free (struct tb_collector *collector)
{
  if (collector == NULL)
    return;
  tb_ranges_fini (&collector->ranges);
  tb_code_free (collector->code);
  free (collector);
}

static bool
wholly_known (const struct tb_value *value, unsigned bytes)
{
  uint64_t all = bytes == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * bytes) - 1;
  return value->origin != TB_UNKNOWN && (value->mask & all) == all;
}

/* Fill MOMENT for step NUMBER; false when its PC is not known.  */
static bool
find_moment (struct tb_collector *c, uint64_t number, struct moment *moment)
{
  *moment = (struct moment) { .number = number, .at_end = number >= c->steps };
  moment->step.isa = TB_ISA_UNKNOWN;
  tb_state_registers (c->state, number, moment->values);
  if (!moment->at_end)
    {
      if (tb_recording_read (c->recording, number, &moment->step, 1) != 1)
	return false;
      moment->pc = moment->step.pc;
      return true;
    }

  if (c->steps > 0)
    tb_recording_read (c->recording, c->steps - 1, &moment->step, 1);
  moment->step.size = 0;
  const struct tb_tdesc_slot *pc = &c->layout->slots[c->layout->pc];
  const struct tb_value *value = &moment->values[pc->reg];
  const struct tb_recording_info *info = tb_recording_info (c->recording);
  if (wholly_known (value, pc->size))
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
state_step_registers (const struct tb_collector *c, struct moment *moment)
{
  struct tb_value *pc = &moment->values[c->layout->slots[c->layout->pc].reg];
  *pc = (struct tb_value) { moment->pc, UINT64_MAX, TB_STATED };

  struct tb_value *psr = &moment->values[c->layout->slots[c->layout->psr].reg];
  uint32_t bit = 0;
  bool set = false;
  if (c->profile->is_m)
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
      bit = c->profile->has_a64 ? PSTATE_A32 : CPSR_T;
      set = c->profile->has_a64 ? moment->step.isa != TB_ISA_A64
				: moment->step.isa != TB_ISA_A32;
    }
  psr->bits = set ? psr->bits | bit : psr->bits & ~(uint64_t) bit;
  psr->mask |= bit;
  if (psr->origin == TB_UNKNOWN)
    psr->origin = TB_STATED;
}

/* The $unknown_registers and $assumed_registers of MOMENT.  */
static void
classify_registers (const struct tb_collector *c, const struct moment *moment,
		    struct tb_collect_info *info)
{
  for (unsigned i = 0; i < c->layout->count; i++)
    {
      const struct tb_tdesc_slot *slot = &c->layout->slots[i];
      const struct tb_value *value = &moment->values[slot->reg];
      if (!wholly_known (value, slot->size))
	info->unknown |= UINT64_C (1) << i;
      if (value->origin == TB_ASSUMED)
	info->assumed |= UINT64_C (1) << i;
    }
}

/* The register block.  Of a status register the known bits are shown, as GDB
   needs them, with the poison's in the rest; any other register is shown wholly
   or not at all, so that a glance tells.  */
static void
collect_registers (const struct tb_collector *c, const struct moment *moment,
		   struct tb_frame *frame)
{
  uint8_t block[TB_TDESC_SIZE_MAX];
  for (unsigned i = 0; i < c->layout->count; i++)
    {
      const struct tb_tdesc_slot *slot = &c->layout->slots[i];
      const struct tb_value *value = &moment->values[slot->reg];
      uint64_t poison = slot->size == 8 ? TB_POISON64 : TB_POISON32;
      uint64_t bits = poison;
      if (wholly_known (value, slot->size))
	bits = value->bits;
      else if (i == c->layout->psr)
	bits = (value->bits & value->mask) | (poison & ~value->mask);
      for (unsigned j = 0; j < slot->size; j++)
	block[slot->offset + j] = (uint8_t) (bits >> 8 * j);
    }
  tb_frame_registers (frame, block, c->layout->size);
}

/* The $exception of MOMENT, if known.  */
static bool
find_exception (const struct tb_collector *c, const struct moment *moment,
		int64_t *number)
{
  if (c->profile->is_m)
    {
      const struct tb_value *psr = &moment->values[TB_PSR];
      if (psr->origin != TB_UNKNOWN
	  && (psr->mask & XPSR_EXCEPTION) == XPSR_EXCEPTION)
	{
	  *number = (int64_t) (psr->bits & XPSR_EXCEPTION);
	  return true;
	}
    }
  if (!moment->at_end && (moment->step.flags & TB_STEP_EVENTS) == 0)
    return false;

  struct tb_event events[EVENTS_MAX];
  size_t count = tb_recording_events (c->recording, moment->number,
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

static void
collect_variables (const struct tb_collector *c, const struct moment *moment,
		   const struct tb_collect_info *info, struct tb_frame *frame)
{
  tb_frame_variable (frame, TB_VAR_STEP, (int64_t) moment->number);
  tb_frame_variable (frame, TB_VAR_UNKNOWN, (int64_t) info->unknown);
  if (info->assumed != 0)
    tb_frame_variable (frame, TB_VAR_ASSUMED, (int64_t) info->assumed);
  uint64_t count;
  if (tb_recording_timestamp (c->recording, moment->number, &count))
    tb_frame_variable (frame, TB_VAR_TIMESTAMP, (int64_t) count);
  if (tb_recording_cycles (c->recording, moment->number, &count))
    tb_frame_variable (frame, TB_VAR_CYCLES, (int64_t) count);
  int64_t exception = 0;
  if (find_exception (c, moment, &exception))
    tb_frame_variable (frame, TB_VAR_EXCEPTION, exception);
  if (!c->profile->is_m)
    return;
  if (wholly_known (&moment->values[TB_MSP], 4))
    tb_frame_variable (frame, TB_VAR_MSP,
		       (int64_t) moment->values[TB_MSP].bits);
  if (wholly_known (&moment->values[TB_PSP], 4))
    tb_frame_variable (frame, TB_VAR_PSP,
		       (int64_t) moment->values[TB_PSP].bits);
}

/* How many bytes at the PC are what the trace was decoded by, into CODE.  */
static unsigned
read_code_at_pc (const struct tb_collector *c, const struct moment *moment,
		 uint8_t code[4])
{
  const struct tb_memmap *map = tb_recording_memmap (c->recording);
  const struct tb_region *region = NULL;
  uint64_t length;
  if (tb_memmap_at (map, moment->step.space, moment->pc, &length, &region)
      == NULL)
    return 0;
  /* The instruction itself is certain: the trace was followed by it.  The
     halfword after a short one, which GDB reads too, is code as well unless
     this is memory that the program writes.  */
  unsigned want = region->access == TB_ACCESS_WRITE ? moment->step.size : 4;
  return (unsigned) tb_memmap_read (map, moment->step.space, moment->pc, code,
				    want);
}

/* Ask for LENGTH bytes at ADDRESS; PRIORITY 0 matters most.  */
static void
want (struct tb_collector *c, uint64_t address, uint64_t length,
      unsigned priority)
{
  if (length == 0 || address > c->last_address)
    return;
  uint64_t most = c->last_address - address;
  if (!tb_ranges_add (&c->ranges, address,
		      address + (length - 1 < most ? length - 1 : most),
		      priority))
    c->no_memory = true;
}

/* Find out which memory MOMENT's frame shall have.  */
static void
choose_memory (struct tb_collector *c, const struct moment *moment)
{
  tb_ranges_clear (&c->ranges);
  uint64_t before = c->options.code_before;
  if (before > moment->pc)
    before = moment->pc;
  want (c, moment->pc - before, before + c->options.code_after, 0);

  if (!moment->at_end)
    {
      struct tb_access_info accesses[ACCESSES_MAX];
      size_t count = tb_state_accesses (c->state, moment->number, accesses,
					ACCESSES_MAX);
      for (size_t i = 0; i < count && i < ACCESSES_MAX; i++)
	if (accesses[i].address_known)
	  want (c, accesses[i].address,
		accesses[i].length < ACCESS_LENGTH_MAX
		? accesses[i].length : ACCESS_LENGTH_MAX, 1);
    }

  const struct tb_tdesc_slot *sp = &c->layout->slots[c->layout->sp];
  if (wholly_known (&moment->values[sp->reg], sp->size))
    want (c, moment->values[sp->reg].bits, c->options.stack, 2);
  for (size_t i = 0; i < c->options.nranges; i++)
    want (c, c->options.ranges[i].address, c->options.ranges[i].length, 3);
  tb_ranges_merge (&c->ranges);
}

/* Collect what is known of [FIRST, LAST]; false when the frame is full.  CODE
   has NCODE bytes that are known at the PC.  */
static bool
collect_range (struct tb_collector *c, const struct moment *moment,
	       uint64_t first, uint64_t last, const uint8_t *code,
	       unsigned ncode, struct tb_frame *frame)
{
  uint8_t bytes[512], origins[512];
  for (uint64_t address = first;;)
    {
      uint64_t rest = last - address;
      size_t length = rest < sizeof bytes ? (size_t) rest + 1 : sizeof bytes;
      tb_state_memory (c->state, moment->number, address, bytes, origins,
		       length);
      tb_code_fill (c->code, moment->step.space, address, bytes, origins,
		    length);
      for (unsigned i = 0; i < ncode; i++)
	if (moment->pc + i - address < length)
	  {
	    bytes[moment->pc + i - address] = code[i];
	    origins[moment->pc + i - address] = TB_STATED;
	  }
      for (size_t i = 0; i < length;)
	{
	  size_t end = i;
	  while (end < length && origins[end] != TB_UNKNOWN)
	    end++;
	  if (end > i)
	    {
	      size_t used = frame->bytes.size + TB_BLOCK_M_HEAD;
	      if (used >= c->options.limit)
		return false;
	      size_t room = c->options.limit - used;
	      tb_frame_memory (frame, address + i, bytes + i,
			       end - i < room ? end - i : room);
	      if (end - i > room)
		return false;
	    }
	  i = end + 1;
	}
      if (rest < sizeof bytes)
	return true;
      address += length;
    }
}

static void
collect_memory (struct tb_collector *c, const struct moment *moment,
		struct tb_frame *frame)
{
  uint8_t code[4];
  unsigned ncode = read_code_at_pc (c, moment, code);
  tb_code_near (c->code, moment->number);
  choose_memory (c, moment);
  for (size_t i = 0; i < c->ranges.count; i++)
    if (!collect_range (c, moment, c->ranges.items[i].first,
			c->ranges.items[i].last, code, ncode, frame))
      return;
}

enum tb_collected
tb_collect (struct tb_collector *c, uint64_t step, struct tb_frame *frame,
	    struct tb_collect_info *info)
{
  struct tb_collect_info found = { 0 };
  struct moment moment;
  tb_frame_clear (frame);
  if (info != NULL)
    *info = found;
  if (!find_moment (c, step, &moment))
    return TB_COLLECTED_NO_PC;
  state_step_registers (c, &moment);
  found.pc = moment.pc;
  classify_registers (c, &moment, &found);
  if (info != NULL)
    *info = found;

  bool bare = found.unknown != 0 && c->options.policy == TB_POLICY_OMIT;
  if (found.unknown != 0 && c->options.policy == TB_POLICY_SKIP)
    return TB_COLLECTED_SKIP;
  if (!bare)
    collect_registers (c, &moment, frame);
  collect_variables (c, &moment, &found, frame);
  collect_memory (c, &moment, frame);
  if (c->no_memory)
    frame->bytes.failed = true;
  return bare ? TB_COLLECTED_BARE : TB_COLLECTED;
}
