/* Whose code was where when perf recorded: processes, their threads and maps.  See
   data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A process has the maps of the one that forked it, and none of those before it executes
   another program.  Trace does not tell when it was made among all of this: where a process, or
   one that had its number before, had different code at one address at different times, what is
   there is not known; a file that is not there is different code.  A thread's number that was
   several processes' names none.  Each process with code is a context; processes with the same
   code share one, and the kernel is what all share.  Where the trace units name no contexts, all
   have the code at addresses where no two processes have different code.  */

#ifndef TB_SNAPSHOT_PERF_CODE_H
#define TB_SNAPSHOT_PERF_CODE_H

#include "snapshot/perf/files.h"
#include "snapshot/perf/records.h"
#include "snapshot/perf/units.h"

struct tb_perf_map
{
  const struct tb_file *file;	/* NULL: its code is not known.  */
  uint64_t address, size, offset;
};

#define TB_PERF_NO_PROCESS SIZE_MAX

/* Maps of all processes that are looked at to find out which have the same; those that a
   process has of the one that forked it count again.  */
#define TB_PERF_MOST_MAPS ((size_t) 4 << 20)

/* A program of a process, from when it was forked or executed another one on: its maps from
   FIRST on, and the first INHERITED ones of PARENT, or none.  */
struct tb_perf_program
{
  size_t first;
  size_t parent, inherited;
};

struct tb_perf_process
{
  uint32_t pid;
  bool active;			/* It is told that it ran.  */
  bool refused;			/* There are too many.  */
  enum tb_space space;		/* In the end; ANY: it has no code of its own.  */
  struct tb_perf_program program;	/* The last one.  */
  struct tb_perf_program *earlier;	/* What ran under its number before.  */
  size_t nearlier, earlier_capacity;
  struct tb_perf_map *maps;	/* In the order of the file.  */
  size_t nmaps, capacity;
};

struct tb_perf_thread
{
  uint32_t tid;
  size_t process;
};

/* Zero-initialise, but for FILES.  */
struct tb_perf_code
{
  struct tb_perf_files *files;
  struct tb_perf_process *processes;
  struct tb_perf_thread *threads;	/* In the end sorted.  */
  size_t nprocesses, nthreads, processes_capacity, threads_capacity;
  uint32_t *slots;		/* Processes by PID, their number and one more.  */
  size_t nslots;
  size_t anonymous;		/* Maps of code that is in no file.  */
  size_t refused;		/* Processes with code, beyond those that can be told apart, */
  size_t uncollected;		/* and beyond TB_PERF_MOST_MAPS.  */
  uint64_t disputed, first_disputed;	/* Bytes where processes have different code, which
				   trace without contexts cannot tell apart.  */
  size_t changing;		/* Processes that had different code one after the other, */
  uint32_t first_changing;	/* which one first, from where on, and how many bytes.  */
  uint64_t changed, first_changed;
  bool shared;			/* There is trace of which it is not known whose code ran.  */
  bool no_memory;
};

/* Note RECORD, if it is of a process.  */
void tb_perf_code_take (struct tb_perf_code *code, const struct tb_perf_record *record);

/* Give MAKER's cores, those of UNITS, what the processes have.  */
void tb_perf_code_make (struct tb_perf_code *code, const struct tb_perf_units *units,
			struct tb_maker *maker);

/* The space of the code of thread TID, after tb_perf_code_make; ANY: it is not known, or that
   of TB_PERF_ANY_THREAD.  */
#define TB_PERF_ANY_THREAD UINT32_MAX
enum tb_space tb_perf_code_space (void *code, uint32_t tid);

void tb_perf_code_fini (struct tb_perf_code *code);

#endif /* TB_SNAPSHOT_PERF_CODE_H */
