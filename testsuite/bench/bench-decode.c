/* Compare the speed of decoding with libopencsd, in one run on one machine.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: bench-decode [--repeat=N] [--only=TEXT]
	  [--profile=SECONDS [--again | --peer]] DIRECTORY

   DIRECTORY holds captures (workloads.c says which); what is not there is left
   out.  Times are CPU time of the one thread.  --profile runs our decoders alone
   over the first workload that matches, for a profiler to look at: new ones
   each time, or with --again the same ones; or with --peer the peer's, which read
   code from files.  */

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
  NEW,			/* Ours, with new decoders.  */
  AGAIN,		/* The same ones a second time: blocks are decoded.  */
  LANES
};

#define ROUNDS_MAX 1000

/* A sample is repeated until it took this long, for the clock's sake.  */
#define SAMPLE_SECONDS 0.02

/* A figure of each round; 0 where there is none.  */
struct samples
{
  double values[ROUNDS_MAX];
  unsigned n;
};

struct lane_result
{
  /* Seconds: OPEN, to make decoders ready; ALL, with that and to decode.  AGAIN
     has no decoders to make.  */
  struct samples open, all;
  struct bench_count *counts;	/* An entry a stream.  */
  uint64_t left;		/* Bytes not decoded.  */
};

struct options
{
  unsigned rounds;
  const char *only;
  double profile;
  bool again;			/* With PROFILE: by the same decoders.  */
  bool peer;			/* With PROFILE: by the peer's.  */
  const char *directory;
};

static const char *const stage_names[] = { "bytes", "packets", "elements" };

