/* What software said, in the steps of a recording.  See lane.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "recording/clock.h"
#include "recording/stamps.h"
#include "util/search.h"

bool
tb_lane_hears (const struct tb_session_core *core, const struct tb_session_stream *stream)
{
  return stream->protocol != NULL && stream->protocol->software
	 && (stream->core == core || stream->core->device == NULL);
}

bool
tb_lane_possible (const struct tb_session *session,
		  const struct tb_session_core *core)
{
  for (size_t i = 0; i < session->nstreams; i++)
    if (tb_lane_hears (core, &session->streams[i]))
      return true;
  return false;
}

bool
tb_lane_asks_halt (const struct tb_session *session, const struct tb_session_core *core)
{
  for (size_t i = 0; i < session->nstreams; i++)
    if (tb_lane_hears (core, &session->streams[i]) && session->streams[i].core == core
	&& core->device != NULL)
      return true;
  return false;
}

/* A recording in which what was said is placed.  */
struct lane_steps
{
  const struct tb_session_core *core;
  struct tb_stamps stamps;
  uint64_t count;
  bool to_halt;
};

/* Find the steps of ITEM, whose SAID has a time, in S.  UINT64_MAX: see struct
   tb_lane_item.  */
static void
place (const struct lane_steps *s, struct tb_lane_item *item)
{
  struct tb_when when = tb_said_time (item->said);
  item->first = item->last = UINT64_MAX;
  if (s->stamps.count == 0 || (when.to && when.latest < tb_stamps_get (&s->stamps, 0).time))
    return;
  bool over = s->to_halt && item->stream->core == s->core && s->core->device != NULL;
  if (!tb_stamps_place (&s->stamps, s->count, &when, &item->first, &item->last) && !over)
    item->last = UINT64_MAX;
}

static bool
add (struct tb_lane *lane, const struct tb_lane_item *item)
{
  if (!TB_GROW (lane->items, lane->capacity, lane->count, 1))
    return false;
  lane->items[lane->count++] = *item;
  return true;
}

static int
by_last (const void *a, const void *b)
{
  const struct tb_lane_item *x = a, *y = b;
  if (x->last != y->last)
    return x->last < y->last ? -1 : 1;
  if (x->stream != y->stream)
    return x->stream < y->stream ? -1 : 1;
  return x->said < y->said ? -1 : x->said > y->said;
}

struct tb_decoder *
tb_lane_decoder (const struct tb_session *session,
		 const struct tb_session_stream *stream, struct tb_diag *diag)
{
  /* Why it cannot be decoded is told where that is asked for.  */
  struct tb_decoder *decoder = tb_session_decoder (session, stream, NULL);
  if (decoder == NULL)
    tb_warning (diag, "what software said through %s is left out, as its trace cannot be "
		"decoded (--format=software says why)", stream->source->name);
  return decoder;
}

/* Add what the stream of HEARD says, which stays where it is.  */
static bool
add_stream (struct tb_lane *lane, struct tb_lane_stream *heard, struct tb_session *session,
	    const struct lane_steps *steps, struct tb_diag *diag)
{
  const struct tb_session_stream *stream = heard->stream;
  struct tb_software *software = &heard->software;
  struct tb_decoder *decoder = tb_lane_decoder (session, stream, diag);
  software->unreadable = decoder == NULL;
  if (decoder == NULL)
    return true;
  bool ok = tb_lane_read (software, decoder, session, stream, diag);
  tb_decoder_close (decoder);
  for (size_t i = 0; ok && i < software->count; i++)
    {
      struct tb_lane_item item = { .said = &software->items[i],
				   .software = software, .stream = stream };
      bool timed = tb_lane_no_time (software, item.said) == NULL;
      if (timed)
	{
	  place (steps, &item);
	  ok = add (lane, &item);
	}
      if (!timed || item.last == UINT64_MAX)
	lane->elsewhere++;
      if (timed && item.last == UINT64_MAX)
	{
	  lane->beyond++;
	  lane->open += item.first != UINT64_MAX;
	}
    }
  return ok;
}

/* Say of STREAM, of which SOFTWARE was read, where nothing is in that, or trace was passed
   over, and why.  */
