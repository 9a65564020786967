/* Dumps that are no memory: pages of devices.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   On the M profile the architecture says where devices are.  On the others a dump is
   taken for one of a device, and nothing is concluded from it or remembered of it

   - if it has the identification of a component at the end of a page (IHI 0029,
     B2.2.2 "CIDR0-CIDR3": 0D, class, 05, B1; the distributor of a GIC has it, too);
   - if it is small and lies far from all code that ran and from the stack;
   - if what is loaded from it is not what was stored there, and all else agrees.

   Anything else that was dumped is RAM.  */

#include "config.h"
#include "state/window/internal.h"

#include <stdlib.h>
#include <string.h>

#include "recording/facts.h"

/* Larger dumps are RAM; so are those that have code or the stack as near as that.  */
#define SMALL UINT64_C (0x10000)
#define NEAR UINT64_C (0x100000)

#define PAGE UINT64_C (0x1000)

/* Does a page of REGION end with the identification of a component?  */
static bool
has_identification (const struct tb_region *region)
{
  static const uint8_t id[4] = { 0x0d, 0x00, 0x05, 0xb1 };
  uint64_t skip = -region->address & (PAGE - 1);
  for (uint64_t at = skip;
       at + PAGE <= region->length && at - skip < 16 * PAGE; at += PAGE)
    {
      const uint8_t *words = region->data + at + PAGE - 16;
      bool yes = true;
      for (unsigned i = 0; i < 4 && yes; i++)
	yes = (words[4 * i] & (i == 1 ? 15 : 255)) == id[i]
	      && (words[4 * i + 1] | words[4 * i + 2] | words[4 * i + 3]) == 0;
      if (yes)
	return true;
    }
  return false;
}

/* Is ADDRESS in REGION, or not further than DISTANCE from it?  */
static bool
is_near (const struct tb_region *region, uint64_t address, uint64_t distance)
{
  uint64_t last = region->address + (region->length - 1);
  return (address >= region->address || region->address - address <= distance)
	 && (address <= last || address - last <= distance);
}

/* Does code that ran, or the stack pointer at the halt, lie as near to REGION?  */
static bool
is_used (const struct tb_state *s, const struct tb_region *region,
	 uint64_t distance)
{
  const struct tb_value *sp = &s->at_halt[s->a64 != NULL ? TB_SP64 : TB_SP];
  /* A stack that is empty begins behind its end.  */
  if (sp->mask != 0
      && (is_near (region, sp->bits, distance)
	  || is_near (region, sp->bits - 1, distance)))
    return true;
  for (size_t i = 0; i < s->ntemplates; i++)
    if (is_near (region, s->templates[i].pc, distance))
      return true;
  return false;
}

/* Is SP at the halt known, and in a dump?  */
static bool
has_stack (const struct tb_state *s)
{
  const struct tb_value *sp = &s->at_halt[s->a64 != NULL ? TB_SP64 : TB_SP];
  uint64_t there;
  return sp->mask != 0
	 && tb_memmap_at (s->memory.map, s->memory.space, sp->bits - 1, &there,
			  NULL) != NULL;
}

/* May REGION be one?  Not what the user names as the core's own, but that may be
   everything.  */
static bool
may_be_one (const struct tb_state *s, const struct tb_region *region)
{
  const struct tb_extents *privates = s->options.privates;
  bool named = tb_extents_hold (privates, region->address, region->length)
	       && !tb_extents_hold (privates, 0, UINT64_MAX);
  return region->halt_contents && region->access != TB_ACCESS_READ && !named;
}

/* All that S knows of memory has to know of them.  */
static void
use (struct tb_state *s)
{
  s->memory.devices = s->options.devices;
}

bool
tb_state_find_devices (struct tb_state *s)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (s->memory.map, &regions);
  if (s->profile->is_m || tb_recording_facts (s->recording) != NULL)
    return true;
  if (s->options.devices == NULL)
    {
      s->devices = calloc (n + 1, sizeof *s->devices);
      if (s->devices == NULL)
	return false;
      s->options.devices = s->devices;
      bool stack = has_stack (s);
      for (size_t i = 0; i < n; i++)
	s->devices[i] = may_be_one (s, &regions[i])
			&& (has_identification (&regions[i])
			    || (stack && regions[i].length <= SMALL
				&& !is_used (s, &regions[i], NEAR)));
    }
  use (s);
  return true;
}

bool
tb_state_try_devices (struct tb_state *s, bool (*solve) (struct tb_state *s),
		      enum tb_halt halt, bool *found, struct tb_diag *diag)
{
  const char *name = NULL;
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (s->memory.map, &regions);
  bool *devices = s->options.devices;
  bool *before = calloc (n + 1, sizeof *before);
  *found = false;
  if (devices == NULL || before == NULL)
    {
      free (before);
      return devices == NULL;
    }
  memcpy (before, devices, n * sizeof *before);
  bool ok = true, any = false;
  enum tb_halt now = s->halt;
  for (size_t i = 0; i < n; i++)
    if (!devices[i] && may_be_one (s, &regions[i])
	&& !is_used (s, &regions[i], 0))
      devices[i] = any = true;
  if (any)
    {
      s->halt = halt;
      ok = solve (s);
    }
  bool solved = any && ok && !s->graph.conflict;
  /* Only those that it takes.  */
  for (size_t i = 0; i < n && solved && ok; i++)
    if (devices[i] && !before[i])
      {
	devices[i] = false;
	s->halt = halt;
	ok = solve (s);
	devices[i] = s->graph.conflict;
	if (devices[i] && name == NULL)
	  name = regions[i].name;
      }
  if (!solved)
    memcpy (devices, before, n * sizeof *before);
  if (any && ok)
    {
      s->halt = halt;
      ok = solve (s);
    }
  if (!any)
    s->halt = now;
  *found = solved && ok && name != NULL;
  if (*found)
    tb_warning (diag, "Loads from %s do not give what was stored or dumped there: "
		"it is taken for a device's, and nothing is concluded from it.",
		name);
  free (before);
  return ok;
}
