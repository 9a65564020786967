/* One input of a batch, in a process of its own.  See worker.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "convert.h"
#include "util/limits.h"

/* Files of a snapshot that could not be read, at most; more say no more.  */
#define FILES_MOST 10000

char *
worker_verdict_path (const struct item *item)
{
  char *path = malloc (strlen (item->base) + sizeof ".verdict");
  if (path != NULL)
    strcat (strcpy (path, item->base), ".verdict");
  return path;
}

bool
worker_make_folders (const char *path, struct tb_diag *diag)
{
  char *copy = strdup (path);
  bool ok = copy != NULL;
  if (!ok)
    tb_error (diag, "%s: no memory", path);
  for (char *c = copy; ok && *c != '\0'; c++)
    if (*c == '/' && c != copy)
      {
	struct stat st;
	*c = '\0';
	if (mkdir (copy, 0777) != 0 && errno != EEXIST)
	  {
	    tb_error (diag, "%s: cannot be made: %s", copy, strerror (errno));
	    ok = false;
	  }
	else if (stat (copy, &st) == 0 && !S_ISDIR (st.st_mode))
	  {
	    tb_error (diag, "%s: expected a folder, or nothing, found a file",
		      copy);
	    ok = false;
	  }
	*c = '/';
      }
  free (copy);
  return ok;
}

static void
keep (void *context, enum tb_severity severity, const char *message)
{
  verdict_add_message (context, severity, message);
}

static void
add_input (void *context, const char *path)
{
  verdict_add_input (context, path);
}

/* Note all files that may have been read of INPUT, which failed.  */
static void
add_all_inputs (struct verdict *v, const char *input)
{
  char *directory = strdup (input);
  char *slash = directory != NULL ? strrchr (directory, '/') : NULL;
  if (slash != NULL && strcmp (slash, "/snapshot.ini") == 0)
    *slash = '\0';
  char *const roots[] = { directory, NULL };
  FTS *tree = directory != NULL
	      ? fts_open (roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR,
			  NULL) : NULL;
  FTSENT *entry;
  while (tree != NULL && v->ninputs < FILES_MOST
	 && (entry = fts_read (tree)) != NULL)
    if (entry->fts_info == FTS_F)
      {
	char *real = realpath (entry->fts_path, NULL);
	if (real != NULL)
	  verdict_add_input (v, real);
	free (real);
      }
  if (tree != NULL)
    fts_close (tree);
  free (directory);
}

static enum result
judge (const struct job *job, enum tb_status status)
{
  switch (status)
    {
    case TB_OK:
      return job->no_steps ? RESULT_REFUSED
	     : job->trace_errors ? RESULT_TRACE_ERRORS : RESULT_DONE;
    case TB_ERR_INPUT: case TB_ERR_UNSUPPORTED:
      return RESULT_REFUSED;
    default:
      return RESULT_FAILED;
    }
}

/* Do the work; true: the verdict is written.  */
static bool
work (const struct item *item, const struct options *given)
{
  struct verdict v = { .options = given->hash };
  struct tb_diag diag = { .report = keep, .context = &v };
  struct options options = *given;
  struct outputs outputs = { 0 };
  struct timespec before, after;
  options.quiet = true;
  options.shared.jobs = 1;
  options.ninputs = 1;
  options.output_base = item->base;
  struct job job = { .options = &options, .input = item->input,
		     .diag = &diag, .outputs = &outputs,
		     .take_input = add_input, .take_input_context = &v };
  char *path = worker_verdict_path (item);
  clock_gettime (CLOCK_MONOTONIC, &before);
  enum tb_status status = TB_ERR_MEMORY;
  if (path != NULL)
    status = worker_make_folders (path, &diag) ? convert_input (&job) : TB_ERR_IO;
  clock_gettime (CLOCK_MONOTONIC, &after);
  if (v.ninputs == 0)
    add_all_inputs (&v, item->input);
  for (size_t i = 0; i < options.shared.session.nelves; i++)
    verdict_add_input (&v, options.shared.session.elves[i].path);
  if (options.shared.session.svd != NULL)
    verdict_add_input (&v, options.shared.session.svd);
  if (options.shared.session.tdesc != NULL)
    verdict_add_input (&v, options.shared.session.tdesc);
  for (size_t i = 0; i < outputs.count && status == TB_OK; i++)
    verdict_add_output (&v, outputs.names[i]);
  v.result = judge (&job, status);
  v.instructions = job.instructions;
  v.bytes = job.bytes;
  v.milliseconds = (uint64_t) ((after.tv_sec - before.tv_sec) * 1000
			       + (after.tv_nsec - before.tv_nsec) / 1000000);
  bool ok = path != NULL && verdict_write (&v, path, &diag) == TB_OK;
  /* There is no other place to say it then.  */
  for (size_t i = 0; i < v.nmessages && !ok; i++)
    fprintf (stderr, "tracebridge-convert: %s\n", v.messages[i].text);
  free (path);
  outputs_fini (&outputs);
  verdict_fini (&v);
  return ok;
}

pid_t
worker_start (const struct item *item, const struct options *options,
	      unsigned jobs)
{
  pid_t parent = getpid ();
  fflush (stdout);
  fflush (stderr);
  pid_t pid = fork ();
  if (pid != 0)
    return pid;
  /* The work ends with the batch, however that ends.  */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (EXIT_FAILED);
  /* What the batch handles ends the process, unless who started it wants it ignored.  */
  static const int handled[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
  struct sigaction now;
  for (size_t i = 0; i < sizeof handled / sizeof handled[0]; i++)
    if (sigaction (handled[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      signal (handled[i], SIG_DFL);
  int null = open ("/dev/null", O_RDWR);
  if (null >= 0)
    {
      dup2 (null, STDIN_FILENO);
      dup2 (null, STDOUT_FILENO);
      close (null);
    }
  tb_limit_memory (options->shared.memory / jobs);
  /* Who started it tells that it was too late.  */
  if (options->shared.seconds != 0)
    tb_limit_time (NULL, options->shared.seconds);
  _exit (work (item, options) ? EXIT_DONE : EXIT_FAILED);
}
