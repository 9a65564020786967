/* Names of what GDB is shown of unknown registers.  See options.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <string.h>

static const char *const policies[] = {
  [UNKNOWN_AUTO] = "auto", [UNKNOWN_EXACT] = "exact",
  [UNKNOWN_NAVIGABLE] = "navigable", [UNKNOWN_FILLED] = "filled"
};

bool
policy_parse (const char *name, enum unknown_policy *policy)
{
  for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
    if (strcmp (name, policies[i]) == 0)
      {
	*policy = (enum unknown_policy) i;
	return true;
      }
  return false;
}

const char *
policy_name (enum unknown_policy policy)
{
  return policies[policy];
}
