/* Branch history for GDB's "record btrace".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_BTRACE_H
#define TB_GDBSTUB_BTRACE_H

#include "client.h"

/* The documents of qXfer: the configuration; all of the history; what is new since
   the last time.  False: there is none.  */
bool make_btrace_conf (struct client *client, struct tb_buffer *text);
bool make_btrace_all (struct client *client, struct tb_buffer *text);
bool make_btrace_delta (struct client *client, struct tb_buffer *text);

#endif /* TB_GDBSTUB_BTRACE_H */
