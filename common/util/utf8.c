/* Characters in UTF-8.  See utf8.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/utf8.h"

unsigned
tb_utf8_length (const unsigned char *s)
{
  unsigned length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2
		    : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
  for (unsigned i = 1; i < length; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  /* Neither surrogates nor overlong forms.  */
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)
      || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
    return 0;
  return length;
}
