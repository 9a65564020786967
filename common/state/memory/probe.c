/* Solving a window; case split: what has few possible values is tried with each
   of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A value that leads to a contradiction is not the one; what all that are left
   lead to is so.  A trial looks at nodes nearby only, and leaves nothing in memory
   (trial.c).

   Most trials are in vain, so what counts is which need not be made: those of what
   another vain trial has decided, and those of what looks as others that were in vain
   (in a loop most turns look the same).  */

#include "config.h"
#include "state/solver/graph-nodes.h"
#include "state/memory/hits.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* The most values of what is split.  */
#define FEW 64

/* What is spent: nodes that one trial looks at, and all trials of one value together.
   Little is spent everywhere before more is anywhere.  */
struct level
{
  bool exact;			/* See tb_graph_try.  */
  unsigned trial, value;
};

static const struct level levels[] = {
  { true, 60, 400 }, { false, 60, 400 }, { true, 3000, 20000 },
  { false, 3000, 20000 }
};

/* What is spent on values that are worth it wherever they are: so much on each, and of all
   that may be spent this part where nothing comes of it.  */
static const struct level worth = { false, 200, 3200 };
#define WORTH_PART 8

/* How often the like of a value is tried in vain on one level.  */
#define VAIN 2

/* Words of memory with a history, beyond which no more are made for trials.  */
#define CELLS 50000

/* What all trials so far made of a value.  */
struct outcome
{
  tb_vid id;
  unsigned trials : 31;		/* That touched it.  */
  unsigned all : 1;		/* In each of them it was wholly known.  */
  struct tb_known known;
};

/* Outcomes that are kept at most, of those of the first trial.  */
#define OUTCOMES 8192

struct split
{
  struct tb_graph *graph;
  struct outcome *outcomes;
  size_t count, room;
  uint32_t *table;		/* Hash: number of the outcome + 1.  */
  size_t size;			/* A power of two.  */
  const struct level *level;
  /* A bit for each value: nothing came of it whatever would be spent, by whether it
     was exact; it may have few values; and it was not tried on this level.  */
  uint64_t *failed[2], *chosen, *few;
  tb_vid end;			/* They are for the values before this one.  */
  uint8_t *vain;		/* How often on this level, by look.  */
  bool was_cut;			/* The last value: trials did not come to their end.  */
  size_t visits;		/* Left.  */
};

/* The place in the hash of ID.  */
static uint32_t *
find (const struct split *s, tb_vid id)
{
  size_t at = (id * UINT32_C (2654435761) >> 8) & (s->size - 1);
  while (s->table[at] != 0 && s->outcomes[s->table[at] - 1].id != id)
    at = (at + 1) & (s->size - 1);
  return &s->table[at];
}

static struct tb_known
either (struct tb_known a, struct tb_known b)
{
  tb_word same = a.mask & b.mask & ~(a.bits ^ b.bits);
  return (struct tb_known) { same, a.bits & same, a.lo < b.lo ? a.lo : b.lo,
			     a.hi > b.hi ? a.hi : b.hi };
}

/* Room for one more outcome.  */
static bool
make_room (struct split *s)
{
  if (!TB_GROW (s->outcomes, s->room, s->count, 1))
    return false;
  if (2 * (s->count + 1) <= s->size)
    return true;
  size_t size = s->size != 0 ? 2 * s->size : 64;
  uint32_t *table = calloc (size, sizeof *table);
  if (table == NULL)
    return false;
  free (s->table);
  s->table = table;
  s->size = size;
  for (size_t i = 0; i < s->count; i++)
    *find (s, s->outcomes[i].id) = (uint32_t) i + 1;
  return true;
}

/* Note what the trial made of what it touched; TRIALS were there before.  */
static void
note_outcome (struct split *s, unsigned trials)
{
  const struct tb_graph *g = s->graph;
  for (size_t i = 0; i < g->nundo; i++)
    {
      tb_vid id = g->undo[i].id;
      struct outcome *o = NULL;
      struct tb_known known = tb_graph_known (g, id);
      if (s->size != 0 && *find (s, id) != 0)
	o = &s->outcomes[*find (s, id) - 1];
      if (o == NULL && trials == 0 && s->count < OUTCOMES && make_room (s))
	{
	  s->outcomes[s->count++] = (struct outcome) {
	    id, 1, tb_known_all (known), known
	  };
	  *find (s, id) = (uint32_t) s->count;
	}
      else if (o != NULL && o->trials == trials)
	{
	  o->known = either (o->known, known);
	  o->all &= tb_known_all (known);
	  o->trials++;
	}
    }
}

/* May it still turn out that there is anything to learn, after POSSIBLE trials?  What
   does not say more than what is known without a trial never will.  */
