/* --list: what is in a snapshot, and what can be done with it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "coresight/stream.h"
#include "json.h"
#include "decode/found.h"
#include "recording/device-memory.h"
#include "recording/session-log.h"
#include "recording/wrong-input.h"
#include "snapshot/core-file.h"
#include "snapshot/crash-dump.h"
#include "snapshot/elf-image.h"
#include "snapshot/perf/data.h"
#include "snapshot/sysfs.h"
#include "recording/session-streams.h"

static const char *
or_dash (const char *text)
{
  return *text != 0 ? text : "-";
}

static void
list_dumps (const struct tb_snapshot *snapshot, const struct tb_device *device, FILE *out)
{
  char text[64];
  const struct tb_device *first = snapshot->devices;
  while (first->dumps != device->dumps)
    first++;
  if (first != device && device->ndumps > 0)
    {
      fprintf (out, "    the memory of %s\n", first->name);
      return;
    }
  for (size_t i = 0; i < device->ndumps; i++)
    {
      const struct tb_dump *dump = &device->dumps[i];
      fprintf (out, "    %-12s %#" PRIx64 " to %#" PRIx64 ", %" PRIu64
	       " bytes", dump->section, dump->address,
	       dump->address + (dump->length - 1), dump->length);
      if (dump->space != TB_SPACE_ANY)
	fprintf (out, ", space %s", tb_space_text (snapshot, dump->space, text, sizeof text));
      fputc ('\n', out);
    }
  if (device->missing_dumps != 0)
    fprintf (out, "    %zu dumps have no file\n", device->missing_dumps);
}

/* Has DEVICE, a core, trace that nobody asked for as its recording, and no other?  So have CPUs
   of which there are recordings of threads alone.  */
static bool
is_unused (const struct tb_session *s, const struct tb_device *device)
{
  bool unused = false;
  for (size_t i = 0; i < s->nstreams; i++)
    if (s->streams[i].core->device == device)
      return false;
  for (size_t i = s->nstreams; i < s->nstreams + s->nunused; i++)
    unused |= s->streams[i].core->device == device;
  return unused && device->class == TB_CLASS_CORE;
}

static void
list_device (const struct tb_session *s, const struct tb_device *device, FILE *out)
{
  const struct tb_snapshot *snapshot = &s->snapshot;
  static const char *const classes[] = {
    [TB_CLASS_CORE] = "core", [TB_CLASS_TRACE_SOURCE] = "source",
    [TB_CLASS_MEMORY_SPACE] = "memory_space", [TB_CLASS_OTHER] = "device"
  };
  fprintf (out, "%-7s %s  type %s", classes[device->class], device->name,
	   or_dash (device->type));
  if (device->class == TB_CLASS_OTHER)
    fprintf (out, "  class %s", or_dash (device->class_name));
  if (*device->cluster != 0)
    fprintf (out, "  cluster %s", device->cluster);
  if (*device->location != 0)
    fprintf (out, "  at %s", device->location);
  fprintf (out, "  registers %zu%s\n", device->nregs,
	   is_unused (s, device) ? "  no recording (--recordings=cpus)" : "");
  list_dumps (snapshot, device, out);
}

/* What its fault registers tell.  */
static void
list_faults (const struct job *job, const struct tb_device *device, FILE *out)
{
  struct tb_buffer text = { 0 };
  tb_device_faults (&job->session, device, "    faults  ", &text);
  if (!text.failed && text.size > 0)
    fwrite (text.data, 1, text.size, out);
  tb_buffer_fini (&text);
}

