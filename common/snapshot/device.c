/* Device files of a snapshot (3.2): [device] and [regs].

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/reader.h"

#include <stdlib.h>
#include <string.h>

#include "snapshot/write.h"
#include "util/buffer.h"

#define REG_DEFAULT_BITS 32

/* A register while it is read: where it stands and its whole value.  */
struct read_reg
{
  struct tb_device_reg reg;
  const struct tb_ini_entry *entry;
};

/* Read ITEM, one of the comma-separated parts behind a register's name: an ID,
   "id:ID" or "size:BITS" (3.2.2).  */
static bool
read_reg_item (struct tb_reader *reader, const struct tb_ini_entry *entry,
	       struct tb_slice item, struct tb_device_reg *reg, bool *sized)
{
  const char *colon = memchr (item.text, ':', item.length);
  struct tb_slice key = { "id", 2 }, value = item;
  if (colon != NULL)
    {
      key = tb_trim ((struct tb_slice)
		     { item.text, (size_t) (colon - item.text) });
      value = tb_trim ((struct tb_slice)
		       { colon + 1,
			 (size_t) (item.text + item.length - colon - 1) });
    }
  uint64_t number = 0;
  bool is_id = tb_piece_is (key, "id"), is_size = tb_piece_is (key, "size");
  if (!is_id && !is_size)
    {
      if (tb_once (reader, "register item %.*s", (int) key.length, key.text))
	tb_say (reader, TB_WARNING, entry, "expected id or size, found "
		"\"%.*s\"; it is not used",
		(int) (key.length < 80 ? key.length : 80), key.text);
      return true;
    }
  if (!tb_parse_u64 (value.text, value.length, &number)
      || (is_id && number > UINT32_MAX))
    {
      tb_say (reader, TB_ERROR, entry, "expected a register's %s, a number, "
	      "found \"%.*s\"", is_id ? "ID" : "size in bits",
	      (int) (value.length < 80 ? value.length : 80), value.text);
      return false;
    }
  if (is_size && (number == 0 || number > TB_REG_MAX_BITS))
    {
      tb_say (reader, TB_ERROR, entry, "expected a register of 1 to %d bits, "
	      "found %.*s", TB_REG_MAX_BITS,
	      (int) (value.length < 80 ? value.length : 80), value.text);
      return false;
    }
  if (is_id ? reg->has_id : *sized)
    {
      tb_say (reader, TB_ERROR, entry, "expected one %s, found two",
	      is_id ? "ID" : "size");
      return false;
    }
  if (is_id)
    {
      reg->has_id = true;
      reg->id = (uint32_t) number;
    }
  else
    {
      *sized = true;
      reg->bits = (unsigned) number;
    }
  return true;
}

/* Read the key of ENTRY into REG.  */
static bool
read_reg_key (struct tb_reader *reader, const struct tb_ini_entry *entry,
	      struct tb_device_reg *reg, bool *sized)
{
  const char *key = entry->key;
  size_t length = strlen (key);
  const char *open = strchr (key, '(');
  struct tb_slice name = { key, open != NULL ? (size_t) (open - key) : length };
  name = tb_trim (name);
  reg->bits = REG_DEFAULT_BITS;
  *sized = false;
  if (name.length == 0 || strchr (key, ')') != (open != NULL
						? key + length - 1 : NULL))
    {
      tb_say (reader, TB_ERROR, entry, "expected NAME, NAME(ID) or "
	      "NAME(id:ID,size:BITS), found \"%.80s\"", key);
      return false;
    }
  if (open != NULL)
    {
      struct tb_slice rest = { open + 1, (size_t) (key + length - open - 2) };
      struct tb_slice item;
      while (tb_next_item (&rest, &item))
	if (item.length > 0
	    && !read_reg_item (reader, entry, item, reg, sized))
	  return false;
    }
  char *kept = tb_pool_text (reader->store->pool, name.text, name.length);
  if (kept == NULL)
    tb_no_memory (reader);
  reg->name = kept;
  return kept != NULL;
}

