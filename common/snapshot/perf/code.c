/* Whose code was where when perf recorded.  See code.h.

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
#include "util/number.h"
#include "util/search.h"

/* Bits of maps, and of the misc of records.  */
#define PROT_CODE 4
#define MISC_DATA 0x2000	/* MMAP: not of code.  COMM: another program runs.  */
#define NO_PROCESS SIZE_MAX
/* Forks of forks are followed so far back.  */
#define MOST_PARENTS 64
/* Maps that are looked at to find out which processes have the same.  */
#define MOST_COLLECTED ((size_t) 4 << 20)

/* Where process PID is, or would be, among the slots.  */
static size_t
slot_of (const struct tb_perf_code *code, uint32_t pid)
{
  size_t i = (size_t) tb_fnv_u64 (TB_FNV_START, pid) & (code->nslots - 1);
  while (code->slots[i] != 0 && code->processes[code->slots[i] - 1].pid != pid)
    i = (i + 1) & (code->nslots - 1);
  return i;
}

static bool
grow_slots (struct tb_perf_code *code)
{
  size_t size = code->nslots > 0 ? 2 * code->nslots : 64;
  uint32_t *slots = calloc (size, sizeof *slots);
  if (slots == NULL)
    return false;
  free (code->slots);
  code->slots = slots;
  code->nslots = size;
  for (size_t i = 0; i < code->nprocesses; i++)
    slots[slot_of (code, code->processes[i].pid)] = (uint32_t) (i + 1);
  return true;
}

/* The number of process PID, which is added if it is not there.  */
static size_t
process_of (struct tb_perf_code *code, uint32_t pid)
{
  if (2 * (code->nprocesses + 1) > code->nslots && !grow_slots (code))
    {
      code->no_memory = true;
      return NO_PROCESS;
    }
  size_t slot = slot_of (code, pid);
  if (code->slots[slot] != 0)
    return code->slots[slot] - 1;
  void *items = code->processes;
  if (!tb_grow (&items, &code->processes_capacity, code->nprocesses, 1,
		sizeof *code->processes))
    {
      code->no_memory = true;
      return NO_PROCESS;
    }
  code->processes = items;
  code->processes[code->nprocesses] = (struct tb_perf_process) {
    .pid = pid, .parent = NO_PROCESS
  };
  code->slots[slot] = (uint32_t) ++code->nprocesses;
  return code->nprocesses - 1;
}

/* Thread TID is one of PROCESS.  */
static void
add_thread (struct tb_perf_code *code, uint32_t tid, size_t process)
{
  void *items = code->threads;
  if (process == NO_PROCESS)
    return;
  if (code->nthreads > 0 && code->threads[code->nthreads - 1].tid == tid
      && code->threads[code->nthreads - 1].process == process)
    return;
  if (!tb_grow (&items, &code->threads_capacity, code->nthreads, 1, sizeof *code->threads))
    {
      code->no_memory = true;
      return;
    }
  code->threads = items;
  code->threads[code->nthreads++] = (struct tb_perf_thread) { tid, process };
}

/* Thread TID of process PID is there; ACTIVE: it ran.  */
static size_t
note_thread (struct tb_perf_code *code, uint32_t pid, uint32_t tid, bool active)
{
  size_t process = process_of (code, pid);
  if (pid != TB_PERF_KERNEL)
    add_thread (code, tid, process);
  if (process != NO_PROCESS)
    code->processes[process].active |= active;
  return process;
}

/* The file that RECORD maps as PATH; NULL: there is none here.  */
static const struct tb_file *
file_of (struct tb_perf_code *code, const struct tb_perf_record *record, const char *path)
{
  struct tb_perf_build_id id = { .size = 0 };
  bool vdso = strcmp (path, "[vdso]") == 0;
  /* Memory that the program wrote its code into, and the like.  */
  bool anonymous = strncmp (path, "//anon", 6) == 0 || strncmp (path, "/memfd:", 7) == 0
		   || strcmp (path, "/dev/zero") == 0;
  code->anonymous += anonymous;
  if (anonymous || (*path != '/' && !vdso))
    return NULL;
  tb_perf_files_mapped (record, &id);
  size_t missing = code->files->missing;
  const struct tb_file *file = tb_perf_files_find (code->files, path, &id);
  if (vdso)
    code->files->missing = missing;
  return file;
}

