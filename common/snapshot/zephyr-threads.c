/* Zephyr's threads.  See zephyr-threads.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/zephyr-threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "snapshot/elf-image.h"
#include "snapshot/m-frame.h"
#include "util/number.h"

/* The table's entries: where things are in the kernel's structure, in a thread's (its state in
   the first part of that), and in the part of it that is the architecture's.  */
enum
{
  IN_VERSION, IN_CURRENT, IN_THREADS, IN_ENTRY, IN_NEXT, IN_STATE, IN_OPTIONS, IN_PRIORITY,
  IN_STACK, IN_NAME, IN_ARCH, IN_PREEMPT_FLOAT, IN_COOP_FLOAT, IN_EXC_RETURN, IN_ENTRIES
};
/* What is not there.  */
#define NOWHERE UINT32_MAX

/* No real system has more.  */
#define MOST_THREADS 1024

/* Regions of memory that are looked at for them: far more than real dumps have, and a second or
   two of a dump that was made to have many.  */
#define MOST_LOOKED (UINT64_C (1) << 28)

/* Of a thread's name so much is read (CONFIG_THREAD_MAX_NAME_LEN is 32).  */
#define NAME_ROOM 64

/* Of xPSR: the number of the exception that is handled.  */
#define HANDLER UINT32_C (0x1ff)

/* R4 to R11 stand before the stack pointer.  */
enum { SAVED = 8, FIRST_SAVED = 4 };

struct table
{
  uint32_t kernel;		/* The address of _kernel; 0: not known.  */
  size_t count;			/* Entries that there are.  */
  uint32_t at[IN_ENTRIES];
};

static bool
has_symbol (struct tb_elf_image *image, const char *name, const char *alias,
	    uint64_t *address)
{
  uint64_t size;
  return tb_elf_image_symbol (image, name, address, &size) == 1
	 || tb_elf_image_symbol (image, alias, address, &size) == 1;
}

/* Older programs have the table by the second name alone.  */
static bool
find_table (struct tb_elf_image *image, uint64_t *address)
{
  return has_symbol (image, "_kernel_thread_info_offsets", "_kernel_openocd_offsets",
		     address);
}

bool
tb_zephyr_has_table (const char *path)
{
  struct tb_diag silent = { 0 };
  uint64_t address;
  struct tb_elf_image *image = tb_elf_image_open (path, &silent);
  bool has = image != NULL && find_table (image, &address);
  tb_elf_image_close (image);
  return has;
}

/* Read from IMAGE, whose memory is MAP, what TABLE is.  */
static bool
read_entries (struct tb_elf_image *image, const struct tb_memmap *map, struct table *table)
{
  uint64_t at, count_at, kernel;
  uint8_t bytes[4 * IN_ENTRIES];
  size_t count = IN_STACK + 1;
  if (!find_table (image, &at))
    return false;
  if (has_symbol (image, "_kernel_thread_info_num_offsets", "_kernel_openocd_num_offsets",
		  &count_at)
      && tb_memmap_read (map, TB_SPACE_ANY, count_at, bytes, 4) == 4)
    count = tb_number_32 (bytes);
  if (count <= IN_STACK)
    return false;
  if (count > IN_ENTRIES)
    count = IN_ENTRIES;
  if (tb_memmap_read (map, TB_SPACE_ANY, at, bytes, 4 * count) != 4 * count)
    return false;
  table->count = count;
  for (size_t i = 0; i < IN_ENTRIES; i++)
    table->at[i] = i < count ? tb_number_32 (bytes + 4 * i) : NOWHERE;
  table->kernel = has_symbol (image, "_kernel", "_kernel", &kernel) ? (uint32_t) kernel : 0;
  return table->at[IN_VERSION] <= 1 && table->at[IN_STACK] >= 4 * SAVED;
}

/* Read the table of the program PATH.  */
static bool
read_table (const char *path, struct table *table)
{
  struct tb_diag silent = { 0 };
  struct tb_elf_image *image = tb_elf_image_open (path, &silent);
  struct tb_memmap *map = tb_memmap_new ();
  bool good = image != NULL && map != NULL
	      && tb_elf_image_map (image, map, TB_SPACE_ANY, &silent) == TB_OK
	      && tb_memmap_seal (map, &silent) == TB_OK && read_entries (image, map, table);
  tb_memmap_free (map);
  tb_elf_image_close (image);
  return good;
}

