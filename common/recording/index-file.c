/* The file that keeps the index of a trace buffer.  See index-file.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/index-file.h"

#include <stdlib.h>
#include <string.h>

#include "util/number.h"
#include "util/search.h"

#define MAGIC "TBINDEX\n"

/* The header and a line of its table.  */
enum
{
  AT_VERSION = 8, AT_PARTS = 12, AT_KEY = 16, AT_LENGTH = 32, AT_TAG = 40,
  TAG_SIZE = 16, HEADER_SIZE = 56, LINE_SIZE = 40
};

enum part_kind
{
  PART_SOURCE = 1,
  PART_STREAM = 2
};

/* More parts than there are trace IDs are no index.  */
#define PARTS_MOST 1024

void
tb_index_stream_fini (struct tb_index_stream *stream)
{
  for (size_t i = 0; i < stream->npoints; i++)
    tb_checkpoint_fini (&stream->points[i]);
  free (stream->points);
  tb_id_index_fini (&stream->ids);
  *stream = (struct tb_index_stream) { 0 };
}

void
tb_index_fini (struct tb_index *index)
{
  for (size_t i = 0; i < index->nstreams; i++)
    tb_index_stream_fini (&index->streams[i]);
  free (index->streams);
  tb_source_index_fini (&index->source);
  *index = (struct tb_index) { 0 };
}

/* Keys.  */

struct tb_mac_value
tb_index_buffer_key (const struct tb_trace_buffer *buffer,
		     const struct tb_mac_key *key)
{
  struct tb_mac mac;
  tb_mac_start (&mac, key);
  tb_mac_text (&mac, "buffer");
  tb_mac_u64 (&mac, buffer->format);
  tb_mac_u64 (&mac, buffer->size);
  for (size_t i = 0; i < buffer->nspans; i++)
    tb_mac_bytes (&mac, buffer->spans[i].data, buffer->spans[i].size);
  /* What is decoded depends on where there are breaks, and whether IDs count.  */
  uint64_t at = 0;
  for (size_t i = 0; i < buffer->nspans; at += buffer->spans[i++].size)
    if (buffer->fresh != NULL && buffer->fresh[i])
      tb_mac_u64 (&mac, at);
  tb_mac_u64 (&mac, UINT64_MAX);
  tb_mac_u64 (&mac, buffer->joined);
  return tb_mac_end (&mac);
}

static void
add_device (struct tb_mac *mac, const struct tb_device *device)
{
  tb_mac_u64 (mac, device != NULL);
  if (device == NULL)
    return;
  tb_mac_text (mac, device->type);
  tb_mac_u64 (mac, device->nregs);
  for (size_t i = 0; i < device->nregs; i++)
    {
      const struct tb_device_reg *reg = &device->regs[i];
      tb_mac_text (mac, reg->name);
      tb_mac_u64 (mac, reg->has_id ? reg->id : UINT64_MAX);
      tb_mac_u64 (mac, reg->bits);
      tb_mac_u64 (mac, reg->value);
    }
}

struct tb_mac_value
tb_index_stream_key (const struct tb_decoder_config *config,
		     const struct tb_mac_key *key)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (config->map, &regions);
  struct tb_mac mac;
  tb_mac_start (&mac, key);
  tb_mac_text (&mac, "stream " PACKAGE_VERSION);
  tb_mac_u64 (&mac, TB_INDEX_VERSION);
  add_device (&mac, config->source);
  add_device (&mac, config->core);
  tb_mac_u64 (&mac, config->profile->arch);
  tb_mac_u64 (&mac, (unsigned) config->profile->is_m
		    | (unsigned) config->profile->has_a64 << 1
		    | (unsigned) config->profile->has_fp << 2);
  tb_mac_u64 (&mac, n);
  for (size_t i = 0; i < n; i++)
    {
      tb_mac_u64 (&mac, regions[i].address);
      tb_mac_u64 (&mac, regions[i].space);
      tb_mac_u64 (&mac, regions[i].access | (unsigned) regions[i].halt_contents << 8);
      tb_mac_bytes (&mac, regions[i].data, regions[i].length);
    }
  const struct tb_context *contexts;
  n = tb_memmap_contexts (config->map, &contexts);
  tb_mac_u64 (&mac, config->space);
  tb_mac_u64 (&mac, n);
  for (size_t i = 0; i < n; i++)
    {
      tb_mac_u64 (&mac, (unsigned) contexts[i].has_cid | (unsigned) contexts[i].has_vmid << 1);
      tb_mac_u64 (&mac, (uint64_t) contexts[i].cid << 32 | contexts[i].vmid);
      tb_mac_u64 (&mac, contexts[i].space);
    }
  return tb_mac_end (&mac);
}

