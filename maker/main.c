/* tracebridge-snapshot: snapshots of their parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "parts.h"
#include "recording/wrong-input.h"
#include "snapshot/write.h"
#include "util/buffer.h"
#include "util/limits.h"
#include "util/mapfault.h"
#include "util/outfile.h"
#include "util/spool.h"

/* All messages; notes are of interest here, too.  */
static void
say (void *context, enum tb_severity severity, const char *message)
{
  const struct options *options = context;
  static const char *const words[] = { "note: ", "warning: ", "" };
  if (severity != TB_ERROR && options->quiet)
    return;
  fprintf (stderr, "tracebridge-snapshot: %s%s\n", words[severity], message);
}

/* Are there dumps of DEVICE at AT?  *UNTIL, which is behind AT, is where it is otherwise, or
   stays.  */
static bool
is_dumped (const struct tb_device *device, uint64_t at, uint64_t *until)
{
  bool is = false;
  for (size_t i = 0; i < device->ndumps; i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      uint64_t last = d->address + (d->length - 1);
      if (d->length == 0 || last < at)
	continue;
      if (d->address > at)
	{
	  /* What is dumped further on.  */
	  if (!is && d->address < *until)
	    *until = d->address;
	}
      else if (!is || last + 1 > *until)
	{
	  *until = last + 1;
	  is = true;
	}
    }
  return is;
}

/* Parts of memory to be written.  */
struct parts
{
  struct tb_written_memory *items;
  size_t count, room;
};

/* Add what no dump of DEVICE has of REGION; false: no memory.  */
static bool
add_region (struct parts *parts, const struct tb_device *device,
	    const struct tb_region *region)
{
  /* Code does not reach the end of the address space.  */
  uint64_t end = region->address + region->length;
  for (uint64_t at = region->address, until; at < end; at = until)
    {
      until = end;
      bool dumped = is_dumped (device, at, &until);
      if (until == 0 || until > end)
	until = end;
      if (dumped)
	continue;
      void *items = parts->items;
      bool ok = tb_grow (&items, &parts->room, parts->count, 1, sizeof *parts->items);
      parts->items = items;
      if (!ok)
	return false;
      parts->items[parts->count++] = (struct tb_written_memory) {
	.device = device, .from = region->name, .address = at, .length = until - at,
	.data = region->data + (at - region->address)
      };
    }
  return true;
}

/* What the ELF files of S have that no dump has and that the program cannot have changed, into
   PARTS.  False: no memory.  */
static bool
find_code (const struct tb_session *s, struct parts *parts)
{
  bool ok = true;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_device *device = s->cores[i].device;
      const struct tb_region *regions;
      size_t n = tb_memmap_regions (s->cores[i].map, &regions);
      for (size_t k = 0; k < n && device != NULL && ok; k++)
	if (regions[k].elf != NULL && regions[k].access == TB_ACCESS_READ)
	  ok = add_region (parts, device, &regions[k]);
    }
  return ok;
}

/* Find the streams of S in buffers that several sources share: whose trace is there was found
   when it was opened.  *COUNT of them; NULL: no memory.  */
static struct tb_trace_stream *
find_sharers (const struct tb_session *s, size_t *count)
{
  struct tb_trace_stream *streams = calloc (s->nstreams + 1, sizeof *streams);
  *count = 0;
  for (size_t i = 0; i < s->nstreams && streams != NULL; i++)
    {
      const struct tb_session_stream *t = &s->streams[i];
      if (t->buffer != NULL && t->buffer->shared && t->number == 0)
	streams[(*count)++] = (struct tb_trace_stream) {
	  .source = t->source, .core = t->core->device, .buffer = t->buffer
	};
    }
  return streams;
}

/* Say what S, which was written as PATH, has.  */
static void
print_summary (const struct tb_session *s, const char *path)
{
  printf ("%s: %zu core%s, %zu trace buffer%s\n", path, s->ncores - 1,
	  s->ncores == 2 ? "" : "s", s->snapshot.nbuffers,
	  s->snapshot.nbuffers == 1 ? "" : "s");
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_session_stream *t = &s->streams[i];
      printf ("  trace of %s%s%s: %s\n", t->source->name,
	      t->core->device != NULL ? " of " : "",
	      t->core->device != NULL ? t->core->device->name : "", t->source->type);
    }
}

