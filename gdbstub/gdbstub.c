/* tracebridge-gdbstub: a recording served to GDB over the remote protocol.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage_text[] =
  "Usage: tracebridge-gdbstub [OPTION]... INPUT\n"
  "Serve the recording of a core's trace to GDB.  This version does not serve\n"
  "yet; tracebridge-convert writes trace files that GDB opens.\n"
  "\n"
  "      --help       print this help and exit\n"
  "      --version    print the version and exit\n";

int
main (int argc, char **argv)
{
  static const struct option options[] = {
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 }
  };
  int option;
  while ((option = getopt_long (argc, argv, "", options, NULL)) != -1)
    switch (option)
      {
      case 'h':
	fputs (usage_text, stdout);
	return EXIT_SUCCESS;
      case 'V':
	printf ("tracebridge-gdbstub (%s) %s\n", PACKAGE_NAME,
		PACKAGE_VERSION);
	return EXIT_SUCCESS;
      default:
	fputs ("Try 'tracebridge-gdbstub --help' for more information.\n",
	       stderr);
	return 2;
      }
  fputs ("tracebridge-gdbstub: serving a recording is not in this version; "
	 "use tracebridge-convert and GDB's \"target tfile\".\n", stderr);
  return EXIT_FAILURE;
}
