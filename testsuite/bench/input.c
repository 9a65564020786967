/* Open a workload for both decoders.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/filemap.h"

double
bench_clock (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static void
report (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  if (severity == TB_ERROR)
    fprintf (stderr, "bench-decode: %s\n", message);
}

/* Where the bytes of DUMP lie in its file, by its contents; false: nowhere. */
static bool
find_in_file (const struct tb_dump *dump, uint64_t *offset)
{
  struct tb_filemap map;
  const uint8_t *found;

  if (dump->length == 0 || tb_filemap_open (&map, dump->path, NULL) != TB_OK)
    return false;
  found = memmem (map.data, map.size, dump->data, dump->length);
  if (found != NULL)
    *offset = (uint64_t) (found - map.data);
  tb_filemap_close (&map);
  return found != NULL;
}

static void
add_dumps (struct bench_input *input, const struct tb_device *core)
{
  for (size_t i = 0; i < core->ndumps; i++)
    {
      const struct tb_dump *dump = &core->dumps[i];
      size_t k = 0;
      while (k < input->ndumps
	     && (input->dumps[k].dump->address != dump->address
		 || input->dumps[k].dump->space != dump->space))
	k++;
      if (k == input->ndumps && find_in_file (dump, &input->dumps[k].offset))
	input->dumps[input->ndumps++].dump = dump;
    }
}

static bool
collect_dumps (struct bench_input *input)
{
  size_t total = 1;

  for (size_t i = 0; i < input->nstreams; i++)
    if (input->streams[i]->core->device != NULL)
      total += input->streams[i]->core->device->ndumps;
  input->dumps = calloc (total, sizeof *input->dumps);
  for (size_t i = 0; input->dumps != NULL && i < input->nstreams; i++)
    if (input->streams[i]->core->device != NULL)
      add_dumps (input, input->streams[i]->core->device);
  return input->dumps != NULL;
}

void
bench_input_close (struct bench_input *input)
{
  free (input->copy);
  free (input->dumps);
  free (input->streams);
  tb_session_close (&input->session);
  *input = (struct bench_input) { 0 };
}

bool
bench_input_open (struct bench_input *input, const char *directory,
		  const struct bench_workload *workload)
{
  struct tb_diag diag = { .report = report };
  const struct tb_snapshot *snapshot = &input->session.snapshot;
  const struct tb_trace_buffer *buffer = NULL;
  char *path;
  bool opened;

  *input = (struct bench_input) { 0 };
  if (asprintf (&path, "%s/%s", directory, workload->snapshot) < 0)
    return false;
  opened = access (path, R_OK) == 0
	   && tb_session_open (&input->session, path, NULL, &diag) == TB_OK;
  free (path);
  if (!opened)
    return false;

  for (size_t i = 0; i < snapshot->nbuffers && buffer == NULL; i++)
    if (workload->buffer == NULL
	|| strcmp (snapshot->buffers[i].name, workload->buffer) == 0)
      buffer = &snapshot->buffers[i];
  input->buffer = buffer;
  input->streams = calloc (input->session.nstreams + 1,
			   sizeof *input->streams);
  if (buffer == NULL || input->streams == NULL)
    goto fail;
  for (size_t i = 0; i < input->session.nstreams; i++)
    if (input->session.streams[i].buffer == buffer)
      input->streams[input->nstreams++] = &input->session.streams[i];
  if (buffer->nspans == 0 || input->nstreams == 0
      || !collect_dumps (input))
    goto fail;

  /* The peer is given the buffer in one piece.  */
  input->bytes = buffer->spans[0].data;
  if (buffer->nspans > 1)
    {
      size_t at = 0;
      input->copy = malloc (buffer->size);
      if (input->copy == NULL)
	goto fail;
      for (size_t i = 0; i < buffer->nspans; i++)
	{
	  memcpy (input->copy + at, buffer->spans[i].data,
		  buffer->spans[i].size);
	  at += buffer->spans[i].size;
	}
      input->bytes = input->copy;
    }
  return true;

 fail:
  bench_input_close (input);
  return false;
}
