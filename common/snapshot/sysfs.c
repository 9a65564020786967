/* Trace buffers as Linux hands them out.  See sysfs.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snapshot/maker.h"
#include "snapshot/ramdump.h"
#include "util/buffer.h"
#include "util/readall.h"

/* Files of registers are short.  */
#define MOST_TEXT 64

/* Sinks whose trace memory may have: no real system comes near.  */
#define MOST_CRASHED 64

/* A trace unit: a device, its core's, or TB_MADE_NONE, and which CPU that is.  */
struct unit
{
  size_t source, core;
  uint64_t cpu;
};

/* What is in the folder while it is read.  */
struct folder
{
  struct tb_maker maker;
  struct tb_diag *diag;
  const char *path;
  const char *type;
  struct unit *units;
  size_t nunits, capacity;
};

/* A register: the file that has it, below a device's folder, and what it is.  */
struct sysfs_register
{
  const char *file;
  const char *name;
  uint32_t id;
  bool needed;			/* Decoding goes by it.  */
};

static const struct sysfs_register etmv4[] = {
  { "mgmt/trctraceid", "TRCTRACEIDR", 0x010, true },
  { "mgmt/trcconfig", "TRCCONFIGR", 0x004, true },
  { "trcidr/trcidr0", "TRCIDR0", 0x078, true },
  { "trcidr/trcidr1", "TRCIDR1", 0x079, true },
  { "trcidr/trcidr2", "TRCIDR2", 0x07a, true },
  { "trcidr/trcidr8", "TRCIDR8", 0x060, true },
  { "mgmt/trcauthstatus", "TRCAUTHSTATUS", 0x3ee, false },
  { "mgmt/trcdevarch", "TRCDEVARCH", 0x3ef, false }
};

static const struct sysfs_register etmv3[] = {
  { "mgmt/etmtraceidr", "ETMTRACEIDR", 0x080, true },
  { "mgmt/etmcr", "ETMCR", 0x000, true },
  { "mgmt/etmidr", "ETMIDR", 0x079, true },
  { "mgmt/etmccer", "ETMCCER", 0x07a, true }
};

static const struct sysfs_register stm[] = {
  { "mgmt/tcsr", "STMTCSR", 0x3a0, true }
};

/* "PATH/NAME/FILE" (no FILE: "PATH/NAME"), from malloc; NULL: no memory.  */
static char *
join (const char *path, const char *name, const char *file)
{
  char *joined = NULL;
  return asprintf (&joined, "%s/%s%s%s", path, name, file != NULL ? "/" : "",
		   file != NULL ? file : "") < 0 ? NULL : joined;
}

/* Is there a folder NAME/FILE in PATH?  */
static bool
is_folder (const char *path, const char *name, const char *file, bool *no_memory)
{
  struct stat st;
  char *whole = join (path, name, file);
  bool is = whole != NULL && stat (whole, &st) == 0 && S_ISDIR (st.st_mode);
  *no_memory = whole == NULL;
  free (whole);
  return is;
}

/* Is there a folder NAME/FILE in F?  False where an error was said, too.  */
static bool
has_folder (struct folder *f, const char *name, const char *file)
{
  bool no_memory, has = is_folder (f->path, name, file, &no_memory);
  if (no_memory)
    tb_no_memory (&f->maker.reader);
  return has;
}

/* Is NAME that of what was read from a sink: "tmc_etr0", "etb0.bin"; "crash_tmc_etr0" is what a
   sink had when the kernel before crashed?  */
static bool
is_sink (const char *name)
{
  const char *dot = strchr (name, '.');
  if (strncmp (name, "crash_", 6) == 0)
    name += 6;
  return (strncmp (name, "tmc_", 4) == 0 || strncmp (name, "etb", 3) == 0
	  || strncmp (name, "trbe", 4) == 0)
	 && (dot == NULL || strcmp (dot, ".bin") == 0)
	 /* With an address it is memory (ramdump.h).  */
	 && strchr (name, '@') == NULL;
}

/* Is NAME in PATH a file of a sink's bytes that the kernel numbered, as it does with all?  */
static bool
is_sink_file (const char *path, const char *name)
{
  struct stat st;
  size_t length = strcspn (name, ".");
  if (!is_sink (name) || name[length - 1] < '0' || name[length - 1] > '9')
    return false;
  char *whole = join (path, name, NULL);
  bool is = whole != NULL && stat (whole, &st) == 0 && S_ISREG (st.st_mode);
  free (whole);
  return is;
}

