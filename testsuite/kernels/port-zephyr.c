/* A port to ARMv8-M that saves the registers in what the kernel has of the task, not on its
   stack: a task swaps by a function that gives back what the waker put there, and by PendSV,
   which takes the task that was found before.  The first task is jumped to.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "port.h"

#define RESULT 0xfffffff5	/* Of a swap that nobody gives another one.  */

static void
first_call (void (*entry) (void *), void *argument)
{
  entry (argument);
  task_ended ();
}

uint32_t *
port_stack (uint32_t *top, uint32_t *limit, void (*entry) (void *), void *argument)
{
  (void) limit;
  top = first_frame (top, (void (*) (void *)) (uintptr_t) first_call,
		     (void *) (uintptr_t) entry);
  top[1] = (uint32_t) (uintptr_t) argument;
  return top;
}

/* Go on in the frame of a task that has not run.  */
__attribute__ ((naked)) static void
jump_to (uint32_t *frame, uint32_t *limit)
{
  (void) frame;
  (void) limit;
  __asm volatile ("msr psplim, r1\n\t"
		  "add r1, r0, #32\n\t"
		  "msr psp, r1\n\t"
		  "movs r1, #2\n\t"
		  "msr control, r1\n\t"
		  "isb\n\t"
		  "ldr r1, [r0, #4]\n\t"
		  "ldr r2, [r0, #24]\n\t"
		  "ldr r0, [r0]\n\t"
		  "movs r3, #0\n\t"
		  "cpsie i\n\t"
		  "msr basepri, r3\n\t"
		  "orr r2, r2, #1\n\t"
		  "bx r2");
}

void
port_start (void)
{
  kernel_pick ();
  running = chosen;
  jump_to ((uint32_t *) (uintptr_t) running->saved[8], running->limit);
}

static inline uint32_t
lock (void)
{
  uint32_t mask;
  __asm volatile ("mrs %0, basepri\n\tmsr basepri_max, %1\n\tisb"
		  : "=r" (mask) : "r" (0x40) : "memory");
  return mask;
}

static inline void
unlock (uint32_t mask)
{
  __asm volatile ("msr basepri, %0\n\tisb" : : "r" (mask) : "memory");
}

NOINLINE static uint32_t
swap (uint32_t mask)
{
  running->mask = mask;
  running->result = RESULT;
  ICSR = PEND_SWITCH;
  unlock (0);
  return running->result;
}

NOINLINE void
port_yield (void)
{
  uint32_t mask = lock ();
  kernel_pick ();
  swap (mask);
}

NOINLINE void
port_enter (void)
{
  lock ();
  nested++;
}

NOINLINE void
port_leave (void)
{
  if (--nested == 0)
    unlock (0);
}

/* The stack of TASK is watched from now on.  */
__attribute__ ((used)) static NOINLINE void
guard_stack (struct task *task)
{
  __asm volatile ("msr psplim, %0" : : "r" (task->limit));
}

__attribute__ ((naked)) void
PendSV_Handler (void)
{
  __asm volatile ("ldr r1, =running\n\t"
		  "ldr r2, [r1]\n\t"
		  "ldr r0, =%0\n\t"
		  "add r0, r2\n\t"
		  "mrs ip, psp\n\t"
		  "stmia r0, {r4-r11, ip}\n\t"
		  "movs r0, #0x40\n\t"
		  "msr basepri_max, r0\n\t"
		  "isb\n\t"
		  "ldr r4, =chosen\n\t"
		  "ldr r2, [r4]\n\t"
		  "str r2, [r1]\n\t"
		  "ldr r7, =0xe000ed04\n\t"
		  "ldr r6, =0x08000000\n\t"
		  "str r6, [r7]\n\t"
		  "ldr r0, [r2, %1]\n\t"
		  "movs r3, #0\n\t"
		  "str r3, [r2, %1]\n\t"
		  "push {r0, r2, r3, lr}\n\t"
		  "mov r0, r2\n\t"
		  "bl guard_stack\n\t"
		  "pop {r0, r2, r3, lr}\n\t"
		  "msr basepri, r0\n\t"
		  "ldr r4, =%0\n\t"
		  "adds r0, r2, r4\n\t"
		  "ldmia r0, {r4-r11, ip}\n\t"
		  "msr psp, ip\n\t"
		  "bx lr\n\t"
		  ".ltorg"
		  : : "i" (__builtin_offsetof (struct task, saved)),
		  "i" (__builtin_offsetof (struct task, mask)));
}
