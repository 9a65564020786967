/* Output folders that are either whole or not there.  See outdir.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/outdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_TRIES 1000

struct tb_outdir
{
  char *path;			/* The final name.  */
  char *temporary;		/* NULL: there is none.  */
  const char *const *files;
  struct tb_diag *diag;
};

/* "FOLDER/FILE", from malloc; NULL: no memory.  */
static char *
join (const char *folder, const char *file)
{
  char *path = NULL;
  return asprintf (&path, "%s/%s", folder, file) < 0 ? NULL : path;
}

/* The Nth hidden name beside PATH; NULL: no memory.  */
static char *
hidden_name (const char *path, unsigned n)
{
  const char *slash = strrchr (path, '/');
  int folder = slash != NULL ? (int) (slash + 1 - path) : 0;
  char *name = NULL;
  return asprintf (&name, "%.*s.tracebridge-%ld-%u", folder, path,
		   (long) getpid (), n) < 0 ? NULL : name;
}

/* Remove the FILES in FOLDER, the folders that they are in, and FOLDER.  */
static void
remove_all (const char *folder, const char *const *files)
{
  for (size_t i = 0; files[i] != NULL; i++)
    {
      char *path = join (folder, files[i]);
      if (path == NULL)
	continue;
      unlink (path);
      char *slash = strrchr (path, '/');
      if (strchr (files[i], '/') != NULL)
	{
	  *slash = '\0';
	  rmdir (path);
	}
      free (path);
    }
  rmdir (folder);
}

/* Is NAME one of FILES, or a folder that one of them is in?  */
static bool
is_among (const char *name, const char *const *files)
{
  size_t length = strlen (name);
  for (size_t i = 0; files[i] != NULL; i++)
    if (strncmp (files[i], name, length) == 0
	&& (files[i][length] == '\0' || files[i][length] == '/'))
      return true;
  return false;
}

/* May PATH be replaced, if there is something?  */
static bool
is_free (const char *path, const char *const *files, struct tb_diag *diag)
{
  struct stat st;
  if (lstat (path, &st) != 0)
    {
      if (errno == ENOENT)
	return true;
      tb_error (diag, "%s: cannot create: %s", path, strerror (errno));
      return false;
    }
  DIR *folder = opendir (path);
  if (folder == NULL)
    {
      tb_error (diag, "%s: expected a folder, or nothing: %s", path,
		strerror (errno));
      return false;
    }
  bool only = true;
  struct dirent *entry;
  while (only && (entry = readdir (folder)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0
	&& !is_among (entry->d_name, files))
      {
	tb_error (diag, "%s: is not replaced, as it has %s in it", path,
		  entry->d_name);
	only = false;
      }
  closedir (folder);
  return only;
}

static void
release (struct tb_outdir *dir)
{
  free (dir->temporary);
  free (dir->path);
  free (dir);
}

struct tb_outdir *
tb_outdir_open (const char *path, const char *const *files,
		struct tb_diag *diag)
{
  /* Of a folder that is there its true name, so that a symbolic link to it stays.  */
  char *final = realpath (path, NULL);
  if (final == NULL)
    final = strdup (path);
  struct tb_outdir *dir = calloc (1, sizeof *dir);
  if (final == NULL || dir == NULL)
    {
      tb_error (diag, "%s: no memory to make it", path);
      free (final);
      free (dir);
      return NULL;
    }
  for (size_t n = strlen (final); n > 1 && final[n - 1] == '/'; n--)
    final[n - 1] = '\0';
  *dir = (struct tb_outdir) { .path = final, .files = files, .diag = diag };
  if (!is_free (final, files, diag))
    {
      release (dir);
      return NULL;
    }
  bool made = false;
  errno = ENOMEM;
  for (unsigned n = 0; n < NAME_TRIES && !made; n++)
    {
      free (dir->temporary);
      dir->temporary = hidden_name (final, n);
      made = dir->temporary != NULL && mkdir (dir->temporary, 0777) == 0;
      if (!made && errno != EEXIST)
	break;
    }
  if (!made)
    {
      tb_error (diag, "%s: cannot create: %s", path, strerror (errno));
      release (dir);
      return NULL;
    }
  return dir;
}

struct tb_outfile *
tb_outdir_file (struct tb_outdir *dir, const char *file)
{
  char *path = join (dir->temporary, file);
  struct tb_outfile *out = NULL;
  if (path == NULL)
    {
      tb_error (dir->diag, "%s: no memory to make it", dir->path);
      return NULL;
    }
  char *slash = strrchr (path, '/');
  if (strchr (file, '/') != NULL)
    {
      *slash = '\0';
      /* What is wrong with it is said of the file.  */
      mkdir (path, 0777);
      *slash = '/';
    }
  out = tb_outfile_open (path, dir->diag);
  free (path);
  return out;
}

enum tb_status
tb_outdir_finish (struct tb_outdir *dir)
{
  bool done = rename (dir->temporary, dir->path) == 0;
  if (!done && (errno == ENOTEMPTY || errno == EEXIST))
    {
      /* At no time is there nothing; what was there is then under the temporary name.  */
      done = renameat2 (AT_FDCWD, dir->temporary, AT_FDCWD, dir->path,
			RENAME_EXCHANGE) == 0;
      if (done)
	remove_all (dir->temporary, dir->files);
      else if (errno == EINVAL || errno == ENOSYS)
	{
	  /* A file system that cannot do that.  */
	  remove_all (dir->path, dir->files);
	  done = rename (dir->temporary, dir->path) == 0;
	}
    }
  if (!done)
    {
      tb_error (dir->diag, "%s: cannot give it its name: %s", dir->path,
		strerror (errno));
      tb_outdir_abandon (dir);
      return TB_ERR_IO;
    }
  release (dir);
  return TB_OK;
}

void
tb_outdir_abandon (struct tb_outdir *dir)
{
  if (dir == NULL)
    return;
  remove_all (dir->temporary, dir->files);
  release (dir);
}
