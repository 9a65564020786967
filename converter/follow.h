/* --follow: a log that grows, told as it grows.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What came of the log, in whole lines, is read again from time to time, and what is new is
   told.  A step is told once: no line of the log can change it any more, as lines belong to
   none of the last TB_TARMAC_TAGS instructions; what later lines would tell of earlier values is
   not waited for.  Each look takes longer as the log grows, and so they become rarer: all
   together take a fifth of the time.  */

#ifndef TB_CONVERTER_FOLLOW_H
#define TB_CONVERTER_FOLLOW_H

#include "convert.h"

struct follow;

/* Follow JOB's input until a signal, the limit of idle time or the end of a pipe, and write
   totals; a file that shrinks or is replaced is an error.  */
enum tb_status follow_input (struct job *job);

/* For job_text, of one look: FILL writes to what stays open.  */
enum tb_status follow_text (struct job *job,
			    enum tb_status (*fill) (struct job *job, struct tb_outfile *out));

/* For job_choose: of CHOICE, the steps of STREAM that can be told and were not yet.  */
struct tb_choice follow_choose (struct job *job, const struct tb_session_stream *stream,
				uint64_t steps, struct tb_choice choice);

#endif /* TB_CONVERTER_FOLLOW_H */
