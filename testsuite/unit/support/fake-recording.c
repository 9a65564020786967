/* A recording made by hand.  See fake-recording.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fake-recording.h"

#include "decode/exception.h"
#include "decode/mtb/mtb.h"
#include "recording/facts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct tb_recording_info *
tb_recording_info (const struct tb_recording *recording)
{
  return &recording->info;
}

const struct tb_columns *
tb_recording_facts (const struct tb_recording *recording)
{
  (void) recording;
  return NULL;
}

const struct tb_decoder_stats *
tb_recording_stats (const struct tb_recording *recording)
{
  return &recording->stats;
}

const struct tb_profile *
tb_recording_profile (const struct tb_recording *recording)
{
  return &recording->profile;
}

static const struct tb_protocol etmv3
  = { .exceptions = TB_NUMBERS_V7, .conditions_told = true };
const struct tb_decoder fake_etmv3 = { .protocol = &etmv3 };
static const struct tb_protocol ptm = { .exceptions = TB_NUMBERS_V7 };
const struct tb_decoder fake_ptm = { .protocol = &ptm };
static const struct tb_protocol mtb = { .reaches_halt = tb_mtb_reaches_halt };
const struct tb_decoder fake_mtb = { .protocol = &mtb };

const struct tb_decoder *
tb_recording_decoder (const struct tb_recording *f)
{
  return f->decoder;
}

bool
tb_recording_conditions_told (const struct tb_recording *f)
{
  return f->decoder != NULL && f->decoder->protocol->conditions_told;
}

const struct tb_memmap *
tb_recording_memmap (const struct tb_recording *recording)
{
  return recording->map;
}

size_t
tb_recording_read (struct tb_recording *recording, uint64_t first,
		   struct tb_step *steps, size_t count)
{
  if (first >= recording->info.steps)
    return 0;
  if (count > recording->info.steps - first)
    count = (size_t) (recording->info.steps - first);
  memcpy (steps, recording->steps + first, count * sizeof *steps);
  return count;
}

/* A test may have windows of its own.  */
__attribute__ ((weak)) size_t
tb_recording_windows (const struct tb_recording *f)
{
  return f->info.steps != 0;
}

/* Its windows stay as they are.  */
__attribute__ ((weak)) unsigned
tb_recording_generation (const struct tb_recording *f)
{
  (void) f;
  return 0;
}

__attribute__ ((weak)) size_t
tb_recording_window_at (const struct tb_recording *f, uint64_t step)
{
  (void) f, (void) step;
  return 0;
}

__attribute__ ((weak)) uint64_t
tb_recording_window_step (const struct tb_recording *f, size_t number)
{
  return number == 0 ? 0 : f->info.steps;
}

/* Nothing is noted but events.  */
__attribute__ ((weak)) const struct tb_packed_gaps *
tb_recording_window_gaps (const struct tb_recording *f, size_t number)
{
  (void) f, (void) number;
  return NULL;
}

/* No index says.  */
__attribute__ ((weak)) const struct tb_packed_ran *
tb_recording_window_ran (const struct tb_recording *f, size_t number)
{
  (void) f, (void) number;
  return NULL;
}

static void
forget_window (struct tb_recording *f)
{
  free (f->window.runs);
  free (f->window.events);
}

/* All steps, each a run.  */
__attribute__ ((weak)) const struct tb_window *
tb_recording_window (struct tb_recording *f, size_t number)
{
  (void) number;
  forget_window (f);
  f->window = (struct tb_window) { .valid = true, .nruns = f->info.steps,
				   .end = f->info.steps };
  f->window.runs = calloc (f->info.steps + 1, sizeof *f->window.runs);
  f->window.events = calloc (f->nevents + 1, sizeof *f->window.events);
  if (f->window.runs == NULL || f->window.events == NULL)
    abort ();
  for (size_t i = 0; i < f->info.steps; i++)
    {
      const struct tb_step *s = &f->steps[i];
      const uint8_t outcome = TB_STEP_TAKEN | TB_STEP_NOT_TAKEN;
      f->window.runs[i] = (struct tb_run) {
	.step = i, .start = s->pc, .end = s->pc + s->size, .count = 1,
	.isa = s->isa, .space = s->space,
	.first_flags = s->flags & (uint8_t) ~outcome,
	.last_flags = s->flags & outcome
      };
    }
  f->window.nevents = tb_recording_events (f, 0, f->info.steps, f->window.events,
					   f->nevents);
  return &f->window;
}

size_t
tb_recording_events (struct tb_recording *recording, uint64_t first,
		     uint64_t last, struct tb_event *events, size_t capacity)
{
  size_t n = 0;
  recording->read_whole += first == 0 && last >= recording->info.steps;
  for (size_t i = 0; i < recording->nevents; i++)
    if (recording->events[i].step >= first
	&& recording->events[i].step <= last)
      {
	if (n < capacity)
	  {
	    const struct tb_decoder *d = recording->decoder;
	    events[n] = recording->events[i];
	    /* What has no number is as the test says.  */
	    if (tb_exception_enters ((enum tb_exception) events[n].taken))
	      events[n].taken
		= (uint8_t) tb_exception_kind (d != NULL
					       ? (enum tb_exception_numbers)
						 d->protocol->exceptions
					       : TB_NUMBERS_VECTORS,
					       recording->profile.is_m,
					       events[n].exception);
	  }
	n++;
      }
  return n;
}

