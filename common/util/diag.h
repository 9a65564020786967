/* Diagnostics: how the library tells its caller what is wrong.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_DIAG_H
#define TB_UTIL_DIAG_H

#include <stdarg.h>

enum tb_severity
{
  TB_NOTE,	/* Worth knowing; nothing is lost.  */
  TB_WARNING,	/* Something was not understood or left out.  */
  TB_ERROR	/* The operation fails.  */
};

/* Where messages go.  The library never prints; a program sets REPORT.
   A message is one or more whole sentences without a final newline.  By
   convention it begins with the place ("FILE:LINE: ", "FILE: [section] key: ",
   "BUFFER, byte 0x12: "), then says what was expected and what was found.  */
struct tb_diag
{
  void (*report) (void *context, enum tb_severity severity,
		  const char *message);
  void *context;
  unsigned warnings;	/* How many were reported so far.  */
  unsigned errors;
};

/* Format a message and hand it to DIAG.  DIAG may be NULL: nothing happens
   then.  Not for hot paths.  */
void tb_report (struct tb_diag *diag, enum tb_severity severity,
		const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Shorthands of tb_report for the three severities.  */
#define tb_note(diag, ...) tb_report (diag, TB_NOTE, __VA_ARGS__)
#define tb_warning(diag, ...) tb_report (diag, TB_WARNING, __VA_ARGS__)
#define tb_error(diag, ...) tb_report (diag, TB_ERROR, __VA_ARGS__)

#endif /* TB_UTIL_DIAG_H */
