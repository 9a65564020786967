/* --check-against: what is claimed against a simulator's log of the same run.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each stretch of trace without a gap is looked for in the log by the addresses of its
   instructions.  Then every register and all memory that the instructions access are
   compared, as far as both say what they hold.  */

#include "config.h"
#include "convert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json.h"
#include "recording/facts.h"
#include "recording/session-log.h"
#include "util/buffer.h"

#define BATCH 256
#define ACCESSES 64

/* Differences that are listed of a trace.  */
#define DIFFERENCES 20

/* Places in the log that a stretch may be at, which are looked at, and how many steps
   of each.  */
#define PLACES 32
#define PLACE_STEPS 512

struct tally
{
  uint64_t claimed, confirmed, wrong;
};

/* A trace and a log that are being compared.  */
struct check
{
  struct job *job;
  FILE *out;
  const struct tb_session_stream *stream;
  struct tb_recording *recording, *log;
  struct tb_state *state, *log_state;
  const struct tb_reg_info *regs;
  size_t nregs;
  uint64_t compared, missing;	/* Steps.  */
  uint64_t stretches;
  struct tally registers, memory;
  unsigned shown;
  bool quiet;			/* Only count.  */
};

static void
begin_difference (struct check *c, uint64_t step, uint64_t at)
{
  struct tb_step s;
  uint64_t pc = tb_recording_read (c->recording, step, &s, 1) == 1 ? s.pc : 0;
  fprintf (c->out, "  step %" PRIu64 ", pc %#" PRIx64 ", step %" PRIu64
	   " of the log: ", step, pc, at);
}

static bool
may_show (struct check *c)
{
  return !c->quiet && !c->job->options->json && c->shown++ < DIFFERENCES;
}

/* Compare the registers before STEP and before step AT of the log.  */
static void
compare_registers (struct check *c, uint64_t step, uint64_t at)
{
  struct tb_value claimed[TB_NREGS_MAX], told[TB_NREGS_MAX];
  tb_state_registers (c->state, step, claimed);
  tb_state_registers (c->log_state, at, told);
  for (size_t i = 0; i < c->nregs; i++)
    {
      uint64_t whole = c->regs[i].bits == 64 ? UINT64_MAX : UINT32_MAX;
      uint64_t mask = claimed[i].mask & whole;
      /* The PC has been compared already.  */
      if (claimed[i].origin == TB_UNKNOWN || mask == 0
	  || strcmp (c->regs[i].name, "pc") == 0)
	continue;
      c->registers.claimed++;
      mask &= told[i].origin != TB_UNKNOWN ? told[i].mask : 0;
      if (((claimed[i].bits ^ told[i].bits) & mask) != 0)
	{
	  c->registers.wrong++;
	  if (!may_show (c))
	    continue;
	  begin_difference (c, step, at);
	  fprintf (c->out, "%s is %#" PRIx64 "%s, the log says %#" PRIx64 "\n",
		   c->regs[i].name, claimed[i].bits & mask,
		   (claimed[i].assumed & mask) != 0 ? " (assumed)" : "",
		   told[i].bits & mask);
	}
      else
	c->registers.confirmed += mask != 0;
    }
}

/* The same for the memory that STEP accesses.  */
static void
compare_memory (struct check *c, uint64_t step, uint64_t at)
{
  struct tb_access_info accesses[ACCESSES];
  size_t n = tb_state_accesses (c->state, step, accesses, ACCESSES);
  for (size_t i = 0; i < n && i < ACCESSES; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      uint8_t claimed[16], told[16], origins[16], log_origins[16];
      if (!a->address_known || a->length > sizeof claimed)
	continue;
      tb_state_memory (c->state, step, a->address, claimed, origins,
		       a->length);
      tb_state_memory (c->log_state, at, a->address, told, log_origins,
		       a->length);
      for (uint32_t k = 0; k < a->length; k++)
	{
	  if (origins[k] == TB_UNKNOWN)
	    continue;
	  c->memory.claimed++;
	  if (log_origins[k] == TB_UNKNOWN)
	    continue;
	  if (claimed[k] == told[k])
	    {
	      c->memory.confirmed++;
	      continue;
	    }
	  c->memory.wrong++;
	  if (!may_show (c))
	    continue;
	  begin_difference (c, step, at);
	  fprintf (c->out, "the byte at %#" PRIx64 " is %#x%s, the log says "
		   "%#x\n", a->address + k, claimed[k],
		   origins[k] == TB_ASSUMED ? " (assumed)" : "", told[k]);
	}
    }
}