bool
tb_recording_no_memory (const struct tb_recording *r)
{
  (void) r;
  return false;
}

void
tb_recording_lacks_memory (struct tb_recording *r)
{
  (void) r;
}

bool
tb_recording_context (struct tb_recording *recording, uint64_t step,
		      struct tb_event *context)
{
  bool found = false;
  for (size_t i = 0; i < recording->nevents; i++)
    if (recording->events[i].kind == TB_EVENT_CONTEXT
	&& recording->events[i].step <= step)
      {
	*context = recording->events[i];
	found = true;
      }
  return found;
}

bool
tb_recording_transfers (struct tb_recording *f, uint64_t first, uint64_t end,
			struct tb_transfer **transfers, size_t *count)
{
  *transfers = calloc (f->ntransfers + 1, sizeof **transfers);
  *count = 0;
  for (size_t i = 0; *transfers != NULL && i < f->ntransfers; i++)
    if (f->transfers[i].step >= first && f->transfers[i].step < end)
      (*transfers)[(*count)++] = f->transfers[i];
  return *transfers != NULL;
}

static void *
grow (void *items, size_t *room, size_t count, size_t size)
{
  if (count == *room)
    {
      *room = *room != 0 ? 2 * *room : 64;
      items = realloc (items, *room * size);
      if (items == NULL)
	abort ();
    }
  return items;
}

struct tb_recording *
fake_new (enum tb_arch arch)
{
  struct tb_recording *f = calloc (1, sizeof *f);
  if (f == NULL)
    abort ();
  f->profile = (struct tb_profile) { .arch = arch,
				     .is_m = arch != TB_ARCH_V8A
					     && arch != TB_ARCH_V7A,
				     .has_a64 = arch == TB_ARCH_V8A,
				     .name = "fake" };
  f->isa = arch == TB_ARCH_V8A ? TB_ISA_A64
	   : arch == TB_ARCH_V7A ? TB_ISA_A32 : TB_ISA_T32;
  f->info.lead_in = UINT64_MAX;
  f->core.name = "core";
  f->core.regs = f->regs;
  return f;
}

void
fake_free (struct tb_recording *f)
{
  tb_memmap_free (f->map);
  forget_window (f);
  for (size_t i = 0; i < f->nregions; i++)
    if (f->items[i] != 0)
      free ((void *) f->regions[i].data);
  free (f->steps);
  free (f->events);
  free (f->transfers);
  free (f);
}

/* Give the regions what their arrays have now.  */
static void
refresh (struct tb_recording *f)
{
  for (size_t i = 0; i < f->nregions; i++)
    for (size_t at = 0; f->items[i] != 0 && at < f->regions[i].length; at++)
      ((uint8_t *) f->regions[i].data)[at]
	= (uint8_t) target_load_items (f->arrays[i], f->items[i], at, 1);
}

void
fake_dump_items (struct tb_recording *f, uint64_t address, const void *data,
		 size_t item, uint64_t length)
{
  if (f->nregions == FAKE_REGIONS)
    abort ();
  if (target_swap (item) != 0)
    {
      f->arrays[f->nregions] = data;
      f->items[f->nregions] = item;
      data = malloc (length);
      if (data == NULL)
	abort ();
    }
  f->regions[f->nregions++] = (struct tb_region) {
    .address = address, .length = length, .access = TB_ACCESS_UNKNOWN,
    .halt_contents = true, .data = data, .name = "dump"
  };
  refresh (f);
}

void
fake_raw_step (struct tb_recording *f, uint64_t pc, uint32_t opcode,
	       unsigned size, unsigned flags)
{
  f->steps = grow (f->steps, &f->steps_room, f->info.steps,
		   sizeof *f->steps);
  /* As recordings say it.  */
  for (size_t i = f->nevents;
       i > 0 && f->events[i - 1].step == f->info.steps; i--)
    flags |= TB_STEP_EVENTS
	     | (f->events[i - 1].kind == TB_EVENT_GAP ? TB_STEP_AFTER_GAP : 0);
  f->steps[f->info.steps++] = (struct tb_step) {
    .pc = pc, .opcode = opcode, .size = (uint8_t) size,
    .isa = f->isa,
    .flags = (uint8_t) flags
  };
}

