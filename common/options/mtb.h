/* What an option tells of a Micro Trace Buffer in memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_OPTIONS_MTB_H
#define TB_OPTIONS_MTB_H

#include <stdbool.h>
#include <stddef.h>

#include "snapshot/snapshot.h"

/* Read TEXT, "BASE,POSITION,MASTER", the values of the registers of an MTB; "ram:" may stand
   before it, and "@CORE", a core's name, behind it: *CORE is that, in TEXT, or NULL.  False: it is
   none, and WHY, of SIZE bytes, says what was expected and found.  */
bool tb_mtb_parse (const char *text, struct tb_mtb_registers *registers, const char **core,
		   char *why, size_t size);

#endif
