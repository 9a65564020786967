/* Synchronisation of the STM decoder.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An ASYNC packet is 21 nibbles 0xf and one 0, which no packets that are whole
   make.  It may begin at either half of a byte.  */

#include "config.h"
#include "decode/stm/internal.h"

#include <string.h>

void
tb_stm_forget (struct tb_sw_decoder *sw, bool at_break)
{
  struct tb_stm_state *s = &((struct tb_stm_decoder *) sw)->s;
  s->little_endian = false;
  s->sender_flags = 0;
  s->time_kind = TB_STM_TIME_UNKNOWN;
  s->master = s->channel = 0;
  s->time = 0;
  if (at_break)
    {
      s->half = false;
      s->ones = 0;
    }
}

void
tb_stm_consume (struct tb_stm_decoder *d, const uint8_t *bytes, size_t from,
		size_t to)
{
  struct tb_stm_state *s = &d->s;
  unsigned ones = 0;
  size_t i = to;
  while (i > from && ones < TB_STM_ASYNC_ONES
	 && tb_stm_nibble (bytes, i - 1) == 0xf)
    ones++, i--;
  if (i == from)
    ones += s->ones;
  s->ones = (uint8_t) (ones < TB_STM_ASYNC_ONES ? ones : TB_STM_ASYNC_ONES);
  s->half = to & 1;
  s->sw.stats.bytes += to / 2;
  tb_stream_consume (d->sw.stream, to / 2);
}

/* Find an ASYNC packet in the LENGTH bytes at BYTES, from nibble AT on.
   Returns the number of the nibble after it, or 0.  Its first nibbles may have
   been taken for data of a packet that was not whole: there are BEFORE nibbles
   0xf before AT.  */
static size_t
find_async (const uint8_t *bytes, size_t length, size_t at, unsigned before)
{
  size_t i = at;
  while (i < 2 * length && tb_stm_nibble (bytes, i) == 0xf)
    i++;
  if (i == 2 * length)
    return 0;
  if (tb_stm_nibble (bytes, i) == 0 && i - at + before >= TB_STM_ASYNC_ONES)
    return i + 1;

  /* From here on look at bytes: ten are 0xff.  */
  size_t from = i / 2;
  while (from < length)
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
		       + (start > from && bytes[start - 1] >> 4 == 0xf);
      if (bytes[end] == 0x0f && nibbles + 1 >= TB_STM_ASYNC_ONES)
	return 2 * end + 2;
      if ((bytes[end] & 0xf) == 0 && nibbles >= TB_STM_ASYNC_ONES)
	return 2 * end + 1;
      from = end;
    }
  return 0;
}

void
tb_stm_search (struct tb_sw_decoder *sw, const uint8_t *bytes, size_t length)
{
  struct tb_stm_decoder *d = (struct tb_stm_decoder *) sw;
  struct tb_stm_state *s = &d->s;
  size_t from = s->half, to = find_async (bytes, length, from, s->ones);
  size_t used = to != 0 ? to / 2 : length, bits = 0;
  if (to != 0)
    {
      size_t size = (TB_STM_ASYNC_ONES + 1) / 2;
      used -= used < size ? used : size;
      bits = 4 * (to - from - 2 * used);
      s->sw.phase = TB_SW_DECODE;
      s->sw.stats.syncs++;
      s->sw.stats.packets++;
    }
  if (tb_packets_noted (&sw->base))
    {
      /* It has an even number of nibbles.  */
      const struct tb_stm_packet packet = { .upper = to & 1 };
      tb_packet_skipped (&sw->base, used, tb_stream_index (sw->stream, 0));
      if (to != 0)
	tb_packet_noted (&sw->base, 2 * TB_STM_ASYNC, bits,
			 tb_stream_index (sw->stream, used), &packet);
    }
  s->sw.stats.skipped += used;
  tb_stm_consume (d, bytes, from, to != 0 ? to : 2 * length);
}
