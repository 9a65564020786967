/* The bytes of a trace buffer, as they are, with nothing beside them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_RAW_BUFFER_H
#define TB_SNAPSHOT_RAW_BUFFER_H

#include "snapshot/snapshot.h"

/* Read the file PATH: a buffer whose format is to be worked out, and a core of CORE_TYPE, which has
   no registers and no memory.  On anything but TB_OK an error was said.  */
enum tb_status tb_raw_buffer_read (struct tb_snapshot *snapshot, const char *path,
				   const char *core_type, struct tb_diag *diag);

#endif /* TB_SNAPSHOT_RAW_BUFFER_H */
