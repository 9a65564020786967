/* The names of levels, for people.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_LEVEL_NAMES_H
#define TB_RECORDING_LEVEL_NAMES_H

#include "arm/machine/profile.h"
#include "recording/levels.h"
#include "util/buffer.h"

/* Append the name of exception NUMBER, which is KIND (enum tb_exception), as recordings
   have both: "HardFault", "IRQ 3".  False, and nothing is appended: it has none.  */
bool tb_exception_put_name (struct tb_buffer *text, unsigned number, unsigned kind,
			    const struct tb_profile *profile);

/* The name of LEVEL, from malloc; NULL: no memory.  */
char *tb_level_name (const struct tb_level *level,
		     const struct tb_profile *profile);

/* What to call TASK: "task 3 filter_task".  NULL: no memory; the caller frees it.  */
char *tb_task_name (const struct tb_task *task);

#endif /* TB_RECORDING_LEVEL_NAMES_H */
