/* The hash of all PCs, range by range.  See pc-hash.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/pc-hash.h"

#include <stdlib.h>

#include "util/fnv.h"

/* The most ranges that are kept, and the most of them with a table.  */
#define RANGES_MOST (UINT32_C (1) << 20)
#define TABLES_MOST 16384

/* Visits after which a table is made; that costs as much as some 60 visits.  */
#define VISITS_LEAST 24

/* Ranges of more instructions get none: it would take long to make.  */
#define COUNT_MOST 4096

#define CHUNK 512

/* What a range does to a hash.  */
struct hash_table
{
  uint64_t power;		/* The prime to the power of the bytes.  */
  uint64_t low;			/* Four bits for each low half of the low byte. */
  uint64_t high[16];		/* By the low half; four bits for each high.  */
  uint64_t add[256];		/* By the low byte.  */
};

struct tb_pc_range
{
  /* Written once, by who notes.  */
  uint64_t start;
  uint32_t count;
  uint8_t isa, space;
  struct tb_pc_ranges *ranges;
  /* By who hashes.  */
  uint32_t visits;
  struct hash_table *table;
};

struct range_chunk
{
  struct range_chunk *older;
  struct tb_pc_range ranges[CHUNK];
};

struct tb_pc_ranges
{
  /* By who notes.  Open addressing, linear.  */
  struct tb_pc_range **slots;
  size_t mask;
  uint32_t count;
  struct range_chunk *chunks;
  /* By who hashes.  */
  uint32_t ntables;
};

struct tb_pc_ranges *
tb_pc_ranges_new (void)
{
  struct tb_pc_ranges *r = calloc (1, sizeof *r);
  if (r == NULL)
    return NULL;
  r->mask = 1023;
  r->slots = calloc (r->mask + 1, sizeof *r->slots);
  if (r->slots == NULL)
    {
      free (r);
      return NULL;
    }
  return r;
}

void
tb_pc_ranges_free (struct tb_pc_ranges *r)
{
  if (r == NULL)
    return;
  for (size_t i = 0; i <= r->mask; i++)
    if (r->slots[i] != NULL)
      free (r->slots[i]->table);
  while (r->chunks != NULL)
    {
      struct range_chunk *older = r->chunks->older;
      free (r->chunks);
      r->chunks = older;
    }
  free (r->slots);
  free (r);
}

static inline size_t
first_slot (const struct tb_pc_ranges *r, uint64_t start, uint32_t count)
{
  uint64_t key = (start ^ (uint64_t) count << 40)
		 * UINT64_C (0x9e3779b97f4a7c15);
  return key >> 32 & r->mask;
}

static bool
is_range (const struct tb_pc_range *range, const struct tb_element *e)
{
  return range->start == e->u.range.start && range->count == e->u.range.count
	 && range->isa == e->isa && range->space == e->space;
}

/* Twice as many slots.  */
static bool
grow (struct tb_pc_ranges *r)
{
  size_t mask = r->mask * 2 + 1;
  struct tb_pc_range **slots = calloc (mask + 1, sizeof *slots), **old;
  if (slots == NULL)
    return false;
  size_t n = r->mask + 1;
  old = r->slots;
  r->slots = slots;
  r->mask = mask;
  for (size_t i = 0; i < n; i++)
    if (old[i] != NULL)
      {
	size_t at = first_slot (r, old[i]->start, old[i]->count);
	while (slots[at] != NULL)
	  at = (at + 1) & mask;
	slots[at] = old[i];
      }
  free (old);
  return true;
}

/* Put the range of E into the table.  NULL: there is no room.  */
static struct tb_pc_range *
add (struct tb_pc_ranges *r, const struct tb_element *e)
{
  if (r->count >= RANGES_MOST || (r->count * 2 > r->mask && !grow (r)))
    return NULL;
  if (r->count % CHUNK == 0)
    {
      struct range_chunk *chunk = calloc (1, sizeof *chunk);
      if (chunk == NULL)
	return NULL;
      chunk->older = r->chunks;
      r->chunks = chunk;
    }
  struct tb_pc_range *range = &r->chunks->ranges[r->count++ % CHUNK];
  range->start = e->u.range.start;
  range->count = e->u.range.count;
  range->isa = e->isa;
  range->space = e->space;
  range->ranges = r;
  size_t at = first_slot (r, range->start, range->count);
  while (r->slots[at] != NULL)
    at = (at + 1) & r->mask;
  r->slots[at] = range;
  return range;
}

