/* Monitor command for places in the trace: find.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>

#include "decode/element-text.h"
#include "monitor.h"
#include "recording/find.h"

/* Lines that one answer has at most.  */
#define LINES_MAX 50

struct answer
{
  const struct monitor_call *call;
  unsigned lines;
  bool more;
};

static bool
show_hit (void *context, const struct tb_find_hit *hit)
{
  struct answer *answer = context;
  struct tb_buffer text = { 0 };
  if (answer->lines == LINES_MAX)
    {
      monitor_print (answer->call, "... and more: give the step to go on from, %" PRIu64
		     ", behind it.\n", hit->step);
      return false;
    }
  answer->lines++;
  tb_element_text (&text, &hit->element);
  if (text.failed)
    {
      monitor_print (answer->call, "There is no memory to tell of it.\n");
      return false;
    }
  monitor_print (answer->call, "%s step %" PRIu64 ", trace byte %" PRIu64 ": %.*s",
		 hit->element.kind == TB_ELEMENT_RANGE ? "from" : "before", hit->step,
		 hit->element.index, (int) text.size, (const char *) text.data);
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

/* find PLACE [FROM]  */
static bool
find (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  struct answer answer = { .call = call };
  struct tb_find f = { .take = show_hit, .go_on = go_on, .context = &answer };
  if (call->count < 2 || call->count > 3 || !tb_find_parse (call->words[1], &f.query)
      || (call->count == 3 && !monitor_number (call->words[2], &f.from)))
    return false;
  if (t->stream == NULL || t->stream->facts != NULL)
    {
      monitor_print (call, "There is no hardware trace to look through.\n");
      return true;
    }
  switch (tb_recording_find (t->recording, &f))
    {
    case TB_SEARCH_FOUND:
      break;
    case TB_SEARCH_NONE:
      monitor_print (call, "The trace has none.\n");
      break;
    case TB_SEARCH_STOPPED:
      monitor_print (call, "Interrupted.\n");
      break;
    case TB_SEARCH_NO_MEMORY:
      monitor_print (call, "There is no memory to look for it.\n");
      break;
    }
  return true;
}

const struct monitor_verb verbs_find[] = {
  { "find", "PLACE [FROM]", "List places in the trace, from a step on: byte:N, step:N, "
    "timestamp:N, exception[:N], context[:ID], event[:N], trigger, or another kind of "
    "element.", find },
  { NULL, NULL, NULL, NULL }
};
