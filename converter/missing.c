/* What is said of inputs without a step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"
#include "follow.h"

#include <inttypes.h>

#include "coresight/stream.h"
#include "recording/session-streams.h"
#include "util/buffer.h"

/* Is code of STREAM missing, of which nothing was decoded?  If so, tell.
   *PACKETS: there were some.  */
static bool
lacks_code (struct job *job, const struct tb_session_stream *stream,
	    enum tb_severity severity, bool *packets)
{
  /* It was decoded before, and what there is to say of it was said.  */
  struct tb_decoder *decoder = tb_session_decoder (&job->session, stream, NULL);
  struct tb_element e;
  bool here = false;
  while (decoder != NULL && !here && decoder->read (decoder, &e, 1) > 0)
    here = e.kind == TB_ELEMENT_NO_CODE && !(e.flags & TB_NO_CODE_UNKNOWN);
  *packets = decoder == NULL || decoder->stats.packets != 0;
  tb_decoder_close (decoder);
  if (here)
    tb_report (job->diag, severity, "%s: %s has trace of %s, but the code that ran, at %#" PRIx64
	  " first, is not in the snapshot; give it with --elf=FILE, or what a perf.data has "
	  "maps of with --sysroot=FOLDER", job->input, stream->source->name,
	  stream->core->device != NULL ? stream->core->device->name : "no core",
	  e.u.address);
  return here;
}

bool
job_lacks_code (struct job *job)
{
  bool missing = false, packets;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (job_wants (job, stream) && stream->protocol != NULL
	  && !stream->protocol->software)
	missing |= lacks_code (job, stream, TB_ERROR, &packets);
    }
  return missing;
}

bool
job_say_no_step (struct job *job, const struct tb_session_stream *stream,
		 enum tb_severity severity)
{
  struct tb_buffer why = { 0 };
  bool packets;
  if (stream->facts != NULL)
    return false;
  if (lacks_code (job, stream, severity, &packets))
    return true;
  if (packets)
    return false;
  job_put_reason (&why, stream);
  tb_buffer_append (&why, "", 1);
  tb_warning (job->diag, "%s: no instruction is told of; %s", job->input,
	      why.failed ? stream->source->name : (const char *) why.data);
  tb_buffer_fini (&why);
  return false;
}

/* The sources of JOB's trace and their types, for a message.  */
static void
put_sources (struct tb_buffer *text, const struct job *job)
{
  size_t count = 0;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (job_wants (job, stream))
	tb_buffer_printf (text, "%s%s (%s)", count++ > 0 ? ", " : "; there is ",
			  stream->source->name, stream->source->type);
    }
  if (count == 0)
    tb_buffer_printf (text, "; there is no trace");
  tb_buffer_append (text, "", 1);
}

bool
job_has_software_alone (const struct job *job)
{
  bool software = false;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (job_has_steps (job, stream))
	return false;
      software |= job_wants (job, stream) && stream->protocol != NULL
		  && stream->protocol->software;
    }
  return software;
}

bool
job_may_have_steps (struct job *job)
{
  for (size_t i = 0; i < job->session.nstreams; i++)
    if (job_has_steps (job, &job->session.streams[i]))
      return true;
  struct tb_buffer text = { 0 };
  put_sources (&text, job);
  /* --find looks through software's trace, too.  */
  tb_error (job->diag, job->options->nfinds > 0
		       ? "%s: expected trace that can be decoded%s"
		       : "%s: expected trace of instructions that can be decoded%s",
	    job->input, text.failed ? "" : (const char *) text.data);
  tb_buffer_fini (&text);
  return false;
}

/* More IDs than this are not named: memory that is no trace looks like all of them.  */
#define IDS_NAMED 8
/* By this ID, and those behind it, nothing sends but formatters.  */
enum { RESERVED = 0x70 };

