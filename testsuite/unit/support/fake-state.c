/* A made-up recording and state.  See fake-state.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fake-state.h"
#include "recording/facts.h"
#include "recording/tasks.h"
#include "recording/visits.h"

#include <string.h>

#include "arm/machine/tdesc.h"

struct fake fake;

static struct tb_recording_info info;
static struct tb_region region;

void
fake_setup (char profile, uint64_t steps)
{
  memset (&fake, 0, sizeof fake);
  fake.profile.is_m = profile == 'm';
  fake.profile.has_a64 = profile == '6';
  fake.profile.arch = profile == 'm' ? TB_ARCH_V7M
    : profile == '6' ? TB_ARCH_V8A : TB_ARCH_V7A;
  fake.profile.name = "fake";
  fake.steps = steps;
  fake.pcs = 16;
  fake.size = profile == 'm' ? 2 : 4;
}

const struct tb_tdesc *
fake_tdesc (void)
{
  static struct tb_tdesc *own[3];
  struct tb_tdesc **one = &own[fake.profile.is_m ? 0 : 1 + fake.profile.has_a64];
  if (*one == NULL)
    *one = tb_tdesc_own (&fake.profile, NULL);
  return *one;
}

struct tb_recording *
fake_recording (void)
{
  return (struct tb_recording *) &fake;
}

struct tb_state *
fake_state (void)
{
  return (struct tb_state *) &fake;
}

static uint64_t
pc_of (uint64_t step)
{
  return FAKE_CODE + (uint64_t) fake.size * (step % fake.pcs);
}

const struct tb_recording_info *
tb_recording_info (const struct tb_recording *recording)
{
  (void) recording;
  info.steps = fake.steps;
  return &info;
}

const struct tb_profile *
tb_recording_profile (const struct tb_recording *recording)
{
  (void) recording;
  return &fake.profile;
}

const struct tb_memmap *
tb_recording_memmap (const struct tb_recording *recording)
{
  (void) recording;
  return NULL;
}

/* It has no tasks.  */
const struct tb_task_slice *
tb_tasks_at (const struct tb_tasks *tasks, uint64_t step)
{
  (void) tasks;
  (void) step;
  return NULL;
}

size_t
tb_recording_read (struct tb_recording *recording, uint64_t first,
		   struct tb_step *steps, size_t count)
{
  (void) recording;
  size_t done = 0;
  for (; done < count && first + done < fake.steps; done++)
    {
      uint64_t step = first + done;
      steps[done] = (struct tb_step)
	{
	  .pc = pc_of (step), .size = (uint8_t) fake.size,
	  .isa = fake.profile.is_m ? TB_ISA_T32
	    : fake.profile.has_a64 ? TB_ISA_A64 : TB_ISA_A32,
	  .opcode = fake.profile.is_m ? 0xbf00
	    : fake.profile.has_a64 ? 0xd503201f : 0xe1a00000,
	  .flags = step != 0 && step % 100 == 0 ? TB_STEP_EVENTS : 0
	};
    }
  return done;
}

size_t
tb_recording_events (struct tb_recording *recording, uint64_t first,
		     uint64_t last, struct tb_event *events, size_t capacity)
{
  (void) recording;
  size_t count = 0;
  for (uint64_t step = first; step <= last && step <= fake.steps; step++)
    if (step != 0 && step % 100 == 0)
      {
	if (count < capacity)
	  events[count] = (struct tb_event)
	    { .step = step, .kind = TB_EVENT_EXCEPTION, .exception = 11 };
	count++;
      }
  return count;
}

bool
tb_recording_timestamp (struct tb_recording *recording, uint64_t step,
			uint64_t *timestamp)
{
  (void) recording;
  *timestamp = 1000 + step;
  return step >= 10;
}

bool
tb_recording_cycles (struct tb_recording *recording, uint64_t step,
		     uint64_t *cycles)
{
  (void) recording;
  *cycles = 3 * step;
  return true;
}

bool
tb_recording_context (struct tb_recording *recording, uint64_t step,
		      struct tb_event *context)
{
  (void) recording;
  *context = (struct tb_event) { .step = step, .kind = TB_EVENT_CONTEXT,
				 .value = 0x77, .flags = TB_CONTEXT_CID,
				 .el = 1 };
  return step >= 20;
}

void
tb_state_registers (struct tb_state *state, uint64_t step,
		    struct tb_value *values)
{
  (void) state;
  memset (values, 0, TB_NREGS_MAX * sizeof *values);
  const struct tb_tdesc *layout = fake_tdesc ();
  size_t count;
  const struct tb_reg_info *regs = tb_regs (&fake.profile, &count);
  if (fake.no_end && step == fake.steps)
    return;
  for (unsigned i = 0; i < count; i++)
    {
      uint64_t all = regs[i].bits == 64 ? UINT64_MAX : UINT32_MAX;
      values[i] = tb_value_stated (i * 0x10000 + step, all);
      values[i].origin = TB_DERIVED;
      if (i == layout->slots[layout->pc].reg)
	values[i].bits = pc_of (step);
      else if (i == layout->slots[layout->sp].reg)
	values[i].bits = FAKE_STACK;
      else if (i == layout->slots[layout->psr].reg)
	values[i].bits = 0x60000000 | (fake.profile.is_m ? step % 4 : 0);
      bool here = fake.unknown_every == 0 || step % fake.unknown_every != 0;
      if ((fake.unknown >> i & 1) != 0 && here)
	{
	  bool psr = i == layout->slots[layout->psr].reg;
	  values[i].mask = psr ? TB_PSR_N | TB_PSR_Z : 0;
	  values[i].bits &= values[i].mask;
	  values[i].origin = psr ? TB_DERIVED : TB_UNKNOWN;
	}
      else if ((fake.assumed >> i & 1) != 0 && here)
	{
	  values[i].origin = TB_ASSUMED;
	  values[i].assumed = all;
	}
    }
}

