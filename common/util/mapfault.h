/* Mapped files that became shorter.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Who cuts a file that is mapped, or pulls out the disk that it is on, makes the next look at
   what is gone a signal, SIGBUS.  No check before can prevent that, and no value in place of
   what is gone is true; so a program says which file it is, and ends.  What it was writing
   has not got its name then.  */

#ifndef TB_UTIL_MAPFAULT_H
#define TB_UTIL_MAPFAULT_H

/* For programs, before they map anything: let a look at what is gone of a mapped file write
   a line that names the file to the standard error output, and end the process with
   status 1.  */
void tb_mapfault_guard (void);

#endif /* TB_UTIL_MAPFAULT_H */
