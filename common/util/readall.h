/* Reading and writing all that is wanted: one call of the kernel may do a part of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_READALL_H
#define TB_UTIL_READALL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Read SIZE bytes of FD to BYTES.  Returns how many there were, which is less than SIZE only
   at the end of the file; -1 with errno set where reading failed.  */
ssize_t tb_read_all (int fd, void *bytes, size_t size);

/* Write the SIZE bytes at BYTES to FD.  False with errno set where that failed.  A handler
   of signals may call it.  */
bool tb_write_all (int fd, const void *bytes, size_t size);

#endif /* TB_UTIL_READALL_H */
