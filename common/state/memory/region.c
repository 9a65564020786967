/* Which memory is constant, which is RAM, and which must not be trusted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The premises read-only, literals, no-other-writer and dumps-are-ram (premise.c) are
   applied here.  The Code region of the M profile is 0x00000000 to 0x1fffffff (DDI 0419
   B3.1).  */

#include "config.h"
#include "state/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/number.h"

static bool
was_written (const struct tb_memory *m, const struct tb_region *region)
{
  for (unsigned i = 0; i < m->nwritten && i < TB_REGIONS_WRITTEN; i++)
    if (m->written[i] == region)
      return true;
  return m->nwritten > TB_REGIONS_WRITTEN;
}

/* Is REGION one of those that BY_REGION is true for?  */
static bool
is_one_of (const struct tb_memory *m, const bool *by_region,
	   const struct tb_region *region)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (m->map, &regions);
  return by_region != NULL && region >= regions && region < regions + n
	 && by_region[region - regions];
}

/* An ELF's region without a word on writing is code; a dump may be RAM: many
   parts have some in the Code region.  */
static bool
is_code_dump (const struct tb_memory *m, const struct tb_region *region)
{
  return !region->halt_contents || is_one_of (m, m->code_dump, region);
}

bool
tb_memory_classify (struct tb_memory *m, const uint64_t *codes, size_t ncodes,
		    const uint64_t *stacks, size_t nstacks)
{
  const struct tb_region *regions, *region;
  size_t n = tb_memmap_regions (m->map, &regions);
  m->code_dump = calloc (n + 1, sizeof *m->code_dump);
  if (m->code_dump == NULL)
    return false;
  uint64_t there;
  for (size_t i = 0; i < ncodes; i++)
    if (tb_memmap_at (m->map, m->space, codes[i], &there, &region) != NULL
	&& region >= regions && region < regions + n)
      m->code_dump[region - regions] = true;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < nstacks; k++)
      if (stacks[k] >= regions[i].address
	  && stacks[k] - regions[i].address <= regions[i].length)
	m->code_dump[i] = false;
  return true;
}

void
tb_memory_find_fixed (struct tb_memory *m)
{
  const struct tb_region *regions = NULL;
  /* A log's state has no map.  */
  size_t n = m->map != NULL ? tb_memmap_regions (m->map, &regions) : 0;
  m->nfixed = 0;
  for (size_t i = 0; i < n && m->nfixed < TB_REGIONS_WRITTEN; i++)
    if (regions[i].access == TB_ACCESS_READ
	&& (regions[i].space == TB_SPACE_ANY || regions[i].space == m->space))
      m->fixed[m->nfixed++] = &regions[i];
}

/* Are the LENGTH bytes at ADDRESS, of which a dump says that they are DATA, what an
   ELF file has there to be read only?  */
static bool
is_fixed (const struct tb_memory *m, uint64_t address, unsigned length,
	  const uint8_t *data)
{
  for (unsigned i = 0; i < m->nfixed; i++)
    {
      const struct tb_region *r = m->fixed[i];
      uint64_t at = address - r->address;
      if (address >= r->address && at < r->length && r->length - at >= length)
	return memcmp (r->data + at, data, length) == 0;
    }
  return false;
}

/* Are the SPAN bytes from FIRST on all in one dump?  */
static bool
is_dumped (const struct tb_memory *m, uint64_t first, uint64_t span)
{
  uint64_t there;
  const struct tb_region *region;
  return tb_memmap_at (m->map, m->space, first, &there, &region) != NULL
	 && there >= span && region->halt_contents;
}

/* On A and R cores, is any dump taken to be RAM, although it may be a device's page?
   PRIVATE: the user says that it is not.  */
static bool
is_doubted_ram (const struct tb_memory *m, bool private)
{
  return !m->is_m && !private && m->doubt & TB_PREMISE_DUMPED_RAM;
}

static bool
is_volatile (const struct tb_memory *m, uint64_t address, uint64_t length)
{
  return tb_extents_hit (m->volatiles, address, length)
	 || tb_extents_hit (m->disputed, address, length);
}

bool
tb_memory_is_trace_ram (const struct tb_memory *m, uint64_t address, unsigned length)
{
  return m->trace_ram_length != 0 && address < m->trace_ram + m->trace_ram_length
	 && address + length > m->trace_ram;
}

enum tb_memory_kind
tb_memory_kind (const struct tb_memory *m, uint64_t address, unsigned length,
		const uint8_t **bytes)
{
  const struct tb_region *region = NULL;
  uint64_t there;

  *bytes = NULL;
  /* What is remembered are words: one with a byte that is not RAM is none.  */
  uint64_t first = tb_word_at (m, address);
  uint64_t span = tb_word_span (m, address, length);
  if (!m->usable || is_volatile (m, first, span))
    return TB_MEMORY_OTHER;
  bool private = tb_extents_hold (m->privates, first, span);
  if (tb_memory_is_device (m, address) && !private)
    return TB_MEMORY_OTHER;
  if (tb_memory_is_trace_ram (m, address, length))
    return TB_MEMORY_OTHER;
  const uint8_t *data = tb_memmap_at (m->map, m->space, address, &there,
				      &region);
  if (data == NULL || there < length || is_one_of (m, m->distrusted, region)
      || is_one_of (m, m->devices, region))
    return TB_MEMORY_OTHER;
  bool constant = region->access == TB_ACCESS_READ
		  || (m->is_m && address < 0x20000000
		      && region->access != TB_ACCESS_WRITE
		      && is_code_dump (m, region))
		  || is_fixed (m, address, length, data);
  if (constant && !was_written (m, region)
      && !(m->doubt & TB_PREMISE_READ_ONLY))
    {
      *bytes = data;
      return TB_MEMORY_CONSTANT;
    }
  if (m->doubt & TB_PREMISE_NO_WRITER || is_doubted_ram (m, private)
      || !region->halt_contents || address > m->graph->ones
      || (!private && tb_extents_hit (m->shared, first, span))
      || (address != first && !is_dumped (m, first, span))
      || (address == first && there < span))
    return TB_MEMORY_OTHER;
  *bytes = data;
  return TB_MEMORY_RAM;
}

