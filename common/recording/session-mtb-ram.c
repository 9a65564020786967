/* The RAM that the trace unit of a stream writes.  What a dump has there is what the unit wrote
   last, and not what was there at earlier steps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session.h"

#include <stdlib.h>
#include <string.h>

#include "decode/mtb/find.h"
#include "decode/mtb/mtb.h"
#include "util/number.h"
#include "util/search.h"

#define PACKET TB_MTB_PACKET_SIZE

/* No MTB has as much memory.  Of more packets any memory may be the unit's.  */
#define PACKETS_MOST (UINT64_C (1) << 22)

/* The packets of a buffer are in a dump of RAM, too: which bytes of that they are nobody says.
   Each row of packets in it that follow each other in the buffer may be the buffer, or a copy of
   it; the buffer may be cut short there, and begin anywhere.  */
struct ram_search
{
  const struct tb_trace_buffer *buffer;
  /* Of each packet of the buffer, itself and the next one, sorted; the first comes behind the
     last.  */
  struct pair
  {
    uint64_t packet, next;
  } *pairs;
  size_t count;
  uint64_t least;		/* So many in a row are no accident inside of a dump.  */
  /* A row is a part of the area, all of which the unit may have written.  */
  bool is_part;
  uint64_t seen[1024];		/* A bit for each hash that a packet has.  */
  uint64_t first, end;		/* What was found; FIRST == END: nothing.  */
};

static size_t
hash (uint64_t packet)
{
  return (size_t) (packet * UINT64_C (0x9e3779b97f4a7c15) >> 48);
}

static bool
comes_before (const struct pair *a, const struct pair *b)
{
  return a->packet != b->packet ? a->packet < b->packet : a->next < b->next;
}

static int
compare_pairs (const void *a, const void *b)
{
  return comes_before (b, a) - comes_before (a, b);
}

/* PACKET as it is in memory.  */
static uint64_t
word_of (const struct tb_mtb_packet *packet)
{
  uint64_t source = packet->source | packet->atomic;
  return source | (uint64_t) (packet->destination | packet->start) << 32;
}

/* Note the packets of BUFFER in S, which has room for them.  */
static void
note_pairs (struct ram_search *s, const struct tb_mtb_buffer *buffer)
{
  struct tb_mtb_packet packet;
  uint64_t index;
  s->count = (size_t) buffer->count;
  for (size_t i = 0; i < s->count; i++)
    {
      tb_mtb_packet (buffer, i, &packet, &index);
      s->pairs[i].packet = word_of (&packet);
      s->pairs[i > 0 ? i - 1 : s->count - 1].next = s->pairs[i].packet;
      s->seen[hash (s->pairs[i].packet) / 64]
	|= UINT64_C (1) << hash (s->pairs[i].packet) % 64;
    }
  s->least = s->count < TB_MTB_FIND_LEAST ? s->count : TB_MTB_FIND_LEAST;
  qsort (s->pairs, s->count, sizeof *s->pairs, compare_pairs);
}

/* Does NEXT come behind PACKET in the buffer of S?  *IS_ONE: PACKET is there.  */
static bool
is_pair (const struct ram_search *s, uint64_t packet, uint64_t next, bool *is_one)
{
  const struct pair pair = { packet, next };
  size_t at;
  *is_one = false;
  if ((s->seen[hash (packet) / 64] >> hash (packet) % 64 & 1) == 0)
    return false;
  TB_LOWER_BOUND (at, s->count, comes_before (&s->pairs[at], &pair));
  *is_one = (at < s->count && s->pairs[at].packet == packet)
	    || (at > 0 && s->pairs[at - 1].packet == packet);
  return at < s->count && s->pairs[at].packet == packet && s->pairs[at].next == next;
}

/* Has DUMP from OFFSET on all bytes of BUFFER, in their order?  */
static bool
has_all (const struct tb_dump *dump, uint64_t offset, const struct tb_trace_buffer *buffer)
{
  bool has = dump->length - offset >= buffer->size;
  for (size_t i = 0; i < buffer->nspans && has; offset += buffer->spans[i++].size)
    has = memcmp (dump->data + offset, buffer->spans[i].data, buffer->spans[i].size) == 0;
  return has;
}

/* Take what lies from FIRST to END, and BEFORE and BEHIND these, for memory of the unit.  */
static void
widen (struct ram_search *s, uint64_t first, uint64_t end, uint64_t before, uint64_t behind)
{
  first = first > before ? first - before : 0;
  end = end < UINT64_MAX - behind ? end + behind : UINT64_MAX;
  bool any = s->first != s->end;
  s->first = any && s->first < first ? s->first : first;
  s->end = any && s->end > end ? s->end : end;
}

/* DUMP has a row of LENGTH bytes of packets from OFFSET on: take it, if it is long enough, or may
   go on outside of DUMP.  A packet that the dump's edge cuts is of the row.  */
