/* What dumps show of steps of A64.  See dump-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "state/explain/dump-graph.h"

void
tb_dump_a64 (struct tb_state *s, uint64_t i, struct tb_buffer *text)
{
  const struct tb_a64_names *names = &s->a64->names;
  tb_a64_seek (s, i);
  tb_vid first = i > 0 ? names->next_value : 1;
  uint32_t afirst = i > 0 ? names->next_access : 1;
  tb_a64_seek (s, i + 1);
  tb_dump_graph (text, &s->graph, &s->memory, first, names->next_value, afirst,
		 names->next_access);
}
