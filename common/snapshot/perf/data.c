/* perf.data.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/data.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snapshot/perf/code.h"
#include "snapshot/perf/kernel.h"
#include "snapshot/perf/names.h"
#include "snapshot/perf/order.h"
#include "snapshot/perf/switches.h"
#include "snapshot/perf/trace.h"
#include "snapshot/perf/unpack.h"
#include "util/buffer.h"
#include "util/number.h"
#include "util/readall.h"

#define MAGIC "PERFILE2"
#define HEADER_SIZE 104
#define PIPE_HEADER_SIZE 16
#define AUXTRACE_CS_ETM 3

/* Places in the header: sections are an offset and a size.  */
enum
{
  HEADER_ATTR_SIZE = 16, HEADER_ATTRS = 24, HEADER_DATA = 40, HEADER_FEATURES = 72,
  FEATURE_WORDS = 4
};
/* Sections behind the data, by the bits of the header.  */
enum { FEATURE_BUILD_ID = 2, FEATURE_RELEASE = 4, FEATURE_BPF = 25 };
/* An entry of the list of build IDs: where the ID and the name are, and the bit of misc that
   says that the byte behind the ID is its size.  */
enum { LISTED_ID = 12, LISTED_NAME = 36, LISTED_SIZED = 0x8000 };

/* What AUX_OUTPUT_HW_ID tells: bits 7:0 the trace ID, 63:60 the version of all else; 39:8 the sink
   if bits 59:56 are 1 or more (include/linux/coresight-pmu.h of Linux).  */
#define HW_ID_MASK 0xff
#define HW_ID_VERSION 60
enum { HW_ID_SINK = 8, HW_ID_MINOR = 56, HW_ID_MINOR_MASK = 0xf };

struct hardware_id
{
  uint32_t cpu, id;
  uint64_t sink;		/* And 1; 0: not told.  */
};

struct perf
{
  struct tb_maker maker;
  struct tb_diag *diag;
  const char *path;		/* Of the file itself.  */
  const struct tb_file *file;
  struct tb_perf_reader reader;
  struct tb_perf_units units;
  struct tb_perf_trace trace;
  struct tb_perf_files files;
  struct tb_perf_code code;
  struct tb_perf_kernel kernel;
  struct tb_perf_names names;
  struct tb_perf_order order;	/* What says whose code is where.  */
  struct tb_perf_switches switches;
  struct hardware_id *ids;
  size_t nids, ids_capacity;
  uint64_t strange_ids;		/* Records of another version.  */
};

/* Does PATH begin as such files do?  */
static bool
has_magic (const char *path)
{
  char head[sizeof MAGIC - 1];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return false;
  ssize_t n = tb_read_all (fd, head, sizeof head);
  close (fd);
  return n == sizeof head && memcmp (head, MAGIC, sizeof head) == 0;
}

/* If PATH is a folder, put the file of it into FILE, of SIZE bytes.  */
static bool
in_folder (const char *path, char *file, size_t size)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISDIR (st.st_mode)
	 && (size_t) snprintf (file, size, "%s/data", path) < size;
}

bool
tb_perf_is_file (const char *path)
{
  char inner[4096];
  return in_folder (path, inner, sizeof inner) ? has_magic (inner) : has_magic (path);
}

/* RECORD says which trace ID the CPU's unit had.  */
static void
take_id (struct perf *p, const struct tb_perf_record *record)
{
  uint64_t told = tb_number_64 (record->bytes + TB_PERF_HEAD);
  if (told >> HW_ID_VERSION != 0 || !record->has_cpu)
    {
      p->strange_ids++;
      return;
    }
  if (!TB_GROW (p->ids, p->ids_capacity, p->nids, 1))
    {
      tb_no_memory (&p->maker.reader);
      return;
    }
  p->ids[p->nids++] = (struct hardware_id) {
    .cpu = record->cpu, .id = (uint32_t) (told & HW_ID_MASK),
    .sink = (told >> HW_ID_MINOR & HW_ID_MINOR_MASK) == 0 ? 0
	    : UINT64_C (1) + (uint32_t) (told >> HW_ID_SINK)
  };
}

