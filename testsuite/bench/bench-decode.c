/* Compare the speed of decoding with libopencsd, in one run on one machine.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: bench-decode [--repeat=N] [--only=TEXT] [--profile=SECONDS] DIRECTORY

   DIRECTORY holds captures (workloads.c says which); what is not there is left
   out.  Times are CPU time of the one thread.  --profile runs our decoder alone
   over the first workload that matches, for a profiler to look at.  */

#include "config.h"
#include "bench.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who runs in each round, in this order.  */
enum lane
{
  PEER_FILES, PEER_RAM, PEER_CALLBACK,
  OURS_FIRST,		/* A new decoder: blocks are decoded on the way.  */
  OURS,			/* The same one again.  */
  LANES
};

#define ROUNDS_MAX 1000

/* A sample is repeated until it took this long, for the clock's sake.  */
#define SAMPLE_SECONDS 0.02

struct samples
{
  double seconds[ROUNDS_MAX];
  unsigned n;
};

struct lane_result
{
  struct samples decode, open;
  struct bench_count *counts;	/* An entry a stream.  */
  uint64_t left;		/* Bytes not decoded.  */
};

struct options
{
  unsigned rounds;
  const char *only;
  double profile;
  const char *directory;
};

static const char *const stage_names[] = { "bytes", "packets", "elements" };

