/* Folders for fuzz targets: an input has their files, each behind a line "@@NAME".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   NAME may have two folders before it: "etm0/mgmt/trcconfig".  */

#ifndef TB_FUZZ_FOLDER_H
#define TB_FUZZ_FOLDER_H

#include <ftw.h>
#include <sys/stat.h>

#define FUZZ_NAME_MAX 60

static char fuzz_folder_path[] = "/tmp/fuzz-folder-XXXXXX";

/* May the LENGTH bytes NAME be a file's name?  None leads out of the folder.  */
static inline bool
fuzz_is_name (const char *name, size_t length)
{
  unsigned folders = 0;
  if (length == 0 || length > FUZZ_NAME_MAX || name[length - 1] == 47)
    return false;
  for (size_t i = 0; i < length; i++)
    {
      bool first = i == 0 || name[i - 1] == 47;
      if (name[i] == 0 || (first && (name[i] == 46 || name[i] == 47)))
	return false;
      folders += name[i] == 47;
    }
  return folders <= 2;
}

/* Write the SIZE bytes TEXT as the file of the LENGTH bytes NAME.  */
static inline void
fuzz_put (const char *name, size_t length, const uint8_t *text, size_t size)
{
  char path[sizeof fuzz_folder_path + FUZZ_NAME_MAX + 1];
  if (!fuzz_is_name (name, length))
    return;
  snprintf (path, sizeof path, "%s/%.*s", fuzz_folder_path, (int) length, name);
  for (char *slash = path + sizeof fuzz_folder_path; (slash = strchr (slash, 47)) != NULL;
       *slash++ = 47)
    {
      *slash = 0;
      mkdir (path, 0700);
    }
  /* A file may be where a folder is wanted, or the other way round.  */
  FILE *file = fopen (path, "w");
  if (file == NULL)
    return;
  fwrite (text, 1, size, file);
  fclose (file);
}

static inline int
fuzz_remove (const char *path, const struct stat *st, int type, struct FTW *at)
{
  (void) st;
  (void) type;
  return at->level > 0 ? remove (path) : 0;
}

/* Has DATA files?  */
static inline bool
fuzz_is_folder (const uint8_t *data, size_t size)
{
  return size > 2 && memcmp (data, "@@", 2) == 0;
}

/* Write the files that DATA has into a folder, which has no others; its path.  */
static inline const char *
fuzz_folder (const uint8_t *data, size_t size)
{
  static bool made;
  if (!made)
    MUST (mkdtemp (fuzz_folder_path) != NULL);
  made = true;
  nftw (fuzz_folder_path, fuzz_remove, 8, FTW_DEPTH | FTW_PHYS);
  const uint8_t *end = size != 0 ? data + size : data, *at = data;
  while (at < end)
    {
      const uint8_t *line = memchr (at, 10, (size_t) (end - at));
      if (line == NULL || line - at < 2 || memcmp (at, "@@", 2) != 0)
	break;
      const uint8_t *text = line + 1;
      const uint8_t *next = memmem (text, (size_t) (end - text), "\n@@", 3);
      next = next != NULL ? next + 1 : end;
      fuzz_put ((const char *) at + 2, (size_t) (line - at) - 2, text,
		(size_t) (next - text));
      at = next;
    }
  return fuzz_folder_path;
}

#endif /* TB_FUZZ_FOLDER_H */