static bool
is_hopeful (const struct split *s, unsigned possible)
{
  for (size_t i = 0; i < s->count; i++)
    {
      const struct outcome *o = &s->outcomes[i];
      struct tb_known k = tb_graph_known (s->graph, o->id);
      if (o->trials == possible
	  && ((o->known.mask & ~k.mask) != 0 || o->known.lo > k.lo
	      || o->known.hi < k.hi))
	return true;
    }
  return false;
}

/* Nothing came of ID.  */
static void
fail (struct split *s, tb_vid id)
{
  if (id >= s->end)
    return;
  s->few[id >> 6] &= ~(UINT64_C (1) << (id & 63));
  if (!s->was_cut)
    s->failed[s->level->exact][id >> 6] |= UINT64_C (1) << (id & 63);
}

/* Nothing came of the POSSIBLE trials.  What each of them decided would lead to no
   more if it was tried itself.  */
static void
fail_decided (struct split *s, unsigned possible)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->outcomes[i].trials == possible && s->outcomes[i].all)
      fail (s, s->outcomes[i].id);
}

static void
forget_outcomes (struct split *s)
{
  /* All are found before any is gone, as one may lie behind another.  */
  for (size_t i = 0; i < s->count; i++)
    s->outcomes[i].trials
      = (unsigned) (find (s, s->outcomes[i].id) - s->table) & INT32_MAX;
  for (size_t i = 0; i < s->count; i++)
    s->table[s->outcomes[i].trials] = 0;
  s->count = 0;
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
  tb_word open = ~k.mask, v = 0, rest = open;
  for (unsigned i = 0; i < 6; i++)
    rest &= rest - 1;
  if (rest != 0)
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
  size_t budget = s->visits < s->level->value ? s->visits : s->level->value;
  unsigned possible = 0, tried = 0;
  bool learned = false, hopeful = true;

  s->visits -= budget;
  s->was_cut = false;
  for (; tried < n && budget > 0 && hopeful && !g->failed; tried++)
    {
      size_t visits = budget < s->level->trial ? budget : s->level->trial;
      budget -= visits;
      /* The last one second: where both ends are possible little is.  */
      tb_graph_try (g, id, values[tried == 0 ? 0 : tried == 1 ? n - 1
				  : tried - 1], s->level->exact, &visits);
      budget += visits;
      /* What a trial that was cut short has found so far is so, too.  */
      bool is_possible = !g->conflict && !g->failed;
      s->was_cut |= is_possible && visits == 0;
      if (is_possible)
	note_outcome (s, possible++);
      tb_graph_undo (g);
      if (is_possible && possible > 1)
	hopeful = is_hopeful (s, possible);
    }
  s->visits += budget;
  bool complete = tried == n && hopeful && !g->failed;
  if (complete && possible == 0)
    g->conflict = true;
  for (size_t i = 0; i < s->count && complete && !g->conflict; i++)
    if (s->outcomes[i].trials == possible
	&& learn (g, s->outcomes[i].id, s->outcomes[i].known))
      learned = true;
  s->was_cut |= !complete && hopeful;
  if (!learned && (complete || !hopeful))
    fail_decided (s, possible);
  forget_outcomes (s);
  return learned;
}

/* Find the values that may have few values.  */
static void
choose (struct split *s)
{
  for (tb_vid first = 0; first < s->end; first += 64)
    {
      const struct tb_graph_value *v = &s->graph->values[first];
      tb_vid most = s->end - first < 64 ? s->end - first : 64;
      uint64_t bits = 0;
      for (tb_vid i = 0; i < most; i++)
	bits |= (uint64_t) (!v[i].all & (v[i].users != 0)
			    & ((v[i].kind == TB_KIND_FLAG)
			       | (v[i].kind == TB_KIND_PART))) << i;
      s->chosen[first >> 6] = bits;
    }
  s->chosen[0] &= ~UINT64_C (1);
}

/* Try the N values of ID, but not where that was in vain with the like of it; true if
   anything was learned.  */
static bool
try_one (struct split *s, tb_vid id, const tb_word *values, unsigned n)
{
  uint8_t *vain = &s->vain[tb_graph_look (s->graph, id, n)];
  if (*vain >= VAIN)
    {
      s->few[id >> 6] &= ~(UINT64_C (1) << (id & 63));
      return false;
    }
  if (try_values (s, id, values, n))
    {
      *vain = 0;
      return true;
    }
  ++*vain;
  fail (s, id);
  return false;
}

/* Try ID, if it has few values; true if anything was learned.  */
static bool
try_few (struct split *s, tb_vid id)
{
  tb_word values[FEW];
  if (!tb_graph_open (s->graph, id))
    return false;
  unsigned n = list_values (tb_graph_known (s->graph, id), values);
  return n != 0 && try_one (s, id, values, n);
}

