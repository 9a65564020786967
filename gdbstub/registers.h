/* Registers as GDB is told of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_REGISTERS_H
#define TB_GDBSTUB_REGISTERS_H

#include "client.h"

/* Append "NN:VALUE;" for the PC to a stop reply, where it is known.  */
void append_pc (struct client *client, struct tb_buffer *text);

#endif /* TB_GDBSTUB_REGISTERS_H */
