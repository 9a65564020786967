/* --format=tarmac: what is known, as a Tarmac log.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The dialect is that of models.  What is not known is left out; what Tarmac cannot
   say has lines of tracebridge's own kind (recording/tarmac.h), which other readers
   pass over, and so have registers until they are known for good (tarmac.h).  Read
   again, the log makes a recording with the same steps and values.  Values that hold
   only under an assumption are not known here.  */

#include "config.h"
#include "convert.h"
#include "output.h"
#include "recordings.h"
#include "tarmac.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode/element.h"
#include "decode/exception.h"
#include "frame/code.h"
#include "recording/facts.h"
#include "util/number.h"

#define STEPS 256
#define ACCESSES 64
#define EVENTS 16

struct writer
{
  struct tb_recording *recording;
  struct tb_state *state;
  const struct tb_profile *profile;
  struct log_registers registers;
  struct log_memory memory;
  struct disassembler *disassembler;
  bool timed;			/* The log that was read has times.  */
  struct log_text text;
};

void
log_begin (struct log_text *text)
{
  tb_buffer_printf (&text->buffer, "%" PRIu64 " %s cpu%u ", text->time, text->unit,
		    text->cpu);
}

static void
forget_memory (struct writer *w)
{
  if (!w->memory.any)
    return;
  log_begin (&w->text);
  tb_buffer_printf (&w->text.buffer, "TB memory ?\n");
  log_memory_forget (&w->memory);
}

/* The highest number that a name without an address may have (tarmac-names.c).  */
#define NUMBER_LAST 511

/* As models do; where the return address is not known, as test benches do, which
   tell the name alone.  */
static void
put_exception (struct writer *w, const struct tb_event *e)
{
  const char *kind = tb_recording_profile (w->recording)->is_m ? NULL
		     : tb_exception_kind_name ((enum tb_exception) e->taken);
  log_begin (&w->text);
  if (!(e->flags & TB_EXCEPTION_NO_RETURN))
    {
      tb_buffer_printf (&w->text.buffer, "E %08" PRIx64 " %08x " TB_TARMAC_EXCEPTION,
			e->address, e->exception);
      /* Numbers are a protocol's own there.  */
      if (kind != NULL)
	tb_buffer_append (&w->text.buffer, "_", 1);
      for (; kind != NULL && *kind != 0; kind++)
	tb_buffer_append (&w->text.buffer, *kind == ' ' ? "_" : kind, 1);
      tb_buffer_append (&w->text.buffer, "\n", 1);
    }
  else if (e->exception <= NUMBER_LAST)
    tb_buffer_printf (&w->text.buffer, "E Exception %u\n", e->exception);
  else
    tb_buffer_printf (&w->text.buffer, "E Exception\n");
}

/* What lies between STEP and the one before.  */
static void
put_events (struct writer *w, uint64_t step)
{
  struct tb_event events[EVENTS];
  size_t n = tb_recording_events (w->recording, step, step, events, EVENTS);
  for (size_t i = 0; i < n && i < EVENTS; i++)
    {
      const struct tb_event *e = &events[i];
      if (e->kind == TB_EVENT_GAP)
	{
	  log_begin (&w->text);
	  tb_buffer_printf (&w->text.buffer, "TB gap\n");
	  log_registers_forget (&w->registers);
	  log_memory_forget (&w->memory);
	}
      else if (e->kind == TB_EVENT_EXCEPTION)
	{
	  put_exception (w, e);
	  /* Its frame is somewhere on the stack.  */
	  if (w->profile->is_m)
	    forget_memory (w);
	}
    }
}

/* The value of LENGTH bytes at ADDRESS before STEP; false: not all are known for
   certain.  */
static bool
memory_value (struct writer *w, uint64_t step, uint64_t address,
	      unsigned length, uint64_t *value)
{
  uint8_t bytes[8], origins[8];
  *value = 0;
  if (tb_state_memory (w->state, step, address, bytes, origins, length)
      != length)
    return false;
  for (unsigned i = 0; i < length; i++)
    if (origins[i] == TB_ASSUMED)
      return false;
  *value = tb_number (bytes, length);
  return true;
}

static bool
is_certain (const struct tb_access_info *a)
{
  return a->address_known && !a->address_assumed && a->length >= 1
	 && a->length <= 8;
}

/* What STEP, which makes N ACCESSES, finds in memory and a reader does not know.  */
static void
put_memory (struct writer *w, uint64_t step,
	    const struct tb_access_info *accesses, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      uint64_t value;
      if (!is_certain (a)
	  || !memory_value (w, step, a->address, a->length, &value)
	  || log_memory_is (&w->memory, a->address, a->length, value))
	continue;
      log_begin (&w->text);
      tb_buffer_printf (&w->text.buffer, "TB memory %08" PRIx64 " %u %0*" PRIx64 "\n",
			a->address, a->length, 2 * (int) a->length, value);
      log_memory_put (&w->memory, a->address, a->length, value, true);
    }
}

