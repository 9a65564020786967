/* Compare our decoders with libopencsd on captures with errors in them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: differential [--seed=N] [--count=N] [--only=TEXT] [--show=N] [--print=MUTANT]
		       SHARED

   Each mutant is a piece of a capture below SHARED/snapshots and SHARED/corpus/cases in
   which some bytes were changed, left out, doubled, or taken from elsewhere.  Both decode it.
   Compared are the elements of each source that say what ran and when: ranges, exceptions
   and returns, trace on, time stamps, code that is missing, Q elements, events.

   Where the lists begin to differ decides what a difference is called; bench/README says
   what each means.  Where the peer ends by a signal or does not end, it says nothing; where
   ours does, that is a finding, and the exit status is 1.  --print writes the bytes of a
   mutant to standard error, and lists all elements of both.  */

#include "config.h"
#include "told.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/buffer.h"

/* Bytes of a piece, at most; frames are whole.  */
#define PIECE 4096

/* For one mutant.  */
#define SECONDS 10

#define SOURCES 256
#define STREAMS 16

struct both
{
  struct told_list *ours, *peer;	/* By stream.  */
};

/* One buffer of a capture.  */
struct source
{
  struct bench_input input;
  char *name;
};

/* Mutants.  */

static uint64_t
next (uint64_t *seed)
{
  uint64_t z = *seed += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Put a mutant of a piece of INPUT into BYTES; its length.  */
static size_t
mutate (const struct bench_input *input, uint64_t *seed, uint8_t *bytes)
{
  uint64_t size = input->buffer->size;
  bool framed = tb_buffer_is_framed (input->buffer);
  size_t length = size < PIECE ? (size_t) size : PIECE;
  uint64_t at = next (seed) % 3 == 0 ? 0 : next (seed) % (size - length + 1);
  if (framed)
    at -= at % 16;
  memcpy (bytes, input->bytes + at, length);
  if (framed)
    length -= length % 16;
  for (unsigned n = (unsigned) (next (seed) % 4); n > 0 && length > 64; n--)
    {
      size_t place = next (seed) % (length - 40), some = 1 + next (seed) % 8;
      if (framed && next (seed) % 2 == 0)
	some = 16, place -= place % 16;
      switch (next (seed) % (framed ? 5 : 7))
	{
	case 0:
	  bytes[place] ^= (uint8_t) (1u << next (seed) % 8);
	  break;
	case 1:
	  bytes[place] = (uint8_t) next (seed);
	  break;
	case 2:
	  memset (bytes + place, next (seed) % 2 == 0 ? 0 : 0xff, some);
	  break;
	case 3:
	  memcpy (bytes + place, input->bytes + next (seed) % (size - 16), some);
	  break;
	case 4:
	  length = place + (framed ? 16 - place % 16 : 1);
	  break;
	case 5:
	  memmove (bytes + place, bytes + place + some, length - place - some);
	  length -= some;
	  break;
	case 6:
	  memmove (bytes + place + some, bytes + place, length - place - some);
	  break;
	}
    }
  return length;
}

/* The peer has one memory for all cores: have they the same there?  And it knows no MTB.  */
static bool
has_one_code (const struct bench_input *input)
{
  for (size_t i = 0; i < input->nstreams; i++)
    {
      const struct tb_device *core = input->streams[i]->core->device;
      if (input->streams[i]->protocol == NULL
	  || strcmp (input->streams[i]->protocol->name, "mtb") == 0)
	return false;
      for (size_t k = 0; core != NULL && k < core->ndumps; k++)
	for (size_t n = 0; n < input->ndumps; n++)
	  {
	    const struct tb_dump *a = &core->dumps[k], *b = input->dumps[n].dump;
	    if (a->address == b->address && a->space == b->space
		&& (a->length != b->length || memcmp (a->data, b->data, a->length) != 0))
	      return false;
	  }
    }
  return true;
}

static void
add_sources (struct source **sources, size_t *count, const char *shared, const char *below,
	     const char *only)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s", shared, below);
  struct dirent **names;
  int n = scandir (path, &names, NULL, alphasort);
  for (int i = 0; i < n; i++)
    {
      struct bench_workload workload = { path, NULL, BENCH_ELEMENTS };
      struct source s;
      snprintf (path, sizeof path, "%s/%s", below, names[i]->d_name);
      if (names[i]->d_name[0] != '.' && strstr (path, only) != NULL
	  && *count < SOURCES && bench_input_open (&s.input, shared, &workload))
	{
	  struct source *more = realloc (*sources, (*count + 1) * sizeof *more);
	  s.name = strdup (path);
	  if (more == NULL || s.name == NULL)
	    abort ();
	  *sources = more;
	  if (s.input.buffer->size > 256 && s.input.nstreams <= STREAMS
	      && has_one_code (&s.input))
	    more[(*count)++] = s;
	}
      free (names[i]);
    }
  if (n >= 0)
    free (names);
}

/* What the processes share that decode, one after the other.  */
struct shared
{
  uint64_t mutant;		/* That is decoded.  */
  bool at_peer;			/* By the peer.  */
  uint64_t totals[OUTCOMES], elements;
  uint64_t results[SOURCES][OUTCOMES];
};

struct run
{
  uint64_t seed, count, show, print;
  struct source *sources;
  size_t nsources;
  struct shared *shared;
};

