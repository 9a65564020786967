/* The streams of a session.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_STREAMS_H
#define TB_RECORDING_SESSION_STREAMS_H

#include "coresight/stream.h"
#include "recording/session.h"

/* Make the streams of S, which has its cores: those of a log, those that the
   snapshot names, those that trace units send besides, and Micro Trace Buffers in
   a core's RAM.  TB_ERR_MEMORY is the only error, said to nobody.  */
enum tb_status tb_session_make_streams (struct tb_session *s, struct tb_diag *diag);

/* Where the snapshot of S, which has its cores, has no trace: add the MTB that OPTIONS tells
   of, or if it or they are NULL look for packets of one in the dumps of cores of the M
   profile; DIAG is told of what is found.  TB_ERR_MEMORY is said to nobody, TB_ERR_INPUT to
   DIAG.  */
enum tb_status tb_session_find_mtb (struct tb_session *s,
				    const struct tb_session_options *options,
				    struct tb_diag *diag);

/* Where S has trace buffers, and what sent the trace in them was worked out: look for packets of an
   MTB in the dumps of cores of the M profile whose instructions no buffer tells of, unless OPTIONS
   tells of one.  As above.  */
enum tb_status tb_session_find_mtb_beside (struct tb_session *s,
					   const struct tb_session_options *options,
					   struct tb_diag *diag);

/* Warn where the trace of a core of S, of the input PATH, is of AArch32 state, though the core is
   taken for one in AArch64 state, as no register of it says otherwise.  */
void tb_session_check_states (const struct tb_session *s, const char *path,
			      struct tb_diag *diag);

struct tb_guess;

/* Add to S the source of ID in BUFFER that GUESS says, of CORE (NULL: of none); DEVICE is the one
   whose registers it completes, or NULL.  TB_ERR_MEMORY is the only error, said to nobody.  */
enum tb_status tb_session_add_guess (struct tb_session *s, const struct tb_trace_buffer *buffer,
				     const struct tb_guess *guess, unsigned id,
				     const struct tb_device *core,
				     const struct tb_device *device);

/* Where S, which has its cores, has trace buffers but no file tells what sent the trace in
   them, or not all of it: work that out, add it to the snapshot and tell DIAG, with what it
   rests on.  PROTOCOL is the type of what sends it, or NULL.  TB_ERR_MEMORY is the only
   error, said to nobody.  */
enum tb_status tb_session_guess_sources (struct tb_session *s, const char *protocol,
					 struct tb_diag *diag);

/* The trace of IDs that nothing makes sense of.  */
struct tb_senseless
{
  unsigned count;
  unsigned id;			/* The first; TB_ID_NONE: the bytes have none.  */
  uint64_t bytes;		/* Of all.  */
};

/* Say that nothing was found that could have sent FOUND in BUFFER, once for all its IDs, and
   MORE.  */
void tb_session_say_senseless (struct tb_session *s, const struct tb_trace_buffer *buffer,
			       const struct tb_senseless *found, const char *more,
			       struct tb_diag *diag);

/* BUFFER has TAKEN bytes of sources that were found, of which SKIPPED make no sense, and LEFT that
   are of none: say so where that is nearly all, as what was found may be chance then.  */
void tb_session_say_doubtful (const struct tb_session *s, const struct tb_trace_buffer *buffer,
			      uint64_t left, uint64_t taken, uint64_t skipped,
			      struct tb_diag *diag);

/* Are the bytes of trace ID that BUFFER has STREAM's?  */
static inline bool
tb_session_stream_owns (const struct tb_session_stream *stream,
			const struct tb_trace_buffer *buffer, unsigned id)
{
  return stream->buffer == buffer
	 && (stream->id == id
	     || (buffer->joined && id > 0 && id <= TB_LAST_SOURCE_ID));
}

/* The bytes that its buffer has of STREAM; the whole buffer's where what is in it
   cannot be told apart.  Takes as long as reading the buffer where that has
   frames.  */
uint64_t tb_session_stream_bytes (const struct tb_session_stream *stream);

/* Say (a warning) that STREAM, of INPUT, is not decoded and why, unless it is.  */
void tb_session_say_undecoded (const struct tb_session_stream *stream,
			       const char *input, struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_STREAMS_H */
