/* Whose code was where when perf recorded.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/code.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/fnv.h"
#include "util/number.h"

/* Bits of maps, and of the misc of records.  */
#define PROT_CODE 4
/* MMAP: not of code.  COMM: another program runs.  FORK: perf found the process running, and lists
   all that it has (machine__process_fork_event in tools/perf/util/machine.c).  */
#define MISC_DATA 0x2000

/* Where process PID is, or would be, among the slots.  */
static size_t
slot_of (const struct tb_perf_code *code, uint32_t pid)
{
  size_t i = (size_t) tb_fnv_u64 (TB_FNV_START, pid) & (code->nslots - 1);
  while (code->slots[i] != 0 && code->processes[code->slots[i] - 1].pid != pid)
    i = (i + 1) & (code->nslots - 1);
  return i;
}

static bool
grow_slots (struct tb_perf_code *code)
{
  size_t size = code->nslots > 0 ? 2 * code->nslots : 64;
  uint32_t *slots = calloc (size, sizeof *slots);
  if (slots == NULL)
    return false;
  free (code->slots);
  code->slots = slots;
  code->nslots = size;
  for (size_t i = 0; i < code->nprocesses; i++)
    slots[slot_of (code, code->processes[i].pid)] = (uint32_t) (i + 1);
  return true;
}

/* The number of process PID, which is added if it is not there.  */
static size_t
process_of (struct tb_perf_code *code, uint32_t pid)
{
  if (2 * (code->nprocesses + 1) > code->nslots && !grow_slots (code))
    {
      code->no_memory = true;
      return TB_PERF_NO_PROCESS;
    }
  size_t slot = slot_of (code, pid);
  if (code->slots[slot] != 0)
    return code->slots[slot] - 1;
  if (!TB_GROW (code->processes, code->processes_capacity, code->nprocesses, 1))
    {
      code->no_memory = true;
      return TB_PERF_NO_PROCESS;
    }
  code->processes[code->nprocesses] = (struct tb_perf_process) {
    .pid = pid, .program.parent = TB_PERF_NO_PROCESS
  };
  code->slots[slot] = (uint32_t) ++code->nprocesses;
  return code->nprocesses - 1;
}

/* Thread TID is one of PROCESS.  */
static void
add_thread (struct tb_perf_code *code, uint32_t tid, size_t process)
{
  if (process == TB_PERF_NO_PROCESS)
    return;
  if (code->nthreads > 0 && code->threads[code->nthreads - 1].tid == tid
      && code->threads[code->nthreads - 1].process == process)
    return;
  if (!TB_GROW (code->threads, code->threads_capacity, code->nthreads, 1))
    {
      code->no_memory = true;
      return;
    }
  code->threads[code->nthreads++] = (struct tb_perf_thread) { tid, process };
}

/* Thread TID of process PID is there; ACTIVE: it ran.  */
static size_t
note_thread (struct tb_perf_code *code, uint32_t pid, uint32_t tid, bool active)
{
  size_t process = process_of (code, pid);
  if (pid != TB_PERF_KERNEL)
    add_thread (code, tid, process);
  if (process != TB_PERF_NO_PROCESS)
    code->processes[process].active |= active;
  return process;
}

/* The file that RECORD maps as PATH; NULL: there is none here.  */
static const struct tb_file *
file_of (struct tb_perf_code *code, const struct tb_perf_record *record, const char *path)
{
  struct tb_perf_build_id id = { .size = 0 };
  bool vdso = strcmp (path, "[vdso]") == 0;
  /* Memory that the program wrote its code into, and the like.  */
  bool anonymous = strncmp (path, "//anon", 6) == 0 || strncmp (path, "/memfd:", 7) == 0
		   || strcmp (path, "/dev/zero") == 0;
  code->anonymous += anonymous;
  if (anonymous || (*path != '/' && !vdso))
    return NULL;
  tb_perf_files_mapped (record, &id);
  size_t missing = code->files->missing;
  const struct tb_file *file = tb_perf_files_find (code->files, path, &id);
  if (vdso)
    code->files->missing = missing;
  return file;
}

