/* Tracepoints that GDB moves.  See moved.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/moved.h"

#include <stdlib.h>

#include "arm/ir/semantics.h"

/* An IT instruction governs so many behind it.  */
#define BLOCK_MOST 4

/* Is STEP in an IT block (1) or not (0)?  -1: it is not at ADDRESS.  */
static int
look_back (struct tb_recording *recording, uint64_t step, uint64_t address)
{
  struct tb_step steps[BLOCK_MOST + 1];
  uint64_t first = step < BLOCK_MOST ? 0 : step - BLOCK_MOST;
  size_t count = (size_t) (step - first) + 1;
  uint8_t state = 0;
  if (tb_recording_read (recording, first, steps, count) != count
      || steps[count - 1].pc != address)
    return -1;
  for (size_t i = 0; i + 1 < count; i++)
    {
      const struct tb_step *s = &steps[i];
      state = s->isa == TB_ISA_T32 && s->size != 0
	      && s[1].pc == s->pc + s->size
	      ? tb_it_next (state, s->opcode, s->size) : 0;
    }
  return (state & 15) != 0;
}

size_t
tb_count_moved (struct tb_recording *recording, const struct tb_kept *kept,
		const struct tb_tracepoint_def *defs, size_t ndefs)
{
  /* One frame at its address is enough for a tracepoint.  */
  bool *done = calloc (ndefs + 1, sizeof *done);
  size_t moved = 0;
  for (size_t i = 0; i < kept->count && done != NULL; i++)
    {
      size_t number = kept->frames[i].tracepoint;
      if (number == 0 || number > ndefs || done[number - 1])
	continue;
      int in_block = look_back (recording, kept->frames[i].step,
				defs[number - 1].address);
      done[number - 1] = in_block >= 0;
      moved += in_block > 0;
    }
  free (done);
  return moved;
}
