/* The snapshot directory: snapshot.ini, and the whole.  See snapshot.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif

#include "snapshot/beside.h"
#include "snapshot/core-file.h"
#include "snapshot/crash-dump.h"
#include "snapshot/perf/data.h"
#include "snapshot/raw-buffer.h"
#include "snapshot/reader.h"
#include "snapshot/sysfs.h"
#include "util/buffer.h"
#include "util/search.h"

#define SNAPSHOT_INI "snapshot.ini"

static hashval_t
hash_file (const void *item)
{
  const struct tb_file *file = item;
  return htab_hash_string (file->path);
}

static int
same_file (const void *a, const void *b)
{
  const struct tb_file *left = a, *right = b;
  return strcmp (left->path, right->path) == 0;
}

static void
close_file (void *item)
{
  struct tb_file *file = item;
  tb_filemap_close (&file->map);
}

struct tb_snapshot_store *
tb_snapshot_store_new (void)
{
  struct tb_snapshot_store *store = calloc (1, sizeof *store);
  if (store == NULL)
    return NULL;
  store->pool = objalloc_create ();
  store->files = htab_create_alloc (64, hash_file, same_file, close_file,
				    calloc, free);
  if (store->pool != NULL && store->files != NULL)
    return store;
  if (store->pool != NULL)
    objalloc_free (store->pool);
  if (store->files != NULL)
    htab_delete (store->files);
  free (store);
  return NULL;
}

void
tb_snapshot_close (struct tb_snapshot *snapshot)
{
  struct tb_snapshot_store *store = snapshot->store;
  if (store != NULL)
    {
      htab_delete (store->files);
      objalloc_free (store->pool);
      free (store->devices);
      free (store->buffers);
      free (store->streams);
      free (store);
    }
  *snapshot = (struct tb_snapshot) { 0 };
}

/* Find out what PATH is and set the snapshot's directory, path and
   READER->root.  */
static bool
find_snapshot (struct tb_reader *reader, const char *path)
{
  struct tb_snapshot *snapshot = reader->snapshot;
  struct stat st;
  if (stat (path, &st) != 0)
    {
      tb_error (reader->diag, "%s: expected a snapshot's directory or its "
		SNAPSHOT_INI ": %s", path, strerror (errno));
      reader->status = TB_ERR_IO;
      return false;
    }
  struct tb_buffer directory = { 0 }, file = { 0 };
  const char *slash = strrchr (path, '/');
  if (S_ISDIR (st.st_mode))
    {
      size_t length = strlen (path);
      while (length > 1 && path[length - 1] == '/')
	length--;
      tb_buffer_append (&directory, path, length);
      tb_buffer_append (&file, path, length);
      tb_buffer_printf (&file, "%s" SNAPSHOT_INI,
			path[length - 1] == '/' ? "" : "/");
    }
  else
    {
      if (slash == NULL)
	tb_buffer_append (&directory, ".", 1);
      else
	tb_buffer_append (&directory, path,
			  slash > path ? (size_t) (slash - path) : 1);
      tb_buffer_append (&file, path, strlen (path));
    }
  struct objalloc *pool = reader->store->pool;
  const char *kept_directory = NULL, *kept_file = NULL;
  if (!directory.failed && !file.failed)
    {
      kept_directory = tb_pool_text (pool, (const char *) directory.data,
				     directory.size);
      kept_file = tb_pool_text (pool, (const char *) file.data, file.size);
    }
  tb_buffer_fini (&directory);
  tb_buffer_fini (&file);
  if (kept_directory == NULL || kept_file == NULL)
    {
      tb_no_memory (reader);
      return false;
    }
  snapshot->directory = kept_directory;
  snapshot->path = kept_file;
  reader->root = realpath (kept_directory, NULL);
  if (reader->root != NULL)
    return true;
  tb_error (reader->diag, "%s: cannot resolve: %s", kept_directory,
	    strerror (errno));
  reader->status = TB_ERR_IO;
  return false;
}

/* Map snapshot.ini.  Where the user named the directory, it may not be a link
   that leads out of it.  */
