/* --follow.  See follow.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "follow.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interrupts.h"
#include "recording/session-log.h"
#include "recording/tarmac-core.h"
#include "snapshot/crash-dump.h"
#include "util/buffer.h"
#include "util/fnv.h"
#include "util/spool.h"

/* How long nothing is waited for, in milliseconds; and how much of the time looks may take.  */
#define PATIENCE 100
#define SHARE 4

/* What is followed.  */
#define EXPECTED "a Tarmac log, or what a console shows of a core dump"

/* So much of a log has a record, or it is none.  */
#define LOOKED (UINT64_C (1) << 20)

/* The steps of a source that were told.  */
struct told_source
{
  char *source;
  uint64_t steps;
};

struct follow
{
  struct tb_spool spool;
  struct tb_outfile *out;
  struct tb_diag *diag, once;	/* ONCE hands to DIAG what it did not before.  */
  uint64_t *said;		/* Hashes of messages.  */
  size_t nsaid, said_capacity;
  struct told_source *told;
  size_t ntold, told_capacity;
  bool is_log;			/* A Tarmac log.  */
  bool is_dump;			/* A console's lines with a core dump, ...  */
  bool dumped;			/* ... all of which came.  */
  bool final;			/* Nothing more will come.  */
  bool told_any, reversed;
  bool no_memory;
  uint64_t lines, instructions;	/* At the last look.  */
};

static volatile sig_atomic_t stopped;

