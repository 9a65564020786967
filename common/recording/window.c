/* Windows of a recording.  See window.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/window.h"

#include <assert.h>
#include <stdlib.h>

#include "util/buffer.h"
#include "util/search.h"

void
tb_window_fini (struct tb_window *w)
{
  free (w->runs);
  free (w->events);
  free (w->transfers);
  *w = (struct tb_window) { 0 };
}

void
tb_window_pass (struct tb_window_start *at, const struct tb_element *e)
{
  at->elements++;
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_NO_SYNC:
    case TB_ELEMENT_TRACE_ON:
    case TB_ELEMENT_NO_CODE:
    case TB_ELEMENT_Q:
      /* Nothing is missing before the first step: the trace begins there.  */
      if (at->step > 0)
	at->gap_before = at->events_before = true;
      break;
    case TB_ELEMENT_TIMESTAMP:
      at->timestamp = e->u.value;
      at->has_timestamp = true;
      at->events_before = true;
      break;
    case TB_ELEMENT_CYCLES:
      if (e->flags & TB_CYCLES_BESIDE)
	break;
      at->cycles += e->u.value;
      at->has_cycles = true;
      at->events_before = true;
      break;
    case TB_ELEMENT_CONTEXT:
      at->has_context = true;
      at->context_flags = e->flags;
      at->context_id = e->u.context.cid;
      at->context_vmid = e->u.context.vmid;
      at->context_el = e->u.context.el;
      at->context_security = e->u.context.security;
      at->events_before = true;
      break;
    case TB_ELEMENT_EXCEPTION:
    case TB_ELEMENT_EXCEPTION_RETURN:
    case TB_ELEMENT_MARKER:
      at->events_before = true;
      break;
    case TB_ELEMENT_RANGE:
    case TB_ELEMENT_EVENT:
    case TB_ELEMENT_TRANSACTION:
    case TB_ELEMENT_INSTRUMENTATION:
    case TB_ELEMENT_SOFTWARE:
    case TB_ELEMENT_ITM:
    case TB_ELEMENT_DWT:
    case TB_ELEMENT_ITM_LOCAL_TIME:
    case TB_ELEMENT_ITM_GLOBAL_TIME:
    case TB_ELEMENT_DATA_ADDRESS:
    case TB_ELEMENT_DATA_VALUE:
    case TB_ELEMENT_CONDITIONAL:
    case TB_ELEMENT_CONDITIONAL_RESULT:
    case TB_ELEMENT_CONDITIONAL_FLUSH:
    case TB_ELEMENT_BAD_PACKET:
    case TB_ELEMENT_END:
      break;
    }
}

/* The event that element E makes, AT being the state after it.  False: it makes
   none.  */
static bool
event_of (struct tb_event *event, const struct tb_element *e,
	  const struct tb_window_start *at, const struct tb_protocol *protocol,
	  const struct tb_profile *profile)
{
  enum tb_exception_numbers numbers
    = (enum tb_exception_numbers) protocol->exceptions;
  uint16_t number;
  *event = (struct tb_event) { .step = at->step, .index = e->index,
			       .flags = e->flags };
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_NO_SYNC:
    case TB_ELEMENT_TRACE_ON:
    case TB_ELEMENT_NO_CODE:
    case TB_ELEMENT_Q:
      if (at->step == 0)
	return false;
      event->kind = TB_EVENT_GAP;
      event->reason = e->reason;
      if (e->kind == TB_ELEMENT_NO_CODE)
	event->address = e->u.address;
      return true;
    case TB_ELEMENT_EXCEPTION:
      event->kind = (e->flags & TB_EXCEPTION_HALT) ? TB_EVENT_HALT
						   : TB_EVENT_EXCEPTION;
      event->address = e->u.exception.return_address;
      number = e->u.exception.number;
      event->taken = (uint8_t) tb_exception_kind (numbers, profile->is_m, number);
      event->exception = number == TB_EXCEPTION_UNKNOWN ? number
			 : (uint16_t) tb_exception_vector (numbers, profile->is_m,
							   number);
      return true;
    case TB_ELEMENT_EXCEPTION_RETURN:
      event->kind = TB_EVENT_EXCEPTION_RETURN;
      event->address = e->u.ret.resume;
      event->value = e->u.ret.exc_return;
      return true;
    case TB_ELEMENT_CONTEXT:
      event->kind = TB_EVENT_CONTEXT;
      event->value = e->u.context.cid;
      event->address = e->u.context.vmid;
      event->el = e->u.context.el;
      event->security = e->u.context.security;
      return true;
    case TB_ELEMENT_TIMESTAMP:
      event->kind = TB_EVENT_TIMESTAMP;
      event->value = at->timestamp;
      return true;
    case TB_ELEMENT_CYCLES:
      if (e->flags & TB_CYCLES_BESIDE)
	return false;
      event->kind = TB_EVENT_CYCLES;
      event->value = at->cycles;
      return true;
    case TB_ELEMENT_MARKER:
      event->kind = TB_EVENT_MARKER;
      return true;
    default:
      return false;
    }
}