static struct tb_file *
map_snapshot_ini (struct tb_reader *reader, bool named)
{
  const char *path = reader->snapshot->path;
  char *resolved = realpath (path, NULL);
  if (resolved == NULL)
    {
      tb_error (reader->diag, "%s: expected a snapshot's first file: %s", path,
		strerror (errno));
      reader->status = TB_ERR_IO;
      return NULL;
    }
  struct tb_file *file = NULL;
  size_t root = strlen (reader->root);
  if (!named && !reader->allow_outside
      && (strncmp (resolved, reader->root, root) != 0
	  || (resolved[root] != '/' && reader->root[root - 1] != '/')))
    {
      tb_error (reader->diag, "%s: expected a file inside the snapshot's "
		"directory, found a link that leads out of it (--allow-outside follows "
		"it)", path);
      reader->status = TB_ERR_INPUT;
    }
  else
    file = tb_map_file (reader, NULL, resolved);
  free (resolved);
  return file;
}

/* Read [snapshot]; the version before all else (3.1.1).  */
static bool
read_head (struct tb_reader *reader, const struct tb_ini *ini)
{
  struct tb_field fields[] = { { "version", NULL }, { "description", NULL } };
  const struct tb_ini_section *section = NULL;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "snapshot"))
      {
	section = &ini->sections[i];
	tb_take_fields (reader, section, fields, 2, "[snapshot]");
      }
  if (section == NULL)
    {
      tb_say_file (reader, TB_ERROR, ini->path, "expected a section "
		   "[snapshot], found none");
      return false;
    }
  if (fields[0].entry == NULL)
    {
      tb_say_section (reader, TB_ERROR, section, "expected the key version, "
		      "found none");
      return false;
    }
  struct tb_snapshot *snapshot = reader->snapshot;
  snapshot->version = tb_field_text (reader, &fields[0], true);
  snapshot->description = fields[1].entry != NULL ? fields[1].entry->value : "";
  if (snapshot->version == NULL)
    return false;
  if (strcmp (snapshot->version, "1.0") != 0)
    {
      if (reader->status == TB_OK)
	reader->status = TB_ERR_UNSUPPORTED;
      tb_say (reader, TB_ERROR, fields[0].entry, "expected version 1.0 of the "
	      "format, found \"%.80s\"", snapshot->version);
      return false;
    }
  return reader->status == TB_OK;
}

static void
read_devices (struct tb_reader *reader, const struct tb_ini *ini)
{
  const struct tb_ini_section *list = NULL;
  size_t count = 0;
  bool has_trace = false;
  for (size_t i = 0; i < ini->nsections; i++)
    {
      const struct tb_ini_section *section = &ini->sections[i];
      has_trace |= tb_same_nocase (section->name, "trace");
      if (!tb_same_nocase (section->name, "device_list"))
	continue;
      list = section;
      for (size_t j = 0; j < section->count; j++)
	{
	  const struct tb_ini_entry *entry
	    = &ini->entries[section->first + j];
	  if (count++ == TB_MAX_DEVICES)
	    {
	      tb_say (reader, TB_ERROR, entry, "expected at most %d devices, "
		      "found more", TB_MAX_DEVICES);
	      return;
	    }
	  for (const struct tb_ini_entry *earlier = entry - j;
	       earlier < entry; earlier++)
	    if (tb_same_nocase (entry->key, earlier->key))
	      {
		tb_say (reader, TB_WARNING, entry, "expected each key once, "
			"found it at line %u, too", earlier->line);
		break;
	      }
	  tb_read_device (reader, entry);
	}
    }
  /* Room for what is found.  */
  if (count == 0 && has_trace)
    {
      reader->store->devices = calloc (TB_FOUND_SOURCES, sizeof *reader->store->devices);
      if (reader->store->devices == NULL)
	tb_no_memory (reader);
    }
  reader->snapshot->devices = reader->store->devices;
  if (list == NULL)
    tb_say_file (reader, TB_ERROR, ini->path, "expected a section "
		 "[device_list], found none");
  /* What software sent needs no core, and its source is found by the trace.  */
  else if (count == 0 && !has_trace)
    tb_say_section (reader, TB_ERROR, list, "expected at least one device, or a section [trace], "
		    "found none");
}

