/* Diagnostics.  See diag.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/diag.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"

/* Bytes of the character at S that a terminal shows as what it is; 0: it is told as a
   number.  Those that are no UTF-8 are not shown, and what controls a terminal (ECMA-48, C0
   and C1) would do so.  A tab does no harm.  */
static unsigned
shown (const char *s, bool lines)
{
  const unsigned char *byte = (const unsigned char *) s;
  unsigned length = tb_utf8_length (byte);
  if ((byte[0] < 0x20 && byte[0] != '\t' && !(lines && byte[0] == '\n')) || byte[0] == 0x7f
      || (length == 2 && byte[0] == 0xc2 && byte[1] < 0xa0))
    return 0;
  return length;
}

size_t
tb_diag_plain (char *plain, size_t size, const char *text, bool lines)
{
  size_t at = 0, kept = 0;
  for (const char *s = text; *s != '\0';)
    {
      /* A handler of signals may call this: no printf.  */
      const char number[] = { '\\', 'x', "0123456789abcdef"[(unsigned char) *s >> 4],
			      "0123456789abcdef"[(unsigned char) *s & 15] };
      unsigned length = shown (s, lines), bytes = length != 0 ? length : sizeof number;
      const char *from = length != 0 ? s : number;
      if (at + bytes < size)
	{
	  memcpy (plain + at, from, bytes);
	  kept = at + bytes;
	}
      at += bytes;
      s += length != 0 ? length : 1;
    }
  if (size > 0)
    plain[kept] = '\0';
  return at;
}

char *
tb_diag_plain_copy (const char *text)
{
  size_t size = tb_diag_plain (NULL, 0, text, false) + 1;
  char *plain = malloc (size);
  if (plain != NULL)
    tb_diag_plain (plain, size, text, false);
  return plain;
}

void
tb_report_as_is (struct tb_diag *diag, enum tb_severity severity, const char *message)
{
  if (diag == NULL)
    return;
  if (severity == TB_WARNING)
    diag->warnings++;
  else if (severity == TB_ERROR)
    diag->errors++;
  if (diag->report != NULL)
    diag->report (diag->context, severity, message);
}

void
tb_report (struct tb_diag *diag, enum tb_severity severity,
	   const char *format, ...)
{
  if (diag == NULL)
    return;

  va_list args;
  va_start (args, format);
  char text[512];
  va_list again;
  va_copy (again, args);
  int length = vsnprintf (text, sizeof text, format, args);
  va_end (args);

  /* Long paths must not cut the end of a sentence off.  */
  char *whole = NULL;
  if (length >= (int) sizeof text)
    {
      whole = malloc ((size_t) length + 1);
      if (whole != NULL)
	vsnprintf (whole, (size_t) length + 1, format, again);
    }
  va_end (again);

  /* Without memory for it the end is cut off.  */
  const char *said = whole != NULL ? whole : text;
  bool lines = strchr (format, '\n') != NULL;
  char small[1024];
  size_t need = tb_diag_plain (small, sizeof small, said, lines);
  char *large = need >= sizeof small ? malloc (need + 1) : NULL;
  if (large != NULL)
    tb_diag_plain (large, need + 1, said, lines);
  tb_report_as_is (diag, severity, large != NULL ? large : small);
  free (large);
  free (whole);
}
