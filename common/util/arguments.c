/* Files of arguments.  See arguments.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/arguments.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/libiberty.h>
#else
# include <libiberty.h>
#endif

/* Is ARGUMENT the name of a file of arguments?  There may be an input of that very
   name.  */
static bool
names_file (const char *argument)
{
  return argument[0] == '@' && access (argument, F_OK) != 0;
}

/* The quote that is still open where the file PATH ends; 0: none is, or the file cannot
   be read.  A backslash takes the next character for itself, between quotes as well, as
   libiberty's buildargv has it.  */
static int
open_quote (const char *path)
{
  FILE *file = fopen (path, "r");
  int quote = 0, c;
  if (file == NULL)
    return 0;
  while ((c = getc (file)) != EOF)
    if (c == '\\')
      getc (file);
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
  fclose (file);
  return quote;
}

const char *
tb_arguments_expand (int *argc, char ***argv, struct tb_buffer *wrong)
{
  for (int i = 1; i < *argc && strcmp ((*argv)[i], "--") != 0; i++)
    {
      const char *argument = (*argv)[i];
      int quote = names_file (argument) ? open_quote (argument + 1) : 0;
      if (quote != 0)
	{
	  tb_buffer_printf (wrong, "%s: the file %s, which arguments are read from: expected "
			    "the other %c of a pair before its end (a \\ in front of one "
			    "makes it a plain character)%c", argument, argument + 1, quote, 0);
	  return wrong->failed ? "no memory" : (const char *) wrong->data;
	}
    }
  expandargv (argc, argv);
  for (int i = 1; i < *argc && strcmp ((*argv)[i], "--") != 0; i++)
    /* Another file that can be read had "@..." in it.  */
    if (names_file ((*argv)[i]) && access ((*argv)[i] + 1, R_OK) != 0)
      {
	tb_buffer_printf (wrong, "%s: the file %s, which arguments are read from: %s%c",
			  (*argv)[i], (*argv)[i] + 1, strerror (errno), 0);
	return wrong->failed ? "no memory" : (const char *) wrong->data;
      }
  return NULL;
}
