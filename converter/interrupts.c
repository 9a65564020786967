/* Signals that ask the program to end.  See interrupts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "interrupts.h"

static const int numbers[INTERRUPTS] = { SIGINT, SIGTERM, SIGHUP };

bool
is_interrupt (int number)
{
  for (int i = 0; i < INTERRUPTS; i++)
    if (number == numbers[i])
      return true;
  return false;
}

void
interrupts_add (sigset_t *set)
{
  for (int i = 0; i < INTERRUPTS; i++)
    sigaddset (set, numbers[i]);
}

void
interrupts_take (struct interrupts *interrupts, void (*handler) (int number))
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
  for (int i = 0; i < INTERRUPTS; i++)
    if (sigaction (numbers[i], NULL, &interrupts->old[i]) == 0
	&& interrupts->old[i].sa_handler != SIG_IGN)
      sigaction (numbers[i], &action, NULL);
}

void
interrupts_leave (const struct interrupts *interrupts)
{
  for (int i = 0; i < INTERRUPTS; i++)
    sigaction (numbers[i], &interrupts->old[i], NULL);
}
