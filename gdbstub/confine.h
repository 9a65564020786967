/* Confinement: what the process may still do once it serves.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All that is served was opened at the start.  From then on only clients are new, and they
   may be hostile: so the process gives up what serving does not need.  It cannot open,
   make, rename or list files, start programs, make sockets or connect to any, look at other
   processes or have signals sent to them, or get memory that holds code (on s390x it can,
   by mmap, whose arguments are in memory there, where a filter cannot look).  It can read
   and write what is open, accept connections, and have threads, memory and the time.  The
   kernel refuses the rest, with the error EPERM (Linux, seccomp_filter.rst: seccomp mode
   2).  */

#ifndef TB_GDBSTUB_CONFINE_H
#define TB_GDBSTUB_CONFINE_H

#include <stdbool.h>

enum confine_mode
{
  CONFINE_AUTO,			/* Where the system has it.  */
  CONFINE_MUST, CONFINE_OFF
};

/* Confine this process, with all of its threads, for good.  REMOVES: it may remove files
   (its Unix sockets, at the end).  NULL, or why that is not possible.  */
const char *confine (bool removes);

#endif /* TB_GDBSTUB_CONFINE_H */
