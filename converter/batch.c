/* Batches.  See batch.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "batch.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interrupts.h"
#include "json.h"
#include "worker.h"

struct running
{
  pid_t pid;			/* 0: free.  */
  const struct item *item;
};

struct batch
{
  const struct options *options;
  struct tb_diag *diag;
  size_t items, done, skipped, passed;
  size_t results[RESULTS];
  uint64_t instructions, bytes;
  double start;
  bool terminal, shown;
  bool killed;			/* The processes, as the batch was stopped.  */
};

/* What stops a batch: ^C, a scheduler, the end of a terminal.  */
static volatile sig_atomic_t stopped;

static void
stop (int number)
{
  stopped = number;
}

/* Of SIGCHLD: it ends a wait, that is all.  */
static void
wake (int number)
{
  (void) number;
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

/* The line of progress on a terminal.  */
static void
show (struct batch *b)
{
  if (!b->terminal)
    return;
  double time = now () - b->start, left = 0;
  size_t made = b->done - b->skipped;
  if (made > 0)
    left = time / (double) made * (double) (b->items - b->done);
  fprintf (stderr, "\r%zu of %zu, %" PRIu64 " instructions, %.1f MB/s, %.0f s "
	   "left\033[K", b->done, b->items, b->instructions,
	   time > 0 ? (double) b->bytes / 1e6 / time : 0, left);
  fflush (stderr);
  b->shown = true;
}

static void
clear (struct batch *b)
{
  if (b->shown)
    fputs ("\r\033[K", stderr);
  b->shown = false;
}

static void
put_json (const struct item *item, const struct verdict *v, const char *result,
	  bool skipped)
{
  fputs ("{\"input\":", stdout);
  json_string (item->input, stdout);
  fputs (",\"name\":", stdout);
  json_string (item->name, stdout);
  printf (",\"result\":\"%s\",\"made\":%s,\"instructions\":%" PRIu64
	  ",\"bytes\":%" PRIu64 ",\"milliseconds\":%" PRIu64 ",\"outputs\":[",
	  result, skipped ? "false" : "true",
	  v->instructions, v->bytes, v->milliseconds);
  for (size_t i = 0; i < v->noutputs; i++)
    {
      if (i > 0)
	putchar (',');
      json_string (v->outputs[i].path, stdout);
    }
  fputs ("],\"messages\":[", stdout);
  for (size_t i = 0; i < v->nmessages; i++)
    {
      if (i > 0)
	putchar (',');
      json_string (v->messages[i].text, stdout);
    }
  fputs ("]}\n", stdout);
}

/* The files that are no inputs although they are called logs.  */
static void
put_passed (const struct items *items)
{
  for (size_t i = 0; i < items->npassed; i++)
    {
      const struct item item = { .input = items->passed[i].input,
				 .name = items->passed[i].name };
      struct verdict_message message = { .severity = TB_WARNING,
					 .text = items->passed[i].why };
      const struct verdict v = { .messages = &message, .nmessages = 1 };
      put_json (&item, &v, "passed-over", true);
    }
}

/* ITEM is done, or need not be: say so, and count it.  */
static void
finish (struct batch *b, const struct item *item, const struct verdict *v,
	bool skipped)
{
  const struct options *o = b->options;
  b->done++;
  b->skipped += skipped;
  b->results[v->result]++;
  if (!skipped)
    {
      b->instructions += v->instructions;
      b->bytes += v->bytes;
    }
  clear (b);
  for (size_t i = 0; i < v->nmessages; i++)
    {
      const struct verdict_message *m = &v->messages[i];
      if (m->severity == TB_ERROR
	  || (m->severity == TB_WARNING && !o->quiet && !skipped)
	  || (m->severity == TB_NOTE && o->verbose && !skipped))
	fprintf (stderr, "tracebridge-convert: %s%s\n",
		 m->severity == TB_WARNING ? "warning: "
		 : m->severity == TB_NOTE ? "note: " : "", m->text);
    }
  if (o->json)
    put_json (item, v, result_name (v->result), skipped);
  else if (!o->quiet && !b->terminal && (!skipped || o->verbose))
    {
      char *name = tb_diag_plain_copy (item->name);
      fprintf (stderr, "[%zu/%zu] %s: %s, %" PRIu64 " instructions, %zu outputs, "
	       "%.1f s\n", b->done, b->items, name != NULL ? name : "?",
	       skipped ? "is up to date" : result_name (v->result),
	       v->instructions, v->noutputs, (double) v->milliseconds / 1000);
      free (name);
    }
  show (b);
}

/* The process that worked on ITEM ended with STATUS.  */
static void
reap (struct batch *b, const struct item *item, int status)
{
  struct verdict v;
  char *path = worker_verdict_path (item);
  bool ended = WIFEXITED (status) && WEXITSTATUS (status) == EXIT_DONE;
  if (path == NULL || !ended || !verdict_read (&v, path)
      || v.options != b->options->hash)
    {
      char text[PATH_MAX + 300];
      int by = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
      v = (struct verdict) { .options = b->options->hash, .result = RESULT_CRASHED };
      if (is_interrupt (by) || (by == SIGKILL && b->killed))
	{
	  v.result = RESULT_INTERRUPTED;
	  snprintf (text, sizeof text, "%s: interrupted (%s) before it was done; nothing is "
		    "kept of it, and the next run begins it again", item->input,
		    strsignal (b->killed ? stopped : by));
	}
      else if (by == SIGALRM)
	{
	  v.result = RESULT_FAILED;
	  snprintf (text, sizeof text, "%s: not done in the %" PRIu64 " seconds of "
		    "--time-limit", item->input, b->options->shared.seconds);
	}
      else if (by != 0)
	snprintf (text, sizeof text, "%s: the process that worked on it was "
		  "ended by signal %d (%s)", item->input, by, strsignal (by));
      else
	{
	  v.result = RESULT_FAILED;
	  snprintf (text, sizeof text, "%s: what became of it could not be "
		    "written to %s", item->input, path != NULL ? path : "-");
	}
      verdict_add_message (&v, TB_ERROR, text);
      /* What an earlier run said no longer holds.  */
      if (path != NULL)
	verdict_write (&v, path, NULL);
    }
  finish (b, item, &v, false);
  verdict_fini (&v);
  free (path);
}

/* Is ITEM finished by an earlier run?  Then it is done.  */
static bool
is_finished (struct batch *b, const struct item *item)
{
  struct verdict v;
  char *path = worker_verdict_path (item);
  bool holds = false;
  if (path != NULL && !b->options->batch.force && verdict_read (&v, path))
    {
      holds = verdict_holds (&v, path, b->options->hash);
      if (holds)
	finish (b, item, &v, true);
      verdict_fini (&v);
    }
  free (path);
  return holds;
}

/* Wait until one of the COUNT RUNNING has ended, or the batch is to be stopped.  */
static void
wait_for_one (struct batch *b, struct running *running, unsigned count)
{
  int status;
  pid_t pid;
  sigset_t wakes, before, waiting;
  sigemptyset (&wakes);
  sigaddset (&wakes, SIGCHLD);
  interrupts_add (&wakes);
  /* No signal may come between looking and waiting.  */
  sigprocmask (SIG_BLOCK, &wakes, &before);
  /* Whoever started this may have blocked them.  */
  waiting = before;
  sigdelset (&waiting, SIGCHLD);
  for (int number = 1; number < NSIG; number++)
    if (is_interrupt (number))
      sigdelset (&waiting, number);
  while ((pid = waitpid (-1, &status, WNOHANG)) == 0 && !(stopped && !b->killed))
    sigsuspend (&waiting);
  sigprocmask (SIG_SETMASK, &before, NULL);
  for (unsigned i = 0; i < count && pid > 0; i++)
    if (running[i].pid == pid)
      {
	running[i].pid = 0;
	reap (b, running[i].item, status);
      }
}

static void
run_all (struct batch *b, const struct items *items, struct running *running,
	 unsigned jobs)
{
  unsigned busy = 0;
  size_t next = 0;
  while ((next < items->count && !stopped) || busy > 0)
    {
      unsigned slot = 0;
      while (slot < jobs && running[slot].pid != 0)
	slot++;
      bool kills = stopped;	/* Once: it may come at any time.  */
      for (unsigned i = 0; kills && i < jobs; i++)
	if (running[i].pid != 0)
	  kill (running[i].pid, SIGKILL);
      b->killed = kills;
      if (slot < jobs && next < items->count && !stopped)
	{
	  const struct item *item = &items->list[next++];
	  if (is_finished (b, item))
	    continue;
	  pid_t pid = worker_start (item, b->options, jobs);
	  if (pid > 0)
	    running[slot] = (struct running) { pid, item };
	  else
	    {
	      struct verdict v = { .result = RESULT_FAILED };
	      verdict_add_message (&v, TB_ERROR, strerror (errno));
	      finish (b, item, &v, false);
	      verdict_fini (&v);
	    }
	}
      else if (busy > 0)
	wait_for_one (b, running, jobs);
      busy = 0;
      for (unsigned i = 0; i < jobs; i++)
	busy += running[i].pid != 0;
    }
}

static void
summarise (const struct batch *b)
{
  double time = now () - b->start;
  if (b->options->quiet || b->options->json)
    return;
  printf ("%zu inputs in %.1f s", b->items, time);
  if (b->skipped > 0)
    printf (", %zu of them up to date", b->skipped);
  puts (b->items > 0 ? ":" : "");
  for (unsigned i = 0; i < RESULTS; i++)
    if (b->results[i] > 0)
      printf ("  %-13s %zu\n", result_name (i), b->results[i]);
  if (b->done < b->items)
    printf ("  %-13s %zu\n", "not begun", b->items - b->done);
  if (b->passed > 0)
    printf (b->passed == 1 ? "%zu file that looks like a log is passed over\n"
	    : "%zu files that look like logs are passed over\n", b->passed);
  if (b->instructions > 0)
    printf ("%" PRIu64 " instructions, %.1f MB of trace, %.1f MB/s\n",
	    b->instructions, (double) b->bytes / 1e6,
	    time > 0 ? (double) b->bytes / 1e6 / time : 0);
}

int
batch_run (const struct options *o, struct tb_diag *diag)
{
  struct batch b = { .options = o, .diag = diag, .start = now (),
		     .terminal = !o->quiet && isatty (STDERR_FILENO) };
  struct items items = { 0 };
  char *inside = NULL;
  bool there = items_find (&items, o, diag);
  if (there && asprintf (&inside, "%s/", o->batch.directory) < 0)
    {
      tb_error (diag, "no memory");
      inside = NULL;
    }
  there = there && inside != NULL && worker_make_folders (inside, diag);
  free (inside);
  if (!there)
    {
      items_fini (&items);
      return EXIT_FAILED;
    }
  unsigned jobs = o->shared.jobs;
  if (jobs > items.count)
    jobs = items.count > 0 ? (unsigned) items.count : 1;
  struct running *running = calloc (jobs, sizeof *running);
  if (running == NULL)
    {
      tb_error (diag, "no memory");
      items_fini (&items);
      return EXIT_FAILED;
    }
  b.items = items.count;
  b.passed = items.npassed;
  bool nothing_below = items.nothing_below;
  struct sigaction waking = { .sa_handler = wake, .sa_flags = SA_RESTART }, child;
  struct interrupts interrupts;
  interrupts_take (&interrupts, stop);
  sigaction (SIGCHLD, &waking, &child);
  run_all (&b, &items, running, jobs);
  clear (&b);
  if (o->json)
    put_passed (&items);
  summarise (&b);
  sigaction (SIGCHLD, &child, NULL);
  interrupts_leave (&interrupts);
  free (running);
  items_fini (&items);
  if (stopped)
    {
      /* As if it had not been caught.  */
      fflush (stdout);
      raise (stopped);
    }
  if (nothing_below || b.results[RESULT_REFUSED] + b.results[RESULT_FAILED]
		       + b.results[RESULT_CRASHED] + b.results[RESULT_INTERRUPTED] > 0)
    return EXIT_FAILED;
  return b.results[RESULT_TRACE_ERRORS] > 0 && o->strict ? EXIT_TRACE_ERRORS
							 : EXIT_DONE;
}
