/* Files of arguments: @FILE on a command line.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_ARGUMENTS_H
#define TB_UTIL_ARGUMENTS_H

/* The first of the arguments ARGV, behind libiberty's expandargv, that is still "@FILE":
   FILE could not be read, errno says why.  NULL: none, or there is an input of that very
   name.  Arguments behind "--" are names whatever they begin with.  */
const char *tb_arguments_missing (int argc, char **argv);

#endif /* TB_UTIL_ARGUMENTS_H */
