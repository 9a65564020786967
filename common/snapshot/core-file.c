/* ELF core files.  See core-file.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/core-file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/core-layout.h"
#include "snapshot/maker.h"
#include "snapshot/segments.h"
#include "util/number.h"
#include "util/readall.h"

/* Room for names: registers, threads.  */
#define NAME_ROOM 32
/* And so much of those of tasks: CONFIG_TASK_NAME_SIZE is 31.  */
#define TASK_ROOM 33

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
  struct tb_maker maker;
  struct tb_diag *diag;
  const char *path, *type;
  const struct tb_file *file;
  bool is_a64, is_m;
  bool bare;			/* No note has registers.  */
  size_t first;			/* The device of the first thread; TB_MADE_NONE: none yet.  */
  struct tb_buffer stacks;	/* The SP of each thread, 8 bytes.  */
  size_t thread;		/* That of which notes of FP registers are; TB_MADE_NONE.  */
  /* NuttX: each note is of the task that it names.  */
  bool is_nuttx;
  const uint8_t *task;		/* Of the note NT_PRPSINFO before, TASK_LENGTH bytes.  */
  size_t task_length;
  uint64_t task_at;		/* Where that note is in the file.  */
  bool task_open;		/* Its registers did not come yet.  */
  size_t lost;			/* Tasks that have a name or registers, not both, ...  */
  uint64_t lost_at;		/* ... and where the first of them is in the file.  */
  size_t odd;			/* Notes as large as NT_PRSTATUS of no such type, or owner, ...  */
  uint64_t odd_at;		/* ... and where the first of them is in the file.  */
  /* Notes of others, which are passed over, and the first of them.  */
  size_t passed;
  char passed_owner[NAME_ROOM];
  uint32_t passed_type;
  uint64_t notes_left;		/* Bytes of notes that there may still be.  */
  bool notes_told;		/* That there were more was said.  */
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

static bool
is_well (const struct core_file *core)
{
  return core->maker.reader.status == TB_OK;
}

/* Add the register NAME of the thread at hand, whose value are the SIZE bytes at BYTES.  */
static void
add_reg (struct core_file *core, const char *name, const uint8_t *bytes, unsigned size)
{
  tb_maker_reg_bytes (&core->maker, core->thread, name, -1, 8 * size, bytes);
}

/* The same for one that is called by LETTER and NUMBER.  */
static void
add_numbered (struct core_file *core, char letter, unsigned number, const uint8_t *bytes,
	      unsigned size)
{
  char name[NAME_ROOM];
  snprintf (name, sizeof name, "%c%u", letter, number);
  add_reg (core, name, bytes, size);
}

static void
add_general (struct core_file *core, const uint8_t *regs)
{
  static const char *const last_a32[] = { "SP", "LR", "PC" };
  static const char *const last_a64[] = { "SP", "PC" };
  unsigned numbered = core->is_a64 ? 31 : 13, size = core->is_a64 ? 8 : 4, i;
  for (i = 0; i < numbered; i++)
    add_numbered (core, core->is_a64 ? 'X' : 'R', i, &regs[i * size], size);
  unsigned nlast = core->is_a64 ? 2 : 3;
  tb_buffer_append_le (&core->stacks, tb_number (&regs[i * size], size), 8);
  for (unsigned k = 0; k < nlast; k++, i++)
    add_reg (core, (core->is_a64 ? last_a64 : last_a32)[k], &regs[i * size], size);
  /* 64 bits of A64 hold one of 32.  */
  add_reg (core, core->is_m ? "xPSR" : "CPSR", &regs[i * size], 4);
}

/* Add a core called NAME; all have the memory of the first.  */
static size_t
add_core (struct core_file *core, const char *name)
{
  size_t device = tb_maker_device (&core->maker, TB_CLASS_CORE,
				   core->first == TB_MADE_NONE && !core->is_nuttx ? "core" : name,
				   core->type, core->path);
  if (core->first == TB_MADE_NONE)
    core->first = device;
  else if (device != TB_MADE_NONE)
    tb_maker_same_dumps (&core->maker, device, core->first);
  return device;
}

