/* Which options go together.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* More that an option has an effect on: logs, whatever is written; batches.  */
enum { OF_LOGS = 1, IN_BATCHES = 2 };

/* It has an effect on everything.  */
#define ANY GROUPS

/* What an option has an effect on.  */
static const struct rule
{
  const char *name;		/* "start=data": the option with that value.  */
  enum group group;		/* On what takes that group; or ANY.  */
  /* Where it has none: it is a mistake for sure; or it is told, as an option that
     scripts give to all alike.  */
  enum { REFUSED, TOLD } otherwise;
  unsigned more;
  const char *needs;		/* It has none without this one; NULL: none.  */
} rules[] = {
  { "output", ANY, TOLD, 0, NULL },
  { "format", ANY, TOLD, 0, NULL },
  { "report", ANY, TOLD, 0, NULL },
  { "list", ANY, TOLD, 0, NULL },
  { "stats", ANY, TOLD, 0, NULL },
  { "coverage", ANY, TOLD, 0, NULL },
  { "changes", ANY, TOLD, 0, NULL },
  { "why", ANY, TOLD, 0, NULL },
  { "check-against", ANY, TOLD, 0, NULL },
  { "read", ANY, TOLD, 0, NULL },
  { "json", GROUP_JSON, REFUSED, IN_BATCHES, NULL },
  { "core", GROUP_TRACE, TOLD, 0, NULL },
  { "source", GROUP_TRACE, TOLD, 0, NULL },
  { "buffer", GROUP_TRACE, TOLD, 0, NULL },
  { "sessions", GROUP_SESSIONS, REFUSED, 0, NULL },
  { "elf", GROUP_CODE, TOLD, 0, NULL },
  { "accept-elf", GROUP_TRACE, TOLD, 0, "elf" },
  { "svd", GROUP_STATE, TOLD, 0, NULL },
  { "tdesc", GROUP_FRAME, TOLD, 0, NULL },
  { "allow-outside", ANY, TOLD, 0, NULL },
  { "core-type", ANY, TOLD, 0, NULL },
  { "mtb", ANY, TOLD, 0, NULL },
  { "space", GROUP_SPACE, REFUSED, 0, NULL },
  { "first", GROUP_RANGE, REFUSED, 0, NULL },
  { "last", GROUP_RANGE, REFUSED, 0, NULL },
  { "from", GROUP_RANGE, REFUSED, 0, NULL },
  { "to", GROUP_RANGE, REFUSED, 0, NULL },
  { "unknown", GROUP_FRAME, REFUSED, 0, NULL },
  { "stack", GROUP_FRAME, REFUSED, 0, NULL },
  { "memory", GROUP_FRAME, REFUSED, 0, NULL },
  { "trace", GROUP_FRAME, REFUSED, 0, NULL },
  { "trace-file", GROUP_FRAME, REFUSED, 0, NULL },
  { "assume", GROUP_ASSUMED, REFUSED, 0, NULL },
  { "doubt", GROUP_STATE, REFUSED, 0, NULL },
  { "start", GROUP_STATE, REFUSED, 0, NULL },
  { "start=data", ANY, TOLD, 0, "elf" },
  { "volatile", GROUP_STATE, REFUSED, 0, NULL },
  { "private", GROUP_STATE, REFUSED, 0, NULL },
  { "window", GROUP_CALLS, TOLD, 0, NULL },
  { "jobs", GROUP_TRACE, TOLD, OF_LOGS | IN_BATCHES, NULL },
  { "index", GROUP_RECORDING, TOLD, OF_LOGS, NULL },
  { "strict", GROUP_TRACE, TOLD, 0, NULL },
  { "output-dir", ANY, TOLD, 0, NULL },
  { "name", ANY, REFUSED, 0, "output-dir" },
  { "from-list", ANY, REFUSED, 0, "output-dir" },
  { "shard", ANY, REFUSED, 0, "output-dir" },
  { "force", ANY, REFUSED, 0, "output-dir" },
  { "memory-limit", ANY, REFUSED, 0, "output-dir" },
  { "quiet", ANY, TOLD, 0, NULL },
  { "verbose", ANY, TOLD, 0, NULL },
  { "help", ANY, TOLD, 0, NULL },
  { "version", ANY, TOLD, 0, NULL }
};
#define RULES (sizeof rules / sizeof rules[0])

void
options_note (struct options *o, const char *name)
{
  size_t i = 0;
  while (i < RULES && strcmp (rules[i].name, name) != 0)
    i++;
  assert (i < RULES && RULES <= 64);
  o->given |= UINT64_C (1) << i;
}

static bool
is_given (const struct options *o, const char *name)
{
  for (size_t i = 0; i < RULES; i++)
    if (strcmp (rules[i].name, name) == 0)
      return (o->given >> i & 1) != 0;
  return false;
}

/* Why the option of rule I, which is given, has no effect; false: it may have one.  */
static bool
is_idle (const struct options *o, size_t i, char *text, size_t size)
{
  const struct rule *r = &rules[i];
  const struct format *format = o->format, *row;
  if (r->needs != NULL && !is_given (o, r->needs))
    {
      snprintf (text, size, "--%s says nothing without --%s", r->name, r->needs);
      return true;
    }
  if (r->group == ANY || format->takes >> r->group & 1
      || ((r->more & IN_BATCHES) != 0 && o->batch.directory != NULL))
    return false;
  size_t used = (size_t) snprintf (text, size, "--%s says nothing to %s%s; it goes with",
				   r->name, format_lead (format), format->name);
  const char *comma = "";
  for (size_t k = 0; (row = format_number (k)) != NULL; k++)
    if (row->takes >> r->group & 1 && used < size)
      {
	used += (size_t) snprintf (text + used, size - used, "%s %s%s", comma,
				   format_lead (row), row->name);
	comma = ",";
      }
  return true;
}

/* Refuse what is surely a mistake: one thing is written at a time, and takes the options
   that are given.  */
static void
check_rules (const struct options *o)
{
  char text[600];
  const struct format *format = o->format;
  if (o->other != NULL)
    usage_error ("%s%s and %s%s exclude each other: one thing is written at a time",
		 format_lead (format), format->name,
		 o->report ? "--" : format_lead (o->other), o->other->name);
  for (size_t i = 0; i < RULES; i++)
    if (o->given >> i & 1 && rules[i].otherwise == REFUSED
	&& is_idle (o, i, text, sizeof text))
      usage_error ("%s", text);
}

void
options_tell (const struct options *o, bool is_snapshot, struct tb_diag *diag)
{
  char text[600];
  for (size_t i = 0; i < RULES; i++)
    if (o->given >> i & 1 && ((rules[i].more & OF_LOGS) != 0) == is_snapshot
	&& is_idle (o, i, text, sizeof text))
      tb_warning (diag, "%s%s", text,
		  is_snapshot && rules[i].needs == NULL ? ", or a log" : "");
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
  if (b->directory != NULL && o->output != NULL)
    usage_error ("-o and --output-dir exclude each other");
  if (strchr (b->name, '%') == NULL)
    usage_expected ("name", "%p or %n in it, or all inputs would have one output",
		    b->name);
}

void
options_check (const struct options *o)
{
  check_rules (o);
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
