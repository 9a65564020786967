/* How fast the system's time counts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   One counter gives the time to all trace sources of a system (IHI 0014Q, 7.7).  How many of its
   ticks there are a second is the user's word; else what the snapshot says, by [timestamp] or
   the registers of an STM (session.c); else what the trace of an STM states in packets (STPv2,
   FREQ), if all of these state one number.  Where one stream of software's is all that there is,
   its own packets count before the snapshot: it is by its own clock.  */

#ifndef TB_RECORDING_CLOCK_H
#define TB_RECORDING_CLOCK_H

#include "recording/session.h"
#include "recording/stamps.h"

/* How many ticks there are a second in SESSION; 0: not known.  Software's trace is decoded
   for that, once, where nothing else says it or it is alone.  */
uint64_t tb_session_clock (struct tb_session *session);

/* Which options that tell rates apply to the trace of SESSION, for the end of a message that says
   that another one does not; not to be freed.  */
const char *tb_session_clock_options (const struct tb_session *session);

/* Read the times of RECORDING, of STREAM of SESSION (NULL: it has none, and no steps), as
   tb_stamps_read does, with the rate of cycles that the user told.  Where that contradicts
   timestamps or narrows none, a warning says so, once.  */
bool tb_session_stamps (struct tb_session *session, const struct tb_session_stream *stream,
			struct tb_recording *recording, struct tb_stamps *stamps,
			struct tb_diag *diag);

#endif /* TB_RECORDING_CLOCK_H */
