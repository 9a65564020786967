/* --format=report: a page to look at.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_REPORT_H
#define TB_CONVERTER_REPORT_H

#include "names.h"

/* Gaps that a page lists or draws.  */
#define REPORT_GAPS_MOST 2000

/* The members of a recording's JSON object that say which functions ran when:
   "names", "levels" and how many were "left_out", shorter than "least" steps.  */
bool report_timeline (const struct named_recording *named, FILE *out);

/* Write, each behind a comma, objects for cores of which an ITM or STM alone tells something;
   *ANY: there was one.  False: no memory, or a diagnostic said why not.  */
bool report_sparse (struct job *job, FILE *out, bool *any);

/* Those that say how often code ran: "functions" and "files".  */
bool report_code (const struct named_recording *named, FILE *out);

#endif /* TB_CONVERTER_REPORT_H */
