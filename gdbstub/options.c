/* The command line of tracebridge-gdbstub.  See options.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void
add_elf (struct options *o, char *text)
{
  if (tb_session_add_elf (&o->session, text))
    return;
  fputs ("tracebridge-gdbstub: no memory\n", stderr);
  exit (EXIT_FAILED);
}

static void
add_text (const char *const **list, size_t *count, const char *text)
{
  if (tb_session_add_text (list, count, text))
    return;
  fputs ("tracebridge-gdbstub: no memory\n", stderr);
  exit (EXIT_FAILED);
}

static _Noreturn void
wrong (const char *name, const char *expected, const char *found)
{
  fprintf (stderr, "tracebridge-gdbstub: --%s: expected %s, found '%s'\n", name,
	   expected, found);
  try_help ();
}

/* A macro's value as text.  */
#define TEXT(macro) TEXT_OF (macro)
#define TEXT_OF(value) #value

static uint64_t
number (const char *name, const char *text)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 0);
  if (*text == 0 || *text == '-' || *end != 0 || errno != 0)
    wrong (name, "a number", text);
  return value;
}

/* The number TEXT of option NAME, which must not be 0.  */
static uint64_t
count (const char *name, const char *text)
{
  uint64_t value = number (name, text);
  if (value == 0)
    wrong (name, "at least 1", text);
  return value;
}

static void
parse_assume (struct options *o, char *text)
{
  char *rest = NULL;
  for (char *name = strtok_r (text, ",", &rest); name != NULL;
       name = strtok_r (NULL, ",", &rest))
    {
      unsigned bit = assumption_parse (name);
      if (bit == 0)
	wrong ("assume", "aapcs, halt, constants or tasks", name);
      o->assume |= bit;
    }
}

