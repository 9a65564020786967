/* What an ITM or STM alone tells of a run, in a report.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A core of which there is no trace of instructions has a place in the page all the same:
   with the exceptions that ran and the PC, where a DWT tells of them, and with a list of what
   software said.  */

#include "config.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "software.h"
#include "sparse.h"

/* What a page can hold.  */
#define SPANS_MOST 150000

static bool
put_name (unsigned number, FILE *out)
{
  struct tb_buffer text = { 0 };
  tb_sparse_put_name (&text, number);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    json_string ((const char *) text.data, out);
  bool ok = !text.failed;
  tb_buffer_fini (&text);
  return ok;
}

/* What is not certain of SPAN's ends: the bits that the page knows.  */
static unsigned
doubts (const struct tb_sparse_span *span)
{
  return (span->entered ? 0 : 1) | (span->left ? 0 : 2)
	 | (span->entered_late ? 4 : 0) | (span->left_late ? 8 : 0);
}

/* Names are those of numbers.  */
static bool
put_spans (const struct tb_sparse *sparse, FILE *out)
{
  size_t count = sparse->nspans < SPANS_MOST ? sparse->nspans : SPANS_MOST;
  unsigned most = 0;
  for (size_t i = 0; i < count; i++)
    if (sparse->spans[i].number > most)
      most = sparse->spans[i].number;
  fputs (",\"names\":[", out);
  for (unsigned i = 0; i <= most; i++)
    {
      if (i > 0)
	fputc (',', out);
      if (!put_name (i, out))
	return false;
    }
  fputs ("],\"levels\":[", out);
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_sparse_span *span = &sparse->spans[i];
      fprintf (out, "%s[%u,%u,%" PRIu64 ",%" PRIu64 ",1,%u]",
	       i > 0 ? "," : "", span->depth, span->number, span->begin, span->end,
	       doubts (span));
    }
  fprintf (out, "],\"left_out\":%zu,\"least\":0", sparse->nspans - count);
  return true;
}

static int
by_pc (const void *a, const void *b)
{
  const struct tb_sparse_sample *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* How often the PC was seen in each function, or, where it has no name, there.  Sorts
   the samples.  */
static bool
put_samples (struct tb_sparse *sparse, const struct tb_symbols *symbols, FILE *out)
{
  struct tb_sparse_sample *samples = sparse->samples;
  const char *comma = "";
  if (sparse->nsamples > 0)
    qsort (samples, sparse->nsamples, sizeof *samples, by_pc);
  fputs (",\"samples\":[", out);
  for (size_t i = 0, end; i < sparse->nsamples; i = end)
    {
      const struct tb_function *function = NULL;
      bool is_pc = samples[i].kind == TB_DWT_PC_SAMPLE;
      if (is_pc)
	function = tb_symbols_function_at (symbols, samples[i].pc);
      for (end = i + 1; end < sparse->nsamples && samples[end].kind == samples[i].kind
			&& (!is_pc || samples[end].pc == samples[i].pc
			    || (function != NULL && samples[end].pc < function->end));)
	end++;
      char *name = function != NULL ? tb_symbols_demangle (function->name) : NULL;
      fprintf (out, "%s[", comma);
      if (name != NULL)
	json_string (name, out);
      else if (is_pc)
	fprintf (out, "\"0x%" PRIx64 "\"", samples[i].pc);
      else
	fprintf (out, "\"%s\"", samples[i].kind == TB_DWT_SLEEP ? "(asleep)"
						      : "(not allowed)");
      fprintf (out, ",%zu]", end - i);
      free (name);
      if (function != NULL && name == NULL)
	return false;
      comma = ",";
    }
  fputc (']', out);
  return true;
}

static void
put_rest (const struct tb_sparse *sparse, FILE *out)
{
  static const char *const counters[TB_SPARSE_COUNTERS] =
    { "CPI", "exception overhead", "sleep", "LSU", "folded", "cycles" };
  fputs (",\"gaps\":[", out);
  for (size_t i = 0; i < sparse->nbreaks && i < REPORT_GAPS_MOST; i++)
    fprintf (out, "%s[%" PRIu64 ",\"packets were lost\",0]", i > 0 ? "," : "",
	     sparse->breaks[i]);
  fprintf (out, "],\"gap_count\":%zu,\"wraps\":[", sparse->nbreaks);
  for (unsigned i = 0; i < TB_SPARSE_COUNTERS; i++)
    fprintf (out, "%s[\"%s\",%" PRIu64 "]", i > 0 ? "," : "", counters[i],
	     sparse->wraps[i]);
  fprintf (out, "],\"matches\":%" PRIu64, sparse->matches);
}

static bool
put_sparse (struct job *job, const struct tb_session_stream *stream,
	    struct tb_sparse *sparse, const struct tb_software *software, FILE *out)
{
  struct tb_symbols *symbols = job_symbols (job, stream->core);
  if (symbols == NULL)
    return false;
  fputs (",{\"sparse\":true,\"core\":", out);
  json_string (stream->core->device != NULL ? stream->core->device->name : "", out);
  fputs (",\"source\":", out);
  json_string (stream->source->name, out);
  fprintf (out, ",\"type\":\"%s\",\"unit\":\"%s\",\"steps\":%" PRIu64
	   ",\"exceptions\":%zu", tb_sparse_any (sparse) ? "DWT" : stream->protocol->name,
	   sparse->in_ticks ? "ticks" : "things said", sparse->length,
	   sparse->nspans);
  bool ok = put_spans (sparse, out) && put_samples (sparse, symbols, out);
  put_rest (sparse, out);
  ok = ok && software_report_alone (stream, software, out);
  fputc ('}', out);
  tb_symbols_free (symbols);
  return ok;
}

struct sparse_page
{
  struct job *job;
  FILE *out;
  bool any;
};

static bool
take_sparse (void *context, const struct tb_session_stream *stream,
	     struct tb_sparse *sparse, const struct tb_software *software)
{
  struct sparse_page *page = context;
  if (!tb_sparse_any (sparse) && software_alone_count (software) == 0)
    return true;
  page->any = true;
  return put_sparse (page->job, stream, sparse, software, page->out);
}

bool
report_sparse (struct job *job, FILE *out, bool *any)
{
  struct sparse_page page = { .job = job, .out = out };
  bool ok = sparse_each (job, false, take_sparse, &page);
  *any = page.any;
  return ok;
}
