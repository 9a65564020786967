/* Levels: which functions are drawn at each step of small programs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A scenario is a program, its trace and the stack that is expected at each step.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
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

static void
begin (const char *name, enum tb_arch arch)
{
  scenario = name;
  memset (code, 0, sizeof code);
  memset (stack_pointers, 0, sizeof stack_pointers);
  asked = 0;
  fake = fake_new (arch);
  fake_dump (fake, 0, code, sizeof code);
}

static void
half (uint32_t address, unsigned value)
{
  code[address] = (uint8_t) value;
  code[address + 1] = (uint8_t) (value >> 8);
}

static void
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
static void
bl (uint32_t address, uint32_t target)
{
  uint32_t offset = target - address - 4;
  half (address, 0xf000 | (offset >> 12 & 0x7ff));
  half (address + 2, 0xf800 | (offset >> 1 & 0x7ff));
}

static void
b (uint32_t address, uint32_t target)
{
  half (address, 0xe000 | ((target - address - 4) >> 1 & 0x7ff));
}

static void
step (uint32_t pc, unsigned flags, const char *stack)
{
  expected[fake->info.steps] = stack;
  fake_step (fake, pc, flags);
}

static void
exception (unsigned number, uint64_t back, unsigned flags)
{
  struct tb_event *e = fake_event (fake, TB_EVENT_EXCEPTION, back);
  fake->info.exceptions++;
  e->exception = (uint16_t) number;
  e->flags = (uint8_t) flags;
}

static void
returned (void)
{
  fake_event (fake, TB_EVENT_EXCEPTION_RETURN, 0);
}

static void
gap (void)
{
  fake_event (fake, TB_EVENT_GAP, 0);
}

static void
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

static bool
open_one (void *context, struct tb_level *levels, size_t count, uint64_t at)
{
  struct drawn *d = context;
  d->nested &= count == ++d->open
	       && (levels[count - 1].step == at
		   || (levels[count - 1].resumed && levels[count - 1].step < at));
  d->deepest = count > d->deepest ? count : d->deepest;
  return true;
}

static bool
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

static bool
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

static bool
sp_at (void *context, uint64_t at, uint64_t *sp)
{
  (void) context;
  asked++;
  *sp = stack_pointers[at];
  return *sp != 0;
}

/* Are the exceptions under way at each step those that levels without names have?  */
static void
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
    }
  tb_open_exceptions_free (all);
}

/* Compare, and drop the scenario.  RETURNS: the steps that return; NULL: not
   compared.  */
static void
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

