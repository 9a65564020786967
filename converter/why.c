/* --why: where what is known of a register, a flag or memory comes from.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "recording/facts.h"
#include "state/answer/sve.h"
#include "state/explain/why.h"

/* Values of a chain, at most.  */
#define CHAIN 24

/* A stream whose values are explained.  */
struct explained
{
  const struct tb_session_stream *stream;
  struct tb_recording *recording;
  struct tb_state *state;
  const struct tb_svd *svd;	/* NULL: none.  */
  FILE *out;
  bool json;
};

static unsigned
status_register (const struct tb_profile *profile)
{
  return profile->has_a64 ? TB_PSTATE : TB_PSR;
}

/* The PC of STEP; false: it is not known (the end of some traces).  */
static bool
pc_of (struct tb_recording *recording, uint64_t step, uint64_t *pc)
{
  const struct tb_recording_info *info = tb_recording_info (recording);
  struct tb_step one;
  bool known = tb_recording_read (recording, step, &one, 1) == 1;
  *pc = known ? one.pc : info->end_pc;
  return known || (step == info->steps && info->end_known);
}

static void
put_text (FILE *out, struct tb_recording *recording, const struct tb_svd *svd,
	  const struct tb_why *items, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      char line[1000];
      tb_why_line (line, sizeof line, recording, svd, items, i);
      fprintf (out, "  %s\n", line);
    }
}

static void
put_json (FILE *out, struct tb_recording *recording,
	  const struct tb_why *items, size_t count)
{
  fputs (",\"chain\":[", out);
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_why *w = &items[i];
      uint64_t pc;
      fprintf (out, "%s{\"step\":%" PRIu64, i != 0 ? "," : "", w->step);
      if (w->known)
	fprintf (out, ",\"value\":%" PRIu64, w->value);
      if (pc_of (recording, w->step, &pc))
	fprintf (out, ",\"pc\":%" PRIu64, pc);
      fprintf (out, ",\"rule\":\"%s\",\"partly\":%s,\"from\":[",
	       tb_why_name (w->rule), w->partly ? "true" : "false");
      for (unsigned k = 0; k < w->from_count; k++)
	fprintf (out, "%s%u", k != 0 ? "," : "", w->from[k]);
      fputs ("]}", out);
    }
  fputs ("]", out);
}

/* What a log says at STEP of the bytes of QUERY that is no memory of the core's:
   devices, the bus, and reads of what others have written.  */
static void
put_facts (FILE *out, const struct tb_columns *facts, uint64_t step,
	   const struct tb_why_query *query, bool json)
{
  size_t count, shown = 0;
  if (json)
    fputs (",\"facts\":[", out);
  const struct tb_facts_other *o = tb_facts_others (facts, step, &count);
  for (size_t i = 0; i < count; i++)
    {
      bool write = (o[i].flags & TB_FACTS_WRITE) != 0;
      const char *where = o[i].flags & TB_FACTS_BUS ? "bus"
			  : o[i].device ? "device" : "others";
      if (o[i].address - query->address >= query->size
	  && query->address - o[i].address >= o[i].length)
	continue;
      if (json)
	fprintf (out, "%s{\"kind\":\"%s\",\"write\":%s,\"address\":%" PRIu64
		 ",\"size\":%u,\"value\":%" PRIu64 "}",
		 shown > 0 ? "," : "", where, write ? "true" : "false",
		 o[i].address, o[i].length, o[i].value);
      else
	fprintf (out, "  step %" PRIu64 " in the log: %s %s, 0x%" PRIx64
		 ":%u=0x%" PRIx64 "\n", step, where, write ? "write" : "read",
		 o[i].address, o[i].length, o[i].value);
      shown++;
    }
  if (json)
    fputc (']', out);
}

