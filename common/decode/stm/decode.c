/* STPv2 packets to elements.  See internal.h, and packet.h for the protocol.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Packets are taken out of a run of bytes of which more is readable than the
   longest packet has, so that nothing is checked nibble by nibble; the last
   bytes of a stream are copied to where that holds.  */

#include "config.h"
#include "decode/stm/internal.h"

#include <string.h>

/* Nibbles to take packets from.  */
struct stm_run
{
  const uint8_t *bytes;
  const uint64_t *indexes;	/* Of BYTES in the buffer, or NULL.  */
  size_t at;			/* The next nibble.  */
  size_t stop;			/* Packets begin before this one ...  */
  size_t end;			/* ... and end here at the latest.  */
  bool whole;			/* All that begin before STOP end before END.  */
};

/* AT is behind the opcode ff, which begins an ASYNC packet.  Returns where that ends,
   behind the run if the packet does; 0: it is none.  */
static size_t
read_async (const struct stm_run *run, size_t at)
{
  /* What is longer is not looked at: the search finds it.  */
  size_t ones = 2, i = at;
  while (ones < TB_STM_PACKET_MAX && tb_stm_nibble (run->bytes, i) == 0xf)
    ones++, i++;
  return i >= run->end
	 || (tb_stm_nibble (run->bytes, i) == 0 && ones >= TB_STM_ASYNC_ONES)
	 ? i + 1 : 0;
}

/* The SIZE nibbles at AT are the low ones of the time; the others are as they
   were.  Returns where they end.  */
static inline size_t
set_time (struct tb_stm_state *s, const uint8_t *bytes, unsigned size,
	  size_t at)
{
  uint64_t given = tb_stm_value (tb_stm_nibbles (bytes, at), size,
				 s->little_endian);
  uint64_t mask = size == 16 ? UINT64_MAX : (UINT64_C (1) << 4 * size) - 1;
  s->time = (s->time & ~mask) | given;
  return at + size;
}

/* Read the timestamp at nibble AT, which begins with its size.  Returns where it ends; 0:
   its size is none.  Of the usual sizes see take_data.  */
static inline size_t
read_sized_time (struct tb_stm_state *s, const uint8_t *bytes, size_t at)
{
  unsigned size = tb_stm_nibble (bytes, at);
  at++;
  switch (size)
    {
    case 0:
      return at;
    case 1:
      return set_time (s, bytes, 1, at);
    case 2:
      return set_time (s, bytes, 2, at);
    case 3:
      return set_time (s, bytes, 3, at);
    case 13:
      return set_time (s, bytes, 14, at);
    case 14:
      return set_time (s, bytes, 16, at);
    case 15:
      return 0;
    default:
      return set_time (s, bytes, size, at);
    }
}

/* The same of whatever kind timestamps are.  */
static inline size_t
read_time (struct tb_stm_state *s, const uint8_t *bytes, size_t at)
{
  if (s->time_kind == TB_STM_TIME_LEGACY)
    return at + 2;
  return s->time_kind == TB_STM_TIME_UNKNOWN ? 0 : read_sized_time (s, bytes, at);
}

/* The VERSION packet whose nibble is VALUE.  Bit 3: eight more bits follow, at
   nibble AT, of which the highest says that nibbles come lowest first.  Returns where
   it ends; 0: it is none.  */
static size_t
read_version (struct tb_stm_state *s, const uint8_t *bytes, uint64_t value,
	      size_t at)
{
  static const uint8_t kinds[8] =
  {
    TB_STM_TIME_LEGACY, TB_STM_TIME_LEGACY, TB_STM_TIME_DELTA,
    TB_STM_TIME_BINARY, TB_STM_TIME_GRAY
  };
  if (kinds[value & 7] == TB_STM_TIME_UNKNOWN)
    return 0;
  s->time_kind = kinds[value & 7];
  s->little_endian = false;
  s->master = s->channel = 0;
  if ((value & 8) == 0)
    return at;
  uint64_t more = tb_stm_nibbles (bytes, at);
  s->little_endian = tb_stm_value (more, 2, false) >> 7;
  return at + 2;
}

