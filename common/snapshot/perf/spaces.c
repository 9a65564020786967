/* Which processes have the same code, and where the code of each is.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/code.h"

#include <stdlib.h>
#include <string.h>

#include "snapshot/perf/shared.h"
#include "snapshot/tiles.h"
#include "util/buffer.h"
#include "util/fnv.h"
#include "util/search.h"

/* Forks of forks are followed so far back.  */
#define MOST_PARENTS 64

/* What a process had in the end.  */
struct collected
{
  struct tb_perf_map *maps;	/* The later before the earlier.  */
  size_t count, capacity;
};

/* Collect the maps of process NUMBER, as they were when it had COUNT of its own.  */
static bool
collect (const struct tb_perf_code *code, size_t number, struct collected *to)
{
  size_t count = code->processes[number].nmaps;
  to->count = 0;
  for (unsigned depth = 0; number != TB_PERF_NO_PROCESS && depth < MOST_PARENTS; depth++)
    {
      const struct tb_perf_process *p = &code->processes[number];
      size_t first = p->first < count || depth == 0 ? p->first : 0;
      void *items = to->maps;
      if (!tb_grow (&items, &to->capacity, to->count, count - first, sizeof *to->maps))
	return false;
      to->maps = items;
      for (size_t i = count; i > first; i--)
	to->maps[to->count++] = p->maps[i - 1];
      count = p->inherited;
      number = p->parent;
    }
  return true;
}

/* Put into TO, which is empty, what of FROM's files is where, and UNKNOWN: also where what is
   in no file is.  TILES, and REGIONS and LIST, which have room for each map, are to work
   with.  */
static bool
leave_topmost (struct collected *to, const struct collected *from, bool unknown,
	       struct tb_tiles *tiles, struct tb_region *regions, const struct tb_region **list)
{
  for (size_t i = 0; i < from->count; i++)
    {
      regions[i] = (struct tb_region) {
	.address = from->maps[i].address, .length = from->maps[i].size
      };
      list[i] = &regions[i];
    }
  void *items = NULL;
  if (!tb_tiles_resolve (tiles, list, from->count, true, NULL)
      || !tb_grow (&items, &to->capacity, 0, tiles->count, sizeof *to->maps))
    return false;
  to->maps = items;
  for (size_t i = 0; i < tiles->count; i++)
    {
      const struct tb_tile *tile = &tiles->items[i];
      struct tb_perf_map map = from->maps[tile->region - regions];
      uint64_t skipped = tile->first - map.address;
      uint64_t there = map.file != NULL ? map.file->map.size : unknown ? UINT64_MAX : 0;
      there -= map.file == NULL ? 0 : map.offset < there ? map.offset : there;
      if (skipped >= there)
	continue;
      map.address += skipped;
      map.offset += skipped;
      map.size = tile->last - tile->first + 1;
      if (map.size > there - skipped)
	map.size = there - skipped;
      to->maps[to->count++] = map;
    }
  return true;
}

/* Leave of C what is there in the end, in the order of the addresses: of maps that overlap
   the later one counts.  UNKNOWN: also what is in no file.  False: no memory.  */
static bool
tidy (struct collected *c, bool unknown)
{
  struct collected left = { 0 };
  struct tb_tiles tiles = { 0 };
  struct tb_region *regions = calloc (c->count + 1, sizeof *regions);
  const struct tb_region **list = calloc (c->count + 1, sizeof *list);
  bool good = regions != NULL && list != NULL
	      && leave_topmost (&left, c, unknown, &tiles, regions, list);
  tb_tiles_fini (&tiles);
  free (regions);
  free (list);
  free (c->maps);
  *c = left;
  return good;
}

static uint64_t
hash_of (const struct collected *c)
{
  uint64_t hash = TB_FNV_START;
  for (size_t i = 0; i < c->count; i++)
    {
      hash = tb_fnv_u64 (hash, c->maps[i].address);
      hash = tb_fnv_u64 (hash, c->maps[i].size);
      hash = tb_fnv_u64 (hash, c->maps[i].offset);
      hash = tb_fnv_u64 (hash, (uint64_t) (uintptr_t) c->maps[i].file);
    }
  return hash;
}

