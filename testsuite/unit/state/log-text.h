/* Tarmac logs of T32 and A64 given as text, for tests of their state: what must be known
   at each step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_TEST_LOG_TEXT_H
#define TB_TEST_LOG_TEXT_H

#include "log-run.h"

/* A branch to 0x100: what comes behind it is in no IT block.  */
static const char branch[] = "0 ns IT (0) 000000f0 e006 T16 B 0x100\n";

/* Open the log TEXT, with BRANCH before it if it is one of T32.  */
static inline bool
open_text (struct log *log, const char *text)
{
  char whole[4096];
  bool m = strstr (text, "T16") != NULL;
  snprintf (whole, sizeof whole, "%s%s", m ? branch : "", text);
  bool ok = open_log (log, whole);
  log->first = m;
  return ok;
}

/* Nothing was said of the log TEXT, the values of which are as WANT says, step by
   step ("0: r0=1 ..." lines).  */
static inline void
expect_all (const char *text, const char *want)
{
  struct log log;
  if (!open_text (&log, text))
    return;
  if (!CHECK_STR (tree.said, ""))
    fprintf (stderr, "  of:\n%s", text);
  for (const char *line = want; *line != 0; line = strchr (line, '\n') + 1)
    {
      char one[512];
      uint64_t step = strtoull (line, NULL, 10);
      const char *values = strchr (line, ':') + 2;
      snprintf (one, sizeof one, "%.*s", (int) strcspn (values, "\n"), values);
      expect_values (&log, step, one, true);
    }
  close_log (&log);
}

#endif /* TB_TEST_LOG_TEXT_H */
