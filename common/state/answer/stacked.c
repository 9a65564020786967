/* What exceptions put on the stack.  See stacked.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/stacked.h"

#include "state/window/builder.h"
#include "state/window/windows.h"

/* Accesses of what stands between two steps: eight words an exception, and those
   of a return before it.  */
#define MOST 256

/* The same of the certain state, or of the assumed one.  */
static size_t
list (struct tb_state *s, uint64_t step, struct tb_access_info *accesses,
      size_t capacity)
{
  uint32_t ids[MOST];
  uint64_t i = step - s->base;
  tb_state_seek (s, i - 1);
  struct tb_names names = s->names;
  struct tb_builder b = tb_builder_of (s, &names, true);
  tb_build_step (&b, i - 1);
  b = tb_builder_of (s, &names, true);
  b.accesses = ids;
  b.accesses_room = MOST;
  tb_build_arrive (&b, i);
  size_t count = 0;
  for (size_t k = 0; k < b.naccesses; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[ids[k]];
      if (a->kind != TB_MEM_STORE && a->kind != TB_MEM_MAYBE)
	continue;
      struct tb_known address = tb_graph_known (&s->graph, a->address);
      struct tb_known value = tb_graph_known (&s->graph, a->value);
      bool sure = a->kind == TB_MEM_STORE;
      if (count < capacity)
	accesses[count] = (struct tb_access_info) {
	  .length = tb_access_size (a), .store = true,
	  .address_known = sure && tb_known_all (address),
	  .address = sure && tb_known_all (address) ? address.bits : 0,
	  .value_known = sure && tb_known_all (value),
	  .value = sure && tb_known_all (value) ? value.bits : 0
	};
      count++;
    }
  return count;
}

size_t
tb_state_stacked (struct tb_state *s, uint64_t step,
		  struct tb_access_info *accesses, size_t capacity)
{
  if (s->derived != NULL)
    return tb_state_stacked (s->derived, step, accesses, capacity);
  if (s->log != NULL || s->a64 != NULL || step == 0)
    return 0;
  /* They belong to the step before.  */
  s = tb_windows_at (s, step - 1);
  if (step <= s->base || step - s->base > s->steps)
    return 0;
  size_t count = list (s, step, accesses, capacity);
  if (s->assumed == NULL)
    return count;
  struct tb_access_info more[MOST];
  size_t n = list (s->assumed, step, more, MOST);
  for (size_t i = 0; n == count && i < n && i < capacity; i++)
    if (!accesses[i].address_known && more[i].address_known)
      {
	accesses[i].address = more[i].address;
	accesses[i].address_known = accesses[i].address_assumed = true;
      }
  return count;
}
