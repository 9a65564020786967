/* The memory of a core at the halt.  See memmap.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sealing makes, for each space that has regions of its own, for all others
   together, and for ANY, a sorted array of tiles that do not overlap; a look-up
   is one binary search in one of them and changes nothing.  */

#include "config.h"
#include "snapshot/memmap.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/contexts.h"
#include "snapshot/tiles.h"
#include "util/buffer.h"

/* One space, its regions and those of ANY resolved.  */
struct view
{
  struct tb_tiles tiles;
  struct tb_tiles files;		/* Without the dumps.  */
};

struct tb_memmap
{
  struct tb_region *regions;	/* Once sealed, in the order of precedence.  */
  size_t count, capacity;
  struct tb_contexts contexts;
  /* By regime; without tiles where no region is of that space.  */
  struct view own[TB_SPACE_LIMIT];
  struct view shared;		/* The regions of ANY alone.  */
  struct tb_tiles unknown;	/* For a look-up in ANY.  */
  bool sealed;
};

struct tb_memmap *
tb_memmap_new (void)
{
  return calloc (1, sizeof (struct tb_memmap));
}

static void
view_fini (struct view *view)
{
  tb_tiles_fini (&view->tiles);
  tb_tiles_fini (&view->files);
}

static void
unseal (struct tb_memmap *map)
{
  for (int i = 0; i < TB_SPACE_LIMIT; i++)
    view_fini (&map->own[i]);
  view_fini (&map->shared);
  tb_tiles_fini (&map->unknown);
  map->sealed = false;
}

void
tb_memmap_free (struct tb_memmap *map)
{
  if (map == NULL)
    return;
  unseal (map);
  free (map->regions);
  tb_contexts_fini (&map->contexts);
  free (map);
}

enum tb_status
tb_memmap_add_context (struct tb_memmap *map, const struct tb_context *context,
		       struct tb_diag *diag)
{
  if (!tb_contexts_add (&map->contexts, context))
    {
      tb_error (diag, "no memory for a map of %zu contexts", map->contexts.count + 1);
      return TB_ERR_MEMORY;
    }
  unseal (map);
  return TB_OK;
}

enum tb_space
tb_memmap_context (const struct tb_memmap *map, const struct tb_context *named)
{
  assert (map->sealed);
  if (map->contexts.count == 0 || (!named->has_cid && !named->has_vmid))
    return TB_SPACE_ANY;
  const struct tb_context *found = tb_contexts_find (&map->contexts, named);
  return found != NULL ? found->space : TB_SPACE_CONTEXTS;
}

size_t
tb_memmap_contexts (const struct tb_memmap *map, const struct tb_context **contexts)
{
  *contexts = map->contexts.items;
  return map->contexts.count;
}

enum tb_status
tb_memmap_add (struct tb_memmap *map, const struct tb_region *region,
	       struct tb_diag *diag)
{
  assert ((unsigned) region->space < TB_SPACE_LIMIT);
  if (region->length == 0 || region->length - 1 > UINT64_MAX - region->address
      || region->length > SIZE_MAX)
    {
      tb_error (diag, "%s: expected a region of memory that ends by the top of "
		"the address space, found %#" PRIx64 " and %" PRIu64 " bytes",
		region->name, region->address, region->length);
      return TB_ERR_INPUT;
    }
  if (!TB_GROW (map->regions, map->capacity, map->count, 1))
    {
      tb_error (diag, "%s: no memory to map it", region->name);
      return TB_ERR_MEMORY;
    }
  unseal (map);
  map->regions[map->count++] = *region;
  return TB_OK;
}

void
tb_memmap_set_data (struct tb_memmap *map, size_t number, const uint8_t *data)
{
  assert (!map->sealed && number < map->count);
  map->regions[number].data = data;
}

enum tb_status
tb_memmap_add_dump (struct tb_memmap *map, const struct tb_dump *dump, enum tb_space space,
		    struct tb_diag *diag)
{
  const struct tb_region region = {
    .address = dump->address, .length = dump->length,
    .space = space, .access = TB_ACCESS_UNKNOWN,
    .halt_contents = true, .data = dump->data, .name = dump->name
  };
  return tb_memmap_add (map, &region, diag);
}

enum tb_status
tb_memmap_add_device (struct tb_memmap *map, const struct tb_device *device,
		      struct tb_diag *diag)
{
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < device->ndumps && status == TB_OK; i++)
    status = tb_memmap_add_dump (map, &device->dumps[i], device->dumps[i].space, diag);
  return status;
}

/* Dumps before ELF files; otherwise as they were added.  The sort must be
   stable, so this is a partition.  */