static void
stop (int number)
{
  if (stopped)
    {
      tb_spool_remove ();
      signal (number, SIG_DFL);
      raise (number);
    }
  stopped = 1;
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

/* Tell the user MESSAGE, unless an earlier look did.  */
static void
say_once (void *context, enum tb_severity severity, const char *message)
{
  struct follow *f = context;
  uint64_t hash = tb_fnv_u64 (TB_FNV_START, severity);
  for (const char *p = message; *p != '\0'; p++)
    hash = (hash ^ (unsigned char) *p) * TB_FNV_PRIME;
  for (size_t i = 0; i < f->nsaid; i++)
    if (f->said[i] == hash)
      return;
  if (TB_GROW (f->said, f->said_capacity, f->nsaid, 1))
    {
      f->said[f->nsaid++] = hash;
    }
  tb_report_as_is (f->diag, severity, message);
}

/* What was told of the source NAME; NULL: no memory.  */
static struct told_source *
told_of (struct follow *f, const char *name)
{
  for (size_t i = 0; i < f->ntold; i++)
    if (strcmp (f->told[i].source, name) == 0)
      return &f->told[i];
  char *copy = strdup (name);
  if (copy == NULL || !TB_GROW (f->told, f->told_capacity, f->ntold, 1))
    {
      free (copy);
      f->no_memory = true;
      return NULL;
    }
  f->told[f->ntold] = (struct told_source) { copy, 0 };
  return &f->told[f->ntold++];
}

struct tb_choice
follow_choose (struct job *job, const struct tb_session_stream *stream, uint64_t steps,
	       struct tb_choice choice)
{
  struct follow *f = job->follow;
  struct told_source *told = told_of (f, stream->source->name);
  uint64_t sure = f->final ? steps : steps > TB_TARMAC_TAGS ? steps - TB_TARMAC_TAGS : 0;
  if (told == NULL)
    return (struct tb_choice) { .begin = 0, .end = 0 };
  if (choice.begin < told->steps)
    choice.begin = told->steps;
  if (choice.end > sure)
    choice.end = sure;
  if (choice.end < choice.begin)
    choice.end = choice.begin;
  else
    told->steps = choice.end;
  f->told_any |= choice.begin < choice.end;
  return choice;
}

enum tb_status
follow_text (struct job *job, enum tb_status (*fill) (struct job *job, struct tb_outfile *out))
{
  struct follow *f = job->follow;
  bool steps = job->options->format->traits & TRAIT_STEPS;
  const struct tb_session_log *log = job->session.log;
  if ((log == NULL && !f->is_dump) || tb_session_trace_file (&job->session) != NULL)
    {
      tb_error (job->diag, "%s: --follow: expected " EXPECTED, job->input);
      return TB_ERR_INPUT;
    }
  if (f->out == NULL)
    f->out = tb_outfile_open ("-", job->diag);
  enum tb_status status = f->out == NULL ? TB_ERR_IO : fill (job, f->out);
  f->lines = log != NULL ? log->tarmac.lines : 0;
  f->instructions = job->instructions;
  if (status == TB_OK && fflush (tb_outfile_stream (f->out)) != 0)
    status = tb_outfile_check (f->out);
  if (status == TB_OK && f->no_memory)
    status = TB_ERR_MEMORY;
  /* What is missing is told once, when it is for certain.  */
  if (status == TB_OK && f->final && steps && !job_found_steps (job))
    status = TB_ERR_INPUT;
  return status;
}

/* Look at what is there, and tell what is new.  */
static enum tb_status
look (struct job *job, struct follow *f)
{
  bool reversed = !f->is_dump && tb_tarmac_in_memory_order (f->spool.path);
  if (f->told_any && reversed != f->reversed)
    {
      tb_error (f->diag, "%s: the log turns out to show the bytes of its M lines in the order "
		"of %s; what was listed of memory so far is the other way round", job->input,
		reversed ? "addresses" : "numbers");
      return TB_ERR_INPUT;
    }
  f->reversed = reversed;
  struct job round = { .options = job->options, .input = job->input, .diag = &f->once,
		       .path = f->spool.path, .outputs = job->outputs, .follow = f };
  unsigned errors = f->diag->errors;
  enum tb_status status = convert_path (&round);
  job->trace_errors = round.trace_errors;
  if (f->final)
    job->no_steps = round.no_steps;
  return status == TB_OK && f->diag->errors != errors ? TB_ERR_INPUT : status;
}

/* Why F tells nothing more, at NEWS (TB_SPOOL_QUIET: the time is over).  */
static const char *
reason_of (const struct follow *f, enum tb_spool_news news)
{
  return f->dumped ? "the end of the dump"
	 : stopped ? "interrupted" : news == TB_SPOOL_ENDED ? "its end"
	 : news == TB_SPOOL_SHRANK ? "it became shorter"
	 : news == TB_SPOOL_REPLACED ? "another file has its name" : "nothing more came";
}

/* Is what the file PATH begins with no text, nor text that is compressed?  Then it never becomes a
   log.  */
static bool
is_no_text (const char *path)
{
  static const struct { const char *bytes; size_t count; } packed[] = {
    { "\x1f\x8b", 2 }, { "\xfd" "7zXZ", 5 }, { "\x28\xb5\x2f\xfd", 4 }
  };
  char bytes[512];
  FILE *file = fopen (path, "rb");
  size_t n = file != NULL ? fread (bytes, 1, sizeof bytes, file) : 0;
  if (file != NULL)
    fclose (file);
  for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
    if (n >= packed[i].count && memcmp (bytes, packed[i].bytes, packed[i].count) == 0)
      return false;
  return memchr (bytes, 0, n) != NULL;
}

/* What is it, by as much as came?  */
static void
recognise (struct follow *f)
{
  f->is_log = f->is_log || tb_tarmac_recognise (f->spool.path);
  if (!f->is_log && !f->is_dump)
    tb_crash_kind (f->spool.path, &f->is_dump);
  f->dumped = f->is_dump && tb_crash_is_whole (f->spool.path);
}

/* Follow until there is no more to come; what ended it.  */
static enum tb_spool_news
follow (struct job *job, struct follow *f, enum tb_status *status)
{
  double grown = now (), next = 0;
  bool fresh = false;
  uint64_t limit = job->options->idle;
  for (;;)
    {
      enum tb_spool_news news = tb_spool_more (&f->spool, PATIENCE, f->diag);
      double time = now ();
      if (news == TB_SPOOL_GREW)
	{
	  grown = time;
	  fresh = true;
	}
      if ((news != TB_SPOOL_GREW && news != TB_SPOOL_QUIET) || stopped
	  || (news == TB_SPOOL_QUIET && limit != 0 && time - grown >= (double) limit))
	return news;
      if (!fresh || time < next)
	continue;
      recognise (f);
      /* Half a dump tells nothing for certain, and its end is marked.  */
      if (f->dumped)
	return TB_SPOOL_ENDED;
      /* What is none is told as for any other input.  */
      if (!f->is_log && !f->is_dump && f->spool.taken >= LOOKED)
	return TB_SPOOL_ENDED;
      if (!f->is_log && is_no_text (f->spool.path))
	{
	  tb_error (f->diag, "%s: --follow: expected " EXPECTED ", found bytes that are no text",
		    job->input);
	  *status = TB_ERR_INPUT;
	}
      if (f->is_log)
	*status = look (job, f);
      if (*status != TB_OK)
	return TB_SPOOL_FAILED;
      fresh = false;
      next = now () + SHARE * (now () - time);
    }
}

enum tb_status
follow_input (struct job *job)
{
  struct follow f = { .diag = job->diag };
  struct interrupts interrupts;
  enum tb_status status = tb_spool_begin (&f.spool, job->input, job->diag);
  if (status != TB_OK)
    return status;
  f.diag = tb_spool_diag (&f.spool);
  f.once = (struct tb_diag) { .report = say_once, .context = &f };
  stopped = 0;
  interrupts_take (&interrupts, stop);
  enum tb_spool_news news = follow (job, &f, &status);
  /* What came last was not looked at.  */
  if (status == TB_OK)
    recognise (&f);
  if (status == TB_OK && news == TB_SPOOL_FAILED)
    status = TB_ERR_IO;
  f.final = true;
  if (status == TB_OK)
    status = look (job, &f);
  if (status == TB_OK && tb_spool_rest (&f.spool) > 0)
    tb_warning (f.diag, "%s: the last line has no end, and is left out", job->input);
  if (status == TB_OK && f.out != NULL && f.is_dump)
    fprintf (tb_outfile_stream (f.out), "# followed %s until %s\n", job->input,
	     reason_of (&f, news));
  else if (status == TB_OK && f.out != NULL)
    fprintf (tb_outfile_stream (f.out), "# followed %s: %" PRIu64 " lines, %" PRIu64
	     " instructions, until %s\n", job->input, f.lines, f.instructions,
	     reason_of (&f, news));
  if (status == TB_OK && (news == TB_SPOOL_SHRANK || news == TB_SPOOL_REPLACED))
    tb_error (f.diag, "%s: the file that is followed %s; what was told of it ends there",
	      job->input, news == TB_SPOOL_SHRANK ? "became shorter" : "was replaced or removed");
  /* What was told stays, whatever came then.  */
  if (f.out != NULL && tb_outfile_finish (f.out) != TB_OK && status == TB_OK)
    status = TB_ERR_IO;
  interrupts_leave (&interrupts);
  for (size_t i = 0; i < f.ntold; i++)
    free (f.told[i].source);
  free (f.told);
  free (f.said);
  tb_spool_close (&f.spool);
  return status;
}
