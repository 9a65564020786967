/* What a step does to names, found out by naming it with others.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The names of a step are words: numbers of values and of constants (graph.h).
   Naming a step with words that stand for any numbers shows, for each word that
   changes, whether it becomes one that was there, a number that is given then, or
   always the same constant (or 0).  */

#ifndef TB_STATE_WINDOW_WALK_MOVES_H
#define TB_STATE_WINDOW_WALK_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands for word I is TB_WALK_STANDS + I; the first number that is given is
   TB_WALK_MADE.  No window has as many values.  */
#define TB_WALK_STANDS UINT32_C (0x40000000)
#define TB_WALK_MADE UINT32_C (0x20000000)
#define TB_WALK_WORDS 64	/* No more.  */

/* Word TO becomes word FROM, number FROM of those given, or FROM.  */
struct tb_walk_move
{
  uint32_t to, from;
};

struct tb_walk_pool
{
  struct tb_walk_move *moves;
  size_t count, room;
};

/* So many of each kind, in that order, from FIRST on.  */
struct tb_walk_moves
{
  uint32_t first;
  uint8_t ncopies, nnew, nfixed;
};

/* Note in MOVES how the N words WORDS differ from BEFORE, when numbers up to END were
   given.  *CHANGED: a bit for each word.  False without memory, or if there is
   another kind of difference.  */
bool tb_walk_moves_note (struct tb_walk_pool *pool,
			 struct tb_walk_moves *moves, const uint32_t *words,
			 const uint32_t *before, size_t n, uint32_t end,
			 uint64_t *changed);

/* Do them to WORDS; numbers are given from NEXT on.  */
static inline void
tb_walk_moves_do (const struct tb_walk_pool *pool,
		  const struct tb_walk_moves *moves, uint32_t *words,
		  uint32_t next)
{
  const struct tb_walk_move *m = pool->moves + moves->first;
  uint32_t copies[TB_WALK_WORDS];
  for (unsigned k = 0; k < moves->ncopies; k++)
    copies[k] = words[m[k].from];
  for (unsigned k = 0; k < moves->ncopies; k++)
    words[m[k].to] = copies[k];
  m += moves->ncopies;
  for (unsigned k = 0; k < moves->nnew; k++)
    words[m[k].to] = next + m[k].from;
  m += moves->nnew;
  for (unsigned k = 0; k < moves->nfixed; k++)
    words[m[k].to] = m[k].from;
}

#endif /* TB_STATE_WINDOW_WALK_MOVES_H */
