/* The streams of a session: what trace there is, and what can be decoded of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "coresight/stream.h"
#include "recording/session-log.h"
#include "util/buffer.h"

static const struct tb_session_core *
core_of (const struct tb_session *s, const struct tb_device *device)
{
  for (size_t i = 0; i < s->ncores; i++)
    if (s->cores[i].device == device)
      return &s->cores[i];
  return &s->cores[s->ncores - 1];
}

/* What SOURCE, of PROTOCOL, sends as stream NUMBER, not 0; NULL: nothing.  *ON: it
   was sent.  */
static const char *
further_stream (const struct tb_protocol *protocol,
		const struct tb_device *source, unsigned number, bool *on)
{
  *on = false;
  return protocol->further_stream != NULL
	 ? protocol->further_stream (source, number, on) : NULL;
}

/* What a source of TYPE, which has no decoder, sends all the same; NULL: it is not
   known.  */
static const char *
known_trace (const char *type)
{
  /* DDI 0328: AMBA AHB Trace Macrocell.  */
  return strncasecmp (type, "HTM", 3) == 0
	 ? "transfers of a bus (AHB Trace Macrocell)" : NULL;
}

/* A session while its streams are made.  */
struct stream_adder
{
  struct tb_session *session;
  size_t capacity;		/* Of its streams.  */
  bool no_memory;
};

/* A stream more; NULL: no memory.  */
static struct tb_session_stream *
next_stream (struct stream_adder *m)
{
  struct tb_session *s = m->session;
  if (!TB_GROW (s->streams, m->capacity, s->nstreams, 1))
    {
      m->no_memory = true;
      return NULL;
    }
  return &s->streams[s->nstreams++];
}

static void
add_stream (struct stream_adder *m, const struct tb_trace_stream *from)
{
  struct tb_session *s = m->session;
  struct tb_session_stream *stream = next_stream (m);
  if (stream == NULL)
    return;
  *stream = (struct tb_session_stream) {
    .source = from->source, .core = core_of (s, from->core),
    .buffer = from->buffer, .number = from->stream, .id = TB_ID_NONE,
    .space = from->space
  };
  /* Of a buffer of unknown format, of which the reader has told, no decoder could
     make sense.  */
  bool readable = from->buffer == NULL
		  || from->buffer->format != TB_FORMAT_OTHER;
  const struct tb_protocol *protocol
    = readable ? tb_protocol_find (from->source->type) : NULL;
  if (protocol == NULL)
    {
      stream->passed = readable ? known_trace (from->source->type) : NULL;
      return;
    }
  unsigned id = protocol->trace_id (from->source);
  if (id + from->stream < TB_TRACE_IDS)
    stream->id = id + from->stream;
  if (from->stream == 0)
    {
      stream->protocol = protocol;
      return;
    }
  bool on;
  stream->passed = further_stream (protocol, from->source, from->stream, &on);
  stream->data = stream->passed != NULL;
  if (stream->passed == NULL)
    stream->passed = "a stream that its type does not have";
}

/* Where the trace unit of FROM sends data, too, and the buffer takes them in,
   they are another stream there.  */
static void
add_data (struct stream_adder *m, const struct tb_trace_stream *from)
{
  const struct tb_snapshot *snapshot = &m->session->snapshot;
  const struct tb_protocol *protocol = tb_protocol_find (from->source->type);
  bool on;
  if (from->named || from->stream != 0 || protocol == NULL
      || !tb_buffer_is_framed (from->buffer)
      || further_stream (protocol, from->source, 1, &on) == NULL || !on)
    return;
  for (size_t i = 0; i < snapshot->nstreams; i++)
    if (snapshot->streams[i].source == from->source
	&& snapshot->streams[i].stream == 1)
      return;
  struct tb_trace_stream data = *from;
  data.stream = 1;
  add_stream (m, &data);
}

/* The streams of a log: one of each core.  */
static void
add_log (struct stream_adder *m)
{
  struct tb_session *s = m->session;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_columns *facts
	= tb_session_log_facts (s, s->cores[i].device);
      struct tb_session_stream *stream = facts != NULL ? next_stream (m) : NULL;
      if (stream == NULL)
	continue;
      *stream = (struct tb_session_stream) {
	.source = tb_session_log_source (s, facts), .core = &s->cores[i],
	.buffer = &s->log->buffer,
	.protocol = tb_session_trace_file (s) != NULL ? &tb_protocol_tfile
						      : &tb_protocol_tarmac,
	.id = TB_ID_NONE, .facts = facts
      };
    }
}

/* Where any source may have written: by trace ID the stream of another buffer, or of none,
   whose source has it, and another one of another source.  */
struct sharers
{
  const struct tb_trace_stream *by_id[TB_TRACE_IDS];
  const struct tb_trace_stream *several[TB_TRACE_IDS];
};

/* The trace ID of the source of STREAM; TB_TRACE_IDS or more: it has none.  */
static unsigned
own_id (const struct tb_trace_stream *stream)
{
  const struct tb_protocol *protocol = tb_protocol_find (stream->source->type);
  return protocol != NULL ? protocol->trace_id (stream->source) : TB_TRACE_IDS;
}

/* Find the sources that may have written into SINK; 0: it is not known which one it is.  */
static void
find_sharers (const struct tb_snapshot *snapshot, uint64_t sink, struct sharers *sharers)
{
  *sharers = (struct sharers) { 0 };
  for (size_t i = 0; i < snapshot->nstreams; i++)
    {
      const struct tb_trace_stream *one = &snapshot->streams[i];
      if ((one->buffer != NULL && !one->buffer->shared)
	  || (sink != 0 && one->sink != 0 && one->sink != sink))
	continue;
      unsigned id = own_id (one);
      if (id >= TB_TRACE_IDS)
	continue;
      const struct tb_trace_stream *other = sharers->by_id[id];
      if (other != NULL && other->source != one->source)
	sharers->several[id] = other;
      sharers->by_id[id] = one;
    }
}