/* RECORD maps code, of a file whose name begins at byte NAME.  */
static void
take_map (struct tb_perf_code *code, const struct tb_perf_record *record, size_t name)
{
  const uint8_t *bytes = record->bytes;
  struct tb_perf_map map = {
    .address = tb_number_64 (bytes + 16), .size = tb_number_64 (bytes + 24),
    .offset = tb_number_64 (bytes + 32)
  };
  uint32_t pid = tb_number_32 (bytes + 8);
  const char *path = (const char *) bytes + name;
  if (memchr (path, 0, record->length - name) == NULL || map.size == 0
      || map.size - 1 > UINT64_MAX - map.address)
    return;
  size_t process = note_thread (code, pid, tb_number_32 (bytes + 12), false);
  /* What the kernel has is found by its own means.  */
  if (process == NO_PROCESS || pid == TB_PERF_KERNEL)
    return;
  /* Without a file it takes the place of what was there all the same.  */
  map.file = file_of (code, record, path);
  struct tb_perf_process *to = &code->processes[process];
  void *items = to->maps;
  if (!tb_grow (&items, &to->capacity, to->nmaps, 1, sizeof *to->maps))
    {
      code->no_memory = true;
      return;
    }
  to->maps = items;
  to->maps[to->nmaps++] = map;
}

/* CHILD is what PARENT is now.  */
static void
fork_process (struct tb_perf_code *code, size_t parent, size_t child)
{
  if (parent == NO_PROCESS || child == NO_PROCESS || parent == child)
    return;
  struct tb_perf_process *to = &code->processes[child];
  to->parent = parent;
  to->inherited = code->processes[parent].nmaps;
  to->first = to->nmaps;
}

void
tb_perf_code_take (struct tb_perf_code *code, const struct tb_perf_record *record)
{
  const uint8_t *bytes = record->bytes;
  size_t process;
  switch (record->type)
    {
    case TB_PERF_MMAP:
      if (!(record->misc & MISC_DATA))
	take_map (code, record, 40);
      break;
    case TB_PERF_MMAP2:
      if (!(record->misc & MISC_DATA) && tb_number_32 (bytes + 64) & PROT_CODE)
	take_map (code, record, 72);
      break;
    case TB_PERF_COMM:
      process = note_thread (code, tb_number_32 (bytes + 8), tb_number_32 (bytes + 12), false);
      if (record->misc & MISC_DATA && process != NO_PROCESS)
	{
	  struct tb_perf_process *p = &code->processes[process];
	  p->parent = NO_PROCESS;
	  p->first = p->nmaps;
	}
      break;
    case TB_PERF_FORK:
      {
	uint32_t pid = tb_number_32 (bytes + 8), parent = tb_number_32 (bytes + 12);
	process = note_thread (code, pid, tb_number_32 (bytes + 16), false);
	if (pid != parent)
	  fork_process (code, process_of (code, parent), process);
      }
      break;
    case TB_PERF_ITRACE_START:
      note_thread (code, tb_number_32 (bytes + 8), tb_number_32 (bytes + 12), true);
      break;
    case TB_PERF_SWITCH:
    case TB_PERF_SWITCH_CPU_WIDE:
      if (record->has_tid)
	note_thread (code, record->pid, record->tid, true);
      break;
    }
}

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
  for (unsigned depth = 0; number != NO_PROCESS && depth < MOST_PARENTS; depth++)
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
  for (size_t i = 0; i < code->nprocesses && good; i++)
    {
      struct tb_perf_process *p = &code->processes[i];
      if (shared.count <= MOST_COLLECTED)
	good = share (code, i, &maps, &shared);
      else if (!p->refused)
	{
	  p->refused = true;
	  code->refused++;
	}
    }
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
  size_t left = MOST_COLLECTED;
  bool good = !code->no_memory;
  /* Those that ran come first.  */
  for (int pass = 0; pass < 2 && units->count > 0; pass++)
    for (size_t i = 0; i < code->nprocesses && good; i++)
      {
	struct tb_perf_process *p = &code->processes[i];
	if (p->active != (pass == 0) || p->pid == TB_PERF_KERNEL)
	  continue;
	if (p->nmaps <= p->first && p->parent == NO_PROCESS)
	  continue;
	good = left == 0 || collect (code, i, &all);
	p->refused = left == 0 || all.count > left;
	left -= all.count < left ? all.count : left;
	if (good && !p->refused)
	  good = tidy (&all, false) && give_space (code, i, &all, &other, &given, units, maker);
	code->refused += p->refused;
      }
  free (all.maps);
  free (other.maps);
  if (code->nthreads > 1)
    qsort (code->threads, code->nthreads, sizeof *code->threads, compare_threads);
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

void
tb_perf_code_fini (struct tb_perf_code *code)
{
  for (size_t i = 0; i < code->nprocesses; i++)
    free (code->processes[i].maps);
  free (code->processes);
  free (code->threads);
  free (code->slots);
}
