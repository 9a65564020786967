/* Device descriptions: opening one, and finding things by address and name.  See
   svd.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "svd/tree.h"

#include <stdlib.h>
#include <string.h>

#include "util/search.h"

void
tb_svd_close (struct tb_svd *svd)
{
  if (svd == NULL)
    return;
  if (svd->pool != NULL)
    objalloc_free (svd->pool);
  free (svd->peripherals);
  free (svd->registers);
  free (svd->blocks);
  free (svd->by_address);
  free (svd->blocks_by_address);
  free (svd);
}

static int
compare_keys (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  if (x[0] != y[0])
    return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* The numbers of COUNT things by the address that KEY tells of each, those of one
   address in the file's order; NULL: no memory.  */
static uint32_t *
sort_by_address (const struct tb_svd *svd, size_t count,
		 uint64_t (*key) (const struct tb_svd *svd, size_t i))
{
  uint64_t (*keys)[2] = malloc ((count + 1) * sizeof *keys);
  uint32_t *sorted = malloc ((count + 1) * sizeof *sorted);
  if (keys != NULL && sorted != NULL)
    {
      for (size_t i = 0; i < count; i++)
	keys[i][0] = key (svd, i), keys[i][1] = i;
      qsort (keys, count, sizeof *keys, compare_keys);
      for (size_t i = 0; i < count; i++)
	sorted[i] = (uint32_t) keys[i][1];
      free (keys);
      return sorted;
    }
  free (keys);
  free (sorted);
  return NULL;
}

static uint64_t
register_address (const struct tb_svd *svd, size_t i)
{
  return svd->registers[i].address;
}

static uint64_t
block_address (const struct tb_svd *svd, size_t i)
{
  return svd->blocks[i].block.address;
}

/* Build what lookups by address need.  False: no memory.  */
static bool
build_index (struct tb_svd *svd)
{
  struct tb_svd_block *blocks
    = tb_pool_alloc (svd->pool, (svd->nblocks + 1) * sizeof *blocks);
  size_t at = 0;
  svd->by_address = sort_by_address (svd, svd->nregisters, register_address);
  svd->blocks_by_address = sort_by_address (svd, svd->nblocks, block_address);
  if (blocks == NULL || svd->by_address == NULL || svd->blocks_by_address == NULL)
    {
      tb_error (svd->diag, "%s: no memory for what it describes", svd->path);
      return false;
    }
  for (size_t i = 0; i < svd->nblocks; i++)
    blocks[i] = svd->blocks[i].block;
  for (size_t i = 0; i < svd->nperipherals; i++)
    {
      struct tb_svd_peripheral *p = &svd->peripherals[i];
      p->blocks = blocks + at;
      at += p->nblocks;
      for (size_t k = 0; k < p->count; k++)
	svd->registers[p->first + k].peripheral = p;
    }
  return true;
}

struct tb_svd *
tb_svd_open (const char *path, struct tb_diag *diag)
{
  struct tb_svd *svd = calloc (1, sizeof *svd);
  if (svd != NULL)
    svd->pool = objalloc_create ();
  if (svd == NULL || svd->pool == NULL)
    {
      tb_error (diag, "%s: no memory to read it", path);
      tb_svd_close (svd);
      return NULL;
    }
  svd->path = path;
  svd->diag = diag;
  bool ok = svd_parse (svd) && svd_expand (svd) && build_index (svd);
  if (svd->wrong > 5)
    tb_warning (diag, "%s: %u more things are wrong", path, svd->wrong - 5);
  if (svd->by_name != NULL)
    htab_delete (svd->by_name);
  if (svd->names != NULL)
    htab_delete (svd->names);
  svd->by_name = svd->names = NULL;
  svd->path = NULL;
  svd->diag = NULL;
  if (ok)
    return svd;
  tb_svd_close (svd);
  return NULL;
}

const char *
tb_svd_device (const struct tb_svd *svd)
{
  return svd_text (svd->device, SVD_NAME);
}

