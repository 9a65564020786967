/* Writing a snapshot's folder.  See write.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/write.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/outdir.h"

/* A snapshot while it is written.  */
struct writing
{
  const struct tb_snapshot *snapshot;
  const struct tb_written_parts *parts;
  struct tb_outdir *dir;
  struct tb_diag *diag;
  const char *path;
  char **files;			/* Names, ended by NULL.  */
  size_t nfiles, capacity;
};

/* Append NAME as it may stand in the name of a file: neither folders nor what shells and
   other systems take for something else.  */
static void
add_name (struct tb_buffer *text, const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    tb_buffer_printf (text, "%c",
		      isalnum ((unsigned char) *p) || *p == '-' || *p == '_' ? *p : '_');
}

/* "device2-core.ini": the number makes it the only one of its name.  */
static void
device_file (struct tb_buffer *text, const struct writing *w, size_t device)
{
  tb_buffer_printf (text, "device%zu-", device);
  add_name (text, w->snapshot->devices[device].name);
  tb_buffer_printf (text, ".ini");
}

static void
buffer_file (struct tb_buffer *text, const struct writing *w, size_t buffer)
{
  tb_buffer_printf (text, "buffer%zu-", buffer);
  add_name (text, w->snapshot->buffers[buffer].name);
  tb_buffer_printf (text, ".bin");
}

/* The file of dump NUMBER of DEVICE: of the first device that has the same bytes there, as
   threads of a core file have.  True: it is DEVICE's own.  */
static bool
dump_file (struct tb_buffer *text, const struct writing *w, size_t device, size_t number)
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

static void
memory_file (struct tb_buffer *text, size_t number)
{
  tb_buffer_printf (text, "code%zu.bin", number);
}

/* Note that the folder has the file of name TEXT, which is emptied.  */
static bool
list_file (struct writing *w, struct tb_buffer *text)
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

/* Name all files.  False: no memory.  */
static bool
list_files (struct writing *w)
{
  const struct tb_snapshot *s = w->snapshot;
  struct tb_buffer text = { 0 };
  tb_buffer_printf (&text, "snapshot.ini");
  bool done = list_file (w, &text);
  tb_buffer_printf (&text, "trace.ini");
  done = done && list_file (w, &text);
  for (size_t i = 0; i < s->ndevices && done; i++)
    {
      device_file (&text, w, i);
      done = list_file (w, &text);
      for (size_t k = 0; k < s->devices[i].ndumps && done; k++)
	if (dump_file (&text, w, i, k))
	  done = list_file (w, &text);
	else
	  text.size = 0;
    }
  for (size_t i = 0; i < s->nbuffers && done; i++)
    {
      buffer_file (&text, w, i);
      done = list_file (w, &text);
    }
  for (size_t i = 0; i < w->parts->nmemory && done; i++)
    {
      memory_file (&text, i);
      done = list_file (w, &text);
    }
  tb_buffer_fini (&text);
  return done;
}

