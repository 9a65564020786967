/* Which options go together.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <stdio.h>
#include <string.h>

/* More that an option has an effect on: logs, whatever is written; batches.  CONVERTS: it is told,
   not refused, without effect on --list, which one adds to a whole command to look before.  */
enum { OF_LOGS = TB_OPTION_OWN, IN_BATCHES = TB_OPTION_OWN << 1, CONVERTS = TB_OPTION_OWN << 2 };

/* Address space without which no process can begin: the program and its libraries.
   One alone needs it for what it works out.  */
#define MEMORY_LEAST (32u << 20)

/* It has an effect on everything.  */
#define ANY GROUPS

#define TOLD 0
#define REFUSED TB_OPTION_REFUSED
#define ONCE TB_OPTION_ONCE

/* The group of an option is that of what takes it, an enum group or ANY.  */
static const struct tb_option_rule table[] = {
  { "output", ANY, TOLD, NULL },
  { "format", ANY, TOLD, NULL },
  { "report", ANY, TOLD, NULL },
  { "list", ANY, TOLD, NULL },
  { "stats", ANY, TOLD, NULL },
  { "coverage", ANY, TOLD, NULL },
  { "changes", ANY, TOLD, NULL },
  { "why", ANY, TOLD, NULL },
  { "find", ANY, TOLD, NULL },
  { "history", ANY, TOLD, NULL },
  { "debug", ANY, TOLD, NULL },
  { "check-against", ANY, ONCE, NULL },
  { "read", ANY, ONCE, NULL },
  { "json", GROUP_JSON, REFUSED | IN_BATCHES, NULL },
  { "csv", GROUP_CSV, REFUSED, NULL },
  { "core", GROUP_TRACE, TOLD, NULL },
  { "source", GROUP_TRACE, TOLD, NULL },
  { "buffer", GROUP_TRACE, TOLD, NULL },
  { "sessions", GROUP_SESSIONS, REFUSED, NULL },
  { "positions", GROUP_POSITIONS, REFUSED, NULL },
  { "elf", GROUP_CODE, TOLD, NULL },
  { "accept-elf", GROUP_TRACE, TOLD, "elf" },
  { "svd", GROUP_STATE, ONCE, NULL },
  { "tdesc", GROUP_FRAME, ONCE, NULL },
  { "allow-outside", ANY, TOLD, NULL },
  { "core-type", ANY, ONCE, NULL },
  { "sysroot", ANY, ONCE, NULL },
  { "recordings", ANY, TOLD, NULL },
  { "mtb", ANY, TOLD, NULL },
  { "raw-trace", ANY, TOLD, NULL },
  { "raw-format", ANY, REFUSED, "raw-trace" },
  { "protocol", ANY, ONCE, NULL },
  { "timestamp-frequency", ANY, ONCE, NULL },
  { "local-frequency", GROUP_TICKS, ONCE, NULL },
  { "core-frequency", GROUP_CYCLES, ONCE, NULL },
  { "itm-aligned", ANY, TOLD, NULL },
  { "space", GROUP_SPACE, REFUSED | CONVERTS, NULL },
  { "first", GROUP_RANGE, REFUSED | CONVERTS, NULL },
  { "last", GROUP_RANGE, REFUSED | CONVERTS, NULL },
  { "from", GROUP_RANGE, REFUSED | CONVERTS, NULL },
  { "to", GROUP_RANGE, REFUSED | CONVERTS, NULL },
  { "unknown", GROUP_FRAME, REFUSED | CONVERTS, NULL },
  { "stack", GROUP_FRAME, REFUSED | CONVERTS, NULL },
  { "memory", GROUP_FRAME, REFUSED | CONVERTS, NULL },
  { "trace", GROUP_FRAME, REFUSED | CONVERTS, NULL },
  { "trace-file", GROUP_FRAME, REFUSED | CONVERTS, NULL },
  { "assume", GROUP_ASSUMED, REFUSED | CONVERTS, NULL },
  { "doubt", GROUP_STATE, REFUSED | CONVERTS, NULL },
  { "start", GROUP_STATE, REFUSED | CONVERTS, NULL },
  { "start=data", ANY, TOLD, "elf" },
  { "volatile", GROUP_STATE, REFUSED | CONVERTS, NULL },
  { "private", GROUP_STATE, REFUSED | CONVERTS, NULL },
  { "window", GROUP_CALLS, TOLD, NULL },
  { "jobs", GROUP_TRACE, OF_LOGS | IN_BATCHES, NULL },
  { "memory-limit", GROUP_MEMORY, IN_BATCHES, NULL },
  { "index", GROUP_RECORDING, OF_LOGS, NULL },
  { "index-block", GROUP_RECORDING, ONCE, NULL },
  { "strict", GROUP_TRACE, TOLD, NULL },
  { "output-dir", ANY, TOLD, NULL },
  { "name", ANY, REFUSED, "output-dir" },
  { "from-list", ANY, REFUSED, "output-dir" },
  { "shard", ANY, REFUSED, "output-dir" },
  { "force", ANY, REFUSED, "output-dir" },
  { "time-limit", ANY, ONCE, NULL },
  { "follow", GROUP_FOLLOW, REFUSED | CONVERTS, NULL },
  { "idle-limit", ANY, REFUSED, "follow" },
  { "quiet", ANY, TOLD, NULL },
  { "verbose", ANY, TOLD, NULL },
  { "help", ANY, TOLD, NULL },
  { "version", ANY, TOLD, NULL }
};