/* Bytes that STREAM has, and what can be done with them.  */
static void
list_stream (const struct tb_session_stream *stream, FILE *out)
{
  const struct tb_trace_buffer *buffer = stream->buffer;
  fprintf (out, "trace   %s of %s in %s: ", stream->source->name,
	   stream->core->device != NULL ? stream->core->device->name
					: "no core",
	   buffer != NULL ? buffer->name : "the core's RAM");
  /* Of bytes of one source that no register tells of, 0 stands for no ID.  */
  if (stream->id != TB_ID_NONE
      && (stream->id != 0 || (buffer != NULL && tb_buffer_is_framed (buffer))))
    fprintf (out, "id %#04x, ", stream->id);
  if (buffer != NULL)
    fprintf (out, "%" PRIu64 " bytes, ", tb_session_stream_bytes (stream));
  if (buffer != NULL && buffer->format == TB_FORMAT_OTHER)
    fprintf (out, "format %s cannot be read\n", buffer->format_name);
  else if (stream->passed != NULL && stream->number == 0)
    fprintf (out, "%s, are not decoded\n", stream->passed);
  else if (stream->passed != NULL)
    fprintf (out, "stream %u, %s, is not decoded\n", stream->number,
	     stream->passed);
  else if (stream->protocol == NULL)
    fprintf (out, "%s cannot be decoded\n", or_dash (stream->source->type));
  else
    {
      fprintf (out, "decoded as %s%s\n", stream->protocol->name,
	       stream->source->evidence == NULL ? ""
	       : tb_source_is_found (stream->source)
	       ? ", of packets that were found (premise found-packets)"
	       : ", with settings that were worked out from it (premise unit-settings)");
      uint64_t address, length;
      if (buffer == NULL && tb_session_trace_ram (stream, &address, &length) == TB_OK
	  && address != 0 && length == 0)
	fprintf (out, "    no memory was dumped where its packets are, at %#" PRIx64 ", so that "
		 "there is nothing to decode\n", address);
      unit_text (stream, "    ", true, out);
    }
}

/* More IDs than this that no source has are summed up: stale RAM after the
   trace looks like all of them.  */
#define UNOWNED_SHOWN 8

/* IDs with bytes that no source of the snapshot has.  */
static void
list_unowned (const struct job *job, const struct tb_trace_buffer *buffer,
	      FILE *out)
{
  if (!tb_buffer_is_framed (buffer))
    return;
  uint64_t counts[TB_TRACE_IDS], bytes = 0;
  unsigned unowned[TB_TRACE_IDS], n = 0;
  tb_stream_census (buffer, counts, NULL);
  for (unsigned id = 1; id < TB_TRACE_IDS; id++)
    {
      bool owned = false;
      for (size_t i = 0; i < job->session.nstreams + job->session.nunused; i++)
	owned |= tb_session_stream_owns (&job->session.streams[i], buffer, id);
      if (counts[id] != 0 && !owned)
	{
	  unowned[n++] = id;
	  bytes += counts[id];
	}
    }
  for (unsigned i = 0; i < n && n <= UNOWNED_SHOWN; i++)
    fprintf (out, "    id %#04x: %" PRIu64 " bytes of no source here%s\n",
	     unowned[i], counts[unowned[i]],
	     unowned[i] == 0x7d ? " (triggers)" : "");
  if (n > UNOWNED_SHOWN)
    fprintf (out, "    %u ids of no source here: %" PRIu64 " bytes; memory that "
	     "is not trace looks like that\n", n, bytes);
}

/* Say of which cores the program NUMBER is.  */
static void
program_cores (const struct job *job, size_t number, FILE *out)
{
  const struct tb_session *s = &job->session;
  const char *before = "  of ";
  for (size_t i = 0; i < s->ncores; i++)
    for (size_t k = 0; k < s->cores[i].nelves && s->cores[i].device != NULL; k++)
      if (s->cores[i].elves[k] == s->elves[number])
	{
	  fprintf (out, "%s%s", before, s->cores[i].device->name);
	  before = ", ";
	}
}

/* The functions that the program NUMBER names.  */
static size_t
program_functions (const struct job *job, size_t number)
{
  uint64_t *functions = NULL;
  size_t count = 0;
  tb_elf_image_functions (job->session.elves[number], &functions, &count);
  free (functions);
  return count;
}

/* What --elf gave.  */
static void
list_programs (const struct job *job, FILE *out)
{
  const struct tb_session_options *options = &job->options->shared.session;
  for (size_t i = 0; i < job->session.nelves; i++)
    {
      const struct tb_elf_image *image = job->session.elves[i];
      const char *type = tb_elf_image_core_type (image);
      fprintf (out, "program %s", options->elves[i].path);
      program_cores (job, i, out);
      fprintf (out, "  for %s  functions %zu\n", type != NULL ? type
	       : tb_elf_image_is_a64 (image) ? "AArch64" : "AArch32", program_functions (job, i));
    }
}

