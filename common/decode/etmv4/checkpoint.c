/* An ETMv4 or ETE decoder saved, restored, sent elsewhere and compared.  See
   internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* A saved decoder: the state, then the queue.  */
struct saved
{
  struct tb_etmv4_state state;
  size_t nitems;
  struct tb_etmv4_item items[];
};

static uint64_t
etmv4_tell (const struct tb_decoder *base, struct tb_stream_place *place)
{
  const struct tb_etmv4_decoder *d = (const struct tb_etmv4_decoder *) base;
  return tb_stream_tell_next (d->stream, place);
}

static void *
etmv4_save (const struct tb_decoder *base)
{
  const struct tb_etmv4_decoder *d = (const struct tb_etmv4_decoder *) base;
  size_t nitems = d->tail - d->head;
  struct saved *saved = malloc (sizeof *saved
				+ nitems * sizeof saved->items[0]);
  if (saved == NULL)
    return NULL;
  saved->state = d->state;
  etmv4_tell (base, &saved->state.place);
  saved->nitems = nitems;
  if (nitems > 0)
    memcpy (saved->items, d->items + d->head,
	    nitems * sizeof saved->items[0]);
  return saved;
}

static void
etmv4_restore (struct tb_decoder *base, const void *data)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  const struct saved *saved = data;
  d->state = saved->state;
  tb_stream_seek (d->stream, &saved->state.place);
  d->block = NULL;
  d->paused = base->at_sync = false;
  d->head = d->tail = 0;
  /* What another decoder saved may be more than this one ever had room for.  */
  if (TB_GROW (d->items, d->capacity, 0, saved->nitems))
    {
      d->tail = saved->nitems;
      memcpy (d->items, saved->items, saved->nitems * sizeof *d->items);
    }
  else
    tb_etmv4_lose_sync (d, TB_REASON_RESET);
  base->stats = d->state.stats;
  base->sync = d->state.sync;
}

static void
etmv4_seek (struct tb_decoder *base, const struct tb_stream_place *place)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  memset (&d->state, 0, sizeof d->state);
  d->state.stack.enabled = tb_etmv4_uses_return_stack (&d->config);
  tb_etmv4_lose_sync (d, TB_REASON_INIT);
  tb_stream_seek (d->stream, place);
  d->paused = base->at_sync = false;
  base->stats = d->state.stats;
}

/* A copy of STATE in which all that has no bearing on the elements to come is
   zero.  A field that is not thought of here is compared as it is.  */
static void
normalise (struct tb_etmv4_state *to, const struct tb_etmv4_state *from)
{
  memcpy (to, from, sizeof *to);
  memset (&to->stats, 0, sizeof to->stats);
  if (!to->timestamp_given)
    to->timestamp = 0;
  if (!to->report)
    to->lost = 0;
  if (to->atoms_left == 0)
    {
      to->atoms_index = 0;
      to->atoms = 0;
    }
  if (!to->have_address && !to->walkable)
    {
      to->address = 0;
      to->isa = 0;
    }
  if (!(to->context.flags & TB_CONTEXT_VMID))
    to->context.vmid = 0;
  if (!(to->context.flags & TB_CONTEXT_CID))
    to->context.cid = 0;
  for (unsigned i = to->nspaces; i < TB_ETMV4_SPACES; i++)
    to->spaces[i] = 0;
  tb_return_stack_normalise (&to->stack);
  memset (to->spill, 0, sizeof to->spill);
  to->spill_at = to->spill_end = 0;
}

static bool
same_item (const struct tb_etmv4_item *x, const struct tb_etmv4_item *y)
{
  return x->kind == y->kind && x->is == y->is && x->flags == y->flags
	 && x->atoms == y->atoms && x->number == y->number && x->p0 == y->p0
	 && x->value == y->value && x->index == y->index;
}

static bool
etmv4_same (const void *saved, const void *other)
{
  const struct saved *a = saved, *b = other;
  struct tb_etmv4_state x, y;
  if (a->state.spill_at < a->state.spill_end
      || b->state.spill_at < b->state.spill_end || a->nitems != b->nitems)
    return false;
  for (size_t i = 0; i < a->nitems; i++)
    if (!same_item (&a->items[i], &b->items[i]))
      return false;
  normalise (&x, &a->state);
  normalise (&y, &b->state);
  return memcmp (&x, &y, sizeof x) == 0;
}

void
tb_etmv4_checkpoint_init (struct tb_etmv4_decoder *d)
{
  d->base.save = etmv4_save;
  d->base.restore = etmv4_restore;
  d->base.seek = etmv4_seek;
  d->base.tell = etmv4_tell;
  d->base.same = etmv4_same;
}
