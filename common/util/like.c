/* What a user may have meant.  See like.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/like.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* More changes than these make another word.  */
#define CHANGES 2

static bool
is_same (char a, char b)
{
  return tolower ((unsigned char) a) == tolower ((unsigned char) b);
}

size_t
tb_like_distance (const char *a, size_t na, const char *b, size_t nb)
{
  /* What it takes to make beginnings of B of the first I - 2, I - 1 and I characters
     of A.  */
  size_t rows[3][TB_LIKE_LENGTH + 1], *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t k = 0; k <= nb; k++)
    row[k] = k;
  for (size_t i = 1; i <= na; i++)
    {
      size_t *oldest = before;
      before = above;
      above = row;
      row = oldest;
      row[0] = i;
      for (size_t k = 1; k <= nb; k++)
	{
	  size_t least = above[k - 1] + !is_same (a[i - 1], b[k - 1]);
	  if (above[k] + 1 < least)
	    least = above[k] + 1;
	  if (row[k - 1] + 1 < least)
	    least = row[k - 1] + 1;
	  if (i > 1 && k > 1 && is_same (a[i - 1], b[k - 2]) && is_same (a[i - 2], b[k - 1])
	      && before[k - 2] + 1 < least)
	    least = before[k - 2] + 1;
	  row[k] = least;
	}
    }
  return row[nb];
}

/* Is NAME nearer to the LENGTH characters WORD than *LEAST changes?  Then these are
   how many.  Of a short word little may be changed.  */
static bool
is_nearer (const char *name, const char *word, size_t length, size_t *least)
{
  size_t other = strlen (name);
  size_t away = other > TB_LIKE_LENGTH || length > TB_LIKE_LENGTH ? *least
		: tb_like_distance (word, length, name, other);
  if (away >= *least || 2 * away >= length)
    return false;
  *least = away;
  return true;
}

const char *
tb_like_word (const char *const *names, size_t count, const char *word, size_t length)
{
  const char *best = NULL;
  size_t least = CHANGES + 1;
  for (size_t i = 0; i < count; i++)
    if (is_nearer (names[i], word, length, &least))
      best = names[i];
  return best;
}

const char *
tb_like_option (const struct option *table, const char *word)
{
  const char *best = NULL;
  size_t least = CHANGES + 1;
  if (strncmp (word, "--", 2) != 0)
    return NULL;
  word += 2;
  size_t length = strcspn (word, "=");
  for (const struct option *o = table; o->name != NULL; o++)
    if (strncmp (o->name, word, length) == 0)
      return NULL;
    else if (is_nearer (o->name, word, length, &least))
      best = o->name;
  return best;
}
