/* The functions that one ELF file names.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_MODULE_FUNCTIONS_H
#define TB_SNAPSHOT_MODULE_FUNCTIONS_H

#include <elfutils/libdwfl.h>
#include <stddef.h>

#include "snapshot/symbols.h"

/* The functions of MODULE by address, an array from malloc of *COUNT: of several names of one
   address the best.  NULL: no memory.  Their names are valid as long as MODULE.  */
struct tb_function *tb_module_functions (Dwfl_Module *module, size_t *count);

#endif /* TB_SNAPSHOT_MODULE_FUNCTIONS_H */
