/* Which exceptions were under way at each step of a recording, and where the functions
   of their handlers were left.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   One walk over levels (levels.h) finds them; they are kept.  */

#ifndef TB_RECORDING_OPEN_EXCEPTIONS_H
#define TB_RECORDING_OPEN_EXCEPTIONS_H

#include "recording/recording.h"

struct tb_open_exceptions;

/* Whom the walk asks.  */
struct tb_open_exceptions_user
{
  /* Whether to go on; NULL: yes.  */
  bool (*poll) (void *context);
  void *poll_context;
  /* See struct tb_level_user.  */
  bool (*sp) (void *context, uint64_t step, uint64_t *sp);
  void *sp_context;
};

/* An exception whose handler is under way.  */
struct tb_open_exception
{
  uint64_t first;		/* It was taken before this step.  */
  /* The outermost function of its handler made a call, which is under way, with the
     step before this one; UINT64_MAX: none.  */
  uint64_t called;
};

/* Those of RECORDING, which must outlive the walk only.  NULL: no memory, or USER did
   not want to wait.  */
struct tb_open_exceptions *
tb_open_exceptions_new (struct tb_recording *recording,
			const struct tb_open_exceptions_user *user);

/* ALL may be NULL.  */
void tb_open_exceptions_free (struct tb_open_exceptions *all);

/* Those under way before STEP (the number of steps: at the end), the innermost first,
   into FOUND, at most MOST; returns how many.  */
size_t tb_open_exceptions_at (const struct tb_open_exceptions *all, uint64_t step,
			      struct tb_open_exception *found, size_t most);

/* Of the calls under way before STEP those before whose first instruction, or in place of it, an
   exception was taken: before which step, the last one first, into FOUND, at most MOST; returns how
   many.  Calls that handlers make themselves are left out, and not all of thousands are looked
   at.  */
size_t tb_open_exceptions_entries (const struct tb_open_exceptions *all, uint64_t step,
				   uint64_t *found, size_t most);

/* The outermost exception that was under way before STEP, was taken before step FROM or
   later, and was over, so that what it interrupted went on, before step END or earlier:
   taken before *FIRST, over before *OVER.  False: there is none.  */
bool tb_open_exceptions_outermost (const struct tb_open_exceptions *all,
				   uint64_t step, uint64_t from, uint64_t end,
				   uint64_t *first, uint64_t *over);

/* The step nearest to POSITION, after it or BACKWARD before it, at which what an exception had
   interrupted went on.  False: there is none.  It looks at all exceptions.  */
bool tb_open_exceptions_return (const struct tb_open_exceptions *all, uint64_t position,
				bool backward, uint64_t *step);

/* An exception that was taken, and what became of its handler.  */
struct tb_exception_over
{
  uint64_t over;		/* It was under way until this step; UINT64_MAX: until the
				   end of the recording.  */
  bool left;			/* What it interrupted went on there.  */
  bool innermost;		/* If not: it was the innermost one of those that ended there.  */
};

/* Of those that were taken just before STEP, in their order, into FOUND, at most MOST; returns how
   many.  */
size_t tb_open_exceptions_taken (const struct tb_open_exceptions *all, uint64_t step,
				 struct tb_exception_over *found, size_t most);

/* The last exception that was taken just before STEP; false: none was.  */
bool tb_exception_taken (struct tb_recording *recording, uint64_t step,
			 struct tb_event *event);

#endif /* TB_RECORDING_OPEN_EXCEPTIONS_H */
