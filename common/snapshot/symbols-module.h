/* What elfutils knows of the files behind symbols (private to the snapshot part).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_SYMBOLS_MODULE_H
#define TB_SNAPSHOT_SYMBOLS_MODULE_H

#include <elfutils/libdwfl.h>

#include "snapshot/symbols.h"

/* File NUMBER of SYMBOLS, in the order added; NULL: there are no more.  */
Dwfl_Module *tb_symbols_module (const struct tb_symbols *symbols,
				size_t number);

#endif /* TB_SNAPSHOT_SYMBOLS_MODULE_H */