static void
compare (struct check *c, uint64_t step, uint64_t at, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    {
      if (i % 1024 == 0)
	progress_show (&c->job->progress, step + i,
		       tb_recording_steps (c->recording));
      compare_registers (c, step + i, at + i);
      compare_memory (c, step + i, at + i);
    }
}

/* How many values differ if the stretch FIRST to END is at step AT of the log.  */
static uint64_t
differences (const struct check *c, uint64_t first, uint64_t end, uint64_t at)
{
  struct check trial = *c;
  uint64_t count = end - first < PLACE_STEPS ? end - first : PLACE_STEPS;
  trial.quiet = true;
  trial.registers = trial.memory = (struct tally) { 0 };
  compare (&trial, first, at, count);
  return trial.registers.wrong + trial.memory.wrong;
}

/* The PCs of steps FIRST to END - 1, from malloc.  NULL: no memory.  */
static uint64_t *
read_pcs (struct tb_recording *recording, uint64_t first, uint64_t end)
{
  struct tb_step steps[BATCH];
  uint64_t *pcs = calloc (end - first, sizeof *pcs);
  for (uint64_t at = first; pcs != NULL && at < end;)
    {
      size_t n = tb_recording_read (recording, at, steps,
				    end - at < BATCH ? end - at : BATCH);
      for (size_t i = 0; i < n; i++)
	pcs[at++ - first] = steps[i].pc;
      if (n == 0)
	break;
    }
  return pcs;
}

/* Where stretches may be.  */
struct places
{
  uint64_t at[PLACES];
  size_t count;
  uint64_t longest, longest_at;	/* The best that begins as the stretch does.  */
};

/* Look for the COUNT addresses PCS in the log from step FROM on, by the algorithm of
   Knuth, Morris and Pratt.  False: no memory.  */
static bool
find_places (struct check *c, const uint64_t *pcs, uint64_t count,
	     uint64_t from, struct places *places)
{
  uint64_t *back = calloc (count + 1, sizeof *back);
  struct tb_step steps[BATCH];
  uint64_t all = tb_recording_steps (c->log), matched = 0;
  *places = (struct places) { .count = 0 };
  if (back == NULL)
    return false;
  for (uint64_t i = 1, k = 0; i < count; i++)
    {
      while (k > 0 && pcs[i] != pcs[k])
	k = back[k];
      k += pcs[i] == pcs[k];
      back[i + 1] = k;
    }
  for (uint64_t at = from; at < all && places->count < PLACES;)
    {
      size_t n = tb_recording_read (c->log, at, steps,
				    all - at < BATCH ? all - at : BATCH);
      if (n == 0)
	break;
      for (size_t i = 0; i < n && places->count < PLACES; i++, at++)
	{
	  while (matched > 0 && steps[i].pc != pcs[matched])
	    matched = back[matched];
	  matched += steps[i].pc == pcs[matched];
	  if (matched > places->longest)
	    {
	      places->longest = matched;
	      places->longest_at = at + 1 - matched;
	    }
	  if (matched == count)
	    {
	      places->at[places->count++] = at + 1 - count;
	      matched = back[matched];
	    }
	}
    }
  free (back);
  return true;
}

/* Compare the stretch FIRST to END - 1, which comes after step *FROM of the log; that
   becomes the step behind it.  */
