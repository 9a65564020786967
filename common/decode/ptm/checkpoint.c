/* A PTM decoder saved, restored, sent elsewhere and compared.  See
   internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/ptm/internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
ptm_tell (const struct tb_decoder *base, struct tb_stream_place *place)
{
  const struct tb_ptm_decoder *d = (const struct tb_ptm_decoder *) base;
  size_t length;
  bool last;

  /* With the next byte at hand one place has one name.  */
  tb_stream_peek (d->stream, &length, &last);
  tb_stream_tell (d->stream, place);
  return tb_stream_index (d->stream, 0);
}

/* A copy has only those spilled elements that are still to be delivered.  */
static void *
ptm_save (const struct tb_decoder *base)
{
  const struct tb_ptm_decoder *d = (const struct tb_ptm_decoder *) base;
  const struct tb_ptm_state *s = &d->state;
  unsigned left = s->spill_end - s->spill_at;
  size_t head = offsetof (struct tb_ptm_state, spill);
  struct tb_ptm_state *copy = malloc (head + left * sizeof s->spill[0]);

  if (copy == NULL)
    return NULL;
  memcpy (copy, s, head);
  if (left > 0)
    memcpy ((char *) copy + head, s->spill + s->spill_at,
	    left * sizeof s->spill[0]);
  copy->spill_at = 0;
  copy->spill_end = left;
  ptm_tell (base, &copy->place);
  return copy;
}

static void
ptm_restore (struct tb_decoder *base, const void *saved)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) base;
  const struct tb_ptm_state *from = saved;
  size_t head = offsetof (struct tb_ptm_state, spill);

  memcpy (&d->state, saved,
	  head + from->spill_end * sizeof d->state.spill[0]);
  d->block = NULL;
  d->paused = base->at_sync = false;
  base->stats = d->state.stats;
  base->sync = d->state.sync;
  tb_stream_seek (d->stream, &d->state.place);
}

static void
ptm_seek (struct tb_decoder *base, const struct tb_stream_place *place)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) base;
  struct tb_ptm_state *s = &d->state;

  bool stack = s->stack.enabled;

  memset (s, 0, sizeof *s);
  s->stack.enabled = stack;
  s->isa = s->packet_isa = TB_ISA_UNKNOWN;
  tb_ptm_lose_sync (d, TB_REASON_INIT);
  d->paused = base->at_sync = false;
  base->stats = s->stats;
  tb_stream_seek (d->stream, place);
}

/* A copy of what was saved in which all that has no bearing on the elements to
   come is zero.  A field that is not thought of here is compared as it is.  */
static void
normalise (struct tb_ptm_state *to, const struct tb_ptm_state *from)
{
  memset (to, 0, sizeof *to);
  memcpy (to, from, offsetof (struct tb_ptm_state, spill));
  memset (&to->stats, 0, sizeof to->stats);
  memset (&to->sync, 0, sizeof to->sync);
  to->index = 0;
  if (!to->report)
    to->lost = 0;
  if (!to->have_address)
    to->address = 0;

  /* The stack, with the newest entry first.  */
  struct tb_return_stack stack = from->stack;
  memset (to->stack.address, 0, sizeof to->stack.address);
  memset (to->stack.isa, 0, sizeof to->stack.isa);
  for (unsigned i = 0; i < from->stack.count; i++)
    {
      enum tb_isa isa = TB_ISA_UNKNOWN;
      tb_return_stack_pop (&stack, &to->stack.address[i], &isa);
      to->stack.isa[i] = isa;
    }
  to->stack.top = 0;
}

static bool
ptm_same (const void *saved, const void *other)
{
  const struct tb_ptm_state *a = saved, *b = other;
  struct tb_ptm_state x, y;

  if (a->spill_end > 0 || b->spill_end > 0)
    return false;
  normalise (&x, a);
  normalise (&y, b);
  return memcmp (&x, &y, sizeof x) == 0;
}

void
tb_ptm_checkpoint_init (struct tb_ptm_decoder *d)
{
  d->base.save = ptm_save;
  d->base.restore = ptm_restore;
  d->base.seek = ptm_seek;
  d->base.tell = ptm_tell;
  d->base.same = ptm_same;
}
