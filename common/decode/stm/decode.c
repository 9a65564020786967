/* The STM decoder.  See packet.h for the protocol.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Packets are taken out of a run of bytes of which more is readable than the
   longest packet has, so that nothing is checked nibble by nibble; the last
   bytes of a stream are copied to where that holds.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decode/decoder.h"
#include "decode/stm/packet.h"

enum phase
{
  PHASE_SEARCH, PHASE_DECODE, PHASE_END, PHASE_DONE
};

/* How timestamps are written, as the VERSION packet says.  */
enum time_kind
{
  TIME_UNKNOWN,			/* No VERSION packet yet.  */
  TIME_BINARY, TIME_GRAY,
  /* Of STPv2 and STPv1 trace units other than the CoreSight STM: they count
     from a time that the trace does not tell.  */
  TIME_DELTA, TIME_LEGACY
};

/* All that a checkpoint keeps.  */
struct stm_state
{
  enum phase phase;
  bool report;			/* Say that there is no sync.  */
  uint8_t lost;			/* Why: enum tb_reason  */
  bool half;			/* The low nibble of the next byte is used.  */
  bool id_known;
  bool little_endian;
  uint8_t time_kind;
  uint16_t master, channel;
  uint64_t time;		/* As written, in Gray code for TIME_GRAY.  */
  struct tb_decoder_stats stats;
  struct tb_stream_place place;
};

struct stm_decoder
{
  struct tb_decoder base;
  struct tb_stream *stream;
  struct tb_stm_table table;
  struct stm_state s;
};

/* Nibbles to take packets from.  */
struct run
{
  const uint8_t *bytes;
  size_t at;			/* The next nibble.  */
  size_t stop;			/* Packets begin before this one ...  */
  size_t end;			/* ... and end here at the latest.  */
};

static void
lose_sync (struct stm_decoder *d, enum tb_reason reason)
{
  struct stm_state *s = &d->s;
  s->phase = PHASE_SEARCH;
  s->report = true;
  s->lost = reason;
  s->half = s->id_known = s->little_endian = false;
  s->time_kind = TIME_UNKNOWN;
  s->master = s->channel = 0;
  s->time = 0;
}

/* Synchronisation.  */

/* Find an ASYNC packet in the LENGTH bytes at BYTES.  Returns the number of the
   nibble after it, or 0.  */
static size_t
find_async (const uint8_t *bytes, size_t length)
{
  size_t from = 0;
  while (length - from >= TB_STM_ASYNC_ONES / 2 + 1)
    {
      const uint8_t *ones = memchr (bytes + from, 0xff, length - from);
      if (ones == NULL)
	return 0;
      size_t start = (size_t) (ones - bytes), end = start;
      while (end < length && bytes[end] == 0xff)
	end++;
      if (end == length)
	return 0;
      size_t nibbles = 2 * (end - start)
		       + (start > 0 && bytes[start - 1] >> 4 == 0xf);
      if (bytes[end] == 0x0f && nibbles + 1 >= TB_STM_ASYNC_ONES)
	return 2 * end + 2;
      if ((bytes[end] & 0xf) == 0 && nibbles >= TB_STM_ASYNC_ONES)
	return 2 * end + 1;
      from = end + 1;
    }
  return 0;
}

/* Look for synchronisation.  At most one element.  */
static bool
search (struct stm_decoder *d, struct tb_element *out)
{
  struct stm_state *s = &d->s;
  size_t length;
  bool last;
  const uint8_t *bytes = tb_stream_peek (d->stream, &length, &last);
  if (length == 0)
    {
      s->phase = PHASE_END;
      return false;
    }
  if (s->report)
    {
      *out = (struct tb_element) {
	.index = tb_stream_index (d->stream, 0), .kind = TB_ELEMENT_NO_SYNC,
	.reason = s->lost };
      s->report = false;
      return true;
    }
  size_t after = find_async (bytes, length);
  size_t used = after / 2;
  if (after != 0)
    {
      s->phase = PHASE_DECODE;
      s->half = after & 1;
      s->stats.syncs++;
      s->stats.packets++;
      s->stats.skipped += used - TB_STM_ASYNC_ONES / 2;
    }
  else
    {
      /* A packet may have begun in the last bytes.  */
      used = last ? length : length - (TB_STM_ASYNC_ONES / 2 + 1);
      s->stats.skipped += used;
    }
  s->stats.bytes += used;
  tb_stream_consume (d->stream, used);
  return false;
}

