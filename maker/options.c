/* The command line of tracebridge-snapshot.  See options.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/libiberty.h>
#else
# include <libiberty.h>
#endif

#include "options/help.h"
#include "recording/version.h"
#include "util/arguments.h"
#include "util/like.h"
#include "util/limits.h"
#include "util/option-rules.h"
#include "util/size.h"
#include "util/spool.h"

static const char usage_text[] =
  "Usage: tracebridge-snapshot -o OUT [OPTION]... [INPUT]\n"
  "Make a snapshot, the folder OUT, of its parts: the memory and registers of a\n"
  "core, and the bytes of its trace.  What the parts do not tell of the trace, its\n"
  "format, the kind of the trace unit and its settings, is worked out from it, and\n"
  "told with what that rests on.\n"
  "\n"
  "INPUT is what tracebridge-convert reads, but for logs and trace files: a core\n"
  "file, a core dump of a kernel (Zephyr, Mynewt, NuttX), perf.data, a folder of\n"
  "Linux's trace buffers, or a snapshot that does not tell of its trace units; it is\n"
  "written with what was worked out.  Beside one without trace, such as a core file,\n"
  "--trace and --format can be given.  Else:\n"
  "\n"
  "      --core=[NAME=]TYPE a core, such as Cortex-M33 or ARMv8-A; what follows is of\n"
  "                         the last one\n"
  "      --ram=ADDRESS[,SPACE]@FILE\n"
  "                         its memory at the halt: the bytes of FILE are at ADDRESS\n"
  "      --registers=FILE   its registers at the halt, a line NAME=VALUE or NAME VALUE\n"
  "                         each, as of GDB's \"info registers\" or OpenOCD's \"reg\";\n"
  "                         or --registers=NAME=VALUE,...\n"
  "      --trace=FILE[@CORE]\n"
  "                         a trace buffer, of that core, the oldest byte first (a\n"
  "                         ring from the write pointer on: RWP); may be given\n"
  "                         several times\n"
  "      --format=WORD      what the buffers have, of all or one for each --trace in\n"
  "                         their order; else it is worked out:\n"
  TB_HELP_FORMATS
  "\n"
  "With both:\n"
  "      --elf=FILE[@CORE]  code of a program; what cannot be written there is written\n"
  "                         into OUT as memory\n"
  "      --protocol=TYPE    what sends the trace of which nothing is told: etmv3, ptm,\n"
  "                         etmv4, ete, mtb, itm or stm\n"
  "      --mtb=BASE,POSITION,MASTER[@CORE]\n"
  "                         the packets of an MTB are in the memory, where these\n"
  "                         values of its registers say, or all of --trace=FILE;\n"
  "                         else they are looked for.  Once for each core\n"
  "      --core-type=NAME   what kind of core a core file, a perf.data or a folder of\n"
  "                         Linux's trace buffers is of\n"
  "      --sysroot=FOLDER   where the files are that a perf.data has maps of\n"
  "  -o, --output=OUT       the folder; one that is there, with nothing but a snapshot\n"
  "                         written so, is replaced\n"
  "      --memory-limit=SIZE\n"
  "                         fail where more memory is needed: a number of bytes;\n"
  "                         K, M, G, T may follow (default: what the machine has)\n"
  "      --time-limit=SECONDS\n"
  "                         fail where it takes longer (default: none)\n"
  "  -q, --quiet            no warnings\n"
  "  -h, --help             print this help\n"
  "      --version          print the version\n"
  "\n"
  "Exit status: 0 done, 1 failed (nothing is written), 2 wrong command line.\n";

static _Noreturn void usage_error (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

static _Noreturn void
usage_error (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  fputs ("tracebridge-snapshot: ", stderr);
  vfprintf (stderr, format, arguments);
  fputs ("\nTry 'tracebridge-snapshot --help'.\n", stderr);
  va_end (arguments);
  exit (EXIT_USAGE);
}

static _Noreturn void
print_version (void)
{
  char *text = tb_version_text ("tracebridge-snapshot");
  if (text == NULL)
    usage_error ("no memory");
  fputs (text, stdout);
  free (text);
  exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
}

enum
{
  OPT_CORE = 256, OPT_RAM, OPT_REGISTERS, OPT_VERSION
};

static void
add_part (struct options *o, enum part_kind kind, const char *text)
{
  struct part *parts = realloc (o->parts, (o->nparts + 1) * sizeof *parts);
  if (parts == NULL)
    usage_error ("no memory");
  o->parts = parts;
  parts[o->nparts++] = (struct part) { kind, text };
}

/* What options have an effect on.  */
enum
{
  OF_ALL, OF_TRACE, OF_SOURCES, OF_INPUT
};

