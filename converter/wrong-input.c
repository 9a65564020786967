/* What is said of inputs that are something else.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "wrong-input.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recording/session-log.h"

/* What is read of a file to see what it is.  */
#define HEAD 65536

/* Is there a snapshot.ini in the folder DIRECTORY/NAME?  */
static bool
is_snapshot (const char *directory, const char *name)
{
  char path[4096];
  struct stat st;
  return snprintf (path, sizeof path, "%s/%s/snapshot.ini", directory, name)
	 < (int) sizeof path
	 && stat (path, &st) == 0 && S_ISREG (st.st_mode);
}

/* Is there a log DIRECTORY/NAME?  */
static bool
is_log (const char *directory, const char *name)
{
  char path[4096];
  struct stat st;
  return snprintf (path, sizeof path, "%s/%s", directory, name)
	 < (int) sizeof path
	 && stat (path, &st) == 0 && S_ISREG (st.st_mode)
	 && tb_session_is_log (path);
}

/* The name of a snapshot's folder or a log in DIRECTORY, into NAME.  */
static bool
has_inputs (const char *directory, char name[256])
{
  DIR *folder = opendir (directory);
  struct dirent *entry;
  bool found = false;
  while (folder != NULL && !found && (entry = readdir (folder)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0
	&& (is_snapshot (directory, entry->d_name)
	    || is_log (directory, entry->d_name)))
      {
	found = true;
	snprintf (name, 256, "%s", entry->d_name);
      }
  if (folder != NULL)
    closedir (folder);
  return found;
}

/* The first HEAD bytes of the file PATH, ended by a 0; from malloc.  */
static char *
read_head (const char *path)
{
  FILE *file = fopen (path, "rb");
  char *text = file != NULL ? calloc (1, HEAD + 1) : NULL;
  if (text != NULL)
    text[fread (text, 1, HEAD, file)] = 0;
  if (file != NULL)
    fclose (file);
  return text;
}

bool
input_is_wrong (const char *path, struct tb_diag *diag)
{
  struct stat st;
  char name[256];
  if (stat (path, &st) != 0)
    return false;
  if (S_ISDIR (st.st_mode))
    {
      if (is_snapshot (path, ".") || !has_inputs (path, name))
	return false;
      tb_error (diag, "%s: expected a snapshot, found a folder of snapshots or logs, "
		"such as %s; --output-dir=OUT %s converts all of them", path, name, path);
      return true;
    }
  if (!S_ISREG (st.st_mode))
    return false;
  char *head = read_head (path);
  if (head == NULL)
    return false;
  bool wrong = false;
  if (memcmp (head, "\177ELF", 4) == 0)
    {
      tb_error (diag, "%s: expected a snapshot or a log, found an ELF file; give it "
		"as --elf=%s, beside the snapshot", path, path);
      wrong = true;
    }
  else if (strstr (head, "[snapshot]") == NULL)
    {
      /* Another file of a snapshot's.  */
      char *folder = strdup (path);
      char *slash = folder != NULL ? strrchr (folder, '/') : NULL;
      size_t length = strlen (path);
      if (slash != NULL)
	*slash = 0;
      const char *where = slash == NULL ? "." : *folder == 0 ? "/" : folder;
      if (folder != NULL && length > 4 && strcmp (path + length - 4, ".ini") == 0
	  && is_snapshot (where, "."))
	{
	  tb_error (diag, "%s: expected a snapshot, found a part of one; give its "
		    "folder: %s", path, where);
	  wrong = true;
	}
      free (folder);
    }
  free (head);
  return wrong;
}
