/* The premises that an explanation rests on.  See why.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/why.h"

#include <stdlib.h>

#include "snapshot/memmap.h"

/* What the contents of RAM rest on.  */
static unsigned
of_ram (const struct tb_profile *profile)
{
  return TB_PREMISE_NO_WRITER | TB_PREMISE_ONE_ADDRESS
	 | (profile->is_m ? 0 : TB_PREMISE_DUMPED_RAM | TB_PREMISE_ENDIAN);
}

/* What VALUE, that a dump holds which STEP loads from, rests on.  */
static unsigned
of_dump (struct tb_state *state, struct tb_recording *recording, uint64_t step,
	 uint64_t value)
{
  enum { MOST = 16 };
  const struct tb_profile *profile = tb_recording_profile (recording);
  const struct tb_memmap *map = tb_recording_memmap (recording);
  struct tb_access_info accesses[MOST];
  struct tb_step at;
  unsigned ram = TB_PREMISE_HALT | of_ram (profile), set = 0;
  size_t n = step < tb_recording_steps (recording)
	     ? tb_state_accesses (state, step, accesses, MOST) : 0;
  bool has_step = n != 0 && tb_recording_read (recording, step, &at, 1) == 1;
  for (size_t i = 0; i < n && i < MOST && has_step; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      const struct tb_region *region, *code;
      uint64_t there;
      enum tb_space space = (enum tb_space) at.space;
      if (a->store || !a->address_known || !a->value_known || a->value != value
	  || tb_memmap_at (map, space, a->address, &there, &region) == NULL)
	continue;
      if (region->access == TB_ACCESS_READ
	  || (profile->is_m && a->address < 0x20000000))
	set |= TB_PREMISE_READ_ONLY;
      else if (!profile->is_m
	       && tb_memmap_at (map, space, at.pc, &there, &code) != NULL
	       && code == region)
	set |= TB_PREMISE_LITERALS | TB_PREMISE_ENDIAN;
      else
	set |= ram;
    }
  return set != 0 ? set : ram;
}

/* What an exception before STEP, or a return from one, adds.  */
static unsigned
of_exceptions (struct tb_recording *recording, uint64_t step)
{
  enum { MOST = 16 };
  const struct tb_profile *profile = tb_recording_profile (recording);
  struct tb_event events[MOST];
  size_t n = tb_recording_events (recording, step, step, events, MOST);
  for (size_t i = 0; i < n && i < MOST; i++)
    if (events[i].kind == TB_EVENT_EXCEPTION
	|| events[i].kind == TB_EVENT_EXCEPTION_RETURN)
      return TB_PREMISE_UNSEEN
	     | (!profile->is_m ? 0 : TB_PREMISE_FRAMES_FIT
		| (profile->arch == TB_ARCH_V7M || profile->arch == TB_ARCH_V7EM
		   ? TB_PREMISE_FRAMES_ALIGNED : 0));
  return 0;
}

/* Does a value by RULE follow from others?  Where a chain names none these are known
   in part, or constants of the instruction.  */
static bool
is_derived (unsigned rule)
{
  return rule == TB_WHY_OPERATION || rule == TB_WHY_CONDITION
	 || rule == TB_WHY_FEW || rule == TB_WHY_SAME || rule == TB_WHY_ACCESS;
}

unsigned
tb_why_premises (struct tb_state *state, struct tb_recording *recording,
		 uint64_t step, const struct tb_why_query *query, bool *whole)
{
  enum { MOST = 2000 };		/* Values of the chain.  */
  const struct tb_profile *profile = tb_recording_profile (recording);
  struct tb_why *items = calloc (MOST, sizeof *items);
  size_t count = items != NULL ? tb_state_why (state, step, query, items, MOST) : 0;
  unsigned set = 0;
  *whole = items != NULL && count < MOST;
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_why *item = &items[i];
      if (!item->known && !item->partly)
	continue;
      /* Lines of logs state values, whatever ran; so does the user of the start.  */
      if (item->rule != TB_WHY_LOG && item->rule != TB_WHY_START)
	set |= TB_PREMISE_CODE | of_exceptions (recording, item->step);
      if (item->rule == TB_WHY_HALT)
	set |= TB_PREMISE_HALT;
      else if (item->rule == TB_WHY_ACCESS)
	set |= of_ram (profile);
      else if (item->rule == TB_WHY_MEMORY)
	set |= of_dump (state, recording, item->step, item->value);
      *whole &= item->rule != TB_WHY_BORDER && !item->partly
		&& (item->from_count != 0 || !is_derived (item->rule));
    }
  free (items);
  return set;
}
