/* Packets of GDB's remote protocol: framing, checksums, escapes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Remote Protocol: Overview".  Knows nothing of
   commands.  */

#ifndef TB_GDBSTUB_PACKET_H
#define TB_GDBSTUB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"
#include "util/hex.h"

/* What a byte completed.  */
enum packet_event
{
  PACKET_NOTHING,
  PACKET_WHOLE,			/* A packet: DATA, SIZE.  */
  PACKET_DAMAGED,		/* One with a wrong checksum.  */
  PACKET_TOO_LONG,		/* One of more than the limit.  */
  PACKET_ACK,
  PACKET_NAK,
  PACKET_INTERRUPT		/* ^C outside of packets.  */
};

/* Zero-initialise, set LIMIT; free with packet_reader_fini.  */
struct packet_reader
{
  size_t limit;			/* Bytes of contents that a packet may have.  */
  uint8_t *data;		/* The contents, escapes undone, and a zero byte
				   behind them.  */
  size_t size;
  enum { READER_BETWEEN, READER_INSIDE, READER_ESCAPED, READER_SUM1,
	 READER_SUM2 } state;
  uint8_t sum, told;		/* Checksum as added up, as told.  */
  bool too_long, bad_sum;
};

void packet_reader_fini (struct packet_reader *reader);

/* Take in one byte.  Bytes outside of packets that mean nothing are passed
   over; a '$' always begins a new packet.  */
enum packet_event packet_feed (struct packet_reader *reader, uint8_t byte);

/* Is the reader between packets?  */
static inline bool
packet_between (const struct packet_reader *reader)
{
  return reader->state == READER_BETWEEN;
}

/* Append the packet with LENGTH bytes of CONTENTS, escaped where needed.  */
void packet_append (struct tb_buffer *out, const uint8_t *contents,
		    size_t length);

#endif /* TB_GDBSTUB_PACKET_H */