/* Streams.  */

static size_t
position (const struct tb_index *index, struct tb_mac_value key)
{
  size_t i = 0;
  while (i < index->nstreams && !tb_mac_equal (index->streams[i].key, key))
    i++;
  return i;
}

const struct tb_index_stream *
tb_index_find (const struct tb_index *index, struct tb_mac_value stream_key)
{
  size_t i = position (index, stream_key);
  return i < index->nstreams ? &index->streams[i] : NULL;
}

bool
tb_index_put (struct tb_index *index, struct tb_index_stream *stream)
{
  size_t i = position (index, stream->key);
  if (i == index->nstreams)
    {
      struct tb_index_stream *streams = NULL;
      /* Whoever tries many images over one buffer does not want all kept.  */
      if (i >= PARTS_MOST / 2)
	tb_index_stream_fini (&index->streams[--i]);
      else
	streams = realloc (index->streams, (i + 1) * sizeof *streams);
      if (streams == NULL && i == index->nstreams)
	{
	  tb_index_stream_fini (stream);
	  return false;
	}
      if (streams != NULL)
	{
	  index->streams = streams;
	  index->nstreams++;
	}
    }
  else
    tb_index_stream_fini (&index->streams[i]);
  index->streams[i] = *stream;
  *stream = (struct tb_index_stream) { 0 };
  return true;
}

/* The file.  */

/* The tag of a file of SIZE BYTES.  */
static struct tb_mac_value
tag_of (const uint8_t *bytes, size_t size, const struct tb_mac_key *key)
{
  struct tb_mac mac;
  tb_mac_start (&mac, key);
  tb_mac_text (&mac, "index file");
  tb_mac_bytes (&mac, bytes, AT_TAG);
  tb_mac_bytes (&mac, bytes + AT_TAG + TAG_SIZE, size - AT_TAG - TAG_SIZE);
  return tb_mac_end (&mac);
}

static void
put_value (struct tb_buffer *to, struct tb_mac_value value)
{
  tb_buffer_append_le (to, value.word[0], 8);
  tb_buffer_append_le (to, value.word[1], 8);
}

static struct tb_mac_value
value_at (const uint8_t *p)
{
  return (struct tb_mac_value) { { tb_number (p, 8), tb_number (p + 8, 8) } };
}

/* Put VALUE at AT of BUFFER, which has room there.  */
static void
patch (struct tb_buffer *buffer, size_t at, uint64_t value)
{
  if (!buffer->failed)
    for (unsigned i = 0; i < 8; i++)
      buffer->data[at + i] = (uint8_t) (value >> (8 * i));
}

void
tb_index_encode (const struct tb_index *index, const struct tb_mac_key *key,
		 struct tb_buffer *to)
{
  size_t parts = index->nstreams + index->has_source;
  tb_buffer_append (to, MAGIC, 8);
  tb_buffer_append_le (to, TB_INDEX_VERSION, 4);
  tb_buffer_append_le (to, parts, 4);
  put_value (to, index->key);
  tb_buffer_append_le (to, 0, 8);
  put_value (to, (struct tb_mac_value) { { 0, 0 } });
  for (size_t i = 0; i < parts; i++)
    {
      bool source = index->has_source && i == 0;
      struct tb_mac_value none = { { 0, 0 } };
      tb_buffer_append_le (to, source ? PART_SOURCE : PART_STREAM, 8);
      put_value (to, source ? none
			    : index->streams[i - index->has_source].key);
      tb_buffer_append_le (to, 0, 8);
      tb_buffer_append_le (to, 0, 8);
    }
  for (size_t i = 0; i < parts; i++)
    {
      size_t from = to->size, line = HEADER_SIZE + i * LINE_SIZE;
      if (index->has_source && i == 0)
	tb_index_encode_source (&index->source, to);
      else
	tb_index_encode_stream (&index->streams[i - index->has_source], to);
      patch (to, line + 24, from);
      patch (to, line + 32, to->size - from);
    }
  patch (to, AT_LENGTH, to->size);
  if (to->failed)
    return;
  struct tb_mac_value tag = tag_of (to->data, to->size, key);
  patch (to, AT_TAG, tag.word[0]);
  patch (to, AT_TAG + 8, tag.word[1]);
}

