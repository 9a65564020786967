/* The trace metadata file of a snapshot (3.3): the trace buffers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* BREAKS is a key of this project's own (snapshot.h): other readers pass it over.  */
enum { NAME, FILES, FORMAT, BREAKS, NFIELDS };

/* A section that DS-5 writes, with the frequency of the timestamps.  */
#define TIMESTAMP "timestamp"

/* A buffer while it is read.  */
struct read_buffer
{
  struct tb_trace_buffer buffer;
  const struct tb_ini_entry *files;	/* Its key "file" ...  */
  struct tb_slice missing;	/* ... and what of it does not exist.  */
};

/* Names that cannot be those of buffers (3.3.1).  */
static const char *const sections[] = {
  "trace_buffers", "core_trace_sources", "source_buffers"
};

static bool
is_fixed_section (struct tb_slice name)
{
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
    if (tb_piece_is (name, sections[i]))
      return true;
  return false;
}

/* The first of a format is the one that is written.  */
static const struct { const char *name; enum tb_buffer_format format; } formats[] = {
  { "coresight", TB_FORMAT_CORESIGHT }, { "source_data", TB_FORMAT_SOURCE_DATA },
  { "dstream_coresight", TB_FORMAT_DSTREAM }, { "tpiu", TB_FORMAT_TPIU },
  { "coresight_tpiu", TB_FORMAT_TPIU }, { "tpiu_coresight", TB_FORMAT_TPIU }
};

enum tb_buffer_format
tb_format_find (const char *name)
{
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (tb_same_nocase (name, formats[i].name))
      return formats[i].format;
  return TB_FORMAT_OTHER;
}

const char *
tb_format_name (enum tb_buffer_format format)
{
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (formats[i].format == format)
      return formats[i].name;
  return "";
}

/* Set the format of BUFFER from FIELD.  */
static bool
read_format (struct tb_reader *reader, const struct tb_field *field,
	     struct tb_trace_buffer *buffer)
{
  buffer->format_name = tb_field_text (reader, field, true);
  if (buffer->format_name == NULL)
    return false;
  buffer->format = tb_format_find (buffer->format_name);
  if (buffer->format == TB_FORMAT_OTHER)
    tb_say (reader, TB_WARNING, field->entry, "expected coresight, source_data, "
	    "dstream_coresight or tpiu, found \"%.80s\"; the buffer cannot be "
	    "decoded", field->entry->value);
  return true;
}

/* Map the files that FIELD lists and make them the spans of BUFFER.  */
static bool
read_files (struct tb_reader *reader, const struct tb_field *field,
	    struct read_buffer *read)
{
  const char *list = field->entry->value;
  struct tb_slice rest = { list, strlen (list) }, item;
  struct tb_span *spans = NULL;
  size_t count = 0, capacity = 0;
  bool good = true, any = false;
  read->files = field->entry;
  while (good && tb_next_item (&rest, &item))
    {
      /* The comment, if any, belongs to the last of the names.  */
      struct tb_file *file;
      any = true;
      enum tb_found found = tb_find_file (reader, field->entry, item, &file);
      if (found == TB_FOUND_BAD)
	good = false;
      else if (found == TB_FOUND_NOT)
	{
	  if (read->missing.length == 0)
	    read->missing = item;
	}
      else if (file->map.size > UINT64_MAX - read->buffer.size)
	{
	  tb_say (reader, TB_ERROR, field->entry, "expected files of less than "
		  "2^64 bytes together");
	  good = false;
	}
      else if (file->map.size > 0)
	{
	  if (!TB_GROW (spans, capacity, count, 1))
	    {
	      tb_no_memory (reader);
	      good = false;
	      break;
	    }
	  spans[count++] = (struct tb_span) { file->map.data, file->map.size };
	  read->buffer.size += file->map.size;
	}
    }
  if (!any)
    {
      tb_say (reader, TB_ERROR, field->entry, "expected the path of a file, "
	      "found nothing");
      good = false;
    }
  read->buffer.spans = tb_keep_array (reader, spans, count, sizeof *spans);
  read->buffer.nspans = read->buffer.spans != NULL ? count : 0;
  return good;
}

/* Put the offset that the next item of *REST is into *AT; it is to be above ABOVE.  */
static bool
next_break (struct tb_reader *reader, const struct tb_field *field, struct tb_slice *rest,
	    uint64_t above, uint64_t size, uint64_t *at)
{
  struct tb_slice item;
  if (!tb_next_item (rest, &item))
    return false;
  if (tb_parse_u64 (item.text, item.length, at) && *at > above && *at < size)
    return true;
  tb_say (reader, TB_ERROR, field->entry, "expected offsets in the buffer, of %" PRIu64
	  " bytes, each above the one before and 0, found \"%.*s\"", size,
	  (int) (item.length < 80 ? item.length : 80), item.text);
  return false;
}

