/* Names that options and monitor commands choose by.  See options.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options.h"

#include <string.h>

static const struct tb_word policies[] = {
  { "auto", UNKNOWN_AUTO }, { "exact", UNKNOWN_EXACT },
  { "navigable", UNKNOWN_NAVIGABLE }, { "filled", UNKNOWN_FILLED }, { NULL, 0 }
};
static const struct tb_word modes[] = {
  { "auto", CONFINE_AUTO }, { "must", CONFINE_MUST }, { "off", CONFINE_OFF }, { NULL, 0 }
};
static const struct tb_word threads[] = {
  { "none", 0 }, { "cores", THREADS_CORES }, { "tasks", THREADS_TASKS }, { NULL, 0 }
};

bool
policy_parse (const char *name, enum unknown_policy *policy)
{
  const struct tb_word *word = tb_word_find (policies, name);
  if (word != NULL)
    *policy = (enum unknown_policy) word->value;
  return word != NULL;
}

const char *
policy_name (enum unknown_policy policy)
{
  return tb_word_of (policies, (int) policy)->name;
}

bool
confine_parse (const char *name, enum confine_mode *mode)
{
  const struct tb_word *word = tb_word_find (modes, name);
  if (word != NULL)
    *mode = (enum confine_mode) word->value;
  return word != NULL;
}

bool
threads_policy_parse (const char *names, unsigned *policy)
{
  const char *wrong;
  int length;
  *policy = 0;
  /* Nothing else goes with "none".  */
  return tb_words_bits (threads, names, policy, &wrong, &length)
	 && (*policy == 0 ? strcmp (names, "none") == 0 : strstr (names, "none") == NULL);
}
