/* Counts of the elements of a trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_ELEMENT_STATS_H
#define TB_DECODE_ELEMENT_STATS_H

#include <stdint.h>

#include "decode/element.h"

#define TB_ELEMENT_KINDS (TB_ELEMENT_END + 1)
#define TB_REASONS (TB_REASON_PAUSED + 1)

/* Exceptions of higher numbers are counted together: no protocol has more.  */
#define TB_EXCEPTION_NUMBERS 1024

/* Start from all zero.  */
struct tb_element_stats
{
  uint64_t elements[TB_ELEMENT_KINDS];
  uint64_t instructions;
  /* Ranges that end in a direct branch that was taken, in an indirect one that
     was, in one of either that was not.  */
  uint64_t taken, indirect, not_taken;
  /* Instructions that a range ends in and whose condition failed, other than
     branches (ETMv3).  */
  uint64_t failed;
  uint64_t no_sync[TB_REASONS];		/* By enum tb_reason.  */
  uint64_t trace_on[TB_REASONS];
  uint64_t unreadable;			/* Code that is not in the image ...  */
  uint64_t unknown;			/* ... and that nobody knows where it is.  */
  uint64_t exceptions[TB_EXCEPTION_NUMBERS];
  uint64_t other_exceptions;		/* Of higher numbers.  */
  uint64_t unknown_exceptions;		/* TB_EXCEPTION_UNKNOWN  */
};

/* Count ELEMENT in.  */
void tb_element_stats_add (struct tb_element_stats *stats,
			   const struct tb_element *element);

/* A word for KIND ("range", "no-sync") and for REASON ("overflow").  */
const char *tb_element_kind_name (enum tb_element_kind kind);
const char *tb_reason_name (enum tb_reason reason);

#endif /* TB_DECODE_ELEMENT_STATS_H */
