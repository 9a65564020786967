/* FP and vector registers: at the halt, and at any step.  See fp-registers.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/fp-registers.h"

#include <stdio.h>
#include <string.h>

#include "state/effect.h"
#include "state/window/fp.h"
#include "state/window/builder.h"
#include "state/evidence/log.h"
#include "state/window/windows.h"

/* Register LETTER NUMBER of CORE, of BITS bits; NULL: the snapshot has none.  */
static const struct tb_device_reg *
find (const struct tb_device *core, char letter, unsigned number,
      unsigned bits)
{
  char name[8];
  snprintf (name, sizeof name, "%c%u", letter, number);
  const struct tb_device_reg *reg = tb_device_reg (core, name);
  return reg != NULL && reg->bits == bits ? reg : NULL;
}

/* BITS (a multiple of 8, at most 64) bits of VALUE from AT on are BYTES.  */
static void
put (struct tb_value *value, unsigned at, const uint8_t *bytes, unsigned bits)
{
  for (unsigned i = 0; i < bits; i += 8)
    {
      value->bits |= (uint64_t) bytes[i / 8] << (at + i);
      value->mask |= UINT64_C (0xff) << (at + i);
    }
  value->origin = TB_DERIVED;
}

static void
find_vector (const struct tb_device *core, bool wide, unsigned number,
	     struct tb_vector *vector)
{
  const struct tb_device_reg *reg;
  struct tb_value *half = vector->half;
  if (wide)
    {
      if ((reg = find (core, 'v', number, 128)) != NULL
	  || (reg = find (core, 'q', number, 128)) != NULL)
	{
	  put (&half[0], 0, reg->bytes, 64);
	  put (&half[1], 0, reg->bytes + 8, 64);
	}
      else if ((reg = find (core, 'd', number, 64)) != NULL)
	put (&half[0], 0, reg->bytes, 64);
      return;
    }
  if ((reg = find (core, 'd', number, 64)) != NULL)
    put (&half[0], 0, reg->bytes, 64);
  else if ((reg = find (core, 'q', number / 2, 128)) != NULL)
    put (&half[0], 0, reg->bytes + 8 * (number % 2), 64);
  else
    for (unsigned i = 0; i < 2 && number < 16; i++)
      if ((reg = find (core, 's', 2 * number + i, 32)) != NULL)
	put (&half[0], 32 * i, reg->bytes, 32);
}

void
tb_vectors_at_halt (const struct tb_device *core,
		    const struct tb_profile *profile,
		    struct tb_vector *vectors)
{
  bool wide = profile->has_a64;
  memset (vectors, 0, TB_NVECTORS * sizeof *vectors);
  if (core == NULL)
    return;
  for (unsigned i = 0; i < 32; i++)
    find_vector (core, wide, i, &vectors[i]);
  const char *const controls[2] = { wide ? "fpcr" : "fpscr",
				    wide ? "fpsr" : NULL };
  for (unsigned i = 0; i < 2 && controls[i] != NULL; i++)
    {
      const struct tb_device_reg *reg = tb_device_reg (core, controls[i]);
      if (reg != NULL && reg->bits >= 32)
	put (&vectors[TB_FPSCR + i].half[0], 0, reg->bytes, 32);
    }
}

/* Add to VECTORS what only MORE, under an assumption, says.  */
static void
add_assumed (struct tb_vector *vectors,
	     const struct tb_vector *more)
{
  for (unsigned i = 0; i < 2 * TB_NVECTORS; i++)
    {
      struct tb_value *v = &vectors[i / 2].half[i % 2];
      const struct tb_value *m = &more[i / 2].half[i % 2];
      if ((m->mask & ~v->mask) == 0)
	continue;
      v->assumed = m->mask & ~v->mask;
      v->bits |= m->bits & v->assumed;
      v->mask |= m->mask;
      v->origin = TB_ASSUMED;
    }
}

