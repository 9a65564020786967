/* The port to ARMv8-M: a shared function yields, PendSV switches, with EXC_RETURN and the
   limit of the stack, PSPLIM, among what it saves, and S16 to S31 where there are some; SVC
   starts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "port.h"

/* Do this with S16 to S31 if REGISTER, EXC_RETURN, says that the task has used them.  */
#ifdef __ARM_FP
# define IF_USED(register, what) "tst " register ", #0x10\n\tit eq\n\t" what " r0!, {s16-s31}\n\t"
#else
# define IF_USED(register, what)
#endif

uint32_t *
port_stack (uint32_t *top, uint32_t *limit, void (*entry) (void *), void *argument)
{
  top = first_frame (top, entry, argument) - 8;
  *--top = 0xfffffffd;
  *--top = (uint32_t) (uintptr_t) limit;
  return top;
}

__attribute__ ((naked)) void
port_start (void)
{
  __asm volatile ("cpsie i\n\tdsb\n\tisb\n\tsvc 2\n\tnop");
}

NOINLINE void
port_yield (void)
{
  ICSR = PEND_SWITCH;
  __asm volatile ("dsb\n\tisb" : : : "memory");
}

/* The interrupts' mask before.  */
__attribute__ ((naked)) static uint32_t
mask_interrupts (void)
{
  __asm volatile ("mrs r0, basepri\n\t"
		  "mov r1, #0x40\n\t"
		  "msr basepri, r1\n\t"
		  "dsb\n\tisb\n\tbx lr");
}

__attribute__ ((naked)) static void
unmask_interrupts (uint32_t mask)
{
  (void) mask;
  __asm volatile ("msr basepri, r0\n\tdsb\n\tisb\n\tbx lr");
}

NOINLINE void
port_enter (void)
{
  mask_interrupts ();
  nested++;
}

NOINLINE void
port_leave (void)
{
  if (--nested == 0)
    unmask_interrupts (0);
}

__attribute__ ((naked)) void
SVC_Handler (void)
{
  __asm volatile ("ldr r2, =running\n\t"
		  "ldr r1, [r2]\n\t"
		  "ldr r0, [r1]\n\t"
		  "ldm r0!, {r1-r2}\n\t"
		  "msr psplim, r1\n\t"
		  "movs r1, #2\n\t"
		  "msr control, r1\n\t"
		  "adds r0, #32\n\t"
		  "msr psp, r0\n\t"
		  "isb\n\t"
		  "mov r0, #0\n\t"
		  "msr basepri, r0\n\t"
		  "bx r2");
}

__attribute__ ((naked)) void
PendSV_Handler (void)
{
  __asm volatile ("mrs r0, psp\n\t"
		  IF_USED ("lr", "vstmdbeq")
		  "mrs r2, psplim\n\t"
		  "mov r3, lr\n\t"
		  "stmdb r0!, {r2-r11}\n\t"
		  "ldr r2, =running\n\t"
		  "ldr r1, [r2]\n\t"
		  "str r0, [r1]\n\t"
		  "mov r0, #0x40\n\t"
		  "msr basepri, r0\n\t"
		  "dsb\n\t"
		  "isb\n\t"
		  "bl kernel_switch\n\t"
		  "mov r0, #0\n\t"
		  "msr basepri, r0\n\t"
		  "ldr r2, =running\n\t"
		  "ldr r1, [r2]\n\t"
		  "ldr r0, [r1]\n\t"
		  "ldmia r0!, {r2-r11}\n\t"
		  IF_USED ("r3", "vldmiaeq")
		  "msr psplim, r2\n\t"
		  "msr psp, r0\n\t"
		  "bx r3\n\t"
		  ".ltorg");
}
