/* tracebridge-gdbstub: recordings served to GDB over the remote protocol.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doorman.h"
#include "options.h"
#include "recording/wrong-input.h"
#include "server.h"
#include "transport.h"
#include "util/limits.h"
#include "util/mapfault.h"
#include "util/spool.h"

/* All messages go to standard error: standard output may be GDB's.  */
static void
say (void *context, enum tb_severity severity, const char *message)
{
  const struct options *options = context;
  static const char *const words[] = { "note: ", "warning: ", "" };
  if (severity == TB_NOTE && !options->verbose)
    return;
  if (severity == TB_WARNING && options->quiet)
    return;
  fprintf (stderr, "tracebridge-gdbstub: %s%s\n", words[severity], message);
}

/* What is served where, a line a core; WANTED are the threads that the user asked for.  */
static void
print_table (const struct server *server, unsigned wanted)
{
  printf ("%-24s %-16s %-14s %s\n", "Listening at", "Core", "Type",
	  "Recording");
  bool threads = false;
  for (size_t i = 0; i < server->ngroups; i++)
    for (size_t k = 0; k < server->groups[i].count; k++)
      {
	const struct target *t = server->groups[i].members[k];
	printf ("%-24s %-16s %-14s ", k == 0 ? server->listeners[i].name : "", t->name,
		target_profile (t)->name);
	threads |= k > 0;
	if (t->stream == NULL)
	  printf ("no trace: the state at the halt\n");
	else
	  printf ("%" PRIu64 " instructions of %s%s%s\n", t->steps,
		  t->stream->source->name,
		  t->stream->buffer != NULL ? " in " : "",
		  t->stream->buffer != NULL ? t->stream->buffer->name : "");
      }
  printf ("In GDB: target remote %s\n", server->listeners[0].name);
  if (server->ngroups > 1 && !threads && !(wanted & THREADS_CORES))
    printf ("--threads=cores makes cores the threads of one target.\n");
  fflush (stdout);
}

/* Does one of GROUP have trace?  */
static bool
has_trace (const struct target_group *group)
{
  for (size_t i = 0; i < group->count; i++)
    if (group->members[i]->stream != NULL)
      return true;
  return false;
}

/* Standard input and output are one connection: choose the one group.  */
static bool
choose_one (const struct targets *targets, size_t *chosen, struct tb_diag *diag)
{
  size_t traced = 0;
  *chosen = 0;
  for (size_t i = 0; i < targets->ngroups; i++)
    if (has_trace (&targets->groups[i]))
      {
	*chosen = i;
	traced++;
      }
  if (targets->ngroups > 1 && traced != 1)
    {
      struct tb_buffer names = { 0 };
      struct target *first = targets->groups[0].members[0];
      const char *what = NULL;
      for (size_t i = 1; i < targets->ngroups && what == NULL; i++)
	{
	  struct target *other = targets->groups[i].members[0];
	  if ((what = targets_differ (first, other)) != NULL)
	    tb_buffer_printf (&names, " (%s has another %s than %s)", other->name, what,
			      first->name);
	}
      tb_buffer_printf (&names, "; choose one: ");
      for (size_t i = 0; i < targets->count; i++)
	{
	  const struct target *t = &targets->items[i];
	  tb_buffer_printf (&names, "%s--core=%s", i > 0 ? ", or " : "", t->name);
	  if (t->stream != NULL)
	    tb_buffer_printf (&names, " --source=%s", t->stream->source->name);
	}
      tb_buffer_append (&names, "", 1);
      if (!names.failed)
	tb_error (diag, "--listen=stdio serves one core, or several with the same registers "
		  "and program%s", (const char *) names.data);
      tb_buffer_fini (&names);
      return false;
    }
  return true;
}

/* Read the input of OPTIONS, which can be read once, and let them have the file that it is kept in.
   False after a diagnostic.  */
static bool
read_stream (struct tb_spool *spool, struct options *options, struct tb_diag *diag)
{
  if (options->listen.kind == ADDRESS_STDIO && strcmp (options->input, "-") == 0)
    {
      tb_error (diag, "-: expected an input of its own with --listen=stdio, which is for GDB, "
		"found standard input");
      return false;
    }
  if (tb_spool_open (spool, options->input, diag) != TB_OK)
    return false;
  options->input = spool->path;
  return true;
}

/* Give up what serving does not need; false: that is not possible, and must be.  */
static bool
confined (const struct options *o, struct tb_diag *diag)
{
  if (o->confine == CONFINE_OFF)
    return true;
  const char *why = confine (o->listen.kind == ADDRESS_UNIX);
  if (why == NULL)
    return true;
  if (o->confine == CONFINE_MUST)
    tb_error (diag, "--confine=must: the process cannot be confined: %s", why);
  else
    tb_note (diag, "the process is not confined: %s", why);
  return o->confine != CONFINE_MUST;
}

int
main (int argc, char **argv)
{
  struct options options;
  tb_mapfault_guard ();
  options_parse (&options, argc, argv);
  struct tb_diag diag = { .report = say, .context = &options };
  struct tb_diag *diag_of_input = &diag;
  struct tb_spool spool = { .path = NULL };
  struct targets targets;
  int status = EXIT_FAILED;
  tb_limit_memory (0);
  if (options.shared.seconds != 0)
    tb_limit_time ("time-limit", options.shared.seconds);
  bool has_input = true;
  if (tb_spool_is_stream (options.input))
    {
      has_input = read_stream (&spool, &options, &diag);
      diag_of_input = has_input ? tb_spool_diag (&spool) : &diag;
    }
  struct doorman *doorman = options.listen.kind == ADDRESS_STDIO
			    ? doorman_begin (STDOUT_FILENO) : NULL;
  if (has_input
      && !tb_input_is_wrong (options.input, &options.shared.session,
			     "give one of those in %s", diag_of_input)
      && targets_open (&targets, &options, diag_of_input) == TB_OK)
    {
      struct server server;
      bool stdio = options.listen.kind == ADDRESS_STDIO, traced = false;
      for (size_t i = 0; i < targets.count; i++)
	traced |= targets.items[i].stream != NULL;
      options_tell (&options, traced, &diag);
      size_t only = 0;
      if ((!stdio || choose_one (&targets, &only, &diag))
	  && server_open (&server, &targets, only, &options.listen, &diag))
	{
	  tb_limit_time (NULL, 0);
	  /* What was kept of an input is open.  */
	  tb_spool_remove ();
	  server.once = options.once;
	  server.idle = options.idle;
	  server.quiet = options.quiet;
	  server.policy = options.policy;
	  if (confined (&options, &diag))
	    {
	      if (!stdio && !options.quiet)
		print_table (&server, options.threads);
	      doorman_end (doorman);
	      doorman = NULL;
	      server_run (&server);
	      status = EXIT_DONE;
	    }
	  server_close (&server);
	}
      targets_close (&targets);
    }
  doorman_end (doorman);
  if (status != EXIT_DONE)
    transport_await_question ();
  tb_spool_close (&spool);
  options_fini (&options);
  return status;
}
