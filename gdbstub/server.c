/* The server.  See server.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "ahead.h"
#include "clock.h"
#include "experiment.h"
#include "threads.h"

/* A client that is turned away has so long to listen.  */
#define REFUSED_SECONDS 5

/* After this many ms without a packet GDB waits for its user, and there is time to
   work ahead.  */
#define QUIET_MS 30

static volatile sig_atomic_t stopped;

static void
stop (int number)
{
  (void) number;
  stopped = 1;
}

bool
server_open (struct server *s, struct targets *targets, size_t only,
	     const struct address *address, struct tb_diag *diag)
{
  bool stdio = address->kind == ADDRESS_STDIO;
  *s = (struct server) { .targets = targets, .stdio = stdio,
			 .groups = targets->groups + (stdio ? only : 0),
			 .ngroups = stdio ? 1 : targets->ngroups };
  for (size_t i = 0; i < REFUSED_MAX; i++)
    s->refused[i].in = s->refused[i].out = -1;
  s->clients = calloc (s->ngroups, sizeof *s->clients);
  s->listeners = calloc (s->ngroups, sizeof *s->listeners);
  bool ok = s->clients != NULL && s->listeners != NULL;
  for (size_t i = 0; ok && i < s->ngroups; i++)
    {
      s->clients[i].in = s->clients[i].out = -1;
      s->listeners[i].fd = -1;
    }
  for (size_t i = 0; ok && i < s->ngroups; i++)
    for (size_t k = 0; k < s->groups[i].count; k++)
      if (target_make_ready (s->groups[i].members[k]))
	experiment_outdated (s->groups[i].members[k]);
  if (ok && s->stdio)
    {
      s->clients[0] = (struct client) { .server = s, .in = 0, .out = 1 };
      ok = client_begin (&s->clients[0], &s->groups[0]);
    }
  if (!ok)
    {
      tb_error (diag, "no memory");
      free (s->clients);
      free (s->listeners);
      return false;
    }
  for (size_t i = 0; !s->stdio && i < s->ngroups; i++)
    if (!listener_open (&s->listeners[i], address, (unsigned) i, diag))
      {
	server_close (s);
	return false;
      }
  return true;
}

void
server_close (struct server *s)
{
  for (size_t i = 0; i < s->ngroups; i++)
    {
      if (s->clients != NULL && s->clients[i].in >= 0)
	client_fini (&s->clients[i]);
      if (s->listeners != NULL)
	listener_close (&s->listeners[i]);
    }
  for (size_t i = 0; i < REFUSED_MAX; i++)
    if (s->refused[i].in >= 0)
      client_fini (&s->refused[i]);
  free (s->clients);
  free (s->listeners);
  s->clients = NULL;
  s->listeners = NULL;
}

/* Find TARGET: member *MEMBER of a group, whose number is returned; SIZE_MAX: it is not
   served.  */
static size_t
find_group (const struct server *s, const struct target *target, size_t *member)
{
  for (size_t i = 0; i < s->ngroups; i++)
    for (*member = 0; *member < s->groups[i].count; ++*member)
      if (s->groups[i].members[*member] == target)
	return i;
  return SIZE_MAX;
}

bool
server_position (const struct server *s, const struct target *target,
		 uint64_t *position)
{
  size_t member, group = find_group (s, target, &member);
  const struct client *c = group != SIZE_MAX ? &s->clients[group] : NULL;
  if (c == NULL || c->in < 0)
    return false;
  *position = c->thread == member ? client_position (c) : threads_position (c, member);
  return true;
}

const struct listener *
server_listener (const struct server *s, const struct target *target)
{
  size_t member, group = find_group (s, target, &member);
  return s->stdio || group == SIZE_MAX ? NULL : &s->listeners[group];
}

/* Somebody wants to be a client of group NUMBER.  */
static void
welcome (struct server *s, size_t number)
{
  struct client *c = &s->clients[number];
  /* The client may have left while its packet is being answered: then the next one
     need only wait until that is noticed.  */
  if (c->busy)
    client_receive (c);
  if (c->gone)
    return;
  int fd = listener_accept (&s->listeners[number]);
  if (fd < 0)
    return;
  bool refused = c->in >= 0;
  /* Without a place to be told so: the connection just ends.  */
  for (size_t i = 0; refused && c->in >= 0; i++)
    {
      if (i == REFUSED_MAX)
	{
	  close (fd);
	  return;
	}
      c = &s->refused[i];
    }
  *c = (struct client) { .server = s, .in = fd, .out = fd,
			 .refused = refused, .policy = s->policy,
			 .said = now_ms (), .heard = now_ms () };
  if (!client_begin (c, refused ? NULL : &s->groups[number]))
    {
      tb_error (s->targets->items[0].diag, "no memory for a client; its connection is "
		"closed");
      close (fd);
      *c = (struct client) { .in = -1, .out = -1 };
    }
}

