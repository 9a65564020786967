/* Numbers of few bytes where they are small: 7 bits a byte, lowest first; the highest bit of a
   byte says that more follow (DWARF's ULEB128).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_VARINT_H
#define TB_UTIL_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that a number has at most.  */
#define TB_VARINT_MOST 10

/* Write VALUE to BYTES; how many it has.  */
static inline size_t
tb_varint_write (uint8_t bytes[TB_VARINT_MOST], uint64_t value)
{
  size_t n = 0;
  do
    {
      bytes[n] = (uint8_t) (value & 127);
      value >>= 7;
      bytes[n++] |= value != 0 ? 128 : 0;
    }
  while (value != 0);
  return n;
}

/* The number at *AT, which is sound; *AT goes behind it.  */
static inline uint64_t
tb_varint_get (const uint8_t **at)
{
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7)
    {
      uint8_t byte = *(*at)++;
      if (shift < 64)
	value |= (uint64_t) (byte & 127) << shift;
      if (byte < 128)
	return value;
    }
}

/* Likewise into *VALUE, of what may not be sound: false where no number stands before END.  */
static inline bool
tb_varint_check (const uint8_t **at, const uint8_t *end, uint64_t *value)
{
  *value = 0;
  for (unsigned shift = 0; *at < end && shift < 64; shift += 7)
    {
      uint64_t bits = **at & 127;
      if (bits << shift >> shift != bits)
	return false;
      *value |= bits << shift;
      if ((*(*at)++ & 128) == 0)
	return true;
    }
  return false;
}

#endif /* TB_UTIL_VARINT_H */
