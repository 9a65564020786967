/* The streams of a session.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_STREAMS_H
#define TB_RECORDING_SESSION_STREAMS_H

#include "recording/session.h"

/* Make the streams of S, which has its cores: those of a log, those that the
   snapshot names, those that trace units send besides, and Micro Trace Buffers in
   a core's RAM.  TB_ERR_MEMORY is the only error, said to nobody.  */
enum tb_status tb_session_make_streams (struct tb_session *s);

/* The bytes that its buffer has of STREAM; the whole buffer's where what is in it
   cannot be told apart.  Takes as long as reading the buffer where that has
   frames.  */
uint64_t tb_session_stream_bytes (const struct tb_session_stream *stream);

/* Say (a warning) that STREAM, of INPUT, is not decoded and why, unless it is.  */
void tb_session_say_undecoded (const struct tb_session_stream *stream,
			       const char *input, struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_STREAMS_H */
