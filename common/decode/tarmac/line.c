/* Parsing lines of Tarmac logs.  See line.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The newline that ends each line ends every word, too, so nothing here looks for
   the end of the line but where it skips blanks.  */

#include "config.h"
#include "decode/tarmac/line.h"

#include <string.h>

#include "decode/tarmac/number.h"

const char *
tb_tarmac_problem_text (enum tb_tarmac_problem problem)
{
  static const char *const texts[TB_TARMAC_PROBLEMS] = {
    "", "expected an address", "expected an opcode",
    "expected the name of a register", "expected a value",
    "expected the data that was transferred",
    "expected the number of bytes transferred", "the value is too long"
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

/* Where in the line the parser is.  */
struct cursor
{
  const char *at, *end;
};

static inline bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static inline void
skip_blanks (struct cursor *c)
{
  while (is_blank (*c->at))
    c->at++;
}

/* The word at C, without moving.  */
static inline struct tb_tarmac_word
peek (const struct cursor *c)
{
  const char *p = c->at;
  while (!is_blank (*p) && *p != '\n')
    p++;
  return (struct tb_tarmac_word) { c->at, (uint32_t) (p - c->at) };
}

/* Behind WORD, and the blanks after it.  */
static inline void
pass (struct cursor *c, struct tb_tarmac_word word)
{
  c->at = word.text + word.length;
  skip_blanks (c);
}

static bool
is (struct tb_tarmac_word word, const char *text)
{
  return strlen (text) == word.length
	 && memcmp (word.text, text, word.length) == 0;
}

static bool
begins (struct tb_tarmac_word word, const char *text)
{
  size_t n = strlen (text);
  return word.length >= n && memcmp (word.text, text, n) == 0;
}

static bool
is_unit (struct tb_tarmac_word w)
{
  static const char *const units[] = {
    "clk", "ns", "ps", "cyc", "tic", "us", "cs", "ms", "fs", "s", "cycles",
    "clks", "tick", "ticks"
  };
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (is (w, units[i]))
      return true;
  return false;
}

/* Kinds of lines that tell of something else than instructions, registers and
   memory, as models and test benches write them.  */
static bool
is_note (struct tb_tarmac_word w)
{
  static const char *const notes[] = {
    "CACHE", "TLB", "TTW", "CADI", "SIGNAL", "INFO", "BR", "LD", "ST", "LS",
    "DBG", "SEMIHOSTING", "WARNING", "EXC", "ERET", "P"
  };
  if (w.length > 0 && w.text[w.length - 1] == ':')
    w.length--;
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
    if (is (w, notes[i]))
      return true;
  return begins (w, "INFO_") || begins (w, "SIGNAL");
}

static inline bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

/* What kind of line WORD begins; TB_TARMAC_UNKNOWN: none.  */
static inline unsigned
kind_of (struct tb_tarmac_word w)
{
  const char *t = w.text;
  switch (*t)
    {
    case 'I':
      if (w.length == 2 && strchr ("TSFEA", t[1]) != NULL)
	return TB_TARMAC_STEP;
      break;
    case 'R':
      if (w.length == 1)
	return TB_TARMAC_REGISTER;
      break;
    case 'E':
      if (w.length == 1)
	return TB_TARMAC_EVENT;
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
      break;
    case 'B':
      if (w.length >= 3 && (t[1] == 'N' || t[1] == 'S')
	  && (t[2] == 'R' || t[2] == 'W'))
	return TB_TARMAC_BUS;
      break;
    }
  return is_note (w) ? TB_TARMAC_NOTE : TB_TARMAC_UNKNOWN;
}

static void
bad (struct tb_tarmac_line *line, enum tb_tarmac_problem problem,
     const struct cursor *c)
{
  line->kind = TB_TARMAC_BAD;
  line->problem = problem;
  line->at = c->at;
}

/* "(1a0:247c)" or "(17)": the serial number is what stands last.  */
static void
parse_tag (struct tb_tarmac_line *line, struct cursor *c)
{
  if (*c->at != '(')
    return;
  const char *p = c->at + 1, *start = p;
  while (*p != ')' && *p != '\n')
    {
      if (*p == ':')
	start = p + 1;
      p++;
    }
  if (*p != ')')
    return;
  bool is_hex = start != c->at + 1;
  uint64_t tag = 0;
  const char *q = start;
  for (; q < p; q++)
    {
      unsigned d = tb_tarmac_digit (*q);
      if (d > 15)
	break;
      is_hex |= d > 9;
      tag = tag << 4 | d;
    }
  if (q == p && p > start)
    {
      if (!is_hex)
	for (tag = 0, q = start; q < p; q++)
	  tag = tag * 10 + (unsigned) (*q - '0');
      line->has_tag = true;
      line->tag_is_hex = is_hex;
      line->tag = tag;
    }
  c->at = p + 1;
  skip_blanks (c);
}

/* "000007e8", "80000000:000080000000_NS".  False: no address stands there.  */
static bool
parse_address (struct tb_tarmac_line *line, struct cursor *c)
{
  const char *p = c->at;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
    p += 2;
  const char *start = p;
  line->address = tb_tarmac_hex (&p);
  if (p == start)
    return false;
  if (*p == ':')
    {
      start = ++p;
      line->physical = tb_tarmac_hex (&p);
      line->has_physical = p != start;
    }
  while (!is_blank (*p) && *p != '\n')
    p++;
  c->at = p;
  skip_blanks (c);
  return true;
}

/* The instruction set that STATE is; false: none.  */
static bool
parse_state (struct tb_tarmac_line *line, struct tb_tarmac_word state)
{
  if (state.length == 3 && state.text[0] == 'T'
      && (is (state, "T16") || is (state, "T32")))
    {
      line->rtl = true;
      line->isa = TB_ISA_T32;
      if (line->size != 0)
	line->size = state.text[1] == '1' ? 2 : 4;
      return true;
    }
  if (state.length != 1)
    return false;
  switch (*state.text)
    {
    case 'X':
      line->rtl = true;
      line->isa = TB_ISA_T32;
      return true;
    case 'O':
      line->isa = TB_ISA_A64;
      break;
    case 'A':
      line->isa = TB_ISA_A32;
      break;
    case 'T':
      line->isa = TB_ISA_T32;
      return true;
    case 'E':
      line->isa = TB_ISA_T32EE;
      return true;
    case 'J':
      line->isa = TB_ISA_UNKNOWN;
      return true;
    default:
      return false;
    }
  if (line->size != 0)
    line->size = 4;
  return true;
}

/* The opcode, which may stand in two halves; false: there is none.  */
static bool
parse_opcode (struct tb_tarmac_line *line, struct cursor *c)
{
  struct tb_tarmac_word word = peek (c);
  const char *p = c->at;
  uint64_t value = tb_tarmac_hex (&p);
  uint32_t digits = (uint32_t) (p - c->at);
  if (digits == word.length && digits > 0 && digits <= 8)
    {
      line->opcode = (uint32_t) value;
      line->size = digits <= 4 ? 2 : 4;
      pass (c, word);
      struct tb_tarmac_word half = peek (c);
      p = c->at;
      value = tb_tarmac_hex (&p);
      if (digits == 4 && half.length == 4 && p == c->at + 4)
	{
	  line->opcode = line->opcode << 16 | (uint32_t) value;
	  line->size = 4;
	  pass (c, half);
	}
      return true;
    }
  /* What could not be fetched has dashes or x in its place.  */
  for (uint32_t i = 0; i < word.length; i++)
    if (strchr ("xX-?", word.text[i]) == NULL)
      return false;
  /* But a lone X is the state of an RTL line without opcode.  */
  if (word.length > 1 || (word.length == 1 && *word.text != 'X'))
    pass (c, word);
  return word.length > 0;
}

/* "IT (00001000) e1a00000 A svc:": a producer that has the address in the brackets and
   no number of its own.  */
static bool
address_in_brackets (struct tb_tarmac_line *line, struct cursor *c)
{
  struct cursor next = *c;
  const char *p = c->at + 1;
  uint64_t address = tb_tarmac_hex (&p);
  struct tb_tarmac_line trial = { .size = 4 };
  if (*c->at != '(' || *p != ')' || p < c->at + 5)
    return false;
  next.at = p + 1;
  skip_blanks (&next);
  struct tb_tarmac_word opcode = peek (&next);
  pass (&next, opcode);
  if ((opcode.length != 4 && opcode.length != 8)
      || !parse_state (&trial, peek (&next)))
    return false;
  line->address = address;
  c->at = opcode.text;
  return true;
}

static void
parse_step (struct tb_tarmac_line *line, struct cursor *c)
{
  bool found = address_in_brackets (line, c);
  if (!found)
    parse_tag (line, c);
  if (!found && !parse_address (line, c))
    {
      bad (line, TB_TARMAC_NO_ADDRESS, c);
      return;
    }
  line->isa = TB_ISA_UNKNOWN;
  if (!parse_opcode (line, c))
    {
      bad (line, TB_TARMAC_NO_OPCODE, c);
      return;
    }
  struct tb_tarmac_word state = peek (c);
  bool told = parse_state (line, state);
  if (told)
    pass (c, state);
  if (told && !line->rtl)
    {
      /* "svc_s :", "svc_s:", "EL1h_n :"; a test bench may leave it out.  */
      struct tb_tarmac_word mode = peek (c);
      if (mode.length > 1 || (mode.length == 1 && *mode.text != ':'))
	{
	  pass (c, mode);
	  if (mode.text[mode.length - 1] == ':')
	    mode.length--;
	  line->mode = mode;
	}
    }
  if (*c->at == ':')
    {
      c->at++;
      skip_blanks (c);
    }
  line->text = (struct tb_tarmac_word) { c->at, (uint32_t) (c->end - c->at) };
  if (line->how == 'A')
    line->isa = TB_ISA_A32;
}

/* The value at C into LINE.  False: none stands there, or it is too long.  */
static bool
parse_value (struct tb_tarmac_line *line, struct cursor *c)
{
  enum tb_tarmac_problem problem = tb_tarmac_value (line, &c->at);
  if (problem == TB_TARMAC_FINE)
    {
      skip_blanks (c);
      return true;
    }
  if (problem == TB_TARMAC_TOO_LONG)
    bad (line, problem, c);
  return false;
}

static void
parse_register (struct tb_tarmac_line *line, struct cursor *c)
{
  parse_tag (line, c);
  struct tb_tarmac_word name = peek (c);
  if (name.length == 0)
    {
      bad (line, TB_TARMAC_NO_NAME, c);
      return;
    }
  pass (c, name);
  /* "V0<63:0>": a part of a vector register.  */
  const char *part = name.text[name.length - 1] == '>'
		     ? memchr (name.text, '<', name.length) : NULL;
  if (part != NULL)
    {
      const char *p = memchr (part, ':', name.length);
      unsigned bit = 0;
      for (p = p != NULL ? p + 1 : part + 1; is_digit (*p) && bit < 4096; p++)
	bit = bit * 10 + (unsigned) (*p - '0');
      line->first_bit = (uint16_t) bit;
      name.length = (uint32_t) (part - name.text);
    }
  line->name = name;
  /* "R R1 (USR) 0123": a bank, which is part of the name; another tag is not.  */
  if (*c->at == '(' && !line->has_tag)
    {
      struct tb_tarmac_word extra = peek (c);
      parse_tag (line, c);
      if (!line->has_tag && extra.text[extra.length - 1] == ')')
	line->name.length = (uint32_t) (extra.text + extra.length - name.text);
    }
  if (!parse_value (line, c))
    {
      if (line->kind == TB_TARMAC_BAD)
	return;
      /* "R DC CIVAC 0123": a name of two words.  */
      struct tb_tarmac_word second = peek (c);
      if (second.length > 0)
	{
	  pass (c, second);
	  line->name.length = (uint32_t) (second.text + second.length
					  - name.text);
	}
      if (second.length == 0 || !parse_value (line, c))
	{
	  if (second.length > 0 && *c->at == '\n')
	    c->at = second.text;
	  if (line->kind != TB_TARMAC_BAD)
	    bad (line, TB_TARMAC_NO_VALUE, c);
	  return;
	}
    }
  parse_tag (line, c);
}

/* The letters of a bus or memory line: MNW4___D.  */
static bool
parse_letters (struct tb_tarmac_line *line, struct tb_tarmac_word w)
{
  line->write = w.text[2] == 'W';
  if (w.length < 4 || !is_digit (w.text[3]))
    return false;
  line->length = (uint16_t) (w.text[3] - '0');
  if (w.length > 4 && w.text[4] == 'O')
    line->port = TB_TARMAC_PORT_FETCH;
  line->speculative = w.length > 6 && w.text[6] == 'S';
  char port = w.length > 7 ? w.text[7] : 0;
  if (port == 'I')
    line->port = TB_TARMAC_PORT_FETCH;
  else if (port == 'A' && line->kind == TB_TARMAC_MEMORY)
    line->port = TB_TARMAC_PORT_DEBUG;
  else if (port == 'S')
    line->port = TB_TARMAC_PORT_SYSTEM;
  return line->length != 0;
}

/* MR4, MW8X, MR16, and what models put behind.  */
static bool
parse_model_letters (struct tb_tarmac_line *line, struct tb_tarmac_word w)
{
  line->write = w.text[1] == 'W';
  unsigned length = 0;
  for (uint32_t i = 2; i < w.length && is_digit (w.text[i]) && length < 1000;
       i++)
    length = length * 10 + (unsigned) (w.text[i] - '0');
  line->length = (uint16_t) length;
  return length != 0 && length <= TB_TARMAC_VALUE;
}

static void
parse_access (struct tb_tarmac_line *line, struct cursor *c,
	      struct tb_tarmac_word w)
{
  line->rtl = w.text[1] == 'N' || w.text[1] == 'S';
  if (!(line->rtl ? parse_letters (line, w) : parse_model_letters (line, w)))
    {
      c->at = w.text;
      bad (line, TB_TARMAC_NO_SIZE, c);
      return;
    }
  parse_tag (line, c);
  if (!parse_address (line, c))
    {
      bad (line, TB_TARMAC_NO_ADDRESS, c);
      return;
    }
  if (*c->at == '(' && c->at[1] == 'A')
    {
      line->aborted = true;
      return;
    }
  if (!parse_value (line, c))
    {
      if (line->kind != TB_TARMAC_BAD)
	bad (line, TB_TARMAC_NO_DATA, c);
      return;
    }
  struct tb_tarmac_word more = peek (c);
  line->aborted = begins (more, "(ABORT");
  if (!line->aborted)
    parse_tag (line, c);
}

/* "E Reset"; of a model "E 0009ef4c:00001009ef4c_NS 00000084 CoreEvent_...",
   with the new mode before the number of a change of mode.  */
static void
parse_event (struct tb_tarmac_line *line, struct cursor *c)
{
  struct tb_tarmac_word word = peek (c);
  const char *p = c->at;
  line->text = (struct tb_tarmac_word) { c->at, (uint32_t) (c->end - c->at) };
  while (line->text.length > 0
	 && is_blank (line->text.text[line->text.length - 1]))
    line->text.length--;
  tb_tarmac_hex (&p);
  if (p - c->at < 8 || (*p != ':' && !is_blank (*p)) || word.length == 0)
    {
      line->name = line->text;
      return;
    }
  parse_address (line, c);
  for (unsigned i = 0; i < 2; i++)
    {
      word = peek (c);
      p = word.text;
      uint64_t number = tb_tarmac_hex (&p);
      if (word.length == 8 && p == word.text + 8)
	{
	  line->has_number = true;
	  line->number = (uint32_t) number;
	  pass (c, word);
	  break;
	}
      line->mode = word;
      pass (c, word);
    }
  line->name = peek (c);
}

/* Some text in front of the kind: the unit of the time, which core.  True: WORD is
   part of that and was taken.  */
static bool
take_front (struct tb_tarmac_line *line, struct cursor *c,
	    struct tb_tarmac_word word)
{
  if (line->has_time && line->unit.length == 0 && is_unit (word))
    line->unit = word;
  else if (line->cpu.length == 0
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
guess_front (struct tb_tarmac_line *line, struct cursor *c,
	     struct tb_tarmac_word word)
{
  struct cursor next = *c;
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
parse_time (struct tb_tarmac_line *line, struct cursor *c)
{
  const char *p = c->at;
  uint64_t time = 0;
  while (is_digit (*p))
    time = time * 10 + (unsigned) (*p++ - '0');
  if (p == c->at)
    return;
  if (*p == '.')
    do
      p++;
    while (is_digit (*p));
  struct tb_tarmac_word unit = { p, 0 };
  while (!is_blank (*p) && *p != '\n')
    p++;
  unit.length = (uint32_t) (p - unit.text);
  if (unit.length != 0 && !is_unit (unit))
    return;
  line->time = time;
  line->has_time = true;
  line->unit = unit;
  c->at = p;
  skip_blanks (c);
}

void
tb_tarmac_parse (struct tb_tarmac_line *line, const char *text,
		 const char *end, uint8_t *wide)
{
  struct cursor c = { text, end };
  *line = (struct tb_tarmac_line) { .kind = TB_TARMAC_BLANK, .at = text,
				    .wide = wide, .rest = end };
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
  line->kind = (uint8_t) kind;
  line->name = word;
  line->at = c.at;
  switch (kind)
    {
    case TB_TARMAC_STEP:
      line->how = word.text[1];
      pass (&c, word);
      parse_step (line, &c);
      break;
    case TB_TARMAC_REGISTER:
      pass (&c, word);
      parse_register (line, &c);
      line->rest = c.at;
      break;
    case TB_TARMAC_MEMORY:
    case TB_TARMAC_BUS:
      pass (&c, word);
      parse_access (line, &c, word);
      line->rest = c.at;
      break;
    case TB_TARMAC_EVENT:
      pass (&c, word);
      parse_event (line, &c);
      break;
    case TB_TARMAC_OWN:
      pass (&c, word);
      line->text = (struct tb_tarmac_word) { c.at, (uint32_t) (end - c.at) };
      break;
    case TB_TARMAC_UNKNOWN:
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
