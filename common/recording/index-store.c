/* Where index files are.  See index-store.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/index-store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/filemap.h"
#include "util/like.h"
#include "util/outfile.h"
#include "util/readall.h"

/* No index is larger: that of the largest capture has TB_CHECKPOINTS_MOST
   points and a few million blocks.  */
#define FILE_MOST (UINT64_C (1) << 30)

/* The user's cache directory, $XDG_CACHE_HOME/tracebridge or else
   $HOME/.cache/tracebridge, into PATH, which has ROOM bytes.  False: neither is
   set to an absolute path, or it is too long.  */
static bool
find_cache (char *path, size_t room)
{
  const char *base = getenv ("XDG_CACHE_HOME"), *middle = "";
  if (base == NULL || base[0] != '/')
    {
      base = getenv ("HOME");
      middle = "/.cache";
    }
  if (base == NULL || base[0] != '/')
    return false;
  int n = snprintf (path, room, "%s%s/tracebridge", base, middle);
  return n > 0 && (size_t) n < room;
}

bool
tb_index_parse (const char *text, enum tb_index_place *place, const char **file,
		char *why, size_t size)
{
  static const char *const places[] = {
    [TB_INDEX_AUTO] = "auto", [TB_INDEX_OFF] = "off", [TB_INDEX_BESIDE] = "beside"
  };
  enum { COUNT = sizeof places / sizeof places[0] };
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp (text, places[i]) == 0)
      {
	*place = (enum tb_index_place) i;
	*file = NULL;
	return true;
      }
  *place = TB_INDEX_FILE;
  *file = text;
  const char *like = tb_like_word (places, COUNT, text, strlen (text));
  /* A file that is there is meant.  */
  if (*text != 0 && (like == NULL || access (text, F_OK) == 0))
    return true;
  snprintf (why, size, "expected auto, off, beside or a file's name, found '%s'%s%s%s%s",
	    text, like != NULL ? "; did you mean " : "", like != NULL ? like : "",
	    like != NULL ? "? A new file of that name is ./" : "",
	    like != NULL ? text : "");
  return false;
}

void
tb_index_choose (struct tb_index_choice *c, enum tb_index_place place,
		 const char *file, const char *beside, struct tb_diag *diag)
{
  c->options = (struct tb_index_options) { .file = file };
  if (place == TB_INDEX_AUTO)
    c->options.least = TB_INDEX_LEAST;
  if (place == TB_INDEX_BESIDE && beside != NULL)
    {
      snprintf (c->file, sizeof c->file, "%s.tbindex", beside);
      c->options.file = c->file;
      c->options.beside = true;
    }
  if (place == TB_INDEX_OFF)
    return;
  if (find_cache (c->cache, sizeof c->cache))
    c->options.cache = c->cache;
  else if (place != TB_INDEX_AUTO)
    tb_warning (diag, "no index is used: neither XDG_CACHE_HOME nor HOME says "
		"where to keep its secret");
}

/* Read the secret PATH.  -1: there is none; 0: no; 1: done.  */
static int
read_secret (const char *path, uint8_t secret[TB_MAC_SECRET],
	     struct tb_diag *diag)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT)
    return -1;
  bool ok = fd >= 0 && fstat (fd, &st) == 0;
  if (!ok)
    tb_warning (diag, "%s: cannot read: %s; no index is used", path,
		strerror (errno));
  else if (!S_ISREG (st.st_mode) || st.st_uid != geteuid ()
	   || (st.st_mode & 077) != 0 || st.st_size != TB_MAC_SECRET)
    {
      tb_warning (diag, "%s: expected a file of %d bytes that is the user's own "
		  "and nobody else may read; found another; no index is used",
		  path, TB_MAC_SECRET);
      ok = false;
    }
  else if (tb_read_all (fd, secret, TB_MAC_SECRET) != TB_MAC_SECRET)
    {
      tb_warning (diag, "%s: cannot read; no index is used", path);
      ok = false;
    }
  if (fd >= 0)
    close (fd);
  return ok;
}

