/* Which core, which trace source and which buffer belong together (3.3.3 and
   3.3.4).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/reader.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* An entry of [core_trace_sources] whose source is a device.  */
struct owner
{
  const struct tb_device *source;
  const struct tb_device *core;		/* NULL: not in the device list.  */
  const struct tb_ini_entry *entry;
};

struct owners
{
  struct owner *items;
  size_t count, capacity;
};

/* The device whose name (or location) is PIECE, by its letters, if EXACT, or
   else without regard to case; NULL unless it is one.  */
static const struct tb_device *
match_device (const struct tb_reader *reader, struct tb_slice piece,
	      bool location, bool exact)
{
  const struct tb_device *found = NULL;
  for (size_t i = 0; i < reader->snapshot->ndevices; i++)
    {
      const struct tb_device *device = &reader->store->devices[i];
      const char *text = location ? device->location : device->name;
      if (*text == '\0' || !(exact ? tb_piece_equals (piece, text)
			     : tb_piece_is (piece, text)))
	continue;
      if (found != NULL)
	return NULL;
      found = device;
    }
  return found;
}

const struct tb_device *
tb_refer_device (struct tb_reader *reader, const struct tb_ini_entry *entry,
		 struct tb_slice name)
{
  const struct tb_device *device = match_device (reader, name, false, true);
  if (device != NULL || name.length == 0)
    return device;
  bool location = *name.text == '@';
  struct tb_slice rest = name;
  if (location)
    {
      rest.text++, rest.length--;
      device = match_device (reader, tb_trim (rest), true, true);
      if (device != NULL)
	return device;
    }
  device = match_device (reader, tb_trim (rest), location, false);
  if (device != NULL && tb_once (reader, "case %.*s", (int) name.length,
				 name.text))
    tb_say (reader, TB_WARNING, entry, "expected the %s of a device, found "
	    "\"%.*s\", which is %.80s but for upper and lower case; it is "
	    "taken for it", location ? "location" : "name",
	    (int) (name.length < 80 ? name.length : 80), name.text,
	    device->name);
  return device;
}

/* The device that the value of ENTRY names: whole, or without a comment.  */
static const struct tb_device *
refer_value (struct tb_reader *reader, const struct tb_ini_entry *entry)
{
  struct tb_slice name = { entry->value, strlen (entry->value) };
  const struct tb_device *device = tb_refer_device (reader, entry, name);
  size_t plain = tb_ini_plain (entry->value, true);
  if (device == NULL && plain < name.length)
    {
      name.length = plain;
      device = tb_refer_device (reader, entry, name);
    }
  return device;
}

static void
say_no_source (struct tb_reader *reader, const struct tb_ini_entry *entry,
	       const char *name)
{
  if (tb_once (reader, "device %s", name))
    tb_say (reader, TB_WARNING, entry, "expected a trace source in the device "
	    "list, found \"%.80s\", which is not there; its trace is left out",
	    name);
}

/* Warn if DEVICE, which ENTRY uses, is not of class CLASS, called NAME.  One without
   a class is of it.  */
static void
say_class (struct tb_reader *reader, const struct tb_ini_entry *entry,
	   const struct tb_device *device, const char *name,
	   enum tb_device_class class)
{
  if (device->class != class && *device->class_name == '\0')
    tb_set_class (reader, &reader->store->devices[device
						  - reader->store->devices],
		  class, "it is used as one");
  if (device->class != class && tb_once (reader, "class %s", device->name))
    tb_say (reader, TB_WARNING, entry, "expected a device of class %s, found "
	    "%.80s of class \"%.80s\"", name, device->name,
	    device->class_name);
}

