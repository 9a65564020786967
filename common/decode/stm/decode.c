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
struct run
{
  const uint8_t *bytes;
  size_t at;			/* The next nibble.  */
  size_t stop;			/* Packets begin before this one ...  */
  size_t end;			/* ... and end here at the latest.  */
};

/* *AT is behind the opcode ff, which begins an ASYNC packet; go behind that, or
   behind the run if the packet does.  False: it is none.  */
static bool
read_async (const struct run *run, size_t *at)
{
  /* What is longer is not looked at: the search finds it.  */
  size_t ones = 2, i = *at;
  while (ones < TB_STM_PACKET_MAX && tb_stm_nibble (run->bytes, i) == 0xf)
    ones++, i++;
  *at = i + 1;
  return i >= run->end
	 || (tb_stm_nibble (run->bytes, i) == 0 && ones >= TB_STM_ASYNC_ONES);
}

/* Read the timestamp at nibble *AT and go behind it.  False: its size is
   none.  */
static inline bool
read_time (struct tb_stm_state *s, const uint8_t *bytes, size_t *at)
{
  static const uint8_t sizes[16]
    = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 0xff };
  if (s->time_kind == TB_STM_TIME_LEGACY)
    {
      *at += 2;
      return true;
    }
  unsigned size = sizes[tb_stm_nibble (bytes, *at)];
  if (size > 16 || s->time_kind == TB_STM_TIME_UNKNOWN)
    return false;
  if (size == 0)
    {
      *at += 1;
      return true;
    }
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
read_version (struct tb_stm_state *s, const uint8_t *bytes, uint64_t value,
	      size_t *at)
{
  static const uint8_t kinds[8] =
  {
    TB_STM_TIME_LEGACY, TB_STM_TIME_LEGACY, TB_STM_TIME_DELTA,
    TB_STM_TIME_BINARY, TB_STM_TIME_GRAY
  };
  if (kinds[value & 7] == TB_STM_TIME_UNKNOWN)
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
bad (struct tb_stm_decoder *d, struct tb_element *e, uint64_t index)
{
  *e = (struct tb_element) { .index = index, .kind = TB_ELEMENT_BAD_PACKET };
  d->s.stats.bad_packets++;
  tb_stm_lose_sync (d, TB_REASON_BAD_PACKET);
  return e + 1;
}

/* A packet of type TYPE with DATA changes who sends.  */
static inline void
set_sender (struct tb_stm_state *s, enum tb_stm_packet_type type, uint64_t data)
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
make_element (const struct tb_stm_state *s, struct tb_stm_opcode op,
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
  uint64_t time = s->time_kind == TB_STM_TIME_GRAY
		  ? tb_stm_from_gray (s->time) : s->time;
  bool timed = (op.flags & TB_STM_TIMED) && s->time_kind <= TB_STM_TIME_GRAY;
  *e = (struct tb_element) {
    .index = index, .kind = TB_ELEMENT_SOFTWARE,
    .flags = flags[op.type]
	     | (op.flags & TB_STM_MARKED ? TB_SOFTWARE_MARKER : 0)
	     | (s->id_known ? TB_SOFTWARE_ID : 0)
	     | (timed ? TB_SOFTWARE_TIMESTAMP : 0),
    .u.software = { .data = data, .timestamp = timed ? time : 0,
		    .master = s->master, .channel = s->channel,
		    .bits = 4 * op.data } };
}

/* The opcode that NIBBLES begin with; returns its size.  */
static inline size_t
find_opcode (const struct tb_stm_table *table, uint64_t nibbles,
	     struct tb_stm_opcode *op)
{
  if ((nibbles & 0xf) != 0xf)
    {
      *op = table->two[nibbles & 0xff];
      return 1;
    }
  *op = table->two[nibbles & 0xff];
  if (op->type != TB_STM_LONGER)
    return 2;
  *op = table->three[nibbles >> 8 & 0xf];
  if (op->type != TB_STM_LONGER)
    return 3;
  *op = table->four[nibbles >> 12 & 0xf];
  return 4;
}

/* COUNT nibbles of data at *NEXT; go behind them.  The usual counts are told
   apart so that the next packet's place, which everything waits for, is guessed
   by branch prediction and need not wait for this opcode.  */
static inline uint64_t
take_data (const struct tb_stm_state *s, const uint8_t *bytes, unsigned count,
	   size_t *next)
{
  uint64_t nibbles = tb_stm_nibbles (bytes, *next), value;
  switch (count)
    {
    case 0:
      return 0;
    case 2:
      value = tb_stm_value (nibbles, 2, s->little_endian);
      *next += 2;
      return value;
    case 8:
      value = tb_stm_value (nibbles, 8, s->little_endian);
      *next += 8;
      return value;
    case 16:
      value = tb_stm_value (nibbles, 16, s->little_endian);
      *next += 16;
      return value;
    default:
      *next += count;
      return tb_stm_value (nibbles, count, s->little_endian);
    }
}

/* Take packets from RUN; elements go to OUT, up to STOP.  Returns where the
   next one goes.  */
static struct tb_element *
decode_run (struct tb_stm_decoder *d, struct run *run, struct tb_element *out,
	    struct tb_element *stop)
{
  struct tb_stm_state state = d->s, *s = &state;
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
      struct tb_stm_opcode op;
      size_t next = at + find_opcode (&d->table, nibbles, &op);
      uint64_t data = take_data (s, bytes, op.data, &next);
      bool fine = op.type != TB_STM_BAD;
      /* What is behind the end is not looked at.  */
      if (next >= run->end)
	next += (op.flags & TB_STM_TIMED) || op.type == TB_STM_ASYNC;
      else if (op.flags & TB_STM_TIMED)
	fine = read_time (s, bytes, &next);
      else if (op.type == TB_STM_VERSION)
	fine = read_version (s, bytes, data, &next);
      else if (op.type == TB_STM_ASYNC)
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
	  d->s = state;
	  out = bad (d, out, index);
	  state = d->s;
	  break;
	}
      at = next;
      s->stats.syncs += op.type == TB_STM_ASYNC;
      set_sender (s, op.type, data);
      if (op.type >= TB_STM_FIRST_ELEMENT)
	make_element (s, op, data, index, out++);
    }
  s->stats.packets += packets;
  d->s = state;
  run->at = at;
  return out;
}

