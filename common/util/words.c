/* Words that stand for values.  See words.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/words.h"

#include <string.h>

/* The word of LENGTH characters at NAME.  */
static const struct tb_word *
find (const struct tb_word *words, const char *name, size_t length)
{
  for (; words->name != NULL; words++)
    if (strlen (words->name) == length && memcmp (words->name, name, length) == 0)
      return words;
  return NULL;
}

const struct tb_word *
tb_word_find (const struct tb_word *words, const char *name)
{
  return find (words, name, strlen (name));
}

const struct tb_word *
tb_word_of (const struct tb_word *words, int value)
{
  for (; words->name != NULL; words++)
    if (words->value == value)
      return words;
  return NULL;
}

void
tb_words_list (const struct tb_word *words, struct tb_buffer *text)
{
  for (const struct tb_word *w = words; w->name != NULL; w++)
    tb_buffer_printf (text, "%s%s", w == words ? "" : w[1].name != NULL ? ", " : " or ",
		      w->name);
}

bool
tb_words_bits (const struct tb_word *words, const char *text, unsigned *bits,
	       const char **wrong, int *length)
{
  do
    {
      size_t n = strcspn (text, ",");
      const struct tb_word *w = find (words, text, n);
      if (w == NULL)
	{
	  *wrong = text;
	  *length = (int) n;
	  return false;
	}
      *bits |= (unsigned) w->value;
      text += n;
    }
  while (*text++ != '\0');
  return true;
}