/* *AT is behind the opcode ff, which begins an ASYNC packet; go behind that, or
   behind the run if the packet does.  False: it is none.  */
static bool
read_async (const struct run *run, size_t *at)
{
  /* What is longer is not looked at: the search finds it.  */
  size_t ones = 2, i = *at;
  while (ones < TB_STM_PACKET_MAX
	 && (run->bytes[i / 2] >> (i & 1) * 4 & 0xf) == 0xf)
    ones++, i++;
  *at = i + 1;
  return i >= run->end
	 || ((run->bytes[i / 2] >> (i & 1) * 4 & 0xf) == 0
	     && ones >= TB_STM_ASYNC_ONES);
}

/* Packets.  */

/* Read the timestamp at nibble *AT and go behind it.  False: its size is
   none.  */
static inline bool
read_time (struct stm_state *s, const uint8_t *bytes, size_t *at)
{
  static const uint8_t sizes[16]
    = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 0xff };
  if (s->time_kind == TIME_LEGACY)
    {
      *at += 2;
      return true;
    }
  unsigned size = sizes[bytes[*at / 2] >> (*at & 1) * 4 & 0xf];
  if (size > 16 || s->time_kind == TIME_UNKNOWN)
    return false;
  uint64_t given = tb_stm_value (tb_stm_nibbles (bytes, *at + 1), size,
				 s->little_endian);
  /* Nibbles that are not given are as they were.  */
  uint64_t mask = size == 16 ? UINT64_MAX : (UINT64_C (1) << 4 * size) - 1;
  s->time = (s->time & ~mask) | given;
  *at += 1 + size;
  return true;
}

/* The VERSION packet whose nibble is VALUE.  Bit 3: eight more bits follow, at
   nibble *AT, of which the highest says that nibbles come lowest first.  */
static bool
read_version (struct stm_state *s, const uint8_t *bytes, uint64_t value,
	      size_t *at)
{
  static const uint8_t kinds[8] =
    { TIME_LEGACY, TIME_LEGACY, TIME_DELTA, TIME_BINARY, TIME_GRAY };
  if (kinds[value & 7] == TIME_UNKNOWN)
    return false;
  s->time_kind = kinds[value & 7];
  s->little_endian = false;
  s->master = s->channel = 0;
  if (value & 8)
    {
      uint64_t more = tb_stm_nibbles (bytes, *at);
      s->little_endian = tb_stm_value (more, 2, false) >> 7;
      *at += 2;
    }
  return true;
}

/* What came is no packet.  */
static struct tb_element *
bad (struct stm_decoder *d, struct tb_element *e, uint64_t index)
{
  *e = (struct tb_element) { .index = index, .kind = TB_ELEMENT_BAD_PACKET };
  d->s.stats.bad_packets++;
  lose_sync (d, TB_REASON_BAD_PACKET);
  return e + 1;
}

/* A packet of type TYPE with DATA changes who sends.  */
static inline void
set_sender (struct stm_state *s, enum tb_stm_packet_type type, uint64_t data)
{
  switch (type)
    {
    case TB_STM_MASTER_8:
      data |= s->master & 0xff00;
      /* Fall through.  */
    case TB_STM_MASTER_16:
      s->master = (uint16_t) data;
      s->channel = 0;
      s->id_known = true;
      break;
    case TB_STM_CHANNEL_8:
      data |= s->channel & 0xff00;
      /* Fall through.  */
    case TB_STM_CHANNEL_16:
      s->channel = (uint16_t) data;
      break;
    case TB_STM_MASTER_ERROR:
      s->channel = 0;
      break;
    case TB_STM_GLOBAL_ERROR:
      s->master = s->channel = 0;
      s->id_known = false;
      break;
    default:
      break;
    }
}

