/* The vector table of an M-profile core.  See vectors.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/vectors.h"
#include "arm/machine/halt-endian.h"

#include <string.h>

#include "util/number.h"

static bool
read_word (const struct tb_memmap *map, uint64_t address, uint32_t *word)
{
  uint8_t b[4];
  if (tb_memmap_read (map, TB_SPACE_ANY, address, b, 4) != 4)
    return false;
  *word = tb_number_32 (b);
  return true;
}

/* Do dumps differ in the word at ADDRESS?  */
static bool
is_disputed (const struct tb_memmap *map, uint64_t address)
{
  bool is = false;
  for (unsigned i = 0; i < 4 && !is; i++)
    is = tb_memmap_disputed (map, TB_SPACE_ANY, address + i);
  return is;
}

/* The exceptions below 16 that an architecture has, a bit each (DDI 0419
   B1.5.2; DDI 0553 B3.8).  Programs fill the reserved entries with a default
   handler, which must not make the number of a real one doubtful.  */
static uint32_t
system_exceptions (const struct tb_profile *profile)
{
  enum { ALL = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 11 | 1 << 14 | 1 << 15,
	 FAULTS = 1 << 4 | 1 << 5 | 1 << 6, DEBUG = 1 << 12, SECURE = 1 << 7 };
  switch (profile->arch)
    {
    case TB_ARCH_V6M:
    case TB_ARCH_V8M_BASE:
      return ALL;
    case TB_ARCH_V7M:
    case TB_ARCH_V7EM:
      return ALL | FAULTS | DEBUG;
    default:
      return ALL | FAULTS | DEBUG | SECURE;
    }
}

/* Read the table at BASE; false when the reset vector cannot be one.  */
static bool
read_table (struct tb_vectors *v, const struct tb_memmap *map,
	    const struct tb_profile *profile, uint32_t base)
{
  uint32_t stack, reset;
  if (!read_word (map, base, &stack)
      || !read_word (map, (uint64_t) base + 4, &reset))
    return false;
  /* The stack is word aligned and in RAM, never in the code; the reset
     handler is Thumb code that can be read.  */
  uint64_t length;
  if (stack == 0 || (stack & 3) != 0 || (reset & 1) == 0
      || tb_memmap_at (map, TB_SPACE_ANY, reset & ~1u, &length, NULL) == NULL)
    return false;

  memset (v, 0, sizeof *v);
  unsigned disputed = TB_VECTORS_MAX;
  uint64_t end = (uint64_t) base + 4 * TB_VECTORS_MAX;
  for (unsigned n = 1; n < TB_VECTORS_MAX && base + 4ull * n < end; n++)
    {
      uint32_t entry = 0;
      bool known = read_word (map, base + 4ull * n, &entry);
      if (!known && !is_disputed (map, base + 4ull * n))
	break;
      disputed = known || n > disputed ? disputed : n;
      if (entry != 0 && (entry & 1) == 0)
	break;
      v->handler[n] = entry & ~1u;
      v->count = n + 1;
      if ((entry & ~1u) > base && (entry & ~1u) < end)
	end = entry & ~1u;
    }
  /* A handler that begins inside what was read ends the table there.  */
  while (v->count > 2 && base + 4ull * v->count > end)
    v->handler[--v->count] = 0;
  v->disputed = disputed < v->count;
  for (unsigned n = 1; n < 16; n++)
    if (!(system_exceptions (profile) >> n & 1))
      v->handler[n] = 0;
  return v->count > 2;
}

