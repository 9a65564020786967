/* Packets of the System Trace Protocol, version 2, that an STM sends.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: MIPI Alliance, System Trace Protocol (STPv2), the table of opcodes;
   CoreSight System Trace Macrocell TRM (DDI 0444), "STPv2 packets".

   A packet is a string of nibbles, of each byte the low one first: an opcode of
   one to four nibbles, data, and perhaps a timestamp.  Within data the first
   nibble is the highest unless a VERSION packet says otherwise.  */

#ifndef TB_DECODE_STM_PACKET_H
#define TB_DECODE_STM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/element.h"
#include "util/buffer.h"
#include "util/number.h"

enum tb_stm_packet_type
{
  TB_STM_BAD,			/* Reserved.  */
  TB_STM_LONGER,		/* The opcode has another nibble.  */
  TB_STM_NULL, TB_STM_ASYNC, TB_STM_VERSION,
  TB_STM_MASTER_8, TB_STM_MASTER_16, TB_STM_CHANNEL_8, TB_STM_CHANNEL_16,
  /* These make elements.  */
  TB_STM_MASTER_ERROR, TB_STM_GLOBAL_ERROR,
  TB_STM_DATA, TB_STM_FLAG, TB_STM_TRIGGER, TB_STM_FREQUENCY,
  TB_STM_TIME,			/* Nothing but a timestamp.  */
  TB_STM_FIRST_ELEMENT = TB_STM_MASTER_ERROR,
  /* From this one on they do nothing else.  */
  TB_STM_FIRST_PLAIN = TB_STM_DATA
};

/* What an opcode says.  */
struct tb_stm_opcode
{
  uint8_t type;			/* enum tb_stm_packet_type  */
  uint8_t data;			/* Nibbles of data.  */
  bool timed;			/* A timestamp comes after the data.  */
  uint8_t flags;		/* Of the element that it makes.  */
};

/* By the only nibble; by the last one of two, which begin with f, of three after f0, and of
   four after f0f.  */
extern const struct tb_stm_opcode tb_stm_one[16], tb_stm_two[16], tb_stm_three[16],
  tb_stm_four[16];

/* Packets are counted by type and whether they have a timestamp, data packets by
   size, marker and timestamp.  */
#define TB_STM_TYPES (TB_STM_TIME + 1)
#define TB_STM_COUNTS (2 * TB_STM_TYPES + 5 * 4)
extern const char *const tb_stm_count_names[TB_STM_COUNTS];

static inline unsigned
tb_stm_count_of (const struct tb_stm_opcode *op)
{
  if (op->type != TB_STM_DATA)
    return 2u * op->type + op->timed;
  unsigned size = 0;
  while (1u << size < op->data)
    size++;
  return 2 * TB_STM_TYPES + 4 * size
	 + (op->flags & TB_SOFTWARE_MARKER ? 2 : 0) + op->timed;
}

/* A packet as it is listed.  */
struct tb_stm_packet
{
  uint64_t data;
  uint8_t bits;			/* Of DATA; BAD: of the opcode, which DATA is.  */
  uint8_t flags;		/* Of the element that it makes.  */
  bool upper;			/* It begins with the upper nibble of its byte.  */
  bool timed;
  uint64_t timestamp;
};

/* PACKET_TEXT of struct tb_protocol.  */
void tb_stm_packet_text (struct tb_buffer *text, unsigned type,
			 const void *packet);

/* Opcode, 16 nibbles of data, and a size and 16 nibbles of timestamp.  */
#define TB_STM_PACKET_MAX (4 + 16 + 1 + 16)

/* The fewest nibbles 0xf before the 0 of an ASYNC packet.  More can be the end
   of a packet that is not whole.  */
#define TB_STM_ASYNC_ONES 21

/* 16 nibbles from number AT on, the first one lowest.  The nine bytes at
   BYTES[AT / 2] must be readable.  */
static inline uint64_t
tb_stm_nibbles (const uint8_t *bytes, size_t at)
{
  const uint8_t *p = bytes + at / 2;
  unsigned shift = (at & 1) * 4;
  return tb_number_64 (p) >> shift | (uint64_t) p[8] << 1 << (63 - shift);
}

/* The same, but 15 of them.  The eight bytes there must be readable.  */
static inline uint64_t
tb_stm_nibbles_15 (const uint8_t *bytes, size_t at)
{
  return tb_number_64 (bytes + at / 2) >> (at & 1) * 4;
}

/* The nibble of BYTES with number AT.  */
static inline unsigned
tb_stm_nibble (const uint8_t *bytes, size_t at)
{
  return bytes[at / 2] >> (at & 1) * 4 & 0xf;
}

/* The value of the COUNT (0 to 16) first ones of NIBBLES.  */
static inline uint64_t
tb_stm_value (uint64_t nibbles, unsigned count, bool little_endian)
{
  if (count == 0)
    return 0;
  if (little_endian)
    return nibbles & (UINT64_MAX >> (64 - 4 * count));
  uint64_t swapped = __builtin_bswap64 (nibbles);
  swapped = (swapped & UINT64_C (0x0f0f0f0f0f0f0f0f)) << 4
	    | (swapped >> 4 & UINT64_C (0x0f0f0f0f0f0f0f0f));
  return swapped >> (64 - 4 * count);
}

/* The number whose Gray code is GRAY.  */
static inline uint64_t
tb_stm_from_gray (uint64_t gray)
{
  for (unsigned shift = 1; shift < 64; shift *= 2)
    gray ^= gray >> shift;
  return gray;
}

#endif /* TB_DECODE_STM_PACKET_H */
