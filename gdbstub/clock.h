/* The time, for deadlines.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_CLOCK_H
#define TB_GDBSTUB_CLOCK_H

#include <stdint.h>
#include <time.h>

/* In ms, from some moment on; it only grows.  */
static inline uint64_t
now_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

#endif /* TB_GDBSTUB_CLOCK_H */
