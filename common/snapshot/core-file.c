/* ELF core files.  See core-file.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/core-file.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/buffer.h"
#include "util/number.h"
#include "util/readall.h"

/* Room for names: registers, threads, segments.  */
#define NAME_ROOM 32
/* And so much of those of tasks: CONFIG_TASK_NAME_SIZE is 31.  */
#define TASK_ROOM 33

/* Registers of one thread: those of its NT_PRSTATUS, and the FP registers behind it.  */
#define MOST_REGS (34 + 32 + 2)

/* Where the registers are in NT_PRSTATUS, and the number of the thread (pr_pid).  */
struct layout
{
  size_t size, pid, regs;
};
static const struct layout layout_a32 = { 148, 24, 72 };
static const struct layout layout_a64 = { 392, 32, 112 };

/* A core file while it is read.  */
struct core_file
{
  struct tb_reader *reader;
  const char *path;
  const struct tb_filemap *map;
  Elf *elf;
  bool is_a64, is_m;
  const char *type;
  struct tb_device_reg regs[MOST_REGS];	/* Of the thread at hand.  */
  size_t nregs;
  uint32_t pid;
  size_t threads;
  struct tb_dump *dumps;
  size_t ndumps;
  /* NuttX: each note is of the task that it names.  */
  bool is_nuttx;
  const uint8_t *task;		/* Of the note NT_PRPSINFO before, TASK_LENGTH bytes.  */
  size_t task_length;
};

enum tb_core_file
tb_core_file_kind (const char *path)
{
  uint8_t head[20];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return TB_CORE_FILE_NONE;
  ssize_t n = tb_read_all (fd, head, sizeof head);
  close (fd);
  if (n != sizeof head || memcmp (head, ELFMAG, SELFMAG) != 0
      || head[EI_DATA] != ELFDATA2LSB || tb_number (&head[16], 2) != ET_CORE)
    return TB_CORE_FILE_NONE;
  unsigned machine = (unsigned) tb_number (&head[18], 2);
  return machine == EM_ARM && head[EI_CLASS] == ELFCLASS32 ? TB_CORE_FILE_A32
	 : machine == EM_AARCH64 && head[EI_CLASS] == ELFCLASS64 ? TB_CORE_FILE_A64
	 : TB_CORE_FILE_NONE;
}

static char *
keep_text (struct core_file *core, const char *text)
{
  char *kept = tb_pool_text (core->reader->store->pool, text, strlen (text));
  if (kept == NULL)
    tb_no_memory (core->reader);
  return kept;
}

/* Add the register NAME, whose value are the SIZE bytes at BYTES.  */
static void
add_reg (struct core_file *core, const char *name, const uint8_t *bytes, size_t size)
{
  const char *kept = keep_text (core, name);
  if (kept == NULL || core->nregs == MOST_REGS)
    return;
  core->regs[core->nregs++] = (struct tb_device_reg) {
    .name = kept, .bits = (unsigned) (8 * size), .bytes = bytes,
    .value = tb_number (bytes, size < 8 ? size : 8)
  };
}

static void
add_general (struct core_file *core, const uint8_t *regs)
{
  static const char *const last_a32[] = { "SP", "LR", "PC" };
  static const char *const last_a64[] = { "SP", "PC" };
  char name[NAME_ROOM];
  unsigned numbered = core->is_a64 ? 31 : 13, i;
  size_t size = core->is_a64 ? 8 : 4;
  for (i = 0; i < numbered; i++)
    {
      snprintf (name, sizeof name, "%c%u", core->is_a64 ? 'X' : 'R', i);
      add_reg (core, name, &regs[i * size], size);
    }
  size_t nlast = core->is_a64 ? 2 : 3;
  for (size_t k = 0; k < nlast; k++, i++)
    add_reg (core, (core->is_a64 ? last_a64 : last_a32)[k], &regs[i * size], size);
  /* 64 bits of A64 hold one of 32.  */
  add_reg (core, core->is_m ? "xPSR" : "CPSR", &regs[i * size], 4);
}

/* Let TEXT, of TASK_ROOM bytes, be the name of the task at hand, as a device may have it.  */
static void
name_task (const struct core_file *core, char *text)
{
  size_t n = 0;
  while (n < core->task_length && n < TASK_ROOM - 1 && core->task[n] != 0)
    {
      unsigned char c = core->task[n];
      text[n++] = c > ' ' && c < 0x7f && strchr ("=,;#[]()", c) == NULL ? (char) c : '_';
    }
  text[n] = 0;
  if (n == 0)
    strcpy (text, "task");
}

