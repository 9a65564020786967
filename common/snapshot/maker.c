/* Snapshots that no folder has.  See maker.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/maker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/maker-parts.h"
#include "util/buffer.h"
#include "util/number.h"

static bool
is_well (const struct tb_maker *maker)
{
  return maker->reader.status == TB_OK;
}

/* Room for EXTRA more than COUNT elements.  False: no memory, said.  */
static bool
grow_by (struct tb_maker *maker, void **items, size_t *capacity, size_t count, size_t extra,
	 size_t size)
{
  if (!is_well (maker))
    return false;
  if (tb_grow (items, capacity, count, extra, size))
    return true;
  tb_no_memory (&maker->reader);
  return false;
}

/* The same for one more.  */
static bool
grow (struct tb_maker *maker, void **items, size_t *capacity, size_t count, size_t size)
{
  return grow_by (maker, items, capacity, count, 1, size);
}

/* A copy of TEXT.  NULL: no memory, said.  */
static const char *
keep (struct tb_maker *maker, const char *text)
{
  const char *kept = maker->reader.store == NULL ? NULL
		     : tb_pool_text (maker->reader.store->pool, text, strlen (text));
  if (kept == NULL && is_well (maker))
    tb_no_memory (&maker->reader);
  return kept;
}

void
tb_maker_init (struct tb_maker *maker, struct tb_snapshot *snapshot, const char *path,
	       struct tb_diag *diag)
{
  *maker = (struct tb_maker) { .reader = { .snapshot = snapshot, .diag = diag } };
  *snapshot = (struct tb_snapshot) { .version = "1.0", .description = "" };
  snapshot->store = maker->reader.store = tb_snapshot_store_new ();
  if (snapshot->store == NULL)
    tb_no_memory (&maker->reader);
  snapshot->path = keep (maker, path);
  const char *slash = strrchr (path, '/');
  snapshot->directory = ".";
  if (slash != NULL && is_well (maker))
    {
      size_t length = slash == path ? 1 : (size_t) (slash - path);
      snapshot->directory = tb_pool_text (snapshot->store->pool, path, length);
      if (snapshot->directory == NULL)
	tb_no_memory (&maker->reader);
    }
}

const struct tb_file *
tb_maker_file (struct tb_maker *maker, const char *path)
{
  return is_well (maker) ? tb_map_path (&maker->reader, path) : NULL;
}

/* Which device or buffer of MAKER has this NAME: its count of copies.  NULL: none.  */
static unsigned *
taken_by (struct tb_maker *maker, const char *name)
{
  for (size_t i = 0; i < maker->ndevices; i++)
    if (strcmp (maker->devices[i].device.name, name) == 0)
      return &maker->devices[i].copies;
  for (size_t i = 0; i < maker->nbuffers; i++)
    if (strcmp (maker->buffers[i].buffer.name, name) == 0)
      return &maker->buffers[i].copies;
  return NULL;
}

void
tb_maker_put_name (struct tb_buffer *text, const char *name)
{
  for (const char *p = name; *p != '\0'; p++)
    {
      bool blank = *p == ' ' && p != name && p[1] != '\0';
      bool plain = (unsigned char) *p > ' ' && *p != 0x7f
		   && strchr ("=,;#[]()", *p) == NULL;
      tb_buffer_append (text, plain || blank ? p : "_", 1);
    }
  tb_buffer_append (text, "", 1);
}

/* A name like WANTED, with a number behind it if it is taken.  NULL: no memory, said.  */
static const char *
free_name (struct tb_maker *maker, const char *wanted)
{
  struct tb_buffer plain = { 0 }, text = { 0 };
  tb_maker_put_name (&plain, wanted);
  if (plain.failed)
    {
      tb_buffer_fini (&plain);
      tb_no_memory (&maker->reader);
      return NULL;
    }
  const char *name = (const char *) plain.data;
  unsigned *copies = taken_by (maker, name);
  if (copies == NULL)
    {
      const char *kept = keep (maker, name);
      tb_buffer_fini (&plain);
      return kept;
    }
  do
    {
      text.size = 0;
      tb_buffer_printf (&text, "%s_%u", name, ++*copies + 1);
      tb_buffer_append (&text, "", 1);
    }
  while (!text.failed && taken_by (maker, (const char *) text.data) != NULL);
  const char *kept = text.failed ? NULL : keep (maker, (const char *) text.data);
  if (text.failed)
    tb_no_memory (&maker->reader);
  tb_buffer_fini (&text);
  tb_buffer_fini (&plain);
  return kept;
}