/* Read one entry of [core_trace_sources].  */
static void
read_owner (struct tb_reader *reader, const struct tb_ini_entry *entry,
	    struct owners *owners)
{
  if (!tb_spend (reader, entry))
    return;
  const struct tb_device *source = refer_value (reader, entry);
  struct tb_slice name = { entry->key, strlen (entry->key) };
  const struct tb_device *core = tb_refer_device (reader, entry, name);
  if (source == NULL)
    {
      say_no_source (reader, entry, entry->value);
      return;
    }
  if (source == core || source->class == TB_CLASS_CORE)
    {
      tb_say (reader, TB_ERROR, entry, "expected a trace source, found %.80s, "
	      "which is a core", source->name);
      return;
    }
  if (core != NULL && core->class == TB_CLASS_TRACE_SOURCE)
    {
      tb_say (reader, TB_ERROR, entry, "expected a core, found %.80s, which is "
	      "a trace source", core->name);
      return;
    }
  say_class (reader, entry, source, "trace_source", TB_CLASS_TRACE_SOURCE);
  if (core != NULL)
    say_class (reader, entry, core, "core", TB_CLASS_CORE);
  for (size_t i = 0; i < owners->count; i++)
    if (owners->items[i].source == source)
      {
	struct owner *owner = &owners->items[i];
	if (owner->core == NULL)
	  owner->core = core;
	else if (core != NULL && owner->core != core)
	  tb_say (reader, TB_WARNING, entry, "expected one core for a trace "
		  "source, found %.80s and %.80s for %.80s; the first is "
		  "taken", owner->core->name, core->name, source->name);
	return;
      }
  if (owners->count == TB_MAX_STREAMS)
    {
      tb_say (reader, TB_ERROR, entry, "expected at most %d associations, "
	      "found more", TB_MAX_STREAMS);
      return;
    }
  if (!TB_GROW (owners->items, owners->capacity, owners->count, 1))
    {
      tb_no_memory (reader);
      return;
    }
  owners->items[owners->count++] = (struct owner) { source, core, entry };
}

static const struct tb_device *
owner_of (const struct owners *owners, const struct tb_device *source)
{
  for (size_t i = 0; i < owners->count; i++)
    if (owners->items[i].source == source)
      return owners->items[i].core;
  return NULL;
}

/* Add a stream unless it is there.  BUFFER may be NULL.  */
static void
add_stream (struct tb_reader *reader, const struct tb_trace_stream *stream)
{
  struct tb_snapshot *snapshot = reader->snapshot;
  struct tb_trace_stream *streams = reader->store->streams;
  for (size_t i = 0; i < snapshot->nstreams; i++)
    if (streams[i].source == stream->source
	&& streams[i].buffer == stream->buffer
	&& streams[i].stream == stream->stream
	&& streams[i].named == stream->named)
      return;
  void *items = streams;
  if (snapshot->nstreams == TB_MAX_STREAMS)
    {
      if (tb_once (reader, "streams"))
	tb_say_file (reader, TB_ERROR, snapshot->path, "expected at most %d "
		     "trace streams, found more", TB_MAX_STREAMS);
      return;
    }
  if (!tb_grow (&items, &reader->streams_capacity, snapshot->nstreams, 1,
		sizeof *streams))
    {
      tb_no_memory (reader);
      return;
    }
  reader->store->streams = items;
  reader->store->streams[snapshot->nstreams++] = *stream;
  snapshot->streams = reader->store->streams;
}

static bool
has_stream (const struct tb_reader *reader, const struct tb_device *source)
{
  for (size_t i = 0; i < reader->snapshot->nstreams; i++)
    if (reader->store->streams[i].source == source)
      return true;
  return false;
}

/* The buffer called NAME: by its name, its ID, or its name without regard to
   case.  */
static const struct tb_trace_buffer *
refer_buffer (const struct tb_reader *reader, struct tb_slice name)
{
  const struct tb_trace_buffer *buffers = reader->snapshot->buffers;
  size_t count = reader->snapshot->nbuffers;
  for (size_t i = 0; i < count; i++)
    if (tb_piece_equals (name, buffers[i].name))
      return &buffers[i];
  for (size_t i = 0; i < count; i++)
    if (tb_piece_equals (name, buffers[i].id))
      return &buffers[i];
  for (size_t i = 0; i < count; i++)
    if (tb_piece_is (name, buffers[i].name))
      return &buffers[i];
  return NULL;
}

/* Split KEY, "SOURCE" or "SOURCE(stream:N)", and find the source.  NULL where
   it is not in the device list or, with *GOOD false, after an error.  */
