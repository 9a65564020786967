/* The jobs of tracebridge-convert.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_CONVERT_H
#define TB_CONVERTER_CONVERT_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "progress.h"
#include "recording/axis.h"
#include "recording/session.h"
#include "state/state.h"
#include "util/diag.h"
#include "util/outfile.h"
#include "util/status.h"

/* The files that this run has written.  */
struct outputs
{
  char **names;
  size_t count;
};

void outputs_fini (struct outputs *outputs);

struct follow;

/* What one input is being turned into.  */
struct job
{
  const struct options *options;
  const char *input;
  const char *path;		/* Where INPUT is read from: itself, unless it is one that
				   can be read once (util/spool.h).  */
  struct tb_session session;
  struct tb_follow_share *share;	/* Of decoders that this thread reads, of SESSION;
					   NULL: they share nothing.  */
  struct tb_diag *diag;
  struct progress progress;
  struct outputs *outputs;
  struct follow *follow;	/* The input grows (follow.h); else NULL.  */
  void *elves;			/* What was made of the options' ELF files.  */
  bool trace_errors;		/* Bad packets or code that cannot have run.  */
  bool no_steps;		/* A page, a summary or --find has nothing of what
				   was asked for.  */
  bool found;			/* --find has some of it, be there a step or not.  */
  bool in_time;			/* A time line is in the system's time, not in
				   steps.  */
  struct tb_axis *axis;		/* Of a time line of all sources; else NULL.  */
  struct axis_lane *axis_lanes;	/* Of its streams.  */
  uint64_t axis_frequency;	/* How many of its ticks there are a second; 0: not
				   known.  */
  bool chose, chosen;		/* Steps were to be chosen; there were some.  */
  bool told_any;		/* Something stands in the list that is written.  */
  bool differs;			/* What is claimed is not what a log says.  */
  /* Of trace, of all streams that were read.  */
  uint64_t instructions, bytes, packets;
  /* Called with each file that was read, unless NULL.  */
  void (*take_input) (void *context, const char *path);
  void *take_input_context;
};

/* Convert JOB's input.  */
enum tb_status convert_input (struct job *job);

/* The same of one whose PATH is set, as it is now.  */
enum tb_status convert_path (struct job *job);

/* Does the user want STREAM?  */
bool job_wants (const struct job *job, const struct tb_session_stream *stream);

/* Look at the statistics of STREAM, all of which was read: report bad trace, and
   code that cannot be what ran.  */
void job_judge (struct job *job, const struct tb_session_stream *stream,
		const struct tb_decoder_stats *stats);

/* The recording of STREAM, by an index and with as many threads as the options
   say.  NULL after a diagnostic.  */
struct tb_recording *job_recording (struct job *job,
				    const struct tb_session_stream *stream);

/* Warn where the trace of STREAM, which was told without a recording, should lead to the halt and
   does not.  */
enum tb_status job_check_end (const struct job *job, const struct tb_session_stream *stream);

/* Close RECORDING or STATE, or NULL.  If something that it was asked for found no memory,
   what was made of it is not whole: a diagnostic, and TB_ERR_MEMORY.  */
enum tb_status job_close_recording (const struct job *job,
				    struct tb_recording *recording);
enum tb_status job_close_state (const struct job *job, struct tb_state *state);

/* Where there are several inputs, the line of OUT that says which one follows.  */
void job_put_input (const struct job *job, struct tb_outfile *out);

/* Write a whole text to where the options say: FILL writes it to the stream.  */
enum tb_status job_text (struct job *job,
			 enum tb_status (*fill) (struct job *job,
						 struct tb_outfile *out));

/* The state of RECORDING, which is of CORE by STREAM (NULL: without trace), as the
   options want it.  NULL after a diagnostic.  */
struct tb_state *job_state (struct job *job,
			    const struct tb_session_core *core,
			    const struct tb_session_stream *stream,
			    struct tb_recording *recording);

/* The same, but nothing is worked out yet; and work it out from step FIRST on: false
   after a diagnostic.  */
struct tb_state *job_state_open (struct job *job,
				 const struct tb_session_core *core,
				 const struct tb_session_stream *stream,
				 struct tb_recording *recording);
bool job_state_prepare (struct job *job, const struct tb_session_core *core,
			struct tb_state *state, uint64_t first);

/* As job_state_open, and nobody is told of anything.  */
struct tb_state *job_state_quiet (struct job *job,
				  const struct tb_session_core *core,
				  const struct tb_session_stream *stream,
				  struct tb_recording *recording);

/* Write a line, which begins with LEAD, for each register of STREAM's trace unit that is
   not there: what is taken in its place (if !ALL only where it matters); and one for the
   states that the system did not let be traced.  */
void unit_text (const struct tb_session_stream *stream, const char *lead, bool all,
		FILE *out);

/* The same, and what was worked out or found, as members of a JSON object, each after a comma.  */
void unit_json (const struct tb_session_stream *stream, FILE *out);

/* Does the user want STREAM, and can its trace tell of instructions?  */
bool job_has_steps (const struct job *job,
		    const struct tb_session_stream *stream);

/* Is the trace that JOB is to read software's, and none that tells of instructions?  */
bool job_has_software_alone (const struct job *job);

/* Is there such a stream?  And, all of them read, was there a step?  False after a
   diagnostic.  */
bool job_may_have_steps (struct job *job);
bool job_found_steps (struct job *job);

/* The steps of RECORDING, which is STREAM's, that the options want.  If there are none a
   warning says what it has.  */
struct tb_choice job_choose (struct job *job, const struct tb_session_stream *stream,
			     struct tb_recording *recording);

/* All wanted streams read, did one have a step that is wanted?  False after a
   diagnostic.  */
bool job_found_choice (struct job *job);

/* All wanted streams read, was there anything that could be decoded?  False after a
   diagnostic that tells of each why not.  */
bool job_found_packets (struct job *job);

/* Append why nothing of STREAM could be decoded: "SOURCE in BUFFER: ...".  */
void job_put_reason (struct tb_buffer *text, const struct tb_session_stream *stream);

/* No stream has a step: is that for want of code?  Says so.  */
bool job_lacks_code (struct job *job);

/* STREAM has no step: warn if it has no packet.  True: code is missing, told as SEVERITY.  */
bool job_say_no_step (struct job *job, const struct tb_session_stream *stream,
		      enum tb_severity severity);

/* Write, by PUT, each stream that the user wants and that can be decoded: by trace ID,
   under the name of its buffer where there are several.  */
enum tb_status list_streams (struct job *job, struct tb_outfile *out,
			     enum tb_status (*put) (struct job *job,
						    const struct tb_session_stream *,
						    struct tb_outfile *out));

/* "# id 0xNN", the line before what STREAM says.  */
void list_stream_head (struct tb_buffer *text,
		       const struct tb_session_stream *stream);

/* data-stream.c: list what can be told of STREAM, whose data no decoder is for.  */
enum tb_status list_data_stream (struct job *job, const struct tb_session_stream *stream,
				 struct tb_outfile *out);

/* Append the line of an element to a listing.  */
void list_element (struct tb_buffer *text, const struct tb_element *element,
		   bool positions, bool words);

/* --format=elements with --sessions; without ELEMENTS --format=summary.  */
enum tb_status list_sessions (struct job *job, bool elements, struct tb_outfile *out);

/* The part of STREAM in the text without it.  */
enum tb_status list_trace (struct job *job,
			   const struct tb_session_stream *stream,
			   bool elements, struct tb_outfile *out);

#endif /* TB_CONVERTER_CONVERT_H */
