/* Which memory the frames of a trace file get.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "tfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* With --memory=auto RAM that is dumped goes into each frame as long as the frames
   together stay below WHOLE_ENOUGH; where no program is known, which could say what of
   it matters, below FILE_ENOUGH.  Beyond that the memory in which programs have
   variables does, if that makes less than VARIABLES_ENOUGH, or is a part of RAM that
   makes less than FILE_ENOUGH.  What is constant, of which GDB reads most from the
   program's file, goes there below CONSTANT_ENOUGH.  All there is goes into the one
   frame of a halt below HALT_ENOUGH.  */
#define CONSTANT_ENOUGH (UINT64_C (4) << 20)
#define VARIABLES_ENOUGH (UINT64_C (8) << 20)
#define WHOLE_ENOUGH (UINT64_C (16) << 20)
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

/* The ranges of frames as they are chosen.  */
struct chosen
{
  struct tb_collect_range *ranges;
  size_t count;
  uint64_t bytes;
};

static void
add (struct chosen *to, const struct tb_collect_range *range)
{
  to->ranges[to->count++] = *range;
  to->bytes += range->length;
}

/* Add what the dumps have of ASKED.  False: nothing.  */
static bool
add_dumped (struct chosen *to, const struct tb_session_core *core,
	    const struct tb_collect_range *asked)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions), before = to->count;
  for (size_t i = 0; i < n; i++)
    {
      struct tb_collect_range range;
      if (clip (&range, asked, &regions[i]))
	add (to, &range);
    }
  return to->count > before;
}

/* Add the dumps that are taken for constant, or those that are not, around the step
   LAST of STATE.  */
static void
add_dumps (struct chosen *to, const struct tb_session_core *core,
	   struct tb_state *state, uint64_t last, bool constant)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions);
  for (size_t i = 0; i < n; i++)
    if (regions[i].halt_contents && regions[i].length < HALT_ENOUGH
	&& constant == tb_state_is_constant (state, last, regions[i].address,
					     regions[i].length))
      add (to, &(struct tb_collect_range) { regions[i].address,
					    regions[i].length });
}

/* Add what programs have variables in, as far as it is dumped.  */
static void
add_variables (struct chosen *to, const struct tb_session_core *core)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions);
  for (size_t i = 0; i < core->ninitial; i++)
    for (size_t k = 0; k < n; k++)
      {
	const struct tb_collect_range asked
	  = { core->initial[i].address, core->initial[i].length };
	struct tb_collect_range range;
	if (regions[k].halt_contents && clip (&range, &asked, &regions[k]))
	  add (to, &range);
      }
}

/* Forget what was added since there were BEFORE, if FRAMES of it, and of what was
   there, take more than ENOUGH.  */
static bool
keep_if (struct chosen *to, const struct chosen *before, uint64_t frames,
	 uint64_t enough)
{
  if (to->bytes <= enough / (frames != 0 ? frames : 1))
    return true;
  *to = *before;
  return false;
}

static enum tfile_ram
choose_auto (struct chosen *to, const struct tb_session_core *core,
	     struct tb_state *state, uint64_t last, uint64_t frames)
{
  struct chosen before = *to;
  enum tfile_ram ram = TFILE_RAM_ALL;
  bool known = core->ninitial > 0;
  add_dumps (to, core, state, last, false);
  bool little = to->bytes <= FILE_ENOUGH / frames;
  if (!keep_if (to, &before, frames, known ? WHOLE_ENOUGH : FILE_ENOUGH))
    {
      ram = TFILE_RAM_NEAR;
      if (known)
	add_variables (to, core);
      if (to->count > before.count
	  && keep_if (to, &before, frames,
		      little ? FILE_ENOUGH : VARIABLES_ENOUGH))
	ram = TFILE_RAM_VARIABLES;
    }
  /* On their own.  */
  struct chosen constants = { to->ranges + to->count, 0, 0 };
  const struct chosen none = constants;
  add_dumps (&constants, core, state, last, true);
  keep_if (&constants, &none, frames, CONSTANT_ENOUGH);
  to->count += constants.count;
  to->bytes += constants.bytes;
  return ram;
}

/* All dumps, below HALT_ENOUGH if LIMITED.  */
static void
choose_all (struct chosen *to, const struct tb_session_core *core,
	    bool limited)
{
  const struct chosen before = *to;
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions);
  for (size_t i = 0; i < n; i++)
    if (regions[i].halt_contents
	&& (!limited || regions[i].length < HALT_ENOUGH))
      add (to, &(struct tb_collect_range) { regions[i].address,
					    regions[i].length });
  if (limited)
    keep_if (to, &before, 1, HALT_ENOUGH);
}

void
tfile_report_ram (enum tfile_ram ram)
{
  if (ram == TFILE_RAM_VARIABLES)
    puts ("  Frames have the memory of the program's variables, but not all of the RAM "
	  "that was dumped; --memory=all gives them that.");
  else if (ram == TFILE_RAM_NEAR)
    puts ("  Of the RAM that was dumped frames have the stack and what their "
	  "instruction accesses; --memory chooses more, or fewer frames (--last) do.");
}

enum tb_status
tfile_ranges (const struct job *job, const struct tb_session_core *core,
	      struct tb_state *state, uint64_t last, uint64_t frames,
	      bool halt, struct tb_collect_options *collect,
	      struct tb_collect_range **ranges, enum tfile_ram *ram)
{
  const struct options *o = job->options;
  const struct tb_region *regions;
  size_t nregions = tb_memmap_regions (core->map, &regions);
  size_t most = nregions * (o->nranges + core->ninitial + 2) + 1;
  struct chosen chosen = { calloc (most, sizeof **ranges), 0, 0 };
  *ranges = chosen.ranges;
  *ram = TFILE_RAM_ALL;
  if (chosen.ranges == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < o->nranges; i++)
    if (!add_dumped (&chosen, core, &o->ranges[i]))
      tb_warning (job->diag, "%s: --memory: nothing is dumped from %#" PRIx64
		  " on, %" PRIu64 " bytes", job->input, o->ranges[i].address,
		  o->ranges[i].length);
  if (o->memory_all || (o->memory_auto && halt))
    choose_all (&chosen, core, !o->memory_all);
  else if (o->memory_auto && frames > 0)
    *ram = choose_auto (&chosen, core, state, last, frames);
  collect->ranges = chosen.ranges;
  collect->nranges = chosen.count;
  /* Room for the heads of the blocks that holes make.  */
  collect->limit += chosen.bytes + chosen.bytes / 2;
  return TB_OK;
}
