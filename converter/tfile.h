/* What all trace files that the converter writes have in common.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_TFILE_H
#define TB_CONVERTER_TFILE_H

#include "convert.h"
#include "frame/collect.h"

/* Put into TEXT how far the trace of STREAM (NULL: none) knows its ends.  */
void tfile_ends (const struct tb_session_stream *stream,
		 struct tb_state *state, char *text, size_t size);

/* Which dumped RAM frames have.  */
enum tfile_ram
{
  TFILE_RAM_ALL,		/* All, or all that was asked for.  */
  TFILE_RAM_VARIABLES,		/* What programs have variables in.  */
  TFILE_RAM_NEAR		/* The stack and what instructions access.  */
};

/* Decide which memory each of so many FRAMES gets, the last of which is before step
   LAST of STATE or at its end.  HALT: there is but the one of a halt.  RANGES is to be
   freed.  *RAM gets what that is.  */
enum tb_status tfile_ranges (const struct job *job,
			     const struct tb_session_core *core,
			     struct tb_state *state, uint64_t last,
			     uint64_t frames, bool halt,
			     struct tb_collect_options *collect,
			     struct tb_collect_range **ranges,
			     enum tfile_ram *ram);

/* Say what RAM is missing in the frames.  */
void tfile_report_ram (enum tfile_ram ram);

/* Say that GDB may move MOVED tracepoints, unless there are none.  */
void tfile_moved (size_t moved);

#endif /* TB_CONVERTER_TFILE_H */
