/* Monitor commands: qRcmd, help.  See monitor.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "monitor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "threads.h"
#include "snapshot/symbols.h"

/* The longest command line that is looked at.  */
#define LINE_MAX_LENGTH 1024

static const struct monitor_verb *const tables[]
  = { verbs_run, verbs_goto, verbs_exceptions, verbs_trace, verbs_device,
      verbs_svd, verbs_why, verbs_calls, verbs_software, verbs_find, verbs_handlers,
      verbs_tasks, verbs_history, verbs_values };

void
monitor_print (const struct monitor_call *call, const char *format, ...)
{
  char text[1000];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  client_console (call->client, "%s", text);
}

void
monitor_append_step (const struct monitor_call *call, struct tb_buffer *line,
		     uint64_t number, bool place)
{
  struct target *t = call->client->target;
  struct tb_recording *r = t->recording;
  struct tb_step step;
  struct tb_line at;
  uint64_t time;
  tb_buffer_printf (line, "step %" PRIu64, number);
  if (tb_recording_timestamp (r, number, &time))
    tb_buffer_printf (line, ", timestamp %" PRIu64, time);
  if (!place || tb_recording_read (r, number, &step, 1) != 1)
    return;
  struct tb_variables *variables = target_variables (t);
  const char *function
    = variables != NULL ? tb_variables_function (variables, step.pc) : NULL;
  if (function != NULL)
    tb_buffer_printf (line, ", %s", function);
  if (variables != NULL && tb_symbols_line_at (t->symbols, step.pc, &at))
    tb_buffer_printf (line, " at %s:%u", at.file, at.line);
  else
    tb_buffer_printf (line, " at 0x%" PRIx64, step.pc);
}

bool
monitor_number (const char *text, uint64_t *value)
{
  char *end;
  errno = 0;
  *value = strtoull (text, &end, 0);
  return *text >= '0' && *text <= '9' && *end == 0 && errno == 0;
}

static void
show_usage (const struct monitor_call *call, const struct monitor_verb *v)
{
  monitor_print (call, "monitor %s%s%s\n    %s\n", v->name,
		 *v->usage != 0 ? " " : "", v->usage, v->summary);
}

static void
help (const struct monitor_call *call)
{
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    for (const struct monitor_verb *v = tables[i]; v->name != NULL; v++)
      if (call->count < 2 || strcmp (call->words[1], v->name) == 0)
	show_usage (call, v);
}

static void
run (const struct monitor_call *call)
{
  if (call->count == 0 || strcmp (call->words[0], "help") == 0)
    {
      help (call);
      return;
    }
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    for (const struct monitor_verb *v = tables[i]; v->name != NULL; v++)
      if (strcmp (call->words[0], v->name) == 0)
	{
	  if (!v->run (call))
	    {
	      monitor_print (call, "These words do not fit the command.  Its usage is:\n");
	      show_usage (call, v);
	    }
	  return;
	}
  monitor_print (call, "There is no monitor command \"%.100s\"; \"monitor help\" "
		 "lists them.\n", call->words[0]);
}

/* The next word at *AT, which is cut off there; NULL: there is none.  Names of devices
   may have blanks in them: what is between quotation marks is one word.  */
static char *
next_word (char **at)
{
  char *word = *at + strspn (*at, " \t\n");
  bool quoted = *word == '"';
  word += quoted;
  if (*word == 0)
    return NULL;
  char *end = word + strcspn (word, quoted ? "\"" : " \t\n");
  *at = *end != 0 ? end + 1 : end;
  *end = 0;
  return word;
}

/* qRcmd,COMMAND in hexadecimal.  */
static void
command (struct client *c, const struct packet_args *args)
{
  char line[LINE_MAX_LENGTH + 1];
  size_t length = tb_hex_decode (args->text, args->length, (uint8_t *) line,
				 LINE_MAX_LENGTH);
  if (2 * length != args->length)
    {
      reply_error (c);
      return;
    }
  line[length] = 0;
  c->may_give_up = c->takes_text = true;
  client_tell_made_up (c);
  /* The user's thread may be another one than that of GDB's last Hg: GDB lists others, and asks
     for what it knows only once.  Behind the command that Hg counts again.  */
  const struct thread_id looked = { c->thread, c->task };
  bool executes = c->frame < 0;
  /* What is told is the core's, also where the user looks at one of its tasks.  */
  if (executes)
    threads_look (c, (struct thread_id) { c->chosen.core, 0 });
  struct monitor_call call = { .client = c };
  char *rest = line, *word;
  while (call.count < MONITOR_WORDS && (word = next_word (&rest)) != NULL)
    call.words[call.count++] = word;
  if (call.count == MONITOR_WORDS)
    monitor_print (&call, "A command has fewer than %d words.\n", MONITOR_WORDS);
  else
    run (&call);
  if (executes)
    threads_look (c, looked);
  reply_ok (c);
}

/* qTracebridge.Refresh: the project's commands for GDB ask before each monitor command and
   behind it, and have GDB read again what is other now: "moved", what execution stands at;
   "outdated", what is told of there; "OK", nothing.  */
static void
tell_refresh (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->refreshes = true;
  reply_text (c, c->moved ? "moved" : c->outdated ? "outdated" : "OK");
  c->outdated = false;
}

/* qTracebridge.Moved: behind a trace frame they have read the registers of the place that
   execution was moved to, and a stop there is to be told still.  */
static void
tell_moved (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->moved = true;
  reply_ok (c);
}

const struct packet_handler packets_monitor[] = {
  { "qRcmd,", "*", command },
  { "qTracebridge.Moved", "", tell_moved },
  { "qTracebridge.Refresh", "", tell_refresh },
  { NULL, NULL, NULL }
};
