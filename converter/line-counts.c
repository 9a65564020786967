/* How often each line of source ran.  See line-counts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "line-counts.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

struct making
{
  struct line_counts *lines;
  const struct counts *counts;
};

/* How often the most frequent instruction from LINE's address on ran.  */
static uint64_t
count_of (const struct counts *counts, const struct tb_line *line)
{
  uint64_t count = counts_at (counts, line->address);
  for (size_t i = counts_from (counts, line->address);
       i < counts->size && counts->list[i].start < line->end; i++)
    if (counts->list[i].count > count)
      count = counts->list[i].count;
  return count;
}

static bool
take_line (void *context, const struct tb_line *line)
{
  struct making *m = context;
  struct line_counts *l = m->lines;
  if (!line->statement)
    return true;
  if (!TB_GROW (l->list, l->room, l->size, 1))
    return false;
  l->list[l->size++] = (struct line_count) {
    line->file, line->line, count_of (m->counts, line)
  };
  return true;
}

/* Of a line the highest count first.  */
static int
order (const void *x, const void *y)
{
  const struct line_count *a = x, *b = y;
  int sign = a->file == b->file ? 0 : strcmp (a->file, b->file);
  if (sign == 0)
    sign = a->line < b->line ? -1 : a->line > b->line;
  return sign != 0 ? sign
	 : a->count > b->count ? -1 : a->count < b->count;
}

bool
line_counts_make (struct line_counts *l, struct tb_symbols *symbols,
		  const struct counts *counts)
{
  struct making making = { l, counts };
  size_t kept = 0;
  if (!tb_symbols_lines (symbols, take_line, &making))
    return false;
  if (l->size > 0)
    qsort (l->list, l->size, sizeof *l->list, order);
  for (size_t i = 0; i < l->size; i++)
    if (kept == 0 || l->list[i].line != l->list[kept - 1].line
	|| strcmp (l->list[i].file, l->list[kept - 1].file) != 0)
      l->list[kept++] = l->list[i];
  l->size = kept;
  return true;
}

void
line_counts_fini (struct line_counts *l)
{
  free (l->list);
}