bool
tb_vectors_find (struct tb_vectors *vectors, const struct tb_memmap *map,
		 const struct tb_profile *profile,
		 const struct tb_device *core)
{
  vectors->count = 0;
  vectors->disputed = false;
  /* Their bytes are in the order of data.  */
  if (tb_halt_big_endian (core, profile) != NULL)
    return false;
  const struct tb_device_reg *vtor
    = core != NULL ? tb_device_reg (core, "VTOR") : NULL;
  /* VTOR says which table it is: any other one would be a guess.  */
  if (vtor != NULL)
    {
      if (read_table (vectors, map, profile, (uint32_t) vtor->value & ~0x7fu))
	return true;
      vectors->count = 0;
      return false;
    }

  const struct tb_region *regions;
  size_t n = tb_memmap_regions (map, &regions);
  for (size_t i = 0; i < n; i++)
    if (regions[i].address <= UINT32_MAX - 8 && regions[i].length >= 16
	&& (regions[i].address & 0x7f) == 0
	&& regions[i].access != TB_ACCESS_WRITE
	&& read_table (vectors, map, profile,
		       (uint32_t) regions[i].address))
      return true;
  vectors->count = 0;
  return false;
}

bool
tb_vectors_has (const struct tb_vectors *vectors, uint64_t address)
{
  /* Nothing is chained to Reset.  */
  for (unsigned n = 2; n < vectors->count; n++)
    if (vectors->handler[n] != 0 && vectors->handler[n] == address)
      return true;
  return false;
}

/* Places that hold a handler's address are looked at no more often than this.  */
#define PLACES_MOST 64

/* What the tables around such a place cost, in bytes that are searched.  */
#define PLACE_EFFORT (UINT64_C (1) << 19)

static void
spend (uint64_t *effort, uint64_t bytes)
{
  *effort -= bytes < *effort ? bytes : *effort;
}

/* A table whose entry, from 2 on, at PLACE leads to ADDRESS.  VTOR has no low 7
   bits.  */
static bool
table_around (const struct tb_memmap *map, const struct tb_profile *profile,
	      uint32_t place, uint32_t address)
{
  struct tb_vectors v;
  for (uint32_t base = place & ~0x7fu; place - base < 4 * TB_VECTORS_MAX;
       base -= 0x80)
    {
      uint32_t n = (place - base) / 4;
      if (n >= 2 && read_table (&v, map, profile, base) && n < v.count
	  && v.handler[n] == address)
	return true;
      if (base == 0)
	break;
    }
  return false;
}

bool
tb_vectors_elsewhere (const struct tb_memmap *map,
		      const struct tb_profile *profile, uint32_t address,
		      uint64_t *effort)
{
  const uint8_t word[4] = { (uint8_t) (address | 1), (uint8_t) (address >> 8),
			    (uint8_t) (address >> 16),
			    (uint8_t) (address >> 24) };
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (map, &regions);
  unsigned places = 0;
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_region *r = &regions[i];
      const uint8_t *at = r->data;
      uint64_t left = r->length;
      if (at == NULL || r->address > UINT32_MAX - 4)
	continue;
      while (left >= 4 && places < PLACES_MOST)
	{
	  uint64_t most = left < *effort ? left : *effort;
	  const uint8_t *found = memmem (at, most, word, 4);
	  spend (effort, found != NULL ? (uint64_t) (found - at) : most);
	  if (found == NULL)
	    break;
	  uint64_t place = r->address + (uint64_t) (found - r->data);
	  if (place <= UINT32_MAX - 4 && (place & 3) == 0)
	    {
	      places++;
	      spend (effort, PLACE_EFFORT);
	      if (table_around (map, profile, (uint32_t) place, address))
		return true;
	    }
	  left -= (uint64_t) (found + 1 - at);
	  at = found + 1;
	}
    }
  return false;
}

unsigned
tb_vectors_lookup (const struct tb_vectors *vectors, uint64_t address)
{
  unsigned found = 0;
  /* Which may be that of the entry that is not known.  */
  if (vectors->disputed)
    return 0;
  for (unsigned n = 1; n < vectors->count; n++)
    if (vectors->handler[n] != 0 && vectors->handler[n] == address)
      {
	if (found != 0)
	  return 0;
	found = n;
      }
  return found;
}
