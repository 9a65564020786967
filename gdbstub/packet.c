/* Packets.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "packet.h"

#include <stdlib.h>

#define INTERRUPT 3
#define ESCAPE '}'
#define ESCAPE_BIT 0x20

void
packet_reader_fini (struct packet_reader *r)
{
  free (r->data);
  r->data = NULL;
}

/* Add a byte to the contents.  */
static void
store (struct packet_reader *r, uint8_t byte)
{
  if (r->data == NULL)
    r->data = malloc (r->limit + 1);
  if (r->size >= r->limit || r->data == NULL)
    r->too_long = true;
  else
    r->data[r->size++] = byte;
}

static enum packet_event
begin (struct packet_reader *r)
{
  r->state = READER_INSIDE;
  r->size = 0;
  r->sum = 0;
  r->too_long = r->bad_sum = false;
  return PACKET_NOTHING;
}

static enum packet_event
between (struct packet_reader *r, uint8_t byte)
{
  switch (byte)
    {
    case '$': return begin (r);
    case '+': return PACKET_ACK;
    case '-': return PACKET_NAK;
    case INTERRUPT: return PACKET_INTERRUPT;
    default: return PACKET_NOTHING;
    }
}

static enum packet_event
finish (struct packet_reader *r)
{
  r->state = READER_BETWEEN;
  if (r->bad_sum || r->sum != r->told)
    return PACKET_DAMAGED;
  if (r->too_long)
    return PACKET_TOO_LONG;
  if (r->data == NULL)
    r->data = malloc (r->limit + 1);
  if (r->data == NULL)
    return PACKET_TOO_LONG;
  r->data[r->size] = 0;
  return PACKET_WHOLE;
}

enum packet_event
packet_feed (struct packet_reader *r, uint8_t byte)
{
  int value;
  /* A '$' is never part of a packet: the one before was cut short.  */
  if (byte == '$' && r->state != READER_BETWEEN)
    return begin (r);
  switch (r->state)
    {
    case READER_BETWEEN:
      return between (r, byte);

    case READER_INSIDE:
    case READER_ESCAPED:
      if (byte == '#' && r->state == READER_INSIDE)
	{
	  r->state = READER_SUM1;
	  return PACKET_NOTHING;
	}
      r->sum = (uint8_t) (r->sum + byte);
      if (r->state == READER_ESCAPED)
	{
	  store (r, byte ^ ESCAPE_BIT);
	  r->state = READER_INSIDE;
	}
      else if (byte == ESCAPE)
	r->state = READER_ESCAPED;
      else
	store (r, byte);
      return PACKET_NOTHING;

    case READER_SUM1:
      value = tb_hex_value (byte);
      r->bad_sum = value < 0;
      r->told = (uint8_t) ((unsigned) value << 4);
      r->state = READER_SUM2;
      return PACKET_NOTHING;

    case READER_SUM2:
      value = tb_hex_value (byte);
      r->bad_sum |= value < 0;
      r->told |= (uint8_t) value;
      return finish (r);
    }
  return PACKET_NOTHING;
}

void
packet_append (struct tb_buffer *out, const uint8_t *contents, size_t length)
{
  uint8_t sum = 0;
  tb_buffer_append (out, "$", 1);
  size_t from = 0;
  for (size_t i = 0; i < length; i++)
    {
      uint8_t byte = contents[i];
      /* '*' begins a run-length code in what a stub sends.  */
      if (byte == '$' || byte == '#' || byte == ESCAPE || byte == '*')
	{
	  uint8_t pair[2] = { ESCAPE, byte ^ ESCAPE_BIT };
	  tb_buffer_append (out, contents + from, i - from);
	  tb_buffer_append (out, pair, 2);
	  from = i + 1;
	  sum = (uint8_t) (sum + pair[0] + pair[1]);
	}
      else
	sum = (uint8_t) (sum + byte);
    }
  if (length > from)
    tb_buffer_append (out, contents + from, length - from);
  tb_buffer_append (out, "#", 1);
  tb_hex_append (out, &sum, 1);
}