static bool
sort_regions (struct tb_memmap *map)
{
  struct tb_region *sorted = calloc (map->count + 1, sizeof *sorted);
  if (sorted == NULL)
    return false;
  size_t used = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < map->count; i++)
      if (map->regions[i].halt_contents == (pass == 0))
	sorted[used++] = map->regions[i];
  free (map->regions);
  map->regions = sorted;
  map->capacity = map->count + 1;
  return true;
}

/* N, H and S are the AArch32 names of EL1N, EL2 and EL1S (format, 4.1.1 and
   4.1.2).  */
enum tb_space
tb_space_regime (enum tb_space space)
{
  switch (space)
    {
    case TB_SPACE_N: return TB_SPACE_EL1N;
    case TB_SPACE_H: return TB_SPACE_EL2;
    case TB_SPACE_S: return TB_SPACE_EL1S;
    default: return space;
    }
}

/* Put into LIST, in the order of precedence, the regions of the regime SPACE, for that of
   a context those of EL1N, and, if WITH_ANY, those of ANY.  Returns how many are of SPACE
   itself.  */
static size_t
select_regions (const struct tb_memmap *map, enum tb_space space,
		bool with_any, const struct tb_region **list, size_t *count)
{
  size_t used = 0;
  for (size_t i = 0; i < map->count; i++)
    if (tb_space_regime (map->regions[i].space) == space)
      list[used++] = &map->regions[i];
  size_t own = used;
  for (size_t i = 0; space >= TB_SPACE_CONTEXTS && i < map->count; i++)
    if (tb_space_regime (map->regions[i].space) == TB_SPACE_EL1N)
      list[used++] = &map->regions[i];
  for (size_t i = 0; with_any && i < map->count; i++)
    if (map->regions[i].space == TB_SPACE_ANY)
      list[used++] = &map->regions[i];
  *count = used;
  return own;
}

/* Fill VIEW from the COUNT regions of LIST, of which the dumps are then taken
   out.  ANY as in tiles.h.  */
static bool
resolve_view (struct view *view, const struct tb_region **list, size_t count,
	      const struct tb_tiles *any, struct tb_diag *diag)
{
  if (!tb_tiles_resolve (&view->tiles, list, count, any, diag))
    return false;
  size_t files = 0;
  for (size_t i = 0; i < count; i++)
    if (!list[i]->halt_contents)
      list[files++] = list[i];
  return tb_tiles_resolve (&view->files, list, files, NULL, NULL);
}

/* Fill the arrays of MAP; LIST has room for all regions.  */
static bool
resolve (struct tb_memmap *map, const struct tb_region **list,
	 struct tb_diag *diag)
{
  struct tb_tiles alone[TB_SPACE_COUNT] = { 0 };
  size_t count;
  select_regions (map, TB_SPACE_ANY, false, list, &count);
  bool good = resolve_view (&map->shared, list, count, NULL, diag);
  bool there[TB_SPACE_LIMIT] = { false };
  for (size_t i = 0; i < map->count; i++)
    there[tb_space_regime (map->regions[i].space)] = true;
  for (int i = TB_SPACE_ANY + 1; good && i < TB_SPACE_LIMIT; i++)
    if (there[i])
      {
	size_t own = select_regions (map, (enum tb_space) i, true, list, &count);
	good = (i >= TB_SPACE_CONTEXTS
		|| tb_tiles_resolve (&alone[i], list, own, NULL, NULL))
	       && resolve_view (&map->own[i], list, count, &map->shared.tiles, diag);
      }
  good = good && tb_tiles_agree (&map->unknown, &map->shared.tiles, alone,
				TB_SPACE_COUNT);
  for (int i = 0; i < TB_SPACE_COUNT; i++)
    tb_tiles_fini (&alone[i]);
  return good;
}

enum tb_status
tb_memmap_seal (struct tb_memmap *map, struct tb_diag *diag)
{
  if (map->sealed)
    return TB_OK;
  const struct tb_region **list = calloc (map->count + 1, sizeof *list);
  bool good = list != NULL && sort_regions (map) && resolve (map, list, diag);
  tb_contexts_sort (&map->contexts);
  free (list);
  if (!good)
    {
      unseal (map);
      tb_error (diag, "no memory for a map of %zu regions", map->count);
      return TB_ERR_MEMORY;
    }
  map->sealed = true;
  return TB_OK;
}

/* The view for SPACE; for ANY that of its own regions.  */
static const struct view *
view_of (const struct tb_memmap *map, enum tb_space space)
{
  assert (map->sealed && (unsigned) space < TB_SPACE_LIMIT);
  const struct view *view = &map->own[tb_space_regime (space)];
  if (space >= TB_SPACE_CONTEXTS && view->tiles.count == 0)
    view = &map->own[TB_SPACE_EL1N];
  return view->tiles.count > 0 ? view : &map->shared;
}