size_t
tb_maker_device (struct tb_maker *maker, enum tb_device_class class, const char *name,
		 const char *type, const char *file)
{
  void *items = maker->devices;
  if (maker->ndevices == TB_MAX_DEVICES && is_well (maker))
    {
      tb_error (maker->reader.diag, "%s: expected at most %d devices, found more", file,
		TB_MAX_DEVICES);
      maker->reader.status = TB_ERR_INPUT;
    }
  if (!grow (maker, &items, &maker->devices_capacity, maker->ndevices,
	     sizeof *maker->devices))
    return TB_MADE_NONE;
  maker->devices = items;
  struct tb_device device = {
    .name = free_name (maker, name), .type = keep (maker, type),
    .file = keep (maker, file), .class = class,
    .class_name = class == TB_CLASS_CORE ? "core" : "trace_source", .location = "",
    .cluster = ""
  };
  if (!is_well (maker))
    return TB_MADE_NONE;
  maker->devices[maker->ndevices] = (struct tb_made_device) {
    .device = device, .same_dumps = TB_MADE_NONE
  };
  return maker->ndevices++;
}

bool
tb_maker_is_core (const struct tb_maker *maker, size_t device)
{
  return maker->devices[device].device.class == TB_CLASS_CORE;
}

void
tb_maker_unsettled (struct tb_maker *maker, size_t device)
{
  if (is_well (maker))
    maker->devices[device].device.unsettled = true;
}

void
tb_maker_mapped (struct tb_maker *maker, size_t device, uint64_t offset)
{
  struct tb_made_device *made = &maker->devices[device];
  if (!is_well (maker) || made->device.ndumps == 0)
    return;
  made->dumps[made->device.ndumps - 1].mapped = true;
  made->dumps[made->device.ndumps - 1].offset = offset;
}

void
tb_maker_late (struct tb_maker *maker, size_t device)
{
  if (is_well (maker))
    maker->devices[device].device.late = true;
}

void
tb_maker_reg_bytes (struct tb_maker *maker, size_t device, const char *name, int64_t id,
		    unsigned bits, const uint8_t *bytes)
{
  if (!is_well (maker))
    return;
  struct tb_made_device *made = &maker->devices[device];
  size_t size = (bits + 7) / 8;
  struct tb_device_reg reg = {
    .name = keep (maker, name), .has_id = id >= 0, .id = id >= 0 ? (uint32_t) id : 0,
    .bits = bits, .value = tb_number (bytes, size < 8 ? size : 8),
    .bytes = tb_pool_copy (maker->reader.store->pool, bytes, size)
  };
  if (reg.bytes == NULL && is_well (maker))
    tb_no_memory (&maker->reader);
  for (size_t i = 0; i < made->device.nregs && is_well (maker); i++)
    if (tb_same_nocase (made->regs[i].name, name))
      {
	made->regs[i] = reg;
	return;
      }
  void *items = made->regs;
  if (!grow (maker, &items, &made->regs_capacity, made->device.nregs, sizeof reg))
    return;
  made->regs = items;
  made->regs[made->device.nregs++] = reg;
}

void
tb_maker_reg (struct tb_maker *maker, size_t device, const char *name, int64_t id,
	      unsigned bits, uint64_t value)
{
  uint8_t bytes[8];
  for (unsigned i = 0; i < 8; i++)
    bytes[i] = (uint8_t) (value >> 8 * i);
  tb_maker_reg_bytes (maker, device, name, id, bits, bytes);
}