/* The byte of code at ADDRESS; false where there is none.  */
static bool
code_byte (uint64_t address, uint8_t *byte)
{
  static const uint8_t t32[] = { 0x00, 0xbf };
  static const uint8_t a32[] = { 0x00, 0x00, 0xa0, 0xe1 };
  static const uint8_t a64[] = { 0x1f, 0x20, 0x03, 0xd5 };
  uint64_t offset = address - FAKE_CODE;
  if (offset >= (uint64_t) fake.pcs * fake.size)
    return false;
  const uint8_t *code = fake.profile.is_m ? t32
    : fake.profile.has_a64 ? a64 : a32;
  *byte = code[offset % fake.size];
  return true;
}

size_t
tb_state_memory (struct tb_state *state, uint64_t step, uint64_t address,
		 uint8_t *bytes, uint8_t *origins, size_t length)
{
  (void) state;
  size_t known = 0;
  for (size_t i = 0; i < length; i++)
    {
      uint64_t at = address + i;
      origins[i] = TB_UNKNOWN;
      bytes[i] = 0;
      if (!fake.code_in_ram && code_byte (at, &bytes[i]))
	origins[i] = TB_DERIVED;
      else if ((at >= FAKE_KNOWN && at < FAKE_KNOWN_END
		&& !(fake.holes && at % 64 == 63))
	       || (at >= FAKE_VARIABLES && at < FAKE_VARIABLES_END))
	{
	  bytes[i] = (uint8_t) (at + step);
	  origins[i] = fake.assumed_memory && at % 3 == 0 ? TB_ASSUMED : TB_DERIVED;
	}
      known += origins[i] != TB_UNKNOWN;
    }
  return known;
}

bool
tb_state_no_memory (const struct tb_state *state)
{
  (void) state;
  return false;
}

bool
tb_state_analysed (struct tb_state *state, uint64_t step)
{
  (void) state;
  return step < fake.steps;
}

const struct tb_columns *
tb_recording_facts (const struct tb_recording *recording)
{
  (void) recording;
  return NULL;
}

bool
tb_visits_ran (const struct tb_visits *visits, enum tb_space space,
	       uint64_t address, uint64_t *length)
{
  (void) visits;
  (void) space;
  (void) address;
  *length = 0;
  return false;
}

bool
tb_state_holds_code (struct tb_state *state, uint64_t step,
		     enum tb_space space, uint64_t address, unsigned length)
{
  (void) state;
  (void) step;
  (void) space;
  (void) address;
  (void) length;
  return true;
}

size_t
tb_state_accesses (struct tb_state *state, uint64_t step,
		   struct tb_access_info *accesses, size_t capacity)
{
  (void) state;
  if (capacity >= 1)
    accesses[0] = (struct tb_access_info)
      {
	.address = FAKE_VARIABLES + 4 * (step % 16), .length = 4,
	.store = true, .address_known = true
      };
  return 1;
}

const uint8_t *
tb_memmap_at (const struct tb_memmap *map, enum tb_space space,
	      uint64_t address, uint64_t *length,
	      const struct tb_region **where)
{
  (void) map;
  (void) space;
  static uint8_t byte;
  if (!code_byte (address, &byte))
    return NULL;
  region.access = fake.code_in_ram ? TB_ACCESS_WRITE : TB_ACCESS_READ;
  *where = &region;
  *length = 1;
  return &byte;
}

size_t
tb_memmap_read (const struct tb_memmap *map, enum tb_space space,
		uint64_t address, void *bytes, size_t length)
{
  (void) map;
  (void) space;
  uint8_t *to = bytes;
  size_t done = 0;
  while (done < length && code_byte (address + done, &to[done]))
    done++;
  return done;
}

bool
tb_state_vectors (struct tb_state *state, uint64_t step,
		  struct tb_vector *vectors)
{
  (void) state, (void) step;
  if (!fake.vectors)
    return false;
  memset (vectors, 0, TB_NVECTORS * sizeof *vectors);
  for (unsigned i = 1; i <= 2; i++)
    {
      struct tb_value *low = &vectors[i].half[0];
      *low = tb_value_stated (UINT64_C (0x1111111111111111) * i, UINT64_MAX);
      tb_value_set_origin (low, i == 1 ? TB_DERIVED : TB_ASSUMED);
    }
  return true;
}
