/* Expressions: characters to tokens.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: C11, 6.4; the type of a number as GDB 13.1 finds it.  */

#include "config.h"
#include "frame/expression-internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/hex.h"

bool
tb_compiler_error (struct tb_compiler *c, size_t at, const char *format, ...)
{
  if (c->failed)
    return false;
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (c->error->text, sizeof c->error->text, format, arguments);
  va_end (arguments);
  c->error->offset = at;
  c->failed = true;
  return false;
}

bool
tb_compiler_expected (struct tb_compiler *c, const char *wanted)
{
  if (c->token == TB_TOKEN_END)
    return tb_compiler_error (c, c->token_at, "expected %s", wanted);
  return tb_compiler_error (c, c->token_at, "expected %s, found `%.*s'", wanted,
			    c->token_length > 40 ? 40 : (int) c->token_length,
			    c->text + c->token_at);
}

static bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

static bool
is_name (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
	 || is_digit (c) || (c & 0x80) != 0;
}

/* The character at offset AHEAD from what is next; 0: beyond the end.  */
static char
peek (const struct tb_compiler *c, size_t ahead)
{
  return ahead < c->length - c->next ? c->text[c->next + ahead] : 0;
}

/* Does VALUE fit in SIZE bytes?  */
static bool
fits (uint64_t value, unsigned size, bool is_signed)
{
  unsigned bits = 8 * size - is_signed;
  return bits >= 64 || value >> bits == 0;
}

/* The type of number VALUE, which has a "u" or not, and so many "l".  */
static const struct tb_type *
number_type (struct tb_compiler *c, uint64_t value, bool is_unsigned,
	     unsigned longs)
{
  const unsigned sizes[] = { 4, c->address_size, 8 };
  for (unsigned i = longs; i < 3; i++)
    {
      if (!is_unsigned && fits (value, sizes[i], true))
	return tb_type_integer (c, true, sizes[i]);
      if (fits (value, sizes[i], false))
	return tb_type_integer (c, false, sizes[i]);
    }
  return tb_type_integer (c, false, 8);
}

static void
lex_number (struct tb_compiler *c)
{
  unsigned base = 10, longs = 0;
  bool is_unsigned = false, any = false;
  c->value = 0;
  if (peek (c, 0) == '0' && (peek (c, 1) | 0x20) == 'x')
    {
      base = 16;
      c->next += 2;
    }
  else if (peek (c, 0) == '0' && (peek (c, 1) | 0x20) == 'b')
    {
      base = 2;
      c->next += 2;
    }
  else if (peek (c, 0) == '0')
    base = 8;
  for (;;)
    {
      int digit = tb_hex_value ((uint8_t) peek (c, 0));
      if (peek (c, 0) == 0 || digit < 0 || (unsigned) digit >= base)
	break;
      if (c->value > (UINT64_MAX - (unsigned) digit) / base)
	{
	  tb_compiler_error (c, c->token_at, "the number has more than 64 bits");
	  return;
	}
      c->value = c->value * base + (unsigned) digit;
      any = true;
      c->next++;
    }
  for (;; c->next++)
    {
      char letter = peek (c, 0) | 0x20;
      if (letter == 'u' && !is_unsigned)
	is_unsigned = true;
      else if (letter == 'l' && longs < 2)
	longs++;
      else
	break;
    }
  char behind = peek (c, 0), exponent = behind | 0x20;
  size_t sign = peek (c, 1) == '+' || peek (c, 1) == '-';
  if ((behind == '.' && is_digit (peek (c, 1)))
      || (((base != 16 && exponent == 'e') || (base == 16 && exponent == 'p'))
	  && is_digit (peek (c, 1 + sign))))
    tb_compiler_error (c, c->token_at, TB_EXPRESSION_NO_FLOAT);
  else if (!any || is_name (behind))
    {
      while (is_name (peek (c, 0)))
	c->next++;
      tb_compiler_error (c, c->token_at, "`%.*s' is no number",
			 (int) (c->next - c->token_at > 40
				? 40 : c->next - c->token_at),
			 c->text + c->token_at);
    }
  c->value_type = number_type (c, c->value, is_unsigned, longs);
}

/* What stands behind a backslash.  */
static unsigned
lex_escape (struct tb_compiler *c)
{
  static const char letters[] = "abfnrtve", values[] = "\a\b\f\n\r\t\v\033";
  char letter = peek (c, 0);
  const char *known = letter != 0 ? strchr (letters, letter) : NULL;
  unsigned value = 0;
  if (letter == 0)
    return 0;
  if (known != NULL)
    {
      c->next++;
      return (unsigned char) values[known - letters];
    }
  if (letter == 'x')
    {
      int digit;
      for (c->next++; (digit = tb_hex_value ((uint8_t) peek (c, 0))) >= 0;
	   c->next++)
	value = (value << 4 | (unsigned) digit) & 0xfff;
      return value;
    }
  if (letter < '0' || letter > '7')
    {
      c->next++;
      return (unsigned char) letter;
    }
  for (unsigned i = 0; i < 3 && peek (c, 0) >= '0' && peek (c, 0) <= '7'; i++)
    {
      value = value * 8 + (unsigned) (peek (c, 0) - '0');
      c->next++;
    }
  return value;
}

