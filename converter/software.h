/* What software said, in reports and time lines.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_SOFTWARE_H
#define TB_CONVERTER_SOFTWARE_H

#include "names.h"
#include "recording/lane.h"

/* Write what ITEM says as a JSON string.  False: no memory.  */
bool software_item (const struct tb_lane_item *item, FILE *out);

/* The members of a recording's JSON object for what software said: "software" ([FIRST,
   LAST, TEXT] each; lane.h says what the steps are), how many that would be, and how many
   more cannot be placed.  */
bool software_report (struct job *job, const struct named_recording *named, FILE *out);

#endif /* TB_CONVERTER_SOFTWARE_H */
