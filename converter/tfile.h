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

/* Decide which memory each of so many FRAMES gets.  HALT: there is but the one of a
   halt.  RANGES is to be freed.  */
enum tb_status tfile_ranges (const struct job *job,
			     const struct tb_session_core *core,
			     uint64_t frames, bool halt,
			     struct tb_collect_options *collect,
			     struct tb_collect_range **ranges);

/* Say that GDB may move MOVED tracepoints, unless there are none.  */
void tfile_moved (size_t moved);

#endif /* TB_CONVERTER_TFILE_H */
