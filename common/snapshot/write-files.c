/* The files of a snapshot's folder that is written.  See write-files.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/write-files.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Append NAME as it may stand in the name of a file: neither folders nor what shells and
   other systems take for something else.  */
static void
add_name (struct tb_buffer *text, const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    tb_buffer_printf (text, "%c",
		      isalnum ((unsigned char) *p) || *p == '-' || *p == '_' ? *p : '_');
}

void
tb_write_device_file (struct tb_buffer *text, const struct tb_writing *w, size_t device)
{
  tb_buffer_printf (text, "device%zu-", device);
  add_name (text, w->snapshot->devices[device].name);
  tb_buffer_printf (text, ".ini");
}

void
tb_write_buffer_file (struct tb_buffer *text, const struct tb_writing *w, size_t buffer)
{
  tb_buffer_printf (text, "buffer%zu-", buffer);
  add_name (text, w->snapshot->buffers[buffer].name);
  tb_buffer_printf (text, ".bin");
}

bool
tb_write_dump_file (struct tb_buffer *text, const struct tb_writing *w, size_t device,
		    size_t number)
{
  const struct tb_device *devices = w->snapshot->devices;
  const struct tb_dump *dump = &devices[device].dumps[number];
  size_t owner = 0;
  while (owner < device
	 && (number >= devices[owner].ndumps
	     || devices[owner].dumps[number].data != dump->data
	     || devices[owner].dumps[number].length != dump->length))
    owner++;
  tb_buffer_printf (text, "memory%zu-%zu.bin", owner, number);
  return owner == device;
}

void
tb_write_memory_file (struct tb_buffer *text, size_t number)
{
  tb_buffer_printf (text, "code%zu.bin", number);
}

/* Note that the folder has the file of name TEXT, which is emptied.  */
static bool
list_file (struct tb_writing *w, struct tb_buffer *text)
{
  tb_buffer_append (text, "", 1);
  if (w->nfiles + 1 >= w->capacity)
    {
      size_t more = 2 * w->capacity + 16;
      char **files = realloc (w->files, more * sizeof *files);
      if (files == NULL)
	return false;
      w->files = files;
      w->capacity = more;
    }
  char *name = text->failed ? NULL : strdup ((const char *) text->data);
  text->size = 0;
  if (name == NULL)
    return false;
  w->files[w->nfiles++] = name;
  w->files[w->nfiles] = NULL;
  return true;
}

bool
tb_write_list_files (struct tb_writing *w)
{
  const struct tb_snapshot *s = w->snapshot;
  struct tb_buffer text = { 0 };
  tb_buffer_printf (&text, "snapshot.ini");
  bool done = list_file (w, &text);
  tb_buffer_printf (&text, "trace.ini");
  done = done && list_file (w, &text);
  if (s->loaded.vector != NULL)
    {
      tb_buffer_printf (&text, TB_LOADED_VECTOR);
      done = done && list_file (w, &text);
    }
  if (s->loaded.files != NULL)
    {
      tb_buffer_printf (&text, TB_LOADED_FILES);
      done = done && list_file (w, &text);
    }
  for (size_t i = 0; i < s->ndevices && done; i++)
    {
      tb_write_device_file (&text, w, i);
      done = list_file (w, &text);
      for (size_t k = 0; k < s->devices[i].ndumps && done; k++)
	if (tb_write_dump_file (&text, w, i, k))
	  done = list_file (w, &text);
	else
	  text.size = 0;
    }
  for (size_t i = 0; i < s->nbuffers && done; i++)
    {
      tb_write_buffer_file (&text, w, i);
      done = list_file (w, &text);
    }
  for (size_t i = 0; i < w->parts->nmemory && done; i++)
    {
      tb_write_memory_file (&text, i);
      done = list_file (w, &text);
    }
  tb_buffer_fini (&text);
  return done;
}

bool
tb_write_list_older (struct tb_writing *w)
{
  static const char *const patterns[] = {
    "device[0-9]*-*.ini", "buffer[0-9]*-*.bin", "memory[0-9]*-[0-9]*.bin", "code[0-9]*.bin",
    TB_LOADED_VECTOR, TB_LOADED_FILES
  };
  DIR *folder = opendir (w->path);
  struct dirent *entry;
  struct tb_buffer text = { 0 };
  bool done = true;
  size_t own = w->nfiles;
  while (done && folder != NULL && (entry = readdir (folder)) != NULL)
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
      {
	if (fnmatch (patterns[i], entry->d_name, 0) != 0)
	  continue;
	size_t k = 0;
	while (k < own && strcmp (w->files[k], entry->d_name) != 0)
	  k++;
	tb_buffer_printf (&text, "%s", entry->d_name);
	done = k < own || list_file (w, &text);
	text.size = 0;
	break;
      }
  if (folder != NULL)
    closedir (folder);
  tb_buffer_fini (&text);
  return done;
}