uint64_t
tb_memory_gap (const struct tb_memory *m, uint64_t address)
{
  uint64_t first, last;
  if (!tb_memmap_hole (m->map, m->space, address, &first, &last))
    return 0;
  return last - address == UINT64_MAX ? UINT64_MAX : last - address + 1;
}

uint64_t
tb_memory_hidden (const struct tb_memory *m, uint64_t address)
{
  const struct tb_region *region;
  uint64_t there;
  if (m->nfixed > 0)
    return 0;
  if (tb_memmap_at (m->map, m->space, address, &there, &region) == NULL)
    return tb_memory_gap (m, address);
  if (region->access == TB_ACCESS_READ || (m->is_m && address < 0x20000000)
      || tb_extents_hit (m->privates, address, there))
    return 0;
  return m->doubt & TB_PREMISE_NO_WRITER || is_doubted_ram (m, false)
	 || !region->halt_contents || is_one_of (m, m->distrusted, region)
	 || is_one_of (m, m->devices, region)
	 || tb_extents_hold (m->shared, address, there)
	 ? there : 0;
}

bool
tb_memory_stack_shared (const struct tb_memory *m)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (m->map, &regions);
  if (m->doubt & TB_PREMISE_NO_WRITER || is_doubted_ram (m, false))
    return true;
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_region *r = &regions[i];
      bool code = m->is_m && r->address < 0x20000000 && is_code_dump (m, r);
      if (r->halt_contents && r->access != TB_ACCESS_READ && !code
	  && (is_volatile (m, r->address, r->length)
	      || (tb_extents_hit (m->shared, r->address, r->length)
		  && !tb_extents_hold (m->privates, r->address, r->length))))
	return true;
    }
  return false;
}

bool
tb_memory_literal (struct tb_memory *m, uint64_t pc, uint64_t address,
		   unsigned length, tb_word *value)
{
  const struct tb_region *region, *code;
  uint64_t there, at_pc;
  const uint8_t *data = tb_memmap_at (m->map, m->space, address, &there,
				      &region);
  if (!m->usable || data == NULL || there < length
      || tb_memmap_at (m->map, m->space, pc, &at_pc, &code) == NULL
      || code != region || was_written (m, region)
      || is_one_of (m, m->distrusted, region)
      || is_volatile (m, address, length)
      || m->doubt & TB_PREMISE_LITERALS)
    return false;
  unsigned i = 0;
  while (i < m->nliterals && m->literals[i] != region)
    i++;
  if (i == TB_REGIONS_WRITTEN)
    return false;
  m->literals[i] = region;
  if (i == m->nliterals)
    m->nliterals++;
  *value = tb_number (data, length);
  return true;
}

/* Is REGION at ADDRESS taken to be constant, at least in part?  */
static bool
is_constant (const struct tb_memory *m, uint64_t address,
	     const struct tb_region *region)
{
  const uint8_t *bytes;
  if (was_written (m, region))
    return false;
  /* With KEEPS literals stay what they are, and a store to one shows itself.  */
  for (unsigned i = 0; i < m->nliterals && !m->keeps; i++)
    if (m->literals[i] == region)
      return true;
  return tb_memory_kind (m, address, 1, &bytes) == TB_MEMORY_CONSTANT;
}

/* REGION is written after all.  */
static void
add_written (struct tb_memory *m, const struct tb_region *region)
{
  if (m->nwritten < TB_REGIONS_WRITTEN)
    m->written[m->nwritten] = region;
  m->nwritten++;
}

bool
tb_memory_take_written (struct tb_memory *m, const struct tb_memory *from)
{
  bool news = !m->bit_band && from->bit_band;
  m->bit_band |= from->bit_band;
  for (unsigned i = 0; i < from->nwritten; i++)
    if (i == TB_REGIONS_WRITTEN)
      {
	news |= m->nwritten <= TB_REGIONS_WRITTEN;
	m->nwritten = TB_REGIONS_WRITTEN + 1;
      }
    else if (!was_written (m, from->written[i]))
      {
	add_written (m, from->written[i]);
	news = true;
      }
  return news;
}

void
tb_memory_store_to (struct tb_memory *m, uint64_t address, unsigned length)
{
  /* No region is smaller than an access and within it.  */
  for (uint64_t at = address; at - address < length; at += length - 1)
    {
      const struct tb_region *region;
      uint64_t there;
      if (tb_memmap_at (m->map, m->space, at, &there, &region) != NULL
	  && is_constant (m, at, region))
	{
	  m->graph->conflict |= m->keeps;
	  if (m->keeps)
	    return;
	  add_written (m, region);
	  m->restart = true;
	}
      if (length == 1)
	break;
    }
}
