/* The parts of an index file.  See index-file.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A list is its length (8), then its items, each with its fields in the order of
   the structure.  What is read is checked against all that the rest of the
   program takes for granted: order, bounds, and that the end is the end.  */

#include "config.h"
#include "recording/index-file.h"

#include <stdlib.h>
#include <string.h>

#include "coresight/frame.h"

/* Reading: after a read beyond the end everything is 0 and BAD stays set.  */
struct byte_cursor
{
  const uint8_t *at, *end;
  bool bad;
};

static uint64_t
get (struct byte_cursor *c, unsigned length)
{
  uint64_t value = 0;
  if ((size_t) (c->end - c->at) < length)
    {
      c->bad = true;
      c->at = c->end;
      return 0;
    }
  for (unsigned i = 0; i < length; i++)
    value |= (uint64_t) *c->at++ << (8 * i);
  return value;
}

/* A boolean, or one of 0 .. MOST.  */
static unsigned
get_small (struct byte_cursor *c, unsigned most)
{
  uint64_t value = get (c, 1);
  if (value > most)
    c->bad = true;
  return (unsigned) value;
}

/* The length of a list whose items take SIZE bytes each in the file.  */
static size_t
get_length (struct byte_cursor *c, size_t size)
{
  uint64_t length = get (c, 8);
  if (length > (size_t) (c->end - c->at) / size)
    {
      c->bad = true;
      return 0;
    }
  return length;
}

/* Room for COUNT items of SIZE bytes.  */
static void *
allocate (struct byte_cursor *c, size_t count, size_t size)
{
  void *items = c->bad ? NULL : calloc (count > 0 ? count : 1, size);
  if (items == NULL)
    c->bad = true;
  return items;
}

static bool
whole (const struct byte_cursor *c)
{
  return !c->bad && c->at == c->end;
}

/* Places.  */

#define PLACE_SIZE 11

static void
put_place (struct tb_buffer *to, const struct tb_stream_place *place)
{
  tb_buffer_append_le (to, place->offset, 8);
  tb_buffer_append_le (to, place->skip, 2);
  tb_buffer_append_le (to, place->id, 1);
}

static void
get_place (struct byte_cursor *c, struct tb_stream_place *place)
{
  memset (place, 0, sizeof *place);
  place->offset = get (c, 8);
  place->skip = (uint16_t) get (c, 2);
  place->id = (uint8_t) get (c, 1);
  if (place->id >= TB_TRACE_IDS && place->id != TB_FRAME_ID_UNKNOWN)
    c->bad = true;
}

/* The source index.  */

#define SOURCE_BLOCK_SIZE (PLACE_SIZE + 8 + 4 * 4)
#define SOURCE_COUNT_SIZE 9

void
tb_index_encode_source (const struct tb_source_index *source,
			struct tb_buffer *to)
{
  tb_buffer_append_le (to, source->block_size, 8);
  tb_buffer_append_le (to, source->size, 8);
  tb_buffer_append_le (to, source->covered, 8);
  tb_buffer_append_le (to, source->port, 1);
  tb_buffer_append_le (to, source->current, 1);
  tb_buffer_append_le (to, source->nblocks, 8);
  for (size_t i = 0; i < source->nblocks; i++)
    {
      const struct tb_source_block *b = &source->blocks[i];
      put_place (to, &b->start);
      tb_buffer_append_le (to, b->first_sync, 8);
      tb_buffer_append_le (to, b->full_syncs, 4);
      tb_buffer_append_le (to, b->triggers, 4);
      tb_buffer_append_le (to, b->count, 4);
      tb_buffer_append_le (to, b->ncounts, 4);
    }
  tb_buffer_append_le (to, source->ncounts, 8);
  for (size_t i = 0; i < source->ncounts; i++)
    {
      tb_buffer_append_le (to, source->counts[i].bytes, 8);
      tb_buffer_append_le (to, source->counts[i].id, 1);
    }
  tb_buffer_append_le (to, source->ntriggers, 8);
  for (size_t i = 0; i < source->ntriggers; i++)
    tb_buffer_append_le (to, source->triggers[i], 8);
}