bool
tb_sysfs_is_folder (const char *path)
{
  struct stat st;
  char *snapshot = join (path, "snapshot.ini", NULL);
  bool is = snapshot != NULL && stat (snapshot, &st) != 0;
  free (snapshot);
  DIR *folder = is ? opendir (path) : NULL;
  struct dirent *entry;
  bool no_memory;
  is = false;
  while (folder != NULL && !is && (entry = readdir (folder)) != NULL)
    is = entry->d_name[0] != '.' && (is_folder (path, entry->d_name, "mgmt", &no_memory)
				     || is_sink_file (path, entry->d_name)
				     || tb_ramdump_is_file (path, entry->d_name));
  if (folder != NULL)
    closedir (folder);
  return is;
}

/* The bytes of a frame (CoreSight Architecture Specification, IHI 0029).  */
#define FRAME 16

/* The number in the file NAME/FILE.  0: there is none; -1: an error was said.  */
static int
read_number (struct folder *f, const char *name, const char *file, uint64_t *value)
{
  char *path = join (f->path, name, file);
  if (path == NULL)
    {
      tb_no_memory (&f->maker.reader);
      return -1;
    }
  char text[MOST_TEXT + 1];
  struct stat st;
  /* Nobody may write to what is a pipe.  */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t length = fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode)
		   ? tb_read_all (fd, text, sizeof text) : -1;
  int found = fd >= 0;
  if (fd < 0 && errno != ENOENT && errno != ENOTDIR)
    {
      tb_error (f->diag, "%s: %s", path, strerror (errno));
      found = -1;
    }
  else if (fd >= 0)
    {
      const char *end = length > 0 ? memchr (text, '\n', (size_t) length) : NULL;
      size_t n = end != NULL ? (size_t) (end - text) : length > 0 ? (size_t) length : 0;
      struct tb_slice word = tb_trim ((struct tb_slice) { text, n });
      if (n == sizeof text || !tb_parse_u64 (word.text, word.length, value)
	  || *value > UINT32_MAX)
	{
	  tb_error (f->diag, "%s: expected a number of 32 bits, found %s%.*s%s", path,
		    length < 0 ? "what cannot be read" : "\"", (int) word.length, word.text,
		    length < 0 ? "" : "\"");
	  found = -1;
	}
      close (fd);
    }
  if (found < 0)
    f->maker.reader.status = TB_ERR_INPUT;
  free (path);
  return found;
}

/* The type of the trace unit in the folder NAME, in TEXT of SIZE bytes, and its COUNT
   registers; NULL: it is none.  */
static const struct sysfs_register *
unit_type (struct folder *f, const char *name, char *text, size_t size, size_t *count)
{
  uint64_t value = 0;
  if (read_number (f, name, "mgmt/tcsr", &value) > 0)
    {
      snprintf (text, size, "STM");
      *count = sizeof stm / sizeof stm[0];
      return stm;
    }
  if (read_number (f, name, "mgmt/etmcr", &value) > 0)
    {
      /* ETMIDR: bits 11:8 are 2 for ETMv3, 3 for PTM; bits 7:4 the minor version
	 (IHI 0014, 3.5.27; IHI 0035, 3.12).  */
      uint64_t id = 0x250;
      read_number (f, name, "mgmt/etmidr", &id);
      bool ptm = (id >> 8 & 0xf) == 3;
      snprintf (text, size, "%s.%u", ptm ? "PTM1" : "ETM3", (unsigned) (id >> 4 & 0xf));
      *count = sizeof etmv3 / sizeof etmv3[0];
      return etmv3;
    }
  if (!has_folder (f, name, "trcidr")
      && read_number (f, name, "mgmt/trcconfig", &value) <= 0)
    return NULL;
  /* TRCDEVARCH: ARCHVER, bits 15:12, is 5 for ETE.  */
  uint64_t arch = 0;
  read_number (f, name, "mgmt/trcdevarch", &arch);
  snprintf (text, size, "%s", (arch >> 12 & 0xf) == 5 ? "ETE" : "ETM4");
  *count = sizeof etmv4 / sizeof etmv4[0];
  return etmv4;
}

/* The number behind NAME.  */
static uint64_t
number_of (const char *name)
{
  return strtoul (name + strcspn (name, "0123456789"), NULL, 10);
}

