/* Numbers in bytes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Files, dumps and trace have their numbers at any address.  Each of the functions with a
   fixed size is one load or store where addresses count for nothing.  */

#ifndef TB_UTIL_NUMBER_H
#define TB_UTIL_NUMBER_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The number in the SIZE bytes at BYTES, the lowest first.  The first eight
   count.  */
static inline uint64_t
tb_number (const uint8_t *bytes, size_t size)
{
  uint64_t value = 0;
  for (size_t i = size; i > 0; i--)
    value = value << 8 | bytes[i - 1];
  return value;
}

/* The same in 2, 4 and 8 bytes.  */
static inline uint32_t
tb_number_16 (const uint8_t *bytes)
{
  return bytes[0] | (uint32_t) bytes[1] << 8;
}

static inline uint32_t
tb_number_32 (const uint8_t *bytes)
{
  uint32_t value;
  memcpy (&value, bytes, sizeof value);
  return le32toh (value);
}

static inline uint64_t
tb_number_64 (const uint8_t *bytes)
{
  uint64_t value;
  memcpy (&value, bytes, sizeof value);
  return le64toh (value);
}

/* Store VALUE in 4 or 8 bytes, the lowest first.  */
static inline void
tb_number_put_32 (uint8_t *bytes, uint32_t value)
{
  value = htole32 (value);
  memcpy (bytes, &value, sizeof value);
}

static inline void
tb_number_put_64 (uint8_t *bytes, uint64_t value)
{
  value = htole64 (value);
  memcpy (bytes, &value, sizeof value);
}

/* The number in the SIZE bytes at BYTES, at most eight, the highest first.  */
static inline uint64_t
tb_number_big (const uint8_t *bytes, size_t size)
{
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++)
    value = value << 8 | bytes[i];
  return value;
}

#endif /* TB_UTIL_NUMBER_H */