static void
get_source_blocks (struct byte_cursor *c, struct tb_source_index *source)
{
  size_t n = get_length (c, SOURCE_BLOCK_SIZE), counts = 0;
  source->blocks = allocate (c, n, sizeof *source->blocks);
  for (size_t i = 0; i < n && !c->bad; i++)
    {
      struct tb_source_block *b = &source->blocks[source->nblocks++];
      get_place (c, &b->start);
      b->first_sync = get (c, 8);
      b->full_syncs = (uint32_t) get (c, 4);
      b->triggers = (uint32_t) get (c, 4);
      b->count = (uint32_t) get (c, 4);
      b->ncounts = (uint32_t) get (c, 4);
      if (b->count != counts || b->ncounts > TB_TRACE_IDS
	  || (i > 0 && b->start.offset < b[-1].start.offset))
	c->bad = true;
      counts += b->ncounts;
    }
  n = get_length (c, SOURCE_COUNT_SIZE);
  source->counts = allocate (c, n, sizeof *source->counts);
  for (size_t i = 0; i < n && !c->bad; i++)
    {
      source->counts[i].bytes = get (c, 8);
      source->counts[i].id = (uint8_t) get_small (c, TB_TRACE_IDS - 1);
      source->ncounts++;
    }
  if (source->ncounts != counts)
    c->bad = true;
}

bool
tb_index_decode_source (struct tb_source_index *source, const uint8_t *bytes,
			size_t size)
{
  struct byte_cursor c = { bytes, bytes + size, false };
  *source = (struct tb_source_index) { .block_size = get (&c, 8) };
  source->size = get (&c, 8);
  source->covered = get (&c, 8);
  source->port = get_small (&c, 1);
  source->current = (uint8_t) get (&c, 1);
  if (source->block_size < TB_SOURCE_INDEX_BLOCK_LEAST
      || source->block_size % TB_SOURCE_INDEX_BLOCK_LEAST != 0
      || source->covered > source->size
      || (source->current >= TB_TRACE_IDS
	  && source->current != TB_FRAME_ID_UNKNOWN))
    c.bad = true;
  get_source_blocks (&c, source);
  size_t n = get_length (&c, 8);
  source->triggers = allocate (&c, n, sizeof *source->triggers);
  for (size_t i = 0; i < n && !c.bad; i++)
    source->triggers[source->ntriggers++] = get (&c, 8);
  source->block_capacity = source->nblocks;
  source->count_capacity = source->ncounts;
  source->trigger_capacity = source->ntriggers;
  /* As many blocks as what is covered needs.  */
  uint64_t blocks = !c.bad ? source->covered / source->block_size : 0;
  if (source->nblocks < blocks || source->nblocks > blocks + 1)
    c.bad = true;
  if (whole (&c))
    return true;
  tb_source_index_fini (source);
  return false;
}

/* What ran: the length of the bytes (4), and these.  */

static void
put_ran (struct tb_buffer *to, const struct tb_packed_ran *ran)
{
  tb_buffer_append_le (to, ran->size, 4);
  if (ran->size != 0)
    tb_buffer_append (to, ran->bytes, ran->size);
}

static void
get_ran (struct byte_cursor *c, struct tb_packed_ran *ran)
{
  uint64_t size = get (c, 4);
  if (size > (size_t) (c->end - c->at) || !tb_packed_ran_valid (c->at, size))
    c->bad = true;
  if (c->bad)
    return;
  /* It is only read.  */
  const struct tb_packed_ran there = { (uint8_t *) c->at, (uint32_t) size };
  c->bad = !tb_packed_ran_copy (ran, &there);
  c->at += size;
}

/* Gaps: likewise.  */

static void
put_gaps (struct tb_buffer *to, const struct tb_packed_gaps *gaps)
{
  tb_buffer_append_le (to, gaps->size, 4);
  if (gaps->size != 0)
    tb_buffer_append (to, gaps->bytes, gaps->size);
}

/* Those behind point NUMBER of STREAM, whose points are there.  */
static void
get_gaps (struct byte_cursor *c, struct tb_index_stream *stream, size_t number)
{
  struct tb_checkpoint *point = &stream->points[number];
  uint64_t end = number + 1 < stream->npoints ? point[1].start.step : stream->info.steps;
  uint64_t size = get (c, 4);
  if (size > (size_t) (c->end - c->at)
      || !tb_packed_gaps_valid (c->at, size, end - point->start.step))
    c->bad = true;
  if (c->bad)
    return;
  /* It is only read.  */
  const struct tb_packed_gaps there = { (uint8_t *) c->at, (uint32_t) size };
  c->bad = !tb_packed_gaps_copy (&point->gaps, &there);
  c->at += size;
}

/* Streams.  */

#define POINT_SIZE (4 * 8 + 5 + 1 + 3 + 2 * 4 + PLACE_SIZE + 8)
#define ID_BLOCK_SIZE (4 * 8 + 4 + 4 * TB_ID_KINDS)

