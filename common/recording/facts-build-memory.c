/* Making facts: memory.  See facts-build.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of each line of memory what it holds now is kept, and what it held before step 0
   as far as hindsight tells; its changes are chained, newest first.  In the end each
   chain is put in order and written out.  */

#include "config.h"
#include "recording/facts-build.h"

#include <stdlib.h>
#include <string.h>

#include "recording/facts-memory.h"
#include "util/number.h"

/* Bytes that share the step when they were last seen.  */
#define WORDS (TB_LINE_SIZE / 4)

struct memory_line
{
  uint64_t number;
  uint32_t newest;		/* Change, plus one.  */
  uint32_t newest_step;
  uint32_t known, initial;	/* A bit a byte.  */
  uint32_t touched;		/* Was known at some time, or written.  */
  uint32_t nchanges;
  bool unordered, live;
  uint32_t seen[WORDS];		/* What is known was so before this step.  */
  uint8_t bytes[TB_LINE_SIZE], first[TB_LINE_SIZE];
};

struct memory_change
{
  uint64_t value;
  uint32_t step;		/* It takes effect before this step.  */
  uint32_t older;		/* Change, plus one.  */
  uint8_t what;			/* TB_CHANGE_...  */
};

void
tb_memory_build_fini (struct tb_memory_build *m)
{
  tb_column_fini (&m->lines);
  tb_column_fini (&m->changes);
  tb_column_fini (&m->live);
  free (m->table);
  *m = (struct tb_memory_build) { 0 };
}

static inline size_t
hash_line (uint64_t number)
{
  uint64_t h = number * UINT64_C (0x9e3779b97f4a7c15);
  return (size_t) (h ^ h >> 32);
}

static bool
grow_table (struct tb_memory_build *m)
{
  size_t size = m->table_size == 0 ? 1024 : 2 * m->table_size;
  const struct memory_line *lines = (const struct memory_line *) m->lines.data;
  uint32_t *table = calloc (size, sizeof *table);
  if (table == NULL || m->nlines >= UINT32_MAX / 2)
    {
      free (table);
      return false;
    }
  for (size_t i = 0; i < m->nlines; i++)
    {
      size_t at = hash_line (lines[i].number) & (size - 1);
      while (table[at] != 0)
	at = (at + 1) & (size - 1);
      table[at] = (uint32_t) i + 1;
    }
  free (m->table);
  m->table = table;
  m->table_size = size;
  return true;
}

/* The line of ADDRESS; NULL: no memory.  */
static struct memory_line *
line_of (struct tb_memory_build *m, uint64_t address)
{
  uint64_t number = address >> TB_LINE_BITS;
  struct memory_line *lines = (struct memory_line *) m->lines.data;
  if (m->nlines > 0 && m->last_number == number)
    return &lines[m->last_line];
  if (m->nlines >= m->table_size / 2 && !grow_table (m))
    return NULL;
  size_t at = hash_line (number) & (m->table_size - 1);
  while (m->table[at] != 0 && lines[m->table[at] - 1].number != number)
    at = (at + 1) & (m->table_size - 1);
  if (m->table[at] == 0)
    {
      struct memory_line *line = tb_column_extend (&m->lines, sizeof *line);
      if (line == NULL)
	return NULL;
      *line = (struct memory_line) { .number = number };
      m->table[at] = (uint32_t) ++m->nlines;
      lines = (struct memory_line *) m->lines.data;
    }
  m->last_number = number;
  m->last_line = m->table[at] - 1;
  return &lines[m->last_line];
}

/* Something becomes known of LINE.  False: no memory.  */
static inline bool
live (struct tb_memory_build *m, struct memory_line *line)
{
  if (line->live)
    return true;
  line->live = true;
  return tb_column_u32 (&m->live,
			(uint32_t) (line - (struct memory_line *)
				    m->lines.data));
}