/* The thread at hand is whole: make a core of it.  */
static void
end_thread (struct core_file *core)
{
  struct tb_reader *reader = core->reader;
  if (core->nregs == 0 || reader->status != TB_OK)
    return;
  if (core->threads == TB_MAX_DEVICES - 1)
    {
      tb_error (reader->diag, "%s: expected at most %d threads, found more", core->path,
		TB_MAX_DEVICES - 1);
      reader->status = TB_ERR_INPUT;
      return;
    }
  /* And for what is found in its memory.  */
  struct tb_device *devices
    = realloc (reader->store->devices,
	       (core->threads + 1 + TB_FOUND_SOURCES) * sizeof *devices);
  if (devices != NULL)
    reader->store->devices = devices;
  char text[NAME_ROOM + TASK_ROOM] = "thread";
  if (core->task_length > 0)
    name_task (core, text);
  size_t length = strlen (text);
  snprintf (text + length, sizeof text - length, "_%u", core->pid);
  /* A debugger that does not know the numbers gives all the same one.  */
  for (size_t i = 0; i < core->threads; i++)
    if (strcmp (reader->store->devices[i].name, text) == 0)
      {
	length = strlen (text);
	snprintf (text + length, sizeof text - length, "_%zu", core->threads + 1);
	break;
      }
  const char *name = keep_text (core, core->threads == 0 && !core->is_nuttx ? "core" : text);
  struct tb_device_reg *regs = tb_pool_copy (reader->store->pool, core->regs,
					     core->nregs * sizeof *regs);
  if (devices == NULL || name == NULL || regs == NULL)
    {
      if (reader->status == TB_OK)
	tb_no_memory (reader);
      return;
    }
  devices[core->threads++] = (struct tb_device) {
    .name = name, .file = core->path, .class = TB_CLASS_CORE, .class_name = "core",
    .type = core->type, .location = "", .cluster = "", .regs = regs,
    .nregs = core->nregs, .late = core->is_nuttx
  };
  core->nregs = 0;
}

/* The SIZE bytes at DATA, of the file, are a note of TYPE.  */
static void
take_note (struct core_file *core, unsigned type, const uint8_t *data, size_t size)
{
  const struct layout *layout = core->is_a64 ? &layout_a64 : &layout_a32;
  char name[NAME_ROOM];
  switch (type)
    {
    case NT_PRSTATUS:
      /* Notes of FP registers behind it are not of the thread before, even if this one
	 is left out.  */
      end_thread (core);
      if (size != layout->size)
	{
	  tb_warning (core->reader->diag, "%s: expected notes NT_PRSTATUS of %zu bytes, "
		      "found one of %zu; this thread is left out", core->path,
		      layout->size, size);
	  return;
	}
      core->pid = (uint32_t) tb_number (&data[layout->pid], 4);
      add_general (core, &data[layout->regs]);
      break;
    case NT_ARM_VFP:		/* D0 to D31, FPSCR.  */
      if (core->is_a64 || core->nregs != 17 || size < 32 * 8 + 4)
	return;
      for (unsigned i = 0; i < 32; i++)
	{
	  snprintf (name, sizeof name, "D%u", i);
	  add_reg (core, name, &data[8 * i], 8);
	}
      add_reg (core, "FPSCR", &data[32 * 8], 4);
      break;
    case NT_FPREGSET:		/* A64: V0 to V31, FPSR, FPCR; else of the FPA.  */
      if (!core->is_a64 || core->nregs != 34 || size < 32 * 16 + 8)
	return;
      for (unsigned i = 0; i < 32; i++)
	{
	  snprintf (name, sizeof name, "V%u", i);
	  add_reg (core, name, &data[16 * i], 16);
	}
      add_reg (core, "FPSR", &data[32 * 16], 4);
      add_reg (core, "FPCR", &data[32 * 16 + 4], 4);
      break;
    }
}

/* How many of the LENGTH bytes from OFFSET on the file has.  */
static uint64_t
present (const struct core_file *core, uint64_t offset, uint64_t length)
{
  if (offset >= core->map->size)
    return 0;
  return length <= core->map->size - offset ? length : core->map->size - offset;
}

