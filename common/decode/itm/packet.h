/* Packets of the ITM, and those of the DWT that it passes on.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Armv7-M Architecture Reference Manual (DDI 0403), appendix D4;
   Armv8-M (DDI 0553), chapter F1, which adds to the DWT's.  */

#ifndef TB_DECODE_ITM_PACKET_H
#define TB_DECODE_ITM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/element.h"
#include "util/buffer.h"

enum tb_itm_packet_type
{
  TB_ITM_PACKET_BAD,		/* Reserved, or not what must follow.  */
  TB_ITM_PACKET_SYNC,
  TB_ITM_PACKET_SYNC_PART,	/* Zeros; the sync packet goes on.  */
  TB_ITM_PACKET_OVERFLOW,
  TB_ITM_PACKET_LOCAL_TIME,	/* ID: enum tb_itm_relation  */
  TB_ITM_PACKET_GLOBAL_TIME_1,
  TB_ITM_PACKET_GLOBAL_TIME_2,
  TB_ITM_PACKET_PAGE,		/* Of 32 stimulus ports.  */
  TB_ITM_PACKET_EXTENSION,	/* Another one: nothing is said of it.  */
  TB_ITM_PACKET_SOFTWARE,	/* ID: the port in its page.  */
  TB_ITM_PACKET_HARDWARE	/* ID: the discriminator.  */
};

#define TB_ITM_PACKET_TYPES (TB_ITM_PACKET_HARDWARE + 1)

extern const char *const tb_itm_packet_names[TB_ITM_PACKET_TYPES];

struct tb_itm_packet
{
  uint8_t type;			/* enum tb_itm_packet_type  */
  uint8_t header;		/* Its first byte.  */
  uint8_t id;
  uint8_t bytes;		/* SOFTWARE, HARDWARE: of VALUE.  */
  uint8_t bits;			/* GLOBAL_TIME_1: low bits given.  */
  bool wrapped;			/* GLOBAL_TIME_1: the other bits changed.  */
  bool clock_changed;		/* GLOBAL_TIME_1  */
  uint64_t value;
};

/* No packet is longer, but for the zeros of a sync packet, which may be any
   number.  */
#define TB_ITM_PACKET_MAX 8

/* The fewest zero bytes before the 0x80 of a sync packet (D4.2.1: 47 bits).  */
#define TB_ITM_SYNC_ZEROS 5

/* Read the packet at the start of the LENGTH > 0 bytes at BYTES.  Returns its
   size; 0 if it goes on after LENGTH bytes, which is never so from
   TB_ITM_PACKET_MAX bytes on.  After SYNC_PART come more of the sync packet's
   zeros.  For a BAD one the size is 1.  */
size_t tb_itm_packet_read (const uint8_t *bytes, size_t length,
			   struct tb_itm_packet *packet);

/* Fill in what the DWT element ELEMENT, whose u.itm has channel, value and
   bytes, says.  */
void tb_dwt_explain (struct tb_element *element);

/* PACKET_TEXT of struct tb_protocol.  */
void tb_itm_packet_text (struct tb_buffer *text, unsigned type,
			 const void *packet);

#endif /* TB_DECODE_ITM_PACKET_H */
