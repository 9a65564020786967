/* What a reader of a written log knows of memory.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "tarmac.h"

#include <stdlib.h>

struct log_word
{
  uint64_t number;		/* Of eight bytes.  */
  uint64_t value;
  uint32_t generation;		/* 0: not in use.  */
  uint8_t known;		/* A bit a byte.  */
};

void
log_memory_fini (struct log_memory *m)
{
  free (m->words);
  *m = (struct log_memory) { .words = NULL };
}

void
log_memory_forget (struct log_memory *m)
{
  m->generation++;
  m->any = false;
}

/* Where the word NUMBER is, or would be.  */
static struct log_word *
find (const struct log_memory *m, uint64_t number)
{
  uint64_t h = number * UINT64_C (0x9e3779b97f4a7c15);
  size_t at = (size_t) (h >> 32 ^ h) & (m->size - 1);
  while (m->words[at].generation != 0 && m->words[at].number != number)
    at = (at + 1) & (m->size - 1);
  return &m->words[at];
}

static bool
grow (struct log_memory *m)
{
  struct log_memory more = { .size = m->size == 0 ? 1024 : 2 * m->size };
  more.words = calloc (more.size, sizeof *more.words);
  if (more.words == NULL)
    return false;
  for (size_t i = 0; i < m->size; i++)
    if (m->words[i].generation != 0)
      *find (&more, m->words[i].number) = m->words[i];
  free (m->words);
  m->words = more.words;
  m->size = more.size;
  return true;
}

void
log_memory_put (struct log_memory *m, uint64_t address, unsigned length,
		uint64_t value, bool known)
{
  if (m->generation == 0)
    m->generation = 1;
  m->any = true;
  for (unsigned i = 0; i < length; i++, address++, value >>= 8)
    {
      if (m->count >= m->size / 2 && !grow (m))
	{
	  m->failed = true;
	  return;
	}
      struct log_word *w = find (m, address / 8);
      m->count += w->generation == 0;
      if (w->generation != m->generation)
	*w = (struct log_word) { address / 8, 0, m->generation, 0 };
      unsigned shift = address % 8 * 8;
      w->value &= ~(UINT64_C (255) << shift);
      w->value |= (value & 255) << shift;
      w->known &= (uint8_t) ~(1u << address % 8);
      w->known |= (uint8_t) (known << address % 8);
    }
}

bool
log_memory_is (const struct log_memory *m, uint64_t address, unsigned length,
	       uint64_t value)
{
  if (m->size == 0)
    return false;
  for (unsigned i = 0; i < length; i++, address++, value >>= 8)
    {
      const struct log_word *w = find (m, address / 8);
      if (w->generation != m->generation
	  || !(w->known >> address % 8 & 1)
	  || (w->value >> address % 8 * 8 & 255) != (value & 255))
	return false;
    }
  return true;
}