static void
put_point (struct tb_buffer *to, const struct tb_checkpoint *point)
{
  const struct tb_window_start *s = &point->start;
  tb_buffer_append_le (to, s->elements, 8);
  tb_buffer_append_le (to, s->step, 8);
  tb_buffer_append_le (to, s->timestamp, 8);
  tb_buffer_append_le (to, s->cycles, 8);
  tb_buffer_append_le (to, s->has_timestamp, 1);
  tb_buffer_append_le (to, s->has_cycles, 1);
  tb_buffer_append_le (to, s->has_context, 1);
  tb_buffer_append_le (to, s->gap_before, 1);
  tb_buffer_append_le (to, s->events_before, 1);
  tb_buffer_append_le (to, point->has_sync, 1);
  tb_buffer_append_le (to, s->context_flags, 1);
  tb_buffer_append_le (to, s->context_el, 1);
  tb_buffer_append_le (to, s->context_security, 1);
  tb_buffer_append_le (to, s->context_id, 4);
  tb_buffer_append_le (to, s->context_vmid, 4);
  put_place (to, &point->sync);
  tb_buffer_append_le (to, point->index, 8);
}

static void
get_point (struct byte_cursor *c, struct tb_checkpoint *point)
{
  struct tb_window_start *s = &point->start;
  s->elements = get (c, 8);
  s->step = get (c, 8);
  s->timestamp = get (c, 8);
  s->cycles = get (c, 8);
  s->has_timestamp = get_small (c, 1);
  s->has_cycles = get_small (c, 1);
  s->has_context = get_small (c, 1);
  s->gap_before = get_small (c, 1);
  s->events_before = get_small (c, 1);
  point->has_sync = get_small (c, 1);
  s->context_flags = (uint8_t) get (c, 1);
  s->context_el = (uint8_t) get (c, 1);
  s->context_security = (uint8_t) get_small (c, TB_ROOT);
  s->context_id = (uint32_t) get (c, 4);
  s->context_vmid = (uint32_t) get (c, 4);
  get_place (c, &point->sync);
  point->index = get (c, 8);
}

static void
get_points (struct byte_cursor *c, struct tb_index_stream *stream)
{
  /* Nothing is to be said of the start of the trace.  */
  size_t n = get_length (c, POINT_SIZE);
  stream->points = allocate (c, n + 1, sizeof *stream->points);
  stream->npoints = stream->points != NULL;
  for (size_t i = 0; i < n && !c->bad; i++)
    {
      struct tb_checkpoint *p = &stream->points[stream->npoints++];
      get_point (c, p);
      bool ok = p->has_sync && p->start.elements > p[-1].start.elements
		&& p->start.step >= p[-1].start.step
		&& p->index >= p[-1].index
		&& p->start.step <= stream->info.steps;
      if (!ok)
	c->bad = true;
    }
}

static void
get_ids (struct byte_cursor *c, struct tb_id_index *ids)
{
  ids->block_size = get (c, 8);
  ids->cut = get_small (c, 1);
  if (ids->block_size == 0)
    c->bad = true;
  size_t n = get_length (c, ID_BLOCK_SIZE);
  ids->blocks = allocate (c, n, sizeof *ids->blocks);
  for (size_t i = 0; i < n && !c->bad; i++)
    {
      struct tb_id_block *b = &ids->blocks[ids->nblocks++];
      b->number = get (c, 8);
      b->first_sync = get (c, 8);
      b->first_timestamp = get (c, 8);
      b->last_timestamp = get (c, 8);
      b->last_context = (uint32_t) get (c, 4);
      for (int k = 0; k < TB_ID_KINDS; k++)
	b->counts[k] = (uint32_t) get (c, 4);
      if (i > 0 && b->number <= b[-1].number)
	c->bad = true;
    }
  ids->block_capacity = ids->nblocks;
}

static void
put_ids (struct tb_buffer *to, const struct tb_id_index *ids)
{
  tb_buffer_append_le (to, ids->block_size, 8);
  tb_buffer_append_le (to, ids->cut, 1);
  tb_buffer_append_le (to, ids->nblocks, 8);
  for (size_t i = 0; i < ids->nblocks; i++)
    {
      const struct tb_id_block *b = &ids->blocks[i];
      tb_buffer_append_le (to, b->number, 8);
      tb_buffer_append_le (to, b->first_sync, 8);
      tb_buffer_append_le (to, b->first_timestamp, 8);
      tb_buffer_append_le (to, b->last_timestamp, 8);
      tb_buffer_append_le (to, b->last_context, 4);
      for (int k = 0; k < TB_ID_KINDS; k++)
	tb_buffer_append_le (to, b->counts[k], 4);
    }
}

