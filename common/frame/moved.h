/* Tracepoints that GDB moves.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A GDB that takes a program for one of Linux, as gdb-multiarch takes all whose ELF file
   does not say otherwise, moves what is set in an IT block of a function with lines to
   the IT instruction, and goes by that address in trace files: "tfind pc" finds no frame
   in the block, and "tdump" takes the frames there for steps behind a hit.  Measured
   with GDB 13.1 and 16.3; it goes by the ELF file alone, whatever the trace file says,
   and "set osabi none" before that is loaded ends it.  */

#ifndef TB_FRAME_MOVED_H
#define TB_FRAME_MOVED_H

#include "frame/kept.h"
#include "frame/tracefile.h"
#include "recording/recording.h"

/* How many of the tracepoints DEFS, number N + 1 at DEFS[N], have a frame of KEPT at
   their address that is in an IT block: as it ran in RECORDING.  */
size_t tb_count_moved (struct tb_recording *recording,
		       const struct tb_kept *kept,
		       const struct tb_tracepoint_def *defs, size_t ndefs);

#endif /* TB_FRAME_MOVED_H */
