/* Recordings: what their files share (private to recording/recording*.c and find.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_RECORDING_INTERNAL_H
#define TB_RECORDING_RECORDING_INTERNAL_H

#include "recording/recording.h"
#include "recording/scan.h"
#include "recording/window.h"

/* Decoded windows kept: stepping back and forth over a checkpoint, or a search
   beside a cursor, must not decode again and again.  */
#define WINDOWS 4

struct tb_recording
{
  struct tb_decoder *decoder;	/* NULL: no hardware trace.  */
  const struct tb_columns *facts;	/* NULL: no log; else windows are made of it and
				   there are no checkpoints.  */
  const struct tb_profile *profile;
  const struct tb_memmap *map;
  struct tb_recording_info info;
  struct tb_decoder_stats stats;
  struct tb_checkpoints checkpoints;
  struct tb_id_index ids;	/* What is in which bytes; its block size is 0 where
				   no index is used.  */
  /* Checkpoints from an index are to be made sure of, ...  */
  bool indexed;
  bool doubtful;		/* ... and one was found not to fit.  */
  struct tb_gather gather;	/* For one window, to make sure of what ran.  */
  struct tb_decoder_config config;	/* To do without it then.  */
  unsigned jobs;
  unsigned generation;
  struct tb_window windows[WINDOWS];
  unsigned clock;		/* For choosing the window to drop.  */
  bool no_memory;		/* Once there was none.  */
};

/* Let R be what SCAN found, whose checkpoints move.  */
void tb_recording_take_scan (struct tb_recording *r, struct tb_scan *scan);

/* The window after checkpoint NUMBER, decoded if need be.  NULL: no memory, or R has
   become doubtful.  */
struct tb_window *tb_recording_checked_window (struct tb_recording *r,
					       size_t number);

#endif /* TB_RECORDING_RECORDING_INTERNAL_H */
