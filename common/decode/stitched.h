/* Parts of what several decoders deliver, one behind the other, as of one trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What a thread did that moved from CPU to CPU is in the trace of each of them, between what
   others did there.  A lane is one CPU's trace; its elements are numbered from 0.  Between two
   parts there is a gap: something else ran there.  */

#ifndef TB_DECODE_STITCHED_H
#define TB_DECODE_STITCHED_H

#include "decode/decoder.h"

/* Where decoding of a lane can begin.  Zero-initialise but for CONFIG; free with
   tb_stitch_lane_fini.  */
struct tb_stitch_lane
{
  struct tb_decoder_config config;
  void **saved;			/* The decoder's state before every INTERVAL elements.  */
  size_t nsaved, capacity;
  uint64_t interval;
};

/* Decode all of LANE and keep the places to begin at.  TAKE is called with CONTEXT for each
   element and its number; if it returns false, that is no memory.  Anything but TB_OK: DIAG was
   told.  */
enum tb_status tb_stitch_lane_read (struct tb_stitch_lane *lane,
				    bool (*take) (void *context, uint64_t number,
						  const struct tb_element *element),
				    void *context, struct tb_diag *diag);
void tb_stitch_lane_fini (struct tb_stitch_lane *lane);

/* Elements FROM to before END of a lane.  */
struct tb_stitch_part
{
  size_t lane;
  uint64_t from, end;
  bool has_context;		/* The first of them are in CONTEXT, which was stated before; */
  struct tb_element context;	/* else they state it.  */
};

/* All is borrowed by a decoder of it.  */
struct tb_stitched
{
  const struct tb_stitch_lane *lanes;
  size_t nlanes;
  const struct tb_stitch_part *parts;	/* None empty, and none that goes on from the one
					   before it.  */
  size_t nparts;		/* 1 at least.  */
  uint64_t bytes;		/* How many of the lanes' they are.  */
};

/* A decoder for STITCHED, of which all lanes have one protocol; that is the decoder's.  It
   has no packets.  NULL after a diagnostic.  */
struct tb_decoder *tb_stitched_open (const struct tb_stitched *stitched, struct tb_diag *diag);

#endif /* TB_DECODE_STITCHED_H */
