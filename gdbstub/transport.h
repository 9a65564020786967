/* Where clients come from: TCP, Unix sockets, standard input and output.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_TRANSPORT_H
#define TB_GDBSTUB_TRANSPORT_H

#include <stdbool.h>

#include "util/diag.h"

enum address_kind
{
  ADDRESS_TCP, ADDRESS_UNIX, ADDRESS_STDIO
};

/* Where to listen, as --listen says.  */
struct address
{
  enum address_kind kind;
  char host[256];		/* TCP; "": loopback.  UNIX: the path.  */
  unsigned port;		/* TCP; 0: any.  */
};

#define DEFAULT_PORT 3333

/* Parse "stdio", "unix:PATH", "PORT", ":PORT", "HOST:PORT" or "[IPV6]:PORT".
   False: it is none of them.  */
bool address_parse (struct address *address, const char *text);

/* A socket that listens.  */
struct listener
{
  int fd;			/* -1: none.  */
  char name[300];		/* As it is told to users.  */
  char path[300];		/* Of a Unix socket, to be removed; or "".  */
};

/* Listen at ADDRESS, for the core number OFFSET: its port is counted up by as
   much (unless it is 0), a path gets ".OFFSET" (unless it is 0).  False after
   a diagnostic.  */
bool listener_open (struct listener *listener, const struct address *address,
		    unsigned offset, struct tb_diag *diag);
void listener_close (struct listener *listener);

/* Accept; -1: nobody was there after all.  */
int listener_accept (struct listener *listener);

/* Before leaving without having served: GDB shows what the program behind its
   "target remote |" said on standard error only if it could write its first
   packet to it.  Wait for that for a moment, where standard input is a socket,
   as there.  */
void transport_await_question (void);

#endif /* TB_GDBSTUB_TRANSPORT_H */