size_t
tb_stm_decode (struct tb_stm_decoder *d, struct tb_element *out, size_t room)
{
  /* A packet that begins at an odd nibble ends in this many bytes; a string of
     nibbles is read as nine bytes.  */
  enum { NEED = TB_STM_PACKET_MAX / 2 + 1, SPARE = 16 };
  _Static_assert (NEED + SPARE <= TB_STREAM_LOOKAHEAD, "a packet fits");
  struct tb_stm_state *s = &d->s;
  struct tb_element *at = out, *stop = out + room;
  while (at < stop && s->phase == TB_STM_PHASE_DECODE)
    {
      size_t length;
      bool last;
      const uint8_t *bytes = tb_stream_peek (d->stream, &length, &last);
      if (length == 0)
	{
	  s->phase = TB_STM_PHASE_END;
	  break;
	}
      struct run run = { .bytes = bytes, .at = s->half, .end = 2 * length };
      size_t from = run.at;
      uint8_t tail[NEED + SPARE + SPARE] = { 0 };
      if (length > NEED + SPARE)
	run.stop = 2 * (length - (NEED + SPARE)) + 1;
      else
	{
	  memcpy (tail, bytes, length);
	  run.bytes = tail;
	  run.stop = run.end;
	}
      at = decode_run (d, &run, at, stop);
      tb_stm_consume (d, run.bytes, from, run.at);
    }
  return at - out;
}
