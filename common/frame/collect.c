/* Collection.  See collect.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/collect.h"

#include <stdlib.h>
#include <string.h>

#include "frame/ranges.h"

/* LDM of all registers makes 16 transfers; SIMD structures of 4 x 16 bytes are
   reported in fewer.  Any beyond this are left out.  */
#define ACCESSES_MAX 32
/* Longer accesses than a cache line are not one instruction's.  */
#define ACCESS_LENGTH_MAX 64
/* The longest that an exception makes, and its padding (DDI 0553, B3.19).  */
#define EXCEPTION_FRAME (4 * 52 + 4)
/* The longest range that a frame's size grows for.  */
#define RANGE_LENGTH_MAX 65536

struct tb_collector
{
  struct tb_state *state;
  struct tb_moments *moments;
  const struct tb_profile *profile;
  const struct tb_tdesc *tdesc;
  struct tb_collect_options options;
  size_t limit;			/* With room for the ranges.  */
  uint64_t last_address;	/* The highest there is.  */
  struct tb_ranges ranges;
  bool no_memory;		/* RANGES lacks one.  */
  uint8_t *poison;		/* A block, nothing of which is known.  */
  uint8_t *block;		/* Room for one.  */
  bool has_vectors;		/* FP or vector registers are in the block.  */
  uint64_t others;		/* Of TDESC's, those that are not known in this
				   frame.  */
  uint64_t assumed_vectors;	/* And of its FP and vector registers those that
				   are assumed.  */
  struct tb_frame assumed;	/* The blocks of this frame's assumed memory.  */
  uint64_t nassumed;		/* Bytes of it.  */
};

