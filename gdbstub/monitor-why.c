/* Monitor command for explanations: why.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>

#include "monitor.h"
#include "state/why.h"

/* Values of a chain, at most.  */
#define CHAIN 24

/* why REGISTER|FLAG|ADDRESS[:SIZE]  */
static bool
why (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  struct tb_why_query query;
  struct tb_why items[CHAIN];
  if (call->count != 2)
    return false;
  const char *what = call->words[1];
  if (!tb_why_parse (&query, &t->core->profile,
		     what[0] == '$' ? what + 1 : what))
    return false;
  if (!target_prepare (t))
    {
      monitor_print (call, "There is no memory to work that out.\n");
      return true;
    }
  uint64_t step = client_position (call->client);
  size_t count = tb_state_why (t->state, step, &query, items, CHAIN);
  const struct tb_why_verdict verdict
    = tb_why_find_verdict (t->state, step, &query, &t->core->profile);
  char text[60];
  tb_why_verdict_text (text, sizeof text, &verdict);
  monitor_print (call, "%.60s before step %" PRIu64 ": %s\n", what, step, text);
  if (count == 0)
    monitor_print (call, "There is nothing more to say of it.\n");
  for (size_t i = 0; i < count; i++)
    {
      char line[900];
      tb_why_line (line, sizeof line, t->recording, items, i);
      monitor_print (call, "  %s\n", line);
    }
  if (count != 0 && items[0].assumed)
    monitor_print (call, "This holds only under the assumptions that are on.\n");
  return true;
}

const struct monitor_verb verbs_why[] = {
  { "why", "REGISTER|FLAG|ADDRESS[:SIZE]",
    "Say where the value comes from, or what is in the way of knowing it.", why },
  { NULL, NULL, NULL, NULL }
};
