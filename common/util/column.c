/* Columns.  See column.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/column.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From this size on a column has pages of its own.  */
#define MAPPED_LEAST (64 * 1024)

void
tb_column_fini (struct tb_column *c)
{
  if (c->mapped)
    munmap (c->data, c->capacity);
  else if (!c->borrowed)
    free (c->data);
  *c = (struct tb_column) { 0 };
}

/* Let C have pages of its own, WANT bytes.  */
static bool
map (struct tb_column *c, size_t want)
{
  void *data = c->mapped
	       ? mremap (c->data, c->capacity, want, MREMAP_MAYMOVE)
	       : mmap (NULL, want, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    return false;
  if (!c->mapped && c->size > 0)
    memcpy (data, c->data, c->size);
  if (!c->mapped)
    free (c->data);
  c->data = data;
  c->capacity = want;
  c->mapped = true;
  return true;
}

bool
tb_column_reserve (struct tb_column *c, size_t length)
{
  if (c->capacity - c->size >= length)
    return true;
  if (c->borrowed || length > SIZE_MAX / 4 - c->size)
    return false;
  size_t want = c->capacity < 64 ? 64 : c->capacity;
  while (want - c->size < length)
    want *= 2;
  if (want >= MAPPED_LEAST)
    return map (c, want);
  uint8_t *data = realloc (c->data, want);
  if (data == NULL)
    return false;
  c->data = data;
  c->capacity = want;
  return true;
}
