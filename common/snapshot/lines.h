/* Line tables as GDB keeps them (private to the snapshot part).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 6.2 (line number information).  What GDB uses of this was found by
   trying GDB 13.1, and stands in GDB's manual, "maint info line-table".  */

#ifndef TB_SNAPSHOT_LINES_H
#define TB_SNAPSHOT_LINES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row: from ADDRESS on code comes from LINE of FILE.  Several may have one address:
   compilers tell so that statements begin there which have no code of their own.  */
struct tb_line_row
{
  uint64_t address;
  const char *file;
  unsigned line;		/* 0: a sequence of code ends here.  */
  bool statement;		/* A good place to stop before (is_stmt).  */
  bool hidden;			/* A row of another file at the same address took
				   its place: GDB does not stop for this one.  */
};

struct tb_line_table
{
  struct tb_line_row *rows;	/* By address, else in the order of the file.  */
  size_t count, capacity;
};

/* Read that of UNIT into the zero-initialised TABLE; IS_CODE tells whether the linker
   kept what is at an address.  What it left out, and rows that tell nothing new, are not
   in it.  False: no memory.  */
bool tb_line_table_read (struct tb_line_table *table, Dwarf_Die *unit,
			 bool (*is_code) (void *context, uint64_t address),
			 void *context);
void tb_line_table_fini (struct tb_line_table *table);

/* The row of the code at ADDRESS, and in *END the address where that of another one
   begins; NULL: there is none.  */
const struct tb_line_row *tb_line_table_find (const struct tb_line_table *table,
					      uint64_t address, uint64_t *end);

#endif /* TB_SNAPSHOT_LINES_H */
