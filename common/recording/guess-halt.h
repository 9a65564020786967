/* Which core the trace that was worked out ends at the halt of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_GUESS_HALT_H
#define TB_RECORDING_GUESS_HALT_H

#include "recording/guess.h"

/* A core that may have sent the trace.  */
struct tb_halt_candidate
{
  const struct tb_device *device;
  const struct tb_profile *profile;
  const struct tb_memmap *map;
  size_t number;
};

/* The trace in BUFFER, decoded as GUESS says, fits the code of each of the COUNT CANDIDATES.  If it
   ends where its core was halted (the premise ends-at-halt), it is of none that was halted
   elsewhere.  1: *NUMBER is that of the only one that was halted at the trace's end; 0: there are
   several, or none, or of one it is not known where it was halted; -1: no memory, or EFFORT was
   spent.  */
int tb_guess_by_halt (const struct tb_guess *guess, const struct tb_trace_buffer *buffer,
		      const struct tb_halt_candidate *candidates, size_t count,
		      struct tb_guess_effort *effort, size_t *number);

#endif /* TB_RECORDING_GUESS_HALT_H */
