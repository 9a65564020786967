/* Monitor command: history.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "frame/history.h"
#include "monitor.h"
#include "run.h"
#include "snapshot/symbols.h"
#include "snapshot/variables.h"
#include "state/answer/level-sp.h"

/* Lines that one listing has at most.  */
#define LINES_MAX 50

struct listing
{
  const struct monitor_call *call;
  struct tb_symbols *symbols;
  const struct tb_type *type;
  const char *text;		/* The expression.  */
  unsigned lines;
  bool changed;			/* Some lines are more than the value before.  */
  bool more;			/* There are, and its user was told.  */
  bool no_memory;
};

static bool
take (void *context, const struct tb_history_change *change)
{
  struct listing *l = context;
  struct tb_buffer line = { 0 };
  if (l->lines == LINES_MAX)
    {
      monitor_print (l->call, "More follow: \"monitor history from %" PRIu64 " %s\".\n",
		     change->step, l->text);
      l->more = true;
      return false;
    }
  l->lines++;
  l->changed |= !change->is_first;
  if (change->is_first)
    tb_buffer_append (&line, "before ", 7);
  monitor_append_step (l->call, &line, change->step, !change->is_first);
  tb_buffer_append (&line, ": ", 2);
  tb_history_put_change (&line, change, l->type);
  bool ok = !line.failed;
  l->no_memory = !ok;
  if (ok)
    monitor_print (l->call, "%.*s\n", (int) line.size, (const char *) line.data);
  tb_buffer_fini (&line);
  return ok;
}

/* List the history of L's expression from step FROM on.  */
static void
list (struct listing *l, struct tb_variables *variables, uint64_t from)
{
  const struct monitor_call *call = l->call;
  struct target *t = call->client->target;
  const struct tb_stage stage = target_stage (t);
  struct tb_level_sp sp = { .recording = t->recording, .state = t->state };
  const struct tb_history_source source = {
    .state = t->state, .stage = &stage, .accesses = t->accesses,
    .recording = t->recording, .symbols = l->symbols, .tasks = target_tasks (t),
    .sp = tb_level_sp, .sp_context = &sp, .go_on = client_poll, .context = call->client,
    .reached = &call->client->reached
  };
  struct tb_expression_scope scope = {
    .variables = variables, .tdesc = t->tdesc, .svd = t->session->svd
  };
  struct tb_history_expression e;
  struct tb_expression_error error;
  struct tb_history_missed missed;
  struct tb_buffer text = { 0 };
  call->client->reached = from;
  /* Names mean what they mean where the user is.  */
  scope.no_pc = !position_pc (t, client_position (call->client), &scope.pc);
  if (!tb_history_compile (&e, l->text, &scope, l->symbols, &error))
    {
      monitor_print (call, "%s: at character %zu: %s\n", l->text, error.offset + 1,
		     error.text);
      return;
    }
  l->type = e.type;
  tb_history_put_remark (&text, &e);
  if (text.size != 0 && !text.failed)
    monitor_print (call, "%s: %.*s.\n", l->text, (int) text.size, (const char *) text.data);
  text.size = 0;
  uint64_t first = tb_accesses_first (t->accesses);
  if (from < first && !e.registers && e.local == NULL)
    {
      monitor_print (call, "Steps before %" PRIu64 " are not looked at.\n", first);
      from = first;
    }
  enum tb_search result = tb_history_walk (&source, &e, from, t->steps, take, l, &missed);
  missed.unchanged = result == TB_SEARCH_NONE && !l->changed;
  tb_history_put_missed (&text, "", &missed);
  if (result == TB_SEARCH_NO_MEMORY || l->no_memory || text.failed)
    monitor_print (call, "There is no memory to work that out.\n");
  else if (result == TB_SEARCH_STOPPED && !l->more)
    monitor_print (call, "Interrupted.\n");
  if (text.size != 0)
    monitor_print (call, "%.*s", (int) text.size, (const char *) text.data);
  tb_buffer_fini (&text);
  tb_history_expression_fini (&e);
  tb_level_sp_fini (&sp);
}

/* history [from STEP] EXPRESSION  */
static bool
history (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  uint64_t from = 0;
  bool later = call->count > 3 && strcmp (call->words[1], "from") == 0;
  if (call->count < 2 || (later && !monitor_number (call->words[2], &from)))
    return false;
  if (from >= t->steps)
    {
      monitor_print (call, "There are no such steps.\n");
      return true;
    }
  /* The command was taken apart at its blanks.  */
  struct tb_buffer text = { 0 };
  for (unsigned i = later ? 3 : 1; i < call->count; i++)
    tb_buffer_printf (&text, "%s%s", text.size != 0 ? " " : "", call->words[i]);
  tb_buffer_append (&text, "", 1);
  struct tb_symbols *symbols = target_symbols (t);
  struct tb_variables *variables = target_variables (t);
  struct listing l = { .call = call, .symbols = symbols,
		       .text = text.failed ? "" : (const char *) text.data };
  if (variables == NULL || text.failed || !target_prepare (t)
      || !target_prepare_accesses (t))
    monitor_print (call, "There is no memory to work that out.\n");
  else
    list (&l, variables, from);
  tb_buffer_fini (&text);
  return true;
}

const struct monitor_verb verbs_history[] = {
  { "history", "[from STEP] EXPRESSION",
    "List all that changes a variable, a member, an element, what a pointer points to, or a "
    "register.", history },
  { NULL, NULL, NULL, NULL }
};
