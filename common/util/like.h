/* What a user may have meant.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_LIKE_H
#define TB_UTIL_LIKE_H

#include <getopt.h>
#include <stddef.h>

/* Longer names are like no other.  */
#define TB_LIKE_LENGTH 64

/* How many characters have to be put in, taken out, changed, or swapped with their
   neighbour, to make the NB characters B of the NA characters A, whatever their case; at
   most TB_LIKE_LENGTH of each.  */
size_t tb_like_distance (const char *a, size_t na, const char *b, size_t nb);

/* The one of the COUNT NAMES that the LENGTH characters WORD nearly are, or are; NULL:
   none.  */
const char *tb_like_word (const char *const *names, size_t count, const char *word,
			  size_t length);

/* The long option of TABLE that WORD, "--NAME" or "--NAME=VALUE", is nearly; NULL: it is
   one, or the beginning of one, or like none.  */
const char *tb_like_option (const struct option *table, const char *word);

#endif /* TB_UTIL_LIKE_H */
