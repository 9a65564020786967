/* What software said, in reports and time lines.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_SOFTWARE_H
#define TB_CONVERTER_SOFTWARE_H

#include "names.h"
#include "recording/lane.h"

/* Where STATS, of all of STREAM, have no byte, a warning says why nothing was said.  */
void software_say_empty (struct job *job, const struct tb_session_stream *stream,
			 const struct tb_decoder_stats *stats);

/* Write what ITEM says as a JSON string.  False: no memory.  */
bool software_item (const struct tb_lane_item *item, FILE *out);

/* Make *LANE, to be freed with tb_lane_fini, of what software says in NAMED.  False: no memory.  */
bool software_lane (struct tb_lane *lane, struct job *job, const struct named_recording *named);

/* The members of a recording's JSON object for what software said: "software" ([FIRST,
   LAST, TEXT] each; lane.h says what the steps are), how many that would be, how many
   more cannot be placed, and these: "elsewhere" ([WHEN, TEXT, WHY] each; software.h says what
   is in WHEN).  The lists are cut where they are long.  False: no memory.  */
bool software_report (struct job *job, const struct named_recording *named, FILE *out);

/* The same members where there is no trace of instructions of the core of STREAM, which says
   SOFTWARE: all is elsewhere, but what the page draws or counts of a DWT.  */
bool software_report_alone (const struct tb_session_stream *stream,
			    const struct tb_software *software, FILE *out);

/* How many items that would be.  */
size_t software_alone_count (const struct tb_software *software);

#endif /* TB_CONVERTER_SOFTWARE_H */
