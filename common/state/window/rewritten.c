/* Code that the trace itself writes: what ran need not be what the dump holds.  See
   code-stores.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What one window stores another one may have run: the state of the last window
   keeps what code in RAM ran anywhere and, if there is any, what was stored.  */

#include "config.h"
#include "state/window/internal.h"

#include <stdlib.h>

#include "recording/facts.h"
#include "state/window/windows.h"

bool
tb_state_distrust_code (struct tb_state *s)
{
  struct tb_recoded recoded = { .bits = NULL };
  /* A log tells of each step what ran.  */
  if (s->stated != NULL || s->graph.failed)
    return false;
  /* All was given up.  */
  if (s->steps == 0)
    return false;
  bool ok = tb_recoded_take (&recoded, &s->recoded, s->steps)
	    && tb_recoded_find (s, s->options.stored, &recoded);
  bool news = recoded.count != s->recoded.count;
  /* The certain tier trusts it.  */
  if (news && s->assuming)
    s->graph.conflict = true;
  else if (news)
    ok = ok && tb_recoded_take (&s->recoded, &recoded, s->steps)
	 && tb_state_apply_recoded (s);
  free (recoded.bits);
  s->graph.failed |= !ok;
  return news && !s->assuming;
}

size_t
tb_state_recoded (const struct tb_state *s)
{
  return s->recoded.count;
}

bool
tb_state_share_code (struct tb_state *home, struct tb_state *s, bool *more)
{
  bool first = home->code.ran.count == 0;
  if (tb_recording_facts (s->recording) != NULL)
    return true;
  if (first)
    home->code.from = UINT64_MAX;
  if (!tb_code_stores_share (&home->code, s, more))
    return false;
  /* Of windows that were solved before it is not known what they stored.  */
  *more |= first && home->code.ran.count != 0 && s != home;
  if (home->windows != NULL && home->code.ran.count != 0)
    home->options.stored = &home->code;
  return true;
}

bool
tb_state_holds_code (struct tb_state *s, uint64_t step, enum tb_space space,
		     uint64_t address, unsigned length)
{
  if (s->log != NULL)
    {
      const struct tb_columns *facts = tb_recording_facts (s->recording);
      for (unsigned i = 0; i < length; i++)
	if (tb_facts_touched (facts, address + i))
	  return false;
      return true;
    }
  const struct tb_state *home = s;
  s = tb_windows_at (s, step);
  return !tb_words_hit (&home->code.touched, address, length)
	 && !tb_trust_distrusts (&s->trust, space, address)
	 && !tb_trust_distrusts (&s->trust, space, address + length - 1);
}
