/* How often each line of source ran.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A line ran when code did at which one of its statements begins, and as often as the
   most frequent instruction from there to where the line table goes on to another
   line.  Of the instances of an inline function the one counts that ran most.  */

#ifndef TB_CONVERTER_LINE_COUNTS_H
#define TB_CONVERTER_LINE_COUNTS_H

#include "counts.h"
#include "snapshot/symbols.h"

struct line_count
{
  const char *file;
  unsigned line;
  uint64_t count;
};

struct line_counts
{
  struct line_count *list;	/* By file and line, each once.  */
  size_t size, room;
};

/* Count the lines that SYMBOLS know, from zero-initialised LINES.  False: no
   memory.  */
bool line_counts_make (struct line_counts *lines, struct tb_symbols *symbols,
		       const struct counts *counts);
void line_counts_fini (struct line_counts *lines);

#endif /* TB_CONVERTER_LINE_COUNTS_H */
