/* Writing a snapshot's folder.  See write.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/write.h"
#include "snapshot/write-files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/outdir.h"

/* Write the file of name NAME with the COUNT pieces SPANS; NAME is emptied.  */
static enum tb_status
write_file (struct tb_writing *w, struct tb_buffer *name, const struct tb_span *spans,
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
write_text (struct tb_writing *w, struct tb_buffer *name, struct tb_buffer *text)
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
say_left_out (const struct tb_writing *w)
{
  size_t contexts = 0, joined = 0;
  for (size_t i = 0; i < w->snapshot->ndevices; i++)
    if (w->snapshot->devices[i].unsure && w->snapshot->devices[i].nregs > 0)
      tb_warning (w->diag, "%s: the registers of %s are left out: the trace may be another core's, "
		  "which a snapshot cannot say", w->path, w->snapshot->devices[i].name);
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
write_device (struct tb_writing *w, size_t number, struct tb_buffer *text,
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
  if (device->late)
    tb_buffer_printf (text, "memory=" TB_DUMPED_LATER "\n");
  if (!device->unsure)
    add_regs (text, device);
  for (size_t i = 0; i < device->ndumps && status == TB_OK; i++)
    {
      const struct tb_dump *dump = &device->dumps[i];
      const struct tb_span span = { .data = dump->data, .size = (size_t) dump->length };
      if (dump->space >= TB_SPACE_CONTEXTS)
	continue;		/* say_left_out has told.  */
      add_dump (text, dumps++, dump->name, dump->space, dump->address, dump->length);
      bool own = tb_write_dump_file (text, w, number, i);
      tb_buffer_printf (text, "\n");
      tb_write_dump_file (name, w, number, i);
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
      tb_write_memory_file (text, i);
      tb_buffer_printf (text, "\n");
      tb_write_memory_file (name, i);
      status = write_file (w, name, &span, 1);
    }
  if (status != TB_OK)
    return status;
  tb_write_device_file (name, w, number);
  return write_text (w, name, text);
}

/* Stream NUMBER of all: those of the snapshot, and those in shared buffers behind these.  */
static const struct tb_trace_stream *
stream_at (const struct tb_writing *w, size_t number)
{
  return number < w->snapshot->nstreams ? &w->snapshot->streams[number]
	 : &w->parts->streams[number - w->snapshot->nstreams];
}

/* Has stream NUMBER trace in a buffer that is to be written?  */
static bool
is_written (const struct tb_writing *w, size_t number)
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
add_source_buffers (const struct tb_writing *w, struct tb_buffer *text)
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
write_metadata (struct tb_writing *w, struct tb_buffer *text, struct tb_buffer *name)
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
      tb_write_buffer_file (text, w, i);
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

/* Write the note's contents DATA, of SIZE bytes, as the file PATH, if there are any, and say so by
   KEY in TEXT.  */
static enum tb_status
write_note (struct tb_writing *w, struct tb_buffer *text, const char *key, const char *path,
	    const uint8_t *data, size_t size)
{
  const struct tb_span span = { .data = data, .size = size };
  struct tb_buffer name = { 0 };
  if (data == NULL)
    return TB_OK;
  tb_buffer_printf (text, "%s=%s\n", key, path);
  tb_buffer_printf (&name, "%s", path);
  enum tb_status status = write_file (w, &name, &span, 1);
  tb_buffer_fini (&name);
  return status;
}

/* Write where an operating system loaded programs, into TEXT of snapshot.ini.  */
static enum tb_status
write_loaded (struct tb_writing *w, struct tb_buffer *text)
{
  const struct tb_loaded *loaded = &w->snapshot->loaded;
  if (loaded->vector == NULL && loaded->files == NULL)
    return TB_OK;
  tb_buffer_printf (text, "\n[loaded]\nword=%u\n", loaded->word);
  enum tb_status status = write_note (w, text, "vector", TB_LOADED_VECTOR, loaded->vector,
				      loaded->vector_size);
  if (status == TB_OK)
    status = write_note (w, text, "files", TB_LOADED_FILES, loaded->files, loaded->files_size);
  return status;
}

static enum tb_status
write_all (struct tb_writing *w)
{
  const struct tb_snapshot *s = w->snapshot;
  struct tb_buffer text = { 0 }, name = { 0 };
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < s->ndevices && status == TB_OK; i++)
    status = write_device (w, i, &text, &name);
  for (size_t i = 0; i < s->nbuffers && status == TB_OK; i++)
    {
      tb_write_buffer_file (&name, w, i);
      status = write_file (w, &name, s->buffers[i].spans, s->buffers[i].nspans);
    }
  if (status == TB_OK && s->nstreams + s->nbuffers > 0)
    status = write_metadata (w, &text, &name);
  tb_buffer_printf (&text, "[snapshot]\nversion=1.0\n\n[device_list]\n");
  for (size_t i = 0; i < s->ndevices; i++)
    {
      tb_buffer_printf (&text, "device%zu=", i);
      tb_write_device_file (&text, w, i);
      tb_buffer_printf (&text, "\n");
    }
  if (s->nstreams + s->nbuffers > 0)
    tb_buffer_printf (&text, "\n[trace]\nmetadata=trace.ini\n");
  if (status == TB_OK)
    status = write_loaded (w, &text);
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
  struct tb_writing w = {
    .snapshot = snapshot, .parts = parts, .diag = diag, .path = path
  };
  enum tb_status status = TB_ERR_MEMORY;
  if (tb_write_list_files (&w) && tb_write_list_older (&w))
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