/* Try what has few values on S's level; true if anything was learned.  */
static bool
try_all (struct split *s, struct tb_memory *memory)
{
  struct tb_graph *g = s->graph;
  bool again = true, learned = false;
  const uint64_t *failed = s->failed[s->level->exact];
  memset (s->vain, 0, 1u << TB_LOOK_BITS);
  for (size_t i = 0; i <= s->end / 64; i++)
    s->few[i] = s->chosen[i] & ~failed[i];
  while (again && s->visits > 0)
    {
      again = false;
      /* What is near the end first.  */
      for (size_t word = s->end / 64 + 1; word-- > 0;)
	for (uint64_t left = s->few[word]; left != 0 && s->visits > 0;)
	  {
	    unsigned bit = 63 - (unsigned) __builtin_clzll (left);
	    left = s->few[word] & ((UINT64_C (1) << bit) - 1);
	    if (!try_few (s, (tb_vid) (word << 6 | bit)))
	      continue;
	    again = learned = true;
	    tb_graph_solve (g);
	    if (g->conflict || g->failed || memory->restart)
	      return true;
	  }
    }
  return learned;
}

/* Those of the values of W that what is known of it leaves are put into VALUES; returns
   how many.  */
static unsigned
list_worth (const struct tb_graph *g, const struct tb_worth *w, tb_word *values)
{
  struct tb_known k = tb_graph_known (g, w->id);
  unsigned n = 0;
  for (tb_word v = k.lo; v <= k.hi && v < 32; v++)
    if (w->values >> v & 1 && ((v ^ k.bits) & k.mask) == 0)
      values[n++] = v;
  return n;
}

/* Try what is worth it, in order: what one makes known the next one may need.  */
static bool
try_worth (struct split *s, const struct tb_memory *memory)
{
  struct tb_graph *g = s->graph;
  bool learned = false;
  size_t rest = s->visits - s->visits / WORTH_PART;
  s->level = &worth;
  s->visits -= rest;
  for (size_t i = 0; i < memory->nworth && s->visits > 0 && !g->conflict && !g->failed
       && !memory->restart; i++)
    {
      tb_word values[FEW];
      const struct tb_worth *w = &memory->worth[i];
      size_t before = s->visits;
      unsigned n = tb_graph_open (g, w->id) ? list_worth (g, w, values) : 0;
      if (n == 0 || !try_values (s, w->id, values, n))
	continue;
      learned = true;
      size_t cost = before - s->visits < rest ? before - s->visits : rest;
      s->visits += cost;
      rest -= cost;
      tb_graph_solve (g);
    }
  s->visits += rest;
  return learned;
}

/* Try what has few values, looking at *VISITS nodes at most (it becomes what is
   left); *LEARNED: anything came of it.  False without memory.  */
static bool
split (struct tb_memory *memory, size_t *visits, bool *learned)
{
  struct tb_graph *g = memory->graph;
  struct split s = { .graph = g, .visits = *visits };
  *learned = false;
  for (uint32_t id = (uint32_t) memory->built;
       id > 0 && memory->ncells < CELLS && !g->failed; id--)
    tb_memory_prepare (memory, id, FEW);
  tb_graph_solve (g);
  s.end = (tb_vid) g->nvalues;
  size_t words = s.end / 64 + 1;
  s.few = calloc (4 * words, sizeof *s.few);
  s.vain = malloc (1u << TB_LOOK_BITS);
  if (s.few == NULL || s.vain == NULL)
    g->failed = true;
  else
    {
      s.failed[0] = s.few + words;
      s.failed[1] = s.few + 2 * words;
      s.chosen = s.few + 3 * words;
      choose (&s);
      *learned |= try_worth (&s, memory);
    }
  for (unsigned i = 0; i < sizeof levels / sizeof levels[0] && !g->conflict
       && !g->failed && !memory->restart; i++)
    {
      s.level = &levels[i];
      *learned |= try_all (&s, memory);
    }
  free (s.outcomes);
  free (s.table);
  free (s.few);
  free (s.vain);
  *visits = s.visits;
  return !g->failed;
}

/* How often values are tried, as each time may free some more pointers.  */
#define ROUNDS 4

/* Tie single bytes, and what is on stacks, until nothing more comes of it.  */
static void
tie_stack (struct tb_memory *m)
{
  struct tb_graph *g = m->graph;
  size_t tied = 1;
  for (unsigned i = 0; i < TB_STACK_ROUNDS && !g->conflict && !g->failed
       && !m->restart && tb_memory_tie_bytes (m); i++)
    tb_graph_solve (g);
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
  struct tb_hit_budget hits = { .visits = m->hit_visits, .first = m->hit_visits };
  tb_graph_solve (g);
  tie_stack (m);
  for (unsigned i = 0; i < ROUNDS && learned && !g->conflict && !g->failed
       && !m->restart; i++)
    {
      bool cleared, known = false;
      if (!tb_memory_try_hits (m, &hits, &cleared))
	return false;
      if (cleared)
	tie_stack (m);
      if (!g->conflict && !g->failed && !m->restart && split (m, &visits, &known)
	  && known)
	tie_stack (m);
      learned = cleared || known;
    }
  return !g->failed;
}
