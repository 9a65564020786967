/* Core files as the input of a session.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_CORE_H
#define TB_RECORDING_SESSION_CORE_H

#include "recording/session.h"

/* Fill in *SNAPSHOT, how to read PATH: if it is a core file, which does not say so, what
   kind of core it is of, by what the user says or by the first program in OPTIONS.
   Anything but TB_OK: DIAG was told why.  */
enum tb_status tb_session_core_type (const char *path,
				     const struct tb_session_options *options,
				     struct tb_snapshot_options *snapshot,
				     struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_CORE_H */