static bool
add_event (struct tb_window *w, const struct tb_event *event)
{
  /* The elements of one gap make one event.  */
  if (event->kind == TB_EVENT_GAP && w->nevents > 0)
    {
      struct tb_event *last = &w->events[w->nevents - 1];
      if (last->kind == TB_EVENT_GAP && last->step == event->step)
	{
	  if (last->reason == TB_REASON_NONE)
	    last->reason = event->reason;
	  return true;
	}
    }
  /* Nearly all markers have their timestamp right behind them.  */
  if (event->kind == TB_EVENT_TIMESTAMP && w->nevents > 0)
    {
      struct tb_event *last = &w->events[w->nevents - 1];
      if (last->kind == TB_EVENT_MARKER && last->step == event->step)
	{
	  *last = *event;
	  last->flags |= TB_EVENT_MARKED;
	  return true;
	}
    }
  bool ok = TB_GROW (w->events, w->event_capacity, w->nevents, 1);
  if (ok)
    w->events[w->nevents++] = *event;
  return ok;
}

/* The run that range E makes, AT being the state before it.  */
static inline void
make_run (struct tb_run *run, const struct tb_element *e,
	  const struct tb_window_start *at)
{
  bool branch = e->last_kind == TB_FLOW_BRANCH
		|| e->last_kind == TB_FLOW_INDIRECT;
  run->step = at->step;
  run->start = e->u.range.start;
  run->end = e->u.range.end;
  run->count = e->u.range.count;
  run->isa = e->isa;
  run->space = e->space;
  run->first_flags = (at->events_before ? TB_STEP_EVENTS : 0)
		     | (at->gap_before ? TB_STEP_AFTER_GAP : 0);
  run->last_flags = !(e->flags & TB_RANGE_EXECUTED) ? TB_STEP_NOT_TAKEN
		    : branch ? TB_STEP_TAKEN : 0;
}

bool
tb_window_fill (struct tb_window *w, struct tb_decoder *decoder,
		const struct tb_profile *profile,
		const struct tb_window_start *start, uint64_t stop)
{
  enum { BATCH = 512 };
  struct tb_element elements[BATCH];
  struct tb_window_start at = *start;
  w->nruns = w->nevents = w->ntransfers = 0;
  while (at.elements < stop)
    {
      uint64_t want = stop - at.elements < BATCH ? stop - at.elements : BATCH;
      size_t n = decoder->read (decoder, elements, want);
      if (tb_decoder_no_memory (decoder))
	return false;
      if (n == 0)
	break;
      if (!TB_GROW (w->runs, w->run_capacity, w->nruns, n))
	return false;
      struct tb_run *run = w->runs + w->nruns;
      for (size_t i = 0; i < n; i++)
	{
	  struct tb_event event;
	  if (elements[i].kind == TB_ELEMENT_RANGE)
	    {
	      make_run (run, &elements[i], &at);
	      run += run->count > 0;
	      tb_window_advance (&at, &elements[i]);
	      continue;
	    }
	  tb_window_advance (&at, &elements[i]);
	  if (elements[i].kind == TB_ELEMENT_DATA_ADDRESS
	      || elements[i].kind == TB_ELEMENT_DATA_VALUE)
	    {
	      if (!tb_window_add_transfer (w, &elements[i], &at))
		return false;
	      continue;
	    }
	  if (event_of (&event, &elements[i], &at, decoder->protocol, profile)
	      && !add_event (w, &event))
	    return false;
	}
      w->nruns = (size_t) (run - w->runs);
    }
  w->end = at.step;
  w->after = at;
  return true;
}