/* Divide the spans of BUFFER where FIELD says that it begins anew.  */
static bool
read_breaks (struct tb_reader *reader, const struct tb_field *field,
	     struct tb_trace_buffer *buffer)
{
  struct tb_slice rest = tb_field_word (field);
  size_t most = buffer->nspans + 1, count = 0;
  if (tb_buffer_is_framed (buffer))
    {
      tb_say (reader, TB_ERROR, field->entry, "expected breaks in a buffer of source_data, found "
	      "them in one of frames, whose own bytes show them");
      return false;
    }
  for (size_t i = 0; i < rest.length; i++)
    most += rest.text[i] == ',';
  struct tb_span *spans = tb_pool_alloc (reader->store->pool, most * sizeof *spans);
  bool *fresh = tb_pool_alloc (reader->store->pool, most * sizeof *fresh);
  if (spans == NULL || fresh == NULL)
    {
      tb_no_memory (reader);
      return false;
    }
  uint64_t at = 0, from = 0;
  bool more = next_break (reader, field, &rest, 0, buffer->size, &at), begins = false;
  for (size_t i = 0; i < buffer->nspans; i++)
    for (size_t done = 0; done < buffer->spans[i].size;)
      {
	size_t part = buffer->spans[i].size - done;
	if (more && at - from < part)
	  part = (size_t) (at - from);
	fresh[count] = begins;
	spans[count++] = (struct tb_span) { buffer->spans[i].data + done, part };
	done += part;
	from += part;
	begins = more && from == at;
	if (begins)
	  more = next_break (reader, field, &rest, at, buffer->size, &at);
      }
  buffer->spans = spans;
  buffer->fresh = fresh;
  buffer->nspans = count;
  return reader->status == TB_OK;
}

/* Read the buffer ID, listed in ENTRY.  */
static bool
read_buffer (struct tb_reader *reader, struct tb_ini *ini,
	     const struct tb_ini_entry *entry, const char *id,
	     struct read_buffer *read)
{
  struct tb_field fields[NFIELDS] = {
    [NAME] = { "name", NULL }, [FILES] = { "file", NULL },
    [FORMAT] = { "format", NULL }, [BREAKS] = { "breaks", NULL }
  };
  *read = (struct read_buffer) { .buffer.id = id };
  const struct tb_ini_section *section = NULL;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, id))
      {
	section = &ini->sections[i];
	ini->sections[i].used = true;
	tb_take_fields (reader, section, fields, NFIELDS, "a trace buffer");
      }
  if (section == NULL)
    {
      tb_say (reader, TB_ERROR, entry, "expected a section [%.80s] for this "
	      "buffer, found none", id);
      return false;
    }
  for (int i = FILES; i <= FORMAT; i++)
    if (fields[i].entry == NULL)
      {
	tb_say_section (reader, TB_ERROR, section, "expected the key %s, found "
			"none", fields[i].key);
	return false;
      }
  read->buffer.line = section->line;
  read->buffer.name = tb_field_text (reader, &fields[NAME], false);
  if (read->buffer.name == NULL)
    return false;
  if (*read->buffer.name == '\0')
    {
      tb_say_section (reader, TB_WARNING, section, "expected the key name, "
		      "found none; the buffer is called %.80s", id);
      read->buffer.name = id;
    }
  return read_format (reader, &fields[FORMAT], &read->buffer)
	 && read_files (reader, &fields[FILES], read)
	 && (fields[BREAKS].entry == NULL || read->missing.length > 0
	     || read_breaks (reader, &fields[BREAKS], &read->buffer));
}

/* Whether the buffer ID is among the COUNT BUFFERS.  */
static bool
is_listed (const struct read_buffer *buffers, size_t count, struct tb_slice id)
{
  for (size_t i = 0; i < count; i++)
    if (tb_piece_equals (id, buffers[i].buffer.id))
      return true;
  return false;
}

/* Check ITEM of the list of buffers in ENTRY and read the buffer.  */
static void
take_buffer (struct tb_reader *reader, struct tb_ini *ini,
	     const struct tb_ini_entry *entry, struct tb_slice item,
	     struct read_buffer *buffers, size_t *count)
{
  if (item.length == 0)
    return;
  if (is_fixed_section (item))
    {
      tb_say (reader, TB_ERROR, entry, "expected the IDs of buffers, found "
	      "\"%.*s\", which is another section", (int) item.length,
	      item.text);
      return;
    }
  if (is_listed (buffers, *count, item))
    {
      tb_say (reader, TB_WARNING, entry, "expected each buffer once, found "
	      "\"%.*s\" again", (int) (item.length < 80 ? item.length : 80),
	      item.text);
      return;
    }
  char *id = tb_pool_text (reader->store->pool, item.text, item.length);
  struct read_buffer *read = &buffers[*count];
  if (id == NULL)
    {
      tb_no_memory (reader);
      return;
    }
  if (!read_buffer (reader, ini, entry, id, read))
    return;
  for (size_t i = 0; i < *count; i++)
    if (strcmp (buffers[i].buffer.name, read->buffer.name) == 0)
      {
	tb_say (reader, TB_ERROR, read->files, "expected buffers of different "
		"names, found \"%.80s\" for %.80s and %.80s",
		read->buffer.name, buffers[i].buffer.id, id);
	return;
      }
  ++*count;
}

