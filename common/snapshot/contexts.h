/* Contexts that have memory of their own, sorted by name.  Private to the map of memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_CONTEXTS_H
#define TB_SNAPSHOT_CONTEXTS_H

#include "snapshot/snapshot.h"

/* Zero-initialise; free with tb_contexts_fini.  */
struct tb_contexts
{
  struct tb_context *items;
  size_t count, capacity;
};

/* Add CONTEXT, which is copied.  False: no memory.  */
bool tb_contexts_add (struct tb_contexts *contexts, const struct tb_context *context);
void tb_contexts_fini (struct tb_contexts *contexts);

/* Sort them, for tb_contexts_find; of those of one name that with the lowest space stays.  */
void tb_contexts_sort (struct tb_contexts *contexts);

/* The one that trace names as NAMED: by context ID and VMID, else by the context ID, else by
   the VMID.  NULL: none.  */
const struct tb_context *tb_contexts_find (const struct tb_contexts *contexts,
					   const struct tb_context *named);

#endif /* TB_SNAPSHOT_CONTEXTS_H */
