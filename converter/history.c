/* --history: the values of expressions over the recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <string.h>

#include "histories.h"
#include "json.h"

/* Of one history in a report.  */
#define CHANGES_MOST 20000

/* A recording, and what of it is told.  */
struct told
{
  struct job *job;
  const struct named_recording *named;
  const char *expression;
  struct tb_variables *variables;
  const struct tb_type *type;
  FILE *out;
  bool json, csv;
  bool page;			/* JSON is for JavaScript.  */
  bool any;			/* An expression was told of before.  */
  uint64_t changes;
  bool changed;			/* Some are more than the value before.  */
  uint64_t most;		/* No more of these are told.  */
};

/* What is known of where STEP stands in time and in the source.  */
struct step_place
{
  uint64_t pc, timestamp, cycles;
  bool has_pc, has_timestamp, has_cycles, has_line;
  const char *function;		/* NULL: it is not known.  */
  struct tb_line line;
};

static struct step_place
find_place (const struct told *t, uint64_t step)
{
  struct tb_recording *r = t->named->recording;
  struct step_place p = { .pc = 0 };
  struct tb_step one;
  p.has_pc = tb_recording_read (r, step, &one, 1) == 1;
  p.has_timestamp = tb_recording_timestamp (r, step, &p.timestamp);
  p.has_cycles = tb_recording_cycles (r, step, &p.cycles);
  if (!p.has_pc)
    return p;
  p.pc = one.pc;
  p.function = tb_variables_function (t->variables, p.pc);
  p.has_line = tb_symbols_line_at (t->named->symbols, p.pc, &p.line);
  return p;
}

static void
put_text (const struct told *t, const struct tb_history_change *change,
	  const struct step_place *p, const struct tb_buffer *values)
{
  FILE *out = t->out;
  fprintf (out, "  %s %" PRIu64, change->is_first ? "before step" : "step", change->step);
  if (p->has_timestamp)
    fprintf (out, ", timestamp %" PRIu64, p->timestamp);
  if (p->has_cycles)
    fprintf (out, ", cycle %" PRIu64, p->cycles);
  if (!change->is_first && p->function != NULL)
    fprintf (out, ", %s", p->function);
  if (!change->is_first && p->has_line)
    fprintf (out, " at %s:%u", p->line.file, p->line.line);
  else if (!change->is_first && p->has_pc)
    fprintf (out, " at 0x%" PRIx64, p->pc);
  fprintf (out, ": %.*s\n", (int) values->size, (const char *) values->data);
}

static void
put_number (FILE *out, bool known, uint64_t number)
{
  if (known)
    fprintf (out, "%" PRIu64, number);
  fputc (',', out);
}

/* Has VALUE, an integer of TYPE, more digits than a number of JavaScript keeps?  */
static bool
is_long (const struct tb_value *value, const struct tb_type *type)
{
  const uint64_t most = UINT64_C (1) << 53;
  if (type->size < 8 || type->kind == TB_TYPE_FLOAT)
    return false;
  return value->bits > most && !(type->is_signed && -value->bits <= most);
}

/* VALUE; UNKNOWN where it is not known, QUOTE around what is no number for who reads it.  */
static void
put_value (const struct told *t, const struct tb_value *value, const char *unknown,
	   const char *quote)
{
  FILE *out = t->out;
  const struct tb_type *type = t->type;
  struct tb_buffer text = { 0 };
  struct tb_type decimal = *type;
  if (type->kind == TB_TYPE_POINTER || type->kind == TB_TYPE_REFERENCE)
    decimal.kind = TB_TYPE_INTEGER;
  tb_history_put_value (&text, value, &decimal);
  if (text.failed || text.data[0] == '?')
    fputs (unknown, out);
  else
    {
      bool number = tb_history_is_number (value, type) && !(t->page && is_long (value, type));
      const char *mark = number ? "" : quote;
      fprintf (out, "%s%.*s%s", mark, (int) text.size, (const char *) text.data, mark);
    }
  tb_buffer_fini (&text);
}