/* Keep the COUNT buffers whose files exist.  That some lack theirs is an error
   if no other is left: nothing could be decoded then.  */
static void
keep_buffers (struct tb_reader *reader, const struct read_buffer *buffers,
	      size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    kept += buffers[i].missing.length == 0;
  struct tb_trace_buffer *all = NULL;
  if (kept > 0)
    {
      all = calloc (kept, sizeof *all);
      if (all == NULL)
	tb_no_memory (reader);
    }
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (buffers[i].missing.length > 0)
      {
	struct tb_slice missing = buffers[i].missing;
	reader->lost_buffers++;
	if (kept == 0 && reader->status == TB_OK)
	  reader->status = TB_ERR_IO;
	tb_say (reader, kept > 0 ? TB_WARNING : TB_ERROR, buffers[i].files,
		"expected the file of a trace buffer, found no file \"%.*s\"%s",
		(int) missing.length, missing.text,
		kept > 0 ? "; the buffer is left out" : "");
      }
    else if (all != NULL)
      all[used++] = buffers[i].buffer;
  reader->store->buffers = all;
  reader->snapshot->buffers = all;
  reader->snapshot->nbuffers = used;
}

/* Say which sections of INI mean nothing.  */
static void
check_sections (struct tb_reader *reader, const struct tb_ini *ini)
{
  for (size_t i = 0; i < ini->nsections; i++)
    {
      const struct tb_ini_section *section = &ini->sections[i];
      struct tb_slice name = { section->name, strlen (section->name) };
      if (section->used || is_fixed_section (name))
	continue;
      if (!tb_piece_is (name, TIMESTAMP))
	tb_unknown_section (reader, section);
    }
}

/* Read [timestamp] of INI.  As the format does not have it, what is wrong there is
   left out.  */
static void
read_timestamp (struct tb_reader *reader, const struct tb_ini *ini)
{
  struct tb_field field = { "frequency", NULL };
  const struct tb_ini_section *section = NULL;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, TIMESTAMP)
	&& !ini->sections[i].used)
      {
	section = &ini->sections[i];
	tb_take_fields (reader, section, &field, 1, "[timestamp]");
      }
  if (section == NULL)
    return;
  uint64_t frequency = 0;
  struct tb_slice word = tb_field_word (&field);
  if (field.entry == NULL)
    tb_say_section (reader, TB_WARNING, section, "expected the key frequency, "
		    "found none; how fast timestamps count is not known");
  else if (!tb_parse_u64 (word.text, word.length, &frequency)
	   || frequency == 0)
    tb_say (reader, TB_WARNING, field.entry, "expected a number of timestamps a "
	    "second, not 0, found \"%.80s\"; how fast they count is not known",
	    field.entry->value);
  reader->snapshot->timestamp_frequency = frequency;
}

/* Read the buffers that [trace_buffers] of INI lists.  */
static void
read_buffers (struct tb_reader *reader, struct tb_ini *ini)
{
  struct tb_field list = { "buffers", NULL };
  const struct tb_ini_section *section = NULL;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "trace_buffers"))
      {
	section = &ini->sections[i];
	tb_take_fields (reader, section, &list, 1, "[trace_buffers]");
      }
  if (section == NULL)
    {
      /* An MTB traces into the core's RAM, so that its trace is in a dump.  */
      tb_say_file (reader, TB_NOTE, ini->path, "there is no section "
		   "[trace_buffers]: trace can only be in memory dumps");
      return;
    }
  if (list.entry == NULL)
    {
      tb_say_section (reader, TB_ERROR, section, "expected the key buffers, "
		      "found none");
      return;
    }
  struct tb_slice rest = tb_field_word (&list), item;
  size_t listed = 1;
  for (size_t i = 0; i < rest.length; i++)
    listed += rest.text[i] == ',';
  if (listed > TB_MAX_BUFFERS)
    {
      tb_say (reader, TB_ERROR, list.entry, "expected at most %d buffers, "
	      "found %zu", TB_MAX_BUFFERS, listed);
      return;
    }
  struct read_buffer *buffers = calloc (listed, sizeof *buffers);
  if (buffers == NULL)
    {
      tb_no_memory (reader);
      return;
    }
  size_t count = 0;
  while (tb_next_item (&rest, &item))
    take_buffer (reader, ini, list.entry, item, buffers, &count);

  keep_buffers (reader, buffers, count);
  free (buffers);
}

void
tb_read_trace (struct tb_reader *reader, const struct tb_ini_entry *entry)
{
  struct tb_file *file = tb_named_file (reader, entry, "a trace metadata file");
  if (file == NULL)
    return;
  struct tb_ini ini;
  if (!tb_read_ini (reader, &ini, file, entry, tb_shown_path (reader, file),
		    "the trace metadata"))
    return;
  if (tb_check_lines (reader, &ini))
    {
      read_buffers (reader, &ini);
      read_timestamp (reader, &ini);
      check_sections (reader, &ini);
      if (reader->status == TB_OK)
	tb_read_streams (reader, &ini);
    }
  tb_ini_fini (&ini);
}
