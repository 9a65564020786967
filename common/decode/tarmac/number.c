/* Numbers in Tarmac logs.  See number.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/tarmac/number.h"

#include "decode/tarmac/cursor.h"
#include "util/number.h"

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

/* The digits from START to END, with blanks and separators among them, lowest byte
   first.  */
static void
wide_value (struct tb_tarmac_line *line, const char *start, const char *end)
{
  unsigned n = 0;
  for (const char *q = end; q > start; q--)
    {
      unsigned d = tb_tarmac_digit (q[-1]);
      if (d > TB_TARMAC_DIGIT_UNKNOWN)
	continue;
      d &= 15;
      if (n % 2 == 0)
	line->wide[n / 2] = (uint8_t) d;
      else
	line->wide[n / 2] |= (uint8_t) (d << 4);
      n++;
    }
  line->value = tb_number_64 (line->wide);
}

/* A word of digits: how many, and their value so far.  */
struct group
{
  uint64_t value;
  unsigned digits;
  bool unknown;
};

/* The digits at Q into G; returns what is behind them.  */
static inline const char *
read_group (struct group *g, const char *q)
{
  for (;; q++)
    {
      unsigned d = tb_tarmac_digit (*q);
      /* Nearly all are.  */
      if (d >= TB_TARMAC_DIGIT_UNKNOWN)
	{
	  if (d == TB_TARMAC_DIGIT_SEPARATOR)
	    continue;
	  if (d == TB_TARMAC_DIGIT_NONE)
	    return q;
	  g->unknown = true;
	  d = 0;
	}
      g->value = g->value << 4 | d;
      g->digits++;
    }
}

/* Does a value of groups of DIGITS go on at Q, behind blanks?  Where two lines have run
   together the next one's time stands there, with its unit.  */
static bool
goes_on (const char *q, unsigned digits)
{
  struct tb_tarmac_cursor c = { q, NULL };
  struct group g = { .digits = 0 };
  skip_blanks (&c);
  const char *end = read_group (&g, c.at);
  if (c.at == q || g.digits != digits || (!is_blank (*end) && *end != '\n'))
    return false;
  c.at = end;
  skip_blanks (&c);
  return !tb_tarmac_is_unit (peek (&c));
}

enum tb_tarmac_problem
tb_tarmac_value (struct tb_tarmac_line *line, const char **p, unsigned most)
{
  const char *q = *p;
  if (q[0] == '0' && q[1] == 'x' && tb_tarmac_digit (q[2]) < 16)
    q += 2;
  const char *start = q;
  struct group g = { .digits = 0 };
  q = read_group (&g, q);
  /* A word that goes on with other letters is none.  */
  if (g.digits == 0 || (!ends_word (*q) && *q != '('))
    return TB_TARMAC_NO_VALUE;
  unsigned size = g.digits;
  while (*q == ' ' && (size == 8 || size == 16) && g.digits + size <= most
	 && goes_on (q, size))
    {
      while (is_blank (*q))
	q++;
      q = read_group (&g, q);
    }
  if (g.digits > 2 * TB_TARMAC_VALUE)
    return TB_TARMAC_TOO_LONG;
  line->unknown = g.unknown;
  line->bytes = (uint16_t) ((g.digits + 1) / 2);
  line->value = g.value;
  line->text = (struct tb_tarmac_word) { start, (uint32_t) (q - start) };
  if (g.digits > 16)
    wide_value (line, start, q);
  *p = q;
  return TB_TARMAC_FINE;
}

uint32_t
tb_tarmac_known (const struct tb_tarmac_line *line, unsigned lane,
		 bool *written)
{
  const char *start = line->text.text, *q = start + line->text.length;
  uint32_t known = 0;
  unsigned n = 0;
  /* Dashes alone: it was written, with what could not be told.  */
  *written = true;
  for (const char *p = start; p < q && *written; p++)
    *written = *p == '-' || tb_tarmac_digit (*p) > TB_TARMAC_DIGIT_UNKNOWN;
  for (; q > start && n < 8 * (lane + 1); q--)
    {
      unsigned d = tb_tarmac_digit (q[-1]);
      if (d > TB_TARMAC_DIGIT_UNKNOWN)
	continue;
      if (n >= 8 * lane)
	{
	  *written |= q[-1] != '-';
	  if (d < TB_TARMAC_DIGIT_UNKNOWN)
	    known |= UINT32_C (15) << 4 * (n - 8 * lane);
	}
      n++;
    }
  return known;
}

bool
tb_tarmac_fits (const struct tb_tarmac_line *line, unsigned digits)
{
  const char *start = line->text.text, *q = start + line->text.length;
  unsigned n = 0;
  if (line->text.length > 2 && start[0] == '0' && start[1] == 'X')
    start += 2;
  for (; q > start; q--)
    {
      unsigned d = tb_tarmac_digit (q[-1]);
      if (d <= TB_TARMAC_DIGIT_UNKNOWN && n++ >= digits && d != 0 && q[-1] != '-')
	return false;
    }
  return true;
}
