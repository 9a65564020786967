/* JSON output.  See json.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "json.h"

/* Bytes of the UTF-8 character at S; 0: it is none.  */
static unsigned
utf8_length (const unsigned char *s)
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

void
json_string (const char *text, FILE *out)
{
  fputc ('"', out);
  for (const unsigned char *s = (const unsigned char *) text; *s != 0;)
    {
      unsigned length = utf8_length (s);
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
