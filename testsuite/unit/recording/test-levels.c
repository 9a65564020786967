/* Levels: which functions are drawn at each step of small programs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "level-scenario.h"
#include "recording/task-standing.h"

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

/* The first task calls f, and is switched away from in it.  */
static void
first_waits (void)
{
  step (0x100, TAKEN, "T1;main");
  step (0x140, 0, "T1;main;f");
  pend (0x142, "T1;main;f;[14];j");
}

/* So does the second.  */
static void
second_waits (void)
{
  step (0x200, TAKEN, "T2;i");
  step (0x140, 0, "T2;i;f");
  pend (0x142, "T2;i;f;[14];j");
}

/* Check how task NUMBER of TASKS stands before STEP.  */
static struct tb_task_standing
stands (const struct tb_tasks *tasks, unsigned number, uint64_t step,
	enum tb_task_state state, uint64_t unsure)
{
  struct tb_task_standing s;
  tb_task_stand (tasks, number, step, &s);
  CHECK_INT (s.state, state);
  CHECK_INT (s.unsure, unsure);
  return s;
}

/* Both waited at 0x142 when one of them went on at step 8.  As that is said to be the one
   that ran before, it is one slice.  */
static void
check_either (const struct tb_tasks *tasks)
{
  struct tb_task_standing s = stands (tasks, 1, 3, TB_TASK_RUNS, UINT64_MAX);
  CHECK_INT (tb_tasks_count (tasks), 3);
  for (unsigned number = 1; number <= 2; number++)
    for (uint64_t step = 8; step <= 11; step++)
      {
	tb_task_stand (tasks, number, step, &s);
	CHECK_INT (s.unsure, 4);
      }
  s = stands (tasks, 3, 11, TB_TASK_RUNS, UINT64_MAX);
  CHECK_INT (s.since, 11);
}

/* A gap is before step 5.  */
static void
check_gap (const struct tb_tasks *tasks)
{
  CHECK (stands (tasks, 3, 4, TB_TASK_UNSEEN, UINT64_MAX).beyond);
  CHECK (stands (tasks, 4, 4, TB_TASK_UNSEEN, UINT64_MAX).beyond);
  CHECK (!stands (tasks, 2, 2, TB_TASK_UNSEEN, UINT64_MAX).beyond);
  CHECK (!stands (tasks, 4, 6, TB_TASK_UNSEEN, UINT64_MAX).beyond);
  CHECK_INT (stands (tasks, 1, 8, TB_TASK_LOST, UINT64_MAX).since, 5);
  CHECK_INT (stands (tasks, 2, 8, TB_TASK_LOST, UINT64_MAX).since, 5);
  CHECK_INT (stands (tasks, 3, 8, TB_TASK_WAITS, UINT64_MAX).address, 0x208);
}

static void
test_tasks (void)
{
  kernel ("an exception that returns elsewhere switches");
  first_waits ();
  step (0x204, 0, "T2;i");
  pend (0x206, "T2;i;[14];j");
  step (0x142, 0, "T1;main;f");
  step (0x144, TAKEN, "T1;main;f");
  step (0x104, 0, "T1;main");
  end ("8", true);

  kernel ("what follows decides who went on in a function that all yield by");
  first_waits ();
  second_waits ();
  step (0x142, 0, "T1;main;f");
  step (0x144, TAKEN, "T1;main;f");
  step (0x104, 0, "T1;main");
  pend (0x106, "T1;main;[14];j");
  step (0x142, 0, "T2;i;f");
  step (0x144, TAKEN, "T2;i;f");
  step (0x204, 0, "T2;i");
  end (NULL, true);

  kernel ("a choice is made again where it turns out to be wrong");
  first_waits ();
  second_waits ();
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

  kernel ("nothing is sure of those that may have gone on");
  first_waits ();
  second_waits ();
  step (0x142, 0, NULL);
  pend (0x144, NULL);
  step (0x180, 0, NULL);
  check_tasks = check_either;
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
  first_waits ();
  step (0x204, 0, "T2;i");
  gap ();
  step (0x206, 0, "T3;i");
  pend (0x208, "T3;i;[14];j");
  step (0x142, 0, "T4;f");
  check_tasks = check_gap;
  end (NULL, true);
}

int
main (void)
{
  test_tasks ();
  test_calls ();
  test_link_register ();
  test_borders ();
  return check_done ();
}
