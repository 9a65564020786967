/* Which core sent trace of which no file tells.  See session-guess.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-guess.h"

#include <stdlib.h>

#include "recording/guess-halt.h"
#include "util/pairs.h"

/* A source of instructions whose core is to be chosen.  */
struct sender
{
  const struct tb_trace_buffer *buffer;
  unsigned id;
  struct tb_guess *guess;
  size_t *core;			/* With its code GUESS was found.  */
  size_t *rival, *passed;	/* As in struct tb_guessed.  */
  size_t halted;		/* The core at whose halt it ends, and at no other's, plus 1; 0.  */
};

/* List the sources in FOUND, of the buffers of S, whose cores are to be chosen; SOURCES has room
   for all, or is NULL, which counts them.  */
static size_t
list_sources (const struct tb_session *s, struct tb_guessed *const *found, struct sender *sources)
{
  size_t n = 0;
  for (size_t i = 0; i < s->snapshot.nbuffers; i++)
    for (unsigned id = 0; id < TB_TRACE_IDS && found[i] != NULL; id++)
      {
	const struct tb_trace_buffer *buffer = &s->snapshot.buffers[i];
	const struct tb_device *device;
	if (!found[i]->any[id] || found[i]->guess[id].protocol->software
	    || !tb_guessing_is_open (&s->snapshot, buffer, id, &device) || device != NULL)
	  continue;
	if (sources != NULL)
	  sources[n] = (struct sender) {
	    buffer, id, &found[i]->guess[id], &found[i]->core[id], &found[i]->rival[id],
	    &found[i]->passed[id], 0
	  };
	n++;
      }
  return n;
}

/* More than speaks against anything that decodes, and more than all of that.  */
#define UNLIKELY (UINT64_C (1) << 40)
#define NO_CORE (UINT64_C (1) << 49)
/* A core that was halted elsewhere than where the trace ends, where it ends at the halt of another
   one: more than any path, less than another core's code.  */
#define OTHER_HALT (UINT64_C (1) << 39)
/* A core that, as it is called, has no such unit: more than any path of another one.  */
#define STRANGE (UINT64_C (1) << 38)

/* *WEIGHT: what speaks against SOURCE's being that of core number CORE of G's session.  */
static enum tb_status
weigh (struct tb_guessing *g, const struct sender *source, size_t core, uint64_t *weight)
{
  const struct tb_session_core *is = &g->s->cores[core], *was = &g->s->cores[*source->core];
  struct tb_guess other = *source->guess;
  struct tb_decoder_config config = tb_guessing_config (is, source->buffer);
  int found = 1;
  if (is->profile.is_m != was->profile.is_m || is->profile.ete != was->profile.ete
      || is->profile.etm != was->profile.etm)
    found = tb_guessing_find (g, source->buffer, source->id, NULL, g->protocol, core, &other);
  else if (!tb_guess_try (&other, &config, tb_buffer_is_framed (source->buffer)
						? source->id : TB_ID_NONE, &g->effort))
    found = -1;
  *weight = found <= 0 || !tb_guess_is_likely (&other) ? UNLIKELY
	    : other.cost + other.path_cost + (other.core == TB_GUESS_CORE_OPEN ? STRANGE : 0);
  return found < 0 ? TB_ERR_MEMORY : TB_OK;
}

/* Of the cores that least speaks against, by the WEIGHTS of each, the trace of SOURCE may end at
   the halt of one alone; then it is noted.  CANDIDATES has room for all cores of G's session.  */
static enum tb_status
look_at_halt (struct tb_guessing *g, struct sender *source, const uint64_t *weights,
	      struct tb_halt_candidate *candidates)
{
  uint64_t least = UNLIKELY - 1;
  size_t count = 0, number;
  for (size_t j = 0; j < g->s->ncores - 1; j++)
    {
      const struct tb_session_core *core = &g->s->cores[j];
      if (weights[j] < least)
	{
	  least = weights[j];
	  count = 0;
	}
      if (weights[j] == least)
	candidates[count++] = (struct tb_halt_candidate) {
	  core->device, &core->profile, core->map, j
	};
    }
  if (count < 2)
    return TB_OK;
  int found = tb_guess_by_halt (source->guess, source->buffer, candidates, count, &g->effort,
				&number);
  if (found > 0)
    source->halted = number + 1;
  return found < 0 ? TB_ERR_MEMORY : TB_OK;
}

/* Of the N SOURCES, each that ends at the halt of one core alone is that core's, if no other one
   does so: WEIGHTS, a row of COLUMNS for each, say it then.  */
