/* Scenarios of levels: a program, its trace and the stack that is expected at each step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A test program that includes this has one window, and symbols of its own.  */

#ifndef TB_UNIT_LEVEL_SCENARIO_H
#define TB_UNIT_LEVEL_SCENARIO_H

#include <stdlib.h>

#include "check.h"
#include "decode/exception.h"
#include "fake-recording.h"
#include "recording/levels.h"
#include "recording/open-exceptions.h"
#include "recording/window.h"

/* The functions of all programs: 0x40 bytes each from 0x100 on.  */
struct tb_symbols
{
  struct tb_function functions[6];
};

static struct tb_symbols symbols = {
  .functions = {
    { 0x100, 0x140, "main", true, 0 }, { 0x140, 0x180, "f", true, 0 },
    { 0x180, 0x1c0, "g", true, 0 },
    { 0x1c0, 0x200, "h", true, 0 }, { 0x200, 0x240, "i", true, 0 }, { 0x240, 0x280, "j", true, 0 }
  }
};

const struct tb_function *
tb_symbols_functions (const struct tb_symbols *s, size_t *count)
{
  *count = 6;
  return s->functions;
}

const struct tb_function *
tb_symbols_function_at (const struct tb_symbols *s, uint64_t address)
{
  return address >= 0x100 && address < 0x280
	 ? &s->functions[(address - 0x100) / 0x40] : NULL;
}

char *
tb_symbols_demangle (const char *name)
{
  (void) name;
  return NULL;
}

/* The recording is one window.  */
static struct tb_window window;

size_t
tb_recording_windows (const struct tb_recording *recording)
{
  (void) recording;
  return 1;
}

const struct tb_window *
tb_recording_window (struct tb_recording *recording, size_t number)
{
  (void) recording;
  (void) number;
  return &window;
}

/* The scenario.  */
#define STEPS 256
#define TEXT 128
#define TAKEN TB_STEP_TAKEN

static struct tb_recording *fake;
static uint8_t code[0x400];
static const char *expected[STEPS];
static uint64_t stack_pointers[STEPS];	/* 0: not known.  */
static uint64_t asked;			/* How often.  */
static const char *scenario;

static inline void
begin (const char *name, enum tb_arch arch)
{
  scenario = name;
  memset (code, 0, sizeof code);
  memset (stack_pointers, 0, sizeof stack_pointers);
  asked = 0;
  fake = fake_new (arch);
  fake_dump (fake, 0, code, sizeof code);
}

static inline void
half (uint32_t address, unsigned value)
{
  code[address] = (uint8_t) value;
  code[address + 1] = (uint8_t) (value >> 8);
}

static inline void
word (uint32_t address, uint32_t value)
{
  half (address, value & 0xffff);
  half (address + 2, value >> 16);
}

#define NOP 0xbf00
#define BX_LR 0x4770
#define BX_R3 0x4718
#define BLX_R3 0x4798
#define POP_PC 0xbd00
#define MOV_PC_R3 0x469f
#define UDF 0xde00

/* T32 BL (encoding T1) and B (T2).  */
static inline void
bl (uint32_t address, uint32_t target)
{
  uint32_t offset = target - address - 4;
  half (address, 0xf000 | (offset >> 12 & 0x7ff));
  half (address + 2, 0xf800 | (offset >> 1 & 0x7ff));
}

static inline void
b (uint32_t address, uint32_t target)
{
  half (address, 0xe000 | ((target - address - 4) >> 1 & 0x7ff));
}

static inline void
step (uint32_t pc, unsigned flags, const char *stack)
{
  expected[fake->info.steps] = stack;
  fake_step (fake, pc, flags);
}

static inline void
exception (unsigned number, uint64_t back, unsigned flags)
{
  struct tb_event *e = fake_event (fake, TB_EVENT_EXCEPTION, back);
  fake->info.exceptions++;
  e->exception = (uint16_t) number;
  e->flags = (uint8_t) flags;
}

/* What is no entry, of a kind of decode/exception.h.  */
static inline void
no_entry (enum tb_exception kind, uint64_t back)
{
  exception (TB_EXCEPTION_UNKNOWN, back, 0);
  fake->events[fake->nevents - 1].taken = (uint8_t) kind;
}

static inline void
returned (void)
{
  fake_event (fake, TB_EVENT_EXCEPTION_RETURN, 0);
}

static inline void
gap (void)
{
  fake_event (fake, TB_EVENT_GAP, 0);
}

