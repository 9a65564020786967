/* Snapshot folders: the input has their files, each behind a line "@@NAME".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include <sys/stat.h>

static char folder[] = "/tmp/fuzz-snapshot-XXXXXX";

/* Write the LENGTH bytes from TEXT on to the file NAME of the folder.  */
static void
put (const char *name, size_t length, const uint8_t *text, size_t size)
{
  char path[100];
  /* The folder has no folders.  */
  if (length == 0 || length > 30 || memchr (name, 47, length) != NULL
      || memchr (name, 0, length) != NULL || name[0] == 46)
    return;
  snprintf (path, sizeof path, "%s/%.*s", folder, (int) length, name);
  FILE *file = fopen (path, "w");
  MUST (file != NULL);
  fwrite (text, 1, size, file);
  fclose (file);
}

static void
write_files (const uint8_t *data, size_t size)
{
  const uint8_t *end = data + size, *at = data;
  while (at < end)
    {
      const uint8_t *line = memchr (at, 10, (size_t) (end - at));
      if (line == NULL || line - at < 2 || memcmp (at, "@@", 2) != 0)
	return;
      const uint8_t *text = line + 1;
      const uint8_t *next = memmem (text, (size_t) (end - text), "\n@@", 3);
      next = next != NULL ? next + 1 : end;
      put ((const char *) at + 2, (size_t) (line - at) - 2, text,
	   (size_t) (next - text));
      at = next;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static bool made;
  if (!made)
    MUST (mkdtemp (folder) != NULL);
  made = true;
  write_files (data, size);
  struct tb_session session;
  if (tb_session_open (&session, folder, NULL, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  return 0;
}