static void
lex_char (struct tb_compiler *c)
{
  c->next++;
  char letter = peek (c, 0);
  if (letter == '\'' || letter == 0)
    {
      tb_compiler_error (c, c->token_at, "expected a character between quotes");
      return;
    }
  c->next++;
  c->value = letter == '\\' ? lex_escape (c) : (unsigned char) letter;
  if (peek (c, 0) != '\'')
    tb_compiler_error (c, c->token_at,
		       "expected one character between quotes");
  else if (c->value > 0xff)
    tb_compiler_error (c, c->token_at, "the character has more than 8 bits");
  c->next++;
  /* GDB: a char, which on Arm has no sign.  */
  c->value_type = tb_variables_base (c->v, TB_TYPE_CHAR, false, 1);
}

/* The length of 'FILE' where "::" and a name stand behind it; 0: it does not.  */
static size_t
quoted_file (const struct tb_compiler *c)
{
  size_t length = 1;
  while (peek (c, length) != '\'' && peek (c, length) != 0)
    length++;
  return length > 1 && peek (c, length) == '\'' && peek (c, length + 1) == ':'
	 && peek (c, length + 2) == ':' && is_name (peek (c, length + 3))
	 && !is_digit (peek (c, length + 3)) ? length + 1 : 0;
}

/* A name, with what qualifies it.  */
static void
lex_name (struct tb_compiler *c)
{
  for (;;)
    {
      if (peek (c, 0) == ':' && peek (c, 1) == ':'
	  && (is_name (peek (c, 2)) && !is_digit (peek (c, 2))))
	c->next += 2;
      if (!is_name (peek (c, 0)))
	break;
      while (is_name (peek (c, 0)))
	c->next++;
    }
}

static void
lex_operator (struct tb_compiler *c)
{
  static const struct { char text[3]; uint8_t op; } pairs[] = {
    { "<<", TB_OPERATOR_SHL }, { ">>", TB_OPERATOR_SHR }, { "<=", TB_OPERATOR_LE },
    { ">=", TB_OPERATOR_GE }, { "==", TB_OPERATOR_EQ }, { "!=", TB_OPERATOR_NE },
    { "&&", TB_OPERATOR_AND }, { "||", TB_OPERATOR_OR }, { "->", TB_OPERATOR_ARROW },
    { "++", TB_OPERATOR_NOT_ALLOWED }, { "--", TB_OPERATOR_NOT_ALLOWED }
  };
  char first = peek (c, 0), second = peek (c, 1);
  c->op = (uint8_t) first;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (pairs[i].text[0] == first && pairs[i].text[1] == second)
      {
	c->op = pairs[i].op;
	c->next += 2;
	return;
      }
  if (first == 0 || strchr ("+-*/%&|^~!<>=?:.,()[]{}@", first) == NULL)
    tb_compiler_error (c, c->token_at,
		       first == '"' ? "strings are not supported"
				    : "unexpected character");
  c->next++;
}

void
tb_lex (struct tb_compiler *c)
{
  while (c->next < c->length
	 && (c->text[c->next] == ' ' || c->text[c->next] == '\t'))
    c->next++;
  c->token_at = c->next;
  c->token_length = 0;
  if (c->next == c->length || c->failed)
    {
      c->token = TB_TOKEN_END;
      return;
    }
  char first = peek (c, 0);
  bool colons = first == ':' && peek (c, 1) == ':' && is_name (peek (c, 2))
		&& !is_digit (peek (c, 2));
  if (is_digit (first) || (first == '.' && is_digit (peek (c, 1))))
    {
      c->token = TB_TOKEN_NUMBER;
      lex_number (c);
    }
  else if (is_name (first) || colons)
    {
      c->token = TB_TOKEN_NAME;
      lex_name (c);
    }
  else if (first == '\'' && quoted_file (c) != 0)
    {
      c->token = TB_TOKEN_NAME;
      c->next += quoted_file (c);
      lex_name (c);
    }
  else if (first == '\'')
    {
      c->token = TB_TOKEN_CHAR;
      lex_char (c);
    }
  else if (first == '$')
    {
      c->token = TB_TOKEN_DOLLAR;
      for (c->next++; is_name (peek (c, 0)) || peek (c, 0) == '$'; c->next++)
	;
    }
  else
    {
      c->token = TB_TOKEN_OPERATOR;
      lex_operator (c);
    }
  if (c->next > c->length)
    c->next = c->length;
  c->token_length = c->next - c->token_at;
}
