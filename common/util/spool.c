/* Inputs that can be read once.  See spool.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/spool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/buffer.h"
#include "util/readall.h"

/* What is kept, for whoever ends the process; one input at a time is.  */
static char kept[PATH_MAX], kept_in[PATH_MAX];

/* This can be called by a handler of signals.  */
void
tb_spool_remove (void)
{
  if (kept[0] != 0)
    unlink (kept);
  if (kept_in[0] != 0)
    rmdir (kept_in);
  kept[0] = kept_in[0] = 0;
}

static void
on_end (int number)
{
  tb_spool_remove ();
  raise (number);
}

/* Have PATH in FOLDER removed where a signal ends the process, but for SIGKILL and those
   that a bug raises.  */
static void
keep (const char *path, const char *folder)
{
  static const int ends[] = { SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGXCPU };
  struct sigaction action = { .sa_handler = on_end, .sa_flags = (int) SA_RESETHAND }, old;
  assert (kept[0] == 0);
  snprintf (kept_in, sizeof kept_in, "%s", folder);
  snprintf (kept, sizeof kept, "%s", path);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    if (sigaction (ends[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction (ends[i], &action, NULL);
}

static bool
is_standard (const char *path)
{
  return strcmp (path, "-") == 0;
}

bool
tb_spool_is_stream (const char *path)
{
  struct stat st;
  return is_standard (path) || (stat (path, &st) == 0 && S_ISFIFO (st.st_mode));
}

/* Copy what comes out of IN, of SPOOL, to OUT.  False after a diagnostic.  */
static bool
copy (const struct tb_spool *spool, int in, int out, struct tb_diag *diag)
{
  enum { BLOCK = 1 << 16 };
  uint8_t *block = malloc (BLOCK);
  ssize_t n = 0;
  bool written = true;
  while (block != NULL && written && ((n = read (in, block, BLOCK)) > 0
				      || (n < 0 && errno == EINTR)))
    written = n < 0 || tb_write_all (out, block, (size_t) n);
  int error = errno;
  free (block);
  if (block == NULL)
    tb_error (diag, "%s: no memory", spool->shown);
  else if (!written)
    tb_error (diag, "%s: cannot keep it as %s: %s", spool->shown, spool->path,
	      strerror (error));
  else if (n < 0)
    tb_error (diag, "%s: cannot read: %s", spool->shown, strerror (error));
  return block != NULL && written && n == 0;
}

/* Tell the outer diagnostics MESSAGE, with what the user calls the input.  */
static void
forward (void *context, enum tb_severity severity, const char *message)
{
  struct tb_spool *spool = context;
  struct tb_buffer text = { 0 };
  /* As they are in messages.  */
  char *path = tb_diag_plain_copy (spool->path), *shown = tb_diag_plain_copy (spool->shown);
  bool ok = path != NULL && shown != NULL;
  size_t length = ok ? strlen (path) : 0;
  for (const char *at = ok ? message : NULL, *found; at != NULL; at = found)
    {
      found = strstr (at, path);
      tb_buffer_append (&text, at, found != NULL ? (size_t) (found - at) : strlen (at));
      if (found != NULL)
	{
	  tb_buffer_append (&text, shown, strlen (shown));
	  found += length;
	}
    }
  tb_buffer_append (&text, "", 1);
  tb_report_as_is (spool->outer, severity,
		   !ok || text.failed ? message : (const char *) text.data);
  tb_buffer_fini (&text);
  free (path);
  free (shown);
}

/* Open the input PATH and the file that it is kept in, as SPOOL->in and SPOOL->out.  */
static enum tb_status
begin (struct tb_spool *spool, const char *path, struct tb_diag *diag)
{
  const char *folder = getenv ("TMPDIR"), *slash = strrchr (path, '/');
  *spool = (struct tb_spool) { .shown = path, .outer = diag, .in = -1, .out = -1 };
  bool standard = is_standard (path);
  if (standard && isatty (STDIN_FILENO))
    {
      tb_error (diag, "-: expected an input from a pipe or a file on standard input, found a "
		"terminal");
      return TB_ERR_INPUT;
    }
  if (asprintf (&spool->folder, "%s/tracebridge-XXXXXX",
		folder != NULL && *folder != 0 ? folder : "/tmp") < 0)
    spool->folder = NULL;
  char *made = spool->folder != NULL ? mkdtemp (spool->folder) : NULL;
  if (made != NULL
      && asprintf (&spool->path, "%s/%s", made, standard ? "standard-input"
		   : slash != NULL ? slash + 1 : path) < 0)
    spool->path = NULL;
  if (spool->path != NULL)
    {
      keep (spool->path, spool->folder);
      spool->out = open (spool->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      spool->in = standard ? STDIN_FILENO : open (path, O_RDONLY | O_CLOEXEC);
    }
  bool ok = made != NULL && spool->path != NULL && spool->in >= 0 && spool->out >= 0;
  if (!ok)
    tb_error (diag, "%s: cannot read it and keep it in %s: %s", path,
	      spool->folder != NULL ? spool->folder : "a file", strerror (errno));
  if (made == NULL)
    {
      free (spool->folder);
      spool->folder = NULL;
    }
  return ok ? TB_OK : TB_ERR_IO;
}

static void
close_both (struct tb_spool *spool)
{
  if (spool->in > STDIN_FILENO)
    close (spool->in);
  if (spool->out >= 0)
    close (spool->out);
  spool->in = spool->out = -1;
}

enum tb_status
tb_spool_open (struct tb_spool *spool, const char *path, struct tb_diag *diag)
{
  enum tb_status status = begin (spool, path, diag);
  if (status == TB_OK && !copy (spool, spool->in, spool->out, diag))
    status = TB_ERR_IO;
  close_both (spool);
  if (status != TB_OK)
    tb_spool_close (spool);
  return status;
}

enum tb_status
tb_spool_begin (struct tb_spool *spool, const char *path, struct tb_diag *diag)
{
  enum tb_status status = begin (spool, path, diag);
  struct stat st;
  if (status == TB_OK && (fstat (spool->in, &st) != 0 || S_ISDIR (st.st_mode)))
    {
      tb_error (diag, "%s: expected a file or a pipe, which can grow", path);
      status = TB_ERR_INPUT;
    }
  spool->grows = status == TB_OK;
  if (status != TB_OK)
    {
      close_both (spool);
      tb_spool_close (spool);
    }
  return status;
}

/* Put the whole lines of the SIZE bytes TEXT into the file, behind what was left of one; ALL: also
   what has no end.  */
static bool
put_lines (struct tb_spool *spool, const uint8_t *text, size_t size, bool all)
{
  const uint8_t *end = size > 0 ? memrchr (text, '\n', size) : NULL;
  size_t whole = end != NULL ? (size_t) (end - text) + 1 : 0;
  bool ok = true;
  if (whole > 0 || all)
    {
      ok = tb_write_all (spool->out, spool->rest.data, spool->rest.size)
	   && tb_write_all (spool->out, text, whole);
      tb_buffer_clear (&spool->rest);
    }
  tb_buffer_append (&spool->rest, text + whole, size - whole);
  return ok && !spool->rest.failed;
}

/* Is the file of SPOOL, which has nothing more, still what its name leads to?  */
static enum tb_spool_news
look_again (const struct tb_spool *spool)
{
  struct stat open_one, named;
  if (fstat (spool->in, &open_one) != 0 || !S_ISREG (open_one.st_mode))
    return TB_SPOOL_QUIET;
  if ((uint64_t) open_one.st_size < spool->taken)
    return TB_SPOOL_SHRANK;
  if (!is_standard (spool->shown)
      && (stat (spool->shown, &named) != 0 || named.st_ino != open_one.st_ino
	  || named.st_dev != open_one.st_dev))
    return TB_SPOOL_REPLACED;
  return TB_SPOOL_QUIET;
}

enum tb_spool_news
tb_spool_more (struct tb_spool *spool, unsigned milliseconds, struct tb_diag *diag)
{
  enum { BLOCK = 1 << 16, BLOCKS = 256 };
  static uint8_t block[BLOCK];
  struct stat st;
  struct pollfd ready = { .fd = spool->in, .events = POLLIN };
  bool is_file = fstat (spool->in, &st) == 0 && S_ISREG (st.st_mode), ok = true;
  uint64_t before = spool->taken;
  /* Nobody waits for a whole file that is there already.  */
  for (int i = 0; i < BLOCKS && ok; i++)
    {
      if (!is_file && poll (&ready, 1, i == 0 ? (int) milliseconds : 0) <= 0)
	break;
      ssize_t n = read (spool->in, block, BLOCK);
      if (n < 0 && errno == EINTR)
	break;
      if (n < 0)
	{
	  tb_error (diag, "%s: cannot read: %s", spool->shown, strerror (errno));
	  return TB_SPOOL_FAILED;
	}
      if (n == 0 && !is_file)
	{
	  ok = put_lines (spool, block, 0, true);
	  if (ok)
	    return TB_SPOOL_ENDED;
	}
      if (n == 0)
	break;
      ok = put_lines (spool, block, (size_t) n, false);
      spool->taken += (uint64_t) n;
    }
  if (!ok)
    {
      tb_error (diag, "%s: cannot keep it as %s: %s", spool->shown, spool->path,
		strerror (errno));
      return TB_SPOOL_FAILED;
    }
  if (spool->taken > before)
    return TB_SPOOL_GREW;
  enum tb_spool_news news = look_again (spool);
  if (is_file && news == TB_SPOOL_QUIET)
    poll (NULL, 0, (int) milliseconds);
  return news;
}

size_t
tb_spool_rest (const struct tb_spool *spool)
{
  return spool->rest.size;
}

struct tb_diag *
tb_spool_diag (struct tb_spool *spool)
{
  spool->diag = (struct tb_diag) { .report = forward, .context = spool };
  return &spool->diag;
}

void
tb_spool_close (struct tb_spool *spool)
{
  if (spool->path != NULL)
    tb_spool_remove ();
  else if (spool->folder != NULL)
    rmdir (spool->folder);
  if (spool->grows)
    close_both (spool);
  tb_buffer_fini (&spool->rest);
  free (spool->path);
  free (spool->folder);
  *spool = (struct tb_spool) { .path = NULL };
}
