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

/* Has S one stream alone that can tell times?  */
static bool
is_alone (const struct tb_session *s)
{
  size_t count = 0;
  for (size_t i = 0; i < s->nstreams; i++)
    count += s->streams[i].protocol != NULL && s->streams[i].protocol != &tb_protocol_mtb;
  return count == 1;
}

uint64_t
tb_session_clock (struct tb_session *s)
{
  uint64_t told = s->snapshot.timestamp_frequency;
  if (told != 0 && (s->frequency_told || !is_alone (s)))
    return told;
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
  s->clock = !agree ? 0 : clock != 0 ? clock : told;
  return s->clock;
}

const char *
tb_session_clock_options (const struct tb_session *s)
{
  bool timed = s->log != NULL, local = false;
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_protocol *protocol = s->streams[i].protocol;
      local |= protocol != NULL && protocol->can_be_aligned;
      timed |= protocol != NULL && protocol != &tb_protocol_mtb;
    }
  return local ? "; --timestamp-frequency applies, and --local-frequency where an ITM tells times"
	 : timed ? "; --timestamp-frequency applies" : "";
}

/* Why a rate of cycles narrows no times of STAMPS.  NULL: it does.  */
static const char *
idle_rate (const struct tb_stamps *stamps)
{
  if (stamps->facts != NULL)
    return "its times are a log's, which has no cycle counts";
  if (!stamps->cycles.any)
    return stamps->count > 0 || stamps->go_back ? "its trace has no cycle counts"
	   : "its trace has no cycle counts and no timestamps";
  if (stamps->go_back)
    return "its times go back";
  if (stamps->count == 0)
    return "its trace has no timestamps";
  return stamps->cycles.narrow ? NULL : "its cycle counts narrow none of its times";
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
  if (stream == NULL || rate.cycles == 0 || s->streams[stream - s->streams].cycles_told)
    return true;
  const char *idle = idle_rate (stamps);
  if (stamps->cycles.contradicted)
    tb_warning (diag, "%s: its core runs more than %" PRIu64 " cycles a second of %" PRIu64
		" timestamps (--core-frequency); cycle counts narrow no times",
		stream->source->name, rate.cycles, rate.system);
  else if (idle != NULL)
    tb_warning (diag, "%s: --core-frequency has no effect, as %s%s", stream->source->name,
		idle, stamps->count > 0 ? tb_session_clock_options (s) : "");
  s->streams[stream - s->streams].cycles_told = true;
  return true;
}