/* What a packet of type TYPE with DATA does beside making an element; AT is
   behind the data.  Returns where it ends; 0: it is none.  */
static size_t
take_special (struct tb_stm_state *s, const struct stm_run *run,
	      enum tb_stm_packet_type type, uint64_t data, size_t at)
{
  switch (type)
    {
    case TB_STM_ASYNC:
      at = read_async (run, at);
      s->sw.stats.syncs += at > 0 && at <= run->end;
      return at;
    case TB_STM_VERSION:
      return at > run->end ? at : read_version (s, run->bytes, data, at);
    case TB_STM_MASTER_8:
      data |= s->master & 0xff00;
      /* Fall through.  */
    case TB_STM_MASTER_16:
      s->master = (uint16_t) data;
      s->channel = 0;
      s->sender_flags = TB_SOFTWARE_ID;
      return at;
    case TB_STM_CHANNEL_8:
      data |= s->channel & 0xff00;
      /* Fall through.  */
    case TB_STM_CHANNEL_16:
      s->channel = (uint16_t) data;
      return at;
    case TB_STM_MASTER_ERROR:
      s->channel = 0;
      return at;
    case TB_STM_GLOBAL_ERROR:
      s->master = s->channel = 0;
      s->sender_flags = 0;
      return at;
    default:
      return 0;
    }
}

/* The opcode that NIBBLES begin with; *SIZE is that of the opcode.  */
static inline const struct tb_stm_opcode *
find_opcode (uint64_t nibbles, size_t *size)
{
  *size = 1;
  if ((nibbles & 0xf) != 0xf)
    return &tb_stm_one[nibbles & 0xf];
  const struct tb_stm_opcode *op = &tb_stm_two[nibbles >> 4 & 0xf];
  *size = 2;
  if (op->type != TB_STM_LONGER)
    return op;
  op = &tb_stm_three[nibbles >> 8 & 0xf];
  *size = 3;
  if (op->type != TB_STM_LONGER)
    return op;
  *size = 4;
  return &tb_stm_four[nibbles >> 12 & 0xf];
}

/* Let *DATA be the COUNT nibbles of data behind the opcode of a packet, which has SIZE
   nibbles and begins at AT with NIBBLES; returns where they end.  The usual counts are
   told apart so that where the next packet begins, for which everything waits, is guessed
   by branch prediction and need not wait for this opcode.  */
static inline size_t
take_data (const struct tb_stm_state *s, const uint8_t *bytes, size_t at,
	   uint64_t nibbles, size_t size, unsigned count, uint64_t *data)
{
  switch (count)
    {
    case 0:
      *data = 0;
      return at + size;
    case 2:
      *data = tb_stm_value (nibbles >> 4 * size, 2, s->little_endian);
      return at + size + 2;
    case 8:
      *data = tb_stm_value (nibbles >> 4 * size, 8, s->little_endian);
      return at + size + 8;
    default:
      *data = tb_stm_value (tb_stm_nibbles (bytes, at + size), count, s->little_endian);
      return at + size + count;
    }
}

static inline uint64_t
index_of (const struct tb_stm_decoder *d, const struct stm_run *run, size_t at)
{
  return run->indexes != NULL ? run->indexes[at / 2]
			      : tb_stream_index (d->sw.stream, at / 2);
}

static void
note_nulls (const struct tb_stm_decoder *d, const struct stm_run *run,
	    size_t at, size_t nulls)
{
  for (size_t end = at + nulls; at < end; at++)
    {
      const struct tb_stm_packet packet = { .upper = at & 1 };
      tb_packet_noted (&d->sw.base, 2 * TB_STM_NULL, 4, index_of (d, run, at),
		       &packet);
    }
}

static uint64_t
time_of (const struct tb_stm_state *s)
{
  return s->time_kind == TB_STM_TIME_GRAY ? tb_stm_from_gray (s->time) : s->time;
}

/* The packet of OP, which is SIZE nibbles long, with DATA goes from AT up to NEXT;
   or, !FINE, it is none.  */
