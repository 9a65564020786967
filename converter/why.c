/* --why: where what is known of a register comes from.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "state/why.h"

/* Values of a chain, at most.  */
#define CHAIN 24

static const char *const rule_names[] = {
  [TB_WHY_UNKNOWN] = "unknown", [TB_WHY_TRACE] = "trace",
  [TB_WHY_HALT] = "halt", [TB_WHY_FUNCTION] = "constants",
  [TB_WHY_MEMORY] = "memory", [TB_WHY_OPERATION] = "operation",
  [TB_WHY_SAME] = "same", [TB_WHY_ACCESS] = "access",
  [TB_WHY_KEPT] = "aapcs", [TB_WHY_CONDITION] = "condition",
  [TB_WHY_FEW] = "few"
};

static const char *const rule_words[] = {
  [TB_WHY_UNKNOWN] = "not known",
  [TB_WHY_TRACE] = "the instruction, or the way that the trace went, says so",
  [TB_WHY_HALT] = "it is so at the halt",
  [TB_WHY_FUNCTION] = "assumed: a constant of the function",
  [TB_WHY_MEMORY] = "memory that does not change, or the dump, holds it",
  [TB_WHY_OPERATION] = "an instruction ties it to",
  [TB_WHY_SAME] = "it is another value plus a constant:",
  [TB_WHY_ACCESS] = "memory has carried it:",
  [TB_WHY_KEPT] = "assumed: a call has kept it:",
  [TB_WHY_CONDITION] = "a condition chooses:",
  [TB_WHY_FEW] = "every other of the few values that it could have had "
		 "leads to a contradiction"
};

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
      const struct tb_why *w = &items[i];
      uint64_t pc;
      fprintf (out, "  0x%08" PRIx32 " of step %" PRIu64, w->value, w->step);
      if (pc_of (recording, w->step, &pc))
	fprintf (out, ", pc 0x%08" PRIx64, pc);
      fprintf (out, ": %s", w->rule == TB_WHY_OPERATION && w->from_count == 0
			    ? "an instruction makes it of constants, or of what "
			      "is known in part" : rule_words[w->rule]);
      for (unsigned k = 0; k < w->from_count; k++)
	fprintf (out, "%s 0x%08" PRIx32 " of step %" PRIu64,
		 k != 0 ? " and" : "", items[w->from[k]].value,
		 items[w->from[k]].step);
      fputc ('\n', out);
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
      fprintf (out, "%s{\"value\":%" PRIu32 ",\"step\":%" PRIu64,
	       i != 0 ? "," : "", w->value, w->step);
      if (pc_of (recording, w->step, &pc))
	fprintf (out, ",\"pc\":%" PRIu64, pc);
      fprintf (out, ",\"rule\":\"%s\",\"from\":[", rule_names[w->rule]);
      for (unsigned k = 0; k < w->from_count; k++)
	fprintf (out, "%s%u", k != 0 ? "," : "", w->from[k]);
      fputs ("]}", out);
    }
  fputs ("]", out);
}

static enum tb_status
explain_stream (struct job *job, const struct tb_session_stream *stream,
		FILE *out, bool first)
{
  const struct why_request *why = &job->options->why;
  size_t count, reg;
  const struct tb_reg_info *regs = tb_regs (&stream->core->profile, &count);
  for (reg = 0; reg < count && strcmp (regs[reg].name, why->name) != 0; reg++)
    continue;
  if (reg == count)
    {
      tb_error (job->diag, "%s: --why: core %s has no register \"%s\"",
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
      static const char *const tiers[] = { "unknown", "stated", "certain",
					   "assumed" };
      struct tb_value values[TB_NREGS_MAX];
      struct tb_why items[CHAIN];
      tb_state_registers (state, why->step, values);
      const struct tb_value *v = &values[reg];
      bool whole = v->mask == (regs[reg].bits == 64 ? UINT64_MAX
						    : UINT32_MAX);
      size_t n = tb_state_why (state, why->step, (unsigned) reg, items,
			       CHAIN);
      if (job->options->json)
	{
	  fprintf (out, "%s{\"source\":", first ? "" : ",");
	  json_string (stream->source->name, out);
	  fprintf (out, ",\"step\":%" PRIu64 ",\"register\":\"%s\",\"tier\":"
		   "\"%s\"", why->step, why->name, tiers[v->origin]);
	  if (whole)
	    fprintf (out, ",\"value\":%" PRIu64, v->bits);
	  put_json (out, recording, items, n);
	  fputc ('}', out);
	}
      else
	{
	  fprintf (out, "%s: %s before step %" PRIu64 ": ",
		   stream->source->name, why->name, why->step);
	  if (whole)
	    fprintf (out, "0x%" PRIx64 ", %s\n", v->bits, tiers[v->origin]);
	  else
	    fputs (v->mask != 0 ? "not wholly known\n" : "not known\n", out);
	  put_text (out, recording, items, n);
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
