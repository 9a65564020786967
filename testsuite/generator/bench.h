/* The properties of a decoder of a stream of packets: decode (encode (walk)) is
   the walk, whole, from each synchronisation, with its ends cut off and after
   wrong bits.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_BENCH_H
#define GEN_BENCH_H

#include "generator/property.h"

struct gen_bench
{
  struct gen_run *run;
  struct gen_random *random;
  struct gen_subject *subject;
  const struct gen_trace *trace;
  bool waits;			/* Elements wait to be committed.  */
};

/* Test all.  */
void gen_bench_test (struct gen_bench *bench);

#endif /* GEN_BENCH_H */
