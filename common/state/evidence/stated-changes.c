/* What lies between the steps of a log.  See stated.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   On the M profile a return from an exception is a branch behind which IPSR has
   changed; an entry is an event, with the frame that it stores if the log has lines
   of memory.  Where one handler goes on to the next there is no frame, although
   others have theirs.  Elsewhere, and where an instruction went on to where it does
   not lead, anything may have happened.  */

#include "config.h"
#include "state/evidence/stated.h"

#include <string.h>
#include <strings.h>

#include "decode/element.h"
#include "recording/facts-memory.h"
#include "util/number.h"

#define BATCH 1024

/* The translation regime of MODE: 1, 2 and 3 for EL1, EL2 and EL3.  */
static unsigned
regime_of (const char *mode)
{
  if (strncasecmp (mode, "EL", 2) == 0)
    return mode[2] == '2' ? 2 : mode[2] == '3' ? 3 : 1;
  return strncasecmp (mode, "hyp", 3) == 0 ? 2 : 1;
}

/* Do instructions in the modes BEFORE and AFTER, as a log calls them, see the same
   memory at an address?  */
static bool
same_regime (const char *before, const char *after)
{
  const char *x = strchr (before, '_'), *y = strchr (after, '_');
  return before == after || strcmp (before, after) == 0
	 || (regime_of (before) == regime_of (after)
	     && strcmp (x != NULL ? x : "", y != NULL ? y : "") == 0);
}

/* Bits of the PSR that branches change: T; BTYPE and IT.  */
#define BRANCH_BITS UINT32_C (0x0600fc20)

/* And those that other instructions change: N, Z, C, V, Q and GE.  */
#define RESULT_BITS UINT32_C (0xf80f0000)

bool
tb_stated_takes_exception (const struct tb_columns *f, uint64_t step)
{
  const struct tb_facts_register *psr = tb_facts_find (f, "psr");
  uint32_t before, after, mask;
  if (tb_facts_step (f, step - 1)->mode != tb_facts_step (f, step)->mode)
    return true;
  return psr != NULL && tb_facts_register (psr, 0, step - 1, &before, &mask)
	 && tb_facts_register (psr, 0, step, &after, &mask)
	 && ((before ^ after) & ~(BRANCH_BITS | RESULT_BITS)) != 0;
}

bool
tb_stated_goes_on (const struct tb_columns *f, uint64_t step,
		   const struct tb_step *previous, uint64_t pc,
		   const struct tb_profile *profile)
{
  uint32_t before = 0, after = 0, mask;
  struct tb_flow flow;
  bool end = step == f->steps;
  const char *from = f->modes[tb_facts_step (f, step - 1)->mode];
  const char *to = end ? from : f->modes[tb_facts_step (f, step)->mode];
  if (previous->size == 0)
    return true;
  if (!end && (!tb_step_leads_to (previous, pc, profile)
	       || !same_regime (from, to)))
    return false;
  if (!end && !(previous->flags & TB_STEP_TAKEN))
    return true;
  tb_step_flow (&flow, previous, profile);
  if (flow.kind != TB_FLOW_INDIRECT)
    return true;
  bool told = f->events.size != 0;
  if (flow.sub == TB_SUB_ERET)
    return told;
  const struct tb_facts_register *psr = tb_facts_find (f, "psr");
  if (psr == NULL)
    return told;
  tb_facts_register (psr, 0, step - 1, &before, &mask);
  if (!tb_facts_register (psr, 0, step, &after, &mask))
    return told;
  return ((before ^ after) & ~BRANCH_BITS) == 0;
}

static bool
is_indirect (const struct tb_step *step, const struct tb_profile *profile)
{
  struct tb_flow flow;
  tb_step_flow (&flow, step, profile);
  return flow.kind == TB_FLOW_INDIRECT
	 && !(step->flags & TB_STEP_NOT_TAKEN);
}

