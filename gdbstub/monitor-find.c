/* Monitor command for places in the trace: find.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "decode/element-text.h"
#include "monitor.h"
#include "recording/find.h"
#include "recording/lane.h"

/* Lines that one answer has at most.  */
#define LINES_MAX 50

struct answer
{
  const struct monitor_call *call;
  const struct tb_session_stream *stepless;	/* Of which there are bytes in place of
						   steps; NULL: there are steps.  */
  unsigned lines;
  /* The step of the last hit, and how many that lie before it were shown or passed
     over.  */
  uint64_t step, at_step;
};

static bool
show_hit (void *context, const struct tb_find_hit *hit)
{
  struct answer *answer = context;
  struct tb_buffer text = { 0 };
  if (answer->lines == LINES_MAX)
    {
      monitor_print (answer->call, "... and more: to go on, give \"%" PRIu64, hit->step);
      if (hit->step == answer->step)
	monitor_print (answer->call, "+%" PRIu64, answer->at_step);
      monitor_print (answer->call, "\" behind it.\n");
      return false;
    }
  answer->lines++;
  answer->at_step = hit->step == answer->step ? answer->at_step + 1 : 1;
  answer->step = hit->step;
  tb_element_text (&text, &hit->element);
  if (text.failed)
    {
      monitor_print (answer->call, "There is no memory to tell of it.\n");
      tb_buffer_fini (&text);
      return false;
    }
  if (answer->stepless != NULL)
    monitor_print (answer->call, "%s", answer->stepless->source->name);
  else
    monitor_print (answer->call, "%s step %" PRIu64,
		   hit->element.kind == TB_ELEMENT_RANGE ? "from" : "before", hit->step);
  monitor_print (answer->call, ", trace byte %" PRIu64 ": %.*s", hit->element.index,
		 (int) text.size, (const char *) text.data);
  if (text.size == 0)
    monitor_print (answer->call, "\n");
  tb_buffer_fini (&text);
  return true;
}

static bool
go_on (void *context)
{
  const struct answer *answer = context;
  return client_poll (answer->call->client);
}

/* Read STEP or STEP+SKIP.  False: it is neither.  */
static bool
read_from (const char *text, struct tb_find *f)
{
  char step[32];
  size_t length = strcspn (text, "+");
  if (length >= sizeof step)
    return false;
  memcpy (step, text, length);
  step[length] = 0;
  return monitor_number (step, &f->from)
	 && (text[length] == 0 || monitor_number (text + length + 1, &f->skip));
}

/* Tell why the search of ANSWER through STREAM found nothing, or no more.  */
static void
tell_end (const struct answer *answer, const struct tb_session_stream *stream,
	  enum tb_search end)
{
  const struct monitor_call *call = answer->call;
  switch (end)
    {
    case TB_SEARCH_FOUND:
      break;
    case TB_SEARCH_NONE:
      monitor_print (call, "The trace of %s%s%s has no %s", stream->source->name,
		     stream->buffer != NULL ? " in " : "",
		     stream->buffer != NULL ? stream->buffer->name : "", call->words[1]);
      if (call->count == 3)
	monitor_print (call, " from %s %s on", answer->stepless != NULL ? "byte" : "step",
		       call->words[2]);
      monitor_print (call, ".\n");
      break;
    case TB_SEARCH_STOPPED:
      monitor_print (call, "Interrupted.\n");
      break;
    case TB_SEARCH_NO_MEMORY:
      monitor_print (call, "There is no memory to look for it.\n");
      break;
    }
}

/* Is STREAM trace of T's core that tells of no step?  Places in it are bytes, too.  */
static bool
is_stepless (const struct target *t, const struct tb_session_stream *stream)
{
  return t->stream == NULL && stream->core == t->core && stream->protocol != NULL
	 && stream->facts == NULL;
}

/* Find what F says in each stream of the core that has bytes in place of steps.  False: it has
   none.  */
static bool
find_by_bytes (const struct answer *asked, const struct tb_find *f)
{
  const struct target *t = asked->call->client->target;
  bool any = false;
  for (size_t i = 0; i < t->session->nstreams; i++)
    {
      const struct tb_session_stream *stream = &t->session->streams[i];
      if (!tb_lane_hears (t->core, stream) && !is_stepless (t, stream))
	continue;
      /* Why it cannot be decoded is told where that is asked for.  */
      struct tb_decoder *decoder = tb_session_decoder (t->session, stream, NULL);
      struct answer answer = *asked;
      struct tb_find find = *f;
      any = true;
      answer.stepless = stream;
      find.context = &answer;
      if (decoder == NULL)
	monitor_print (asked->call, "Of %s nothing can be decoded; tracebridge-convert "
		       "--format=%s says why.\n", stream->source->name,
		       stream->protocol->software ? "software" : "elements");
      else
	tell_end (&answer, stream, tb_software_find (decoder, &find));
      if (decoder != NULL)
	tb_decoder_close (decoder);
    }
  return any;
}

/* find PLACE [FROM]  */
static bool
find (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  struct answer answer = { .call = call };
  struct tb_find f = { .take = show_hit, .go_on = go_on, .context = &answer };
  if (call->count >= 2 && !tb_find_parse (call->words[1], &f.query))
    {
      struct tb_buffer expected = { 0 };
      tb_find_expected (&expected);
      if (!expected.failed)
	monitor_print (call, "Expected %.*s, found '%s'.\n", (int) expected.size,
		       (const char *) expected.data, call->words[1]);
      tb_buffer_fini (&expected);
      return false;
    }
  if (call->count < 2 || call->count > 3
      || (call->count == 3 && !read_from (call->words[2], &f)))
    return false;
  if (call->count == 3 && f.query.what != TB_FIND_ELEMENTS)
    {
      monitor_print (call, "%s is one place: it takes no step to look from.\n",
		     call->words[1]);
      return true;
    }
  answer.step = f.from;
  answer.at_step = f.skip;
  if ((t->stream == NULL || tb_find_is_of_software (&f.query)) && find_by_bytes (&answer, &f))
    return true;
  if (t->stream == NULL)
    {
      monitor_print (call, "There is no hardware trace to look through.\n");
      return true;
    }
  if (t->stream->facts != NULL)
    {
      monitor_print (call, "%s is a log, which has no trace to look through: \"monitor "
		     "exceptions\" lists its\nexceptions, \"monitor gaps\" its gaps, and \"monitor "
		     "goto\" goes to steps and times.\n", t->stream->source->name);
      return true;
    }
  const struct tb_trace_buffer *buffer = t->stream->buffer;
  if (f.query.what == TB_FIND_BYTE && buffer != NULL && f.query.value >= buffer->size)
    monitor_print (call, "There is no such byte: %s has %" PRIu64 ".\n", buffer->name,
		   (uint64_t) buffer->size);
  tell_end (&answer, t->stream, tb_recording_find (t->recording, &f));
  return true;
}

const struct monitor_verb verbs_find[] = {
  { "find", "PLACE [FROM]", "List places in the trace: byte:N, step:N, timestamp:N, or, from "
    "a step on (or behind the first so many before it: STEP+MANY), exception[:N], "
    "context[:ID], event[:N], trigger, or another kind of element; of what software said, and "
    "where trace tells of no step, FROM is a byte of the trace.", find },
  { NULL, NULL, NULL, NULL }
};
