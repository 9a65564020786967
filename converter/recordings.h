/* The recordings of an input: of formats that have a file for each.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_RECORDINGS_H
#define TB_CONVERTER_RECORDINGS_H

#include "convert.h"

/* A stream whose trace has steps.  */
struct found
{
  const struct tb_session_stream *stream;
  struct tb_recording *recording;
};

/* Open every stream that the user wants; *FOUND are those with steps, to be freed
   whatever the status is.  */
enum tb_status recordings_find (struct job *job, struct found **found, size_t *count);
void recordings_free (const struct job *job, struct found *found, size_t count);

/* There are several and one output: say what there is to choose, behind WHY that
   matters.  Returns TB_ERR_INPUT.  */
enum tb_status recordings_refuse (struct job *job, const struct found *found,
				  size_t count, const char *why);

#endif /* TB_CONVERTER_RECORDINGS_H */
