/* One trace source's bytes, taken out of a trace buffer.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm CoreSight Architecture Specification (IHI 0029), chapter D4
   "Trace formatter": the 16-byte frame.  */

#ifndef TB_CORESIGHT_STREAM_H
#define TB_CORESIGHT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/snapshot.h"

/* Trace IDs: 0x01 to 0x6f belong to sources; 0 is padding; 0x7b flush; 0x7d
   trigger; the rest is reserved.  */
#define TB_TRACE_IDS 128
#define TB_LAST_SOURCE_ID 0x6f
#define TB_ID_NONE 0xff		/* "The bytes are one source's": no frames.  */

/* Room that a reader may count on after the current position, unless the
   stream ends: no packet whose bytes must be seen together is longer.  */
#define TB_STREAM_LOOKAHEAD 64

/* A forward reader of the bytes of one ID in one buffer.  It deformats a
   chunk of frames at a time; BYTES .. END are ready.  A plain structure: copying
   it while no chunk is held (tb_stream_tell, tb_stream_seek) is how decoding
   starts anywhere.  */
struct tb_stream;

/* A place in a stream, to come back to.  */
struct tb_stream_place
{
  uint64_t offset;		/* Of the frame (or byte) in the buffer.  */
  uint16_t skip;		/* Bytes of this ID in it that were consumed; without
				   frames 1: a break there is still to come.  */
  uint8_t id;			/* Current ID at the start of that frame.  */
};

/* Open ID of BUFFER, which counts for nothing if the buffer is joined; ID is TB_ID_NONE for
   unframed data (the whole buffer is one source's).  BUFFER must outlive the stream.
   NULL: no memory.  */
struct tb_stream *tb_stream_open (const struct tb_trace_buffer *buffer,
				  unsigned id);
void tb_stream_close (struct tb_stream *stream);

/* The bytes not yet consumed: at least TB_STREAM_LOOKAHEAD of them unless all
   to the end of the stream, or to a break in it, are there (*LAST is then true).
   *LENGTH may be 0 only with *LAST.  Valid until the next call with this
   stream.  */
const uint8_t *tb_stream_peek (struct tb_stream *stream, size_t *length,
			       bool *last);

/* The bytes end at a break in the buffer: four full synchronisation packets in a
   row, by which Linux says that what comes next was traced at another time.
   When all bytes before it are consumed: go behind it, and true; the next peek
   has what comes there, none of which may be taken together with what was before.
   False: there are bytes, or it is the end of the stream.  */
bool tb_stream_pass_break (struct tb_stream *stream);

/* Consume COUNT of the bytes that the last peek gave.  */
void tb_stream_consume (struct tb_stream *stream, size_t count);

/* Byte index in the trace buffer of the byte AHEAD of the current position
   (within what the last peek gave).  */
uint64_t tb_stream_index (const struct tb_stream *stream, size_t ahead);

/* The same for all bytes that the last peek gave: element I is that of byte I.
   NULL: they are not laid out so; ask tb_stream_index.  */
const uint64_t *tb_stream_indexes (const struct tb_stream *stream);

/* Do the bytes that the last peek gave follow each other in the buffer, so that byte I
   is at tb_stream_index (STREAM, 0) + I?  */
bool tb_stream_in_sequence (const struct tb_stream *stream);

void tb_stream_tell (const struct tb_stream *stream,
		     struct tb_stream_place *place);
/* The same with the next byte at hand, so that one place has one name; returns
   the byte's index in the buffer.  */
uint64_t tb_stream_tell_next (struct tb_stream *stream,
			      struct tb_stream_place *place);
void tb_stream_seek (struct tb_stream *stream,
		     const struct tb_stream_place *place);

/* Set *PLACE to one at OFFSET (in BUFFER) or a little later from which ID can be
   read.  Where the nearest ID byte before it or the next full synchronisation
   packet is far away, the bytes up to the next ID byte may be taken for ID's
   that are not, or frames to begin where they do not: whoever decodes from there
   has to make sure.  */
void tb_stream_near (const struct tb_trace_buffer *buffer, unsigned id,
		     uint64_t offset, struct tb_stream_place *place);

/* Count the bytes of each ID in BUFFER (framed); COUNTS[0] gets padding.
   FULL_SYNCS, when not NULL, the full syncs (FF FF FF 7F) found between frames.  */
void tb_stream_census (const struct tb_trace_buffer *buffer,
		       uint64_t counts[TB_TRACE_IDS], uint64_t *full_syncs);

/* The bytes of BUFFER behind its last whole frame, which belong to no ID; 0 where frames come from
   a port, which may stop anywhere, and where there are none.  */
unsigned tb_stream_rest (const struct tb_trace_buffer *buffer);

#endif /* TB_CORESIGHT_STREAM_H */