/* What poll said about CLIENT.  */
static void
attend (struct client *c, short in, short out)
{
  if (in & (POLLIN | POLLHUP | POLLERR))
    client_receive (c);
  if (out & (POLLOUT | POLLERR))
    client_send (c);
  /* What was sent before the end is answered still: a script may send a packet
     and leave.  */
  bool ended = c->gone;
  c->gone = false;
  client_process (c);
  c->gone |= ended;
  if (c->leaving && c->output.size == c->output_sent)
    {
      /* GDB acknowledges the refusal before it reads it; on a Unix socket that
	 would fail, and be all that its user sees, if nobody were there.  */
      if (c->refused)
	{
	  shutdown (c->out, SHUT_WR);
	  c->input_used = c->input.size;
	}
      else
	c->gone = true;
    }
}

/* The sockets that are waited for, and whose they are.  */
struct waiting
{
  struct pollfd *fds;
  nfds_t count;
};

static void
add (struct waiting *w, int fd, short events)
{
  w->fds[w->count++] = (struct pollfd) { .fd = fd, .events = events };
}

static void
add_client (struct waiting *w, const struct client *c)
{
  if (c->busy)
    {
      add (w, -1, 0);
      add (w, -1, 0);
      return;
    }
  bool full = c->output.size - c->output_sent >= PACKET_LIMIT;
  short out = c->output.size != c->output_sent ? POLLOUT : 0;
  add (w, c->in, full || (c->leaving && !c->refused) ? 0 : POLLIN);
  add (w, c->out, out);
}

/* Has C sent nothing for so long that others may have its place?  */
static bool
is_idle (const struct server *s, const struct client *c)
{
  return s->idle != 0 && !s->stdio && now_ms () - c->heard >= s->idle * 1000;
}

/* How long it takes until the first client is idle, if nothing comes; false: for ever.  */
static bool
idle_after (const struct server *s, struct timespec *until)
{
  uint64_t now = now_ms (), first = UINT64_MAX;
  for (size_t i = 0; s->idle != 0 && !s->stdio && i < s->ngroups; i++)
    {
      const struct client *c = &s->clients[i];
      uint64_t end = c->heard + s->idle * 1000;
      if (c->in >= 0 && !c->busy && end < first)
	first = end;
    }
  uint64_t ms = first > now ? first - now : 0;
  *until = (struct timespec) { .tv_sec = (time_t) (ms / 1000),
			       .tv_nsec = (long) (ms % 1000) * 1000000 };
  return first != UINT64_MAX;
}

/* Serve those that are ready: W says who.  True when a client has left.  */
static bool
serve_ready (struct server *s, const struct waiting *w)
{
  size_t n = s->ngroups;
  bool left = false;
  for (size_t i = 0; i < n; i++)
    {
      struct client *c = &s->clients[i];
      if (c->in < 0 || c->busy)
	continue;
      short in = w->fds[3 * i + 1].revents, out = w->fds[3 * i + 2].revents;
      if (in != 0 || out != 0)
	{
	  attend (c, in, out);
	  /* While it is answered, which may take long, it has nothing to say.  */
	  c->heard = now_ms ();
	}
      else if (is_idle (s, c))
	{
	  tb_warning (s->targets->items[i].diag, "%s: a client that sent nothing for %llu "
		      "seconds (--idle-limit) was given up", s->listeners[i].name,
		      (unsigned long long) s->idle);
	  c->gone = true;
	}
      if (c->gone)
	{
	  client_fini (c);
	  left = true;
	}
    }
  for (size_t i = 0; i < REFUSED_MAX; i++)
    {
      struct client *c = &s->refused[i];
      if (c->in < 0)
	continue;
      attend (c, w->fds[3 * n + 2 * i].revents,
	      w->fds[3 * n + 2 * i + 1].revents);
      if (c->gone || now_ms () - c->said > REFUSED_SECONDS * 1000)
	client_fini (c);
    }
  /* After the clients: one may have left and made room.  */
  for (size_t i = 0; i < n; i++)
    if (w->fds[3 * i].revents & POLLIN)
      welcome (s, i);
  return left;
}

/* So many cores are served without memory for it.  */
#define FEW 16

/* What became of a turn.  */
enum turn
{
  TURN_END,			/* Nothing can be waited for, or it is the end.  */
  TURN_SERVED,
  TURN_QUIET			/* Nobody wanted anything.  */
};

/* One turn: wait, at most TIMEOUT (NULL: for ever), with the signals of MASK
   blocked, and serve.  */