bool
tb_stated_frame (const struct tb_columns *f, uint64_t step, uint32_t *address)
{
  enum { MOST = 64, WORDS = TB_STATED_FRAME / 4 };
  struct tb_facts_access some[MOST];
  uint8_t bytes[TB_STATED_FRAME], known[TB_STATED_FRAME];
  size_t n = step > 0 ? tb_facts_accesses (f, step - 1, some, MOST) : 0;
  unsigned words = 0, seen = 0;
  uint64_t base = UINT64_MAX;
  if (n > MOST)
    return false;
  for (size_t i = 0; i < n; i++)
    if ((some[i].flags & (TB_FACTS_WRITE | TB_FACTS_EVENT | TB_FACTS_PORT
			  | TB_FACTS_BUS | TB_FACTS_ABORTED))
	== (TB_FACTS_WRITE | TB_FACTS_EVENT))
      {
	if (some[i].length != 4)
	  return false;
	words++;
	if (some[i].address < base)
	  base = some[i].address;
      }
  if (words != WORDS || base % 4 != 0 || base > UINT32_MAX - TB_STATED_FRAME)
    return false;
  for (size_t i = 0; i < n; i++)
    if (some[i].flags & TB_FACTS_EVENT && some[i].flags & TB_FACTS_WRITE
	&& some[i].address - base < TB_STATED_FRAME
	&& some[i].address % 4 == 0)
      seen |= 1u << (some[i].address - base) / 4;
  *address = (uint32_t) base;
  return seen == (1u << WORDS) - 1
	 && tb_facts_memory (f, step, base, bytes, known, sizeof bytes)
	    == sizeof bytes;
}

/* Word NUMBER of the frame at ADDRESS, before STEP.  */
static uint32_t
frame_word (const struct tb_columns *f, uint64_t step, uint32_t address,
	    unsigned number)
{
  uint8_t bytes[4], known[4];
  tb_facts_memory (f, step, address + 4 * number, bytes, known, 4);
  return tb_number_32 (bytes);
}

/* The exception number in xPSR before STEP; UINT32_MAX: not told.  */
static uint32_t
ipsr_at (const struct tb_facts_register *psr, uint64_t step)
{
  uint32_t value, mask;
  if (psr == NULL || !tb_facts_register (psr, 0, step, &value, &mask)
      || (mask & TB_PSR_IPSR) != TB_PSR_IPSR)
    return UINT32_MAX;
  return value & TB_PSR_IPSR;
}

struct finder
{
  struct tb_state *state;
  const struct tb_columns *facts;
  const struct tb_facts_register *psr;
  /* The exception number before the step that is looked at, the one before that,
     and the next change of xPSR.  */
  uint32_t now, before;
  size_t change;
  bool events, frames;		/* The log shows exceptions, and their frames.  */
  bool lines;			/* Rely on lines alone.  */
  bool failed;
};

/* Exceptions that are looked at for a frame.  */
#define LOOK_MOST 64

static bool
shows_frames (const struct tb_columns *f)
{
  const struct tb_event *events = (const struct tb_event *) f->events.data;
  size_t n = TB_COLUMN_COUNT (&f->events, struct tb_event), looked = 0;
  for (size_t i = 0; i < n && looked < LOOK_MOST; i++)
    {
      uint32_t address;
      if (events[i].kind != TB_EVENT_EXCEPTION)
	continue;
      if (tb_stated_frame (f, events[i].step, &address))
	return true;
      looked++;
    }
  return false;
}

static void
add (struct finder *f, uint64_t step, struct tb_change change)
{
  struct tb_state *s = f->state;
  change.step = step - s->base;
  f->failed |= !tb_state_add_change (s, &change);
  if (change.step < s->steps)
    s->info[change.step] = TB_INFO_EVENTS;
}

static void
add_lost (struct finder *f, uint64_t step)
{
  add (f, step, (struct tb_change) { .kind = TB_CHANGE_LOST, .address = 1 });
}