#define REFUSED TB_OPTION_REFUSED
#define ONCE TB_OPTION_ONCE
static const struct tb_option_rule rules[] = {
  { "output", OF_ALL, ONCE, NULL },
  { "format", OF_TRACE, REFUSED, NULL },
  { "protocol", OF_SOURCES, REFUSED | ONCE, NULL },
  { "mtb", OF_ALL, 0, NULL },
  { "core-type", OF_INPUT, REFUSED | ONCE, NULL },
  { "sysroot", OF_INPUT, REFUSED | ONCE, NULL },
  { "memory-limit", OF_ALL, ONCE, NULL },
  { "time-limit", OF_ALL, ONCE, NULL }
};

static bool
is_idle (const void *context, const struct tb_option_rule *rule, char *text, size_t size)
{
  const struct options *o = context;
  bool has_trace = o->shared.session.snapshot.beside.ntraces > 0;
  switch (rule->group)
    {
    case OF_TRACE:
      if (has_trace)
	return false;
      snprintf (text, size, "--%s has no effect %s", rule->name, o->input != NULL
		? "on an INPUT, which says it itself: the bytes of a buffer alone are "
		"--trace=FILE" : "without --trace=FILE");
      return true;
    case OF_SOURCES:
      if (has_trace || o->input != NULL)
	return false;
      snprintf (text, size, "--%s has no effect without --trace=FILE", rule->name);
      return true;
    case OF_INPUT:
      if (o->input != NULL)
	return false;
      snprintf (text, size, "--%s has no effect on parts; it is of an INPUT", rule->name);
      return true;
    default:
      return false;
    }
}

static const struct tb_option_rules option_rules
  = { rules, sizeof rules / sizeof rules[0], is_idle };

/* Note that OPTION, of TABLE, was given, if there is a rule of it.  */
static void
note_option (struct tb_options_given *given, int option, const struct option *table)
{
  for (; table->name != NULL; table++)
    for (size_t i = 0; table->val == option && i < option_rules.count; i++)
      if (strcmp (rules[i].name, table->name) == 0)
	tb_options_note (&option_rules, given, table->name);
}

/* How many parts of O are standard input.  */
static size_t
count_standard (const struct options *o)
{
  size_t count = o->input != NULL && strcmp (o->input, "-") == 0;
  for (size_t i = 0; i < o->nparts; i++)
    {
      const struct part *part = &o->parts[i];
      const char *at = part->kind == PART_RAM ? strchr (part->text, '@') : NULL;
      count += at != NULL && strcmp (at + 1, "-") == 0;
    }
  const struct tb_beside *beside = &o->shared.session.snapshot.beside;
  for (size_t i = 0; i < beside->ntraces; i++)
    count += strcmp (beside->traces[i], "-") == 0;
  return count;
}

