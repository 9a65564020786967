/* Which options go together.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <stdio.h>
#include <string.h>

/* One thing is written at a time, and takes the options that are given.  */
static void
check_format (const struct options *o)
{
  const struct format *format = o->format, *row;
  if (o->other != NULL)
    usage_error ("%s%s and %s%s exclude each other: one thing is written at a time",
		 format_lead (format), format->name,
		 o->report ? "--" : format_lead (o->other), o->other->name);
  for (unsigned g = 0; g < GROUPS; g++)
    {
      /* Each verdict of a batch is a line of JSON, whatever is written.  */
      bool taken = format->takes >> g & 1
		   || (g == GROUP_JSON && o->batch.directory != NULL);
      if (o->given[g] == NULL || taken)
	continue;
      char list[400] = "";
      size_t used = 0;
      for (size_t i = 0; (row = format_number (i)) != NULL; i++)
	if (row->takes >> g & 1 && used < sizeof list)
	  used += (size_t) snprintf (list + used, sizeof list - used, "%s %s%s",
				     used > 0 ? "," : "", format_lead (row),
				     row->name);
      usage_error ("--%s says nothing to %s%s; it goes with%s", o->given[g],
		   format_lead (format), format->name, list);
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
  if (o->format != NULL && o->format->value == NULL)
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
  check_format (o);
  if (o->choose.first != 0 && o->choose.last != 0)
    usage_error ("--first and --last exclude each other");
  if (o->choose.from >= o->choose.to)
    usage_error ("--from=%llu --to=%llu: expected a step after --from in --to",
		 (unsigned long long) o->choose.from,
		 (unsigned long long) o->choose.to);
  if (o->sessions && o->buffer != NULL)
    usage_error ("--sessions and --buffer exclude each other");
  if (o->quiet && o->verbose)
    usage_error ("--quiet and --verbose exclude each other");
  bool standard = o->output != NULL && strcmp (o->output, "-") == 0;
  if (standard && o->format->traits & TRAIT_FOLDER)
    usage_error ("--format=%s makes a folder, which cannot go to standard output",
		 o->format->name);
  if (standard && o->json && o->format->traits & TRAIT_FRAMES)
    usage_error ("--json tells of the trace file on standard output, where -o - puts "
		 "the file itself");
  check_batch (o);
  if (o->ninputs == 0 && o->batch.nlists == 0)
    usage_error ("expected an INPUT: a snapshot directory, its snapshot.ini or a "
		 "Tarmac log");
  if (o->ninputs > 1 && o->output != NULL && strcmp (o->output, "-") != 0)
    usage_error ("-o names one file, but there are several inputs");
}
