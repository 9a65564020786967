/* The index of one trace ID.  See id-index.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/id-index.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/search.h"

void
tb_id_index_fini (struct tb_id_index *index)
{
  free (index->blocks);
  *index = (struct tb_id_index) { 0 };
}

/* Find the block NUMBER, made if need be; NULL: there are too many.  False: no memory.  */
static bool
find_block (struct tb_id_index *index, uint64_t number, struct tb_id_block **block)
{
  /* Nearly always the last one or a later one.  */
  size_t at = index->nblocks;
  while (at > 0 && index->blocks[at - 1].number > number)
    at--;
  if (at > 0 && index->blocks[at - 1].number == number)
    {
      *block = &index->blocks[at - 1];
      return true;
    }
  *block = NULL;
  index->cut |= index->nblocks >= (index->most != 0 ? index->most : TB_ID_BLOCKS_MOST);
  if (index->cut)
    return true;
  if (!TB_GROW (index->blocks, index->block_capacity, index->nblocks, 1))
    return false;
  struct tb_id_block *b = &index->blocks[at];
  memmove (b + 1, b, (index->nblocks - at) * sizeof *b);
  index->nblocks++;
  *b = (struct tb_id_block) { .number = number };
  *block = b;
  return true;
}

static bool
note (struct tb_id_index *index, enum tb_id_entry_kind kind, uint64_t byte,
      uint64_t value)
{
  struct tb_id_block *b;
  if (!find_block (index, byte / index->block_size, &b))
    return false;
  if (b == NULL)
    return true;
  if (kind == TB_ID_SYNC && b->counts[kind] == 0)
    b->first_sync = byte;
  if (kind == TB_ID_TIMESTAMP)
    {
      if (b->counts[kind] == 0)
	b->first_timestamp = value;
      b->last_timestamp = value;
    }
  if (kind == TB_ID_CONTEXT)
    b->last_context = (uint32_t) value;
  b->counts[kind]++;
  return true;
}

bool
tb_id_index_note (struct tb_id_index *index, const struct tb_element *e)
{
  switch (e->kind)
    {
    case TB_ELEMENT_TIMESTAMP:
      return note (index, TB_ID_TIMESTAMP, e->index, e->u.value);
    case TB_ELEMENT_CONTEXT:
      return note (index, TB_ID_CONTEXT, e->index, e->u.context.cid);
    case TB_ELEMENT_EVENT:
      return note (index, TB_ID_TRIGGER, e->index, e->u.value);
    case TB_ELEMENT_NO_SYNC:
    case TB_ELEMENT_TRACE_ON:
      return note (index, TB_ID_GAP, e->index, e->reason);
    default:
      return true;
    }
}

bool
tb_id_index_note_sync (struct tb_id_index *index, uint64_t byte)
{
  return note (index, TB_ID_SYNC, byte, 0);
}

bool
tb_id_index_append (struct tb_id_index *index,
		    const struct tb_id_index *other)
{
  for (size_t i = 0; i < other->nblocks; i++)
    {
      const struct tb_id_block *from = &other->blocks[i];
      struct tb_id_block *to;
      if (!find_block (index, from->number, &to))
	return false;
      if (to == NULL)
	break;
      if (to->counts[TB_ID_SYNC] == 0)
	to->first_sync = from->first_sync;
      if (to->counts[TB_ID_TIMESTAMP] == 0)
	to->first_timestamp = from->first_timestamp;
      if (from->counts[TB_ID_TIMESTAMP] > 0)
	to->last_timestamp = from->last_timestamp;
      if (from->counts[TB_ID_CONTEXT] > 0)
	to->last_context = from->last_context;
      for (int k = 0; k < TB_ID_KINDS; k++)
	to->counts[k] += from->counts[k];
    }
  index->cut |= other->cut;
  return true;
}

/* How many blocks have a number up to NUMBER.  */
static size_t
blocks_up_to (const struct tb_id_index *index, uint64_t number)
{
  size_t low;
  TB_LOWER_BOUND (low, index->nblocks, index->blocks[low].number <= number);
  return low;
}

const struct tb_id_block *
tb_id_index_after (const struct tb_id_index *index,
		   enum tb_id_entry_kind kind, uint64_t byte)
{
  uint64_t number = byte / index->block_size;
  size_t i = number > 0 ? blocks_up_to (index, number - 1) : 0;
  for (; i < index->nblocks; i++)
    if (index->blocks[i].counts[kind] > 0)
      return &index->blocks[i];
  return NULL;
}

uint64_t
tb_id_index_count (const struct tb_id_index *index, enum tb_id_entry_kind kind)
{
  uint64_t count = 0;
  for (size_t i = 0; i < index->nblocks; i++)
    count += index->blocks[i].counts[kind];
  return count;
}
