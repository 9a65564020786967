/* State of A64 code: leaving out steps whose code is not what ran.  See trust.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"
#include "state/window/trust.h"

#include "util/buffer.h"

/* Make the twins of the templates, if there are none.  False: no memory.  */
static bool
make_twins (struct tb_a64 *s)
{
  size_t n = s->ntemplates;
  void *items = s->templates;
  if (s->own_templates != 0)
    return true;
  if (n > TB_A64_TEMPLATE / 2
      || !tb_grow (&items, &s->templates_room, n, n, sizeof *s->templates))
    return false;
  s->templates = items;
  for (size_t i = 0; i < n; i++)
    {
      struct tb_a64_template *twin = &s->templates[n + i];
      *twin = s->templates[i];
      twin->modelled = false;
      twin->count = 0;
    }
  s->own_templates = n;
  s->ntemplates = 2 * n;
  return true;
}

bool
tb_a64_apply_recoded (struct tb_a64 *s)
{
  if (s->recoded.count == 0)
    return true;
  if (!make_twins (s))
    return false;
  tb_recoded_apply (&s->recoded, s->info, TB_A64_TEMPLATE, s->own_templates,
		    s->steps);
  return true;
}

bool
tb_a64_apply_trust (struct tb_a64 *s, const struct tb_trust *trust)
{
  if (!make_twins (s))
    return false;
  tb_trust_apply (trust, s->info, TB_A64_TEMPLATE, s->own_templates);
  s->memory.distrusted = trust->distrusted;
  return tb_a64_apply_recoded (s);
}

void
tb_a64_share (struct tb_a64 *s, const struct tb_extents *shared,
	      const struct tb_extents *privates)
{
  s->memory.shared = shared;
  s->memory.privates = privates;
}

bool
tb_a64_take_written (struct tb_a64 *s, const struct tb_a64 *from, bool keep)
{
  s->memory.keeps = keep;
  return tb_memory_take_written (&s->memory, &from->memory);
}

unsigned
tb_a64_written (const struct tb_a64 *s)
{
  return s->memory.nwritten;
}
