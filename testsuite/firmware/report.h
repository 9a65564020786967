/* Text lines for the outside world.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

struct report
{
  uint32_t used;
  uint32_t lines;
  char text[96];		/* A ring: the latest lines.  */
};

/* Begin the report of COUNT samples, less than ten.  */
void report_start (struct report *report, unsigned count);

/* Add the line "C=VALUE".  */
void report_sample (struct report *report, unsigned channel, int value);

#endif /* REPORT_H */
