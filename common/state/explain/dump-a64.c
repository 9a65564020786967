/* What dumps show of steps of A64.  See dump-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "state/explain/dump-graph.h"

const struct tb_uop *
tb_dump_a64_uops (const struct tb_a64 *s, uint64_t i, unsigned *count)
{
  const struct tb_a64_template *t = &s->templates[s->info[i] & TB_A64_TEMPLATE];
  *count = t->modelled ? t->count : 0;
  return t->modelled ? s->uops + t->first : NULL;
}

void
tb_dump_a64 (struct tb_a64 *s, uint64_t i, struct tb_buffer *text)
{
  tb_a64_seek (s, i);
  tb_vid first = i > 0 ? s->names.next_value : 1;
  uint32_t afirst = i > 0 ? s->names.next_access : 1;
  tb_a64_seek (s, i + 1);
  tb_dump_graph (text, &s->graph, &s->memory, first, s->names.next_value, afirst,
		 s->names.next_access);
}