static void
json_programs (const struct job *job, FILE *out)
{
  fputs ("],\"programs\":[", out);
  for (size_t i = 0; i < job->session.nelves; i++)
    {
      fprintf (out, "%s{\"file\":", i == 0 ? "" : ",");
      json_string (job->options->shared.session.elves[i].path, out);
      fprintf (out, ",\"functions\":%zu}", program_functions (job, i));
    }
}

static void
list_json (const struct job *job, FILE *out)
{
  const struct tb_snapshot *s = &job->session.snapshot;
  fputs ("{\"input\":", out);
  json_string (job->input, out);
  fputs (",\"description\":", out);
  json_string (s->description, out);
  if (s->timestamp_frequency != 0)
    fprintf (out, ",\"timestamp_frequency\":%" PRIu64, s->timestamp_frequency);
  fputs (",\"devices\":[", out);
  for (size_t i = 0; i < s->ndevices; i++)
    {
      const struct tb_device *d = &s->devices[i];
      fprintf (out, "%s{\"name\":", i == 0 ? "" : ",");
      json_string (d->name, out);
      fputs (",\"class\":", out);
      json_string (d->class_name, out);
      fputs (",\"type\":", out);
      json_string (d->type, out);
      if (*d->cluster != '\0')
	{
	  fputs (",\"cluster\":", out);
	  json_string (d->cluster, out);
	}
      if (*d->location != '\0')
	{
	  fputs (",\"location\":", out);
	  json_string (d->location, out);
	}
      fprintf (out, ",\"registers\":%zu,\"dumps\":[", d->nregs);
      for (size_t j = 0; j < d->ndumps; j++)
	{
	  const struct tb_dump *dump = &d->dumps[j];
	  char text[64];
	  fprintf (out, "%s{\"section\":", j == 0 ? "" : ",");
	  json_string (dump->section, out);
	  fprintf (out, ",\"address\":%" PRIu64 ",\"length\":%" PRIu64,
		   dump->address, dump->length);
	  if (dump->space != TB_SPACE_ANY)
	    fprintf (out, ",\"space\":\"%s\"", tb_space_text (s, dump->space, text, sizeof text));
	  fputc ('}', out);
	}
      fprintf (out, "],\"missing_dumps\":%zu", d->missing_dumps);
      if (is_unused (&job->session, d))
	fputs (",\"recorded\":false", out);
      struct tb_buffer faults = { 0 };
      tb_device_faults (&job->session, d, "", &faults);
      tb_buffer_append (&faults, "", 1);
      if (!faults.failed && faults.size > 1)
	{
	  fputs (",\"faults\":", out);
	  json_string ((const char *) faults.data, out);
	}
      tb_buffer_fini (&faults);
      fputc ('}', out);
    }
  json_programs (job, out);
  fputs ("],\"buffers\":[", out);
  for (size_t i = 0; i < s->nbuffers; i++)
    {
      fprintf (out, "%s{\"name\":", i == 0 ? "" : ",");
      json_string (s->buffers[i].name, out);
      fputs (",\"format\":", out);
      json_string (s->buffers[i].format_name, out);
      fprintf (out, ",\"bytes\":%" PRIu64 "}", s->buffers[i].size);
    }
  fputs ("],\"streams\":[", out);
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *t = &job->session.streams[i];
      fprintf (out, "%s{\"source\":", i == 0 ? "" : ",");
      json_string (t->source->name, out);
      if (t->core->device != NULL)
	{
	  fputs (",\"core\":", out);
	  json_string (t->core->device->name, out);
	}
      if (t->buffer != NULL)
	{
	  fputs (",\"buffer\":", out);
	  json_string (t->buffer->name, out);
	}
      if (t->id != TB_ID_NONE)
	fprintf (out, ",\"id\":%u", t->id);
      if (t->number != 0)
	fprintf (out, ",\"stream\":%u", t->number);
      if (t->passed != NULL)
	{
	  fputs (",\"passed\":", out);
	  json_string (t->passed, out);
	}
      fputs (",\"protocol\":", out);
      if (t->protocol != NULL)
	{
	  json_string (t->protocol->name, out);
	  unit_json (t, out);
	}
      else
	fputs ("null", out);
      fputc ('}', out);
    }
  fputs ("]}\n", out);
}

