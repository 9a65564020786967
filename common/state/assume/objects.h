/* Assumption: an access through an object's address and an index stays within the object.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What an address was computed from is looked up in the graph: a sum of something known,
   which is in an object of the ELF files, and of something that is not known.  */

#ifndef TB_STATE_ASSUME_OBJECTS_H
#define TB_STATE_ASSUME_OBJECTS_H

#include "state/window/internal.h"

/* Add to the facts of S, which is solved, in which range the accesses have their addresses
   that were computed from an object, as far as that is news; *NEWS: there are some.  False:
   no memory.  */
bool tb_assume_find_objects (struct tb_state *s, bool *news);

/* Assume that accesses stay within objects: S, which is solved, is solved with that; what it is
   disproved by is undone, and DIAG is told of what CERTAIN's user has not heard.  False: no
   memory.  */
bool tb_assume_objects (struct tb_state *s, struct tb_state *certain, struct tb_diag *diag);

#endif /* TB_STATE_ASSUME_OBJECTS_H */
