/* Memory as GDB is told of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_MEMORY_H
#define TB_GDBSTUB_MEMORY_H

#include "client.h"

/* Append a <memory> element for each run of bytes that are known at MOMENT.  */
void list_known_memory (struct client *client, const struct tb_moment *moment,
			struct tb_buffer *text);

#endif /* TB_GDBSTUB_MEMORY_H */
