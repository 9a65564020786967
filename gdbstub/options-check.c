/* Which options go together, and with what is served.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <assert.h>
#include <string.h>

/* When an option has an effect.  */
static const struct rule
{
  const char *name;		/* "start=data": the option with that value.  */
  enum { ALWAYS, WITH_TRACE, NOT_STDIO } when;
  const char *needs;		/* And with this one; NULL: alone.  */
} rules[] = {
  { "listen", ALWAYS, NULL },
  { "once", NOT_STDIO, NULL },
  { "core", ALWAYS, NULL },
  { "source", WITH_TRACE, NULL },
  { "buffer", WITH_TRACE, NULL },
  { "elf", ALWAYS, NULL },
  { "svd", ALWAYS, NULL },
  { "tdesc", ALWAYS, NULL },
  { "accept-elf", WITH_TRACE, "elf" },
  { "allow-outside", ALWAYS, NULL },
  { "core-type", ALWAYS, NULL },
  { "mtb", ALWAYS, NULL },
  { "volatile", WITH_TRACE, NULL },
  { "private", WITH_TRACE, NULL },
  { "start", WITH_TRACE, NULL },
  { "start=data", ALWAYS, "elf" },
  { "space", ALWAYS, NULL },
  { "window", WITH_TRACE, NULL },
  { "ahead", WITH_TRACE, NULL },
  { "assume", WITH_TRACE, NULL },
  { "doubt", WITH_TRACE, NULL },
  { "jobs", WITH_TRACE, NULL },
  { "index", WITH_TRACE, NULL },
  { "unknown", ALWAYS, NULL },
  { "quiet", ALWAYS, NULL },
  { "verbose", ALWAYS, NULL },
  { "help", ALWAYS, NULL },
  { "version", ALWAYS, NULL }
};
#define RULES (sizeof rules / sizeof rules[0])

/* The number of NAME's rule.  */
static size_t
rule_of (const char *name)
{
  size_t i = 0;
  while (i < RULES && strcmp (rules[i].name, name) != 0)
    i++;
  assert (i < RULES && RULES <= 32);
  return i;
}

void
options_note (struct options *o, const char *name)
{
  o->given |= UINT32_C (1) << rule_of (name);
}

void
options_tell (const struct options *o, bool has_trace, struct tb_diag *diag)
{
  for (size_t i = 0; i < RULES; i++)
    {
      const struct rule *r = &rules[i];
      if (!(o->given >> i & 1))
	continue;
      if (r->needs != NULL && !(o->given >> rule_of (r->needs) & 1))
	tb_warning (diag, "--%s says nothing without --%s", r->name, r->needs);
      else if (r->when == WITH_TRACE && !has_trace)
	tb_warning (diag, "--%s says nothing to cores without trace, which are shown "
		    "as they were at the halt", r->name);
      else if (r->when == NOT_STDIO && o->listen.kind == ADDRESS_STDIO)
	tb_warning (diag, "--%s says nothing to --listen=stdio, which ends with its "
		    "one client", r->name);
    }
}