/* What the input PATH is that was made into a snapshot, by OPTIONS; NULL: it is one.  */
static const char *
kind_of (const char *path, const struct tb_session_options *options)
{
  enum tb_crash crash = tb_crash_kind (path, NULL);
  return tb_core_file_kind (path) != TB_CORE_FILE_NONE ? "ELF core file"
	 : crash != TB_CRASH_NONE ? tb_crash_name (crash)
	 : tb_perf_is_file (path) ? "perf.data"
	 : tb_sysfs_is_folder (path) ? "trace buffers of Linux"
	 : tb_input_is_raw (path, options) ? "bytes of a trace buffer" : NULL;
}

enum tb_status
list_inventory (struct job *job, struct tb_outfile *outfile)
{
  FILE *out = tb_outfile_stream (outfile);
  const struct tb_snapshot *s = &job->session.snapshot;
  if (job->options->json)
    {
      list_json (job, out);
      return TB_OK;
    }
  const struct tb_session_log *log = job->session.log;
  const struct tb_trace_file *file = tb_session_trace_file (&job->session);
  if (file != NULL)
    {
      fprintf (out, "%s: GDB trace file, %zu frames, %u bytes of registers in each that has "
	       "them", job->path != job->input ? job->input : file->path, file->nframes,
	       file->register_bytes);
      if (file->nassumed != 0)
	fprintf (out, "; %zu hold values under assumptions", file->nassumed);
      fputc ('\n', out);
    }
  else if (log != NULL)
    {
      fprintf (out, "%s: Tarmac log, %" PRIu64 " lines, %" PRIu64 " bytes",
	       job->path != job->input ? job->input : log->tarmac.path,
	       log->tarmac.lines, log->tarmac.bytes);
      if (log->tarmac.packing != NULL)
	fprintf (out, ", compressed by %s", log->tarmac.packing);
      for (unsigned i = TB_TARMAC_STEP; i < TB_TARMAC_KINDS; i++)
	if (log->tarmac.kinds[i] != 0)
	  fprintf (out, "%s %" PRIu64 " %s", i == TB_TARMAC_STEP ? ":" : ",",
		   log->tarmac.kinds[i],
		   tb_tarmac_kind_name ((enum tb_tarmac_kind) i));
      fputc ('\n', out);
    }
  const char *kind = s->store != NULL ? kind_of (s->path, &job->options->shared.session) : NULL;
  if (kind != NULL)
    fprintf (out, "%s: %s", job->input, kind);
  else if (s->store != NULL)
    fprintf (out, "%s: snapshot, version %s", job->input, s->version);
  if (*s->description != 0)
    fprintf (out, ": %s", s->description);
  if (s->store != NULL)
    fputc ('\n', out);
  for (size_t i = 0; i < s->ndevices; i++)
    {
      list_device (&job->session, &s->devices[i], out);
      list_faults (job, &s->devices[i], out);
    }
  list_programs (job, out);
  for (size_t i = 0; i < s->nbuffers; i++)
    {
      const struct tb_trace_buffer *b = &s->buffers[i];
      fprintf (out, "buffer  %s  format %s  %" PRIu64 " bytes", b->name,
	       b->format_name, b->size);
      if (b->nspans > 1)
	fprintf (out, " in %zu files", b->nspans);
      fputc ('\n', out);
      list_unowned (job, b, out);
    }
  for (size_t i = 0; i < job->session.nstreams; i++)
    list_stream (&job->session.streams[i], out);
  if (s->timestamp_frequency != 0)
    fprintf (out, "timestamps  %" PRIu64 " a second\n", s->timestamp_frequency);
  if (job->session.nstreams == 0)
    fputs ("no trace: each core can be shown as it was at the halt\n", out);
  return TB_OK;
}
