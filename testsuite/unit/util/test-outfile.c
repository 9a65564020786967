/* Output files: streams, and errors that are found late.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "util/outfile.h"

#define FILE_NAME "test-outfile.out"

static char message[512];

static void
keep_message (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  (void) severity;
  snprintf (message, sizeof message, "%s", text);
}

static struct tb_diag diag = { keep_message, NULL, 0, 0 };

int
main (void)
{
  /* Text and bytes in order; no file of that name before the end.  */
  unlink (FILE_NAME);
  struct tb_outfile *file = tb_outfile_open (FILE_NAME, &diag);
  if (!CHECK (file != NULL))
    return check_done ();
  CHECK_STR (tb_outfile_name (file), FILE_NAME);
  fprintf (tb_outfile_stream (file), "%d lines\n", 2);
  CHECK_INT (tb_outfile_write (file, "more\n", 5), TB_OK);
  CHECK_INT (tb_outfile_write (file, NULL, 0), TB_OK);
  CHECK_INT (tb_outfile_check (file), TB_OK);
  CHECK (access (FILE_NAME, F_OK) != 0);
  CHECK_INT (tb_outfile_finish (file), TB_OK);
  char text[40] = "";
  FILE *back = fopen (FILE_NAME, "r");
  if (CHECK (back != NULL))
    {
      size_t length = fread (text, 1, sizeof text - 1, back);
      text[length] = '\0';
      fclose (back);
    }
  CHECK_STR (text, "2 lines\nmore\n");

  /* A full device is told of once, by its reason, however it is noticed.  */
  file = tb_outfile_open ("/dev/full", &diag);
  if (CHECK (file != NULL))
    {
      for (unsigned i = 0; i < 400000; i++)
	putc ('x', tb_outfile_stream (file));
      errno = ENOENT;
      CHECK_INT (tb_outfile_check (file), TB_ERR_IO);
      CHECK_STR (message, "/dev/full: cannot write: No space left on device");
      CHECK_INT (tb_outfile_write (file, "x", 1), TB_ERR_IO);
      CHECK_INT (tb_outfile_finish (file), TB_ERR_IO);
      CHECK_INT (diag.errors, 1);
    }
  file = tb_outfile_open ("/dev/full", &diag);
  if (CHECK (file != NULL))
    {
      putc ('x', tb_outfile_stream (file));
      CHECK_INT (tb_outfile_check (file), TB_OK);
      CHECK_INT (tb_outfile_finish (file), TB_ERR_IO);
      CHECK_INT (diag.errors, 2);
    }

  /* A file that may not be written is not replaced.  */
  chmod (FILE_NAME, 0444);
  if (geteuid () != 0)
    {
      CHECK (tb_outfile_open (FILE_NAME, &diag) == NULL);
      CHECK (strstr (message, "cannot create: Permission denied") != NULL);
    }
  unlink (FILE_NAME);
  return check_done ();
}