/* Why nothing more can be said of QUERY before STEP.  */
static const char *
reason (const struct explained *e, uint64_t step,
	const struct tb_why_query *query, const struct tb_why_verdict *verdict,
	char text[80])
{
  bool known = verdict->whole;
  const struct tb_columns *facts = e->stream->facts;
  const struct tb_profile *profile = &e->stream->core->profile;
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  bool vector = query->kind == TB_WHY_VECTOR || query->kind == TB_WHY_SVE;
  if (vector && facts == NULL)
    return known ? "nothing but what the trace, the code or the halt says"
		 : "nothing tells it";
  unsigned number = query->kind == TB_WHY_FLAG ? status_register (profile)
					       : query->number;
  if (facts != NULL)
    {
      uint64_t since;
      const struct tb_facts_register *reg = NULL;
      if (facts->frames)
	return known ? tb_why_words (tb_why_of_frame (query, verdict))
		     : "the frame does not have it";
      if (!vector && query->kind != TB_WHY_BYTES)
	reg = tb_facts_find (facts, number == status_register (profile)
			     ? "psr" : regs[number].name);
      if (reg != NULL && tb_facts_since (reg, 0, step, &since))
	{
	  snprintf (text, 80, "the log says so at step %" PRIu64, since);
	  return text;
	}
      return known ? "the log says so"
		   : "no line of the log tells it for certain";
    }
  if (query->kind == TB_WHY_BYTES || query->kind == TB_WHY_FLAG)
    return known ? "nothing but what the trace, the code or the halt says"
		 : "nothing tells it";
  if (strcmp (regs[number].name, "pc") == 0)
    return "the trace says so";
  if (number == status_register (profile))
    return "its flags are below; the rest follows from what runs and from the "
	   "exceptions on the way";
  return known ? "it follows from what instructions and exceptions did with it"
	       : "neither instructions nor exceptions tell it";
}

/* The names of PREMISES as member NAME of an object; nothing if there are none.  */
static void
put_names (FILE *out, const char *name, unsigned premises)
{
  struct tb_buffer text = { 0 };
  if (premises == 0)
    return;
  tb_premise_names (&text, premises);
  tb_buffer_append (&text, "", 1);
  fprintf (out, ",\"%s\":", name);
  json_string (text.failed ? "" : (const char *) text.data, out);
  tb_buffer_fini (&text);
}

static void
put_answer (const struct explained *e, uint64_t step, const char *name,
	    const struct tb_why_query *query)
{
  struct tb_why items[CHAIN];
  char text[80];
  const struct tb_why_verdict verdict
    = tb_why_find_verdict (e->state, step, query, &e->stream->core->profile);
  size_t n = tb_state_why (e->state, step, query, items, CHAIN);
  const char *why = n == 0 ? reason (e, step, query, &verdict, text) : NULL;
  struct tb_buffer premises = { 0 };
  bool told = e->stream->facts != NULL && query->kind == TB_WHY_BYTES;
  const struct tb_why_grounds grounds = tb_why_find_grounds (e->state, step, query);
  /* Where the doubt is the reason, the chain of what is not known is not.  */
  if (grounds.missing != 0)
    {
      why = NULL;
      n = 0;
    }
  if (e->json)
    {
      fputs ("{\"source\":", e->out);
      json_string (e->stream->source->name, e->out);
      fprintf (e->out, ",\"step\":%" PRIu64 ",\"register\":", step);
      json_string (name, e->out);
      fprintf (e->out, ",\"tier\":\"%s\"",
	       tb_why_origin_name (verdict.whole ? verdict.origin : TB_UNKNOWN));
      if (verdict.whole)
	fprintf (e->out, ",\"value\":%" PRIu64, verdict.value);
      if (why != NULL)
	fprintf (e->out, ",\"reason\":\"%s\"", why);
      put_json (e->out, e->recording, items, n);
      put_names (e->out, "premises", grounds.rests);
      if (grounds.objects)
	fprintf (e->out, ",\"assumption\":\"objects\"");
      put_names (e->out, "missing", grounds.missing);
      put_names (e->out, "doubted", grounds.doubted);
    }
  else
    {
      char found[60];
      tb_why_verdict_text (found, sizeof found, &verdict);
      fprintf (e->out, "%s: %s before step %" PRIu64 ": %s\n",
	       e->stream->source->name, name, step, found);
      if (why != NULL)
	fprintf (e->out, "  %s\n", why);
      put_text (e->out, e->recording, e->svd, items, n);
      tb_why_grounds_text (&premises, &grounds);
      fprintf (e->out, "%.*s", (int) premises.size,
	       premises.data != NULL ? (const char *) premises.data : "");
    }
  if (told)
    put_facts (e->out, e->stream->facts, step, query, e->json);
  if (e->json)
    fputc ('}', e->out);
  if (premises.failed)
    tb_recording_lacks_memory (e->recording);
  tb_buffer_fini (&premises);
}

