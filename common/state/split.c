/* Solving a window; case split: what has few possible values is tried with each
   of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A value that leads to a contradiction is not the one; what all that are left
   lead to is so.  A trial looks at nodes nearby only, and learns nothing new of
   memory but constants.  */

#include "config.h"
#include "state/memory.h"

#include <stdlib.h>
#include <string.h>

/* The most values of what is split.  */
#define FEW 64

/* Nodes that one trial looks at, and all trials of one value together.  */
#define VISITS_TRIAL 3000
#define VISITS_SPLIT 20000

/* Words of memory with a history, beyond which no more are made for trials.  */
#define CELLS 50000

/* What all trials so far made of a value.  */
struct outcome
{
  tb_vid id;			/* 0: free.  */
  unsigned trials;		/* That touched it.  */
  struct tb_known known;
};

#define OUTCOMES 16384		/* A power of two, above twice VISITS_TRIAL.  */

struct split
{
  struct tb_graph *graph;
  struct outcome *table;
  uint32_t *touched;		/* Places in TABLE, by the first trial.  */
  size_t ntouched;
  size_t visits;		/* Left.  */
};

static struct outcome *
find (const struct split *s, tb_vid id)
{
  size_t at = (id * UINT32_C (2654435761) >> 8) & (OUTCOMES - 1);
  while (s->table[at].id != 0 && s->table[at].id != id)
    at = (at + 1) & (OUTCOMES - 1);
  return &s->table[at];
}

static struct tb_known
either (struct tb_known a, struct tb_known b)
{
  tb_word same = a.mask & b.mask & ~(a.bits ^ b.bits);
  return (struct tb_known) { same, a.bits & same, a.lo < b.lo ? a.lo : b.lo,
			     a.hi > b.hi ? a.hi : b.hi };
}

/* Note what the trial made of what it touched; TRIALS were there before.  */
static void
note_outcome (struct split *s, unsigned trials)
{
  const struct tb_graph *g = s->graph;
  for (size_t i = 0; i < g->nundo; i++)
    {
      tb_vid id = g->undo[i].id;
      struct outcome *o = find (s, id);
      if (trials == 0 && o->id == 0 && s->ntouched < OUTCOMES / 2)
	{
	  *o = (struct outcome) { id, 1, tb_graph_known (g, id) };
	  s->touched[s->ntouched++] = (uint32_t) (o - s->table);
	}
      else if (o->id != 0 && o->trials == trials)
	{
	  o->known = either (o->known, tb_graph_known (g, id));
	  o->trials++;
	}
    }
}

/* Is the value K one of few?  They are in VALUES then; how many, else 0.  */
static unsigned
list_values (struct tb_known k, tb_word *values)
{
  unsigned n = 0;
  if (k.hi - k.lo < FEW)
    {
      for (tb_word v = k.lo;; v++)
	{
	  if (((v ^ k.bits) & k.mask) == 0)
	    values[n++] = v;
	  if (v == k.hi)
	    return n;
	}
    }
  tb_word open = ~k.mask, v = 0;
  if (__builtin_popcountll (open) > 6)
    return 0;
  do
    {
      tb_word value = k.bits | v;
      if (value >= k.lo && value <= k.hi)
	values[n++] = value;
      v = (v - open) & open;
    }
  while (v != 0);
  return n;
}

/* Apply what was learned of ID; true if it is new.  */
static bool
learn (struct tb_graph *g, tb_vid id, struct tb_known k)
{
  struct tb_known old = tb_graph_known (g, id);
  g->cause = TB_CAUSE_SPLIT;
  tb_graph_refine (g, id, k);
  struct tb_known now = tb_graph_known (g, id);
  return now.mask != old.mask || now.lo != old.lo || now.hi != old.hi;
}

/* Try the N values of ID; true if anything was learned.  */
static bool
try_values (struct split *s, tb_vid id, const tb_word *values, unsigned n)
{
  struct tb_graph *g = s->graph;
  size_t budget = s->visits < VISITS_SPLIT ? s->visits : VISITS_SPLIT;
  unsigned possible = 0, tried = 0;
  bool learned = false;

  s->visits -= budget;
  s->ntouched = 0;
  for (; tried < n && budget > 0 && !g->failed; tried++)
    {
      size_t visits = budget < VISITS_TRIAL ? budget : VISITS_TRIAL;
      budget -= visits;
      tb_graph_try (g, id, values[tried], &visits);
      budget += visits;
      /* What a trial that was cut short has found so far is so, too.  */
      if (!g->conflict && !g->failed)
	note_outcome (s, possible++);
      tb_graph_undo (g);
    }
  s->visits += budget;
  bool complete = tried == n && !g->failed;
  if (complete && possible == 0)
    g->conflict = true;
  for (size_t i = 0; i < s->ntouched; i++)
    {
      struct outcome *o = &s->table[s->touched[i]];
      if (complete && !g->conflict && o->trials == possible
	  && learn (g, o->id, o->known))
	learned = true;
      o->id = 0;
    }
  return learned;
}

/* Try what has few values, looking at *VISITS nodes at most (it becomes what is
   left); *LEARNED: anything came of it.  False without memory.  */
static bool
split (struct tb_memory *memory, size_t *visits, bool *learned)
{
  struct tb_graph *g = memory->graph;
  struct split s = { .graph = g, .visits = *visits };
  s.table = calloc (OUTCOMES, sizeof *s.table);
  s.touched = malloc (OUTCOMES * sizeof *s.touched);
  bool again = s.table != NULL && s.touched != NULL;
  if (!again)
    g->failed = true;
  *learned = false;
  for (uint32_t id = (uint32_t) memory->built;
       id > 0 && memory->ncells < CELLS && again; id--)
    tb_memory_prepare (memory, id, FEW);
  tb_graph_solve (g);
  while (again && !g->conflict && !g->failed && s.visits > 0)
    {
      again = false;
      /* What is near the end first.  */
      for (tb_vid id = (tb_vid) g->nvalues; --id > 0 && s.visits > 0;)
	{
	  tb_word values[FEW];
	  if (!tb_graph_open (g, id) || g->values[id].users == 0)
	    continue;
	  unsigned n = list_values (tb_graph_known (g, id), values);
	  if (n == 0 || !try_values (&s, id, values, n))
	    continue;
	  again = *learned = true;
	  tb_graph_solve (g);
	  if (g->conflict || g->failed || memory->restart)
	    break;
	}
      again &= !memory->restart;
    }
  free (s.table);
  free (s.touched);
  *visits = s.visits;
  return !g->failed;
}

/* How often values are tried, as each time may free some more pointers.  */
#define ROUNDS 4

/* Tie what is on stacks until nothing more comes of it.  */
static void
tie_stack (struct tb_memory *m)
{
  struct tb_graph *g = m->graph;
  size_t tied = 1;
  for (unsigned i = 0; i < TB_STACK_ROUNDS && tied != 0 && !g->conflict
       && !g->failed && !m->restart; i++)
    if (tb_stack_tie (m, &tied))
      tb_graph_solve (g);
}

bool
tb_memory_solve (struct tb_memory *m)
{
  struct tb_graph *g = m->graph;
  bool learned = true;
  size_t visits = m->visits;
  tb_graph_solve (g);
  tie_stack (m);
  for (unsigned i = 0; i < ROUNDS && learned && !g->conflict && !g->failed
       && !m->restart; i++)
    if (split (m, &visits, &learned) && learned)
      tie_stack (m);
  return !g->failed;
}
