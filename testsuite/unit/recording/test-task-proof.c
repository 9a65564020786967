/* What proves that a task goes on, and what does not: unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "level-scenario.h"
#include "recording/task-code.h"

/* The slices of a scenario: the task of each, behind it '?' where it is guessed, '|' where it is
   open.  */
static const char *wanted;

#define ADDS 0x3301		/* adds r3, #1  */

static void
check_slices (const struct tb_tasks *tasks)
{
  char text[TEXT] = "";
  size_t count, used = 0;
  const struct tb_task_slice *slices = tb_tasks_resumes (tasks, &count);
  for (size_t i = 0; i < count; i++)
    used += (size_t) snprintf (text + used, sizeof text - used, "%s%u%s%s", i > 0 ? " " : "",
			       slices[i].task, slices[i].guessed ? "?" : "",
			       slices[i].open ? "|" : "");
  if (!CHECK (strcmp (text, wanted) == 0))
    fprintf (stderr, "%s: slices \"%s\", expected \"%s\"\n", scenario, text, wanted);
}

/* Two tasks, main and i, that yield by f, at 0x142; j is PendSV's handler, g another one.  */
static void
kernel (const char *name, const char *slices)
{
  begin (name, TB_ARCH_V7M);
  bl (0x100, 0x140);		/* Main goes round,  */
  half (0x104, NOP);
  half (0x106, NOP);
  b (0x108, 0x100);
  for (uint32_t at = 0x140; at < 0x150; at += 2)
    half (at, NOP);
  half (0x14e, 0xd1f7);		/* bne 0x140  */
  half (0x150, BX_LR);
  half (0x180, NOP);
  half (0x182, BX_LR);
  bl (0x200, 0x140);		/* and i returns.  */
  half (0x204, NOP);
  half (0x206, NOP);
  half (0x208, BX_LR);
  half (0x240, NOP);
  half (0x242, BX_LR);
  wanted = slices;
  check_tasks = check_slices;
}

/* The steps at the COUNT addresses from PC on.  */
static void
steps (uint32_t pc, unsigned count)
{
  for (; count-- > 0; pc += 2)
    step (pc, 0, NULL);
}

/* Exception NUMBER interrupts at BACK, and returns.  */
static void
interrupt (unsigned number, uint64_t back)
{
  exception (number, back, 0);
  step (number == 14 ? 0x240 : 0x180, 0, NULL);
  step (number == 14 ? 0x242 : 0x182, TAKEN, NULL);
  returned ();
}

static void
pend (uint64_t back)
{
  interrupt (14, back);
}

/* Main calls f and waits at 0x142.  */
static void
main_waits (void)
{
  step (0x100, TAKEN, NULL);
  step (0x140, 0, NULL);
  pend (0x142);
}

/* From 0x142 on: out of f, to BACK.  */
static void
leave_f (uint32_t back)
{
  steps (0x142, 7);
  step (0x150, TAKEN, NULL);
  step (back, 0, NULL);
}

static void
test_proof (void)
{
  kernel ("a task comes back to a function that does not end", "1 2 1");
  main_waits ();
  steps (0x204, 1);
  pend (0x206);
  leave_f (0x104);
  end (NULL, false);

  kernel ("it does not come as far", "1 2 1?");
  main_waits ();
  steps (0x204, 1);
  pend (0x206);
  steps (0x142, 3);
  end (NULL, false);

  kernel ("it comes as far later", "1 2 1 2? 1");
  main_waits ();
  steps (0x204, 1);
  pend (0x206);
  steps (0x142, 1);
  pend (0x144);
  steps (0x206, 1);
  pend (0x208);
  steps (0x144, 6);
  step (0x150, TAKEN, NULL);
  step (0x104, 0, NULL);
  end (NULL, false);

  kernel ("what comes later is another one", "1 2 1? 2? 3");
  main_waits ();
  steps (0x204, 1);
  pend (0x206);
  steps (0x142, 1);
  pend (0x144);
  steps (0x206, 1);
  pend (0x208);
  steps (0x144, 6);
  step (0x150, TAKEN, NULL);
  step (0x220, 0, NULL);
  end (NULL, false);

  kernel ("it waits where it waited before, and may not have run in between", "1 2 1? 2? 1?");
  main_waits ();
  steps (0x204, 1);
  pend (0x206);
  steps (0x142, 6);
  step (0x14e, TAKEN, NULL);
  step (0x140, 0, NULL);
  pend (0x142);
  steps (0x206, 1);
  pend (0x208);
  leave_f (0x104);
  end (NULL, false);

  kernel ("an interrupt comes by chance", "1 2 1");
  for (uint32_t at = 0x100; at < 0x110; at += 2)
    half (at, ADDS);
  half (0x110, BX_LR);
  steps (0x100, 4);
  exception (16, 0x108, 0);
  step (0x180, 0, NULL);
  exception (14, 0xfffffff9, TB_EXCEPTION_TAIL_CHAIN);
  step (0x240, 0, NULL);
  step (0x242, TAKEN, NULL);
  returned ();
  steps (0x204, 1);
  pend (0x206);
  steps (0x108, 1);
  end (NULL, false);
}

