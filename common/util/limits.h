/* Limits of what a program may use: memory and time.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The kernel keeps them.  Memory is what a process can write, as its own (setrlimit(2),
   RLIMIT_DATA): input files that are mapped do not count, since the kernel can drop them.
   Beyond the limit allocations fail, and that is told as want of memory is anywhere.  Time
   is that of a clock on the wall.  */

#ifndef TB_UTIL_LIMITS_H
#define TB_UTIL_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* Parse TEXT, a number of seconds up to ten years; false: it is none.  */
bool tb_limit_parse_seconds (const char *text, uint64_t *seconds);

/* Let this process, and those that it starts, have at most BYTES; 0: as many as the machine
   has.  A limit that is lower already stays.  */
void tb_limit_memory (uint64_t bytes);

/* From now on let this process have SECONDS; 0: for ever.  Then it says that it is not
   done, as the option NAME demands, and ends with status 1; with NAME NULL it is ended by
   SIGALRM without a word.  */
void tb_limit_time (const char *name, uint64_t seconds);

#endif /* TB_UTIL_LIMITS_H */
