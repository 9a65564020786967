/* Properties of decoders.  See property.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/property.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"

bool
gen_run_options (struct gen_run *run, int argc, char **argv, uint64_t seed,
		 unsigned count)
{
  *run = (struct gen_run) { .seed = seed, .count = rounds_of (count) };
  for (int i = 1; i < argc; i++)
    if (strncmp (argv[i], "--seed=", 7) == 0)
      run->seed = strtoull (argv[i] + 7, NULL, 0);
    else if (strncmp (argv[i], "--count=", 8) == 0)
      run->count = strtoul (argv[i] + 8, NULL, 0);
    else
      {
	fprintf (stderr, "usage: %s [--seed=N] [--count=M]\n", argv[0]);
	return false;
      }
  return true;
}

void
gen_fail (struct gen_run *run, const char *what, const struct gen_trace *trace,
	  size_t offset)
{
  fprintf (stderr, "--seed=%" PRIu64 " --count=1 (%s), %s: %s\n",
	   run->seed + run->walk, run->about, run->property, what);
  if (trace != NULL && offset <= trace->nbytes)
    {
      size_t from = offset > 24 ? offset - 24 : 0;
      fprintf (stderr, "  bytes from %#zx:", from);
      for (size_t i = from; i < trace->nbytes && i < offset + 16; i++)
	fprintf (stderr, "%s%02x", i == offset ? " | " : " ",
		 trace->bytes[i]);
      fputc ('\n', stderr);
    }
  run->failures++;
}

int
gen_run_done (const struct gen_run *run)
{
  printf ("%u walks, %u checks, %u failed\n", run->count, run->checks,
	  run->failures);
  return run->failures != 0 || run->checks == 0;
}

/* What a decoder should say that begins at SYNC, or at the beginning if it is
   NULL; BEGINS is false for one that began before.  */
static struct gen_fact *
expected (const struct gen_trace *trace, const struct gen_sync *sync,
	  bool begins, size_t *count)
{
  struct gen_fact *facts = malloc ((trace->nfacts + GEN_LEAD) * sizeof *facts);
  *count = 0;
  if (facts == NULL)
    exit (1);
  for (unsigned i = 0; sync != NULL && begins && i < sync->nlead; i++)
    facts[(*count)++] = sync->lead[i];
  for (size_t i = sync != NULL ? sync->fact : 0; i < trace->nfacts; i++)
    {
      const struct gen_fact *fact = &trace->facts[i];
      if (sync != NULL && i < sync->address && fact->kind == GEN_FACT_STEP)
	continue;
      facts[*count] = *fact;
      /* Who has not seen an overflow says that trace begins.  */
      if (sync != NULL && fact->kind == GEN_FACT_ON
	  && fact->cause < sync->offset)
	facts[*count].number = GEN_ON_BEGIN;
      ++*count;
    }
  return facts;
}

/* Say where WANT and GOT differ: at WANT[I] and GOT[J].  */
static void
fail_at (struct gen_run *run, const struct gen_trace *trace,
	 const struct gen_fact *want, size_t nwant, size_t i,
	 const struct gen_fact *got, size_t ngot, size_t j)
{
  char what[400];
  snprintf (what, sizeof what, "fact %zu of %zu is %s; found %s (%zu of %zu)",
	    i, nwant, i < nwant ? gen_fact_text (&want[i]) : "the end",
	    j < ngot ? gen_fact_text (&got[j]) : "the end", j, ngot);
  size_t offset = i < nwant ? want[i].known_at : SIZE_MAX;
  if (offset == SIZE_MAX && i > 0 && i - 1 < nwant)
    offset = want[i - 1].known_at;
  gen_fail (run, what, trace, offset);
  for (size_t k = i > 6 ? i - 6 : 0; k < nwant && k < i + 3; k++)
    fprintf (stderr, "  expected %zu%s %s\n", k, k == i ? ":" : " ",
	     gen_fact_text (&want[k]));
  for (size_t k = j > 2 ? j - 2 : 0; k < ngot && k < j + 4; k++)
    fprintf (stderr, "  found    %zu%s %s\n", k, k == j ? ":" : " ",
	     gen_fact_text (&got[k]));
}

