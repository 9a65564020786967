/* perf.data.  See perf-data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf-data.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snapshot/perf-units.h"
#include "util/buffer.h"

#define MAGIC "PERFILE2"
#define HEADER_SIZE 104
#define PIPE_HEADER_SIZE 16

/* Types of records: the kernel's, then perf's own.  */
enum
{
  RECORD_MMAP = 1, RECORD_MMAP2 = 10, RECORD_AUX = 11,
  RECORD_AUXTRACE_INFO = 70, RECORD_AUXTRACE = 71, RECORD_COMPRESSED = 81
};

#define RECORD_HEAD 8
#define AUXTRACE_CS_ETM 3
/* Bits of perf_event_attr and mmap records.  */
#define PROT_CODE 4
#define AUX_FLAG_RAW 0x100	/* PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW  */

/* A piece of one of perf's buffers.  */
struct aux_piece
{
  uint32_t index, cpu;		/* CPU: UINT32_MAX where it is a thread's.  */
  uint64_t offset;		/* Where perf had it in the buffer.  */
  const uint8_t *data;
  uint64_t size;
};

/* A file that was mapped.  */
struct mapped
{
  const struct tb_file *file;
  uint64_t address, size, offset;
};

/* More are not read; each is memory of each core.  */
#define MOST_MAPS 4096

struct perf
{
  struct tb_maker maker;
  struct tb_diag *diag;
  const char *path, *sysroot;
  const struct tb_filemap *map;
  struct tb_perf_units units;
  struct aux_piece *pieces;
  size_t npieces, capacity;
  struct mapped *maps;
  size_t nmaps, maps_capacity;
  size_t clashes;		/* Maps where another file was mapped, too.  */
  size_t compressed;		/* Records.  */
  size_t unread;		/* Mapped files that were not read.  */
  bool raw;			/* A buffer has the bytes of one source.  */
};

bool
tb_perf_is_file (const char *path)
{
  char head[sizeof MAGIC - 1];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return false;
  ssize_t n = read (fd, head, sizeof head);
  close (fd);
  return n == sizeof head && memcmp (head, MAGIC, sizeof head) == 0;
}

/* An error at byte AT.  */
static void
fail (struct perf *p, uint64_t at, const char *expected, uint64_t found)
{
  tb_error (p->diag, "%s: byte %#" PRIx64 ": expected %s, found %#" PRIx64, p->path, at,
	    expected, found);
  p->maker.reader.status = TB_ERR_INPUT;
}

static uint64_t
u64 (const uint8_t *bytes)
{
  return tb_perf_number (bytes, 8);
}

static uint32_t
u32 (const uint8_t *bytes)
{
  return (uint32_t) tb_perf_number (bytes, 4);
}

/* Let all cores have MAPPED, if it is not there, or nothing else is.  */
static void
add_map (struct perf *p, const struct mapped *mapped)
{
  for (size_t i = 0; i < p->nmaps; i++)
    {
      const struct mapped *one = &p->maps[i];
      bool shares = mapped->address - one->address < one->size
		    || one->address - mapped->address < mapped->size;
      if (!shares)
	continue;
      /* Processes may have different code at one address; a core has one memory.  */
      p->clashes += one->file != mapped->file
		    || one->offset - one->address != mapped->offset - mapped->address;
      return;
    }
  void *items = p->maps;
  if (p->nmaps == MOST_MAPS)
    {
      p->unread++;
      return;
    }
  if (!tb_grow (&items, &p->maps_capacity, p->nmaps, 1, sizeof *p->maps))
    {
      tb_no_memory (&p->maker.reader);
      return;
    }
  p->maps = items;
  p->maps[p->nmaps++] = *mapped;
  for (size_t i = 0; i < p->units.count; i++)
    tb_maker_dump (&p->maker, p->units.items[i].core, mapped->file, mapped->offset,
		   mapped->size, TB_SPACE_ANY, mapped->address);
}

/* Does PATH lead upwards anywhere?  */
static bool
leads_up (const char *path)
{
  for (; (path = strstr (path, "/..")) != NULL; path++)
    if (path[3] == '/' || path[3] == '\0')
      return true;
  return false;
}

