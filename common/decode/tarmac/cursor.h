/* Inside of the parser of Tarmac lines: words, and the records by their kinds.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The newline that ends each line ends every word, too, so nothing here looks for
   the end of the line but where it skips blanks.  */

#ifndef TB_DECODE_TARMAC_CURSOR_H
#define TB_DECODE_TARMAC_CURSOR_H

#include <string.h>

#include "decode/tarmac/line.h"

/* Where in the line the parser is.  */
struct tb_tarmac_cursor
{
  const char *at, *end;
};

static inline bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* Does a word end at C?  Characters of words are asked for most often: one comparison.  */
static inline bool
ends_word (char c)
{
  return (unsigned char) c <= ' ' && (is_blank (c) || c == '\n');
}

static inline void
skip_blanks (struct tb_tarmac_cursor *c)
{
  while (is_blank (*c->at))
    c->at++;
}

/* The word at C, without moving.  */
static inline struct tb_tarmac_word
peek (const struct tb_tarmac_cursor *c)
{
  const char *p = c->at;
  while (!ends_word (*p))
    p++;
  return (struct tb_tarmac_word) { c->at, (uint32_t) (p - c->at) };
}

/* Behind WORD, and the blanks after it.  */
static inline void
pass (struct tb_tarmac_cursor *c, struct tb_tarmac_word word)
{
  c->at = word.text + word.length;
  skip_blanks (c);
}

static inline bool
is (struct tb_tarmac_word word, const char *text)
{
  return strlen (text) == word.length
	 && memcmp (word.text, text, word.length) == 0;
}

static inline bool
begins (struct tb_tarmac_word word, const char *text)
{
  size_t n = strlen (text);
  return word.length >= n && memcmp (word.text, text, n) == 0;
}

static inline bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

static inline void
bad (struct tb_tarmac_line *line, enum tb_tarmac_problem problem,
     const struct tb_tarmac_cursor *c)
{
  line->kind = TB_TARMAC_BAD;
  line->problem = problem;
  line->at = c->at;
}

/* Has LINE an instruction at an address that cores do not have where they run that set?  */
static inline bool
is_too_wide (const struct tb_tarmac_line *line)
{
  return line->address > UINT32_MAX
	 && (line->isa == TB_ISA_A32 || line->isa == TB_ISA_T32
	     || line->isa == TB_ISA_T32EE);
}

/* line.c: is WORD a unit of time?  */
bool tb_tarmac_is_unit (struct tb_tarmac_word word);

/* record.c: what stands behind the word that is the kind.  */
void tb_tarmac_read_step (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c);
void tb_tarmac_read_register (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c);
void tb_tarmac_read_access (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c,
			    struct tb_tarmac_word kind);
/* ES, EXC; LD, ST, and their continuation (false: it is none).  */
void tb_tarmac_read_es (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c);
void tb_tarmac_read_exc (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c);
void tb_tarmac_read_lanes (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c);
bool tb_tarmac_continues (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c);
void tb_tarmac_read_event (struct tb_tarmac_line *line, struct tb_tarmac_cursor *c);

#endif /* TB_DECODE_TARMAC_CURSOR_H */
