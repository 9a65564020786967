/* Files of arguments.  See arguments.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/arguments.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

const char *
tb_arguments_missing (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    {
      if (argv[i][0] != '@' || access (argv[i], F_OK) == 0)
	continue;
      /* A file that can be read had "@..." in it.  */
      if (access (argv[i] + 1, R_OK) != 0)
	return argv[i];
    }
  return NULL;
}
