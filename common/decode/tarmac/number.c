/* Numbers in Tarmac logs.  See number.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/tarmac/number.h"

#define NONE4 255, 255, 255, 255
#define NONE16 NONE4, NONE4, NONE4, NONE4
#define NONE128 NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16

const uint8_t tb_tarmac_digits[256] = {
  NONE16, NONE16,
  NONE4, NONE4, NONE4, 255, 16, 255, 255,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 255, NONE4,
  255, 10, 11, 12, 13, 14, 15, 255, NONE4, NONE4,
  NONE4, NONE4, 16, 255, 16, 255, 255, 255, 255, 17,
  255, 10, 11, 12, 13, 14, 15, 255, NONE4, NONE4,
  NONE4, NONE4, 16, 255, 16, 255, NONE4,
  NONE128
};

/* The digits from START to END, of which there are COUNT, lowest byte first.  */
static void
wide_value (struct tb_tarmac_line *line, const char *start, const char *end)
{
  unsigned n = 0;
  for (const char *q = end; q > start; q--)
    {
      unsigned d = tb_tarmac_digit (q[-1]);
      if (d == TB_TARMAC_DIGIT_SEPARATOR)
	continue;
      d &= 15;
      if (n % 2 == 0)
	line->wide[n / 2] = (uint8_t) d;
      else
	line->wide[n / 2] |= (uint8_t) (d << 4);
      n++;
    }
  line->value = 0;
  for (unsigned i = 8; i > 0; i--)
    line->value = line->value << 8 | line->wide[i - 1];
}

enum tb_tarmac_problem
tb_tarmac_value (struct tb_tarmac_line *line, const char **p)
{
  const char *q = *p;
  if (q[0] == '0' && q[1] == 'x' && tb_tarmac_digit (q[2]) < 16)
    q += 2;
  const char *start = q;
  unsigned digits = 0;
  uint64_t value = 0;
  unsigned d;
  while ((d = tb_tarmac_digit (*q)) != TB_TARMAC_DIGIT_NONE)
    {
      q++;
      if (d == TB_TARMAC_DIGIT_SEPARATOR)
	continue;
      if (d == TB_TARMAC_DIGIT_UNKNOWN)
	{
	  line->unknown = true;
	  d = 0;
	}
      value = value << 4 | d;
      digits++;
    }
  /* A word that goes on with other letters is none.  */
  if (digits == 0 || (*q != ' ' && *q != '\n' && *q != '\t' && *q != '\r'
		      && *q != '('))
    return TB_TARMAC_NO_VALUE;
  if (digits > 2 * TB_TARMAC_VALUE)
    return TB_TARMAC_TOO_LONG;
  line->bytes = (uint16_t) ((digits + 1) / 2);
  line->value = value;
  if (digits > 16)
    wide_value (line, start, q);
  *p = q;
  return TB_TARMAC_FINE;
}