static void
put_stats (struct tb_buffer *to, const struct tb_decoder_stats *stats)
{
  tb_buffer_append_le (to, stats->bytes, 8);
  tb_buffer_append_le (to, stats->packets, 8);
  tb_buffer_append_le (to, stats->bad_packets, 8);
  tb_buffer_append_le (to, stats->syncs, 8);
  tb_buffer_append_le (to, stats->skipped, 8);
  tb_buffer_append_le (to, stats->bad_image, 8);
  for (int i = 0; i < TB_FAULT_COUNT; i++)
    tb_buffer_append_le (to, stats->faults[i], 8);
  tb_buffer_append_le (to, stats->conditions, 8);
  tb_buffer_append_le (to, stats->strange, 8);
  tb_buffer_append_le (to, (unsigned) stats->stranger.has_cid
			     | (unsigned) stats->stranger.has_vmid << 1, 1);
  tb_buffer_append_le (to, stats->stranger.cid, 4);
  tb_buffer_append_le (to, stats->stranger.vmid, 4);
  for (unsigned i = 0; i < tb_fault_places (stats); i++)
    {
      tb_buffer_append_le (to, stats->places[i].index, 8);
      tb_buffer_append_le (to, stats->places[i].address, 8);
      tb_buffer_append_le (to, stats->places[i].fault, 1);
    }
}

static void
get_stats (struct byte_cursor *c, struct tb_decoder_stats *stats)
{
  stats->bytes = get (c, 8);
  stats->packets = get (c, 8);
  stats->bad_packets = get (c, 8);
  stats->syncs = get (c, 8);
  stats->skipped = get (c, 8);
  stats->bad_image = get (c, 8);
  for (int i = 0; i < TB_FAULT_COUNT; i++)
    stats->faults[i] = get (c, 8);
  stats->conditions = get (c, 8);
  stats->strange = get (c, 8);
  uint64_t known = get_small (c, 3);
  stats->stranger.has_cid = known & 1;
  stats->stranger.has_vmid = known & 2;
  stats->stranger.cid = (uint32_t) get (c, 4);
  stats->stranger.vmid = (uint32_t) get (c, 4);
  for (unsigned i = 0; i < tb_fault_places (stats); i++)
    {
      stats->places[i].index = get (c, 8);
      stats->places[i].address = get (c, 8);
      stats->places[i].fault = get_small (c, TB_FAULT_COUNT - 1);
    }
}

void
tb_index_encode_stream (const struct tb_index_stream *stream,
			struct tb_buffer *to)
{
  const struct tb_recording_info *info = &stream->info;
  tb_buffer_append_le (to, info->steps, 8);
  tb_buffer_append_le (to, info->ranges, 8);
  tb_buffer_append_le (to, info->exceptions, 8);
  tb_buffer_append_le (to, info->gaps, 8);
  tb_buffer_append_le (to, info->lead_in, 8);
  tb_buffer_append_le (to, info->end_known, 1);
  tb_buffer_append_le (to, info->end_pc, 8);
  put_stats (to, &stream->stats);
  tb_buffer_append_le (to, stream->npoints - 1, 8);
  for (size_t i = 1; i < stream->npoints; i++)
    put_point (to, &stream->points[i]);
  for (size_t i = 0; i < stream->npoints; i++)
    {
      put_ran (to, &stream->points[i].ran);
      put_gaps (to, &stream->points[i].gaps);
    }
  put_ids (to, &stream->ids);
}

bool
tb_index_decode_stream (struct tb_index_stream *stream, const uint8_t *bytes,
			size_t size)
{
  struct byte_cursor c = { bytes, bytes + size, false };
  struct tb_recording_info *info = &stream->info;
  *stream = (struct tb_index_stream) { .info.steps = get (&c, 8) };
  info->ranges = get (&c, 8);
  info->exceptions = get (&c, 8);
  info->gaps = get (&c, 8);
  info->lead_in = get (&c, 8);
  info->end_known = get_small (&c, 1);
  info->end_pc = get (&c, 8);
  get_stats (&c, &stream->stats);
  get_points (&c, stream);
  for (size_t i = 0; i < stream->npoints && !c.bad; i++)
    {
      get_ran (&c, &stream->points[i].ran);
      get_gaps (&c, stream, i);
    }
  get_ids (&c, &stream->ids);
  if (whole (&c))
    return true;
  tb_index_stream_fini (stream);
  return false;
}