/* The tiles that a look-up in SPACE finds.  */
static const struct tb_tiles *
tiles_of (const struct tb_memmap *map, enum tb_space space)
{
  const struct view *view = view_of (map, space);
  return space == TB_SPACE_ANY ? &map->unknown : &view->tiles;
}

/* The tile of SPACE that ADDRESS is in or the next one above it.  */
static const struct tb_tile *
tile_from (const struct tb_memmap *map, enum tb_space space, uint64_t address)
{
  return tb_tiles_from (tiles_of (map, space), address);
}

const uint8_t *
tb_memmap_at (const struct tb_memmap *map, enum tb_space space,
	      uint64_t address, uint64_t *length,
	      const struct tb_region **region)
{
  const struct tb_tile *tile = tile_from (map, space, address);
  if (tile != NULL && (tile->first > address || tile->disputed))
    tile = NULL;
  if (region != NULL)
    *region = tile != NULL ? tile->region : NULL;
  *length = tile != NULL ? tile->last - address + 1 : 0;
  return tile != NULL ? tile->region->data + (address - tile->region->address)
	 : NULL;
}

bool
tb_memmap_disputed (const struct tb_memmap *map, enum tb_space space, uint64_t address)
{
  const struct tb_tile *tile = tile_from (map, space, address);
  return tile != NULL && tile->first <= address && tile->disputed;
}

bool
tb_memmap_hole (const struct tb_memmap *map, enum tb_space space,
		uint64_t address, uint64_t *first, uint64_t *last)
{
  const struct tb_tiles *tiles = tiles_of (map, space);
  const struct tb_tile *above = tb_tiles_from (tiles, address);
  if (above != NULL && above->first <= address && !above->disputed)
    return false;
  size_t next = above != NULL ? (size_t) (above - tiles->items) : tiles->count, before = next;
  while (next < tiles->count && tiles->items[next].disputed)
    next++;
  while (before > 0 && tiles->items[before - 1].disputed)
    before--;
  *first = before > 0 ? tiles->items[before - 1].last + 1 : 0;
  *last = next < tiles->count ? tiles->items[next].first - 1 : UINT64_MAX;
  return true;
}

enum tb_access
tb_memmap_access (const struct tb_memmap *map, enum tb_space space,
		  uint64_t address, uint64_t *length)
{
  const struct tb_tile *file = tb_tiles_from (&view_of (map, space)->files,
					    address);
  const struct tb_tile *tile = tile_from (map, space, address);
  const struct tb_tile *from = file != NULL && file->first <= address ? file
			      : tile != NULL && tile->first <= address ? tile
			      : NULL;
  uint64_t last = from != NULL ? from->last : UINT64_MAX;
  if (from != file && file != NULL && file->first - 1 < last)
    last = file->first - 1;
  if (from == NULL && tile != NULL && tile->first - 1 < last)
    last = tile->first - 1;
  *length = last - address;
  if (*length < UINT64_MAX)
    ++*length;
  return from != NULL ? from->region->access : TB_ACCESS_NONE;
}

size_t
tb_memmap_read (const struct tb_memmap *map, enum tb_space space,
		uint64_t address, void *bytes, size_t length)
{
  uint8_t *to = bytes;
  size_t done = 0;
  while (done < length)
    {
      uint64_t there;
      const uint8_t *from = tb_memmap_at (map, space, address + done, &there,
					  NULL);
      if (from == NULL)
	break;
      size_t part = length - done;
      if (part > there)
	part = (size_t) there;
      memcpy (to + done, from, part);
      done += part;
      if (part - 1 == UINT64_MAX - (address + (done - part)))
	break;			/* The top of the address space.  */
    }
  return done;
}

bool
tb_memmap_same (const struct tb_memmap *x, const struct tb_memmap *y)
{
  assert (x->sealed && y->sealed);
  if (x == y)
    return true;
  if (x->count != y->count || x->contexts.count > 0 || y->contexts.count > 0)
    return false;
  for (size_t i = 0; i < x->count; i++)
    {
      const struct tb_region *a = &x->regions[i], *b = &y->regions[i];
      if (a->address != b->address || a->length != b->length || a->space != b->space
	  || a->halt_contents != b->halt_contents || a->data != b->data)
	return false;
    }
  return true;
}

size_t
tb_memmap_regions (const struct tb_memmap *map,
		   const struct tb_region **regions)
{
  *regions = map->regions;
  return map->count;
}
