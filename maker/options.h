/* The command line of tracebridge-snapshot.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_MAKER_OPTIONS_H
#define TB_MAKER_OPTIONS_H

#include <stdbool.h>

#include "options/shared.h"

enum
{
  EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2
};

/* One part, in the order of the command line.  */
enum part_kind
{
  PART_CORE, PART_RAM, PART_REGISTERS
};

struct part
{
  enum part_kind kind;
  const char *text;
};

struct options
{
  const char *output;
  const char *input;		/* NULL: the parts are all.  */
  struct part *parts;		/* But for trace buffers, which SHARED has.  */
  size_t nparts;
  bool quiet;
  struct tb_shared_options shared; /* Those of TB_OPTIONS_OF_INPUT, and trace buffers.  */
  char **arguments;		/* What @FILE was read from, or NULL.  */
};

/* Read the command line.  Does not return where it is wrong, or asks for help.  */
void options_parse (struct options *options, int argc, char **argv);
void options_fini (struct options *options);

#endif /* TB_MAKER_OPTIONS_H */