static void
say_decoded (const struct tb_session_stream *stream, const struct tb_software *software,
	     const struct tb_decoder_stats *stats, struct tb_diag *diag)
{
  const char *buffer = stream->buffer != NULL ? stream->buffer->name : "trace";
  const char *source = stream->source->name;
  if (stats->bytes == 0)
    return;
  if (software->unreadable)
    tb_warning (diag, "%s, trace of %s: expected a synchronisation packet of %s (%s), found "
		"none in %" PRIu64 " bytes: nothing of them is decoded%s", buffer, source,
		stream->protocol->name, stream->protocol->sync_text, stats->bytes,
		stream->protocol->can_be_aligned
		? "; if they begin with a whole packet and were kept from the reset of the unit "
		  "on, say --itm-aligned" : "");
  else if (software->passed > 0)
    tb_warning (diag, "%s, trace of %s: %" PRIu64 " of %" PRIu64 " bytes were passed over in "
		"search of a synchronisation packet%s", buffer, source, software->passed,
		stats->bytes, software->said == 0
		? "; nothing that software or the DWT said is in the others" : "");
  else if (software->said == 0)
    {
      char cut[80] = "";
      if (stats->broken_off > 0)
	snprintf (cut, sizeof cut, " but a packet that the end of the trace cut off (%" PRIu64
		  " byte%s)", stats->broken_off, stats->broken_off == 1 ? "" : "s");
      tb_warning (diag, "%s, trace of %s: all was decoded (%" PRIu64 " bytes, %" PRIu64
		  " packet%s)%s, and nothing that software or the DWT said is in it", buffer,
		  source, stats->bytes - stats->broken_off, stats->packets,
		  stats->packets == 1 ? "" : "s", cut);
    }
}

/* Why the rate of a local clock narrows no times of SOFTWARE, which has items.  NULL: it
   does.  */
static const char *
idle_rate (const struct tb_software *software)
{
  if (software->goes_back)
    return "its times go back";
  if (!software->timed)
    return "its trace tells no time of the system for what was said";
  if (!software->local)
    return "its trace tells no local times of it";
  return software->narrowed ? NULL : "its local times narrow no others";
}

/* Say where the rate of its local clock, which the user told, narrows no times of SOFTWARE,
   which was read of STREAM.  That nothing is known without the rate of timestamps is told
   elsewhere (session.c).  */
static void
say_rate (const struct tb_session_stream *stream, const struct tb_software *software,
	  struct tb_diag *diag)
{
  if (software->local_rate == 0 || software->system_rate == 0 || software->said == 0
      || !stream->protocol->can_be_aligned)
    return;
  const char *idle = idle_rate (software);
  if (software->contradicted)
    tb_warning (diag, "%s: its local clock counts more than %" PRIu64 " ticks a second of %"
		PRIu64 " timestamps (--local-frequency); local times narrow no others",
		stream->source->name, software->local_rate, software->system_rate);
  else if (idle != NULL)
    tb_warning (diag, "%s: --local-frequency has no effect, as %s", stream->source->name, idle);
}

/* Say where SOFTWARE, read of a stream of SOURCE, states how fast its times count, and that
   contradicts itself, what the snapshot TOLD (0: nothing), or what others state.  */
static void
say_frequency (const char *source, const struct tb_software *software, uint64_t told,
	       struct tb_diag *diag)
{
  if (software->rate_told)
    return;
  if (software->several_rates)
    tb_warning (diag, "%s: its trace states several frequencies of timestamps: its times are in "
		"ticks (--timestamp-frequency)", source);
  else if (told != 0 && software->frequency != told)
    tb_warning (diag, "%s: its trace states %" PRIu64 " timestamps a second, but the snapshot "
		"(its [timestamp], or the register STMTSFREQR) %" PRIu64 ": what it says itself "
		"counts for its own times (--timestamp-frequency)", source, software->frequency,
		told);
  else if (told == 0 && software->foreign)
    tb_warning (diag, "%s: its trace states %" PRIu64 " timestamps a second, and that of others "
		"does not: how fast those of the system count is not known "
		"(--timestamp-frequency)", source, software->frequency);
}