static enum turn
turn (struct server *s, const struct timespec *timeout, const sigset_t *mask)
{
  size_t n = s->ngroups;
  /* A turn may be one within another: each has its own.  */
  struct pollfd few[3 * FEW + 2 * REFUSED_MAX];
  struct waiting w = { .fds = few };
  if (n > FEW)
    w.fds = malloc ((3 * n + 2 * REFUSED_MAX) * sizeof *w.fds);
  if (w.fds == NULL)
    {
      tb_error (s->targets->items[0].diag, "no memory to serve %zu cores", n);
      return TURN_END;
    }
  for (size_t i = 0; i < n; i++)
    {
      add (&w, s->listeners[i].fd, POLLIN);
      add_client (&w, &s->clients[i]);
    }
  static const struct timespec second = { 1, 0 };
  struct timespec until;
  for (size_t i = 0; i < REFUSED_MAX; i++)
    {
      add_client (&w, &s->refused[i]);
      if (s->refused[i].in >= 0 && timeout == NULL)
	timeout = &second;
    }
  if (timeout == NULL && idle_after (s, &until))
    timeout = &until;
  int ready = ppoll (w.fds, w.count, timeout, mask);
  bool go_on = !stopped && (ready >= 0 || errno == EINTR);
  if (go_on && ready >= 0 && serve_ready (s, &w) && (s->once || s->stdio))
    go_on = false;
  if (w.fds != few)
    free (w.fds);
  return !go_on ? TURN_END : ready == 0 ? TURN_QUIET : TURN_SERVED;
}

/* Is the program to end by what the user or the system says?  */
static bool
is_ended (void)
{
  sigset_t pending;
  return sigpending (&pending) == 0
	 && (sigismember (&pending, SIGTERM) || sigismember (&pending, SIGHUP)
	     || sigismember (&pending, SIGINT));
}

/* Does nobody want anything of S, CONTEXT?  */
static bool
is_quiet (void *context)
{
  const struct server *s = context;
  struct pollfd fds[2 * FEW];
  nfds_t count = 0;
  for (size_t i = 0; i < s->ngroups && count + 2 <= 2 * FEW; i++)
    {
      fds[count++] = (struct pollfd) { .fd = s->listeners[i].fd, .events = POLLIN };
      fds[count++] = (struct pollfd) { .fd = s->clients[i].in, .events = POLLIN };
    }
  return poll (fds, count, 0) == 0 && !is_ended ();
}

/* Work ahead for a moment: for the cores whose GDB is connected, and for the only
   one in any case.  False when all is done.  */
static bool
work_ahead (struct server *s)
{
  bool more = false;
  for (size_t i = 0; i < s->ngroups; i++)
    {
      struct client *c = &s->clients[i];
      if (c->in < 0 && s->targets->count > 1)
	continue;
      for (size_t k = 0; k < s->groups[i].count; k++)
	{
	  struct target *t = s->groups[i].members[k];
	  /* A recording that has become another one: its client has to know first.  */
	  if (t->generation != tb_recording_generation (t->recording)
	      && c->in >= 0)
	    continue;
	  if (target_changed (t))
	    experiment_outdated (t);
	  more |= target_work_ahead (t, is_quiet, s);
	}
      /* More may be known now.  */
      c->moment_valid = c->callers_valid = false;
    }
  return more;
}

bool
server_attend (struct server *s)
{
  static const struct timespec none = { 0, 0 };
  size_t n = s->ngroups;
  for (size_t i = 0; i < n; i++)
    if (s->clients[i].busy)
      client_attend (&s->clients[i]);
  /* Others are served meanwhile, and those that come are told that there is a
     client.  */
  if (!s->stdio)
    turn (s, &none, NULL);
  return !is_ended ();
}

void
server_run (struct server *s)
{
  if (s->stdio)
    s->clients[0].policy = s->policy;
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  struct sigaction ending = { .sa_handler = stop };
  sigset_t blocked, mask;
  sigaction (SIGPIPE, &ignore, NULL);
  sigaction (SIGTERM, &ending, NULL);
  sigaction (SIGHUP, &ending, NULL);
  /* GDB's user types ^C to GDB, which may share its terminal with us.  */
  sigaction (SIGINT, s->stdio ? &ignore : &ending, NULL);
  sigemptyset (&blocked);
  sigaddset (&blocked, SIGTERM);
  sigaddset (&blocked, SIGHUP);
  sigaddset (&blocked, SIGINT);
  sigprocmask (SIG_BLOCK, &blocked, &mask);
  if (s->stdio)
    {
      client_receive (&s->clients[0]);
      client_drop_repeats (&s->clients[0]);
      attend (&s->clients[0], 0, 0);
    }
  static const struct timespec none = { 0, 0 };
  static const struct timespec quiet = { 0, QUIET_MS * 1000000 };
  const struct timespec *timeout = &quiet;
  for (enum turn was; (was = turn (s, timeout, &mask)) != TURN_END;)
    if (was == TURN_SERVED)
      timeout = &quiet;
    else
      timeout = work_ahead (s) ? &none : NULL;
  sigprocmask (SIG_SETMASK, &mask, NULL);
}
