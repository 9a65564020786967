/* Dump sections of a snapshot's device files (3.2.3).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* Indexed by enum tb_space.  The first nine are the format's; REALM and ROOT
   came with the Realm Management Extension.  */
static const char *const space_names[TB_SPACE_COUNT] = {
  "-", "N", "S", "H", "EL1N", "EL1S", "EL2", "EL3", "P", "NP", "SP",
  "REALM", "ROOT"
};

const char *
tb_space_name (enum tb_space space)
{
  return (unsigned) space < TB_SPACE_COUNT ? space_names[space] : "?";
}

bool
tb_space_parse (const char *name, size_t length, enum tb_space *space)
{
  struct tb_slice word = { name, length };
  for (int i = TB_SPACE_ANY + 1; i < TB_SPACE_COUNT; i++)
    if (tb_piece_is (word, space_names[i]))
      {
	*space = (enum tb_space) i;
	return true;
      }
  return false;
}

enum { FILE_NAME, SPACE, ADDRESS, LENGTH, OFFSET, DUMP_FIELDS };

/* Read the value of FIELD as a space.  False where it is none; a dump there
   cannot be placed, but the others can.  */
static bool
read_space (struct tb_reader *reader, const struct tb_field *field,
	    enum tb_space *space)
{
  *space = TB_SPACE_ANY;
  struct tb_slice word = tb_field_word (field);
  if (field->entry == NULL || word.length == 0
      || tb_space_parse (word.text, word.length, space))
    return true;
  tb_say (reader, TB_WARNING, field->entry, "expected an address space ("
	  TB_SPACE_NAMES "), found \"%.80s\"; the dump is not used",
	  field->entry->value);
  return false;
}

/* Check that LENGTH bytes (all that there are if !HAS_LENGTH) at OFFSET are in
   the file and fit behind ADDRESS.  */
static bool
check_range (struct tb_reader *reader, const struct tb_field *fields,
	     uint64_t size, uint64_t offset, struct tb_dump *dump)
{
  if (offset > size)
    {
      tb_say (reader, TB_ERROR, fields[OFFSET].entry, "expected an offset of "
	      "at most %" PRIu64 ", the size of %s, found %" PRIu64, size,
	      dump->path, offset);
      return false;
    }
  if (fields[LENGTH].entry == NULL)
    dump->length = size - offset;
  else if (dump->length > size - offset)
    {
      tb_say (reader, TB_ERROR, fields[LENGTH].entry, "expected a length of at "
	      "most %" PRIu64 " bytes, which is what %s has from offset %"
	      PRIu64 ", found %" PRIu64, size - offset, dump->path, offset,
	      dump->length);
      return false;
    }
  if (dump->length > 0 && dump->length - 1 > UINT64_MAX - dump->address)
    {
      tb_say (reader, TB_ERROR, fields[ADDRESS].entry, "expected a region that "
	      "ends by the top of the address space, found %#" PRIx64
	      " and %" PRIu64 " bytes", dump->address, dump->length);
      return false;
    }
  return true;
}

/* "FILE [SECTION]" for SECTION, or NULL after an error.  */
static const char *
name_dump (struct tb_reader *reader, const struct tb_ini_section *section)
{
  const char *slash = strrchr (section->ini->path, '/');
  const char *file = slash != NULL ? slash + 1 : section->ini->path;
  size_t size = strlen (file) + strlen (section->name) + sizeof " []";
  char *name = tb_pool_alloc (reader->store->pool, size);
  if (name == NULL)
    tb_no_memory (reader);
  else
    snprintf (name, size, "%s [%s]", file, section->name);
  return name;
}

/* Read SECTION into DUMP.  False where it gives no dump; that was said.  */
static bool
read_dump (struct tb_reader *reader, const struct tb_ini_section *section,
	   struct tb_device *device, struct tb_dump *dump)
{
  struct tb_field fields[DUMP_FIELDS] = {
    [FILE_NAME] = { "file", NULL }, [SPACE] = { "space", NULL },
    [ADDRESS] = { "address", NULL }, [LENGTH] = { "length", NULL },
    [OFFSET] = { "offset", NULL }
  };
  *dump = (struct tb_dump) { .section = section->name };
  tb_take_fields (reader, section, fields, DUMP_FIELDS, "a dump section");
  for (int i = FILE_NAME; i <= ADDRESS; i += ADDRESS - FILE_NAME)
    if (fields[i].entry == NULL)
      {
	tb_say_section (reader, TB_ERROR, section, "expected the key %s, found "
			"none", fields[i].key);
	return false;
      }
  uint64_t offset = 0;
  if (!tb_field_u64 (reader, &fields[ADDRESS], &dump->address)
      || !tb_field_u64 (reader, &fields[LENGTH], &dump->length)
      || !tb_field_u64 (reader, &fields[OFFSET], &offset))
    return false;
  bool placed = read_space (reader, &fields[SPACE], &dump->space);

  const struct tb_ini_entry *entry = fields[FILE_NAME].entry;
  struct tb_slice name = { entry->value, strlen (entry->value) };
  struct tb_file *file;
  switch (tb_find_file (reader, entry, name, &file))
    {
    case TB_FOUND:
      break;
    case TB_FOUND_NOT:
      device->missing_dumps++;
      if (tb_once (reader, "file %s", entry->value))
	tb_say (reader, TB_WARNING, entry, "expected a file with the contents "
		"of memory, found no file \"%.200s\"; this memory is unknown",
		entry->value);
      return false;
    case TB_FOUND_BAD:
      return false;
    }
  dump->path = tb_shown_path (reader, file);
  if (!placed || !check_range (reader, fields, file->map.size, offset, dump))
    return false;
  if (dump->length == 0)
    {
      tb_say_section (reader, TB_WARNING, section, "expected the contents of "
		      "memory, found 0 bytes");
      return false;
    }
  dump->data = file->map.data + offset;
  dump->name = name_dump (reader, section);
  return dump->name != NULL;
}

void
tb_read_dumps (struct tb_reader *reader, const struct tb_ini *ini,
	       struct tb_device *device)
{
  struct tb_dump *dumps = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < ini->nsections; i++)
    {
      const struct tb_ini_section *section = &ini->sections[i];
      if (!tb_begins_nocase (section->name, "dump"))
	continue;
      if (reader->dumps >= TB_MAX_DUMPS)
	{
	  tb_say_section (reader, TB_ERROR, section, "expected at most %d "
			  "dumps in a snapshot, found more", TB_MAX_DUMPS);
	  break;
	}
      reader->dumps++;
      if (!TB_GROW (dumps, capacity, count, 1))
	{
	  tb_no_memory (reader);
	  break;
	}
      count += read_dump (reader, section, device, &dumps[count]);
    }
  device->dumps = tb_keep_array (reader, dumps, count, sizeof *dumps);
  device->ndumps = device->dumps != NULL ? count : 0;
}
