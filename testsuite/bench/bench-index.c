/* Measures how a large capture opens, with and without an index, by one thread
   and by several, and how long steps at random places take to find.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Usage: bench-index SNAPSHOT SOURCE CACHE [JOBS]

   CACHE is an empty directory for the index.  make-large makes captures for
   this.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "recording/session.h"

#define LOOKS 1000

static double
clock_of (clockid_t id)
{
  struct timespec t;
  clock_gettime (id, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  fprintf (stderr, "bench-index: %s\n", message);
}

/* The kilobytes of a line of /proc/self/status.  */
static unsigned long
status_line (const char *name)
{
  char line[256];
  unsigned long value = 0;
  FILE *in = fopen ("/proc/self/status", "r");
  if (in == NULL)
    return 0;
  while (fgets (line, sizeof line, in) != NULL)
    if (strncmp (line, name, strlen (name)) == 0)
      value = strtoul (line + strlen (name), NULL, 10);
  fclose (in);
  return value;
}

static struct tb_recording *
open_it (const char *what, const struct tb_decoder_config *config,
	 unsigned jobs, const struct tb_index_options *index)
{
  struct tb_diag diag = { .report = say };
  const struct tb_recording_options options = { .jobs = jobs,
						.index = index };
  double wall = clock_of (CLOCK_MONOTONIC);
  double cpu = clock_of (CLOCK_PROCESS_CPUTIME_ID);
  struct tb_recording *r = tb_recording_open_trace (config, &options, &diag);
  if (r == NULL)
    exit (1);
  printf ("%-28s %8.3f s, %8.3f s of CPU; %" PRIu64 " steps%s\n", what,
	  clock_of (CLOCK_MONOTONIC) - wall,
	  clock_of (CLOCK_PROCESS_CPUTIME_ID) - cpu, tb_recording_steps (r),
	  tb_recording_indexed (r) ? ", by the index" : "");
  fflush (stdout);
  return r;
}

static int
by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static void
look (struct tb_recording *r, const char *what)
{
  static double times[LOOKS], busy[LOOKS];
  uint64_t random = 88172645463325252u;
  for (int i = 0; i < LOOKS; i++)
    {
      struct tb_step step;
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      double from = clock_of (CLOCK_MONOTONIC);
      double cpu = clock_of (CLOCK_THREAD_CPUTIME_ID);
      if (tb_recording_read (r, random % tb_recording_steps (r), &step, 1)
	  != 1)
	exit (1);
      busy[i] = clock_of (CLOCK_THREAD_CPUTIME_ID) - cpu;
      times[i] = clock_of (CLOCK_MONOTONIC) - from;
    }
  qsort (times, LOOKS, sizeof times[0], by_value);
  qsort (busy, LOOKS, sizeof busy[0], by_value);
  printf ("%-28s median %.3f ms, 99 of 100 %.3f ms, most %.3f ms; of CPU %.3f, "
	  "%.3f, %.3f ms\n", what, times[LOOKS / 2] * 1e3,
	  times[LOOKS * 99 / 100] * 1e3, times[LOOKS - 1] * 1e3,
	  busy[LOOKS / 2] * 1e3, busy[LOOKS * 99 / 100] * 1e3,
	  busy[LOOKS - 1] * 1e3);
}

int
main (int argc, char **argv)
{
  if (argc < 4)
    {
      fputs ("usage: bench-index SNAPSHOT SOURCE CACHE [JOBS]\n", stderr);
      return 2;
    }
  unsigned jobs = argc > 4 ? (unsigned) strtoul (argv[4], NULL, 0) : 2;
  struct tb_session session;
  struct tb_diag diag = { .report = say };
  if (tb_session_open (&session, argv[1], NULL, &diag) != TB_OK)
    return 1;
  for (size_t i = 0; i < session.nstreams; i++)
    {
      struct tb_decoder_config config;
      const struct tb_index_options index = { .cache = argv[3] };
      char with[64];
      if (strcmp (session.streams[i].source->name, argv[2]) != 0)
	continue;
      tb_session_decoder_config (&session.streams[i], &config);
      snprintf (with, sizeof with, "open, %u threads", jobs);
      struct tb_recording *r = open_it ("open, making the index", &config,
					jobs, &index);
      tb_recording_close (r);
      r = open_it ("open by the index", &config, jobs, &index);
      look (r, "step, by the index");
      tb_recording_close (r);
      printf ("memory beyond mapped files: most %lu KiB (all: %lu KiB)\n",
	      status_line ("RssAnon:"), status_line ("VmHWM:"));
      r = open_it (with, &config, jobs, NULL);
      look (r, "step, no index");
      printf ("memory beyond mapped files: now %lu KiB\n",
	      status_line ("RssAnon:"));
      tb_recording_close (r);
      r = open_it ("open, one thread", &config, 1, NULL);
      tb_recording_close (r);
    }
  tb_session_close (&session);
  return 0;
}
