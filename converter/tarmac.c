/* --format=tarmac: what is known, as a Tarmac log.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The dialect is that of models.  What is not known is left out: a register that is
   no longer known has a line of tracebridge's own kind (recording/tarmac.h), which
   other readers pass over, and so has all else that Tarmac cannot say.  Read again,
   the log makes a recording with the same steps and values.  Values that hold only
   under an assumption are not known here.  */

#include "config.h"
#include "convert.h"
#include "tarmac.h"

#include <inttypes.h>
#include <string.h>

#include "decode/element.h"
#include "frame/code.h"
#include "recording/facts.h"

#define STEPS 256
#define ACCESSES 64
#define EVENTS 16

/* Lines are handed on when there are so many bytes of them.  */
#define TEXT_ENOUGH (64 * 1024)

struct writer
{
  struct tb_recording *recording;
  struct tb_state *state;
  const struct tb_profile *profile;
  const struct tb_reg_info *regs;
  size_t nregs;
  struct tb_value shown[TB_NREGS_MAX];	/* What a reader knows.  */
  struct log_memory memory;
  struct disassembler *disassembler;
  unsigned cpu;
  const char *unit;		/* Of times.  */
  bool timed;			/* The log that was read has some.  */
  uint64_t time;		/* Of the last instruction.  */
  struct tb_buffer text;
};

/* Begin a line.  */
static void
begin (struct writer *w)
{
  tb_buffer_printf (&w->text, "%" PRIu64 " %s cpu%u ", w->time, w->unit,
		    w->cpu);
}

/* The names that Tarmac has for registers.  */
static const char *
register_name (const struct writer *w, size_t reg, char *room, size_t size)
{
  const char *name = w->regs[reg].name;
  bool wide = w->regs[0].bits == 64;
  if (!wide && reg == TB_SP)
    return "r13";
  if (!wide && reg == TB_LR)
    return "r14";
  snprintf (room, size, "%s", name);
  if (wide && *room == 'x')
    *room = 'X';
  else if (!wide && (reg == TB_MSP || reg == TB_PSP || reg == TB_CONTROL
		     || reg == TB_PRIMASK))
    for (char *c = room; *c != 0; c++)
      *c = (char) (*c - 'a' + 'A');
  return room;
}

/* Register REG is NOW.  */
static void
put_register (struct writer *w, size_t reg, const struct tb_value *now)
{
  char room[16];
  const char *name = register_name (w, reg, room, sizeof room);
  unsigned digits = w->regs[reg].bits / 4;
  uint64_t whole = digits == 16 ? UINT64_MAX : UINT32_MAX;
  begin (w);
  if (now->mask == whole)
    tb_buffer_printf (&w->text, "R %s %0*" PRIx64 "\n", name, (int) digits,
		      now->bits);
  else if (now->mask == 0)
    tb_buffer_printf (&w->text, "TB %s ?\n", name);
  else
    tb_buffer_printf (&w->text, "TB %s %0*" PRIx64 " %0*" PRIx64 "\n", name,
		      (int) digits, now->bits & now->mask, (int) digits,
		      now->mask);
}

/* The registers that are other ones before STEP than a reader knows.  */
static void
put_registers (struct writer *w, uint64_t step)
{
  struct tb_value values[TB_NREGS_MAX];
  bool wide = w->regs[0].bits == 64;
  tb_state_registers (w->state, step, values);
  for (size_t i = 0; i < w->nregs; i++)
    {
      struct tb_value *now = &values[i], *was = &w->shown[i];
      uint64_t whole = w->regs[i].bits == 64 ? UINT64_MAX : UINT32_MAX;
      if (i == (wide ? (size_t) TB_PC64 : TB_PC))
	continue;
      now->mask &= now->origin == TB_UNKNOWN ? 0 : whole & ~now->assumed;
      now->bits &= now->mask;
      if (now->mask == was->mask && now->bits == was->bits)
	continue;
      put_register (w, i, now);
      *was = *now;
      /* Some readers take MSP for r13: that one has the last word.  */
      if (!wide && w->profile->is_m && i == TB_MSP
	  && w->shown[TB_SP].mask != 0)
	put_register (w, TB_SP, &w->shown[TB_SP]);
    }
}

static void
forget_memory (struct writer *w)
{
  if (!w->memory.any)
    return;
  begin (w);
  tb_buffer_printf (&w->text, "TB memory ?\n");
  log_memory_forget (&w->memory);
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
	  begin (w);
	  tb_buffer_printf (&w->text, "TB gap\n");
	  memset (w->shown, 0, sizeof w->shown);
	  log_memory_forget (&w->memory);
	}
      else if (e->kind == TB_EVENT_EXCEPTION)
	{
	  begin (w);
	  tb_buffer_printf (&w->text, "E %08" PRIx64 " %08x CoreEvent_Exception"
			    "\n", e->address, e->exception);
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
  for (unsigned i = length; i > 0; i--)
    {
      if (origins[i - 1] == TB_ASSUMED)
	return false;
      *value = *value << 8 | bytes[i - 1];
    }
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
      begin (w);
      tb_buffer_printf (&w->text, "TB memory %08" PRIx64 " %u %0*" PRIx64 "\n",
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
      begin (w);
      /* Sizes that are no power of 2 are written with the others' digits.  */
      if (known)
	tb_buffer_printf (&w->text, "M%c%u %08" PRIx64 " %0*" PRIx64 "\n",
			  a->store ? 'W' : 'R', a->length, a->address,
			  2 * (int) a->length, a->value);
      else
	tb_buffer_printf (&w->text, "TB %s %08" PRIx64 " %u\n",
			  a->store ? "write" : "read", a->address, a->length);
      if (known || a->store)
	log_memory_put (&w->memory, a->address, a->length, a->value, known);
    }
  if (all)
    return;
  begin (w);
  tb_buffer_printf (&w->text, "TB write ?\n");
  forget_memory (w);
}

