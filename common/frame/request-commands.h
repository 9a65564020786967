/* What a request collects, as GDB's commands: what "tdump" goes by.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_REQUEST_COMMANDS_H
#define TB_FRAME_REQUEST_COMMANDS_H

#include "arm/machine/tdesc.h"
#include "frame/request.h"
#include "frame/tracepoint.h"

/* "stack N", "{ADDRESS,LENGTH}" and "*ADDRESS@LENGTH", which are no expressions of
   C: is PART one, and what does it say?  *BASE is a register's remote number, or -1.  */
bool tb_request_number_memory (const struct tb_request *request,
			       struct tb_request_part part,
			       const struct tb_tdesc *tdesc, int *base,
			       uint64_t *offset, uint64_t *length);

/* The commands of T, for GDB.  It takes a frame that is not at the tracepoint's
   address for a step behind a hit: where hits are at several addresses both lists
   are the same, so that "tdump" shows them.  */
bool tb_define_commands (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
			 const struct tb_request *request, const bool *left_out,
			 bool several, const struct tb_tdesc *tdesc);

#endif /* TB_FRAME_REQUEST_COMMANDS_H */
