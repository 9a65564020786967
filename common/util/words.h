/* Words that stand for values, as options and commands have them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_WORDS_H
#define TB_UTIL_WORDS_H

#include <stdbool.h>

#include "util/buffer.h"

/* A list of them ends with a NULL name.  */
struct tb_word
{
  const char *name;
  int value;
};

/* The word NAME among WORDS, or the one of VALUE; NULL: there is none.  */
const struct tb_word *tb_word_find (const struct tb_word *words, const char *name);
const struct tb_word *tb_word_of (const struct tb_word *words, int value);

/* Append the names of WORDS, as in "a, b or c".  */
void tb_words_list (const struct tb_word *words, struct tb_buffer *text);

/* Add to *BITS the values of the words that TEXT lists, separated by commas.  The first
   that is not among WORDS is *WRONG, of *LENGTH characters; then false.  */
bool tb_words_bits (const struct tb_word *words, const char *text, unsigned *bits,
		    const char **wrong, int *length);

#endif /* TB_UTIL_WORDS_H */
