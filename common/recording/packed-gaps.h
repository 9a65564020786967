/* Where gaps stand in a piece of a trace, packed.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   There is a number a gap (util/varint.h): twice the distance from the gap before (of the
   first: from the step that the piece begins at), plus 1 where the decoder lost the way there
   since the code is not what ran.  Distances may be 0.  So a gap takes a byte or two, and no
   more than the packets take that make one.  */

#ifndef TB_RECORDING_PACKED_GAPS_H
#define TB_RECORDING_PACKED_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/element.h"

struct tb_packed_gaps
{
  uint8_t *bytes;		/* To be freed; NULL: there are none.  */
  uint32_t size;
};

struct tb_gap
{
  uint64_t step;		/* It lies before this step.  */
  bool fault;			/* The code is not what ran.  */
};

/* A copy of FROM in PACKED.  False: no memory, and PACKED is as it was.  */
bool tb_packed_gaps_copy (struct tb_packed_gaps *packed, const struct tb_packed_gaps *from);

/* Let INTO, of a piece, have those of MORE, too, whose piece begins DISTANCE steps later; no gap
   of INTO lies behind that.  False: no memory.  */
bool tb_packed_gaps_join (struct tb_packed_gaps *into, const struct tb_packed_gaps *more,
			  uint64_t distance);

/* Are the SIZE BYTES packed gaps of a piece of STEPS steps?  */
bool tb_packed_gaps_valid (const uint8_t *bytes, size_t size, uint64_t steps);

/* Read them one by one: AT and END are those of the bytes, STEP is at first the one that the
   piece begins at.  False: there are no more.  */
struct tb_packed_gaps_cursor
{
  const uint8_t *at, *end;
  uint64_t step;
};
bool tb_packed_gaps_next (struct tb_packed_gaps_cursor *cursor, struct tb_gap *gap);

static inline struct tb_packed_gaps_cursor
tb_packed_gaps_begin (const struct tb_packed_gaps *packed, uint64_t step)
{
  const uint8_t *end = packed->size != 0 ? packed->bytes + packed->size : packed->bytes;
  return (struct tb_packed_gaps_cursor) { packed->bytes, end, step };
}

/* Noting the gaps of elements.  The elements of one gap are one, as they are one event of a
   window: the first reason that is told is that of all.  Zero before use.  */
struct tb_gaps_noted
{
  struct tb_packed_gaps packed;
  size_t room;
  uint64_t last;		/* Distance of the last gap from the piece's first step.  */
  uint64_t step;		/* Of the gap that the last element belongs to, if one is open.  */
  bool open;
  uint8_t reason;		/* Its enum tb_reason so far.  */
};

/* E, which is no range, comes before step STEP of the trace; the piece begins at step FIRST.
   False: no memory.  */
bool tb_gaps_note (struct tb_gaps_noted *noted, const struct tb_element *e, uint64_t step,
		   uint64_t first);

/* Put what was noted into PACKED, whose bytes are freed, and go on with the next piece.  */
void tb_gaps_end_piece (struct tb_gaps_noted *noted, struct tb_packed_gaps *packed);

#endif /* TB_RECORDING_PACKED_GAPS_H */
