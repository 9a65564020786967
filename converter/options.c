/* The command line of tracebridge-convert.  See options.h.

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

#include "util/fnv.h"

/* The most threads.  */
#define JOBS_MOST 64

static _Noreturn void
try_help (void)
{
  fputs ("Try 'tracebridge-convert --help' for more information.\n", stderr);
  exit (EXIT_USAGE);
}

/* The number TEXT of option NAME, decimal or 0x-hexadecimal.  */
static uint64_t
number (const char *name, const char *text)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 0);
  if (*text == 0 || *text == '-' || *end != 0 || errno != 0)
    {
      fprintf (stderr, "tracebridge-convert: --%s: expected a number, found "
	       "'%s'\n", name, text);
      try_help ();
    }
  return value;
}

/* The number TEXT of option NAME, which must not be 0.  */
static uint64_t
count (const char *name, const char *text)
{
  uint64_t value = number (name, text);
  if (value == 0)
    {
      fprintf (stderr, "tracebridge-convert: --%s: expected at least 1\n", name);
      try_help ();
    }
  return value;
}

struct word
{
  const char *name;
  int value;
};

/* The value of TEXT among WORDS, ended by a NULL name.  */
static int
word (const char *name, const char *text, const struct word *words)
{
  for (const struct word *w = words; w->name != NULL; w++)
    if (strcmp (text, w->name) == 0)
      return w->value;
  fprintf (stderr, "tracebridge-convert: --%s: expected", name);
  for (const struct word *w = words; w->name != NULL; w++)
    fprintf (stderr, "%s %s", w == words ? "" : ",", w->name);
  fprintf (stderr, "; found '%s'\n", text);
  try_help ();
}

static _Noreturn void
no_memory (void)
{
  fputs ("tracebridge-convert: no memory\n", stderr);
  exit (EXIT_FAILED);
}

static void
add_elf (struct options *o, char *text)
{
  struct tb_session_elf *elves
    = realloc ((void *) o->session.elves,
	       (o->session.nelves + 1) * sizeof *elves);
  if (elves == NULL)
    no_memory ();
  o->session.elves = elves;
  struct tb_session_elf *elf = &elves[o->session.nelves++];
  /* A file name may have an '@' of its own: the last one counts, and only if
     no such file exists.  */
  char *at = strrchr (text, '@');
  FILE *whole = at != NULL ? fopen (text, "rb") : NULL;
  if (whole != NULL)
    {
      fclose (whole);
      at = NULL;
    }
  if (at != NULL)
    *at = 0;
  *elf = (struct tb_session_elf) { text, at != NULL ? at + 1 : NULL };
}

/* --volatile=LIST, --private=LIST  */
static void
add_text (const char *const **list, size_t *count_of, const char *text)
{
  if (!tb_session_add_text (list, count_of, text))
    no_memory ();
}

/* The bits of the WORDS that the comma separated TEXT of option NAME lists.  */
static unsigned
bits (const char *name, char *text, const struct word *words)
{
  unsigned all = 0;
  for (char *one = strtok (text, ","); one != NULL; one = strtok (NULL, ","))
    all |= (unsigned) word (name, one, words);
  return all;
}

/* --read=DEVICE:ADDRESS:SIZE; a name may have colons of its own.  */
static void
parse_read (struct options *o, char *text)
{
  char *size = strrchr (text, ':'), *address = NULL;
  if (size != NULL)
    {
      *size = 0;
      address = strrchr (text, ':');
    }
  if (address == NULL)
    {
      fputs ("tracebridge-convert: --read: expected DEVICE:ADDRESS:SIZE\n",
	     stderr);
      try_help ();
    }
  *address = 0;
  o->read = (struct read_request) { text, number ("read", address + 1),
				    number ("read", size + 1) };
  if (o->read.length == 0 || o->read.length > 1 << 24
      || o->read.length - 1 > UINT64_MAX - o->read.address)
    {
      fputs ("tracebridge-convert: --read: expected 1 to 16777216 bytes that do "
	     "not go beyond the last address\n", stderr);
      try_help ();
    }
}

/* --why=STEP:REGISTER  */
static void
parse_why (struct options *o, char *text)
{
  char *colon = strchr (text, ':');
  if (colon == NULL || colon[1] == 0)
    {
      fputs ("tracebridge-convert: --why: expected STEP:REGISTER, STEP:FLAG or "
	     "STEP:ADDRESS[:SIZE]\n", stderr);
      try_help ();
    }
  *colon = 0;
  o->why = (struct why_request) { number ("why", text), colon + 1 };
}

