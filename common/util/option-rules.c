/* Which options of a command line have an effect.  See option-rules.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/option-rules.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The number of the option NAME.  */
static size_t
number_of (const struct tb_option_rules *r, const char *name)
{
  size_t i = 0;
  while (i < r->count && strcmp (r->rules[i].name, name) != 0)
    i++;
  assert (i < r->count && r->count <= TB_OPTION_RULES);
  return i;
}

void
tb_options_note (const struct tb_option_rules *r, struct tb_options_given *given,
		 const char *name)
{
  uint8_t *times = &given->times[number_of (r, name)];
  if (*times < 2)
    ++*times;
}

const char *
tb_options_repeated (const struct tb_option_rules *r,
		     const struct tb_options_given *given)
{
  for (size_t i = 0; i < r->count; i++)
    if (given->times[i] > 1 && (r->rules[i].flags & TB_OPTION_ONCE) != 0)
      return r->rules[i].name;
  return NULL;
}

bool
tb_options_idle (const struct tb_option_rules *r, const struct tb_options_given *given,
		 size_t number, const void *context, char *text, size_t size)
{
  const struct tb_option_rule *rule = &r->rules[number];
  if (given->times[number] == 0)
    return false;
  if (rule->needs != NULL && given->times[number_of (r, rule->needs)] == 0)
    {
      snprintf (text, size, "--%s has no effect without --%s", rule->name, rule->needs);
      return true;
    }
  return r->is_idle (context, rule, text, size);
}