static void
put_csv (const struct told *t, const struct tb_history_change *change,
	 const struct step_place *p)
{
  FILE *out = t->out;
  csv_field (out, t->named->stream->source->name);
  fputc (',', out);
  csv_field (out, t->expression);
  fprintf (out, ",%" PRIu64 ",", change->step);
  put_number (out, p->has_timestamp, p->timestamp);
  put_number (out, p->has_cycles, p->cycles);
  put_number (out, p->has_pc && !change->is_first, p->pc);
  if (!change->is_first)
    put_value (t, &change->before, "", "");
  fputc (',', out);
  put_value (t, &change->after, "", "");
  fprintf (out, ",%s,", change->is_over ? "over" : tb_history_tier (change, t->type));
  if (!change->is_first && p->function != NULL)
    csv_field (out, p->function);
  fputc (',', out);
  if (!change->is_first && p->has_line)
    csv_field (out, p->line.file);
  fputc (',', out);
  if (!change->is_first && p->has_line)
    fprintf (out, "%u", p->line.line);
  fprintf (out, ",%s\r\n", change->is_first ? "before" : "at");
}

static void
put_json (const struct told *t, const struct tb_history_change *change,
	  const struct step_place *p)
{
  FILE *out = t->out;
  fprintf (out, "%s{\"step\":%" PRIu64, t->changes > 0 ? "," : "", change->step);
  if (p->has_timestamp)
    fprintf (out, ",\"timestamp\":%" PRIu64, p->timestamp);
  if (p->has_cycles)
    fprintf (out, ",\"cycle\":%" PRIu64, p->cycles);
  if (!change->is_first)
    {
      if (p->has_pc)
	fprintf (out, ",\"pc\":%" PRIu64, p->pc);
      fputs (",\"old\":", out);
      put_value (t, &change->before, "null", "\"");
    }
  fputs (",\"new\":", out);
  put_value (t, &change->after, "null", "\"");
  fprintf (out, ",\"tier\":\"%s\"", tb_history_tier (change, t->type));
  if (change->is_over)
    fputs (",\"over\":true", out);
  if (!change->is_first && p->function != NULL)
    {
      fputs (",\"function\":", out);
      json_string (p->function, out);
    }
  if (!change->is_first && p->has_line)
    {
      fputs (",\"file\":", out);
      json_string (p->line.file, out);
      fprintf (out, ",\"line\":%u", p->line.line);
    }
  fputc ('}', out);
}

static bool
take (void *context, const struct tb_history_change *change, const struct tb_type *type)
{
  struct told *t = context;
  t->type = type;
  t->changed |= !change->is_first;
  if (t->changes >= t->most)
    {
      t->changes++;
      return true;
    }
  struct step_place p = find_place (t, change->step);
  struct tb_buffer values = { 0 };
  if (t->json)
    put_json (t, change, &p);
  else if (t->csv)
    put_csv (t, change, &p);
  else
    {
      tb_history_put_change (&values, change, t->type);
      put_text (t, change, &p, &values);
    }
  t->changes++;
  bool ok = !values.failed && !ferror (t->out);
  tb_buffer_fini (&values);
  return ok;
}

/* What was missed: in CSV there is no place for it.  False: no memory.  */
static bool
tell_missed (void *context, const struct tb_history_missed *missed)
{
  const struct told *t = context;
  struct tb_buffer text = { 0 };
  if (t->json)
    fprintf (t->out, "],\"left_out\":%" PRIu64 ",\"unknown_stores\":%" PRIu64
	     ",\"unknown_steps\":%" PRIu64 ",\"gaps\":%" PRIu64 "%s%s}",
	     t->changes > t->most ? t->changes - t->most : 0, missed->stores,
	     missed->steps, missed->gaps, missed->no_call ? ",\"no_call\":true" : "",
	     missed->places ? ",\"more_places\":true" : "");
  else if (!t->csv)
    {
      struct tb_history_missed all = *missed;
      all.unchanged = !t->changed;
      tb_history_put_missed (&text, "  ", &all);
      fprintf (t->out, "%.*s", (int) text.size,
	       text.data != NULL ? (const char *) text.data : "");
    }
  else if (missed->no_call)
    tb_warning (t->job->diag, "%s: --history: %s: the function does not run in these steps, or is "
		"a part of others (inlined)", t->job->input, t->expression);
  else if (missed->stores + missed->steps + missed->gaps != 0 || missed->places)
    tb_warning (t->job->diag, "%s: --history: %s: %" PRIu64 " stores, %" PRIu64
		" instructions and %" PRIu64 " gaps of the trace may have changed it without "
		"being told", t->job->input, t->expression, missed->stores,
		missed->steps, missed->gaps);
  bool ok = !text.failed;
  tb_buffer_fini (&text);
  return ok;
}

