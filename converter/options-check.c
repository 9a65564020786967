/* Which options go together.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <stdio.h>
#include <string.h>

#define RANGE (1u << GROUP_RANGE)
#define FRAME (1u << GROUP_FRAME)
#define STATE (1u << GROUP_STATE)
#define SPACE (1u << GROUP_SPACE)
#define JSON (1u << GROUP_JSON)

/* What there is to write, how it is asked for, and which options it takes.  */
static const struct
{
  const char *option;
  unsigned takes;
} kinds[] = {
  [KIND_LIST] = { "--list", JSON },
  [KIND_STATS] = { "--stats", JSON },
  [KIND_COVERAGE] = { "--coverage", RANGE | STATE | JSON },
  [KIND_CHANGES] = { "--changes", RANGE | STATE },
  [KIND_WHY] = { "--why", STATE | JSON },
  [KIND_CHECK] = { "--check-against", STATE | JSON },
  [KIND_READ] = { "--read", SPACE },
  [KIND_FORMATS + FORMAT_TFILE] = { "--format=tfile",
				RANGE | FRAME | STATE | SPACE | JSON },
  [KIND_FORMATS + FORMAT_CTF] = { "--format=ctf",
			      RANGE | FRAME | STATE | SPACE | JSON },
  [KIND_FORMATS + FORMAT_ELEMENTS] = { "--format=elements", 0 },
  [KIND_FORMATS + FORMAT_SUMMARY] = { "--format=summary", 0 },
  [KIND_FORMATS + FORMAT_REGISTERS] = { "--format=registers", RANGE | STATE },
  [KIND_FORMATS + FORMAT_TARMAC] = { "--format=tarmac", RANGE | STATE },
  [KIND_FORMATS + FORMAT_REPORT] = { "--format=report", STATE },
  [KIND_FORMATS + FORMAT_FOLDED] = { "--format=folded", 0 },
  [KIND_FORMATS + FORMAT_LCOV] = { "--format=lcov", 0 },
  [KIND_FORMATS + FORMAT_PERFETTO] = { "--format=perfetto", 0 }
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* One thing is written at a time, and takes the options that are given.  */
static void
check_kind (const struct options *o)
{
  size_t kind = KIND_FORMATS + o->format;
  const char *asked[32];
  size_t count = 0;
  for (size_t i = 0; i < KIND_FORMATS; i++)
    if (o->kinds >> i & 1)
      {
	kind = i;
	asked[count++] = kinds[i].option;
      }
  if (o->kinds >> KIND_FORMATS & 1)
    asked[count++] = kinds[KIND_FORMATS + o->format].option;
  if (o->kinds >> KIND_REPORT & 1)
    asked[count++] = "--report";
  if (count > 1)
    usage_error ("%s and %s exclude each other: one thing is written at a time",
		 asked[0], asked[1]);
  for (unsigned g = 0; g < GROUPS; g++)
    {
      /* Each verdict of a batch is a line of JSON, whatever is written.  */
      bool taken = kinds[kind].takes >> g & 1
		   || (g == GROUP_JSON && o->batch.directory != NULL);
      if (o->given[g] == NULL || taken)
	continue;
      char list[400] = "";
      size_t used = 0;
      for (size_t i = 0; i < KINDS; i++)
	if (kinds[i].takes >> g & 1 && used < sizeof list)
	  used += (size_t) snprintf (list + used, sizeof list - used, "%s %s",
				     used > 0 ? "," : "", kinds[i].option);
      usage_error ("--%s says nothing to %s; it goes with%s", o->given[g],
		   kinds[kind].option, list);
    }
}

void
options_check_report (const struct options *o)
{
  if (o->batch.directory != NULL)
    usage_error ("--report names one page; with --output-dir, --format=report makes "
		 "a page of each input");
  if (o->output != NULL)
    usage_error ("--report names the output, and -o too; give one of them");
  if (o->kinds >> KIND_FORMATS & 1)
    usage_error ("--report and --format exclude each other");
}

/* Options of batches and those that do not go with them.  */
static void
check_batch (const struct options *o)
{
  const struct batch_options *b = &o->batch;
  if (b->directory == NULL
      && (b->nlists != 0 || b->shards != 1 || b->force || b->memory != 0
	  || strcmp (b->name, "%p") != 0))
    usage_error ("--name, --from-list, --shard, --force and --memory-limit go "
		 "with --output-dir");
  if (b->directory != NULL && o->output != NULL)
    usage_error ("-o and --output-dir exclude each other");
  if (strchr (b->name, '%') == NULL)
    usage_expected ("name", "%p or %n in it, or all inputs would have one output",
		    b->name);
}

void
options_check (const struct options *o)
{
  check_kind (o);
  if (o->choose.first != 0 && o->choose.last != 0)
    usage_error ("--first and --last exclude each other");
  if (o->choose.from >= o->choose.to)
    usage_error ("--from=%llu --to=%llu: expected a step after --from in --to",
		 (unsigned long long) o->choose.from,
		 (unsigned long long) o->choose.to);
  if (o->sessions && (o->buffer != NULL || (o->format != FORMAT_ELEMENTS
					    && o->format != FORMAT_SUMMARY)))
    usage_error ("--sessions goes with --format=elements or --format=summary, and "
		 "without --buffer");
  if (o->quiet && o->verbose)
    usage_error ("--quiet and --verbose exclude each other");
  if (o->json && o->format == FORMAT_TFILE && o->output != NULL
      && strcmp (o->output, "-") == 0 && o->kinds == (o->kinds & (1u << KIND_FORMATS)))
    usage_error ("--json tells of the trace file on standard output, where -o - puts "
		 "the file itself");
  if (o->format == FORMAT_CTF && o->output != NULL
      && strcmp (o->output, "-") == 0)
    usage_error ("--format=ctf makes a folder, which cannot go to standard output");
  check_batch (o);
  if (o->ninputs == 0 && o->batch.nlists == 0)
    usage_error ("expected an INPUT: a snapshot directory, its snapshot.ini or a "
		 "Tarmac log");
  if (o->ninputs > 1 && o->output != NULL && strcmp (o->output, "-") != 0)
    usage_error ("-o names one file, but there are several inputs");
}
