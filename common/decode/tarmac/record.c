/* The records of Tarmac logs, by their kinds.  See line.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/tarmac/cursor.h"

#include "decode/tarmac/number.h"

/* "(1a0:247c)" or "(17)": the serial number is what stands last.  */
static void
parse_tag (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  if (*c->at != '(')
    return;
  const char *p = c->at + 1, *start = p;
  bool is_hex = false, is_number = true;
  uint64_t tag = 0;
  for (;; p++)
    {
      unsigned d = tb_tarmac_digit (*p);
      if (d < 16)
	{
	  is_hex |= d > 9;
	  tag = tag << 4 | d;
	}
      else if (*p == ':')
	{
	  start = p + 1;
	  is_hex = is_number = true;
	  tag = 0;
	}
      else if (*p == ')' || *p == '\n')
	break;
      else
	is_number = false;
    }
  if (*p != ')')
    return;
  if (is_number && p > start)
    {
      if (!is_hex)
	{
	  tag = 0;
	  for (const char *q = start; q < p; q++)
	    tag = tag * 10 + (unsigned) (*q - '0');
	}
      line->has_tag = true;
      line->tag_is_hex = is_hex;
      line->tag = tag;
    }
  c->at = p + 1;
  skip_blanks (c);
}

/* Does an address end at P?  With a digit that is not known it is none; "_NS" and the
   like may stand behind it.  */
static bool
ends_address (const char *p)
{
  return ends_word (*p)
	 || (*p == '_' && tb_tarmac_digit (p[1]) == TB_TARMAC_DIGIT_NONE
	     && !is_blank (p[1]) && p[1] != '\n');
}

/* "000007e8", "80000000:000080000000_NS".  False: no address stands there.  */
static bool
parse_address (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  const char *p = c->at;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
    p += 2;
  const char *start = p;
  line->address = tb_tarmac_hex (&p);
  if (p == start || (*p != ':' && !ends_address (p)))
    return false;
  if (*p == ':')
    {
      start = ++p;
      line->physical = tb_tarmac_hex (&p);
      line->has_physical = p != start && ends_address (p);
    }
  while (!ends_word (*p))
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
parse_opcode (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
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
   no number of its own.  *KNOWN: all of the address's digits are.  */
static bool
address_in_brackets (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c,
		     bool *known)
{
  struct tb_tarmac_cursor next = *c;
  if (*c->at != '(')
    return false;
  const char *p = c->at + 1;
  uint64_t address = tb_tarmac_hex (&p);
  *known = *p == ')';
  while (tb_tarmac_digit (*p) <= TB_TARMAC_DIGIT_UNKNOWN)
    p++;
  if (*p != ')' || p < c->at + 5)
    return false;
  struct tb_tarmac_line trial = { .size = 4 };
  next.at = p + 1;
  skip_blanks (&next);
  struct tb_tarmac_word opcode = peek (&next);
  pass (&next, opcode);
  if ((opcode.length != 4 && opcode.length != 8)
      || !parse_state (&trial, peek (&next)))
    return false;
  line->address = address;
  if (*known)
    c->at = opcode.text;
  return true;
}

void
tb_tarmac_read_step (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
{
  struct tb_tarmac_cursor address = *c;
  bool known = true, found = address_in_brackets (line, c, &known);
  if (!found)
    {
      parse_tag (line, c);
      address = *c;
    }
  if (found ? !known : !parse_address (line, c))
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
  if (is_too_wide (line))
    bad (line, TB_TARMAC_WIDE_ADDRESS, &address);
}

/* The value at C, of at most MOST digits where it is in groups, into LINE.  False:
   none stands there, or it is too long.  */
static bool
parse_value (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c,
	     unsigned most)
{
  enum tb_tarmac_problem problem = tb_tarmac_value (line, &c->at, most);
  if (problem == TB_TARMAC_FINE)
    {
      skip_blanks (c);
      return true;
    }
  if (problem == TB_TARMAC_TOO_LONG)
    bad (line, problem, c);
  return false;
}

/* Is what stands behind the value of LINE, from C up to the end of the line, words of
   digits that look like more of it?  Remarks have other characters, or are a letter.  */
static bool
goes_further (const struct tb_tarmac_line *line, const struct tb_tarmac_cursor *c)
{
  struct tb_tarmac_cursor next = *c;
  uint32_t first = 0;
  bool further = false;
  while (first < line->text.length && !is_blank (line->text.text[first]))
    first++;
  for (struct tb_tarmac_word word = peek (&next); word.length > 0;
       word = peek (&next))
    {
      for (uint32_t i = 0; i < word.length; i++)
	{
	  if (word.text[i] == '-'
	      || tb_tarmac_digit (word.text[i]) > TB_TARMAC_DIGIT_UNKNOWN)
	    return false;
	  further |= is_digit (word.text[i]);
	}
      further |= word.length == first && first > 1;
      pass (&next, word);
    }
  return further;
}

void
tb_tarmac_read_register (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
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
  if (!parse_value (line, c, 2 * TB_TARMAC_VALUE))
    {
      if (line->kind == TB_TARMAC_BAD)
	return;
      /* "R DC CIVAC 0123": a name of two words.  */
      struct tb_tarmac_word first = line->name, second = peek (c);
      if (second.length > 0)
	{
	  pass (c, second);
	  line->name.length = (uint32_t) (second.text + second.length
					  - name.text);
	}
      if (second.length == 0
	  || !parse_value (line, c, 2 * TB_TARMAC_VALUE))
	{
	  if (second.length > 0 && *c->at == '\n')
	    c->at = second.text;
	  line->name = first;
	  if (line->kind != TB_TARMAC_BAD)
	    bad (line, TB_TARMAC_NO_VALUE, c);
	  return;
	}
    }
  if (goes_further (line, c))
    bad (line, TB_TARMAC_TOO_LONG, c);
  else
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
  else if (port == 'S' && line->port != TB_TARMAC_PORT_FETCH)
    line->port = TB_TARMAC_PORT_SYSTEM;
  return line->length != 0;
}

/* MR4, MW8X, MR16, and what models put behind; R08, W04 of others.  */
static bool
parse_model_letters (struct tb_tarmac_line *line, struct tb_tarmac_word w)
{
  uint32_t letter = *w.text == 'M' ? 1 : 0;
  line->write = w.text[letter] == 'W';
  unsigned length = 0;
  for (uint32_t i = letter + 1; i < w.length && is_digit (w.text[i]) && length < 1000;
       i++)
    length = length * 10 + (unsigned) (w.text[i] - '0');
  line->length = (uint16_t) length;
  return length != 0 && length <= TB_TARMAC_VALUE;
}

void
tb_tarmac_read_access (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c,
	      struct tb_tarmac_word w)
{
  line->rtl = w.length > 3 && (w.text[1] == 'N' || w.text[1] == 'S');
  if (!(line->rtl ? parse_letters (line, w) : parse_model_letters (line, w)))
    {
      c->at = w.text;
      bad (line, TB_TARMAC_NO_SIZE, c);
      return;
    }
  parse_tag (line, c);
  /* "W04 X ffffffbd": an exclusive access.  */
  if (*c->at == 'X' && is_blank (c->at[1]))
    pass (c, peek (c));
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
  if (!parse_value (line, c, 2u * line->length))
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
void
tb_tarmac_read_event (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c)
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