void
tb_pc_note (struct tb_pc_ranges *r, const struct tb_element *e,
	    struct tb_pc_note *note)
{
  size_t at = first_slot (r, e->u.range.start, e->u.range.count);
  struct tb_pc_range *range;
  while ((range = r->slots[at]) != NULL && !is_range (range, e))
    at = (at + 1) & r->mask;
  if (range == NULL)
    range = add (r, e);
  note->known = range != NULL;
  if (range != NULL)
    note->u.range = range;
  else
    note->u.start = e->u.range.start;
  note->count = e->u.range.count;
  note->isa = e->isa;
  note->space = e->space;
}

/* PC by PC.  */
static uint64_t
hash_pcs (uint64_t hash, uint64_t pc, const struct tb_pc_note *note,
	  struct tb_follow *follow)
{
  bool fixed = note->isa == TB_ISA_A64 || note->isa == TB_ISA_A32;
  for (uint32_t i = 0; i < note->count; i++)
    {
      uint32_t opcode;
      hash = tb_fnv_u64 (hash, pc);
      pc += fixed ? 4 : tb_follow_opcode (follow, note->space, note->isa, pc,
					  &opcode);
    }
  return hash;
}

/* The prime to the power of EXPONENT.  */
static uint64_t
power (uint64_t exponent)
{
  uint64_t result = 1, factor = TB_FNV_PRIME;
  for (; exponent > 0; exponent >>= 1)
    {
      if (exponent & 1)
	result *= factor;
      factor *= factor;
    }
  return result;
}

/* The table of RANGE.  NULL: no memory.  */
static struct hash_table *
make_table (const struct tb_pc_range *range, const struct tb_pc_note *note,
	    struct tb_follow *follow)
{
  struct hash_table *table = calloc (1, sizeof *table);
  if (table == NULL)
    return NULL;
  uint64_t hash[256], pc = range->start;
  bool fixed = note->isa == TB_ISA_A64 || note->isa == TB_ISA_A32;
  for (unsigned low = 0; low < 256; low++)
    hash[low] = low;
  for (uint32_t i = 0; i < note->count; i++)
    {
      uint32_t opcode;
      for (unsigned low = 0; low < 256; low++)
	hash[low] = tb_fnv_u64 (hash[low], pc);
      pc += fixed ? 4 : tb_follow_opcode (follow, note->space, note->isa, pc,
					  &opcode);
    }
  table->power = power (UINT64_C (8) * note->count);
  for (unsigned low = 0; low < 256; low++)
    {
      table->add[low] = hash[low] - low * table->power;
      table->high[low & 15] |= (hash[low] >> 4 & 15) << (low >> 4) * 4;
      if (low < 16)
	table->low |= (hash[low] & 15) << low * 4;
    }
  return table;
}

/* HASH continued with NOTE, whose range has no table; it may get one.  */
static uint64_t
hash_note (uint64_t hash, const struct tb_pc_note *note,
	   struct tb_follow *follow)
{
  if (!note->known)
    return hash_pcs (hash, note->u.start, note, follow);
  struct tb_pc_range *range = note->u.range;
  if (++range->visits >= VISITS_LEAST && note->count <= COUNT_MOST
      && range->ranges->ntables < TABLES_MOST)
    {
      range->table = make_table (range, note, follow);
      range->ranges->ntables += range->table != NULL;
    }
  return hash_pcs (hash, range->start, note, follow);
}

uint64_t
tb_pc_hash (uint64_t hash, const struct tb_pc_note *notes, size_t count,
	    struct tb_follow *follow)
{
  unsigned low = hash & 15, high = hash >> 4 & 15;
  for (size_t i = 0; i < count; i++)
    {
      const struct hash_table *table = notes[i].known ? notes[i].u.range->table
						 : NULL;
      if (__builtin_expect (table == NULL, 0))
	{
	  hash = hash_note (hash, &notes[i], follow);
	  low = hash & 15;
	  high = hash >> 4 & 15;
	  continue;
	}
      hash = hash * table->power + table->add[high << 4 | low];
      high = table->high[low] >> high * 4 & 15;
      low = table->low >> low * 4 & 15;
    }
  return hash;
}