static enum tb_status
check_stretch (struct check *c, uint64_t first, uint64_t end, uint64_t *from)
{
  struct places places;
  uint64_t *pcs = read_pcs (c->recording, first, end);
  bool ok = pcs != NULL && find_places (c, pcs, end - first, *from, &places);
  if (ok && places.count == 0 && *from > 0)
    ok = find_places (c, pcs, end - first, 0, &places);
  free (pcs);
  if (!ok)
    return TB_ERR_MEMORY;
  c->stretches++;
  uint64_t at = places.longest_at, count = places.longest;
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < places.count && least > 0; i++)
    {
      uint64_t wrong = differences (c, first, end, places.at[i]);
      if (wrong < least)
	{
	  least = wrong;
	  at = places.at[i];
	}
    }
  if (!c->job->options->json)
    fprintf (c->out, "  steps %" PRIu64 " to %" PRIu64 ": %s%" PRIu64 "\n",
	     first, end - 1, count == end - first
	     ? "in the log from step " : "not in the log; it begins as step ",
	     at);
  compare (c, first, at, count);
  c->compared += count;
  if (count < end - first)
    {
      c->missing += end - first - count;
      struct tb_step s, l;
      if (may_show (c)
	  && tb_recording_read (c->recording, first + count, &s, 1) == 1)
	{
	  begin_difference (c, first + count, at + count);
	  if (tb_recording_read (c->log, at + count, &l, 1) == 1)
	    fprintf (c->out, "the log goes on at %#" PRIx64 "\n", l.pc);
	  else
	    fputs ("the log ends\n", c->out);
	}
    }
  *from = at + count;
  return TB_OK;
}

/* The stretches of the trace, one after the other.  */
static enum tb_status
check_stretches (struct check *c)
{
  uint64_t all = tb_recording_steps (c->recording), first = 0, from = 0;
  struct tb_step steps[BATCH];
  enum tb_status status = TB_OK;
  for (uint64_t at = 0; at < all && status == TB_OK;)
    {
      size_t n = tb_recording_read (c->recording, at, steps,
				    all - at < BATCH ? all - at : BATCH);
      if (n == 0)
	return TB_ERR_MEMORY;
      for (size_t i = 0; i < n && status == TB_OK; i++, at++)
	if ((steps[i].flags & TB_STEP_AFTER_GAP) && at > first)
	  {
	    status = check_stretch (c, first, at, &from);
	    first = at;
	  }
    }
  if (status == TB_OK && first < all)
    status = check_stretch (c, first, all, &from);
  return status;
}

static void
put_tally (struct check *c, const char *what, const struct tally *t)
{
  if (c->job->options->json)
    fprintf (c->out, ",\"%s\":{\"claimed\":%" PRIu64 ",\"confirmed\":%" PRIu64
	     ",\"wrong\":%" PRIu64 "}", what, t->claimed, t->confirmed,
	     t->wrong);
  else
    fprintf (c->out, "  %-16s %12" PRIu64 " claimed, %" PRIu64 " confirmed, %"
	     PRIu64 " wrong, %" PRIu64 " of which the log does not tell\n",
	     what, t->claimed, t->confirmed, t->wrong,
	     t->claimed - t->confirmed - t->wrong);
}

static void
report (struct check *c)
{
  if (c->job->options->json)
    {
      fputs ("{\"source\":", c->out);
      json_string (c->stream->source->name, c->out);
      fprintf (c->out, ",\"stretches\":%" PRIu64 ",\"steps\":%" PRIu64
	       ",\"missing\":%" PRIu64, c->stretches, c->compared, c->missing);
    }
  else
    {
      if (c->shown > DIFFERENCES)
	fprintf (c->out, "  and %u more\n", c->shown - DIFFERENCES);
      fprintf (c->out, "  %-16s %12" PRIu64 " compared, %" PRIu64
	       " not in the log\n", "steps", c->compared, c->missing);
    }
  put_tally (c, "registers", &c->registers);
  put_tally (c, c->job->options->json ? "memory" : "bytes of memory",
	     &c->memory);
  if (c->job->options->json)
    fputs ("}", c->out);
}

/* The stream of the log that tells of the core of STREAM.  NULL: none does.  */
static const struct tb_session_stream *
log_of (const struct tb_session *log, const struct tb_session_stream *stream)
{
  const struct tb_device *core = stream->core->device;
  for (size_t i = 0; i < log->nstreams; i++)
    if (core != NULL
	&& strcmp (log->streams[i].core->device->name, core->name) == 0)
      return &log->streams[i];
  /* The names of models, cpu0 and so on, are none of a snapshot's.  */
  size_t number = 0, digits = 0;
  for (const char *p = core != NULL ? core->name : ""; *p != 0; p++)
    if (*p >= '0' && *p <= '9' && number < 10000)
      {
	number = 10 * number + (size_t) (*p - '0');
	digits++;
      }
  for (size_t i = 0; i < log->nstreams && digits > 0; i++)
    {
      char name[32];
      snprintf (name, sizeof name, "cpu%zu", number);
      if (strcmp (log->streams[i].core->device->name, name) == 0)
	return &log->streams[i];
    }
  return log->nstreams > 0 ? &log->streams[0] : NULL;
}