/* Append which IDs BUFFER has that sources may have.  */
static void
put_ids (struct tb_buffer *text, const struct tb_trace_buffer *buffer)
{
  uint64_t counts[TB_TRACE_IDS];
  unsigned n = 0;
  if (!tb_buffer_is_framed (buffer))
    return;
  tb_stream_census (buffer, counts, NULL);
  for (unsigned id = 1; id < RESERVED; id++)
    n += counts[id] != 0;
  if (n > IDS_NAMED)
    tb_buffer_printf (text, ", but of %u others", n);
  for (unsigned id = 1, k = 0; n <= IDS_NAMED && id < RESERVED; id++)
    if (counts[id] != 0)
      tb_buffer_printf (text, "%s%#04x", k++ == 0 ? ", but of " : ", ", id);
}

void
job_put_reason (struct tb_buffer *text, const struct tb_session_stream *stream)
{
  tb_buffer_printf (text, "%s%s%s: ", stream->source->name,
		    stream->buffer != NULL ? " in " : "",
		    stream->buffer != NULL ? stream->buffer->name : "");
  uint64_t bytes = tb_session_stream_bytes (stream);
  if (stream->buffer != NULL && stream->buffer->format == TB_FORMAT_OTHER)
    tb_buffer_printf (text, "format %s cannot be read",
		      stream->buffer->format_name);
  else if (stream->facts != NULL)
    tb_buffer_printf (text, "a log has no packets");
  else if (stream->passed != NULL)
    tb_buffer_printf (text, "%s %s not decoded", stream->passed,
		      stream->number == 0 ? "are" : "is");
  else if (stream->protocol == NULL)
    tb_buffer_printf (text, "type \"%s\" is not decoded",
		      stream->source->type);
  else if (stream->buffer != NULL && stream->buffer->size > 0 && bytes == 0)
    {
      tb_buffer_printf (text, "no bytes of ID %#04x", stream->id);
      put_ids (text, stream->buffer);
    }
  else if (stream->buffer == NULL || bytes == 0)
    tb_buffer_printf (text, "no trace was written");
  else
    tb_buffer_printf (text, "%" PRIu64 " bytes, in which decoding can begin "
		      "nowhere", bytes);
}

bool
job_found_packets (struct job *job)
{
  /* A log has no packets.  */
  if (job->packets != 0 || job->instructions != 0)
    return true;
  struct tb_buffer text = { 0 };
  size_t count = 0;
  for (size_t i = 0; i < job->session.nstreams; i++)
    if (job_wants (job, &job->session.streams[i]))
      {
	count++;
	tb_buffer_printf (&text, "; ");
	job_put_reason (&text, &job->session.streams[i]);
      }
  tb_buffer_append (&text, "", 1);
  tb_error (job->diag, "%s: there is nothing that can be decoded%s", job->input,
	    text.failed ? "" : count == 0 ? ": no trace"
	    : (const char *) text.data);
  tb_buffer_fini (&text);
  return false;
}

struct tb_choice
job_choose (struct job *job, const struct tb_session_stream *stream,
	    struct tb_recording *recording)
{
  struct tb_choose_options choose = job->options->choose;
  choose.frames = UINT64_MAX;
  uint64_t steps = tb_recording_steps (recording);
  struct tb_choice choice = tb_choose_steps (steps, &choose);
  if (job->follow != NULL)
    return follow_choose (job, stream, steps, choice);
  if (steps == 0)
    return choice;
  job->chose = true;
  job->chosen |= choice.begin < choice.end;
  if (choice.begin == choice.end)
    tb_warning (job->diag, "%s: --from=%" PRIu64 ": the trace of %s%s%s has the steps 0 "
		"to %" PRIu64, job->input, choose.from, stream->source->name,
		stream->buffer != NULL ? " in " : "",
		stream->buffer != NULL ? stream->buffer->name : "", steps - 1);
  return choice;
}

bool
job_found_choice (struct job *job)
{
  if (!job->chose || job->chosen)
    return true;
  tb_error (job->diag, "%s: --from: no trace has such a step", job->input);
  return false;
}

bool
job_found_steps (struct job *job)
{
  if (job->instructions != 0)
    return true;
  if (!job_lacks_code (job))
    tb_error (job->diag, "%s: the trace tells of no instruction; --stats shows what "
	      "it is made of", job->input);
  return false;
}
