/* Line tables.  See lines.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/search.h"

/* Code of a unit.  */
struct range
{
  Dwarf_Addr low, high;
};

struct line_reading
{
  struct tb_line_table *table;
  struct range *ranges;		/* By LOW.  */
  size_t nranges, ranges_room;
  /* Of the sequence that is being read:  */
  const char *file;		/* Of the last row that was taken.  */
  unsigned line;		/* Likewise.  */
  unsigned line_before;		/* Of the row before.  */
  uint64_t address;		/* Likewise.  */
  bool statement_there;		/* One of the rows at ADDRESS is a statement.  */
  bool marked;			/* A discriminator tells rows of LINE_BEFORE apart. */
};

static int
by_low (const void *x, const void *y)
{
  const struct range *a = x, *b = y;
  return a->low < b->low ? -1 : a->low > b->low;
}

/* May code that begins at LOW have been left out by the linker?  Linkers put 0, 1, -1 or
   -2 in the place of its address.  */
static bool
may_be_left_out (Dwarf_Addr low)
{
  return low < 2 || low >= UINT64_MAX - 1
	 || (low >= UINT32_MAX - 1 && low <= UINT32_MAX);
}

/* List where UNIT has code that the linker kept.  False: no memory.  */
static bool
list_ranges (struct line_reading *r, Dwarf_Die *unit,
	     bool (*is_code) (void *context, uint64_t address), void *context)
{
  struct range range;
  Dwarf_Addr base;
  ptrdiff_t at = 0;
  while ((at = dwarf_ranges (unit, at, &base, &range.low, &range.high)) > 0)
    {
      if (range.high <= range.low
	  || (may_be_left_out (range.low) && !is_code (context, range.low)))
	continue;
      if (!TB_GROW (r->ranges, r->ranges_room, r->nranges, 1))
	return false;
      r->ranges[r->nranges++] = range;
    }
  if (r->nranges > 0)
    qsort (r->ranges, r->nranges, sizeof *r->ranges, by_low);
  return true;
}

/* Is ADDRESS in a range, or does the unit not say where it is?  */
static bool
is_in_ranges (const struct line_reading *r, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, r->nranges, r->ranges[low].low <= address);
  return r->nranges == 0 || (low > 0 && address < r->ranges[low - 1].high);
}

static bool
add_row (struct tb_line_table *table, const struct tb_line_row *row)
{
  bool ok = TB_GROW (table->rows, table->capacity, table->count, 1);
  if (ok)
    table->rows[table->count++] = *row;
  return ok;
}

/* The code of the last file ends at ADDRESS, or that of another one begins: its rows
   there have none.  */
static void
hide_rows (struct tb_line_table *table, const char *file, uint64_t address)
{
  for (size_t i = table->count;
       file != NULL && i > 0 && table->rows[i - 1].address == address; i--)
    {
      struct tb_line_row *row = &table->rows[i - 1];
      if (row->line != 0 && strcmp (row->file, file) == 0)
	row->hidden = true;
    }
}

/* Take ROW, whose discriminator is DISCRIMINATOR, unless it tells nothing new.  */
static bool
take_row (struct line_reading *r, const struct tb_line_row *row,
	  unsigned discriminator)
{
  bool same_address = r->address == row->address;
  bool other_file = r->file == NULL || strcmp (r->file, row->file) != 0;
  /* A file that goes on where another one has a statement does not take its
     place; line 0 is code of no line, which goes on with the one before.  */
  bool passed = row->line == 0
		|| (other_file && !row->statement && same_address
		    && r->statement_there);
  bool ok = true;
  r->marked = discriminator != 0
	      || (r->marked && row->line == r->line_before);
  r->line_before = row->line;
  if (!passed && (other_file || row->line != r->line || !r->marked))
    {
      if (other_file)
	hide_rows (r->table, r->file, row->address);
      ok = add_row (r->table, row);
      r->line = row->line;
    }
  if (!passed)
    r->file = row->file;
  r->statement_there = row->statement || (same_address && r->statement_there);
  r->address = row->address;
  return ok;
}

static bool
read_row (struct line_reading *r, Dwarf_Line *source)
{
  struct tb_line_row row = { .file = dwarf_linesrc (source, NULL, NULL) };
  int line;
  bool end;
  unsigned discriminator = 0;
  if (row.file == NULL || dwarf_lineaddr (source, &row.address) != 0
      || dwarf_lineno (source, &line) != 0
      || dwarf_linebeginstatement (source, &row.statement) != 0
      || dwarf_lineendsequence (source, &end) != 0
      || !is_in_ranges (r, row.address - (end && row.address != 0)))
    return true;
  if (end)
    {
      bool ok;
      hide_rows (r->table, r->file, row.address);
      ok = add_row (r->table, &row);
      *r = (struct line_reading) { .table = r->table, .ranges = r->ranges,
			      .nranges = r->nranges };
      return ok;
    }
  dwarf_linediscriminator (source, &discriminator);
  row.line = line > 0 ? (unsigned) line : 0;
  return take_row (r, &row, discriminator);
}

bool
tb_line_table_read (struct tb_line_table *table, Dwarf_Die *unit,
		    bool (*is_code) (void *context, uint64_t address),
		    void *context)
{
  struct line_reading r = { .table = table };
  Dwarf_Lines *lines;
  size_t count;
  errno = 0;
  if (dwarf_getsrclines (unit, &lines, &count) != 0)
    return errno != ENOMEM;
  bool ok = list_ranges (&r, unit, is_code, context);
  for (size_t i = 0; i < count && ok; i++)
    ok = read_row (&r, dwarf_onesrcline (lines, i));
  free (r.ranges);
  return ok && errno != ENOMEM;
}

void
tb_line_table_fini (struct tb_line_table *table)
{
  free (table->rows);
  *table = (struct tb_line_table) { 0 };
}

const struct tb_line_row *
tb_line_table_find (const struct tb_line_table *table, uint64_t address,
		    uint64_t *end)
{
  const struct tb_line_row *rows = table->rows;
  size_t low;
  TB_LOWER_BOUND (low, table->count, rows[low].address <= address);
  *end = UINT64_MAX;
  for (size_t i = low; i < table->count && *end == UINT64_MAX; i++)
    if (!rows[i].hidden)
      *end = rows[i].address;
  while (low > 0 && rows[low - 1].hidden)
    low--;
  if (low == 0 || rows[low - 1].line == 0)
    return NULL;
  /* A statement that begins there is rather it than what goes on.  */
  const struct tb_line_row *best = &rows[low - 1];
  for (const struct tb_line_row *r = best; !best->statement && r > rows
       && r[-1].address == r->address && r[-1].line != 0; r--)
    if (r[-1].statement && !r[-1].hidden
	&& strcmp (r[-1].file, best->file) == 0)
      best = r - 1;
  return best;
}
