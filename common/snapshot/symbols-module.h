/* What elfutils knows of the files behind symbols (private to the snapshot part).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_SYMBOLS_MODULE_H
#define TB_SNAPSHOT_SYMBOLS_MODULE_H

#include <elfutils/libdwfl.h>

#include "snapshot/lines.h"
#include "snapshot/symbols.h"

/* File NUMBER of SYMBOLS, in the order added; NULL: there are no more.  */
Dwfl_Module *tb_symbols_module (const struct tb_symbols *symbols,
				size_t number);

/* Call TAKE for each unit of SYMBOLS that has a line table, with that, until it returns
   false.  False if it did, or without memory.  */
bool tb_symbols_tables (struct tb_symbols *symbols,
			bool (*take) (void *context, Dwarf_Die *unit,
				      const struct tb_line_table *table),
			void *context);

/* The line table of the unit that has code at ADDRESS, valid until the next call, and the
   unit in *UNIT; NULL: none has, or no memory.  */
const struct tb_line_table *tb_symbols_table_at (struct tb_symbols *symbols,
						 uint64_t address,
						 Dwarf_Die *unit);

#endif /* TB_SNAPSHOT_SYMBOLS_MODULE_H */
