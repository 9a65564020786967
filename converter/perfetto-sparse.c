/* --format=perfetto: cores of which the DWT alone tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A process each: a thread of exceptions, one of where the PC was seen, and one of what else was
   said.  Time is the system's, in microseconds, where that is known; else it is ticks of the ITM's
   clock or, where these are not told of all, what was said, one by one.  */

#include "config.h"
#include "perfetto.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "recording/clock.h"
#include "sparse.h"

enum { EXCEPTIONS = 1, SAMPLES, SAID };

struct sparse_line
{
  struct job *job;
  FILE *out;
  unsigned process;
  uint64_t frequency;		/* 0: not in time.  */
  size_t drawn;
};

static void
put_place (const struct sparse_line *l, const char *name, uint64_t place)
{
  if (l->frequency != 0)
    fprintf (l->out, "\"%s\":%.3f", name, (double) place * 1e6 / (double) l->frequency);
  else
    fprintf (l->out, "\"%s\":%" PRIu64, name, place);
}

static bool
put_span (const struct sparse_line *l, const struct tb_sparse_span *span)
{
  struct tb_buffer text = { 0 };
  tb_sparse_put_name (&text, span->number);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    {
      fputs (",\n{\"name\":", l->out);
      json_string ((const char *) text.data, l->out);
      fputs (",\"cat\":\"exception\",\"ph\":\"X\",", l->out);
      put_place (l, "ts", span->begin);
      fputc (',', l->out);
      put_place (l, "dur", span->end - span->begin);
      fprintf (l->out, ",\"pid\":%u,\"tid\":%d,\"args\":{\"begin\":\"%s\",\"end\":\"%s\"}}",
	       l->process, EXCEPTIONS,
	       tb_sparse_entry_text (span), tb_sparse_exit_text (span));
    }
  bool ok = !text.failed;
  tb_buffer_fini (&text);
  return ok;
}

static bool
put_samples (const struct sparse_line *l, const struct tb_sparse *sparse,
	     const struct tb_session_stream *stream)
{
  struct tb_symbols *symbols = job_symbols (l->job, stream->core);
  if (symbols == NULL)
    return false;
  bool ok = true;
  for (size_t i = 0; i < sparse->nsamples && ok; i++)
    {
      const struct tb_sparse_sample *sample = &sparse->samples[i];
      const struct tb_function *function = NULL;
      bool is_pc = sample->kind == TB_DWT_PC_SAMPLE;
      if (is_pc)
	function = tb_symbols_function_at (symbols, sample->pc);
      char *name = function != NULL ? tb_symbols_demangle (function->name) : NULL;
      ok = function == NULL || name != NULL;
      fputs (",\n{\"name\":", l->out);
      if (name != NULL)
	json_string (name, l->out);
      else if (is_pc)
	fprintf (l->out, "\"0x%" PRIx64 "\"", sample->pc);
      else
	fprintf (l->out, "\"%s\"", sample->kind == TB_DWT_SLEEP ? "asleep" : "not allowed");
      fputs (",\"cat\":\"sample\",\"ph\":\"i\",\"s\":\"t\",", l->out);
      put_place (l, "ts", sample->place);
      fprintf (l->out, ",\"pid\":%u,\"tid\":%d", l->process, SAMPLES);
      if (is_pc)
	fprintf (l->out, ",\"args\":{\"pc\":\"0x%" PRIx64 "\"}", sample->pc);
      fputc ('}', l->out);
      free (name);
    }
  tb_symbols_free (symbols);
  return ok;
}

/* Is SAID drawn as an exception or a sample of the PC?  */
static bool
is_drawn (const struct tb_said *said)
{
  return said->kind == TB_SAID_DWT && said->dwt >= TB_DWT_EXCEPTION
	 && said->dwt <= TB_DWT_PROHIBITED;
}

