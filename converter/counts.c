/* How often each instruction ran.  See counts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "counts.h"

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif
#include <stdlib.h>

#include "recording/window.h"
#include "util/buffer.h"
#include "util/search.h"

/* At ADDRESS that many more run than before it, modulo 2^64.  */
struct change
{
  uint64_t address, more;
};

static hashval_t
hash (const void *entry)
{
  const struct count *c = entry;
  uint64_t key = c->start * UINT64_C (0x9e3779b97f4a7c15) ^ c->end;
  return (hashval_t) (key ^ key >> 32);
}

static int
same (const void *x, const void *y)
{
  const struct count *a = x, *b = y;
  return a->start == b->start && a->end == b->end;
}

static bool
add_run (htab_t ranges, const struct tb_run *run)
{
  struct count wanted = { .start = run->start, .end = run->end };
  void **slot = htab_find_slot (ranges, &wanted, INSERT);
  if (slot == NULL)
    return false;
  if (*slot == NULL)
    {
      struct count *made = malloc (sizeof *made);
      if (made == NULL)
	return false;
      *made = wanted;
      *slot = made;
    }
  ((struct count *) *slot)->count++;
  return true;
}

static bool
add_runs (htab_t ranges, struct tb_recording *recording)
{
  for (size_t i = 0; i < tb_recording_windows (recording); i++)
    {
      const struct tb_window *window = tb_recording_window (recording, i);
      if (window == NULL)
	return false;
      for (size_t k = 0; k < window->nruns; k++)
	if (!add_run (ranges, &window->runs[k]))
	  return false;
    }
  return true;
}

struct changes
{
  struct change *list;
  size_t size;
};

static int
put_changes (void **slot, void *context)
{
  struct changes *c = context;
  const struct count *range = *slot;
  c->list[c->size++] = (struct change) { range->start, range->count };
  c->list[c->size++] = (struct change) { range->end, 0 - range->count };
  return 1;
}

static int
by_address (const void *x, const void *y)
{
  const struct change *a = x, *b = y;
  return a->address < b->address ? -1 : a->address > b->address;
}

bool
counts_make (struct counts *counts, struct tb_recording *recording)
{
  htab_t ranges = htab_create_alloc (1024, hash, same, free, calloc, free);
  struct changes changes = { 0 };
  *counts = (struct counts) { 0 };
  bool ok = ranges != NULL && add_runs (ranges, recording);
  if (ok)
    {
      size_t most = 2 * htab_elements (ranges) + 1;
      changes.list = calloc (most, sizeof *changes.list);
      counts->list = calloc (most, sizeof *counts->list);
      ok = changes.list != NULL && counts->list != NULL;
    }
  if (ok)
    {
      htab_traverse_noresize (ranges, put_changes, &changes);
      qsort (changes.list, changes.size, sizeof *changes.list, by_address);
    }
  uint64_t running = 0;
  for (size_t i = 0; i < changes.size && ok; i++)
    {
      running += changes.list[i].more;
      if (i + 1 < changes.size && running != 0
	  && changes.list[i + 1].address != changes.list[i].address)
	counts->list[counts->size++]
	  = (struct count) { changes.list[i].address,
			     changes.list[i + 1].address, running };
    }
  free (changes.list);
  if (ranges != NULL)
    htab_delete (ranges);
  return ok;
}

void
counts_fini (struct counts *counts)
{
  free (counts->list);
}

size_t
counts_from (const struct counts *counts, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, counts->size, counts->list[low].end <= address);
  return low;
}

uint64_t
counts_at (const struct counts *counts, uint64_t address)
{
  size_t at = counts_from (counts, address);
  return at < counts->size && counts->list[at].start <= address
	 ? counts->list[at].count : 0;
}
