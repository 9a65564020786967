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

/* The program that P ran when it had COUNT maps.  */
static const struct tb_perf_program *
program_at (const struct tb_perf_process *p, size_t count)
{
  size_t low;
  if (p->program.first < count || p->nearlier == 0)
    return &p->program;
  TB_LOWER_BOUND (low, p->nearlier, p->earlier[low].first < count);
  return &p->earlier[low > 0 ? low - 1 : 0];
}

/* Add to TO the maps that PROGRAM of process NUMBER had when the process had COUNT, until there are
   more than MOST: a process may have forked any number of others, each of which has all of its
   maps.  False: no memory.  */
static bool
add_maps (const struct tb_perf_code *code, size_t number, const struct tb_perf_program *program,
	  size_t count, size_t most, struct collected *to)
{
  for (unsigned depth = 0; depth < MOST_PARENTS && to->count <= most; depth++)
    {
      const struct tb_perf_process *p = &code->processes[number];
      size_t first = program->first < count ? program->first : count;
      if (count - first > most - to->count)
	first = count - (most - to->count) - 1;
      if (!TB_GROW (to->maps, to->capacity, to->count, count - first))
	return false;
      for (size_t i = count; i > first; i--)
	to->maps[to->count++] = p->maps[i - 1];
      if (program->parent == TB_PERF_NO_PROCESS)
	break;
      count = program->inherited;
      number = program->parent;
      program = program_at (&code->processes[number], count);
    }
  return true;
}

/* Collect the maps that process NUMBER had in the end, or MOST and one more of them.  */
static bool
collect (const struct tb_perf_code *code, size_t number, size_t most, struct collected *to)
{
  const struct tb_perf_process *p = &code->processes[number];
  to->count = 0;
  return add_maps (code, number, &p->program, p->nmaps, most, to);
}

