/* Limits.  See limits.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/limits.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "util/readall.h"
#include "util/spool.h"

/* So many seconds are ten years.  */
#define SECONDS_MOST UINT64_C (315360000)

bool
tb_limit_parse_seconds (const char *text, uint64_t *seconds)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0
      || value > SECONDS_MOST)
    return false;
  *seconds = value;
  return true;
}

void
tb_limit_memory (uint64_t bytes)
{
  struct rlimit limit;
  if (bytes == 0)
    {
#ifdef TB_INSTRUMENTED
      /* What watches the program maps more than any machine has.  */
      return;
#endif
      long pages = sysconf (_SC_PHYS_PAGES), size = sysconf (_SC_PAGESIZE);
      if (pages <= 0 || size <= 0)
	return;
      bytes = (uint64_t) pages * (uint64_t) size;
    }
  rlim_t most = (rlim_t) bytes;
  if (most != bytes || getrlimit (RLIMIT_DATA, &limit) != 0)
    return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < most)
    return;
  limit.rlim_cur = most;
  setrlimit (RLIMIT_DATA, &limit);
}

/* What is said at the end of the time; a signal handler cannot make it.  */
static char late[200];

static void
on_alarm (int number)
{
  (void) number;
  tb_write_all (STDERR_FILENO, late, strlen (late));
  tb_spool_remove ();
  _exit (1);
}

void
tb_limit_time (const char *name, uint64_t seconds)
{
  struct itimerval timer = { .it_value.tv_sec = (time_t) seconds };
  struct sigaction action = { .sa_handler = name != NULL ? on_alarm : SIG_DFL };
  sigemptyset (&action.sa_mask);
  if (name != NULL)
    snprintf (late, sizeof late, "%.60s: not done in the %llu seconds of --%.40s\n",
	      program_invocation_short_name, (unsigned long long) seconds, name);
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &timer, NULL);
}
