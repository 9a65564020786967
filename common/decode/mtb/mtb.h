/* The Micro Trace Buffer: registers, buffer and packets.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: CoreSight MTB-M0+ Technical Reference Manual (DDI 0486), 2.3.1
   "MTB execution trace packet format" and 3.2 "MTB registers".  */

#ifndef TB_DECODE_MTB_MTB_H
#define TB_DECODE_MTB_MTB_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/decoder.h"
#include "util/number.h"

/* One packet: two words.  */
struct tb_mtb_packet
{
  uint32_t source;		/* Bit 0 clear.  */
  uint32_t destination;		/* Bit 0 clear.  */
  bool atomic;			/* A: an exception or a PC update in Debug state,
				   not an instruction.  */
  bool start;			/* S: the first after tracing (re)started.  */
};

/* The packet of the words SOURCE and DESTINATION.  */
static inline struct tb_mtb_packet
tb_mtb_packet_of (uint32_t source, uint32_t destination)
{
  return (struct tb_mtb_packet) {
    .source = source & ~1u, .destination = destination & ~1u,
    .atomic = (source & 1) != 0, .start = (destination & 1) != 0
  };
}

/* Where the packets of a source are.  */
struct tb_mtb_buffer
{
  const struct tb_trace_buffer *file;	/* Or NULL: */
  const struct tb_memmap *map;		/* in the core's RAM ...  */
  uint64_t address;			/* ... from here.  */
  const uint8_t *bytes;		/* The area, where it lies in one piece.  */
  uint64_t offset;		/* Of the trace area in FILE.  */
  uint64_t length;		/* Of the trace area, bytes.  */
  uint64_t first;		/* Offset of the oldest packet in the area.  */
  uint64_t count;		/* Packets.  */
  bool wrapped;
  bool stopped;			/* Tracing ended before the halt.  */
};

/* As UNIT of struct tb_protocol.  */
void tb_mtb_unit (const struct tb_decoder_config *config,
		  struct tb_unit_report *report);

/* Locate the packets by the registers of CONFIG->source: POSITION (id 0),
   MASTER (1), FLOW (2), BASE (3).  False after a diagnostic.  */
bool tb_mtb_locate (struct tb_mtb_buffer *buffer,
		    const struct tb_decoder_config *config,
		    struct tb_diag *diag);

/* Copy the 8 bytes at OFFSET of the trace area of BUFFER, which was checked to have them, where it
   lies in several pieces.  */
void tb_mtb_gather (const struct tb_mtb_buffer *buffer, uint64_t offset, uint8_t bytes[8]);

/* Packet NUMBER, oldest first, and the byte index of its first word in the
   trace area's file or RAM block.  NUMBER < count.  */
static inline void
tb_mtb_packet (const struct tb_mtb_buffer *buffer, uint64_t number,
	       struct tb_mtb_packet *packet, uint64_t *index)
{
  uint64_t offset = (buffer->first + 8 * number) & (buffer->length - 1);
  uint8_t pieces[8];
  const uint8_t *bytes = pieces;
  if (__builtin_expect (buffer->bytes != NULL, 1))
    bytes = buffer->bytes + offset;
  else
    tb_mtb_gather (buffer, offset, pieces);
  *packet = tb_mtb_packet_of (tb_number_32 (bytes), tb_number_32 (bytes + 4));
  *index = offset + (buffer->file != NULL ? buffer->offset : 0);
}

/* The RAM that the trace unit writes, by BASE and POSITION of SOURCE: *LENGTH is 0 where MAP has no
   byte of it.  False: they do not tell.  Such memory is not what the program left there.  HELD:
   how many bytes the trace buffer has, which is the size of the area where MASTER is not told; 0:
   there is none.  */
bool tb_mtb_ram (const struct tb_device *source, const struct tb_memmap *map, uint64_t held,
		 uint64_t *address, uint64_t *length);

/* Does MASTER of SOURCE show that it traced until the halt?  EN is 1, which the
   watermark and TSTOP clear (DDI 0486, 3.2.2); and TSTART cannot have set it again
   behind a TSTOP.  */
bool tb_mtb_reaches_halt (const struct tb_device *source);

/* MATCHES and TRACE_ID of struct tb_protocol.  */
bool tb_mtb_matches (const char *type);
unsigned tb_mtb_trace_id (const struct tb_device *source);

/* Where nothing executes at DESTINATION, of a packet, or at the source of the NEXT one: are both
   the same place?  That is so of the two packets of a return from an exception or from a
   function of Non-secure state, of what is taken out of a lockup, and of the fault of a branch
   to there.  */
bool tb_mtb_leads_on (uint32_t destination, const struct tb_mtb_packet *next);

/* PACKET_TEXT of struct tb_protocol.  */
void tb_mtb_packet_text (struct tb_buffer *text, unsigned type,
			 const void *packet);

#endif /* TB_DECODE_MTB_MTB_H */
