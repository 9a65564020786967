/* Diagnostics: how the library tells its caller what is wrong.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_DIAG_H
#define TB_UTIL_DIAG_H

#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>

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
   then.  Names and text of inputs may hold anything: what controls a terminal or is no UTF-8
   is told as numbers (tb_diag_plain), and a line ends only where FORMAT has lines.  Not for
   hot paths.  */
void tb_report (struct tb_diag *diag, enum tb_severity severity,
		const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Hand MESSAGE, which tb_report made for another one, to DIAG; it may be NULL.  */
void tb_report_as_is (struct tb_diag *diag, enum tb_severity severity, const char *message);

/* Put TEXT into PLAIN, of SIZE bytes, with "\xNN" in place of each byte that controls a
   terminal or is no UTF-8; ends of lines stay if LINES.  What does not fit is cut off.
   Returns the length of all of it, as snprintf does.  A handler of signals may call it.  */
size_t tb_diag_plain (char *plain, size_t size, const char *text, bool lines);

/* TEXT so, without lines, to be freed by the caller; NULL: no memory.  */
char *tb_diag_plain_copy (const char *text);

/* Shorthands of tb_report for the three severities.  */
#define tb_note(diag, ...) tb_report (diag, TB_NOTE, __VA_ARGS__)
#define tb_warning(diag, ...) tb_report (diag, TB_WARNING, __VA_ARGS__)
#define tb_error(diag, ...) tb_report (diag, TB_ERROR, __VA_ARGS__)

#endif /* TB_UTIL_DIAG_H */