/* Add the streams that BUFFER, which is shared and whose own stream is OWN, has of other
   sources, and say what of it may be that of several.  */
static void
add_sharers (struct stream_adder *m, const struct tb_trace_stream *own,
	     const struct sharers *sharers, struct tb_diag *diag)
{
  uint64_t counts[TB_TRACE_IDS];
  tb_stream_census (own->buffer, counts, NULL);
  for (unsigned id = 1; id <= TB_LAST_SOURCE_ID; id++)
    {
      const struct tb_trace_stream *other = sharers->by_id[id];
      if (counts[id] == 0 || other == NULL)
	continue;
      if (sharers->several[id] != NULL)
	tb_warning (diag, "%s: %s: expected trace IDs of one source each, found %" PRIu64
		    " bytes of ID %#x, which %s and %s have: whose they are is not known, and "
		    "they are left out", m->session->snapshot.path, own->buffer->name, counts[id],
		    id, sharers->several[id]->source->name, other->source->name);
      else if (other->source != own->source)
	{
	  struct tb_trace_stream more = *other;
	  more.buffer = own->buffer;
	  add_stream (m, &more);
	}
    }
}

/* Tell of the bytes behind the last whole frame of each buffer of S, which no stream has.  */
static void
say_rests (const struct tb_session *s, struct tb_diag *diag)
{
  for (size_t i = 0; i < s->snapshot.nbuffers; i++)
    {
      const struct tb_trace_buffer *buffer = &s->snapshot.buffers[i];
      unsigned rest = tb_stream_rest (buffer);
      if (rest != 0)
	tb_warning (diag, "%s: %s: expected frames of 16 bytes each, found %u byte%s behind the "
		    "last whole one: left out, as of a file that is cut", s->snapshot.path,
		    buffer->name, rest, rest == 1 ? "" : "s");
    }
}

enum tb_status
tb_session_make_streams (struct tb_session *s, struct tb_diag *diag)
{
  const struct tb_snapshot *snapshot = &s->snapshot;
  const struct tb_trace_buffer *shared = NULL;
  struct stream_adder adder = { .session = s }, *m = &adder;
  struct sharers sharers;
  add_log (m);
  for (size_t i = 0; i < snapshot->nstreams; i++)
    if (snapshot->streams[i].buffer != NULL)
      {
	const struct tb_trace_stream *own = &snapshot->streams[i];
	/* The streams of one buffer stand one after the other.  */
	bool other = own->buffer->shared && own->buffer != shared;
	if (other)
	  find_sharers (snapshot, own->sink, &sharers);
	unsigned id = own->buffer->shared ? own_id (own) : TB_TRACE_IDS;
	if (id >= TB_TRACE_IDS || sharers.several[id] == NULL)
	  {
	    add_stream (m, own);
	    add_data (m, own);
	  }
	if (other)
	  {
	    shared = own->buffer;
	    add_sharers (m, own, &sharers, diag);
	  }
      }

  /* An MTB needs no trace buffer: its packets are in the core's RAM.  */
  for (size_t i = 0; i < snapshot->ndevices; i++)
    {
      struct tb_trace_stream mtb = { .source = &snapshot->devices[i] };
      bool has_buffer = false;
      if (mtb.source->class != TB_CLASS_TRACE_SOURCE
	  || tb_protocol_find (mtb.source->type) != &tb_protocol_mtb)
	continue;
      for (size_t j = 0; j < snapshot->nstreams; j++)
	if (snapshot->streams[j].source == mtb.source)
	  {
	    has_buffer |= snapshot->streams[j].buffer != NULL;
	    if (snapshot->streams[j].core != NULL)
	      mtb.core = snapshot->streams[j].core;
	  }
      if (has_buffer)
	continue;
      /* Without an association it is the only core's.  */
      if (mtb.core == NULL && s->ncores == 2)
	mtb.core = s->cores[0].device;
      add_stream (m, &mtb);
    }
  say_rests (s, diag);
  return m->no_memory ? TB_ERR_MEMORY : TB_OK;
}

uint64_t
tb_session_stream_bytes (const struct tb_session_stream *stream)
{
  const struct tb_trace_buffer *buffer = stream->buffer;
  if (buffer == NULL)
    return 0;
  if (stream->id >= TB_TRACE_IDS || !tb_buffer_is_framed (buffer))
    return buffer->size;
  uint64_t counts[TB_TRACE_IDS];
  tb_stream_census (buffer, counts, NULL);
  uint64_t bytes = 0;
  for (unsigned id = 0; id < TB_TRACE_IDS; id++)
    bytes += tb_session_stream_owns (stream, buffer, id) ? counts[id] : 0;
  return bytes;
}

void
tb_session_say_undecoded (const struct tb_session_stream *stream,
			  const char *input, struct tb_diag *diag)
{
  if (stream->passed != NULL && stream->number == 0)
    tb_warning (diag, "%s: the trace of %s in %s is passed over: it tells of %s, which are "
		"not decoded", input, stream->source->name, stream->buffer->name,
		stream->passed);
  else if (stream->passed != NULL)
    tb_warning (diag, "%s: the trace of %s in %s is passed over: stream %u, %"
		PRIu64 " bytes, is %s, which is not decoded", input,
		stream->source->name, stream->buffer->name, stream->number,
		tb_session_stream_bytes (stream), stream->passed);
  else if (stream->protocol == NULL)
    tb_warning (diag, "%s: the trace of %s (type \"%s\") cannot be decoded and "
		"is left out", input, stream->source->name,
		stream->source->type);
}
