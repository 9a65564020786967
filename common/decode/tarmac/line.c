/* Parsing lines of Tarmac logs.  See line.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/tarmac/line.h"

#include "decode/tarmac/cursor.h"

const char *
tb_tarmac_problem_text (enum tb_tarmac_problem problem)
{
  static const char *const texts[TB_TARMAC_PROBLEMS] = {
    "", "expected an address", "expected an opcode",
    "expected the name of a register", "expected a value",
    "expected the data that was transferred",
    "expected the number of bytes transferred", "the value is too long",
    "expected an address of 32 bits"
  };
  return problem < TB_TARMAC_PROBLEMS ? texts[problem] : "";
}

const char *
tb_tarmac_kind_name (enum tb_tarmac_kind kind)
{
  static const char *const names[TB_TARMAC_KINDS] = {
    "blank", "instruction", "register", "memory", "bus", "event", "own", "note",
    "text", "unknown", "bad"
  };
  return kind < TB_TARMAC_KINDS ? names[kind] : "";
}

bool
tb_tarmac_is_unit (struct tb_tarmac_word w)
{
  /* Each line has one: by length, the usual ones first.  */
  switch (w.length)
    {
    case 1:
      return *w.text == 's';
    case 2:
      return w.text[1] == 's'
	     && (*w.text == 'n' || *w.text == 'p' || *w.text == 'u'
		 || *w.text == 'c' || *w.text == 'm' || *w.text == 'f');
    case 3:
      return is (w, "clk") || is (w, "cyc") || is (w, "tic");
    case 4:
      return is (w, "clks") || is (w, "tick");
    case 5:
      return is (w, "ticks");
    default:
      return is (w, "cycles");
    }
}

/* Kinds of lines that tell of something else than instructions, registers and
   memory, as models and test benches write them.  */
static bool
is_note (struct tb_tarmac_word w)
{
  static const char *const notes[] = {
    "CACHE", "TLB", "TTW", "CADI", "SIGNAL", "INFO", "BR", "LS",
    "DBG", "SEMIHOSTING", "WARNING", "ERET", "P"
  };
  if (w.length > 0 && w.text[w.length - 1] == ':')
    w.length--;
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
    if (is (w, notes[i]))
      return true;
  /* "Tarmac Text Rev 3t" is the first line of cycle models' logs.  */
  return begins (w, "INFO_") || begins (w, "SIGNAL") || is (w, "Tarmac");
}

/* What kind of line WORD begins; TB_TARMAC_UNKNOWN: none.  */
static inline unsigned
kind_of (struct tb_tarmac_word w)
{
  const char *t = w.text;
  switch (*t)
    {
    case 'I':
      if (w.length == 2
	  && (t[1] == 'T' || t[1] == 'S' || t[1] == 'F' || t[1] == 'E' || t[1] == 'A'))
	return TB_TARMAC_STEP;
      break;
    case 'R':
      if (w.length == 1)
	return TB_TARMAC_REGISTER;
      if (w.length == 3 && is_digit (t[1]) && is_digit (t[2]))
	return TB_TARMAC_MEMORY;
      break;
    case 'W':
      if (w.length == 3 && is_digit (t[1]) && is_digit (t[2]))
	return TB_TARMAC_MEMORY;
      break;
    case 'E':
      if (w.length == 1)
	return TB_TARMAC_EVENT;
      if (w.length == 2 && t[1] == 'S')
	return TB_TARMAC_STEP;
      if (w.length == 3 && t[1] == 'X' && t[2] == 'C')
	return TB_TARMAC_EVENT;
      break;
    case 'L':
      if (w.length == 2 && t[1] == 'D')
	return TB_TARMAC_MEMORY;
      break;
    case 'S':
      if (w.length == 2 && t[1] == 'T')
	return TB_TARMAC_MEMORY;
      break;
    case 'T':
      if (w.length == 2 && t[1] == 'B')
	return TB_TARMAC_OWN;
      break;
    case 'M':
      if (w.length >= 3
	  && (((t[1] == 'R' || t[1] == 'W') && is_digit (t[2]))
	      || ((t[1] == 'N' || t[1] == 'S')
		  && (t[2] == 'R' || t[2] == 'W'))))
	return TB_TARMAC_MEMORY;
      /* A transfer to or from a coprocessor.  */
      if (w.length >= 3 && t[1] == 'C' && (t[2] == 'R' || t[2] == 'W'))
	return TB_TARMAC_NOTE;
      break;
    case 'B':
      if (w.length >= 3 && (t[1] == 'N' || t[1] == 'S')
	  && (t[2] == 'R' || t[2] == 'W'))
	return TB_TARMAC_BUS;
      break;
    }
  return is_note (w) ? TB_TARMAC_NOTE : TB_TARMAC_UNKNOWN;
}

/* Some text in front of the kind: the unit of the time, which core.  True: WORD is
   part of that and was taken.  */
static bool
take_front (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c,
	    struct tb_tarmac_word word)
{
  if (line->has_time && line->unit.length == 0 && tb_tarmac_is_unit (word))
    line->unit = word;
  else if ((*word.text == 'c' || *word.text == 'C') && line->cpu.length == 0
	   && (begins (word, "cpu") || begins (word, "CPU")
	       || begins (word, "core")))
    line->cpu = word;
  else
    return false;
  pass (c, word);
  return true;
}

