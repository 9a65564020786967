/* The files of a snapshot: where they may be, and each mapped once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A snapshot is data from elsewhere.  A path in it that leads out of its
   directory, by "..", from the root or through a symbolic link, would let it
   show any file that the user can read; so the resolved path must lie below
   the resolved directory unless the user says otherwise.  */

#include "config.h"
#include "snapshot/reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif

#include "util/buffer.h"

/* Whether NAME, read from the snapshot's directory, climbs above it by its
   letters alone.  */
static bool
climbs_out (const char *name)
{
  if (*name == '/')
    return true;
  int depth = 0;
  while (*name != '\0')
    {
      size_t length = strcspn (name, "/");
      if (length == 2 && name[0] == '.' && name[1] == '.')
	depth--;
      else if (length > 0 && !(length == 1 && name[0] == '.'))
	depth++;
      if (depth < 0)
	return true;
      name += length;
      name += *name == '/';
    }
  return false;
}

static bool
is_inside (const char *root, const char *path)
{
  size_t length = strlen (root);
  if (strncmp (root, path, length) != 0)
    return false;
  return length > 0 && (root[length - 1] == '/' || path[length] == '/');
}

/* Whether PATH, which does not exist, would be outside of ROOT: whether the
   folder that it would be in is.  */
static bool
would_be_outside (const char *root, char *path)
{
  char *slash = strrchr (path, '/');
  if (slash == NULL || slash == path)
    return true;
  *slash = '\0';
  char *folder = realpath (path, NULL);
  *slash = '/';
  bool outside = folder != NULL && strcmp (folder, root) != 0
		 && !is_inside (root, folder);
  free (folder);
  return outside;
}

/* Keeps the message of tb_filemap_open, so that it can be said with the
   place.  */
static void
catch_message (void *context, enum tb_severity severity, const char *message)
{
  (void) severity;
  tb_buffer_printf (context, "%s", message);
}

struct tb_file *
tb_map_file (struct tb_reader *reader, const struct tb_ini_entry *entry,
	     const char *path)
{
  struct tb_snapshot_store *store = reader->store;
  struct tb_file key = { .path = path };
  struct tb_file *file = htab_find (store->files, &key);
  if (file != NULL)
    return file;

  struct tb_buffer message = { 0 };
  struct tb_diag caught = { .report = catch_message, .context = &message };
  struct tb_filemap map;
  enum tb_status status = tb_filemap_open (&map, path, &caught);
  if (status != TB_OK)
    {
      tb_buffer_append (&message, "", 1);
      if (reader->status == TB_OK)
	reader->status = status;
      const char *text = message.failed ? path : (const char *) message.data;
      if (entry != NULL)
	tb_say (reader, TB_ERROR, entry, "%s", text);
      else
	tb_error (reader->diag, "%s", text);
      tb_buffer_fini (&message);
      return NULL;
    }

  file = tb_pool_alloc (store->pool, sizeof *file);
  key.path = tb_pool_text (store->pool, path, strlen (path));
  void **slot = NULL;
  if (file != NULL && key.path != NULL)
    slot = htab_find_slot (store->files, &key, INSERT);
  if (slot == NULL)
    {
      tb_filemap_close (&map);
      tb_no_memory (reader);
      return NULL;
    }
  *file = (struct tb_file) { .path = key.path, .map = map };
  *slot = file;
  return file;
}

struct tb_file *
tb_map_path (struct tb_reader *reader, const char *path)
{
  char *resolved = realpath (path, NULL);
  struct tb_file *file = NULL;
  if (resolved != NULL)
    file = tb_map_file (reader, NULL, resolved);
  else
    {
      tb_error (reader->diag, "%s: %s", path, strerror (errno));
      reader->status = TB_ERR_IO;
    }
  free (resolved);
  return file;
}

/* Try NAME, which is relative to DIRECTORY.  A path that may not be used
   counts as not found, and *OUTSIDE is set.  */
