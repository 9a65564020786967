/* --coverage: how much is known of registers and accesses.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "coverage.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "state/answer/live.h"

/* The registers that count are those that instructions compute with: the first
   ones, up to LR, or SP of A64.  */
static const struct tb_reg_info *
counted (const struct tb_profile *profile, size_t *count)
{
  const struct tb_reg_info *regs = tb_regs (profile, count);
  *count = regs[0].bits == 64 ? TB_SP64 + 1 : TB_LR + 1;
  return regs;
}

/* The columns of three shares; empty ones where there is nothing to share.  */
static void
put_share (FILE *out, const struct tb_coverage_share *s)
{
  if (s->count == 0)
    {
      fprintf (out, " %8s %8s %8s", "-", "-", "-");
      return;
    }
  double all = (double) s->count;
  uint64_t unknown = s->count - s->known.certain - s->known.assumed;
  fprintf (out, " %8.2f %8.2f %8.2f", 100.0 * (double) s->known.certain / all,
	   100.0 * (double) s->known.assumed / all,
	   100.0 * (double) unknown / all);
}

static void
put_line (FILE *out, const char *name, const struct tb_coverage_share *all,
	  const struct tb_coverage_share *live)
{
  fprintf (out, "  %-20s", name);
  put_share (out, all);
  if (live != NULL)
    put_share (out, live);
  fputc ('\n', out);
}

static void
text_accesses (const struct tb_coverage_accesses *a, const char *what,
	       FILE *out)
{
  char name[32];
  fprintf (out, "  %-20s %8" PRIu64 "\n", what, a->count);
  if (a->count == 0)
    return;
  snprintf (name, sizeof name, "  addresses of %s", what);
  put_line (out, name,
	    &(struct tb_coverage_share) { a->count, a->addresses }, NULL);
  snprintf (name, sizeof name, "  values of %s", what);
  put_line (out, name, &(struct tb_coverage_share) { a->count, a->values },
	    NULL);
}

/* The sum over the first N registers and the flags.  */
static struct tb_coverage_share
sum (const struct tb_coverage_registers *c, size_t n)
{
  struct tb_coverage_share all = c->flags;
  for (size_t i = 0; i < n; i++)
    {
      all.count += c->registers[i].count;
      all.known.certain += c->registers[i].known.certain;
      all.known.assumed += c->registers[i].known.assumed;
    }
  return all;
}

static void
text (const struct tb_session_stream *stream, struct tb_recording *recording,
      const struct tb_coverage *c, unsigned doubt, FILE *out)
{
  size_t n;
  const struct tb_reg_info *regs = counted (&stream->core->profile, &n);
  struct tb_coverage_share all = sum (&c->all, n), live = sum (&c->live, n);
  struct tb_coverage_share read = sum (&c->read, n);
  fprintf (out, "source %s, core %s: %" PRIu64 " steps, %" PRIu64
	   " of them analysed\n", stream->source->name,
	   stream->core->device != NULL ? stream->core->device->name : "-",
	   c->steps, c->analysed);
  fprintf (out, "  %-20s %-26s  %s\n", "known before a", "in all steps",
	   "where it is live");
  fprintf (out, "  %-20s %8s %8s %8s %8s %8s %8s\n", "step, %", "certain",
	   "assumed", "unknown", "certain", "assumed", "unknown");
  for (size_t i = 0; i < n; i++)
    put_line (out, regs[i].name, &c->all.registers[i], &c->live.registers[i]);
  put_line (out, "nzcv", &c->all.flags, &c->live.flags);
  put_line (out, "all of these", &all, &live);
  put_line (out, "read by the step", &read, NULL);
  if (c->vectors.count != 0)
    put_line (out, stream->core->profile.has_a64 ? "v0 to v31"
	      : stream->core->profile.is_m ? "d0 to d15" : "d0 to d31",
	      &c->vectors, NULL);
  text_accesses (&c->loads, "loads", out);
  text_accesses (&c->stores, "stores", out);
  coverage_reasons_text (c->reasons, recording, out);
  if (c->begins_as_reset)
    fputs ("  the trace begins as at a reset: if it does, --start=reset makes more known\n", out);
  struct tb_buffer doubted = { 0 };
  tb_premise_names (&doubted, doubt);
  if (doubted.size > 0)
    fprintf (out, "  doubted: %.*s\n", (int) doubted.size, (const char *) doubted.data);
  tb_buffer_fini (&doubted);
}