/* List what an older snapshot in the folder has beside, so that it can be replaced.  */
static bool
list_older (struct writing *w)
{
  static const char *const patterns[] = {
    "device[0-9]*-*.ini", "buffer[0-9]*-*.bin", "memory[0-9]*-[0-9]*.bin", "code[0-9]*.bin"
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

/* Write the file of name NAME with the COUNT pieces SPANS; NAME is emptied.  */
static enum tb_status
write_file (struct writing *w, struct tb_buffer *name, const struct tb_span *spans,
	    size_t count)
{
  tb_buffer_append (name, "", 1);
  if (name->failed)
    return TB_ERR_MEMORY;
  struct tb_outfile *file = tb_outdir_file (w->dir, (const char *) name->data);
  name->size = 0;
  if (file == NULL)
    return TB_ERR_IO;
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < count && status == TB_OK; i++)
    status = tb_outfile_write (file, spans[i].data, spans[i].size);
  if (status == TB_OK)
    return tb_outfile_finish (file);
  tb_outfile_abandon (file);
  return status;
}

/* Write TEXT as the file of name NAME; both are emptied.  */
static enum tb_status
write_text (struct writing *w, struct tb_buffer *name, struct tb_buffer *text)
{
  if (text->failed)
    return TB_ERR_MEMORY;
  const struct tb_span span = { .data = text->data, .size = text->size };
  enum tb_status status = write_file (w, name, &span, 1);
  text->size = 0;
  return status;
}

/* Append TEXT as comments.  */
static void
add_comment (struct tb_buffer *to, const char *text)
{
  while (*text != '\0')
    {
      size_t length = strcspn (text, "\n");
      if (length > 0)
	tb_buffer_printf (to, "; %.*s\n", (int) length, text);
      text += length + (text[length] == '\n');
    }
}

static void
add_regs (struct tb_buffer *text, const struct tb_device *device)
{
  if (device->nregs > 0)
    tb_buffer_printf (text, "\n[regs]\n");
  for (size_t i = 0; i < device->nregs; i++)
    {
      const struct tb_device_reg *reg = &device->regs[i];
      tb_buffer_printf (text, "%s", reg->name);
      if (reg->has_id || reg->bits != 32)
	tb_buffer_printf (text, "(");
      if (reg->has_id)
	tb_buffer_printf (text, "id:0x%03" PRIx32 "%s", reg->id,
			  reg->bits != 32 ? "," : "");
      if (reg->bits != 32)
	tb_buffer_printf (text, "size:%u", reg->bits);
      tb_buffer_printf (text, "%s=0x", reg->has_id || reg->bits != 32 ? ")" : "");
      for (unsigned k = (reg->bits + 7) / 8; k-- > 0;)
	tb_buffer_printf (text, "%02x", reg->bytes[k]);
      tb_buffer_printf (text, "\n");
    }
}

static void
add_dump (struct tb_buffer *text, unsigned number, const char *from, enum tb_space space,
	  uint64_t address, uint64_t length)
{
  /* A file's name may have any character, but a comment is one line.  */
  tb_buffer_printf (text, "\n; from ");
  for (const char *p = from; *p != '\0'; p++)
    tb_buffer_printf (text, "%c", *p != '\n' && *p != '\r' ? *p : '_');
  tb_buffer_printf (text, "\n[dump%u]\n", number);
  if (space != TB_SPACE_ANY)
    tb_buffer_printf (text, "space=%s\n", tb_space_name (space));
  tb_buffer_printf (text, "address=0x%08" PRIx64 "\nlength=%" PRIu64 "\nfile=", address,
		    length);
}

/* Say what the format has no words for.  */
static void
say_left_out (const struct writing *w)
{
  size_t contexts = 0, joined = 0;
  for (size_t i = 0; i < w->snapshot->ndevices; i++)
    for (size_t k = 0; k < w->snapshot->devices[i].ndumps; k++)
      contexts += w->snapshot->devices[i].dumps[k].space >= TB_SPACE_CONTEXTS;
  for (size_t i = 0; i < w->snapshot->nbuffers; i++)
    joined += w->snapshot->buffers[i].joined;
  if (contexts > 0)
    tb_warning (w->diag, "%s: the code of processes is left out (%zu dumps): snapshots cannot "
		"tell contexts apart; --elf=FILE@context:ID gives it to who reads this one",
		w->path, contexts);
  if (w->snapshot->nthreads + w->snapshot->stays.count > 0)
    tb_warning (w->diag, "%s: which threads there were, and when each ran (%zu of them, %zu "
		"times), is left out: snapshots have no words for it, and without it "
		"--recordings=threads finds none", w->path, w->snapshot->nthreads,
		w->snapshot->stays.count);
  if (joined > 0)
    tb_warning (w->diag, "%s: of %zu threads only the trace on one CPU can be read from it: "
		"snapshots cannot join what has several trace IDs", w->path, joined);
}

/* Write device NUMBER and the files of its memory.  */
static enum tb_status
write_device (struct writing *w, size_t number, struct tb_buffer *text,
	      struct tb_buffer *name)
{
  const struct tb_device *device = &w->snapshot->devices[number];
  enum tb_status status = TB_OK;
  unsigned dumps = 0;
  if (device->evidence != NULL)
    {
      tb_buffer_printf (text, "; What is not told elsewhere was worked out from the "
			"trace:\n");
      add_comment (text, device->evidence);
    }
  tb_buffer_printf (text, "[device]\nname=%s\nclass=%s\ntype=%s\n", device->name,
		    device->class_name, device->type);
  if (*device->location != '\0')
    tb_buffer_printf (text, "location=%s\n", device->location);
  if (device->evidence != NULL)
    tb_buffer_printf (text, "settings=" TB_WORKED_OUT "\n");
  add_regs (text, device);
  for (size_t i = 0; i < device->ndumps && status == TB_OK; i++)
    {
      const struct tb_dump *dump = &device->dumps[i];
      const struct tb_span span = { .data = dump->data, .size = (size_t) dump->length };
      if (dump->space >= TB_SPACE_CONTEXTS)
	continue;		/* say_left_out has told.  */
      add_dump (text, dumps++, dump->name, dump->space, dump->address, dump->length);
      bool own = dump_file (text, w, number, i);
      tb_buffer_printf (text, "\n");
      dump_file (name, w, number, i);
      if (own)
	status = write_file (w, name, &span, 1);
      name->size = 0;
    }
  for (size_t i = 0; i < w->parts->nmemory && status == TB_OK; i++)
    {
      const struct tb_written_memory *m = &w->parts->memory[i];
      const struct tb_span span = { .data = m->data, .size = (size_t) m->length };
      if (m->device != device)
	continue;
      add_dump (text, dumps++, m->from, TB_SPACE_ANY, m->address, m->length);
      memory_file (text, i);
      tb_buffer_printf (text, "\n");
      memory_file (name, i);
      status = write_file (w, name, &span, 1);
    }
  if (status != TB_OK)
    return status;
  device_file (name, w, number);
  return write_text (w, name, text);
}

/* Stream NUMBER of all: those of the snapshot, and those in shared buffers behind these.  */
static const struct tb_trace_stream *
stream_at (const struct writing *w, size_t number)
{
  return number < w->snapshot->nstreams ? &w->snapshot->streams[number]
	 : &w->parts->streams[number - w->snapshot->nstreams];
}

/* Has stream NUMBER trace in a buffer that is to be written?  */
static bool
is_written (const struct writing *w, size_t number)
{
  const struct tb_trace_buffer *buffer = stream_at (w, number)->buffer;
  return buffer != NULL && (number >= w->snapshot->nstreams || !buffer->shared);
}

static bool
same_key (const struct tb_trace_stream *a, const struct tb_trace_stream *b)
{
  return a->source == b->source && a->stream == b->stream && a->named == b->named;
}

/* Add which buffers have the trace of what: each key stands once, with all of its buffers.  */
static void
add_source_buffers (const struct writing *w, struct tb_buffer *text)
{
  size_t count = w->snapshot->nstreams + w->parts->nstreams;
  tb_buffer_printf (text, "\n[source_buffers]\n");
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_trace_stream *stream = stream_at (w, i);
      size_t first = 0;
      while (first < i && (!is_written (w, first)
			   || !same_key (stream_at (w, first), stream)))
	first++;
      if (!is_written (w, i) || first < i)
	continue;
      tb_buffer_printf (text, "%s", stream->source->name);
      if (stream->named)
	tb_buffer_printf (text, "(stream:%u)", stream->stream);
      for (size_t k = i; k < count; k++)
	if (is_written (w, k) && same_key (stream_at (w, k), stream))
	  tb_buffer_printf (text, "%s%s", k == i ? "=" : ",", stream_at (w, k)->buffer->name);
      tb_buffer_printf (text, "\n");
    }
}

