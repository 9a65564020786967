/* Diagnostics.  See diag.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/diag.h"

#include <stdio.h>
#include <stdlib.h>

void
tb_report (struct tb_diag *diag, enum tb_severity severity,
	   const char *format, ...)
{
  if (diag == NULL)
    return;
  if (severity == TB_WARNING)
    diag->warnings++;
  else if (severity == TB_ERROR)
    diag->errors++;
  if (diag->report == NULL)
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
  diag->report (diag->context, severity, whole != NULL ? whole : text);
  free (whole);
}
