/* Code that is where it is whatever process runs.  See shared.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/shared.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

bool
tb_perf_shared_add (struct tb_perf_shared *shared, const struct tb_perf_map *maps,
		    size_t count)
{
  bool good = TB_GROW (shared->maps, shared->capacity, shared->count, count);
  for (size_t i = 0; i < count && good; i++)
    {
      struct tb_perf_map map = maps[i];
      uint64_t there = map.file != NULL ? map.file->map.size : UINT64_MAX;
      if (map.file != NULL)
	there -= map.offset < there ? map.offset : there;
      if (map.size > there)
	map.size = there;
      if (map.size != 0)
	shared->maps[shared->count++] = map;
    }
  return good;
}

/* A code begins or ends at an address.  */
struct edge
{
  uint64_t address;
  size_t code;			/* The first map with it, in their order.  */
  bool ends;
};

/* Where A's file would begin, were all of it there.  */
static uint64_t
origin (const struct tb_perf_map *a)
{
  return a->file != NULL ? a->address - a->offset : 0;
}

static bool
same_code (const struct tb_perf_map *a, const struct tb_perf_map *b)
{
  return a->file == b->file && origin (a) == origin (b);
}

static int
by_code (const void *left, const void *right)
{
  const struct tb_perf_map *a = left, *b = right;
  if (a->file != b->file)
    return (uintptr_t) a->file < (uintptr_t) b->file ? -1 : 1;
  if (origin (a) != origin (b))
    return origin (a) < origin (b) ? -1 : 1;
  return a->address < b->address ? -1 : a->address > b->address;
}

/* What ends at an address comes before what begins there.  */
static int
by_address (const void *left, const void *right)
{
  const struct edge *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return (int) b->ends - (int) a->ends;
}

/* The edges of the COUNT MAPS, which are sorted by code; returns how many.  */
static size_t
find_edges (const struct tb_perf_map *maps, size_t count, struct edge *edges)
{
  size_t n = 0, code = 0;
  for (size_t i = 0; i < count; i++)
    {
      if (!same_code (&maps[i], &maps[code]))
	code = i;
      edges[n++] = (struct edge) { .address = maps[i].address, .code = code };
      /* One that reaches to the last address ends nowhere.  */
      if (maps[i].address + maps[i].size > maps[i].address)
	edges[n++] = (struct edge) { .address = maps[i].address + maps[i].size,
				     .code = code, .ends = true };
    }
  qsort (edges, n, sizeof *edges, by_address);
  return n;
}

/* Code MAP is all that is at FROM to LAST: add that to the COUNT LEFT.  */
static size_t
leave (struct tb_perf_map *left, size_t count, const struct tb_perf_map *map,
       uint64_t from, uint64_t last)
{
  struct tb_perf_map piece = { .file = map->file, .address = from,
			       .size = last - from + 1, .offset = from - origin (map) };
  if (map->file == NULL || piece.size == 0)
    return count;
  struct tb_perf_map *before = count > 0 ? &left[count - 1] : NULL;
  if (before != NULL && same_code (before, &piece)
      && before->address + before->size == piece.address)
    before->size += piece.size;
  else
    left[count++] = piece;
  return count;
}

bool
tb_perf_shared_settle (struct tb_perf_shared *shared, uint64_t *disputed, uint64_t *first)
{
  struct tb_perf_map *maps = shared->maps;
  size_t count = shared->count;
  *disputed = *first = 0;
  if (count == 0)
    return true;
  qsort (maps, count, sizeof *maps, by_code);
  struct edge *edges = calloc (count, 2 * sizeof *edges);
  struct tb_perf_map *left = calloc (count, 2 * sizeof *left);
  size_t *there = calloc (count, sizeof *there);
  bool good = edges != NULL && left != NULL && there != NULL;
  size_t nedges = good ? find_edges (maps, count, edges) : 0, nleft = 0;
  /* How many codes there are, and the sum of their numbers: that of the one, if it is one.  */
  size_t codes = 0, sum = 0;
  for (size_t i = 0; i < nedges; i++)
    {
      const struct edge *e = &edges[i];
      bool was = there[e->code] > 0;
      there[e->code] = e->ends ? there[e->code] - 1 : there[e->code] + 1;
      bool is = there[e->code] > 0;
      codes += (size_t) is - (size_t) was;
      sum += is == was ? 0 : is ? e->code : -e->code;
      uint64_t last = i + 1 < nedges ? edges[i + 1].address - 1 : UINT64_MAX;
      if (codes == 0 || (i + 1 < nedges && edges[i + 1].address == e->address))
	continue;
      if (codes == 1)
	nleft = leave (left, nleft, &maps[sum], e->address, last);
      else
	{
	  *first = *disputed == 0 ? e->address : *first;
	  *disputed += last - e->address + 1;
	}
    }
  free (edges);
  free (there);
  free (maps);
  *shared = (struct tb_perf_shared) { .maps = left, .count = nleft,
				      .capacity = 2 * count };
  return good;
}