/* Say what is to be said of SOFTWARE, which was read of STREAM of SESSION.  */
static void
say_read (const struct tb_session *session, const struct tb_session_stream *stream,
	  const struct tb_software *software, const struct tb_decoder_stats *stats,
	  struct tb_diag *diag)
{
  const char *source = stream->source->name;
  say_decoded (stream, software, stats, diag);
  say_frequency (source, software, session->snapshot.timestamp_frequency, diag);
  if (software->goes_back)
    tb_warning (diag, "%s: its times go back: they are no one clock's, and nothing is said to lie "
		"between them", source);
  if (software->all_zero)
    tb_warning (diag, "%s: its timestamps are all zero, which says that the time is not known: "
		"no time of the system is told of what it says", source);
  say_rate (stream, software, diag);
  if (software->cut)
    tb_warning (diag, "%s: what was said from byte %" PRIu64 " on is left out: all would need "
		"more than %" PRIu64 " bytes of memory (--memory-limit)", source,
		software->cut_at, software->memory != 0 ? software->memory : UINT32_MAX);
}

/* Tell SOFTWARE what SESSION's user said.  */
static void
prepare (struct tb_software *software, struct tb_session *session)
{
  software->local_rate = session->local_frequency;
  software->system_rate = tb_session_clock (session);
  software->rate_told = session->frequency_told;
  software->memory = session->software_memory;
}

/* SOFTWARE was read of DECODER, which STREAM has: say what there is to say, once.  */
static void
say_once (struct tb_software *software, const struct tb_decoder *decoder,
	  struct tb_session *session, const struct tb_session_stream *stream,
	  struct tb_diag *diag)
{
  software->unreadable = decoder->stats.bytes != 0 && decoder->stats.packets == 0;
  software->bytes = decoder->stats.bytes;
  software->passed = decoder->stats.skipped;
  software->broken_off = decoder->stats.broken_off;
  bool *told = &session->streams[stream - session->streams].software_told;
  if (!*told)
    say_read (session, stream, software, &decoder->stats, diag);
  *told |= diag != NULL;
}

bool
tb_lane_read (struct tb_software *software, struct tb_decoder *decoder,
	      struct tb_session *session,
	      const struct tb_session_stream *stream, struct tb_diag *diag)
{
  prepare (software, session);
  bool ok = tb_software_read (software, decoder);
  if (ok)
    say_once (software, decoder, session, stream, diag);
  return ok;
}

bool
tb_lane_plan (struct tb_software *software, struct tb_decoder *decoder,
	      struct tb_session *session, const struct tb_session_stream *stream,
	      struct tb_diag *diag, struct tb_software_plan **plan)
{
  prepare (software, session);
  bool ok = tb_software_plan (software, decoder, plan);
  if (ok)
    say_once (software, decoder, session, stream, diag);
  return ok;
}

bool
tb_lane_make (struct tb_lane *lane, struct tb_session *session,
	      const struct tb_session_stream *stream,
	      struct tb_recording *recording, bool to_halt,
	      bool (*go_on) (void *context), void *context, struct tb_diag *diag)
{
  const struct tb_session_core *core = stream->core;
  *lane = (struct tb_lane) { .count = 0 };
  if (!tb_lane_possible (session, core))
    return true;
  struct lane_steps steps = { .core = core, .count = tb_recording_steps (recording),
			      .to_halt = to_halt };
  struct tb_stamps *stamps = &steps.stamps;
  lane->streams = calloc (session->nstreams, sizeof *lane->streams);
  bool ok = lane->streams != NULL && tb_session_stamps (session, stream, recording, stamps,
							diag);
  bool stopped = false;
  for (size_t i = 0; ok && i < session->nstreams; i++)
    if (tb_lane_hears (core, &session->streams[i]))
      {
	struct tb_lane_stream *heard = &lane->streams[lane->nstreams++];
	heard->stream = &session->streams[i];
	heard->software.go_on = go_on;
	heard->software.context = context;
	ok = add_stream (lane, heard, session, &steps, diag);
	stopped = heard->software.stopped;
      }
  lane->steps_timed = stamps->count > 0;
  if (lane->steps_timed)
    {
      lane->first_time = tb_stamps_get (stamps, 0).time;
      lane->last_time = tb_stamps_get (stamps, stamps->count - 1).time;
    }
  tb_stamps_fini (stamps);
  if (lane->count > 0)
    qsort (lane->items, lane->count, sizeof *lane->items, by_last);
  lane->count -= lane->beyond;
  if (!ok)
    {
      tb_lane_fini (lane);
      lane->stopped = stopped;
    }
  return ok;
}

