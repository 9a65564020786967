/* Facts: memory and accesses.  See facts.h and facts-memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/facts-memory.h"

#include <stdio.h>
#include <string.h>

/* The first line of F whose number is NUMBER or more.  */
static size_t
line_at (const struct tb_columns *f, uint64_t number)
{
  const struct tb_facts_line *lines
    = (const struct tb_facts_line *) f->lines.data;
  size_t low = 0, n = TB_COLUMN_COUNT (&f->lines, struct tb_facts_line) - 1;
  while (n > 0)
    {
      size_t half = n / 2;
      bool below = lines[low + half].number < number;
      low = below ? low + half + 1 : low;
      n = below ? n - half - 1 : half;
    }
  return low;
}

/* The bytes of LINE before STEP; returns which are known.  */
static uint32_t
line_bytes (const struct tb_columns *f, const struct tb_facts_line *line,
	    uint64_t step, uint8_t bytes[TB_LINE_SIZE])
{
  const struct tb_facts_block *blocks
    = (const struct tb_facts_block *) f->blocks.data;
  uint64_t low = line[0].block, high = line[1].block;
  while (high - low > 1)
    {
      uint64_t middle = low + (high - low) / 2;
      if (blocks[middle].step <= step)
	low = middle;
      else
	high = middle;
    }
  const struct tb_facts_block *b = &blocks[low];
  uint32_t known = b->known;
  memcpy (bytes, b->bytes, TB_LINE_SIZE);
  const uint8_t *p = f->changes.data + b->offset;
  const uint8_t *end
    = f->changes.data + (low + 1 < TB_COLUMN_COUNT (&f->blocks,
						    struct tb_facts_block)
			 ? b[1].offset : f->changes.size);
  uint64_t at = b->step;
  while (p < end)
    {
      at += tb_varint_get (&p);
      if (at > step)
	break;
      uint8_t what = *p++;
      unsigned offset = what & TB_CHANGE_OFFSET;
      unsigned size = 1u << ((what & TB_CHANGE_SIZE) >> 5);
      uint32_t mask = ((UINT32_C (1) << size) - 1) << offset;
      if (what & TB_CHANGE_FORGET)
	{
	  known &= ~mask;
	  continue;
	}
      known |= mask;
      memcpy (bytes + offset, p, size);
      p += size;
    }
  return known;
}

size_t
tb_facts_memory (const struct tb_columns *f, uint64_t step, uint64_t address,
		 uint8_t *bytes, uint8_t *known, size_t length)
{
  const struct tb_facts_line *lines
    = (const struct tb_facts_line *) f->lines.data;
  size_t nlines = TB_COLUMN_COUNT (&f->lines, struct tb_facts_line);
  memset (known, 0, length);
  if (length == 0 || nlines < 2)
    return 0;
  /* Not beyond the top of the address space.  */
  if (length - 1 > UINT64_MAX - address)
    length = (size_t) (UINT64_MAX - address) + 1;
  uint64_t last = (address + (length - 1)) >> TB_LINE_BITS;
  size_t count = 0;
  for (size_t i = line_at (f, address >> TB_LINE_BITS);
       i + 1 < nlines && lines[i].number <= last; i++)
    {
      uint8_t image[TB_LINE_SIZE];
      uint32_t mask = line_bytes (f, &lines[i], step, image);
      uint64_t start = lines[i].number << TB_LINE_BITS;
      unsigned from = start < address ? (unsigned) (address - start) : 0;
      for (unsigned k = from; k < TB_LINE_SIZE; k++)
	{
	  uint64_t to = start + k - address;
	  if (to >= length)
	    break;
	  if (mask >> k & 1)
	    {
	      bytes[to] = image[k];
	      known[to] = 1;
	      count++;
	    }
	}
    }
  return count;
}

bool
tb_facts_run (const struct tb_columns *f, size_t *at, uint64_t *first, uint64_t *last)
{
  const struct tb_facts_line *lines = (const struct tb_facts_line *) f->lines.data;
  size_t count = TB_COLUMN_COUNT (&f->lines, struct tb_facts_line);
  /* One more line ends them.  */
  if (count < 2 || *at >= count - 1)
    return false;
  const uint64_t apart = TB_FACTS_APART >> TB_LINE_BITS;
  *first = lines[*at].number << TB_LINE_BITS;
  while (++*at < count - 1 && lines[*at].number - lines[*at - 1].number <= apart)
    ;
  *last = (lines[*at - 1].number << TB_LINE_BITS) + (TB_LINE_SIZE - 1);
  return true;
}

bool
tb_facts_touched (const struct tb_columns *f, uint64_t address)
{
  const struct tb_facts_line *lines
    = (const struct tb_facts_line *) f->lines.data;
  uint64_t number = address >> TB_LINE_BITS;
  if (TB_COLUMN_COUNT (&f->lines, struct tb_facts_line) < 2)
    return false;
  const struct tb_facts_line *line = &lines[line_at (f, number)];
  if (line->number != number)
    return false;
  const struct tb_facts_block *blocks
    = (const struct tb_facts_block *) f->blocks.data;
  unsigned byte = address % TB_LINE_SIZE;
  if (blocks[line[0].block].known >> byte & 1)
    return true;
  const uint8_t *p = f->changes.data + blocks[line[0].block].offset;
  bool last = line[1].block
	      == TB_COLUMN_COUNT (&f->blocks, struct tb_facts_block);
  const uint8_t *end = f->changes.data + (last ? f->changes.size
					  : blocks[line[1].block].offset);
  while (p < end)
    {
      tb_varint_get (&p);
      uint8_t what = *p++;
      unsigned offset = what & TB_CHANGE_OFFSET;
      unsigned size = 1u << ((what & TB_CHANGE_SIZE) >> 5);
      if (byte - offset < size)
	return true;
      p += what & TB_CHANGE_FORGET ? 0 : size;
    }
  return false;
}

