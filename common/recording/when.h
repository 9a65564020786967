/* Between which two times something was.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Trace states the system's time here and there.  What stands between two times was no
   earlier than the one and no later than the other.  */

#ifndef TB_RECORDING_WHEN_H
#define TB_RECORDING_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buffer.h"

struct tb_when
{
  uint64_t earliest, latest;	/* In ticks; ...  */
  bool from, to;		/* ... where they are known.  */
};

/* Append WHEN in FREQUENCY ticks a second (0: not known, they are shown as numbers):
   "1.500000000s", "0x10-0x20", ">=0x10" or "<=0x20"; nothing if neither is known.  Where a
   tick is no whole number of nanoseconds, the earliest time is rounded down and the latest
   one up; a single time is rounded down.  */
void tb_when_text (struct tb_buffer *text, const struct tb_when *when,
		   uint64_t frequency);

#endif /* TB_RECORDING_WHEN_H */
