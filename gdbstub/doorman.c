/* The doorman.  See doorman.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "doorman.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Half of the shortest "set remotetimeout" that does something.  */
#define INTERVAL_NS 500000000

/* "%NAME:DATA#SUM" (GDB manual, "Notification Packets").  */
static const char notification[] = "%tracebridge:opening#a6";

struct doorman
{
  pthread_t thread;
  pthread_mutex_t lock;		/* Of END.  */
  pthread_cond_t ended;
  bool end;
  int fd;
};

static void *
keep_waiting (void *data)
{
  struct doorman *d = data;
  struct timespec next;
  clock_gettime (CLOCK_MONOTONIC, &next);
  pthread_mutex_lock (&d->lock);
  while (!d->end)
    {
      next.tv_nsec += INTERVAL_NS;
      if (next.tv_nsec >= 1000000000)
	{
	  next.tv_nsec -= 1000000000;
	  next.tv_sec++;
	}
      while (!d->end
	     && pthread_cond_timedwait (&d->ended, &d->lock, &next) == 0)
	;
      /* Who does not read gets no more: the pipe would fill up.  */
      if (!d->end
	  && write (d->fd, notification, sizeof notification - 1)
	     != sizeof notification - 1)
	break;
    }
  pthread_mutex_unlock (&d->lock);
  return NULL;
}

struct doorman *
doorman_begin (int fd)
{
  struct doorman *d = calloc (1, sizeof *d);
  pthread_condattr_t attributes;
  sigset_t all, before;
  if (d == NULL)
    return NULL;
  d->fd = fd;
  pthread_mutex_init (&d->lock, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&d->ended, &attributes);
  pthread_condattr_destroy (&attributes);
  /* Signals are the others', but for SIGPIPE, which is handled where it is made.  */
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, &before);
  bool ok = pthread_create (&d->thread, NULL, keep_waiting, d) == 0;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (ok)
    return d;
  pthread_cond_destroy (&d->ended);
  pthread_mutex_destroy (&d->lock);
  free (d);
  return NULL;
}

void
doorman_end (struct doorman *d)
{
  if (d == NULL)
    return;
  pthread_mutex_lock (&d->lock);
  d->end = true;
  pthread_cond_signal (&d->ended);
  pthread_mutex_unlock (&d->lock);
  pthread_join (d->thread, NULL);
  pthread_cond_destroy (&d->ended);
  pthread_mutex_destroy (&d->lock);
  free (d);
}
