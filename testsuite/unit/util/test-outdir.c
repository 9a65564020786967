/* Output folders: whole or not there; what is replaced and what is not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "util/outdir.h"

#define NAME "test-outdir.out"

static const char *const files[] = { "one", "sub/two", NULL };
static unsigned errors;

static void
count_message (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  (void) text;
  errors += severity == TB_ERROR;
}

static struct tb_diag diag = { count_message, NULL, 0, 0 };

static bool
put (struct tb_outdir *dir, const char *file, const char *text)
{
  struct tb_outfile *out = tb_outdir_file (dir, file);
  if (out == NULL)
    return false;
  fputs (text, tb_outfile_stream (out));
  return tb_outfile_finish (out) == TB_OK;
}

/* What the file PATH begins with.  */
static const char *
contents (const char *path)
{
  static char text[40];
  FILE *file = fopen (path, "r");
  size_t length = file != NULL ? fread (text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  if (file != NULL)
    fclose (file);
  return text;
}

int
main (void)
{
  if (system ("rm -rf " NAME) != 0)
    return check_skip (NAME " cannot be removed");

  /* Nothing of that name before the end.  */
  struct tb_outdir *dir = tb_outdir_open (NAME "/", files, &diag);
  if (!CHECK (dir != NULL))
    return check_done ();
  CHECK (put (dir, "one", "1"));
  CHECK (put (dir, "sub/two", "2"));
  CHECK (access (NAME, F_OK) != 0);
  CHECK_INT (tb_outdir_finish (dir), TB_OK);
  CHECK_STR (contents (NAME "/one"), "1");
  CHECK_STR (contents (NAME "/sub/two"), "2");

  /* It is replaced as a whole, or stays as it is.  */
  dir = tb_outdir_open (NAME, files, &diag);
  if (CHECK (dir != NULL))
    {
      CHECK (put (dir, "one", "3"));
      CHECK_STR (contents (NAME "/one"), "1");
      tb_outdir_abandon (dir);
    }
  CHECK_STR (contents (NAME "/one"), "1");
  dir = tb_outdir_open (NAME, files, &diag);
  if (CHECK (dir != NULL))
    {
      CHECK (put (dir, "one", "4"));
      CHECK_INT (tb_outdir_finish (dir), TB_OK);
    }
  CHECK_STR (contents (NAME "/one"), "4");
  CHECK (access (NAME "/sub", F_OK) != 0);
  CHECK_INT (errors, 0);

  /* Not a folder with something else in it, nor a file, nor in nothing.  */
  CHECK_INT (mkdir (NAME "/other", 0777), 0);
  CHECK (tb_outdir_open (NAME, files, &diag) == NULL);
  CHECK_INT (errors, 1);
  CHECK (tb_outdir_open (NAME "/one", files, &diag) == NULL);
  CHECK_INT (errors, 2);
  CHECK (tb_outdir_open (NAME "/nothing/new", files, &diag) == NULL);
  CHECK_INT (errors, 3);
  CHECK_STR (contents (NAME "/one"), "4");

  /* No temporary folder is left.  */
  char command[100];
  snprintf (command, sizeof command, "test -z \"$(ls -d .tracebridge-%ld-* 2>/dev/null)\"",
	    (long) getpid ());
  CHECK_INT (system (command), 0);
  CHECK_INT (system ("rm -rf " NAME), 0);
  return check_done ();
}
