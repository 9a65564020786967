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
   mutant to standard error.  */

#include "config.h"
#include "bench.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "util/buffer.h"

/* Bytes of a piece, at most; frames are whole.  */
#define PIECE 4096

/* For one mutant.  */
#define SECONDS 10

#define SOURCES 256
#define STREAMS 16

/* What is compared of an element.  */
struct told
{
  uint64_t a, b;
  uint32_t n;
  char kind;			/* As in listings; '!' is an error that was found, '?' code
				   at an address that the trace does not tell.  */
  uint8_t isa;
  bool executed;
};

/* Of one source.  */
struct list
{
  struct told *told;
  size_t count, room;
};

struct both
{
  struct list *ours, *peer;	/* By stream.  */
};

/* One buffer of a capture.  */
struct source
{
  struct bench_input input;
  char *name;
};

enum outcome
{
  EQUAL, PEER_DIES, PEER_STOPS, BOTH_FOUND, OURS_FOUND, PEER_FOUND,
  NOT_TOLD, WALKED_ON, LAST_BYTES, HIGH_HALF, RESERVED, NO_CODE, NO_ERROR, OUTCOMES
};

static const char *const outcomes[] = {
  "equal", "the peer ended by a signal", "the peer gave up",
  "behind an error of both", "behind an error of ours",
  "behind an error of the peer",
  "ours: an address is not told", "the peer walks on to an exception",
  "the last two bytes of an image", "upper halves of addresses in AArch32",
  "reserved bits of exceptions", "at an address without code", "without an error"
};

static void
append (struct list *list, struct told told)
{
  if (list->count == list->room)
    {
      list->room = 2 * list->room + 64;
      list->told = realloc (list->told, list->room * sizeof *list->told);
      if (list->told == NULL)
	abort ();
    }
  list->told[list->count++] = told;
}

/* Ours.  */

static void
take_ours (struct list *list, const struct tb_element *whole)
{
  for (uint32_t n = 0; n < tb_element_lines (whole); n++)
    {
      struct tb_element e;
      tb_element_line (&e, whole, n);
      struct told t = { .kind = 0 };
      switch (e.kind)
	{
	case TB_ELEMENT_RANGE:
	  t = (struct told) { .kind = 'R', .a = e.u.range.start, .b = e.u.range.end,
			      .n = e.u.range.count, .isa = e.isa,
			      .executed = e.flags & TB_RANGE_EXECUTED };
	  break;
	case TB_ELEMENT_EXCEPTION:
	  t = (struct told) { .kind = 'X', .n = e.u.exception.number };
	  break;
	case TB_ELEMENT_EXCEPTION_RETURN:
	  t.kind = 'E';
	  break;
	case TB_ELEMENT_TRACE_ON:
	  t.kind = 'T';
	  break;
	case TB_ELEMENT_TIMESTAMP:
	  t = (struct told) { .kind = 'S', .a = e.u.value };
	  break;
	case TB_ELEMENT_NO_CODE:
	  t.kind = '?';
	  if (!(e.flags & (TB_NO_CODE_SILENT | TB_NO_CODE_UNKNOWN)))
	    t = (struct told) { .kind = 'A', .a = e.u.address };
	  break;
	case TB_ELEMENT_Q:
	  t = (struct told) { .kind = 'Q', .a = e.u.q.first, .b = e.u.q.next,
			      .n = e.u.q.count };
	  break;
	case TB_ELEMENT_EVENT:
	  t = (struct told) { .kind = 'V', .n = (uint32_t) e.u.value };
	  break;
	case TB_ELEMENT_NO_SYNC:
	  if (e.reason == TB_REASON_BAD_PACKET || e.reason == TB_REASON_BAD_IMAGE)
	    t.kind = '!';
	  break;
	case TB_ELEMENT_BAD_PACKET:
	  t.kind = '!';
	  break;
	default:
	  break;
	}
      if (t.kind != 0)
	append (list, t);
    }
}

static void
decode_ours (const struct bench_input *input, struct list *lists)
{
  for (size_t i = 0; i < input->nstreams; i++)
    {
      struct tb_decoder_config config;
      struct tb_element some[256];
      size_t n;
      tb_session_decoder_config (input->streams[i], &config);
      config.buffer = input->buffer;
      struct tb_decoder *d = tb_decoder_open (&config, NULL);
      while (d != NULL && (n = d->read (d, some, 256)) > 0)
	for (size_t k = 0; k < n; k++)
	  take_ours (&lists[i], &some[k]);
      if (d != NULL)
	tb_decoder_close (d);
    }
}

