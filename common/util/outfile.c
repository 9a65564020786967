/* Output files that are either whole or not there.  See outfile.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_BUFFER (256 * 1024)
#define NAME_TRIES 1000

struct tb_outfile
{
  FILE *stream;
  char *name;			/* For messages.  */
  char *path;			/* The final name; NULL: no rename.  */
  char *temporary;		/* Exists while not NULL.  */
  char *buffer;			/* The stream's.  */
  struct tb_diag *diag;
  bool nameless;		/* It has no name yet: nothing to clean up.  */
  bool is_stdout;
  bool failed;			/* And said so.  */
};

static enum tb_status
fail (struct tb_outfile *file, const char *what, int error)
{
  if (!file->failed)
    tb_error (file->diag, "%s: cannot %s: %s", file->name, what,
	      strerror (error));
  file->failed = true;
  return TB_ERR_IO;
}

/* The Nth temporary name in the folder of FILE->path; NULL without memory.  It is
   short whatever the final one is, so that it fits where that fits, and
   hidden.  */
static char *
temporary_name (const struct tb_outfile *file, unsigned n)
{
  const char *slash = strrchr (file->path, '/');
  int folder = slash != NULL ? (int) (slash + 1 - file->path) : 0;
  size_t room = (size_t) folder + 64;
  char *name = malloc (room);
  if (name != NULL)
    snprintf (name, room, "%.*s.tracebridge-%ld-%u", folder, file->path,
	      (long) getpid (), n);
  else
    errno = ENOMEM;
  return name;
}

/* Open a file without a name in the folder of FILE->path, which vanishes with
   the process if it is never given one; -1 where that cannot be.  */
