/* Inside of dumps: values and accesses of a graph, of either width.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EXPLAIN_DUMP_GRAPH_H
#define TB_STATE_EXPLAIN_DUMP_GRAPH_H

#include "state/memory/memory.h"
#include "util/buffer.h"

/* Append the values FIRST to before END of GRAPH, and the accesses AFIRST to before
   AEND of MEMORY.  */
void tb_dump_graph (struct tb_buffer *text, const struct tb_graph *graph,
		    const struct tb_memory *memory, tb_vid first, tb_vid end,
		    uint32_t afirst, uint32_t aend);

#endif /* TB_STATE_EXPLAIN_DUMP_GRAPH_H */
