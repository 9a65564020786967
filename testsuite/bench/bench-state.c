/* Measures the reconstruction of state: how many steps a second, how much memory
   a step, and how long it takes to answer.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Usage: measure-state [--window=STEPS] [--assume] [--repeat=N] SNAPSHOT...

   A line for each snapshot (its first stream that can be decoded).  One thread;
   CPU time.  Memory is what the solver has from malloc, counted block by block,
   above what there was before it began; a block that grows counts as it is after
   growing.  */

#include "config.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/forward.h"
#include "recording/session.h"
#include "state/state.h"

/* The C library's own, below which what is counted stands.  */
void *__libc_malloc (size_t size);
void *__libc_calloc (size_t count, size_t size);
void *__libc_realloc (void *block, size_t size);
void __libc_free (void *block);

/* What was had from elsewhere may be given back here.  */
static ptrdiff_t in_use, most;

static void *
count_block (void *block)
{
  if (block != NULL)
    in_use += (ptrdiff_t) malloc_usable_size (block);
  if (in_use > most)
    most = in_use;
  return block;
}

void *
malloc (size_t size)
{
  return count_block (__libc_malloc (size));
}

void *
calloc (size_t count, size_t size)
{
  return count_block (__libc_calloc (count, size));
}

void *
realloc (void *block, size_t size)
{
  ptrdiff_t old = block != NULL ? (ptrdiff_t) malloc_usable_size (block) : 0;
  void *moved = __libc_realloc (block, size);
  if (moved == NULL && size != 0)
    return NULL;
  in_use -= old;
  return count_block (moved);
}

void
free (void *block)
{
  if (block != NULL)
    in_use -= (ptrdiff_t) malloc_usable_size (block);
  __libc_free (block);
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  fprintf (stderr, "measure-state: %s\n", message);
}

static struct tb_diag diag = { .report = say };

/* What is asked for on the command line.  */
static struct
{
  uint64_t window;
  unsigned assume, repeat;
} asked = { .repeat = 3 };

#define LOOKS 1000
#define CONSECUTIVE 1000000

struct figures
{
  uint64_t steps, window;
  double decode, open;		/* Seconds.  */
  size_t peak, kept;		/* Bytes.  */
  double known;			/* Of 100 registers: wholly.  */
  double next;			/* Steps a second.  */
  struct bench_forward forward;
  double all;			/* Seconds for the whole trace.  */
  size_t all_kept;		/* Bytes.  */
  double median, worst;		/* Seconds.  */
};

static int
by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* Seconds to decode the last COUNT steps: what the solver is given.  */
static double
read_steps (struct tb_recording *r, uint64_t count)
{
  struct tb_step steps[1024];
  uint64_t end = tb_recording_steps (r);
  double from = now ();
  for (uint64_t at = end - count; at < end;)
    {
      size_t got = tb_recording_read (r, at, steps, 1024);
      if (got == 0)
	break;
      at += got;
    }
  return now () - from;
}

/* The registers of steps one after the other.  */
static void
walk (struct tb_state *s, const struct tb_profile *profile, struct figures *f)
{
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  uint64_t n = f->window < CONSECUTIVE ? f->window : CONSECUTIVE, known = 0;
  double from = now ();
  for (uint64_t i = 0; i < n; i++)
    {
      struct tb_value values[TB_NREGS_MAX];
      tb_state_registers (s, f->steps - n + i, values);
      for (size_t k = 0; k < count; k++)
	known += values[k].mask == UINT64_MAX >> (64 - regs[k].bits);
    }
  f->next = (double) n / (now () - from);
  f->known = 100.0 * (double) known / ((double) n * (double) count);
}

/* The registers and accesses of steps anywhere in the trace.  */
static void
look (struct tb_state *s, struct figures *f)
{
  static double times[LOOKS];
  uint64_t random = 88172645463325252u;
  for (unsigned i = 0; i < LOOKS; i++)
    {
      struct tb_value values[TB_NREGS_MAX];
      struct tb_access_info accesses[32];
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      uint64_t step = random % f->steps;
      double from = now ();
      tb_state_registers (s, step, values);
      tb_state_accesses (s, step, accesses, 32);
      times[i] = now () - from;
    }
  qsort (times, LOOKS, sizeof times[0], by_value);
  f->median = times[LOOKS / 2];
  f->worst = times[LOOKS - 1];
}

