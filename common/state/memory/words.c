/* Sets of words of memory.  See words.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/words.h"

#include <stdlib.h>

void
tb_words_fini (struct tb_words *set)
{
  free (set->pages);
  *set = (struct tb_words) { .pages = NULL };
}

/* The place of page NUMBER, which may be empty.  */
static struct tb_words_page *
find (const struct tb_words *set, uint64_t number)
{
  uint32_t folded = (uint32_t) (number ^ number >> 32);
  size_t at = (folded * UINT32_C (2654435761) >> 7) & (set->room - 1);
  while (set->pages[at].words != 0 && set->pages[at].number != number)
    at = (at + 1) & (set->room - 1);
  return &set->pages[at];
}

static bool
grow (struct tb_words *set)
{
  struct tb_words old = *set;
  if (2 * (set->count + 1) <= set->room)
    return true;
  size_t room = old.room != 0 ? 2 * old.room : 64;
  set->pages = calloc (room, sizeof *set->pages);
  if (set->pages == NULL)
    {
      *set = old;
      return false;
    }
  set->room = room;
  for (size_t i = 0; i < old.room; i++)
    if (old.pages[i].words != 0)
      *find (set, old.pages[i].number) = old.pages[i];
  free (old.pages);
  return true;
}

bool
tb_words_add (struct tb_words *set, uint64_t address, unsigned length,
	      bool *news)
{
  uint64_t last = (address + length - 1) >> 2;
  for (uint64_t word = address >> 2; word <= last; word++)
    {
      if (!grow (set))
	return false;
      struct tb_words_page *page = find (set, word >> 6);
      uint64_t bit = UINT64_C (1) << (word & 63);
      *news |= !(page->words & bit);
      set->count += page->words == 0;
      page->number = word >> 6;
      page->words |= bit;
    }
  return true;
}

bool
tb_words_hit (const struct tb_words *set, uint64_t address, unsigned length)
{
  uint64_t last = (address + length - 1) >> 2;
  for (uint64_t word = address >> 2; set->count != 0 && word <= last; word++)
    if (find (set, word >> 6)->words >> (word & 63) & 1)
      return true;
  return false;
}
