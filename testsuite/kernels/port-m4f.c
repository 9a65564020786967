/* The port to ARMv7E-M with floating point: as that to ARMv7-M, with EXC_RETURN among what
   PendSV saves and, where that says that the task has used them, S16 to S31.  The core saves S0
   to S15 lazily.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "port.h"

uint32_t *
port_stack (uint32_t *top, uint32_t *limit, void (*entry) (void *), void *argument)
{
  (void) limit;
  top = first_frame (top, entry, argument);
  *--top = 0xfffffffd;
  return top - 8;
}

/* What ran until now may have used floating point; nobody goes on with that.  */
void
port_start (void)
{
  __asm volatile ("mov r0, #0\n\tmsr control, r0\n\tcpsie i\n\tcpsie f\n\tdsb\n\tisb\n\tsvc 0");
}

NOINLINE void
port_yield (void)
{
  ICSR = PEND_SWITCH;
  __asm volatile ("dsb\n\tisb" : : : "memory");
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
		  "ldmia r0!, {r4-r11, r14}\n\t"
		  "msr psp, r0\n\t"
		  "isb\n\t"
		  "mov r0, #0\n\t"
		  "msr basepri, r0\n\t"
		  "bx r14");
}

__attribute__ ((naked)) void
PendSV_Handler (void)
{
  __asm volatile ("mrs r0, psp\n\t"
		  "isb\n\t"
		  "ldr r3, =running\n\t"
		  "ldr r2, [r3]\n\t"
		  "tst r14, #0x10\n\t"
		  "it eq\n\t"
		  "vstmdbeq r0!, {s16-s31}\n\t"
		  "stmdb r0!, {r4-r11, r14}\n\t"
		  "str r0, [r2]\n\t"
		  "stmdb sp!, {r0, r3}\n\t"
		  "mov r0, #0x40\n\t"
		  "msr basepri, r0\n\t"
		  "dsb\n\t"
		  "isb\n\t"
		  "bl kernel_switch\n\t"
		  "mov r0, #0\n\t"
		  "msr basepri, r0\n\t"
		  "ldmia sp!, {r0, r3}\n\t"
		  "ldr r1, [r3]\n\t"
		  "ldr r0, [r1]\n\t"
		  "ldmia r0!, {r4-r11, r14}\n\t"
		  "tst r14, #0x10\n\t"
		  "it eq\n\t"
		  "vldmiaeq r0!, {s16-s31}\n\t"
		  "msr psp, r0\n\t"
		  "isb\n\t"
		  "bx r14\n\t"
		  ".ltorg");
}
