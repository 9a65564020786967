/* Where output goes: names, and what must not be overwritten.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recording/session-log.h"

size_t
output_stem (const char *name)
{
  static const char *const ends[] = { ".gz", ".xz", ".zst", ".log", ".txt",
				      ".tarmac" };
  size_t length = strlen (name);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    {
      size_t end = strlen (ends[i]);
      if (length > end && memcmp (name + length - end, ends[i], end) == 0)
	length -= end;
    }
  return length;
}

char *
output_input_name (const char *path, const char *below)
{
  char *real = below == NULL ? realpath (path, NULL) : NULL;
  char *named = real != NULL ? real
		: below != NULL || errno != ENOMEM ? strdup (below != NULL ? below : path)
		: NULL;
  if (named == NULL)
    return NULL;
  const char *name = named;
  size_t length = strlen (named);
  while (length > 1 && named[length - 1] == '/')
    named[--length] = '\0';
  if (below == NULL)
    {
      /* ".../NAME/snapshot.ini" and ".../NAME/" are NAME.  */
      char *slash = strrchr (named, '/');
      if (slash != NULL && slash != named && strcmp (slash, "/snapshot.ini") == 0)
	{
	  *slash = '\0';
	  slash = strrchr (named, '/');
	}
      name = slash == NULL ? named : slash[1] != '\0' ? slash + 1 : "snapshot";
    }
  char *made = strndup (name, tb_session_is_log (path) ? output_stem (name)
						       : strlen (name));
  free (named);
  return made;
}

/* The name tells the core where the snapshot has several, and the buffer where it
   has several: it must not depend on what else is converted.  */
static void
put_which (struct tb_buffer *name, const struct job *job,
	   const struct tb_session_core *core,
	   const struct tb_session_stream *stream)
{
  const struct tb_session *s = &job->session;
  size_t before = name->size;
  /* The last of the session's cores has no device.  */
  if (s->ncores > 2 && core->device != NULL)
    tb_buffer_printf (name, "-%s", core->device->name);
  if (stream != NULL && core->device == NULL)
    tb_buffer_printf (name, "-%s", stream->source->name);
  if (stream != NULL && stream->buffer != NULL && s->snapshot.nbuffers > 1)
    tb_buffer_printf (name, "-%s", stream->buffer->name);
  /* A core's name may hold what a file name may not.  */
  for (size_t i = before; i < name->size; i++)
    if (name->data[i] == '/')
      name->data[i] = '_';
}

static char *
finish_name (const struct job *job, struct tb_buffer *name)
{
  tb_buffer_printf (name, ".%s", job->options->format->suffix);
  tb_buffer_append (name, "", 1);
  if (name->failed)
    tb_buffer_fini (name);
  return (char *) name->data;
}

/* Below the folder of outputs.  */
static char *
in_batch (const struct job *job, const struct tb_session_core *core,
	  const struct tb_session_stream *stream)
{
  struct tb_buffer name = { 0 };
  tb_buffer_printf (&name, "%s", job->options->output_base);
  put_which (&name, job, core, stream);
  return finish_name (job, &name);
}

char *
output_name (const struct job *job, const struct tb_session_core *core,
	     const struct tb_session_stream *stream)
{
  if (job->options->output != NULL)
    return strdup (job->options->output);
  if (job->options->output_base != NULL)
    return in_batch (job, core, stream);
  struct tb_buffer name = { 0 };
  /* What was read once has the name of the file that it was kept in.  */
  char *input = job->path != job->input ? NULL : output_input_name (job->input, NULL);
  if (job->path != job->input)
    {
      const char *file = strrchr (job->path, '/') + 1;
      tb_buffer_append (&name, file, output_stem (file));
    }
  else if (input == NULL)
    return NULL;
  else
    tb_buffer_printf (&name, "%s", input);
  free (input);
  put_which (&name, job, core, stream);
  return finish_name (job, &name);
}

char *
output_log_name (const struct job *job, const struct tb_session_stream *stream,
		 bool several)
{
  const struct options *o = job->options;
  const char *whole = o->output_base != NULL ? o->output_base
		      : o->output != NULL ? o->output : "-", *slash;
  struct tb_buffer name = { 0 };
  size_t stem = strlen (whole);
  if (o->output_base == NULL)
    {
      slash = strrchr (whole, '/');
      slash = slash != NULL ? slash + 1 : whole;
      stem = (size_t) (slash - whole) + output_stem (slash);
    }
  tb_buffer_append (&name, whole, stem);
  if (several || o->output_base != NULL)
    put_which (&name, job, stream->core, stream);
  if (o->output_base != NULL)
    tb_buffer_printf (&name, ".%s", o->format->suffix);
  else
    tb_buffer_printf (&name, "%s", whole + stem);
  tb_buffer_append (&name, "", 1);
  if (name.failed)
    tb_buffer_fini (&name);
  return (char *) name.data;
}

/* Is PATH one of the files that JOB reads?  */
static bool
is_input (const struct job *job, const char *path)
{
  if (tb_snapshot_has_file (&job->session.snapshot, path))
    return true;
  const struct tb_session_options *session = &job->options->shared.session;
  char *real = realpath (path, NULL);
  bool found = false;
  if (job->session.log != NULL && real != NULL)
    {
      char *log = realpath (job->session.log->tarmac.path, NULL);
      found = log != NULL && strcmp (log, real) == 0;
      free (log);
    }
  for (size_t i = 0; i < session->nelves + 2 && real != NULL && !found; i++)
    {
      const char *other = i < session->nelves ? session->elves[i].path
			  : i == session->nelves ? session->svd
			  : session->tdesc;
      char *file = other != NULL ? realpath (other, NULL) : NULL;
      found = file != NULL && strcmp (file, real) == 0;
      free (file);
    }
  free (real);
  return found;
}

bool
output_claim (struct job *job, const char *path)
{
  if (strcmp (path, "-") == 0)
    return true;
  if (*path == 0)
    {
      tb_error (job->diag, "%s: expected the name of a file for the output, "
		"found an empty one", job->input);
      return false;
    }
  if (is_input (job, path))
    {
      tb_error (job->diag, "%s: %s is read here and would be overwritten; "
		"choose another name with -o", job->input, path);
      return false;
    }
  for (size_t i = 0; i < job->outputs->count; i++)
    if (strcmp (job->outputs->names[i], path) == 0)
      {
	tb_error (job->diag, "%s: %s was made from another input just now; "
		  "convert them apart and choose names with -o", job->input,
		  path);
	return false;
      }
  char **names = realloc (job->outputs->names,
			  (job->outputs->count + 1) * sizeof *names);
  if (names == NULL)
    {
      tb_error (job->diag, "%s: no memory", job->input);
      return false;
    }
  job->outputs->names = names;
  names[job->outputs->count] = strdup (path);
  job->outputs->count += names[job->outputs->count] != NULL;
  return true;
}

void
outputs_fini (struct outputs *outputs)
{
  for (size_t i = 0; i < outputs->count; i++)
    free (outputs->names[i]);
  free (outputs->names);
  *outputs = (struct outputs) { 0 };
}
