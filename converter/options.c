/* The command line of tracebridge-convert.  See options.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/libiberty.h>
#else
# include <libiberty.h>
#endif

#include "recording/version.h"
#include "state/explain/dump.h"
#include "util/arguments.h"
#include "util/like.h"
#include "util/fnv.h"
#include "util/limits.h"

/* Options without a letter.  */
enum
{
  OPT_FORMAT = 256, OPT_REPORT, OPT_LIST, OPT_JSON, OPT_FIRST, OPT_LAST, OPT_FROM,
  OPT_TO, OPT_UNKNOWN, OPT_STACK, OPT_MEMORY, OPT_READ, OPT_SESSIONS,
  OPT_POSITIONS, OPT_STATS, OPT_COVERAGE, OPT_CHANGES, OPT_WHY, OPT_FIND,
  OPT_HISTORY, OPT_CSV, OPT_DEBUG, OPT_CHECK, OPT_STRICT, OPT_HELP, OPT_VERSION,
  OPT_OUTPUT_DIR, OPT_NAME, OPT_FROM_LIST, OPT_SHARD, OPT_FORCE,
  OPT_TRACE, OPT_TRACE_FILE, OPT_FOLLOW, OPT_IDLE_LIMIT
};

/* Does OPTION change what is made of an input?  Else it says how much is told, or
   how the work is divided.  */
static bool
shapes_output (int option)
{
  switch (option)
    {
    case 'q': case 'v': case OPT_JSON: case TB_OPTION_JOBS: case TB_OPTION_INDEX:
    case TB_OPTION_WINDOW:
    case OPT_STRICT: case OPT_OUTPUT_DIR: case OPT_NAME: case OPT_FROM_LIST:
    case OPT_SHARD: case OPT_FORCE: case TB_OPTION_MEMORY_LIMIT:
      return false;
    default:
      return true;
    }
}

/* FORMAT is asked for: of several words of --format the last one counts.  Histories go
   with formats that draw them.  */
static void
ask (struct options *o, const struct format *format)
{
  const struct format *history = format_of_option ("history");
  if (o->format != NULL && format == history && (o->format->traits & TRAIT_HISTORIES) != 0)
    return;
  if (o->format == history && (format->traits & TRAIT_HISTORIES) != 0)
    o->format = NULL;
  if (o->format == NULL || (o->format->value == NULL && format->value == NULL))
    o->format = format;
  else if (o->format != format)
    o->other = format;
}

static void
parse_format (struct options *o, const char *text)
{
  const struct format *format = format_find (text);
  if (format != NULL)
    {
      ask (o, format);
      return;
    }
  char list[400] = "";
  size_t used = 0;
  for (size_t i = 0; (format = format_number (i)) != NULL && used < sizeof list; i++)
    if (format->value == NULL)
      used += (size_t) snprintf (list + used, sizeof list - used, "%s%s",
				 used > 0 ? ", " : "", format->name);
  usage_error ("--format: expected %s; found '%s'", list, text);
}

/* Note that OPTION, of TABLE, was given.  */
static void
note_option (struct options *o, int option, const struct option *table)
{
  while (table->val != option && table->name != NULL)
    table++;
  if (table->name == NULL)
    return;
  const struct format *format = format_of_option (table->name);
  if (format != NULL)
    ask (o, format);
  options_note (o, table->name);
}

static _Noreturn void
print_version (void)
{
  char *text = tb_version_text ("tracebridge-convert");
  if (text == NULL)
    usage_no_memory ();
  fputs (text, stdout);
  free (text);
  exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
}

static uint64_t
hash_text (uint64_t hash, const char *text)
{
  do
    hash = (hash ^ (unsigned char) *text) * TB_FNV_PRIME;
  while (*text++ != '\0');
  return hash;
}

/* Take OPTION if it is one that all programs have.  */
static bool
take_shared (struct options *o, int option)
{
  struct tb_buffer said = { 0 };
  enum tb_option_fate fate = tb_shared_option_take (&o->shared, option, optarg, &said);
  if (said.failed)
    usage_no_memory ();
  if (fate == TB_OPTION_WRONG)
    usage_error ("%.*s", (int) said.size, (const char *) said.data);
  if (fate == TB_OPTION_LISTED)
    {
      fwrite (said.data, 1, said.size, stdout);
      exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
    }
  return fate == TB_OPTION_TAKEN;
}