/* Make the secret PATH.  What appears under that name is whole; if another
   process was faster, its secret stays.  */
static bool
make_secret (const char *path, struct tb_diag *diag)
{
  uint8_t secret[TB_MAC_SECRET];
  char temporary[4096];
  int n = snprintf (temporary, sizeof temporary, "%s.XXXXXX", path);
  int fd = n > 0 && (size_t) n < sizeof temporary ? mkstemp (temporary) : -1;
  bool ok = fd >= 0
	    && getrandom (secret, sizeof secret, 0) == (ssize_t) sizeof secret
	    && tb_write_all (fd, secret, sizeof secret)
	    && fsync (fd) == 0
	    && (link (temporary, path) == 0 || errno == EEXIST);
  if (!ok)
    tb_warning (diag, "%s: cannot be made: %s; no index is used", path,
		strerror (errno));
  if (fd >= 0)
    {
      close (fd);
      unlink (temporary);
    }
  return ok;
}

/* Make DIRECTORY and those above it that are missing.  */
static bool
make_directory (const char *directory)
{
  char path[4096];
  size_t length = strlen (directory);
  if (length == 0 || length >= sizeof path)
    return false;
  memcpy (path, directory, length + 1);
  for (size_t i = 1; i <= length; i++)
    if (path[i] == '/' || path[i] == 0)
      {
	char end = path[i];
	path[i] = 0;
	if (mkdir (path, 0700) != 0 && errno != EEXIST)
	  return false;
	path[i] = end;
      }
  return true;
}

enum tb_status
tb_index_secret (const char *directory, uint8_t secret[TB_MAC_SECRET],
		 struct tb_diag *diag)
{
  char path[4096];
  int n = snprintf (path, sizeof path, "%s/secret", directory);
  if (n < 0 || (size_t) n >= sizeof path || !make_directory (directory))
    {
      tb_warning (diag, "%s: no such directory can be made: %s; no index is "
		  "used", directory, strerror (errno));
      return TB_ERR_IO;
    }
  int got = read_secret (path, secret, diag);
  if (got < 0)
    got = make_secret (path, diag) && read_secret (path, secret, diag) == 1;
  return got == 1 ? TB_OK : TB_ERR_IO;
}

bool
tb_index_load (struct tb_index *index, const char *path,
	       struct tb_mac_value buffer_key, const struct tb_mac_key *key,
	       struct tb_diag *diag)
{
  struct tb_filemap map;
  const char *why = "it is too large";
  *index = (struct tb_index) { 0 };
  if (access (path, F_OK) != 0)
    return false;
  if (tb_filemap_open (&map, path, NULL) != TB_OK)
    {
      tb_note (diag, "%s: cannot be read and is not used", path);
      return false;
    }
  bool ok = map.size <= FILE_MOST
	    && tb_index_decode (index, map.data, map.size, buffer_key, key,
				&why);
  tb_filemap_close (&map);
  if (!ok)
    tb_note (diag, "%s: not used: %s", path, why);
  return ok;
}

/* Warnings in place of errors: the index is not what was asked for.  */
static void
soften (void *context, enum tb_severity severity, const char *message)
{
  tb_report_as_is (context, severity == TB_ERROR ? TB_WARNING : severity, message);
}

void
tb_index_save (const struct tb_index *index, const char *path,
	       const struct tb_mac_key *key, struct tb_diag *diag)
{
  struct tb_diag softer = { .report = soften, .context = diag };
  struct tb_buffer bytes = { 0 };
  tb_index_encode (index, key, &bytes);
  struct tb_outfile *out = bytes.failed ? NULL
					: tb_outfile_open (path, &softer);
  if (bytes.failed)
    tb_warning (diag, "%s: no memory to write it", path);
  if (out != NULL)
    {
      if (tb_outfile_write (out, bytes.data, bytes.size) == TB_OK)
	tb_outfile_finish (out);
      else
	tb_outfile_abandon (out);
    }
  tb_buffer_fini (&bytes);
}
