/* Numbers of device descriptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "svd/tree.h"

#include <string.h>

/* The value of digit C, or 255.  */
static unsigned
digit (char c)
{
  if (c >= '0' && c <= '9')
    return (unsigned) (c - '0');
  char low = c | 0x20;
  return low >= 'a' && low <= 'f' ? (unsigned) (low - 'a') + 10 : 255;
}

/* CMSIS-SVD, "scaledNonNegativeInteger" and "enumeratedValueDataType": an optional +,
   then decimal digits, 0x and hexadecimal ones, # or 0b and binary ones (of values also
   x, any), then an optional k, m, g or t.  */
bool
svd_parse_number (const char *text, uint64_t *number, uint64_t *mask)
{
  unsigned base = 10;
  uint64_t value = 0, known = UINT64_MAX;
  if (*text == '+')
    text++;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    base = 16, text += 2;
  else if (text[0] == '#')
    base = 2, text++;
  else if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
    base = 2, text += 2;
  if (*text == '\0')
    return false;
  for (; *text != '\0'; text++)
    {
      bool any = base == 2 && mask != NULL && (*text | 0x20) == 'x';
      unsigned d = any ? 0 : digit (*text);
      if (d >= base)
	break;
      if (value > (UINT64_MAX - d) / base)
	return false;
      value = value * base + d;
      known = base == 2 ? known << 1 | !any : known;
    }
  static const char scales[] = "kmgt";
  const char *scale = *text != '\0' ? strchr (scales, *text | 0x20) : NULL;
  if (scale != NULL)
    {
      unsigned shift = 10 * (unsigned) (scale - scales + 1);
      if (value > UINT64_MAX >> shift)
	return false;
      value <<= shift;
      text++;
    }
  if (*text != '\0')
    return false;
  *number = value;
  if (mask != NULL)
    *mask = known;
  return true;
}
