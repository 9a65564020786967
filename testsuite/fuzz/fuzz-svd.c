/* Descriptions of devices (CMSIS-SVD).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "svd/svd.h"

FUZZ_TARGET (svd)
{
  char path[40];
  int fd = fuzz_file (data, size, path);
  tb_svd_close (tb_svd_open (path, NULL));
  close (fd);
  return 0;
}
