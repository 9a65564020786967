/* How the names before and after a step differ.  See walk-moves.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/walk-moves.h"

#include "state/solver/graph.h"
#include "util/buffer.h"

_Static_assert (TB_WALK_MADE >> TB_VALUE_BITS != 0, "Values have lower numbers.");

/* What kind of word X is; 3: it should not be.  */
static unsigned
kind_of (uint32_t x, uint32_t end)
{
  if (x >= TB_WALK_STANDS && x < TB_WALK_STANDS + TB_WALK_WORDS)
    return 0;
  if (x >= TB_WALK_MADE && x < end)
    return 1;
  return x == 0 || x & TB_CONSTANT ? 2 : 3;
}

bool
tb_walk_moves_note (struct tb_walk_pool *pool, struct tb_walk_moves *moves,
		    const uint32_t *words, const uint32_t *before, size_t n,
		    uint32_t end, uint64_t *changed)
{
  static const uint32_t bases[3] = { TB_WALK_STANDS, TB_WALK_MADE, 0 };
  uint8_t *counts[3] = { &moves->ncopies, &moves->nnew, &moves->nfixed };
  *changed = 0;
  if (!TB_GROW (pool->moves, pool->room, pool->count, n))
    return false;
  moves->first = (uint32_t) pool->count;
  for (unsigned kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < n; i++)
      {
	unsigned is = kind_of (words[i], end);
	if (words[i] == before[i])
	  continue;
	if (is == 3)
	  return false;
	if (is != kind)
	  continue;
	*changed |= UINT64_C (1) << i;
	pool->moves[pool->count++] = (struct tb_walk_move) {
	  .to = (uint32_t) i, .from = words[i] - bases[kind]
	};
	++*counts[kind];
      }
  return true;
}
