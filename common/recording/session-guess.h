/* Working out what sent the trace of a session.  Private to session-guess.c and
   session-guess-cores.c.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_GUESS_H
#define TB_RECORDING_SESSION_GUESS_H

#include "coresight/stream.h"
#include "recording/guess.h"
#include "recording/session.h"

/* What was found in one buffer, by trace ID; the one entry of a buffer without frames is
   number 0.  */
struct tb_guessed
{
  bool any[TB_TRACE_IDS];
  bool obeyed[TB_TRACE_IDS];		/* It is what the user says, though it is unlikely.  */
  struct tb_guess guess[TB_TRACE_IDS];
  size_t core[TB_TRACE_IDS];		/* Of the session: with its code that was found.  */
  size_t rival[TB_TRACE_IDS];		/* Another one that it fits as well, plus 1; 0: none.  */
  size_t passed[TB_TRACE_IDS];		/* One that it fits as well, but for the PC of the halt.  */
  uint64_t bytes[TB_TRACE_IDS];		/* 0: no such ID.  */
  uint64_t cost;			/* What speaks against all of it.  */
  bool sources;				/* There are some.  */
  bool formatless;			/* There are none, whatever the format is.  */
};

/* What is worked out for S, as the user says of PROTOCOL, which may be NULL.  */
struct tb_guessing
{
  struct tb_session *s;
  const char *protocol;
  struct tb_guess_effort effort;
  size_t room;			/* For more sources that no file lists.  */
};

/* What a decoder for the trace of CORE in BUFFER needs.  */
struct tb_decoder_config tb_guessing_config (const struct tb_session_core *core,
					     const struct tb_trace_buffer *buffer);

/* Is it to be worked out what sent the trace of ID in BUFFER, of SNAPSHOT?  Then *DEVICE is
   the one that did and whose registers are not all told, or NULL.  A format that is not told
   shows only together with what sent the trace, even where all is told of that.  */
bool tb_guessing_is_open (const struct tb_snapshot *snapshot, const struct tb_trace_buffer *buffer,
			  unsigned id, const struct tb_device **device);

/* Find what sent the trace of ID in BUFFER, as if it were of core number CORE of G's session.
   DEVICE and PROTOCOL are what is told of it, or NULL.  As tb_guess_find.  */
int tb_guessing_find (struct tb_guessing *g, const struct tb_trace_buffer *buffer, unsigned id,
		      const struct tb_device *device, const char *protocol, size_t core,
		      struct tb_guess *guess);

/* Choose the cores of what was FOUND in the buffers of G's session.  */
enum tb_status tb_guessing_choose_cores (struct tb_guessing *g, struct tb_guessed **found);

#endif /* TB_RECORDING_SESSION_GUESS_H */
