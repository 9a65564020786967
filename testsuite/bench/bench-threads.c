/* Measures how much faster several threads work out the state of a trace than one does.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Usage: measure-threads [--jobs=N] [--repeat=N] [--window=STEPS] [--only=WORK] SNAPSHOT...

   Two lines for each snapshot (its first stream that can be decoded): "all" is to work out all
   windows, back and forth, as for a listing; "search" the first search of all stores.  One
   thread and N (2) in turns, the least of the rounds (3).  Seconds by the clock, and of
   processor time: of one thread, of N together, and of the busiest of two, which is as long as
   it takes where each has a processor of its own and none waits.  The last columns are how many
   times as fast N are, by the clock and by the busiest.  Of more threads than two only how long
   the caller's took is known.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "recording/session.h"
#include "state/answer/accesses.h"
#include "state/state.h"

static struct
{
  unsigned jobs, repeat;
  uint64_t window;
  const char *only;
} asked = { .jobs = 2, .repeat = 3 };

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  fprintf (stderr, "measure-threads: %s\n", message);
}

static struct tb_diag diag = { .report = say };

static double
now (clockid_t which)
{
  struct timespec t;
  clock_gettime (which, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* In seconds.  */
struct times
{
  double clock;
  double all, own;		/* Processor time: of all threads, and of the caller's.  */
};

static struct times
times_now (void)
{
  return (struct times) { now (CLOCK_MONOTONIC), now (CLOCK_PROCESS_CPUTIME_ID),
			  now (CLOCK_THREAD_CPUTIME_ID) };
}

/* That of the caller's thread, or the other one if that is busier.  */
static double
busiest (const struct times *t)
{
  return asked.jobs == 2 && t->all - t->own > t->own ? t->all - t->own : t->own;
}

/* Look for a store that is not there.  */
static bool
search (struct tb_state *s, struct tb_recording *r)
{
  struct tb_accesses *accesses = tb_accesses_new (s, r, 0);
  const struct tb_watch_range watch = { .address = UINT64_MAX, .length = 1, .stores = true };
  struct tb_access_found found;
  bool none = accesses != NULL
	      && tb_accesses_previous (accesses, &watch, 1, UINT64_MAX, 0, &found)
		 == TB_SEARCH_NONE;
  tb_accesses_free (accesses);
  return none;
}

/* Once, with N threads; *LEAST is the quickest of all that were.  */
static void
run (const struct tb_session_stream *stream, struct tb_recording *r, unsigned n, bool all,
     struct times *least)
{
  struct tb_state_options options = { .core = stream->core->device, .window = asked.window,
				      .functions = stream->core->functions,
				      .nfunctions = stream->core->nfunctions, .jobs = n };
  tb_session_trace_ram (stream, &options.trace_ram, &options.trace_ram_length);
  struct times from = times_now ();
  struct tb_state *s = tb_state_open (r, &options, &diag);
  if (s == NULL || !(all ? tb_state_prepare (s, 0, NULL, NULL, &diag) : search (s, r)))
    exit (1);
  struct times t = times_now ();
  tb_state_close (s);
  t = (struct times) { t.clock - from.clock, t.all - from.all, t.own - from.own };
  if (least->clock == 0 || t.clock < least->clock)
    least->clock = t.clock;
  if (least->all == 0 || busiest (&t) < busiest (least))
    {
      least->all = t.all;
      least->own = t.own;
    }
}

static void
measure (const char *name, const struct tb_session_stream *stream, struct tb_recording *r)
{
  static const char *const works[] = { "search", "all" };
  const char *base = strrchr (name, '/');
  for (unsigned work = 0; work < 2; work++)
    {
      struct times one = { 0, 0, 0 }, more = { 0, 0, 0 };
      if (asked.only != NULL && strcmp (asked.only, works[work]) != 0)
	continue;
      for (unsigned i = 0; i < asked.repeat; i++)
	{
	  run (stream, r, 1, work == 1, &one);
	  run (stream, r, asked.jobs, work == 1, &more);
	}
      printf ("%-22s %-6s %7.2f %7.2f   %7.2f %7.2f %7.2f   %5.2f %5.2f\n",
	      base != NULL ? base + 1 : name, works[work], one.clock, more.clock, one.all,
	      more.all, busiest (&more), one.clock / more.clock, one.all / busiest (&more));
      fflush (stdout);
    }
}

static void
bench (const char *path)
{
  struct tb_session session;
  if (tb_session_open (&session, path, NULL, &diag) != TB_OK)
    exit (1);
  for (size_t i = 0; i < session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &session.streams[i];
      struct tb_decoder_config config;
      if (stream->protocol == NULL || stream->protocol->software)
	continue;
      tb_session_decoder_config (stream, &config);
      struct tb_recording *r = tb_recording_open_trace (&config, NULL, &diag);
      if (r == NULL)
	exit (1);
      if (tb_recording_steps (r) != 0)
	measure (path, stream, r);
      tb_recording_close (r);
      break;
    }
  tb_session_close (&session);
}

/* Take OPTION.  False: it is none.  */
static bool
take_option (const char *option)
{
  const char *value = strchr (option, '=');
  if (value == NULL)
    return false;
  size_t length = (size_t) (value++ - option);
  if (strncmp (option, "--jobs", length) == 0)
    asked.jobs = (unsigned) strtoul (value, NULL, 0);
  else if (strncmp (option, "--repeat", length) == 0)
    asked.repeat = (unsigned) strtoul (value, NULL, 0);
  else if (strncmp (option, "--window", length) == 0)
    asked.window = strtoull (value, NULL, 0);
  else if (strncmp (option, "--only", length) == 0)
    asked.only = value;
  else
    return false;
  return true;
}

int
main (int argc, char **argv)
{
  int at = 1;
  while (at < argc && strncmp (argv[at], "--", 2) == 0 && take_option (argv[at]))
    at++;
  if (at >= argc || argv[at][0] == '-' || asked.jobs == 0 || asked.repeat == 0)
    {
      fputs ("usage: measure-threads [--jobs=N] [--repeat=N] [--window=STEPS] "
	     "[--only=search|all] SNAPSHOT...\n", stderr);
      return 2;
    }
  printf ("%-22s %-6s %7s %7s   %7s %7s %7s   %5s %5s\n", "snapshot", "work", "clock", "clock",
	  "one", "all", "busiest", "clock", "cpu");
  for (; at < argc; at++)
    bench (argv[at]);
  return 0;
}