/* Collect the maps that process NUMBER ever had, or MOST and one more of them.  */
static bool
collect_ever (const struct tb_perf_code *code, size_t number, size_t most,
	      struct collected *to)
{
  const struct tb_perf_process *p = &code->processes[number];
  bool good = collect (code, number, most, to);
  size_t end = p->program.first;
  for (size_t i = p->nearlier; i > 0 && good && to->count <= most; i--)
    {
      good = add_maps (code, number, &p->earlier[i - 1], end, most, to);
      end = p->earlier[i - 1].first;
    }
  return good;
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
  if (!tb_tiles_resolve (tiles, list, from->count, NULL, NULL)
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

/* Leave of C, which is tidy, what is in KNOWN, which has the same or nothing at an address; both
   are in the order of the addresses.  *LOST bytes, from *FIRST on, are not.  False: no memory.  */
static bool
leave_known (struct collected *c, const struct tb_perf_shared *known, uint64_t *lost,
	     uint64_t *first)
{
  struct collected left = { 0 };
  void *items = NULL;
  /* Each piece ends where one of the two does.  */
  if (!tb_grow (&items, &left.capacity, 0, c->count + known->count + 1, sizeof *left.maps))
    return false;
  left.maps = items;
  *lost = *first = 0;
  for (size_t i = 0, k = 0; i < c->count; i++)
    {
      const struct tb_perf_map *map = &c->maps[i];
      uint64_t at = map->address, last = at + (map->size - 1);
      bool more = true;
      while (more)
	{
	  while (k < known->count
		 && known->maps[k].address + (known->maps[k].size - 1) < at)
	    k++;
	  const struct tb_perf_map *one = k < known->count ? &known->maps[k] : NULL;
	  bool is = one != NULL && one->address <= at;
	  uint64_t until = last;
	  if (is && one->address + (one->size - 1) < last)
	    until = one->address + (one->size - 1);
	  else if (!is && one != NULL && one->address <= last)
	    until = one->address - 1;
	  if (is)
	    left.maps[left.count++] = (struct tb_perf_map) {
	      .file = map->file, .address = at, .size = until - at + 1,
	      .offset = map->offset + (at - map->address)
	    };
	  else
	    {
	      *first = *lost == 0 ? at : *first;
	      *lost += until - at + 1;
	    }
	  more = until < last;
	  at = until + 1;
	}
    }
  free (c->maps);
  *c = left;
  return true;
}

/* What is looked at to find the code of a process: EVER and TIMES are to work with.  */
struct code_finder
{
  struct collected found, ever;
  struct tb_perf_shared times;
  size_t most;			/* Maps that may be looked at.  */
  bool too_many;		/* There were more.  */
  uint64_t lost, first;		/* Bytes where there was different code at different times.  */
};

/* Find the code of process NUMBER: what it had in the end where it never had anything else.
   False: no memory.  */
static bool
find_code (const struct tb_perf_code *code, size_t number, struct code_finder *f)
{
  f->times.count = 0;
  f->lost = 0;
  if (!collect_ever (code, number, f->most, &f->ever))
    return false;
  f->too_many = f->ever.count > f->most;
  return f->too_many
	 || (collect (code, number, f->most, &f->found) && tidy (&f->found, false)
	     && tb_perf_shared_add (&f->times, f->ever.maps, f->ever.count)
	     && tb_perf_shared_settle (&f->times, &f->lost, &f->first)
	     && leave_known (&f->found, &f->times, &f->lost, &f->first));
}

static void
finder_fini (struct code_finder *f)
{
  free (f->found.maps);
  free (f->ever.maps);
  free (f->times.maps);
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
	    struct code_finder *other, struct given *given, const struct tb_perf_units *units,
	    struct tb_maker *maker)
{
  struct tb_perf_process *p = &code->processes[number];
  uint64_t hash = hash_of (c);
  if (c->count == 0)
    return true;
  for (unsigned i = given->none + 1; i < given->next; i++)
    if (given->items[i].hash == hash)
      {
	if (!find_code (code, given->items[i].process, other))
	  return false;
	if (other->found.count != c->count
	    || memcmp (other->found.maps, c->maps, c->count * sizeof *c->maps) != 0)
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

/* Let all have what no two processes have at one address, at any time.  */
static bool
share_all (struct tb_perf_code *code, const struct tb_perf_units *units,
	   struct tb_maker *maker)
{
  struct collected maps = { 0 };
  struct tb_perf_shared shared = { 0 };
  bool good = true;
  size_t i, looked = 0;
  for (i = 0; i < code->nprocesses && good && looked <= TB_PERF_MOST_MAPS; i++)
    {
      good = collect_ever (code, i, TB_PERF_MOST_MAPS, &maps)
	     && tb_perf_shared_add (&shared, maps.maps, maps.count);
      looked += maps.count;
    }
  /* Each map there is counts for all then.  So less may be known, but nothing that is wrong.  */
  bool too_many = looked > TB_PERF_MOST_MAPS;
  for (i = 0; too_many && i < code->nprocesses && good; i++)
    good = tb_perf_shared_add (&shared, code->processes[i].maps, code->processes[i].nmaps);
  good = good && tb_perf_shared_settle (&shared, &code->disputed, &code->first_disputed);
  const struct collected all = { .maps = shared.maps, .count = shared.count };
  dump (&all, TB_SPACE_ANY, units, maker);
  free (maps.maps);
  free (shared.maps);
  return good;
}

/* Note that FINDER found code of P that was not there all the time.  */
static void
note_changes (struct tb_perf_code *code, const struct tb_perf_process *p,
	      const struct code_finder *finder)
{
  if (finder->lost == 0)
    return;
  if (code->changing++ == 0)
    {
      code->first_changing = p->pid;
      code->first_changed = finder->first;
    }
  code->changed += finder->lost;
}

void
tb_perf_code_make (struct tb_perf_code *code, const struct tb_perf_units *units,
		   struct tb_maker *maker)
{
  struct code_finder finder = { .most = TB_PERF_MOST_MAPS };
  struct code_finder other = { .most = TB_PERF_MOST_MAPS };
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
	if (p->nmaps <= p->program.first && p->program.parent == TB_PERF_NO_PROCESS)
	  continue;
	finder.most = left;
	good = find_code (code, i, &finder);
	p->refused = finder.too_many;
	code->uncollected += p->refused;
	left -= finder.ever.count < left ? finder.ever.count : left;
	if (p->refused || !good)
	  continue;
	note_changes (code, p, &finder);
	good = give_space (code, i, &finder.found, &other, &given, units, maker);
	code->refused += p->refused;
      }
  finder_fini (&finder);
  finder_fini (&other);
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
