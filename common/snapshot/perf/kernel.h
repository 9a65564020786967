/* The kernel's code when perf recorded.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   perf record --kcore copies what runs: an ELF core file with the kernel and its modules
   (tools/perf/Documentation/perf-record.txt).  Without, it is the kernel's file, which is
   elsewhere in memory by as much as perf says one of its symbols is; of modules the places
   in their files are not told.  What BPF programs were compiled to is in a section of
   perf.data (tools/perf/util/bpf-utils.h, struct bpf_prog_info in include/uapi/linux/bpf.h).  */

#ifndef TB_SNAPSHOT_PERF_KERNEL_H
#define TB_SNAPSHOT_PERF_KERNEL_H

#include "snapshot/perf/files.h"
#include "snapshot/perf/records.h"

/* How the names of the kernel's maps, and that of its build ID, begin.  */
#define TB_PERF_KERNEL_NAME "[kernel.kallsyms]"

/* Zero-initialise, but for PATH.  */
struct tb_perf_kernel
{
  const char *path;		/* Of perf.data, for messages.  */
  uint64_t reference;		/* Where the symbol NAME was; 0: not told.  */
  char name[32];
  char release[128];
  struct tb_perf_build_id id;
  size_t modules;		/* Maps of those.  */
};

/* Note RECORD, of type MMAP or MMAP2, if it is of the kernel.  */
void tb_perf_kernel_take (struct tb_perf_kernel *kernel, const struct tb_perf_record *record);

/* Let CORE of MAKER have what the folder beside perf.data copied.  False: there is no such
   file.  */
bool tb_perf_kernel_copied (const struct tb_perf_kernel *kernel, struct tb_maker *maker,
			    size_t core, const char *folder);

/* Let CORE have the kernel's file, if FILES has it.  False: it has not.  */
bool tb_perf_kernel_file (const struct tb_perf_kernel *kernel, struct tb_maker *maker,
			  size_t core, struct tb_perf_files *files);

/* Let CORE have the code of BPF programs in the section of LENGTH bytes at byte AT of FILE.  */
void tb_perf_kernel_bpf (const struct tb_perf_kernel *kernel, struct tb_maker *maker,
			 size_t core, const struct tb_file *file, uint64_t at,
			 uint64_t length);

#endif /* TB_SNAPSHOT_PERF_KERNEL_H */
