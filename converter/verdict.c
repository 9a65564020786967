/* Verdicts.  See verdict.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/buffer.h"
#include "util/outfile.h"

#define FIRST_LINE "tracebridge-verdict 1"
#define LAST_LINE "end"

static const char *const results[RESULTS] = {
  "done", "trace-errors", "refused", "failed", "crashed", "interrupted"
};

static const char *const severities[] = {
  [TB_NOTE] = "note", [TB_WARNING] = "warning", [TB_ERROR] = "error"
};

const char *
result_name (enum result result)
{
  return results[result];
}

static void
free_files (struct verdict_file *files, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free (files[i].path);
  free (files);
}

void
verdict_fini (struct verdict *v)
{
  free_files (v->inputs, v->ninputs);
  free_files (v->outputs, v->noutputs);
  for (size_t i = 0; i < v->nmessages; i++)
    free (v->messages[i].text);
  free (v->messages);
  *v = (struct verdict) { 0 };
}

/* Size and time of PATH; 0 both if it is not there.  */
static struct verdict_file
look_at (const char *path)
{
  struct stat st;
  if (stat (path, &st) != 0)
    return (struct verdict_file) { 0 };
  return (struct verdict_file) {
    .size = (uint64_t) st.st_size,
    .time = (uint64_t) st.st_mtim.tv_sec * 1000000000
	    + (uint64_t) st.st_mtim.tv_nsec
  };
}

static bool
add_file (struct verdict_file **files, size_t *count, size_t *room,
	  const char *path, struct verdict_file file)
{
  if (!TB_GROW (*files, *room, *count, 1))
    return false;
  file.path = strdup (path);
  if (file.path != NULL)
    (*files)[(*count)++] = file;
  return file.path != NULL;
}

bool
verdict_add_input (struct verdict *v, const char *path)
{
  return add_file (&v->inputs, &v->ninputs, &v->inputs_room, path,
		   look_at (path));
}

bool
verdict_add_output (struct verdict *v, const char *path)
{
  const char *slash = strrchr (path, '/');
  return add_file (&v->outputs, &v->noutputs, &v->outputs_room,
		   slash != NULL ? slash + 1 : path, look_at (path));
}

bool
verdict_add_message (struct verdict *v, enum tb_severity severity,
		     const char *text)
{
  if (!TB_GROW (v->messages, v->messages_room, v->nmessages, 1))
    return false;
  char *copy = strdup (text);
  if (copy == NULL)
    return false;
  for (char *c = copy; *c != '\0'; c++)
    if (*c == '\n')
      *c = ' ';
  v->messages[v->nmessages++] = (struct verdict_message) { severity, copy };
  return true;
}

/* Write NAME, in which a line may end.  */
static void
put_name (const char *name, FILE *out)
{
  for (; *name != '\0'; name++)
    if (*name == '\n' || *name == '\\')
      fputs (*name == '\n' ? "\\n" : "\\\\", out);
    else
      putc (*name, out);
  putc ('\n', out);
}

/* Make NAME, written so, what it was.  */
static char *
take_name (char *name)
{
  char *to = name;
  for (const char *from = name; *from != '\0'; from++)
    *to++ = *from != '\\' || from[1] == '\0' ? *from : *++from == 'n' ? '\n' : *from;
  *to = '\0';
  return name;
}

enum tb_status
verdict_write (const struct verdict *v, const char *path,
	       struct tb_diag *diag)
{
  struct tb_outfile *file = tb_outfile_open (path, diag);
  if (file == NULL)
    return TB_ERR_IO;
  FILE *out = tb_outfile_stream (file);
  fprintf (out, FIRST_LINE "\noptions %016" PRIx64 "\nresult %s\n"
	   "instructions %" PRIu64 "\nbytes %" PRIu64 "\nmilliseconds %" PRIu64
	   "\n", v->options, results[v->result], v->instructions, v->bytes,
	   v->milliseconds);
  for (size_t i = 0; i < v->ninputs; i++)
    {
      fprintf (out, "input %" PRIu64 " %" PRIu64 " ", v->inputs[i].size, v->inputs[i].time);
      put_name (v->inputs[i].path, out);
    }
  for (size_t i = 0; i < v->noutputs; i++)
    {
      fprintf (out, "output %" PRIu64 " ", v->outputs[i].size);
      put_name (v->outputs[i].path, out);
    }
  for (size_t i = 0; i < v->nmessages; i++)
    fprintf (out, "message %s %s\n", severities[v->messages[i].severity],
	     v->messages[i].text);
  fputs (LAST_LINE "\n", out);
  return tb_outfile_finish (file);
}