void
tb_lane_fini (struct tb_lane *lane)
{
  for (size_t i = 0; i < lane->nstreams; i++)
    tb_software_fini (&lane->streams[i].software);
  free (lane->streams);
  free (lane->items);
  *lane = (struct tb_lane) { .count = 0 };
}

size_t
tb_lane_at (const struct tb_lane *lane, uint64_t step)
{
  size_t low;
  TB_LOWER_BOUND (low, lane->count, lane->items[low].last < step);
  return low;
}

const char *
tb_lane_no_time (const struct tb_software *software, const struct tb_said *said)
{
  if (!(said->flags & (TB_SAID_EARLIEST | TB_SAID_LATEST)))
    return "the trace tells no time of the system for it";
  if (software->foreign)
    return "its times are of another clock than those of the instructions";
  if (software->goes_back)
    return "the times of its trace go back: they are no one clock's";
  return NULL;
}

/* Why SAID, of SOFTWARE, has no place among the steps of LANE.  */
static const char *
why_elsewhere (const struct tb_lane *lane, const struct tb_software *software,
	       const struct tb_said *said)
{
  const char *why = tb_lane_no_time (software, said);
  if (why != NULL)
    return why;
  if (!lane->steps_timed)
    return "the trace of instructions tells no times";
  if (said->flags & TB_SAID_LATEST && said->latest < lane->first_time)
    return "its time is before the first one of the instructions";
  return said->flags & TB_SAID_EARLIEST && said->earliest > lane->last_time
	 ? "its time is behind the last one of the instructions"
	 : "its time may be behind the last one of the instructions";
}

const char *
tb_lane_next_elsewhere (struct tb_lane_walk *walk, struct tb_lane_item *item)
{
  const struct tb_lane *lane = walk->lane;
  for (; walk->stream < lane->nstreams; walk->stream++, walk->said = 0)
    {
      const struct tb_lane_stream *heard = &lane->streams[walk->stream];
      while (walk->said < heard->software.count)
	{
	  const struct tb_said *said = &heard->software.items[walk->said++];
	  /* Those beyond have the same order.  */
	  bool beyond = walk->beyond < lane->beyond
			&& lane->items[lane->count + walk->beyond].said == said;
	  uint64_t first = beyond ? lane->items[lane->count + walk->beyond].first : UINT64_MAX;
	  walk->beyond += beyond;
	  if (!beyond && tb_lane_no_time (&heard->software, said) == NULL)
	    continue;
	  *item = (struct tb_lane_item) { .first = first, .last = UINT64_MAX, .said = said,
					  .software = &heard->software,
					  .stream = heard->stream };
	  return why_elsewhere (lane, &heard->software, said);
	}
    }
  return NULL;
}

void
tb_lane_steps (struct tb_buffer *text, const struct tb_lane_item *item)
{
  bool open = item->last == UINT64_MAX;
  /* It may have been before the trace began.  */
  if (item->first == 0 && open)
    tb_buffer_printf (text, "at any step, or before or later than the trace");
  else if (item->first == 0)
    tb_buffer_printf (text, "before step %" PRIu64, item->last);
  else if (open)
    tb_buffer_printf (text, "from step %" PRIu64 " on, or later than the trace", item->first);
  else
    tb_buffer_printf (text, "step %" PRIu64 " to %" PRIu64, item->first, item->last);
}

void
tb_lane_text (struct tb_buffer *text, const struct tb_lane_item *item)
{
  tb_buffer_printf (text, "%s ", item->stream->source->name);
  tb_said_who (text, item->said);
  tb_buffer_printf (text, ": ");
  tb_said_what (text, item->software, item->said);
}