size_t
tb_stated_events (struct tb_recording *recording, uint64_t step,
		  struct tb_event *events)
{
  struct tb_event all[2 * TB_STATED_EVENTS];
  size_t count = tb_recording_events (recording, step, step, all,
				      2 * TB_STATED_EVENTS), found = 0;
  if (count > 2 * TB_STATED_EVENTS)
    return count;
  for (size_t i = 0; i < count; i++)
    if (all[i].kind != TB_EVENT_EXCEPTION_RETURN
	&& found++ < TB_STATED_EVENTS)
      events[found - 1] = all[i];
  return found;
}

/* Is EXCEPTION one that leaves general registers alone?  Not a reset, nor one that was
   concluded only from where execution went on: something may have run that is not
   told.  */
static bool
is_told (const struct tb_columns *f, const struct tb_event *exception)
{
  return exception->taken != TB_EXC_RESET
	 && (exception->exception != TB_EXCEPTION_UNKNOWN
	     || !(exception->flags & TB_EXCEPTION_NO_RETURN)
	     || tb_stated_takes_exception (f, exception->step));
}

bool
tb_stated_goes_through (const struct tb_columns *f, const struct tb_event *events,
			size_t count)
{
  bool through = count <= TB_STATED_EVENTS;
  for (size_t i = 0; i < count && through; i++)
    through = events[i].kind == TB_EVENT_EXCEPTION && is_told (f, &events[i]);
  return through;
}

/* The EXC_RETURN by which PREVIOUS, the step before STEP, returned; 0: not told.  */
static uint32_t
exc_return_of (const struct finder *f, uint64_t step,
	       const struct tb_step *previous)
{
  enum { MOST = 16 };
  struct tb_access_info loads[MOST];
  struct tb_value values[TB_NREGS_MAX];
  const struct tb_state_log *log = f->state->stated;
  unsigned reg = previous->opcode >> 3 & 15;
  uint32_t value = 0;
  if (previous->size == 2 && (previous->opcode & 0xff87) == 0x4700)
    {
      tb_state_log_some (log, step - 1, UINT64_C (1) << reg, values);
      if (values[reg].mask == UINT32_MAX)
	value = (uint32_t) values[reg].bits;
    }
  else
    {
      /* The PC is the last that it loads.  */
      size_t n = tb_state_log_accesses (f->state->stated, step - 1, loads,
					MOST);
      if (n > 0 && n <= MOST && !loads[n - 1].store
	  && loads[n - 1].value_known && loads[n - 1].length == 4)
	value = (uint32_t) loads[n - 1].value;
    }
  return value >= UINT32_C (0xffffff80) && !f->lines ? value : 0;
}

/* The exception EVENT before STEP, behind PREVIOUS.  */
static void
add_entry (struct finder *f, uint64_t step, const struct tb_step *previous,
	   const struct tb_event *event)
{
  struct tb_change entry = { .kind = TB_CHANGE_ENTRY, .taken = event->taken,
			     .number = event->exception };
  uint32_t frame, lr, mask;
  bool told = event->taken != TB_EXC_RESET && f->before != UINT32_MAX && f->now != UINT32_MAX;
  bool may_return = is_indirect (previous, f->state->profile)
		    && f->before != 0;
  if (told && tb_stated_frame (f->facts, step, &frame))
    {
      uint32_t psr = frame_word (f->facts, step, frame, 7);
      entry.address = frame_word (f->facts, step, frame, 6) & ~UINT32_C (1);
      bool returned = may_return && (psr & TB_PSR_IPSR) != f->before;
      bool leads = (returned && !f->lines) || entry.address == (uint32_t) previous->pc
		   || tb_step_leads_to (previous, entry.address,
					  f->state->profile);
      leads &= !f->lines || (!may_return && (psr & TB_PSR_IPSR) == f->before);
      /* The handler that was left may have returned first.  */
      if (returned && leads)
	add (f, step, (struct tb_change) { .kind = TB_CHANGE_RETURN,
					   .address = entry.address });
      if (leads)
	add (f, step, entry);
      else
	add_lost (f, step);
      return;
    }
  const struct tb_facts_register *reg = tb_facts_find (f->facts, "lr");
  entry.kind = TB_CHANGE_TAIL;
  if (told && f->frames && !f->lines && may_return && reg != NULL
      && tb_facts_register (reg, 0, step, &lr, &mask)
      && (lr & mask) >= UINT32_C (0xffffff00))
    add (f, step, entry);
  else if (told && event->taken == TB_EXC_CALL && !may_return
	   && f->facts->totals.reads + f->facts->totals.writes == 0)
    {
      /* SVC; without lines of memory.  */
      entry.kind = TB_CHANGE_ENTRY;
      entry.address = (uint32_t) previous->pc + previous->size;
      add (f, step, entry);
    }
  else
    add (f, step, (struct tb_change) { .kind = TB_CHANGE_LOST,
				       .address = is_told (f->facts, event) });
}

