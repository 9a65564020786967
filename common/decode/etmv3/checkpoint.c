/* An ETMv3 decoder saved, restored, sent elsewhere and compared.  See
   internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
etmv3_tell (const struct tb_decoder *base, struct tb_stream_place *place)
{
  const struct tb_etmv3_decoder *d = (const struct tb_etmv3_decoder *) base;
  size_t length;
  bool last;

  /* With the next byte at hand one place has one name.  */
  tb_stream_peek (d->stream, &length, &last);
  tb_stream_tell (d->stream, place);
  return tb_stream_index (d->stream, 0);
}

/* A copy has only those spilled elements that are still to be delivered.  */
static void *
etmv3_save (const struct tb_decoder *base)
{
  const struct tb_etmv3_decoder *d = (const struct tb_etmv3_decoder *) base;
  const struct tb_etmv3_state *s = &d->state;
  unsigned left = s->spill_end - s->spill_at;
  size_t head = offsetof (struct tb_etmv3_state, spill);
  struct tb_etmv3_state *copy = malloc (head + left * sizeof s->spill[0]);

  if (copy == NULL)
    return NULL;
  memcpy (copy, s, head);
  if (left > 0)
    memcpy ((char *) copy + head, s->spill + s->spill_at,
	    left * sizeof s->spill[0]);
  copy->spill_at = 0;
  copy->spill_end = left;
  etmv3_tell (base, &copy->place);
  return copy;
}

static void
etmv3_restore (struct tb_decoder *base, const void *saved)
{
  struct tb_etmv3_decoder *d = (struct tb_etmv3_decoder *) base;
  const struct tb_etmv3_state *from = saved;
  size_t head = offsetof (struct tb_etmv3_state, spill);

  memcpy (&d->state, saved,
	  head + from->spill_end * sizeof d->state.spill[0]);
  d->current = NULL;
  d->paused = base->at_sync = false;
  base->stats = d->state.stats;
  base->sync = d->state.sync;
  tb_stream_seek (d->stream, &d->state.place);
}

static void
etmv3_seek (struct tb_decoder *base, const struct tb_stream_place *place)
{
  struct tb_etmv3_decoder *d = (struct tb_etmv3_decoder *) base;
  struct tb_etmv3_state *s = &d->state;

  memset (s, 0, sizeof *s);
  s->isa = s->packet_isa = TB_ISA_UNKNOWN;
  tb_etmv3_lose_sync (d, TB_REASON_INIT);
  d->paused = base->at_sync = false;
  base->stats = s->stats;
  tb_stream_seek (d->stream, place);
}

/* A copy of what was saved in which all that has no bearing on the elements to
   come is zero.  A field that is not thought of here is compared as it is.  */
static void
normalise (struct tb_etmv3_state *to, const struct tb_etmv3_state *from)
{
  memset (to, 0, sizeof *to);
  memcpy (to, from, offsetof (struct tb_etmv3_state, spill));
  memset (&to->stats, 0, sizeof to->stats);
  memset (&to->sync, 0, sizeof to->sync);
  to->index = 0;
  if (!to->report)
    to->lost = 0;
  if (to->have_address)
    to->hole_told = false;
  else
    to->address = 0;
}

static bool
etmv3_same (const void *saved, const void *other)
{
  const struct tb_etmv3_state *a = saved, *b = other;
  struct tb_etmv3_state x, y;

  if (a->spill_end > 0 || b->spill_end > 0)
    return false;
  normalise (&x, a);
  normalise (&y, b);
  return memcmp (&x, &y, sizeof x) == 0;
}

void
tb_etmv3_checkpoint_init (struct tb_etmv3_decoder *d)
{
  d->base.save = etmv3_save;
  d->base.restore = etmv3_restore;
  d->base.seek = etmv3_seek;
  d->base.tell = etmv3_tell;
  d->base.same = etmv3_same;
}