struct tb_collector *
tb_collector_new (struct tb_state *state, struct tb_recording *recording,
		  const struct tb_tdesc *tdesc,
		  const struct tb_collect_options *options)
{
  struct tb_collector *c = calloc (1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->moments = tb_moments_new (state, recording, tdesc);
  c->poison = malloc (2 * (size_t) tdesc->size);
  if (c->moments == NULL || c->poison == NULL)
    {
      tb_collector_free (c);
      return NULL;
    }
  tb_moments_set_tasks (c->moments, options->tasks, options->tasks_context);
  c->block = c->poison + tdesc->size;
  c->state = state;
  c->profile = tb_recording_profile (recording);
  c->tdesc = tdesc;
  for (unsigned i = 0; i < tdesc->nblock; i++)
    c->has_vectors |= tdesc->regs[i].kind == TB_TDESC_VECTOR;
  for (size_t i = 0; i < tdesc->size; i++)
    c->poison[i] = (uint8_t) (TB_POISON32 >> 8 * (i % 4));
  c->options = *options;
  c->limit = options->limit;
  if (c->options.code_after < 4)
    c->options.code_after = 4;
  c->last_address = c->tdesc->slots[c->tdesc->pc].size == 4
    ? UINT32_MAX : UINT64_MAX;
  return c;
}

void
tb_collector_want (struct tb_collector *c,
		   const struct tb_collect_range *ranges, size_t count)
{
  c->options.ranges = ranges;
  c->options.nranges = count;
  c->limit = c->options.limit;
  for (size_t i = 0; i < count; i++)
    if (ranges[i].length < RANGE_LENGTH_MAX)
      c->limit += TB_BLOCK_M_HEAD + (size_t) ranges[i].length;
}

void
tb_collector_free (struct tb_collector *collector)
{
  if (collector == NULL)
    return;
  tb_ranges_fini (&collector->ranges);
  tb_frame_fini (&collector->assumed);
  tb_moments_free (collector->moments);
  free (collector->poison);
  free (collector);
}

/* The register block.  Of a status register the known bits are shown, as GDB
   needs them, with the poison's in the rest; any other register is shown wholly
   or not at all, so that a glance tells.  */
static void
collect_registers (struct tb_collector *c, const struct tb_moment *moment,
		   struct tb_frame *frame)
{
  uint8_t *block = c->block;
  memcpy (block, c->poison, c->tdesc->size);
  for (unsigned i = 0; i < c->tdesc->count; i++)
    {
      const struct tb_tdesc_slot *slot = &c->tdesc->slots[i];
      const struct tb_value *value = &moment->values[slot->reg];
      uint64_t poison = slot->size == 8 ? TB_POISON64 : TB_POISON32;
      uint64_t bits = poison;
      if (tb_moment_whole (value, slot->size))
	bits = value->bits;
      else if (i == c->tdesc->psr)
	bits = (value->bits & value->mask) | (poison & ~value->mask);
      /* Loops of fixed lengths, which become one store.  */
      uint8_t *to = block + slot->offset;
      if (slot->size < 4)
	{
	  for (unsigned j = 0; j < slot->size; j++)
	    to[j] = (uint8_t) (bits >> 8 * j);
	  continue;
	}
      for (unsigned j = 0; j < 4; j++)
	to[j] = (uint8_t) (bits >> 8 * j);
      for (unsigned j = 4; j < 8 && slot->size == 8; j++)
	to[j] = (uint8_t) (bits >> 8 * j);
    }
  if (c->has_vectors)
    {
      uint64_t known;
      c->assumed_vectors = tb_moment_vectors (c->moments, moment, &known, block);
      c->others &= ~known;
    }
  tb_frame_registers (frame, block, c->tdesc->size);
}

static void
collect_variables (const struct tb_collector *c,
		   const struct tb_moment *moment, struct tb_frame *frame)
{
  size_t count;
  const struct tb_tsv_def *variables = tb_moment_variables (&count);
  for (size_t i = 0; i < count; i++)
    {
      int64_t value;
      unsigned number = variables[i].number;
      if (number == TB_VAR_ASSUMED)
	{
	  value = (int64_t) (moment->assumed | c->assumed_vectors);
	  if (value != 0)
	    tb_frame_variable (frame, number, value);
	}
      else if (tb_moment_variable (c->moments, moment, number, &value))
	tb_frame_variable (frame, number,
			   number == TB_VAR_UNKNOWN
			   ? (int64_t) ((uint64_t) value | c->others) : value);
    }
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
choose_memory (struct tb_collector *c, const struct tb_moment *moment)
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

  const struct tb_tdesc_slot *sp = &c->tdesc->slots[c->tdesc->sp];
  if (tb_moment_whole (&moment->values[sp->reg], sp->size))
    want (c, moment->values[sp->reg].bits, c->options.stack, 2);
  /* Where GDB is told of two stacks, what an exception has put on the other one.  */
  for (unsigned reg = TB_MSP; c->profile->is_m && reg <= TB_PSP; reg++)
    {
      const struct tb_value *value = &moment->values[reg];
      if (tb_tdesc_slot (c->tdesc, reg) != NULL && tb_moment_whole (value, 4))
	want (c, value->bits, EXCEPTION_FRAME, 2);
    }
  for (size_t i = 0; i < c->options.nranges; i++)
    want (c, c->options.ranges[i].address, c->options.ranges[i].length, 3);
  tb_ranges_merge (&c->ranges);
}

/* How many of the LENGTH bytes of ORIGINS, the first of which is known, are either all
   assumed or none of them is.  */
static size_t
same_tier (const uint8_t *origins, size_t length)
{
  size_t n = 1;
  if (origins[0] == TB_ASSUMED)
    {
      while (n < length && origins[n] == TB_ASSUMED)
	n++;
      return n;
    }
  const uint8_t *end = memchr (origins, TB_UNKNOWN, length);
  n = end != NULL ? (size_t) (end - origins) : length;
  end = memchr (origins, TB_ASSUMED, n);
  return end != NULL ? (size_t) (end - origins) : n;
}

/* Collect what is known of [FIRST, LAST]; false when the frame is full.  */
static bool
collect_range (struct tb_collector *c, const struct tb_moment *moment,
	       uint64_t first, uint64_t last, struct tb_frame *frame)
{
  uint8_t bytes[512], origins[512];
  for (uint64_t address = first;;)
    {
      uint64_t rest = last - address;
      size_t length = rest < sizeof bytes ? (size_t) rest + 1 : sizeof bytes;
      tb_moment_memory (c->moments, moment, address, bytes, origins, length);
      for (size_t i = 0; i < length; i++)
	{
	  if (origins[i] == TB_UNKNOWN)
	    continue;
	  size_t size = same_tier (origins + i, length - i);
	  bool assumed = origins[i] == TB_ASSUMED;
	  size_t used = frame->bytes.size + c->assumed.bytes.size + TB_BLOCK_M_HEAD;
	  if (assumed || c->nassumed > 0)
	    used += TB_BLOCK_V_SIZE;
	  if (used >= c->limit)
	    return false;
	  size_t room = c->limit - used;
	  bool fits = size <= room;
	  if (!fits)
	    size = room;
	  tb_frame_memory (assumed ? &c->assumed : frame, address + i, bytes + i, size);
	  c->nassumed += assumed ? size : 0;
	  if (!fits)
	    return false;
	  i += size - 1;
	}
      if (rest < sizeof bytes)
	return true;
      address += length;
    }
}

/* What is assumed comes last, behind the variable that says how much it is: GDB takes the
   blocks in any order, and a reader knows which ones these are.  */
static void
collect_memory (struct tb_collector *c, const struct tb_moment *moment,
		struct tb_frame *frame)
{
  choose_memory (c, moment);
  tb_frame_clear (&c->assumed);
  c->nassumed = 0;
  for (size_t i = 0; i < c->ranges.count; i++)
    if (!collect_range (c, moment, c->ranges.items[i].first,
			c->ranges.items[i].last, frame))
      break;
  if (c->nassumed == 0)
    return;
  tb_frame_variable (frame, TB_VAR_ASSUMED_MEMORY, (int64_t) c->nassumed);
  tb_buffer_append (&frame->bytes, c->assumed.bytes.data, c->assumed.bytes.size);
  frame->bytes.failed |= c->assumed.bytes.failed;
}

enum tb_collected
tb_collect (struct tb_collector *c, uint64_t step, struct tb_frame *frame,
	    struct tb_collect_info *info)
{
  struct tb_collect_info found = { 0 };
  struct tb_moment moment;
  tb_frame_clear (frame);
  if (info != NULL)
    *info = found;
  if (!tb_moment_find (c->moments, step, &moment))
    return TB_COLLECTED_NO_PC;
  found = (struct tb_collect_info) { moment.pc, moment.unknown,
				     moment.assumed };
  if (info != NULL)
    *info = found;

  bool bare = found.unknown != 0 && c->options.policy == TB_POLICY_OMIT;
  if (found.unknown != 0 && c->options.policy == TB_POLICY_SKIP)
    return TB_COLLECTED_SKIP;
  c->others = c->tdesc->others;
  c->assumed_vectors = 0;
  if (!bare)
    collect_registers (c, &moment, frame);
  collect_variables (c, &moment, frame);
  collect_memory (c, &moment, frame);
  if (c->no_memory)
    frame->bytes.failed = true;
  return bare ? TB_COLLECTED_BARE : TB_COLLECTED;
}
