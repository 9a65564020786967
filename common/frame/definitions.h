/* Definitions of tracepoints and state variables as text: what both a trace
   file's header and a remote stub's replies consist of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Tracepoint Packets" (qTStatus, qTfP, qTfV) and "Trace
   File Format", which share these texts.  Numbers are hexadecimal.  */

#ifndef TB_FRAME_DEFINITIONS_H
#define TB_FRAME_DEFINITIONS_H

#include <stddef.h>

#include "frame/tracefile.h"
#include "util/buffer.h"

/* Append the status that H describes: "0;tstop:...;tframes:..." (a qTStatus
   reply has a "T" before it, a trace file "status ").  Free text that would
   make it longer than about 900 characters is cut.  */
void tb_definition_status (struct tb_buffer *text,
			   const struct tb_tracefile_header *h);

/* Append what a status says of the run's buffer: USED bytes of SIZE (UINT64_MAX: any) are,
   CIRCULAR: it keeps the last frames, KEPT: the run goes on without GDB.  */
void tb_definition_buffer (struct tb_buffer *text, uint64_t size, uint64_t used, bool circular,
			   bool kept);

/* A tracepoint is defined by several texts: its T text, the sources of its
   location and of its condition, one for each action and collect command.  This many: */
size_t tb_definition_pieces (const struct tb_tracepoint_def *tracepoint);

/* Append text number PIECE.  */
void tb_definition_tracepoint (struct tb_buffer *text,
			       const struct tb_tracepoint_def *tracepoint,
			       size_t piece);

/* Append the definition of VARIABLE.  */
void tb_definition_variable (struct tb_buffer *text,
			     const struct tb_tsv_def *variable);

#endif /* TB_FRAME_DEFINITIONS_H */