/* What else was said.  */
static bool
put_said (struct sparse_line *l, const struct tb_session_stream *stream,
	  const struct tb_sparse *sparse, const struct tb_software *software)
{
  size_t said_count = 0, drawn = 0;
  struct perfetto_left_out left = { .nreasons = 0 };
  bool ok = true;
  for (size_t i = 0; i < software->count && ok; i++)
    {
      const struct tb_lane_item item = { .first = UINT64_MAX, .last = UINT64_MAX,
					 .said = &software->items[i],
					 .software = software, .stream = stream };
      if (is_drawn (item.said))
	continue;
      said_count++;
      const char *why = l->frequency != 0 ? tb_lane_no_time (software, item.said) : NULL;
      if (why != NULL)
	{
	  perfetto_leave_out (&left, why);
	  continue;
	}
      drawn++;
      ok = perfetto_said (&item, l->frequency, sparse->places[i], l->process, SAID, l->out);
    }
  if (said_count > 0)
    perfetto_said_thread (l->job, l->process, SAID, &left, l->out);
  l->drawn += drawn;
  return ok;
}

static bool
put_sparse (void *context, const struct tb_session_stream *stream,
	    struct tb_sparse *sparse, const struct tb_software *software)
{
  struct sparse_line *l = context;
  struct job *job = l->job;
  bool alone = job_has_software_alone (job);
  const char *core = stream->core->device != NULL ? stream->core->device->name
		     : stream->source->name;
  if (tb_sparse_any (sparse) && sparse->in_time != job->in_time && !(alone && !job->in_time))
    {
      tb_warning (job->diag, "%s: what the DWT tells of %s is left out, as it has no time that "
		  "the others have", job->input, core);
      return true;
    }
  l->process = perfetto_process (job, stream);
  l->frequency = job->in_time ? tb_session_clock (&job->session) : 0;
  /* Another core's recording has what is no core's.  */
  if (!tb_sparse_any (sparse) && !alone)
    return true;
  size_t spans = sparse->nspans, samples = sparse->nsamples;
  l->drawn += spans + samples;
  struct tb_buffer name = { 0 };
  tb_buffer_printf (&name, "%s%s", core, sparse->in_time ? ""
		    : sparse->in_ticks ? " (in ticks of the ITM's clock)" : " (in things said)");
  tb_buffer_append (&name, "", 1);
  perfetto_name_process (l->process, name.failed ? core : (const char *) name.data, l->out);
  tb_buffer_fini (&name);
  if (spans > 0)
    perfetto_name_thread (l->process, EXCEPTIONS, "exceptions", l->out);
  if (samples > 0)
    perfetto_name_thread (l->process, SAMPLES, "PC", l->out);
  bool ok = samples == 0 || put_samples (l, sparse, stream);
  for (size_t i = 0; i < spans && ok; i++)
    ok = put_span (l, &sparse->spans[i]);
  for (size_t i = 0; i < sparse->nbreaks && ok; i++)
    {
      fputs (",\n{\"name\":\"packets were lost\",\"cat\":\"gap\",\"ph\":\"i\",\"s\":\"p\",",
	     l->out);
      put_place (l, "ts", sparse->breaks[i]);
      fprintf (l->out, ",\"pid\":%u,\"tid\":%d}", l->process, EXCEPTIONS);
    }
  return ok && put_said (l, stream, sparse, software);
}

enum tb_status
perfetto_sparse (struct job *job, FILE *out)
{
  struct sparse_line l = { .job = job, .out = out };
  if (!sparse_each (job, job->in_time, put_sparse, &l))
    return TB_ERR_MEMORY;
  if (l.drawn > 0 || !job_has_software_alone (job))
    return TB_OK;
  tb_error (job->diag, "%s: expected trace of instructions, or something that software or the DWT "
	    "said; --format=software lists what there is", job->input);
  return TB_ERR_INPUT;
}

static bool
look_for_time (void *context, const struct tb_session_stream *stream,
	       struct tb_sparse *sparse, const struct tb_software *software)
{
  bool *all = context;
  (void) stream;
  (void) software;
  *all &= sparse->in_time || !tb_sparse_any (sparse);
  return true;
}

bool
perfetto_sparse_in_time (struct job *job)
{
  bool all = tb_session_clock (&job->session) != 0;
  return all && sparse_each (job, true, look_for_time, &all) && all;
}
