/* perf.data: what Linux's perf recorded of CoreSight trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: Linux, tools/perf/Documentation/perf.data-file-format.txt and
   include/uapi/linux/perf_event.h for the header and the records; tools/perf/util/event.h
   and auxtrace.h for those that perf adds; tools/perf/util/cs-etm.h for the metadata of trace
   units, versions 0 to 2.  */

#ifndef TB_SNAPSHOT_PERF_DATA_H
#define TB_SNAPSHOT_PERF_DATA_H

#include "snapshot/snapshot.h"

/* Is the file PATH one?  */
bool tb_perf_is_file (const char *path);

/* Read PATH as a snapshot: a core for each CPU that has a trace unit, of TYPE, or if that is
   NULL of what the unit shows; a buffer for each of perf's.  Where SYSROOT is not NULL, the
   files that were mapped are looked for below it, and are memory where they were mapped.
   Anything but TB_OK: DIAG was told why; the snapshot is to be closed in any case.  */
enum tb_status tb_perf_read (struct tb_snapshot *snapshot, const char *path,
			     const char *type, const char *sysroot, struct tb_diag *diag);

#endif /* TB_SNAPSHOT_PERF_DATA_H */