static void
test_calls (void)
{
  begin ("a call and its return", TB_ARCH_V7M);
  half (0x100, NOP);
  bl (0x102, 0x140);
  half (0x106, NOP);
  half (0x140, NOP);
  half (0x142, BX_LR);
  step (0x100, 0, "main");
  step (0x102, TAKEN, "main");
  step (0x140, 0, "main;f");
  step (0x142, TAKEN, "main;f");
  step (0x106, 0, "main");
  end ("3", true);

  begin ("a tail call takes the place of its caller", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, NOP);
  b (0x142, 0x180);
  half (0x180, POP_PC);
  step (0x100, TAKEN, "main");
  step (0x140, 0, "main;f");
  step (0x142, TAKEN, "main;f");
  step (0x180, TAKEN, "main;g");
  step (0x104, 0, "main");
  end ("3", true);

  begin ("a tail call by a register", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, BX_R3);
  half (0x180, BX_LR);
  step (0x100, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x180, TAKEN, "main;g");
  step (0x104, 0, "main");
  end ("2", true);

  begin ("a function that runs into the next", TB_ARCH_V7M);
  bl (0x100, 0x17e);
  half (0x104, NOP);
  half (0x17e, NOP);
  half (0x180, NOP);
  half (0x182, BX_LR);
  step (0x100, TAKEN, "main");
  step (0x17e, 0, "main;f");
  step (0x180, 0, "main;g");
  step (0x182, TAKEN, "main;g");
  step (0x104, 0, "main");
  end ("3", true);

  begin ("BL to the next instruction is no call", TB_ARCH_V7M);
  bl (0x100, 0x104);
  half (0x104, NOP);
  bl (0x106, 0x140);
  half (0x10a, NOP);
  half (0x140, BX_LR);
  step (0x100, TAKEN, "main");
  step (0x104, 0, "main");
  step (0x106, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x10a, 0, "main");
  end ("3", true);

  begin ("BL to the function behind it is one", TB_ARCH_V7M);
  bl (0x13c, 0x140);
  half (0x140, NOP);
  step (0x13c, TAKEN, "main");
  step (0x140, 0, "main;f");
  end ("", true);

  begin ("BL on within a function is a jump; or it comes back", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  bl (0x140, 0x160);
  half (0x144, BX_LR);
  half (0x160, BX_LR);
  step (0x100, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x160, TAKEN, "main;f");
  step (0x144, TAKEN, "main;f");
  step (0x104, 0, "main");
  end ("3", true);

  begin ("a recursive call", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  bl (0x140, 0x140);
  half (0x144, BX_LR);
  step (0x100, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x140, TAKEN, "main;f;f");
  step (0x140, 0, "main;f;f;f");
  step (0x144, TAKEN, "main;f;f;f");
  step (0x144, TAKEN, "main;f;f");
  step (0x144, TAKEN, "main;f");
  step (0x104, 0, "main");
  end ("4 5 6", true);

  begin ("no names: addresses of calls", TB_ARCH_V7M);
  half (0x100, BLX_R3);
  half (0x102, NOP);
  half (0x140, BX_LR);
  step (0x100, TAKEN, "0");
  step (0x140, TAKEN, "0;140");
  step (0x102, 0, "0");
  end ("1", false);
}

static void
test_link_register (void)
{
  begin ("ldr lr, =label; b", TB_ARCH_V7M);
  word (0x100, 0xe014f8df);	/* ldr.w lr, [pc, #20] */
  b (0x104, 0x140);
  half (0x106, NOP);
  half (0x110, NOP);
  word (0x118, 0x111);
  half (0x140, BX_LR);
  step (0x100, 0, "main");
  step (0x104, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x110, 0, "main");
  end ("2", true);

  begin ("a link register that is restored makes no call", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  word (0x140, 0xeb04f85d);	/* ldr.w lr, [sp], #4 */
  b (0x144, 0x180);
  half (0x180, BX_LR);
  step (0x100, TAKEN, "main");
  step (0x140, 0, "main;f");
  step (0x144, TAKEN, "main;f");
  step (0x180, TAKEN, "main;g");
  step (0x104, 0, "main");
  end ("3", true);

  begin ("mov lr, pc; bx", TB_ARCH_V7A);
  word (0x100, 0xe1a0e00f);
  word (0x104, 0xe12fff13);
  word (0x108, 0xe320f000);
  word (0x140, 0xe12fff1e);
  step (0x100, 0, "main");
  step (0x104, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x108, 0, "main");
  end ("2", true);

  begin ("mov lr, pc; ldr pc", TB_ARCH_V7A);
  word (0x100, 0xe1a0e00f);
  word (0x104, 0xe593f000);
  word (0x108, 0xe320f000);
  word (0x140, 0xe12fff1e);
  step (0x100, 0, "main");
  step (0x104, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x108, 0, "main");
  end ("2", true);

  begin ("adr x30; b", TB_ARCH_V8A);
  word (0x100, 0x1000009e);	/* adr x30, 0x110 */
  word (0x104, 0x1400000f);	/* b 0x140 */
  word (0x110, 0xd503201f);
  word (0x140, 0xd65f03c0);
  step (0x100, 0, "main");
  step (0x104, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x110, 0, "main");
  end ("2", true);
}

static void
test_borders (void)
{
  begin ("a return to a caller that the trace does not show", TB_ARCH_V7M);
  half (0x142, BX_LR);
  half (0x110, NOP);
  bl (0x112, 0x180);
  half (0x116, NOP);
  half (0x180, BX_LR);
  step (0x142, TAKEN, "f");
  step (0x110, 0, "main");
  step (0x112, TAKEN, "main");
  step (0x180, TAKEN, "main;g");
  step (0x116, 0, "main");
  end ("0 3", true);

  begin ("behind a gap", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x140, NOP);
  half (0x190, NOP);
  half (0x192, BX_LR);
  half (0x104, NOP);
  step (0x100, TAKEN, "main");
  step (0x140, 0, "main;f");
  gap ();
  step (0x190, 0, "g");
  step (0x192, TAKEN, "g");
  step (0x104, 0, "main");
  end ("3", true);

  begin ("longjmp to an open caller", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x120, NOP);
  bl (0x140, 0x180);
  bl (0x180, 0x1c0);
  half (0x1c0, BX_R3);
  step (0x100, TAKEN, "main");
  step (0x140, TAKEN, "main;f");
  step (0x180, TAKEN, "main;f;g");
  step (0x1c0, TAKEN, "main;f;g;h");
  step (0x120, 0, "main");
  end ("3", true);

  /* f calls itself twice, h goes back to the outer one.  */
  for (unsigned known = 0; known < 2; known++)
    {
      begin ("longjmp out of recursion", TB_ARCH_V7M);
      bl (0x100, 0x140);
      half (0x160, NOP);
      bl (0x140, 0x140);
      half (0x144, MOV_PC_R3);
      half (0x1c0, BX_R3);
      for (unsigned i = 0; i < STEPS && known; i++)
	stack_pointers[i] = 0x20001000;
      stack_pointers[2] = known ? 0x20000f00 : 0;
      step (0x100, TAKEN, "main");
      step (0x140, TAKEN, "main;f");
      step (0x140, 0, "main;f;f");
      step (0x144, TAKEN, "main;f;f");
      step (0x1c0, TAKEN, "main;f;h");
      step (0x160, 0, known ? "main;f" : "main;f;f");
      end (NULL, true);
    }
}

static void
test_exceptions (void)
{
  begin ("an exception before the first instruction of a call", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, BX_LR);
  half (0x180, NOP);
  half (0x182, BX_LR);
  step (0x100, TAKEN, "main");
  exception (15, 0x140, 0);
  step (0x180, 0, "main;f;[15];g");
  step (0x182, TAKEN, "main;f;[15];g");
  returned ();
  step (0x140, TAKEN, "main;f");
  step (0x104, 0, "main");
  end ("3", true);

  begin ("a fault handler that steps over an instruction", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, UDF);
  half (0x142, BX_LR);
  half (0x180, BX_LR);
  step (0x100, TAKEN, "main");
  exception (6, 0x140, 0);
  step (0x180, TAKEN, "main;f;[6];g");
  returned ();
  step (0x142, TAKEN, "main;f");
  step (0x104, 0, "main");
  end ("2", true);

  begin ("a fault handler that goes on elsewhere in the function", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x140, UDF);
  half (0x170, NOP);
  half (0x180, BX_LR);
  step (0x100, TAKEN, "main");
  exception (6, 0x140, 0);
  step (0x180, TAKEN, "main;f;[6];g");
  returned ();
  step (0x170, 0, "main;f");
  end ("", true);

  begin ("one exception interrupts another, one follows another", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x140, NOP);
  half (0x142, BX_LR);
  half (0x180, BX_LR);
  half (0x1c0, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x102, 0);
  step (0x140, 0, "main;[15];f");
  exception (16, 0x142, 0);
  step (0x180, TAKEN, "main;[15];f;[16];g");
  returned ();
  step (0x142, TAKEN, "main;[15];f");
  exception (14, 0xfffffffe, TB_EXCEPTION_TAIL_CHAIN);
  step (0x1c0, TAKEN, "main;[14];h");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("an exception that is told to return to an EXC_RETURN", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x140, BX_LR);
  half (0x1c0, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x102, 0);
  step (0x140, TAKEN, "main;[15];f");
  exception (14, 0xfffffffe, 0);
  step (0x1c0, TAKEN, "main;[14];h");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("a handler of a higher priority comes first", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x140, BX_LR);
  half (0x180, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x102, 0);
  exception (16, 0x140, 0);
  step (0x180, TAKEN, "main;[15];[16];g");
  returned ();
  step (0x140, TAKEN, "main;[15];f");
  returned ();
  step (0x102, 0, "main");
  end ("", true);

  begin ("a return to another thread", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x140, NOP);
  half (0x142, NOP);
  half (0x180, BX_LR);
  half (0x1d0, NOP);
  step (0x100, TAKEN, "T1;main");
  step (0x140, 0, "T1;main;f");
  exception (14, 0x142, 0);
  step (0x180, TAKEN, "T1;main;f;[14];g");
  returned ();
  step (0x1d0, 0, "T2;h");
  end ("", true);

  begin ("the trace begins in a handler", TB_ARCH_V7M);
  half (0x182, BX_LR);
  half (0x110, NOP);
  step (0x182, TAKEN, "g");
  returned ();
  step (0x110, 0, "main");
  end ("", true);

  begin ("an exception that is never over", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x180, NOP);
  half (0x182, NOP);
  step (0x100, 0, "main");
  for (unsigned i = 0; i < 40; i++)
    {
      exception (15, 0x102, 0);
      step (0x180, 0, "main;[15];g");
    }
  end ("", true);

  begin ("ERET", TB_ARCH_V8A);
  word (0x100, 0xd503201f);
  word (0x104, 0xd503201f);
  word (0x140, 0xd69f03e0);
  word (0x210, 0xd503201f);
  step (0x100, 0, "main");
  exception (1, 0x104, 0);
  step (0x140, TAKEN, "main;[1];f");
  step (0x104, 0, "main");
  exception (1, 0x104, 0);
  step (0x140, TAKEN, "main;[1];f");
  step (0x210, 0, "i");
  end ("", true);
}

/* As logs tell of exceptions: not where they return to, nor when.  */
static void
test_untold (void)
{
  begin ("a log's exception", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x180, NOP);
  half (0x182, BX_LR);
  for (unsigned i = 0; i < 3; i++)
    {
      step (0x100, 0, "main");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, 0, "main;[15];g");
      step (0x182, TAKEN, "main;[15];g");
      step (0x102, 0, "main");
    }
  end (NULL, true);

  /* Before an exception a log does not tell that a branch was taken.  */
  for (unsigned told = 0; told < 2; told++)
    {
      begin ("a log's exception behind a call", TB_ARCH_V7M);
      bl (0x100, 0x140);
      half (0x104, NOP);
      half (0x140, BX_LR);
      half (0x180, BX_LR);
      step (0x100, told ? TAKEN : 0, "main");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, TAKEN, "main;f;[15];g");
      step (0x140, TAKEN, "main;f");
      step (0x104, 0, "main");
      end ("2", true);
    }

  for (unsigned told = 0; told < 2; told++)
    {
      begin ("a log's exception behind a return", TB_ARCH_V7M);
      bl (0x100, 0x140);
      half (0x104, NOP);
      half (0x140, BX_LR);
      half (0x180, BX_LR);
      step (0x100, TAKEN, "main");
      step (0x140, told ? TAKEN : 0, "main;f");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, TAKEN, "main;f;[15];g");
      returned ();
      step (0x104, 0, "main");
      end ("1", true);
    }

  begin ("a log's exception behind a conditional branch", TB_ARCH_V7M);
  half (0x100, 0xd01e);		/* beq 0x140 */
  b (0x102, 0x100);
  half (0x140, NOP);
  half (0x180, BX_LR);
  for (unsigned i = 0; i < 2; i++)
    {
      step (0x100, 0, "main");
      exception (15, 0, TB_EXCEPTION_NO_RETURN);
      step (0x180, TAKEN, "main;[15];g");
      returned ();
      step (i == 0 ? 0x102 : 0x140, i == 0 ? TAKEN : 0, i == 0 ? "main" : "f");
    }
  end ("", true);

  begin ("a log's exception behind a call tells its return", TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, BX_LR);
  half (0x180, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0x140, 0);
  step (0x180, TAKEN, "main;f;[15];g");
  returned ();
  step (0x140, 0, "main;f");
  exception (15, 0x104, 0);
  step (0x180, TAKEN, "main;[15];g");
  returned ();
  step (0x104, 0, "main");
  end ("2", true);

  begin ("a log's exception behind ERET", TB_ARCH_V8A);
  word (0x100, 0xd503201f);
  word (0x104, 0xd503201f);
  word (0x140, 0xd69f03e0);
  word (0x180, 0xd69f03e0);
  step (0x100, 0, "main");
  exception (1, 0, TB_EXCEPTION_NO_RETURN);
  step (0x140, 0, "main;[1];f");
  exception (2, 0, TB_EXCEPTION_NO_RETURN);
  step (0x180, TAKEN, "main;[2];g");
  step (0x104, 0, "main");
  end ("", true);

  begin ("a log's exceptions, one behind the other", TB_ARCH_V7M);
  half (0x100, NOP);
  half (0x102, NOP);
  half (0x180, BX_LR);
  half (0x1c0, BX_LR);
  step (0x100, 0, "main");
  exception (15, 0, TB_EXCEPTION_NO_RETURN);
  step (0x180, TAKEN, "main;[15];g");
  exception (14, 0, TB_EXCEPTION_NO_RETURN);
  step (0x1c0, TAKEN, "main;[14];h");
  step (0x102, 0, "main");
  end ("", true);
}