/* What is looked at.  */
struct threads
{
  struct tb_maker *maker;
  size_t core;
  const char *type;
  const struct tb_zephyr *zephyr;
  struct table table;
};

static bool
read_memory (const struct threads *t, uint32_t address, uint8_t *bytes, size_t size)
{
  return tb_maker_read (t->maker, t->core, address, bytes, size) == size;
}

/* The word at entry NUMBER of the kernel's structure.  */
static bool
kernel_word (const struct threads *t, unsigned number, uint32_t *word)
{
  const struct tb_zephyr *z = t->zephyr;
  uint32_t offset = t->table.at[number];
  uint8_t bytes[4];
  if (z->kernel != NULL && (offset > z->size || z->size - offset < 4))
    return false;
  if (z->kernel == NULL
      && (t->table.kernel == 0 || !read_memory (t, t->table.kernel + offset, bytes, 4)))
    return false;
  *word = tb_number_32 (z->kernel != NULL ? z->kernel + offset : bytes);
  return true;
}

/* The word at OFFSET of THREAD.  */
static bool
thread_word (const struct threads *t, uint32_t thread, uint32_t offset, uint32_t *word)
{
  uint8_t bytes[4];
  if (!read_memory (t, thread + offset, bytes, 4))
    return false;
  *word = tb_number_32 (bytes);
  return true;
}

/* Put what THREAD is called into TEXT, of ROOM bytes.  */
static void
name_thread (const struct threads *t, uint32_t thread, char *text, size_t room)
{
  size_t n = 0;
  uint8_t byte;
  if (t->table.at[IN_NAME] != NOWHERE)
    while (n < room - 1 && read_memory (t, thread + t->table.at[IN_NAME] + (uint32_t) n, &byte, 1)
	   && byte >= ' ' && byte < 0x7f)
      text[n++] = (char) byte;
  text[n] = 0;
  if (n == 0)
    snprintf (text, room, "thread_%" PRIx32, thread);
}

/* How long the frame on the stack of THREAD is; 0: not known.  */
static uint32_t
frame_size (const struct threads *t, uint32_t thread)
{
  const uint32_t *at = t->table.at;
  uint8_t byte;
  /* A table of before these entries does not tell.  */
  if (t->table.count <= IN_PREEMPT_FLOAT || t->table.count <= IN_EXC_RETURN)
    return 0;
  if (at[IN_PREEMPT_FLOAT] == NOWHERE && at[IN_EXC_RETURN] == NOWHERE)
    return TB_M_FRAME_SIZE;	/* Threads do not share FP registers.  */
  if (at[IN_EXC_RETURN] == NOWHERE || at[IN_ARCH] == NOWHERE
      || !read_memory (t, thread + at[IN_ARCH] + at[IN_EXC_RETURN], &byte, 1))
    return 0;
  return byte >> TB_EXC_RETURN_NO_FP & 1 ? TB_M_FRAME_SIZE : TB_M_FRAME_SIZE + TB_M_FRAME_FP;
}

/* Give DEVICE the registers that THREAD has in its frame of TB_M_FRAME_WORDS at SP.  */
static void
put_registers (const struct threads *t, size_t device, uint32_t thread, uint32_t sp,
	       const uint8_t *words)
{
  static const char *const names[TB_M_FRAME_WORDS]
    = { "R0", "R1", "R2", "R3", "R12", "LR", "PC", "xPSR" };
  uint32_t size = frame_size (t, thread), saved;
  char name[8];
  for (unsigned i = 0; i < TB_M_FRAME_WORDS; i++)
    tb_maker_reg (t->maker, device, names[i], -1, 32, tb_number_32 (words + 4 * i));
  for (uint32_t i = 0; i < SAVED; i++)
    if (thread_word (t, thread, t->table.at[IN_STACK] - 4 * SAVED + 4 * i, &saved))
      {
	snprintf (name, sizeof name, "R%" PRIu32, FIRST_SAVED + i);
	tb_maker_reg (t->maker, device, name, -1, 32, saved);
      }
  if (size != 0)
    tb_maker_reg (t->maker, device, "SP", -1, 32,
		  sp + size
		  + (tb_number_32 (words + 4 * TB_M_FRAME_PSR) >> TB_M_FRAME_MOVED & 1 ? 4 : 0));
}

