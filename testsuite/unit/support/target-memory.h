/* Memory of the target in arrays of the host's numbers: an item of an array stands for the
   bytes that it has on the target, which is little-endian, whatever the host is.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_TARGET_MEMORY_H
#define TB_UNIT_TARGET_MEMORY_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* What the place of a byte on the target differs by from that in an array of items of so
   many bytes.  */
static inline size_t
target_swap (size_t item)
{
  return __BYTE_ORDER == __BIG_ENDIAN ? item - 1 : 0;
}

/* SIZE bytes of an array at byte AT, which is on the target a multiple of an item.  */
static inline uint64_t
target_load_items (const void *array, size_t item, size_t at, unsigned size)
{
  const uint8_t *bytes = array;
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++)
    value |= (uint64_t) bytes[(at + i) ^ target_swap (item)] << 8 * i;
  return value;
}

static inline void
target_store_items (void *array, size_t item, size_t at, unsigned size,
		    uint64_t value)
{
  uint8_t *bytes = array;
  for (unsigned i = 0; i < size; i++)
    bytes[(at + i) ^ target_swap (item)] = (uint8_t) (value >> 8 * i);
}

/* SIZE bytes as the target has them: the array itself, or a copy that is there until the
   end of the test.  */
static inline const void *
target_bytes_of (const void *array, size_t item, size_t size)
{
  uint8_t *copy = target_swap (item) != 0 ? malloc (size) : NULL;
  for (size_t at = 0; copy != NULL && at < size; at++)
    copy[at] = (uint8_t) target_load_items (array, item, at, 1);
  return copy != NULL ? copy : array;
}

#define TARGET_BYTES(array, size) \
  target_bytes_of ((array), sizeof *(array), (size))
#define TARGET_LOAD(array, at, size) \
  target_load_items ((array), sizeof *(array), (size_t) (at), (size))
#define TARGET_STORE(array, at, size, value) \
  target_store_items ((array), sizeof *(array), (size_t) (at), (size), (value))

#endif /* TB_UNIT_TARGET_MEMORY_H */
