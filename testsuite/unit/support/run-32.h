/* Running A32 and T32 instructions on numbers of 32 bits, as tb_forward_run does.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_RUN_32_H
#define TB_UNIT_RUN_32_H

#include "arm/ir/forward.h"
#include "arm/ir/semantics.h"

static inline uint64_t
run_32_load (void *context, uint64_t address, unsigned size)
{
  const struct tb_forward_memory *m = context;
  return m->load (m->context, (uint32_t) address, size);
}

static inline void
run_32_store (void *context, uint64_t address, unsigned size, uint64_t value, bool certain)
{
  const struct tb_forward_memory *m = context;
  (void) certain;
  m->store (m->context, (uint32_t) address, size, (uint32_t) value);
}

/* tb_semantics_run on PLACES, of which TB_NPLACES are enough for an instruction that has
   nothing to do with FP registers.  */
static inline void
run_32 (const struct tb_semantics *s, uint32_t *places,
	const struct tb_forward_memory *memory, struct tb_semantics_result *result)
{
  struct tb_forward_memory own = memory != NULL ? *memory : (struct tb_forward_memory) { 0 };
  struct tb_semantics_memory wide = { run_32_load, run_32_store, &own };
  uint64_t all[TB_PLACE_END];
  unsigned count = TB_NPLACES;
  for (unsigned i = 0; i < s->count; i++)
    if ((s->uops[i].dst | s->uops[i].a | s->uops[i].b) >= TB_PLACE_FP)
      count = TB_PLACE_END;
  for (unsigned i = 0; i < count; i++)
    all[i] = places[i];
  tb_semantics_run (s, all, &wide, result);
  for (unsigned i = 0; i < count; i++)
    places[i] = (uint32_t) all[i];
}

#endif /* TB_UNIT_RUN_32_H */