/* Is a buffer of SNAPSHOT left out?  */
static bool
has_left (const struct tb_snapshot *snapshot)
{
  bool left = false;
  for (size_t i = 0; i < snapshot->nbuffers; i++)
    left |= snapshot->buffers[i].left;
  return left;
}

/* Open SESSION with PATH, the input of OPTIONS.  What cannot be written, or is no input, is said
   before anything else is asked of it.  */
static enum tb_status
open_input (struct tb_session *session, const char *path, const struct options *options,
	    struct tb_diag *diag)
{
  if (tb_input_is_wrong (path, &options->shared.session,
			 "-o OUT makes one of one input, such as one in %s", diag))
    return TB_ERR_INPUT;
  return tb_session_open (session, path, &options->shared.session, diag);
}

int
main (int argc, char **argv)
{
  struct options options;
  tb_mapfault_guard ();
  options_parse (&options, argc, argv);
  struct tb_diag diag = { .report = say, .context = &options };
  tb_limit_memory (options.shared.memory);
  if (options.shared.seconds != 0)
    tb_limit_time ("time-limit", options.shared.seconds);
  struct tb_session session;
  enum tb_status status;
  bool usage = false;
  struct tb_spool spool = { .path = NULL };
  if (options.input != NULL && tb_spool_is_stream (options.input))
    {
      status = tb_spool_open (&spool, options.input, &diag);
      if (status == TB_OK)
	status = open_input (&session, spool.path, &options, tb_spool_diag (&spool));
    }
  else if (options.input != NULL)
    status = open_input (&session, options.input, &options, &diag);
  else
    {
      struct tb_snapshot snapshot;
      status = parts_make (&snapshot, &options, &usage, &diag);
      if (status == TB_OK)
	status = tb_session_open_made (&session, &snapshot, &options.shared.session, &diag);
      else
	tb_snapshot_close (&snapshot);
    }
  if (status == TB_OK && session.log != NULL)
    {
      tb_error (&diag, "%s: expected an input with dumps or trace buffers, found a log "
		"or a trace file",
		options.input);
      status = TB_ERR_INPUT;
      tb_session_close (&session);
    }
  else if (status == TB_OK && session.senseless > 0 && session.nstreams == 0)
    {
      tb_error (&diag, "%s: expected trace, found %" PRIu64 " bytes that nothing makes sense of%s",
		options.output, session.senseless,
		options.shared.session.protocol != NULL ? " as what --protocol says"
		: "; --protocol=TYPE says what they are");
      status = TB_ERR_INPUT;
      tb_session_close (&session);
    }
  else if (status == TB_OK && session.nstreams == 0 && has_left (&session.snapshot))
    {
      tb_error (&diag, "%s: expected trace, found packets of an MTB of which none is taken, as "
		"nothing tells whose they are, or which: --mtb=BASE,POSITION,MASTER@CORE does, or "
		"--trace=FILE@CORE with the bytes of one MTB alone", options.output);
      status = TB_ERR_INPUT;
      tb_session_close (&session);
    }
  else if (status == TB_OK)
    {
      struct parts parts = { .items = NULL };
      size_t nstreams;
      struct tb_trace_stream *streams = find_sharers (&session, &nstreams);
      if (streams != NULL && find_code (&session, &parts))
	{
	  const struct tb_written_parts written = {
	    .memory = parts.items, .nmemory = parts.count,
	    .streams = streams, .nstreams = nstreams
	  };
	  status = tb_snapshot_write (&session.snapshot, &written, options.output, &diag);
	}
      else
	{
	  tb_error (&diag, "%s: no memory", options.output);
	  status = TB_ERR_MEMORY;
	}
      free (parts.items);
      free (streams);
      if (status == TB_OK && !options.quiet)
	print_summary (&session, options.output);
      tb_session_close (&session);
    }
  tb_spool_close (&spool);
  if (status == TB_OK)
    status = tb_outfile_told (&diag);
  options_fini (&options);
  return status == TB_OK ? EXIT_DONE : usage ? EXIT_USAGE : EXIT_FAILED;
}