static bool
certain_vectors (struct tb_state *s, uint64_t step, struct tb_vector *vectors)
{
  uint64_t total = tb_recording_steps (s->recording);
  bool at_halt = step == total && (s->halt == TB_HALT_USED || total == 0);
  bool here = step >= s->base && step - s->base <= s->steps;
  if (!(here && s->fp) && !at_halt)
    return false;
  memset (vectors, 0, TB_NVECTORS * sizeof *vectors);
  if (here && s->fp)
    {
      tb_state_seek (s, step - s->base);
      tb_fp_values (s, vectors);
    }
  for (unsigned i = 0; at_halt && i < 2 * TB_NVECTORS; i++)
    {
      const struct tb_value *at = &s->vectors_at_halt[i / 2].half[i % 2];
      struct tb_value *v = &vectors[i / 2].half[i % 2];
      v->bits = (v->bits & ~at->mask) | at->bits;
      v->mask |= at->mask;
      if (v->origin == TB_UNKNOWN)
	v->origin = at->origin;
    }
  return true;
}

/* The same behind the instruction of STEP.  */
static bool
certain_after (struct tb_state *s, uint64_t step, struct tb_vector *vectors)
{
  if (step < s->base || step - s->base >= s->steps || !s->fp)
    return false;
  memset (vectors, 0, TB_NVECTORS * sizeof *vectors);
  tb_state_seek (s, step - s->base);
  struct tb_names before = s->names;
  struct tb_builder b = tb_builder_of (s, &s->names, true);
  tb_build_step (&b, step - s->base);
  tb_fp_values (s, vectors);
  s->names = before;
  return true;
}

typedef bool find_vectors (struct tb_state *state, uint64_t step,
			   struct tb_vector *vectors);

/* What FIND finds, also under assumptions.  */
static bool
both (struct tb_state *s, uint64_t step, struct tb_vector *vectors,
      find_vectors *find_in)
{
  struct tb_vector more[TB_NVECTORS];
  s = tb_windows_at (s, step);
  bool any = find_in (s, step, vectors);
  if (s->assumed == NULL || !find_in (s->assumed, step, more))
    return any;
  if (!any)
    memset (vectors, 0, TB_NVECTORS * sizeof *vectors);
  add_assumed (vectors, more);
  return true;
}

bool
tb_state_vectors (struct tb_state *s, uint64_t step, struct tb_vector *vectors)
{
  if (s->log != NULL)
    return tb_state_log_vectors (s->log, step, vectors);
  return both (s, step, vectors, certain_vectors);
}

/* The names of the values of them in S, one window, before STEP; *COUNT of them.  NULL:
   nothing is known of any.  */
static const tb_vid *
names_of (struct tb_state *s, uint64_t step, size_t *count)
{
  *count = 0;
  if (!s->fp || step < s->base || step - s->base > s->steps)
    return NULL;
  tb_state_seek (s, step - s->base);
  *count = TB_NFP;
  return s->names.fp;
}

bool
tb_state_vectors_same (struct tb_state *s, uint64_t step,
		       struct tb_vectors_mark *mark)
{
  bool next = mark->valid && step == mark->step + 1;
  mark->valid = true;
  mark->step = step;
  if (s->log != NULL)
    {
      bool same = next && step < mark->until;
      if (!same)
	mark->until = tb_state_log_vectors_next (s->log, step);
      return same;
    }
  struct tb_state *w = tb_windows_at (s, step);
  struct tb_state *both[2] = { w, w->assumed };
  bool same = next && w == mark->window;
  mark->window = w;
  /* Behind the last step the halt tells.  */
  if (step >= tb_recording_steps (s->recording) || step < w->base)
    {
      mark->valid = false;
      return false;
    }
  for (unsigned i = 0; i < 2; i++)
    {
      size_t count = 0, most = sizeof mark->names[i] / sizeof *mark->names[i];
      const tb_vid *names = both[i] != NULL ? names_of (both[i], step, &count) : NULL;
      if (count > most)
	{
	  mark->valid = false;
	  return false;
	}
      same &= count == 0
	      || memcmp (mark->names[i], names, count * sizeof *names) == 0;
      if (!same && count != 0)
	memcpy (mark->names[i], names, count * sizeof *names);
    }
  return same;
}

bool
tb_state_vectors_after (struct tb_state *s, uint64_t step,
			struct tb_vector *vectors)
{
  /* What an exception there has changed is not told apart; it changes none of them.  */
  if (s->log != NULL)
    return tb_state_log_vectors (s->log, step + 1, vectors);
  return both (s, step, vectors, certain_after);
}
