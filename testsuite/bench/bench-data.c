/* How fast data trace is decoded.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: bench-data [--repeat=N] SNAPSHOT...

   A line for each: the first buffer is decoded to elements by one thread again and again;
   median, least and most of N rounds.  The code is decoded once, before the first.  Times
   are CPU time.  bench-data.sh makes the snapshots.  */

#include "config.h"
#include "bench.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 1000

/* A round decodes until it took this long, for the clock's sake.  */
#define ROUND_SECONDS 0.1

static int
by_value (const void *a, const void *b)
{
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Seconds for one decoding by DECODER, which was marked; COUNT is what it had.  */
static double
decode_round (void *decoder, struct bench_count *count)
{
  double start = bench_clock (), end;
  unsigned n = 0;

  do
    {
      *count = (struct bench_count) { 0 };
      bench_ours.decode (decoder, count);
      bench_ours.rewind (decoder);
      n++;
      end = bench_clock ();
    }
  while (end - start < ROUND_SECONDS);
  return (end - start) / n;
}

static bool
measure (const char *directory, unsigned rounds)
{
  static double seconds[ROUNDS_MAX];
  struct bench_workload workload = { ".", NULL, BENCH_ELEMENTS };
  struct bench_count count = { 0 };
  struct bench_input input;
  const char *slash = strrchr (directory, '/');

  if (!bench_input_open (&input, directory, &workload))
    {
      fprintf (stderr, "bench-data: %s: no snapshot with trace\n", directory);
      return false;
    }
  void *decoder = input.nstreams == 1 ? bench_ours.open (&input, BENCH_ELEMENTS) : NULL;
  bool ok = decoder != NULL && bench_ours.mark (decoder);
  if (ok)
    {
      decode_round (decoder, &count);
      for (unsigned i = 0; i < rounds; i++)
	seconds[i] = decode_round (decoder, &count);
      qsort (seconds, rounds, sizeof seconds[0], by_value);
      double megabytes = (double) input.buffer->size * 1e-6;
      double median = seconds[rounds / 2];
      printf ("%-28s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8.2f %7.0f %7.0f %7.0f\n",
	      slash != NULL ? slash + 1 : directory, input.buffer->size,
	      count.instructions, count.elements, 1e9 * median / (double) count.elements,
	      megabytes / median, megabytes / seconds[rounds - 1], megabytes / seconds[0]);
      fflush (stdout);
    }
  else
    fprintf (stderr, "bench-data: %s: not one source that can be decoded\n", directory);
  if (decoder != NULL)
    bench_ours.close (decoder);
  bench_input_close (&input);
  return ok;
}

int
main (int argc, char **argv)
{
  static const struct option options[] = {
    { "repeat", required_argument, NULL, 'r' }, { NULL, 0, NULL, 0 }
  };
  unsigned long rounds = 9;
  bool ok = true;
  int c;

  while ((c = getopt_long (argc, argv, "", options, NULL)) != -1)
    if (c != 'r' || (rounds = strtoul (optarg, NULL, 10)) == 0 || rounds > ROUNDS_MAX)
      {
	fprintf (stderr, "usage: bench-data [--repeat=N] SNAPSHOT...\n");
	return 2;
      }
  printf ("%-28s %9s %9s %9s %8s %7s %7s %7s\n", "data trace", "bytes", "instr.",
	  "elements", "ns/elem", "MB/s", "least", "most");
  for (int i = optind; i < argc; i++)
    ok = measure (argv[i], (unsigned) rounds) && ok;
  return !ok;
}