static void
take_record (void *context, const struct tb_perf_record *record)
{
  struct perf *p = context;
  switch (record->type)
    {
    case TB_PERF_AUXTRACE_INFO:
      if (tb_number_32 (record->bytes + 8) != AUXTRACE_CS_ETM)
	tb_perf_fail (&p->reader, record->at + 8, "trace of CoreSight (3)",
		      tb_number_32 (record->bytes + 8));
      else if (p->units.count == 0)
	tb_perf_units_read (&p->units, &p->maker, record->bytes + 16, record->length - 16,
			    record->at + 16);
      break;
    case TB_PERF_AUX:
    case TB_PERF_AUXTRACE:
      if (!tb_perf_trace_take (&p->trace, record))
	tb_no_memory (&p->maker.reader);
      break;
    case TB_PERF_AUX_OUTPUT_HW_ID:
      take_id (p, record);
      break;
    case TB_PERF_TIME_CONV:
      tb_perf_clock_read (&p->maker.clock, record);
      break;
    case TB_PERF_SWITCH_CPU_WIDE:
    case TB_PERF_LOST:
      if (!tb_perf_switches_take (&p->switches, record))
	tb_no_memory (&p->maker.reader);
      if (record->type == TB_PERF_SWITCH_CPU_WIDE)
	tb_perf_code_take (&p->code, record);
      break;
    case TB_PERF_MMAP:
    case TB_PERF_MMAP2:
    case TB_PERF_COMM:
    case TB_PERF_FORK:
      if (!tb_perf_order_keep (&p->order, record))
	tb_no_memory (&p->maker.reader);
      break;
    default:
      tb_perf_code_take (&p->code, record);
    }
}

/* The same of those that were kept.  */
static void
take_ordered (void *context, const struct tb_perf_record *record)
{
  struct perf *p = context;
  if (record->type == TB_PERF_MMAP || record->type == TB_PERF_MMAP2)
    tb_perf_kernel_take (&p->kernel, record);
  if (record->type == TB_PERF_COMM && !tb_perf_names_take (&p->names, record))
    tb_no_memory (&p->maker.reader);
  tb_perf_code_take (&p->code, record);
}

/* "data.1" before "data.10".  */
static int
compare_names (const void *left, const void *right)
{
  return strverscmp (*(char *const *) left, *(char *const *) right);
}

/* Of a folder: is ENTRY a file of records?  */
static bool
is_part (const char *entry)
{
  return strncmp (entry, "data.", 5) == 0 && entry[5] != 0;
}

/* Read the files of records that the threads of perf wrote into FOLDER.  */
static void
read_parts (struct perf *p, const char *folder)
{
  struct tb_reader *reader = &p->maker.reader;
  char **names = NULL;
  size_t count = 0, capacity = 0;
  struct dirent *entry;
  DIR *dir = opendir (folder);
  if (dir == NULL)
    {
      tb_error (p->diag, "%s: cannot list the files of perf's threads: %s", folder,
		strerror (errno));
      reader->status = TB_ERR_IO;
    }
  while (dir != NULL && reader->status == TB_OK && (entry = readdir (dir)) != NULL)
    {
      bool room = TB_GROW (names, capacity, count, 1);
      if (!is_part (entry->d_name))
	continue;
      if (!room || asprintf (&names[count], "%s/%s", folder, entry->d_name) < 0)
	tb_no_memory (reader);
      else
	count++;
    }
  if (dir != NULL)
    closedir (dir);
  if (count > 1)
    qsort (names, count, sizeof *names, compare_names);
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_file *file = tb_maker_file (&p->maker, names[i]);
      if (file != NULL && reader->status == TB_OK)
	{
	  tb_perf_reader_next (&p->reader, names[i], &file->map);
	  tb_perf_read_records (&p->reader, 0, file->map.size);
	  tb_perf_reader_next (&p->reader, p->path, &p->file->map);
	}
      free (names[i]);
    }
  free (names);
}

