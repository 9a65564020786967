/* What software said on the way, on the client's console.  See software.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "software.h"

#include <inttypes.h>
#include <stdlib.h>

#include "monitor.h"
#include "recording/lane.h"
#include "stepless.h"

/* Of more lines at a time only those next to where execution stands are shown.  */
#define SHOWN_MOST 200

/* A packet has so much of a line.  */
#define PIECE 900

/* What software said on the way through the recording that C looks at; NULL: there is no
   such trace, or no memory, or it was interrupted, which the client is told.  */
static const struct tb_lane *
target_lane (struct client *c)
{
  struct target *t = c->target;
  if (t->lane != NULL || t->no_lane)
    return t->lane;
  t->no_lane = true;
  if (t->steps == 0 || !tb_lane_possible (t->session, t->core))
    return NULL;
  struct tb_lane *lane = calloc (1, sizeof *lane);
  bool to_halt = tb_lane_asks_halt (t->session, t->core) && target_prepare (t)
		 && tb_state_halt (t->state) == TB_HALT_USED;
  if (lane != NULL
      && tb_lane_make (lane, t->session, t->stream, t->recording, to_halt, client_poll, c,
		       t->diag))
    {
      t->lane = lane;
      t->no_lane = false;
    }
  else if (lane != NULL && lane->stopped)
    {
      client_console (c, "Interrupted: what software said is not told here.\n");
      t->no_lane = false;
      free (lane);
    }
  else
    {
      tb_warning (t->diag, "%s: no memory for what software said; it is left out", t->name);
      free (lane);
    }
  return t->lane;
}

void
target_forget_lane (struct target *t)
{
  if (t->lane != NULL)
    tb_lane_fini (t->lane);
  free (t->lane);
  t->lane = NULL;
  t->no_lane = false;
}

/* Is it for the console?  What the hardware tells is not what the program says, and
   marks alone say nothing.  */
static bool
is_said (const struct tb_lane_item *item)
{
  return item->said->kind == TB_SAID_TEXT || item->said->kind == TB_SAID_NUMBER
	 || item->said->kind == TB_SAID_TRIGGER;
}

void
software_show (struct client *c, struct tb_buffer *text)
{
  tb_buffer_append (text, "\n", 1);
  if (text->failed)
    client_console (c, "There is no memory to tell what software said.\n");
  for (size_t at = 0, some; !text->failed && at < text->size; at += some)
    {
      some = text->size - at < PIECE ? text->size - at : PIECE;
      client_console (c, "%.*s", (int) some, (const char *) text->data + at);
    }
  tb_buffer_fini (text);
}

/* Show ITEM, behind LEAD; NULL: behind its steps.  */
static void
show (struct client *c, const char *lead, const struct tb_lane_item *item)
{
  struct tb_buffer text = { 0 };
  if (lead == NULL)
    tb_lane_steps (&text, item);
  tb_buffer_printf (&text, "%s", lead != NULL ? lead : ": ");
  tb_lane_text (&text, item);
  software_show (c, &text);
}

/* How many of the items BEGIN to END - 1 of LANE are for the console.  */
static size_t
count_said (const struct tb_lane *lane, size_t begin, size_t end)
{
  size_t count = 0;
  for (size_t i = begin; i < end; i++)
    count += is_said (&lane->items[i]);
  return count;
}

void
software_tell (struct client *c, uint64_t from)
{
  struct target *t = c->target;
  uint64_t to = c->position;
  if (from == to)
    return;
  const struct tb_lane *lane = target_lane (c);
  if (lane == NULL || lane->count == 0)
    return;
  bool backward = to < from;
  uint64_t low = backward ? to : from, high = backward ? from : to;
  /* At the beginning nothing was shown, and at the end everything.  */
  size_t begin = low == 0 ? 0 : tb_lane_at (lane, low + 1);
  size_t end = high >= t->last ? lane->count : tb_lane_at (lane, high + 1);
  size_t hidden = count_said (lane, begin, end);
  hidden = hidden > SHOWN_MOST ? hidden - SHOWN_MOST : 0;
  if (hidden > 0)
    client_console (c, "Software said %zu lines more on the way (\"monitor software\" "
		    "lists them).\n", hidden);
  for (size_t k = begin; k < end; k++)
    {
      const struct tb_lane_item *item
	= &lane->items[backward ? begin + (end - 1 - k) : k];
      if (!is_said (item))
	continue;
      if (hidden > 0)
	hidden--;
      else
	show (c, backward ? "not yet: " : "", item);
    }
}

