/* Monitor commands: writes of, values of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "arm/machine/regs.h"
#include "frame/request-value.h"
#include "monitor.h"
#include "snapshot/symbols.h"
#include "state/answer/values.h"

/* Lines that one listing has at most.  */
#define LINES_MAX 50

struct value_listing
{
  const struct monitor_call *call;
  const struct tb_reg_info *registers;
  bool of_registers;
  const char *text;		/* What follows "from STEP".  */
  unsigned lines;
  bool more;			/* There are, and its user was told.  */
  bool no_memory;
};

static bool
take (void *context, const struct tb_value_found *found)
{
  struct value_listing *l = context;
  struct tb_buffer line = { 0 };
  const struct tb_access_info *a = &found->access;
  if (l->lines == LINES_MAX)
    {
      monitor_print (l->call, "More follow: \"monitor %s from %" PRIu64 " %s\".\n",
		     l->call->words[0], found->step, l->text);
      l->more = true;
      return false;
    }
  l->lines++;
  monitor_append_step (l->call, &line, found->step, true);
  if (l->of_registers)
    tb_buffer_printf (&line, ": %s", l->registers[found->reg].name);
  else if (a->address_known)
    tb_buffer_printf (&line, ": %u byte%s at 0x%" PRIx64 "%s", a->length,
		      a->length == 1 ? "" : "s", a->address,
		      a->address_assumed ? " (assumed)" : "");
  else
    tb_buffer_printf (&line, ": %u byte%s, it is not known where", a->length,
		      a->length == 1 ? "" : "s");
  if (found->assumed)
    tb_buffer_printf (&line, ", assumed");
  bool ok = !line.failed;
  l->no_memory = !ok;
  if (ok)
    monitor_print (l->call, "%.*s\n", (int) line.size, (const char *) line.data);
  tb_buffer_fini (&line);
  return ok;
}

static void
tell_missed (const struct value_listing *l, const struct tb_values_missed *missed)
{
  if (missed->values != 0)
    monitor_print (l->call, "%" PRIu64 " %s are not known may be more.\n", missed->values,
		   l->of_registers ? "instructions whose results" : "stores whose values");
  if (missed->steps != 0)
    monitor_print (l->call, "%" PRIu64 " instructions of which it is not known what they do may "
		   "be more.\n", missed->steps);
  if (missed->gaps != 0)
    monitor_print (l->call, "%" PRIu64 " gaps of the trace may hide more.\n", missed->gaps);
}

static void
list (struct value_listing *l, const struct tb_wanted_value *wanted, uint64_t from)
{
  struct client *c = l->call->client;
  struct target *t = c->target;
  const struct tb_values_source source = {
    .state = t->state, .recording = t->recording, .go_on = client_poll, .context = c,
    .reached = &c->reached
  };
  struct tb_values_missed missed;
  c->reached = from;
  tb_state_prepare (t->state, from > t->watched ? from : t->watched, client_poll, c, t->diag);
  enum tb_search result = tb_values_find (&source, wanted, from, t->steps, take, l, &missed);
  if (result == TB_SEARCH_NO_MEMORY || l->no_memory)
    monitor_print (l->call, "There is no memory to work that out.\n");
  else if (result == TB_SEARCH_STOPPED && !l->more)
    monitor_print (l->call, "Interrupted.\n");
  else if (result == TB_SEARCH_NONE && l->lines == 0)
    monitor_print (l->call, "None is known.\n");
  tell_missed (l, &missed);
}

/* A message of the request's; its text is the words of the command.  */
static void
say (void *context, enum tb_severity severity, const char *message)
{
  const struct monitor_call *call = context;
  (void) severity;
  monitor_print (call, "%s\n", message);
}

/* writes [from STEP] of VALUE[,LENGTH]; values [from STEP] of VALUE [in REGISTER]  */
static bool
search (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  uint64_t from = 0;
  bool later = call->count > 3 && strcmp (call->words[1], "from") == 0;
  unsigned first = later ? 3 : 1;
  if (call->count < first + 2 || strcmp (call->words[first], "of") != 0
      || (later && !monitor_number (call->words[2], &from)))
    return false;
  if (t->steps == 0 || from >= t->steps)
    {
      monitor_print (call, "There are no such steps.\n");
      return true;
    }
  struct tb_buffer text = { 0 };
  tb_buffer_printf (&text, "%s", call->words[0]);
  size_t begin = text.size + 1, nregs;
  for (unsigned i = first; i < call->count; i++)
    tb_buffer_printf (&text, " %s", call->words[i]);
  tb_buffer_append (&text, "", 1);
  struct tb_diag diag = { .report = say, .context = (void *) call };
  struct tb_request request;
  struct tb_wanted_value wanted;
  bool fits = true;
  if (text.failed || !target_prepare (t))
    monitor_print (call, "There is no memory to work that out.\n");
  else if (tb_request_parse (&request, (const char *) text.data, "monitor", &diag))
    {
      struct value_listing l = {
	.call = call,
	.registers = tb_regs (target_profile (t), &nregs),
	.of_registers = request.kind == TB_REQUEST_TAKES,
	.text = (const char *) text.data + begin
      };
      fits = request.condition.length == 0 && request.nitems == 0 && request.steps == 0
	     && request.pass == 0;
      if (fits
	  && tb_request_read_value (&request, target_profile (t), &wanted, &diag))
	list (&l, &wanted, from);
      tb_request_fini (&request);
    }
  tb_buffer_fini (&text);
  return fits;
}

const struct monitor_verb verbs_values[] = {
  { "writes", "[from STEP] of VALUE[,LENGTH]",
    "List the stores of a value (of so many bytes at once), wherever they go.", search },
  { "values", "[from STEP] of VALUE [in REGISTER]",
    "List the instructions that put a value into a register.", search },
  { NULL, NULL, NULL, NULL }
};
