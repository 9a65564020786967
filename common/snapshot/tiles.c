/* Overlapping regions of memory resolved into tiles.  See tiles.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/tiles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/search.h"

/* Comparing overlaps stops after so many pairs, bytes and messages, so that a hostile snapshot
   cannot make it last.  What dumps have where they were not compared is unknown, too, and so is
   the rest of an overlap after so many runs of bytes that differ.  */
#define MAX_PAIRS 1000000
#define MAX_BYTES (UINT64_C (256) << 20)
#define MAX_MESSAGES 16
#define MAX_RUNS 8192

/* So many bytes are compared at once.  */
#define BLOCK 4096

/* Addresses where dumps differ.  */
struct tile_run
{
  uint64_t first, last;
};

/* The sweep over the regions.  A region's number is its precedence: the lower
   wins.  */
struct sweep
{
  const struct tb_region *const *regions;
  uint32_t *by_start;		/* Numbers, by address.  */
  uint32_t *heap;		/* Numbers, the lowest first; those of regions
				   that ended leave when they get there.  */
  size_t heap_count;
  struct tb_diag *diag;
  /* Those of space ANY are resolved there; NULL: they are not.  */
  const struct tb_tiles *any;
  uint64_t pairs, bytes;
  unsigned messages;
  struct tile_run *runs;	/* Of the tile that is made.  */
  size_t nruns, runs_capacity;
  size_t all_runs;		/* Of all tiles.  */
  uint64_t untold;		/* Bytes that are unknown, of which no message told.  */
  bool failed;
  /* What was told to differ: a dump or an ELF file, and another ELF file.  */
  const void *told[MAX_MESSAGES][2];
};

static uint64_t
last_of (const struct tb_region *region)
{
  return region->address + (region->length - 1);
}

void
tb_tiles_fini (struct tb_tiles *tiles)
{
  free (tiles->items);
  *tiles = (struct tb_tiles) { 0 };
}

static bool
add_tile (struct tb_tiles *tiles, uint64_t first, uint64_t last,
	  const struct tb_region *region, bool disputed)
{
  struct tb_tile *before = tiles->count > 0 ? &tiles->items[tiles->count - 1]
			  : NULL;
  if (before != NULL && before->region == region && before->disputed == disputed
      && before->last == first - 1)
    {
      before->last = last;
      return true;
    }
  if (!TB_GROW (tiles->items, tiles->capacity, tiles->count, 1))
    return false;
  tiles->items[tiles->count++] = (struct tb_tile) { first, last, region, disputed };
  return true;
}

