/* The history of calls: which function was called from where, and when it
   returned, by the path alone.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A call is a branch with link.  It is over when an indirect branch goes to the
   address behind it, whatever instruction that is (longjmp leaves several at
   once).  An exception is over when execution goes on where it was interrupted.
   A gap ends everything: who called what runs then is not known.  The cost is one
   of ranges, not of instructions.  */

#ifndef TB_RECORDING_HISTORY_H
#define TB_RECORDING_HISTORY_H

#include "recording/recording.h"

enum tb_history_kind
{
  TB_HISTORY_RUN,		/* COUNT instructions from ADDRESS on ran.  */
  TB_HISTORY_CALL,		/* To ADDRESS; DEPTH grew.  */
  TB_HISTORY_EXCEPTION,		/* Exception NUMBER was taken; DEPTH grew.  */
  TB_HISTORY_RETURN,		/* DEPTH shrank, by one or more.  */
  TB_HISTORY_JUMP,		/* A branch to ADDRESS that is none of these; into
				   another function it is a tail call, or a return
				   to a caller whose call is not in the trace.  */
  TB_HISTORY_LOST		/* A gap: DEPTH is 0 again.  */
};

struct tb_history_event
{
  uint64_t step;		/* RUN: its first; others: it lies before this
				   step.  */
  uint64_t address;
  uint32_t count;
  uint16_t number;		/* TB_EXCEPTION_UNKNOWN: not told.  */
  uint8_t kind;			/* enum tb_history_kind  */
  uint8_t space;
  bool returns;			/* JUMP: by an instruction that returns.  */
  bool exception;		/* RETURN, JUMP: out of an exception.  */
  size_t depth;			/* Calls and exceptions that are not over, after
				   what happened.  */
};

/* Walk RECORDING from the first step to the last and hand what happens to TAKE
   until it returns false.  False if it did, or without memory.  */
bool tb_history_walk (struct tb_recording *recording,
		      bool (*take) (void *context,
				    const struct tb_history_event *event),
		      void *context);

#endif /* TB_RECORDING_HISTORY_H */