size_t
tb_facts_accesses (const struct tb_columns *f, uint64_t step,
		   struct tb_facts_access *accesses, size_t capacity)
{
  const struct tb_facts_access_mark *marks
    = (const struct tb_facts_access_mark *) f->access_marks.data;
  size_t nmarks = TB_COLUMN_COUNT (&f->access_marks,
				   struct tb_facts_access_mark);
  /* The last mark before the step: accesses of it may lie behind that.  */
  size_t low = 0, n = nmarks;
  while (n > 0)
    {
      size_t half = n / 2;
      bool below = marks[low + half].step < step;
      low = below ? low + half + 1 : low;
      n = below ? n - half - 1 : half;
    }
  size_t found = 0;
  for (size_t m = low > 0 ? low - 1 : 0; m < nmarks && marks[m].step <= step;
       m++)
    {
      const uint8_t *p = f->accesses.data + marks[m].offset;
      uint64_t at = marks[m].step, address = marks[m].address;
      for (uint32_t i = 0; i < marks[m].count; i++)
	{
	  at += tb_varint_get (&p);
	  uint8_t what = *p++;
	  address += (uint64_t) tb_unzigzag (tb_varint_get (&p));
	  if (at > step)
	    break;
	  if (at < step)
	    continue;
	  if (found < capacity)
	    accesses[found] = (struct tb_facts_access) {
	      .step = (uint32_t) at, .address = address,
	      .length = (uint16_t) (1u << (what >> TB_ACCESS_SIZE_BIT)),
	      .flags = what & ((1u << TB_ACCESS_SIZE_BIT) - 1)
	    };
	  found++;
	}
    }
  const struct tb_facts_access *late
    = (const struct tb_facts_access *) f->late_accesses.data;
  size_t nlate = TB_COLUMN_COUNT (&f->late_accesses, struct tb_facts_access);
  low = 0;
  for (n = nlate; n > 0;)
    {
      size_t half = n / 2;
      bool below = late[low + half].step < step;
      low = below ? low + half + 1 : low;
      n = below ? n - half - 1 : half;
    }
  for (; low < nlate && late[low].step == step; low++, found++)
    if (found < capacity)
      accesses[found] = late[low];
  return found;
}

const struct tb_facts_other *
tb_facts_others (const struct tb_columns *f, uint64_t step, size_t *count)
{
  const struct tb_facts_other *others
    = (const struct tb_facts_other *) f->others.data;
  size_t all = TB_COLUMN_COUNT (&f->others, struct tb_facts_other);
  size_t low = 0, n = all;
  while (n > 0)
    {
      size_t half = n / 2;
      bool below = others[low + half].step < step;
      low = below ? low + half + 1 : low;
      n = below ? n - half - 1 : half;
    }
  size_t end = low;
  while (end < all && others[end].step == step)
    end++;
  *count = end - low;
  return end != low ? others + low : NULL;
}

const struct tb_facts_undone *
tb_facts_undone (const struct tb_columns *f, uint64_t step, size_t *count)
{
  const struct tb_facts_undone *all = (const struct tb_facts_undone *) f->undone.data;
  size_t end = TB_COLUMN_COUNT (&f->undone, struct tb_facts_undone), low = 0;
  for (size_t n = end; n > 0;)
    {
      size_t half = n / 2;
      bool below = all[low + half].step < step;
      low = below ? low + half + 1 : low;
      n = below ? n - half - 1 : half;
    }
  size_t first = low;
  while (low < end && all[low].step == step)
    low++;
  *count = low - first;
  return low != first ? all + first : NULL;
}

void
tb_facts_bank (char *to, const char *name, const char *mode)
{
  static const char *const banks[] = {
    "usr", "sys", "fiq", "irq", "svc", "abt", "und", "mon", "hyp"
  };
  enum { SIZE = 40 };
  bool sp = strcmp (name, "sp") == 0, lr = strcmp (name, "lr") == 0;
  snprintf (to, SIZE, "%s", name);
  /* "EL1h_n": h uses the stack pointer of its level, t that of EL0.  */
  if (strncmp (mode, "EL", 2) == 0 && mode[2] >= '0' && mode[2] <= '3')
    {
      if (sp)
	snprintf (to, SIZE, "sp_el%c", mode[3] == 't' ? '0' : mode[2]);
      else if (lr)
	snprintf (to, SIZE, "x30");
      return;
    }
  for (size_t i = 0; i < sizeof banks / sizeof banks[0]; i++)
    {
      if (strncasecmp (mode, banks[i], 3) != 0)
	continue;
      const char *bank = i == 1 ? "usr" : banks[i];
      bool hyp = strcmp (bank, "hyp") == 0;
      if (sp || (lr && !hyp) || (i == 2 && !sp && !lr))
	snprintf (to, SIZE, "%s_%s", name, bank);
      else if (lr)
	snprintf (to, SIZE, "lr_usr");
      return;
    }
}
