/* How facts keep memory, accesses and times.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_FACTS_MEMORY_H
#define TB_RECORDING_FACTS_MEMORY_H

#include "recording/facts.h"
#include "util/varint.h"

#define TB_LINE_BITS 5
#define TB_LINE_SIZE (1u << TB_LINE_BITS)

/* Changes of a line between two images.  */
#define TB_LINE_CHANGES 16

/* A line, in the column LINES in the order of addresses; one more ends it.  */
struct tb_facts_line
{
  uint64_t number;		/* ADDRESS >> TB_LINE_BITS.  */
  uint64_t block;		/* Its first one; the next line's ends them.  */
};

/* An image of a line, in the column BLOCKS.  The first one of a line is that before
   step 0.  */
struct tb_facts_block
{
  uint64_t offset;		/* Of the changes behind it, in the column.  */
  uint32_t step;		/* When the first of these took effect.  */
  uint32_t known;		/* A bit a byte.  */
  uint8_t bytes[TB_LINE_SIZE];
};

/* A change, in the column CHANGES: the number of steps since the one before in the
   block (7 bits a byte, lowest first), this byte, and unless it forgets the value,
   lowest byte first.  */
enum
{
  TB_CHANGE_OFFSET = 31,
  TB_CHANGE_SIZE = 3 << 5,	/* log2 of the number of bytes.  */
  TB_CHANGE_FORGET = 128
};

/* Accesses between two marks, and a mark, in the column ACCESS_MARKS.  */
#define TB_ACCESSES_MARK 64

struct tb_facts_access_mark
{
  uint64_t address;		/* Before its first access.  */
  uint64_t offset;
  uint32_t step;		/* Of its first access.  */
  uint32_t count;
};

/* An access of 1, 2, 4 or 8 bytes: the number of steps since the one before, a byte
   of its flags with log2 of its length on top, and its distance from the address
   before.  Longer ones are several.  */
#define TB_ACCESS_SIZE_BIT 6

/* Times of 64 steps, in the column TIMES: the first one, and where the others are
   in the column TIME_BYTES.  There each is the change of the difference; a block
   without bytes has one difference throughout.  */
#define TB_TIMES_BLOCK 64

struct tb_facts_times
{
  uint64_t time;
  int64_t delta;		/* From the step before the first.  */
  uint64_t offset;
};

static inline uint64_t
tb_zigzag (int64_t value)
{
  return (uint64_t) value << 1 ^ (uint64_t) (value >> 63);
}

static inline int64_t
tb_unzigzag (uint64_t value)
{
  return (int64_t) (value >> 1 ^ -(value & 1));
}

/* Append VALUE; false: no memory.  */
static inline bool
tb_varint_put (struct tb_column *to, uint64_t value)
{
  uint8_t bytes[TB_VARINT_MOST];
  size_t n = tb_varint_write (bytes, value);
  uint8_t *room = tb_column_extend (to, n);
  for (size_t i = 0; room != NULL && i < n; i++)
    room[i] = bytes[i];
  return room != NULL;
}

/* COUNT elements of TYPE are in COLUMN.  */
#define TB_COLUMN_COUNT(column, type) ((column)->size / sizeof (type))

#endif /* TB_RECORDING_FACTS_MEMORY_H */
