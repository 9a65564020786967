/* The server: a listener and at most one client for each group of targets.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_SERVER_H
#define TB_GDBSTUB_SERVER_H

#include "client.h"
#include "transport.h"

/* Clients that are being told that they cannot be served.  */
#define REFUSED_MAX 8

struct server
{
  struct targets *targets;
  const struct target_group *groups;	/* Those of them that are served.  */
  size_t ngroups;
  struct listener *listeners;	/* One a group; none with standard input. */
  struct client *clients;	/* One a group; IN is -1 where there is none. */
  struct client refused[REFUSED_MAX];
  enum unknown_policy policy;	/* Of new clients.  */
  uint64_t idle;		/* Seconds after which a client that sent nothing is
				   given up; 0: never.  */
  bool quiet;			/* Say nothing but what is wrong.  */
  bool once;			/* End when a client has left.  */
  bool stdio;
};

/* Make TARGETS ready for clients and listen for these at ADDRESS; with standard input for group
   ONLY of them.  False after a diagnostic.  */
bool server_open (struct server *server, struct targets *targets, size_t only,
		  const struct address *address, struct tb_diag *diag);
void server_close (struct server *server);

/* Serve until a signal or, with ONCE or standard input, the client's end.  */
void server_run (struct server *server);

/* Serve those that want something now and are not busy, without waiting.  False when
   the program is to end.  */
bool server_attend (struct server *server);

/* Where the client stands that is connected to TARGET; false: there is none.  */
bool server_position (const struct server *server, const struct target *target,
		      uint64_t *position);

/* Where TARGET is served; NULL: at standard input, or not.  */
const struct listener *server_listener (const struct server *server,
					const struct target *target);

#endif /* TB_GDBSTUB_SERVER_H */
