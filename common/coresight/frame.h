/* The frames of a trace buffer, one at a time.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm CoreSight Architecture Specification (IHI 0029), chapter D4:
   sixteen bytes a frame; an even byte with bit 0 set is a new ID, else data
   whose bit 0 is the matching bit of byte 15; an odd byte is data.  For a new
   ID the bit of byte 15 says that the odd byte after it still belongs to the
   ID before.

   A TPIU, which sends frames through a trace port, puts synchronisation packets
   among them: full ones (FF FF FF 7F) between frames and, where there is nothing
   to send, half ones (FF 7F) before any even byte of a frame (D4.2.5).  Otherwise
   an even byte is never FF, because that is the reserved ID 7F; so data cannot look
   like either of these packets.

   Linux writes four full synchronisation packets in place of an aligned frame
   into buffers in memory where trace of different times meets, or was lost.  */

#ifndef TB_CORESIGHT_FRAME_H
#define TB_CORESIGHT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "snapshot/snapshot.h"
#include "util/number.h"

#define TB_FRAME 16
#define TB_FRAME_DATA 15	/* The most data bytes in a frame.  */
#define TB_FULL_SYNC 4		/* Bytes of a full synchronisation packet ... */
#define TB_HALF_SYNC 2		/* ... and of a half one.  */

/* Before the first ID of a buffer nobody owns the bytes.  */
#define TB_FRAME_ID_UNKNOWN 0xff

/* DSTREAM: blocks of this size, the last bytes of which are a footer.  Seen
   in captures of Arm DSTREAM probes.  */
#define TB_FRAME_BLOCK 512
#define TB_FRAME_BLOCK_DATA 504

/* This many full synchronisation packets in a row are a break in the buffer: the trace
   behind the break does not continue the trace before it.  */
#define TB_FRAME_BREAK 4

/* The bytes of a buffer by logical offset: one that counts the bytes that are
   no DSTREAM footers.  */
struct tb_frame_reader
{
  const struct tb_trace_buffer *buffer;
  uint64_t size;		/* Logical.  */
  uint64_t start;		/* Of the first whole frame.  */
  bool blocks;			/* DSTREAM.  */
  bool port;			/* The frames come from a trace port:
				   synchronisation packets are among them.  */
  /* A stretch of the buffer that lies in one piece in memory.  */
  const uint8_t *run;
  uint64_t run_start, run_end;
  /* The span that it is of, and where that begins in the buffer.  */
  size_t span;
  uint64_t span_start;
};

/* Read BUFFER, which must outlive IN.  FRAMED: it has frames.  Whether they come
   from a trace port, and where they begin then, the buffer's format says or the
   first synchronisation packets do.  */
void tb_frame_reader_init (struct tb_frame_reader *in,
			   const struct tb_trace_buffer *buffer, bool framed);

/* Find the first full synchronisation packet, at any byte, that begins in FROM ..
   TO - 1.  False: there is none.  */
bool tb_frame_find_sync (struct tb_frame_reader *in, uint64_t from,
			 uint64_t to, uint64_t *found);

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

/* Bit 0 of the even bytes: set in an ID byte.  */
#define TB_FRAME_EVEN_BITS UINT64_C (0x0001000100010001)

/* All of FRAME is data of the ID in force.  */
static inline bool
tb_frame_is_plain (const uint8_t *frame)
{
  return ((tb_number_64 (frame) | tb_number_64 (frame + 8))
	  & TB_FRAME_EVEN_BITS) == 0;
}

/* A full synchronisation packet.  */
static inline bool
tb_frame_is_full_sync (const uint8_t *p)
{
  return tb_number_32 (p) == UINT32_C (0x7fffffff);
}

/* An even byte of the halves LOW and HIGH of a frame is FF.  */
static inline bool
tb_frame_may_sync (uint64_t low, uint64_t high)
{
  const uint64_t even = UINT64_C (0x00ff00ff00ff00ff);
  return ((((low & even) + TB_FRAME_EVEN_BITS)
	   | ((high & even) + TB_FRAME_EVEN_BITS))
	  & TB_FRAME_EVEN_BITS << 8) != 0;
}

/* The frame of the halves LOW and HIGH is, or has in it, a synchronisation
   packet.  */
static inline bool
tb_frame_has_sync (const struct tb_frame_reader *in, uint64_t low,
		   uint64_t high)
{
  const uint64_t two = UINT64_C (0x7fffffff7fffffff);
  return in->port ? tb_frame_may_sync (low, high) : low == two && high == two;
}

