/* JSON and CSV output.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_JSON_H
#define TB_CONVERTER_JSON_H

#include <stdio.h>

/* Write TEXT as a JSON string (RFC 8259, 7).  Bytes that are no UTF-8 become
   U+FFFD.  */
void json_string (const char *text, FILE *out);

/* Write TEXT as a field of CSV, quoted (RFC 4180, 2).  */
void csv_field (FILE *out, const char *text);

#endif /* TB_CONVERTER_JSON_H */