/* Two tasks, main and i, that yield by f; j is PendSV's handler.  */
static void
kernel (const char *name)
{
  begin (name, TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  half (0x140, NOP);
  half (0x142, NOP);
  half (0x144, BX_LR);
  half (0x180, NOP);
  half (0x182, BX_LR);
  bl (0x200, 0x140);
  half (0x204, NOP);
  half (0x206, NOP);
  half (0x240, NOP);
  half (0x242, BX_LR);
}

/* PendSV interrupts at BACK, in STACK, which it is drawn in.  */
static void
pend (uint64_t back, const char *stack)
{
  exception (14, back, 0);
  step (0x240, 0, stack);
  step (0x242, TAKEN, stack);
  returned ();
}

static void
test_tasks (void)
{
  kernel ("an exception that returns elsewhere switches");
  step (0x100, TAKEN, "T1;main");
  step (0x140, 0, "T1;main;f");
  pend (0x142, "T1;main;f;[14];j");
  step (0x204, 0, "T2;i");
  pend (0x206, "T2;i;[14];j");
  step (0x142, 0, "T1;main;f");
  step (0x144, TAKEN, "T1;main;f");
  step (0x104, 0, "T1;main");
  end ("8", true);

  kernel ("what follows decides who went on in a function that all yield by");
  step (0x100, TAKEN, "T1;main");
  step (0x140, 0, "T1;main;f");
  pend (0x142, "T1;main;f;[14];j");
  step (0x200, TAKEN, "T2;i");
  step (0x140, 0, "T2;i;f");
  pend (0x142, "T2;i;f;[14];j");
  step (0x142, 0, "T1;main;f");
  step (0x144, TAKEN, "T1;main;f");
  step (0x104, 0, "T1;main");
  pend (0x106, "T1;main;[14];j");
  step (0x142, 0, "T2;i;f");
  step (0x144, TAKEN, "T2;i;f");
  step (0x204, 0, "T2;i");
  end (NULL, true);

  kernel ("a choice is made again where it turns out to be wrong");
  step (0x100, TAKEN, "T1;main");
  step (0x140, 0, "T1;main;f");
  pend (0x142, "T1;main;f;[14];j");
  step (0x200, TAKEN, "T2;i");
  step (0x140, 0, "T2;i;f");
  pend (0x142, "T2;i;f;[14];j");
  /* Either may go on here, and is switched away from.  */
  step (0x142, 0, "T1;main;f");
  pend (0x144, "T1;main;f;[14];j");
  step (0x142, 0, "T2;i;f");
  step (0x144, TAKEN, "T2;i;f");
  step (0x204, 0, "T2;i");
  pend (0x206, "T2;i;[14];j");
  step (0x144, TAKEN, "T1;main;f");
  step (0x104, 0, "T1;main");
  end (NULL, true);

  kernel ("an interrupt that goes back is no switch");
  step (0x100, TAKEN, "main");
  step (0x140, 0, "main;f");
  exception (16, 0x142, 0);
  step (0x180, 0, "main;f;[16];g");
  step (0x182, TAKEN, "main;f;[16];g");
  returned ();
  step (0x142, 0, "main;f");
  step (0x144, TAKEN, "main;f");
  step (0x104, 0, "main");
  end (NULL, true);

  kernel ("behind a gap nothing is known of tasks that waited");
  step (0x100, TAKEN, "T1;main");
  step (0x140, 0, "T1;main;f");
  pend (0x142, "T1;main;f;[14];j");
  step (0x204, 0, "T2;i");
  gap ();
  step (0x206, 0, "T3;i");
  pend (0x208, "T3;i;[14];j");
  step (0x142, 0, "T4;f");
  end (NULL, true);
}

int
main (void)
{
  test_tasks ();
  test_calls ();
  test_link_register ();
  test_borders ();
  test_exceptions ();
  test_untold ();
  return check_done ();
}
