/* ELF files that were mapped into memory, as programs and libraries are.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_MAPPED_H
#define TB_SNAPSHOT_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

/* SIZE bytes of a file, from byte OFFSET on, at ADDRESS.  */
struct tb_mapped
{
  uint64_t address, offset, size;
};

/* By how much the addresses of the file that FD is of are lower than where MAPPED, its code, is.
   False: no segment of code has that, or of several it is not certain which.  Of pages of 16 or
   64 KiB other segments may have bytes, too.  */
bool tb_mapped_bias (int fd, const struct tb_mapped *mapped, uint64_t *bias);

#endif /* TB_SNAPSHOT_MAPPED_H */
