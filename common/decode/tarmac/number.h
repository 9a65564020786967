/* Numbers in Tarmac logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_TARMAC_NUMBER_H
#define TB_DECODE_TARMAC_NUMBER_H

#include <stdint.h>

#include "decode/tarmac/line.h"

/* What tb_tarmac_digit says of characters that are no digit.  */
enum
{
  TB_TARMAC_DIGIT_UNKNOWN = 16,	/* x, X, z, Z: not known to the simulator; and -,
				   which some have for parts that are not told.  */
  TB_TARMAC_DIGIT_SEPARATOR = 17,	/* : _  */
  TB_TARMAC_DIGIT_NONE = 255
};

extern const uint8_t tb_tarmac_digits[256];

static inline unsigned
tb_tarmac_digit (char c)
{
  return tb_tarmac_digits[(unsigned char) c];
}

/* The hexadecimal number at *P, which moves behind it.  */
static inline uint64_t
tb_tarmac_hex (const char **p)
{
  uint64_t value = 0;
  unsigned d;
  while ((d = tb_tarmac_digit (**p)) < 16)
    {
      value = value << 4 | d;
      ++*p;
    }
  return value;
}

/* The value at *P, which moves behind it, into VALUE, WIDE, BYTES, UNKNOWN and TEXT of
   LINE: hexadecimal digits with or without separators between them.  Groups of 8 or
   16 digits with blanks between them are one value of at most MOST digits, the highest
   first.  TB_TARMAC_NO_VALUE: none stands there.  */
enum tb_tarmac_problem tb_tarmac_value (struct tb_tarmac_line *line,
					const char **p, unsigned most);

#endif /* TB_DECODE_TARMAC_NUMBER_H */