/* Add where BUFFER has breaks that its bytes do not show.  */
static void
add_breaks (struct tb_buffer *text, const struct tb_trace_buffer *buffer)
{
  const char *before = "\nbreaks=";
  uint64_t at = 0;
  for (size_t i = 0; i < buffer->nspans; i++)
    {
      if (at > 0 && buffer->fresh != NULL && buffer->fresh[i]
	  && !tb_buffer_is_framed (buffer))
	{
	  tb_buffer_printf (text, "%s%" PRIu64, before, at);
	  before = ",";
	}
      at += buffer->spans[i].size;
    }
}

/* Write the trace metadata.  */
static enum tb_status
write_metadata (struct writing *w, struct tb_buffer *text, struct tb_buffer *name)
{
  const struct tb_snapshot *s = w->snapshot;
  if (s->nbuffers > 0)
    {
      tb_buffer_printf (text, "[trace_buffers]\nbuffers=");
      for (size_t i = 0; i < s->nbuffers; i++)
	tb_buffer_printf (text, "%sbuffer%zu", i > 0 ? "," : "", i);
      tb_buffer_printf (text, "\n");
    }
  for (size_t i = 0; i < s->nbuffers; i++)
    {
      tb_buffer_printf (text, "\n[buffer%zu]\nname=%s\nformat=%s\nfile=", i,
			s->buffers[i].name, s->buffers[i].format_name);
      buffer_file (text, w, i);
      add_breaks (text, &s->buffers[i]);
      tb_buffer_printf (text, "\n");
    }
  tb_buffer_printf (text, "\n[core_trace_sources]\n");
  for (size_t i = 0; i < s->nstreams; i++)
    if (s->streams[i].core != NULL)
      tb_buffer_printf (text, "%s=%s\n", s->streams[i].core->name,
			s->streams[i].source->name);
  add_source_buffers (w, text);
  if (s->timestamp_frequency != 0)
    tb_buffer_printf (text, "\n[timestamp]\nfrequency=%" PRIu64 "\n",
		      s->timestamp_frequency);
  tb_buffer_printf (name, "trace.ini");
  return write_text (w, name, text);
}