static enum tb_status
check_stream (struct job *job, const struct tb_session *log,
	      const struct tb_session_stream *stream, struct tb_outfile *out,
	      bool *fits)
{
  const struct tb_session_stream *told = log_of (log, stream);
  struct check c = { .job = job, .stream = stream,
		     .out = tb_outfile_stream (out) };
  /* The registers that are compared are those of the trace's core.  */
  c.regs = tb_regs (&stream->core->profile, &c.nregs);
  c.recording = job_recording (job, stream);
  c.log = told != NULL
	  ? tb_recording_open_facts (told->facts, &stream->core->profile,
				     told->core->map) : NULL;
  enum tb_status status = c.recording != NULL && c.log != NULL
			  ? TB_OK : TB_ERR_MEMORY;
  if (status == TB_OK)
    {
      static const struct tb_state_options plain = { .lines_alone = true };
      job_judge (job, stream, tb_recording_stats (c.recording));
      c.state = job_state (job, stream->core, stream, c.recording);
      c.log_state = tb_state_open (c.log, &plain, job->diag);
      if (c.state == NULL || c.log_state == NULL)
	status = TB_ERR_MEMORY;
    }
  if (status == TB_OK && !job->options->json)
    fprintf (c.out, "source %s, core %s, against %s of %s\n",
	     stream->source->name,
	     stream->core->device != NULL ? stream->core->device->name : "-",
	     told->core->device->name, job->options->check);
  if (status == TB_OK)
    status = check_stretches (&c);
  progress_clear (&job->progress);
  if (status == TB_OK)
    report (&c);
  if (status == TB_OK && c.compared == 0 && c.missing != 0)
    tb_warning (job->diag, "%s: nothing of the trace of %s is in %s: that is the log of "
		"another program", job->input, stream->source->name,
		job->options->check);
  else if (status == TB_OK && c.missing != 0)
    tb_warning (job->diag, "%s: %" PRIu64 " of %" PRIu64 " instructions of %s ran "
		"otherwise in %s: that is the log of another run", job->input,
		c.missing, c.missing + c.compared, stream->source->name,
		job->options->check);
  *fits &= c.missing == 0 && c.registers.wrong == 0 && c.memory.wrong == 0;
  job_close_state (job, c.state);
  job_close_state (job, c.log_state);
  job_close_recording (job, c.recording);
  job_close_recording (job, c.log);
  return status;
}

/* Open the log PATH.  */
static enum tb_status
open_log (struct tb_session *log, const char *path, struct tb_diag *diag)
{
  struct stat st;
  const char *what = NULL;
  if (stat (path, &st) != 0)
    what = strerror (errno);
  else if (!S_ISDIR (st.st_mode) && !tb_session_is_log (path))
    what = "it is none";
  enum tb_status status = what == NULL ? tb_session_open (log, path, NULL, diag)
				       : TB_ERR_INPUT;
  if (status == TB_OK && (log->nstreams == 0 || log->streams[0].facts == NULL))
    {
      what = "found a snapshot";
      tb_session_close (log);
      status = TB_ERR_INPUT;
    }
  if (what != NULL)
    tb_error (diag, "--check-against=%s: expected a Tarmac log with instructions: "
	      "%s", path, what);
  return status;
}

enum tb_status
check_against (struct job *job, struct tb_outfile *out)
{
  const char *path = job->options->check;
  struct tb_session log;
  enum tb_status status = open_log (&log, path, job->diag);
  bool fits = true;
  size_t count = 0;
  if (status != TB_OK)
    return status;
  if (job->options->json)
    fputs ("{\"checks\":[", tb_outfile_stream (out));
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    if (job_has_steps (job, &job->session.streams[i]))
      {
	if (job->options->json && count > 0)
	  fputc (',', tb_outfile_stream (out));
	status = check_stream (job, &log, &job->session.streams[i], out,
			       &fits);
	count++;
      }
  if (job->options->json)
    fputs ("]}\n", tb_outfile_stream (out));
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  job->differs |= !fits;
  tb_session_close (&log);
  return status;
}
