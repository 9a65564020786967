/* Breakpoints that a debugger put into memory.  See breakpoints.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/breakpoints.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/number.h"

/* The most pairs of regions that are compared, whatever the snapshot has.  */
#define PAIRS_MOST 1000000

/* At most one halfword in this many may be a breakpoint; all others are the same on both
   sides.  */
#define SAME_LEAST 8

bool
tb_is_breakpoint (const uint8_t *bytes, uint64_t address, uint64_t before,
		  uint64_t after)
{
  uint32_t half = bytes[0] | (uint32_t) bytes[1] << 8;
  if ((half & 0xff00) == 0xbe00 || half == 0xde01 || (half & 0xffc0) == 0xba80)
    return true;
  /* UDF.W of T32, which may be at any halfword.  */
  if ((half == 0xf7f0 && after >= 4 && (bytes[3] & 0xf0) == 0xa0)
      || ((half & 0xf000) == 0xa000 && before >= 2 && bytes[-2] == 0xf0
	  && bytes[-1] == 0xf7))
    return true;
  bool upper = (address & 2) != 0;
  if (upper ? before < 2 : after < 4)
    return false;
  const uint8_t *w = upper ? bytes - 2 : bytes;
  uint32_t word = tb_number_32 (w);
  return (word & 0xffd000f0) == 0xe1000070 || (word & 0xfff000f0) == 0xe7f000f0
	 || (word & 0xffe0001f) == 0xd4200000
	 || (word & 0xffe0001f) == 0xd4400000;
}

/* A file and a dump, where both are.  */
struct overlap
{
  const uint8_t *file, *dump;
  uint64_t first, length;
};

static bool
find_overlap (struct overlap *o, const struct tb_region *file,
	      const struct tb_region *dump)
{
  uint64_t ends[2] = { file->address + (file->length - 1),
		       dump->address + (dump->length - 1) };
  uint64_t last = ends[0] < ends[1] ? ends[0] : ends[1];
  o->first = file->address > dump->address ? file->address : dump->address;
  if (o->first > last)
    return false;
  o->length = last - o->first + 1;
  o->file = file->data + (o->first - file->address);
  o->dump = dump->data + (o->first - dump->address);
  return true;
}

/* Does the dump have a breakpoint at offset I, and the file another instruction?  */
static bool
replaced (const struct overlap *o, uint64_t i)
{
  uint64_t left = o->length - i, address = o->first + i;
  return left >= 2 && memcmp (o->file + i, o->dump + i, 2) != 0
	 && tb_is_breakpoint (o->dump + i, address, i, left)
	 && !tb_is_breakpoint (o->file + i, address, i, left);
}

/* How many halfwords of the dump are of such breakpoints, the first of them at *FIRST;
   0 where anything else differs, so the file is not what was there.  */
static uint64_t
count_replaced (const struct overlap *o, uint64_t *first)
{
  uint64_t count = 0;
  if (memcmp (o->file, o->dump, (size_t) o->length) == 0)
    return 0;
  if ((o->first & 1) != 0 && o->file[0] != o->dump[0])
    return 0;
  for (uint64_t i = o->first & 1; i < o->length; i += 2)
    {
      size_t n = o->length - i < 2 ? 1 : 2;
      if (memcmp (o->file + i, o->dump + i, n) == 0)
	continue;
      if (!replaced (o, i))
	return 0;
      if (count++ == 0)
	*first = o->first + i;
    }
  return o->length / 2 / SAME_LEAST >= count ? count : 0;
}

/* Do all ELF files that have the two bytes at ADDRESS have BYTES there?  Overlays may
   differ.  */
static bool
undisputed (const struct tb_memmap *map, uint64_t address,
	    const uint8_t *bytes)
{
  const struct tb_region *r;
  size_t n = tb_memmap_regions (map, &r);
  for (size_t i = 0; i < n; i++)
    if (r[i].elf != NULL && address >= r[i].address && r[i].length >= 2
	&& address - r[i].address <= r[i].length - 2
	&& memcmp (r[i].data + (address - r[i].address), bytes, 2) != 0)
      return false;
  return true;
}

/* Let region NUMBER of CORE's map, a dump, have in place of the breakpoints of O what
   the file has.  */
static bool
take_out (struct tb_session_core *core, size_t number, const struct overlap *o,
	  uint64_t *count)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions);
  const struct tb_region *dump = &regions[number];
  *count = 0;
  if (core->without_breakpoints == NULL)
    {
      core->without_breakpoints
	= calloc (n, sizeof *core->without_breakpoints);
      if (core->without_breakpoints == NULL)
	return false;
      core->nwithout_breakpoints = n;
    }
  uint8_t **own = core->without_breakpoints + number;
  if (*own == NULL)
    {
      *own = malloc ((size_t) dump->length);
      if (*own == NULL)
	return false;
      memcpy (*own, dump->data, (size_t) dump->length);
    }
  uint8_t *to = *own + (o->first - dump->address);
  for (uint64_t i = o->first & 1; i < o->length; i += 2)
    if (replaced (o, i) && undisputed (core->map, o->first + i, o->file + i))
      {
	memcpy (to + i, o->file + i, 2);
	++*count;
      }
  return true;
}

enum tb_status
tb_breakpoints_take_out (struct tb_session_core *core, struct tb_diag *diag)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions), pairs = 0;
  /* Those of the halt stand together.  */
  size_t from = 0, end = n;
  while (from < n && !regions[from].halt_contents)
    from++;
  while (end > from && !regions[end - 1].halt_contents)
    end--;
  for (size_t i = 0; i < n; i++)
    for (size_t k = from;
	 regions[i].elf != NULL && regions[i].access == TB_ACCESS_READ && k < end
	   && pairs < PAIRS_MOST;
	 k++)
      {
	struct overlap o;
	uint64_t first = 0, count = 0;
	pairs++;
	if (!regions[k].halt_contents
	    || !find_overlap (&o, &regions[i], &regions[k])
	    || count_replaced (&o, &first) == 0)
	  continue;
	if (!take_out (core, k, &o, &count))
	  return TB_ERR_MEMORY;
	if (count == 0)
	  continue;
	tb_memmap_set_data (core->map, k, core->without_breakpoints[k]);
	tb_warning (diag, "%s has breakpoints of a debugger, in %" PRIu64
		    " bytes, the first at %#" PRIx64 ", and is otherwise the "
		    "same as %s: the code there is taken from that",
		    regions[k].name, 2 * count, first, regions[i].name);
      }
  return TB_OK;
}
