/* --format=perfetto: what its parts share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_PERFETTO_H
#define TB_CONVERTER_PERFETTO_H

#include "names.h"
#include "recording/lane.h"

/* Write what ITEM says as an event of PROCESS and THREAD: at its own time, of which there are
   FREQUENCY ticks a second, or (0) at PLACE.  False: no memory.  */
bool perfetto_said (const struct tb_lane_item *item, uint64_t frequency, uint64_t place,
		    unsigned process, unsigned thread, FILE *out);

/* The process that stands for STREAM: a viewer needs numbers.  */
unsigned perfetto_process (const struct job *job, const struct tb_session_stream *stream);

/* Write that PROCESS is called NAME; and that its THREAD is.  */
void perfetto_name_process (unsigned process, const char *name, FILE *out);
void perfetto_name_thread (unsigned process, unsigned thread, const char *name, FILE *out);

/* What software said that is not drawn: items by reason, which is one of tb_lane's.  */
struct perfetto_left_out
{
  const char *why[8];
  size_t items[8];
  unsigned nreasons;
};

/* Count an item that is left out, as WHY says.  */
void perfetto_leave_out (struct perfetto_left_out *left, const char *why);

/* Name the thread of what software said, of which LEFT is not drawn, and warn of that by
   JOB's diagnostics.  */
void perfetto_said_thread (struct job *job, unsigned process, unsigned thread,
			   const struct perfetto_left_out *left, FILE *out);

/* Write what the DWT alone tells of cores.  Where there is no other trace and nothing to
   draw, a diagnostic says so.  */
enum tb_status perfetto_sparse (struct job *job, FILE *out);

/* Is there no trace of instructions, and can all that the DWT tells be drawn in time?  */
bool perfetto_sparse_in_time (struct job *job);

#endif /* TB_CONVERTER_PERFETTO_H */
