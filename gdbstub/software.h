/* What software said on the way, on the client's console.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_SOFTWARE_H
#define TB_GDBSTUB_SOFTWARE_H

#include "monitor.h"
#include "recording/software.h"

/* Show what software said between the position FROM, from which CLIENT came, and where
   it stands now; backward, what is not said yet there.  */
void software_tell (struct client *client, uint64_t from);

/* Show TEXT, a line without its end, on the console, and free it.  */
void software_show (struct client *client, struct tb_buffer *text);

/* Say of STREAM how much trace was passed over and, if SOFTWARE, which was read of it, has
   nothing, why; then true.  */
bool software_tell_nothing (const struct monitor_call *call,
			    const struct tb_session_stream *stream,
			    const struct tb_software *software);

#endif /* TB_GDBSTUB_SOFTWARE_H */