static void
decode_mutant (const struct run *run, uint64_t m)
{
  struct shared *shared = run->shared;
  uint64_t random = run->seed << 32 ^ m;
  size_t which = next (&random) % run->nsources;
  const struct source *s = &run->sources[which];
  uint8_t bytes[PIECE];
  struct tb_span span = s->input.buffer->spans[0];
  struct tb_trace_buffer buffer = *s->input.buffer;
  struct bench_input input = s->input;
  struct told_list lists[2][STREAMS] = { 0 };
  struct bench_count counts[STREAMS] = { 0 };
  span.data = bytes;
  span.size = buffer.size = mutate (&s->input, &random, bytes);
  buffer.spans = &span;
  buffer.nspans = 1;
  buffer.fresh = NULL;
  input.buffer = &buffer;
  input.bytes = bytes;
  input.take = told_take_peer;
  input.take_context = lists[1];
  if (m == run->print)
    fwrite (bytes, 1, buffer.size, stderr);
  shared->mutant = m;
  shared->at_peer = false;
  alarm (SECONDS);
  told_decode (&input, lists[0]);
  shared->at_peer = true;
  void *peer = bench_peer_ram.open (&input, BENCH_ELEMENTS);
  bool stopped = peer == NULL || bench_peer_ram.decode (peer, counts) != 0;
  if (peer != NULL)
    bench_peer_ram.close (peer);
  shared->at_peer = false;
  for (size_t i = 0; i < input.nstreams; i++)
    {
      size_t a, b;
      const struct told_list *ours = &lists[0][i], *theirs = &lists[1][i];
      enum outcome outcome = told_compare (ours, theirs, stopped, &a, &b);
      shared->elements += ours->count;
      shared->totals[outcome]++;
      if (shared->results[which][outcome]++ < run->show && outcome > PEER_STOPS)
	{
	  printf ("  mutant %" PRIu64 ": %s, %zu bytes, source %zu: %s\n", m, s->name,
		  (size_t) buffer.size, i, outcome_names[outcome]);
	  for (size_t k = 2; k-- > 0;)
	    if (a > k && b > k)
	      told_print ("both", ours, a - k - 1);
	  for (size_t k = 0; k < 3; k++)
	    told_print ("ours", ours, a + k);
	  for (size_t k = 0; k < 3; k++)
	    told_print ("peer", theirs, b + k);
	  fflush (stdout);
	}
      for (size_t k = 0; m == run->print && k < ours->count; k++)
	told_print ("all-ours", ours, k);
      for (size_t k = 0; m == run->print && k < theirs->count; k++)
	told_print ("all-peer", theirs, k);
      free (ours->told);
      free (theirs->told);
    }
}

/* Decode all; false: ours ended by a signal, or did not end.  */
static bool
decode_all (const struct run *run)
{
  bool good = true;
  uint64_t m = run->print != UINT64_MAX ? run->print : 0;
  uint64_t end = run->print != UINT64_MAX ? run->print + 1 : run->count;
  while (m < end)
    {
      int status = 0;
      fflush (stdout);
      pid_t pid = fork ();
      if (pid == 0)
	{
	  for (; m < end; m++)
	    decode_mutant (run, m);
	  fflush (stdout);
	  _exit (0);
	}
      if (pid < 0 || waitpid (pid, &status, 0) < 0)
	return false;
      if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
	break;
      if (run->shared->at_peer)
	run->shared->totals[PEER_DIES]++;
      else
	{
	  good = false;
	  printf ("  mutant %" PRIu64 ": ours ended by signal %d\n", run->shared->mutant,
		  WIFSIGNALED (status) ? WTERMSIG (status) : 0);
	}
      m = run->shared->mutant + 1;
    }
  return good;
}

int
main (int argc, char **argv)
{
  uint64_t seed = 1, count = 1000, show = 2, print = UINT64_MAX;
  const char *shared = NULL, *only = "";
  for (int i = 1; i < argc; i++)
    if (sscanf (argv[i], "--seed=%" SCNu64, &seed) == 1
	|| sscanf (argv[i], "--count=%" SCNu64, &count) == 1
	|| sscanf (argv[i], "--show=%" SCNu64, &show) == 1
	|| sscanf (argv[i], "--print=%" SCNu64, &print) == 1)
      continue;
    else if (strncmp (argv[i], "--only=", 7) == 0)
      only = argv[i] + 7;
    else
      shared = argv[i];
  struct source *sources = NULL;
  size_t nsources = 0;
  if (shared != NULL)
    {
      add_sources (&sources, &nsources, shared, "snapshots", only);
      add_sources (&sources, &nsources, shared, "corpus/cases", only);
    }
  if (nsources == 0)
    {
      fprintf (stderr, "differential: no captures are there\n");
      return 77;
    }
  struct shared *all = mmap (NULL, sizeof *all, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED)
    return 1;
  struct run run = { seed, count, show, print, sources, nsources, all };
  struct timespec start, end;
  clock_gettime (CLOCK_MONOTONIC, &start);
  bool good = decode_all (&run);
  clock_gettime (CLOCK_MONOTONIC, &end);
  double time = (double) (end.tv_sec - start.tv_sec)
		+ (double) (end.tv_nsec - start.tv_nsec) * 1e-9;
  for (size_t i = 0; i < nsources; i++)
    {
      printf ("%-40s", sources[i].name);
      for (unsigned k = 0; k < OUTCOMES; k++)
	printf (" %6" PRIu64, all->results[i][k]);
      putchar ('\n');
      bench_input_close (&sources[i].input);
      free (sources[i].name);
    }
  for (unsigned k = 0; k < OUTCOMES; k++)
    printf ("%s: %" PRIu64 "\n", outcome_names[k], all->totals[k]);
  printf ("%" PRIu64 " elements, %.0f mutants a minute, libopencsd %s\n", all->elements,
	  (double) count / time * 60, bench_peer_version ());
  free (sources);
  return !good;
}