/* Make a core of the thread PID, which becomes the one at hand.  */
static void
begin_thread (struct core_file *core, uint32_t pid)
{
  char text[NAME_ROOM + TASK_ROOM] = "thread";
  size_t length = 0;
  while (length < core->task_length && length < TASK_ROOM - 1 && core->task[length] != 0)
    length++;
  if (length > 0)
    snprintf (text, sizeof text, "%.*s", (int) length, (const char *) core->task);
  else if (core->task_length > 0)
    strcpy (text, "task");
  length = strlen (text);
  snprintf (text + length, sizeof text - length, "_%" PRIu32, pid);
  core->thread = add_core (core, text);
  if (core->is_nuttx && core->thread != TB_MADE_NONE)
    tb_maker_late (&core->maker, core->thread);
}

/* The SIZE bytes at DATA, of the file, are a note of TYPE.  */
static void
take_note (struct core_file *core, unsigned type, const uint8_t *data, size_t size)
{
  const struct layout *layout = core->is_a64 ? &layout_a64 : &layout_a32;
  if (type == NT_PRSTATUS)
    {
      /* Notes of FP registers behind it are not of the thread before, even if this one
	 is left out.  */
      core->thread = TB_MADE_NONE;
      if (size != layout->size)
	{
	  tb_warning (core->diag, "%s: expected notes NT_PRSTATUS of %zu bytes, found one of %zu; "
		      "this thread is left out", core->path, layout->size, size);
	  return;
	}
      begin_thread (core, tb_number_32 (&data[layout->pid]));
      if (core->thread != TB_MADE_NONE)
	add_general (core, &data[layout->regs]);
    }
  /* These are of the process.  */
  struct tb_loaded *loaded = &core->maker.reader.snapshot->loaded;
  if (type == NT_AUXV && loaded->vector == NULL)
    loaded->vector = data, loaded->vector_size = size;
  if (type == NT_FILE && loaded->files == NULL)
    loaded->files = data, loaded->files_size = size;
  loaded->word = core->is_a64 ? 8 : 4;
  /* Those of FP registers are of the thread before.  */
  if (core->thread == TB_MADE_NONE)
    return;
  if (type == NT_ARM_VFP && !core->is_a64 && size >= 32 * 8 + 4)
    {
      /* D0 to D31, FPSCR.  */
      for (unsigned i = 0; i < 32; i++)
	add_numbered (core, 'D', i, &data[8 * i], 8);
      add_reg (core, "FPSCR", &data[32 * 8], 4);
    }
  /* Of AArch32 it is of the FPA.  */
  if (type == NT_FPREGSET && core->is_a64 && size >= 32 * 16 + 8)
    {
      /* V0 to V31, FPSR, FPCR.  */
      for (unsigned i = 0; i < 32; i++)
	add_numbered (core, 'V', i, &data[16 * i], 16);
      add_reg (core, "FPSR", &data[32 * 16], 4);
      add_reg (core, "FPCR", &data[32 * 16 + 4], 4);
    }
}

/* NOTE at OFFSET is not taken for registers: could it be some whose type or owner is damaged?
   Other notes of the owner CORE have other sizes, but for the list of files, which may have
   any.  */
static void
look_odd (struct core_file *core, const GElf_Nhdr *note, bool is_owned, uint64_t offset)
{
  bool could = is_owned ? note->n_type != NT_PRSTATUS && note->n_type != NT_FILE
	       : note->n_type == NT_PRSTATUS;
  if (could && note->n_descsz == (core->is_a64 ? layout_a64 : layout_a32).size
      && core->odd++ == 0)
    core->odd_at = offset;
}

/* The note at OFFSET tells of a task that was left out.  */
static void
lose_task (struct core_file *core, uint64_t offset)
{
  if (core->lost++ == 0)
    core->lost_at = offset;
}

/* The note at OFFSET names the LENGTH bytes TASK, or nothing more comes (NULL).  */
static void
begin_task (struct core_file *core, uint64_t offset, const uint8_t *task, size_t length)
{
  if (core->task_open)
    lose_task (core, core->task_at);
  core->thread = TB_MADE_NONE;
  core->task = task;
  core->task_length = length;
  core->task_at = offset;
  core->task_open = task != NULL;
}

/* Are the LENGTH bytes NAME, which may end with a zero, the owner of notes of TYPE?  Others
   number theirs by themselves; but NuttX has the name of a task there, first in a note
   NT_PRPSINFO.  */