const struct tb_svd_peripheral *
tb_svd_peripherals (const struct tb_svd *svd, size_t *count)
{
  *count = svd->nperipherals;
  return svd->peripherals;
}

const struct tb_svd_register *
tb_svd_of (const struct tb_svd *svd, const struct tb_svd_peripheral *peripheral)
{
  return svd->registers + peripheral->first;
}

/* How many of COUNT things, sorted as SORTED, have an address of at most ADDRESS.  */
static size_t
count_to (const struct tb_svd *svd, const uint32_t *sorted, size_t count,
	  uint64_t address,
	  uint64_t (*key) (const struct tb_svd *svd, size_t i))
{
  size_t low;
  TB_LOWER_BOUND (low, count, key (svd, sorted[low]) <= address);
  return low;
}

const struct tb_svd_register *
tb_svd_at (const struct tb_svd *svd, uint64_t address, unsigned length, bool store)
{
  const struct tb_svd_register *best = NULL;
  unsigned most = 0;
  /* Alternate registers at one address are few in real files; a bound keeps hostile
     ones from making each look long.  */
  enum { LOOKED_AT = 64 };
  size_t n = count_to (svd, svd->by_address, svd->nregisters, address,
		       register_address);
  for (size_t i = n; i > 0 && n - i < LOOKED_AT; i--)
    {
      const struct tb_svd_register *r = &svd->registers[svd->by_address[i - 1]];
      uint64_t offset = address - r->address;
      if (offset >= 8)
	break;
      if (offset >= r->bytes)
	continue;
      unsigned score = 1 + 4u * (offset == 0)
		       + 2u * (offset == 0 && r->bytes == length)
		       + (store ? r->writes : r->reads);
      /* Of equal ones the first in the file, which comes last here.  */
      if (score >= most)
	{
	  most = score;
	  best = r;
	}
    }
  return best;
}

const struct tb_svd_peripheral *
tb_svd_peripheral_at (const struct tb_svd *svd, uint64_t address)
{
  enum { LOOKED_AT = 64 };
  size_t n = count_to (svd, svd->blocks_by_address, svd->nblocks, address,
		       block_address);
  for (size_t i = n; i > 0 && n - i < LOOKED_AT; i--)
    {
      const struct svd_owned *o = &svd->blocks[svd->blocks_by_address[i - 1]];
      if (address - o->block.address < o->block.length)
	return &svd->peripherals[o->peripheral];
    }
  return NULL;
}

/* Is NAME the LENGTH characters TEXT?  */
static bool
is_name (const char *name, const char *text, size_t length)
{
  return strncmp (name, text, length) == 0 && name[length] == '\0';
}

bool
tb_svd_find (const struct tb_svd *svd, const char *name, size_t length,
	     struct tb_svd_found *found)
{
  const char *dot = memchr (name, '.', length);
  size_t first = dot != NULL ? (size_t) (dot - name) : length;
  const char *rest = name + first + 1;
  *found = (struct tb_svd_found) { .peripheral = NULL };
  for (size_t i = 0; i < svd->nperipherals && found->peripheral == NULL; i++)
    if (is_name (svd->peripherals[i].name, name, first))
      found->peripheral = &svd->peripherals[i];
  if (found->peripheral == NULL || dot == NULL)
    return found->peripheral != NULL;
  size_t left = length - first - 1;
  const struct tb_svd_register *registers = tb_svd_of (svd, found->peripheral);
  for (size_t i = 0; i < found->peripheral->count; i++)
    {
      const struct tb_svd_register *r = &registers[i];
      size_t n = strlen (r->name);
      if (n > left || memcmp (r->name, rest, n) != 0)
	continue;
      found->reg = r;
      found->field = NULL;
      if (n == left)
	return true;
      for (size_t k = 0; rest[n] == '.' && k < r->nfields; k++)
	if (is_name (r->fields[k].name, rest + n + 1, left - n - 1))
	  {
	    found->field = &r->fields[k];
	    return true;
	  }
    }
  return false;
}