bool
software_tell_nothing (const struct monitor_call *call, const struct tb_session_stream *stream,
		       const struct tb_software *software)
{
  if (software->passed > 0 && !software->unreadable)
    monitor_print (call, "Of %s %" PRIu64 " of %" PRIu64 " bytes were passed over in search of a "
		   "synchronisation packet.\n", stream->source->name, software->passed,
		   software->bytes);
  if (software->count > 0)
    return false;
  if (software->unreadable)
    monitor_print (call, "Of %s nothing can be decoded; tracebridge-convert "
		   "--format=software says why.\n", stream->source->name);
  else if (software->bytes == 0)
    monitor_print (call, "Of %s there is no trace.\n", stream->source->name);
  else if (software->passed > 0)
    monitor_print (call, "Nothing that software or the DWT said is in the others.\n");
  else
    monitor_print (call, "Of %s all was decoded%s, and nothing that software or the DWT said is "
		   "in it.\n", stream->source->name,
		   software->broken_off > 0 ? " but a packet that the end of the trace cut off"
					     : "");
  return true;
}

/* software [FROM [TO]]  */
static bool
software (const struct monitor_call *call)
{
  struct client *c = call->client;
  struct target *t = c->target;
  uint64_t from = 0, to = t->steps;
  if (call->count > 3
      || (call->count > 1 && !monitor_number (call->words[1], &from))
      || (call->count > 2 && !monitor_number (call->words[2], &to)))
    return false;
  if (t->steps == 0 && tb_lane_possible (t->session, t->core))
    {
      stepless_software (call, from, call->count > 2 ? to : UINT64_MAX);
      return true;
    }
  const struct tb_lane *lane = target_lane (c);
  if (lane == NULL)
    {
      if (t->no_lane && tb_lane_possible (t->session, t->core))
	monitor_print (call, "There is no memory for what software said.\n");
      else if (t->no_lane)
	monitor_print (call, "There is no trace of an ITM or STM for this recording.\n");
      return true;
    }
  size_t shown = 0, more = 0;
  /* Those that may have been said later than the trace stand behind the others.  */
  for (size_t i = tb_lane_at (lane, from); i < lane->count + lane->beyond; i++)
    {
      const struct tb_lane_item *item = &lane->items[i];
      if (item->first > to)
	continue;
      if (shown == SHOWN_MOST)
	{
	  more++;
	  continue;
	}
      shown++;
      show (c, NULL, item);
    }
  if (more > 0)
    monitor_print (call, "... and %zu more; give the steps from and to which to "
		   "list.\n", more);
  bool silent = lane->nstreams > 0;
  for (size_t i = 0; i < lane->nstreams; i++)
    silent &= software_tell_nothing (call, lane->streams[i].stream, &lane->streams[i].software);
  if (shown == 0 && !silent)
    monitor_print (call, "Software said nothing there.\n");
  size_t without = lane->elsewhere > lane->open ? lane->elsewhere - lane->open : 0;
  if (without > 0)
    monitor_print (call, "%zu more %s no time that these steps have; "
		   "tracebridge-convert --format=software lists all.\n",
		   without, without == 1 ? "has" : "have");
  return true;
}

const struct monitor_verb verbs_software[] = {
  { "software", "[FROM [TO]]", "List what software and the DWT said through an ITM or STM, "
    "and between which steps.", software },
  { NULL, NULL, NULL, NULL }
};