static bool
is_owner (struct core_file *core, const uint8_t *name, size_t length, unsigned type)
{
  if (type == NT_PRSTATUS && core->task != NULL && core->task_length == length
      && memcmp (core->task, name, length) == 0)
    {
      core->task_open = false;
      return core->is_nuttx = true;
    }
  const char *owner = type == NT_ARM_VFP ? "LINUX" : "CORE";
  if (length > 0 && name[length - 1] == 0)
    length--;
  return length == strlen (owner) && memcmp (name, owner, length) == 0;
}

/* A note of TYPE with the owner NAME, of LENGTH bytes, is passed over.  */
static void
pass_note (struct core_file *core, const uint8_t *name, size_t length, uint32_t type)
{
  if (core->passed++ == 0)
    {
      snprintf (core->passed_owner, sizeof core->passed_owner, "%.*s",
		(int) (length < NAME_ROOM ? length : NAME_ROOM), (const char *) name);
      core->passed_type = type;
    }
}

static bool
is_zero (const uint8_t *bytes, size_t size)
{
  size_t i = 0;
  while (i < size && bytes[i] == 0)
    i++;
  return i == size;
}

/* Read the notes of SEGMENT.  CONTEXT is a struct core_file, here and below.  */
static void
read_notes (void *context, const struct tb_segment *segment)
{
  struct core_file *core = context;
  uint64_t offset = segment->header.p_offset;
  size_t size = (size_t) segment->size, at = 0, name, desc;
  /* Any number of segments could have the same bytes.  */
  if (size > core->notes_left)
    {
      if (!core->notes_told)
	tb_warning (core->diag, "%s: expected notes of no more bytes together than the file has, "
		    "found more in segment %zu: they are left out", core->path, segment->number);
      core->notes_told = true;
      return;
    }
  core->notes_left -= size;
  Elf_Data *data = elf_getdata_rawchunk (segment->elf, (int64_t) offset, size, ELF_T_NHDR);
  /* The file has these bytes.  */
  if (data == NULL)
    core->maker.reader.status = TB_ERR_MEMORY;
  const uint8_t *bytes = core->file->map.data + offset;
  /* Whose note of that type is a build ID.  */
  static const char gnu[4] = "GNU";
  GElf_Nhdr note;
  while (data != NULL && is_well (core) && at < size)
    {
      size_t next = gelf_getnote (data, at, &note, &name, &desc);
      if (next == 0 || next > size || name > size || note.n_namesz > size - name
	  || desc > size || note.n_descsz > size - desc)
	{
	  /* Zeros may fill the segment up; but memory may be zeros as well.  */
	  if (at > 0 && is_zero (&bytes[at], size - at))
	    return;
	  tb_warning (core->diag, "%s: expected a note at %#" PRIx64 ", inside of its segment of "
		      "%zu bytes; it and what follows is left out", core->path, offset + at, size);
	  return;
	}
      uint64_t where = offset + at;
      at = next;
      bool is_owned = is_owner (core, &bytes[name], note.n_namesz, note.n_type);
      look_odd (core, &note, is_owned, where);
      if (is_owned)
	take_note (core, note.n_type, &bytes[desc], note.n_descsz);
      else if (note.n_type == NT_PRPSINFO
	       && !(note.n_namesz == sizeof gnu && memcmp (&bytes[name], gnu, sizeof gnu) == 0))
	begin_task (core, where, &bytes[name], note.n_namesz);
      else
	{
	  /* Of a task that has another name, or none.  */
	  if (note.n_type == NT_PRSTATUS
	      && note.n_descsz == (core->is_a64 ? layout_a64 : layout_a32).size)
	    {
	      core->task_open = false;
	      lose_task (core, where);
	    }
	  pass_note (core, &bytes[name], note.n_namesz, note.n_type);
	}
    }
}

/* Give the first thread the memory of SEGMENT.  */
static void
add_segment (void *context, const struct tb_segment *segment)
{
  struct core_file *core = context;
  uint64_t address = segment->header.p_vaddr;
  core->bare |= core->first == TB_MADE_NONE;
  if (core->first == TB_MADE_NONE && add_core (core, "core") == TB_MADE_NONE)
    return;
  if (segment->size - 1 > (core->is_a64 ? UINT64_MAX : UINT32_MAX) - address)
    {
      tb_error (core->diag, "%s: expected segment %zu, %" PRIu64 " bytes at %#" PRIx64
		", inside of the address space", core->path, segment->number, segment->size,
		address);
      core->maker.reader.status = TB_ERR_INPUT;
      return;
    }
  tb_maker_dump (&core->maker, core->first, core->file, segment->header.p_offset, segment->size,
		 TB_SPACE_ANY, address);
}