/* --memory=auto|none|ADDRESS:SIZE  */
static void
add_memory (struct options *o, char *text)
{
  o->memory_auto = strcmp (text, "auto") == 0;
  if (o->memory_auto || strcmp (text, "none") == 0)
    {
      o->nranges = 0;
      return;
    }
  char *colon = strchr (text, ':');
  if (colon == NULL)
    {
      fprintf (stderr, "tracebridge-convert: --memory: expected auto, none or "
	       "ADDRESS:SIZE, found '%s'\n", text);
      try_help ();
    }
  *colon = 0;
  struct tb_collect_range range = { number ("memory", text),
				    number ("memory", colon + 1) };
  if (range.length == 0 || range.length > 1 << 24
      || range.length - 1 > UINT64_MAX - range.address)
    {
      fputs ("tracebridge-convert: --memory: expected 1 to 16777216 bytes that "
	     "do not go beyond the last address\n", stderr);
      try_help ();
    }
  struct tb_collect_range *ranges
    = realloc (o->ranges, (o->nranges + 1) * sizeof *ranges);
  if (ranges == NULL)
    no_memory ();
  o->ranges = ranges;
  ranges[o->nranges++] = range;
}

/* --jobs=N  */
static void
parse_jobs (struct options *o, const char *text)
{
  uint64_t jobs = number ("jobs", text);
  if (jobs < 1 || jobs > JOBS_MOST)
    {
      fprintf (stderr, "tracebridge-convert: --jobs: expected 1 to %d\n",
	       JOBS_MOST);
      try_help ();
    }
  o->jobs = (unsigned) jobs;
}