static enum tb_status
weigh_halts (struct tb_guessing *g, struct sender *sources, size_t n, size_t columns,
	     uint64_t *weights)
{
  size_t cores = g->s->ncores - 1;
  struct tb_halt_candidate *candidates = calloc (cores, sizeof *candidates);
  bool *twice = calloc (cores, sizeof *twice), *once = calloc (cores, sizeof *once);
  enum tb_status status = candidates != NULL && twice != NULL && once != NULL
			  ? TB_OK : TB_ERR_MEMORY;
  for (size_t i = 0; i < n && status == TB_OK; i++)
    {
      if (sources[i].buffer->core == NULL)
	status = look_at_halt (g, &sources[i], &weights[i * columns], candidates);
      if (sources[i].halted > 0)
	{
	  twice[sources[i].halted - 1] = once[sources[i].halted - 1];
	  once[sources[i].halted - 1] = true;
	}
    }
  for (size_t i = 0; i < n && status == TB_OK; i++)
    if (sources[i].halted > 0 && twice[sources[i].halted - 1])
      sources[i].halted = 0;
    else if (sources[i].halted > 0)
      for (size_t j = 0; j < cores; j++)
	{
	  uint64_t *weight = &weights[i * columns + j];
	  if (j == sources[i].halted - 1 || *weight >= OTHER_HALT)
	    continue;
	  *sources[i].passed = j + 1;
	  *weight += OTHER_HALT;
	}
  free (candidates);
  free (twice);
  free (once);
  return status;
}

/* Choose the cores of the N SOURCES, each another one while there are any, so that least speaks
   against all of them: WEIGHTS has room for N times COLUMNS, CHOSEN for N numbers.  */
static enum tb_status
choose (struct tb_guessing *g, struct sender *sources, size_t n, size_t columns,
	uint64_t *weights, size_t *chosen)
{
  size_t cores = g->s->ncores - 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < columns; j++)
      {
	uint64_t *weight = &weights[i * columns + j];
	*weight = NO_CORE;
	if (j < cores
	    && (sources[i].buffer->core == NULL || sources[i].buffer->core == g->s->cores[j].device)
	    && weigh (g, &sources[i], j, weight) != TB_OK)
	  return TB_ERR_MEMORY;
      }
  if (weigh_halts (g, sources, n, columns, weights) != TB_OK
      || !tb_pairs_least (weights, n, columns, chosen))
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < n; i++)
    {
      if (sources[i].buffer->core != NULL)
	continue;
      /* One too many is of the core that it fits best.  */
      for (size_t j = 0; j < cores && chosen[i] >= cores; j++)
	if (j == 0 || weights[i * columns + j] < weights[i * columns + *sources[i].core])
	  *sources[i].core = j;
      size_t is_of = chosen[i] < cores ? chosen[i] : *sources[i].core;
      if (is_of + 1 != sources[i].halted)
	*sources[i].passed = 0;
      for (size_t j = cores; j-- > 0;)
	if (j != is_of && weights[i * columns + j] <= weights[i * columns + is_of]
	    && weights[i * columns + j] < UNLIKELY)
	  *sources[i].rival = j + 1;
      if (chosen[i] >= cores || chosen[i] == *sources[i].core)
	continue;
      /* Its settings were found with code that did not run.  */
      struct tb_guess again;
      int is = tb_guessing_find (g, sources[i].buffer, sources[i].id, NULL, g->protocol,
				 chosen[i], &again);
      if (is < 0)
	return TB_ERR_MEMORY;
      if (is > 0)
	*sources[i].guess = again;
      *sources[i].core = chosen[i];
    }
  return TB_OK;
}

enum tb_status
tb_guessing_choose_cores (struct tb_guessing *g, struct tb_guessed **found)
{
  const struct tb_session *s = g->s;
  size_t n = list_sources (s, found, NULL), cores = s->ncores - 1;
  size_t columns = n > cores ? n : cores;
  if (cores < 2 || n == 0)
    return TB_OK;
  struct sender *sources = calloc (n, sizeof *sources);
  uint64_t *weights = calloc (n * columns, sizeof *weights);
  size_t *chosen = calloc (n, sizeof *chosen);
  enum tb_status status = TB_ERR_MEMORY;
  if (sources != NULL && weights != NULL && chosen != NULL)
    {
      list_sources (s, found, sources);
      status = choose (g, sources, n, columns, weights, chosen);
    }
  free (sources);
  free (weights);
  free (chosen);
  return status;
}
