/* One axis of time for what several sources tell.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each source has a lane, in which things stand in the order in which they came about or,
   of what software said, in which it was sent.  Of things in two lanes the one was before
   the other if it was over, for certain, when the other can first have been; of all others
   it is not known.  */

#ifndef TB_RECORDING_AXIS_H
#define TB_RECORDING_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/when.h"
#include "util/buffer.h"

struct tb_axis_item
{
  struct tb_when when;
  uint64_t key;			/* Of their order.  */
  uint64_t place;		/* Step, or else byte in the buffer.  */
  size_t number;		/* As it was added.  */
  size_t text;			/* Where it begins in the axis's; ends with 0.  */
  unsigned lane;
  bool has_step;
};

/* Zero-initialise; free with tb_axis_fini.  */
struct tb_axis
{
  struct tb_axis_item *items;
  size_t count, capacity;
  struct tb_buffer text;
};

/* Append an item to LANE, whose items come one after the other, and whose times do not go
   back; those of a later lane come behind them.  TEXT is copied.  False: no memory.  */
bool tb_axis_add (struct tb_axis *axis, unsigned lane, const struct tb_when *when,
		  bool has_step, uint64_t place, const char *text);

/* All were added: put them in one order, that of each lane and of times.  */
void tb_axis_order (struct tb_axis *axis);
void tb_axis_fini (struct tb_axis *axis);

#endif /* TB_RECORDING_AXIS_H */