size_t
tb_window_event_at (const struct tb_window *w, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, w->nevents, w->events[low].step < step);
  return low;
}

/* A reader of code in sequence that looks the memory map up only when it leaves
   the mapped run it is in.  */
struct code
{
  const struct tb_memmap *map;
  enum tb_space space;
  const uint8_t *bytes;		/* At ADDRESS; LENGTH are there.  */
  uint64_t address, length;
};

/* The SIZE (2 or 4) bytes at ADDRESS, little-endian.  False: not readable.  */
static bool
code_read (struct code *code, uint64_t address, unsigned size, uint32_t *value)
{
  uint64_t offset = address - code->address;
  if (code->bytes == NULL || offset >= code->length)
    {
      code->bytes = tb_memmap_at (code->map, code->space, address,
				  &code->length, NULL);
      code->address = address;
      offset = 0;
    }
  uint8_t across[4];
  const uint8_t *b;
  if (code->bytes == NULL || code->length - offset < size)
    {
      if (tb_memmap_read (code->map, code->space, address, across, size)
	  != size)
	return false;
      b = across;
    }
  else
    b = code->bytes + offset;
  *value = b[0] | (uint32_t) b[1] << 8;
  if (size == 4)
    *value |= (uint32_t) b[2] << 16 | (uint32_t) b[3] << 24;
  return true;
}

/* The instruction at PC: its size, with its opcode in *OPCODE; where it is not
   readable 0.  */
static unsigned
instruction (struct code *code, enum tb_isa isa, uint64_t pc, uint32_t *opcode)
{
  *opcode = 0;
  if (isa == TB_ISA_A64 || isa == TB_ISA_A32)
    return code_read (code, pc, 4, opcode) ? 4 : 0;
  uint32_t first, second;
  if (!code_read (code, pc, 2, &first))
    return 0;
  *opcode = first;
  if (tb_t32_size (first) == 2)
    return 2;
  if (!code_read (code, pc + 2, 2, &second))
    return 0;
  *opcode = first << 16 | second;
  return 4;
}

size_t
tb_window_read (const struct tb_window *w, const struct tb_memmap *map,
		uint64_t first, struct tb_step *steps, size_t count)
{
  /* The last run that begins at or before FIRST.  */
  size_t low = 0, high = w->nruns;
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      if (w->runs[middle].step <= first)
	low = middle;
      else
	high = middle;
    }
  size_t done = 0;
  struct code code = { .map = map };
  for (size_t i = low; i < w->nruns && done < count; i++)
    {
      const struct tb_run *run = &w->runs[i];
      uint64_t skip = first + done - run->step;
      if (skip >= run->count)
	break;
      if (code.space != run->space)
	code = (struct code) { .map = map, .space = run->space };
      uint64_t pc = run->start;
      uint32_t n = 0;
      bool fixed = run->isa == TB_ISA_A64 || run->isa == TB_ISA_A32;
      if (fixed)
	{
	  pc += 4 * skip;
	  n = (uint32_t) skip;
	}
      for (; n < run->count && done < count; n++)
	{
	  uint32_t opcode;
	  unsigned size = instruction (&code, run->isa, pc, &opcode);
	  if (n >= skip)
	    {
	      struct tb_step *s = &steps[done++];
	      s->pc = pc;
	      s->opcode = opcode;
	      s->size = (uint8_t) size;
	      s->isa = run->isa;
	      s->space = run->space;
	      s->flags = n == 0 ? run->first_flags : 0;
	      if (n + 1 == run->count)
		s->flags |= run->last_flags;
	    }
	  pc += size != 0 ? size : fixed ? 4 : 2;
	}
    }
  return done;
}