/* What interrupts when the one that switches is over returns to where both tasks wait.  */
static void
test_chain (void)
{
  kernel ("another exception follows the one that switches", "1 2");
  step (0x100, TAKEN, NULL);
  step (0x140, 0, NULL);
  exception (14, 0x142, 0);
  step (0x240, 0, NULL);
  step (0x242, TAKEN, NULL);
  exception (16, 0xfffffffd, TB_EXCEPTION_TAIL_CHAIN);
  step (0x180, 0, NULL);
  step (0x182, TAKEN, NULL);
  returned ();
  leave_f (0x204);
  end (NULL, false);
}

/* Two rounds of i, which then returns, or does not.  */
static void
test_rounds (void)
{
  for (unsigned left = 0; left < 2; left++)
    {
      kernel (left ? "a function that is left later" : "a function that waits again where it did",
	      left ? "1 2 1? 2? 1?" : "1 2 1 2? 1");
      half (0x1c8, BX_LR);
      half (0x208, 0xd000);	/* beq 0x20c  */
      b (0x20a, 0x200);
      half (0x20c, BX_LR);
      step (0x200, TAKEN, NULL);
      step (0x140, 0, NULL);
      pend (0x142);
      steps (0x1c0, 1);
      pend (0x1c2);
      leave_f (0x204);
      steps (0x206, 2);
      step (0x20a, TAKEN, NULL);
      step (0x200, TAKEN, NULL);
      step (0x140, 0, NULL);
      pend (0x142);
      steps (0x1c2, 1);
      pend (0x1c4);
      leave_f (0x204);
      steps (0x206, 1);
      if (left)
	{
	  step (0x208, TAKEN, NULL);
	  step (0x20c, TAKEN, NULL);
	  step (0x220, 0, NULL);
	}
      end (NULL, false);
    }
}

/* Where two tasks might have gone on the wrong one was taken, as shows later.  That a task which
   was not seen before had run earlier, without a choice, is no objection to the other one.  */
static void
test_choice (void)
{
  kernel ("a choice that turns out to be wrong", "1 2 1| 2? 1");
  half (0x208, 0xd000);		/* beq 0x20c  */
  b (0x20a, 0x200);
  half (0x20c, BX_LR);
  main_waits ();
  leave_f (0x204);
  steps (0x206, 2);
  step (0x20a, TAKEN, NULL);
  step (0x200, TAKEN, NULL);
  step (0x140, 0, NULL);
  pend (0x142);
  steps (0x142, 1);
  pend (0x144);
  leave_f (0x204);
  steps (0x206, 1);
  pend (0x208);
  steps (0x144, 6);
  step (0x150, TAKEN, NULL);
  step (0x104, 0, NULL);
  end (NULL, false);
}

static void
test_code (void)
{
  kernel ("code that ends and code that does not", "");
  check_tasks = NULL;
  half (0x300, 0xb662);		/* cpsie i  */
  half (0x302, ADDS);
  half (0x30c, 0xdf01);		/* svc 1  */
  for (uint32_t at = 0x30e; at < 0x330; at += 2)
    half (at, ADDS);
  half (0x330, 0xbf08);		/* it eq: then b goes on behind it  */
  b (0x332, 0x330);
  half (0x334, BX_LR);
  half (0x340, NOP);
  half (0x342, BLX_R3);
  b (0x344, 0x340);
  b (0x346, 0x3f00);
  step (0x340, 0, NULL);
  make_window ();
  fake->map = tb_memmap_new ();
  CHECK (fake->map != NULL && tb_memmap_add (fake->map, &fake->regions[0], NULL) == TB_OK
	 && tb_memmap_seal (fake->map, NULL) == TB_OK);
  CHECK (tb_code_is_endless (fake, 0, 0x104));
  CHECK (!tb_code_is_endless (fake, 0, 0x142));
  CHECK (!tb_code_is_endless (fake, 0, 0x204));
  CHECK (!tb_code_is_endless (fake, 0, 0x330));
  CHECK (!tb_code_is_endless (fake, 0, 0x332));
  CHECK (tb_code_is_endless (fake, 0, 0x340));
  CHECK (!tb_code_is_endless (fake, 0, 0x346));
  CHECK (!tb_code_is_endless (fake, 0, 0x3fff0));
  CHECK (tb_code_is_waiting (fake, 0, 0x302));
  CHECK (tb_code_is_waiting (fake, 0, 0x304));
  CHECK (tb_code_is_waiting (fake, 0, 0x30e));
  CHECK (!tb_code_is_waiting (fake, 0, 0x31c));
  bl (0x328, 0x140);
  half (0x32e, BLX_R3);
  CHECK (tb_code_is_waiting (fake, 0, 0x32c));
  CHECK (!tb_code_is_waiting (fake, 0, 0x32e));
  CHECK (tb_code_is_waiting (fake, 0, 0x330));
  CHECK (!tb_code_is_waiting (fake, 0, 0x31e));
  b (0x31e, 0x31e);
  CHECK (tb_code_is_waiting (fake, 0, 0x31e));
  CHECK (tb_code_is_waiting (fake, 0, 4));
  CHECK (tb_code_is_waiting (fake, 0, 0x3fff0));
  fake_free (fake);
}

int
main (void)
{
  test_proof ();
  test_chain ();
  test_rounds ();
  test_choice ();
  test_code ();
  return check_done ();
}
