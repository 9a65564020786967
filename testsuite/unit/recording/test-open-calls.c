/* Open calls of several stacks: unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "recording/open-calls.h"
#include "check.h"

/* Stack pointers from here on are numbers; what is below is the name of an unknown one.  */
#define KNOWN 0x1000

enum { STACK_A = 0x8000, STACK_B = 0x9000, UNKNOWN = 1 };

static enum tb_same
compare (const void *context, uint64_t a, uint64_t b)
{
  (void) context;
  if (a == b)
    return TB_SAME;
  return a >= KNOWN && b >= KNOWN ? TB_SAME_NOT : TB_SAME_UNSURE;
}

static void
begin (struct tb_open_calls *c)
{
  tb_open_init (c, 16, 0, compare, NULL);
}

static void
call (struct tb_open_calls *c, uint64_t step, uint64_t back, uint64_t sp)
{
  CHECK (tb_open_push (c, &(struct tb_open_call) { .step = step, .back = back, .sp = sp }) != NULL);
}

static void
interrupt (struct tb_open_calls *c, uint64_t step, uint64_t back, uint64_t sp)
{
  CHECK (tb_open_push (c, &(struct tb_open_call) { .step = step, .back = back, .sp = sp,
						   .exception = true }) != NULL);
}

/* A coroutine waits in a call of step 10 for what goes on at 0x104; another one runs, and then one
   whose stack pointer is not known, at PC.  What is done at 0x104 when A's stack goes on: the
   number of the call that returns.  */
static size_t
after_unknown (uint64_t pc)
{
  struct tb_open_calls c;
  begin (&c);
  call (&c, 10, 0x104, STACK_A);
  tb_open_switch (&c, STACK_A, UNKNOWN);
  call (&c, 20, 0x204, UNKNOWN);
  tb_open_switch (&c, UNKNOWN, UNKNOWN + 1);
  CHECK_INT (tb_open_returns (&c, pc, UNKNOWN + 1), 0);
  call (&c, 30, 0x104, UNKNOWN + 1);
  tb_open_switch (&c, UNKNOWN + 1, STACK_A);
  size_t at = tb_open_returns (&c, 0x104, STACK_A);
  CHECK (at == 0 || c.open[at - 1].step == 10);
  CHECK (!c.failed);
  tb_open_fini (&c);
  return at;
}

static void
test_coroutines (void)
{
  CHECK_INT (after_unknown (0x304), 1);
  /* That may have been A, which has called again since.  */
  CHECK_INT (after_unknown (0x104), 0);
}

/* Task A was interrupted at 0x100, task B at 0x200; B goes on, is interrupted and PC is where that
   leads: BANKED: the handler set the tasks' stack pointer.  Is A known to go on at 0x100 then?  */
static size_t
after_interrupt (uint64_t pc, bool banked)
{
  struct tb_open_calls c;
  begin (&c);
  interrupt (&c, 5, 0x200, STACK_B);
  tb_open_banked (&c);
  CHECK_INT (tb_open_leave (&c, 0x100, STACK_A), 0);
  interrupt (&c, 10, 0x100, STACK_A);
  tb_open_banked (&c);
  CHECK_INT (tb_open_leave (&c, 0x200, STACK_B), 1);
  c.count = 0;			/* Its user takes it from there.  */
  interrupt (&c, 20, 0x200, STACK_B);
  if (banked)
    tb_open_banked (&c);
  CHECK_INT (tb_open_leave (&c, pc, UNKNOWN), 0);
  interrupt (&c, 30, 0x300, UNKNOWN);
  tb_open_banked (&c);
  size_t at = tb_open_leave (&c, 0x100, STACK_A);
  CHECK (!c.failed);
  tb_open_fini (&c);
  return at;
}

static void
test_tasks (void)
{
  for (unsigned banked = 0; banked < 2; banked++)
    {
      CHECK_INT (after_interrupt (0x300, banked), 1);
      CHECK_INT (after_interrupt (0x100, banked), 0);
    }
}

int
main (void)
{
  test_coroutines ();
  test_tasks ();
  return check_done ();
}