static void
note_packet (const struct tb_stm_decoder *d, const struct stm_run *run,
	     const struct tb_stm_opcode *op, size_t size, uint64_t data,
	     bool fine, size_t at, size_t next)
{
  struct tb_stm_packet packet = {
    .data = data, .bits = 4 * op->data, .flags = op->flags, .upper = at & 1,
    .timed = op->timed && d->s.time_kind <= TB_STM_TIME_GRAY,
    .timestamp = time_of (&d->s)
  };
  if (!fine)
    {
      packet.bits = (uint8_t) (4 * size);
      packet.data = tb_stm_value (tb_stm_nibbles (run->bytes, at), (unsigned) size, false);
    }
  tb_packet_noted (&d->sw.base, fine ? tb_stm_count_of (op) : 2 * TB_STM_BAD,
		   fine ? 4 * (next - at) : 0, index_of (d, run, at), &packet);
}

/* Make *E what software sent: DATA of NIBBLES.  Field by field, as clearing it first takes as long
   again.  */
static inline void
put_element (struct tb_element *e, uint64_t index, unsigned flags, uint64_t timestamp,
	     uint64_t data, unsigned nibbles, const struct tb_stm_state *s)
{
  tb_element_begin (e, index, TB_ELEMENT_SOFTWARE, flags, 0);
  memset (&e->u.software, 0, sizeof e->u.software);
  e->u.software.data = data;
  e->u.software.timestamp = timestamp;
  e->u.software.master = s->master;
  e->u.software.channel = s->channel;
  e->u.software.bits = (uint8_t) (4 * nibbles);
}

/* Take packets from RUN as decode_run does, up to the first one that does more than make an
   element.  Nobody lists packets, and all that begin before RUN->stop are whole.  */
static struct tb_element *
take_plain (struct tb_stm_decoder *d, struct stm_run *run, struct tb_element *out,
	    struct tb_element *stop)
{
  struct tb_stm_state *s = &d->s;
  const uint8_t *bytes = run->bytes;
  const size_t end = run->stop;
  const bool gray = s->time_kind == TB_STM_TIME_GRAY;
  struct tb_element *first = out;
  size_t at = run->at;
  if (!gray && s->time_kind != TB_STM_TIME_BINARY)
    return out;
  while (at < end && out < stop)
    {
      uint64_t nibbles = tb_stm_nibbles_15 (bytes, at), data;
      const struct tb_stm_opcode *op = &tb_stm_one[nibbles & 0xf];
      size_t next;
      /* Code of its own for each size: see take_data.  */
      if ((nibbles & 0xf) != 0xf)
	next = take_data (s, bytes, at, nibbles, 1, op->data, &data);
      else
	{
	  op = &tb_stm_two[nibbles >> 4 & 0xf];
	  next = take_data (s, bytes, at, nibbles, 2, op->data, &data);
	}
      if (op->type < TB_STM_FIRST_PLAIN)
	break;
      unsigned flags = op->flags | s->sender_flags;
      uint64_t timestamp = 0;
      if (op->timed)
	{
	  next = read_sized_time (s, bytes, next);
	  if (next == 0)
	    break;
	  flags |= TB_SOFTWARE_TIMESTAMP;
	  timestamp = gray ? tb_stm_from_gray (s->time) : s->time;
	}
      put_element (out++, index_of (d, run, at), flags, timestamp, data, op->data, s);
      at = next;
    }
  s->sw.stats.packets += (size_t) (out - first);
  run->at = at;
  return out;
}

/* Take packets from RUN; elements go to OUT, up to STOP.  Returns where the
   next one goes.  */
