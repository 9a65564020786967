/* Places: where a breakpoint on a function or on a line of source goes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The line tables alone decide, as GDB 13 and 16 read them.  For a function that has
   no lines, or one line only, GDB looks at the instructions of its prologue; here the
   place of such a function is its first instruction.  */

#ifndef TB_SNAPSHOT_PLACES_H
#define TB_SNAPSHOT_PLACES_H

#include "snapshot/symbols.h"

/* The address behind the prologue of FUNCTION: where its second line begins.  In
   code whose variables have lists of locations, as GCC writes them for optimised
   code, they are right from the first instruction on: there it is that.  */
uint64_t tb_symbols_body (struct tb_symbols *symbols,
			  const struct tb_function *function);

/* The places of a line of source.  Free with tb_places_fini.  */
struct tb_places
{
  uint64_t *addresses;		/* Sorted.  */
  size_t count, capacity;
  unsigned line;		/* That they are of: the one asked for, or the next
				   one that has code.  */
  bool has_file;		/* There is code of such a file.  */
  unsigned before, after;	/* The nearest lines of it that have code; 0: there
				   is none.  */
};

void tb_places_fini (struct tb_places *places);

/* Find the places of LINE in files called FILE, of which there may be the last
   parts of the path: one for each block that it has code in (the instances of an
   inline function are blocks), and none in a prologue.  A line without code means the
   next one that has some, but one between functions has no place: as in GDB 16, but for
   inline functions, of which that leaves out places (GDB 13 goes on to the next function
   from anywhere).  False: no memory.  */
bool tb_symbols_places (struct tb_symbols *symbols, const char *file,
			size_t length, unsigned line, struct tb_places *places);

/* Is the LENGTH characters long NAME the path FILE or the last parts of it?  */
bool tb_symbols_is_file (const char *file, const char *name, size_t length);

#endif /* TB_SNAPSHOT_PLACES_H */
