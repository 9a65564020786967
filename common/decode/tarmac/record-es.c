/* The records of Tarmac logs of cycle models.  See line.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   "ES (ADDRESS:OPCODE) STATE MODE: TEXT" is an instruction, with CCFAIL before the
   text one that was skipped; "EXC [NUMBER] NAME", alone or behind ES, an exception.
   "LD ADDRESS W3 W2 W1 W0 ..." and ST show the 16 bytes from ADDRESS on that an access is
   in, the highest word first: dots for bytes that were not accessed, # for those whose
   value is not told.  The next 16 may follow on a line that begins with their address;
   some cores leave out LD or ST there.  */

#include "config.h"
#include "decode/tarmac/cursor.h"

#include "decode/tarmac/number.h"

void
tb_tarmac_read_exc (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  line->kind = TB_TARMAC_EVENT;
  line->exception = true;
  if (*c->at == '[')
    {
      /* M profile: the vector's number; else where in the table the vector is.  */
      const char *p = c->at + 1;
      uint32_t number = 0;
      bool hex = p[0] == '0' && p[1] == 'x';
      if (hex)
	{
	  p += 2;
	  uint64_t offset = tb_tarmac_hex (&p);
	  line->has_vector = *p == ']' && offset < 0x1000;
	  line->vector = line->has_vector ? (uint16_t) offset : 0;
	}
      for (; !hex && is_digit (*p) && number < 1000; p++)
	number = number * 10 + (uint32_t) (*p - '0');
      line->number = !hex && *p == ']' ? number : 0;
      while (*p != ']' && *p != '\n')
	p++;
      c->at = *p == ']' ? p + 1 : p;
      skip_blanks (c);
    }
  const char *end = c->end;
  while (end > c->at && is_blank (end[-1]))
    end--;
  line->name = line->text = (struct tb_tarmac_word) {
    c->at, (uint32_t) (end - c->at)
  };
}

/* The instruction set and size that STATE and the digits of the opcode say.  */
static void
take_state (struct tb_tarmac_line *line, char state, uint32_t digits)
{
  line->isa = state == 'O' ? TB_ISA_A64 : state == 'A' ? TB_ISA_A32
	      : state == 'T' ? TB_ISA_T32 : state == 'E' ? TB_ISA_T32EE
			     : TB_ISA_UNKNOWN;
  line->size = digits == 0 ? 0 : digits <= 4 && state != 'O' && state != 'A'
	       ? 2 : 4;
}

void
tb_tarmac_read_es (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  static const char failed[] = "CCFAIL";
  struct tb_tarmac_word word = peek (c);
  if (*c->at != '(')
    {
      /* "ES Reset": the EXC line behind it says so, too.  */
      if (is (word, "EXC"))
	pass (c, word);
      tb_tarmac_read_exc (line, c);
      return;
    }
  const char *p = c->at + 1, *start = p, *address = p;
  line->how = 'T';
  line->address = tb_tarmac_hex (&p);
  if (p == start || *p != ':')
    {
      bad (line, TB_TARMAC_NO_ADDRESS, c);
      return;
    }
  start = ++p;
  line->opcode = (uint32_t) tb_tarmac_hex (&p);
  uint32_t digits = (uint32_t) (p - start);
  /* What could not be fetched has dashes: as IE, it was not done.  */
  if (digits == 0 && *p == '-')
    line->how = 'E';
  while (digits == 0 && (*p == '-' || *p == 'x'))
    p++;
  if (*p != ')' || p == start || digits > 8)
    {
      c->at = start;
      bad (line, TB_TARMAC_NO_OPCODE, c);
      return;
    }
  c->at = p + 1;
  skip_blanks (c);
  word = peek (c);
  if (word.length != 1)
    {
      line->isa = TB_ISA_UNKNOWN;
      return;
    }
  take_state (line, *word.text, digits);
  if (is_too_wide (line))
    {
      c->at = address;
      bad (line, TB_TARMAC_WIDE_ADDRESS, c);
      return;
    }
  pass (c, word);
  word = peek (c);
  if (word.length > 1 && word.text[word.length - 1] == ':')
    {
      pass (c, word);
      word.length--;
      line->mode = word;
      word = peek (c);
    }
  else if (word.length > 1)
    {
      /* As in the lines of models.  */
      struct tb_tarmac_cursor behind = *c;
      pass (&behind, word);
      if (is (peek (&behind), ":"))
	{
	  pass (&behind, peek (&behind));
	  *c = behind;
	  line->mode = word;
	  word = peek (c);
	}
    }
  if (is (word, failed))
    {
      pass (c, word);
      line->how = 'S';
    }
  line->text = (struct tb_tarmac_word) { c->at, (uint32_t) (c->end - c->at) };
}

/* The word of four bytes at C, bytes AT on of the line's.  False: it is none.  */
static bool
read_word (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c, unsigned at)
{
  struct tb_tarmac_word word = peek (c);
  if (word.length != 8)
    return false;
  for (unsigned i = 0; i < 4; i++)
    {
      char high = word.text[2 * i], low = word.text[2 * i + 1];
      unsigned byte = at + 3 - i, h = tb_tarmac_digit (high);
      unsigned l = tb_tarmac_digit (low);
      line->wide[byte] = 0;
      if (high == '.' && low == '.')
	continue;
      line->touched |= (uint16_t) (1u << byte);
      if (h < 16 && l < 16)
	{
	  line->wide[byte] = (uint8_t) (h << 4 | l);
	  line->shown |= (uint16_t) (1u << byte);
	}
      else if ((high != '#' && h != TB_TARMAC_DIGIT_UNKNOWN)
	       || (low != '#' && l != TB_TARMAC_DIGIT_UNKNOWN))
	return false;
    }
  pass (c, word);
  return true;
}

/* The bytes at C.  False: not four words stand there.  */
static bool
read_words (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  for (unsigned i = 4; i > 0; i--)
    if (!read_word (line, c, 4 * (i - 1)))
      return false;
  line->lanes = true;
  line->length = 16;
  /* More than 8 bytes are in the caller's room.  */
  line->bytes = 16;
  return true;
}

void
tb_tarmac_read_lanes (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  const char *p = c->at;
  line->address = tb_tarmac_hex (&p);
  if (p == c->at || !is_blank (*p))
    {
      bad (line, TB_TARMAC_NO_ADDRESS, c);
      return;
    }
  c->at = p;
  skip_blanks (c);
  if (!read_words (line, c))
    bad (line, TB_TARMAC_NO_DATA, c);
}

bool
tb_tarmac_continues (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  struct tb_tarmac_line trial = { .kind = TB_TARMAC_MEMORY, .at = line->at,
				  .wide = line->wide, .rest = line->rest,
				  .continued = true };
  skip_blanks (c);
  struct tb_tarmac_word word = peek (c);
  const char *p = c->at;
  trial.address = tb_tarmac_hex (&p);
  if ((word.length != 8 && word.length != 16) || p != c->at + word.length)
    return false;
  pass (c, word);
  trial.name = word;
  if (!read_words (&trial, c))
    return false;
  *line = trial;
  return true;
}
