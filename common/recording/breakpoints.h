/* Breakpoints that a debugger put into memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_BREAKPOINTS_H
#define TB_RECORDING_BREAKPOINTS_H

#include "recording/session.h"

/* Is the halfword BYTES, which is at ADDRESS, of a breakpoint that replaces an
   instruction: BKPT, BRK and HLT, or UDF as debuggers under Linux use it?  BEFORE and
   AFTER bytes can be read before it and from it on.  */
bool tb_is_breakpoint (const uint8_t *bytes, uint64_t address, uint64_t before,
		       uint64_t after);

/* Where a dump of CORE has breakpoints and is otherwise what an ELF file of CORE has of
   code there, which has none, let CORE's map, not sealed yet, have the file's code in
   the dump.  DIAG is told of each such dump.  TB_ERR_MEMORY: no memory, of which DIAG
   was not told.  */
enum tb_status tb_breakpoints_take_out (struct tb_session_core *core,
					struct tb_diag *diag);

#endif /* TB_RECORDING_BREAKPOINTS_H */
