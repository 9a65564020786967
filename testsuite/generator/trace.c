/* Encoded traces and facts.  See trace.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
gen_trace_init (struct gen_trace *trace)
{
  memset (trace, 0, sizeof *trace);
}

void
gen_trace_free (struct gen_trace *trace)
{
  free (trace->bytes);
  free (trace->facts);
  free (trace->syncs);
  free (trace->doubts);
}

void
gen_put (struct gen_trace *trace, unsigned byte)
{
  trace->bytes = gen_grow (trace->bytes, &trace->byte_capacity, trace->nbytes,
			   1);
  trace->bytes[trace->nbytes++] = (uint8_t) byte;
}

void
gen_put_value (struct gen_trace *trace, uint64_t value, unsigned count)
{
  for (; count > 0; count--, value >>= 8)
    gen_put (trace, value & 0xff);
}

void
gen_put_continued (struct gen_trace *trace, uint64_t value)
{
  for (; value > 0x7f; value >>= 7)
    gen_put (trace, 0x80 | (value & 0x7f));
  gen_put (trace, value);
}

struct gen_fact *
gen_add_fact (struct gen_trace *trace, enum gen_fact_kind kind, uint64_t a)
{
  trace->facts = gen_grow (trace->facts, &trace->fact_capacity, trace->nfacts,
			   sizeof *trace->facts);
  struct gen_fact *fact = &trace->facts[trace->nfacts++];
  *fact = (struct gen_fact) { .kind = kind, .a = a, .known_at = SIZE_MAX,
			      .cause = SIZE_MAX };
  return fact;
}

void
gen_add_doubt (struct gen_trace *trace, size_t from, size_t to)
{
  trace->doubts = gen_grow (trace->doubts, &trace->doubt_capacity,
			    trace->ndoubts, sizeof *trace->doubts);
  trace->doubts[trace->ndoubts++] = (struct gen_doubt) { from, to };
}

size_t
gen_clear_end (const struct gen_trace *trace, size_t to)
{
  for (size_t i = 0; i < trace->ndoubts; i++)
    if (to > trace->doubts[i].from && to < trace->doubts[i].to)
      to = trace->doubts[i].to;
  return to;
}

bool
gen_fact_same (const struct gen_fact *x, const struct gen_fact *y)
{
  return x->kind == y->kind && x->isa == y->isa && x->flags == y->flags
	 && x->number == y->number && x->a == y->a;
}

const char *
gen_fact_text (const struct gen_fact *f)
{
  static const char *const kinds[] = {
    "step", "exception", "return", "context", "on", "time", "cycles",
    "trigger", "marker", "software", "itm", "dwt", "local time",
    "global time", "instrumentation", "transaction", "q",
    "data address", "data value", "conditional", "result", "flush", "other"
  };
  static const char *const isas[] = { "A64", "A32", "T32" };
  static char texts[4][96];
  static unsigned which;
  char *text = texts[which++ % 4];
  const char *extra = "";
  if (f->kind == GEN_FACT_STEP)
    extra = f->flags & GEN_NO_INSN ? " of nothing"
	    : f->flags & GEN_TAKEN ? " taken"
	    : f->flags & GEN_NOT_TAKEN ? " not taken" : "";
  snprintf (text, sizeof texts[0],
	    "%s %#" PRIx64 " number=%#" PRIx32 " flags=%u%s%s", kinds[f->kind],
	    f->a, f->number, f->flags,
	    f->kind == GEN_FACT_STEP ? isas[f->isa] : "", extra);
  return text;
}

ptrdiff_t
gen_facts_differ (const struct gen_fact *x, size_t nx,
		  const struct gen_fact *y, size_t ny)
{
  size_t i = 0;
  while (i < nx && i < ny && gen_fact_same (&x[i], &y[i]))
    i++;
  return i == nx && i == ny ? -1 : (ptrdiff_t) i;
}
