/* Inside of reasons: those of the values of a graph.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EXPLAIN_REASONS_VALUES_H
#define TB_STATE_EXPLAIN_REASONS_VALUES_H

#include "state/solver/graph.h"
#include "state/memory/memory.h"
#include "state/explain/reasons.h"

struct tb_reasons_values
{
  const struct tb_graph *graph;	/* Not frozen.  */
  const struct tb_memory *memory;
  size_t count;			/* Values that have an entry.  */
  /* By value: its reason, with DONE; or that which it has if nothing makes it.  */
  uint8_t *why;
  /* The access that is in the way, where the reason is STORE, or is that of the
     address or the condition; 0: there is none.  */
  uint32_t *stores;
  struct tb_reasons_path
  {
    tb_vid id;
    enum tb_why_not why;	/* TB_WHY_NOTS: that of the next one.  */
  } *path;			/* On the way to the reason of one.  */
  size_t path_room;
  bool failed;			/* No memory.  */
};

#define TB_REASONS_DONE 0x80

/* Begin with the values of GRAPH; false: no memory.  */
bool tb_reasons_values_begin (struct tb_reasons_values *values,
			      const struct tb_graph *graph,
			      const struct tb_memory *memory);
void tb_reasons_values_fini (struct tb_reasons_values *values);

/* The values from FROM to before END, where nothing makes them, are not known for
   the reason WHY.  */
void tb_reasons_mark (struct tb_reasons_values *values, tb_vid from,
		      tb_vid end, enum tb_why_not why);

/* The reason of ID is WHY, and access STORE.  */
void tb_reasons_settle (struct tb_reasons_values *values, tb_vid id,
			enum tb_why_not why, uint32_t store);

/* The reason why ID is not known; *STORE is the access that is in the way, or 0.  */
enum tb_why_not tb_reasons_find (struct tb_reasons_values *values, tb_vid id,
				 uint32_t *store);

#endif /* TB_STATE_EXPLAIN_REASONS_VALUES_H */
