/* Which options go together.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <string.h>

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
  check_batch (o);
  if (o->ninputs == 0 && o->batch.nlists == 0)
    usage_error ("expected an INPUT: a snapshot directory, its snapshot.ini or a "
		 "Tarmac log");
  if (o->ninputs > 1 && o->output != NULL && strcmp (o->output, "-") != 0)
    usage_error ("-o names one file, but there are several inputs");
}
