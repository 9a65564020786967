/* Marks on numbers.  See marks.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/solver/marks.h"

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
  uint64_t *tops = realloc (m->tops, (room / 4096 + 1) * sizeof *tops);
  if (tops != NULL)
    m->tops = tops;
  if (bits == NULL || groups == NULL || tops == NULL)
    return false;
  memset (bits + old, 0, (room - old) * sizeof *bits);
  memset (groups + old / 64, 0, (room - old) / 64 * sizeof *groups);
  size_t old_tops = old != 0 ? old / 4096 + 1 : 0;
  memset (tops + old_tops, 0, (room / 4096 + 1 - old_tops) * sizeof *tops);
  m->room = room;
  return true;
}

void
tb_marks_fini (struct tb_marks *m)
{
  free (m->bits);
  free (m->groups);
  free (m->tops);
  *m = (struct tb_marks) { 0 };
}

/* The first bit of WORD from number AT on; 64: there is none.  */
static inline unsigned
first_from (uint64_t word, unsigned at)
{
  word &= at < 64 ? UINT64_MAX << at : 0;
  return word != 0 ? (unsigned) __builtin_ctzll (word) : 64;
}

/* The last one before AT; 64: there is none.  */
static inline unsigned
last_before (uint64_t word, unsigned at)
{
  word &= at != 0 ? UINT64_MAX >> (64 - at) : 0;
  return word != 0 ? 63 - (unsigned) __builtin_clzll (word) : 64;
}

/* The first mark from AT on.  */
static bool
find_up (const struct tb_marks *m, size_t *number)
{
  size_t word = m->at >> 6, group = word >> 6, top = group >> 6;
  if (word >= m->room)
    return false;
  unsigned bit = first_from (m->bits[word], m->at & 63);
  if (bit == 64)
    {
      unsigned next = first_from (m->groups[group], (word & 63) + 1);
      if (next == 64)
	{
	  unsigned far = first_from (m->tops[top], (group & 63) + 1);
	  while (far == 64)
	    {
	      if (++top > m->room / 4096)
		return false;
	      far = first_from (m->tops[top], 0);
	    }
	  group = top << 6 | far;
	  next = first_from (m->groups[group], 0);
	}
      word = group << 6 | next;
      bit = first_from (m->bits[word], 0);
    }
  *number = word << 6 | bit;
  return true;
}

/* The last one before AT.  */
static bool
find_down (const struct tb_marks *m, size_t *number)
{
  size_t word = m->at >> 6, group = word >> 6, top = group >> 6;
  unsigned bit = word < m->room ? last_before (m->bits[word], m->at & 63) : 64;
  if (bit == 64)
    {
      unsigned next = word < m->room
		      ? last_before (m->groups[group], word & 63) : 64;
      if (next == 64)
	{
	  unsigned far = last_before (m->tops[top], group & 63);
	  while (far == 64)
	    {
	      if (top-- == 0)
		return false;
	      far = last_before (m->tops[top], 64);
	    }
	  group = top << 6 | far;
	  next = last_before (m->groups[group], 64);
	}
      word = group << 6 | next;
      bit = last_before (m->bits[word], 64);
    }
  *number = word << 6 | bit;
  return true;
}

bool
tb_marks_take (struct tb_marks *m, size_t *number)
{
  if (m->count == 0)
    return false;
  while (!(m->backward ? find_down (m, number) : find_up (m, number)))
    m->backward = !m->backward;
  m->at = m->backward ? *number : *number + 1;
  tb_marks_clear (m, *number);
  return true;
}
