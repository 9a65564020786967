/* Names that options and monitor commands choose by.  See options.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <string.h>

#include "state/state.h"

static const char *const policies[] = {
  [UNKNOWN_AUTO] = "auto", [UNKNOWN_EXACT] = "exact",
  [UNKNOWN_NAVIGABLE] = "navigable", [UNKNOWN_FILLED] = "filled"
};
static const char *const modes[] = {
  [CONFINE_AUTO] = "auto", [CONFINE_MUST] = "must", [CONFINE_OFF] = "off"
};
/* THREADS_AUTO has no name.  */
static const char *const threads[] = {
  [THREADS_NONE] = "none", [THREADS_CORES] = "cores"
};
static const char *const assumptions[] = { "aapcs", "halt", "constants", "tasks" };
static const unsigned assumption_bits[] = {
  TB_ASSUME_AAPCS, TB_ASSUME_HALT, TB_ASSUME_CONSTANTS, TB_ASSUME_TASKS
};

#define COUNT(names) (sizeof (names) / sizeof (names)[0])

/* The number of NAME among COUNT NAMES; COUNT: there is none.  */
static size_t
find (const char *name, const char *const *names, size_t count)
{
  size_t i = 0;
  while (i < count && (names[i] == NULL || strcmp (name, names[i]) != 0))
    i++;
  return i;
}

bool
policy_parse (const char *name, enum unknown_policy *policy)
{
  size_t i = find (name, policies, COUNT (policies));
  if (i < COUNT (policies))
    *policy = (enum unknown_policy) i;
  return i < COUNT (policies);
}

const char *
policy_name (enum unknown_policy policy)
{
  return policies[policy];
}

bool
confine_parse (const char *name, enum confine_mode *mode)
{
  size_t i = find (name, modes, COUNT (modes));
  if (i < COUNT (modes))
    *mode = (enum confine_mode) i;
  return i < COUNT (modes);
}

bool
thread_policy_parse (const char *name, enum thread_policy *policy)
{
  size_t i = find (name, threads, COUNT (threads));
  if (i < COUNT (threads))
    *policy = (enum thread_policy) i;
  return i < COUNT (threads);
}

unsigned
assumption_parse (const char *name)
{
  size_t i = find (name, assumptions, COUNT (assumptions));
  return i < COUNT (assumptions) ? assumption_bits[i] : 0;
}

const char *
assumption_name (unsigned number)
{
  return number < COUNT (assumptions) ? assumptions[number] : NULL;
}
