/* Signals that ask the program to end, taken over for a while.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_INTERRUPTS_H
#define TB_CONVERTER_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>

/* SIGINT, SIGTERM and SIGHUP.  */
#define INTERRUPTS 3

/* What was done at each before.  */
struct interrupts
{
  struct sigaction old[INTERRUPTS];
};

/* Is NUMBER one of them?  */
bool is_interrupt (int number);

/* Add them to SET.  */
void interrupts_add (sigset_t *set);

/* Call HANDLER at those that the program's starter does not ignore, until interrupts_leave.
   Calls that they interrupt begin again, save those that wait (poll, sigsuspend).  */
void interrupts_take (struct interrupts *interrupts, void (*handler) (int number));
void interrupts_leave (const struct interrupts *interrupts);

#endif /* TB_CONVERTER_INTERRUPTS_H */