/* The peer.  */

static void
take_peer (void *context, size_t stream, const void *element)
{
  struct list *lists = context;
  const ocsd_generic_trace_elem *e = element;
  struct told t = { .kind = 0 };
  switch (e->elem_type)
    {
    case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
      /* It has ranges of nothing.  */
      if (e->num_instr_range == 0)
	return;
      t = (struct told) { .kind = 'R', .a = e->st_addr, .b = e->en_addr,
			  .n = e->num_instr_range,
			  .isa = e->isa == ocsd_isa_arm ? TB_ISA_A32
				 : e->isa == ocsd_isa_thumb2 ? TB_ISA_T32 : TB_ISA_A64,
			  .executed = e->last_instr_exec };
      break;
    case OCSD_GEN_TRC_ELEM_EXCEPTION:
      t = (struct told) { .kind = 'X', .n = e->exception_number };
      break;
    case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
      t.kind = 'E';
      break;
    case OCSD_GEN_TRC_ELEM_TRACE_ON:
      t.kind = 'T';
      break;
    case OCSD_GEN_TRC_ELEM_TIMESTAMP:
      t = (struct told) { .kind = 'S', .a = e->timestamp };
      break;
    case OCSD_GEN_TRC_ELEM_ADDR_NACC:
      t = (struct told) { .kind = 'A', .a = e->st_addr };
      break;
    case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
      t = (struct told) { .kind = 'Q', .a = e->st_addr, .b = e->en_addr,
			  .n = e->num_instr_range };
      break;
    case OCSD_GEN_TRC_ELEM_EVENT:
      t = (struct told) { .kind = 'V', .n = e->trace_event.ev_number };
      break;
    case OCSD_GEN_TRC_ELEM_NO_SYNC:
      if (e->unsync_eot_info == UNSYNC_BAD_PACKET)
	t.kind = '!';
      break;
    default:
      break;
    }
  if (t.kind != 0)
    append (&lists[stream], t);
}

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

/* The comparison.  */

static bool
same (const struct told *a, const struct told *b)
{
  return a->kind == b->kind && a->a == b->a && a->b == b->b && a->n == b->n
	 && a->isa == b->isa && a->executed == b->executed;
}

static void
print_told (const char *who, const struct list *list, size_t at)
{
  printf ("      %s ", who);
  if (at >= list->count)
    {
      printf ("(end)\n");
      return;
    }
  const struct told *t = &list->told[at];
  printf ("%c isa %u %#" PRIx64 " %#" PRIx64 " n %" PRIu32 " %s\n", t->kind, t->isa, t->a, t->b,
	  t->n, t->executed ? "E" : "N");
}

/* Is T something that only one of them tells of?  */
static bool
is_aside (const struct told *t)
{
  return t->kind == '!' || t->kind == '?';
}

/* The next of LIST from *AT on that both tell of; *ERRORS counts errors before it.  */
static const struct told *
next_told (const struct list *list, size_t *at, unsigned *errors)
{
  for (; *at < list->count && is_aside (&list->told[*at]); ++*at)
    *errors += list->told[*at].kind == '!';
  return *at < list->count ? &list->told[(*at)++] : NULL;
}

/* Does ours say around AT, where no instructions are told of, that an address is not told?
   So it does where trace begins anew and no address has come.  */
static bool
lacks_address (const struct list *list, size_t at)
{
  for (size_t i = at; i < list->count && list->told[i].kind != 'R'; i++)
    if (list->told[i].kind == '?')
      return true;
  for (size_t i = at; i-- > 0 && list->told[i].kind != 'R';)
    if (list->told[i].kind == '?' || list->told[i].kind == 'T')
      return true;
  return false;
}