void
fake_step (struct tb_recording *f, uint32_t pc, unsigned flags)
{
  refresh (f);
  for (size_t i = 0; i < f->nregions; i++)
    if (pc - f->regions[i].address < f->regions[i].length)
      {
	const uint8_t *at = f->regions[i].data + (pc - f->regions[i].address);
	uint32_t opcode = at[0] | (uint32_t) at[1] << 8;
	unsigned size = f->isa != TB_ISA_T32 ? 4 : tb_t32_size (opcode);
	if (f->isa != TB_ISA_T32)
	  opcode |= (uint32_t) at[2] << 16 | (uint32_t) at[3] << 24;
	else if (size == 4)
	  opcode = opcode << 16 | at[2] | (uint32_t) at[3] << 8;
	fake_raw_step (f, pc, opcode, size, flags);
	return;
      }
  abort ();
}

uint32_t
fake_run (struct tb_recording *f, uint32_t pc, unsigned count)
{
  for (; count > 0; count--)
    {
      fake_step (f, pc, 0);
      pc += f->steps[f->info.steps - 1].size;
    }
  return pc;
}

struct tb_event *
fake_event (struct tb_recording *f, enum tb_event_kind kind, uint64_t address)
{
  f->events = grow (f->events, &f->events_room, f->nevents,
		    sizeof *f->events);
  struct tb_event *e = &f->events[f->nevents++];
  *e = (struct tb_event) { .step = f->info.steps, .kind = (uint8_t) kind,
			   .address = address,
			   .exception = TB_EXCEPTION_UNKNOWN };
  f->info.exceptions += kind == TB_EVENT_EXCEPTION;
  return e;
}

struct tb_transfer *
fake_transfer (struct tb_recording *f, uint32_t address, uint32_t value)
{
  f->transfers = grow (f->transfers, &f->transfers_room, f->ntransfers,
		       sizeof *f->transfers);
  struct tb_transfer *t = &f->transfers[f->ntransfers++];
  *t = (struct tb_transfer) { .step = f->info.steps - 1, .address = address,
			      .address_bits = 32, .value = value,
			      .has_value = true, .index = f->ntransfers,
			      .late_index = f->ntransfers };
  if (t > f->transfers && t[-1].step == t->step && t[-1].by == TB_BY_STEP)
    t->part = t[-1].part + 1;
  return t;
}

void
fake_reg (struct tb_recording *f, const char *name, uint64_t value)
{
  if (f->core.nregs == FAKE_REGS)
    abort ();
  struct tb_device_reg *reg = &f->regs[f->core.nregs++];
  bool is_double = name[0] == 'D';
  *reg = (struct tb_device_reg) {
    .name = name, .bits = is_double ? 64 : 32, .value = value
  };
  TARGET_STORE (f->bytes[reg - f->regs], 0, sizeof value, value);
  reg->bytes = f->bytes[reg - f->regs];
}

void
fake_end (struct tb_recording *f, uint64_t pc, bool halted)
{
  f->info.end_known = true;
  f->info.end_pc = pc;
  if (halted)
    fake_reg (f, "PC", pc);
}

static void
count (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  (void) message;
}

struct tb_state *
fake_open (struct tb_recording *f)
{
  f->diag.report = count;
  refresh (f);
  tb_memmap_free (f->map);
  f->map = tb_memmap_new ();
  for (size_t i = 0; i < f->nregions; i++)
    if (tb_memmap_add (f->map, &f->regions[i], NULL) != TB_OK)
      abort ();
  if (tb_memmap_seal (f->map, NULL) != TB_OK)
    abort ();
  f->options.core = &f->core;
  return tb_state_open (f, &f->options, &f->diag);
}

bool
fake_known (struct tb_state *state, uint64_t step, unsigned reg,
	    uint32_t *value)
{
  struct tb_value values[TB_NREGS_MAX];
  tb_state_registers (state, step, values);
  *value = (uint32_t) values[reg].bits;
  return values[reg].mask == UINT32_MAX && values[reg].origin != TB_UNKNOWN;
}

bool
fake_word (struct tb_state *state, uint64_t step, uint32_t address,
	   uint32_t *value)
{
  uint8_t bytes[4], origins[4];
  size_t n = tb_state_memory (state, step, address, bytes, origins, 4);
  *value = bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16
	   | (uint32_t) bytes[3] << 24;
  return n == 4;
}

bool
fake_same_memory (const struct tb_recording *fake, struct tb_state *state)
{
  enum { AROUND = 16, MOST = 1024 };
  uint8_t bytes[MOST], origins[MOST], byte, origin;
  for (size_t i = 0; i < 3 * fake->nregions; i++)
    {
      const struct tb_region *r = &fake->regions[i / 3];
      uint64_t step = i % 3 * fake->info.steps / 2;
      uint64_t first = r->address > AROUND ? r->address - AROUND : 0;
      uint64_t length = r->address - first + r->length + AROUND;
      size_t n = length < MOST ? (size_t) length : MOST, sum = 0;
      size_t known = tb_state_memory (state, step, first, bytes, origins, n);
      for (size_t k = 0; k < n; k++)
	{
	  sum += tb_state_memory (state, step, first + k, &byte, &origin, 1);
	  if (byte != bytes[k] || origin != origins[k])
	    return false;
	}
      if (sum != known)
	return false;
    }
  return true;
}
