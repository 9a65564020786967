/* Which options go together, and with what is served.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <stdio.h>

/* When an option has an effect: the groups of the rules.  */
enum { ALWAYS, WITH_TRACE, NOT_STDIO };

/* What is served.  */
struct served
{
  const struct options *options;
  bool has_trace;
};

static const struct tb_option_rule table[] = {
  { "listen", ALWAYS, 0, NULL },
  { "once", NOT_STDIO, 0, NULL },
  { "threads", ALWAYS, 0, NULL },
  { "confine", ALWAYS, TB_OPTION_ONCE, NULL },
  { "time-limit", ALWAYS, TB_OPTION_ONCE, NULL },
  { "idle-limit", NOT_STDIO, TB_OPTION_ONCE, NULL },
  { "core", ALWAYS, 0, NULL },
  { "source", WITH_TRACE, 0, NULL },
  { "buffer", WITH_TRACE, 0, NULL },
  { "elf", ALWAYS, 0, NULL },
  { "svd", ALWAYS, TB_OPTION_ONCE, NULL },
  { "tdesc", ALWAYS, TB_OPTION_ONCE, NULL },
  { "accept-elf", WITH_TRACE, 0, "elf" },
  { "allow-outside", ALWAYS, 0, NULL },
  { "core-type", ALWAYS, TB_OPTION_ONCE, NULL },
  { "sysroot", ALWAYS, TB_OPTION_ONCE, NULL },
  { "recordings", ALWAYS, 0, NULL },
  { "mtb", ALWAYS, 0, NULL },
  { "raw-trace", ALWAYS, 0, NULL },
  { "raw-format", ALWAYS, 0, "raw-trace" },
  { "protocol", ALWAYS, TB_OPTION_ONCE, NULL },
  { "timestamp-frequency", ALWAYS, TB_OPTION_ONCE, NULL },
  { "local-frequency", ALWAYS, TB_OPTION_ONCE, NULL },
  { "core-frequency", ALWAYS, TB_OPTION_ONCE, NULL },
  { "itm-aligned", ALWAYS, 0, NULL },
  { "volatile", WITH_TRACE, 0, NULL },
  { "private", WITH_TRACE, 0, NULL },
  { "start", WITH_TRACE, 0, NULL },
  { "start=data", ALWAYS, 0, "elf" },
  { "space", ALWAYS, 0, NULL },
  { "window", WITH_TRACE, 0, NULL },
  { "memory-limit", WITH_TRACE, 0, NULL },
  { "ahead", WITH_TRACE, 0, NULL },
  { "assume", WITH_TRACE, 0, NULL },
  { "doubt", WITH_TRACE, 0, NULL },
  { "jobs", WITH_TRACE, 0, NULL },
  { "index", WITH_TRACE, 0, NULL },
  { "index-block", WITH_TRACE, TB_OPTION_ONCE, NULL },
  { "unknown", ALWAYS, 0, NULL },
  { "quiet", ALWAYS, 0, NULL },
  { "verbose", ALWAYS, 0, NULL },
  { "help", ALWAYS, 0, NULL },
  { "version", ALWAYS, 0, NULL }
};

/* tb_option_rules, of struct served.  */
static bool
is_idle (const void *context, const struct tb_option_rule *r, char *text, size_t size)
{
  const struct served *served = context;
  bool idle = r->group == WITH_TRACE ? !served->has_trace
	      : r->group == NOT_STDIO
		&& served->options->listen.kind == ADDRESS_STDIO;
  if (idle)
    snprintf (text, size, r->group == WITH_TRACE
	      ? "--%s has no effect on cores without trace, which are shown as they "
		"were at the halt"
	      : "--%s has no effect on --listen=stdio, which ends with its one client",
	      r->name);
  return idle;
}

static const struct tb_option_rules rules
  = { table, sizeof table / sizeof table[0], is_idle };

void
options_note (struct options *o, const char *name)
{
  tb_options_note (&rules, &o->given, name);
}

const char *
options_repeated (const struct options *o)
{
  return tb_options_repeated (&rules, &o->given);
}

void
options_tell (const struct options *o, bool has_trace, struct tb_diag *diag)
{
  const struct served served = { o, has_trace };
  char text[200];
  for (size_t i = 0; i < rules.count; i++)
    if (tb_options_idle (&rules, &o->given, i, &served, text, sizeof text))
      tb_warning (diag, "%s", text);
}
