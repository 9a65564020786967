/* Progress of long work, on a terminal.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_PROGRESS_H
#define TB_CONVERTER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress
{
  bool on;			/* Standard error is a terminal.  */
  bool shown;			/* A line is on it.  */
  const char *what;		/* The input.  */
  uint64_t last;		/* When the line was last written, ns.  */
};

void progress_init (struct progress *progress, const char *what, bool quiet);

/* DONE of ALL; writes at most ten times a second.  Always true: go on (the
   signature is that of struct tb_export_options).  */
bool progress_show (void *progress, uint64_t done, uint64_t all);

/* Take the line away.  */
void progress_clear (struct progress *progress);

#endif /* TB_CONVERTER_PROGRESS_H */
