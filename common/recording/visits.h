/* Visits: which steps run at an address, found without reading every step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The first search that meets a window of a recording keeps the ranges of addresses
   that ran in it.  Later searches decode only windows that contain what they look for.
   The ranges are delta-coded: some bytes for each distinct piece of code in a window.  */

#ifndef TB_RECORDING_VISITS_H
#define TB_RECORDING_VISITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"

struct tb_visits;

/* RECORDING is borrowed.  NULL: no memory.  */
struct tb_visits *tb_visits_new (struct tb_recording *recording);
void tb_visits_free (struct tb_visits *visits);

/* GO_ON is called now and then by long searches (some milliseconds apart); false
   makes them stop.  NULL: none.  */
void tb_visits_set_poll (struct tb_visits *visits,
			 bool (*go_on) (void *context), void *context);

/* The addresses FIRST to LAST, both included.  */
struct tb_visit_range
{
  uint64_t first, last;
};

/* Which PCs are looked for: those in one of the ranges, or those in none.  The
   ranges are sorted and disjoint.  */
struct tb_visit_query
{
  const struct tb_visit_range *ranges;
  size_t count;
  bool outside;
};

enum tb_search
{
  TB_SEARCH_FOUND,
  TB_SEARCH_NONE,
  TB_SEARCH_STOPPED,		/* By GO_ON.  */
  TB_SEARCH_NO_MEMORY
};

/* The first step from FROM on, before END, whose PC QUERY looks for.  */
enum tb_search tb_visits_next (struct tb_visits *visits,
			       const struct tb_visit_query *query,
			       uint64_t from, uint64_t end, uint64_t *step);

/* The last step before FROM, not before BEGIN.  */
enum tb_search tb_visits_previous (struct tb_visits *visits,
				   const struct tb_visit_query *query,
				   uint64_t from, uint64_t begin,
				   uint64_t *step);

/* How far the last search has looked: all steps between where it began and this one.  */
uint64_t tb_visits_reached (const struct tb_visits *visits);

/* Look at the window that holds STEP, so that tb_visits_ran knows of it.  */
void tb_visits_see (struct tb_visits *visits, uint64_t step);

/* Did an instruction that holds the byte at ADDRESS in SPACE run in any window
   seen so far?  *LENGTH: for how many bytes from there on the answer holds (0:
   to the top of the address space).  */
bool tb_visits_ran (const struct tb_visits *visits, enum tb_space space,
		    uint64_t address, uint64_t *length);

/* How many bytes of code ran, in how many windows of how many.  */
struct tb_visits_coverage
{
  uint64_t bytes;
  size_t pieces;		/* Contiguous.  */
  size_t windows_seen, windows;
};
void tb_visits_coverage (const struct tb_visits *visits,
			 struct tb_visits_coverage *coverage);

#endif /* TB_RECORDING_VISITS_H */