static inline void
make_window (void)
{
  static struct tb_run runs[STEPS];
  window = (struct tb_window) { .valid = true, .runs = runs,
				.events = fake->events,
				.nevents = fake->nevents,
				.end = fake->info.steps };
  for (uint64_t i = 0; i < fake->info.steps; i++)
    {
      const struct tb_step *s = &fake->steps[i];
      struct tb_run *last = window.nruns > 0 ? &runs[window.nruns - 1] : NULL;
      bool event = false;
      for (size_t k = 0; k < fake->nevents; k++)
	event |= fake->events[k].step == i;
      if (last == NULL || last->last_flags != 0 || event || last->end != s->pc)
	{
	  last = &runs[window.nruns++];
	  *last = (struct tb_run) { .step = i, .start = s->pc, .isa = s->isa,
				    .space = s->space };
	}
      last->count++;
      last->end = s->pc + s->size;
      last->last_flags = s->flags & (TB_STEP_TAKEN | TB_STEP_NOT_TAKEN);
    }
}

struct drawn
{
  char stacks[STEPS][TEXT];
  size_t open, deepest;
  char returns[TEXT];		/* Steps that return.  */
  bool nested;
};

static inline bool
open_one (void *context, struct tb_level *levels, size_t count, uint64_t at)
{
  struct drawn *d = context;
  d->nested &= count == ++d->open
	       && (levels[count - 1].step == at
		   || (levels[count - 1].resumed && levels[count - 1].step < at));
  d->deepest = count > d->deepest ? count : d->deepest;
  return true;
}

static inline bool
close_one (void *context, struct tb_level *levels, size_t count, uint64_t at,
	   enum tb_level_end end, uint64_t by)
{
  struct drawn *d = context;
  d->nested &= count == d->open-- && levels[count - 1].step <= at;
  size_t used = strlen (d->returns);
  if (end == TB_LEVEL_RETURNED)
    snprintf (d->returns + used, sizeof d->returns - used, "%s%" PRIu64,
	      used > 0 ? " " : "", by);
  return true;
}

static inline bool
ran (void *context, struct tb_level *levels, size_t count, uint64_t at,
     uint64_t address, uint32_t instructions)
{
  struct drawn *d = context;
  for (uint32_t n = 0; n < instructions; n++)
    for (size_t i = 0; i < count; i++)
      {
	char *text = d->stacks[at + n];
	const struct tb_level *l = &levels[i];
	size_t used = strlen (text);
	const char *comma = i > 0 ? ";" : "";
	if (l->kind == TB_LEVEL_EXCEPTION)
	  snprintf (text + used, TEXT - used, "%s[%u]", comma, l->number);
	else if (l->kind == TB_LEVEL_TASK)
	  snprintf (text + used, TEXT - used, "T%u", l->number);
	else if (l->function != NULL)
	  snprintf (text + used, TEXT - used, "%s%s", comma, l->function->name);
	else
	  snprintf (text + used, TEXT - used, "%s%" PRIx64, comma, l->address);
      }
  (void) address;
  return true;
}

static inline bool
sp_at (void *context, uint64_t at, uint64_t *sp)
{
  (void) context;
  asked++;
  *sp = stack_pointers[at];
  return *sp != 0;
}

/* How many calls are drawn in D as under way at step AT, in place of whose first instruction, or
   before it, an exception was taken; the last one's step into *LAST.  */
static inline size_t
drawn_entries (const struct drawn *d, uint64_t at, uint64_t *last)
{
  size_t count = 0;
  for (uint64_t i = 1; i <= at; i++)
    {
      const char *caller = d->stacks[i - 1], *text = d->stacks[i];
      size_t used = strlen (caller), call = used + 1;
      if (strncmp (text, caller, used) != 0 || text[used] != ';' || text[call] == '[')
	continue;
      call += strcspn (text + call, ";");
      bool open = text[call] == ';' && text[call + 1] == '[';
      for (uint64_t k = i; k <= at; k++)
	open &= strncmp (d->stacks[k], text, call) == 0
		&& (d->stacks[k][call] == ';' || d->stacks[k][call] == 0);
      *last = open ? i : *last;
      count += open;
    }
  return count;
}

