/* Where tasks stand at a step, and how much of them ran until then.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_TASK_STANDING_H
#define TB_RECORDING_TASK_STANDING_H

#include "recording/tasks.h"
#include "util/buffer.h"

/* Put a line for each of TASKS, as it stands before STEP, of TOTAL, into TEXT; a star
   marks the one that runs.  SYMBOLS name where they wait (NULL: none).  False: no
   memory.  */
bool tb_tasks_put (struct tb_buffer *text, const struct tb_tasks *tasks, uint64_t step,
		   uint64_t total, const struct tb_symbols *symbols);

#endif /* TB_RECORDING_TASK_STANDING_H */