/* Read one entry of [regs] into REG.  False where it does not give a register;
   that has been said.  */
static bool
read_reg (struct tb_reader *reader, const struct tb_ini_entry *entry,
	  struct tb_device_reg *reg)
{
  bool sized;
  *reg = (struct tb_device_reg) { 0 };
  if (!read_reg_key (reader, entry, reg, &sized))
    return false;

  size_t length = tb_ini_plain (entry->value, true);
  if (length == 0)
    {
      tb_say (reader, TB_WARNING, entry, "expected a value, found nothing; the "
	      "register is unknown");
      return false;
    }
  struct tb_wide value;
  if (!tb_parse_wide (entry->value, length, &value))
    {
      tb_say (reader, TB_ERROR, entry, "expected a number of at most %d bits, "
	      "decimal or 0x and hexadecimal, found \"%.80s\"",
	      TB_REG_MAX_BITS, entry->value);
      return false;
    }
  if (value.bits > reg->bits && sized)
    {
      /* Which of the two is wrong cannot be known, so neither is the value.
	 The format's own example (REG_D in 3.2.2) has this mistake.  */
      tb_say (reader, TB_WARNING, entry, "expected a value of %u bits, found "
	      "%.80s of %u bits; the register is unknown", reg->bits,
	      entry->value, value.bits);
      return false;
    }
  if (value.bits > reg->bits)
    {
      /* Writers of AArch64 snapshots leave "size:64" out.  */
      while (reg->bits < value.bits)
	reg->bits *= 2;
      if (tb_once (reader, "wide register"))
	tb_say (reader, TB_WARNING, entry, "expected \"size:%u\" behind the "
		"name, because the value %.80s has more than the usual %d "
		"bits; it is taken as %u bits", reg->bits, entry->value,
		REG_DEFAULT_BITS, reg->bits);
    }
  reg->value = tb_wide_u64 (&value);
  reg->bytes = tb_pool_copy (reader->store->pool, value.bytes,
			     (reg->bits + 7) / 8);
  if (reg->bytes == NULL)
    tb_no_memory (reader);
  return reg->bytes != NULL;
}

/* By name, case ignored, then in the order of the file.  */
static int
compare_regs (const void *left, const void *right)
{
  const struct read_reg *a = left, *b = right;
  const unsigned char *p = (const unsigned char *) a->reg.name;
  const unsigned char *q = (const unsigned char *) b->reg.name;
  for (;; p++, q++)
    {
      int c = *p >= 'A' && *p <= 'Z' ? *p + ('a' - 'A') : *p;
      int d = *q >= 'A' && *q <= 'Z' ? *q + ('a' - 'A') : *q;
      if (c != d)
	return c - d;
      if (c == 0)
	break;
    }
  return (a->entry > b->entry) - (a->entry < b->entry);
}

static int
compare_entries (const void *left, const void *right)
{
  const struct read_reg *a = left, *b = right;
  return (a->entry > b->entry) - (a->entry < b->entry);
}

/* Leave one of each register in REGS; one with two values is an error.
   Registers of one name with two IDs are two.  Returns how many stay.  */
static size_t
drop_repeated (struct tb_reader *reader, struct read_reg *regs, size_t count)
{
  qsort (regs, count, sizeof *regs, compare_regs);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    {
      struct read_reg *last = kept > 0 ? &regs[kept - 1] : NULL;
      if (last == NULL || !tb_same_nocase (last->reg.name, regs[i].reg.name)
	  || (last->reg.has_id && regs[i].reg.has_id
	      && last->reg.id != regs[i].reg.id))
	regs[kept++] = regs[i];
      else if (last->reg.value != regs[i].reg.value
	       || last->reg.bits != regs[i].reg.bits
	       || memcmp (last->reg.bytes, regs[i].reg.bytes,
			  (last->reg.bits + 7) / 8) != 0)
	tb_say (reader, TB_ERROR, regs[i].entry, "expected the register once, "
		"found it again with another value: \"%.80s\" at line %u, "
		"\"%.80s\" here", last->entry->value, last->entry->line,
		regs[i].entry->value);
    }
  qsort (regs, kept, sizeof *regs, compare_entries);
  return kept;
}

