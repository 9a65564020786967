/* Trace buffers that are told of beside an input.  See beside.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/beside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/maker.h"
#include "util/buffer.h"
#include "util/spool.h"

/* Has SNAPSHOT trace of its own, in a buffer or by the name of what sends it?  */
static bool
has_trace (const struct tb_snapshot *snapshot)
{
  bool has = snapshot->nbuffers > 0 || snapshot->nstreams > 0;
  for (size_t i = 0; i < snapshot->ndevices && !has; i++)
    has = snapshot->devices[i].class == TB_CLASS_TRACE_SOURCE;
  return has;
}

/* Has SNAPSHOT a device or a buffer called NAME?  */
static bool
is_taken (const struct tb_snapshot *snapshot, const char *name)
{
  bool taken = tb_snapshot_device (snapshot, name) != NULL;
  for (size_t i = 0; i < snapshot->nbuffers && !taken; i++)
    taken = strcmp (snapshot->buffers[i].id, name) == 0;
  return taken;
}

/* A name for the buffer of the file PATH that nothing in the snapshot of READER has.  NULL: no
   memory, said.  */
static const char *
name_of (struct tb_reader *reader, const char *path)
{
  struct tb_buffer text = { 0 };
  const char *slash = strrchr (path, '/');
  tb_maker_put_name (&text, strcmp (path, "-") == 0 ? "standard-input"
			    : slash != NULL ? slash + 1 : path);
  size_t length = text.failed ? 0 : text.size - 1;
  for (unsigned n = 2; !text.failed && is_taken (reader->snapshot, (const char *) text.data); n++)
    {
      text.size = length;
      tb_buffer_printf (&text, "_%u", n);
      tb_buffer_append (&text, "", 1);
    }
  const char *name = text.failed ? NULL
		     : tb_pool_text (reader->store->pool, (const char *) text.data, text.size - 1);
  tb_buffer_fini (&text);
  if (name == NULL)
    tb_no_memory (reader);
  return name;
}

/* The file PATH, or what comes out of it; NULL after a diagnostic.  */
static const struct tb_file *
map (struct tb_reader *reader, const struct tb_beside *beside, const char *path)
{
  struct tb_spool spool;
  if (!tb_spool_is_stream (path))
    return tb_map_path (reader, path);
  if (!beside->streams)
    {
      tb_error (reader->diag, "%s: expected a file with the bytes of a trace buffer, which can be "
		"read again, found a pipe", path);
      reader->status = TB_ERR_INPUT;
      return NULL;
    }
  reader->status = tb_spool_open (&spool, path, reader->diag);
  if (reader->status != TB_OK)
    return NULL;
  const struct tb_file *file = tb_map_path (reader, spool.path);
  /* It is mapped.  */
  tb_spool_close (&spool);
  return file;
}

/* Split TEXT, FILE or FILE@CORE, into PATH, from malloc, and *CORE, which is NULL for the first.
   False after a diagnostic.  */
static bool
split (struct tb_reader *reader, const char *text, char **path, const struct tb_device **core)
{
  const char *at = access (text, F_OK) != 0 ? strrchr (text, '@') : NULL;
  *core = NULL;
  *path = at != NULL ? strndup (text, (size_t) (at - text)) : strdup (text);
  if (*path == NULL)
    tb_no_memory (reader);
  if (*path == NULL || at == NULL)
    return *path != NULL;
  *core = tb_snapshot_device (reader->snapshot, at + 1);
  if (*core != NULL && (*core)->class == TB_CLASS_CORE)
    return true;
  tb_error (reader->diag, "%s: expected a file, or FILE@CORE with the name of a core in %s (--list "
	    "shows them), found neither a file of that name nor a core '%s'", text,
	    reader->snapshot->path, at + 1);
  reader->status = TB_ERR_INPUT;
  free (*path);
  return false;
}

/* Add trace buffer number NUMBER of BESIDE.  */
static void
add (struct tb_reader *reader, const struct tb_beside *beside, size_t number)
{
  char *path;
  const struct tb_device *core;
  if (!split (reader, beside->traces[number], &path, &core))
    return;
  const struct tb_file *file = map (reader, beside, path);
  const char *name = file != NULL ? name_of (reader, path) : NULL;
  free (path);
  if (name == NULL)
    return;
  enum tb_buffer_format format = beside->nformats == 0 ? TB_FORMAT_OTHER
				 : beside->formats[beside->nformats == 1 ? 0 : number];
  const struct tb_span span = { .data = file->map.data, .size = file->map.size };
  struct tb_trace_buffer *buffer = &reader->store->buffers[reader->snapshot->nbuffers];
  *buffer = (struct tb_trace_buffer) {
    .id = name, .name = name, .format = format, .format_name = tb_format_name (format),
    .unsettled = format == TB_FORMAT_OTHER, .nspans = span.size > 0, .size = span.size,
    .core = core
  };
  if (span.size > 0)
    buffer->spans = tb_pool_copy (reader->store->pool, &span, sizeof span);
  if (span.size > 0 && buffer->spans == NULL)
    tb_no_memory (reader);
  else
    reader->snapshot->nbuffers++;
}

enum tb_status
tb_snapshot_add_beside (struct tb_snapshot *snapshot, const struct tb_beside *beside,
			struct tb_diag *diag)
{
  struct tb_reader reader = { .snapshot = snapshot, .store = snapshot->store, .diag = diag };
  if (beside->ntraces == 0)
    return TB_OK;
  if (has_trace (snapshot))
    {
      tb_error (diag, "%s: expected an input without trace of its own, as the trace buffer %s is "
		"given beside it, found one that has trace", snapshot->path, beside->traces[0]);
      return TB_ERR_INPUT;
    }
  if (beside->ntraces > TB_MAX_BUFFERS)
    {
      tb_error (diag, "%s: expected at most %d trace buffers, found %zu", snapshot->path,
		TB_MAX_BUFFERS, beside->ntraces);
      return TB_ERR_INPUT;
    }
  free (snapshot->store->buffers);
  snapshot->buffers = snapshot->store->buffers
    = calloc (beside->ntraces, sizeof *snapshot->store->buffers);
  if (snapshot->buffers == NULL)
    tb_no_memory (&reader);
  for (size_t i = 0; i < beside->ntraces && reader.status == TB_OK; i++)
    add (&reader, beside, i);
  free (reader.told);
  return reader.status;
}