static const struct tb_device *
refer_key (struct tb_reader *reader, const struct tb_ini_entry *entry,
	   unsigned *stream, bool *named, bool *good)
{
  const char *key = entry->key;
  struct tb_slice name = { key, strlen (key) };
  *stream = 0;
  *named = false;
  *good = true;
  const struct tb_device *source = tb_refer_device (reader, entry, name);
  const char *open = strrchr (key, '(');
  if (source != NULL || open == NULL)
    return source;

  struct tb_slice inner = { open + 1, strlen (open + 1) };
  const char *colon = strchr (open, ':');
  uint64_t number = 0;
  bool closed = inner.length > 0 && inner.text[inner.length - 1] == ')';
  if (closed)
    inner.length--;
  struct tb_slice word = inner, value = { "", 0 };
  if (closed && colon != NULL)
    {
      word = tb_trim ((struct tb_slice)
		      { open + 1, (size_t) (colon - open - 1) });
      value = tb_trim ((struct tb_slice)
		       { colon + 1, (size_t) (inner.text + inner.length
					      - colon - 1) });
    }
  if (!closed || !tb_piece_is (word, "stream")
      || !tb_parse_u64 (value.text, value.length, &number) || number > 127)
    {
      tb_say (reader, TB_ERROR, entry, "expected SOURCE or SOURCE(stream:N) "
	      "with N below 128, found \"%.80s\"", key);
      *good = false;
      return NULL;
    }
  *stream = (unsigned) number;
  *named = true;
  name.length = (size_t) (open - key);
  return tb_refer_device (reader, entry, tb_trim (name));
}

/* Read one entry of [source_buffers].  */
static void
read_source (struct tb_reader *reader, const struct tb_ini_entry *entry,
	     const struct owners *owners)
{
  bool good;
  struct tb_trace_stream stream = { 0 };
  if (!tb_spend (reader, entry))
    return;
  stream.source = refer_key (reader, entry, &stream.stream, &stream.named,
			     &good);
  if (!good)
    return;
  if (stream.source == NULL)
    {
      say_no_source (reader, entry, entry->key);
      return;
    }
  if (*stream.source->class_name == '\0')
    say_class (reader, entry, stream.source, "trace_source",
	       TB_CLASS_TRACE_SOURCE);
  stream.core = owner_of (owners, stream.source);
  struct tb_slice rest = { entry->value,
			   tb_ini_plain (entry->value, false) };
  struct tb_slice item;
  bool any = false;
  while (tb_next_item (&rest, &item))
    {
      if (item.length == 0)
	continue;
      if (!tb_spend (reader, entry))
	return;
      any = true;
      stream.buffer = refer_buffer (reader, item);
      if (stream.buffer != NULL)
	add_stream (reader, &stream);
      else if (reader->lost_buffers == 0)
	tb_say (reader, TB_WARNING, entry, "expected the names of trace "
		"buffers, found \"%.*s\", which is none of them",
		(int) (item.length < 80 ? item.length : 80), item.text);
    }
  if (!any)
    tb_say (reader, TB_WARNING, entry, "expected the names of trace buffers, "
	    "found nothing; %.80s has no trace", stream.source->name);
}

/* A source's name alone stands for the streams that are not named.  Beside
   "SOURCE(stream:0)" it is not the instructions.  */
static void
number_streams (struct tb_reader *reader)
{
  struct tb_trace_stream *streams = reader->store->streams;
  size_t count = reader->snapshot->nstreams;
  bool any = false;
  for (size_t i = 0; i < count; i++)
    any |= streams[i].named;
  for (size_t i = 0; any && i < count; i++)
    for (size_t j = 0; !streams[i].named && j < count; j++)
      if (streams[j].named && streams[j].source == streams[i].source
	  && streams[j].stream == streams[i].stream)
	{
	  streams[i].stream++;
	  j = (size_t) -1;
	}
}

/* Without [source_buffers] all sources use the one buffer.  */
static void
default_sources (struct tb_reader *reader, const struct tb_ini *ini,
		 const struct owners *owners)
{
  const struct tb_snapshot *snapshot = reader->snapshot;
  bool any = owners->count > 0;
  for (size_t i = 0; i < snapshot->ndevices; i++)
    any |= snapshot->devices[i].class == TB_CLASS_TRACE_SOURCE;
  if (!any)
    return;			/* They are to be worked out.  */
  if (snapshot->nbuffers + reader->lost_buffers > 1)
    {
      tb_say_file (reader, TB_ERROR, ini->path, "expected a section "
		   "[source_buffers], because there are %zu trace buffers; "
		   "found none", snapshot->nbuffers + reader->lost_buffers);
      return;
    }
  if (snapshot->nbuffers == 0)
    return;
  struct tb_trace_stream stream = { .buffer = &snapshot->buffers[0] };
  for (size_t i = 0; i < owners->count; i++)
    {
      stream.source = owners->items[i].source;
      stream.core = owners->items[i].core;
      add_stream (reader, &stream);
    }
  stream.core = NULL;
  for (size_t i = 0; i < snapshot->ndevices; i++)
    {
      stream.source = &reader->store->devices[i];
      if (stream.source->class == TB_CLASS_TRACE_SOURCE
	  && !has_stream (reader, stream.source))
	add_stream (reader, &stream);
    }
}