static void
json_count (const char *name, struct tb_coverage_count c, FILE *out)
{
  fprintf (out, "\"%s\":{\"certain\":%" PRIu64 ",\"assumed\":%" PRIu64 "}",
	   name, c.certain, c.assumed);
}

static void
json_share (const char *name, const struct tb_coverage_share *s, FILE *out)
{
  fprintf (out, "\"%s\":{\"count\":%" PRIu64 ",\"certain\":%" PRIu64
	   ",\"assumed\":%" PRIu64 "}", name, s->count, s->known.certain,
	   s->known.assumed);
}

static void
json_registers (const char *name, const struct tb_coverage_registers *c,
		const struct tb_reg_info *regs, size_t n, FILE *out)
{
  fprintf (out, ",\"%s\":{", name);
  for (size_t i = 0; i < n; i++)
    {
      json_share (regs[i].name, &c->registers[i], out);
      fputc (',', out);
    }
  json_share ("nzcv", &c->flags, out);
  fputc ('}', out);
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

void
coverage_json (const struct tb_session_stream *stream,
	       struct tb_recording *recording, const struct tb_coverage *c,
	       FILE *out)
{
  size_t n;
  const struct tb_reg_info *regs = counted (&stream->core->profile, &n);
  fputs ("{\"source\":", out);
  json_string (stream->source->name, out);
  fputs (",\"core\":", out);
  json_string (stream->core->device != NULL ? stream->core->device->name : "",
	       out);
  fprintf (out, ",\"steps\":%" PRIu64 ",\"analysed\":%" PRIu64, c->steps,
	   c->analysed);
  json_registers ("registers", &c->all, regs, n, out);
  json_registers ("live", &c->live, regs, n, out);
  json_registers ("read", &c->read, regs, n, out);
  fputc (',', out);
  json_share ("vectors", &c->vectors, out);
  json_accesses ("loads", &c->loads, out);
  json_accesses ("stores", &c->stores, out);
  if (c->reasons != NULL)
    coverage_reasons_json (c->reasons, recording, out);
  fputc ('}', out);
}

enum tb_status
coverage_count (struct job *job, const struct tb_session_stream *stream,
		struct tb_recording *recording, struct tb_coverage *coverage,
		void (*look) (void *context, struct tb_state *state, uint64_t step),
		void *context)
{
  struct tb_state *state = job_state (job, stream->core, stream, recording);
  struct tb_choice choice = job_choose (job, stream, recording);
  struct tb_live *live = state != NULL ? tb_live_new (state, choice.begin) : NULL;
  for (uint64_t at = choice.begin; at < choice.end && live != NULL; at++)
    {
      if (at % 1024 == 0)
	progress_show (&job->progress, at, choice.end);
      uint64_t set;
      bool told = tb_live_before (live, at, &set);
      tb_coverage_add (coverage, state, at, &stream->core->profile,
		       told ? &set : NULL);
      if (look != NULL)
	look (context, state, at);
    }
  progress_clear (&job->progress);
  enum tb_status status = live != NULL && !tb_live_no_memory (live)
			  ? TB_OK : TB_ERR_MEMORY;
  if (coverage->reasons != NULL)
    tb_reasons_end (coverage->reasons);
  if (coverage->reasons != NULL && coverage->reasons->failed)
    status = TB_ERR_MEMORY;
  tb_live_free (live);
  coverage->begins_as_reset = state != NULL && tb_state_begins_as_reset (state);
  job_close_state (job, state);
  return status;
}

/* Count what is known of STREAM, and write it.  */
static enum tb_status
put_stream (struct job *job, const struct tb_session_stream *stream, FILE *out)
{
  struct tb_reasons reasons = { .window = NULL };
  struct tb_coverage coverage = { .reasons = &reasons };
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (recording));
  enum tb_status status = coverage_count (job, stream, recording, &coverage, NULL, NULL);
  if (status == TB_OK && job->options->json)
    coverage_json (stream, recording, &coverage, out);
  else if (status == TB_OK && (coverage.steps > 0 || tb_recording_steps (recording) == 0))
    text (stream, recording, &coverage, job->options->shared.doubt, out);
  tb_reasons_fini (&reasons);
  job_close_recording (job, recording);
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
      if (!job_has_steps (job, s))
	continue;
      if (job->options->json && !first)
	fputc (',', stream);
      status = put_stream (job, s, stream);
      first = false;
    }
  if (job->options->json)
    fputs ("]}\n", stream);
  return status;
}
