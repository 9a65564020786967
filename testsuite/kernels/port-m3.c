/* The port to ARMv7-M: yields are inline, PendSV switches, SVC starts.

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

void
port_enter (void)
{
  __asm volatile ("msr basepri, %0\n\tisb\n\tdsb" : : "r" (0x40) : "memory");
  nested++;
}

void
port_leave (void)
{
  if (--nested == 0)
    __asm volatile ("msr basepri, %0" : : "r" (0) : "memory");
}

/* Start the first task.  */
__attribute__ ((naked)) void
SVC_Handler (void)
{
  __asm volatile ("ldr r3, =running\n\t"
		  "ldr r1, [r3]\n\t"
		  "ldr r0, [r1]\n\t"
		  "ldmia r0!, {r4-r11}\n\t"
		  "msr psp, r0\n\t"
		  "isb\n\t"
		  "mov r0, #0\n\t"
		  "msr basepri, r0\n\t"
		  "orr lr, lr, #0xd\n\t"
		  "bx lr");
}

__attribute__ ((naked)) void
PendSV_Handler (void)
{
  __asm volatile ("mrs r0, psp\n\t"
		  "isb\n\t"
		  "ldr r3, =running\n\t"
		  "ldr r2, [r3]\n\t"
		  "stmdb r0!, {r4-r11}\n\t"
		  "str r0, [r2]\n\t"
		  "stmdb sp!, {r3, lr}\n\t"
		  "mov r0, #0x40\n\t"
		  "msr basepri, r0\n\t"
		  "dsb\n\t"
		  "isb\n\t"
		  "bl kernel_switch\n\t"
		  "mov r0, #0\n\t"
		  "msr basepri, r0\n\t"
		  "ldmia sp!, {r3, lr}\n\t"
		  "ldr r1, [r3]\n\t"
		  "ldr r0, [r1]\n\t"
		  "ldmia r0!, {r4-r11}\n\t"
		  "msr psp, r0\n\t"
		  "isb\n\t"
		  "bx lr\n\t"
		  ".ltorg");
}