/* Answer all requests of STREAM; *ANSWERS counts them.  */
static enum tb_status
explain_stream (struct job *job, const struct tb_session_stream *stream,
		FILE *out, size_t *answers)
{
  const struct options *o = job->options;
  const struct tb_profile *profile = &stream->core->profile;
  struct tb_why_named named[TB_WHY_NAMES];
  unsigned sve = tb_sve_length (stream->facts);
  for (size_t i = 0; i < o->nwhys; i++)
    if (tb_why_parse_all (named, profile, sve, job->session.svd,
			  o->whys[i].name) == 0)
      {
	struct tb_buffer text = { 0 };
	tb_why_unnamed (&text, stream->core->device != NULL
			? stream->core->device->name : "-", job->session.svd,
			o->whys[i].name);
	tb_error (job->diag, "%s: --why: %.*s", job->input, (int) text.size,
		  (const char *) text.data);
	tb_buffer_fini (&text);
	return TB_ERR_INPUT;
      }
  struct explained e = { .stream = stream, .out = out, .json = o->json,
			 .svd = job->session.svd,
			 .recording = job_recording (job, stream) };
  if (e.recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (e.recording));
  uint64_t steps = tb_recording_steps (e.recording);
  for (size_t i = 0; i < o->nwhys; i++)
    if (o->whys[i].step > steps && o->whys[i].step != UINT64_MAX)
      tb_warning (job->diag, "%s: --why: the trace of %s%s%s has the steps 0 to %"
		  PRIu64 ", not %" PRIu64, job->input, stream->source->name,
		  stream->buffer != NULL ? " in " : "",
		  stream->buffer != NULL ? stream->buffer->name : "", steps,
		  o->whys[i].step);
    else
      {
	if (e.state == NULL)
	  e.state = job_state (job, stream->core, stream, e.recording);
	unsigned count = tb_why_parse_all (named, profile, sve, job->session.svd,
					   o->whys[i].name);
	for (unsigned k = 0; k < count && e.state != NULL; k++)
	  {
	    if (o->json && *answers > 0)
	      fputc (',', out);
	    put_answer (&e, o->whys[i].step < steps ? o->whys[i].step : steps,
			named[k].name, &named[k].query);
	    (*answers)++;
	  }
	if (e.state == NULL)
	  {
	    job_close_recording (job, e.recording);
	    return TB_ERR_MEMORY;
	  }
      }
  job_close_state (job, e.state);
  job_close_recording (job, e.recording);
  return TB_OK;
}

enum tb_status
list_why (struct job *job, struct tb_outfile *out)
{
  FILE *stream = tb_outfile_stream (out);
  enum tb_status status = TB_OK;
  size_t answers = 0;
  bool any = false;
  if (job->options->json)
    {
      fputs ("{\"input\":", stream);
      json_string (job->input, stream);
      fputs (",\"why\":[", stream);
    }
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    if (job_has_steps (job, &job->session.streams[i]))
      {
	status = explain_stream (job, &job->session.streams[i], stream, &answers);
	any = true;
      }
  if (job->options->json)
    fputs ("]}\n", stream);
  if (status == TB_OK && any && answers == 0)
    {
      tb_error (job->diag, "%s: --why: no trace has such a step", job->input);
      status = TB_ERR_INPUT;
    }
  return status;
}