/* Add the device of the folder NAME, if it sends trace.  */
static void
add_unit (struct folder *f, const char *name)
{
  char type[16], core[32];
  size_t count = 0;
  const struct sysfs_register *regs = unit_type (f, name, type, sizeof type, &count);
  char *path = join (f->path, name, NULL);
  if (path == NULL || !TB_GROW (f->units, f->capacity, f->nunits, 1))
    tb_no_memory (&f->maker.reader);
  if (f->maker.reader.status == TB_OK && regs != NULL)
    {
      struct tb_maker *m = &f->maker;
      size_t unit = tb_maker_device (m, TB_CLASS_TRACE_SOURCE, name, type, path);
      bool all = true;
      for (size_t i = 0; i < count; i++)
	{
	  uint64_t value;
	  bool has = read_number (f, name, regs[i].file, &value) > 0;
	  if (has)
	    tb_maker_reg (m, unit, regs[i].name, regs[i].id, 32, (uint32_t) value);
	  all &= has || !regs[i].needed;
	}
      if (!all)
	tb_maker_unsettled (m, unit);
      struct unit made = { .source = unit, .core = TB_MADE_NONE, .cpu = UINT64_MAX };
      if (regs != stm)
	{
	  /* Without the file, the number behind the name is likely the core's.  */
	  made.cpu = number_of (name);
	  read_number (f, name, "cpu", &made.cpu);
	  snprintf (core, sizeof core, "cpu%" PRIu64, made.cpu);
	  made.core
	    = tb_maker_device (m, TB_CLASS_CORE, core, f->type != NULL ? f->type
			       : regs == etmv3 ? "ARMv7-A" : "ARMv8-A", path);
	}
      f->units[f->nunits++] = made;
    }
  free (path);
}

/* All sources may have trace in BUFFER.  */
static void
add_streams (struct folder *f, size_t buffer)
{
  for (size_t i = 0; i < f->nunits; i++)
    tb_maker_stream (&f->maker, f->units[i].source, f->units[i].core, buffer);
}

/* A TRBE is of one core, and has what its trace unit sends as it is (DDI 0487): BUFFER, read
   from NAME, is of the unit of its number.  */
static void
add_trbe_stream (struct folder *f, const char *name, size_t buffer)
{
  for (size_t i = 0; i < f->nunits; i++)
    if (f->units[i].cpu == number_of (name))
      {
	tb_maker_stream (&f->maker, f->units[i].source, f->units[i].core, buffer);
	return;
      }
  tb_warning (f->diag, "%s/%s: expected a trace unit of CPU %" PRIu64 ", found none: it is left "
	      "out", f->path, name, number_of (name));
}

/* May the SIZE bytes that were read from the sink NAME be no frames?  So it is where its formatter
   is off, or where no file tells: FFCR.EnFt, bit 0 (CoreSight Trace Memory Controller, DDI 0461).
   Linux switches it on for all that it traces, but what was without power since is off, too.  */
static bool
is_unformatted (struct folder *f, const char *name, size_t size)
{
  uint64_t value;
  int has = read_number (f, name, "mgmt/ffcr", &value);
  if (has < 0 || (has > 0 && (value & 1) != 0))
    return false;
  if (has == 0)
    {
      tb_note (f->diag, "%s/%s/mgmt/ffcr: there is no such file, and %zu bytes %s frames of %d "
	       "each: %s", f->path, name, size, size % FRAME == 0 ? "may be" : "are no", FRAME,
	       f->nunits <= 1 ? "what they are is worked out"
	       : "of several trace units only frames tell whose they are, and frames are taken to "
	       "be there");
      return f->nunits <= 1;
    }
  tb_note (f->diag, "%s/%s/mgmt/ffcr: expected the formatter on (bit 0), found it off: it had the "
	   "bytes of one source, or lost its power since; %s", f->path, name, f->nunits <= 1
	   ? "which one is worked out" : "of several trace units only frames tell whose they are, "
	   "and frames are taken to be there");
  return f->nunits <= 1;
}

