/* Which reads of memory are those of objects.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB does not say what it reads memory for.  An object it reads in one piece; views of raw
   memory, searches and dumps it reads in pieces of sizes that seldom are those of a
   structure or an array of the program.  */

#ifndef TB_GDBSTUB_OBJECTS_H
#define TB_GDBSTUB_OBJECTS_H

#include "target.h"

/* Does the program of TARGET, as --elf describes it, have a structure or an array of LENGTH
   bytes?  False also where nothing describes it.  */
bool objects_have_size (struct target *target, uint64_t length);

void objects_forget (struct target *target);

#endif /* TB_GDBSTUB_OBJECTS_H */
