/* Property tests of the ETMv4 and ETE decoder: decode (encode (walk)) = walk.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/case.h"

int
main (int argc, char **argv)
{
  return gen_case_main (argc, argv, GEN_ETMV4, 4001, 1000);
}