static struct tb_element *
decode_run (struct tb_stm_decoder *d, struct stm_run *run, struct tb_element *out,
	    struct tb_element *stop)
{
  struct tb_stm_state *s = &d->s;
  const uint8_t *bytes = run->bytes;
  size_t at = run->at;
  uint64_t packets = 0;
  while (at < run->stop && out < stop)
    {
      if (run->whole && !tb_packets_noted (&d->sw.base))
	{
	  run->at = at;
	  out = take_plain (d, run, out, stop);
	  at = run->at;
	  if (at >= run->stop || out == stop)
	    break;
	}
      uint64_t nibbles = tb_stm_nibbles_15 (bytes, at);
      if ((nibbles & 0xf) == 0)
	{
	  /* NULL packets come in strings.  */
	  size_t nulls = nibbles == 0 ? 15
				      : (size_t) __builtin_ctzll (nibbles) / 4;
	  if (nulls > run->end - at)
	    nulls = run->end - at;
	  packets += nulls;
	  if (tb_packets_noted (&d->sw.base))
	    note_nulls (d, run, at, nulls);
	  at += nulls;
	  continue;
	}
      size_t size;
      const struct tb_stm_opcode *op = find_opcode (nibbles, &size);
      uint64_t data;
      size_t next = take_data (s, bytes, at, nibbles, size, op->data, &data);
      if (op->timed && next >= run->end)
	next = run->end + 1;
      else if (op->timed)
	next = read_time (s, bytes, next);
      else if (op->type < TB_STM_FIRST_PLAIN)
	next = take_special (s, run, op->type, data, next);
      bool fine = next != 0;
      if (next > run->end)
	{
	  /* The trace ends within a packet, of which nothing can be said.  */
	  tb_packet_cut (&d->sw.base, 4 * (run->end - at),
			 index_of (d, run, at));
	  s->sw.stats.broken_off += (run->end - at + 1) / 2;
	  at = run->end;
	  break;
	}
      packets++;
      if (tb_packets_noted (&d->sw.base))
	note_packet (d, run, op, size, data, fine, at, next);
      if (!fine)
	{
	  *out++ = (struct tb_element) {
	    .index = index_of (d, run, at),
	    .kind = TB_ELEMENT_BAD_PACKET };
	  s->sw.stats.bad_packets++;
	  tb_sw_lose_sync (&d->sw, TB_REASON_BAD_PACKET);
	  break;
	}
      if (op->type >= TB_STM_FIRST_ELEMENT)
	{
	  bool timed = op->timed && s->time_kind <= TB_STM_TIME_GRAY;
	  unsigned flags = op->flags | s->sender_flags;
	  put_element (out++, index_of (d, run, at),
		       timed ? flags | TB_SOFTWARE_TIMESTAMP : flags,
		       timed ? time_of (s) : 0, data, op->data, s);
	}
      at = next;
    }
  s->sw.stats.packets += packets;
  run->at = at;
  return out;
}

size_t
tb_stm_decode (struct tb_sw_decoder *sw, struct tb_element *out, size_t room)
{
  struct tb_stm_decoder *d = (struct tb_stm_decoder *) sw;
  /* A packet that begins at an odd nibble ends in this many bytes; a string of
     nibbles is read as nine bytes.  */
  enum { NEED = TB_STM_PACKET_MAX / 2 + 1, SPARE = 16 };
  _Static_assert (NEED + SPARE <= TB_STREAM_LOOKAHEAD, "a packet fits");
  struct tb_stm_state *s = &d->s;
  struct tb_element *at = out, *stop = out + room;
  while (at < stop && s->sw.phase == TB_SW_DECODE)
    {
      size_t length;
      bool last;
      const uint8_t *bytes = tb_stream_peek (d->sw.stream, &length, &last);
      if (length == 0)
	{
	  s->sw.phase = TB_SW_END;
	  break;
	}
      struct stm_run run = { .bytes = bytes, .at = s->half, .end = 2 * length,
			 .indexes = tb_stream_indexes (d->sw.stream) };
      size_t from = run.at;
      uint8_t tail[NEED + SPARE + SPARE] = { 0 };
      if (length > NEED + SPARE)
	{
	  run.stop = 2 * (length - (NEED + SPARE)) + 1;
	  run.whole = true;
	}
      else
	{
	  memcpy (tail, bytes, length);
	  run.bytes = tail;
	  run.stop = run.end;
	}
      at = decode_run (d, &run, at, stop);
      tb_stm_consume (d, run.bytes, from, run.at);
    }
  return (size_t) (at - out);
}