/* The number of WORD among the COUNT WORDS, or COUNT.  */
static unsigned
find_word (const char *word, size_t length, const char *const *words,
	   unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (strlen (words[i]) == length && memcmp (words[i], word, length) == 0)
      return i;
  return count;
}

/* The line "KEY REST".  False: it means nothing.  */
static bool
read_line (struct verdict *v, const char *key, size_t length, char *rest)
{
  static const char *const keys[] = {
    "options", "result", "instructions", "bytes", "milliseconds", "input",
    "output", "message"
  };
  uint64_t *const numbers[] = { &v->instructions, &v->bytes,
				&v->milliseconds };
  struct verdict_file file = { 0 };
  int used = 0;
  unsigned what = find_word (key, length, keys, 8);
  switch (what)
    {
    case 0:
      return sscanf (rest, "%" SCNx64, &v->options) == 1;
    case 1:
      what = find_word (rest, strlen (rest), results, RESULTS);
      v->result = what;
      return what < RESULTS;
    case 2: case 3: case 4:
      return sscanf (rest, "%" SCNu64, numbers[what - 2]) == 1;
    case 5:
      return sscanf (rest, "%" SCNu64 " %" SCNu64 " %n", &file.size,
		     &file.time, &used) == 2 && used > 0
	     && add_file (&v->inputs, &v->ninputs, &v->inputs_room,
			  take_name (rest + used), file);
    case 6:
      return sscanf (rest, "%" SCNu64 " %n", &file.size, &used) == 1
	     && used > 0 && strchr (rest + used, '/') == NULL
	     && add_file (&v->outputs, &v->noutputs, &v->outputs_room,
			  take_name (rest + used), file);
    case 7:
      length = strcspn (rest, " ");
      what = find_word (rest, length, severities, 3);
      return what < 3 && rest[length] == ' '
	     && verdict_add_message (v, what, rest + length + 1);
    default:
      return false;
    }
}

bool
verdict_read (struct verdict *v, const char *path)
{
  FILE *in = fopen (path, "r");
  char *line = NULL;
  size_t room = 0, number = 0;
  ssize_t length;
  bool ok = in != NULL, ended = false;
  *v = (struct verdict) { .result = RESULTS };
  while (ok && !ended && (length = getline (&line, &room, in)) > 0)
    {
      if (line[length - 1] == '\n')
	line[--length] = '\0';
      size_t key = strcspn (line, " ");
      if (number++ == 0)
	ok = strcmp (line, FIRST_LINE) == 0;
      else if (strcmp (line, LAST_LINE) == 0)
	ended = true;
      else
	ok = line[key] == ' ' && read_line (v, line, key, line + key + 1);
    }
  free (line);
  if (in != NULL)
    fclose (in);
  ok = ok && ended && v->result < RESULTS;
  if (!ok)
    verdict_fini (v);
  return ok;
}

bool
verdict_holds (const struct verdict *v, const char *path, uint64_t options)
{
  if (v->options != options || v->result > RESULT_REFUSED || v->ninputs == 0)
    return false;
  for (size_t i = 0; i < v->ninputs; i++)
    {
      struct verdict_file now = look_at (v->inputs[i].path);
      if (now.size != v->inputs[i].size || now.time != v->inputs[i].time)
	return false;
    }
  const char *slash = strrchr (path, '/');
  int folder = slash != NULL ? (int) (slash + 1 - path) : 0;
  for (size_t i = 0; i < v->noutputs; i++)
    {
      char name[4096];
      struct stat st;
      if (snprintf (name, sizeof name, "%.*s%s", folder, path,
		    v->outputs[i].path) >= (int) sizeof name
	  || stat (name, &st) != 0
	  || (uint64_t) st.st_size != v->outputs[i].size)
	return false;
    }
  return true;
}