static enum tb_status
write_all (struct writing *w)
{
  const struct tb_snapshot *s = w->snapshot;
  struct tb_buffer text = { 0 }, name = { 0 };
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < s->ndevices && status == TB_OK; i++)
    status = write_device (w, i, &text, &name);
  for (size_t i = 0; i < s->nbuffers && status == TB_OK; i++)
    {
      buffer_file (&name, w, i);
      status = write_file (w, &name, s->buffers[i].spans, s->buffers[i].nspans);
    }
  if (status == TB_OK && s->nstreams + s->nbuffers > 0)
    status = write_metadata (w, &text, &name);
  tb_buffer_printf (&text, "[snapshot]\nversion=1.0\n\n[device_list]\n");
  for (size_t i = 0; i < s->ndevices; i++)
    {
      tb_buffer_printf (&text, "device%zu=", i);
      device_file (&text, w, i);
      tb_buffer_printf (&text, "\n");
    }
  if (s->nstreams + s->nbuffers > 0)
    tb_buffer_printf (&text, "\n[trace]\nmetadata=trace.ini\n");
  tb_buffer_printf (&name, "snapshot.ini");
  if (status == TB_OK)
    status = write_text (w, &name, &text);
  tb_buffer_fini (&text);
  tb_buffer_fini (&name);
  return status;
}

enum tb_status
tb_snapshot_write (const struct tb_snapshot *snapshot,
		   const struct tb_written_parts *parts, const char *path, struct tb_diag *diag)
{
  struct writing w = {
    .snapshot = snapshot, .parts = parts, .diag = diag, .path = path
  };
  for (size_t i = 0; i < snapshot->ndevices; i++)
    if (snapshot->devices[i].late)
      {
	tb_error (diag, "%s: expected registers and memory of one moment, found memory of "
		  "%s that was dumped later than its registers were, which a snapshot cannot "
		  "say; the other programs read %s as it is", path,
		  snapshot->devices[i].name, snapshot->devices[i].file);
	return TB_ERR_INPUT;
      }
  enum tb_status status = TB_ERR_MEMORY;
  if (list_files (&w) && list_older (&w))
    {
      w.dir = tb_outdir_open (path, (const char *const *) w.files, diag);
      say_left_out (&w);
      status = w.dir != NULL ? write_all (&w) : TB_ERR_IO;
      if (w.dir != NULL && status == TB_OK)
	status = tb_outdir_finish (w.dir);
      else
	tb_outdir_abandon (w.dir);
    }
  if (status == TB_ERR_MEMORY)
    tb_error (diag, "%s: no memory", path);
  for (size_t i = 0; i < w.nfiles; i++)
    free (w.files[i]);
  free (w.files);
  return status;
}