/* The history of an expression begins.  */
static bool
tell_expression (void *context, const char *expression, struct tb_variables *variables)
{
  struct told *t = context;
  const char *source = t->named->stream->source->name;
  if (t->json)
    {
      fprintf (t->out, "%s{\"source\":", t->any ? "," : "");
      json_string (source, t->out);
      fputs (",\"expression\":", t->out);
      json_string (expression, t->out);
      fputs (",\"changes\":[", t->out);
    }
  else if (!t->csv)
    fprintf (t->out, "%s: %s\n", source, expression);
  t->any = true;
  t->expression = expression;
  t->variables = variables;
  t->changes = 0;
  t->changed = false;
  return true;
}

/* What TELLER is told of one expression, and where; with its type.  */
struct telling
{
  const struct history_teller *teller;
  const struct tb_type *type;
};

static bool
pass_on (void *context, const struct tb_history_change *change)
{
  const struct telling *t = context;
  return t->teller->take (t->teller->context, change, t->type);
}

/* Tell the history of EXPRESSION.  */
static enum tb_status
tell_one (struct job *job, const char *expression, const struct tb_expression_scope *scope,
	  const struct tb_history_source *source, const struct tb_choice *choice,
	  const struct history_teller *teller)
{
  struct tb_history_expression e;
  struct tb_expression_error error;
  struct tb_history_missed missed;
  if (!tb_history_compile (&e, expression, scope, source->symbols, &error))
    {
      bool no_program = job->options->shared.session.nelves == 0
			&& strncmp (error.text, "there is no `", 13) == 0;
      tb_error (job->diag, "%s: --history: %s%sat character %zu: %s%s", job->input,
		expression, expression[0] != 0 ? ": " : "", error.offset + 1, error.text,
		no_program ? "; names of variables come from the program: --elf" : "");
      return TB_ERR_INPUT;
    }
  struct tb_buffer remark = { 0 };
  tb_history_put_remark (&remark, &e);
  if (remark.size != 0 && !remark.failed)
    tb_warning (job->diag, "%s: --history: %s: %.*s", job->input, expression, (int) remark.size,
		(const char *) remark.data);
  tb_buffer_fini (&remark);
  struct telling telling = { teller, e.type };
  bool told = teller->begin (teller->context, expression, scope->variables);
  enum tb_search result = tb_history_walk (source, &e, choice->begin, choice->end, pass_on,
					   &telling, &missed);
  told = told && teller->end (teller->context, &missed);
  tb_history_expression_fini (&e);
  /* Closing the file says what is wrong with it.  */
  return result == TB_SEARCH_NONE && told ? TB_OK
	 : ferror (teller->out) ? TB_ERR_IO : TB_ERR_MEMORY;
}

/* With what is worked out of NAMED.  */
static enum tb_status
tell_each (struct job *job, const struct named_recording *named, const struct tb_tdesc *tdesc,
	   struct tb_state *state, const struct tb_choice *choice,
	   const struct history_teller *teller)
{
  struct tb_recording *r = named->recording;
  struct tb_variables *variables
    = tb_variables_new (named->symbols, tb_recording_profile (r)->has_a64 ? 8 : 4);
  struct tb_moments *moments = tb_moments_new (state, r, tdesc);
  struct tb_accesses *accesses = tb_accesses_new (state, r, choice->begin);
  enum tb_status status = TB_ERR_MEMORY;
  if (variables != NULL && moments != NULL && accesses != NULL)
    {
      const struct tb_stage stage = { .moments = moments };
      const struct tb_history_source source = {
	.state = state, .stage = &stage, .accesses = accesses, .recording = r,
	.symbols = named->symbols, .tasks = named->tasks, .sp = tb_level_sp,
	.sp_context = named->sp
      };
      const struct tb_expression_scope scope = {
	.variables = variables, .no_pc = true, .tdesc = tdesc,
	.svd = job->session.svd, .diag = job->diag
      };
      status = TB_OK;
      for (size_t i = 0; i < job->options->nhistories && status == TB_OK; i++)
	status = tell_one (job, job->options->histories[i], &scope, &source, choice, teller);
    }
  tb_accesses_free (accesses);
  tb_moments_free (moments);
  tb_variables_free (variables);
  return status;
}

