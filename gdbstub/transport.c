/* Transport.  See transport.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "transport.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A client that vanished without a word is noticed after about two minutes.  */
#define KEEP_IDLE 60
#define KEEP_INTERVAL 20
#define KEEP_COUNT 3

/* How long GDB may take until its first packet, in ms.  */
#define QUESTION_MS 2000

static bool
parse_port (const char *text, unsigned *port)
{
  char *end;
  errno = 0;
  unsigned long value = strtoul (text, &end, 10);
  *port = (unsigned) value;
  return *text >= '0' && *text <= '9' && *end == 0 && errno == 0
	 && value <= 65535;
}

bool
address_parse (struct address *a, const char *text)
{
  *a = (struct address) { .kind = ADDRESS_TCP };
  if (strcmp (text, "stdio") == 0 || strcmp (text, "-") == 0)
    {
      a->kind = ADDRESS_STDIO;
      return true;
    }
  const char *host = text;
  size_t length;
  if (strncmp (text, "unix:", 5) == 0)
    {
      a->kind = ADDRESS_UNIX;
      host = text + 5;
      length = strlen (host);
      if (length == 0 || length >= sizeof a->host)
	return false;
      memcpy (a->host, host, length);
      return true;
    }
  const char *colon = strrchr (text, ':');
  if (colon == NULL)
    return parse_port (text, &a->port);
  length = (size_t) (colon - text);
  if (length >= 2 && text[0] == '[' && colon[-1] == ']')
    {
      host++;
      length -= 2;
    }
  else if (memchr (text, ':', length) != NULL)
    return false;
  if (length >= sizeof a->host || !parse_port (colon + 1, &a->port))
    return false;
  memcpy (a->host, host, length);
  return true;
}

/* Never wait in accept, and never hand the socket to a child.  */
static void
prepare (int fd)
{
  fcntl (fd, F_SETFD, FD_CLOEXEC);
  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
}

static bool
open_unix (struct listener *l, const struct address *a, unsigned offset,
	   struct tb_diag *diag)
{
  struct sockaddr_un where = { .sun_family = AF_UNIX };
  char path[sizeof a->host + 16];
  if (offset == 0)
    snprintf (path, sizeof path, "%s", a->host);
  else
    snprintf (path, sizeof path, "%s.%u", a->host, offset);
  if (strlen (path) >= sizeof where.sun_path)
    {
      tb_error (diag, "unix:%s: the path is too long for a socket", path);
      return false;
    }
  strcpy (where.sun_path, path);

  /* A socket that nobody listens at is left over; anything else is not ours. */
  struct stat is;
  if (lstat (path, &is) == 0 && S_ISSOCK (is.st_mode))
    {
      int probe = socket (AF_UNIX, SOCK_STREAM, 0);
      if (probe >= 0
	  && connect (probe, (struct sockaddr *) &where, sizeof where) != 0
	  && errno == ECONNREFUSED)
	unlink (path);
      if (probe >= 0)
	close (probe);
    }
  l->fd = socket (AF_UNIX, SOCK_STREAM, 0);
  /* For the user alone: there is no other protection.  */
  mode_t mask = umask (077);
  bool bound = l->fd >= 0
	       && bind (l->fd, (struct sockaddr *) &where, sizeof where) == 0;
  umask (mask);
  if (!bound || listen (l->fd, SOMAXCONN) != 0)
    {
      tb_error (diag, "unix:%s: cannot listen: %s", path, strerror (errno));
      return false;
    }
  snprintf (l->path, sizeof l->path, "%s", path);
  snprintf (l->name, sizeof l->name, "%s", path);
  prepare (l->fd);
  return true;
}

/* The address that L really has, for the table.  */
static void
name_tcp (struct listener *l)
{
  struct sockaddr_storage bound;
  socklen_t length = sizeof bound;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getsockname (l->fd, (struct sockaddr *) &bound, &length) != 0
      || getnameinfo ((struct sockaddr *) &bound, length, host, sizeof host,
		      port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return;
  bool v6 = strchr (host, ':') != NULL;
  snprintf (l->name, sizeof l->name, "%s%.255s%s:%.8s", v6 ? "[" : "", host,
	    v6 ? "]" : "", port);
}

static bool
open_tcp (struct listener *l, const struct address *a, unsigned offset,
	  struct tb_diag *diag)
{
  unsigned port = a->port != 0 ? a->port + offset : 0;
  const char *host = *a->host != 0 ? a->host : "127.0.0.1";
  char service[16];
  if (port > 65535)
    {
      tb_error (diag, "%s: there is no port %u", host, port);
      return false;
    }
  snprintf (service, sizeof service, "%u", port);
  struct addrinfo hints = { .ai_family = AF_UNSPEC,
			    .ai_socktype = SOCK_STREAM,
			    .ai_flags = AI_PASSIVE | AI_NUMERICSERV };
  struct addrinfo *found = NULL;
  int result = getaddrinfo (host, service, &hints, &found);
  if (result != 0)
    {
      tb_error (diag, "%s: %s", host, gai_strerror (result));
      return false;
    }
  int why = 0;
  for (const struct addrinfo *i = found; i != NULL; i = i->ai_next)
    {
      l->fd = socket (i->ai_family, i->ai_socktype, i->ai_protocol);
      if (l->fd < 0)
	{
	  why = errno;
	  continue;
	}
      int yes = 1;
      setsockopt (l->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      if (bind (l->fd, i->ai_addr, i->ai_addrlen) == 0
	  && listen (l->fd, SOMAXCONN) == 0)
	break;
      why = errno;
      close (l->fd);
      l->fd = -1;
    }
  freeaddrinfo (found);
  if (l->fd < 0)
    {
      tb_error (diag, "%s, port %u: cannot listen: %s%s", host, port,
		strerror (why),
		why == EADDRINUSE ? "; --listen=:PORT takes another port, --listen=:0 "
		"one that is free" : "");
      return false;
    }
  prepare (l->fd);
  name_tcp (l);
  return true;
}

bool
listener_open (struct listener *l, const struct address *a, unsigned offset,
	       struct tb_diag *diag)
{
  *l = (struct listener) { .fd = -1 };
  bool ok = a->kind == ADDRESS_UNIX ? open_unix (l, a, offset, diag)
				    : open_tcp (l, a, offset, diag);
  if (!ok)
    listener_close (l);
  return ok;
}

void
listener_close (struct listener *l)
{
  if (l->fd >= 0)
    close (l->fd);
  l->fd = -1;
  if (*l->path != 0)
    unlink (l->path);
  *l->path = 0;
}

int
listener_accept (struct listener *l)
{
  int fd = accept (l->fd, NULL, NULL);
  if (fd < 0)
    return -1;
  prepare (fd);
  /* Not for Unix sockets, which need none of it and refuse.  */
  int yes = 1, idle = KEEP_IDLE, interval = KEEP_INTERVAL, count = KEEP_COUNT;
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  return fd;
}

void
transport_await_question (void)
{
  struct stat status;
  if (fstat (STDIN_FILENO, &status) != 0 || !S_ISSOCK (status.st_mode))
    return;
  struct pollfd ready = { .fd = STDIN_FILENO, .events = POLLIN };
  char bytes[256];
  ssize_t n;
  /* An acknowledgement comes before the packet.  */
  do
    n = poll (&ready, 1, QUESTION_MS) > 0
	? read (STDIN_FILENO, bytes, sizeof bytes) : 0;
  while (n > 0 && memchr (bytes, '#', (size_t) n) == NULL);
}
