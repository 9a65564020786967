/* Values in a snapshot's INI files: numbers, lists, names.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_VALUE_H
#define TB_SNAPSHOT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The widest register (SVE's largest vector).  */
#define TB_REG_MAX_BITS 2048

/* A number of up to TB_REG_MAX_BITS bits.  */
struct tb_wide
{
  uint8_t bytes[TB_REG_MAX_BITS / 8];	/* Lowest first.  */
  unsigned bits;			/* Those in use; 0 for zero.  */
};

/* The LENGTH characters at TEXT as a number, decimal or, after 0x,
   hexadecimal.  False where they are no such number or it is too wide.  */
bool tb_parse_wide (const char *text, size_t length, struct tb_wide *value);
bool tb_parse_u64 (const char *text, size_t length, uint64_t *value);

/* The low 64 bits.  */
uint64_t tb_wide_u64 (const struct tb_wide *value);

/* A piece of text that is not zero-terminated.  */
struct tb_slice
{
  const char *text;
  size_t length;
};

/* Take the next item, trimmed, of the comma-separated list *REST and step
   behind it.  False at the end.  Items may be empty; a comma at the very end
   begins no item.  */
bool tb_next_item (struct tb_slice *rest, struct tb_slice *item);

/* PIECE without white space at its ends.  */
struct tb_slice tb_trim (struct tb_slice piece);

/* Whether PIECE is TEXT.  */
bool tb_piece_equals (struct tb_slice piece, const char *text);

/* Whether PIECE is the word WORD, case ignored.  */
bool tb_piece_is (struct tb_slice piece, const char *word);

#endif /* TB_SNAPSHOT_VALUE_H */
