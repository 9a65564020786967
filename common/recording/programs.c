/* Names of mapped files.  See programs.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/programs.h"

#include <stdlib.h>
#include <string.h>

/* A file at one place: its byte 0 would be at BASE, if it were mapped from there on.  */
struct program
{
  const char *path;
  uint64_t base;
  uint64_t first, last;		/* Addresses that it has, all in between included.  */
  uint64_t offset;		/* Of the byte at FIRST.  */
  bool doubtful;		/* Another one has some of them.  */
};

static int
compare_files (const void *left, const void *right)
{
  const struct program *a = left, *b = right;
  int order = strcmp (a->path, b->path);
  if (order != 0)
    return order;
  if (a->base != b->base)
    return a->base < b->base ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

static int
compare_places (const void *left, const void *right)
{
  const struct program *a = left, *b = right;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  return compare_files (left, right);
}

/* The files that DEVICE has mapped, an array from malloc of *COUNT; NULL: no memory.  */
static struct program *
list_programs (const struct tb_device *device, size_t *count)
{
  struct program *list = calloc (device->ndumps + 1, sizeof *list);
  size_t n = 0;
  *count = 0;
  if (list == NULL)
    return NULL;
  for (size_t i = 0; i < device->ndumps; i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      if (d->mapped)
	list[n++] = (struct program) {
	  .path = d->path, .base = d->address - d->offset, .first = d->address,
	  .last = d->address + (d->length - 1), .offset = d->offset
	};
    }
  qsort (list, n, sizeof *list, compare_files);
  for (size_t i = 0; i < n; i++)
    {
      struct program *last = *count > 0 ? &list[*count - 1] : NULL;
      if (last == NULL || strcmp (last->path, list[i].path) != 0
	  || last->base != list[i].base)
	list[(*count)++] = list[i];
      else if (last->last < list[i].last)
	last->last = list[i].last;
    }
  return list;
}

/* Mark which of the COUNT programs of LIST share addresses with another one.  */
static size_t
mark_doubtful (struct program *list, size_t count)
{
  size_t doubtful = 0;
  struct program *reaches = NULL;	/* The one that goes on farthest.  */
  qsort (list, count, sizeof *list, compare_places);
  for (size_t i = 0; i < count; i++)
    {
      if (reaches != NULL && reaches->last >= list[i].first)
	list[i].doubtful = reaches->doubtful = true;
      if (reaches == NULL || list[i].last > reaches->last)
	reaches = &list[i];
    }
  for (size_t i = 0; i < count; i++)
    doubtful += list[i].doubtful;
  return doubtful;
}

bool
tb_programs_any (const struct tb_device *device)
{
  for (size_t i = 0; device != NULL && i < device->ndumps; i++)
    if (device->dumps[i].mapped)
      return true;
  return false;
}

bool
tb_programs_add (struct tb_symbols *symbols, const struct tb_device *device,
		 struct tb_diag *diag)
{
  size_t count;
  struct tb_diag silent = { 0 };
  if (!tb_programs_any (device))
    return true;
  struct program *list = list_programs (device, &count);
  if (list == NULL)
    return false;
  size_t doubtful = mark_doubtful (list, count);
  bool good = true;
  for (size_t i = 0; i < count && good; i++)
    if (!list[i].doubtful)
      good = tb_symbols_add_mapped (symbols, list[i].path, list[i].first, list[i].offset,
				    list[i].last - list[i].first + 1, &silent) != TB_ERR_MEMORY;
  if (doubtful > 0)
    tb_note (diag, "%s: %zu files of %zu were mapped where other processes had other files: their "
	     "functions are not named", device->name, doubtful, count);
  free (list);
  return good;
}