/* The LENGTH bytes RECORD map code of a file, whose name begins at byte NAME.  */
static void
take_map (struct perf *p, const uint8_t *record, size_t length, size_t name)
{
  const uint64_t address = u64 (record + 16), size = u64 (record + 24);
  const uint64_t offset = u64 (record + 32);
  const char *file = (const char *) record + name;
  /* Names in brackets, and of the kernel, are no files.  */
  if (memchr (file, 0, length - name) == NULL || *file != '/' || size == 0)
    return;
  struct tb_buffer whole = { 0 };
  tb_buffer_printf (&whole, "%s%s", p->sysroot != NULL ? p->sysroot : "", file);
  tb_buffer_append (&whole, "", 1);
  struct stat st;
  if (whole.failed)
    tb_no_memory (&p->maker.reader);
  /* The kernel has no such names; they would lead out of the folder.  */
  else if (p->sysroot == NULL || leads_up (file) || stat ((const char *) whole.data, &st) != 0
	   || !S_ISREG (st.st_mode))
    p->unread++;
  else
    {
      const struct tb_file *mapped = tb_maker_file (&p->maker, (const char *) whole.data);
      if (mapped != NULL && offset < mapped->map.size)
	{
	  uint64_t left = mapped->map.size - offset;
	  add_map (p, &(struct mapped) {
	    .file = mapped, .address = address, .size = size < left ? size : left,
	    .offset = offset
	  });
	}
    }
  tb_buffer_fini (&whole);
}

/* Note the trace behind RECORD: SIZE bytes DATA.  */
static void
take_trace (struct perf *p, const uint8_t *record, const uint8_t *data, uint64_t size)
{
  void *items = p->pieces;
  if (!tb_grow (&items, &p->capacity, p->npieces, 1, sizeof *p->pieces))
    {
      tb_no_memory (&p->maker.reader);
      return;
    }
  p->pieces = items;
  p->pieces[p->npieces++] = (struct aux_piece) {
    .index = u32 (record + 32), .cpu = u32 (record + 40), .offset = u64 (record + 16),
    .data = data, .size = size
  };
}

/* Read the record of LENGTH bytes at AT of the file.  FIRST: metadata of trace units alone,
   which all else refers to.  Returns how many bytes of trace are behind it.  */
static uint64_t
read_record (struct perf *p, uint64_t at, size_t length, uint64_t left, bool first)
{
  const uint8_t *record = p->map->data + at;
  uint32_t type = u32 (record);
  static const struct { uint32_t type; size_t least; } least[] = {
    { RECORD_MMAP, 41 }, { RECORD_MMAP2, 73 }, { RECORD_AUX, 32 },
    { RECORD_AUXTRACE_INFO, 16 }, { RECORD_AUXTRACE, 48 }
  };
  for (size_t i = 0; i < sizeof least / sizeof least[0]; i++)
    if (least[i].type == type && length < least[i].least)
      {
	fail (p, at + 6, "a longer record of its type", length);
	return 0;
      }
  switch (type)
    {
    case RECORD_AUXTRACE_INFO:
      if (!first)
	break;
      if (u32 (record + 8) != AUXTRACE_CS_ETM)
	fail (p, at + 8, "trace of CoreSight (3)", u32 (record + 8));
      else
	tb_perf_units_read (&p->units, &p->maker, record + 16, length - 16, at + 16);
      break;
    case RECORD_MMAP:
      if (!first)
	take_map (p, record, length, 40);
      break;
    case RECORD_MMAP2:
      if (!first && (u32 (record + 64) & PROT_CODE))
	take_map (p, record, length, 72);
      break;
    case RECORD_AUX:
      p->raw |= (u64 (record + 24) & AUX_FLAG_RAW) != 0;
      break;
    case RECORD_COMPRESSED:
      p->compressed += first;
      break;
    case RECORD_AUXTRACE:
      {
	uint64_t size = u64 (record + 8);
	if (size > left)
	  {
	    if (first)
	      tb_warning (p->diag, "%s: byte %#" PRIx64 ": expected %" PRIu64 " bytes of trace, "
			  "found %" PRIu64 ": the file is cut", p->path, at, size, left);
	    size = left;
	  }
	if (!first)
	  take_trace (p, record, record + length, size);
	return size;
      }
    }
  return 0;
}

/* Read all records of the data section, FIRST as read_record has it.  */
static void
read_records (struct perf *p, uint64_t at, uint64_t size, bool first)
{
  uint64_t end = at + size;
  while (p->maker.reader.status == TB_OK && end - at >= RECORD_HEAD)
    {
      size_t length = (size_t) tb_perf_number (p->map->data + at + 6, 2);
      if (length < RECORD_HEAD || length > end - at)
	{
	  if (length >= RECORD_HEAD)
	    {
	      if (first)
		tb_warning (p->diag, "%s: byte %#" PRIx64 ": expected a record of %zu bytes, "
			    "found the end of the data: the file is cut", p->path, at, length);
	      return;
	    }
	  fail (p, at + 6, "the size of a record, 8 at least", length);
	  return;
	}
      uint64_t more = read_record (p, at, length, end - at - length, first);
      at += length + more;
    }
}