void
tb_maker_memory (struct tb_maker *maker, size_t device, const char *path,
		 const uint8_t *data, uint64_t length, enum tb_space space,
		 uint64_t address)
{
  if (!is_well (maker) || length == 0)
    return;
  struct tb_reader *reader = &maker->reader;
  struct tb_made_device *made = &maker->devices[device];
  if (length - 1 > UINT64_MAX - address || ++reader->dumps > TB_MAX_MADE_DUMPS)
    {
      tb_error (reader->diag, "%s: expected %" PRIu64 " bytes at %#" PRIx64 " inside of the "
		"address space, and at most %d such, found more", path, length, address,
		TB_MAX_MADE_DUMPS);
      reader->status = TB_ERR_INPUT;
      return;
    }
  char section[32];
  snprintf (section, sizeof section, "dump%zu", made->device.ndumps);
  const char *kept = keep (maker, path);
  struct tb_dump dump = {
    .section = keep (maker, section), .name = kept, .path = kept, .space = space,
    .address = address, .data = data, .length = length
  };
  void *items = made->dumps;
  if (!grow (maker, &items, &made->dumps_capacity, made->device.ndumps, sizeof dump))
    return;
  made->dumps = items;
  made->dumps[made->device.ndumps++] = dump;
}

void
tb_maker_dump (struct tb_maker *maker, size_t device, const struct tb_file *file,
	       uint64_t offset, uint64_t length, enum tb_space space, uint64_t address)
{
  if (is_well (maker) && length > 0)
    tb_maker_memory (maker, device, file->path, file->map.data + offset, length, space,
		     address);
}

size_t
tb_maker_buffer (struct tb_maker *maker, const char *name, enum tb_buffer_format format)
{
  void *items = maker->buffers;
  if (maker->nbuffers == TB_MAX_BUFFERS && is_well (maker))
    {
      tb_error (maker->reader.diag, "%s: expected at most %d trace buffers, found more",
		maker->reader.snapshot->path, TB_MAX_BUFFERS);
      maker->reader.status = TB_ERR_INPUT;
    }
  if (!grow (maker, &items, &maker->buffers_capacity, maker->nbuffers,
	     sizeof *maker->buffers))
    return TB_MADE_NONE;
  maker->buffers = items;
  struct tb_trace_buffer buffer = {
    .id = free_name (maker, name), .format = format,
    .format_name = tb_format_name (format), .unsettled = format == TB_FORMAT_OTHER
  };
  buffer.name = buffer.id;
  if (!is_well (maker))
    return TB_MADE_NONE;
  maker->buffers[maker->nbuffers] = (struct tb_made_buffer) { .buffer = buffer };
  return maker->nbuffers++;
}

/* The next span of MADE is fresh.  */
static bool
note_fresh (struct tb_maker *maker, struct tb_made_buffer *made)
{
  size_t before = made->fresh_capacity, number = made->buffer.nspans;
  void *items = made->fresh;
  if (number >= before
      && !grow_by (maker, &items, &made->fresh_capacity, before, number + 1 - before,
		   sizeof *made->fresh))
    return false;
  made->fresh = items;
  memset (made->fresh + before, 0, made->fresh_capacity - before);
  made->fresh[number] = true;
  return true;
}

void
tb_maker_span (struct tb_maker *maker, size_t buffer, const uint8_t *data,
	       uint64_t length)
{
  if (!is_well (maker) || length == 0)
    return;
  struct tb_made_buffer *made = &maker->buffers[buffer];
  void *items = made->spans;
  if (!grow (maker, &items, &made->spans_capacity, made->buffer.nspans,
	     sizeof *made->spans))
    return;
  made->spans = items;
  if (made->next_is_fresh && !note_fresh (maker, made))
    return;
  made->next_is_fresh = false;
  /* A break may have taken the last ones away.  */
  if (made->nwritten > made->buffer.nspans)
    made->nwritten = made->buffer.nspans;
  made->spans[made->buffer.nspans++]
    = (struct tb_span) { .data = data, .size = (size_t) length };
  made->buffer.size += length;
}

