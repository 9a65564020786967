/* What is changed of a snapshot that was read: trace that it does not name, registers that it
   cannot have.  See tb_snapshot_add_source in snapshot.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "snapshot/reader.h"

/* The registers of an MTB, by their numbers (DDI 0486, 3.2).  */
static const char *const names[TB_MTB_NREGS] = { "POSITION", "MASTER", "FLOW", "BASE" };

/* A copy of TEXT, "" for NULL; NULL: no memory.  */
static const char *
keep (struct objalloc *pool, const char *text)
{
  return text == NULL ? "" : tb_pool_text (pool, text, strlen (text));
}

/* Let *KEPT be the registers of HAS, *COUNT with copies of those that only SOURCE has.
   False: no memory.  */
static bool
keep_regs (struct objalloc *pool, const struct tb_device *has,
	   const struct tb_device *source, const struct tb_device_reg **kept,
	   size_t *count)
{
  struct tb_device_reg *regs
    = tb_pool_alloc (pool, (has->nregs + source->nregs + 1) * sizeof *regs);
  if (regs == NULL)
    return false;
  size_t n = 0;
  for (; n < has->nregs; n++)
    regs[n] = has->regs[n];
  for (size_t i = 0; i < source->nregs; i++)
    {
      struct tb_device_reg reg = source->regs[i];
      if (tb_device_reg_id (has, reg.id, reg.name) != NULL)
	continue;
      reg.name = keep (pool, reg.name);
      reg.bytes = tb_pool_copy (pool, reg.bytes, (reg.bits + 7) / 8);
      if (reg.name == NULL || reg.bytes == NULL)
	return false;
      regs[n++] = reg;
    }
  *kept = regs;
  *count = n;
  return true;
}

bool
tb_snapshot_settle_source (struct tb_snapshot *snapshot, const struct tb_device *device,
			   const struct tb_device *source)
{
  struct objalloc *pool = snapshot->store->pool;
  struct tb_device *own = &snapshot->store->devices[device - snapshot->devices];
  if (!keep_regs (pool, device, source, &own->regs, &own->nregs))
    return false;
  if (*device->type == '\0')
    own->type = keep (pool, source->type);
  own->evidence = keep (pool, source->evidence);
  own->unsettled = false;
  return own->type != NULL && own->evidence != NULL;
}

bool
tb_snapshot_add_source (struct tb_snapshot *snapshot, const struct tb_device *source,
			const struct tb_device *core,
			const struct tb_trace_buffer *buffer)
{
  struct tb_snapshot_store *store = snapshot->store;
  struct objalloc *pool = store->pool;
  struct tb_trace_stream *streams
    = realloc (store->streams, (snapshot->nstreams + 1) * sizeof *streams);
  if (streams == NULL)
    return false;
  store->streams = streams;
  const struct tb_device none = { .nregs = 0 };
  struct tb_device kept = {
    .name = keep (pool, source->name), .type = keep (pool, source->type),
    .file = keep (pool, source->file), .class = TB_CLASS_TRACE_SOURCE,
    .class_name = "trace_source", .location = "", .cluster = "", .found = true,
    .evidence = source->evidence != NULL ? keep (pool, source->evidence) : NULL
  };
  if (kept.name == NULL || kept.type == NULL || kept.file == NULL
      || (source->evidence != NULL && kept.evidence == NULL)
      || !keep_regs (pool, &none, source, &kept.regs, &kept.nregs))
    return false;
  /* The reader has room for it.  */
  struct tb_device *added = &store->devices[snapshot->ndevices++];
  *added = kept;
  streams[snapshot->nstreams++] = (struct tb_trace_stream) {
    .source = added, .core = core, .buffer = buffer
  };
  snapshot->streams = streams;
  return true;
}

void
tb_snapshot_doubt_core (struct tb_snapshot *snapshot, const struct tb_device *core)
{
  snapshot->store->devices[core - snapshot->devices].unsure = true;
}

const struct tb_device *
tb_snapshot_add_core (struct tb_snapshot *snapshot, const char *name, const char *location,
		      const struct tb_device *like)
{
  struct objalloc *pool = snapshot->store->pool;
  struct tb_device kept = *like;
  kept.name = keep (pool, name);
  kept.location = keep (pool, location);
  if (kept.name == NULL || kept.location == NULL)
    return NULL;
  struct tb_device *added = &snapshot->store->devices[snapshot->ndevices++];
  *added = kept;
  return added;
}

bool
tb_snapshot_forget_reg (struct tb_snapshot *snapshot, const struct tb_device *device,
			size_t number)
{
  struct tb_device *own = &snapshot->store->devices[device - snapshot->devices];
  struct tb_device_reg *regs = tb_pool_alloc (snapshot->store->pool, own->nregs * sizeof *regs);
  if (regs == NULL)
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < own->nregs; i++)
    if (i != number)
      regs[kept++] = own->regs[i];
  own->regs = regs;
  own->nregs = kept;
  return true;
}