static void
read_regs (struct tb_reader *reader, const struct tb_ini *ini,
	   struct tb_device *device)
{
  struct read_reg *regs = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "regs"))
      {
	const struct tb_ini_section *section = &ini->sections[i];
	if (!TB_GROW (regs, capacity, count, section->count))
	  {
	    tb_no_memory (reader);
	    break;
	  }
	for (size_t j = 0; j < section->count; j++)
	  {
	    struct read_reg *reg = &regs[count];
	    reg->entry = &ini->entries[section->first + j];
	    count += read_reg (reader, reg->entry, &reg->reg);
	  }
      }
  if (count == 0)
    {
      free (regs);
      return;
    }
  count = drop_repeated (reader, regs, count);

  struct tb_device_reg *kept = tb_pool_alloc (reader->store->pool,
					      count * sizeof *kept);
  if (kept == NULL)
    tb_no_memory (reader);
  else
    {
      for (size_t i = 0; i < count; i++)
	kept[i] = regs[i].reg;
      device->regs = kept;
      device->nregs = count;
    }
  free (regs);
}

static enum tb_device_class
class_of (const char *name)
{
  static const struct { const char *name; enum tb_device_class class; }
  classes[] = {
    { "core", TB_CLASS_CORE },
    { "trace_source", TB_CLASS_TRACE_SOURCE },
    { "memory_space", TB_CLASS_MEMORY_SPACE }
  };
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
    if (tb_same_nocase (name, classes[i].name))
      return classes[i].class;
  return TB_CLASS_OTHER;
}

void
tb_set_class (struct tb_reader *reader, struct tb_device *device,
	      enum tb_device_class class, const char *why)
{
  device->class = class;
  device->class_name = class == TB_CLASS_CORE ? "core" : "trace_source";
  tb_say_file (reader, TB_NOTE, device->file, "there is no class; %.80s is taken "
	       "for a %s, because %s", device->name, device->class_name, why);
}

/* A device without a class, which may be left out (3.2.1), is what it looks like.  */
static void
guess_class (struct tb_reader *reader, struct tb_device *device)
{
  static const char *const sources[] = { "ETM", "ETE", "PTM", "PFT", "ITM",
					 "STM", "MTB", "CSMTB" };
  if (*device->class_name != '\0')
    return;
  if (tb_device_pc (device) != NULL)
    tb_set_class (reader, device, TB_CLASS_CORE, "it has a PC");
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
    if (device->class == TB_CLASS_OTHER
	&& tb_begins_nocase (device->type, sources[i]))
      tb_set_class (reader, device, TB_CLASS_TRACE_SOURCE, "of its type");
}

