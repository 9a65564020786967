/* Mapped files beyond 4 GiB, which are sparse: seen whole by a program of 64 bits, refused by
   one of 32 bits, which must not see their end as their begin.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "util/filemap.h"

#define FILE_NAME "test-filemap.tmp"

static char message[512];

static void
keep_message (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  (void) severity;
  snprintf (message, sizeof message, "%s", text);
}

int
main (void)
{
  static const off_t size = (INT64_C (1) << 32) + 100;
  struct tb_diag diag = { keep_message, NULL, 0, 0 };
  struct tb_filemap map;
  int fd = open (FILE_NAME, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ftruncate (fd, size) != 0 || pwrite (fd, "end", 3, size - 3) != 3)
    {
      fprintf (stderr, "SKIP: no file of 4 GiB can be made here: %s\n", strerror (errno));
      unlink (FILE_NAME);
      return 77;
    }
  close (fd);
  enum tb_status status = tb_filemap_open (&map, FILE_NAME, &diag);
  if (sizeof (void *) < 8)
    {
      CHECK_INT (status, TB_ERR_UNSUPPORTED);
      CHECK_STR (message, FILE_NAME ": expected at most 4294967295 bytes, which is what a "
		 "program of 32 bits can look at, found 4294967396");
    }
  else if (status != TB_OK && strstr (message, "Cannot allocate memory") != NULL)
    {
      fprintf (stderr, "SKIP: %s\n", message);
      unlink (FILE_NAME);
      return 77;
    }
  else if (CHECK_INT (status, TB_OK))
    {
      CHECK_INT (map.size, (uint64_t) size);
      CHECK (memcmp (map.data + map.size - 3, "end", 3) == 0);
      CHECK_INT (map.data[0], 0);
    }
  tb_filemap_close (&map);
  unlink (FILE_NAME);
  return check_done ();
}