/* The lists differ at A of OURS and B of PEER, without an error.  */
static enum outcome
explain (const struct list *ours, const struct list *peer, size_t a, size_t b)
{
  const struct told *x = a < ours->count ? &ours->told[a] : NULL;
  const struct told *y = b < peer->count ? &peer->told[b] : NULL;
  if (x != NULL && y != NULL && y->a >> 32 != x->a >> 32 && (uint32_t) x->a == (uint32_t) y->a)
    return HIGH_HALF;
  if (x != NULL && y != NULL && x->kind == 'X' && y->kind == 'X' && x->n % 16 == y->n % 16)
    return RESERVED;
  if (lacks_address (ours, a))
    return NOT_TOLD;
  /* A branch leads nobody knows where, and an exception is what is told of next.  */
  if (x != NULL && y != NULL && x->kind == 'X' && (y->kind == 'R' || y->kind == 'A'))
    for (size_t i = b + 1; i < peer->count && i < b + 3; i++)
      if (same (x, &peer->told[i]))
	return WALKED_ON;
  if (x != NULL && y != NULL && x->kind == 'R' && b + 1 < peer->count
      && ((y->kind == 'R' && x->a == y->a && x->b == y->b + 2 && peer->told[b + 1].kind == 'A'
	   && peer->told[b + 1].a == y->b)
	  || (y->kind == 'A' && x->a == y->a && x->b == x->a + 2)))
    return LAST_BYTES;
  /* What follows is where no code is, in either.  */
  for (size_t i = a; i < ours->count && i < a + 2; i++)
    if (ours->told[i].kind == 'A')
      return NO_CODE;
  for (size_t i = b; i < peer->count && i < b + 2; i++)
    if (peer->told[i].kind == 'A')
      return NO_CODE;
  return NO_ERROR;
}

static enum outcome
compare (const struct list *ours, const struct list *peer, bool stopped, size_t *a, size_t *b)
{
  unsigned our_errors = 0, peer_errors = 0;
  *a = *b = 0;
  for (;;)
    {
      const struct told *x = next_told (ours, a, &our_errors);
      const struct told *y = next_told (peer, b, &peer_errors);
      if (x == NULL && y == NULL)
	return EQUAL;
      if (x == NULL || y == NULL || !same (x, y))
	{
	  *a -= x != NULL;
	  *b -= y != NULL;
	  if (stopped && y == NULL)
	    return PEER_STOPS;
	  /* An error is told of right behind what it made, or before.  */
	  for (size_t i = *a; i < ours->count && i < *a + 2; i++)
	    our_errors += ours->told[i].kind == '!';
	  for (size_t i = *b; i < peer->count && i < *b + 2; i++)
	    peer_errors += peer->told[i].kind == '!';
	  return our_errors > 0 && peer_errors > 0 ? BOTH_FOUND : our_errors > 0 ? OURS_FOUND
		 : peer_errors > 0 ? PEER_FOUND : explain (ours, peer, *a, *b);
	}
    }
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
  struct list lists[2][STREAMS] = { 0 };
  struct bench_count counts[STREAMS] = { 0 };
  span.data = bytes;
  span.size = buffer.size = mutate (&s->input, &random, bytes);
  buffer.spans = &span;
  buffer.nspans = 1;
  buffer.fresh = NULL;
  input.buffer = &buffer;
  input.bytes = bytes;
  input.take = take_peer;
  input.take_context = lists[1];
  if (m == run->print)
    fwrite (bytes, 1, buffer.size, stderr);
  shared->mutant = m;
  shared->at_peer = false;
  alarm (SECONDS);
  decode_ours (&input, lists[0]);
  shared->at_peer = true;
  void *peer = bench_peer_ram.open (&input, BENCH_ELEMENTS);
  bool stopped = peer == NULL || bench_peer_ram.decode (peer, counts) != 0;
  if (peer != NULL)
    bench_peer_ram.close (peer);
  shared->at_peer = false;
  for (size_t i = 0; i < input.nstreams; i++)
    {
      size_t a, b;
      const struct list *ours = &lists[0][i], *theirs = &lists[1][i];
      enum outcome outcome = compare (ours, theirs, stopped, &a, &b);
      shared->elements += ours->count;
      shared->totals[outcome]++;
      if (shared->results[which][outcome]++ < run->show && outcome > PEER_STOPS)
	{
	  printf ("  mutant %" PRIu64 ": %s, %zu bytes, source %zu: %s\n", m, s->name,
		  (size_t) buffer.size, i, outcomes[outcome]);
	  for (size_t k = 2; k-- > 0;)
	    if (a > k && b > k)
	      print_told ("both", ours, a - k - 1);
	  for (size_t k = 0; k < 3; k++)
	    print_told ("ours", ours, a + k);
	  for (size_t k = 0; k < 3; k++)
	    print_told ("peer", theirs, b + k);
	  fflush (stdout);
	}
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
    printf ("%s: %" PRIu64 "\n", outcomes[k], all->totals[k]);
  printf ("%" PRIu64 " elements, %.0f mutants a minute, libopencsd %s\n", all->elements,
	  (double) count / time * 60, bench_peer_version ());
  free (sources);
  return !good;
}
