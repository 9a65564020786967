/* Parts of what several decoders deliver.  See stitched.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/stitched.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* Elements from one saved state to the next at first, and how many states there are before
   every second one is dropped.  */
#define INTERVAL 8192
#define MOST_SAVED 65536
#define BATCH 512

/* Lanes.  */

static bool
keep_state (struct tb_stitch_lane *lane, const struct tb_decoder *decoder)
{
  if (!TB_GROW (lane->saved, lane->capacity, lane->nsaved, 1))
    return false;
  void *saved = decoder->save (decoder);
  if (saved == NULL)
    return false;
  lane->saved[lane->nsaved++] = saved;
  if (lane->nsaved < MOST_SAVED)
    return true;
  size_t kept = 0;
  for (size_t i = 0; i < lane->nsaved; i++)
    if (i % 2 == 0)
      lane->saved[kept++] = lane->saved[i];
    else
      free (lane->saved[i]);
  lane->nsaved = kept;
  lane->interval *= 2;
  return true;
}

enum tb_status
tb_stitch_lane_read (struct tb_stitch_lane *lane,
		     bool (*take) (void *context, uint64_t number,
				   const struct tb_element *element),
		     void *context, struct tb_diag *diag)
{
  struct tb_element elements[BATCH];
  struct tb_decoder *decoder = tb_decoder_open (&lane->config, diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  uint64_t number = 0;
  size_t n = 1;
  bool good = true;
  lane->interval = INTERVAL;
  while (good && n > 0)
    {
      if (number == lane->nsaved * lane->interval)
	good = keep_state (lane, decoder);
      uint64_t left = lane->nsaved * lane->interval - number;
      n = good ? decoder->read (decoder, elements, left < BATCH ? left : BATCH) : 0;
      good = good && !tb_decoder_no_memory (decoder);
      for (size_t i = 0; i < n && good; i++)
	good = take (context, number++, &elements[i]);
    }
  tb_decoder_close (decoder);
  if (good)
    return TB_OK;
  tb_error (diag, "no memory to decode %s", lane->config.source->name);
  return TB_ERR_MEMORY;
}

void
tb_stitch_lane_fini (struct tb_stitch_lane *lane)
{
  for (size_t i = 0; i < lane->nsaved; i++)
    free (lane->saved[i]);
  free (lane->saved);
}

/* The decoder.  */

/* What comes next: of a part first that there is a gap, then its context.  */
enum step { GAP, CONTEXT, ELEMENTS };

struct stitch_place
{
  size_t part;			/* As many as there are: the end.  */
  enum step step;
  uint64_t at;			/* Element of the lane.  */
  bool ended;
};

struct stand
{
  struct tb_decoder *decoder;	/* NULL: no part is of the lane.  */
  uint64_t at;			/* Which element it delivers next.  */
};

struct stitcher
{
  struct tb_decoder base;	/* First.  */
  const struct tb_stitched *stitched;
  struct stitch_place place;
  struct stand *stands;		/* By lane.  */
};

/* Bring the decoder of LANE to element AT.  False: it does not come there.  */
static bool
reach (struct stitcher *d, size_t lane, uint64_t at)
{
  struct tb_element skipped[BATCH];
  const struct tb_stitch_lane *from = &d->stitched->lanes[lane];
  struct stand *stand = &d->stands[lane];
  size_t state = (size_t) (at / from->interval);
  if (state >= from->nsaved)
    return false;
  if (stand->at > at || stand->at < state * from->interval)
    {
      stand->decoder->restore (stand->decoder, from->saved[state]);
      stand->at = state * from->interval;
    }
  while (stand->at < at)
    {
      uint64_t left = at - stand->at;
      size_t n = stand->decoder->read (stand->decoder, skipped,
				       left < BATCH ? left : BATCH);
      if (n == 0)
	return false;
      stand->at += n;
    }
  return true;
}

/* Read elements of PART into the ROOM ELEMENTS; returns how many.  */
static size_t
read_part (struct stitcher *d, const struct tb_stitch_part *part, struct tb_element *elements,
	   size_t room)
{
  struct stand *stand = &d->stands[part->lane];
  struct tb_decoder *from = stand->decoder;
  uint64_t left = part->end - d->place.at;
  size_t n = 0;
  if (reach (d, part->lane, d->place.at))
    {
      struct tb_decoder_stats before = from->stats;
      uint64_t bytes = d->base.stats.bytes;
      n = from->read (from, elements, left < room ? left : room);
      tb_decoder_stats_add (&d->base.stats, &from->stats, &before);
      /* What the lane's decoder has read is more, and less, than the part.  */
      d->base.stats.bytes = bytes;
      stand->at += n;
      d->place.at += n;
    }
  if (from->follow != d->base.follow && tb_decoder_no_memory (from))
    d->base.follow->no_memory = true;
  bool last = d->place.part + 1 == d->stitched->nparts;
  if (n > 0 && elements[n - 1].kind == TB_ELEMENT_END)
    {
      /* That one CPU's trace ends is no end of this, unless nothing comes behind it.  */
      d->place.ended = last;
      d->base.stats.bytes += last ? d->stitched->bytes : 0;
      n -= !last;
    }
  if (n == 0 || d->place.at == part->end)
    {
      d->place.part++;
      d->place.step = GAP;
    }
  return n;
}

static size_t
decode (struct tb_decoder *base, struct tb_element *elements, size_t capacity)
{
  struct stitcher *d = (struct stitcher *) base;
  struct stitch_place *place = &d->place;
  size_t n = 0;
  while (n < capacity && !place->ended)
    {
      bool end = place->part == d->stitched->nparts;
      const struct tb_stitch_part *part = end ? NULL : &d->stitched->parts[place->part];
      switch (place->step)
	{
	case GAP:
	  /* What is behind the last part is not what came next.  */
	  if (place->part > 0)
	    elements[n++] = (struct tb_element) {
	      .kind = TB_ELEMENT_NO_SYNC, .reason = TB_REASON_RESET,
	      .index = end ? 0 : part->context.index
	    };
	  place->step = CONTEXT;
	  break;
	case CONTEXT:
	  if (end)
	    {
	      elements[n++] = (struct tb_element) { .kind = TB_ELEMENT_END };
	      place->ended = true;
	      base->stats.bytes += d->stitched->bytes;
	      break;
	    }
	  if (part->has_context)
	    elements[n++] = part->context;
	  place->step = ELEMENTS;
	  place->at = part->from;
	  break;
	case ELEMENTS:
	  n += read_part (d, part, elements + n, capacity - n);
	  break;
	}
    }
  return n;
}

static void *
save (const struct tb_decoder *base)
{
  struct stitch_place *saved = malloc (sizeof *saved);
  if (saved != NULL)
    *saved = ((const struct stitcher *) base)->place;
  return saved;
}

static void
restore (struct tb_decoder *base, const void *saved)
{
  memcpy (&((struct stitcher *) base)->place, saved, sizeof (struct stitch_place));
}

static void
close_decoder (struct tb_decoder *base)
{
  struct stitcher *d = (struct stitcher *) base;
  for (size_t i = 0; d->stands != NULL && i < d->stitched->nlanes; i++)
    tb_decoder_close (d->stands[i].decoder);
  free (d->stands);
  free (d);
}

struct tb_decoder *
tb_stitched_open (const struct tb_stitched *stitched, struct tb_diag *diag)
{
  struct stitcher *d = calloc (1, sizeof *d);
  if (d != NULL)
    {
      d->base = (struct tb_decoder) {
	.read = decode, .save = save, .restore = restore, .close = close_decoder
      };
      d->stitched = stitched;
      d->stands = calloc (stitched->nlanes, sizeof *d->stands);
    }
  if (d == NULL || d->stands == NULL)
    {
      free (d);
      tb_error (diag, "no memory to join trace");
      return NULL;
    }
  for (size_t i = 0; i < stitched->nparts; i++)
    {
      size_t lane = stitched->parts[i].lane;
      struct stand *stand = &d->stands[lane];
      if (stand->decoder != NULL)
	continue;
      stand->decoder = tb_decoder_open (&stitched->lanes[lane].config, diag);
      if (stand->decoder == NULL)
	{
	  close_decoder (&d->base);
	  return NULL;
	}
      if (d->base.protocol != NULL)
	continue;
      /* The code is the same for all.  */
      d->base.protocol = stand->decoder->protocol;
      d->base.follow = stand->decoder->follow;
      d->base.has_data = stand->decoder->has_data;
    }
  return &d->base;
}
