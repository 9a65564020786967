/* Searches among the memory accesses of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The accesses are listed in blocks of steps, each when a search first meets
   it.  What an exception puts on the stack counts as done by the step behind which
   it is taken.  */

#ifndef TB_STATE_ANSWER_ACCESSES_H
#define TB_STATE_ANSWER_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/visits.h"
#include "state/state.h"

struct tb_accesses;

/* STATE and RECORDING are borrowed.  Steps before FIRST are taken to have no
   known access.  NULL: no memory.  */
struct tb_accesses *tb_accesses_new (struct tb_state *state,
				     struct tb_recording *recording,
				     uint64_t first);
void tb_accesses_free (struct tb_accesses *accesses);

/* As tb_visits_set_poll.  */
void tb_accesses_set_poll (struct tb_accesses *accesses,
			   bool (*go_on) (void *context), void *context);

/* What is watched: LENGTH bytes (at least 1) at ADDRESS.  */
struct tb_watch_range
{
  uint64_t address, length;
  bool loads, stores;
  bool possible;		/* tb_accesses_next stops where one may have been, too.  */
};

/* What a search came by.  */
struct tb_access_found
{
  uint64_t step;
  size_t watch;			/* Index of the one that was hit.  */
  uint64_t address;		/* The first byte of it that was hit.  */
  bool store;
  bool possible;		/* It is not known that it was hit: only STEP is set.  */
  /* Accesses of the watched kinds whose address is not known, on the way, and
     steps of whose instructions it is not known what they access: any of them
     may have been one.  */
  uint64_t unknown_loads, unknown_stores, unknown_steps;
  uint64_t gaps;		/* In the trace: who knows what ran there.  */
};

/* The first step from FROM on, before END, that makes a watched access; its
   FOUND->step, watch, address and store are set only then.  The unknown ones are
   counted in any case.  */
enum tb_search tb_accesses_next (struct tb_accesses *accesses,
				 const struct tb_watch_range *watches,
				 size_t count, uint64_t from, uint64_t end,
				 struct tb_access_found *found);

/* The last step before FROM, not before BEGIN.  */
enum tb_search tb_accesses_previous (struct tb_accesses *accesses,
				     const struct tb_watch_range *watches,
				     size_t count, uint64_t from,
				     uint64_t begin,
				     struct tb_access_found *found);

/* List what was not listed yet, from the end back to step FIRST, so that searches
   need only look: TB_SEARCH_NONE when all is.  */
enum tb_search tb_accesses_prepare (struct tb_accesses *accesses,
				    uint64_t first);

/* The first step whose accesses are looked at.  */
uint64_t tb_accesses_first (const struct tb_accesses *accesses);

/* How far the last search has looked: all steps between where it began and this one.  */
uint64_t tb_accesses_reached (const struct tb_accesses *accesses);

#endif /* TB_STATE_ANSWER_ACCESSES_H */
