/* The port to ARMv6-M, which has no LDM of high registers: a shared function yields,
   PendSV switches, SVC starts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "port.h"

uint32_t *
port_stack (uint32_t *top, uint32_t *limit, void (*entry) (void *), void *argument)
{
  (void) limit;
  return first_frame (top, entry, argument) - 8;
}

void
port_start (void)
{
  __asm volatile ("cpsie i\n\tsvc 0");
}

NOINLINE void
port_yield (void)
{
  ICSR = PEND_SWITCH;
  __asm volatile ("dsb\n\tisb" : : : "memory");
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
SVC_Handler (void)
{
  __asm volatile (".syntax unified\n\t"
		  "ldr r2, =running\n\t"
		  "ldr r3, [r2]\n\t"
		  "ldr r0, [r3]\n\t"
		  "adds r0, #32\n\t"
		  "msr psp, r0\n\t"
		  "movs r0, #2\n\t"
		  "mvns r0, r0\n\t"
		  "bx r0");
}

__attribute__ ((naked)) void
PendSV_Handler (void)
{
  __asm volatile (".syntax unified\n\t"
		  "mrs r0, psp\n\t"
		  "ldr r3, =running\n\t"
		  "ldr r2, [r3]\n\t"
		  "subs r0, r0, #32\n\t"
		  "str r0, [r2]\n\t"
		  "stmia r0!, {r4-r7}\n\t"
		  "mov r4, r8\n\t"
		  "mov r5, r9\n\t"
		  "mov r6, r10\n\t"
		  "mov r7, r11\n\t"
		  "stmia r0!, {r4-r7}\n\t"
		  "push {r3, lr}\n\t"
		  "cpsid i\n\t"
		  "bl kernel_switch\n\t"
		  "cpsie i\n\t"
		  "pop {r2, r3}\n\t"
		  "ldr r1, [r2]\n\t"
		  "ldr r0, [r1]\n\t"
		  "adds r0, r0, #16\n\t"
		  "ldmia r0!, {r4-r7}\n\t"
		  "mov r8, r4\n\t"
		  "mov r9, r5\n\t"
		  "mov r10, r6\n\t"
		  "mov r11, r7\n\t"
		  "msr psp, r0\n\t"
		  "subs r0, r0, #32\n\t"
		  "ldmia r0!, {r4-r7}\n\t"
		  "bx r3\n\t"
		  ".ltorg");
}