void
options_parse (struct options *o, int argc, char **argv)
{
  static const struct option table[] = {
    { "output", required_argument, NULL, 'o' },
    { "format", required_argument, NULL, OPT_FORMAT },
    { "report", required_argument, NULL, OPT_REPORT },
    { "list", no_argument, NULL, OPT_LIST },
    { "stats", no_argument, NULL, OPT_STATS },
    { "coverage", no_argument, NULL, OPT_COVERAGE },
    { "changes", no_argument, NULL, OPT_CHANGES },
    { "why", required_argument, NULL, OPT_WHY },
    { "find", required_argument, NULL, OPT_FIND },
    { "history", required_argument, NULL, OPT_HISTORY },
    { "debug", required_argument, NULL, OPT_DEBUG },
    { "check-against", required_argument, NULL, OPT_CHECK },
    { "read", required_argument, NULL, OPT_READ },
    { "json", no_argument, NULL, OPT_JSON },
    { "csv", no_argument, NULL, OPT_CSV },
    { "sessions", no_argument, NULL, OPT_SESSIONS },
    { "positions", no_argument, NULL, OPT_POSITIONS },
    { "first", required_argument, NULL, OPT_FIRST },
    { "last", required_argument, NULL, OPT_LAST },
    { "from", required_argument, NULL, OPT_FROM },
    { "to", required_argument, NULL, OPT_TO },
    { "unknown", required_argument, NULL, OPT_UNKNOWN },
    { "stack", required_argument, NULL, OPT_STACK },
    { "memory", required_argument, NULL, OPT_MEMORY },
    { "trace", required_argument, NULL, OPT_TRACE },
    { "trace-file", required_argument, NULL, OPT_TRACE_FILE },
    { "strict", no_argument, NULL, OPT_STRICT },
    { "follow", no_argument, NULL, OPT_FOLLOW },
    { "idle-limit", required_argument, NULL, OPT_IDLE_LIMIT },
    { "output-dir", required_argument, NULL, OPT_OUTPUT_DIR },
    { "name", required_argument, NULL, OPT_NAME },
    { "from-list", required_argument, NULL, OPT_FROM_LIST },
    { "shard", required_argument, NULL, OPT_SHARD },
    { "force", no_argument, NULL, OPT_FORCE },
    TB_OPTIONS_OF_INPUT, TB_OPTIONS_OF_BYTES, TB_OPTIONS_OF_STATE,
    { "quiet", no_argument, NULL, 'q' },
    { "verbose", no_argument, NULL, 'v' },
    { "help", no_argument, NULL, OPT_HELP },
    { "version", no_argument, NULL, OPT_VERSION },
    { NULL, 0, NULL, 0 }
  };
  static const struct tb_word dumps[] = {
    { "ir", TB_DUMP_IR }, { "graph", TB_DUMP_GRAPH }, { "tasks", DEBUG_TASKS },
    { NULL, 0 }
  };
  static const struct tb_word policies[] = {
    { "mask", TB_POLICY_MASK }, { "omit", TB_POLICY_OMIT },
    { "skip", TB_POLICY_SKIP }, { NULL, 0 }
  };

  *o = (struct options) { .choose = TB_CHOOSE_DEFAULTS,
			  .collect = TB_COLLECT_DEFAULTS,
			  .memory_auto = true,
			  .batch = { .name = "%p", .shard = 1, .shards = 1 },
			  .hash = hash_text (TB_FNV_START, PACKAGE_VERSION) };
  /* getopt's messages begin with this, as all others do.  */
  argv[0] = (char *) "tracebridge-convert";
  /* @FILE stands for the arguments in FILE.  */
  char **given = argv;
  struct tb_buffer text = { 0 };
  const char *wrong = tb_arguments_expand (&argc, &argv, &text);
  o->arguments = argv != given ? argv : NULL;
  if (wrong != NULL)
    usage_error ("%s", wrong);
  tb_buffer_fini (&text);
  const char *report = NULL;
  int option;
  while ((option = getopt_long (argc, argv, "ho:qv", table, NULL)) != -1)
    {
      note_option (o, option, table);
      if (shapes_output (option))
	o->hash = hash_text (tb_fnv_u64 (o->hash, (unsigned) option),
			     optarg != NULL ? optarg : "");
      if (take_shared (o, option))
	continue;
      switch (option)
      {
      case 'o': o->output = optarg; break;
      case 'q': o->quiet = true; break;
      case 'v': o->verbose = true; break;
      case OPT_FORMAT: parse_format (o, optarg); break;
      case OPT_REPORT: report = optarg; break;
      case OPT_LIST: case OPT_STATS: case OPT_COVERAGE: case OPT_CHANGES:
	break;			/* Noted above.  */
      case OPT_WHY: parse_why (o, optarg); break;
      case OPT_FIND: parse_find (o, optarg); break;
      case OPT_HISTORY: add_history (o, optarg); break;
      case OPT_DEBUG: o->debug |= parse_bits ("debug", optarg, dumps); break;
      case OPT_CHECK: o->check = optarg; break;
      case OPT_READ: parse_read (o, optarg); break;
      case OPT_JSON: o->json = true; break;
      case OPT_CSV: o->csv = true; break;
      case OPT_SESSIONS: o->sessions = true; break;
      case OPT_POSITIONS: o->positions = true; break;
      case OPT_FIRST: o->choose.first = parse_count ("first", optarg); break;
      case OPT_LAST: o->choose.last = parse_count ("last", optarg); break;
      case OPT_FROM: o->choose.from = parse_number ("from", optarg); break;
      case OPT_TO: o->choose.to = parse_number ("to", optarg); break;
      case OPT_UNKNOWN:
	o->collect.policy = (enum tb_unknown_policy) parse_word ("unknown", optarg, policies);
	break;
      case OPT_STACK: parse_stack (o, optarg); break;
      case OPT_MEMORY: parse_memory (o, optarg); break;
      case OPT_TRACE: parse_trace (o, optarg); break;
      case OPT_TRACE_FILE: parse_trace_file (o, optarg); break;
      case OPT_STRICT: o->strict = true; break;
      case OPT_FOLLOW: o->follow = true; break;
      case OPT_IDLE_LIMIT:
	if (!tb_limit_parse_seconds (optarg, &o->idle) || o->idle == 0)
	  usage_expected ("idle-limit", "a number of seconds", optarg);
	break;
      case OPT_OUTPUT_DIR: o->batch.directory = optarg; break;
      case OPT_NAME: o->batch.name = optarg; break;
      case OPT_FROM_LIST:
	if (!add_input_list (&o->batch, optarg))
	  usage_no_memory ();
	break;
      case OPT_SHARD:
	if (!parse_shard (&o->batch, optarg))
	  usage_expected ("shard", "K/N with K from 1 to N", optarg);
	break;
      case OPT_FORCE: o->batch.force = true; break;
      case 'h':
      case OPT_HELP:
	options_help (stdout);
	exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
      case OPT_VERSION:
	print_version ();
      default:
	{
	  const char *like = tb_like_option (table, argv[optind - 1]);
	  if (like != NULL)
	    usage_error ("did you mean --%s?", like);
	  try_help ();
	}
      }
    }

  if (report != NULL)
    {
      options_check_report (o);
      o->report = true;
      o->output = report;
      ask (o, format_find ("report"));
    }
  if (o->json && o->csv)
    usage_error ("--json and --csv exclude each other");
  if (o->format == NULL)
    o->format = format_number (0);
  if (o->shared.start & TB_START_DATA)
    options_note (o, "start=data");
  o->inputs = argv + optind;
  o->ninputs = argc - optind;
  if (o->shared.jobs == 0)
    o->shared.jobs = tb_jobs_default ();
  options_check (o);
}

void
options_fini (struct options *o)
{
  tb_shared_options_fini (&o->shared);
  free (o->whys);
  o->whys = NULL;
  free (o->finds);
  o->finds = NULL;
  free (o->histories);
  o->histories = NULL;
  free (o->ranges);
  o->ranges = NULL;
  options_fini_traces (o);
  freeargv (o->arguments);
  o->arguments = NULL;
  free ((void *) o->batch.lists);
  o->batch.lists = NULL;
}