static int
by_value (const void *a, const void *b)
{
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* What a row shows of the rounds.  */
enum statistic
{
  MEDIAN, LEAST, MOST
};

static double
statistic (const struct samples *s, enum statistic which)
{
  double sorted[ROUNDS_MAX];

  if (s->n == 0)
    return 0;
  memcpy (sorted, s->values, s->n * sizeof sorted[0]);
  qsort (sorted, s->n, sizeof sorted[0], by_value);
  return which == LEAST ? sorted[0] : which == MOST ? sorted[s->n - 1]
    : s->n % 2 ? sorted[s->n / 2]
    : (sorted[s->n / 2 - 1] + sorted[s->n / 2]) / 2;
}

static void
add (struct samples *s, double value)
{
  s->values[s->n++] = value;
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
      if (again != NULL && !d->mark (decoder))
	{
	  d->close (decoder);
	  return false;
	}
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
      add (&result->open, opening / n);
      add (&result->all, (opening + first) / n);
      if (again != NULL)
	add (&again->all, second / n);
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
      run (&bench_ours, input, stage, keep, &results[NEW], &results[AGAIN]);
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

/* ONE : OTHER, round by round.  */
static void
ratios (struct samples *to, const struct samples *one,
	const struct samples *other)
{
  to->n = one->n < other->n ? one->n : other->n;
  for (unsigned i = 0; i < to->n; i++)
    to->values[i] = other->values[i] > 0 ? one->values[i] / other->values[i]
		    : 0;
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
  printf ("Peer: libopencsd %s.  CPU time of one thread; %u rounds, all in"
	  " turns in each,\nafter one to warm up.  A round makes new decoders"
	  " for an open snapshot, which counts,\nand decodes all of the buffer;"
	  " short ones again and again.\n\n"
	  "ms:    files, RAM, call: the peer with code from files (as its own"
	  " tools do),\n"
	  "       from buffers in RAM, by a function; new: ours; again: a second"
	  " pass of\n"
	  "       the same decoders, whose code is decoded already.\n"
	  "ratio: files : new, and the faster of RAM and call : new, in the"
	  " same round.\n"
	  "ns:    new, for an instruction and a range (element, packet, byte"
	  " where there\n"
	  "       are none).\n"
	  "\"least\" and \"most\" are of the rounds, column by column;"
	  " \"opening\" is what making\nthe decoders takes of it.\n\n",
	  bench_peer_version (), options->rounds);
  printf ("%-20s %-8s %8s %9s %8s|%9s%9s%9s%9s|%8s%8s|%7s%7s|%9s\n",
	  "workload", "to", "bytes", "instr.", "ranges", "files", "RAM", "call",
	  "new", "files/n", "flat/n", "ns/ins", "ns/rng", "again");
}

/* The figures of one line.  */
static void
print_times (const struct lane_result results[LANES],
	     const struct samples *shipped, const struct samples *flat,
	     uint64_t instructions, uint64_t units, enum statistic which)
{
  double new = statistic (&results[NEW].all, which);

  printf ("|");
  for (int i = 0; i <= NEW; i++)
    column (9, 3, 1e3 * statistic (&results[i].all, which));
  printf ("|");
  column (8, 2, statistic (shipped, which));
  column (8, 2, statistic (flat, which));
  printf ("|");
  column (7, 2, instructions > 0 ? 1e9 * new / (double) instructions : 0);
  column (7, 2, units > 0 ? 1e9 * new / (double) units : 0);
  printf ("|");
  column (9, 3, 1e3 * statistic (&results[AGAIN].all, which));
  printf ("\n");
}

/* The faster of A and B, round by round; of one alone where the other cannot.  */
static void
faster (struct samples *to, const struct samples *a, const struct samples *b)
{
  *to = a->n > 0 ? *a : *b;
  for (unsigned i = 0; i < a->n && i < b->n; i++)
    if (b->values[i] < to->values[i])
      to->values[i] = b->values[i];
}

static void
print_row (const struct bench_workload *workload,
	   const struct bench_input *input,
	   const struct lane_result results[LANES])
{
  static struct samples shipped, flat_time, flat;
  const char *slash = strrchr (workload->snapshot, '/');
  bool ours = results[NEW].all.n > 0, peer = results[PEER_FILES].all.n > 0;
  struct bench_count total = sum (results[ours ? NEW : PEER_FILES].counts,
				  input->nstreams);
  uint64_t units = total.ranges ? total.ranges : total.elements
    ? total.elements : total.packets ? total.packets : total.bytes;

  ratios (&shipped, &results[PEER_FILES].all, &results[NEW].all);
  faster (&flat_time, &results[PEER_RAM].all, &results[PEER_CALLBACK].all);
  ratios (&flat, &flat_time, &results[NEW].all);
  printf ("%-20s %-8s %8" PRIu64 " %9" PRIu64 " %8" PRIu64,
	  slash != NULL ? slash + 1 : workload->snapshot,
	  stage_names[workload->stage], input->buffer->size,
	  total.instructions, total.ranges);
  print_times (results, &shipped, &flat, total.instructions, units, MEDIAN);
  if (peer || ours)
    {
      printf ("%57s", "least ");
      print_times (results, &shipped, &flat, total.instructions, units, LEAST);
      printf ("%57s", "most ");
      print_times (results, &shipped, &flat, total.instructions, units, MOST);
      printf ("%57s|", "opening ");
      for (int i = 0; i <= NEW; i++)
	column (9, 3, 1e3 * statistic (&results[i].open, MEDIAN));
      printf ("\n");
    }
  if (peer && ours
      && !compare (input, workload->stage, &results[PEER_FILES],
		   &results[NEW]))
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

/* Run our decoders, or the peer's, over WORKLOAD for options->profile seconds.  */
static bool
profile (const struct options *options, const struct bench_workload *workload)
{
  const struct bench_decoder *who = options->peer ? &bench_peer_files : &bench_ours;
  struct bench_input input;
  struct bench_count *counts;
  void *decoder = NULL;
  double start;
  unsigned n = 0;

  if (!bench_input_open (&input, options->directory, workload))
    return false;
  counts = calloc (input.nstreams, sizeof *counts);
  start = bench_clock ();
  while (counts != NULL && bench_clock () - start < options->profile)
    {
      if (decoder == NULL)
	decoder = who->open (&input, workload->stage);
      if (decoder == NULL || (options->again && n == 0 && !who->mark (decoder)))
	break;
      who->decode (decoder, counts);
      n++;
      if (options->again)
	who->rewind (decoder);
      else
	{
	  who->close (decoder);
	  decoder = NULL;
	}
    }
  if (n > 0)
    printf ("%s: decoded %u times, %.3f ms\n", workload->snapshot, n,
	    1e3 * (bench_clock () - start) / n);
  if (decoder != NULL)
    who->close (decoder);
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
    { "again", no_argument, NULL, 'a' },
    { "peer", no_argument, NULL, 'c' },
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
    else if (c == 'a')
      options->again = true;
    else if (c == 'c')
      options->peer = true;
    else
      return false;
  if (optind != argc - 1 || options->rounds == 0
      || options->rounds > ROUNDS_MAX || (options->again && options->peer))
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
	     " [--profile=SECONDS [--again | --peer]] DIRECTORY\n", stderr);
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