static void
measure (const struct tb_session_stream *stream, struct tb_recording *r,
	 struct figures *f)
{
  struct tb_state_options options = { .core = stream->core->device,
				      .window = asked.window,
				      .assume = asked.assume,
				      .functions = stream->core->functions,
				      .nfunctions = stream->core->nfunctions };
  tb_session_trace_ram (stream, &options.trace_ram,
			&options.trace_ram_length);
  uint64_t window = asked.window != 0 ? asked.window : TB_STATE_WINDOW;
  f->steps = tb_recording_steps (r);
  f->window = f->steps < window ? f->steps : window;
  for (unsigned i = 0; i < asked.repeat || i == 0; i++)
    {
      double decode = read_steps (r, f->window);
      ptrdiff_t before = most = in_use;
      double from = now ();
      struct tb_state *s = tb_state_open (r, &options, &diag);
      double took = now () - from;
      if (s == NULL)
	exit (1);
      if (i == 0 || took < f->open)
	f->open = took;
      if (i == 0 || decode < f->decode)
	f->decode = decode;
      f->peak = (size_t) (most - before);
      f->kept = (size_t) (in_use - before);
      if (i + 1 >= asked.repeat)
	{
	  walk (s, &stream->core->profile, f);
	  f->forward = bench_forward (r, f->window);
	  from = now ();
	  if (!tb_state_prepare (s, 0, NULL, NULL, &diag))
	    exit (1);
	  f->all = took + now () - from;
	  f->all_kept = (size_t) (in_use - before);
	  look (s, f);
	}
      tb_state_close (s);
    }
}

static void
print (const char *name, const struct figures *f)
{
  double window = (double) f->window;
  const char *base = strrchr (name, '/');
  printf ("%-22s %9" PRIu64 " %7" PRIu64 " %6.2f %6.2f %6.1f %6.1f %5.1f %5.1f "
	  "%7.1f %7.1f %6.2f %6.1f %7.3f %7.3f\n", base != NULL ? base + 1 : name,
	  f->steps, f->window,
	  window / f->decode / 1e6, window / f->open / 1e6,
	  (double) f->peak / window, (double) f->kept / window, f->known,
	  f->next / 1e6, f->forward.compiled / 1e6, f->forward.generic / 1e6,
	  (double) f->steps / f->all / 1e6,
	  (double) f->all_kept / (double) f->steps, f->median * 1e3, f->worst * 1e3);
  fflush (stdout);
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
      struct figures f = { 0 };
      if (stream->protocol == NULL || stream->protocol->software)
	continue;
      tb_session_decoder_config (stream, &config);
      struct tb_recording *r = tb_recording_open_trace (&config, NULL, &diag);
      if (r == NULL)
	exit (1);
      if (tb_recording_steps (r) != 0)
	{
	  measure (stream, r, &f);
	  print (path, &f);
	}
      tb_recording_close (r);
      break;
    }
  tb_session_close (&session);
}

int
main (int argc, char **argv)
{
  int at = 1;
  for (; at < argc && strncmp (argv[at], "--", 2) == 0; at++)
    if (strncmp (argv[at], "--window=", 9) == 0)
      asked.window = strtoull (argv[at] + 9, NULL, 0);
    else if (strncmp (argv[at], "--repeat=", 9) == 0)
      asked.repeat = (unsigned) strtoul (argv[at] + 9, NULL, 0);
    else if (strcmp (argv[at], "--assume") == 0)
      asked.assume = TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS;
    else
      {
	at = argc;
	break;
      }
  if (at >= argc)
    {
      fputs ("usage: measure-state [--window=STEPS] [--assume] [--repeat=N] "
	     "SNAPSHOT...\n", stderr);
      return 2;
    }
  static const char line[] = "%-22s %9s %7s %6s %6s %6s %6s %5s %5s %7s %7s %6s "
			     "%6s %7s %7s\n";
  printf (line, "snapshot", "steps", "window", "decode", "solve", "peak", "kept",
	  "known", "next", "forward", "generic", "all", "all", "look", "look");
  printf (line, "", "", "", "M/s", "M/s", "B/step", "B/step", "%", "M/s", "M/s", "M/s",
	  "M/s", "B/step", "ms", "most");
  for (; at < argc; at++)
    bench (argv[at]);
  return 0;
}