static enum tb_found
try_path (struct tb_reader *reader, const struct tb_ini_entry *entry,
	  const char *directory, const char *name, struct tb_file **file,
	  bool *outside)
{
  struct tb_buffer joined = { 0 };
  if (*name == '/')
    tb_buffer_printf (&joined, "%s", name);
  else
    tb_buffer_printf (&joined, "%s/%s", directory, name);
  tb_buffer_append (&joined, "", 1);
  if (joined.failed)
    {
      tb_buffer_fini (&joined);
      tb_no_memory (reader);
      return TB_FOUND_BAD;
    }
  char *resolved = realpath ((const char *) joined.data, NULL);
  int error = errno;
  bool is_outside = resolved != NULL ? !is_inside (reader->root, resolved)
		    : climbs_out (name)
		      || would_be_outside (reader->root,
					   (char *) joined.data);
  tb_buffer_fini (&joined);

  enum tb_found found = TB_FOUND_BAD;
  if (is_outside && !reader->allow_outside)
    {
      *outside = true;
      found = TB_FOUND_NOT;
    }
  else if (resolved != NULL)
    {
      *file = tb_map_file (reader, entry, resolved);
      if (*file != NULL)
	found = TB_FOUND;
    }
  else if (error == ENOENT || error == ENOTDIR)
    found = TB_FOUND_NOT;
  else
    {
      if (reader->status == TB_OK)
	reader->status = error == ENOMEM ? TB_ERR_MEMORY : TB_ERR_IO;
      tb_say (reader, TB_ERROR, entry, "expected the path of a file, found "
	      "\"%.200s\": %s", name, strerror (error));
    }
  free (resolved);
  return found;
}

/* Try NAME in the snapshot's directory, then in that of ENTRY's file.  */
static enum tb_found
try_places (struct tb_reader *reader, const struct tb_ini_entry *entry,
	    const char *name, struct tb_file **file, bool *outside)
{
  enum tb_found found = try_path (reader, entry, reader->root, name, file,
				  outside);
  const char *from = entry->section->ini->path;
  const char *slash = strrchr (from, '/');
  if (found != TB_FOUND_NOT || slash == NULL || *name == '/')
    return found;

  char *directory = strndup (from, (size_t) (slash - from) + 1);
  char *resolved = directory != NULL ? realpath (directory, NULL) : NULL;
  if (resolved != NULL && strcmp (resolved, reader->root) != 0)
    found = try_path (reader, entry, resolved, name, file, outside);
  free (resolved);
  free (directory);
  return found;
}

enum tb_found
tb_find_file (struct tb_reader *reader, const struct tb_ini_entry *entry,
	      struct tb_slice piece, struct tb_file **file)
{
  *file = NULL;
  if (!tb_spend (reader, entry))
    return TB_FOUND_BAD;
  if (piece.length == 0)
    {
      tb_say (reader, TB_ERROR, entry, "expected the path of a file, found "
	      "nothing");
      return TB_FOUND_BAD;
    }
  if (piece.length >= PATH_MAX)
    {
      tb_say (reader, TB_ERROR, entry, "expected the path of a file, found "
	      "\"%.80s...\" of %zu characters", piece.text, piece.length);
      return TB_FOUND_BAD;
    }
  char *name = strndup (piece.text, piece.length);
  if (name == NULL)
    {
      tb_no_memory (reader);
      return TB_FOUND_BAD;
    }
  bool outside = false;
  enum tb_found found = try_places (reader, entry, name, file, &outside);
  size_t plain = tb_ini_plain (name, true);
  if (found == TB_FOUND_NOT && plain > 0 && name[plain] != '\0')
    {
      name[plain] = '\0';
      found = try_places (reader, entry, name, file, &outside);
    }
  if (found == TB_FOUND_NOT && strchr (name, '\\') != NULL)
    {
      for (char *p = name; *p != '\0'; p++)
	if (*p == '\\')
	  *p = '/';
      found = try_places (reader, entry, name, file, &outside);
    }
  if (found == TB_FOUND_NOT && outside)
    {
      tb_say (reader, TB_ERROR, entry, "expected a path inside the snapshot's "
	      "directory, found \"%.200s\", which leads out of it (--allow-outside follows it)",
	      entry->value);
      found = TB_FOUND_BAD;
    }
  free (name);
  return found;
}

