/* Constants of functions as facts of the steps.  See constants.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/constants.h"

#include <stdlib.h>

#include "util/buffer.h"

/* What is said of each register of an instruction, looked up once.  */
struct said
{
  uint32_t values[TB_CONSTANTS_REGS];
  uint32_t function;
  uint16_t registers;
};

static bool
add (struct tb_state *s, const struct tb_assumed_constant *constant)
{
  void *items = s->facts.constants;
  if (!tb_grow (&items, &s->facts.constants_room, s->facts.nconstants, 1,
		sizeof *s->facts.constants))
    return false;
  s->facts.constants = items;
  s->facts.constants[s->facts.nconstants++] = *constant;
  return true;
}

/* What was said last of a register.  */
struct last
{
  tb_vid name;
  uint32_t value;
};

/* Constants that SAID has before step I.  */
static bool
add_step (struct tb_state *s, const struct said *said, uint64_t i,
	  struct last *last)
{
  tb_state_seek (s, i);
  for (unsigned r = 0; r < TB_CONSTANTS_REGS; r++)
    {
      tb_vid name = s->names.slot[r];
      if (!(said->registers >> r & 1) || name == 0 || name & TB_CONSTANT
	  || (name == last[r].name && said->values[r] == last[r].value))
	continue;
      struct tb_known known = tb_graph_known (&s->graph, name);
      last[r] = (struct last) { name, said->values[r] };
      if (tb_known_all (known) && known.bits == said->values[r])
	continue;
      struct tb_assumed_constant constant = {
	.name = name, .value = said->values[r], .function = said->function,
	.step = i
      };
      if (!add (s, &constant))
	return false;
    }
  return true;
}

static int
compare (const void *a, const void *b)
{
  const struct tb_assumed_constant *x = a, *y = b;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

bool
tb_assume_find_constants (struct tb_state *s)
{
  struct tb_constants *c = tb_constants_find (s);
  struct said *said = calloc (s->ntemplates + 1, sizeof *said);
  struct last last[TB_CONSTANTS_REGS] = { { 0, 0 } };
  bool ok = c != NULL && said != NULL;
  s->facts.nconstants = 0;
  for (size_t i = 0; i < s->ntemplates && ok; i++)
    said[i].registers
      = (uint16_t) tb_constants_before (c, &s->templates[i], said[i].values,
					&said[i].function);
  for (uint64_t i = 0; i < s->steps && ok; i++)
    {
      const struct said *at = &said[s->info[i] & TB_INFO_TEMPLATE];
      if (at->registers != 0)
	ok = add_step (s, at, i, last);
    }
  if (ok && s->facts.nconstants != 0)
    qsort (s->facts.constants, s->facts.nconstants,
	   sizeof *s->facts.constants, compare);
  free (said);
  tb_constants_free (c);
  return ok;
}
