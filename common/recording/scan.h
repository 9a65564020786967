/* One pass over a trace: totals, checkpoints to decode from, and the index of its
   ID.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SCAN_H
#define TB_RECORDING_SCAN_H

#include <stdlib.h>

#include "decode/id-index.h"
#include "decode/sections.h"
#include "recording/packed-gaps.h"
#include "recording/packed-ran.h"
#include "recording/recording.h"
#include "recording/window.h"

/* Elements between two checkpoints at first; doubled whenever there would be
   more than the most, so that a capture of any size opens in bounded memory.  */
#define TB_CHECKPOINT_ELEMENTS 8192
#define TB_CHECKPOINTS_MOST 65536

/* A place to decode from, and what holds there.  */
struct tb_checkpoint
{
  struct tb_window_start start;
  void *saved;			/* The decoder's state; NULL: not kept.  */
  /* Behind a synchronisation packet, before byte INDEX, it is of use to others
     too: a decoder sent to SYNC, where the packet before that one begins, may be
     in the same state there.  */
  bool has_sync;
  struct tb_stream_place sync;
  uint64_t index;
  /* What ran from here to the next one, known where an index is made or was read; there may
     be more in it.  */
  struct tb_packed_ran ran;
  struct tb_packed_gaps gaps;	/* From here to the next one.  */
};

struct tb_checkpoints
{
  struct tb_checkpoint *items;	/* The first is the start of the trace.  */
  size_t count, capacity;
  uint64_t interval;		/* Elements from one to the next.  */
};

static inline void
tb_checkpoint_fini (struct tb_checkpoint *checkpoint)
{
  free (checkpoint->saved);
  free (checkpoint->ran.bytes);
  free (checkpoint->gaps.bytes);
}

void tb_checkpoints_fini (struct tb_checkpoints *checkpoints);

/* Append CHECKPOINT, which is moved, to CHECKPOINTS, and thin them out if they are too many.
   False: no memory.  */
bool tb_checkpoints_add (struct tb_checkpoints *checkpoints, struct tb_checkpoint *checkpoint);

/* Bring DECODER into the state of CHECKPOINT, from what was saved or else by its
   synchronisation packets.  False: it does not come to stand there.  */
bool tb_checkpoint_reach (const struct tb_checkpoint *checkpoint,
			  struct tb_decoder *decoder);

struct tb_scan
{
  struct tb_recording_info info;
  struct tb_decoder_stats stats;
  struct tb_checkpoints checkpoints;
  struct tb_id_index index;	/* Made if its block size is not 0, and then it is
				   known what ran where.  */
};

void tb_scan_fini (struct tb_scan *scan);

/* Scan the trace of CONFIG, in sections by OPTIONS, into SCAN, which is zero but for the
   index's block size and FULL, and the checkpoints' interval, if it is to be another one.
   On anything but TB_OK a diagnostic said why.  */
enum tb_status tb_scan_trace (struct tb_scan *scan,
			      const struct tb_decoder_config *config,
			      const struct tb_sections_options *options,
			      struct tb_diag *diag);

/* Likewise with DECODER, which is at the start of its trace, alone.  False: no
   memory.  */
bool tb_scan_decoder (struct tb_scan *scan, struct tb_decoder *decoder);

#endif /* TB_RECORDING_SCAN_H */
