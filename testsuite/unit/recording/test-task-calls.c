/* Functions that switch between tasks, and those that do not: unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "level-scenario.h"
#include "recording/stack-code.h"

/* The slices of a scenario: the task of each, behind it '?' where it is guessed, '|' where it is
   open, '(' where a function leaves it, ')' where a function's return begins it.  */
static const char *wanted;

#define PUSH 0xb5f0		/* push {r4-r7, lr}  */
#define POP 0xbdf0		/* pop {r4-r7, pc}  */
#define MOV_R7_SP 0x466f
#define MOV_SP_R7 0x46bd
#define STR_SP_R1 0xf8c1d000
#define LDR_SP_R0 0xf8d0d000
#define SUB_SP_R3 0xebad0d03
#define MOV_R12_SP 0x46ec
#define MOV_SP_R12 0x46e5
#define STM_R0 0xe8a05ff0	/* stmia r0!, {r4-r12, lr}: lr is behind r12, the stack pointer.  */
#define LDM_R0 0xe8b05ff0

static void
check_slices (const struct tb_tasks *tasks)
{
  char text[TEXT] = "";
  size_t count, used = 0;
  const struct tb_task_slice *slices = tb_tasks_parts (tasks, &count);
  for (size_t i = 0; i < count; i++)
    used += (size_t) snprintf (text + used, sizeof text - used, "%s%s%u%s%s%s", i > 0 ? " " : "",
			       slices[i].from_call ? ")" : "", slices[i].task,
			       slices[i].guessed ? "?" : "", slices[i].open ? "|" : "",
			       slices[i].by_call ? "(" : "");
  if (!CHECK (strcmp (text, wanted) == 0))
    fprintf (stderr, "%s: slices \"%s\", expected \"%s\"\n", scenario, text, wanted);
}

static void
wide (uint32_t address, uint32_t opcode)
{
  half (address, opcode >> 16);
  half (address + 2, opcode & 0xffff);
}

/* Main and i go round, and call f, which calls h, at 0x142, and returns.  */
static void
kernel (const char *name, const char *slices)
{
  begin (name, TB_ARCH_V7M);
  bl (0x100, 0x140);
  half (0x104, NOP);
  b (0x106, 0x100);
  half (0x140, PUSH);
  bl (0x142, 0x1c0);
  half (0x146, NOP);
  half (0x148, POP);
  half (0x180, NOP);
  half (0x182, BX_LR);
  half (0x200, NOP);
  bl (0x202, 0x140);
  half (0x206, NOP);
  b (0x208, 0x200);
  half (0x240, NOP);
  bl (0x242, 0x140);
  half (0x246, BX_LR);
  wanted = slices;
  check_tasks = check_slices;
}

/* Function h as ChibiOS has it.  */
static void
port (void)
{
  half (0x1c0, PUSH);
  wide (0x1c2, STR_SP_R1);
  wide (0x1c6, LDR_SP_R0);
  half (0x1ca, POP);
}

static void
run_port (void)
{
  step (0x1c0, 0, NULL);
  step (0x1c2, 0, NULL);
  step (0x1c6, 0, NULL);
  step (0x1ca, TAKEN, NULL);
}

/* The call of f at CALLER, and that of h.  */
static void
call_f (uint32_t caller)
{
  step (caller, TAKEN, NULL);
  step (0x140, 0, NULL);
  step (0x142, TAKEN, NULL);
}

/* Out of f, to BACK.  */
static void
leave_f (uint32_t back, const char *stack)
{
  step (0x146, 0, NULL);
  step (0x148, TAKEN, NULL);
  step (back, 0, stack);
}

static void
round_main (void)
{
  step (0x106, TAKEN, NULL);
  call_f (0x100);
}

