/* State of A64 code: code that the trace itself writes.  See rewritten.c.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"

#include <stdlib.h>

#define SIZE 4

static void
place (const void *state, size_t number, uint64_t *pc, unsigned *size)
{
  const struct tb_a64 *s = state;
  *pc = s->templates[number].pc;
  *size = SIZE;
}

static bool
is_constant (const void *state, uint64_t pc, unsigned size)
{
  const struct tb_a64 *s = state;
  const uint8_t *bytes;
  return tb_memory_kind (&s->memory, pc, size, &bytes) == TB_MEMORY_CONSTANT;
}

static uint32_t
accesses (void *state, uint64_t i)
{
  struct tb_a64 *s = state;
  tb_a64_seek (s, i);
  return s->names.next_access;
}

static bool
stores (const void *state, tb_take_stored *take, void *context)
{
  const struct tb_a64 *s = state;
  return tb_memory_stores (&s->memory, take, context);
}

struct tb_code_view
tb_a64_code_view (struct tb_a64 *s)
{
  return (struct tb_code_view) {
    .state = s, .base = s->base, .steps = s->steps, .info = s->info,
    .mask = TB_A64_TEMPLATE, .place = place, .constant = is_constant,
    .accesses = accesses, .stores = stores,
    .templates = s->own_templates != 0 ? s->own_templates : s->ntemplates
  };
}

bool
tb_a64_distrust_code (struct tb_a64 *s)
{
  struct tb_recoded recoded = { .bits = NULL };
  if (s->stated != NULL || s->graph.failed)
    return false;
  struct tb_code_view v = tb_a64_code_view (s);
  if (v.steps == 0)
    return false;
  bool ok = tb_recoded_take (&recoded, &s->recoded, s->steps)
	    && tb_recoded_find (&v, s->stored, &recoded);
  bool news = recoded.count != s->recoded.count;
  if (news && s->memory.keeps)
    s->graph.conflict = true;
  else if (news)
    ok = ok && tb_recoded_take (&s->recoded, &recoded, s->steps)
	 && tb_a64_apply_recoded (s);
  free (recoded.bits);
  s->graph.failed |= !ok;
  return news && !s->memory.keeps;
}

bool
tb_a64_take_code (struct tb_a64 *s, const struct tb_a64 *from)
{
  return tb_recoded_take (&s->recoded, &from->recoded, s->steps)
	 && tb_a64_apply_recoded (s);
}

void
tb_a64_use_stores (struct tb_a64 *s, const struct tb_code_stores *stores)
{
  s->stored = stores;
}

size_t
tb_a64_recoded (const struct tb_a64 *s)
{
  return s->recoded.count;
}