static void
parse_doubt (struct options *o, const char *text)
{
  struct tb_buffer said = { 0 };
  enum tb_premise_asked asked = tb_premise_ask (text, &o->doubt, &said);
  if (asked == TB_PREMISES_DOUBTED)
    return;
  FILE *to = asked == TB_PREMISES_LISTED ? stdout : stderr;
  if (to == stderr)
    fputs ("tracebridge-gdbstub: --doubt: ", stderr);
  fwrite (said.data, 1, said.size, to);
  if (to == stdout)
    exit (!said.failed && fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
  fputs (" (--doubt=list says what they state)\n", stderr);
  try_help ();
}

static void
parse_start (struct options *o, char *text)
{
  char *rest = NULL;
  for (char *name = strtok_r (text, ",", &rest); name != NULL;
       name = strtok_r (NULL, ",", &rest))
    if (strcmp (name, "reset") == 0)
      o->start |= TB_START_RESET;
    else if (strcmp (name, "data") == 0)
      o->start |= TB_START_DATA;
    else
      wrong ("start", "reset or data", name);
}

static void
parse_index (struct options *o, const char *text)
{
  char why[400];
  if (tb_index_parse (text, &o->index, &o->index_file, why, sizeof why))
    return;
  fprintf (stderr, "tracebridge-gdbstub: --index: %s\n", why);
  try_help ();
}

static void
parse_jobs (struct options *o, const char *text)
{
  uint64_t jobs = number ("jobs", text);
  if (jobs < 1 || jobs > JOBS_MOST)
    wrong ("jobs", "1 to " TEXT (JOBS_MOST), text);
  o->jobs = (unsigned) jobs;
}

/* With less than this there is hardly room for what is being worked out.  */
#define MEMORY_LEAST 32 /* MiB  */

static void
parse_memory (struct options *o, const char *text)
{
  if (!tb_size_parse (text, &o->memory) || o->memory < MEMORY_LEAST << 20)
    wrong ("memory-limit", TB_SIZE_WORDS ", at least " TEXT (MEMORY_LEAST) "M", text);
}

void
options_parse (struct options *o, int argc, char **argv)
{
  enum
  {
    OPT_LISTEN = 256, OPT_ONCE, OPT_CONFINE, OPT_TIME_LIMIT,
    OPT_IDLE_LIMIT, OPT_CORE, OPT_SOURCE, OPT_BUFFER, OPT_ELF,
    OPT_SVD, OPT_TDESC, OPT_ACCEPT_ELF, OPT_CORE_TYPE, OPT_SYSROOT, OPT_MTB,
    OPT_OUTSIDE, OPT_VOLATILE, OPT_PRIVATE, OPT_START, OPT_FREQUENCY,
    OPT_SPACE, OPT_WINDOW, OPT_MEMORY_LIMIT, OPT_AHEAD, OPT_ASSUME, OPT_DOUBT, OPT_JOBS,
    OPT_INDEX, OPT_UNKNOWN, OPT_THREADS, OPT_HELP, OPT_VERSION
  };
  static const struct option table[] = {
    { "listen", required_argument, NULL, OPT_LISTEN },
    { "once", no_argument, NULL, OPT_ONCE },
    { "threads", required_argument, NULL, OPT_THREADS },
    { "time-limit", required_argument, NULL, OPT_TIME_LIMIT },
    { "idle-limit", required_argument, NULL, OPT_IDLE_LIMIT },
    { "confine", required_argument, NULL, OPT_CONFINE },
    { "core", required_argument, NULL, OPT_CORE },
    { "source", required_argument, NULL, OPT_SOURCE },
    { "buffer", required_argument, NULL, OPT_BUFFER },
    { "elf", required_argument, NULL, OPT_ELF },
    { "svd", required_argument, NULL, OPT_SVD },
    { "tdesc", required_argument, NULL, OPT_TDESC },
    { "accept-elf", no_argument, NULL, OPT_ACCEPT_ELF },
    { "allow-outside", no_argument, NULL, OPT_OUTSIDE },
    { "core-type", required_argument, NULL, OPT_CORE_TYPE },
    { "sysroot", required_argument, NULL, OPT_SYSROOT },
    { "mtb", required_argument, NULL, OPT_MTB },
    { "timestamp-frequency", required_argument, NULL, OPT_FREQUENCY },
    { "volatile", required_argument, NULL, OPT_VOLATILE },
    { "private", required_argument, NULL, OPT_PRIVATE },
    { "start", required_argument, NULL, OPT_START },
    { "space", required_argument, NULL, OPT_SPACE },
    { "window", required_argument, NULL, OPT_WINDOW },
    { "memory-limit", required_argument, NULL, OPT_MEMORY_LIMIT },
    { "ahead", required_argument, NULL, OPT_AHEAD },
    { "assume", required_argument, NULL, OPT_ASSUME },
    { "doubt", required_argument, NULL, OPT_DOUBT },
    { "jobs", required_argument, NULL, OPT_JOBS },
    { "index", required_argument, NULL, OPT_INDEX },
    { "unknown", required_argument, NULL, OPT_UNKNOWN },
    { "quiet", no_argument, NULL, 'q' },
    { "verbose", no_argument, NULL, 'v' },
    { "help", no_argument, NULL, OPT_HELP },
    { "version", no_argument, NULL, OPT_VERSION },
    { NULL, 0, NULL, 0 }
  };
  *o = (struct options) { .listen = { .kind = ADDRESS_TCP,
				      .port = DEFAULT_PORT },
			  .memory = TB_MEMORY_LIMIT,
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
  int option;
  while ((option = getopt_long (argc, argv, "qv", table, NULL)) != -1)
    {
      for (const struct option *t = table; t->name != NULL; t++)
	if (t->val == option)
	  options_note (o, t->name);
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
	  if (!thread_policy_parse (optarg, &o->threads))
	    wrong ("threads", "cores or none", optarg);
	  break;
	case OPT_TIME_LIMIT:
	  if (!tb_limit_parse_seconds (optarg, &o->seconds))
	    wrong ("time-limit", "a number of seconds", optarg);
	  break;
	case OPT_IDLE_LIMIT:
	  if (!tb_limit_parse_seconds (optarg, &o->idle))
	    wrong ("idle-limit", "a number of seconds", optarg);
	  break;
	case OPT_CONFINE:
	  if (!confine_parse (optarg, &o->confine))
	    wrong ("confine", "auto, must or off", optarg);
	  break;
	case OPT_CORE: o->core = optarg; break;
	case OPT_SOURCE: o->source = optarg; break;
	case OPT_BUFFER: o->buffer = optarg; break;
	case OPT_ELF: add_elf (o, optarg); break;
	case OPT_SVD: o->session.svd = optarg; break;
	case OPT_TDESC: o->session.tdesc = optarg; break;
	case OPT_ACCEPT_ELF: o->accept_elf = true; break;
	case OPT_CORE_TYPE: o->session.core_type = optarg; break;
	case OPT_SYSROOT: o->session.snapshot.sysroot = optarg; break;
	case OPT_MTB: o->session.mtb = optarg; break;
	case OPT_FREQUENCY:
	  o->session.frequency = count ("timestamp-frequency", optarg);
	  break;
	case OPT_OUTSIDE: o->session.snapshot.allow_outside = true; break;
	case OPT_VOLATILE:
	  add_text (&o->session.volatiles, &o->session.nvolatiles, optarg);
	  break;
	case OPT_PRIVATE:
	  add_text (&o->session.privates, &o->session.nprivates, optarg);
	  break;
	case OPT_START: parse_start (o, optarg); break;
	case OPT_SPACE:
	  if (!tb_space_parse (optarg, strlen (optarg), &o->space))
	    wrong ("space", "an address space (" TB_SPACE_NAMES ")", optarg);
	  break;
	case OPT_WINDOW: o->window = count ("window", optarg); break;
	case OPT_MEMORY_LIMIT: parse_memory (o, optarg); break;
	case OPT_AHEAD: o->ahead = number ("ahead", optarg); break;
	case OPT_ASSUME: parse_assume (o, optarg); break;
	case OPT_DOUBT: parse_doubt (o, optarg); break;
	case OPT_JOBS: parse_jobs (o, optarg); break;
	case OPT_INDEX: parse_index (o, optarg); break;
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
  if (o->start & TB_START_DATA)
    options_note (o, "start=data");
  const char *repeated = options_repeated (o);
  if (repeated != NULL)
    {
      fprintf (stderr, "tracebridge-gdbstub: --%s is given twice; expected one\n",
	       repeated);
      try_help ();
    }
  if (o->quiet && o->verbose)
    {
      fputs ("tracebridge-gdbstub: --quiet and --verbose exclude each other\n",
	     stderr);
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
  if (o->jobs == 0)
    {
      long n = sysconf (_SC_NPROCESSORS_ONLN);
      o->jobs = n < 1 ? 1 : n > JOBS_MOST ? JOBS_MOST : (unsigned) n;
    }
}

void
options_fini (struct options *o)
{
  freeargv (o->arguments);
  o->arguments = NULL;
  free ((void *) o->session.elves);
  o->session.elves = NULL;
  free ((void *) o->session.volatiles);
  free ((void *) o->session.privates);
  o->session.volatiles = o->session.privates = NULL;
}
