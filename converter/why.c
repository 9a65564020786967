/* --why: where what is known of a register, a flag or memory comes from.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "recording/facts.h"
#include "state/why.h"

/* Values of a chain, at most.  */
#define CHAIN 24

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
put_text (FILE *out, struct tb_recording *recording,
	  const struct tb_why *items, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      char line[1000];
      tb_why_line (line, sizeof line, recording, items, i);
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

static enum tb_status
explain_stream (struct job *job, const struct tb_session_stream *stream,
		FILE *out, bool first)
{
  const struct why_request *why = &job->options->why;
  const struct tb_profile *profile = &stream->core->profile;
  struct tb_why_query query;
  if (!tb_why_parse (&query, profile, why->name))
    {
      tb_error (job->diag, "%s: --why: core %s has no register \"%s\"; expected "
		"one, a flag (n, z, c, v) or ADDRESS[:SIZE] of up to 8 bytes",
		job->input, stream->core->device != NULL
		? stream->core->device->name : "-", why->name);
      return TB_ERR_INPUT;
    }
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  struct tb_state *state = job_state (job, stream->core, stream, recording);
  enum tb_status status = state != NULL ? TB_OK : TB_ERR_MEMORY;
  if (state != NULL && why->step > tb_recording_steps (recording))
    {
      tb_error (job->diag, "%s: --why: expected a step of 0 to %" PRIu64
		", found %" PRIu64, job->input,
		tb_recording_steps (recording), why->step);
      status = TB_ERR_INPUT;
    }
  if (status == TB_OK)
    {
      struct tb_why items[CHAIN];
      const struct tb_why_verdict verdict
	= tb_why_find_verdict (state, why->step, &query, profile);
      size_t n = tb_state_why (state, why->step, &query, items, CHAIN);
      bool told = stream->facts != NULL && query.kind == TB_WHY_BYTES;
      if (job->options->json)
	{
	  fprintf (out, "%s{\"source\":", first ? "" : ",");
	  json_string (stream->source->name, out);
	  fprintf (out, ",\"step\":%" PRIu64 ",\"register\":\"%s\",\"tier\":"
		   "\"%s\"", why->step, why->name,
		   tb_why_origin_name (verdict.origin));
	  if (verdict.whole)
	    fprintf (out, ",\"value\":%" PRIu64, verdict.value);
	  put_json (out, recording, items, n);
	  if (told)
	    put_facts (out, stream->facts, why->step, &query, true);
	  fputc ('}', out);
	}
      else
	{
	  char text[60];
	  tb_why_verdict_text (text, sizeof text, &verdict);
	  fprintf (out, "%s: %s before step %" PRIu64 ": %s\n",
		   stream->source->name, why->name, why->step, text);
	  put_text (out, recording, items, n);
	  if (told)
	    put_facts (out, stream->facts, why->step, &query, false);
	}
    }
  tb_state_close (state);
  tb_recording_close (recording);
  return status;
}

enum tb_status
list_why (struct job *job, struct tb_outfile *out)
{
  FILE *stream = tb_outfile_stream (out);
  enum tb_status status = TB_OK;
  bool first = true;
  if (job->options->json)
    {
      fputs ("{\"input\":", stream);
      json_string (job->input, stream);
      fputs (",\"why\":[", stream);
    }
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    if (job_has_steps (job, &job->session.streams[i]))
      {
	status = explain_stream (job, &job->session.streams[i], stream, first);
	first = false;
      }
  if (job->options->json)
    fputs ("]}\n", stream);
  return status;
}
