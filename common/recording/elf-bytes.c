/* Bytes of an ELF file beside those that ran.  See elf-bytes.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/elf-bytes.h"

#include <string.h>

#include "recording/breakpoints.h"

/* RAM of the M profile, in the architecture's memory map (DDI 0403, B3.1).  */
#define M_RAM_FIRST UINT64_C (0x20000000)
#define M_RAM_LAST UINT64_C (0x3fffffff)

static uint64_t
last_of (const struct tb_region *region)
{
  return region->address + (region->length - 1);
}

/* Could code of REGION, an ELF file's, at ADDRESS be other code by and by?  */
static bool
is_ram (const struct tb_elf_bytes *c, const struct tb_region *region,
	uint64_t address)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (c->core->map, &regions);
  if (region->access == TB_ACCESS_WRITE
      || (c->core->profile.is_m && address >= M_RAM_FIRST
	  && address <= M_RAM_LAST))
    return true;
  /* Overlays share addresses.  */
  for (size_t i = 0; i < n; i++)
    if (&regions[i] != region && regions[i].elf == c->image
	&& regions[i].address <= address && address <= last_of (&regions[i]))
      return true;
  return false;
}

/* Did the byte at ADDRESS of DUMP run?  *LENGTH: for how many bytes the answer
   holds at least.  */
static bool
ran (const struct tb_elf_bytes *c, const struct tb_region *dump, uint64_t address,
     uint64_t *length)
{
  bool found = false;
  *length = UINT64_MAX;
  for (int s = 0; s < TB_SPACE_LIMIT; s++)
    {
      uint64_t there, left;
      const struct tb_region *region;
      enum tb_space space = (enum tb_space) s;
      bool here = tb_visits_ran (c->visits, space, address, &there);
      if (there != 0 && there < *length)
	*length = there;
      if (!here)
	continue;
      /* In this space another dump may be there.  A log's code stands behind the
	 ELF file's.  */
      tb_memmap_at (c->core->map, space, address, &left, &region);
      found |= region == dump || (region != NULL && region->elf != NULL);
      if (left != 0 && left < *length)
	*length = left;
    }
  return found;
}

/* Count FILE against DUMP from FIRST to LAST, all of which ran.  */
static void
count (struct tb_elf_bytes *c, const struct tb_region *file,
       const struct tb_region *dump, uint64_t first, uint64_t last)
{
  const uint8_t *a = file->data + (first - file->address);
  const uint8_t *b = dump->data + (first - dump->address);
  uint64_t length = last - first + 1;
  struct tb_elf_tally *tally = is_ram (c, file, first) ? &c->ram : &c->lasting;
  tally->bytes += length;
  if (memcmp (a, b, (size_t) length) == 0)
    return;
  for (uint64_t i = 0; i < length; i++)
    {
      /* The halfword that has the byte.  */
      uint64_t at = i - ((first + i) & 1 & (i > 0));
      if (a[i] == b[i]
	  || (length - at >= 2
	      && tb_is_breakpoint (b + at, first + at, at, length - at)))
	continue;
      if (tally->different++ == 0)
	tally->first = first + i;
    }
}

void
tb_elf_bytes_compare (struct tb_elf_bytes *c, const struct tb_region *file,
		      const struct tb_region *dump)
{
  uint64_t first = file->address > dump->address ? file->address
						 : dump->address;
  uint64_t last = last_of (file) < last_of (dump) ? last_of (file)
						  : last_of (dump);
  if (first > last)
    return;
  if (c->visits == NULL)
    {
      count (c, file, dump, first, last);
      return;
    }
  for (uint64_t at = first, length; at <= last; at += length)
    {
      bool here = ran (c, dump, at, &length);
      if (length > last - at + 1 || length == 0)
	length = last - at + 1;
      if (here)
	count (c, file, dump, at, at + length - 1);
      if (length > UINT64_MAX - at)
	break;
    }
}

void
tb_elf_bytes_compare_all (struct tb_elf_bytes *c)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (c->core->map, &regions), pairs = 0;
  c->lasting = c->ram = (struct tb_elf_tally) { 0 };
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; regions[i].elf == c->image && k < n; k++)
      /* Contexts have other code than others have.  */
      if (regions[k].elf == NULL
	  && (regions[k].space == regions[i].space
	      || (regions[k].space < TB_SPACE_CONTEXTS
		  && regions[i].space < TB_SPACE_CONTEXTS))
	  && pairs++ < TB_ELF_PAIRS_MOST)
	tb_elf_bytes_compare (c, &regions[i], &regions[k]);
}

const struct tb_elf_tally *
tb_elf_bytes_tally (const struct tb_elf_bytes *c)
{
  return c->lasting.bytes != 0 ? &c->lasting : &c->ram;
}

bool
tb_elf_tally_differs (const struct tb_elf_tally *t, struct tb_wrong_elf *wrong)
{
  *wrong = (struct tb_wrong_elf) { .bytes = t->bytes, .different = t->different,
				   .first = t->first };
  return t->different != 0;
}
