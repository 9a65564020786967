/* Values in a snapshot's INI files.  See value.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/value.h"

#include <string.h>

#include "util/number.h"

static int
digit (char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 16;
}

bool
tb_parse_wide (const char *text, size_t length, struct tb_wide *value)
{
  memset (value, 0, sizeof *value);
  unsigned base = 10;
  if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    {
      base = 16;
      text += 2, length -= 2;
    }
  if (length == 0)
    return false;

  unsigned used = 0;		/* Bytes that may not be zero.  */
  for (size_t i = 0; i < length; i++)
    {
      unsigned carry = (unsigned) digit (text[i]);
      if (carry >= base)
	return false;
      for (unsigned j = 0; j < used; j++)
	{
	  carry += value->bytes[j] * base;
	  value->bytes[j] = (uint8_t) carry;
	  carry >>= 8;
	}
      if (carry == 0)
	continue;
      if (used == sizeof value->bytes)
	return false;
      value->bytes[used++] = (uint8_t) carry;
    }
  if (used > 0)
    for (value->bits = used * 8 - 8; value->bytes[used - 1]
	 >> (value->bits - (used * 8 - 8)) != 0; value->bits++)
      continue;
  return true;
}

uint64_t
tb_wide_u64 (const struct tb_wide *value)
{
  return tb_number_64 (value->bytes);
}

bool
tb_parse_u64 (const char *text, size_t length, uint64_t *value)
{
  struct tb_wide wide;
  if (!tb_parse_wide (text, length, &wide) || wide.bits > 64)
    return false;
  *value = tb_wide_u64 (&wide);
  return true;
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

struct tb_slice
tb_trim (struct tb_slice piece)
{
  while (piece.length > 0 && is_blank (piece.text[piece.length - 1]))
    piece.length--;
  while (piece.length > 0 && is_blank (*piece.text))
    piece.text++, piece.length--;
  return piece;
}

bool
tb_next_item (struct tb_slice *rest, struct tb_slice *item)
{
  if (rest->length == 0)
    return false;
  const char *comma = memchr (rest->text, ',', rest->length);
  size_t length = comma != NULL ? (size_t) (comma - rest->text)
		  : rest->length;
  *item = tb_trim ((struct tb_slice) { rest->text, length });
  size_t step = length + (comma != NULL);
  rest->text += step;
  rest->length -= step;
  return true;
}

bool
tb_piece_equals (struct tb_slice piece, const char *text)
{
  return strlen (text) == piece.length
	 && memcmp (text, piece.text, piece.length) == 0;
}

bool
tb_piece_is (struct tb_slice piece, const char *word)
{
  size_t length = strlen (word);
  if (piece.length != length)
    return false;
  for (size_t i = 0; i < length; i++)
    {
      char a = piece.text[i], b = word[i];
      if (a >= 'A' && a <= 'Z')
	a = (char) (a + ('a' - 'A'));
      if (b >= 'A' && b <= 'Z')
	b = (char) (b + ('a' - 'A'));
      if (a != b)
	return false;
    }
  return true;
}