/* Read the list of build IDs: LENGTH bytes at byte AT.  */
static void
read_build_ids (struct perf *p, uint64_t at, uint64_t length)
{
  while (length > LISTED_NAME && p->maker.reader.status == TB_OK)
    {
      const uint8_t *entry = p->file->map.data + at;
      size_t size = tb_number_16 (entry + 6);
      struct tb_perf_build_id id = { .size = TB_PERF_BUILD_ID };
      const char *name = (const char *) entry + LISTED_NAME;
      if (size <= LISTED_NAME || size > length
	  || memchr (name, 0, size - LISTED_NAME) == NULL)
	{
	  tb_warning (p->diag, "%s: byte %#" PRIx64 ": expected a build ID with a file's name, "
		      "of %d bytes at least, found %zu where there are %" PRIu64 ": those from "
		      "there on are left out", p->path, at, LISTED_NAME + 1, size, length);
	  return;
	}
      memcpy (id.bytes, entry + LISTED_ID, TB_PERF_BUILD_ID);
      if (tb_number_16 (entry + 4) & LISTED_SIZED
	  && entry[LISTED_ID + TB_PERF_BUILD_ID] <= TB_PERF_BUILD_ID)
	id.size = entry[LISTED_ID + TB_PERF_BUILD_ID];
      if (strncmp (name, TB_PERF_KERNEL_NAME, sizeof TB_PERF_KERNEL_NAME - 1) == 0)
	p->kernel.id = id;
      else if (id.size > 0)
	tb_perf_files_note (&p->files, name, &id);
      at += size;
      length -= size;
    }
}

/* What of the sections behind the data is read before the records, and what behind them.  */
enum stage { BEFORE, BEHIND };

/* Read the sections that the header names; the first one's place is at byte AT.  */
static void
read_features (struct perf *p, uint64_t at, enum stage stage)
{
  const uint8_t *data = p->file->map.data;
  uint64_t size = p->file->map.size;
  for (unsigned bit = 0; bit < 64 * FEATURE_WORDS; bit++)
    {
      if (!(data[HEADER_FEATURES + bit / 8] >> bit % 8 & 1))
	continue;
      if (at > size || size - at < 16)
	return;			/* perf did not end; that was told.  */
      uint64_t from = tb_number_64 (data + at), length = tb_number_64 (data + at + 8);
      at += 16;
      bool wanted = stage == BEFORE ? bit == FEATURE_BUILD_ID || bit == FEATURE_RELEASE
		    : bit == FEATURE_BPF;
      if (!wanted)
	continue;
      if (from > size || length > size - from)
	{
	  tb_warning (p->diag, "%s: byte %#" PRIx64 ": expected section %u inside of the file, "
		      "found %" PRIu64 " bytes at %#" PRIx64 ": it is left out", p->path,
		      at - 16, bit, length, from);
	  continue;
	}
      if (bit == FEATURE_BUILD_ID)
	read_build_ids (p, from, length);
      else if (bit == FEATURE_BPF)
	tb_perf_kernel_bpf (&p->kernel, &p->maker, p->units.items[0].core, p->file, from,
			    length);
      else if (length > 4 && memchr (data + from + 4, 0, length - 4) != NULL)
	snprintf (p->kernel.release, sizeof p->kernel.release, "%s",
		  (const char *) data + from + 4);
    }
}