enum tb_status
tell_histories (struct job *job, const struct named_recording *named,
		const struct tb_choice *choice, const struct history_teller *teller)
{
  const struct tb_session_stream *stream = named->stream;
  const struct tb_tdesc *tdesc = tb_session_tdesc (&job->session, stream->core, job->diag);
  if (tdesc == NULL)
    return TB_ERR_INPUT;
  /* Nothing is laid out by it here, so our own may have the registers of floating point,
     which those of trace files have not.  */
  const struct tb_profile *profile = tb_recording_profile (named->recording);
  struct tb_tdesc_options with = {
    .stacks = true, .fp = tb_profile_can_have_fp (profile), .special = true
  };
  struct tb_tdesc *own = NULL;
  if (job->session.tdesc == NULL)
    tdesc = own = tb_tdesc_own (profile, &with);
  struct tb_state *state
    = tdesc != NULL ? job_state (job, stream->core, stream, named->recording) : NULL;
  if (state == NULL)
    {
      tb_tdesc_free (own);
      return TB_ERR_MEMORY;
    }
  enum tb_status status = tell_each (job, named, tdesc, state, choice, teller);
  enum tb_status closed = job_close_state (job, state);
  tb_tdesc_free (own);
  return status != TB_OK ? status : closed;
}

/* Tell T, over the steps of CHOICE.  */
static enum tb_status
tell_told (struct told *t, const struct tb_choice *choice)
{
  const struct history_teller teller = {
    .begin = tell_expression, .take = take, .end = tell_missed, .context = t, .out = t->out
  };
  return tell_histories (t->job, t->named, choice, &teller);
}

static enum tb_status
tell (struct job *job, const struct named_recording *named, FILE *out)
{
  struct told t = {
    .job = job, .named = named, .out = out, .json = job->options->json,
    .csv = job->options->csv, .any = job->told_any, .most = UINT64_MAX
  };
  struct tb_choice choice = job_choose (job, named->stream, named->recording);
  enum tb_status status = tell_told (&t, &choice);
  job->told_any = t.any;
  return status;
}

enum tb_status
report_histories (struct job *job, const struct named_recording *named, FILE *out)
{
  struct told t = {
    .job = job, .named = named, .out = out, .json = true, .page = true,
    .most = CHANGES_MOST
  };
  const struct tb_choice whole = { .end = tb_recording_steps (named->recording) };
  fputs (",\"histories\":[", out);
  enum tb_status status = job->options->nhistories > 0 ? tell_told (&t, &whole) : TB_OK;
  fputc (']', out);
  return status;
}

enum tb_status
list_history (struct job *job, struct tb_outfile *out)
{
  FILE *stream = tb_outfile_stream (out);
  job->told_any = false;
  if (job->options->json)
    {
      fputs ("{\"input\":", stream);
      json_string (job->input, stream);
      fputs (",\"histories\":[", stream);
    }
  else if (job->options->csv)
    fputs ("source,expression,step,timestamp,cycle,pc,old,new,tier,function,file,line,when\r\n",
	   stream);
  /* Of variables of functions it must be known which call is which.  */
  bool levels = false;
  for (size_t i = 0; i < job->options->nhistories; i++)
    levels |= strstr (job->options->histories[i], "::") != NULL;
  enum tb_status status = job_each_named (job, stream, levels, tell);
  if (job->options->json)
    fputs ("]}\n", stream);
  return status;
}
