/* The steps before which events of a kind are.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_EVENT_STEPS_H
#define TB_RECORDING_EVENT_STEPS_H

#include "recording/recording.h"

/* The steps behind BEGIN up to END, inclusive, before which events of KIND are: in order, each
   once, ended by UINT64_MAX; to be freed.  NULL: no memory.  */
uint64_t *tb_event_steps (struct tb_recording *recording, uint64_t begin, uint64_t end,
			  enum tb_event_kind kind);

#endif /* TB_RECORDING_EVENT_STEPS_H */