/* Say what was left out.  */
static void
say_rest (struct perf *p)
{
  struct tb_perf_files *files = &p->files;
  if (p->reader.compressed > 0)
    tb_warning (p->diag, "%s: %zu compressed records are passed over, and the maps of code "
		"that may be in them%s; \"perf inject -i %s -o FILE\" writes them plain",
		p->path, p->reader.compressed,
		tb_perf_unpacks () ? "" : ": this was built without zstd", p->path);
  if (files->other > 0)
    tb_warning (p->diag, "%s: %zu files are others than those that perf saw, by their build "
		"IDs, %s first; they are not read", p->path, files->other, files->first_other);
  if (files->missing > 0)
    tb_warning (p->diag, "%s: code of %zu files is not read: %s", p->path, files->missing,
		files->sysroot != NULL
		? "they are not below --sysroot, nor in the caches of build IDs"
		: "--sysroot=FOLDER says where the files of the target are");
  if (p->code.anonymous > 0)
    tb_note (p->diag, "%s: %zu maps are of code that is in no file", p->path,
	     p->code.anonymous);
  if (p->code.disputed > 0 && p->code.shared)
    tb_warning (p->diag, "%s: the trace names no contexts, and processes have different code at "
		"%" PRIu64 " addresses (the first is %#" PRIx64 "): what is there is not known; "
		"\"perf record -e cs_etm/contextid/u\" tells the processes apart", p->path,
		p->code.disputed, p->code.first_disputed);
  if (p->code.changing > 0)
    tb_warning (p->diag, "%s: %zu processes had different code at one address at different times, "
		"or others had their numbers before: what is at these %" PRIu64 " addresses "
		"(the first is %#" PRIx64 ", of process %" PRIu32 ") is not known", p->path,
		p->code.changing, p->code.changed, p->code.first_changed,
		p->code.first_changing);
  if (p->code.refused > 0)
    tb_warning (p->diag, "%s: expected at most %d processes with code of their own, found %zu "
		"more, whose code is not read", p->path, TB_SPACE_LIMIT - TB_SPACE_CONTEXTS - 2,
		p->code.refused);
  if (p->code.uncollected > 0)
    tb_warning (p->diag, "%s: expected at most %zu maps of code in all processes, those that "
		"they have of others included, found more: what %zu processes have is no context "
		"of its own", p->path, TB_PERF_MOST_MAPS, p->code.uncollected);
  if (p->switches.broken > 0)
    tb_warning (p->diag, "%s: of %zu CPUs records of which thread ran are missing: what was there "
		"when is not taken from them", p->path, p->switches.broken);
  if (p->strange_ids > 0)
    tb_warning (p->diag, "%s: %" PRIu64 " records of trace IDs are of a version that is not "
		"known, or of no CPU: they are passed over", p->path, p->strange_ids);
}

/* Give the cores their memory.  */
static void
make_code (struct perf *p, const char *folder, uint64_t features)
{
  size_t core = p->units.items[0].core;
  tb_perf_code_make (&p->code, &p->units, &p->maker);
  tb_perf_names_make (&p->names, &p->code, tb_perf_units_naming (&p->units), &p->maker);
  if (p->names.nshared != 0)
    tb_warning (p->diag, "%s: %zu numbers, %" PRIu32 " first, were those of threads of several "
		"processes in turn: these have no recordings of their own", p->path,
		p->names.nshared, p->names.first_shared);
  bool kernel = folder != NULL
		&& tb_perf_kernel_copied (&p->kernel, &p->maker, core, folder);
  if (!kernel)
    kernel = tb_perf_kernel_file (&p->kernel, &p->maker, core, &p->files);
  if (!kernel && p->kernel.reference != 0)
    tb_note (p->diag, "%s: the kernel's code is not read; perf record --kcore copies it",
	     p->path);
  else if (folder == NULL && p->kernel.modules > 0)
    tb_note (p->diag, "%s: code of %zu modules of the kernel is not read; perf record --kcore "
	     "copies it", p->path, p->kernel.modules);
  read_features (p, features, BEHIND);
}