/* Call TAKE with the segments of TYPE.  */
static void
read_segments (struct core_file *core, uint32_t type,
	       void (*take) (void *context, const struct tb_segment *segment))
{
  if (!is_well (core))
    return;
  enum tb_status status = tb_segments (&core->file->map, core->path, type, 0, core->diag,
				       TB_ERROR, take, core);
  if (is_well (core))
    core->maker.reader.status = status;
}

/* Say of how many threads the stack is not in MEMORY.  Where the SP is right behind memory, nothing
   is on the stack.  */
static void
check_stacks (const struct core_file *core, const struct tb_extents *memory)
{
  size_t none = 0;
  uint64_t first = 0;
  for (size_t i = 0; i + 8 <= core->stacks.size && memory->count > 0; i += 8)
    {
      uint64_t sp = tb_number_64 (&core->stacks.data[i]);
      if (sp != 0 && !tb_extents_hit (memory, sp - 1, 2) && none++ == 0)
	first = sp;
    }
  if (none > 0)
    tb_note (core->diag, "%s: expected the memory of each thread's stack, found none of %zu "
	     "threads, the first with SP %#" PRIx64 ": it was not dumped, or the address of a "
	     "segment or the SP is damaged", core->path, none, first);
}

/* Check how the parts of the file lie in it, and where the threads' stacks are.  */
static void
check_layout (struct core_file *core)
{
  struct tb_extents memory = { 0 };
  if (is_well (core))
    core->maker.reader.status
      = tb_core_layout_check (&core->file->map, core->path, &memory, core->diag);
  if (is_well (core) && core->stacks.failed)
    core->maker.reader.status = TB_ERR_MEMORY;
  if (is_well (core))
    check_stacks (core, &memory);
  tb_extents_fini (&memory);
}

enum tb_status
tb_core_file_read (struct tb_snapshot *snapshot, const char *path, const char *type, bool is_m,
		   struct tb_diag *diag)
{
  struct core_file core = {
    .diag = diag, .path = path, .type = type, .is_m = is_m, .first = TB_MADE_NONE,
    .thread = TB_MADE_NONE, .is_a64 = tb_core_file_kind (path) == TB_CORE_FILE_A64
  };
  tb_maker_init (&core.maker, snapshot, path, diag);
  core.file = tb_maker_file (&core.maker, path);
  core.notes_left = core.file != NULL ? core.file->map.size : 0;
  read_segments (&core, PT_NOTE, read_notes);
  begin_task (&core, 0, NULL, 0);
  read_segments (&core, PT_LOAD, add_segment);
  check_layout (&core);
  /* Others than NuttX may have notes of these types for something else.  */
  if (is_well (&core) && core.is_nuttx && core.lost > 0)
    tb_warning (diag, "%s: expected of each task a note NT_PRPSINFO, and behind it one NT_PRSTATUS "
		"of the same name, which has the registers; found %zu without the other, the "
		"first at %#" PRIx64 ": these tasks are left out", path, core.lost, core.lost_at);
  if (is_well (&core) && !core.is_nuttx && core.odd > 0)
    tb_warning (diag, "%s: expected notes NT_PRSTATUS (type 1 of CORE), which have the registers "
		"of threads; found %zu as large, of another type or owner, the first at %#" PRIx64
		": if they are damaged, threads are left out", path, core.odd, core.odd_at);
  if (is_well (&core) && core.first == TB_MADE_NONE)
    {
      tb_error (diag, "%s: expected a note NT_PRSTATUS, which has the registers, or memory; found "
		"neither", path);
      core.maker.reader.status = TB_ERR_INPUT;
    }
  if (is_well (&core) && core.bare)
    tb_warning (diag, "%s: expected a note NT_PRSTATUS, which has the registers; found none, so "
		"that memory alone is known", path);
  if (is_well (&core) && core.passed > 0)
    tb_report (diag, core.bare ? TB_WARNING : TB_NOTE, "%s: notes that are passed over: %zu, the "
	       "first of owner \"%s\" and type %#" PRIx32, path, core.passed, core.passed_owner,
	       core.passed_type);
  tb_buffer_fini (&core.stacks);
  return tb_maker_finish (&core.maker);
}
