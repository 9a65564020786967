/* Files of arguments: @FILE on a command line.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_ARGUMENTS_H
#define TB_UTIL_ARGUMENTS_H

#include "util/buffer.h"

/* Put the arguments in FILE into the place of each "@FILE" of *ARGV, as libiberty's
   expandargv does; *ARGV is another list then, to be freed by freeargv.  An input may have
   that very name, and arguments behind "--" are names whatever they begin with.  NULL; or
   what is wrong, for a message (in WRONG, which is the caller's): a file cannot be read,
   or a quote in it has no end.  */
const char *tb_arguments_expand (int *argc, char ***argv, struct tb_buffer *wrong);

#endif /* TB_UTIL_ARGUMENTS_H */
