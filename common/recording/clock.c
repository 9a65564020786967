/* How fast the system's time counts.  See clock.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/clock.h"

#include <inttypes.h>

/* Take what the packets of STREAM state into *CLOCK.  False: they do not agree.  */
static bool
ask_stream (const struct tb_session *s, const struct tb_session_stream *stream, uint64_t *clock)
{
  /* Why it cannot be decoded is told where it is listed.  */
  struct tb_decoder *decoder = tb_session_decoder (s, stream, NULL);
  struct tb_element some[256];
  bool agree = true;
  size_t n;
  while (decoder != NULL && agree
	 && (n = decoder->read (decoder, some, sizeof some / sizeof some[0])) > 0)
    for (size_t i = 0; i < n && agree; i++)
      {
	const struct tb_element *e = &some[i];
	if (e->kind != TB_ELEMENT_SOFTWARE || !(e->flags & TB_SOFTWARE_FREQUENCY)
	    || e->u.software.data == 0)
	  continue;
	agree = *clock == 0 || *clock == e->u.software.data;
	*clock = e->u.software.data;
      }
  if (decoder != NULL)
    tb_decoder_close (decoder);
  return agree;
}

uint64_t
tb_session_clock (struct tb_session *s)
{
  if (s->snapshot.timestamp_frequency != 0)
    return s->snapshot.timestamp_frequency;
  if (s->asked_clock)
    return s->clock;
  s->asked_clock = true;
  uint64_t clock = 0;
  bool agree = true;
  for (size_t i = 0; i < s->nstreams && agree; i++)
    {
      const struct tb_protocol *protocol = s->streams[i].protocol;
      if (protocol != NULL && protocol->states_clock)
	agree = ask_stream (s, &s->streams[i], &clock);
    }
  s->clock = agree ? clock : 0;
  return s->clock;
}

bool
tb_session_stamps (struct tb_session *s, const struct tb_session_stream *stream,
		   struct tb_recording *recording, struct tb_stamps *stamps,
		   struct tb_diag *diag)
{
  struct tb_cycle_rate rate = { .cycles = s->core_frequency };
  if (rate.cycles != 0)
    rate.system = tb_session_clock (s);
  if (rate.system == 0)
    rate.cycles = 0;
  if (!tb_stamps_read (stamps, recording, &rate))
    return false;
  if (stream == NULL)
    return true;
  bool *told = &s->streams[stream - s->streams].cycles_contradict;
  if (stamps->cycles.contradicted && !*told)
    tb_warning (diag, "%s: its core runs more than %" PRIu64 " cycles a second of %" PRIu64
		" timestamps (--core-frequency); cycle counts narrow no times",
		stream->source->name, rate.cycles, rate.system);
  *told |= stamps->cycles.contradicted;
  return true;
}