/* As many threads as there are processors.  */
static unsigned
default_jobs (void)
{
  long n = sysconf (_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > JOBS_MOST ? JOBS_MOST : (unsigned) n;
}

/* --index=WHERE  */
static void
parse_index (struct options *o, const char *text)
{
  static const struct word places[] = {
    { "auto", TB_INDEX_AUTO }, { "off", TB_INDEX_OFF }, { "beside", TB_INDEX_BESIDE },
    { NULL, 0 }
  };
  o->index = TB_INDEX_FILE;
  o->index_file = text;
  for (const struct word *w = places; w->name != NULL; w++)
    if (strcmp (text, w->name) == 0)
      {
	o->index = (enum tb_index_place) w->value;
	o->index_file = NULL;
      }
  if (*text == 0)
    {
      fputs ("tracebridge-convert: --index: expected auto, off, beside or a "
	     "file's name\n", stderr);
      try_help ();
    }
}

/* Options without a letter.  */
enum
{
  OPT_FORMAT = 256, OPT_REPORT, OPT_LIST, OPT_JSON, OPT_CORE, OPT_SOURCE, OPT_BUFFER,
  OPT_ELF, OPT_OUTSIDE, OPT_FIRST, OPT_LAST, OPT_FROM, OPT_TO, OPT_UNKNOWN,
  OPT_STACK, OPT_MEMORY, OPT_READ, OPT_ASSUME, OPT_SESSIONS, OPT_STATS, OPT_COVERAGE, OPT_CHANGES, OPT_WHY,
  OPT_CHECK,
  OPT_VOLATILE, OPT_PRIVATE, OPT_START,
  OPT_STRICT, OPT_WINDOW, OPT_JOBS, OPT_INDEX, OPT_HELP, OPT_VERSION, OPT_OUTPUT_DIR,
  OPT_NAME, OPT_FROM_LIST, OPT_SHARD, OPT_FORCE, OPT_MEMORY_LIMIT
};

/* Does OPTION change what is made of an input?  Else it says how much is told, or
   how the work is divided.  */
static bool
shapes_output (int option)
{
  switch (option)
    {
    case 'q': case 'v': case OPT_JSON: case OPT_JOBS: case OPT_INDEX: case OPT_WINDOW:
    case OPT_STRICT: case OPT_OUTPUT_DIR: case OPT_NAME: case OPT_FROM_LIST:
    case OPT_SHARD: case OPT_FORCE: case OPT_MEMORY_LIMIT:
      return false;
    default:
      return true;
    }
}

static uint64_t
hash_text (uint64_t hash, const char *text)
{
  do
    hash = (hash ^ (unsigned char) *text) * TB_FNV_PRIME;
  while (*text++ != '\0');
  return hash;
}

static _Noreturn void
expected (const char *name, const char *what, const char *found)
{
  fprintf (stderr, "tracebridge-convert: --%s: expected %s, found '%s'\n", name,
	   what, found);
  try_help ();
}

/* Options of batches and those that do not go with them.  */
static void
check_batch (const struct options *o)
{
  const struct batch_options *b = &o->batch;
  if (b->directory == NULL
      && (b->nlists != 0 || b->shards != 1 || b->force || b->memory != 0
	  || strcmp (b->name, "%p") != 0))
    {
      fputs ("tracebridge-convert: --name, --from-list, --shard, --force and "
	     "--memory-limit go with --output-dir\n", stderr);
      try_help ();
    }
  if (b->directory != NULL && o->output != NULL)
    {
      fputs ("tracebridge-convert: -o and --output-dir exclude each other\n",
	     stderr);
      try_help ();
    }
  if (strchr (b->name, '%') == NULL)
    expected ("name", "%p or %n in it, or all inputs would have one output",
	      b->name);
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
    { "check-against", required_argument, NULL, OPT_CHECK },
    { "assume", required_argument, NULL, OPT_ASSUME },
    { "volatile", required_argument, NULL, OPT_VOLATILE },
    { "private", required_argument, NULL, OPT_PRIVATE },
    { "start", required_argument, NULL, OPT_START },
    { "read", required_argument, NULL, OPT_READ },
    { "json", no_argument, NULL, OPT_JSON },
    { "core", required_argument, NULL, OPT_CORE },
    { "source", required_argument, NULL, OPT_SOURCE },
    { "buffer", required_argument, NULL, OPT_BUFFER },
    { "sessions", no_argument, NULL, OPT_SESSIONS },
    { "elf", required_argument, NULL, OPT_ELF },
    { "allow-outside", no_argument, NULL, OPT_OUTSIDE },
    { "first", required_argument, NULL, OPT_FIRST },
    { "last", required_argument, NULL, OPT_LAST },
    { "from", required_argument, NULL, OPT_FROM },
    { "to", required_argument, NULL, OPT_TO },
    { "unknown", required_argument, NULL, OPT_UNKNOWN },
    { "stack", required_argument, NULL, OPT_STACK },
    { "memory", required_argument, NULL, OPT_MEMORY },
    { "jobs", required_argument, NULL, OPT_JOBS },
    { "window", required_argument, NULL, OPT_WINDOW },
    { "index", required_argument, NULL, OPT_INDEX },
    { "strict", no_argument, NULL, OPT_STRICT },
    { "output-dir", required_argument, NULL, OPT_OUTPUT_DIR },
    { "name", required_argument, NULL, OPT_NAME },
    { "from-list", required_argument, NULL, OPT_FROM_LIST },
    { "shard", required_argument, NULL, OPT_SHARD },
    { "force", no_argument, NULL, OPT_FORCE },
    { "memory-limit", required_argument, NULL, OPT_MEMORY_LIMIT },
    { "quiet", no_argument, NULL, 'q' },
    { "verbose", no_argument, NULL, 'v' },
    { "help", no_argument, NULL, OPT_HELP },
    { "version", no_argument, NULL, OPT_VERSION },
    { NULL, 0, NULL, 0 }
  };
  static const struct word formats[] = {
    { "tfile", FORMAT_TFILE }, { "elements", FORMAT_ELEMENTS },
    { "summary", FORMAT_SUMMARY }, { "registers", FORMAT_REGISTERS },
    { "tarmac", FORMAT_TARMAC }, { "report", FORMAT_REPORT },
    { "folded", FORMAT_FOLDED }, { "lcov", FORMAT_LCOV },
    { "perfetto", FORMAT_PERFETTO }, { NULL, 0 }
  };
  static const struct word assumptions[] = {
    { "aapcs", TB_ASSUME_AAPCS }, { "halt", TB_ASSUME_HALT },
    { "constants", TB_ASSUME_CONSTANTS }, { NULL, 0 }
  };
  static const struct word starts[] = {
    { "reset", TB_START_RESET }, { "data", TB_START_DATA }, { NULL, 0 }
  };
  static const struct word policies[] = {
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
  int option;
  while ((option = getopt_long (argc, argv, "ho:qv", table, NULL)) != -1)
    {
      if (shapes_output (option))
	o->hash = hash_text (tb_fnv_u64 (o->hash, (unsigned) option),
			     optarg != NULL ? optarg : "");
      switch (option)
      {
      case 'o': o->output = optarg; break;
      case 'q': o->quiet = true; break;
      case 'v': o->verbose = true; break;
      case OPT_FORMAT: o->format = word ("format", optarg, formats); break;
      case OPT_REPORT:
	o->format = FORMAT_REPORT;
	o->output = optarg;
	break;
      case OPT_LIST: o->list = true; break;
      case OPT_STATS: o->stats = true; break;
      case OPT_COVERAGE: o->coverage = true; break;
      case OPT_CHANGES: o->changes = true; break;
      case OPT_WHY: parse_why (o, optarg); break;
      case OPT_CHECK: o->check = optarg; break;
      case OPT_ASSUME: o->assume |= bits ("assume", optarg, assumptions); break;
      case OPT_START: o->start |= bits ("start", optarg, starts); break;
      case OPT_VOLATILE:
	add_text (&o->session.volatiles, &o->session.nvolatiles, optarg);
	break;
      case OPT_PRIVATE:
	add_text (&o->session.privates, &o->session.nprivates, optarg);
	break;
      case OPT_READ: parse_read (o, optarg); break;
      case OPT_JSON: o->json = true; break;
      case OPT_CORE: o->core = optarg; break;
      case OPT_SOURCE: o->source = optarg; break;
      case OPT_BUFFER: o->buffer = optarg; break;
      case OPT_SESSIONS: o->sessions = true; break;
      case OPT_ELF: add_elf (o, optarg); break;
      case OPT_OUTSIDE: o->session.snapshot.allow_outside = true; break;
      case OPT_FIRST: o->choose.first = count ("first", optarg); break;
      case OPT_LAST: o->choose.last = count ("last", optarg); break;
      case OPT_FROM: o->choose.from = number ("from", optarg); break;
      case OPT_TO: o->choose.to = number ("to", optarg); break;
      case OPT_UNKNOWN:
	o->collect.policy = word ("unknown", optarg, policies);
	break;
      case OPT_STACK:
	{
	  uint64_t bytes = number ("stack", optarg);
	  if (bytes > 1 << 20)
	    {
	      fputs ("tracebridge-convert: --stack: expected at most 1048576 "
		     "bytes\n", stderr);
	      try_help ();
	    }
	  o->collect.limit += bytes > o->collect.stack
			      ? bytes - o->collect.stack : 0;
	  o->collect.stack = (unsigned) bytes;
	}
	break;
      case OPT_MEMORY: add_memory (o, optarg); break;
      case OPT_WINDOW: o->window = number ("window", optarg); break;
      case OPT_JOBS: parse_jobs (o, optarg); break;
      case OPT_INDEX: parse_index (o, optarg); break;
      case OPT_STRICT: o->strict = true; break;
      case OPT_OUTPUT_DIR: o->batch.directory = optarg; break;
      case OPT_NAME: o->batch.name = optarg; break;
      case OPT_FROM_LIST:
	if (!add_input_list (&o->batch, optarg))
	  no_memory ();
	break;
      case OPT_SHARD:
	if (!parse_shard (&o->batch, optarg))
	  expected ("shard", "K/N with K from 1 to N", optarg);
	break;
      case OPT_FORCE: o->batch.force = true; break;
      case OPT_MEMORY_LIMIT:
	if (!parse_size (optarg, &o->batch.memory))
	  expected ("memory-limit", "a number of bytes, or of K, M, G", optarg);
	break;
      case 'h':
      case OPT_HELP:
	fputs (options_usage, stdout);
	exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
      case OPT_VERSION:
	fputs (options_version, stdout);
	exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
      default:
	try_help ();
      }
    }

  if (o->choose.first != 0 && o->choose.last != 0)
    {
      fputs ("tracebridge-convert: --first and --last exclude each other\n",
	     stderr);
      try_help ();
    }
  if (o->choose.from >= o->choose.to)
    {
      fprintf (stderr, "tracebridge-convert: --from=%llu --to=%llu: expected a "
	       "step after --from in --to\n",
	       (unsigned long long) o->choose.from,
	       (unsigned long long) o->choose.to);
      try_help ();
    }
  if (o->sessions && (o->buffer != NULL || (o->format != FORMAT_ELEMENTS
					    && o->format != FORMAT_SUMMARY)))
    {
      fputs ("tracebridge-convert: --sessions goes with --format=elements or "
	     "--format=summary, and without --buffer\n", stderr);
      try_help ();
    }
  if (o->quiet && o->verbose)
    {
      fputs ("tracebridge-convert: --quiet and --verbose exclude each other\n",
	     stderr);
      try_help ();
    }
  o->inputs = argv + optind;
  o->ninputs = argc - optind;
  check_batch (o);
  if (o->jobs == 0)
    o->jobs = default_jobs ();
  if (o->ninputs == 0 && o->batch.nlists == 0)
    {
      fputs ("tracebridge-convert: expected an INPUT: a snapshot directory, "
	     "its snapshot.ini or a Tarmac log\n", stderr);
      try_help ();
    }
  if (o->ninputs > 1 && o->output != NULL && strcmp (o->output, "-") != 0)
    {
      fputs ("tracebridge-convert: -o names one file, but there are several "
	     "inputs\n", stderr);
      try_help ();
    }
}

void
options_fini (struct options *o)
{
  free ((void *) o->session.elves);
  o->session.elves = NULL;
  free ((void *) o->session.volatiles);
  free ((void *) o->session.privates);
  o->session.volatiles = o->session.privates = NULL;
  free (o->ranges);
  o->ranges = NULL;
  free ((void *) o->batch.lists);
  o->batch.lists = NULL;
}
