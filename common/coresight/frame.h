/* The frames of a trace buffer, one at a time.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm CoreSight Architecture Specification (IHI 0029), chapter D4:
   sixteen bytes a frame; an even byte with bit 0 set is a new ID, else data
   whose bit 0 is the matching bit of byte 15; an odd byte is data.  For a new
   ID the bit of byte 15 says that the odd byte after it still belongs to the
   ID before.  */

#ifndef TB_CORESIGHT_FRAME_H
#define TB_CORESIGHT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/snapshot.h"

#define TB_FRAME 16
#define TB_FRAME_DATA 15	/* The most data bytes in a frame.  */
#define TB_FULL_SYNC 4		/* Bytes of a full synchronisation packet.  */

/* Before the first ID of a buffer nobody owns the bytes.  */
#define TB_FRAME_ID_UNKNOWN 0xff

/* DSTREAM: blocks of this size, the last bytes of which are a footer.  Seen
   in captures of Arm DSTREAM probes.  */
#define TB_FRAME_BLOCK 512
#define TB_FRAME_BLOCK_DATA 504

/* The bytes of a buffer by logical offset: one that counts the bytes that are
   no DSTREAM footers.  */
struct tb_frame_reader
{
  const struct tb_trace_buffer *buffer;
  uint64_t size;		/* Logical.  */
  bool blocks;			/* DSTREAM.  */
  /* A stretch of the buffer that lies in one piece in memory.  */
  const uint8_t *run;
  uint64_t run_start, run_end;
};

/* Read BUFFER, which must outlive IN; BLOCKS: it has DSTREAM's footers.  */
void tb_frame_reader_init (struct tb_frame_reader *in,
			   const struct tb_trace_buffer *buffer, bool blocks);

/* Logical offset to place in the buffer and back.  */
static inline uint64_t
tb_frame_physical (const struct tb_frame_reader *in, uint64_t offset)
{
  return in->blocks ? offset / TB_FRAME_BLOCK_DATA * TB_FRAME_BLOCK
		      + offset % TB_FRAME_BLOCK_DATA
		    : offset;
}

static inline uint64_t
tb_frame_logical (const struct tb_frame_reader *in, uint64_t place)
{
  if (!in->blocks)
    return place;
  uint64_t rest = place % TB_FRAME_BLOCK;
  return place / TB_FRAME_BLOCK * TB_FRAME_BLOCK_DATA
	 + (rest < TB_FRAME_BLOCK_DATA ? rest : TB_FRAME_BLOCK_DATA);
}

/* Let the run be the one with OFFSET, which lies in the buffer.  */
void tb_frame_find_run (struct tb_frame_reader *in, uint64_t offset);

/* Copy LENGTH bytes from OFFSET, all of which lie in the buffer.  */
void tb_frame_copy (struct tb_frame_reader *in, uint64_t offset, uint8_t *to,
		    size_t length);

/* The frame at OFFSET, which lies in the buffer; in SPARE if it does not lie
   in one piece.  */
static inline const uint8_t *
tb_frame_at (struct tb_frame_reader *in, uint64_t offset,
	     uint8_t spare[TB_FRAME])
{
  if (offset < in->run_start || offset >= in->run_end)
    tb_frame_find_run (in, offset);
  if (in->run_end - offset >= TB_FRAME)
    return in->run + (offset - in->run_start);
  tb_frame_copy (in, offset, spare, TB_FRAME);
  return spare;
}

static inline uint64_t
tb_frame_load64 (const uint8_t *p)
{
  return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16
	 | (uint64_t) p[3] << 24 | (uint64_t) p[4] << 32
	 | (uint64_t) p[5] << 40 | (uint64_t) p[6] << 48
	 | (uint64_t) p[7] << 56;
}

/* Bit 0 of the even bytes: set in an ID byte.  */
#define TB_FRAME_EVEN_BITS UINT64_C (0x0001000100010001)

/* All of FRAME is data of the ID in force.  */
static inline bool
tb_frame_is_plain (const uint8_t *frame)
{
  return ((tb_frame_load64 (frame) | tb_frame_load64 (frame + 8))
	  & TB_FRAME_EVEN_BITS) == 0;
}

/* A full synchronisation packet, which stands between frames where a TPIU
   formatted the trace for a port; no frame begins so, 0x7f being no ID.  */
static inline bool
tb_frame_is_full_sync (const uint8_t *p)
{
  return (uint32_t) tb_frame_load64 (p) == UINT32_C (0x7fffffff);
}

/* One data byte of a frame.  */
struct tb_frame_byte
{
  uint8_t value, id, place;
};

/* Take FRAME apart; *CURRENT is the ID in force before and after.  Returns the
   number of data bytes.  */
unsigned tb_frame_split (const uint8_t *frame, uint8_t *current,
			 struct tb_frame_byte bytes[TB_FRAME_DATA]);

#endif /* TB_CORESIGHT_FRAME_H */