static void
put_instruction (struct writer *w, uint64_t step, const struct tb_step *s)
{
  static const char states[] = { 'O', 'A', 'T', 'E', 'X' };
  char state = states[s->isa <= TB_ISA_UNKNOWN ? s->isa : TB_ISA_UNKNOWN];
  struct tb_event context;
  begin (w);
  if (!tb_code_is_certain (w->state, w->recording, step, s))
    {
      tb_buffer_printf (&w->text, "TB step %08" PRIx64 " %c\n", s->pc, state);
      return;
    }
  tb_buffer_printf (&w->text, "I%c (%" PRIu64 ") %08" PRIx64 " %0*x %c ",
		    s->flags & TB_STEP_NOT_TAKEN ? 'S' : 'T', step + 1, s->pc,
		    2 * s->size, s->opcode, state);
  /* A mode has to stand there.  */
  if (!w->profile->is_m && tb_recording_context (w->recording, step, &context)
      && context.el != TB_EL_UNKNOWN)
    tb_buffer_printf (&w->text, "EL%u : ", context.el);
  else
    tb_buffer_printf (&w->text, "any : ");
  disassemble (w->disassembler, &w->text, s);
  tb_buffer_append (&w->text, "\n", 1);
}

static void
put_step (struct writer *w, uint64_t step, const struct tb_step *s)
{
  struct tb_access_info accesses[ACCESSES];
  if (s->flags & (TB_STEP_EVENTS | TB_STEP_AFTER_GAP))
    put_events (w, step);
  put_registers (w, step);
  size_t n = tb_state_accesses (w->state, step, accesses, ACCESSES);
  bool all = n <= ACCESSES && tb_state_analysed (w->state, step);
  if (n > ACCESSES)
    n = ACCESSES;
  put_memory (w, step, accesses, n);
  uint64_t time;
  if (!w->timed)
    w->time = step + 1;
  else if (tb_recording_timestamp (w->recording, step, &time))
    w->time = time;
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
	      put_registers (w, all);
	      if (info->end_known)
		{
		  begin (w);
		  tb_buffer_printf (&w->text, "TB end %08" PRIx64 "\n",
				    info->end_pc);
		}
	    }
	  if (w->text.size < TEXT_ENOUGH && at + 1 < to)
	    continue;
	  status = w->text.failed || w->memory.failed ? TB_ERR_MEMORY
		   : tb_outfile_write (out, w->text.data, w->text.size);
	  tb_buffer_clear (&w->text);
	}
    }
  return status;
}

static enum tb_status
write_stream (struct job *job, const struct tb_session_stream *stream,
	      unsigned cpu, struct tb_outfile *out)
{
  struct tb_recording *recording = job_recording (job, stream);
  if (recording == NULL)
    return TB_ERR_MEMORY;
  job_judge (job, stream, tb_recording_stats (recording));
  struct writer w = {
    .recording = recording, .cpu = cpu, .unit = "clk",
    .profile = &stream->core->profile,
    .state = job_state (job, stream->core, stream, recording),
    .disassembler = disassembler_new (&stream->core->profile)
  };
  w.regs = tb_regs (w.profile, &w.nregs);
  if (stream->facts != NULL && *stream->facts->unit != 0
      && stream->facts->has_times)
    {
      w.unit = stream->facts->unit;
      w.timed = true;
      tb_recording_timestamp (recording, 0, &w.time);
    }
  begin (&w);
  tb_buffer_printf (&w.text, "TB log 1\n");
  begin (&w);
  tb_buffer_printf (&w.text, "TB core %s\n", w.profile->name);
  struct tb_choose_options choose = job->options->choose;
  choose.frames = UINT64_MAX;
  uint64_t steps = tb_recording_steps (recording);
  struct tb_choice choice = tb_choose_steps (steps, &choose);
  enum tb_status status
    = w.state == NULL ? TB_ERR_MEMORY
      : write_steps (job, &w, choice.begin,
		     choice.end < steps ? choice.end : steps, out);
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  progress_clear (&job->progress);
  disassembler_free (w.disassembler);
  log_memory_fini (&w.memory);
  tb_buffer_fini (&w.text);
  tb_state_close (w.state);
  tb_recording_close (recording);
  return status;
}

enum tb_status
write_tarmac (struct job *job, struct tb_outfile *out)
{
  enum tb_status status = TB_OK;
  unsigned cpu = 0;
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    if (job_has_steps (job, &job->session.streams[i]))
      status = write_stream (job, &job->session.streams[i], cpu++, out);
  return status;
}