/* What is at a place where tb_frame_has_sync.  */
enum tb_frame_piece
{
  TB_FRAME_WHOLE,		/* A frame.  */
  TB_FRAME_SYNCS,		/* Full synchronisation packets between frames. */
  TB_FRAME_BROKEN,		/* TB_FRAME_BREAK of them or more.  */
  TB_FRAME_END			/* Less than a frame, then the end.  */
};

/* A frame that has been collected from among half synchronisation packets.  */
struct tb_frame_collected
{
  uint8_t bytes[TB_FRAME];
  uint64_t place[TB_FRAME];	/* Where each was.  */
  uint64_t syncs;		/* How many full synchronisation packets.  */
  bool partial;			/* Some bytes before them were no whole frame. */
};

/* Collect what begins at *NEXT and go past it.  A full synchronisation packet
   within a frame ends it early: its bytes are dropped, and the next frame begins
   behind that packet.  */
enum tb_frame_piece tb_frame_collect (struct tb_frame_reader *in,
				      uint64_t *next,
				      struct tb_frame_collected *frame);

/* A bit for each of the even bytes of WORD, half a frame, that is an ID byte.  */
static inline unsigned
tb_frame_ids (uint64_t word)
{
  /* Bits 0, 16, 32 and 48 go to bits 48 to 51.  */
  return (unsigned) ((word & TB_FRAME_EVEN_BITS) * UINT64_C (0x1000200040008) >> 48 & 15);
}

/* The low four of BITS to bit 0 of bytes 0, 2, 4 and 6.  */
static inline uint64_t
tb_frame_spread (unsigned bits)
{
  return bits * UINT64_C (0x200040008001) & TB_FRAME_EVEN_BITS;
}

/* The bytes of a frame with bit 0 of the even ones in its place, in halves as numbers.  */
struct tb_frame_data
{
  uint64_t low, high;
};

static inline struct tb_frame_data
tb_frame_data (const uint8_t *frame)
{
  unsigned aux = frame[TB_FRAME_DATA];
  return (struct tb_frame_data) { tb_number_64 (frame) | tb_frame_spread (aux),
				  tb_number_64 (frame + 8) | tb_frame_spread (aux >> 4) };
}

/* Store those of DATA from number FROM on at TO, which has room for TB_FRAME: what is behind the
   last one is zero.  */
static inline void
tb_frame_put_data (uint8_t *to, struct tb_frame_data data, unsigned from)
{
  /* In registers: a load from the middle of what was just stored waits for it.  */
  unsigned shift = from % 8 * 8;
  uint64_t low = data.low >> shift | data.high << 1 << (63 - shift);
  uint64_t high = data.high >> shift;
  tb_number_put_64 (to, from < 8 ? low : high);
  tb_number_put_64 (to + 8, from < 8 ? high : 0);
}

/* Set TB_FRAME of INDEX to AT and those that follow it.  */
static inline void
tb_frame_put_places (uint64_t *index, uint64_t at)
{
  /* Two at a time, without what compilers do to a loop that counts.  */
  typedef uint64_t two __attribute__ ((vector_size (16)));
  two places = { at, at + 1 };
#pragma GCC unroll 8
  for (unsigned i = 0; i < TB_FRAME; i += 2)
    {
      memcpy (index + i, &places, sizeof places);
      places += 2;
    }
}

/* Take FRAME apart: TAKE gets its runs of data bytes, those at FROM .. END - 1, which may be
   none, that are of ID, and TO.  *CURRENT is the ID in force before and after.  */
static inline __attribute__ ((always_inline)) void
tb_frame_walk (const uint8_t *frame, uint8_t *current,
	       void (*take) (void *to, unsigned from, unsigned end, uint8_t id), void *to)
{
  unsigned ids = tb_frame_ids (tb_number_64 (frame))
		 | tb_frame_ids (tb_number_64 (frame + 8)) << 4;
  unsigned from = 0, aux = frame[TB_FRAME_DATA];
  uint8_t id = *current;

  for (; ids != 0; ids &= ids - 1)
    {
      unsigned place = 2 * (unsigned) __builtin_ctz (ids);
      take (to, from, place, id);
      from = place + 1;
      if (aux >> place / 2 & 1 && from < TB_FRAME_DATA)
	{
	  take (to, from, from + 1, id);
	  from++;
	}
      id = frame[place] >> 1;
    }
  take (to, from, TB_FRAME_DATA, id);
  *current = id;
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
