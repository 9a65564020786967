/* Forward evaluation where everything is known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_BENCH_FORWARD_H
#define TB_BENCH_FORWARD_H

#include "recording/recording.h"

/* Steps a second of the last COUNT steps of RECORDING: as compiled (A64: 0, it is not),
   and micro-operation by micro-operation.  */
struct bench_forward
{
  double compiled, generic;
};
struct bench_forward bench_forward (struct tb_recording *recording,
				    uint64_t count);

#endif /* TB_BENCH_FORWARD_H */