/* Spaces that were given, by what is in them.  */
struct given
{
  /* Kernel threads, and processes whose code is not found: they have what all have.  */
  enum tb_space none;
  struct { uint64_t hash; size_t process; } items[TB_SPACE_LIMIT];
  unsigned next;		/* A space.  */
};

/* Let the first core of UNITS have C in SPACE.  */
static void
dump (const struct collected *c, enum tb_space space, const struct tb_perf_units *units,
      struct tb_maker *maker)
{
  size_t core = units->items[0].core;
  for (size_t i = 0; i < c->count; i++)
    {
      tb_maker_dump (maker, core, c->maps[i].file, c->maps[i].offset, c->maps[i].size, space,
		     c->maps[i].address);
      tb_maker_mapped (maker, core, c->maps[i].offset);
    }
}

/* Give process NUMBER, which has C, a space: one that another of the same has, if there is
   one.  OTHER is to compare by.  False: no memory.  */
static bool
give_space (struct tb_perf_code *code, size_t number, const struct collected *c,
	    struct collected *other, struct given *given, const struct tb_perf_units *units,
	    struct tb_maker *maker)
{
  struct tb_perf_process *p = &code->processes[number];
  uint64_t hash = hash_of (c);
  if (c->count == 0)
    return true;
  for (unsigned i = given->none + 1; i < given->next; i++)
    if (given->items[i].hash == hash)
      {
	if (!collect (code, given->items[i].process, other) || !tidy (other, false))
	  return false;
	if (other->count != c->count
	    || memcmp (other->maps, c->maps, c->count * sizeof *c->maps) != 0)
	  continue;
	p->space = (enum tb_space) i;
	return true;
      }
  if (given->next == TB_SPACE_LIMIT)
    {
      p->refused = true;
      return true;
    }
  given->items[given->next].hash = hash;
  given->items[given->next].process = number;
  p->space = (enum tb_space) given->next++;
  dump (c, p->space, units, maker);
  return true;
}

static int
compare_threads (const void *left, const void *right)
{
  const struct tb_perf_thread *a = left, *b = right;
  if (a->tid != b->tid)
    return a->tid < b->tid ? -1 : 1;
  return a->process < b->process ? -1 : a->process > b->process;
}

/* Sort the threads, each once.  */
static void
sort_threads (struct tb_perf_code *code)
{
  size_t kept = 0;
  if (code->nthreads > 1)
    qsort (code->threads, code->nthreads, sizeof *code->threads, compare_threads);
  for (size_t i = 0; i < code->nthreads; i++)
    if (kept == 0 || compare_threads (&code->threads[kept - 1], &code->threads[i]) != 0)
      code->threads[kept++] = code->threads[i];
  code->nthreads = kept;
}

/* Set *SPACE to where the code of the thread at FROM is.  False: it is not known, as its
   process was refused, or its number was that of threads of several processes in turn.  *NEXT:
   where the next thread is.  */
static bool
space_of (const struct tb_perf_code *code, size_t from, size_t *next, enum tb_space *space)
{
  const struct tb_perf_thread *t = code->threads;
  bool known = true;
  *space = code->processes[t[from].process].space;
  for (*next = from; *next < code->nthreads && t[*next].tid == t[from].tid; ++*next)
    {
      const struct tb_perf_process *p = &code->processes[t[*next].process];
      known &= !p->refused && p->space == *space;
    }
  return known;
}

/* Name the threads to MAKER, and the idle one, which is no process.  */
static void
name_threads (struct tb_perf_code *code, enum tb_perf_naming naming, enum tb_space none,
	      struct tb_maker *maker)
{
  struct tb_context context = {
    .has_cid = naming == TB_PERF_BY_CID, .has_vmid = naming == TB_PERF_BY_VMID, .space = none
  };
  tb_maker_context (maker, &context);
  for (size_t i = 0, next; i < code->nthreads; i = next)
    {
      bool known = space_of (code, i, &next, &context.space);
      *(context.has_cid ? &context.cid : &context.vmid) = code->threads[i].tid;
      if (context.space == TB_SPACE_ANY)
	context.space = none;
      if (known)
	tb_maker_context (maker, &context);
    }
}

