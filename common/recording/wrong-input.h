/* Diagnostics for inputs that are neither snapshots nor logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_WRONG_INPUT_H
#define TB_RECORDING_WRONG_INPUT_H

#include <stdbool.h>

#include "recording/session.h"
#include "util/diag.h"

/* Is PATH certainly no input, but a file or folder that users take for one?  Says what
   it is, and what to do with it: with a folder of several inputs MANY, a format that
   takes the folder.  OPTIONS may be NULL.  */
bool tb_input_is_wrong (const char *path, const struct tb_session_options *options,
			const char *many, struct tb_diag *diag);

/* Is the file PATH taken for the bytes of a trace buffer: binary data that is nothing else, of a
   core that OPTIONS, which may be NULL, tells?  */
bool tb_input_is_raw (const char *path, const struct tb_session_options *options);

/* Say that nothing makes sense of PATH as the bytes of a trace buffer.  */
void tb_input_say_senseless (const char *path, struct tb_diag *diag);

#endif /* TB_RECORDING_WRONG_INPUT_H */
