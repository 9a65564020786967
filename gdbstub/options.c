/* The command line of tracebridge-gdbstub.  See options.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/libiberty.h>
#else
# include <libiberty.h>
#endif

#include "ahead.h"
#include "recording/version.h"
#include "state/state.h"
#include "transport.h"
#include "util/arguments.h"
#include "util/like.h"
#include "util/limits.h"
#include "util/size.h"

static _Noreturn void
try_help (void)
{
  fputs ("Try 'tracebridge-gdbstub --help' for more information.\n", stderr);
  transport_await_question ();
  exit (EXIT_USAGE);
}

static _Noreturn void
wrong (const char *name, const char *expected, const char *found)
{
  fprintf (stderr, "tracebridge-gdbstub: --%s: expected %s, found '%s'\n", name,
	   expected, found);
  try_help ();
}

/* The command line is wrong as SAID says.  */
static _Noreturn void
usage_error (const struct tb_buffer *said)
{
  fprintf (stderr, "tracebridge-gdbstub: %.*s\n", (int) said->size,
	   (const char *) said->data);
  try_help ();
}

/* With less than this there is hardly room for what is being worked out.  */
#define MEMORY_LEAST 32 /* MiB  */

/* A macro's value as text.  */
#define TEXT(macro) TEXT_OF (macro)
#define TEXT_OF(value) #value

/* Take OPTION if it is one that all programs have.  */
static bool
take_shared (struct options *o, int option)
{
  struct tb_buffer said = { 0 };
  enum tb_option_fate fate = tb_shared_option_take (&o->shared, option, optarg, &said);
  if (said.failed)
    {
      fputs ("tracebridge-gdbstub: no memory\n", stderr);
      exit (EXIT_FAILED);
    }
  if (fate == TB_OPTION_WRONG)
    usage_error (&said);
  if (fate == TB_OPTION_LISTED)
    {
      fwrite (said.data, 1, said.size, stdout);
      exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
    }
  if (option == TB_OPTION_MEMORY_LIMIT && o->shared.memory < MEMORY_LEAST << 20)
    wrong ("memory-limit", TB_SIZE_WORDS ", at least " TEXT (MEMORY_LEAST) "M", optarg);
  return fate == TB_OPTION_TAKEN;
}

void
options_parse (struct options *o, int argc, char **argv)
{
  enum
  {
    OPT_LISTEN = 256, OPT_ONCE, OPT_CONFINE, OPT_IDLE_LIMIT, OPT_AHEAD,
    OPT_UNKNOWN, OPT_THREADS, OPT_HELP, OPT_VERSION
  };
  static const struct option table[] = {
    { "listen", required_argument, NULL, OPT_LISTEN },
    { "once", no_argument, NULL, OPT_ONCE },
    { "threads", required_argument, NULL, OPT_THREADS },
    { "idle-limit", required_argument, NULL, OPT_IDLE_LIMIT },
    { "confine", required_argument, NULL, OPT_CONFINE },
    { "ahead", required_argument, NULL, OPT_AHEAD },
    { "unknown", required_argument, NULL, OPT_UNKNOWN },
    TB_OPTIONS_OF_INPUT, TB_OPTIONS_OF_BYTES, TB_OPTIONS_OF_STATE,
    { "quiet", no_argument, NULL, 'q' },
    { "verbose", no_argument, NULL, 'v' },
    { "help", no_argument, NULL, OPT_HELP },
    { "version", no_argument, NULL, OPT_VERSION },
    { NULL, 0, NULL, 0 }
  };
  *o = (struct options) { .threads = THREADS_AUTO,
			  .listen = { .kind = ADDRESS_TCP,
				      .port = DEFAULT_PORT },
			  .shared = { .memory = TB_MEMORY_LIMIT },
			  .ahead = AHEAD_STEPS, .idle = IDLE_SECONDS };
  /* @FILE stands for the arguments in FILE.  */
  char **given = argv;
  struct tb_buffer said = { 0 };
  const char *why = tb_arguments_expand (&argc, &argv, &said);
  o->arguments = argv != given ? argv : NULL;
  if (why != NULL)
    {
      fprintf (stderr, "tracebridge-gdbstub: %s\n", why);
      try_help ();
    }
  tb_buffer_fini (&said);
  said = (struct tb_buffer) { 0 };
  int option;
  while ((option = getopt_long (argc, argv, "qv", table, NULL)) != -1)
    {
      for (const struct option *t = table; t->name != NULL; t++)
	if (t->val == option)
	  options_note (o, t->name);
      if (take_shared (o, option))
	continue;
      switch (option)
	{
	case 'q': o->quiet = true; break;
	case 'v': o->verbose = true; break;
	case OPT_LISTEN:
	  if (!address_parse (&o->listen, optarg))
	    wrong ("listen", "PORT, HOST:PORT, unix:PATH or stdio", optarg);
	  break;
	case OPT_ONCE: o->once = true; break;
	case OPT_THREADS:
	  if (!threads_policy_parse (optarg, &o->threads))
	    wrong ("threads", "cores, tasks, both with a comma, or none", optarg);
	  break;
	case OPT_IDLE_LIMIT:
	  if (!tb_limit_parse_seconds (optarg, &o->idle))
	    wrong ("idle-limit", "a number of seconds", optarg);
	  break;
	case OPT_CONFINE:
	  if (!confine_parse (optarg, &o->confine))
	    wrong ("confine", "auto, must or off", optarg);
	  break;
	case OPT_AHEAD:
	  if (!tb_option_number ("ahead", optarg, 0, &o->ahead, &said))
	    usage_error (&said);
	  break;
	case OPT_UNKNOWN:
	  if (!policy_parse (optarg, &o->policy))
	    wrong ("unknown", "auto, exact, navigable or filled", optarg);
	  break;
	case OPT_HELP:
	  fputs (options_help, stdout);
	  exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
	case OPT_VERSION:
	  {
	    char *text = tb_version_text ("tracebridge-gdbstub");
	    fputs (text != NULL ? text : "", stdout);
	    free (text);
	  }
	  exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
	default:
	  {
	    const char *like = tb_like_option (table, argv[optind - 1]);
	    if (like != NULL)
	      fprintf (stderr, "tracebridge-gdbstub: did you mean --%s?\n", like);
	    try_help ();
	  }
	}
    }
  if (o->shared.start & TB_START_DATA)
    options_note (o, "start=data");
  const char *repeated = options_repeated (o);
  if (repeated != NULL)
    {
      fprintf (stderr, "tracebridge-gdbstub: --%s is given twice; expected one\n",
	       repeated);
      try_help ();
    }
  if (!tb_shared_options_check (&o->shared, false, &said))
    usage_error (&said);
  if (o->quiet && o->verbose)
    {
      fputs ("tracebridge-gdbstub: --quiet and --verbose exclude each other\n",
	     stderr);
      try_help ();
    }
  const char *clash = tb_shared_options_clash (&o->shared);
  if (clash != NULL)
    {
      fprintf (stderr, "tracebridge-gdbstub: %s\n", clash);
      try_help ();
    }
  if (argc - optind != 1)
    {
      fputs ("tracebridge-gdbstub: expected one INPUT: a snapshot directory or "
	     "its snapshot.ini, an ELF core file, a folder with trace buffers of Linux, or "
	     "a Tarmac log\n", stderr);
      try_help ();
    }
  o->input = argv[optind];
  if (o->shared.jobs == 0)
    o->shared.jobs = tb_jobs_default ();
}

void
options_fini (struct options *o)
{
  freeargv (o->arguments);
  o->arguments = NULL;
  tb_shared_options_fini (&o->shared);
}
