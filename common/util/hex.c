/* Bytes as hexadecimal digits.  See hex.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/hex.h"

int
tb_hex_value (uint8_t digit)
{
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  if (digit >= 'a' && digit <= 'f')
    return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F')
    return digit - 'A' + 10;
  return -1;
}

void
tb_hex_append (struct tb_buffer *out, const void *bytes, size_t length)
{
  static const char digits[] = "0123456789abcdef";
  const uint8_t *from = bytes;
  uint8_t *room = length != 0 ? tb_buffer_extend (out, 2 * length) : NULL;
  for (size_t i = 0; room != NULL && i < length; i++)
    {
      room[2 * i] = (uint8_t) digits[from[i] >> 4];
      room[2 * i + 1] = (uint8_t) digits[from[i] & 15];
    }
}

size_t
tb_hex_decode (const char *text, size_t length, uint8_t *bytes, size_t limit)
{
  size_t n = 0;
  while (2 * n + 1 < length && n < limit)
    {
      int high = tb_hex_value ((uint8_t) text[2 * n]);
      int low = tb_hex_value ((uint8_t) text[2 * n + 1]);
      if (high < 0 || low < 0)
	break;
      bytes[n++] = (uint8_t) (high << 4 | low);
    }
  return n;
}

static unsigned
count_digits (uint64_t number)
{
  return (67 - (unsigned) __builtin_clzll (number | 1)) / 4;
}

uint8_t *
tb_hex_put (uint8_t *to, uint64_t number)
{
  unsigned n = count_digits (number);
  for (unsigned i = n; i-- > 0; number >>= 4)
    to[i] = (uint8_t) "0123456789abcdef"[number & 15];
  return to + n;
}

void
tb_hex_append_number (struct tb_buffer *out, uint64_t number)
{
  uint8_t *room = tb_buffer_extend (out, count_digits (number));
  if (room != NULL)
    tb_hex_put (room, number);
}

void
tb_decimal_append (struct tb_buffer *out, uint64_t number)
{
  char digits[20], *at = digits + sizeof digits;
  do
    {
      *--at = (char) ('0' + number % 10);
      number /= 10;
    }
  while (number != 0);
  tb_buffer_append (out, at, (size_t) (digits + sizeof digits - at));
}