/* Read the part that LINE describes.  */
static bool
decode_part (struct tb_index *index, const uint8_t *bytes, const uint8_t *line)
{
  const uint8_t *part = bytes + tb_number (line + 24, 8);
  size_t length = tb_number (line + 32, 8);
  switch (tb_number (line, 8))
    {
    case PART_SOURCE:
      if (index->has_source
	  || !tb_index_decode_source (&index->source, part, length))
	return false;
      index->has_source = true;
      return true;
    case PART_STREAM:
      {
	struct tb_index_stream stream;
	if (!tb_index_decode_stream (&stream, part, length))
	  return false;
	stream.key = value_at (line + 8);
	return tb_index_put (index, &stream);
      }
    default:
      return false;
    }
}

bool
tb_index_decode (struct tb_index *index, const uint8_t *bytes, size_t size,
		 struct tb_mac_value buffer_key, const struct tb_mac_key *key,
		 const char **why)
{
  *index = (struct tb_index) { 0 };
  *why = "it is not an index file";
  if (size < HEADER_SIZE || memcmp (bytes, MAGIC, 8) != 0)
    return false;
  *why = "it is of another version";
  if (tb_number (bytes + AT_VERSION, 4) != TB_INDEX_VERSION)
    return false;
  *why = "it is damaged, or was made by another user";
  if (tb_number (bytes + AT_LENGTH, 8) != size
      || !tb_mac_equal (value_at (bytes + AT_TAG), tag_of (bytes, size, key)))
    return false;
  *why = "it is that of another trace";
  if (!tb_mac_equal (value_at (bytes + AT_KEY), buffer_key))
    return false;

  /* From here on only a program that has the secret can have done wrong.  */
  *why = "its contents make no sense";
  uint64_t parts = tb_number (bytes + AT_PARTS, 4);
  uint64_t next = HEADER_SIZE + parts * LINE_SIZE;
  bool ok = parts <= PARTS_MOST && next <= size;
  index->key = buffer_key;
  for (uint64_t i = 0; ok && i < parts; i++)
    {
      const uint8_t *line = bytes + HEADER_SIZE + i * LINE_SIZE;
      uint64_t length = tb_number (line + 32, 8);
      ok = tb_number (line + 24, 8) == next && length <= size - next
	   && decode_part (index, bytes, line);
      next += ok ? length : 0;
    }
  if (ok && next == size)
    return true;
  tb_index_fini (index);
  return false;
}

/* Where to start.  */

/* How many points of STREAM come at or before VALUE, by what FIELD is of each
   (0: byte, 1: step).  */
static size_t
points_up_to (const struct tb_index_stream *stream, int field, uint64_t value)
{
  const struct tb_checkpoint *points = stream->points;
  size_t low;
  TB_LOWER_BOUND (low, stream->npoints,
		  (field == 0 ? points[low].index : points[low].start.step) <= value);
  return low;
}

const struct tb_checkpoint *
tb_index_byte (const struct tb_index_stream *stream, uint64_t byte)
{
  return &stream->points[points_up_to (stream, 0, byte) - 1];
}

const struct tb_checkpoint *
tb_index_step (const struct tb_index_stream *stream, uint64_t step)
{
  return &stream->points[points_up_to (stream, 1, step) - 1];
}

const struct tb_checkpoint *
tb_index_timestamp (const struct tb_index_stream *stream, uint64_t timestamp)
{
  /* Timestamps may be set back: the first point with a later one ends it.  */
  size_t i = 1;
  while (i < stream->npoints
	 && (!stream->points[i].start.has_timestamp
	     || stream->points[i].start.timestamp < timestamp))
    i++;
  return &stream->points[i - 1];
}