/* The element that a packet makes.  */
static inline void
make_element (const struct stm_state *s, const struct tb_stm_opcode *op,
	      uint64_t data, uint64_t index, struct tb_element *e)
{
  static const uint8_t flags[] =
  {
    [TB_STM_FLAG] = TB_SOFTWARE_MARKER,
    [TB_STM_TRIGGER] = TB_SOFTWARE_TRIGGER,
    [TB_STM_FREQUENCY] = TB_SOFTWARE_FREQUENCY,
    [TB_STM_MASTER_ERROR] = TB_SOFTWARE_MASTER_ERROR,
    [TB_STM_GLOBAL_ERROR] = TB_SOFTWARE_GLOBAL_ERROR,
    [TB_STM_LAST] = 0
  };
  *e = (struct tb_element) { .index = index, .kind = TB_ELEMENT_SOFTWARE,
			     .flags = flags[op->type] };
  e->u.software.data = data;
  e->u.software.bits = 4 * op->data;
  e->u.software.master = s->master;
  e->u.software.channel = s->channel;
  if (op->flags & TB_STM_MARKED)
    e->flags |= TB_SOFTWARE_MARKER;
  if (s->id_known)
    e->flags |= TB_SOFTWARE_ID;
  if ((op->flags & TB_STM_TIMED) && s->time_kind <= TIME_GRAY)
    {
      e->flags |= TB_SOFTWARE_TIMESTAMP;
      e->u.software.timestamp = s->time_kind == TIME_GRAY
				? tb_stm_from_gray (s->time) : s->time;
    }
}

/* The opcode that NIBBLES begin with.  */
static inline const struct tb_stm_opcode *
find_opcode (const struct tb_stm_table *table, uint64_t nibbles)
{
  const struct tb_stm_opcode *op = &table->two[nibbles & 0xff];
  if (op->type == TB_STM_LONGER)
    op = &table->three[nibbles >> 8 & 0xf];
  if (op->type == TB_STM_LONGER)
    op = &table->four[nibbles >> 12 & 0xf];
  return op;
}

/* Take packets from RUN; elements go to OUT, up to STOP.  Returns where the
   next one goes.  */
static struct tb_element *
decode_run (struct stm_decoder *d, struct run *run, struct tb_element *out,
	    struct tb_element *stop)
{
  struct stm_state *s = &d->s;
  const uint8_t *bytes = run->bytes;
  size_t at = run->at;
  uint64_t packets = 0;
  while (at < run->stop && out < stop)
    {
      uint64_t nibbles = tb_stm_nibbles (bytes, at);
      if ((nibbles & 0xf) == 0)
	{
	  /* NULL packets come in strings.  */
	  size_t nulls = nibbles == 0 ? 16
				      : (size_t) __builtin_ctzll (nibbles) / 4;
	  if (nulls > run->end - at)
	    nulls = run->end - at;
	  packets += nulls;
	  at += nulls;
	  continue;
	}
      const struct tb_stm_opcode *op = find_opcode (&d->table, nibbles);
      size_t next = at + op->size;
      uint64_t data = tb_stm_value (tb_stm_nibbles (bytes, next), op->data,
				    s->little_endian);
      next += op->data;
      bool fine = op->type != TB_STM_BAD;
      /* What is behind the end is not looked at.  */
      if (next >= run->end)
	next += (op->flags & TB_STM_TIMED) || op->type == TB_STM_ASYNC;
      else if (op->flags & TB_STM_TIMED)
	fine = read_time (s, bytes, &next);
      else if (op->type == TB_STM_VERSION)
	fine = read_version (s, bytes, data, &next);
      else if (op->type == TB_STM_ASYNC)
	fine = read_async (run, &next);
      if (next > run->end)
	{
	  /* The trace ends within a packet, of which nothing can be said.  */
	  at = run->end;
	  break;
	}
      packets++;
      uint64_t index = tb_stream_index (d->stream, at / 2);
      if (!fine)
	{
	  out = bad (d, out, index);
	  at++;
	  break;
	}
      at = next;
      s->stats.syncs += op->type == TB_STM_ASYNC;
      set_sender (s, op->type, data);
      if (op->type >= TB_STM_FIRST_ELEMENT)
	make_element (s, op, data, index, out++);
    }
  s->stats.packets += packets;
  run->at = at;
  return out;
}

/* Take packets until there is no room or sync is lost.  Returns how many
   elements.  */
