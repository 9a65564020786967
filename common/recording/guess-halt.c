/* Which core the trace that was worked out ends at the halt of.  See guess-halt.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/guess-halt.h"

#include "recording/recording.h"

/* Find where the trace of BUFFER ends if GUESS sent it and IS has the code.  1: *END is that; 0:
   the trace does not tell; -1: as above.  */
static int
find_end (const struct tb_guess *guess, const struct tb_trace_buffer *buffer,
	  const struct tb_halt_candidate *is, struct tb_guess_effort *effort, uint64_t *end)
{
  if (buffer->size > effort->bytes)
    {
      effort->spent = true;
      return -1;
    }
  effort->bytes -= buffer->size;
  struct tb_guess_source made;
  tb_guess_make_source (guess, &made);
  struct tb_diag silent = { 0 };
  const struct tb_decoder_config config = {
    .source = &made.device, .core = is->device, .buffer = buffer, .profile = is->profile,
    .map = is->map, .protocol = guess->protocol
  };
  struct tb_decoder *decoder = tb_decoder_open (&config, &silent);
  struct tb_recording *recording
    = decoder != NULL ? tb_recording_open (decoder, is->profile, is->map, &silent) : NULL;
  if (recording == NULL)
    return -1;
  const struct tb_recording_info *info = tb_recording_info (recording);
  int result = tb_recording_no_memory (recording) ? -1 : info->steps > 0 && info->end_known;
  *end = info->end_pc;
  tb_recording_close (recording);
  return result;
}

/* Was IS halted at END?  Bit 0 may tell of T32 in one of them.  */
static bool
is_halted_at (const struct tb_halt_candidate *is, uint64_t end)
{
  return tb_device_pc (is->device)->value >> 1 == end >> 1;
}

int
tb_guess_by_halt (const struct tb_guess *guess, const struct tb_trace_buffer *buffer,
		  const struct tb_halt_candidate *candidates, size_t count,
		  struct tb_guess_effort *effort, size_t *number)
{
  uint64_t end;
  size_t found = count;
  for (size_t i = 0; i < count; i++)
    if (tb_device_pc (candidates[i].device) == NULL || candidates[i].device->late)
      return 0;
  int result = find_end (guess, buffer, &candidates[0], effort, &end);
  for (size_t i = 0; i < count && result > 0; i++)
    if (is_halted_at (&candidates[i], end))
      {
	result = found == count;
	found = i;
      }
  if (result <= 0 || found == count)
    return result < 0 ? -1 : 0;
  /* Each has a program of its own, though all fit as well.  */
  if (found > 0)
    result = find_end (guess, buffer, &candidates[found], effort, &end);
  *number = candidates[found].number;
  return result > 0 ? is_halted_at (&candidates[found], end) : result;
}
