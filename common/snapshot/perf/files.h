/* The files whose code perf saw, as they are found here.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A file is looked for below --sysroot by its path, and by its build ID in perf's cache
   (~/.debug/.build-id, tools/perf/Documentation/perf-buildid-cache.txt) and in that of
   debuginfod (debuginfod_find_debuginfo(3), "CACHE").  One that has another build ID than
   perf saw is another program.  */

#ifndef TB_SNAPSHOT_PERF_FILES_H
#define TB_SNAPSHOT_PERF_FILES_H

#include "snapshot/perf/records.h"

#define TB_PERF_BUILD_ID 20	/* Bytes at most.  */

struct tb_perf_build_id
{
  uint8_t bytes[TB_PERF_BUILD_ID];
  uint8_t size;			/* 0: not known.  */
};

/* Zero but for MAKER and SYSROOT before use.  */
struct tb_perf_files
{
  struct tb_maker *maker;
  const char *sysroot;		/* NULL: not told.  */
  struct htab *found;		/* By path and build ID.  */
  size_t missing, other;	/* Files that are not there; that have another build ID.  */
  char first_other[256];	/* The first of those.  */
};

/* Put into *ID the build ID that RECORD, of type MMAP or MMAP2, says of its file; if it says
   none *ID stays.  */
void tb_perf_files_mapped (const struct tb_perf_record *record, struct tb_perf_build_id *id);

/* Let PATH have ID wherever a map does not say which.  */
void tb_perf_files_note (struct tb_perf_files *files, const char *path,
			 const struct tb_perf_build_id *id);

/* The file that perf saw as PATH; ID's size may be 0.  NULL: there is none, or no memory,
   which the maker keeps.  */
const struct tb_file *tb_perf_files_find (struct tb_perf_files *files, const char *path,
					  const struct tb_perf_build_id *id);

void tb_perf_files_fini (struct tb_perf_files *files);

#endif /* TB_SNAPSHOT_PERF_FILES_H */