/* Add THREAD, which waits.  */
static void
add_thread (const struct threads *t, uint32_t thread)
{
  char name[NAME_ROOM];
  uint8_t words[4 * TB_M_FRAME_WORDS];
  uint32_t sp;
  name_thread (t, thread, name, sizeof name);
  if (!thread_word (t, thread, t->table.at[IN_STACK], &sp)
      || !read_memory (t, sp, words, sizeof words))
    {
      tb_note (t->maker->reader.diag, "%s: the dump does not have the stack of thread %s, at "
	       "%#" PRIx32 "; it is left out", t->zephyr->path, name, thread);
      return;
    }
  uint32_t pc = tb_number_32 (words + 4 * TB_M_FRAME_RETURN);
  uint32_t xpsr = tb_number_32 (words + 4 * TB_M_FRAME_PSR);
  if (pc & 1 || (xpsr & (TB_M_FRAME_THUMB | HANDLER)) != TB_M_FRAME_THUMB)
    {
      tb_warning (t->maker->reader.diag, "%s: thread %s, at %#" PRIx32 ": expected the frame of "
		  "an exception at its stack pointer %#" PRIx32 ", found PC %#" PRIx32
		  " and xPSR %#" PRIx32 "; it is left out", t->zephyr->path, name, thread, sp,
		  pc, xpsr);
      return;
    }
  size_t device = tb_maker_device (t->maker, TB_CLASS_CORE, name, t->type, t->zephyr->path);
  if (device == TB_MADE_NONE)
    return;
  put_registers (t, device, thread, sp, words);
  tb_maker_late (t->maker, device);
  tb_maker_same_dumps (t->maker, device, t->core);
}

static bool
is_among (const uint32_t *threads, unsigned count, uint32_t thread)
{
  unsigned i = 0;
  while (i < count && threads[i] != thread)
    i++;
  return i < count;
}

void
tb_zephyr_threads (struct tb_maker *maker, size_t core, const char *type,
		   const struct tb_zephyr *zephyr)
{
  struct threads t = { .maker = maker, .core = core, .type = type, .zephyr = zephyr };
  struct tb_diag *diag = maker->reader.diag;
  uint32_t current, thread;
  if (maker->reader.status != TB_OK || (zephyr->program == NULL && zephyr->kernel == NULL))
    return;
  if (zephyr->program == NULL)
    {
      tb_note (diag, "%s: threads that did not run are not shown: no program is given that was "
	       "built with CONFIG_DEBUG_THREAD_INFO", zephyr->path);
      return;
    }
  if (!read_table (zephyr->program, &t.table))
    {
      tb_warning (diag, "%s: expected Zephyr's table of threads of version 0 or 1, with a stack "
		  "pointer behind R4 to R11, found another one; threads that did not run are not "
		  "shown", zephyr->program);
      return;
    }
  if (!kernel_word (&t, IN_CURRENT, &current) || !kernel_word (&t, IN_THREADS, &thread))
    {
      tb_note (diag, "%s: threads that did not run are not shown: the dump has no memory of the "
	       "kernel's list of them", zephyr->path);
      return;
    }
  uint32_t seen[MOST_THREADS];
  unsigned count = 0;
  for (; thread != 0 && maker->reader.status == TB_OK; count++)
    {
      uint32_t next;
      if (count == MOST_THREADS || is_among (seen, count, thread))
	{
	  tb_warning (diag, "%s: expected a list of at most %d threads, found that it leads on "
		      "to %#" PRIx32 " behind %u; the rest of it is not shown", zephyr->path,
		      MOST_THREADS, thread, count);
	  return;
	}
      if (maker->looked > MOST_LOOKED)
	{
	  tb_warning (diag, "%s: the dump has too many regions of memory to look for more than %u "
		      "threads in them; the rest is not shown", zephyr->path, count);
	  return;
	}
      seen[count] = thread;
      if (!thread_word (&t, thread, t.table.at[IN_NEXT], &next))
	{
	  tb_note (diag, "%s: the list of threads leads to %#" PRIx32 ", which the dump does "
		   "not have; the rest of it is not shown", zephyr->path, thread);
	  return;
	}
      if (thread != current)
	add_thread (&t, thread);
      thread = next;
    }
}