/* Are the LENGTH bytes NAME, which may end with a zero, the owner of notes of TYPE?  Others
   number theirs by themselves; but NuttX has the name of a task there, first in a note
   NT_PRPSINFO.  */
static bool
is_owner (struct core_file *core, const uint8_t *name, size_t length, unsigned type)
{
  if (type == NT_PRSTATUS && core->task != NULL && core->task_length == length
      && memcmp (core->task, name, length) == 0)
    return core->is_nuttx = true;
  const char *owner = type == NT_ARM_VFP ? "LINUX" : "CORE";
  if (length > 0 && name[length - 1] == 0)
    length--;
  return length == strlen (owner) && memcmp (name, owner, length) == 0;
}

static bool
is_zero (const uint8_t *bytes, size_t size)
{
  size_t i = 0;
  while (i < size && bytes[i] == 0)
    i++;
  return i == size;
}

static void
read_notes (struct core_file *core, const GElf_Phdr *segment)
{
  uint64_t size = present (core, segment->p_offset, segment->p_filesz);
  if (size < segment->p_filesz)
    tb_warning (core->reader->diag, "%s: expected %" PRIu64 " bytes of notes at %#" PRIx64
		", found %" PRIu64 ": the file is cut", core->path,
		(uint64_t) segment->p_filesz, (uint64_t) segment->p_offset, size);
  Elf_Data *data = size == 0 ? NULL
		   : elf_getdata_rawchunk (core->elf, (int64_t) segment->p_offset,
					   (size_t) size, ELF_T_NHDR);
  const uint8_t *bytes = core->map->data + segment->p_offset;
  GElf_Nhdr note;
  size_t at = 0, name, desc;
  while (data != NULL && core->reader->status == TB_OK && at < size)
    {
      size_t next = gelf_getnote (data, at, &note, &name, &desc);
      if (next == 0 || next > size || name > size || note.n_namesz > size - name
	  || desc > size || note.n_descsz > size - desc)
	{
	  /* Zeros may fill the segment up.  */
	  if (is_zero (&bytes[at], size - at))
	    return;
	  tb_warning (core->reader->diag, "%s: expected a note at %#" PRIx64 ", inside of "
		      "its segment of %" PRIu64 " bytes; it and what follows is left out",
		      core->path, (uint64_t) segment->p_offset + at, size);
	  return;
	}
      at = next;
      if (is_owner (core, &bytes[name], note.n_namesz, note.n_type))
	take_note (core, note.n_type, &bytes[desc], note.n_descsz);
      else if (note.n_type == NT_PRPSINFO)
	{
	  end_thread (core);
	  core->task = &bytes[name];
	  core->task_length = note.n_namesz;
	}
    }
}

/* Add the loadable SEGMENT, number INDEX.  */
static void
add_segment (struct core_file *core, const GElf_Phdr *segment, size_t index)
{
  struct tb_reader *reader = core->reader;
  uint64_t size = present (core, segment->p_offset, segment->p_filesz);
  char text[NAME_ROOM];
  if (size < segment->p_filesz)
    tb_warning (reader->diag, "%s: expected %" PRIu64 " bytes of segment %zu, memory at %#"
		PRIx64 ", found %" PRIu64 ": the file is cut", core->path,
		(uint64_t) segment->p_filesz, index, (uint64_t) segment->p_vaddr, size);
  if (size == 0)
    return;
  if (size - 1 > UINT64_MAX - segment->p_vaddr
      || (!core->is_a64 && size - 1 > UINT32_MAX - segment->p_vaddr))
    {
      tb_error (reader->diag, "%s: expected segment %zu, %" PRIu64 " bytes at %#" PRIx64
		", inside of the address space", core->path, index, size,
		(uint64_t) segment->p_vaddr);
      reader->status = TB_ERR_INPUT;
      return;
    }
  snprintf (text, sizeof text, "segment%zu", index);
  const char *section = keep_text (core, text);
  struct tb_buffer whole = { 0 };
  tb_buffer_printf (&whole, "%s [%s]", core->path, text);
  const char *name = whole.failed ? NULL
		     : tb_pool_text (reader->store->pool, (const char *) whole.data,
				     whole.size);
  tb_buffer_fini (&whole);
  if (section == NULL || name == NULL)
    {
      if (reader->status == TB_OK)
	tb_no_memory (reader);
      return;
    }
  core->dumps[core->ndumps++] = (struct tb_dump) {
    .section = section, .name = name, .path = core->path, .space = TB_SPACE_ANY,
    .address = segment->p_vaddr, .data = core->map->data + segment->p_offset,
    .length = size
  };
}

