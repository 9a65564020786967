/* Lines of Tarmac logs that tracebridge alone writes.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac.h"

#include <string.h>

#include "decode/tarmac/number.h"

#define WORDS 5

/* The words of TEXT; returns how many, at most WORDS.  */
static unsigned
split (struct tb_tarmac_word text, struct tb_tarmac_word *words)
{
  const char *p = text.text, *end = p + text.length;
  unsigned n = 0;
  while (n < WORDS)
    {
      while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
	p++;
      if (p == end)
	break;
      words[n].text = p;
      while (p < end && *p != ' ' && *p != '\t' && *p != '\r')
	p++;
      words[n].length = (uint32_t) (p - words[n].text);
      n++;
    }
  return n;
}

static bool
is (struct tb_tarmac_word word, const char *text)
{
  return word.length == strlen (text)
	 && memcmp (word.text, text, word.length) == 0;
}

/* The hexadecimal number that WORD is.  */
static bool
number (struct tb_tarmac_word word, uint64_t *value)
{
  const char *p = word.text;
  *value = tb_tarmac_hex (&p);
  return word.length <= 16 && p == word.text + word.length;
}

/* Is WORD a number of at most so many digits as a line's value may have?  Its low 64
   bits are *VALUE.  */
static bool
wide_number (struct tb_tarmac_word word, uint64_t *value)
{
  struct tb_tarmac_word low = word;
  for (; low.length > 16; low.text++, low.length--)
    if (tb_tarmac_digit (*low.text) > 15)
      return false;
  return word.length <= 2 * TB_TARMAC_VALUE && number (low, value);
}

uint32_t
tb_tarmac_own_lane (struct tb_tarmac_word word, unsigned lane)
{
  uint32_t value = 0;
  for (unsigned i = 8 * (lane + 1); i > 8 * lane; i--)
    value = value << 4
	    | (i <= word.length ? tb_tarmac_digit (word.text[word.length - i]) : 0);
  return value;
}

static bool
size (struct tb_tarmac_word word, unsigned *value)
{
  *value = (unsigned) (*word.text - '0');
  return word.length == 1 && *value >= 1 && *value <= 8;
}

bool
tb_tarmac_own (struct tb_tarmac_own *o, const struct tb_tarmac_line *line)
{
  static const struct { const char *name; unsigned isa; } states[] = {
    { "O", TB_ISA_A64 }, { "A", TB_ISA_A32 }, { "T", TB_ISA_T32 },
    { "E", TB_ISA_T32EE }, { "X", TB_ISA_UNKNOWN }
  };
  struct tb_tarmac_word w[WORDS];
  unsigned n = split (line->text, w);
  *o = (struct tb_tarmac_own) { .what = TB_OWN_LOG };
  if (n == 0)
    return false;
  if (is (w[0], "log"))
    return n == 2 && is (w[1], "1");
  if (is (w[0], "core"))
    {
      o->what = TB_OWN_CORE;
      o->word = w[1];
      return n == 2;
    }
  if (is (w[0], "gap"))
    {
      o->what = TB_OWN_GAP;
      return n == 1;
    }
  if (is (w[0], "step") || is (w[0], "end"))
    {
      bool step = *w[0].text == 's', found = !step;
      o->what = step ? TB_OWN_STEP : TB_OWN_END;
      for (size_t i = 0; i < 5 && step && n == 3; i++)
	if (is (w[2], states[i].name))
	  {
	    o->isa = (uint8_t) states[i].isa;
	    found = true;
	  }
      return found && n == (step ? 3 : 2) && number (w[1], &o->address);
    }
  if (is (w[0], "memory") && n == 2)
    {
      o->what = TB_OWN_FORGET;
      return is (w[1], "?");
    }
  if (is (w[0], "memory"))
    {
      o->what = TB_OWN_MEMORY;
      return n == 4 && number (w[1], &o->address) && size (w[2], &o->size)
	     && number (w[3], &o->value);
    }
  if (is (w[0], "write") && n == 2)
    {
      o->what = TB_OWN_ANYWHERE;
      return is (w[1], "?");
    }
  if (is (w[0], "read") || is (w[0], "write"))
    {
      o->what = *w[0].text == 'r' ? TB_OWN_READ : TB_OWN_WRITE;
      return n == 3 && number (w[1], &o->address) && size (w[2], &o->size);
    }
  o->what = TB_OWN_REGISTER;
  o->word = w[0];
  if (n == 2)
    return is (w[1], "?");
  o->size = w[1].length / 2;
  o->digits = w[1];
  o->mask_digits = w[2];
  return n == 3 && wide_number (w[1], &o->value) && wide_number (w[2], &o->mask);
}
