/* Confinement: what a process that serves may do, and what the kernel refuses it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "options.h"

/* RESULT is -1, for want of permission.  */
#define CHECK_REFUSED(result) \
  (errno = 0, CHECK ((result) == -1) && CHECK_INT (errno, EPERM))

static int listener;
static struct sockaddr_in place;

static void *
run (void *data)
{
  /* Each thread is confined, those that are made later, too.  */
  CHECK_REFUSED (open ("/dev/null", O_RDONLY));
  return data;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
run_before (void *data)
{
  pthread_mutex_lock (&lock);
  pthread_mutex_unlock (&lock);
  return run (data);
}

static void
check_thread (void)
{
  pthread_t thread;
  void *result = NULL;
  if (CHECK_INT (pthread_create (&thread, NULL, run, &listener), 0))
    pthread_join (thread, &result);
  CHECK (result == &listener);
}

static void
check_refused (int fd, bool removes)
{
  char *const none[] = { NULL };
  int pair[2];
  /* Files.  */
  CHECK_REFUSED (open ("/etc/passwd", O_RDONLY));
  CHECK_REFUSED (open ("confined.tmp", O_RDWR | O_CREAT, 0600));
  CHECK (fopen ("/proc/self/maps", "r") == NULL);
  CHECK_REFUSED (mkdir ("confined.tmp", 0700));
  CHECK_REFUSED (rename ("Makefile", "confined.tmp"));
  CHECK_REFUSED (symlink ("Makefile", "confined.tmp"));
  CHECK_REFUSED (chmod ("Makefile", 0777));
  CHECK_REFUSED (truncate ("Makefile", 0));
  CHECK_REFUSED (chdir ("/"));
  if (!removes)
    CHECK_REFUSED (unlink ("confined.tmp"));
  CHECK_REFUSED (rmdir ("confined.tmp"));
  CHECK_REFUSED (ftruncate (fd, 0));
  /* Programs and processes.  */
  CHECK_REFUSED (execv ("/bin/true", none));
  CHECK_REFUSED (fork ());
  CHECK (system ("true") != 0);
  CHECK_REFUSED (kill (getppid (), SIGTERM));
  CHECK_REFUSED (syscall (SYS_tgkill, getppid (), getppid (), 0));
  CHECK_REFUSED (syscall (SYS_ptrace, 0, 0, 0, 0));
  /* A descriptor's signals, to whom it says.  */
  CHECK_REFUSED (fcntl (listener, F_SETOWN, getppid ()));
  CHECK_REFUSED (fcntl (listener, F_SETSIG, SIGKILL));
  CHECK_REFUSED (fcntl (listener, F_DUPFD, 0));
  /* Connections.  */
  CHECK_REFUSED (socket (AF_INET, SOCK_STREAM, 0));
  CHECK_REFUSED (socket (AF_UNIX, SOCK_STREAM, 0));
  CHECK_REFUSED (socketpair (AF_UNIX, SOCK_STREAM, 0, pair));
  CHECK_REFUSED (connect (fd, (struct sockaddr *) &place, sizeof place));
  CHECK_REFUSED (bind (fd, (struct sockaddr *) &place, sizeof place));
  CHECK_REFUSED (listen (fd, 1));
  /* Code.  */
#ifndef __s390x__
  errno = 0;
  CHECK (mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  CHECK_INT (errno, EPERM);
#endif
  void *page = mmap (NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (CHECK (page != MAP_FAILED))
    {
      CHECK_REFUSED (mprotect (page, 4096, PROT_READ | PROT_EXEC));
      CHECK_INT (munmap (page, 4096), 0);
    }
}

/* What serving does.  FD is a file.  */
static void
check_allowed (int fd)
{
  char bytes[8];
  struct stat is;
  struct timespec soon = { 0, 1000 }, now;
  CHECK_INT (pread (fd, bytes, sizeof bytes, 0), sizeof bytes);
  CHECK_INT (fstat (fd, &is), 0);
  void *memory = malloc (64 << 20);
  CHECK (memory != NULL);
  memory = realloc (memory, 128 << 20);
  CHECK (memory != NULL);
  free (memory);
  CHECK_INT (nanosleep (&soon, NULL), 0);
  CHECK_INT (clock_gettime (CLOCK_MONOTONIC, &now), 0);
  struct pollfd ready = { .fd = listener, .events = POLLIN };
  CHECK_INT (poll (&ready, 1, 10000), 1);
  int client = accept (listener, NULL, NULL);
  if (CHECK (client >= 0))
    {
      CHECK_INT (fcntl (client, F_SETFD, FD_CLOEXEC), 0);
      CHECK_INT (fcntl (client, F_GETFD), FD_CLOEXEC);
      CHECK_INT (fcntl (client, F_SETFL, fcntl (client, F_GETFL) | O_NONBLOCK), 0);
      CHECK_INT (read (client, bytes, 4), 4);
      CHECK_INT (write (client, "pong", 4), 4);
      CHECK_INT (shutdown (client, SHUT_WR), 0);
      CHECK_INT (close (client), 0);
    }
}

/* In a process of its own; the checks that failed there count here.  */
static int
confined (bool removes)
{
  pthread_t before;
  int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  CHECK (fd >= 0);
  pthread_mutex_lock (&lock);
  CHECK_INT (pthread_create (&before, NULL, run_before, NULL), 0);
  const char *why = confine (removes);
  pthread_mutex_unlock (&lock);
  if (why != NULL)
    {
      fprintf (stderr, "%s\n", why);
      return 77;
    }
  pthread_join (before, NULL);
  check_refused (fd, removes);
  check_allowed (fd);
  check_thread ();
  return check_done ();
}

static bool
check_confined (bool removes)
{
  socklen_t length = sizeof place;
  int status = -1;
  char bytes[4] = "";
  place = (struct sockaddr_in) { .sin_family = AF_INET,
				 .sin_addr = { htonl (INADDR_LOOPBACK) } };
  listener = socket (AF_INET, SOCK_STREAM, 0);
  CHECK_INT (bind (listener, (struct sockaddr *) &place, sizeof place), 0);
  CHECK_INT (listen (listener, 1), 0);
  CHECK_INT (getsockname (listener, (struct sockaddr *) &place, &length), 0);
  int client = socket (AF_INET, SOCK_STREAM, 0);
  CHECK_INT (connect (client, (struct sockaddr *) &place, sizeof place), 0);
  CHECK_INT (write (client, "ping", 4), 4);
  pid_t child = fork ();
  if (child == 0)
    _exit (confined (removes));
  CHECK_INT (waitpid (child, &status, 0), child);
  bool possible = !WIFEXITED (status) || WEXITSTATUS (status) != 77;
  if (possible)
    {
      CHECK_INT (status, 0);
      CHECK_INT (read (client, bytes, sizeof bytes), 4);
      CHECK (memcmp (bytes, "pong", 4) == 0);
    }
  close (client);
  close (listener);
  return possible;
}

int
main (void)
{
  enum confine_mode mode;
  CHECK (confine_parse ("must", &mode) && mode == CONFINE_MUST);
  CHECK (confine_parse ("off", &mode) && mode == CONFINE_OFF);
  CHECK (!confine_parse ("on", &mode));
  if (!check_confined (false))
    return check_skip ("this system, or this build, has no confinement");
  check_confined (true);
  return check_done ();
}