/* The groups of options that what is asked for takes.  Histories that are drawn are of the
   whole recording.  */
static unsigned
groups_of (const struct options *o)
{
  unsigned groups = o->format->takes;
  if (o->nhistories > 0 && (o->format->traits & TRAIT_HISTORIES) != 0)
    groups |= format_of_option ("history")->takes
	      & ~(1u << GROUP_RANGE | 1u << GROUP_JSON | 1u << GROUP_CSV);
  return groups;
}

/* tb_option_rules, of struct options.  */
static bool
is_idle (const void *context, const struct tb_option_rule *r, char *text, size_t size)
{
  const struct options *o = context;
  const struct format *format = o->format, *row;
  if (r->group == ANY || groups_of (o) >> r->group & 1
      || ((r->flags & IN_BATCHES) != 0 && o->batch.directory != NULL))
    return false;
  size_t used = (size_t) snprintf (text, size, "--%s has no effect on %s%s; it goes "
				   "with", r->name, format_lead (format), format->name);
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

static const struct tb_option_rules rules
  = { table, sizeof table / sizeof table[0], is_idle };

void
options_note (struct options *o, const char *name)
{
  tb_options_note (&rules, &o->given, name);
}

bool
options_follow (const struct options *o)
{
  return o->follow && (o->format->takes >> GROUP_FOLLOW & 1) != 0;
}

/* Refuse what is surely a mistake: one thing is written at a time, and takes the options
   that are given.  */
static void
check_rules (const struct options *o)
{
  char text[600];
  const struct format *format = o->format;
  const char *repeated = tb_options_repeated (&rules, &o->given);
  if (repeated != NULL)
    usage_error ("--%s is given twice; expected one", repeated);
  if (o->other != NULL)
    usage_error ("%s%s and %s%s exclude each other: one thing is written at a time",
		 format_lead (format), format->name,
		 o->report ? "--" : format_lead (o->other), o->other->name);
  if (o->nhistories > 0 && format != format_of_option ("history")
      && (format->traits & TRAIT_HISTORIES) == 0)
    usage_error ("--history and %s%s exclude each other: one thing is written at a time",
		 format_lead (format), format->name);
  for (size_t i = 0; i < rules.count; i++)
    if ((table[i].flags & TB_OPTION_REFUSED) != 0
	&& !((table[i].flags & CONVERTS) != 0 && format == format_of_option ("list"))
	&& tb_options_idle (&rules, &o->given, i, o, text, sizeof text))
      usage_error ("%s", text);
}

/* Is rule I of one value of an option that has no effect at all?  That is told of the option.  */
static bool
is_told_of_all (const struct options *o, size_t i)
{
  char text[600];
  const char *value = strchr (table[i].name, '=');
  for (size_t all = 0; value != NULL && all < rules.count; all++)
    if (strlen (table[all].name) == (size_t) (value - table[i].name)
	&& strncmp (table[all].name, table[i].name, (size_t) (value - table[i].name)) == 0)
      return tb_options_idle (&rules, &o->given, all, o, text, sizeof text);
  return false;
}

void
options_tell (const struct options *o, bool is_snapshot, struct tb_diag *diag)
{
  char text[600];
  for (size_t i = 0; i < rules.count; i++)
    if (((table[i].flags & OF_LOGS) != 0) == is_snapshot && !is_told_of_all (o, i)
	&& tb_options_idle (&rules, &o->given, i, o, text, sizeof text))
      tb_warning (diag, "%s%s", text,
		  is_snapshot && table[i].needs == NULL ? ", or a log" : "");
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
  if (b->directory == NULL && o->shared.memory != 0 && o->shared.memory < MEMORY_LEAST)
    usage_error ("--memory-limit: expected at least %uM, found %llu bytes; a number "
		 "without K, M, G or T is bytes", MEMORY_LEAST >> 20,
		 (unsigned long long) o->shared.memory);
  if (b->directory != NULL && o->shared.memory != 0
      && o->shared.memory / o->shared.jobs < MEMORY_LEAST)
    usage_error ("--memory-limit: expected at least %uM for each of %u processes at a "
		 "time (--jobs), found %llu bytes for all; a number without K, M, G or "
		 "T is bytes", MEMORY_LEAST >> 20, o->shared.jobs,
		 (unsigned long long) o->shared.memory);
  if (strchr (b->name, '%') == NULL)
    usage_expected ("name", "%p or %n in it, or all inputs would have one output",
		    b->name);
}

/* What is told as it comes is one input, and has no end to count from.  */
static void
check_follow (const struct options *o)
{
  if (!options_follow (o))
    return;
  if (o->batch.directory != NULL)
    usage_error ("--follow and --output-dir exclude each other");
  if (o->output != NULL && strcmp (o->output, "-") != 0)
    usage_error ("--follow tells what comes on standard output, and a file of -o is there "
		 "when all is done; \"> %s\" keeps it as it comes", o->output);
  if (o->ninputs > 1)
    usage_error ("--follow is for one INPUT; found %d", o->ninputs);
  if (o->choose.last != 0)
    usage_error ("--follow and --last exclude each other: nobody knows what the last ones "
		 "will be");
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
  if (o->sessions && o->shared.buffer != NULL)
    usage_error ("--sessions and --buffer exclude each other");
  if (tb_shared_options_clash (&o->shared) != NULL)
    usage_error ("%s", tb_shared_options_clash (&o->shared));
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
  check_follow (o);
  if (o->ninputs == 0 && o->batch.nlists == 0)
    usage_error ("expected an INPUT: a snapshot directory or its snapshot.ini, an "
		 "ELF core file, a folder with trace buffers of Linux, or a Tarmac log");
  struct tb_buffer said = { 0 };
  if (!tb_shared_options_check (&o->shared, o->ninputs > 1 || o->batch.directory != NULL, &said))
    usage_error ("%.*s", (int) said.size, said.failed ? "" : (const char *) said.data);
  if (o->follow && o->shared.session.snapshot.beside.ntraces > 0)
    usage_error ("--follow and --raw-trace exclude each other: a log has no trace buffers");
  int standards = 0;
  for (int i = 0; i < o->ninputs; i++)
    standards += strcmp (o->inputs[i], "-") == 0;
  if (standards > 1)
    usage_error ("standard input (-) can be read once; found %d inputs of that name", standards);
  if (o->ninputs > 1 && o->output != NULL && strcmp (o->output, "-") != 0)
    usage_error ("-o names one file, but there are several inputs");
}