/* Add the file NAME as a buffer.  */
static void
add_sink (struct folder *f, const char *name)
{
  char *path = join (f->path, name, NULL);
  struct tb_maker *m = &f->maker;
  if (path == NULL)
    tb_no_memory (&m->reader);
  const struct tb_file *file = path != NULL ? tb_maker_file (m, path) : NULL;
  if (file != NULL)
    {
      char stem[64];
      snprintf (stem, sizeof stem, "%.*s", (int) strcspn (name, "."), name);
      const char *sink = strncmp (stem, "crash_", 6) == 0 ? stem + 6 : stem;
      bool trbe = strncmp (sink, "trbe", 4) == 0;
      if (file->map.size == 0)
	tb_warning (f->diag, "%s: expected the bytes that the sink had, found an empty file: "
		    "nothing was traced into it, or something else had read it before", path);
      /* Of no bytes there is nothing to work out.  */
      bool unknown = !trbe && file->map.size > 0 && is_unformatted (f, sink, file->map.size);
      size_t buffer = tb_maker_buffer (m, stem, trbe ? TB_FORMAT_SOURCE_DATA
				       : unknown ? TB_FORMAT_OTHER : TB_FORMAT_CORESIGHT);
      tb_maker_span (m, buffer, file->map.data, file->map.size);
      if (trbe && f->nunits > 0)
	add_trbe_stream (f, stem, buffer);
      else
	add_streams (f, buffer);
    }
  free (path);
}

/* Add what the images of memory among the COUNT files ENTRIES have of sinks; returns how many
   sinks.  */
static size_t
add_crashed (struct folder *f, struct dirent **entries, int count)
{
  struct tb_ramdump ram = { 0 };
  size_t buffers[MOST_CRASHED], found, images = 0;
  for (int i = 0; i < count; i++)
    if (f->maker.reader.status == TB_OK && tb_ramdump_is_file (f->path, entries[i]->d_name))
      {
	char *path = join (f->path, entries[i]->d_name, NULL);
	images++;
	if (path == NULL)
	  tb_no_memory (&f->maker.reader);
	else
	  tb_ramdump_add (&ram, &f->maker, path);
	free (path);
      }
  found = tb_ramdump_buffers (&ram, &f->maker, f->path, buffers, MOST_CRASHED);
  for (size_t i = 0; i < found; i++)
    add_streams (f, buffers[i]);
  if (images > 0 && found == 0 && f->maker.reader.status == TB_OK)
    {
      tb_error (f->diag, "%s: expected trace of a sink in the images of memory, which Linux' "
		"metadata of a panic tells of; found none", f->path);
      f->maker.reader.status = TB_ERR_INPUT;
    }
  tb_ramdump_fini (&ram);
  return found;
}

/* Units before sinks, by number.  */
static int
compare (const struct dirent **a, const struct dirent **b)
{
  return strverscmp ((*a)->d_name, (*b)->d_name);
}

static int
is_shown (const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

enum tb_status
tb_sysfs_read (struct tb_snapshot *snapshot, const char *path, const char *type,
	       struct tb_diag *diag)
{
  struct folder f = { .diag = diag, .path = path, .type = type };
  struct dirent **entries = NULL;
  tb_maker_init (&f.maker, snapshot, path, diag);
  int count = scandir (path, &entries, is_shown, compare);
  if (count < 0)
    {
      tb_error (diag, "%s: %s", path, strerror (errno));
      f.maker.reader.status = TB_ERR_IO;
    }
  for (int i = 0; i < count; i++)
    if (f.maker.reader.status == TB_OK && has_folder (&f, entries[i]->d_name, NULL))
      add_unit (&f, entries[i]->d_name);
  size_t sinks = 0;
  for (int i = 0; i < count; i++)
    if (f.maker.reader.status == TB_OK && is_sink (entries[i]->d_name)
	&& !has_folder (&f, entries[i]->d_name, NULL))
      {
	add_sink (&f, entries[i]->d_name);
	sinks++;
      }
  /* What was read from a sink is not looked for once more.  */
  if (f.maker.reader.status == TB_OK && sinks == 0)
    sinks = add_crashed (&f, entries, count);
  for (int i = 0; i < count; i++)
    free (entries[i]);
  free (entries);
  if (f.maker.reader.status == TB_OK && sinks == 0)
    {
      tb_error (diag, "%s: expected what was read from a sink, as the file tmc_etr0.bin or "
		"the like, or an image of memory, beside the folders of trace units; found none",
		path);
      f.maker.reader.status = TB_ERR_INPUT;
    }
  free (f.units);
  return tb_maker_finish (&f.maker);
}
