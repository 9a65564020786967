/* The command line of tracebridge-convert.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "fuzz-arguments.h"
#include "options.h"

static void
parse (int argc, char **argv)
{
  struct options options;
  options_parse (&options, argc, argv);
  options_fini (&options);
}

FUZZ_TARGET (convert_options)
{
  fuzz_arguments (data, size, parse);
  return 0;
}