static int
open_nameless (const struct tb_outfile *file)
{
  /* A name is given through here.  */
  if (access ("/proc/self/fd", X_OK) != 0)
    return -1;
  char *folder = strdup (file->path);
  if (folder == NULL)
    return -1;
  char *slash = strrchr (folder, '/');
  if (slash == folder)
    slash[1] = 0;
  else if (slash != NULL)
    *slash = 0;
  int fd = open (slash != NULL ? folder : ".",
		 O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  free (folder);
  return fd;
}

/* Give the nameless file of FILE's stream its temporary name.  */
static bool
give_name (struct tb_outfile *file)
{
  char link_from[64];
  snprintf (link_from, sizeof link_from, "/proc/self/fd/%d",
	    fileno (file->stream));
  for (unsigned i = 0; i < NAME_TRIES; i++)
    {
      char *name = temporary_name (file, i);
      if (name == NULL)
	return false;
      if (linkat (AT_FDCWD, link_from, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
	  == 0)
	{
	  file->temporary = name;
	  return true;
	}
      free (name);
      if (errno != EEXIST)
	return false;
    }
  return false;
}

/* Open a new file in the folder of FILE->path under its temporary name.  */
static int
open_temporary (struct tb_outfile *file)
{
  for (unsigned i = 0; i < NAME_TRIES; i++)
    {
      char *name = temporary_name (file, i);
      if (name == NULL)
	return -1;
      int fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0)
	{
	  file->temporary = name;
	  return fd;
	}
      int error = errno;
      free (name);
      errno = error;
      if (error != EEXIST)
	return -1;
    }
  return -1;
}

/* Open what PATH says; -1 with errno set.  */
static int
open_path (struct tb_outfile *file, const char *path)
{
  struct stat st;
  if (stat (path, &st) == 0)
    {
      if (S_ISDIR (st.st_mode))
	{
	  errno = EISDIR;
	  return -1;
	}
      /* Renaming over a FIFO or a device would put a file in its place.  */
      if (!S_ISREG (st.st_mode))
	return open (path, O_WRONLY | O_CLOEXEC);
      /* A file that may not be written is not replaced either.  */
      if (access (path, W_OK) != 0)
	return -1;
      file->path = realpath (path, NULL);
    }
  else if (errno == ENOENT && *path != '\0')
    file->path = strdup (path);
  else
    return -1;
  if (file->path == NULL)
    return -1;
  int fd = open_nameless (file);
  file->nameless = fd >= 0;
  return fd >= 0 ? fd : open_temporary (file);
}

static void
release (struct tb_outfile *file)
{
  if (file->stream != NULL && !file->is_stdout)
    fclose (file->stream);
  if (file->temporary != NULL)
    unlink (file->temporary);
  free (file->temporary);
  free (file->path);
  free (file->name);
  free (file->buffer);
  free (file);
}

struct tb_outfile *
tb_outfile_open (const char *path, struct tb_diag *diag)
{
  struct tb_outfile *file = calloc (1, sizeof *file);
  bool is_stdout = strcmp (path, "-") == 0;
  if (file != NULL)
    file->name = strdup (is_stdout ? "standard output" : path);
  if (file == NULL || file->name == NULL)
    {
      tb_error (diag, "%s: no memory to write it", path);
      free (file);
      return NULL;
    }
  file->diag = diag;
  file->is_stdout = is_stdout;
  if (is_stdout)
    {
      file->stream = stdout;
      return file;
    }

  int fd = open_path (file, path);
  if (fd >= 0)
    {
      file->stream = fdopen (fd, "w");
      if (file->stream == NULL)
	{
	  int error = errno;
	  close (fd);
	  errno = error;
	}
    }
  if (file->stream == NULL)
    {
      fail (file, "create", errno);
      release (file);
      return NULL;
    }
  /* Without this buffer the stream has its own: slower, not wrong.  */
  file->buffer = malloc (STREAM_BUFFER);
  if (file->buffer != NULL)
    setvbuf (file->stream, file->buffer, _IOFBF, STREAM_BUFFER);
  return file;
}

FILE *
tb_outfile_stream (struct tb_outfile *file)
{
  return file->stream;
}

const char *
tb_outfile_name (const struct tb_outfile *file)
{
  return file->name;
}

enum tb_status
tb_outfile_write (struct tb_outfile *file, const void *bytes, size_t length)
{
  if (file->failed)
    return TB_ERR_IO;
  if (length != 0
      && fwrite_unlocked (bytes, 1, length, file->stream) != length)
    return fail (file, "write", errno);
  return TB_OK;
}

/* So much text is worth a call.  */
#define TEXT_ENOUGH (256 * 1024)

enum tb_status
tb_outfile_put (struct tb_outfile *file, struct tb_buffer *text, bool end)
{
  if (text->failed)
    return TB_ERR_MEMORY;
  if (text->size < TEXT_ENOUGH && !end)
    return TB_OK;
  enum tb_status status = tb_outfile_write (file, text->data, text->size);
  tb_buffer_clear (text);
  return status;
}

enum tb_status
tb_outfile_check (struct tb_outfile *file)
{
  if (file->failed)
    return TB_ERR_IO;
  if (!ferror (file->stream))
    return TB_OK;
  /* The failed call's errno may be gone by now; what is left in the buffer
     fails again for the same reason.  */
  errno = 0;
  fflush (file->stream);
  return fail (file, "write", errno != 0 ? errno : EIO);
}

enum tb_status
tb_outfile_told (struct tb_diag *diag)
{
  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout))
    return TB_OK;
  tb_error (diag, "standard output: cannot write: %s",
	    strerror (errno != 0 ? errno : EIO));
  return TB_ERR_IO;
}

enum tb_status
tb_outfile_finish (struct tb_outfile *file)
{
  enum tb_status status = tb_outfile_check (file);
  if (status == TB_OK && fflush (file->stream) != 0)
    status = fail (file, "write", errno);
  if (status == TB_OK && file->path != NULL)
    {
      /* Some file systems cannot fsync; they say EINVAL.  */
      if (fsync (fileno (file->stream)) != 0 && errno != EINVAL)
	status = fail (file, "write", errno);
    }
  /* Last, so that there is hardly a moment in which it can be left behind.  */
  if (status == TB_OK && file->nameless && !give_name (file))
    status = fail (file, "name its temporary file", errno);
  if (!file->is_stdout)
    {
      FILE *stream = file->stream;
      file->stream = NULL;
      if (fclose (stream) != 0 && status == TB_OK)
	status = fail (file, "write", errno);
    }
  if (status == TB_OK && file->temporary != NULL)
    {
      if (rename (file->temporary, file->path) != 0)
	status = fail (file, "rename its temporary file", errno);
      else
	{
	  free (file->temporary);
	  file->temporary = NULL;
	}
    }
  release (file);
  return status;
}

void
tb_outfile_abandon (struct tb_outfile *file)
{
  if (file == NULL)
    return;
  if (file->is_stdout)
    fflush (file->stream);
  release (file);
}
