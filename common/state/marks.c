/* Marks on numbers.  See marks.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/marks.h"

#include <stdlib.h>
#include <string.h>

bool
tb_marks_room (struct tb_marks *m, size_t last)
{
  if (last >> 6 < m->room)
    return true;
  size_t room = ((last >> 6) + 64) & ~(size_t) 63, old = m->room;
  uint64_t *bits = realloc (m->bits, room * sizeof *bits);
  if (bits != NULL)
    m->bits = bits;
  uint64_t *groups = realloc (m->groups, room / 64 * sizeof *groups);
  if (groups != NULL)
    m->groups = groups;
  if (bits == NULL || groups == NULL)
    return false;
  memset (bits + old, 0, (room - old) * sizeof *bits);
  memset (groups + old / 64, 0, (room - old) / 64 * sizeof *groups);
  m->room = room;
  return true;
}

void
tb_marks_fini (struct tb_marks *m)
{
  free (m->bits);
  free (m->groups);
  *m = (struct tb_marks) { 0 };
}

/* The first bit of MAP (COUNT words) from AT on; false: there is none.  */
static bool
find_up (const uint64_t *map, size_t count, size_t at, size_t *found)
{
  size_t word = at >> 6;
  if (word >= count)
    return false;
  uint64_t bits = map[word] & UINT64_MAX << (at & 63);
  while (bits == 0)
    {
      if (++word >= count)
	return false;
      bits = map[word];
    }
  *found = word << 6 | (unsigned) __builtin_ctzll (bits);
  return true;
}

/* The last one before AT.  */
static bool
find_down (const uint64_t *map, size_t at, size_t *found)
{
  size_t word = at >> 6;
  uint64_t bits = (at & 63) != 0 ? map[word] & UINT64_MAX >> (64 - (at & 63))
		  : 0;
  while (bits == 0)
    {
      if (word-- == 0)
	return false;
      bits = map[word];
    }
  *found = word << 6 | (63 - (unsigned) __builtin_clzll (bits));
  return true;
}

/* The next mark from AT on in this direction.  */
static bool
find (const struct tb_marks *m, size_t *number)
{
  size_t word = m->at >> 6;
  uint64_t here = word < m->room ? m->bits[word] : 0;
  if (!m->backward)
    {
      here &= UINT64_MAX << (m->at & 63);
      if (here != 0)
	*number = word << 6 | (unsigned) __builtin_ctzll (here);
      else if (find_up (m->groups, m->room / 64, word + 1, &word))
	*number = word << 6 | (unsigned) __builtin_ctzll (m->bits[word]);
      else
	return false;
      return true;
    }
  here &= (m->at & 63) != 0 ? UINT64_MAX >> (64 - (m->at & 63)) : 0;
  if (here != 0)
    *number = word << 6 | (63 - (unsigned) __builtin_clzll (here));
  else if (find_down (m->groups, word, &word))
    *number = word << 6 | (63 - (unsigned) __builtin_clzll (m->bits[word]));
  else
    return false;
  return true;
}

bool
tb_marks_take (struct tb_marks *m, size_t *number)
{
  if (m->count == 0)
    return false;
  while (!find (m, number))
    m->backward = !m->backward;
  m->at = m->backward ? *number : *number + 1;
  tb_marks_clear (m, *number);
  return true;
}