/* Are the exceptions under way at each step those that levels without names have?  */
static inline void
check_open_exceptions (void)
{
  static struct drawn d;
  struct tb_open_exception open[STEPS];
  memset (&d, 0, sizeof d);
  const struct tb_level_user user = {
    .open = open_one, .close = close_one, .ran = ran, .context = &d,
    .sp = sp_at
  };
  const struct tb_open_exceptions_user asked_by = { .sp = sp_at };
  CHECK (tb_levels_walk (fake, NULL, &user));
  struct tb_open_exceptions *all = tb_open_exceptions_new (fake, &asked_by);
  CHECK (all != NULL);
  for (uint64_t i = 0; i < fake->info.steps && all != NULL; i++)
    {
      size_t drawn = 0;
      for (const char *at = d.stacks[i]; (at = strchr (at, '[')) != NULL; at++)
	drawn++;
      size_t count = tb_open_exceptions_at (all, i, open, STEPS);
      if (!CHECK (count == drawn))
	fprintf (stderr, "%s: step %" PRIu64 ": %zu exceptions, drawn \"%s\"\n",
		 scenario, i, count, d.stacks[i]);
      for (size_t k = 0; k < count; k++)
	CHECK (open[k].first <= (k > 0 ? open[k - 1].first : i)
	       && (open[k].called == UINT64_MAX
		   || (open[k].called > open[k].first && open[k].called <= i)));
      uint64_t entries[STEPS], last = UINT64_MAX;
      size_t want = drawn_entries (&d, i, &last);
      size_t entered = tb_open_exceptions_entries (all, i, entries, STEPS);
      if (!CHECK (entered == want && (entered == 0 || entries[0] == last)))
	fprintf (stderr, "%s: step %" PRIu64 ": %zu entries, drawn \"%s\"\n", scenario, i,
		 entered, d.stacks[i]);
      struct tb_exception_over taken[STEPS];
      struct tb_event events[STEPS];
      size_t here = tb_open_exceptions_taken (all, i, taken, STEPS), still = 0, begun = 0;
      size_t nevents = tb_recording_events (fake, i, i, events, STEPS);
      for (size_t k = 0; k < nevents; k++)
	begun += events[k].kind == TB_EVENT_EXCEPTION
		 && tb_exception_enters ((enum tb_exception) events[k].taken);
      CHECK (here == begun);
      for (size_t k = 0; k < here; k++)
	{
	  still += taken[k].over > i;
	  CHECK (taken[k].over >= i && !(taken[k].left && taken[k].innermost));
	}
      for (size_t k = 0; k < count; k++)
	still -= open[k].first == i;
      CHECK (still == 0);
      uint64_t first, over;
      bool left = tb_open_exceptions_outermost (all, i, 0, STEPS, &first, &over);
      bool among = false;
      for (size_t k = 0; k < count; k++)
	among |= left && open[k].first == first;
      CHECK (among == left && (!left || (first <= i && i < over)));
      CHECK (!tb_open_exceptions_outermost (all, i, i + 1, STEPS, &first, &over));
      CHECK (!tb_open_exceptions_outermost (all, i, 0, i, &first, &over));
    }
  tb_open_exceptions_free (all);
}

/* What else is to be checked of the tasks of a scenario; NULL: nothing.  */
static void (*check_tasks) (const struct tb_tasks *tasks);

/* Compare, and drop the scenario.  RETURNS: the steps that return; NULL: not
   compared.  */
static inline void
end (const char *returns, bool named)
{
  static struct drawn d;
  memset (&d, 0, sizeof d);
  d.nested = true;
  struct tb_level_user user = {
    .open = open_one, .close = close_one, .ran = ran, .context = &d,
    .sp = sp_at
  };
  make_window ();
  fake->map = tb_memmap_new ();
  CHECK (fake->map != NULL
	 && tb_memmap_add (fake->map, &fake->regions[0], NULL) == TB_OK
	 && tb_memmap_seal (fake->map, NULL) == TB_OK);
  struct tb_tasks *tasks = tb_tasks_new (fake, named ? &symbols : NULL);
  CHECK (tasks != NULL);
  user.tasks = tasks;
  CHECK (tb_levels_walk (fake, named ? &symbols : NULL, &user));
  if (check_tasks != NULL)
    check_tasks (tasks);
  check_tasks = NULL;
  tb_tasks_free (tasks);
  for (uint64_t i = 0; i < fake->info.steps; i++)
    if (!CHECK (expected[i] == NULL || strcmp (d.stacks[i], expected[i]) == 0))
      fprintf (stderr, "%s: step %" PRIu64 ": drawn \"%s\", expected \"%s\"\n",
	       scenario, i, d.stacks[i], expected[i]);
  CHECK (d.nested);
  CHECK_INT (d.open, 0);
  if (returns != NULL && !CHECK (strcmp (d.returns, returns) == 0))
    fprintf (stderr, "%s: returns: \"%s\", expected \"%s\"\n", scenario,
	     d.returns, returns);
  uint64_t before = asked;
  check_open_exceptions ();
  asked = before;
  fake_free (fake);
}

#endif /* TB_UNIT_LEVEL_SCENARIO_H */