/* NOW and BEFORE become those of STEP, before which there is an EVENT; it is the first
   that is looked at if FIRST.  */
static void
follow_psr (struct finder *f, uint64_t step, bool event, bool first)
{
  if (f->psr == NULL)
    return;
  const struct tb_column *column = &f->psr->lanes[0].values.steps;
  const uint32_t *steps = (const uint32_t *) column->data;
  size_t n = TB_COLUMN_COUNT (column, uint32_t);
  bool masked = f->psr->lanes[0].masks.steps.size != 0;
  f->before = f->now;
  if (first)
    {
      f->before = step > 0 ? ipsr_at (f->psr, step - 1) : UINT32_MAX;
      while (f->change < n && steps[f->change] < step)
	f->change++;
    }
  bool changed = f->change < n && steps[f->change] == step;
  f->change += changed;
  if (first || changed || masked)
    f->now = first && f->lines && !changed ? UINT32_MAX
	     : ipsr_at (f->psr, step);
  else if (f->lines && event)
    f->now = UINT32_MAX;
}

/* What lies between PREVIOUS and the step behind it, NEXT (NULL: there is none),
   which is number STEP.  */
static void
look_between (struct finder *f, uint64_t step, const struct tb_step *previous,
	      const struct tb_step *next)
{
  const struct tb_state *s = f->state;
  struct tb_event events[TB_STATED_EVENTS];
  size_t n = 0;
  if (s->a64 != NULL)
    {
      f->failed |= !tb_a64_stated_between (f->state, step, previous, next);
      return;
    }
  if (next == NULL || next->flags & TB_STEP_EVENTS)
    n = tb_stated_events (s->recording, step, events);
  if (n > 0)
    {
      if (n == 1 && s->profile->is_m && next != NULL
	  && events[0].kind == TB_EVENT_EXCEPTION)
	add_entry (f, step, previous, &events[0]);
      else if (tb_stated_goes_through (f->facts, events, n))
	add_lost (f, step);
      else
	add (f, step, (struct tb_change) { .kind = TB_CHANGE_LOST });
      return;
    }
  if (next == NULL)
    {
      if (s->profile->is_m ? f->before != f->now
	  : !tb_stated_goes_on (f->facts, step, previous, 0, s->profile))
	add_lost (f, step);
      return;
    }
  if (s->profile->is_m)
    {
      bool unknown = f->before == UINT32_MAX;
      bool indirect = (unknown || f->before != f->now
		       || (f->lines && (f->before != 0 || !f->events)))
		      && is_indirect (previous, s->profile);
      /* In thread mode a branch is no return; from one handler to another it may
	 be no return, either, where exceptions are no lines.  */
      if (indirect && f->before != f->now && f->before != 0 && !unknown
	  && f->now != UINT32_MAX && (f->now == 0 || f->events))
	{
	  add (f, step, (struct tb_change) {
		 .kind = TB_CHANGE_RETURN, .address = (uint32_t) next->pc,
		 .exc_return = exc_return_of (f, step, previous)
	       });
	  return;
	}
      if (indirect || (!unknown && f->before != f->now))
	{
	  add_lost (f, step);
	  return;
	}
    }
  bool leads = s->profile->is_m
	       ? previous->size == 0
		 || tb_step_leads_to (previous, next->pc, s->profile)
	       : tb_stated_goes_on (f->facts, step, previous, next->pc,
				    s->profile);
  if (!leads)
    add (f, step, (struct tb_change) {
	   .kind = TB_CHANGE_LOST,
	   .address = !s->profile->is_m
		      && tb_stated_takes_exception (f->facts, step)
	 });
}

