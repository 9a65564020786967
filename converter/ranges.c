/* Which memory the frames of a trace file get.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "tfile.h"

#include <inttypes.h>
#include <stdlib.h>

/* With --memory=auto all dumped RAM goes into each frame as long as the frames
   together stay below FILE_ENOUGH, or the one frame of a halt below
   HALT_ENOUGH.  */
#define FILE_ENOUGH (UINT64_C (48) << 20)
#define HALT_ENOUGH (UINT64_C (256) << 20)

/* The part of ASKED that REGION has, into RANGE; false if there is none.  */
static bool
clip (struct tb_collect_range *range, const struct tb_collect_range *asked,
      const struct tb_region *region)
{
  uint64_t first = asked->address > region->address ? asked->address
						    : region->address;
  uint64_t asked_last = asked->address + (asked->length - 1);
  uint64_t last = region->address + (region->length - 1);
  if (asked_last < last)
    last = asked_last;
  if (first > last)
    return false;
  *range = (struct tb_collect_range) { first, last - first + 1 };
  return true;
}

enum tb_status
tfile_ranges (const struct job *job, const struct tb_session_core *core,
	      uint64_t frames, bool halt, struct tb_collect_options *collect,
	      struct tb_collect_range **ranges)
{
  const struct options *o = job->options;
  const struct tb_region *regions;
  size_t nregions = tb_memmap_regions (core->map, &regions), n = 0;
  *ranges = calloc (nregions * (o->nranges + 1) + 1, sizeof **ranges);
  if (*ranges == NULL)
    return TB_ERR_MEMORY;
  uint64_t bytes = 0;
  for (size_t i = 0; i < o->nranges; i++)
    {
      size_t before = n;
      for (size_t j = 0; j < nregions; j++)
	if (clip (&(*ranges)[n], &o->ranges[i], &regions[j]))
	  bytes += (*ranges)[n++].length;
      if (n == before)
	tb_warning (job->diag, "%s: --memory: nothing is dumped from %#" PRIx64
		    " on, %" PRIu64 " bytes", job->input, o->ranges[i].address,
		    o->ranges[i].length);
    }
  if (o->memory_auto)
    {
      uint64_t ram = 0;
      for (size_t i = 0; i < nregions; i++)
	if (regions[i].halt_contents && regions[i].length < HALT_ENOUGH)
	  ram += regions[i].length;
      if (ram <= (halt ? HALT_ENOUGH
		  : FILE_ENOUGH / (frames != 0 ? frames : 1)))
	for (size_t i = 0; i < nregions; i++)
	  if (regions[i].halt_contents && regions[i].length < HALT_ENOUGH)
	    {
	      (*ranges)[n].address = regions[i].address;
	      (*ranges)[n++].length = regions[i].length;
	      bytes += regions[i].length;
	    }
    }
  collect->ranges = *ranges;
  collect->nranges = n;
  /* Room for the heads of the blocks that holes make.  */
  collect->limit += bytes + bytes / 2;
  return TB_OK;
}
