/* Bytes as hexadecimal digits.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_HEX_H
#define TB_UTIL_HEX_H

#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"

/* The value of a hexadecimal digit; -1: it is none.  */
int tb_hex_value (uint8_t digit);

/* Append bytes as pairs of hexadecimal digits.  */
void tb_hex_append (struct tb_buffer *out, const void *bytes, size_t length);

/* Put NUMBER, without leading zeros, to TO, which has room for TB_HEX_MOST digits; returns
   where they end.  */
#define TB_HEX_MOST 16
uint8_t *tb_hex_put (uint8_t *to, uint64_t number);

/* Append NUMBER, without leading zeros; the same as decimal digits.  For lines of which
   there are many: printf takes many times as long.  */
void tb_hex_append_number (struct tb_buffer *out, uint64_t number);
void tb_decimal_append (struct tb_buffer *out, uint64_t number);

/* Turn pairs of digits into bytes, at most LIMIT.  Returns how many; stops at
   what is no pair of digits.  */
size_t tb_hex_decode (const char *text, size_t length, uint8_t *bytes,
		      size_t limit);

#endif /* TB_UTIL_HEX_H */
