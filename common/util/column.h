/* A column: a long array that grows at its end without being copied.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A column reserves address space for twice of what it holds.  The half that was
   never written takes no memory.  */

#ifndef TB_UTIL_COLUMN_H
#define TB_UTIL_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise before use.  */
struct tb_column
{
  uint8_t *data;
  size_t size;			/* Bytes in use.  */
  size_t capacity;
  bool mapped;			/* Pages of its own.  */
  bool borrowed;		/* Somebody else's bytes: it cannot grow.  */
};

void tb_column_fini (struct tb_column *column);

/* Make room for LENGTH more bytes; false: no memory.  */
bool tb_column_reserve (struct tb_column *column, size_t length);

/* LENGTH more bytes, not initialised; NULL: no memory.  */
static inline void *
tb_column_extend (struct tb_column *column, size_t length)
{
  if (column->capacity - column->size < length
      && !tb_column_reserve (column, length))
    return NULL;
  uint8_t *room = column->data + column->size;
  column->size += length;
  return room;
}

static inline bool
tb_column_u32 (struct tb_column *column, uint32_t value)
{
  uint32_t *room = tb_column_extend (column, sizeof value);
  if (room != NULL)
    *room = value;
  return room != NULL;
}

#endif /* TB_UTIL_COLUMN_H */
