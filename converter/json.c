/* JSON and CSV output.  See json.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "json.h"

#include "util/utf8.h"

void
json_string (const char *text, FILE *out)
{
  fputc ('"', out);
  for (const unsigned char *s = (const unsigned char *) text; *s != 0;)
    {
      unsigned length = tb_utf8_length (s);
      if (length == 0)
	fputs ("\xef\xbf\xbd", out);
      else if (*s == '"' || *s == '\\')
	fprintf (out, "\\%c", *s);
      else if (*s < 0x20)
	fprintf (out, "\\u%04x", *s);
      else
	fwrite (s, 1, length, out);
      s += length != 0 ? length : 1;
    }
  fputc ('"', out);
}

void
csv_field (FILE *out, const char *text)
{
  fputc ('"', out);
  for (; *text != 0; text++)
    {
      if (*text == '"')
	fputc ('"', out);
      fputc (*text, out);
    }
  fputc ('"', out);
}
