/* Which memory is constant, which is RAM, and which must not be trusted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Base assumptions: on an M-profile core what is dumped of the Code region
   (0x00000000 to 0x1fffffff, DDI 0419 B3.1) does not change unless the trace
   itself writes it; sections that an ELF file calls read only do not either;
   no one but the core and the trace unit writes dumped RAM.  */

#include "config.h"
#include "state/memory.h"

#include <string.h>

/* The M profile's default memory map: Peripheral, and from Device up to the
   end, where the system registers are.  */
static bool
is_device (const struct tb_memory *m, uint64_t address)
{
  return m->is_m && ((address >= 0x40000000 && address < 0x60000000)
		     || address >= 0xa0000000);
}

static bool
was_written (const struct tb_memory *m, const struct tb_region *region)
{
  for (unsigned i = 0; i < m->nwritten; i++)
    if (m->written[i] == region)
      return true;
  return false;
}

enum tb_place_kind
tb_memory_kind (const struct tb_memory *m, uint64_t address, unsigned length,
		const uint8_t **bytes)
{
  const struct tb_region *region = NULL;
  uint64_t there;

  *bytes = NULL;
  if (!m->usable || is_device (m, address))
    return TB_MEMORY_OTHER;
  if (m->trace_ram_length != 0 && address < m->trace_ram + m->trace_ram_length
      && address + length > m->trace_ram)
    return TB_MEMORY_OTHER;
  const uint8_t *data = tb_memmap_at (m->map, m->space, address, &there,
				      &region);
  if (data == NULL || there < length)
    return TB_MEMORY_OTHER;
  bool constant = region->access == TB_ACCESS_READ
		  || (m->is_m && address < 0x20000000
		      && region->access != TB_ACCESS_WRITE);
  if (constant && !was_written (m, region))
    {
      *bytes = data;
      return TB_MEMORY_CONSTANT;
    }
  if (!region->halt_contents || (tb_word) address != address)
    return TB_MEMORY_OTHER;
  *bytes = data;
  return TB_MEMORY_RAM;
}
