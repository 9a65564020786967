/* What is said of inputs that are something else.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/wrong-input.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recording/session-log.h"
#include "snapshot/core-file.h"
#include "snapshot/crash-dump.h"
#include "snapshot/perf/data.h"
#include "snapshot/sysfs.h"
#include "util/buffer.h"

/* What is read of a file to see what it is.  */
#define HEAD 65536

/* Is there a snapshot.ini in the folder DIRECTORY/NAME?  */
static bool
is_snapshot (const char *directory, const char *name)
{
  char path[4096];
  struct stat st;
  return snprintf (path, sizeof path, "%s/%s/snapshot.ini", directory, name)
	 < (int) sizeof path
	 && stat (path, &st) == 0 && S_ISREG (st.st_mode);
}

/* Is there a log DIRECTORY/NAME?  */
static bool
is_log (const char *directory, const char *name)
{
  char path[4096];
  struct stat st;
  return snprintf (path, sizeof path, "%s/%s", directory, name)
	 < (int) sizeof path
	 && stat (path, &st) == 0 && S_ISREG (st.st_mode)
	 && tb_session_is_log (path);
}

/* The name of a snapshot's folder or a log in DIRECTORY, into NAME.  */
static bool
has_inputs (const char *directory, char name[256])
{
  DIR *folder = opendir (directory);
  struct dirent *entry;
  bool found = false;
  while (folder != NULL && !found && (entry = readdir (folder)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0
	&& (is_snapshot (directory, entry->d_name)
	    || is_log (directory, entry->d_name)))
      {
	found = true;
	snprintf (name, 256, "%s", entry->d_name);
      }
  if (folder != NULL)
    closedir (folder);
  return found;
}

/* The first HEAD bytes of the file PATH, and in *SIZE how many these are, ended by a 0;
   from malloc.  */
static char *
read_head (const char *path, size_t *size)
{
  FILE *file = fopen (path, "rb");
  char *text = file != NULL ? calloc (1, HEAD + 1) : NULL;
  if (text != NULL)
    *size = fread (text, 1, HEAD, file);
  if (file != NULL)
    fclose (file);
  return text;
}

/* Is the text HEAD one that no INI file is?  *LINE is set to a line of it that shows what
   it is: the first that begins with a digit, as logs' do, else the first one.  */
static bool
is_other_text (const char *head, const char **line)
{
  const char *first = NULL, *record = NULL;
  for (const char *p = head; p != NULL && *p != 0; p = strchr (p, '\n'))
    {
      p += strspn (p, " \t\r\n");
      if (*p == '[')
	return false;
      if (first == NULL && *p != 0)
	first = p;
      if (record == NULL && *p >= '0' && *p <= '9')
	record = p;
    }
  *line = record != NULL ? record : first;
  return first != NULL;
}

/* Tell of a text that is no log, with LINE of it.  */
static void
say_text (const char *path, const char *line, struct tb_diag *diag)
{
  enum { SHOWN = 60 };
  char text[SHOWN + 1];
  size_t length = strcspn (line, "\r\n"), n = length < SHOWN ? length : SHOWN;
  for (size_t i = 0; i < n; i++)
    text[i] = line[i] == '\t' ? ' ' : line[i] < ' ' || line[i] > '~' ? '?' : line[i];
  text[n] = 0;
  tb_error (diag, "%s: expected a snapshot or a log, found text of another form, such "
	    "as \"%s%s\"; give a folder with a snapshot.ini, or a Tarmac log, of which "
	    "those are read whose instructions look like \"10 ns IT (1) 00000100 2001 "
	    "T16 MOVS r0,#1\" or \"10 ns ES "
	    "(00000100:e3a00001) A svc: MOV r0,#1\"", path, text,
	    n < length ? "..." : "");
}

/* Is PATH, which begins with HEAD, a file that belongs beside a snapshot?  */
static bool
is_other_role (const char *path, const char *head, struct tb_diag *diag)
{
  const char *text = strncmp (head, "\357\273\277", 3) == 0 ? head + 3 : head;
  text += strspn (text, " \t\r\n");
  const char *option = *text != '<' ? NULL
		       : strstr (text, "<device") != NULL ? "--svd"
		       : strstr (text, "<target") != NULL
			 || strstr (text, "<feature") != NULL ? "--tdesc" : NULL;
  if (option != NULL)
    tb_error (diag, "%s: expected a snapshot or a log, found %s; give it as %s=%s, beside "
	      "the snapshot", path, option[2] == 's'
	      ? "a description of a device (CMSIS-SVD)" : "a target description", option,
	      path);
  else
    return false;
  return true;
}

/* Is what begins with the SIZE bytes HEAD compressed?  */
static bool
is_compressed (const char *head, size_t size)
{
  static const struct { const char *bytes; size_t size; } compressed[] = {
    { "\37\213", 2 }, { "\3757zXZ", 5 }, { "(\265/\375", 4 }
  };
  for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++)
    if (size >= compressed[i].size
	&& memcmp (head, compressed[i].bytes, compressed[i].size) == 0)
      return true;
  return false;
}

