/* Code that the trace itself writes: what ran need not be what the dump holds.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Instructions are read from the dump at the halt.  A store to one that ran that
   may not have stored what is there now means that another one may have run.  Base
   assumption: stores to addresses that are not known do not write code.

   What one window stores another one may have run: the state of the last window
   keeps what code in RAM ran anywhere and, if there is any, what was stored.  */

#include "config.h"
#include "state/internal.h"

#include "recording/facts.h"
#include "state/a64.h"
#include "state/log.h"
#include "state/windows.h"

/* Put the instructions of S that ran, in memory that is not constant, into RAN.
   False: no memory.  */
static bool
gather (const struct tb_state *s, struct tb_words *ran)
{
  const uint8_t *bytes;
  bool ok = true, news = false;
  for (size_t i = 0; ok && i < s->ntemplates; i++)
    {
      const struct tb_template *t = &s->templates[i];
      if (tb_memory_kind (&s->memory, t->pc, t->size, &bytes)
	  != TB_MEMORY_CONSTANT)
	ok = tb_words_add (ran, t->pc, t->size != 0 ? t->size : 4, &news);
    }
  return ok;
}

bool
tb_state_distrust_code (struct tb_state *s)
{
  struct tb_words ran = { NULL, 0, 0 }, hit = ran;
  const struct tb_words *others = s->options.stored;
  /* A log tells of each step what ran.  */
  if (s->stated != NULL)
    return false;
  bool ok = gather (s, &ran), news = false;
  ok = ok && (ran.count == 0
	      || tb_memory_rewrites (&s->memory, &ran, &hit));
  for (size_t i = 0; i < s->ntemplates && ran.count != 0; i++)
    {
      struct tb_template *t = &s->templates[i];
      if (!t->modelled || !tb_words_hit (&ran, t->pc, t->size)
	  || (!tb_words_hit (&hit, t->pc, t->size)
	      && (others == NULL || !tb_words_hit (others, t->pc, t->size))))
	continue;
      /* The certain tier trusts it.  */
      if (s->assuming)
	s->graph.conflict = true;
      else
	t->modelled = false;
      news |= !s->assuming;
    }
  tb_words_fini (&ran);
  tb_words_fini (&hit);
  s->graph.failed |= !ok;
  return news;
}

/* What the last window knows of the others, and the one that is asked.  */
struct sharing
{
  struct tb_words *ran, *stored, *touched;
  bool *more;
};

static bool
add_stored (void *context, uint64_t address, unsigned size, bool leaves)
{
  struct sharing *sharing = context;
  bool news = false;
  if (!tb_words_add (sharing->touched, address, size, &news))
    return false;
  news = false;
  if (!leaves && !tb_words_add (sharing->stored, address, size, &news))
    return false;
  *sharing->more |= news && tb_words_hit (sharing->ran, address, size);
  return true;
}

bool
tb_state_share_code (struct tb_state *home, const struct tb_state *s,
		     bool *more)
{
  struct sharing sharing = { &home->ran, &home->stored, &home->touched, more };
  bool first = home->ran.count == 0;
  if (tb_recording_facts (s->recording) != NULL)
    return true;
  if (!(s->a64 != NULL ? tb_a64_gather_code (s->a64, &home->ran)
	: gather (s, &home->ran)))
    return false;
  if (home->ran.count == 0)
    return true;
  /* Of windows that were solved before it is not known what they stored.  */
  *more |= first && s != home;
  if (home->windows != NULL)
    home->options.stored = &home->stored;
  return s->a64 != NULL ? tb_a64_stores (s->a64, add_stored, &sharing)
	 : tb_memory_stores (&s->memory, add_stored, &sharing);
}

bool
tb_state_holds_code (struct tb_state *s, uint64_t step, enum tb_space space,
		     uint64_t address, unsigned length)
{
  if (s->log != NULL)
    {
      const struct tb_columns *facts = tb_state_log_facts (s->log);
      for (unsigned i = 0; i < length; i++)
	if (tb_facts_touched (facts, address + i))
	  return false;
      return true;
    }
  const struct tb_state *home = s;
  s = tb_windows_at (s, step);
  return !tb_words_hit (&home->touched, address, length)
	 && !tb_trust_distrusts (&s->trust, space, address)
	 && !tb_trust_distrusts (&s->trust, space, address + length - 1);
}
