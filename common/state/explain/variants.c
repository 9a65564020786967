/* Variants of a state.  See variants.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/variants.h"

#include "state/window/internal.h"

/* Variants with other doubts that a state keeps.  */
#define DOUBTING_MOST 12

/* Of what a state may keep, one of its variants may keep this part.  */
#define EXPLAINED_PART 4
#define DOUBTING_PART 24

static size_t
part_of (const struct tb_state_options *options, unsigned part)
{
  size_t all = options->memory != 0 ? options->memory : TB_STATE_MEMORY;
  return all / part + 1;	/* 0 is the default.  */
}

/* Work S out with OPTIONS, and put that first among its variants.  */
static struct tb_state *
add_variant (struct tb_state *s, const struct tb_state_options *options)
{
  struct tb_diag silent = { 0 };
  struct tb_state *v = tb_state_open_windows (s->recording, options, &silent);
  if (v == NULL)
    {
      tb_recording_lacks_memory (s->recording);
      return NULL;
    }
  v->origin = s;
  v->variants = s->variants;
  s->variants = v;
  return v;
}

struct tb_state *
tb_variant_explained (struct tb_state *s)
{
  struct tb_state_options options = s->options;
  if (options.explain)
    return s;
  for (struct tb_state *v = s->variants; v != NULL; v = v->variants)
    if (v->options.explain)
      return v;
  options.memory = part_of (&options, EXPLAINED_PART);
  options.explain = true;
  return add_variant (s, &options);
}

/* Close the variant with other doubts that S has had for longest, if there are as many
   as it keeps.  */
static void
make_room (struct tb_state *s)
{
  struct tb_state **oldest = NULL;
  unsigned count = 0;
  for (struct tb_state **at = &s->variants; *at != NULL; at = &(*at)->variants)
    if (!(*at)->options.explain)
      {
	oldest = at;
	count++;
      }
  if (count < DOUBTING_MOST)
    return;
  struct tb_state *gone = *oldest;
  *oldest = gone->variants;
  gone->variants = NULL;
  tb_state_close (gone);
}

/* Let OPTIONS be as if nothing had been found out yet.  */
static void
forget_found (struct tb_state_options *options)
{
  options->makers = false;
  options->trust = NULL;
  options->stored = NULL;
  options->devices = NULL;
  options->untraced = options->disputed = NULL;
  options->halt_without = 0;
  options->calls_apart = false;
  options->given_up = NULL;
  options->stated = TB_STATED_ALL;
  options->halt = TB_PROOF_SOUGHT;
}

struct tb_state *
tb_variant_without (struct tb_state *s, unsigned assumption)
{
  struct tb_state_options options = s->options;
  options.assume &= ~assumption;
  for (struct tb_state *v = s->variants; v != NULL; v = v->variants)
    if (!v->options.explain && v->options.doubt == options.doubt
	&& v->options.assume == options.assume)
      return v;
  make_room (s);
  options.memory = part_of (&options, DOUBTING_PART);
  forget_found (&options);
  return add_variant (s, &options);
}

struct tb_state *
tb_variant_doubting (struct tb_state *s, unsigned doubt)
{
  struct tb_state_options options = s->options;
  if (options.doubt == doubt)
    return s;
  for (struct tb_state *v = s->variants; v != NULL; v = v->variants)
    if (!v->options.explain && v->options.doubt == doubt
	&& v->options.assume == options.assume)
      return v;
  make_room (s);
  options.memory = part_of (&options, DOUBTING_PART);
  options.doubt = doubt;
  /* What S found out rests on what it does not doubt.  */
  forget_found (&options);
  return add_variant (s, &options);
}

bool
tb_variant_prepare (struct tb_state *v)
{
  struct tb_diag silent = { 0 };
  return v->windows == NULL || tb_state_prepare (v, 0, NULL, NULL, &silent);
}

struct tb_state *
tb_variant_relying (struct tb_state *s)
{
  for (struct tb_state *v = s->variants; v != NULL; v = v->variants)
    if (!v->options.explain && v->options.doubt == 0
	&& v->options.assume == s->options.assume)
      return v;
  struct tb_state *v = tb_variant_doubting (s, 0);
  return v != NULL && tb_variant_prepare (v) ? v : NULL;
}