static int
by_value (const void *a, const void *b)
{
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static double
median (const struct samples *s)
{
  double sorted[ROUNDS_MAX];

  if (s->n == 0)
    return 0;
  memcpy (sorted, s->seconds, s->n * sizeof sorted[0]);
  qsort (sorted, s->n, sizeof sorted[0], by_value);
  return s->n % 2 ? sorted[s->n / 2]
    : (sorted[s->n / 2 - 1] + sorted[s->n / 2]) / 2;
}

static double
minimum (const struct samples *s)
{
  double least = s->n > 0 ? s->seconds[0] : 0;
  for (unsigned i = 1; i < s->n; i++)
    if (s->seconds[i] < least)
      least = s->seconds[i];
  return least;
}

/* Seconds to decode INPUT from a decoder's start to its end.  */
static double
decode_once (const struct bench_decoder *d, void *decoder,
	     const struct bench_input *input, struct lane_result *result)
{
  double start;
  memset (result->counts, 0, input->nstreams * sizeof *result->counts);
  start = bench_clock ();
  result->left = d->decode (decoder, result->counts);
  return bench_clock () - start;
}

/* One round of one decoder; false: it cannot do this.  AGAIN, unless NULL, gets
   the second pass over the same decoder.  The sample counts only when KEEP.  */
static bool
run (const struct bench_decoder *d, const struct bench_input *input,
     enum bench_stage stage, bool keep, struct lane_result *result,
     struct lane_result *again)
{
  double opening = 0, first = 0, second = 0;
  unsigned n = 0;

  do
    {
      double start = bench_clock ();
      void *decoder = d->open (input, stage);
      if (decoder == NULL)
	return false;
      opening += bench_clock () - start;
      first += decode_once (d, decoder, input, result);
      if (again != NULL)
	{
	  d->rewind (decoder);
	  second += decode_once (d, decoder, input, again);
	}
      d->close (decoder);
      n++;
    }
  while (first < SAMPLE_SECONDS);
  if (keep)
    {
      result->open.seconds[result->open.n++] = opening / n;
      result->decode.seconds[result->decode.n++] = first / n;
      if (again != NULL)
	again->decode.seconds[again->decode.n++] = second / n;
    }
  return true;
}

static void
run_rounds (const struct options *options, const struct bench_input *input,
	    enum bench_stage stage, struct lane_result results[LANES])
{
  static const struct bench_decoder *const peers[]
    = { &bench_peer_files, &bench_peer_ram, &bench_peer_callback };
  /* Where the bytes of code come from matters for elements only.  */
  unsigned npeers = stage == BENCH_ELEMENTS ? 3 : 1;

  for (unsigned round = 0; round <= options->rounds; round++)
    {
      bool keep = round > 0;		/* The first one warms up.  */
      for (unsigned i = 0; i < npeers; i++)
	if (!run (peers[i], input, stage, keep, &results[PEER_FILES + i], NULL))
	  npeers = 0;
      run (&bench_ours, input, stage, keep, &results[OURS_FIRST],
	   &results[OURS]);
    }
}

static struct bench_count
sum (const struct bench_count *counts, size_t n)
{
  struct bench_count total = { 0 };
  for (size_t i = 0; i < n; i++)
    {
      total.bytes += counts[i].bytes;
      total.packets += counts[i].packets;
      total.elements += counts[i].elements;
      total.ranges += counts[i].ranges;
      total.instructions += counts[i].instructions;
    }
  return total;
}

/* VALUE in a column, or a dash for "not measured". */
static void
column (int width, int decimals, double value)
{
  if (value > 0)
    printf ("%*.*f", width, decimals, value);
  else
    printf ("%*s", width, "-");
}

static double
ratio (double a, double b)
{
  return a > 0 && b > 0 ? a / b : 0;
}

/* What the two must have in common; a line for each source where they have
   not.  Packets are cut in different ways, so these are not compared.  */
static bool
compare (const struct bench_input *input, enum bench_stage stage,
	 const struct lane_result *peer, const struct lane_result *ours)
{
  bool same = true;

  for (size_t i = 0; i < input->nstreams; i++)
    {
      const struct bench_count *p = &peer->counts[i], *o = &ours->counts[i];
      if (stage == BENCH_BYTES && p->bytes != o->bytes)
	printf ("  MISMATCH %s (id 0x%02x): peer %" PRIu64 " bytes, ours %"
		PRIu64 "\n", input->streams[i]->source->name,
		input->streams[i]->id, p->bytes, o->bytes);
      else if (stage == BENCH_ELEMENTS
	       && (p->ranges != o->ranges || p->instructions
					     != o->instructions))
	printf ("  MISMATCH %s (id 0x%02x): peer %" PRIu64 " instructions in %"
		PRIu64 " ranges, ours %" PRIu64 " in %" PRIu64 "\n",
		input->streams[i]->source->name, input->streams[i]->id,
		p->instructions, p->ranges, o->instructions, o->ranges);
      else
	continue;
      same = false;
    }
  if (peer->left > 0)
    printf ("  MISMATCH the peer gave up %" PRIu64 " bytes before the end\n",
	    peer->left);
  return same && peer->left == 0;
}

static void
print_header (const struct options *options)
{
  printf ("Peer: libopencsd %s.  CPU time of one thread, medians of %u rounds"
	  " after a warm-up.\n\n"
	  "ms:    files, RAM, call: the peer with code from files (as its own"
	  " tools do),\n"
	  "       from buffers in RAM, by a function; first: ours with a new"
	  " decoder;\n"
	  "       ours: the same decoder again, its blocks of code decoded"
	  " already.\n"
	  "ratio: the peer's files / ours, and its best / ours and / first.\n"
	  "ns:    ours, for an instruction and a range (element, packet, byte"
	  " where there\n"
	  "       are none).\n"
	  "The line \"least\" has the least of the rounds, \"opening\" what making"
	  " a decoder\nready takes.\n\n",
	  bench_peer_version (), options->rounds);
  printf ("%-20s %-8s %8s %9s %8s|%9s%9s%9s%9s%9s|%8s%8s%8s|%7s%7s\n",
	  "workload", "to", "bytes", "instr.", "ranges", "files", "RAM", "call",
	  "first", "ours", "files/o", "best/o", "best/1", "ns/ins", "ns/rng");
}

/* The times of one line, and their ratios.  */
static void
print_times (const double time[LANES])
{
  double best = 0;

  printf ("|");
  for (int i = 0; i < LANES; i++)
    {
      column (9, 3, 1e3 * time[i]);
      if (i <= PEER_CALLBACK && time[i] > 0 && (best <= 0 || time[i] < best))
	best = time[i];
    }
  printf ("|");
  column (8, 2, ratio (time[PEER_FILES], time[OURS]));
  column (8, 2, ratio (best, time[OURS]));
  column (8, 2, ratio (best, time[OURS_FIRST]));
  printf ("|");
}

static void
print_row (const struct bench_workload *workload,
	   const struct bench_input *input,
	   const struct lane_result results[LANES])
{
  const char *slash = strrchr (workload->snapshot, '/');
  bool ours = results[OURS].decode.n > 0, peer = results[0].decode.n > 0;
  struct bench_count total = sum (results[ours ? OURS : 0].counts,
				  input->nstreams);
  uint64_t units = total.ranges ? total.ranges : total.elements
    ? total.elements : total.packets ? total.packets : total.bytes;
  double time[LANES], least[LANES], opening[LANES];

  for (int i = 0; i < LANES; i++)
    {
      time[i] = median (&results[i].decode);
      least[i] = minimum (&results[i].decode);
      opening[i] = median (&results[i].open);
    }
  printf ("%-20s %-8s %8" PRIu64 " %9" PRIu64 " %8" PRIu64,
	  slash != NULL ? slash + 1 : workload->snapshot,
	  stage_names[workload->stage], input->buffer->size,
	  total.instructions, total.ranges);
  print_times (time);
  column (7, 2, 1e9 * ratio (time[OURS], (double) total.instructions));
  column (7, 2, 1e9 * ratio (time[OURS], (double) units));
  if (peer || ours)
    {
      printf ("\n%57s", "least ");
      print_times (least);
      printf ("\n%57s|", "opening ");
      for (int i = 0; i < OURS; i++)
	column (9, 3, 1e3 * opening[i]);
    }
  printf ("\n");
  if (peer && ours
      && !compare (input, workload->stage, &results[0], &results[OURS]))
    printf ("  the figures of this row do not compare the same work\n");
}

static bool
measure (const struct options *options, const struct bench_workload *workload)
{
  struct lane_result *results = calloc (LANES, sizeof *results);
  struct bench_input input;
  bool done = false;

  if (results == NULL)
    return false;
  if (bench_input_open (&input, options->directory, workload))
    {
      for (int i = 0; i < LANES; i++)
	results[i].counts = calloc (input.nstreams, sizeof *results->counts);
      done = true;
      for (int i = 0; i < LANES; i++)
	done = done && results[i].counts != NULL;
      if (done)
	{
	  run_rounds (options, &input, workload->stage, results);
	  print_row (workload, &input, results);
	}
      for (int i = 0; i < LANES; i++)
	free (results[i].counts);
      bench_input_close (&input);
    }
  free (results);
  fflush (stdout);
  return done;
}

/* Run our decoder over WORKLOAD for options->profile seconds.  */
static bool
profile (const struct options *options, const struct bench_workload *workload)
{
  struct bench_input input;
  struct bench_count *counts;
  void *decoder;
  double start = bench_clock ();
  unsigned n = 0;

  if (!bench_input_open (&input, options->directory, workload))
    return false;
  counts = calloc (input.nstreams, sizeof *counts);
  decoder = bench_ours.open (&input, workload->stage);
  if (counts != NULL && decoder != NULL)
    {
      for (; bench_clock () - start < options->profile; n++)
	{
	  bench_ours.decode (decoder, counts);
	  bench_ours.rewind (decoder);
	}
      printf ("%s: decoded %u times\n", workload->snapshot, n);
    }
  if (decoder != NULL)
    bench_ours.close (decoder);
  free (counts);
  bench_input_close (&input);
  return n > 0;
}

static bool
parse (struct options *options, int argc, char **argv)
{
  static const struct option names[] = {
    { "repeat", required_argument, NULL, 'r' },
    { "only", required_argument, NULL, 'o' },
    { "profile", required_argument, NULL, 'p' },
    { NULL, 0, NULL, 0 }
  };
  int c;

  while ((c = getopt_long (argc, argv, "", names, NULL)) != -1)
    if (c == 'r')
      options->rounds = (unsigned) strtoul (optarg, NULL, 10);
    else if (c == 'o')
      options->only = optarg;
    else if (c == 'p')
      options->profile = strtod (optarg, NULL);
    else
      return false;
  if (optind != argc - 1 || options->rounds == 0
      || options->rounds > ROUNDS_MAX)
    return false;
  options->directory = argv[optind];
  return true;
}

int
main (int argc, char **argv)
{
  struct options options = { .rounds = 7, .only = "" };
  unsigned rows = 0;

  if (!parse (&options, argc, argv))
    {
      fputs ("usage: bench-decode [--repeat=N] [--only=TEXT]"
	     " [--profile=SECONDS] DIRECTORY\n", stderr);
      return 2;
    }
  if (options.profile <= 0)
    print_header (&options);
  for (size_t i = 0; i < bench_nworkloads; i++)
    if (strstr (bench_workloads[i].snapshot, options.only) == NULL)
      continue;
    else if (options.profile > 0)
      return profile (&options, &bench_workloads[i]) ? 0 : 1;
    else if (measure (&options, &bench_workloads[i]))
      rows++;
    else
      printf ("%-20s not there or not readable, left out\n",
	      bench_workloads[i].snapshot);
  if (options.profile <= 0 && *options.only == '\0')
    {
      const uint64_t frames = 100000;
      uint64_t size = 0;
      double seconds = bench_tracefile (frames, &size);
      if (seconds > 0)
	printf ("\ntrace file: %" PRIu64 " frames, %" PRIu64 " bytes: %.0f"
		" frames a second (wall clock, on the disk)\n", frames, size,
		(double) frames / seconds);
      else
	printf ("\ntrace file: could not be written\n");
    }
  if (rows > 0)
    return 0;
  fprintf (stderr, "bench-decode: no workload could be measured under %s\n",
	   options.directory);
  return 1;
}
