/* What all ports have in common.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef PORT_H
#define PORT_H

#include "kernel.h"

/* Critical sections that are open.  */
static uint32_t nested;

void SVC_Handler (void);
void PendSV_Handler (void);

static void
task_ended (void)
{
  for (;;)
    ;
}

/* Below TOP, what an exception return to the beginning of ENTRY finds on the stack.  */
static uint32_t *
first_frame (uint32_t *top, void (*entry) (void *), void *argument)
{
  *--top = 0x01000000;
  *--top = (uint32_t) (uintptr_t) entry & ~1u;
  *--top = (uint32_t) (uintptr_t) task_ended;
  top -= 5;
  *top = (uint32_t) (uintptr_t) argument;
  return top;
}

#endif /* PORT_H */
