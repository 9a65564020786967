/* Where output goes: names, and what must not be overwritten.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_OUTPUT_H
#define TB_CONVERTER_OUTPUT_H

#include <stdbool.h>

#include "convert.h"

/* What the outputs of the input PATH are called, to be freed: the last part of its resolved
   path, of a snapshot that of its folder, of a log without what says that it is one.  BELOW
   is its path below a folder that was searched, which is called so; NULL: the user named the
   input itself.  NULL: no memory.  */
char *output_input_name (const char *path, const char *below);

/* The name of CORE's trace file, of STREAM's trace (NULL: the halt); to be
   freed.  NULL: no memory.  */
char *output_name (const struct job *job, const struct tb_session_core *core,
		   const struct tb_session_stream *stream);

/* The name of the log that is written of STREAM, one of SEVERAL, to be freed: what
   the user named, with the core's name before its end where there are several.  NULL:
   no memory.  */
char *output_log_name (const struct job *job,
		       const struct tb_session_stream *stream, bool several);

/* How many characters of NAME, a log's, are left without what says that it is one:
   "run.tarmac.gz" is "run".  */
size_t output_stem (const char *name);

/* May PATH be written?  Not a file that is read, nor one that this run has
   written: false after a diagnostic.  */
bool output_claim (struct job *job, const char *path);

#endif /* TB_CONVERTER_OUTPUT_H */
