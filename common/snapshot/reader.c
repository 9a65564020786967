/* What the parts of the snapshot reader share.  See reader.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* Things said once; beyond that number they are not said.  */
#define TOLD_MAX 512

/* Report PLACE (owned) and the formatted text.  */
static void
say (struct tb_reader *reader, enum tb_severity severity,
     struct tb_buffer *place, const char *format, va_list args)
{
  if (severity == TB_ERROR && reader->status == TB_OK)
    reader->status = TB_ERR_INPUT;
  unsigned number = ++reader->messages[severity];
  if (number <= TB_MAX_MESSAGES)
    {
      char *text = NULL;
      tb_buffer_append (place, "", 1);
      if (vasprintf (&text, format, args) < 0)
	text = NULL;
      tb_report (reader->diag, severity, "%s%s",
		 place->failed ? "" : (const char *) place->data,
		 text != NULL ? text : "no memory to say what is wrong");
      free (text);
    }
  else if (number == TB_MAX_MESSAGES + 1)
    tb_report (reader->diag, severity, "%s: there is more of this kind; the "
	       "first %d are shown", reader->snapshot->path, TB_MAX_MESSAGES);
  tb_buffer_fini (place);
}

void
tb_say (struct tb_reader *reader, enum tb_severity severity,
	const struct tb_ini_entry *entry, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  struct tb_buffer place = { 0 };
  tb_buffer_printf (&place, "%s:%u: [%.80s] %.80s: ",
		    entry->section->ini->path, entry->line,
		    entry->section->name, entry->key);
  say (reader, severity, &place, format, args);
  va_end (args);
}

void
tb_say_section (struct tb_reader *reader, enum tb_severity severity,
		const struct tb_ini_section *section, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  struct tb_buffer place = { 0 };
  tb_buffer_printf (&place, "%s:%u: [%.80s]: ", section->ini->path,
		    section->line, section->name);
  say (reader, severity, &place, format, args);
  va_end (args);
}

void
tb_say_file (struct tb_reader *reader, enum tb_severity severity,
	     const char *path, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  struct tb_buffer place = { 0 };
  tb_buffer_printf (&place, "%s: ", path);
  say (reader, severity, &place, format, args);
  va_end (args);
}

void
tb_no_memory (struct tb_reader *reader)
{
  if (reader->status != TB_ERR_MEMORY)
    tb_error (reader->diag, "%s: no memory to read the snapshot",
	      reader->snapshot->path);
  reader->status = TB_ERR_MEMORY;
}

bool
tb_once (struct tb_reader *reader, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *made = NULL;
  if (vasprintf (&made, format, args) < 0)
    made = NULL;
  va_end (args);
  bool first = made != NULL && reader->ntold < TOLD_MAX;
  for (size_t i = 0; first && i < reader->ntold; i++)
    first = strcmp (reader->told[i], made) != 0;
  if (first)
    {
      if (TB_GROW (reader->told, reader->told_capacity, reader->ntold, 1))
	{
	  const char *kept = tb_pool_text (reader->store->pool, made,
					   strlen (made));
	  if (kept != NULL)
	    reader->told[reader->ntold++] = kept;
	}
    }
  free (made);
  return first;
}

bool
tb_spend (struct tb_reader *reader, const struct tb_ini_entry *entry)
{
  if (reader->references++ < TB_MAX_REFERENCES)
    return true;
  if (reader->references == TB_MAX_REFERENCES + 1)
    tb_say (reader, TB_ERROR, entry, "expected at most %d references to files, "
	    "devices and buffers in a snapshot, found more",
	    TB_MAX_REFERENCES);
  return false;
}

bool
tb_check_lines (struct tb_reader *reader, const struct tb_ini *ini)
{
  for (size_t i = 0; i < ini->nbad; i++)
    {
      struct tb_buffer place = { 0 };
      tb_buffer_printf (&place, "%s:%u", ini->path, ini->bad[i].line);
      tb_buffer_append (&place, "", 1);
      tb_say_file (reader, TB_ERROR, place.failed ? ini->path
		   : (const char *) place.data,
		   "expected [section], key=value or a comment, found \"%s\"",
		   ini->bad[i].text);
      tb_buffer_fini (&place);
    }
  return ini->nbad == 0;
}

void
tb_take_fields (struct tb_reader *reader,
		const struct tb_ini_section *section,
		struct tb_field *fields, size_t count, const char *others)
{
  for (size_t i = 0; i < section->count; i++)
    {
      const struct tb_ini_entry *entry
	= &section->ini->entries[section->first + i];
      struct tb_field *field = fields;
      while (field < fields + count && !tb_same_nocase (entry->key, field->key))
	field++;
      if (field == fields + count)
	{
	  if (others != NULL && tb_once (reader, "key %s %s", others,
					 entry->key))
	    tb_say (reader, TB_WARNING, entry, "expected a key of %s, found "
		    "an unknown one; it is not used", others);
	}
      else if (field->entry == NULL)
	field->entry = entry;
      else if (strcmp (field->entry->value, entry->value) != 0)
	tb_say (reader, TB_ERROR, entry, "expected the key once, found it "
		"again with another value: \"%.80s\" at line %u, \"%.80s\" "
		"here", field->entry->value, field->entry->line, entry->value);
    }
}

struct tb_slice
tb_field_word (const struct tb_field *field)
{
  const char *value = field->entry != NULL ? field->entry->value : "";
  return (struct tb_slice) { value, tb_ini_plain (value, true) };
}

const char *
tb_field_text (struct tb_reader *reader, const struct tb_field *field,
	       bool hash)
{
  if (field->entry == NULL)
    return "";
  const char *value = field->entry->value;
  const char *text = tb_pool_text (reader->store->pool, value,
				   tb_ini_plain (value, hash));
  if (text == NULL)
    tb_no_memory (reader);
  return text;
}

bool
tb_field_u64 (struct tb_reader *reader, const struct tb_field *field,
	      uint64_t *value)
{
  if (field->entry == NULL)
    return true;
  struct tb_slice word = tb_field_word (field);
  if (tb_parse_u64 (word.text, word.length, value))
    return true;
  tb_say (reader, TB_ERROR, field->entry, "expected a number of up to 64 bits, "
	  "decimal or 0x and hexadecimal, found \"%.80s\"",
	  field->entry->value);
  return false;
}

void
tb_unknown_section (struct tb_reader *reader,
		    const struct tb_ini_section *section)
{
  if (*section->name == '\0')
    tb_say_section (reader, TB_WARNING, section, "expected a section line "
		    "before the first key; the keys up to it are not used");
  else if (tb_once (reader, "section %s", section->name))
    tb_say_section (reader, TB_WARNING, section, "expected a section of the "
		    "snapshot format, found an unknown one; it is not used");
}

void *
tb_keep_array (struct tb_reader *reader, void *items, size_t count,
	       size_t size)
{
  void *kept = NULL;
  if (count > 0)
    {
      kept = tb_pool_copy (reader->store->pool, items, count * size);
      if (kept == NULL)
	tb_no_memory (reader);
    }
  free (items);
  return kept;
}