/* The N accesses of a step behind its line.  ALL: there are no others.  */
static void
put_accesses (struct writer *w, const struct tb_access_info *accesses,
	      size_t n, bool all)
{
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      bool known = a->value_known && !a->value_assumed;
      all &= is_certain (a) || !a->store;
      if (!is_certain (a))
	continue;
      log_begin (&w->text);
      /* Sizes that are no power of 2 are written with the others' digits.  */
      if (known)
	tb_buffer_printf (&w->text.buffer, "M%c%u %08" PRIx64 " %0*" PRIx64 "\n",
			  a->store ? 'W' : 'R', a->length, a->address,
			  2 * (int) a->length, a->value);
      else
	tb_buffer_printf (&w->text.buffer, "TB %s %08" PRIx64 " %u\n",
			  a->store ? "write" : "read", a->address, a->length);
      if (known || a->store)
	log_memory_put (&w->memory, a->address, a->length, a->value, known);
    }
  if (all)
    return;
  log_begin (&w->text);
  tb_buffer_printf (&w->text.buffer, "TB write ?\n");
  forget_memory (w);
}

static void
put_instruction (struct writer *w, uint64_t step, const struct tb_step *s)
{
  static const char states[] = { 'O', 'A', 'T', 'E', 'X' };
  char state = states[s->isa <= TB_ISA_UNKNOWN ? s->isa : TB_ISA_UNKNOWN];
  struct tb_event context;
  log_begin (&w->text);
  if (!tb_code_is_certain (w->state, w->recording, step, s))
    {
      tb_buffer_printf (&w->text.buffer, "TB step %08" PRIx64 " %c\n", s->pc, state);
      return;
    }
  tb_buffer_printf (&w->text.buffer, "I%c (%" PRIu64 ") %08" PRIx64 " %0*x %c ",
		    s->flags & TB_STEP_NOT_TAKEN ? 'S' : 'T', step + 1, s->pc,
		    2 * s->size, s->opcode, state);
  /* A mode has to stand there.  */
  if (!w->profile->is_m && tb_recording_context (w->recording, step, &context)
      && context.el != TB_EL_UNKNOWN)
    tb_buffer_printf (&w->text.buffer, "EL%u : ", context.el);
  else
    tb_buffer_printf (&w->text.buffer, "any : ");
  disassemble (w->disassembler, &w->text.buffer, s);
  tb_buffer_append (&w->text.buffer, "\n", 1);
}

static void
put_step (struct writer *w, uint64_t step, const struct tb_step *s)
{
  struct tb_access_info accesses[ACCESSES];
  if (s->flags & (TB_STEP_EVENTS | TB_STEP_AFTER_GAP))
    put_events (w, step);
  log_registers_put (&w->registers, step, &w->text);
  size_t n = tb_state_accesses (w->state, step, accesses, ACCESSES);
  bool all = n <= ACCESSES && tb_state_analysed (w->state, step);
  if (n > ACCESSES)
    n = ACCESSES;
  put_memory (w, step, accesses, n);
  uint64_t time;
  if (!w->timed)
    w->text.time = step + 1;
  else if (tb_recording_timestamp (w->recording, step, &time))
    w->text.time = time;
  put_instruction (w, step, s);
  put_accesses (w, accesses, n, all);
}

/* Write steps BEGIN to END - 1 of W's recording.  */
static enum tb_status
write_steps (struct job *job, struct writer *w, uint64_t from, uint64_t to,
	     struct tb_outfile *out)
{
  enum tb_status status = TB_OK;
  uint64_t all = tb_recording_steps (w->recording);
  for (uint64_t at = from; at < to && status == TB_OK;)
    {
      struct tb_step some[STEPS];
      size_t n = tb_recording_read (w->recording, at, some,
				    to - at < STEPS ? to - at : STEPS);
      progress_show (&job->progress, at, to);
      if (n == 0)
	status = TB_ERR_MEMORY;
      for (size_t i = 0; i < n && status == TB_OK; i++, at++)
	{
	  put_step (w, at, &some[i]);
	  if (at + 1 == all)
	    {
	      const struct tb_recording_info *info
		= tb_recording_info (w->recording);
	      put_events (w, all);
	      log_registers_put (&w->registers, all, &w->text);
	      if (info->end_known)
		{
		  log_begin (&w->text);
		  tb_buffer_printf (&w->text.buffer, "TB end %08" PRIx64 "\n",
				    info->end_pc);
		}
	    }
	  status = w->memory.failed ? TB_ERR_MEMORY
		   : tb_outfile_put (out, &w->text.buffer, at + 1 >= to);
	}
    }
  return status;
}

