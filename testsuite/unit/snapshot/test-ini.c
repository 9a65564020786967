/* INI files are read alike whatever inih there is: versions and builds of it
   differ in what they do with long lines.  The strictest stands in for it here.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ini.h>
#include <stdlib.h>

#include "check.h"
#include "snapshot/ini.h"
#include "snapshot/pool.h"

/* How many bytes the stand-in reads at once, and what it found that only some
   versions of inih take.  */
static int line_size;
static unsigned incomplete, indented;

/* In place of the library's: no continuation lines, and a line must fit.  */
int
ini_parse_stream (ini_reader reader, void *stream, ini_handler handler,
		  void *user)
{
  char *line = malloc ((size_t) line_size);
  int error = 0;
  while (reader (line, line_size, stream) != NULL)
    {
      size_t length = strlen (line);
      if (length == 0 || line[length - 1] != '\n')
	{
	  incomplete++;
	  continue;
	}
      line[length - 1] = '\0';
      indented += *line == ' ' || *line == '\t';
      if (*line == ';' || *line == '#' || *line == '[' || *line == '\0')
	continue;
      char *value = line + strcspn (line, "=:");
      char *comment = strstr (line, " ;");
      if (*value == '\0')
	{
	  error = 1;
	  continue;
	}
      if (comment != NULL)
	*comment = '\0';
      *value++ = '\0';
      handler (user, "", line, value);
    }
  free (line);
  return error;
}

/* A text with keys, values and a section of about LENGTH bytes.  */
static void
check_length (size_t length)
{
  char *value = malloc (length + 1), *name = malloc (length + 1);
  char *text = malloc (4 * length + 200);
  for (size_t i = 0; i < length; i++)
    {
      value[i] = "v ;#:=[]\tx"[i % 10];
      name[i] = "n ;#:=[\t"[i % 8];
    }
  value[length] = name[length] = '\0';
  value[length - 1] = name[length - 1] = 'e';
  sprintf (text, "[%s]\n  first=%s\nREG(id:4)=1\nno key here\n; %s\nlast = %s\n",
	   name, value, value, value);

  struct objalloc *pool = objalloc_create ();
  struct tb_diag diag = { 0 };
  struct tb_ini ini;
  incomplete = indented = 0;
  if (CHECK_INT (tb_ini_parse (&ini, pool, "a.ini", (const uint8_t *) text,
			       strlen (text), &diag), TB_OK)
      && CHECK_INT (ini.nsections, 1) && CHECK_INT (ini.nentries, 3))
    {
      CHECK_STR (ini.sections[0].name, name);
      CHECK_STR (ini.entries[0].key, "first");
      CHECK_STR (ini.entries[0].value, value);
      CHECK_STR (ini.entries[1].key, "REG(id:4)");
      CHECK_STR (ini.entries[1].value, "1");
      CHECK_STR (ini.entries[2].key, "last");
      CHECK_STR (ini.entries[2].value, value);
      CHECK_INT (ini.entries[2].line, 6);
      CHECK_INT (ini.nbad, 1);
      CHECK_STR (ini.bad[0].text, "no key here");
      tb_ini_fini (&ini);
    }
  CHECK_INT (incomplete, 0);
  CHECK_INT (indented, 0);
  objalloc_free (pool);
  free (text);
  free (name);
  free (value);
}

/* Is LENGTH near a multiple of the bytes that are read at once, where a line is cut or not by one
   byte?  */
static bool
is_near (size_t length)
{
  size_t over = (length + 40) % (size_t) line_size;
  return over < 80;
}

int
main (void)
{
  static const int sizes[] = { 40, 200, 1000, 5000 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      line_size = sizes[i];
      for (size_t length = 1; length < 3 * (size_t) line_size;
	   length += line_size <= 200 || is_near (length) ? 1 : 13)
	if (line_size < 1000 || length > (size_t) line_size - 40)
	  check_length (length);
    }
  return check_done ();
}