/* Read the file, which is mapped.  FOLDER: that it is in; or NULL.  */
static void
read_file (struct perf *p, const char *folder)
{
  const uint8_t *data = p->file->map.data;
  struct tb_reader *reader = &p->maker.reader;
  uint64_t size = p->file->map.size;
  uint64_t header = size >= 16 ? tb_number_64 (data + 8) : 0;
  if (header == PIPE_HEADER_SIZE)
    {
      tb_error (p->diag, "%s: expected a file of perf, found what it writes into a pipe; "
		"\"perf inject -i %s -o FILE\" makes a file of it", p->path, p->path);
      reader->status = TB_ERR_UNSUPPORTED;
      return;
    }
  if (size < HEADER_SIZE || header < HEADER_SIZE)
    {
      tb_perf_fail (&p->reader, 8, "a header of 104 bytes at least",
		    size < HEADER_SIZE ? size : header);
      return;
    }
  uint64_t at = tb_number_64 (data + HEADER_DATA), length = tb_number_64 (data + HEADER_DATA + 8);
  if (at > size)
    {
      tb_perf_fail (&p->reader, HEADER_DATA, "data inside of the file", at);
      return;
    }
  if (length == 0 || length > size - at)
    {
      tb_warning (p->diag, "%s: byte 0x30: expected the size of the data, found %" PRIu64
		  " where the file has %" PRIu64 ": perf did not end, or the file is cut",
		  p->path, length, size - at);
      length = size - at;
    }
  tb_perf_read_events (&p->reader, tb_number_64 (data + HEADER_ATTRS),
		       tb_number_64 (data + HEADER_ATTRS + 8),
		       tb_number_64 (data + HEADER_ATTR_SIZE));
  read_features (p, at + length, BEFORE);
  tb_perf_read_records (&p->reader, at, length);
  if (folder != NULL && reader->status == TB_OK)
    read_parts (p, folder);
  if (reader->status == TB_OK)
    tb_perf_order_give (&p->order, take_ordered, p);
  if (reader->status == TB_OK && p->units.count == 0)
    {
      tb_error (p->diag, "%s: expected trace of CoreSight (a record AUXTRACE_INFO), found "
		"none; \"perf record -e cs_etm// ...\" records it", p->path);
      reader->status = TB_ERR_INPUT;
    }
  if (reader->status != TB_OK)
    return;
  for (size_t i = 0; i < p->nids; i++)
    tb_perf_units_set_id (&p->units, &p->maker, p->ids[i].cpu, p->ids[i].id,
			  p->ids[i].sink);
  if (!tb_perf_switches_make (&p->switches, &p->units, &p->maker))
    tb_no_memory (reader);
  /* Timestamps are of the counter that the kernel's clock is made of in a unit that says so.  */
  p->maker.clock.known &= p->units.virtual_time && !p->reader.other_clock;
  make_code (p, folder, at + length);
  tb_perf_trace_make (&p->trace, &p->units, &p->maker, tb_perf_code_space, &p->code);
  for (size_t i = 0; i < p->maker.ndevices; i++)
    if (i != p->units.items[0].core && tb_maker_is_core (&p->maker, i))
      tb_maker_same_dumps (&p->maker, i, p->units.items[0].core);
  say_rest (p);
}

enum tb_status
tb_perf_read (struct tb_snapshot *snapshot, const char *path, const char *type,
	      const char *sysroot, struct tb_diag *diag)
{
  char inner[4096];
  bool folder = in_folder (path, inner, sizeof inner);
  const char *name = folder ? inner : path;
  struct perf p = {
    .diag = diag, .path = name, .units = { .path = name, .type = type },
    .kernel = { .path = name }
  };
  tb_maker_init (&p.maker, snapshot, name, diag);
  p.file = tb_maker_file (&p.maker, name);
  p.files = (struct tb_perf_files) { .maker = &p.maker, .sysroot = sysroot };
  p.code.files = &p.files;
  if (p.file != NULL)
    {
      p.reader = (struct tb_perf_reader) {
	.maker = &p.maker, .path = name, .map = &p.file->map, .take = take_record,
	.context = &p
      };
      read_file (&p, folder ? path : NULL);
    }
  free (p.ids);
  tb_perf_names_fini (&p.names);
  tb_perf_order_fini (&p.order);
  tb_perf_switches_fini (&p.switches);
  tb_perf_reader_fini (&p.reader);
  tb_perf_trace_fini (&p.trace);
  tb_perf_code_fini (&p.code);
  tb_perf_files_fini (&p.files);
  tb_perf_units_fini (&p.units);
  return tb_maker_finish (&p.maker);
}
