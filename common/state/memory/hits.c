/* Stores of unknown address that are in the way of what is read: could they have hit it?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   That a store went to a certain word says much: what it stored is what is read there, other
   accesses through the same pointer are near, and what memory holds there later has to fit.
   Where that is a contradiction for each address of the store that has a byte of the word,
   the store did not hit it, and what was there before counts.  */

#include "config.h"
#include "state/solver/graph-nodes.h"
#include "state/memory/hits.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that one trial looks at.  */
#define TRIAL 100

/* Of what may be spent this part is to begin with, and so much more where a suspect turns out
   to be none.  */
#define START 8
#define WIN 60

/* When values have been tried in between, it is begun again with at most so much, and so much
   more for each suspect that turned out to be none before.  With half of that a window of a
   kernel, with all assumptions, lost 3 % of what is known.  */
#define LATER 2000

/* How often the like of a suspect is tried in vain in one pass.  */
#define VAIN 2
/* And how often one is with one reader.  */
#define AGAIN 2

/* Accesses before the end that are looked at first.  */
#define TAIL 256

/* So many suspects cost as much.  */
#define LOOKS 6

/* The last trial for a reader.  */
struct tried
{
  uint32_t suspect;
  uint32_t wins;		/* Of HITS, then.  */
  uint8_t times, level;		/* So many with that suspect on this level.  */
};

struct hits
{
  struct tb_memory *memory;
  struct tried *tried;		/* By access, ROOM of them.  */
  size_t room;
  uint32_t wins;		/* Suspects that turned out to be none.  */
  uint8_t level;		/* How often the tail became longer.  */
  bool learned;			/* A source was found.  */
  size_t visits, more;		/* Left; what may be added.  */
  uint8_t often[1 << TB_LOOK_BITS];	/* Trials in vain, by the look of what is
					   tried.  */
};

/* Is it a contradiction that suspect S was to one of its addresses in WORD, and left there
   what X says in the bytes TODO?  */
static bool
refute (struct hits *h, uint32_t s, tb_word word, unsigned todo, const struct tb_known *x)
{
  struct tb_memory *m = h->memory;
  struct tb_graph *g = m->graph;
  const struct tb_mem_access *a = &m->accesses[s];
  tb_word address = word - tb_access_size (a) + 1;
  bool possible = false;
  for (; !possible && tb_memory_next_hit (m, s, word, todo, x, &address); address++)
    {
      size_t visits = h->visits < TRIAL ? h->visits : TRIAL;
      size_t looks = m->looks;
      h->visits -= visits;
      m->tries_hit = true;
      tb_graph_try (g, a->address, address, true, &visits);
      h->visits += visits;
      m->tries_hit = false;
      looks = (m->looks - looks) / LOOKS;
      h->visits -= looks < h->visits ? looks : h->visits;
      possible = !g->conflict || g->failed;
      tb_graph_undo (g);
    }
  return !possible;
}

/* Is suspect S in the way of reader ID worth a trial?  */
static bool
is_worth (struct hits *h, uint32_t id, uint32_t s)
{
  const struct tb_memory *m = h->memory;
  struct tried *t = &h->tried[id];
  if (m->accesses[s].kind != TB_MEM_STORE
      || !tb_graph_open (m->graph, m->accesses[s].address))
    return false;
  bool same = t->suspect == s, level = same && t->level == h->level;
  if ((same && t->wins == h->wins) || (level && t->times == AGAIN))
    return false;
  *t = (struct tried) { s, h->wins, level ? t->times + 1 : 1, h->level };
  return true;
}

/* Try the suspect that is in the way of ID; true if it is no longer.  */
static bool
try_one (struct hits *h, uint32_t id)
{
  struct tb_memory *m = h->memory;
  struct tb_mem_access *a = &m->accesses[id];
  uint32_t s = a->watch;
  if (a->todo == 0 || s == 0 || (a->kind != TB_MEM_LOAD && a->kind != TB_MEM_FINAL)
      || !is_worth (h, id, s))
    return false;
  uint8_t *often
    = &h->often[tb_graph_look (m->graph, m->accesses[s].address, id - s)];
  if (*often >= VAIN)
    return false;
  tb_word word = tb_word_at (m, tb_graph_known (m->graph, a->address).bits);
  struct tb_known x = tb_memory_in_word (m, id);
  unsigned todo = a->todo;
  if (!refute (h, s, word, todo, &x))
    {
      ++*often;
      return false;
    }
  *often = 0;
  h->wins++;
  size_t more = h->more < WIN ? h->more : WIN;
  h->visits += more;
  h->more -= more;
  a->scan = s - 1;
  a->watch = 0;
  tb_memory_resolve (m, id);
  h->learned |= m->accesses[id].todo != todo;
  tb_graph_solve (m->graph);
  return true;
}

/* Is there anything to try, and time for it?  */
static bool
goes_on (const struct hits *h)
{
  const struct tb_memory *m = h->memory;
  return h->visits > 0 && !m->graph->conflict && !m->graph->failed && !m->restart;
}

/* Try all readers and suspects from access FIRST on, what is near the end first.  */
static void
try_tail (struct hits *h, uint32_t first)
{
  const struct tb_memory *m = h->memory;
  size_t id = m->naccesses < h->room ? m->naccesses : h->room;
  memset (h->often, 0, sizeof h->often);
  while (goes_on (h) && id > 1 && id > first)
    if (m->accesses[id - 1].watch < first || !try_one (h, (uint32_t) id - 1))
      id--;
}

bool
tb_memory_try_hits (struct tb_memory *m, struct tb_hit_budget *budget, bool *learned)
{
  struct hits h = { .memory = m, .room = 2 * m->naccesses };
  uint32_t tail = TAIL, wins, first;
  *learned = false;
  /* Addresses of 64 bits may have tags; others have more than one for what they hit.  */
  if (m->graph->bits != 32 || m->bit_band || m->doubt & TB_PREMISE_ONE_ADDRESS
      || budget->visits == 0)
    return true;
  h.visits = budget->visits / START;
  if (h.visits > budget->first)
    h.visits = budget->first;
  h.more = budget->visits - h.visits;
  h.tried = calloc (h.room, sizeof *h.tried);
  m->graph->failed |= h.tried == NULL;
  /* Little is spent far from the end before all was found out that can be near it.  */
  for (first = 1; goes_on (&h) && (h.level == 0 || first > 1); h.level++, tail *= 2)
    {
      first = m->built > tail ? (uint32_t) m->built - tail : 1;
      do
	{
	  wins = h.wins;
	  try_tail (&h, first);
	}
      while (goes_on (&h) && h.wins != wins);
    }
  free (h.tried);
  *learned = h.learned;
  budget->visits = h.visits + h.more;
  budget->first = LATER * ((size_t) h.wins + 1);
  return !m->graph->failed;
}
