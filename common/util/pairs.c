/* Pairing things with least weight.  See pairs.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The Hungarian method: rows are added one by one, and each finds a column by a cheapest
   path of exchanges with the rows before (H. W. Kuhn, 1955; J. Munkres, 1957).  */

#include "config.h"
#include "util/pairs.h"

#include <stdlib.h>

/* Rows and columns are numbered from 1 here; 0 is none, and the column 0 that of the row
   which is added.  */
struct pairs
{
  int64_t *of_row, *of_column;	/* What is taken off the weights of each.  */
  int64_t *least;		/* The cheapest way to each column so far.  */
  size_t *before;		/* The column from which that leads there.  */
  size_t *row;			/* By column: the row that has it.  */
  bool *done;			/* By column: the way to it is the cheapest.  */
};

/* Find a column for ROW.  */
static void
add_row (struct pairs *p, const uint64_t *weights, size_t columns, size_t row)
{
  size_t at = 0;
  for (size_t j = 0; j <= columns; j++)
    {
      p->least[j] = INT64_MAX;
      p->done[j] = false;
    }
  p->row[0] = row;
  do
    {
      size_t from = p->row[at], next = 0;
      int64_t step = INT64_MAX;
      p->done[at] = true;
      for (size_t j = 1; j <= columns; j++)
	{
	  if (p->done[j])
	    continue;
	  int64_t way = (int64_t) weights[(from - 1) * columns + j - 1]
			- p->of_row[from] - p->of_column[j];
	  if (way < p->least[j])
	    {
	      p->least[j] = way;
	      p->before[j] = at;
	    }
	  if (p->least[j] < step)
	    {
	      step = p->least[j];
	      next = j;
	    }
	}
      for (size_t j = 0; j <= columns; j++)
	if (p->done[j])
	  {
	    p->of_row[p->row[j]] += step;
	    p->of_column[j] -= step;
	  }
	else
	  p->least[j] -= step;
      at = next;
    }
  while (p->row[at] != 0);
  for (; at != 0; at = p->before[at])
    p->row[at] = p->row[p->before[at]];
}

bool
tb_pairs_least (const uint64_t *weights, size_t rows, size_t columns, size_t *chosen)
{
  struct pairs p = {
    .of_row = calloc (rows + 1, sizeof *p.of_row),
    .of_column = calloc (columns + 1, sizeof *p.of_column),
    .least = calloc (columns + 1, sizeof *p.least),
    .before = calloc (columns + 1, sizeof *p.before),
    .row = calloc (columns + 1, sizeof *p.row),
    .done = calloc (columns + 1, sizeof *p.done)
  };
  bool done = p.of_row != NULL && p.of_column != NULL && p.least != NULL
	      && p.before != NULL && p.row != NULL && p.done != NULL;
  for (size_t i = 1; i <= rows && done; i++)
    add_row (&p, weights, columns, i);
  for (size_t j = 1; j <= columns && done; j++)
    if (p.row[j] != 0)
      chosen[p.row[j] - 1] = j - 1;
  free (p.of_row);
  free (p.of_column);
  free (p.least);
  free (p.before);
  free (p.row);
  free (p.done);
  return done;
}