static bool
add_change (struct tb_memory_build *m, struct memory_line *line, uint64_t step,
	    uint64_t value, unsigned what)
{
  struct memory_change *c = tb_column_extend (&m->changes, sizeof *c);
  size_t n = TB_COLUMN_COUNT (&m->changes, struct memory_change);
  if (c == NULL || n >= UINT32_MAX)
    return false;
  *c = (struct memory_change) { .value = value, .step = (uint32_t) step,
				.older = line->newest,
				.what = (uint8_t) what };
  line->newest = (uint32_t) n;
  line->nchanges++;
  if (step < line->newest_step)
    line->unordered = true;
  else
    line->newest_step = (uint32_t) step;
  return true;
}

/* OFFSET and LENGTH as a change has them, and as bits.  */
static inline unsigned
what_of (unsigned offset, unsigned length)
{
  return (unsigned) __builtin_ctz (length) << 5 | offset;
}

static inline uint32_t
mask_of (unsigned offset, unsigned length)
{
  return ((UINT32_C (1) << length) - 1) << offset;
}

static inline void
see (struct memory_line *line, unsigned offset, unsigned length, uint64_t step)
{
  for (unsigned i = offset / 4; i <= (offset + length - 1) / 4; i++)
    if (line->seen[i] < step)
      line->seen[i] = (uint32_t) step;
}

bool
tb_memory_build_write (struct tb_memory_build *m, uint64_t step,
		       uint64_t address, const uint8_t *bytes, unsigned length,
		       bool late)
{
  struct memory_line *line = line_of (m, address);
  if (line == NULL)
    return false;
  unsigned offset = address % TB_LINE_SIZE;
  uint32_t mask = mask_of (offset, length);
  uint64_t at = step + 1;
  bool old = late && at < line->newest_step;
  /* What a later step has read need not have been there before this one.  */
  if (late)
    line->initial &= ~mask;
  line->touched |= mask;
  if (bytes == NULL)
    {
      line->known &= ~mask;
      return add_change (m, line, at, 0,
			 what_of (offset, length) | TB_CHANGE_FORGET);
    }
  if (!old)
    {
      bool same = (line->known & mask) == mask
		  && memcmp (line->bytes + offset, bytes, length) == 0;
      see (line, offset, length, at);
      if (same)
	return true;
      memcpy (line->bytes + offset, bytes, length);
      line->known |= mask;
    }
  if (!live (m, line))
    return false;
  return add_change (m, line, at, tb_number (bytes, length),
		     what_of (offset, length));
}

/* Between the time when bytes of the LENGTH at OFFSET were seen last and step STEP,
   when they turned out to be others, they are not known.  */
static bool
doubt (struct tb_memory_build *m, struct memory_line *line, unsigned offset,
       unsigned length, uint32_t differ, uint64_t step)
{
  for (unsigned i = offset; i < offset + length; i++)
    {
      uint64_t seen = (uint64_t) line->seen[i / 4] + 1;
      if ((differ >> i & 1) && seen < step
	  && !add_change (m, line, seen, 0, what_of (i, 1)
					    | TB_CHANGE_FORGET))
	return false;
    }
  return true;
}

enum tb_memory_read
tb_memory_build_read (struct tb_memory_build *m, uint64_t step,
		      uint64_t address, const uint8_t *bytes, unsigned length,
		      bool late)
{
  struct memory_line *line = line_of (m, address);
  if (line == NULL)
    return TB_MEMORY_FAILED;
  unsigned offset = address % TB_LINE_SIZE;
  uint32_t mask = mask_of (offset, length);
  uint64_t value = tb_number (bytes, length);
  if (late && step < line->newest_step)
    return add_change (m, line, step, value, what_of (offset, length))
	   ? TB_MEMORY_FITS : TB_MEMORY_FAILED;
  if ((line->known & mask) == mask
      && memcmp (line->bytes + offset, bytes, length) == 0)
    {
      see (line, offset, length, step);
      return TB_MEMORY_FITS;
    }
  uint32_t differ = 0, fresh = 0;
  for (unsigned i = 0; i < length; i++)
    {
      uint32_t bit = UINT32_C (1) << (offset + i);
      if (!(line->known & bit))
	fresh |= (line->touched & bit) || m->no_hindsight ? 0 : bit;
      else if (line->bytes[offset + i] != bytes[i])
	differ |= bit;
      if (fresh & bit)
	line->first[offset + i] = bytes[i];
    }
  line->initial |= fresh;
  line->touched |= mask;
  if (differ != 0)
    {
      line->initial &= ~differ;
      if (!doubt (m, line, offset, length, differ, step))
	return TB_MEMORY_FAILED;
    }
  memcpy (line->bytes + offset, bytes, length);
  line->known |= mask;
  see (line, offset, length, step);
  if (!live (m, line) || !add_change (m, line, step, value, what_of (offset, length)))
    return TB_MEMORY_FAILED;
  return differ != 0 ? TB_MEMORY_DIFFERS : TB_MEMORY_FITS;
}