struct tb_file *
tb_named_file (struct tb_reader *reader, const struct tb_ini_entry *entry,
	       const char *what)
{
  struct tb_slice name = { entry->value, strlen (entry->value) };
  struct tb_file *file;
  enum tb_found found = tb_find_file (reader, entry, name, &file);
  if (found == TB_FOUND)
    return file;
  if (found == TB_FOUND_NOT)
    {
      if (reader->status == TB_OK)
	reader->status = TB_ERR_IO;
      tb_say (reader, TB_ERROR, entry, "expected %s, found no file \"%.200s\"",
	      what, entry->value);
    }
  return NULL;
}

bool
tb_read_ini (struct tb_reader *reader, struct tb_ini *ini,
	     struct tb_file *file, const struct tb_ini_entry *entry,
	     const char *path, const char *role)
{
  *ini = (struct tb_ini) { 0 };
  if (file->role != NULL)
    {
      tb_say (reader, TB_ERROR, entry, "expected a file of its own, found "
	      "%.200s, which was read already as %s", path, file->role);
      return false;
    }
  file->role = role;
  enum tb_status status;
  if (file->map.size > TB_MAX_TEXT - reader->text_bytes)
    {
      tb_error (reader->diag, "%s: expected INI files of at most %zu bytes "
		"together, found more", path, TB_MAX_TEXT);
      status = TB_ERR_MEMORY;
    }
  else
    status = tb_ini_parse (ini, reader->store->pool, path, file->map.data,
			   file->map.size, reader->diag);
  if (status != TB_OK)
    {
      if (reader->status == TB_OK)
	reader->status = status;
      return false;
    }
  reader->text_bytes += file->map.size;
  return true;
}

const char *
tb_shown_path (struct tb_reader *reader, const struct tb_file *file)
{
  const char *directory = reader->snapshot->directory;
  size_t root = strlen (reader->root);
  if (!is_inside (reader->root, file->path))
    return file->path;
  const char *rest = file->path + root;
  while (*rest == '/')
    rest++;
  size_t length = strlen (directory);
  bool slash = length > 0 && directory[length - 1] != '/';
  char *shown = tb_pool_alloc (reader->store->pool,
			       length + slash + strlen (rest) + 1);
  if (shown == NULL)
    {
      tb_no_memory (reader);
      return file->path;
    }
  memcpy (shown, directory, length);
  if (slash)
    shown[length] = '/';
  strcpy (shown + length + slash, rest);
  return shown;
}

struct taker
{
  void (*take) (void *context, const char *path);
  void *context;
};

static int
take_file (void **slot, void *context)
{
  const struct taker *taker = context;
  const struct tb_file *file = *slot;
  taker->take (taker->context, file->path);
  return 1;
}

void
tb_snapshot_files (const struct tb_snapshot *snapshot,
		   void (*take) (void *context, const char *path),
		   void *context)
{
  struct taker taker = { take, context };
  if (snapshot->store != NULL)
    htab_traverse_noresize (snapshot->store->files, take_file, &taker);
}

bool
tb_snapshot_has_file (const struct tb_snapshot *snapshot, const char *path)
{
  char *real = snapshot->store != NULL ? realpath (path, NULL) : NULL;
  if (real == NULL)
    return false;
  struct tb_file key = { .path = real };
  bool found = htab_find (snapshot->store->files, &key) != NULL;
  free (real);
  return found;
}
