/* Let what is around a program be odd: a library for LD_PRELOAD.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

     TB_ODD_SHORT=N   read, pread and write do at most N bytes, and each third call does
		      nothing for a signal that came (EINTR)
     TB_ODD_CLOCK=S   the time of day, each time somebody looks, is S seconds more or S seconds
		      less than it is, in turns; clocks that only grow are as they are
     TB_ODD_PAUSE=MS  a read of more than a header takes so many milliseconds
     TB_ODD_COUNTS=F  how often there was something odd is written to F at the end: reads and
		      writes, looks at the time, pauses

   What the C library calls itself is left as it is.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static size_t most;
static long jump;
static unsigned pause_ms;
static unsigned calls, looks, pauses;

__attribute__ ((constructor)) static void
start (void)
{
  const char *text = getenv ("TB_ODD_SHORT");
  most = text != NULL ? strtoul (text, NULL, 10) : 0;
  text = getenv ("TB_ODD_CLOCK");
  jump = text != NULL ? strtol (text, NULL, 10) : 0;
  text = getenv ("TB_ODD_PAUSE");
  pause_ms = text != NULL ? (unsigned) strtoul (text, NULL, 10) : 0;
}

__attribute__ ((destructor)) static void
finish (void)
{
  const char *path = getenv ("TB_ODD_COUNTS");
  FILE *file = path != NULL ? fopen (path, "w") : NULL;
  if (file != NULL)
    {
      fprintf (file, "%u %u %u\n", calls, looks, pauses);
      fclose (file);
    }
}

/* How much of SIZE bytes is done; 0: nothing, for a signal.  */
static size_t
part (size_t size)
{
  if (most == 0 || size == 0)
    return size;
  if (__atomic_add_fetch (&calls, 1, __ATOMIC_RELAXED) % 3 == 0)
    {
      errno = EINTR;
      return 0;
    }
  return size < most ? size : most;
}

static void
wait_some (size_t size)
{
  if (pause_ms == 0 || size < 64)
    return;
  struct timespec time = { pause_ms / 1000, pause_ms % 1000 * 1000000L };
  __atomic_add_fetch (&pauses, 1, __ATOMIC_RELAXED);
  nanosleep (&time, NULL);
}

ssize_t
read (int fd, void *bytes, size_t size)
{
  size_t some = part (size);
  wait_some (size);
  return some == 0 && size != 0 ? -1 : syscall (SYS_read, fd, bytes, some);
}

ssize_t
pread64 (int fd, void *bytes, size_t size, off64_t at)
{
  static ssize_t (*real) (int, void *, size_t, off64_t);
  if (real == NULL)
    *(void **) &real = dlsym (RTLD_NEXT, "pread64");
  size_t some = part (size);
  return some == 0 && size != 0 ? -1 : real (fd, bytes, some, at);
}

ssize_t
pread (int fd, void *bytes, size_t size, off_t at)
{
  return pread64 (fd, bytes, size, at);
}

ssize_t
write (int fd, const void *bytes, size_t size)
{
  size_t some = part (size);
  return some == 0 && size != 0 ? -1 : syscall (SYS_write, fd, bytes, some);
}

/* What is added to the time of day now.  */
static long
oddness (void)
{
  return jump == 0 ? 0
	 : __atomic_add_fetch (&looks, 1, __ATOMIC_RELAXED) % 2 != 0 ? jump : -jump;
}

int
clock_gettime (clockid_t clock, struct timespec *time)
{
  static int (*real) (clockid_t, struct timespec *);
  if (real == NULL)
    *(void **) &real = dlsym (RTLD_NEXT, "clock_gettime");
  int status = real (clock, time);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    time->tv_sec += oddness ();
  return status;
}

time_t
time (time_t *seconds)
{
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  if (seconds != NULL)
    *seconds = now.tv_sec;
  return now.tv_sec;
}

int
gettimeofday (struct timeval *now, void *zone)
{
  struct timespec time;
  (void) zone;
  int status = clock_gettime (CLOCK_REALTIME, &time);
  *now = (struct timeval) { time.tv_sec, time.tv_nsec / 1000 };
  return status;
}