/* By buffer, then by where they were in it.  */
static int
compare (const void *left, const void *right)
{
  const struct aux_piece *a = left, *b = right;
  if (a->index != b->index)
    return a->index < b->index ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Make buffers of the pieces.  */
static void
make_buffers (struct perf *p)
{
  struct tb_maker *m = &p->maker;
  if (p->npieces > 0)
    qsort (p->pieces, p->npieces, sizeof *p->pieces, compare);
  for (size_t i = 0, next; i < p->npieces && m->reader.status == TB_OK; i = next)
    {
      const struct aux_piece *piece = &p->pieces[i];
      char name[32];
      snprintf (name, sizeof name, "aux%" PRIu32, piece->index);
      size_t buffer = tb_maker_buffer (m, name, p->raw ? TB_FORMAT_SOURCE_DATA
						       : TB_FORMAT_CORESIGHT);
      uint64_t end = piece->offset;
      for (next = i; next < p->npieces && p->pieces[next].index == piece->index; next++)
	{
	  const struct aux_piece *one = &p->pieces[next];
	  /* What is there twice was read twice.  */
	  uint64_t skip = one->offset < end ? end - one->offset : 0;
	  if (skip >= one->size)
	    continue;
	  tb_maker_span (m, buffer, one->data + skip, one->size - skip);
	  end = one->offset + one->size;
	}
      for (size_t k = 0; k < p->units.count; k++)
	{
	  const struct tb_perf_unit *unit = &p->units.items[k];
	  /* A thread's trace comes from any CPU.  */
	  if (piece->cpu == UINT32_MAX || piece->cpu == unit->cpu)
	    tb_maker_stream (m, unit->source, unit->core, buffer);
	}
    }
}

/* Read the file, which is mapped.  */
static void
read_file (struct perf *p)
{
  const uint8_t *data = p->map->data;
  uint64_t size = p->map->size;
  uint64_t header = size >= 16 ? u64 (data + 8) : 0;
  if (header == PIPE_HEADER_SIZE)
    {
      tb_error (p->diag, "%s: expected a file of perf, found what it writes into a pipe; "
		"\"perf inject -i %s -o FILE\" makes a file of it", p->path, p->path);
      p->maker.reader.status = TB_ERR_UNSUPPORTED;
      return;
    }
  if (size < HEADER_SIZE || header < HEADER_SIZE)
    {
      fail (p, 8, "a header of 104 bytes at least", size < HEADER_SIZE ? size : header);
      return;
    }
  uint64_t at = u64 (data + 40), length = u64 (data + 48);
  if (at > size)
    {
      fail (p, 40, "data inside of the file", at);
      return;
    }
  if (length == 0 || length > size - at)
    {
      tb_warning (p->diag, "%s: byte 0x30: expected the size of the data, found %" PRIu64
		  " where the file has %" PRIu64 ": perf did not end, or the file is cut",
		  p->path, length, size - at);
      length = size - at;
    }
  read_records (p, at, length, true);
  if (p->maker.reader.status == TB_OK && p->units.count == 0)
    {
      tb_error (p->diag, "%s: expected trace of CoreSight (a record AUXTRACE_INFO), found "
		"none; \"perf record -e cs_etm// ...\" records it", p->path);
      p->maker.reader.status = TB_ERR_INPUT;
    }
  if (p->maker.reader.status == TB_OK)
    read_records (p, at, length, false);
  make_buffers (p);
  if (p->compressed > 0)
    tb_warning (p->diag, "%s: %zu compressed records are passed over, and the maps of code "
		"that may be in them; \"perf inject -i %s -o FILE\" writes them plain", p->path,
		p->compressed, p->path);
  if (p->clashes > 0)
    tb_warning (p->diag, "%s: %zu maps are passed over, at addresses where another process has "
		"other code", p->path, p->clashes);
  if (p->unread > 0)
    tb_warning (p->diag, "%s: code of %zu maps is not read: %s", p->path, p->unread,
		p->sysroot != NULL ? "there are no such files below --sysroot"
		: "--sysroot=FOLDER says where the files of the target are");
}

enum tb_status
tb_perf_read (struct tb_snapshot *snapshot, const char *path, const char *type,
	      const char *sysroot, struct tb_diag *diag)
{
  struct perf p = {
    .diag = diag, .path = path, .sysroot = sysroot, .units = { .path = path, .type = type }
  };
  tb_maker_init (&p.maker, snapshot, path, diag);
  const struct tb_file *file = tb_maker_file (&p.maker, path);
  if (file != NULL)
    {
      p.map = &file->map;
      read_file (&p);
    }
  free (p.pieces);
  free (p.maps);
  tb_perf_units_fini (&p.units);
  return tb_maker_finish (&p.maker);
}
