/* Recordings of threads, put together of the trace of CPUs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_THREADS_H
#define TB_RECORDING_SESSION_THREADS_H

#include "recording/session.h"

/* If OPTIONS, which may be NULL, ask for recordings of threads: read all trace of S, which has its
   streams, and add a core and a stream for each thread that the trace names and of which the
   snapshot tells.  Where the parts of one cannot be put in order, it has a stream for each CPU
   that it was on, and DIAG is told.  Streams that nobody asked for go behind the others (see
   struct tb_session).  Anything but TB_OK: DIAG was told.  */
enum tb_status tb_session_make_threads (struct tb_session *s,
					const struct tb_session_options *options,
					struct tb_diag *diag);
void tb_session_threads_close (struct tb_session *s);

#endif /* TB_RECORDING_SESSION_THREADS_H */
