/* Sets of words of memory, of 4 bytes each.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_MEMORY_WORDS_H
#define TB_STATE_MEMORY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words of 256 bytes, a bit each; 0: an empty place.  */
struct tb_words_page
{
  uint64_t number, words;
};

struct tb_words
{
  struct tb_words_page *pages;	/* By a hash of their numbers.  */
  size_t count, room;
};

void tb_words_fini (struct tb_words *set);

/* Add those that the LENGTH bytes (8 at most) at ADDRESS have a part in; *NEWS is set
   if one was not there.  False: no memory.  */
bool tb_words_add (struct tb_words *set, uint64_t address, unsigned length,
		   bool *news);

/* Is one of them there?  */
bool tb_words_hit (const struct tb_words *set, uint64_t address,
		   unsigned length);

#endif /* TB_STATE_MEMORY_WORDS_H */