/* Add to SHARED what process NUMBER had in the end, and what each of the programs that it
   executed before had.  MAPS is to work with.  */
static bool
share (const struct tb_perf_code *code, size_t number, struct collected *maps,
       struct tb_perf_shared *shared)
{
  const struct tb_perf_process *p = &code->processes[number];
  return collect (code, number, maps) && tidy (maps, true)
	 && tb_perf_shared_add (shared, maps->maps, maps->count)
	 && tb_perf_shared_add (shared, p->maps, p->first);
}

/* Let all have what no two processes have at one address.  */
static bool
share_all (struct tb_perf_code *code, const struct tb_perf_units *units,
	   struct tb_maker *maker)
{
  struct collected maps = { 0 };
  struct tb_perf_shared shared = { 0 };
  bool good = true;
  size_t i;
  for (i = 0; i < code->nprocesses && good && shared.count <= TB_PERF_MOST_MAPS; i++)
    good = share (code, i, &maps, &shared);
  /* What is left has maps of its own or of others: each map there is counts, whether it was
     there in the end or not.  So less may be known, but nothing that is wrong.  */
  bool all_of_them = i < code->nprocesses;
  for (i = 0; all_of_them && i < code->nprocesses && good; i++)
    good = tb_perf_shared_add (&shared, code->processes[i].maps, code->processes[i].nmaps);
  good = good && tb_perf_shared_settle (&shared, &code->disputed, &code->first_disputed);
  const struct collected all = { .maps = shared.maps, .count = shared.count };
  dump (&all, TB_SPACE_ANY, units, maker);
  free (maps.maps);
  free (shared.maps);
  return good;
}

void
tb_perf_code_make (struct tb_perf_code *code, const struct tb_perf_units *units,
		   struct tb_maker *maker)
{
  struct collected all = { 0 }, other = { 0 };
  struct given given = {
    .none = (enum tb_space) (TB_SPACE_CONTEXTS + 1), .next = TB_SPACE_CONTEXTS + 2
  };
  enum tb_perf_naming naming = tb_perf_units_naming (units);
  size_t left = TB_PERF_MOST_MAPS;
  bool good = !code->no_memory;
  /* Those that ran come first.  */
  for (int pass = 0; pass < 2 && units->count > 0; pass++)
    for (size_t i = 0; i < code->nprocesses && good; i++)
      {
	struct tb_perf_process *p = &code->processes[i];
	if (p->active != (pass == 0) || p->pid == TB_PERF_KERNEL)
	  continue;
	if (p->nmaps <= p->first && p->parent == TB_PERF_NO_PROCESS)
	  continue;
	good = left == 0 || collect (code, i, &all);
	p->refused = left == 0 || all.count > left;
	code->uncollected += p->refused;
	left -= all.count < left ? all.count : left;
	if (p->refused || !good)
	  continue;
	good = tidy (&all, false) && give_space (code, i, &all, &other, &given, units, maker);
	code->refused += p->refused;
      }
  free (all.maps);
  free (other.maps);
  sort_threads (code);
  if (good && naming != TB_PERF_BY_NOTHING)
    name_threads (code, naming, given.none, maker);
  else if (good && units->count > 0)
    good = share_all (code, units, maker);
  if (!good)
    tb_no_memory (&maker->reader);
}

enum tb_space
tb_perf_code_space (void *from, uint32_t tid)
{
  struct tb_perf_code *code = from;
  size_t low, next;
  enum tb_space space = TB_SPACE_ANY;
  TB_LOWER_BOUND (low, code->nthreads, code->threads[low].tid < tid);
  if (tid == TB_PERF_ANY_THREAD || low == code->nthreads || code->threads[low].tid != tid
      || !space_of (code, low, &next, &space))
    space = TB_SPACE_ANY;
  code->shared |= space == TB_SPACE_ANY;
  return space;
}
