/* State of A64 code: code that the trace itself writes.  See rewritten.c.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64-internal.h"

#define SIZE 4

bool
tb_a64_gather_code (const struct tb_a64 *s, struct tb_words *ran)
{
  const uint8_t *bytes;
  bool ok = true, news = false;
  for (size_t i = 0; ok && i < s->ntemplates; i++)
    if (tb_memory_kind (&s->memory, s->templates[i].pc, SIZE, &bytes)
	!= TB_MEMORY_CONSTANT)
      ok = tb_words_add (ran, s->templates[i].pc, SIZE, &news);
  return ok;
}

bool
tb_a64_stores (const struct tb_a64 *s,
	       bool (*take) (void *context, uint64_t address, unsigned size,
			     bool leaves), void *context)
{
  return tb_memory_stores (&s->memory, take, context);
}

bool
tb_a64_distrust_code (struct tb_a64 *s)
{
  struct tb_words ran = { NULL, 0, 0 }, hit = ran;
  if (s->stated != NULL)
    return false;
  bool ok = tb_a64_gather_code (s, &ran), news = false;
  ok = ok && (ran.count == 0
	      || tb_memory_rewrites (&s->memory, &ran, &hit));
  for (size_t i = 0; i < s->ntemplates && ran.count != 0; i++)
    {
      struct tb_a64_template *t = &s->templates[i];
      if (!t->modelled || !tb_words_hit (&ran, t->pc, SIZE)
	  || (!tb_words_hit (&hit, t->pc, SIZE)
	      && (s->stored == NULL
		  || !tb_words_hit (s->stored, t->pc, SIZE))))
	continue;
      news = true;
      if (s->memory.keeps)
	{
	  s->graph.conflict = true;
	  break;
	}
      t->modelled = false;
      t->count = 0;
    }
  tb_words_fini (&ran);
  tb_words_fini (&hit);
  s->graph.failed |= !ok;
  return news && !s->memory.keeps;
}

void
tb_a64_take_code (struct tb_a64 *s, const struct tb_a64 *from)
{
  for (size_t i = 0; i < s->ntemplates && i < from->ntemplates; i++)
    if (!from->templates[i].modelled)
      {
	s->templates[i].modelled = false;
	s->templates[i].count = 0;
      }
}