static void
test_port (void)
{
  kernel ("a function switches, and back", "1( )2( )1");
  port ();
  call_f (0x100);
  run_port ();
  step (0x200, 0, "T2;i");
  call_f (0x202);
  run_port ();
  leave_f (0x104, "T1;main");
  end (NULL, true);

  kernel ("it does not come as far as its callers", "1( )2( )1?");
  port ();
  call_f (0x100);
  run_port ();
  step (0x200, 0, NULL);
  call_f (0x202);
  run_port ();
  step (0x146, 0, NULL);
  end (NULL, false);

  kernel ("callers tell which one goes on", "1( )2( )1( )2");
  port ();
  call_f (0x100);
  run_port ();
  step (0x200, 0, NULL);
  call_f (0x202);
  run_port ();
  leave_f (0x104, "T1;main");
  round_main ();
  run_port ();
  leave_f (0x206, "T2;i");
  end (NULL, true);

  kernel ("another one waited there, which was not seen before", "1( )2( )3");
  port ();
  call_f (0x100);
  run_port ();
  leave_f (0x206, "T2;i");
  step (0x208, TAKEN, NULL);
  step (0x200, 0, NULL);
  call_f (0x202);
  run_port ();
  leave_f (0x246, "T3;j");
  end (NULL, true);

  kernel ("an interrupt on the way", "1( )2( )1");
  port ();
  call_f (0x100);
  step (0x1c0, 0, NULL);
  step (0x1c2, 0, NULL);
  step (0x1c6, 0, NULL);
  exception (16, 0x1ca, 0);
  step (0x180, 0, NULL);
  step (0x182, TAKEN, NULL);
  returned ();
  step (0x1ca, TAKEN, NULL);
  step (0x200, 0, NULL);
  call_f (0x202);
  run_port ();
  leave_f (0x104, "T1;main");
  end (NULL, true);
}

/* What moves the stack pointer, and goes back to who called it.  */
static void
test_no_switch (void)
{
  kernel ("room on the stack, and a frame pointer", "");
  half (0x1c0, PUSH);
  half (0x1c2, MOV_R7_SP);
  wide (0x1c4, SUB_SP_R3);
  wide (0x1c8, STR_SP_R1);
  half (0x1cc, MOV_SP_R7);
  half (0x1ce, POP);
  call_f (0x100);
  for (uint32_t at = 0x1c0; at < 0x1ce; at += at == 0x1c4 || at == 0x1c8 ? 4 : 2)
    step (at, 0, NULL);
  step (0x1ce, TAKEN, NULL);
  leave_f (0x104, "main");
  end (NULL, true);

  kernel ("a call on another stack", "");
  half (0x1c0, PUSH);
  wide (0x1c2, STR_SP_R1);
  wide (0x1c6, LDR_SP_R0);
  bl (0x1ca, 0x180);
  wide (0x1ce, 0xf8d5d000);	/* ldr sp, [r5]  */
  half (0x1d2, POP);
  call_f (0x100);
  step (0x1c0, 0, NULL);
  step (0x1c2, 0, NULL);
  step (0x1c6, 0, NULL);
  step (0x1ca, TAKEN, NULL);
  step (0x180, 0, NULL);
  step (0x182, TAKEN, NULL);
  step (0x1ce, 0, NULL);
  step (0x1d2, TAKEN, NULL);
  leave_f (0x104, "main");
  end (NULL, true);
}

/* F calls setjmp (g), at 0x142, and longjmp (h), at 0x14a.  */
static void
jumps (const char *name, const char *slices)
{
  kernel (name, slices);
  half (0x180, MOV_R12_SP);
  wide (0x182, STM_R0);
  half (0x186, BX_LR);
  half (0x1c0, 0);
  wide (0x1c0, LDM_R0);
  half (0x1c4, MOV_SP_R12);
  half (0x1c6, BX_LR);
  bl (0x142, 0x180);
  half (0x146, 0xd100);		/* bne 0x14a  */
  half (0x148, POP);
  bl (0x14a, 0x1c0);
}

static void
run_setjmp (void)
{
  step (0x180, 0, NULL);
  step (0x182, 0, NULL);
  step (0x186, TAKEN, NULL);
}

