/* The file that keeps the index of a trace buffer: the source index, and for each
   stream that was scanned its totals, places to decode from and the index of its
   ID.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An index file is a cache and is never trusted.  It carries the tag of a keyed
   hash, with a secret that only its user has: a file that somebody else wrote, or
   that was damaged, is ignored.  Its keys depend on the whole content of the buffer
   and of everything else that decoding depends on.
   The file holds no decoder's state, but places from which a decoder comes into that
   state by itself, and how many elements and steps lie before each.  The reader
   compares these with what it decodes, and stops using an index that does not fit.

   The form, all numbers little-endian:

     0  "TBINDEX\n"      8  version (4)      12  parts (4)
     16  key of the buffer (16)             32  length of the file (8)
     40  tag (16): of the file, as if the tag were zero
     56  for each part: kind (4), 0 (4), key (16), offset (8), length (8)

   then the parts, in that order and without gaps; index-parts.c has their
   form.  */

#ifndef TB_RECORDING_INDEX_FILE_H
#define TB_RECORDING_INDEX_FILE_H

#include "coresight/source-index.h"
#include "decode/id-index.h"
#include "recording/recording.h"
#include "recording/scan.h"
#include "util/buffer.h"
#include "util/mac.h"

/* Grows with any change of the form, or of what decoders deliver.  */
#define TB_INDEX_VERSION 14

/* One stream of the buffer.  */
struct tb_index_stream
{
  struct tb_mac_value key;	/* Of all that its decoding depends on.  */
  struct tb_recording_info info;
  struct tb_decoder_stats stats;
  struct tb_checkpoint *points;	/* Ascending; none has a saved state, all but
				   the first, which is the start, a sync.  What ran
				   behind each is known of all, and gaps.  */
  size_t npoints;
  struct tb_id_index ids;
};

struct tb_index
{
  struct tb_mac_value key;	/* Of the buffer's content.  */
  bool has_source;
  struct tb_source_index source;
  struct tb_index_stream *streams;
  size_t nstreams;
};

void tb_index_fini (struct tb_index *index);
void tb_index_stream_fini (struct tb_index_stream *stream);

/* The keys, by a secret's KEY.  */
struct tb_mac_value tb_index_buffer_key (const struct tb_trace_buffer *buffer,
					 const struct tb_mac_key *key);
struct tb_mac_value
tb_index_stream_key (const struct tb_decoder_config *config,
		     const struct tb_mac_key *key);

/* The stream with STREAM_KEY, or NULL.  */
const struct tb_index_stream *
tb_index_find (const struct tb_index *index, struct tb_mac_value stream_key);

/* Put STREAM, which is moved, into INDEX in place of one with its key.  False:
   no memory.  */
bool tb_index_put (struct tb_index *index, struct tb_index_stream *stream);

/* The file's bytes.  TO->failed: no memory.  */
void tb_index_encode (const struct tb_index *index,
		      const struct tb_mac_key *key, struct tb_buffer *to);

/* Read the SIZE BYTES of a file for the buffer with BUFFER_KEY.  False, and *INDEX
   is zero: they are not such a file; *WHY says so in a few words.  */
bool tb_index_decode (struct tb_index *index, const uint8_t *bytes,
		      size_t size, struct tb_mac_value buffer_key,
		      const struct tb_mac_key *key, const char **why);

/* Where to start for what lies at X: the last point of STREAM at or before it.
   Never NULL: the start of the trace if nothing else.  */
const struct tb_checkpoint *
tb_index_byte (const struct tb_index_stream *stream, uint64_t byte);
const struct tb_checkpoint *
tb_index_step (const struct tb_index_stream *stream, uint64_t step);
/* The last point behind which TIMESTAMP or a later one is first stated.  */
const struct tb_checkpoint *
tb_index_timestamp (const struct tb_index_stream *stream,
		    uint64_t timestamp);

/* index-parts.c: the parts' contents.  */
void tb_index_encode_source (const struct tb_source_index *source,
			     struct tb_buffer *to);
void tb_index_encode_stream (const struct tb_index_stream *stream,
			     struct tb_buffer *to);
bool tb_index_decode_source (struct tb_source_index *source,
			     const uint8_t *bytes, size_t size);
bool tb_index_decode_stream (struct tb_index_stream *stream,
			     const uint8_t *bytes, size_t size);

#endif /* TB_RECORDING_INDEX_FILE_H */
