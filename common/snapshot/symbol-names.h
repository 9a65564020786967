/* Symbols by what a user calls them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_SYMBOL_NAMES_H
#define TB_SNAPSHOT_SYMBOL_NAMES_H

#include "snapshot/symbols.h"
#include "util/buffer.h"

/* Do the LENGTH characters NAME call what a file calls RAW?  In C++ they may leave
   out parameters, arguments of templates and, from the left, what it is part of:
   "put", "Queue::put", "Queue<int>::put" and "Queue<int>::put(int)" are one.  Blanks
   do not count.  What counts is what GDB 13.1 takes for a name.  */
bool tb_symbol_is_called (const char *raw, const char *name, size_t length);

/* What a symbol of data or code names.  */
struct tb_named
{
  uint64_t address;		/* Bit 0 clear for T32 code.  */
  uint64_t size;		/* 0: not told.  */
  size_t count;			/* Different addresses that are called so.  */
};

/* What NAME names; COUNT is 0 if nothing.  */
struct tb_named tb_symbols_named (const struct tb_symbols *symbols,
				  const char *name, size_t length);

/* Append to TEXT the names, of functions or of all symbols, that are most like
   NAME, at most three: "a, b or c".  Nothing if none is.  */
void tb_symbols_like (const struct tb_symbols *symbols, const char *name,
		      size_t length, bool functions, struct tb_buffer *text);

#endif /* TB_SNAPSHOT_SYMBOL_NAMES_H */
