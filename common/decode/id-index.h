/* The index of one trace ID: where its synchronisations, timestamps, contexts
   and triggers are.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: decoder design (ARM-ECM-0398495), 2.3.3.2 "Trace ID stream indexer".
   Byte indexes count from the start of the buffer.  The index has a line a block of the
   buffer: how many of each are in it, and the first and the last values.  */

#ifndef TB_DECODE_ID_INDEX_H
#define TB_DECODE_ID_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/element.h"

/* The design's example.  */
#define TB_ID_INDEX_BLOCK 65536

enum tb_id_entry_kind
{
  TB_ID_SYNC, TB_ID_TIMESTAMP, TB_ID_CONTEXT, TB_ID_TRIGGER, TB_ID_GAP,
  TB_ID_KINDS
};

/* A block that has anything.  */
struct tb_id_block
{
  uint64_t number;		/* Byte index / block size.  */
  uint64_t first_sync;		/* Byte behind it; valid if there is one.  */
  uint64_t first_timestamp, last_timestamp;	/* Likewise.  */
  uint32_t last_context;	/* Its context ID.  */
  uint32_t counts[TB_ID_KINDS];
};

/* Zero but for BLOCK_SIZE and MOST before use.  */
struct tb_id_index
{
  uint64_t block_size;
  size_t most;			/* Blocks; 0: TB_ID_BLOCKS_MOST.  */
  bool cut;			/* Blocks were left out: there were too many.  */
  struct tb_id_block *blocks;	/* Ascending.  */
  size_t nblocks, block_capacity;
};

/* No index is longer.  */
#define TB_ID_BLOCKS_MOST ((size_t) 1 << 22)

void tb_id_index_fini (struct tb_id_index *index);

/* Note what INDEX has of an element.  False: no memory.  */
bool tb_id_index_note (struct tb_id_index *index,
		       const struct tb_element *element);

/* A synchronisation packet ends before byte BYTE.  */
bool tb_id_index_note_sync (struct tb_id_index *index, uint64_t byte);

/* Append what OTHER, of later trace, has.  */
bool tb_id_index_append (struct tb_id_index *index,
			 const struct tb_id_index *other);

/* The first block that has something of KIND at or after the block of BYTE.  */
const struct tb_id_block *tb_id_index_after (const struct tb_id_index *index,
					     enum tb_id_entry_kind kind,
					     uint64_t byte);

/* What of KIND there is in all.  */
uint64_t tb_id_index_count (const struct tb_id_index *index,
			    enum tb_id_entry_kind kind);

#endif /* TB_DECODE_ID_INDEX_H */
