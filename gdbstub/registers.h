/* Registers as GDB is told of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_REGISTERS_H
#define TB_GDBSTUB_REGISTERS_H

#include "client.h"

/* Does slot NUMBER of the description show a value to GDB at MOMENT, by CLIENT's policy for what
   is not known?  *BITS is it.  */
bool register_shown (const struct client *client, const struct tb_moment *moment,
		     unsigned number, uint64_t *bits);

/* Append "NN:VALUE;" for the PC to a stop reply, where it is known.  */
void append_pc (struct client *client, struct tb_buffer *text);

#endif /* TB_GDBSTUB_REGISTERS_H */
