/* The bytes of a connection: what comes is kept until it is looked at (client_receive), what is
   to be sent until it can be (client_send, client.h).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_WIRE_H
#define TB_GDBSTUB_WIRE_H

#include "client.h"

/* There is no memory to talk to CLIENT: it has to go.  */
void client_lose (struct client *client);

/* Put the packet with these contents into the output; AGAIN: it is what is sent again if it
   was damaged.  */
void client_queue (struct client *client, const uint8_t *contents, size_t length, bool again);

/* The same of LENGTH bytes of TEXT for GDB's console.  */
void client_queue_console (struct client *client, const void *text, size_t length);

#endif /* TB_GDBSTUB_WIRE_H */
