/* Words and numbers of scenarios.  See scenario.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "scenario-internal.h"

const char *
scenario_blanks (const char *text)
{
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

bool
scenario_next_word (const char **text, char *word, size_t size)
{
  const char *at = scenario_blanks (*text);
  size_t n = strcspn (at, " \t,");
  if (n == 0 || n >= size)
    return false;
  memcpy (word, at, n);
  word[n] = '\0';
  *text = at + n;
  return true;
}

static uint64_t
term (const struct scenario *s, const char *text, size_t length)
{
  char word[32];
  if (length == 0 || length >= sizeof word)
    scenario_bad (s, "a number is expected: %s", text);
  memcpy (word, text, length);
  word[length] = '\0';
  if (isdigit ((unsigned char) word[0]))
    {
      char *end;
      uint64_t value = strtoull (word, &end, 0);
      if (*end != '\0')
	scenario_bad (s, "not a number: %s", word);
      return value;
    }
  if (strcmp (word, "end") == 0)
    return s->f->info.steps;
  for (unsigned i = 0; i < s->nnames; i++)
    if (strcmp (s->names[i].text, word) == 0)
      return s->names[i].value;
  scenario_bad (s, "nothing is called %s", word);
}

uint64_t
scenario_number (const struct scenario *s, const char *text)
{
  uint64_t sum = 0;
  bool minus = false;
  for (;;)
    {
      size_t length = strcspn (text, "+-");
      uint64_t value = term (s, text, length);
      sum += minus ? -value : value;
      if (text[length] == '\0')
	return sum;
      minus = text[length] == '-';
      text += length + 1;
    }
}

uint64_t
scenario_next_number (const struct scenario *s, const char **text)
{
  char word[64];
  if (!scenario_next_word (text, word, sizeof word))
    scenario_bad (s, "a number is missing");
  return scenario_number (s, word);
}

static void
set_name (struct scenario *s, const char *text, size_t length, uint64_t value)
{
  if (s->nnames == NAMES || length >= sizeof s->names[0].text)
    scenario_bad (s, "too many names, or too long");
  struct name *n = &s->names[s->nnames++];
  memcpy (n->text, text, length);
  n->text[length] = '\0';
  n->value = value;
}

const char *
scenario_named (struct scenario *s, const char *text, uint64_t value)
{
  text = scenario_blanks (text);
  size_t n = strcspn (text, " \t:");
  if (text[n] != ':')
    return text;
  set_name (s, text, n, value);
  return scenario_blanks (text + n + 1);
}

unsigned
scenario_choice (const struct scenario *s, const char *word, const char *const *names)
{
  for (unsigned i = 0; names[i] != NULL; i++)
    if (strcmp (word, names[i]) == 0)
      return i;
  scenario_bad (s, "not understood: %s", word);
}