static void
check (const struct options *o, const struct tb_options_given *given)
{
  const char *repeated = tb_options_repeated (&option_rules, given);
  if (repeated != NULL)
    usage_error ("--%s is given twice; expected one", repeated);
  if (o->output == NULL)
    usage_error ("expected -o OUT, the folder to write");
  if (o->input == NULL && o->nparts == 0 && o->shared.session.snapshot.beside.ntraces == 0)
    usage_error ("expected an INPUT, or parts: --core, --ram, --trace ...");
  if (o->input != NULL && o->nparts > 0)
    usage_error ("expected an INPUT or parts, found both: %s and --core, --ram or "
		 "--registers; beside an INPUT there can be --trace", o->input);
  if (count_standard (o) > 1)
    usage_error ("standard input (-) can be read once; found %zu INPUT, --ram and --trace of "
		 "that name",
		 count_standard (o));
  char idle[200];
  for (size_t i = 0; i < option_rules.count; i++)
    if (tb_options_idle (&option_rules, given, i, o, idle, sizeof idle))
      usage_error ("%s", idle);
  struct tb_buffer said = { 0 };
  if (!tb_shared_options_check (&o->shared, false, &said))
    usage_error ("%.*s", (int) said.size, said.failed ? "" : (const char *) said.data);
}

/* Take OPTION if it is one that all programs have.  */
static bool
take_shared (struct options *o, int option)
{
  struct tb_buffer said = { 0 };
  enum tb_option_fate fate = tb_shared_option_take (&o->shared, option, optarg, &said);
  if (said.failed)
    usage_error ("no memory");
  if (fate == TB_OPTION_WRONG)
    usage_error ("%.*s", (int) said.size, (const char *) said.data);
  return fate == TB_OPTION_TAKEN;
}

void
options_parse (struct options *o, int argc, char **argv)
{
  static const struct option table[] = {
    { "output", required_argument, NULL, 'o' },
    { "core", required_argument, NULL, OPT_CORE },
    { "ram", required_argument, NULL, OPT_RAM },
    { "registers", required_argument, NULL, OPT_REGISTERS },
    { "trace", required_argument, NULL, TB_OPTION_RAW_TRACE },
    { "format", required_argument, NULL, TB_OPTION_RAW_FORMAT },
    TB_OPTIONS_OF_INPUT,
    { "quiet", no_argument, NULL, 'q' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, OPT_VERSION },
    { NULL, 0, NULL, 0 }
  };
  *o = (struct options) { .shared = { .format_option = "format" } };
  argv[0] = (char *) "tracebridge-snapshot";
  char **given = argv;
  struct tb_buffer text = { 0 };
  const char *wrong = tb_arguments_expand (&argc, &argv, &text);
  o->arguments = argv != given ? argv : NULL;
  if (wrong != NULL)
    usage_error ("%s", wrong);
  tb_buffer_fini (&text);
  struct tb_options_given noted = { 0 };
  int option;
  while ((option = getopt_long (argc, argv, "ho:q", table, NULL)) != -1)
    {
      note_option (&noted, option, table);
      if (take_shared (o, option))
	continue;
      switch (option)
      {
      case 'o': o->output = optarg; break;
      case 'q': o->quiet = true; break;
      case OPT_CORE: add_part (o, PART_CORE, optarg); break;
      case OPT_RAM: add_part (o, PART_RAM, optarg); break;
      case OPT_REGISTERS: add_part (o, PART_REGISTERS, optarg); break;
      case 'h':
	fputs (usage_text, stdout);
	exit (fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED);
      case OPT_VERSION:
	print_version ();
      default:
	{
	  const char *like = tb_like_option (table, argv[optind - 1]);
	  if (like != NULL)
	    usage_error ("did you mean --%s?", like);
	  usage_error ("what is wrong was said above");
	}
      }
    }
  if (argc - optind > 1)
    usage_error ("expected one INPUT at most, found %d", argc - optind);
  o->input = optind < argc ? argv[optind] : NULL;
  /* Of what is read once there is one file at a time.  */
  o->shared.session.snapshot.beside.streams = o->input == NULL || !tb_spool_is_stream (o->input);
  check (o, &noted);
}

void
options_fini (struct options *o)
{
  free (o->parts);
  tb_shared_options_fini (&o->shared);
  freeargv (o->arguments);
}