/* Read [device] of INI into DEVICE.  False after an error.  */
static bool
read_identity (struct tb_reader *reader, const struct tb_ini *ini,
	       struct tb_device *device)
{
  enum { NAME, CLASS, TYPE, LOCATION, SETTINGS, MEMORY, NFIELDS };
  struct tb_field fields[NFIELDS] = {
    [NAME] = { "name", NULL }, [CLASS] = { "class", NULL },
    [TYPE] = { "type", NULL }, [LOCATION] = { "location", NULL },
    [SETTINGS] = { "settings", NULL }, [MEMORY] = { "memory", NULL }
  };
  const struct tb_ini_section *section = NULL;
  for (size_t i = 0; i < ini->nsections; i++)
    if (tb_same_nocase (ini->sections[i].name, "device"))
      {
	section = &ini->sections[i];
	/* "Any other keys in this section are ignored" (3.2.1).  */
	tb_take_fields (reader, section, fields, NFIELDS, NULL);
      }
  if (section == NULL)
    {
      tb_say_file (reader, TB_ERROR, ini->path, "expected a section [device], "
		   "found none");
      return false;
    }
  device->name = tb_field_text (reader, &fields[NAME], false);
  device->class_name = tb_field_text (reader, &fields[CLASS], true);
  device->type = tb_field_text (reader, &fields[TYPE], true);
  device->location = tb_field_text (reader, &fields[LOCATION], false);
  if (device->name == NULL || device->class_name == NULL
      || device->type == NULL || device->location == NULL)
    return false;
  if (*device->name == '\0')
    {
      tb_say_section (reader, TB_ERROR, section, "expected the key name with "
		      "the device's name, found none");
      return false;
    }
  device->class = class_of (device->class_name);
  const char *settings = tb_field_text (reader, &fields[SETTINGS], false);
  if (settings != NULL && strcmp (settings, TB_WORKED_OUT) == 0)
    device->evidence = "as its file says";
  else if (settings != NULL && *settings != '\0')
    tb_say_section (reader, TB_WARNING, section, "expected %s as the key settings, found "
		    "\"%.80s\": it counts as none", TB_WORKED_OUT, settings);
  const char *memory = tb_field_text (reader, &fields[MEMORY], false);
  device->late = memory != NULL && strcmp (memory, TB_DUMPED_LATER) == 0;
  if (memory != NULL && *memory != '\0' && !device->late)
    tb_say_section (reader, TB_WARNING, section, "expected %s as the key memory, found "
		    "\"%.80s\": it counts as none", TB_DUMPED_LATER, memory);
  return settings != NULL && memory != NULL;
}

/* Whether another device has DEVICE's name, which is an error, or its
   location, which is a warning (3.2.1: both are unique).  */
static bool
is_repeated (struct tb_reader *reader, const struct tb_ini_entry *entry,
	     const struct tb_device *device)
{
  for (size_t i = 0; i < reader->snapshot->ndevices; i++)
    {
      const struct tb_device *other = &reader->store->devices[i];
      if (strcmp (other->name, device->name) == 0)
	{
	  tb_say (reader, TB_ERROR, entry, "expected devices of different "
		  "names, found \"%.80s\" in %s and in %s", device->name,
		  other->file, device->file);
	  return true;
	}
      if (*device->location != '\0'
	  && strcmp (other->location, device->location) == 0)
	tb_say (reader, TB_WARNING, entry, "expected devices of different "
		"locations, found \"%.80s\" for %.80s and %.80s",
		device->location, other->name, device->name);
    }
  return false;
}

void
tb_read_device (struct tb_reader *reader, const struct tb_ini_entry *entry)
{
  struct tb_file *file = tb_named_file (reader, entry, "a device file");
  if (file == NULL)
    return;

  struct tb_device device = { .file = tb_shown_path (reader, file) };
  device.cluster = "";
  struct tb_ini ini;
  if (!tb_read_ini (reader, &ini, file, entry, device.file, "a device file"))
    return;
  if (tb_check_lines (reader, &ini)
      && read_identity (reader, &ini, &device)
      && !is_repeated (reader, entry, &device))
    {
      for (size_t i = 0; i < ini.nsections; i++)
	if (!tb_same_nocase (ini.sections[i].name, "device")
	    && !tb_same_nocase (ini.sections[i].name, "regs")
	    && !tb_begins_nocase (ini.sections[i].name, "dump"))
	  tb_unknown_section (reader, &ini.sections[i]);
      read_regs (reader, &ini, &device);
      tb_read_dumps (reader, &ini, &device);
      guess_class (reader, &device);

      size_t count = reader->snapshot->ndevices;
      if (TB_GROW (reader->store->devices, reader->devices_capacity, count, 1 + TB_FOUND_SOURCES))
	{
	  reader->store->devices[reader->snapshot->ndevices++] = device;
	}
      else
	tb_no_memory (reader);
    }
  tb_ini_fini (&ini);
}