static void
read_segments (struct core_file *core)
{
  struct tb_reader *reader = core->reader;
  size_t count;
  GElf_Phdr segment;
  if (elf_getphdrnum (core->elf, &count) != 0 || count == 0)
    {
      tb_error (reader->diag, "%s: expected program headers, found none", core->path);
      reader->status = TB_ERR_INPUT;
      return;
    }
  if (count > TB_MAX_DUMPS)
    {
      tb_error (reader->diag, "%s: expected at most %d segments, found %zu", core->path,
		TB_MAX_DUMPS, count);
      reader->status = TB_ERR_INPUT;
      return;
    }
  core->dumps = tb_pool_alloc (reader->store->pool, count * sizeof *core->dumps);
  if (core->dumps == NULL)
    {
      tb_no_memory (reader);
      return;
    }
  for (size_t i = 0; i < count && reader->status == TB_OK; i++)
    if (gelf_getphdr (core->elf, (int) i, &segment) == NULL)
      {
	tb_error (reader->diag, "%s: expected %zu program headers, found that number %zu "
		  "lies behind the end of the file", core->path, count, i);
	reader->status = TB_ERR_INPUT;
      }
    else if (segment.p_type == PT_NOTE)
      read_notes (core, &segment);
    else if (segment.p_type == PT_LOAD)
      add_segment (core, &segment, i);
  end_thread (core);
}

/* What is read of FILE.  */
static void
read_core (struct core_file *core, const struct tb_file *file)
{
  struct tb_reader *reader = core->reader;
  struct tb_snapshot *snapshot = reader->snapshot;
  elf_version (EV_CURRENT);
  core->map = &file->map;
  core->elf = elf_memory ((char *) file->map.data, file->map.size);
  if (core->elf == NULL)
    {
      tb_error (reader->diag, "%s: expected an ELF core file: %s", core->path,
		elf_errmsg (-1));
      reader->status = TB_ERR_INPUT;
      return;
    }
  read_segments (core);
  elf_end (core->elf);
  if (reader->status != TB_OK)
    return;
  if (core->threads == 0)
    {
      tb_error (reader->diag, "%s: expected a note NT_PRSTATUS, which has the registers; "
		"found none", core->path);
      reader->status = TB_ERR_INPUT;
      return;
    }
  if (core->ndumps > TB_MAX_MAPPED_DUMPS / core->threads)
    {
      tb_error (reader->diag, "%s: expected at most %d segments of all threads together, "
		"found %zu of each of %zu", core->path, TB_MAX_MAPPED_DUMPS, core->ndumps,
		core->threads);
      reader->status = TB_ERR_INPUT;
      return;
    }
  for (size_t i = 0; i < core->threads; i++)
    {
      reader->store->devices[i].dumps = core->dumps;
      reader->store->devices[i].ndumps = core->ndumps;
    }
  snapshot->devices = reader->store->devices;
  snapshot->ndevices = core->threads;
}

void
tb_core_file_read (struct tb_reader *reader, const char *path, const char *type,
		   bool is_m)
{
  struct tb_snapshot *snapshot = reader->snapshot;
  struct core_file core = {
    .reader = reader, .is_a64 = tb_core_file_kind (path) == TB_CORE_FILE_A64,
    .is_m = is_m
  };
  const char *slash = strrchr (path, '/');
  struct objalloc *pool = reader->store->pool;
  char *resolved = realpath (path, NULL);
  core.path = keep_text (&core, path);
  core.type = keep_text (&core, type);
  snapshot->path = core.path;
  snapshot->directory = slash == NULL ? "."
			: tb_pool_text (pool, path, slash == path ? 1
							    : (size_t) (slash - path));
  snapshot->version = snapshot->description = "";
  if (snapshot->directory == NULL || resolved == NULL)
    tb_no_memory (reader);
  struct tb_file *file = reader->status == TB_OK ? tb_map_file (reader, NULL, resolved)
						  : NULL;
  free (resolved);
  if (file != NULL)
    read_core (&core, file);
}