/* A transfer on the bus need not be seen there in the order in which the core has
   made it (it buffers stores), and may be another master's: it takes away what it
   contradicts, and tells nothing on top.  */
bool
tb_memory_build_bus (struct tb_memory_build *m, uint64_t step,
		     uint64_t address, const uint8_t *bytes, unsigned length,
		     bool write)
{
  struct memory_line *line = line_of (m, address);
  if (line == NULL)
    return false;
  unsigned offset = address % TB_LINE_SIZE;
  uint32_t differ = 0;
  for (unsigned i = 0; i < length; i++)
    {
      uint32_t bit = UINT32_C (1) << (offset + i);
      if ((line->known & bit)
	  && (bytes == NULL || line->bytes[offset + i] != bytes[i]))
	differ |= bit;
    }
  /* What a later read tells was not there before somebody wrote.  */
  if (write)
    line->touched |= mask_of (offset, length);
  else if (bytes == NULL)
    return true;
  else if (!doubt (m, line, offset, length, differ, step + 1))
    return false;
  for (unsigned i = offset; i < offset + length; i++)
    if ((differ >> i & 1)
	&& !add_change (m, line, step + 1, 0, what_of (i, 1)
					      | TB_CHANGE_FORGET))
      return false;
  line->known &= ~differ;
  return true;
}

bool
tb_memory_build_forget (struct tb_memory_build *m, uint64_t at)
{
  struct memory_line *lines = (struct memory_line *) m->lines.data;
  const uint32_t *numbers = (const uint32_t *) m->live.data;
  for (size_t i = 0; i < TB_COLUMN_COUNT (&m->live, uint32_t); i++)
    {
      struct memory_line *line = &lines[numbers[i]];
      line->live = false;
      for (unsigned k = 0; k < TB_LINE_SIZE && line->known != 0; k += 8)
	if (!add_change (m, line, at, 0, what_of (k, 8) | TB_CHANGE_FORGET))
	  return false;
      line->known = 0;
    }
  m->live.size = 0;
  /* What is read from here on need not have been there before.  */
  m->no_hindsight |= at > 0;
  return true;
}

static int
by_number (const void *a, const void *b)
{
  uint64_t x = ((const struct memory_line *) a)->number;
  uint64_t y = ((const struct memory_line *) b)->number;
  return x != y ? (x < y ? -1 : 1) : 0;
}

/* Changes of a line while they are put in order: oldest first, those of one step as
   they came.  */
struct ordered
{
  struct memory_change *items, *spare;
  size_t room;
};

