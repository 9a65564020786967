/* What the DWT alone tells of a run: which exceptions ran when, where the PC was seen, and
   which counters wrapped.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A core without trace of instructions may tell by its ITM which exceptions begin and end
   and, now and then, the PC (DDI 0403, D4.3).  That is no recording: what ran between is not
   told.  It has places all the same, on a line of the system's time if the DWT's packets
   have that, or of ticks of the ITM's clock; where neither is told, of what was said, one by
   one.  Where packets were lost nothing that was open is known to go on, and the clock starts
   anew.  */

#ifndef TB_RECORDING_SPARSE_H
#define TB_RECORDING_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/software.h"

/* An exception that ran from place BEGIN to END.  */
struct tb_sparse_span
{
  uint64_t begin, end;
  unsigned depth;		/* How many others it had interrupted.  */
  uint16_t number;		/* IPSR.  */
  bool entered, left;		/* It is told that it began, that it ended, there;  */
  bool entered_late, left_late;	/* ... or before, as the packet was late; or ...  */
  bool entered_early, left_early;	/* ... later, as no time is told behind it.  */
  size_t entry, exit;		/* ENTERED, LEFT: the items of the software that tell it.  */
  size_t turn;			/* Its number in the order in which they began.  */
};

/* The PC, or that the core slept or that it may not be told.  */
struct tb_sparse_sample
{
  uint64_t place, pc;
  uint8_t kind;			/* enum tb_dwt: PC_SAMPLE, SLEEP, PROHIBITED.  */
};

#define TB_SPARSE_COUNTERS 6	/* Bits TB_DWT_CPI ...  */

struct tb_sparse
{
  struct tb_sparse_span *spans;	/* By END.  */
  size_t nspans, span_capacity;
  struct tb_sparse_sample *samples;
  size_t nsamples, sample_capacity;
  uint64_t *breaks;		/* Places where something was lost.  */
  size_t nbreaks, break_capacity;
  uint64_t wraps[TB_SPARSE_COUNTERS];	/* How often each did.  */
  uint64_t *places;		/* Of each item of the software.  */
  uint64_t length;		/* Places are below.  */
  uint64_t matches;		/* Of comparators.  */
  bool in_time;			/* Places are the system's times: of what was said between
				   two, the later one.  */
  bool in_ticks;		/* They are the ITM's.  */
};

/* Make SPARSE, to be freed with tb_sparse_fini, of what SOFTWARE has, with places in the
   system's time if that is wanted (IN_TIME) and told of all.  False: no memory.  */
bool tb_sparse_make (struct tb_sparse *sparse, const struct tb_software *software,
		     bool in_time);
void tb_sparse_fini (struct tb_sparse *sparse);

/* How far the place where SPAN begins is that of its exception's entry, and where it ends that
   of the exit: "then", "then or before", "then or later", "not told".  */
const char *tb_sparse_entry_text (const struct tb_sparse_span *span);
const char *tb_sparse_exit_text (const struct tb_sparse_span *span);

/* Append what exception NUMBER, by IPSR, is called.  */
void tb_sparse_put_name (struct tb_buffer *text, unsigned number);

/* Does the DWT tell of exceptions or the PC there?  */
static inline bool
tb_sparse_any (const struct tb_sparse *sparse)
{
  return sparse->nspans > 0 || sparse->nsamples > 0;
}

#endif /* TB_RECORDING_SPARSE_H */
