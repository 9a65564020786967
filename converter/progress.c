/* Progress of long work.  See progress.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Work shorter than this shows nothing, and a line stays so long.  */
#define INTERVAL UINT64_C (100000000)

static uint64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

void
progress_init (struct progress *p, const char *what, bool quiet)
{
  *p = (struct progress) { .on = !quiet && isatty (STDERR_FILENO),
			   .what = what, .last = now () };
}

bool
progress_show (void *progress, uint64_t done, uint64_t all)
{
  struct progress *p = progress;
  if (!p->on || all == 0)
    return true;
  uint64_t time = now ();
  if (time - p->last < INTERVAL)
    return true;
  p->last = time;
  p->shown = true;
  fprintf (stderr, "\r%s: %u %%\033[K", p->what,
	   (unsigned) (100.0 * (double) done / (double) all));
  fflush (stderr);
  return true;
}

void
progress_clear (struct progress *p)
{
  if (p->shown)
    fputs ("\r\033[K", stderr);
  p->shown = false;
}