/* What PATH is, a file that begins with HEAD of at most HEAD bytes: is that no input?  */
static bool
file_is_wrong (const char *path, const char *head, size_t size,
	       struct tb_diag *diag)
{
  if (size == 0)
    {
      tb_error (diag, "%s: expected a snapshot or a log, found an empty file",
		path);
      return true;
    }
  if (is_compressed (head, size) || tb_session_is_log (path))
    return false;
  const char *line, *dot = strrchr (path, '.');
  if (memchr (head, 0, size) == NULL)
    {
      bool other = (dot == NULL || strcmp (dot, ".ini") != 0)
		   && is_other_text (head, &line);
      if (other)
	say_text (path, line, diag);
      return other;
    }
  tb_error (diag, "%s: expected a snapshot or a log, a core file, perf.data or a trace "
	    "file, found binary data; the bytes of a trace buffer are taken with --elf=PROGRAM or "
	    "--core-type=NAME; of them tracebridge-snapshot makes "
	    "a snapshot (-o OUT --core=TYPE --trace=%s), and so of a memory dump "
	    "(--ram=ADDRESS@%s)", path, path, path);
  return true;
}

bool
tb_input_is_raw (const char *path, const struct tb_session_options *options)
{
  struct stat st;
  if (options == NULL || (options->nelves == 0 && options->core_type == NULL)
      || stat (path, &st) != 0 || !S_ISREG (st.st_mode) || tb_perf_is_file (path)
      || tb_session_is_trace_file (path) || tb_crash_kind (path, NULL) != TB_CRASH_NONE
      || tb_session_is_log (path))
    return false;
  size_t size = 0;
  char *head = read_head (path, &size);
  bool raw = head != NULL && memcmp (head, "\177ELF", 4) != 0 && !is_compressed (head, size)
	     && memchr (head, 0, size) != NULL;
  free (head);
  return raw;
}

void
tb_input_say_senseless (const char *path, struct tb_diag *diag)
{
  tb_error (diag, "%s: expected a snapshot or a log, a core file, perf.data, a trace file or the "
	    "bytes of a trace buffer, found binary data; nothing makes sense of it as trace; "
	    "tracebridge-snapshot takes what is known of it (-o OUT --core=TYPE --trace=%s "
	    "--format=FORMAT --protocol=TYPE)", path, path);
}

bool
tb_input_is_wrong (const char *path, const struct tb_session_options *options, const char *many,
		   struct tb_diag *diag)
{
  struct stat st;
  char name[256];
  if (stat (path, &st) != 0)
    return false;
  if (S_ISDIR (st.st_mode))
    {
      if (is_snapshot (path, ".") || tb_sysfs_is_folder (path) || tb_perf_is_file (path))
	return false;
      if (has_inputs (path, name))
	{
	  struct tb_buffer all = { 0 };
	  tb_buffer_printf (&all, many, path);
	  tb_error (diag, "%s: expected a snapshot, found a folder of snapshots or "
		    "logs, such as %s; %.*s", path, name, (int) all.size,
		    all.data != NULL ? (const char *) all.data : "");
	  tb_buffer_fini (&all);
	}
      else
	tb_error (diag, "%s: expected a snapshot, found a folder without a "
		  "snapshot.ini; give the folder that has it, or one of what Linux has of its "
		  "trace units (etm0/mgmt and others)", path);
      return true;
    }
  if (!S_ISREG (st.st_mode) || tb_perf_is_file (path) || tb_session_is_trace_file (path)
      || tb_crash_kind (path, NULL) != TB_CRASH_NONE || tb_input_is_raw (path, options))
    return false;
  size_t size;
  char *head = read_head (path, &size);
  if (head == NULL)
    return false;
  bool wrong = false, core = tb_core_file_kind (path) != TB_CORE_FILE_NONE;
  if (memcmp (head, "\177ELF", 4) == 0)
    {
      wrong = !core;
      if (wrong)
	tb_error (diag, "%s: expected a snapshot, a log or a core file, found an ELF file "
		  "that is none, or not of Arm; give a program as --elf=%s, beside the "
		  "snapshot", path, path);
    }
  else if (strstr (head, "[snapshot]") == NULL)
    {
      /* Another file of a snapshot's.  */
      char *folder = strdup (path);
      char *slash = folder != NULL ? strrchr (folder, '/') : NULL;
      size_t length = strlen (path);
      if (slash != NULL)
	*slash = 0;
      const char *where = slash == NULL ? "." : *folder == 0 ? "/" : folder;
      if (folder != NULL && length > 4 && strcmp (path + length - 4, ".ini") == 0
	  && is_snapshot (where, "."))
	{
	  tb_error (diag, "%s: expected a snapshot, found a part of one; give its "
		    "folder: %s", path, where);
	  wrong = true;
	}
      free (folder);
    }
  wrong = wrong || (!core && (is_other_role (path, head, diag)
			      || file_is_wrong (path, head, size, diag)));
  free (head);
  return wrong;
}
