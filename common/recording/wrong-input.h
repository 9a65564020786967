/* Diagnostics for inputs that are neither snapshots nor logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_WRONG_INPUT_H
#define TB_RECORDING_WRONG_INPUT_H

#include <stdbool.h>

#include "util/diag.h"

/* Is PATH certainly no input, but a file or folder that users take for one?  Says what
   it is, and what to do with it: with a folder of several inputs MANY, a format that
   takes the folder.  */
bool tb_input_is_wrong (const char *path, const char *many,
			struct tb_diag *diag);

#endif /* TB_RECORDING_WRONG_INPUT_H */