/* RECORD maps code, of a file whose name begins at byte NAME.  */
static void
take_map (struct tb_perf_code *code, const struct tb_perf_record *record, size_t name)
{
  const uint8_t *bytes = record->bytes;
  struct tb_perf_map map = {
    .address = tb_number_64 (bytes + 16), .size = tb_number_64 (bytes + 24),
    .offset = tb_number_64 (bytes + 32)
  };
  uint32_t pid = tb_number_32 (bytes + 8);
  const char *path = (const char *) bytes + name;
  if (memchr (path, 0, record->length - name) == NULL || map.size == 0
      || map.size - 1 > UINT64_MAX - map.address)
    return;
  size_t process = note_thread (code, pid, tb_number_32 (bytes + 12), false);
  /* What the kernel has is found by its own means.  */
  if (process == TB_PERF_NO_PROCESS || pid == TB_PERF_KERNEL)
    return;
  /* Without a file it takes the place of what was there all the same.  */
  map.file = file_of (code, record, path);
  struct tb_perf_process *to = &code->processes[process];
  if (!TB_GROW (to->maps, to->capacity, to->nmaps, 1))
    {
      code->no_memory = true;
      return;
    }
  to->maps[to->nmaps++] = map;
}

/* From now on NUMBER is another program, with the first INHERITED maps of PARENT, or none.  */
static void
begin_program (struct tb_perf_code *code, size_t number, size_t parent, size_t inherited)
{
  struct tb_perf_process *p = &code->processes[number];
  if (p->nmaps > p->program.first || p->program.parent != TB_PERF_NO_PROCESS)
    {
      if (!TB_GROW (p->earlier, p->earlier_capacity, p->nearlier, 1))
	{
	  code->no_memory = true;
	  return;
	}
      p->earlier[p->nearlier++] = p->program;
    }
  p->program = (struct tb_perf_program) {
    .first = p->nmaps, .parent = parent, .inherited = inherited
  };
}

/* CHILD is what PARENT is now.  */
static void
fork_process (struct tb_perf_code *code, size_t parent, size_t child)
{
  if (parent != TB_PERF_NO_PROCESS && child != TB_PERF_NO_PROCESS && parent != child)
    begin_program (code, child, parent, code->processes[parent].nmaps);
}

void
tb_perf_code_take (struct tb_perf_code *code, const struct tb_perf_record *record)
{
  const uint8_t *bytes = record->bytes;
  size_t process;
  switch (record->type)
    {
    case TB_PERF_MMAP:
      if (!(record->misc & MISC_DATA))
	take_map (code, record, 40);
      break;
    case TB_PERF_MMAP2:
      if (!(record->misc & MISC_DATA) && tb_number_32 (bytes + 64) & PROT_CODE)
	take_map (code, record, 72);
      break;
    case TB_PERF_COMM:
      process = note_thread (code, tb_number_32 (bytes + 8), tb_number_32 (bytes + 12), false);
      if (record->misc & MISC_DATA && process != TB_PERF_NO_PROCESS)
	begin_program (code, process, TB_PERF_NO_PROCESS, 0);
      break;
    case TB_PERF_FORK:
      {
	uint32_t pid = tb_number_32 (bytes + 8), parent = tb_number_32 (bytes + 12);
	process = note_thread (code, pid, tb_number_32 (bytes + 16), false);
	if (pid != parent && !(record->misc & MISC_DATA))
	  fork_process (code, process_of (code, parent), process);
      }
      break;
    case TB_PERF_ITRACE_START:
      note_thread (code, tb_number_32 (bytes + 8), tb_number_32 (bytes + 12), true);
      break;
    case TB_PERF_SWITCH:
    case TB_PERF_SWITCH_CPU_WIDE:
      if (record->has_tid)
	note_thread (code, record->pid, record->tid, true);
      break;
    }
}

void
tb_perf_code_fini (struct tb_perf_code *code)
{
  for (size_t i = 0; i < code->nprocesses; i++)
    {
      free (code->processes[i].maps);
      free (code->processes[i].earlier);
    }
  free (code->processes);
  free (code->threads);
  free (code->slots);
}
