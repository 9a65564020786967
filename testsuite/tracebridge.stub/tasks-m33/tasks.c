/* A task on the process stack that asks for a service by SVC, whose handler works on the
   main stack; the fourth time it ends.  Both use floating point.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <stdint.h>

#define CPACR (*(volatile uint32_t *) 0xe000ed88)

extern uint32_t stack_top[];

void Reset_Handler (void);
void SVC_Handler (void);
void the_end (void);
void task (void);

volatile float level;
volatile int asked;
volatile uint32_t seen[8];
static uint32_t task_stack[128] __attribute__ ((aligned (8)));

static void
unexpected (void)
{
  for (;;)
    ;
}

__attribute__ ((section (".vectors"), used))
static const uintptr_t vectors[16] = {
  (uintptr_t) stack_top,
  (uintptr_t) Reset_Handler,
  (uintptr_t) unexpected,
  (uintptr_t) unexpected,
  [11] = (uintptr_t) SVC_Handler
};

__attribute__ ((naked)) void
the_end (void)
{
  __asm volatile ("bkpt 0");
}

__attribute__ ((noinline)) static void
record (int number)
{
  seen[number & 7] = number * 3;
  if (number == 4)
    the_end ();
}

void
SVC_Handler (void)
{
  asked++;
  record (asked);
}

__attribute__ ((noinline)) static int
ask (int question)
{
  __asm volatile ("svc 0");
  return question + 1;
}

__attribute__ ((noinline)) static int
work (int first)
{
  int sum = 0;
  for (int i = 0; i < 3; i++)
    {
      sum += ask (first + i);
      level = level * 1.25f + 1;
    }
  return sum;
}

__attribute__ ((noreturn)) void
task (void)
{
  int n = 0;
  for (;;)
    n += work (n);
}

__attribute__ ((naked)) void
Reset_Handler (void)
{
  CPACR |= 0xf00000;
  __asm volatile ("dsb\n\t"
		  "isb\n\t"
		  "msr psp, %0\n\t"
		  "movs r0, #2\n\t"
		  "msr control, r0\n\t"
		  "isb\n\t"
		  "b task" :: "r" (task_stack + 128));
}