static bool
gather (struct ordered *o, const struct tb_memory_build *m,
	const struct memory_line *line)
{
  const struct memory_change *changes
    = (const struct memory_change *) m->changes.data;
  if (line->nchanges > o->room)
    {
      size_t room = line->nchanges + line->nchanges / 2;
      struct memory_change *items = realloc (o->items,
					     room * sizeof *items);
      if (items != NULL)
	o->items = items;
      struct memory_change *spare = realloc (o->spare,
					     room * sizeof *spare);
      if (spare != NULL)
	o->spare = spare;
      if (items == NULL || spare == NULL)
	return false;
      o->room = room;
    }
  size_t n = line->nchanges;
  for (uint32_t c = line->newest; c != 0 && n > 0; c = changes[c - 1].older)
    o->items[--n] = changes[c - 1];
  if (!line->unordered)
    return true;
  /* A merge sort, from pairs up.  */
  n = line->nchanges;
  for (size_t width = 1; width < n; width *= 2)
    {
      for (size_t low = 0; low < n; low += 2 * width)
	{
	  size_t middle = low + width < n ? low + width : n;
	  size_t high = low + 2 * width < n ? low + 2 * width : n;
	  size_t i = low, k = middle;
	  for (size_t to = low; to < high; to++)
	    o->spare[to] = i < middle && (k >= high || o->items[i].step
						       <= o->items[k].step)
			   ? o->items[i++] : o->items[k++];
	}
      struct memory_change *swap = o->items;
      o->items = o->spare;
      o->spare = swap;
    }
  return true;
}

/* Write the COUNT CHANGES of LINE into the columns of F.  */
static bool
write_line (struct tb_columns *f, const struct memory_line *line,
	    const struct memory_change *changes, size_t count)
{
  struct tb_facts_line *to = tb_column_extend (&f->lines, sizeof *to);
  if (to == NULL)
    return false;
  *to = (struct tb_facts_line) {
    .number = line->number,
    .block = TB_COLUMN_COUNT (&f->blocks, struct tb_facts_block)
  };
  struct tb_facts_block image = { .known = line->initial };
  memcpy (image.bytes, line->first, TB_LINE_SIZE);
  for (size_t i = 0; i < count || i == 0; i++)
    {
      uint32_t before = i > 0 ? changes[i - 1].step : 0;
      if (i % TB_LINE_CHANGES == 0)
	{
	  struct tb_facts_block *block = tb_column_extend (&f->blocks,
							   sizeof *block);
	  if (block == NULL)
	    return false;
	  image.offset = f->changes.size;
	  image.step = before = i > 0 ? changes[i].step : 0;
	  *block = image;
	}
      if (i == count)
	break;
      const struct memory_change *c = &changes[i];
      unsigned offset = c->what & TB_CHANGE_OFFSET;
      unsigned size = 1u << ((c->what & TB_CHANGE_SIZE) >> 5);
      bool forget = (c->what & TB_CHANGE_FORGET) != 0;
      uint8_t *bytes;
      if (!tb_varint_put (&f->changes, c->step - before)
	  || (bytes = tb_column_extend (&f->changes, forget ? 1 : 1 + size))
	     == NULL)
	return false;
      bytes[0] = c->what;
      if (forget)
	{
	  image.known &= ~mask_of (offset, size);
	  continue;
	}
      image.known |= mask_of (offset, size);
      for (unsigned k = 0; k < size; k++)
	bytes[1 + k] = image.bytes[offset + k] = (uint8_t) (c->value >> 8 * k);
    }
  return true;
}

bool
tb_memory_build_seal (struct tb_memory_build *m, struct tb_columns *f)
{
  struct memory_line *lines = (struct memory_line *) m->lines.data;
  struct ordered ordered = { NULL, NULL, 0 };
  bool ok = true;
  free (m->table);
  m->table = NULL;
  if (m->nlines > 0)
    qsort (lines, m->nlines, sizeof *lines, by_number);
  for (size_t i = 0; i < m->nlines && ok; i++)
    ok = gather (&ordered, m, &lines[i])
	 && write_line (f, &lines[i], ordered.items, lines[i].nchanges);
  free (ordered.items);
  free (ordered.spare);
  struct tb_facts_line *end = ok ? tb_column_extend (&f->lines, sizeof *end)
				 : NULL;
  if (end == NULL)
    return false;
  *end = (struct tb_facts_line) {
    .number = UINT64_MAX,
    .block = TB_COLUMN_COUNT (&f->blocks, struct tb_facts_block)
  };
  tb_memory_build_fini (m);
  return true;
}