/* Note in each device the cluster that lists it (3.1.3).  */
static void
read_clusters (struct tb_reader *reader, const struct tb_ini *ini)
{
  for (size_t i = 0; i < ini->nsections; i++)
    for (size_t j = 0; j < ini->sections[i].count; j++)
      {
	if (!tb_same_nocase (ini->sections[i].name, "clusters"))
	  break;
	const struct tb_ini_entry *entry
	  = &ini->entries[ini->sections[i].first + j];
	struct tb_slice rest = { entry->value,
				 tb_ini_plain (entry->value, false) };
	struct tb_slice item;
	while (tb_next_item (&rest, &item))
	  {
	    if (item.length == 0)
	      continue;
	    if (!tb_spend (reader, entry))
	      return;
	    const struct tb_device *found
	      = tb_refer_device (reader, entry, item);
	    if (found == NULL)
	      {
		tb_say (reader, TB_WARNING, entry, "expected devices of the "
			"device list, found \"%.*s\", which is not there",
			(int) (item.length < 80 ? item.length : 80),
			item.text);
		continue;
	      }
	    struct tb_device *device
	      = &reader->store->devices[found - reader->store->devices];
	    if (*device->cluster == '\0')
	      device->cluster = entry->key;
	    else if (strcmp (device->cluster, entry->key) != 0)
	      tb_say (reader, TB_WARNING, entry, "expected each device in one "
		      "cluster, found %.80s in %.80s, too", device->name,
		      device->cluster);
	  }
      }
}

static void
read_trace (struct tb_reader *reader, const struct tb_ini *ini)
{
  struct tb_field field = { "metadata", NULL };
  const struct tb_ini_section *section = NULL;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "trace"))
      {
	section = &ini->sections[i];
	tb_take_fields (reader, section, &field, 1, "[trace]");
      }
  if (section == NULL)
    return;			/* A debug view only.  */
  if (field.entry == NULL)
    tb_say_section (reader, TB_ERROR, section, "expected the key metadata, "
		    "found none");
  else
    tb_read_trace (reader, field.entry);
}

/* Read where an operating system loaded programs, which tracebridge-snapshot writes
   (loaded.h).  */
static void
read_loaded (struct tb_reader *reader, const struct tb_ini *ini)
{
  enum { WORD, VECTOR, FILES, FIELDS };
  struct tb_field fields[FIELDS] = {
    [WORD] = { "word", NULL }, [VECTOR] = { "vector", NULL }, [FILES] = { "files", NULL }
  };
  const struct tb_ini_section *section = NULL;
  struct tb_loaded loaded = { .word = 0 };
  uint64_t word = 0;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "loaded"))
      {
	section = &ini->sections[i];
	tb_take_fields (reader, section, fields, FIELDS, "[loaded]");
      }
  if (section == NULL)
    return;
  bool any = fields[VECTOR].entry != NULL || fields[FILES].entry != NULL;
  if (fields[WORD].entry == NULL && any)
    tb_say_section (reader, TB_ERROR, section, "expected the key word, the bytes of a number in "
		    "what vector and files name, found none");
  else if (!any)
    tb_say_section (reader, TB_WARNING, section, "expected the key vector or files, found neither, "
		    "so that nothing tells where programs were loaded");
  if (fields[WORD].entry == NULL || !tb_field_u64 (reader, &fields[WORD], &word))
    return;
  if (word != 4 && word != 8)
    {
      tb_say (reader, TB_ERROR, fields[WORD].entry, "expected 4 or 8 bytes of a number, found %"
	      PRIu64, word);
      return;
    }
  const struct tb_file *file[FIELDS] = { NULL };
  for (int i = VECTOR; i < FIELDS; i++)
    if (fields[i].entry != NULL)
      {
	file[i] = tb_named_file (reader, fields[i].entry, "what a note of a core file has");
	if (file[i] == NULL)
	  return;
      }
  loaded.word = (unsigned) word;
  if (file[VECTOR] != NULL)
    loaded.vector = file[VECTOR]->map.data, loaded.vector_size = file[VECTOR]->map.size;
  if (file[FILES] != NULL)
    loaded.files = file[FILES]->map.data, loaded.files_size = file[FILES]->map.size;
  reader->snapshot->loaded = loaded;
}