static void
run_longjmp (void)
{
  step (0x1c0, 0, NULL);
  step (0x1c4, 0, NULL);
  step (0x1c6, TAKEN, NULL);
}

static void
yield (uint32_t caller)
{
  call_f (caller);
  run_setjmp ();
  step (0x146, TAKEN, NULL);
  step (0x14a, TAKEN, NULL);
  run_longjmp ();
}

static void
test_jumps (void)
{
  jumps ("coroutines", "1( )2( )1( )2");
  yield (0x100);
  step (0x200, 0, "T2;i");
  yield (0x202);
  leave_f (0x104, "T1;main");
  step (0x106, TAKEN, NULL);
  yield (0x100);
  leave_f (0x206, "T2;i");
  end (NULL, true);

  /* Main goes on itself.  */
  jumps ("several functions are left at once", "");
  step (0x100, TAKEN, NULL);
  step (0x140, 0, NULL);
  step (0x142, TAKEN, NULL);
  run_setjmp ();
  bl (0x14a, 0x240);
  bl (0x242, 0x1c0);
  step (0x146, TAKEN, NULL);
  step (0x14a, TAKEN, NULL);
  step (0x240, 0, "main;f;j");
  step (0x242, TAKEN, NULL);
  run_longjmp ();
  leave_f (0x104, "main");
  end (NULL, true);
}

static unsigned
code_of (const uint32_t *opcodes, size_t count)
{
  static const struct tb_profile profile = { .arch = TB_ARCH_V7M, .is_m = true };
  struct tb_step steps[TB_STACK_BEFORE] = { { .pc = 0 } };
  for (size_t i = 0; i < count; i++)
    steps[i] = (struct tb_step) { .pc = 0x100, .opcode = opcodes[i], .isa = TB_ISA_T32,
				  .size = opcodes[i] > 0xffff ? 4 : 2 };
  return tb_stack_code (steps, count, &profile);
}

#define CODE(...) \
  code_of ((const uint32_t[]) { __VA_ARGS__ }, sizeof (const uint32_t[]) { __VA_ARGS__ } / 4)

static void
test_code (void)
{
  CHECK_INT (CODE (PUSH, 0xb082, 0xb002, POP), 0);	/* sub, add sp, #8  */
  CHECK_INT (CODE (PUSH, STR_SP_R1, LDR_SP_R0, POP), TB_SP_SAVED | TB_SP_REPLACED);
  CHECK_INT (CODE (MOV_R12_SP, STM_R0, BX_LR), TB_SP_SAVED);
  CHECK_INT (CODE (LDM_R0, MOV_SP_R12, BX_LR), TB_SP_REPLACED);
  CHECK_INT (CODE (MOV_SP_R7, POP), TB_SP_KEPT);
  CHECK_INT (CODE (SUB_SP_R3), TB_SP_KEPT);
  CHECK_INT (CODE (0xebad0d04), TB_SP_KEPT);		/* sub sp, sp, r4  */
  CHECK_INT (CODE (0xf1a70d08), TB_SP_KEPT);		/* sub sp, r7, #8  */
  /* mov r3, sp; subs r3, r3, r2; mov sp, r3  */
  CHECK_INT (CODE (0x466b, 0x1a9b, 0x469d), TB_SP_KEPT);
  /* mov r2, sp; str r2, [r0]; ldr r3, [r1]; mov sp, r3; bx lr  */
  CHECK_INT (CODE (0x466a, 0x6002, 0x680b, 0x469d, BX_LR), TB_SP_SAVED | TB_SP_REPLACED);
  /* add r0, sp, #0; str r0, [r7, #4]: a local variable's address in a frame.  */
  CHECK_INT (CODE (0x466a, 0x607a), 0);
}

int
main (void)
{
  test_port ();
  test_no_switch ();
  test_jumps ();
  test_code ();
  return check_done ();
}
