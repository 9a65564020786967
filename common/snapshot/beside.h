/* Trace buffers that are told of beside an input.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A core file has registers and memory; what a probe or a driver read out of an ETB at the same
   halt is a file of its own.  */

#ifndef TB_SNAPSHOT_BESIDE_H
#define TB_SNAPSHOT_BESIDE_H

#include "snapshot/snapshot.h"

/* Add to SNAPSHOT, which has no trace of its own, a trace buffer for each of the files that BESIDE
   names, which are files of the snapshot then.  What sent it is to be worked out, and its format
   where BESIDE does not say it.  Anything but TB_OK: DIAG was told why; the snapshot is to be
   closed in any case.  */
enum tb_status tb_snapshot_add_beside (struct tb_snapshot *snapshot,
				       const struct tb_beside *beside, struct tb_diag *diag);

#endif /* TB_SNAPSHOT_BESIDE_H */
