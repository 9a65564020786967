/* A motion: execution on its way to where it stops next.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_MOTION_H
#define TB_GDBSTUB_MOTION_H

#include "handlers.h"
#include "missed.h"
#include "run.h"

struct motion
{
  struct client *client;
  bool backward;
  enum run_extent extent;
  struct tb_visit_range range;	/* GO_RANGE  */
  uint64_t from;		/* Breakpoints stop behind this position,  */
  uint64_t look;		/* accesses from this step on, or backward before it,  */
  uint64_t limit;		/* as far as this position; UINT64_MAX: the end.  */
  bool anew;			/* The first one since the user began again.  */
  bool alone;			/* Of one thread: no other one may stop.  */
  bool follows;			/* Another core is what the client steps or looks at.  */
  bool waits;			/* What is stepped is a task that waits: it goes on BEGIN, or
				   backward was left there.  */
  uint64_t begin;
  unsigned waited;		/* The task that waits where the motion began and that its
				   user looks at; 0: none does.  */
  enum handler_over elsewhere;	/* See handlers_elsewhere.  */
  enum missed missed;		/* See missed.h.  */
  bool other;			/* A step ends in another task; see handlers_pass.  */
  struct handlers_passed passed;	/* The first handlers on the way of a step.  */
  /* How far the search has come that is under way; NULL: there was none.  */
  uint64_t (*reached) (const struct motion *motion);
  uint64_t told;		/* When that was last told, in ms.  */
  /* What is set.  */
  struct tb_visit_range *breaks;
  struct tb_watch_range *watches;
  const struct breakpoint **which;
  size_t nbreaks, nwatches;
};

/* How a motion ends.  */
enum motion_kind
{
  MOTION_FAILED,		/* The search did not come to its end, see WHY.  */
  MOTION_AT_END,		/* Nothing stops it, as far as it may go.  */
  MOTION_ARRIVES,		/* A step is over, or a breakpoint may be there.  */
  MOTION_ELSEWHERE, MOTION_MISSED, MOTION_OTHER,	/* As the same members of the
				   motion say.  */
  MOTION_ACCESSES,		/* What is watched.  */
  MOTION_IN_THE_DARK,		/* So, but GDB would pass over it, as the value is not known;  */
  MOTION_CHANGES		/* as it has the value already.  See watched.h.  */
};

struct motion_end
{
  enum motion_kind kind;
  enum tb_search why;
  uint64_t position;
  bool looked;			/* For accesses to what is watched, from step FIRST on.  */
  uint64_t first;
  struct tb_access_found found;
};

/* Find out where M ends.  Nothing moves yet.  */
void motion_find_end (struct motion *m, struct motion_end *end);

/* Stop there, and reply.  */
void motion_stop (struct motion *m, const struct motion_end *end);

/* Stop at the last position that the recording has the way that M goes, and reply.  */
void motion_stop_at_end (struct motion *m);

/* Say what may have been missed on the way to END.  */
void motion_tell_unknown (struct motion *m, const struct motion_end *end);

/* WHY: the search of M did not come to its end.  Where the user ended it say how far it looked, of
   the thread that its client looks at.  */
void motion_tell_interrupted (const struct motion *m, enum tb_search why);

/* M has begun anew, and came to the end: of which breakpoints does no step stand at the address?
   They are those of "start", where "main" ran before the recording.  */
void motion_tell_never (const struct motion *m);

/* Where a search for what CLIENT watches begins: not with an access that was reported just
   now.  */
uint64_t motion_watch_from (const struct client *client, bool backward);

/* Find the position where M stops but for watchpoints; TB_SEARCH_NONE when that is not
   before the end.  */
enum tb_search motion_find_stop (struct motion *m, uint64_t *position);

/* Is a breakpoint of M at POSITION, which stops there?  */
bool motion_breaks_at (const struct motion *m, uint64_t position);

/* For long searches, as tb_visits_set_poll takes it; CONTEXT is the motion.  They tell now
   and then how far they are.  */
bool motion_go_on (void *context);

#endif /* TB_GDBSTUB_MOTION_H */
