/* Choice: which steps become frames, and whose frames they are.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A trace file has a bounded number of frames, because GDB reads it in linear time,
   twice for each tfind, and every frame is complete in itself.  */

#ifndef TB_FRAME_CHOOSE_H
#define TB_FRAME_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/status.h"

/* How many frames there are unless asked for otherwise.  Measured with GDB 13.1
   and frames of 450 bytes: a tfind to the end takes 30 to 40 ms with so many,
   five times that with five times as many.  */
#define TB_CHOOSE_FRAMES 20000

struct tb_choose_options
{
  uint64_t from, to;		/* Steps FROM to TO - 1 and no others; TO:
				   UINT64_MAX for all that follow.  */
  uint64_t first;		/* How many of these, from the first on; 0: all.  */
  uint64_t last;		/* How many of these, up to the last; 0: all.  */
  uint64_t frames;		/* Where neither FIRST nor LAST is given: the
				   last so many.  */
};

#define TB_CHOOSE_DEFAULTS { 0, UINT64_MAX, 0, 0, TB_CHOOSE_FRAMES }

/* The steps BEGIN to END - 1.  */
struct tb_choice
{
  uint64_t begin, end;
};

/* Choose among MOMENTS moments: the steps of the recording and, after them, the
   state at the end.  It is the last ones that are kept, since a post mortem
   begins at the end.  */
struct tb_choice tb_choose_steps (uint64_t moments,
				  const struct tb_choose_options *options);

/* Up to this many different PCs each get a tracepoint of its own, which is what
   "tfind pc" and "tfind tracepoint" on a file go by.  Measured with GDB 13.1,
   which compares each new tracepoint with all there are: TP_MANY take 0.2 s to
   open, four times as many TP_MOST 1.2 s.  The second limit is for frames that
   need one because they have no register block.  */
#define TB_CHOOSE_TP_MANY 1000
#define TB_CHOOSE_TP_MOST 4000

/* What the choice of tracepoints goes by: a frame's PC, and whether it is
   without registers.  */
struct tb_choose_frame
{
  uint64_t pc;
  bool bare;
};

struct tb_chosen_tracepoint
{
  uint64_t address;
  uint64_t hits;		/* Frames.  */
};

/* Tracepoint N + 1 is ITEMS[N].  Free with tb_tracepoints_fini.  */
struct tb_tracepoints
{
  struct tb_chosen_tracepoint *items;
  size_t count;
  size_t own;			/* The first so many are of one PC each, by
				   address; the one after is shared.  */
  bool each;			/* Every PC has its own.  */
};

/* Choose the tracepoints of COUNT frames.  Where the PCs are too many, frames
   with registers share one tracepoint, at the PC of the first of them, and bare
   ones keep theirs as long as there are no more than TB_CHOOSE_TP_MOST of
   these, the last frames first.  TB_ERR_MEMORY: *TRACEPOINTS is empty.  */
enum tb_status tb_choose_tracepoints (struct tb_tracepoints *tracepoints,
				      const struct tb_choose_frame *frames,
				      size_t count);
void tb_tracepoints_fini (struct tb_tracepoints *tracepoints);

/* The number of the tracepoint of FRAME; 0: it is bare and has none, and so
   cannot be written.  */
unsigned tb_tracepoints_find (const struct tb_tracepoints *tracepoints,
			      const struct tb_choose_frame *frame);

#endif /* TB_FRAME_CHOOSE_H */
