/* perf.data: what Linux's perf recorded of CoreSight trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: Linux, tools/perf/Documentation/perf.data-file-format.txt and
   include/uapi/linux/perf_event.h for the header and the records; tools/perf/util/event.h
   and auxtrace.h for those that perf adds; tools/perf/util/cs-etm.h for the metadata of trace
   units, versions 0 to 2, and include/linux/coresight-pmu.h for trace IDs that records tell;
   tools/perf/Documentation/perf.data-directory-format.txt and
   tools/perf/util/data.c for folders.  */

#ifndef TB_SNAPSHOT_PERF_DATA_H
#define TB_SNAPSHOT_PERF_DATA_H

#include "snapshot/snapshot.h"

/* Is PATH one, or a folder of "perf record --kcore" or --threads with one?  */
bool tb_perf_is_file (const char *path);

/* Read PATH as a snapshot: a core for each CPU that has a trace unit, and for each thread
   with a buffer of its own, of TYPE, or if that is NULL of what the unit shows; a buffer for
   each of perf's.  The files that were mapped are memory of the processes that mapped
   them; they are looked for below SYSROOT, if that is not NULL, and by their build IDs.
   Anything but TB_OK: DIAG was told why; the snapshot is to be closed in any case.  */
enum tb_status tb_perf_read (struct tb_snapshot *snapshot, const char *path,
			     const char *type, const char *sysroot, struct tb_diag *diag);

#endif /* TB_SNAPSHOT_PERF_DATA_H */