static void
take_row (struct ram_search *s, const struct tb_dump *dump, uint64_t offset, uint64_t length)
{
  uint64_t size = s->buffer->size, before = offset < PACKET ? PACKET : 0;
  uint64_t behind = dump->length - offset - length < PACKET ? PACKET : 0;
  uint64_t first = dump->address + offset, end = first + length;
  if (length < PACKET * s->least && before == 0 && behind == 0)
    return;
  /* Where the area begins is not known, but where it is copied as it is.  */
  if (s->is_part && size > length && !has_all (dump, offset, s->buffer))
    before = behind = size - length > PACKET ? size - length : PACKET;
  else
    {
      before = offset > 0 ? before : 0;
      behind = offset + length < dump->length ? behind : 0;
    }
  widen (s, first, end, before, behind);
}

/* Take the packet, if it is one, that DUMP, of CORE, has the begin of and other dumps the rest.  */
static void
look_at_end (struct ram_search *s, const struct tb_session_core *core, const struct tb_dump *dump)
{
  uint8_t bytes[PACKET];
  bool is_one;
  uint64_t at = (dump->address + dump->length) & -(uint64_t) PACKET;
  if (dump->address + dump->length == at
      || tb_memmap_read (core->map, dump->space, at, bytes, PACKET) != PACKET)
    return;
  uint64_t packet = tb_number (bytes, PACKET), size = s->buffer->size;
  is_pair (s, packet, 0, &is_one);
  uint64_t around = s->is_part && size > PACKET ? size - PACKET : 0;
  if (packet != 0 && is_one)
    widen (s, at, at + PACKET, around, around);
}

/* Look for rows of packets in DUMP.  */
static void
look (struct ram_search *s, const struct tb_dump *dump)
{
  uint64_t skip = -dump->address % PACKET, row = 0;
  /* Zeros are no sign of a packet, however few there are at an edge.  */
  uint64_t any = 0;
  for (uint64_t at = skip; at < dump->length && dump->length - at >= PACKET; at += PACKET)
    {
      const uint8_t *bytes = dump->data + at;
      uint64_t packet = tb_number (bytes, PACKET);
      bool last = dump->length - at < 2 * PACKET, is_one;
      bool goes_on = is_pair (s, packet, last ? 0 : tb_number (bytes + PACKET, PACKET), &is_one);
      row = is_one ? row + 1 : 0;
      any |= packet;
      if (row > 0 && (last || !goes_on))
	{
	  if (any != 0 || row >= s->least)
	    take_row (s, dump, at + PACKET - PACKET * row, PACKET * row);
	  row = 0;
	}
      any = row > 0 ? any : 0;
    }
}

/* The memory of the core of STREAM from the first row of its packets to the last, with what lies
   between, is taken for what the unit wrote.  */
static enum tb_status
find_packets (const struct tb_session_stream *stream, uint64_t *address, uint64_t *length)
{
  const struct tb_device *core = stream->core->device;
  struct tb_decoder_config config;
  struct tb_mtb_buffer buffer;
  struct tb_diag silent = { 0 };
  tb_session_decoder_config (stream, &config);
  if (core == NULL || stream->buffer == NULL || !tb_mtb_locate (&buffer, &config, &silent)
      || buffer.count == 0)
    return TB_OK;
  if (core->ndumps == 0)
    return TB_OK;
  if (buffer.count > PACKETS_MOST)
    {
      *length = UINT64_MAX;
      return TB_OK;
    }
  struct ram_search s = { .buffer = stream->buffer };
  s.pairs = calloc ((size_t) buffer.count, sizeof *s.pairs);
  if (s.pairs == NULL)
    return TB_ERR_MEMORY;
  note_pairs (&s, &buffer);
  /* Packets that are taken while it is not known where they begin are a part of the area
     (session-mtb-take.c), which goes on at both sides.  */
  s.is_part = stream->source->evidence != NULL && !buffer.wrapped;
  for (size_t i = 0; i < core->ndumps; i++)
    {
      look (&s, &core->dumps[i]);
      look_at_end (&s, stream->core, &core->dumps[i]);
    }
  free (s.pairs);
  *address = s.first;
  *length = s.end - s.first;
  return TB_OK;
}

/* Is the trace area of STREAM a part of a dump that its buffer points into?  It begins anywhere
   there (tb_snapshot_add_mtb).  */
static bool
is_in_dump (const struct tb_session_stream *stream, uint64_t *address, uint64_t *length)
{
  const struct tb_device *core = stream->core->device;
  for (size_t i = 0; core != NULL && stream->buffer != NULL
		     && stream->buffer->nspans <= 2 && i < core->ndumps; i++)
    {
      const struct tb_span *spans = stream->buffer->spans;
      const struct tb_dump *d = &core->dumps[i];
      const uint8_t *begin = stream->buffer->nspans == 0 ? NULL
			     : stream->buffer->nspans == 2 ? spans[1].data : spans[0].data;
      if (begin != NULL && (uintptr_t) begin - (uintptr_t) d->data < d->length)
	{
	  *address = d->address + (uint64_t) (begin - d->data);
	  *length = stream->buffer->size;
	  return true;
	}
    }
  return false;
}

enum tb_status
tb_session_trace_ram (const struct tb_session_stream *stream,
		      uint64_t *address, uint64_t *length)
{
  *address = *length = 0;
  if (stream->protocol != &tb_protocol_mtb || is_in_dump (stream, address, length)
      || tb_mtb_ram (stream->source, stream->core->map,
		     stream->buffer != NULL ? stream->buffer->size : 0, address, length))
    return TB_OK;
  return find_packets (stream, address, length);
}
