/* --coverage: how much is known of registers and accesses.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>

#include "json.h"
#include "state/coverage.h"

/* The registers that count are those that instructions compute with: the first
   ones, up to LR, or SP of A64.  */
static const struct tb_reg_info *
counted (const struct tb_profile *profile, size_t *count)
{
  const struct tb_reg_info *regs = tb_regs (profile, count);
  *count = regs[0].bits == 64 ? TB_SP64 + 1 : TB_LR + 1;
  return regs;
}

static void
put_shares (FILE *out, const char *name, struct tb_coverage_count c,
	    uint64_t of)
{
  double all = of != 0 ? (double) of : 1;
  fprintf (out, "  %-24s %8.2f %8.2f %8.2f\n", name,
	   100.0 * (double) c.certain / all, 100.0 * (double) c.assumed / all,
	   100.0 * (double) (of - c.certain - c.assumed) / all);
}

static void
text_accesses (const struct tb_coverage_accesses *a, const char *what,
	       FILE *out)
{
  char name[32];
  fprintf (out, "  %-24s %8" PRIu64 "\n", what, a->count);
  if (a->count == 0)
    return;
  snprintf (name, sizeof name, "  addresses of %s", what);
  put_shares (out, name, a->addresses, a->count);
  snprintf (name, sizeof name, "  values of %s", what);
  put_shares (out, name, a->values, a->count);
}

static void
text (const struct tb_session_stream *stream, const struct tb_coverage *c,
      FILE *out)
{
  size_t n;
  const struct tb_reg_info *regs = counted (&stream->core->profile, &n);
  struct tb_coverage_count all = c->flags;
  fprintf (out, "source %s, core %s: %" PRIu64 " steps, %" PRIu64
	   " of them analysed\n", stream->source->name,
	   stream->core->device != NULL ? stream->core->device->name : "-",
	   c->steps, c->analysed);
  fputs ("  known before a step, %    certain  assumed  unknown\n", out);
  for (size_t i = 0; i < n; i++)
    {
      put_shares (out, regs[i].name, c->registers[i], c->steps);
      all.certain += c->registers[i].certain;
      all.assumed += c->registers[i].assumed;
    }
  put_shares (out, "nzcv", c->flags, c->steps);
  put_shares (out, "all of these", all, c->steps * (n + 1));
  text_accesses (&c->loads, "loads", out);
  text_accesses (&c->stores, "stores", out);
}

static void
json_count (const char *name, struct tb_coverage_count c, FILE *out)
{
  fprintf (out, "\"%s\":{\"certain\":%" PRIu64 ",\"assumed\":%" PRIu64 "}",
	   name, c.certain, c.assumed);
}

static void
json_accesses (const char *name, const struct tb_coverage_accesses *a,
	       FILE *out)
{
  fprintf (out, ",\"%s\":{\"count\":%" PRIu64 ",", name, a->count);
  json_count ("addresses", a->addresses, out);
  fputc (',', out);
  json_count ("values", a->values, out);
  fputc ('}', out);
}

static void
json (const struct tb_session_stream *stream, const struct tb_coverage *c,
      FILE *out)
{
  size_t n;
  const struct tb_reg_info *regs = counted (&stream->core->profile, &n);
  fputs ("{\"source\":", out);
  json_string (stream->source->name, out);
  fputs (",\"core\":", out);
  json_string (stream->core->device != NULL ? stream->core->device->name : "",
	       out);
  fprintf (out, ",\"steps\":%" PRIu64 ",\"analysed\":%" PRIu64
	   ",\"registers\":{", c->steps, c->analysed);
  for (size_t i = 0; i < n; i++)
    {
      json_count (regs[i].name, c->registers[i], out);
      fputc (',', out);
    }
  json_count ("nzcv", c->flags, out);
  fputc ('}', out);
  json_accesses ("loads", &c->loads, out);
  json_accesses ("stores", &c->stores, out);
  fputc ('}', out);
}

/* Count what is known of STREAM.  */
static enum tb_status
count_stream (struct job *job, const struct tb_session_stream *stream,
	      struct tb_coverage *coverage)
{
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (recording));
  struct tb_state *state = job_state (job, stream->core, stream, recording);
  struct tb_choose_options choose = job->options->choose;
  choose.frames = UINT64_MAX;
  struct tb_choice choice = tb_choose_steps (tb_recording_steps (recording),
					     &choose);
  for (uint64_t at = choice.begin; at < choice.end && state != NULL; at++)
    {
      if (at % 1024 == 0)
	progress_show (&job->progress, at, choice.end);
      tb_coverage_add (coverage, state, at, &stream->core->profile);
    }
  progress_clear (&job->progress);
  enum tb_status status = state != NULL ? TB_OK : TB_ERR_MEMORY;
  tb_state_close (state);
  tb_recording_close (recording);
  return status;
}

enum tb_status
list_coverage (struct job *job, struct tb_outfile *out)
{
  FILE *stream = tb_outfile_stream (out);
  enum tb_status status = TB_OK;
  bool first = true;
  if (job->options->json)
    {
      fputs ("{\"input\":", stream);
      json_string (job->input, stream);
      fputs (",\"coverage\":[", stream);
    }
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    {
      const struct tb_session_stream *s = &job->session.streams[i];
      struct tb_coverage coverage = { 0 };
      if (!job_has_steps (job, s))
	continue;
      status = count_stream (job, s, &coverage);
      if (status != TB_OK)
	break;
      if (job->options->json)
	{
	  if (!first)
	    fputc (',', stream);
	  json (s, &coverage, stream);
	}
      else
	text (s, &coverage, stream);
      first = false;
    }
  if (first && status == TB_OK)
    tb_warning (job->diag, "%s: there is no trace of instructions that can be "
		"decoded", job->input);
  if (job->options->json)
    fputs ("]}\n", stream);
  return status;
}
