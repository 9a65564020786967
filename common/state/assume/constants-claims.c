/* Constants of functions as facts of the steps.  See constants.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/constants.h"
#include "state/window/internal.h"

#include <stdlib.h>

#include "util/buffer.h"

/* What is said of each register of an instruction, looked up once.  */
struct said
{
  const uint64_t *values;
  uint64_t function;
  uint32_t registers;
  bool has_frame;
  uint32_t frame;
};

static bool
add (struct tb_state *s, const struct tb_assumed_constant *constant)
{
  if (!TB_GROW (s->facts.constants, s->facts.constants_room, s->facts.nconstants, 1))
    return false;
  s->facts.constants[s->facts.nconstants++] = *constant;
  return true;
}

/* What was said last of a register; BASE: of a frame pointer.  */
struct last
{
  tb_vid name, base;
  uint64_t value;
};

/* What SAID says before step I of the frame pointer, with the names NAMES.  */
static bool
add_frame (struct tb_state *s, const struct tb_constants *c,
	   const struct said *said, uint64_t i, const tb_vid *names,
	   struct last *last)
{
  tb_vid name = names[c->isa->frame_pointer], base = names[c->isa->sp];
  if (name == 0 || base == 0 || (name | base) & TB_CONSTANT
      || (name == last->name && base == last->base))
    return true;
  *last = (struct last) { name, base, said->frame };
  struct tb_assumed_constant constant = {
    .name = name, .base = base, .value = said->frame,
    .function = said->function, .step = i
  };
  return add (s, &constant);
}

/* Constants that SAID has before step I.  */
static bool
add_step (struct tb_state *s, const struct tb_constants *c,
	  const struct said *said, uint64_t i, struct last *last)
{
  const tb_vid *names = tb_code_names (c, i);
  for (unsigned r = 0; r < c->isa->registers; r++)
    {
      tb_vid name = names[r];
      uint64_t value = said->values[r], known;
      if (!(said->registers >> r & 1) || name == 0 || name & TB_CONSTANT
	  || (name == last[r].name && value == last[r].value))
	continue;
      last[r] = (struct last) { name, 0, value };
      if (tb_code_known (c, name, &known) && known == value)
	continue;
      struct tb_assumed_constant constant = {
	.name = name, .value = value, .function = said->function, .step = i
      };
      if (!add (s, &constant))
	return false;
    }
  return !said->has_frame
	 || add_frame (s, c, said, i, names, &last[TB_CODE_REGISTERS]);
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
  struct tb_facts *facts = &s->facts;
  struct tb_constants *c = tb_constants_find (s);
  size_t n = c != NULL ? c->window->ntemplates : 0;
  struct said *said = calloc (n + 1, sizeof *said);
  struct last last[TB_CODE_REGISTERS + 1] = { { 0, 0, 0 } };
  bool ok = c != NULL && said != NULL;
  facts->nconstants = 0;
  for (size_t i = 0; i < n && ok; i++)
    {
      struct tb_code_step t;
      tb_code_template (c, i, &t);
      said[i].registers = tb_constants_before (c, &t, &said[i].values,
					       &said[i].function);
      said[i].has_frame = tb_constants_frame (c, &t, &said[i].frame,
					      &said[i].function);
    }
  for (uint64_t i = 0; ok && i < c->window->steps; i++)
    {
      struct tb_code_step step;
      const struct said *at = &said[tb_code_step_at (c, i, &step)];
      if (at->registers != 0 || at->has_frame)
	ok = add_step (s, c, at, i, last);
    }
  if (ok && facts->nconstants != 0)
    qsort (facts->constants, facts->nconstants, sizeof *facts->constants,
	   compare);
  free (said);
  tb_constants_free (c);
  return ok;
}