void
tb_maker_written (struct tb_maker *maker, size_t buffer, size_t first, uint64_t after,
		  uint64_t before)
{
  if (!is_well (maker))
    return;
  struct tb_made_buffer *made = &maker->buffers[buffer];
  while (made->nwritten < made->buffer.nspans)
    {
      void *items = made->written;
      bool known = made->nwritten >= first;
      if (!grow (maker, &items, &made->written_capacity, made->nwritten, sizeof *made->written))
	return;
      made->written = items;
      made->written[made->nwritten++] = (struct tb_written) {
	.after = known ? after : 0, .before = known ? before : 0
      };
    }
}

size_t
tb_maker_spans (const struct tb_maker *maker, size_t buffer)
{
  return is_well (maker) ? maker->buffers[buffer].buffer.nspans : 0;
}

void
tb_maker_break (struct tb_maker *maker, size_t buffer)
{
  /* As Linux writes it.  */
  static const uint8_t syncs[] = {
    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f
  };
  if (!is_well (maker))
    return;
  struct tb_made_buffer *made = &maker->buffers[buffer];
  if (!tb_buffer_is_framed (&made->buffer))
    {
      made->next_is_fresh = true;
      return;
    }
  /* What is left of a frame has no last byte, without which its bytes are not known.  */
  for (size_t rest = made->buffer.size % sizeof syncs; rest > 0;)
    {
      struct tb_span *last = &made->spans[made->buffer.nspans - 1];
      size_t part = rest < last->size ? rest : last->size;
      last->size -= part;
      made->buffer.size -= part;
      made->buffer.nspans -= last->size == 0;
      rest -= part;
    }
  tb_maker_span (maker, buffer, syncs, sizeof syncs);
}

void
tb_maker_join (struct tb_maker *maker, size_t buffer)
{
  if (is_well (maker))
    maker->buffers[buffer].buffer.joined = true;
}

void
tb_maker_share (struct tb_maker *maker, size_t buffer)
{
  if (is_well (maker))
    maker->buffers[buffer].buffer.shared = true;
}

void
tb_maker_context (struct tb_maker *maker, const struct tb_context *context)
{
  void *items = maker->contexts;
  if (!grow (maker, &items, &maker->contexts_capacity, maker->ncontexts, sizeof *context))
    return;
  maker->contexts = items;
  maker->contexts[maker->ncontexts++] = *context;
}

void
tb_maker_thread (struct tb_maker *maker, const struct tb_thread *thread)
{
  void *items = maker->threads;
  struct tb_thread kept = *thread;
  kept.name = keep (maker, thread->name);
  if (!grow (maker, &items, &maker->threads_capacity, maker->nthreads, sizeof kept))
    return;
  maker->threads = items;
  maker->threads[maker->nthreads++] = kept;
}

void
tb_maker_stay (struct tb_maker *maker, const struct tb_stay *stay)
{
  void *items = maker->stays;
  if (!grow (maker, &items, &maker->stays_capacity, maker->nstays, sizeof *stay))
    return;
  maker->stays = items;
  maker->stays[maker->nstays++] = *stay;
}

void
tb_maker_same_dumps (struct tb_maker *maker, size_t device, size_t other)
{
  if (is_well (maker))
    maker->devices[device].same_dumps = other;
}

void
tb_maker_space (struct tb_maker *maker, enum tb_space space)
{
  if (is_well (maker))
    maker->streams[maker->nstreams - 1].space = space;
}

void
tb_maker_sink (struct tb_maker *maker, uint64_t sink)
{
  if (is_well (maker))
    maker->streams[maker->nstreams - 1].sink = sink;
}

void
tb_maker_stream (struct tb_maker *maker, size_t source, size_t core, size_t buffer)
{
  void *items = maker->streams;
  if (maker->nstreams == TB_MAX_STREAMS && is_well (maker))
    {
      tb_error (maker->reader.diag, "%s: expected at most %d trace streams, found more",
		maker->reader.snapshot->path, TB_MAX_STREAMS);
      maker->reader.status = TB_ERR_INPUT;
    }
  if (!grow (maker, &items, &maker->streams_capacity, maker->nstreams,
	     sizeof *maker->streams))
    return;
  maker->streams = items;
  maker->streams[maker->nstreams++]
    = (struct tb_made_stream) { .source = source, .core = core, .buffer = buffer };
}