/* Read snapshot.ini and all that it names.  */
static void
read_snapshot (struct tb_reader *reader, struct tb_file *file)
{
  static const char *const known[] = {
    "snapshot", "device_list", "clusters", "trace", "loaded"
  };
  struct tb_ini ini;
  if (!tb_read_ini (reader, &ini, file, NULL, reader->snapshot->path,
		    SNAPSHOT_INI))
    return;
  if (read_head (reader, &ini) && tb_check_lines (reader, &ini))
    {
      for (size_t i = 0; i < ini.nsections; i++)
	{
	  size_t k = 0;
	  while (k < sizeof known / sizeof known[0]
		 && !tb_same_nocase (ini.sections[i].name, known[k]))
	    k++;
	  if (k == sizeof known / sizeof known[0])
	    tb_unknown_section (reader, &ini.sections[i]);
	}
      read_devices (reader, &ini);
      if (reader->status == TB_OK)
	{
	  read_clusters (reader, &ini);
	  read_trace (reader, &ini);
	  read_loaded (reader, &ini);
	}
    }
  tb_ini_fini (&ini);
}

/* Read the snapshot in the folder PATH, or whose snapshot.ini it is.  */
static enum tb_status
read_folder (struct tb_snapshot *snapshot, const char *path, bool allow_outside,
	     struct tb_diag *diag)
{
  *snapshot = (struct tb_snapshot) { .path = path };
  struct tb_reader reader = {
    .snapshot = snapshot, .store = tb_snapshot_store_new (), .diag = diag,
    .allow_outside = allow_outside
  };
  snapshot->store = reader.store;
  if (reader.store == NULL)
    tb_no_memory (&reader);
  else if (find_snapshot (&reader, path))
    {
      bool named = strcmp (snapshot->path, path) == 0;
      struct tb_file *file = map_snapshot_ini (&reader, named);
      if (file != NULL)
	read_snapshot (&reader, file);
    }
  free (reader.root);
  free (reader.told);
  return reader.status;
}

enum tb_status
tb_snapshot_open (struct tb_snapshot *snapshot, const char *path,
		  const struct tb_snapshot_options *options,
		  struct tb_diag *diag)
{
  static const struct tb_snapshot_options none = { .input = TB_INPUT_FOLDER };
  const struct tb_snapshot_options *o = options != NULL ? options : &none;
  enum tb_status status = TB_ERR_INPUT;
  switch (o->input)
    {
    case TB_INPUT_FOLDER:
      status = read_folder (snapshot, path, o->allow_outside, diag);
      break;
    case TB_INPUT_CORE_FILE:
      status = tb_core_file_read (snapshot, path, o->core_type, o->is_m, diag);
      break;
    case TB_INPUT_SYSFS:
      status = tb_sysfs_read (snapshot, path, o->core_type, diag);
      break;
    case TB_INPUT_PERF:
      status = tb_perf_read (snapshot, path, o->core_type, o->sysroot, diag);
      break;
    case TB_INPUT_CRASH:
      status = tb_crash_read (snapshot, path, o->core_type, o->kernel, diag);
      break;
    case TB_INPUT_RAW_BUFFER:
      status = tb_raw_buffer_read (snapshot, path, o->core_type, diag);
      break;
    }
  if (status == TB_OK)
    status = tb_snapshot_add_beside (snapshot, &o->beside, diag);
  if (status != TB_OK)
    tb_snapshot_close (snapshot);
  return status;
}

const struct tb_device *
tb_snapshot_device (const struct tb_snapshot *snapshot, const char *name)
{
  for (size_t i = 0; i < snapshot->ndevices; i++)
    if (strcmp (snapshot->devices[i].name, name) == 0)
      return &snapshot->devices[i];
  return NULL;
}

const struct tb_device_reg *
tb_device_reg (const struct tb_device *device, const char *name)
{
  for (size_t i = 0; i < device->nregs; i++)
    if (tb_same_nocase (device->regs[i].name, name))
      return &device->regs[i];
  return NULL;
}

const struct tb_device_reg *
tb_device_pc (const struct tb_device *device)
{
  const struct tb_device_reg *pc = tb_device_reg (device, "PC");
  return pc != NULL ? pc : tb_device_reg (device, "R15");
}

const struct tb_device_reg *
tb_device_reg_id (const struct tb_device *device, uint32_t id,
		  const char *name)
{
  for (size_t i = 0; i < device->nregs; i++)
    if (device->regs[i].has_id && device->regs[i].id == id)
      return &device->regs[i];
  return tb_device_reg (device, name);
}

bool
tb_snapshot_has_thread (const struct tb_snapshot *snapshot, uint32_t number)
{
  size_t at;
  TB_LOWER_BOUND (at, snapshot->nthreads, snapshot->threads[at].number < number);
  return at < snapshot->nthreads && snapshot->threads[at].number == number;
}