bool
tb_stated_changes (struct tb_state *s)
{
  struct finder f = { .state = s, .facts = tb_state_log_facts (s->stated),
		      .now = UINT32_MAX, .before = UINT32_MAX,
		      .lines = s->options.stated != TB_STATED_ALL };
  struct tb_step steps[BATCH], previous = { 0 };
  uint64_t total = f.facts->steps, end = s->base + s->steps, at = s->base;
  f.psr = tb_facts_find (f.facts, "psr");
  f.events = f.facts->events.size != 0;
  f.frames = s->profile->is_m && shows_frames (f.facts);
  if (at > 0 && tb_recording_read (s->recording, at - 1, &previous, 1) != 1)
    return true;
  while (at <= end && at < total && !f.failed)
    {
      size_t want = end - at + 1 < BATCH ? (size_t) (end - at + 1) : BATCH;
      size_t got = tb_recording_read (s->recording, at, steps, want);
      for (size_t k = 0; k < got && !f.failed; k++)
	{
	  follow_psr (&f, at + k, steps[k].flags & TB_STEP_EVENTS,
		      at + k == s->base);
	  if (at + k > 0)
	    look_between (&f, at + k, &previous, &steps[k]);
	  previous = steps[k];
	}
      if (got == 0)
	return true;
      at += got;
    }
  if (end == total && end > 0 && !f.failed)
    follow_psr (&f, end, false, false);
  if (end == total && end > 0 && !f.failed)
    look_between (&f, end, &previous, NULL);
  return !f.failed;
}

void
tb_stated_step (const struct tb_state *s, uint64_t i, struct tb_step *step)
{
  const struct tb_columns *f = tb_state_log_facts (s->stated);
  bool last = s->base + i + 1 == f->steps;
  bool changes = i + 1 == s->steps || s->info[i + 1] & TB_INFO_EVENTS;
  size_t count = 0;
  const struct tb_change *change = NULL;
  struct tb_flow flow;
  if (s->a64 != NULL)
    {
      tb_a64_stated_step (s, i, step);
      return;
    }
  if (step->size == 0 || step->flags & TB_STEP_NOT_TAKEN)
    return;
  if (changes)
    change = tb_build_changes (s, i + 1, &count);
  if (count > 0)
    {
      bool entry = change->kind == TB_CHANGE_ENTRY;
      /* It was given up, or may have been.  */
      if (change->kind == TB_CHANGE_LOST
	  || (entry && change->address == (uint32_t) step->pc))
	step->size = 0;
      else if (!entry || change->address != (uint32_t) step->pc + step->size)
	step->flags |= TB_STEP_TAKEN;
    }
  else if (last)
    {
      tb_step_flow (&flow, step, s->profile);
      if (flow.kind == TB_FLOW_BRANCH && flow.conditional)
	step->size = 0;
      else if (flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_INDIRECT)
	step->flags |= TB_STEP_TAKEN;
    }
}

bool
tb_stated_unsure (const struct tb_state *s, const struct tb_template *t)
{
  const struct tb_step step = { .pc = t->pc, .opcode = t->opcode,
				.size = t->size, .isa = t->isa };
  struct tb_flow flow;
  tb_step_flow (&flow, &step, s->profile);
  bool conditional = flow.conditional || t->it < TB_IT_NONE;
  return flow.kind == TB_FLOW_BRANCH && conditional
	 && flow.target == t->pc + t->size;
}
