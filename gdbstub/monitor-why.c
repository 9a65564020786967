/* Monitor command for explanations: why.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frame/expression.h"
#include "monitor.h"
#include "run.h"
#include "state/answer/sve.h"
#include "state/explain/why.h"

/* Values of a chain, at most.  */
#define CHAIN 24

/* The answer to NAMED, at STEP.  */
static void
answer (const struct monitor_call *call, const struct tb_why_named *named,
	uint64_t step)
{
  struct target *t = call->client->target;
  struct tb_why items[CHAIN];
  const struct tb_why_query *query = &named->query;
  size_t count = tb_state_why (t->state, step, query, items, CHAIN);
  const struct tb_why_verdict verdict
    = tb_why_find_verdict (t->state, step, query, &t->core->profile);
  const struct tb_why_grounds grounds = tb_why_find_grounds (t->state, step, query);
  char text[60];
  tb_why_verdict_text (text, sizeof text, &verdict);
  monitor_print (call, "%s before step %" PRIu64 ": %s\n", named->name, step,
		 text);
  if (count == 0 && grounds.missing == 0)
    monitor_print (call, "There is nothing more to say of it.\n");
  /* Where the doubt is the reason, the chain of what is not known is not.  */
  for (size_t i = 0; i < count && grounds.missing == 0; i++)
    {
      char line[900];
      tb_why_line (line, sizeof line, t->recording,
		   t->session->svd, items, i);
      monitor_print (call, "  %s\n", line);
    }
  struct tb_buffer premises = { 0 };
  tb_why_grounds_text (&premises, &grounds);
  if (premises.size > 0)
    monitor_print (call, "%.*s", (int) premises.size, (const char *) premises.data);
  tb_buffer_fini (&premises);
  if (count != 0 && items[0].assumed)
    monitor_print (call, "This holds only under the assumptions that are on.\n");
}

/* WHAT is no register: is it a variable, a member or an element, of up to 8 bytes, that is always
   at the same place?  Then that is what NAMED means.  */
static bool
name_variable (const struct monitor_call *call, const char *what, struct tb_why_named *named)
{
  struct target *t = call->client->target;
  struct tb_expression_scope scope = {
    .variables = target_variables (t), .tdesc = t->tdesc, .svd = t->session->svd
  };
  struct tb_expression_error error;
  uint64_t address, size;
  char place[40];
  if (scope.variables == NULL)
    return false;
  scope.no_pc = !position_pc (t, client_position (call->client), &scope.pc);
  if (!tb_expression_place (what, strlen (what), &scope, &address, &size, &error)
      || size == 0 || size > 8)
    return false;
  snprintf (place, sizeof place, "0x%" PRIx64 ":%" PRIu64, address, size);
  return tb_why_parse_all (named, &t->core->profile, tb_state_sve_length (t->state),
			   t->session->svd, place) == 1;
}

/* why REGISTER|FLAG|ADDRESS[:SIZE]|VARIABLE  */
static bool
why (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  struct tb_why_named named[TB_WHY_NAMES];
  if (call->count != 2)
    return false;
  if (!target_prepare (t))
    {
      monitor_print (call, "There is no memory to work that out.\n");
      return true;
    }
  const char *what = call->words[1];
  /* What Z registers there are the state says.  */
  unsigned count = tb_why_parse_all (named, &t->core->profile,
				     tb_state_sve_length (t->state), t->session->svd,
				     what[0] == '$' ? what + 1 : what);
  if (count == 0 && name_variable (call, what, named))
    count = 1;
  if (count == 0)
    {
      struct tb_buffer text = { 0 };
      tb_why_unnamed (&text, t->core->device != NULL ? t->core->device->name : "-",
		      t->session->svd, what);
      monitor_print (call, "%.*s.\n", (int) text.size, (const char *) text.data);
      tb_buffer_fini (&text);
      return true;
    }
  for (unsigned i = 0; i < count; i++)
    answer (call, &named[i], client_position (call->client));
  return true;
}

const struct monitor_verb verbs_why[] = {
  { "why", "REGISTER|FLAG|ADDRESS[:SIZE]|VARIABLE",
    "Say where the value comes from, or what is in the way of knowing it.", why },
  { NULL, NULL, NULL, NULL }
};
