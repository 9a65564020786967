/* What software and the DWT said of a core without trace of instructions.  See stepless.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "stepless.h"

#include <inttypes.h>
#include <stdlib.h>

#include "recording/lane.h"
#include "recording/sparse.h"
#include "software.h"

/* Lines that one answer has at most.  */
#define LINES_MOST 200

/* What lists the software of one stream; NUMBER counts through all of them.  */
struct stepless
{
  const struct monitor_call *call;
  uint64_t from, to, number;
  unsigned lines;
  uint64_t next;		/* The first number that has no line; UINT64_MAX: none.  */
};

/* Is NUMBER to be listed?  */
static bool
wanted (struct stepless *l, uint64_t number)
{
  if (number < l->from || number > l->to)
    return false;
  if (l->lines < LINES_MOST)
    {
      l->lines++;
      return true;
    }
  if (l->next == UINT64_MAX)
    l->next = number;
  return false;
}

static bool
list_said (struct stepless *l, const struct tb_session_stream *stream,
	   const struct tb_software *software)
{
  for (size_t i = 0; i < software->count; i++)
    {
      struct tb_buffer text = { 0 };
      const struct tb_lane_item item = { .said = &software->items[i], .software = software,
					 .stream = stream };
      if (!wanted (l, l->number++))
	continue;
      tb_buffer_printf (&text, "%" PRIu64 ", time ", l->number - 1);
      tb_said_when (&text, software, item.said);
      tb_buffer_printf (&text, ": ");
      tb_lane_text (&text, &item);
      software_show (l->call->client, &text);
    }
  return true;
}

/* As they began: several may have one place, as it is known.  */
static int
by_turn (const void *a, const void *b)
{
  const struct tb_sparse_span *x = a, *y = b;
  return x->turn < y->turn ? -1 : x->turn > y->turn;
}

/* Append where PLACE of SPARSE is.  */
static void
put_place (struct tb_buffer *text, const struct tb_sparse *sparse,
	   const struct tb_software *software, uint64_t place)
{
  const struct tb_when when = { .earliest = place, .latest = place, .from = true, .to = true };
  if (sparse->in_time)
    {
      tb_buffer_printf (text, "time ");
      tb_when_text (text, &when, software->frequency);
    }
  else
    tb_buffer_printf (text, "%s %" PRIu64, sparse->in_ticks ? "tick" : "what was said",
		      place);
}

/* Append an END of a span: where it is, and how far that is TOLD ("then" ...).  ITEM tells
   it (NULL: nothing does), with its local time, too.  */
static void
put_end (struct tb_buffer *text, const struct tb_sparse *sparse,
	 const struct tb_software *software, const struct tb_said *item, uint64_t place,
	 const char *end, const char *told)
{
  bool timed = sparse->in_time && item != NULL;
  if (timed)
    {
      tb_buffer_printf (text, "time ");
      tb_said_when (text, software, item);
    }
  else
    put_place (text, sparse, software, place);
  tb_buffer_printf (text, " (%s: %s)", end, timed ? "then" : told);
}

static bool
list_exceptions (struct stepless *l, const struct tb_session_stream *stream,
		 const struct tb_software *software)
{
  struct tb_sparse sparse = { 0 };
  if (!tb_sparse_make (&sparse, software, true))
    return false;
  if (sparse.nspans > 0)
    qsort (sparse.spans, sparse.nspans, sizeof *sparse.spans, by_turn);
  for (size_t i = 0; i < sparse.nspans; i++)
    {
      const struct tb_sparse_span *span = &sparse.spans[i];
      struct tb_buffer text = { 0 };
      if (!wanted (l, l->number++))
	continue;
      tb_buffer_printf (&text, "%" PRIu64 ", %s: ", l->number - 1, stream->source->name);
      tb_sparse_put_name (&text, span->number);
      tb_buffer_printf (&text, ", from ");
      put_end (&text, &sparse, software, span->entered ? &software->items[span->entry] : NULL,
	       span->begin, "entry", tb_sparse_entry_text (span));
      tb_buffer_printf (&text, " to ");
      put_end (&text, &sparse, software, span->left ? &software->items[span->exit] : NULL,
	       span->end, "exit", tb_sparse_exit_text (span));
      software_show (l->call->client, &text);
    }
  tb_sparse_fini (&sparse);
  return true;
}

/* Let LIST list each stream of software's that the core of L's client has, and say NONE if it lists
   nothing, unless no stream has anything, which is told of each.  */
static void
each (struct stepless *l, bool (*list) (struct stepless *l, const struct tb_session_stream *stream,
				       const struct tb_software *software),
      const char *none)
{
  struct client *c = l->call->client;
  struct target *t = c->target;
  bool ok = true, stopped = false, any = false, silent = true;
  for (size_t i = 0; i < t->session->nstreams && ok; i++)
    {
      const struct tb_session_stream *stream = &t->session->streams[i];
      struct tb_decoder *decoder = tb_lane_hears (t->core, stream)
				   ? tb_lane_decoder (t->session, stream, t->diag) : NULL;
      if (decoder == NULL)
	continue;
      struct tb_software software = { .go_on = client_poll, .context = c };
      ok = tb_lane_read (&software, decoder, t->session, stream, t->diag)
	   && list (l, stream, &software);
      if (ok)
	silent &= software_tell_nothing (l->call, stream, &software);
      any = true;
      stopped = software.stopped;
      tb_software_fini (&software);
      tb_decoder_close (decoder);
    }
  if (stopped)
    monitor_print (l->call, "Interrupted.\n");
  else if (!ok)
    monitor_print (l->call, "There is no memory for what software said.\n");
  else if (l->next != UINT64_MAX)
    monitor_print (l->call, "More follow: \"monitor %s %" PRIu64 "\".\n", l->call->words[0],
		   l->next);
  else if (l->lines == 0 && !(any && silent))
    monitor_print (l->call, "%s\n", none);
}

void
stepless_software (const struct monitor_call *call, uint64_t from, uint64_t to)
{
  struct stepless l = { .call = call, .from = from, .to = to, .next = UINT64_MAX };
  monitor_print (call, "There is no trace of instructions: what was said has a number, and no "
		 "steps.\n");
  each (&l, list_said, "Software said nothing there.");
}

bool
stepless_exceptions (const struct monitor_call *call)
{
  struct stepless l = { .call = call, .to = UINT64_MAX, .next = UINT64_MAX };
  if (call->count > 2
      || (call->count == 2 && !monitor_number (call->words[1], &l.from)))
    return false;
  monitor_print (call, "There is no trace of instructions: exceptions are those that the DWT "
		 "tells of.\n");
  each (&l, list_exceptions, "There are none.");
  return true;
}
