/* A port to ARMv7-M in which PendSV is the scheduler: it saves what is to be saved, forgets
   which task runs, and waits in a loop, in which interrupts are let in, until one is ready.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "port.h"

/* What is left of the time of the task that runs.  */
uint32_t time_slice;

uint32_t *
port_stack (uint32_t *top, uint32_t *limit, void (*entry) (void *), void *argument)
{
  (void) limit;
  top = first_frame (top, entry, argument) - 8;
  *--top = 0xfffffffd;
  return top;
}

/* The first task is scheduled as all others are.  */
__attribute__ ((naked)) void
port_start (void)
{
  __asm volatile ("mov r0, #0\n\t"
		  "ldr r2, =running\n\t"
		  "str r0, [r2]\n\t"
		  "mov r0, #0x10000000\n\t"
		  "mov r1, #0xe000e000\n\t"
		  "str r0, [r1, #0xd04]\n\t"
		  "cpsie i\n"
		  "0:\n\t"
		  "b 0b\n\t"
		  ".ltorg");
}

NOINLINE void
port_yield (void)
{
  __asm volatile ("cpsid i" : : : "memory");
  kernel_pick ();
  ICSR = PEND_SWITCH;
  __asm volatile ("cpsie i\n\tisb" : : : "memory");
}

NOINLINE void
port_enter (void)
{
  __asm volatile ("cpsid i" : : : "memory");
  nested++;
}

NOINLINE void
port_leave (void)
{
  if (--nested == 0)
    __asm volatile ("cpsie i" : : : "memory");
}

__attribute__ ((naked)) void
PendSV_Handler (void)
{
  __asm volatile ("cpsid i\n\t"
		  "ldr r0, =running\n\t"
		  "ldr r2, =chosen\n\t"
		  "mov r3, #0\n\t"
		  "ldr r1, [r0]\n\t"
		  "cbz r1, 1f\n\t"
		  "str r3, [r0]\n\t"
		  "mrs r12, psp\n\t"
		  "stmdb r12!, {r4-r11}\n\t"
		  "ldr r4, =time_slice\n\t"
		  "stmdb r12!, {lr}\n\t"
		  "ldr r5, [r4]\n\t"
		  "str r12, [r1]\n\t"
		  "cbz r5, 1f\n\t"
		  "str r3, [r4]\n"
		  /* A task that was chosen is next.  */
		  "1:\n\t"
		  "cpsid i\n\t"
		  "ldr r1, [r2]\n\t"
		  "cbz r1, 3f\n\t"
		  "str r1, [r0]\n\t"
		  "cpsie i\n"
		  "2:\n\t"
		  "ldr r7, [r1, %0]\n\t"
		  "ldr r4, =time_slice\n\t"
		  "mov r5, #2\n\t"
		  "add r7, r7, #1\n\t"
		  "str r7, [r1, %0]\n\t"
		  "str r5, [r4]\n\t"
		  "ldr r12, [r1]\n\t"
		  "ldmia r12!, {lr}\n\t"
		  "ldmia r12!, {r4-r11}\n\t"
		  "msr psp, r12\n\t"
		  "bx lr\n"
		  /* Wait for one.  */
		  "3:\n\t"
		  "cpsid i\n\t"
		  "ldr r1, [r2]\n\t"
		  "str r1, [r0]\n\t"
		  "cbnz r1, 4f\n\t"
		  "cpsie i\n\t"
		  "b 3b\n"
		  /* No other switch need be pending.  */
		  "4:\n\t"
		  "mov r7, #0x08000000\n\t"
		  "mov r8, #0xe000e000\n\t"
		  "str r7, [r8, #0xd04]\n\t"
		  "cpsie i\n\t"
		  "b 2b\n\t"
		  ".ltorg" : : "i" (__builtin_offsetof (struct task, runs)));
}