/* An unknown word in front of a known kind is a unit, or the name of a core.  */
static bool
guess_front (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c,
	     struct tb_tarmac_word word)
{
  struct tb_tarmac_cursor next = *c;
  pass (&next, word);
  struct tb_tarmac_word after = peek (&next);
  unsigned kind = after.length > 0 ? kind_of (after) : TB_TARMAC_UNKNOWN;
  if (!line->has_time || kind == TB_TARMAC_UNKNOWN || kind == TB_TARMAC_NOTE)
    {
      /* Both may be unknown.  */
      if (!line->has_time || line->unit.length != 0 || after.length == 0
	  || (!begins (after, "cpu") && !begins (after, "CPU")))
	return false;
    }
  if (line->unit.length == 0)
    line->unit = word;
  else if (line->cpu.length == 0)
    line->cpu = word;
  else
    return false;
  *c = next;
  return true;
}

/* "315760 ns", "10ns".  */
static void
parse_time (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  const char *p = c->at;
  uint64_t time = 0;
  uint32_t fraction = 0;
  while (is_digit (*p))
    time = time * 10 + (unsigned) (*p++ - '0');
  if (p == c->at)
    return;
  if (*p == '.')
    for (uint32_t one = 100000000; is_digit (*++p); one /= 10)
      fraction += one * (uint32_t) (*p - '0');
  struct tb_tarmac_word unit = { p, 0 };
  while (!ends_word (*p))
    p++;
  unit.length = (uint32_t) (p - unit.text);
  if (unit.length != 0 && !tb_tarmac_is_unit (unit))
    return;
  line->time = time;
  line->fraction = fraction;
  line->has_time = true;
  line->unit = unit;
  c->at = p;
  skip_blanks (c);
}

/* Clear LINE in three pieces, each of which compilers clear by a few stores: one instruction that
   repeats, which they take for all of it, takes longer than the rest of a short line.  */
static inline void
clear (struct tb_tarmac_line *line)
{
  enum { PIECE = (sizeof *line / 3 + 15) / 16 * 16 };
  memset (line, 0, PIECE);
  memset ((char *) line + PIECE, 0, PIECE);
  memset ((char *) line + 2 * PIECE, 0, sizeof *line - 2 * PIECE);
}

void
tb_tarmac_parse (struct tb_tarmac_line *line, const char *text,
		 const char *end, uint8_t *wide)
{
  struct tb_tarmac_cursor c = { text, end };
  clear (line);
  line->kind = TB_TARMAC_BLANK;
  line->at = text;
  line->wide = wide;
  line->rest = end;
  skip_blanks (&c);
  if (*c.at == '\n')
    return;
  parse_time (line, &c);
  struct tb_tarmac_word word = peek (&c);
  while (word.length > 0 && take_front (line, &c, word))
    word = peek (&c);
  unsigned kind = word.length > 0 ? kind_of (word) : TB_TARMAC_UNKNOWN;
  while (kind == TB_TARMAC_UNKNOWN && guess_front (line, &c, word))
    {
      word = peek (&c);
      while (word.length > 0 && take_front (line, &c, word))
	word = peek (&c);
      kind = kind_of (word);
    }
  line->kind = line->begins = (uint8_t) kind;
  line->name = line->begun = word;
  line->at = c.at;
  switch (kind)
    {
    case TB_TARMAC_STEP:
      line->how = word.text[1];
      pass (&c, word);
      if (*word.text == 'E')
	tb_tarmac_read_es (line, &c);
      else
	tb_tarmac_read_step (line, &c);
      break;
    case TB_TARMAC_REGISTER:
      pass (&c, word);
      tb_tarmac_read_register (line, &c);
      line->rest = c.at;
      break;
    case TB_TARMAC_MEMORY:
    case TB_TARMAC_BUS:
      pass (&c, word);
      if (word.length == 2)
	{
	  line->write = *word.text == 'S';
	  tb_tarmac_read_lanes (line, &c);
	  break;
	}
      tb_tarmac_read_access (line, &c, word);
      line->rest = c.at;
      break;
    case TB_TARMAC_EVENT:
      pass (&c, word);
      if (word.length == 3)
	tb_tarmac_read_exc (line, &c);
      else
	tb_tarmac_read_event (line, &c);
      break;
    case TB_TARMAC_OWN:
      pass (&c, word);
      line->text = (struct tb_tarmac_word) { c.at, (uint32_t) (end - c.at) };
      break;
    case TB_TARMAC_UNKNOWN:
      c.at = text;
      if (tb_tarmac_continues (line, &c))
	break;
      if (!line->has_time)
	line->kind = TB_TARMAC_TEXT;
      break;
    default:
      break;
    }
  /* Prose may begin with a letter that is a kind; a record without time may be
     bad as well, but then so is all of the log.  */
  if (line->kind == TB_TARMAC_BAD && !line->has_time)
    line->kind = TB_TARMAC_TEXT;
}
