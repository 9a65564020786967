/* In which state the cores of a session ran, by their trace.  See session-streams.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-streams.h"

/* So many elements from the begin tell; what comes behind may be of another state.  */
#define ELEMENTS 4096

/* Is what STREAM begins with of AArch32 state, and nothing of AArch64 state?  */
static bool
is_a32 (const struct tb_session *s, const struct tb_session_stream *stream)
{
  struct tb_diag silent = { 0 };
  struct tb_decoder *decoder = tb_session_decoder (s, stream, &silent);
  struct tb_element elements[64];
  bool a32 = false, a64 = false;
  size_t n, all = 0;
  while (decoder != NULL && !a64 && all < ELEMENTS
	 && (n = decoder->read (decoder, elements, 64)) > 0)
    {
      all += n;
      for (size_t i = 0; i < n; i++)
	if (elements[i].kind == TB_ELEMENT_RANGE)
	  {
	    a64 |= elements[i].isa == TB_ISA_A64;
	    a32 |= elements[i].isa == TB_ISA_A32 || elements[i].isa == TB_ISA_T32;
	  }
    }
  if (decoder != NULL)
    tb_decoder_close (decoder);
  return a32 && !a64;
}

void
tb_session_check_states (const struct tb_session *s, const char *path, struct tb_diag *diag)
{
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_session_stream *stream = &s->streams[i];
      const struct tb_device *core = stream->core->device;
      if (core == NULL || core->nregs > 0 || !stream->core->profile.has_a64
	  || stream->core->profile.is_m || stream->protocol == NULL || stream->facts != NULL
	  || stream->protocol->software || !is_a32 (s, stream))
	continue;
      tb_warning (diag, "%s: the trace of %s is of AArch32 state, but the core %s is taken for an "
		  "%s, of which AArch64 state is followed alone: no register is known; "
		  "--core-type=ARMv7-A, or a program of AArch32 by --elf, says that it is of "
		  "AArch32", path, stream->source->name, core->name, core->type);
      return;
    }
}