void
tb_snapshot_set_format (struct tb_snapshot *snapshot,
			const struct tb_trace_buffer *buffer,
			enum tb_buffer_format format)
{
  struct tb_trace_buffer *own = &snapshot->store->buffers[buffer - snapshot->buffers];
  own->format = format;
  own->format_name = tb_format_name (format);
  own->unsettled = false;
}

void
tb_snapshot_leave_buffer (struct tb_snapshot *snapshot, const struct tb_trace_buffer *buffer)
{
  struct tb_trace_buffer *own = &snapshot->store->buffers[buffer - snapshot->buffers];
  own->left = true;
  if (own->unsettled)
    tb_snapshot_set_format (snapshot, own, TB_FORMAT_SOURCE_DATA);
}

/* NAME, with a number if N is not the first; NULL: no memory.  */
static const char *
number_name (struct objalloc *pool, const char *name, size_t n)
{
  char text[80];
  int length = n == 0 ? snprintf (text, sizeof text, "%s", name)
	       : snprintf (text, sizeof text, "%s_%zu", name, n + 1);
  return tb_pool_text (pool, text, (size_t) length);
}

/* Has SNAPSHOT a buffer of this ID or NAME?  */
static bool
has_buffer (const struct tb_snapshot *snapshot, const char *id, const char *name)
{
  bool has = false;
  for (size_t i = 0; i < snapshot->nbuffers && !has; i++)
    has = strcmp (snapshot->buffers[i].id, id) == 0
	  || strcmp (snapshot->buffers[i].name, name) == 0;
  return has;
}

/* Give SNAPSHOT one more buffer, which has nothing yet; NULL: no memory.  */
static struct tb_trace_buffer *
make_buffer (struct tb_snapshot *snapshot)
{
  struct tb_snapshot_store *store = snapshot->store;
  const struct tb_trace_buffer *old = snapshot->buffers;
  const char *id, *name;
  size_t n = 0;
  do
    {
      id = number_name (store->pool, "found", n);
      name = number_name (store->pool, "mtb_ram", n++);
    }
  while (id != NULL && name != NULL && has_buffer (snapshot, id, name));
  struct tb_trace_buffer *buffers
    = id != NULL && name != NULL ? calloc (snapshot->nbuffers + 1, sizeof *buffers) : NULL;
  if (buffers == NULL)
    return NULL;
  if (snapshot->nbuffers > 0)
    memcpy (buffers, old, snapshot->nbuffers * sizeof *buffers);
  /* Streams point to them.  */
  for (size_t i = 0; i < snapshot->nstreams; i++)
    if (store->streams[i].buffer != NULL)
      store->streams[i].buffer = &buffers[store->streams[i].buffer - old];
  free (store->buffers);
  snapshot->buffers = store->buffers = buffers;
  struct tb_trace_buffer *buffer = &buffers[snapshot->nbuffers++];
  buffer->id = id;
  buffer->name = name;
  return buffer;
}

bool
tb_snapshot_add_mtb (struct tb_snapshot *snapshot, const struct tb_device *core,
		     const struct tb_mtb_registers *registers,
		     const struct tb_trace_buffer *buffer,
		     const struct tb_span *packets, size_t npackets, const char *evidence)
{
  struct tb_snapshot_store *store = snapshot->store;
  struct tb_device_reg regs[TB_MTB_NREGS];
  uint8_t bytes[TB_MTB_NREGS][4];
  unsigned nregs = 0;
  for (unsigned i = 0; i < TB_MTB_NREGS; i++)
    {
      for (unsigned k = 0; k < sizeof bytes[i]; k++)
	bytes[i][k] = (uint8_t) (registers->value[i] >> 8 * k);
      if (registers->known >> i & 1)
	regs[nregs++] = (struct tb_device_reg) {
	  .name = names[i], .has_id = true, .id = i, .bits = 32,
	  .value = registers->value[i], .bytes = bytes[i]
	};
    }
  struct tb_trace_buffer *own = NULL;
  if (npackets > 0)
    {
      const struct tb_span *spans
	= tb_pool_copy (store->pool, packets, npackets * sizeof *packets);
      own = buffer != NULL ? &store->buffers[buffer - snapshot->buffers] : make_buffer (snapshot);
      if (spans == NULL || own == NULL)
	return false;
      own->spans = spans;
      own->nspans = npackets;
      own->size = 0;
      for (size_t i = 0; i < npackets; i++)
	own->size += packets[i].size;
      tb_snapshot_set_format (snapshot, own, TB_FORMAT_SOURCE_DATA);
    }
  const char *name = "mtb";
  for (size_t n = 1; name != NULL && tb_snapshot_device (snapshot, name) != NULL; n++)
    name = number_name (store->pool, "mtb", n);
  if (name == NULL)
    return false;
  const struct tb_device source = {
    .name = name, .file = core->file, .type = "MTB", .regs = regs, .nregs = nregs,
    .evidence = evidence
  };
  return tb_snapshot_add_source (snapshot, &source, core, own);
}