/* How much of what is known other readers are told.  */
static void
report (const struct job *job, const struct log_registers *r,
	const struct tb_session_stream *stream, uint64_t steps, const char *path)
{
  if (job->options->quiet || job->options->json || strcmp (path, "-") == 0)
    return;
  printf ("%s: %" PRIu64 " instruction%s of %s", path, steps, steps == 1 ? "" : "s",
	  stream->core->device != NULL ? stream->core->device->name : "-");
  if (r->known != 0)
    printf ("; %.1f%% of the values of registers that are known are in R lines",
	    100.0 * (double) r->told / (double) r->known);
  puts (r->known == r->told ? "." : ",\n  the others in lines of kind TB, as the "
	"register is not known from there on to the end.");
}

static enum tb_status
write_stream (struct job *job, const struct found *found, unsigned cpu,
	      struct tb_choice choice, struct tb_outfile *out, const char *path)
{
  const struct tb_session_stream *stream = found->stream;
  struct tb_recording *recording = found->recording;
  struct writer w = {
    .recording = recording, .text = { .cpu = cpu, .unit = "clk" },
    .profile = &stream->core->profile,
    .state = job_state (job, stream->core, stream, recording)
  };
  w.registers.profile = w.profile;
  w.registers.state = w.state;
  if (stream->facts != NULL && *stream->facts->unit != 0
      && stream->facts->has_times)
    {
      w.text.unit = stream->facts->unit;
      w.timed = true;
      tb_recording_timestamp (recording, 0, &w.text.time);
    }
  log_begin (&w.text);
  tb_buffer_printf (&w.text.buffer, "TB log 1\n");
  log_begin (&w.text);
  tb_buffer_printf (&w.text.buffer, "TB core %s\n", w.profile->name);
  uint64_t steps = tb_recording_steps (recording), end = choice.end;
  enum tb_status status = TB_ERR_MEMORY;
  if (w.state != NULL && disassembler_new (&w.disassembler, w.profile))
    {
      log_registers_look (&w.registers, choice.begin, end, end == steps);
      if (log_sve_look (&w.registers, choice.begin, end))
	status = write_steps (job, &w, choice.begin, end, out);
    }
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  progress_clear (&job->progress);
  if (status == TB_OK)
    report (job, &w.registers, stream, end - choice.begin, path);
  disassembler_free (w.disassembler);
  log_memory_fini (&w.memory);
  free (w.registers.sve);
  tb_buffer_fini (&w.text.buffer);
  enum tb_status whole = job_close_state (job, w.state);
  return status == TB_OK ? whole : status;
}

/* The steps of CHOICE of FOUND, the core of number CPU, to the file PATH.  */
static enum tb_status
write_file (struct job *job, const struct found *found, unsigned cpu,
	    struct tb_choice choice, const char *path)
{
  if (!output_claim (job, path))
    return TB_ERR_INPUT;
  struct tb_outfile *out = tb_outfile_open (path, job->diag);
  if (out == NULL)
    return TB_ERR_IO;
  job_put_input (job, out);
  enum tb_status status = write_stream (job, found, cpu, choice, out, path);
  if (status == TB_OK)
    return tb_outfile_finish (out);
  tb_outfile_abandon (out);
  return status;
}

/* There is nothing to write; job_text says why.  */
static enum tb_status
write_nothing (struct job *job, struct tb_outfile *out)
{
  (void) job;
  (void) out;
  return TB_OK;
}

enum tb_status
write_tarmacs (struct job *job)
{
  const struct options *o = job->options;
  struct found *found;
  size_t count;
  bool named = o->output_base != NULL
	       || (o->output != NULL && strcmp (o->output, "-") != 0);
  if (!job_may_have_steps (job))
    return TB_ERR_INPUT;
  enum tb_status status = recordings_find (job, &found, &count);
  if (status == TB_OK && count > 1 && !named)
    status = recordings_refuse (job, found, count,
				"a log is of one core; choose one, or name a file "
				"with -o to get one of each");
  else if (status == TB_OK && count == 0)
    status = job_text (job, write_nothing);
  for (size_t i = 0; i < count && status == TB_OK; i++)
    {
      struct tb_choice choice = job_choose (job, found[i].stream, found[i].recording);
      if (choice.begin == choice.end)
	continue;
      char *path = output_log_name (job, found[i].stream, count > 1);
      status = path == NULL ? TB_ERR_MEMORY
	       : write_file (job, &found[i], (unsigned) i, choice, path);
      free (path);
    }
  if (status == TB_OK && !job_found_choice (job))
    status = TB_ERR_INPUT;
  recordings_free (job, found, count);
  return status;
}
