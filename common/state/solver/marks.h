/* Marks on numbers, taken off in their order, forward and backward in turns.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_SOLVER_MARKS_H
#define TB_STATE_SOLVER_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tb_marks
{
  uint64_t *bits;		/* One for each number, ...  */
  uint64_t *groups;		/* ... for each word of those that is not 0, ...  */
  uint64_t *tops;		/* ... and for each word of these.  */
  size_t room;			/* Words of BITS.  */
  size_t count;			/* That are marked.  */
  size_t at;			/* They are taken from here ...  */
  bool backward;		/* ... in this direction.  */
};

/* Room for the numbers up to LAST.  False, and nothing changed, without memory.  */
bool tb_marks_room (struct tb_marks *marks, size_t last);

void tb_marks_fini (struct tb_marks *marks);

/* Bytes that MARKS has.  */
static inline size_t
tb_marks_bytes (const struct tb_marks *marks)
{
  return (marks->room + marks->room / 64 + marks->room / 4096 + 1)
	 * sizeof *marks->bits;
}

static inline bool
tb_marks_has (const struct tb_marks *marks, size_t number)
{
  return marks->bits[number >> 6] >> (number & 63) & 1;
}

static inline void
tb_marks_set (struct tb_marks *marks, size_t number)
{
  uint64_t *word = &marks->bits[number >> 6];
  uint64_t bit = UINT64_C (1) << (number & 63);
  if (*word & bit)
    return;
  *word |= bit;
  marks->groups[number >> 12] |= UINT64_C (1) << (number >> 6 & 63);
  marks->tops[number >> 18] |= UINT64_C (1) << (number >> 12 & 63);
  marks->count++;
}

/* NUMBER, which is marked, is so no longer.  */
static inline void
tb_marks_clear (struct tb_marks *marks, size_t number)
{
  uint64_t *word = &marks->bits[number >> 6];
  *word &= ~(UINT64_C (1) << (number & 63));
  marks->count--;
  if (*word != 0)
    return;
  marks->groups[number >> 12] &= ~(UINT64_C (1) << (number >> 6 & 63));
  if (marks->groups[number >> 12] == 0)
    marks->tops[number >> 18] &= ~(UINT64_C (1) << (number >> 12 & 63));
}

/* Take off the mark that comes next; false: there is none.  */
bool tb_marks_take (struct tb_marks *marks, size_t *number);

#endif /* TB_STATE_SOLVER_MARKS_H */