bool
gen_check_facts (struct gen_run *run, const struct gen_trace *trace,
		 const struct gen_sync *sync,
		 const struct gen_observation *got)
{
  size_t count;
  struct gen_fact *want = expected (trace, sync, true, &count);
  ptrdiff_t at = gen_facts_differ (want, count, got->facts.facts,
				   got->facts.nfacts);
  run->checks++;
  if (at >= 0)
    fail_at (run, trace, want, count, at, got->facts.facts, got->facts.nfacts,
	     at);
  free (want);
  return at < 0;
}

/* May facts of KIND be told without those before them?  */
static bool
is_loose (unsigned kind)
{
  return kind == GEN_FACT_TIME || kind == GEN_FACT_CYCLES
	 || kind == GEN_FACT_TRIGGER || kind == GEN_FACT_MARKER
	 || kind == GEN_FACT_INSTRUMENTATION || kind == GEN_FACT_TRANSACTION
	 || kind == GEN_FACT_RESULT || kind == GEN_FACT_FLUSH;
}

bool
gen_check_prefix (struct gen_run *run, const struct gen_trace *trace,
		  const struct gen_sync *sync, size_t bytes,
		  const struct gen_observation *got)
{
  size_t count, i = 0, j = 0;
  struct gen_fact *want = expected (trace, sync, true, &count);
  bool ok = true;
  run->checks++;
  while (i < count)
    {
      bool same = j < got->facts.nfacts
		  && gen_fact_same (&want[i], &got->facts.facts[j]);
      if (same)
	{
	  i++;
	  j++;
	  continue;
	}
      /* A context that nothing follows is not told, nor what waits for a commit.  */
      if (want[i].known_at > bytes && (want[i].kind == GEN_FACT_CONTEXT
				       || want[i].kind == GEN_FACT_CONDITIONAL))
	{
	  i++;
	  continue;
	}
      /* Some may come without the steps before them, if those were never
	 committed.  */
      size_t k = j;
      while (k < got->facts.nfacts && is_loose (got->facts.facts[k].kind))
	k++;
      ok = k == got->facts.nfacts && want[i].known_at > bytes;
      if (ok)
	j = k;
      break;
    }
  if (j < got->facts.nfacts)
    ok = false;
  if (!ok)
    fail_at (run, trace, want, count, i, got->facts.facts, got->facts.nfacts,
	     j);
  free (want);
  return ok;
}

/* Forget what wrong bits may leave behind: an overflow, a virtual context ID
   where none is traced, a clock that changed.  */
static void
forget_leftovers (struct gen_fact *facts, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (facts[i].kind == GEN_FACT_ON)
      facts[i].number = 0;
    else if (facts[i].kind == GEN_FACT_CONTEXT)
      {
	facts[i].flags &= ~GEN_HAS_VMID;
	facts[i].a = (uint32_t) facts[i].a;
      }
    else if (facts[i].kind >= GEN_FACT_ITM
	     && facts[i].kind <= GEN_FACT_GLOBAL_TIME)
      facts[i].flags &= ~(GEN_AFTER_LOSS | GEN_CLOCK_CHANGED);
}

bool
gen_check_suffix (struct gen_run *run, const struct gen_trace *trace,
		  const struct gen_sync *sync, struct gen_observation *got)
{
  size_t count, have = got->facts.nfacts;
  struct gen_fact *want = expected (trace, sync, false, &count);
  struct gen_fact *found = got->facts.facts;
  run->checks++;
  forget_leftovers (want, count);
  forget_leftovers (found, have);
  bool ok = have >= count
	    && gen_facts_differ (want, count, found + have - count, count) < 0;
  if (!ok)
    {
      /* The last fact that is not as expected.  */
      size_t same = 0;
      while (same < count && same < have
	     && gen_fact_same (&want[count - 1 - same],
			       &found[have - 1 - same]))
	same++;
      fail_at (run, trace, want, count, count - 1 - same, found, have,
	       have - 1 - same);
    }
  free (want);
  return ok;
}
