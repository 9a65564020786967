/* How much is known of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_COVERAGE_H
#define TB_CONVERTER_COVERAGE_H

#include "convert.h"
#include "state/explain/coverage.h"

/* Count what is known of RECORDING, which is of STREAM, into zero-initialised
   COVERAGE.  Unless LOOK is NULL, it is called with CONTEXT, the state and each step.  */
enum tb_status coverage_count (struct job *job,
			       const struct tb_session_stream *stream,
			       struct tb_recording *recording,
			       struct tb_coverage *coverage,
			       void (*look) (void *context, struct tb_state *state,
					     uint64_t step),
			       void *context);

/* Why what is not known of RECORDING is not: a table; a member of a JSON object.  */
void coverage_reasons_text (const struct tb_reasons *reasons,
			    struct tb_recording *recording, FILE *out);
void coverage_reasons_json (const struct tb_reasons *reasons,
			    struct tb_recording *recording, FILE *out);

/* As a JSON object, with that of RECORDING if it was counted.  */
void coverage_json (const struct tb_session_stream *stream,
		    struct tb_recording *recording,
		    const struct tb_coverage *coverage, FILE *out);

#endif /* TB_CONVERTER_COVERAGE_H */
