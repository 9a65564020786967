/* --trace and --trace-file: frames of tracepoints.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_TRACE_H
#define TB_CONVERTER_TRACE_H

#include "convert.h"
#include "frame/export.h"

/* Make the trace file PATH of the frames of the tracepoints that are asked for.
   WANTED says how; its ranges of memory are chosen here.  */
enum tb_status trace_export (struct job *job,
			     const struct tb_session_core *core,
			     const struct tb_session_stream *stream,
			     struct tb_recording *recording,
			     struct tb_export_options *wanted,
			     const char *path);

#endif /* TB_CONVERTER_TRACE_H */
