/* Characters in UTF-8.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_UTF8_H
#define TB_UTIL_UTF8_H

/* Bytes of the UTF-8 character at S, which ends with a zero; 0: it is none.  */
unsigned tb_utf8_length (const unsigned char *s);

#endif /* TB_UTIL_UTF8_H */
