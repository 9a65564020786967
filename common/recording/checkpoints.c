/* Places of a trace to decode from.  See scan.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/scan.h"

#include <stdlib.h>

#include "util/buffer.h"

void
tb_checkpoints_fini (struct tb_checkpoints *checkpoints)
{
  for (size_t i = 0; i < checkpoints->count; i++)
    tb_checkpoint_fini (&checkpoints->items[i]);
  free (checkpoints->items);
  *checkpoints = (struct tb_checkpoints) { 0 };
}

/* The newest stays when they are thinned out: what ran behind it is not known yet.  */
_Static_assert (TB_CHECKPOINTS_MOST % 2 == 0, "number TB_CHECKPOINTS_MOST, from 0 on, stays");

/* Drop every second checkpoint; what ran behind it, and gaps, are those of the one before.
   False: no memory, of which nothing is the worse but these.  */
static bool
thin_out (struct tb_checkpoints *c)
{
  size_t kept = 0;
  bool ok = true;
  for (size_t i = 0; i < c->count; i++)
    if (i % 2 == 0)
      c->items[kept++] = c->items[i];
    else
      {
	struct tb_checkpoint *before = &c->items[kept - 1];
	ok &= tb_packed_ran_join (&before->ran, &c->items[i].ran);
	ok &= tb_packed_gaps_join (&before->gaps, &c->items[i].gaps,
				   c->items[i].start.step - before->start.step);
	tb_checkpoint_fini (&c->items[i]);
      }
  c->count = kept;
  c->interval *= 2;
  return ok;
}

bool
tb_checkpoints_add (struct tb_checkpoints *c, struct tb_checkpoint *checkpoint)
{
  if (!TB_GROW (c->items, c->capacity, c->count, 1))
    {
      tb_checkpoint_fini (checkpoint);
      return false;
    }
  c->items[c->count++] = *checkpoint;
  return c->count <= TB_CHECKPOINTS_MOST || thin_out (c);
}

bool
tb_checkpoint_reach (const struct tb_checkpoint *checkpoint,
		     struct tb_decoder *decoder)
{
  struct tb_element elements[64];
  if (checkpoint->saved != NULL)
    {
      decoder->restore (decoder, checkpoint->saved);
      return true;
    }
  if (!checkpoint->has_sync || decoder->seek == NULL)
    return false;
  bool before = decoder->stop_at_sync, there = true;
  decoder->stop_at_sync = true;
  decoder->seek (decoder, &checkpoint->sync);
  for (unsigned syncs = 0; there && syncs < 2; syncs++)
    {
      size_t n;
      do
	n = decoder->read (decoder, elements, 64);
      while (n > 0 && !decoder->at_sync
	     && elements[n - 1].index <= checkpoint->index);
      there = decoder->at_sync;
    }
  decoder->stop_at_sync = before;
  struct tb_stream_place place;
  return there && !tb_decoder_no_memory (decoder)
	 && decoder->tell (decoder, &place) == checkpoint->index;
}
