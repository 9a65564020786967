/* The index of a trace buffer.  See source-index.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "coresight/source-index.h"

#include <stdlib.h>
#include <string.h>

#include "coresight/frame.h"
#include "util/buffer.h"
#include "util/number.h"

/* The block that is being counted.  */
struct counting
{
  struct tb_source_block block;
  uint64_t bytes[256];		/* By ID; also those of nobody.  */
};

void
tb_source_index_init (struct tb_source_index *index,
		      const struct tb_trace_buffer *buffer,
		      uint64_t block_size)
{
  uint64_t least = TB_SOURCE_INDEX_BLOCK_LEAST;
  struct tb_frame_reader in;
  if (block_size == 0)
    block_size = TB_SOURCE_INDEX_BLOCK;
  if (block_size > UINT64_C (1) << 40)
    block_size = UINT64_C (1) << 40;
  tb_frame_reader_init (&in, buffer, true);
  *index = (struct tb_source_index) {
    .block_size = (block_size + least - 1) / least * least,
    .size = buffer->size, .port = in.port, .current = TB_FRAME_ID_UNKNOWN
  };
}

void
tb_source_index_fini (struct tb_source_index *index)
{
  free (index->blocks);
  free (index->counts);
  free (index->triggers);
  *index = (struct tb_source_index) { 0 };
}

static bool
add_trigger (struct tb_source_index *index, uint64_t byte)
{
  if (index->ntriggers >= TB_SOURCE_TRIGGERS_MOST)
    return true;
  if (!TB_GROW (index->triggers, index->trigger_capacity, index->ntriggers, 1))
    return false;
  index->triggers[index->ntriggers++] = byte;
  return true;
}

/* Append the block that was counted.  */
static bool
add_block (struct tb_source_index *index, struct counting *c)
{
  size_t ids = 0;
  for (unsigned id = 0; id < TB_TRACE_IDS; id++)
    ids += c->bytes[id] > 0;
  if (!TB_GROW (index->blocks, index->block_capacity, index->nblocks, 1)
      || !TB_GROW (index->counts, index->count_capacity, index->ncounts, ids)
      || index->ncounts > UINT32_MAX - TB_TRACE_IDS)
    return false;
  c->block.count = (uint32_t) index->ncounts;
  c->block.ncounts = (uint32_t) ids;
  for (unsigned id = 0; id < TB_TRACE_IDS; id++)
    if (c->bytes[id] > 0)
      index->counts[index->ncounts++]
	= (struct tb_source_count) { c->bytes[id], (uint8_t) id };
  index->blocks[index->nblocks++] = c->block;
  return true;
}

/* Count a frame that has other than data of the ID in force.  WHERE has the
   place of each of its bytes, or is NULL: they follow each other from PLACE.  */
static bool
count_frame (struct tb_source_index *index, struct counting *c,
	     const struct tb_frame_reader *in, const uint8_t *frame,
	     uint64_t place, const uint64_t *where)
{
  struct tb_frame_byte bytes[TB_FRAME_DATA];
  unsigned n = tb_frame_split (frame, &index->current, bytes);
  for (unsigned i = 0; i < n; i++)
    {
      c->bytes[bytes[i].id]++;
      if (bytes[i].id != TB_ID_TRIGGER_BYTE)
	continue;
      /* What the bytes of the trigger ID are does not matter.  */
      uint64_t at = where != NULL ? where[bytes[i].place]
				  : place + bytes[i].place;
      if (i == 0 || bytes[i - 1].id != TB_ID_TRIGGER_BYTE)
	{
	  c->block.triggers++;
	  if (!add_trigger (index, tb_frame_physical (in, at)))
	    return false;
	}
    }
  return true;
}

enum tb_status
tb_source_index_extend (struct tb_source_index *index,
			const struct tb_trace_buffer *buffer, uint64_t to)
{
  struct tb_frame_reader in;
  tb_frame_reader_init (&in, buffer, true);
  uint64_t next = index->covered == 0 ? in.start
		  : tb_frame_logical (&in, index->covered);
  while (index->covered < to && index->covered < index->size)
    {
      uint64_t limit = (index->nblocks + 1) * index->block_size;
      uint64_t end = tb_frame_logical (&in, limit < index->size
					    ? limit : index->size);
      struct counting c = {
	.block.start = { .offset = tb_frame_physical (&in, next),
			 .id = index->current }
      };
      while (next < end && in.size - next >= TB_FRAME)
	{
	  uint8_t spare[TB_FRAME];
	  uint64_t at = next;
	  const uint8_t *frame = tb_frame_at (&in, next, spare);
	  if (!tb_frame_has_sync (&in, tb_number_64 (frame),
				  tb_number_64 (frame + 8)))
	    {
	      next += TB_FRAME;
	      if (tb_frame_is_plain (frame))
		c.bytes[index->current] += TB_FRAME_DATA;
	      else if (!count_frame (index, &c, &in, frame, at, NULL))
		return TB_ERR_MEMORY;
	      continue;
	    }
	  struct tb_frame_collected whole;
	  enum tb_frame_piece piece = tb_frame_collect (&in, &next, &whole);
	  if (whole.syncs > 0 && c.block.full_syncs == 0)
	    c.block.first_sync = tb_frame_physical (&in, at);
	  c.block.full_syncs += (uint32_t) whole.syncs;
	  if (piece == TB_FRAME_BROKEN)
	    index->current = TB_FRAME_ID_UNKNOWN;
	  if (piece == TB_FRAME_WHOLE
	      && !count_frame (index, &c, &in, whole.bytes, at, whole.place))
	    return TB_ERR_MEMORY;
	}
      if (!add_block (index, &c))
	return TB_ERR_MEMORY;
      bool done = in.size - next < TB_FRAME;
      index->covered = done ? index->size : tb_frame_physical (&in, next);
    }
  return TB_OK;
}

const struct tb_source_block *
tb_source_index_block (const struct tb_source_index *index, uint64_t byte)
{
  uint64_t number = byte / index->block_size;
  return byte < index->covered && number < index->nblocks
	 ? &index->blocks[number] : NULL;
}

/* The bytes of ID in BLOCK.  */
static uint64_t
bytes_of (const struct tb_source_index *index,
	  const struct tb_source_block *block, unsigned id)
{
  const struct tb_source_count *counts = index->counts + block->count;
  for (uint32_t i = 0; i < block->ncounts; i++)
    if (counts[i].id == id)
      return counts[i].bytes;
  return 0;
}

const struct tb_source_block *
tb_source_index_next (const struct tb_source_index *index, unsigned id,
		      uint64_t byte)
{
  for (size_t i = byte / index->block_size; i < index->nblocks; i++)
    if (bytes_of (index, &index->blocks[i], id) > 0)
      return &index->blocks[i];
  return NULL;
}

void
tb_source_index_totals (const struct tb_source_index *index,
			uint64_t totals[TB_TRACE_IDS])
{
  memset (totals, 0, TB_TRACE_IDS * sizeof *totals);
  for (size_t i = 0; i < index->ncounts; i++)
    totals[index->counts[i].id] += index->counts[i].bytes;
}
