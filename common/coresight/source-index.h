/* The index of a trace buffer: which IDs are where in it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: decoder design (ARM-ECM-0398495), 2.3.3.1 "Source indexer".  For each
   block of a framed buffer: how many bytes each ID has there, the ID in force at
   its first frame (so that reading any ID can begin there), the triggers, and the
   full synchronisation packets of a trace port.
   An index may cover the beginning of the buffer only.  */

#ifndef TB_CORESIGHT_SOURCE_INDEX_H
#define TB_CORESIGHT_SOURCE_INDEX_H

#include "coresight/stream.h"
#include "util/status.h"

#define TB_SOURCE_INDEX_BLOCK 65536

/* Smaller blocks would make the index as large as the trace.  */
#define TB_SOURCE_INDEX_BLOCK_LEAST 1024

/* The most triggers whose places are kept; all are counted.  */
#define TB_SOURCE_TRIGGERS_MOST 65536

#define TB_ID_TRIGGER_BYTE 0x7d	/* The trace ID of triggers.  */

struct tb_source_count
{
  uint64_t bytes;
  uint8_t id;
};

struct tb_source_block
{
  struct tb_stream_place start;	/* Of its first frame; SKIP is 0.  */
  uint64_t first_sync;		/* Byte index; valid if FULL_SYNCS is not 0.  */
  uint32_t full_syncs;
  uint32_t triggers;
  uint32_t count, ncounts;	/* Its part of the index's COUNTS.  */
};

struct tb_source_index
{
  uint64_t block_size;
  uint64_t size;		/* Of the buffer.  */
  uint64_t covered;		/* Bytes from its start that are indexed.  */
  bool port;			/* Synchronisation packets are among the frames. */
  struct tb_source_block *blocks;	/* One a block covered.  */
  size_t nblocks, block_capacity;
  struct tb_source_count *counts;	/* Ascending by ID within a block.  */
  size_t ncounts, count_capacity;
  uint64_t *triggers;		/* Byte indexes.  */
  size_t ntriggers, trigger_capacity;
  uint8_t current;		/* The ID in force behind what is covered.  */
};

/* Make INDEX one of BUFFER that covers nothing.  BLOCK_SIZE is rounded up to a
   multiple of the least.  */
void tb_source_index_init (struct tb_source_index *index,
			   const struct tb_trace_buffer *buffer,
			   uint64_t block_size);
void tb_source_index_fini (struct tb_source_index *index);

/* Go on indexing BUFFER up to byte TO or a little beyond; to the buffer's size:
   all of it.  TB_ERR_MEMORY is the only error, said to nobody.  */
enum tb_status tb_source_index_extend (struct tb_source_index *index,
				       const struct tb_trace_buffer *buffer,
				       uint64_t to);

/* The block that has byte BYTE, or NULL if that is not covered.  */
const struct tb_source_block *
tb_source_index_block (const struct tb_source_index *index, uint64_t byte);

/* The first block at or after the one of BYTE that has bytes of ID; NULL: none
   that is covered.  */
const struct tb_source_block *
tb_source_index_next (const struct tb_source_index *index, unsigned id,
		      uint64_t byte);

/* All bytes of each ID.  */
void tb_source_index_totals (const struct tb_source_index *index,
			     uint64_t totals[TB_TRACE_IDS]);

#endif /* TB_CORESIGHT_SOURCE_INDEX_H */
