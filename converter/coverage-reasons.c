/* --coverage: why what is not known is not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "coverage.h"

#include <inttypes.h>

/* Stores in the way that are named.  */
#define STORES 8

static bool
is_none (const struct tb_reasons_count *c)
{
  return (c->pairs | c->load_addresses | c->load_values | c->store_addresses
	  | c->store_values) == 0;
}

static uint64_t
all_pairs (const struct tb_reasons *r)
{
  uint64_t pairs = 0;
  for (unsigned i = 0; i < TB_WHY_NOTS; i++)
    pairs += r->counts[i].pairs;
  return pairs;
}

static size_t
named_stores (const struct tb_reasons *r)
{
  return r->nstores < STORES ? r->nstores : STORES;
}

/* The PC of STEP; false: it cannot be read.  */
static bool
pc_of (struct tb_recording *recording, uint64_t step, uint64_t *pc)
{
  struct tb_step one;
  bool known = tb_recording_read (recording, step, &one, 1) == 1;
  if (known)
    *pc = one.pc;
  return known;
}

void
coverage_reasons_text (const struct tb_reasons *r,
		       struct tb_recording *recording, FILE *out)
{
  uint64_t all = all_pairs (r), pc;
  bool any = false;
  for (unsigned i = 0; i < TB_WHY_NOTS; i++)
    any |= !is_none (&r->counts[i]);
  if (!any)
    return;
  fprintf (out, "  %-28s %16s %15s %15s\n", "why not known", "where it is live",
	   "loads", "stores");
  fprintf (out, "  %-28s %9s %6s %7s %7s %7s %7s\n", "", "number", "%",
	   "address", "value", "address", "value");
  for (unsigned i = 0; i < TB_WHY_NOTS; i++)
    {
      const struct tb_reasons_count *c = &r->counts[i];
      if (is_none (c))
	continue;
      fprintf (out, "  %-28s %9" PRIu64, tb_why_not_words (i), c->pairs);
      if (all != 0)
	fprintf (out, " %6.2f", 100.0 * (double) c->pairs / (double) all);
      else
	fprintf (out, " %6s", "-");
      fprintf (out, " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 "\n",
	       c->load_addresses, c->load_values, c->store_addresses,
	       c->store_values);
    }
  if (r->nstores == 0)
    return;
  fprintf (out, "  stores in the way: %-20zu %9s %30s\n", r->nstores, "of values",
	   "of addresses or conditions");
  for (size_t i = 0; i < named_stores (r); i++)
    {
      char where[80];
      const struct tb_reasons_store *s = &r->stores[i];
      int n = snprintf (where, sizeof where, "step %" PRIu64, s->step);
      if (pc_of (recording, s->step, &pc))
	snprintf (where + n, sizeof where - (size_t) n, ", pc 0x%08" PRIx64, pc);
      fprintf (out, "    %-35s %9" PRIu64 " %30" PRIu64 "\n", where, s->pairs,
	       s->through);
    }
}

void
coverage_reasons_json (const struct tb_reasons *r,
		       struct tb_recording *recording, FILE *out)
{
  uint64_t pc;
  fputs (",\"unknown\":{\"reasons\":{", out);
  for (unsigned i = 0; i < TB_WHY_NOTS; i++)
    {
      const struct tb_reasons_count *c = &r->counts[i];
      fprintf (out, "%s\"%s\":{\"live\":%" PRIu64 ",\"load_addresses\":%" PRIu64
	       ",\"load_values\":%" PRIu64 ",\"store_addresses\":%" PRIu64
	       ",\"store_values\":%" PRIu64 "}", i != 0 ? "," : "",
	       tb_why_not_name (i), c->pairs, c->load_addresses, c->load_values,
	       c->store_addresses, c->store_values);
    }
  fprintf (out, "},\"stores\":{\"count\":%zu,\"most\":[", r->nstores);
  for (size_t i = 0; i < named_stores (r); i++)
    {
      fprintf (out, "%s{\"step\":%" PRIu64, i != 0 ? "," : "",
	       r->stores[i].step);
      if (pc_of (recording, r->stores[i].step, &pc))
	fprintf (out, ",\"pc\":%" PRIu64, pc);
      fprintf (out, ",\"live\":%" PRIu64 ",\"through\":%" PRIu64 "}",
	       r->stores[i].pairs, r->stores[i].through);
    }
  fputs ("]}}", out);
}