static void
push (struct sweep *sweep, uint32_t number)
{
  uint32_t *heap = sweep->heap;
  size_t i = sweep->heap_count++;
  for (; i > 0 && heap[(i - 1) / 2] > number; i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = number;
}

static void
pop (struct sweep *sweep)
{
  uint32_t *heap = sweep->heap;
  size_t count = --sweep->heap_count;
  uint32_t number = heap[count];
  size_t i = 0;
  for (size_t child = 1; child < count; child = 2 * i + 1)
    {
      child += child + 1 < count && heap[child + 1] < heap[child];
      if (heap[child] > number)
	break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = number;
}

/* Where in its data REGION has the byte at ADDRESS.  */
static const uint8_t *
byte_of (const struct tb_region *region, uint64_t address)
{
  return region->data + (address - region->address);
}

/* That WINNER and LOSER, which is of an ELF file, differ: is that news?  Another program
   differs in each of its sections, which is worth one message.  */
static bool
is_news (struct sweep *sweep, const struct tb_region *winner,
	 const struct tb_region *loser)
{
  const void *first = winner->elf != NULL ? (const void *) winner->elf : winner;
  if (loser->elf == NULL)
    return true;
  for (unsigned i = 0; i < sweep->messages; i++)
    if (sweep->told[i][0] == first && sweep->told[i][1] == loser->elf)
      return false;
  sweep->told[sweep->messages][0] = first;
  sweep->told[sweep->messages][1] = loser->elf;
  return true;
}

/* Nobody can tell what is at FIRST to LAST.  */
static void
add_run (struct sweep *sweep, uint64_t first, uint64_t last)
{
  if (!TB_GROW (sweep->runs, sweep->runs_capacity, sweep->nruns, 1))
    {
      sweep->failed = true;
      return;
    }
  sweep->runs[sweep->nruns++] = (struct tile_run) { first, last };
  sweep->all_runs++;
}

/* Add the runs of bytes in which A and B, of LENGTH bytes, differ, of which A is that at FIRST.
   Returns how many bytes that are.  */
static uint64_t
add_differences (struct sweep *sweep, const uint8_t *a, const uint8_t *b, uint64_t first,
		 uint64_t length)
{
  uint64_t bytes = 0, begin = 0;
  bool differs = false;
  for (uint64_t at = 0; at < length;)
    {
      uint64_t end = length - at < BLOCK ? length : at + BLOCK;
      if (!differs && memcmp (a + at, b + at, (size_t) (end - at)) == 0)
	{
	  at = end;
	  continue;
	}
      for (; at < end; at++)
	{
	  bool now = a[at] != b[at];
	  if (now && !differs && sweep->all_runs >= MAX_RUNS)
	    {
	      add_run (sweep, first + at, first + length - 1);
	      return bytes + (length - at);
	    }
	  if (now && !differs)
	    begin = at;
	  if (differs && !now)
	    add_run (sweep, first + begin, first + at - 1);
	  bytes += now;
	  differs = now;
	}
    }
  if (differs)
    add_run (sweep, first + begin, first + length - 1);
  return bytes;
}

/* May nobody say which of WINNER and LOSER is right where they differ?  Of two dumps of one
   memory.  */
static bool
is_open (const struct tb_region *winner, const struct tb_region *loser)
{
  return winner->halt_contents && loser->halt_contents
	 && tb_space_regime (winner->space) == tb_space_regime (loser->space);
}

/* Warn if LOSER has other bytes than WINNER between FIRST and LAST; add where, if it is open which
   of them is right.  */
static void
compare (struct sweep *sweep, const struct tb_region *winner,
	 const struct tb_region *loser, uint64_t first, uint64_t last)
{
  bool open = is_open (winner, loser);
  if (sweep->any != NULL && winner->space == TB_SPACE_ANY
      && loser->space == TB_SPACE_ANY)
    return;
  /* That is what contexts are for.  */
  if (winner->space >= TB_SPACE_CONTEXTS && loser->space != winner->space)
    return;
  /* A program writes to its own data.  */
  if (winner->halt_contents && !loser->halt_contents
      && loser->access == TB_ACCESS_WRITE)
    return;
  if (!open && (sweep->diag == NULL || sweep->messages >= MAX_MESSAGES))
    return;
  if (first < loser->address)
    first = loser->address;
  if (last > last_of (loser))
    last = last_of (loser);
  if (first > last)
    return;
  const uint8_t *a = byte_of (winner, first), *b = byte_of (loser, first);
  uint64_t length = last - first + 1, unknown = 0;
  if (a == b)
    return;
  uint64_t looked = length > MAX_BYTES - sweep->bytes ? MAX_BYTES - sweep->bytes : length;
  sweep->bytes += looked;
  bool same = memcmp (a, b, (size_t) looked) == 0;
  if (open && !same)
    unknown = add_differences (sweep, a, b, first, looked);
  if (open && looked < length)
    {
      add_run (sweep, first + looked, last);
      unknown += length - looked;
    }
  if (sweep->diag == NULL || same)
    {
      sweep->untold += unknown;
      return;
    }
  uint64_t i = 0;
  while (a[i] == b[i])
    i++;
  if (sweep->messages >= MAX_MESSAGES || !is_news (sweep, winner, loser))
    {
      sweep->untold += unknown;
      return;
    }
  sweep->messages++;
  if (!open)
    tb_warning (sweep->diag, "memory at %#" PRIx64 ": expected the same bytes "
		"in all regions there, found 0x%02x in %s and 0x%02x in %s; "
		"the first is taken", first + i, a[i], winner->name, b[i],
		loser->name);
  else
    tb_warning (sweep->diag, "memory at %#" PRIx64 ": expected the same bytes in all dumps of "
		"%#" PRIx64 " to %#" PRIx64 ", found 0x%02x in %s and 0x%02x in %s; what is "
		"there in %" PRIu64 " bytes is unknown", first + i, first, last, a[i],
		winner->name, b[i], loser->name, unknown);
}

/* Compare the tile of WINNER with all other regions that reach into it.  */
static void
compare_all (struct sweep *sweep, uint32_t winner, uint64_t first,
	     uint64_t last)
{
  const struct tb_region *region = sweep->regions[winner];
  sweep->nruns = 0;
  if (sweep->diag == NULL && !region->halt_contents)
    return;
  for (size_t i = 0; i < sweep->heap_count; i++)
    {
      if (sweep->pairs++ >= MAX_PAIRS)
	{
	  if (region->halt_contents && sweep->heap_count > 1)
	    {
	      add_run (sweep, first, last);
	      sweep->untold += last - first + 1;
	    }
	  return;
	}
      if (sweep->heap[i] != winner)
	compare (sweep, region, sweep->regions[sweep->heap[i]], first, last);
    }
}

static int
compare_runs (const void *left, const void *right)
{
  const struct tile_run *a = left, *b = right;
  return (a->first > b->first) - (a->first < b->first);
}

/* Add to TILES FIRST to LAST, of REGION, but for the runs that nobody can tell.  */
static bool
add_tiles (struct sweep *sweep, struct tb_tiles *tiles, uint64_t first, uint64_t last,
	   const struct tb_region *region)
{
  if (sweep->nruns > 1)
    qsort (sweep->runs, sweep->nruns, sizeof *sweep->runs, compare_runs);
  uint64_t at = first;
  for (size_t i = 0; i < sweep->nruns; i++)
    {
      struct tile_run run = sweep->runs[i];
      if (run.last < at)
	continue;
      if (run.first > at && !add_tile (tiles, at, run.first - 1, region, false))
	return false;
      if (!add_tile (tiles, run.first > at ? run.first : at, run.last, region, true))
	return false;
      if (run.last == last)
	return true;
      at = run.last + 1;
    }
  return add_tile (tiles, at, last, region, false);
}

/* Let what of FIRST to LAST, which are REGION's, is disputed where those of space ANY are resolved
   be so here.  */
static void
take_runs (struct sweep *sweep, const struct tb_region *region, uint64_t first, uint64_t last)
{
  if (sweep->any == NULL || region->space != TB_SPACE_ANY || !region->halt_contents)
    return;
  const struct tb_tile *end = sweep->any->items + sweep->any->count;
  for (const struct tb_tile *tile = tb_tiles_from (sweep->any, first);
       tile != NULL && tile < end && tile->first <= last; tile++)
    if (tile->disputed)
      add_run (sweep, tile->first > first ? tile->first : first,
	       tile->last < last ? tile->last : last);
}

static int
compare_starts (const void *left, const void *right, void *context)
{
  const struct tb_region *const *regions = context;
  uint32_t a = *(const uint32_t *) left, b = *(const uint32_t *) right;
  uint64_t p = regions[a]->address, q = regions[b]->address;
  if (p != q)
    return p < q ? -1 : 1;
  return (a > b) - (a < b);
}

/* Go through the addresses from the lowest to the highest.  */
static bool
sweep_all (struct sweep *sweep, size_t count, struct tb_tiles *tiles)
{
  const struct tb_region *const *regions = sweep->regions;
  size_t next = 0;
  uint64_t at = 0;
  for (;;)
    {
      while (next < count && regions[sweep->by_start[next]]->address <= at)
	push (sweep, sweep->by_start[next++]);
      while (sweep->heap_count > 0 && last_of (regions[sweep->heap[0]]) < at)
	pop (sweep);
      if (sweep->heap_count == 0)
	{
	  if (next == count)
	    return true;
	  at = regions[sweep->by_start[next]]->address;
	  continue;
	}
      uint32_t winner = sweep->heap[0];
      uint64_t last = last_of (regions[winner]);
      for (; next < count; next++)
	{
	  uint32_t number = sweep->by_start[next];
	  uint64_t start = regions[number]->address;
	  if (start > last)
	    break;
	  if (number < winner)
	    {
	      last = start - 1;
	      break;
	    }
	  push (sweep, number);
	}
      compare_all (sweep, winner, at, last);
      take_runs (sweep, regions[winner], at, last);
      if (sweep->failed || !add_tiles (sweep, tiles, at, last, regions[winner]))
	return false;
      if (last == UINT64_MAX)
	return true;
      at = last + 1;
    }
}

bool
tb_tiles_resolve (struct tb_tiles *tiles, const struct tb_region *const *regions,
		  size_t count, const struct tb_tiles *any, struct tb_diag *diag)
{
  if (count == 0)
    return true;
  if (count > UINT32_MAX)
    return false;
  struct sweep sweep = { .regions = regions, .diag = diag, .any = any };
  sweep.by_start = calloc (count, sizeof *sweep.by_start);
  sweep.heap = calloc (count, sizeof *sweep.heap);
  bool good = sweep.by_start != NULL && sweep.heap != NULL;
  if (good)
    {
      for (size_t i = 0; i < count; i++)
	sweep.by_start[i] = (uint32_t) i;
      qsort_r (sweep.by_start, count, sizeof *sweep.by_start, compare_starts,
	       (void *) regions);
      good = sweep_all (&sweep, count, tiles);
    }
  if (good && sweep.untold > 0 && diag != NULL)
    tb_warning (diag, "memory: expected the same bytes in all dumps of it; of more overlaps than "
		"were named, %" PRIu64 " bytes differ or were too many to be compared, and are "
		"unknown",
		sweep.untold);
  free (sweep.by_start);
  free (sweep.heap);
  free (sweep.runs);
  return good;
}

/* Whether the tiles at CURSORS of OTHERS that begin by FIRST have the same bytes
   from there to LAST; *RUN is one of them, NULL if there is none.  */
static bool
agree (const struct tb_tiles *others, const size_t *cursors, size_t count,
       uint64_t first, uint64_t last, const struct tb_tile **tile)
{
  *tile = NULL;
  for (size_t i = 0; i < count; i++)
    {
      if (cursors[i] == others[i].count)
	continue;
      const struct tb_tile *other = &others[i].items[cursors[i]];
      if (other->first > first)
	continue;
      if (other->disputed)
	return false;
      if (*tile == NULL)
	*tile = other;
      else if (memcmp (byte_of ((*tile)->region, first),
		       byte_of (other->region, first),
		       (size_t) (last - first + 1)) != 0)
	return false;
    }
  return *tile != NULL;
}

/* Move CURSOR of TILES behind those that end before AT.  *LAST becomes the end
   of the tile that AT is in, or the address before the next tile, if it was
   behind that.  Returns whether a tile is at or behind AT.  */
static bool
step (const struct tb_tiles *tiles, size_t *cursor, uint64_t at, uint64_t *last)
{
  while (*cursor < tiles->count && tiles->items[*cursor].last < at)
    ++*cursor;
  if (*cursor == tiles->count)
    return false;
  const struct tb_tile *tile = &tiles->items[*cursor];
  uint64_t end = tile->first <= at ? tile->last : tile->first - 1;
  if (end < *last)
    *last = end;
  return true;
}

bool
tb_tiles_agree (struct tb_tiles *tiles, const struct tb_tiles *first,
		const struct tb_tiles *others, size_t count)
{
  size_t cursor = 0, cursors[TB_SPACE_COUNT] = { 0 };
  for (uint64_t at = 0, last;; at = last + 1)
    {
      last = UINT64_MAX;
      bool more = step (first, &cursor, at, &last);
      for (size_t i = 0; i < count; i++)
	more |= step (&others[i], &cursors[i], at, &last);
      if (!more)
	return true;

      const struct tb_tile *tile = NULL;
      if (cursor < first->count && first->items[cursor].first <= at)
	tile = &first->items[cursor];
      else if (!agree (others, cursors, count, at, last, &tile))
	tile = NULL;
      if (tile != NULL && !add_tile (tiles, at, last, tile->region, tile->disputed))
	return false;
      if (last == UINT64_MAX)
	return true;
    }
}

const struct tb_tile *
tb_tiles_from (const struct tb_tiles *tiles, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, tiles->count, tiles->items[low].last < address);
  return low < tiles->count ? &tiles->items[low] : NULL;
}
