/* What software said, in the steps of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A trace unit that traces instructions tells the system's time now and then, and so do
   an ITM and an STM.  One counter gives it to all of them (IHI 0014Q, 7.7: the same
   value is broadcast to all trace sources), so that what software said was said between
   the steps that are next to it in time; of two that have the same time it is not known
   which one was first.  A timestamp among instructions is that of
   the last waypoint before it (IHI 0035B, 4.14).  An ITM that is a core's is heard in
   the recording of that core; what is no core's, in all.

   Where the steps tell no later time than that at which something can have been said, it may have
   been said when their trace had ended.  But a core that has halted says nothing: what its own
   ITM tells was said within a trace that ends at its halt.  */

#ifndef TB_RECORDING_LANE_H
#define TB_RECORDING_LANE_H

#include "recording/session.h"
#include "recording/software.h"

struct tb_lane_item
{
  /* It was said when the steps before FIRST had begun, and before step LAST.  LAST is
     UINT64_MAX: or later than the trace; FIRST is, too: out of its times.  */
  uint64_t first, last;
  const struct tb_said *said;
  const struct tb_software *software;
  const struct tb_session_stream *stream;
};

/* A stream, and what it says.  */
struct tb_lane_stream
{
  const struct tb_session_stream *stream;
  struct tb_software software;
};

struct tb_lane
{
  struct tb_lane_item *items;	/* By LAST, then as they were said.  */
  size_t count, capacity;
  size_t elsewhere;		/* Other items: without the system's time, or of
				   another one than the steps have ...  */
  size_t beyond;		/* ... but these, which stand behind the COUNT items: it is not
				   certain that they were said within the trace ...  */
  size_t open;			/* ... and of these it is known from which step on.  */
  struct tb_lane_stream *streams;	/* In the session's order.  */
  size_t nstreams;
  bool steps_timed;		/* The steps tell a time.  */
  uint64_t first_time, last_time;	/* The first and the last one.  */
  bool stopped;
};

/* Is STREAM software's, and one that CORE's recording could have?  */
bool tb_lane_hears (const struct tb_session_core *core,
		    const struct tb_session_stream *stream);

/* Is there a stream of software's that CORE's recording could have?  */
bool tb_lane_possible (const struct tb_session *session,
		       const struct tb_session_core *core);

/* Is there one that is CORE's own, so that it matters whether the recording ends at the
   halt?  */
bool tb_lane_asks_halt (const struct tb_session *session,
			const struct tb_session_core *core);

/* Make LANE, to be freed with tb_lane_fini, of what SESSION's software says in the
   RECORDING of STREAM, which ends where its core halted (TO_HALT) or perhaps not.  Of what
   cannot be decoded there is nothing, and a warning.
   GO_ON is called with CONTEXT now and then (NULL: nobody is); false: stop.  Returns false
   if there is no memory, or GO_ON said so, which sets STOPPED; LANE is free then.  */
bool tb_lane_make (struct tb_lane *lane, struct tb_session *session,
		   const struct tb_session_stream *stream,
		   struct tb_recording *recording, bool to_halt,
		   bool (*go_on) (void *context), void *context, struct tb_diag *diag);
void tb_lane_fini (struct tb_lane *lane);

/* Open a decoder of STREAM, software's, to be closed with tb_decoder_close.  NULL: it
   cannot be decoded, which a warning says.  */
struct tb_decoder *tb_lane_decoder (const struct tb_session *session,
				    const struct tb_session_stream *stream,
				    struct tb_diag *diag);

/* Read all of DECODER, which STREAM of SESSION has, into *SOFTWARE, which is zero but for
   GO_ON and CONTEXT.  Where decoding can begin nowhere or passed over trace, nothing was
   said, times go back or are all zero, local times contradict the rate that the user gave or
   narrow none by it, or there is no room for all (the session's software_memory), a warning
   says so, once.  False: there is no memory, or GO_ON returned false, which sets SOFTWARE's
   STOPPED.  */
bool tb_lane_read (struct tb_software *software, struct tb_decoder *decoder,
		   struct tb_session *session,
		   const struct tb_session_stream *stream, struct tb_diag *diag);

/* The same for items that are given one by one: *PLAN is tb_software_plan's.  */
bool tb_lane_plan (struct tb_software *software, struct tb_decoder *decoder,
		   struct tb_session *session, const struct tb_session_stream *stream,
		   struct tb_diag *diag, struct tb_software_plan **plan);

/* The first item of which LAST is STEP or more.  */
size_t tb_lane_at (const struct tb_lane *lane, uint64_t step);

/* What of LANE has no place among the steps: ELSEWHERE items.  Zero-initialise but for
   LANE.  */
struct tb_lane_walk
{
  const struct tb_lane *lane;
  size_t stream, said, beyond;	/* The next ones.  */
};

/* Set *ITEM to the next one, stream by stream, in the order in which it was said; LAST is
   UINT64_MAX.  Returns why it has no place, in words that are not to be freed; NULL:
   there is none left.  */
const char *tb_lane_next_elsewhere (struct tb_lane_walk *walk, struct tb_lane_item *item);

/* Why SAID, of SOFTWARE, has no time of the system; as above.  NULL: it has one.  */
const char *tb_lane_no_time (const struct tb_software *software, const struct tb_said *said);

/* Append between which steps ITEM, of which FIRST is known, was said: "before step 6", "step 3 to
   6", "from step 3 on, or later than the trace".  */
void tb_lane_steps (struct tb_buffer *text, const struct tb_lane_item *item);

/* Append "SOURCE WHO: WHAT", without a newline.  */
void tb_lane_text (struct tb_buffer *text, const struct tb_lane_item *item);

#endif /* TB_RECORDING_LANE_H */