/* A buffer with one source's bytes cannot have two sources, nor two streams of
   one.  */
static void
check_unformatted (struct tb_reader *reader)
{
  const struct tb_snapshot *snapshot = reader->snapshot;
  for (size_t i = 0; i < snapshot->nbuffers; i++)
    {
      const struct tb_trace_stream *first = NULL;
      const struct tb_trace_buffer *buffer = &snapshot->buffers[i];
      if (buffer->format != TB_FORMAT_SOURCE_DATA)
	continue;
      for (size_t j = 0; j < snapshot->nstreams; j++)
	if (snapshot->streams[j].buffer != buffer)
	  continue;
	else if (first == NULL)
	  first = &snapshot->streams[j];
	else if (first->source == snapshot->streams[j].source)
	  {
	    if (first->stream == snapshot->streams[j].stream)
	      continue;
	    tb_say_file (reader, TB_WARNING, snapshot->path, "expected one "
			 "stream in the buffer %.80s, whose format is "
			 "source_data, found streams %u and %u of %.80s",
			 buffer->name, first->stream,
			 snapshot->streams[j].stream, first->source->name);
	    break;
	  }
	else
	  {
	    tb_say_file (reader, TB_WARNING, snapshot->path, "expected one "
			 "source for the buffer %.80s, whose format is "
			 "source_data, found %.80s and %.80s", buffer->name,
			 first->source->name,
			 snapshot->streams[j].source->name);
	    break;
	  }
    }
}

/* Without associations the one trace source is the one core's.  */
static void
default_owner (struct tb_reader *reader, struct owners *owners)
{
  const struct tb_device *core = NULL, *source = NULL;
  size_t cores = 0, sources = 0;
  for (size_t i = 0; i < reader->snapshot->ndevices; i++)
    {
      const struct tb_device *device = &reader->store->devices[i];
      if (device->class == TB_CLASS_CORE)
	cores++, core = device;
      else if (device->class == TB_CLASS_TRACE_SOURCE)
	sources++, source = device;
    }
  if (cores != 1 || sources != 1)
    return;
  owners->items = malloc (sizeof *owners->items);
  if (owners->items == NULL)
    {
      tb_no_memory (reader);
      return;
    }
  owners->items[owners->count++] = (struct owner) { source, core, NULL };
  owners->capacity = 1;
  tb_say_file (reader, TB_NOTE, reader->snapshot->path, "nothing says which core "
	       "%.80s traces; it is taken to be the only one, %.80s",
	       source->name, core->name);
}

void
tb_read_streams (struct tb_reader *reader, const struct tb_ini *ini)
{
  struct owners owners = { 0 };
  bool has_sources = false;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "core_trace_sources"))
      for (size_t j = 0; j < ini->sections[i].count; j++)
	read_owner (reader, &ini->entries[ini->sections[i].first + j],
		    &owners);
  if (owners.count == 0)
    default_owner (reader, &owners);
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "source_buffers"))
      {
	has_sources = true;
	for (size_t j = 0; j < ini->sections[i].count; j++)
	  read_source (reader, &ini->entries[ini->sections[i].first + j],
		       &owners);
      }
  number_streams (reader);
  if (!has_sources)
    default_sources (reader, ini, &owners);

  for (size_t i = 0; i < owners.count; i++)
    {
      const struct owner *owner = &owners.items[i];
      struct tb_trace_stream stream = { .source = owner->source,
					.core = owner->core };
      bool has = has_stream (reader, owner->source);
      if (has && owner->core == NULL
	  && tb_once (reader, "device %s", owner->entry->key))
	tb_say (reader, TB_WARNING, owner->entry, "expected a core in the "
		"device list, found \"%.80s\", which is not there; there is no "
		"code for the trace of %.80s", owner->entry->key,
		owner->source->name);
      else if (!has && owner->core != NULL)
	add_stream (reader, &stream);
    }
  check_unformatted (reader);
  free (owners.items);
}