static size_t
decode_packets (struct stm_decoder *d, struct tb_element *out, size_t room)
{
  /* A packet that begins at an odd nibble ends in this many bytes; a string of
     nibbles is read as nine bytes.  */
  enum { NEED = TB_STM_PACKET_MAX / 2 + 1, SPARE = 16 };
  _Static_assert (NEED + SPARE <= TB_STREAM_LOOKAHEAD, "a packet fits");
  struct stm_state *s = &d->s;
  struct tb_element *at = out, *stop = out + room;
  while (at < stop && s->phase == PHASE_DECODE)
    {
      size_t length;
      bool last;
      const uint8_t *bytes = tb_stream_peek (d->stream, &length, &last);
      if (length == 0)
	{
	  s->phase = PHASE_END;
	  break;
	}
      struct run run = { .bytes = bytes, .at = s->half, .end = 2 * length };
      uint8_t tail[NEED + SPARE + SPARE] = { 0 };
      if (length >= NEED + SPARE)
	run.stop = 2 * (length - (NEED + SPARE)) + 1;
      else
	{
	  memcpy (tail, bytes, length);
	  run.bytes = tail;
	  run.stop = run.end;
	}
      at = decode_run (d, &run, at, stop);
      s->half = s->phase == PHASE_DECODE && (run.at & 1);
      s->stats.bytes += run.at / 2;
      tb_stream_consume (d->stream, run.at / 2);
    }
  return at - out;
}

static size_t
stm_read (struct tb_decoder *base, struct tb_element *out, size_t capacity)
{
  struct stm_decoder *d = (struct stm_decoder *) base;
  struct stm_state *s = &d->s;
  size_t n = 0;
  while (n < capacity && s->phase != PHASE_DONE)
    switch (s->phase)
      {
      case PHASE_SEARCH:
	n += search (d, &out[n]);
	break;
      case PHASE_DECODE:
	n += decode_packets (d, out + n, capacity - n);
	break;
      case PHASE_END:
	out[n++] = (struct tb_element) {
	  .index = tb_stream_index (d->stream, 0), .kind = TB_ELEMENT_END };
	s->phase = PHASE_DONE;
	break;
      case PHASE_DONE:
	break;
      }
  base->stats = s->stats;
  return n;
}

static void *
stm_save (const struct tb_decoder *base)
{
  const struct stm_decoder *d = (const struct stm_decoder *) base;
  struct stm_state *copy = malloc (sizeof *copy);
  if (copy != NULL)
    {
      *copy = d->s;
      tb_stream_tell (d->stream, &copy->place);
    }
  return copy;
}

static void
stm_restore (struct tb_decoder *base, const void *saved)
{
  struct stm_decoder *d = (struct stm_decoder *) base;
  d->s = *(const struct stm_state *) saved;
  tb_stream_seek (d->stream, &d->s.place);
  base->stats = d->s.stats;
}

static void
stm_close (struct tb_decoder *base)
{
  struct stm_decoder *d = (struct stm_decoder *) base;
  tb_stream_close (d->stream);
  free (d);
}

static bool
stm_matches (const char *type)
{
  return strncasecmp (type, "STM", 3) == 0;
}

/* STMTCSR is at 0xe80, which snapshots give as such or as a word number.  NULL:
   it is not there.  */
static const struct tb_device_reg *
control_register (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, 0x3a0, "STMTCSR");
  return reg != NULL ? reg : tb_device_reg_id (source, 0xe80, "STMTCSR");
}

static unsigned
stm_trace_id (const struct tb_device *source)
{
  const struct tb_device_reg *reg = control_register (source);
  return reg != NULL ? reg->value >> 16 & 0x7f : TB_ID_NONE;
}

static struct tb_decoder *
stm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  unsigned id = stm_trace_id (config->source);
  if (config->buffer->format == TB_FORMAT_SOURCE_DATA)
    id = TB_ID_NONE;
  else if (id == TB_ID_NONE)
    {
      tb_error (diag, "%s: [regs]: expected STMTCSR (0x3a0), which says which of "
		"the buffer's bytes are this source's; found none",
		config->source->file);
      return NULL;
    }
  struct stm_decoder *d = calloc (1, sizeof *d);
  if (d != NULL)
    d->stream = tb_stream_open (config->buffer, id);
  if (d == NULL || d->stream == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      free (d);
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = &tb_protocol_stm, .read = stm_read, .save = stm_save,
    .restore = stm_restore, .close = stm_close
  };
  tb_stm_table_init (&d->table);
  lose_sync (d, TB_REASON_INIT);
  return &d->base;
}

const struct tb_protocol tb_protocol_stm = {
  .name = "STM",
  .matches = stm_matches,
  .trace_id = stm_trace_id,
  .open = stm_open,
  .software = true,
};
