/* What was made of a snapshot so far, and the end of making one.  See maker.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/maker-parts.h"

#include <stdlib.h>
#include <string.h>

/* Give the snapshot what MAKER has.  */
static void
hand_over (struct tb_maker *maker)
{
  struct tb_reader *reader = &maker->reader;
  struct tb_snapshot *snapshot = reader->snapshot;
  struct tb_snapshot_store *store = reader->store;
  size_t threads = maker->nthreads < TB_MOST_THREAD_CORES ? maker->nthreads
		   : TB_MOST_THREAD_CORES;
  store->devices = calloc (maker->ndevices + 1 + TB_FOUND_SOURCES + threads,
			   sizeof *store->devices);
  store->buffers = calloc (maker->nbuffers + 1, sizeof *store->buffers);
  store->streams = calloc (maker->nstreams + 1, sizeof *store->streams);
  if (store->devices == NULL || store->buffers == NULL || store->streams == NULL)
    {
      tb_no_memory (reader);
      return;
    }
  for (size_t i = 0; i < maker->ndevices; i++)
    {
      struct tb_made_device *made = &maker->devices[i];
      struct tb_device *device = &store->devices[i];
      *device = made->device;
      device->regs = tb_keep_array (reader, made->regs, device->nregs,
				    sizeof *made->regs);
      device->dumps = tb_keep_array (reader, made->dumps, device->ndumps,
				     sizeof *made->dumps);
      made->regs = NULL;
      made->dumps = NULL;
    }
  size_t mapped = 0;
  for (size_t i = 0; i < maker->ndevices; i++)
    if (maker->devices[i].same_dumps != TB_MADE_NONE)
      {
	const struct tb_device *from = &store->devices[maker->devices[i].same_dumps];
	store->devices[i].dumps = from->dumps;
	store->devices[i].ndumps = from->ndumps;
	mapped += from->ndumps;
      }
  if (mapped > TB_MAX_MAPPED_DUMPS)
    {
      tb_error (reader->diag, "%s: expected at most %d regions of memory of all threads together, "
		"found %zu", snapshot->path, TB_MAX_MAPPED_DUMPS, mapped);
      reader->status = TB_ERR_INPUT;
    }
  snapshot->contexts = tb_keep_array (reader, maker->contexts, maker->ncontexts,
				      sizeof *maker->contexts);
  snapshot->ncontexts = maker->ncontexts;
  maker->contexts = NULL;
  snapshot->threads = tb_keep_array (reader, maker->threads, maker->nthreads,
				     sizeof *maker->threads);
  snapshot->nthreads = maker->nthreads;
  snapshot->threads_by_vmid = maker->threads_by_vmid;
  maker->threads = NULL;
  snapshot->threads_by_time = maker->threads_by_time;
  snapshot->stays = (struct tb_stays) {
    .items = tb_keep_array (reader, maker->stays, maker->nstays, sizeof *maker->stays),
    .count = maker->nstays, .clock = maker->clock
  };
  maker->stays = NULL;
  for (size_t i = 0; i < maker->nbuffers; i++)
    {
      struct tb_made_buffer *made = &maker->buffers[i];
      store->buffers[i] = made->buffer;
      store->buffers[i].spans = tb_keep_array (reader, made->spans, made->buffer.nspans,
					       sizeof *made->spans);
      made->spans = NULL;
      if (made->nwritten == made->buffer.nspans)
	{
	  store->buffers[i].written = tb_keep_array (reader, made->written, made->nwritten,
						     sizeof *made->written);
	  made->written = NULL;
	}
      size_t known = made->fresh_capacity < made->buffer.nspans ? made->fresh_capacity
		     : made->buffer.nspans;
      bool *fresh = made->fresh != NULL
		    ? tb_pool_alloc (store->pool, made->buffer.nspans) : NULL;
      if (made->fresh != NULL && fresh == NULL)
	tb_no_memory (reader);
      else if (fresh != NULL)
	{
	  memset (fresh, 0, made->buffer.nspans);
	  memcpy (fresh, made->fresh, known);
	}
      store->buffers[i].fresh = fresh;
    }
  for (size_t i = 0; i < maker->nstreams; i++)
    {
      const struct tb_made_stream *made = &maker->streams[i];
      store->streams[i] = (struct tb_trace_stream) {
	.source = &store->devices[made->source], .space = made->space, .sink = made->sink,
	.core = made->core != TB_MADE_NONE ? &store->devices[made->core] : NULL,
	.buffer = made->buffer != TB_MADE_NONE ? &store->buffers[made->buffer] : NULL
      };
    }
  snapshot->devices = store->devices;
  snapshot->ndevices = maker->ndevices;
  snapshot->buffers = store->buffers;
  snapshot->nbuffers = maker->nbuffers;
  snapshot->streams = store->streams;
  snapshot->nstreams = maker->nstreams;
}

enum tb_status
tb_maker_finish (struct tb_maker *maker)
{
  if (maker->reader.status == TB_OK)
    hand_over (maker);
  for (size_t i = 0; i < maker->ndevices; i++)
    {
      free (maker->devices[i].regs);
      free (maker->devices[i].dumps);
    }
  for (size_t i = 0; i < maker->nbuffers; i++)
    {
      free (maker->buffers[i].spans);
      free (maker->buffers[i].fresh);
      free (maker->buffers[i].written);
    }
  free (maker->contexts);
  free (maker->threads);
  free (maker->stays);
  free (maker->devices);
  free (maker->buffers);
  free (maker->streams);
  free (maker->reader.told);
  return maker->reader.status;
}

const struct tb_device_reg *
tb_maker_regs (const struct tb_maker *maker, size_t device, size_t *count)
{
  *count = device < maker->ndevices ? maker->devices[device].device.nregs : 0;
  return *count > 0 ? maker->devices[device].regs : NULL;
}

/* How many of the LENGTH bytes BYTES at ADDRESS all dumps of MADE from number FIRST on have alike
   that have them.  What lies behind is not known, as in a memory map (memmap.h).  */
static size_t
agreed (const struct tb_made_device *made, size_t first, uint64_t address, const uint8_t *bytes,
	size_t length)
{
  for (size_t i = first; i < made->device.ndumps && length > 0; i++)
    {
      const struct tb_dump *d = &made->dumps[i];
      uint64_t skip = d->address > address ? d->address - address : 0;
      uint64_t at = d->address > address ? 0 : address - d->address;
      for (; skip < length && at < d->length; skip++, at++)
	if (bytes[skip] != d->data[at])
	  length = (size_t) skip;
    }
  return length;
}

size_t
tb_maker_read (struct tb_maker *maker, size_t device, uint64_t address, uint8_t *bytes,
	       size_t length)
{
  const struct tb_made_device *made = &maker->devices[device];
  maker->looked += made->device.ndumps;
  for (size_t i = 0; i < made->device.ndumps; i++)
    {
      const struct tb_dump *d = &made->dumps[i];
      uint64_t at = address - d->address;
      if (address >= d->address && at < d->length)
	{
	  size_t n = length < d->length - at ? length : (size_t) (d->length - at);
	  memcpy (bytes, d->data + at, n);
	  return agreed (made, i + 1, address, bytes, n);
	}
    }
  return 0;
}
